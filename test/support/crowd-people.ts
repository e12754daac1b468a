/**
 * The visitors of the crowd simulator: what each kind does between questions, and when it asks next. Virtual time in ms since the
 * start; randomness is an argument. Knows nothing of the line.
 */

export type Kind =
  /** Asks as told, goes in when called, stays for a visit. */
  | "honest"
  /** As honest, but the browser lets it ask only once a minute. */
  | "hidden"
  /** A phone: silent for two to ten minutes at a time, in between as honest. */
  | "asleep"
  /** As honest, but asks ten times as often as told. */
  | "greedy"
  /** Joined and closed the tab. */
  | "gone"
  /** Asks as told, but never answers the call. */
  | "vanishing"
  /** Stays, asks and watches its turn pass: never goes in. */
  | "silent";

/** Shares of the crowd; what is left is honest. */
export interface Shares {
  readonly gone?: number;
  readonly vanishing?: number;
  readonly asleep?: number;
  readonly greedy?: number;
  /** Of those that are none of the others. */
  readonly hidden?: number;
}

export function drawKind(shares: Shares, random: () => number): Kind {
  let roll = random();
  for (const kind of ["gone", "vanishing", "asleep", "greedy"] as const) {
    const share = shares[kind] ?? 0;
    if (roll < share) return kind;
    roll -= share;
  }
  const left = 1 - (shares.gone ?? 0) - (shares.vanishing ?? 0) - (shares.asleep ?? 0) - (shares.greedy ?? 0);
  return roll < left * (shares.hidden ?? 0) ? "hidden" : "honest";
}

export interface Person {
  readonly who: number;
  readonly kind: Kind;
  readonly tag: number;
  slot: number;
  joinedAtS: number;
  /** By the crowd's clock. */
  joinedAt: number;
  serial: number;
  /** Leaves at this time; 0 = not inside. */
  insideUntil: number;
  /** The page has said that it is this visitor's turn; it goes in with its next question. */
  goesIn: boolean;
  sleepsFrom: number;
  sleepsUntil: number;
  /** First request with a pass at the site; -1 = none yet. */
  receivedAt: number;
  done: boolean;
}

export function newPerson(kind: Kind, who: number): Person {
  return {
    who,
    kind,
    tag: who & 0xffff,
    slot: -1,
    joinedAtS: 0,
    joinedAt: 0,
    serial: 0,
    insideUntil: 0,
    goesIn: false,
    sleepsFrom: 0,
    sleepsUntil: 0,
    receivedAt: -1,
    done: false,
  };
}

const HIDDEN_GAP_MS = 60_000;
const SLEEP_MS = { least: 120_000, more: 480_000 };
const AWAKE_MS = { least: 30_000, more: 180_000 };

/** When this person asks again who was told to wait `gapMs`, now being `at`. */
export function nextAsk(person: Person, at: number, gapMs: number, random: () => number): number {
  const jittered = gapMs * (0.75 + 0.5 * random());
  if (person.kind === "greedy") return at + Math.max(100, jittered / 10);
  if (person.kind === "hidden") return at + Math.max(HIDDEN_GAP_MS, jittered);
  if (person.kind !== "asleep") return at + jittered;
  if (at + jittered >= person.sleepsUntil) {
    person.sleepsFrom = Math.max(at, person.sleepsUntil) + AWAKE_MS.least + AWAKE_MS.more * random();
    person.sleepsUntil = person.sleepsFrom + SLEEP_MS.least + SLEEP_MS.more * random();
  }
  return at + jittered < person.sleepsFrom ? at + jittered : person.sleepsUntil;
}

/** Events by step of virtual time: cheaper than a heap, exact to one step. */
export class Agenda {
  readonly #steps = new Map<number, number[]>();
  readonly #stepMs: number;
  #last = 0;

  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  add(at: number, who: number): void {
    const step = Math.max(this.#last + 1, Math.ceil(at / this.#stepMs));
    const list = this.#steps.get(step);
    if (list === undefined) this.#steps.set(step, [who]);
    else list.push(who);
  }

  take(step: number): number[] {
    this.#last = step;
    const list = this.#steps.get(step) ?? [];
    this.#steps.delete(step);
    return list;
  }
}
