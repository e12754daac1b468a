/**
 * One question in the queue of an isolate, who waits for it, and how its answer reaches them. Plain data and one-shot signals: what a
 * request awaits is its own, or is sent by one signal.
 */
import type { JoinRequest } from "../core/exchange";
import type { Ask, NotDone, Outcome, Verdict } from "./asks";
import { type Signal, signal } from "./wait";

export interface Entry {
  readonly ask: Ask;
  /** The same question of the same visitor has the same; null = asked for itself each time. */
  readonly name: string | null;
  readonly arrivedAt: number;
  /** Until then some request drives it. */
  until: number;
  outcome: Outcome<Verdict> | null;
  /** Whoever asked was told that it comes later. */
  isLate: boolean;
  /** The requests that drive it: one, but for questions that were put again before the first was told anything. */
  askers: readonly Asker[];
  sends: number;
}

/** A request that waits for an answer, and drives it on when it was told that it comes later. */
export interface Asker {
  readonly told: Signal<Outcome<Verdict>>;
  readonly tellAt: number;
  isTold: boolean;
  /**
   * By which other requests wake this one while it rests, made anew by itself each time: a promise belongs to the request that made it. One
   * wakes it for everything, since each signal from another request costs the runtime a turn of its own.
   */
  wake: () => void;
}

/** News of another request takes no longer than this to come, ms. */
const ON_THE_WAY_MS = 5_000;

/** Of somebody who does not rest yet. */
export const nobody = (): void => undefined;

/**
 * Whoever asked hears the outcome, or that it comes later once its time is over.
 * @returns whether there is an outcome
 */
export function tell(entry: Entry, asker: Asker, now: number): boolean {
  const { outcome } = entry;
  if (!asker.isTold && (outcome !== null || now >= asker.tellAt)) {
    asker.isTold = true;
    if (outcome === null) entry.isLate = true;
    asker.told.resolve(outcome ?? { as: "late" });
  }
  return outcome !== null;
}

/** `work` to its end, while whoever asked is told in time: another request may bring the outcome before. */
export async function meanwhile<T>(work: Promise<T>, entry: Entry, asker: Asker): Promise<T> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
    asker.wake();
  });
  while (!isOver && !asker.isTold) {
    await rest(asker, asker.tellAt, Date.now());
    tell(entry, asker, Date.now());
  }
  return over;
}

/** Until it is woken, at most until `at`. One promise for both: every join rests. */
export async function rest(asker: Asker, at: number, now: number): Promise<void> {
  const { promise, resolve } = signal<void>();
  asker.wake = resolve;
  const ms = (asker.isTold ? at : Math.min(at, asker.tellAt)) - now;
  let timer = setTimeout(
    () => {
      // Another request may have settled it, and the news be on its way: a request with nothing else pending would be killed.
      timer = setTimeout(nobody, ON_THE_WAY_MS);
      resolve();
    },
    Math.max(0, ms),
  );
  await promise;
  clearTimeout(timer);
}

/** One more request that drives it. Whoever has been told that it comes later is free to end: one for each question is enough. */
export function driveWith(entry: Entry, asker: Asker): void {
  const former = entry.askers;
  entry.askers = [...former.filter(({ isTold }) => !isTold), asker];
  for (const { isTold, wake } of former) if (isTold) wake();
}

/** Everybody who drives it looks again. */
export function wake({ askers }: Entry): void {
  for (const { wake } of askers) wake();
}

/**
 * A join, or a look at a place, may be put twice without meaning anything else than once. Claims that may let somebody in are judged one by one
 * (`durable/line/chain.ts`).
 */
export function nameOf(ask: Ask): string | null {
  if (ask.kind === "join") return joinName(ask.request, ask.navigation);
  return ask.kind === "claim" && ask.request.intent === "look" ? `look ${ask.generation} ${JSON.stringify(ask.request)}` : null;
}

/** Every word of it, since whoever asks with another one may get another answer. */
function joinName({ key, network, enter, tag, guest, address, wide, proof, exempt }: JoinRequest, navigation: boolean): string {
  const shown = guest === undefined ? "" : JSON.stringify(guest);
  return `join ${key} ${network} ${address} ${wide} ${tag} ${proof} ${enter} ${exempt} ${navigation} ${shown}`;
}

export function settle(entry: Entry, outcome: Outcome<Verdict>): void {
  if (entry.outcome !== null) return;
  entry.outcome = outcome;
  wake(entry);
}

/** Places of a generation that is not the Room's: what follows them is for the gate to say. */
export function settleRestarted(entries: readonly Entry[], generation: number): void {
  for (const entry of entries) settle(entry, { as: "answered", verdict: { as: "restarted" }, generation });
}

/** Every verdict is at its request's index. */
export function hand(entries: readonly Entry[], verdicts: readonly Verdict[], generation: number, missing: NotDone): void {
  entries.forEach((entry, i) => {
    const verdict = verdicts[i];
    settle(entry, verdict === undefined ? missing : { as: "answered", verdict, generation });
  });
}

export type Asking<K extends Ask["kind"]> = Entry & { readonly ask: Extract<Ask, { kind: K }> };
export const isJoin = (entry: Entry): entry is Asking<"join"> => entry.ask.kind === "join";
export const isClaim = (entry: Entry): entry is Asking<"claim"> => entry.ask.kind === "claim";
export const isRenewal = (entry: Entry): entry is Asking<"renew"> => entry.ask.kind === "renew";
export const isReissue = (entry: Entry): entry is Asking<"reissue"> => entry.ask.kind === "reissue";
export const isLeave = (entry: Entry): entry is Asking<"leave"> => entry.ask.kind === "leave";
