/**
 * What this isolate's requests want of the Room, gathered into one exchange at a time (DESIGN §6). One per room and isolate.
 *
 * Each request drives its own entry, under its own `waitUntil` and with its own timers. Whoever finds that a call is due and
 * none is in flight leads: sends one batch of everybody's entries and hands over. A flight is a start time, stale after 3 s,
 * since a leader dies with its request; what it carried is then sent again, which is safe because every entry is idempotent.
 * No promise, stub or response outlives its request here: shared are only plain data and one-shot signals.
 */
import type { Batch, Reply } from "../core/exchange";
import { type Ask, generationOf, isOutdated, type NotDone, type Outcome, urgency, type Verdict, type VerdictOf } from "./asks";
import type { Breaker } from "./breaker";
import { RoomFailure } from "./call";
import type { Pace } from "./pace";
import { type Lifetime, type Signal, signal, within } from "./wait";

interface Entry {
  readonly ask: Ask;
  /** The same question of the same visitor has the same; null = asked for itself each time. */
  readonly name: string | null;
  readonly arrivedAt: number;
  /** Until then some request drives it. */
  until: number;
  readonly done: Signal<Outcome<Verdict>>;
  outcome: Outcome<Verdict> | null;
  /** Nobody waits for its outcome any more. */
  isLate: boolean;
  wake: Signal<void>;
  sends: number;
}

interface Flight {
  readonly startedAt: number;
  readonly entries: readonly Entry[];
}

/** The part of a batch that belongs to no single request. */
export type Carried = Pick<Batch, "sightings" | "entriesSeen" | "leaseWanted" | "origin" | "failedOpen" | "notes" | "asked">;

/** What the queue needs of the client that owns it. */
export interface Exchanger {
  /** The generation this isolate believes in; null = not known yet. */
  generation(): number | null;
  collect(): Carried;
  giveBack(carried: Carried): void;
  /** One call. @throws RoomFailure */
  send(batch: Omit<Batch, "v" | "isolate" | "colo" | "config">): Promise<Reply>;
  /** The outcome of a question whose request has been told that it comes later. */
  late(ask: Ask, outcome: Outcome<Verdict>): void;
  /** After a reply has been handed out, in the leader's own time. */
  settled(): Promise<void>;
}

/**
 * Most requests in one batch; sightings come on top. So many that 240 calls a second, each full, are what a Room can do in a second: larger
 * ones made it late for everybody, and those who asked again later still (docs/decisions/0047).
 */
const BATCH_MAX = 200;
/** More waiting requests than this are turned away at once: the Room is far behind. */
const PENDING_MAX = 20_000;
/** A flight older than this is lost, ms; longer than any call's own deadline. */
const STALE_MS = 3_000;
/** A request drives its entry at most this long, ms: `waitUntil` ends 30 s after the reply. */
const DRIVE_MS = 25_000;
/** An entry is sent at most this often. */
const SENDS_MAX = 2;

const UNREACHABLE_RETRY_MS = 5_000;
const NO_VERDICT: NotDone = { as: "unreachable", retryAfterMs: UNREACHABLE_RETRY_MS };
/** How long joins are held back after the Room could not store one, ms. */
const FULL_HOLD_MS = 5_000;
const FULL: NotDone = { as: "full", retryAfterMs: UNREACHABLE_RETRY_MS };

export class ExchangeQueue {
  #pending: Entry[] = [];
  /** Questions without an answer that may be put again, by their names. */
  readonly #named = new Map<string, Entry>();
  #flight: Flight | null = null;
  /** Errors of the Room's own since its last answer. */
  #remoteFailures = 0;
  /** Until then nobody joins: what needs no new rows may still be stored, if it comes alone. */
  #fullUntil = 0;
  readonly #room: Exchanger;
  readonly #breaker: Breaker;
  readonly #pace: Pick<Pace, "notBefore" | "mayCall" | "called">;
  readonly #random: () => number;
  readonly #sizeOf: (ask: Ask) => number;

  /** @param sizeOf so many people a question stands for: in simulations several */
  constructor(
    room: Exchanger,
    breaker: Breaker,
    pace: Pick<Pace, "notBefore" | "mayCall" | "called">,
    random: () => number,
    sizeOf: (ask: Ask) => number = () => 1,
  ) {
    this.#sizeOf = sizeOf;
    this.#room = room;
    this.#breaker = breaker;
    this.#pace = pace;
    this.#random = random;
  }

  /**
   * Put a question and wait for its answer, at most `waitMs`. Afterwards the question stays in the queue for a while, so that a join
   * gets its place although the visitor has been told to come back.
   */
  async ask<A extends Ask>(ask: A, life: Lifetime, waitMs: number): Promise<Outcome<VerdictOf<A>>> {
    const now = Date.now();
    const closedMs = this.#breaker.remainingMs(now);
    if (closedMs > 0) return { as: this.#breaker.why, retryAfterMs: closedMs };
    if (ask.kind === "join" && now < this.#fullUntil) return { as: "full", retryAfterMs: this.#fullUntil - now };
    const entry = this.#asked(ask, now) ?? this.#put(ask, now);
    if (entry === null) return { as: "unreachable", retryAfterMs: UNREACHABLE_RETRY_MS };
    life.waitUntil(this.#drive(entry, now + DRIVE_MS));
    const outcome = await within(entry.done.promise, waitMs, { as: "late" as const });
    entry.isLate = entry.outcome === null;
    return outcome as Outcome<VerdictOf<A>>;
  }

  /** The same question, asked before and not answered yet: who asks again waits with it, and does not make the queue longer. */
  #asked(ask: Ask, now: number): Entry | null {
    const entry = this.#named.get(nameOf(ask) ?? "");
    if (entry === undefined || entry.outcome !== null) return null;
    entry.until = now + DRIVE_MS;
    return entry;
  }

  #put(ask: Ask, now: number): Entry | null {
    if (this.#pending.length >= PENDING_MAX) return null;
    const name = nameOf(ask);
    const until = now + DRIVE_MS;
    const entry: Entry = { ask, name, arrivedAt: now, until, done: signal(), outcome: null, isLate: false, wake: signal(), sends: 0 };
    this.#pending.push(entry);
    if (name !== null) this.#named.set(name, entry);
    return entry;
  }

  /** When could a question put now be sent at the earliest, ms from now? */
  delayMs(now: number): number {
    return Math.max(0, this.#pace.notBefore - now);
  }

  /** So many questions wait. */
  get waiting(): number {
    return this.#pending.reduce((sum, { ask }) => sum + this.#sizeOf(ask), 0);
  }

  /** So many full batches are in front of a question put now. */
  get batchesAhead(): number {
    return Math.floor(this.#pending.reduce((sum, { ask }) => sum + this.#placesOf(ask), 0) / BATCH_MAX);
  }

  async #drive(entry: Entry, until: number): Promise<void> {
    while (entry.outcome === null) {
      const now = Date.now();
      if (now >= entry.until) return this.#giveUp(entry);
      // Another request has asked the same since, and drives it on.
      if (now >= until) return;
      const dueAt = this.#dueAt(entry, now);
      if (dueAt <= now) {
        if (await this.#fly(now)) await this.#room.settled();
      } else {
        await within(entry.wake.promise, Math.min(dueAt, until) - now, undefined);
      }
    }
    if (entry.name !== null && this.#named.get(entry.name) === entry) this.#named.delete(entry.name);
  }

  /** When this entry's request should take the lead. */
  #dueAt(entry: Entry, now: number): number {
    if (this.#flight !== null && now < this.#flight.startedAt + STALE_MS) return this.#flight.startedAt + STALE_MS;
    const patienceMs = entry.ask.kind === "look" ? entry.ask.patienceMs : 0;
    return Math.max(this.#pace.notBefore, entry.arrivedAt + patienceMs);
  }

  /** Lead: send one batch, hand out what comes back, let the next one lead. Never rejects. false = it is too soon. */
  async #fly(now: number): Promise<boolean> {
    this.#reclaim();
    let flight: Flight = { startedAt: now, entries: [] };
    this.#flight = flight;
    try {
      const mayCall = this.#pace.mayCall(now);
      // Where nothing has to be waited for nothing is: whoever comes in the same moment travels with the next.
      if (!(mayCall === true || (await mayCall)) || this.#flight !== flight) return false;
      const startedAt = Date.now();
      flight = { startedAt, entries: this.#take() };
      this.#flight = flight;
      this.#pace.called(startedAt);
      await this.#exchange(flight);
      return true;
    } catch (error) {
      // Ours: a bug. Nobody gets in by it.
      console.error(JSON.stringify({ event: "exchange-failed", error: String(error) }));
      this.#failAll(flight.entries);
      return true;
    } finally {
      if (this.#flight === flight) this.#flight = null;
      for (const entry of this.#pending) wake(entry);
    }
  }

  async #exchange(flight: Flight): Promise<void> {
    const generation = this.#room.generation() ?? 0;
    const now = Date.now();
    const open = flight.entries.filter((entry) => entry.outcome === null);
    // Another generation's places are gone: no need to ask.
    settleRestarted(
      open.filter(({ ask }) => isOutdated(ask, generation)),
      generation,
    );
    // A batch speaks of one generation. Who comes from one that this isolate has not heard of waits until it has.
    const unheard = open.filter(({ ask }) => generationOf(ask) > generation);
    const sent = open.filter((entry) => entry.outcome === null && !unheard.includes(entry));
    const joins = sent.filter(isJoin);
    const claims = sent.filter(isClaim);
    const renewals = sent.filter(isRenewal);
    const leaves = sent.filter(isLeave);
    const reissues = sent.filter(isReissue);
    for (const entry of sent) entry.sends += 1;
    const carried = this.#room.collect();
    const aged = <R>(request: R, { arrivedAt }: Entry) => ({ ...request, ageMs: Math.max(0, now - arrivedAt) });
    try {
      const reply = await this.#room.send({
        generation,
        joins: joins.map(({ ask }) => ask.request),
        claims: claims.map((entry) => aged(entry.ask.request, entry)),
        renewals: renewals.map((entry) => aged(entry.ask.request, entry)),
        leaves: leaves.map(({ ask }) => ask.request),
        reissues: reissues.map(({ ask }) => ask.request),
        ...carried,
      });
      this.#breaker.reset();
      this.#remoteFailures = 0;
      const missing = reply.storage === "full" ? FULL : NO_VERDICT;
      if (reply.storage === "full") this.#fullUntil = Date.now() + FULL_HOLD_MS;
      const looks = sent.filter(({ ask }) => ask.kind === "look");
      hand(joins, reply.joins, reply.manifest.generation, missing);
      hand(claims, reply.claims, reply.manifest.generation, missing);
      hand(renewals, reply.renewals, reply.manifest.generation, missing);
      hand(leaves, reply.leaves, reply.manifest.generation, missing);
      hand(reissues, reply.reissues, reply.manifest.generation, missing);
      hand(
        looks,
        looks.map(() => null),
        reply.manifest.generation,
        missing,
      );
      for (const { ask, isLate, outcome } of sent) if (isLate && outcome !== null) this.#room.late(ask, outcome);
      settleRestarted(
        unheard.filter(({ ask }) => generationOf(ask) > reply.manifest.generation),
        reply.manifest.generation,
      );
      this.#pending.unshift(...unheard.filter((entry) => entry.outcome === null));
    } catch (error) {
      if (!(error instanceof RoomFailure)) throw error;
      this.#room.giveBack(carried);
      this.#remoteFailures += error.kind === "remote" ? 1 : 0;
      if (error.kind === "full") this.#fullUntil = Date.now() + FULL_HOLD_MS;
      // One error of the Room's own is about this batch, as is a full storage about its joins; anything else is about reaching the Room, and
      // holds for those who wait as well.
      const isAboutBatch = (error.kind === "remote" && this.#remoteFailures === 1) || (error.kind === "full" && joins.length > 0);
      const why = error.kind === "full" ? "full" : "unreachable";
      if (!isAboutBatch) this.#breaker.trip(Date.now(), this.#random(), why);
      console.warn(JSON.stringify({ event: "room-call-failed", kind: error.kind, entries: sent.length, error: error.message }));
      this.#pending.unshift(...unheard);
      this.#failAll(isAboutBatch ? sent : [...sent, ...this.#pending.splice(0)], why);
    }
  }

  /** Claims and navigations' joins first; what does not fit goes with the next batch. */
  #take(): Entry[] {
    this.#pending = this.#pending.filter((entry) => entry.outcome === null);
    if (this.#fitting() === this.#pending.length) return this.#pending.splice(0);
    this.#pending.sort((a, b) => urgency(a.ask) - urgency(b.ask) || a.arrivedAt - b.arrivedAt);
    return this.#pending.splice(0, this.#fitting());
  }

  /** So many of those who wait fit into one batch. */
  #fitting(): number {
    let left = BATCH_MAX;
    const over = this.#pending.findIndex(({ ask }, i) => {
      left -= this.#placesOf(ask);
      return left < 0 && i > 0;
    });
    return over < 0 ? this.#pending.length : over;
  }

  /** In a batch. Whoever only wants the manifest asks nothing of the Room. */
  #placesOf(ask: Ask): number {
    return ask.kind === "look" ? 0 : this.#sizeOf(ask);
  }

  /** A leader that died leaves its entries behind. */
  #reclaim(): void {
    const lost = this.#flight?.entries.filter((entry) => entry.outcome === null) ?? [];
    this.#flight = null;
    this.#failAll(lost.filter((entry) => entry.sends >= SENDS_MAX));
    this.#pending.unshift(...lost.filter((entry) => entry.outcome === null));
  }

  #giveUp(entry: Entry): void {
    this.#pending = this.#pending.filter((other) => other !== entry);
    if (entry.name !== null && this.#named.get(entry.name) === entry) this.#named.delete(entry.name);
    settle(entry, { as: "late" });
  }

  #failAll(entries: readonly Entry[], as: NotDone["as"] = "unreachable"): void {
    const retryAfterMs = this.#breaker.remainingMs(Date.now()) || UNREACHABLE_RETRY_MS;
    for (const entry of entries) settle(entry, { as, retryAfterMs });
  }
}

/** Everybody who drives it looks again. */
function wake(entry: Entry): void {
  const { wake } = entry;
  entry.wake = signal();
  wake.resolve();
}

/**
 * A join, or a look at a place, may be put twice without meaning anything else than once. Claims that may let somebody in are judged one by one
 * (`durable/line/chain.ts`).
 */
function nameOf(ask: Ask): string | null {
  if (ask.kind === "join") return `join ${ask.navigation} ${JSON.stringify(ask.request)}`;
  return ask.kind === "claim" && ask.request.intent === "look" ? `look ${ask.generation} ${JSON.stringify(ask.request)}` : null;
}

function settle(entry: Entry, outcome: Outcome<Verdict>): void {
  if (entry.outcome !== null) return;
  entry.outcome = outcome;
  entry.done.resolve(outcome);
  entry.wake.resolve();
}

/** Places of a generation that is not the Room's: what follows them is for the gate to say. */
function settleRestarted(entries: readonly Entry[], generation: number): void {
  for (const entry of entries) settle(entry, { as: "answered", verdict: { as: "restarted" }, generation });
}

/** Every verdict is at its request's index. */
function hand(entries: readonly Entry[], verdicts: readonly Verdict[], generation: number, missing: NotDone): void {
  for (const [i, entry] of entries.entries()) {
    const verdict = verdicts[i];
    settle(entry, verdict === undefined ? missing : { as: "answered", verdict, generation });
  }
}

type Asking<K extends Ask["kind"]> = Entry & { readonly ask: Extract<Ask, { kind: K }> };
const isJoin = (entry: Entry): entry is Asking<"join"> => entry.ask.kind === "join";
const isClaim = (entry: Entry): entry is Asking<"claim"> => entry.ask.kind === "claim";
const isRenewal = (entry: Entry): entry is Asking<"renew"> => entry.ask.kind === "renew";
const isReissue = (entry: Entry): entry is Asking<"reissue"> => entry.ask.kind === "reissue";
const isLeave = (entry: Entry): entry is Asking<"leave"> => entry.ask.kind === "leave";
