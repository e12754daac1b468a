/**
 * The join limits' counts: joins without proof of each network prefix and address in the minute that its first one began. Pure.
 * 32 bytes each, in typed arrays; bounded: with 390,000 of them within a minute no more are counted, which an attacker of that size gets
 * past anyway (`under_attack_joins_per_minute` is for that).
 *
 * Somebody who always made a part of the crowd is not over the limit because the whole crowd grew. A prefix may make as large a part of the
 * crowd as in the minute before, at most four times as many joins, and a quarter more, since crowds are not even. That quarter ("slack") does
 * not count as its part in the next minute: so only the others can raise what a prefix may do, never the prefix itself. And a join beyond a
 * limit is no part of the crowd that others are measured by: prefixes that push together would raise each other's shares without end.
 */
import { longestRun, spread } from "./spread";

export const LIMIT_WINDOW_MS = 60_000;
const GROWTH_MOST = 4;
const SLACK = 1.25;
const LEAST = 256;
const MOST = 524_288;
const NUMBERS = 6;
/** Full of running windows, it is looked through again only after this long, ms. */
const SWEEP_EVERY_MS = 1_000;

/** `within` the limit; beyond it, but within its `share` of the crowd, or within the quarter (`slack`); `over`: no more. */
export type Standing = "within" | "share" | "slack" | "over";

/** What a join was when it was made. */
export interface Beyond {
  /** For each of its prefixes: within the slack. */
  readonly slack: readonly boolean[];
  /** Beyond a limit of any of them: no part of the crowd. */
  readonly beyond: boolean;
}

interface Window {
  readonly prefix: number;
  /** Of the clock, ms, its lower 32 bits. */
  readonly startedAt: number;
  readonly count: number;
  /** Of those: within the slack. */
  readonly slack: number;
  /** Of those: no part of the crowd. */
  readonly beyond: number;
  /** `#total` when the window began. */
  readonly startTotal: number;
  /** The prefix's part of the minute before, and everybody else's joins from then until this window began. */
  readonly former: number;
  readonly formerOthers: number;
}

export class JoinWindows {
  readonly #seed: number;
  /** Hashes of prefixes and addresses, open addressing; 0 = empty. */
  #prefixes = new Uint32Array(LEAST);
  /** Ages alone matter, so it may wrap. After 50 days a forgotten window looks young for two minutes: one join too many is counted. */
  #startedAt = new Uint32Array(LEAST);
  /** `count`, `slack`, `beyond`, `startTotal`, `former`, `formerOthers` of a window. */
  #numbers = new Uint32Array(NUMBERS * LEAST);
  #used = 0;
  /** The crowd: joins within the limits, of whatever prefix; only differences matter, so it may wrap. */
  #total = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;

  /** @param seed of spread.ts */
  constructor(seed = 0) {
    this.#seed = seed;
  }

  /** May this prefix make another join in its minute? @param limit at least 1 */
  standing(prefix: number, limit: number, now: number): Standing {
    const window = this.#at(this.#find(prefix));
    if (window === null || since(now, window.startedAt) >= LIMIT_WINDOW_MS) return "within";
    const within = window.count - window.slack;
    if (within < limit) return "within";
    const share = this.#shareOf(window, this.#total);
    if (within < share) return "share";
    return window.count < SLACK * share ? "slack" : "over";
  }

  /** So many joins are as large a part of the crowd as the prefix made in the minute before. */
  #shareOf(window: Window, total: number): number {
    const { former, formerOthers } = window;
    if (former === 0 || formerOthers === 0) return 0;
    const others = othersOf(window, total);
    return Math.min(GROWTH_MOST * former, Math.floor((former * others) / formerOthers));
  }

  /**
   * One more join, of the prefix and the address that it comes from.
   * @param prefixes 0 = none
   * @param begins of a join that is counted again after a restart: where it began a window; null = not known, or a new join
   * @returns where it began a window
   */
  count(prefixes: readonly number[], now: number, { slack, beyond }: Beyond, begins: readonly boolean[] | null = null): boolean[] {
    const before = this.#total;
    if (!beyond) this.#total = (before + 1) >>> 0;
    return prefixes.map(
      (prefix, i) => prefix !== 0 && this.#count(prefix, now, before, Number(slack[i] === true), Number(beyond), begins?.[i]),
    );
  }

  #count(prefix: number, now: number, before: number, slack: number, beyond: number, begins?: boolean): boolean {
    let at = this.#find(prefix);
    const known = this.#at(at);
    const isRunning = known !== null && since(now, known.startedAt) < LIMIT_WINDOW_MS;
    if (!(begins ?? !isRunning)) {
      // Counted again, within a window that began before all that is known: it is over by now.
      if (isRunning) this.#set(at, { ...known, count: known.count + 1, slack: known.slack + slack, beyond: known.beyond + beyond });
      return false;
    }
    if (known === null) {
      if (4 * (this.#used + 1) > 3 * this.#prefixes.length && !this.#makeRoom(now)) return false;
      at = this.#find(prefix);
      this.#used += 1;
    }
    const isRecent = known !== null && since(now, known.startedAt) < 2 * LIMIT_WINDOW_MS;
    const former = isRecent ? this.#partOf(known, before) : 0;
    const formerOthers = isRecent ? othersOf(known, before) : 0;
    this.#set(at, { prefix, startedAt: now, count: 1, slack: 0, beyond, startTotal: before, former, formerOthers });
    return true;
  }

  /** What a window that is over counts as in the next one. */
  #partOf(window: Window, total: number): number {
    const { count, slack } = window;
    return slack === 0 ? count : Math.min(count, Math.max(count - slack, this.#shareOf(window, total)));
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#prefixes.length * (8 + 4 * NUMBERS);
  }

  get longestRun(): number {
    return longestRun(this.#prefixes);
  }

  #at(at: number): Window | null {
    const prefix = this.#prefixes[at] as number;
    if (prefix === 0) return null;
    const [count, slack, beyond, startTotal, former, formerOthers] = this.#numbers.subarray(
      NUMBERS * at,
      NUMBERS * (at + 1),
    ) as unknown as [number, number, number, number, number, number];
    const startedAt = this.#startedAt[at] as number;
    return { prefix, startedAt, count, slack, beyond, startTotal, former, formerOthers };
  }

  #set(at: number, { prefix, startedAt, count, slack, beyond, startTotal, former, formerOthers }: Window): void {
    this.#prefixes[at] = prefix;
    this.#startedAt[at] = startedAt;
    this.#numbers.set([count, slack, beyond, startTotal, former, formerOthers], NUMBERS * at);
  }

  /** Where this prefix's count is, or would be. */
  #find(prefix: number): number {
    const mask = this.#prefixes.length - 1;
    let at = spread(prefix, this.#seed) & mask;
    while (this.#prefixes[at] !== 0 && this.#prefixes[at] !== prefix) at = (at + 1) & mask;
    return at;
  }

  /** Forget the minutes that say nothing of the present, or where there is room of the next one. False = there is no room all the same. */
  #makeRoom(now: number): boolean {
    if (this.#prefixes.length === MOST && now - this.#sweptAt < SWEEP_EVERY_MS) return false;
    this.#sweptAt = now;
    const [prefixes, startedAt, numbers] = [this.#prefixes, this.#startedAt, this.#numbers];
    const keptFor = prefixes.length === MOST ? LIMIT_WINDOW_MS : 2 * LIMIT_WINDOW_MS;
    const kept: number[] = [];
    for (let at = 0; at < prefixes.length; at++) {
      if (prefixes[at] !== 0 && since(now, startedAt[at] as number) < keptFor) kept.push(at);
    }
    let length = LEAST;
    while (length < MOST && length < 2 * (kept.length + 1)) length *= 2;
    this.#prefixes = new Uint32Array(length);
    this.#startedAt = new Uint32Array(length);
    this.#numbers = new Uint32Array(NUMBERS * length);
    this.#used = kept.length;
    for (const from of kept) {
      const to = this.#find(prefixes[from] as number);
      this.#prefixes[to] = prefixes[from] as number;
      this.#startedAt[to] = startedAt[from] as number;
      this.#numbers.set(numbers.subarray(NUMBERS * from, NUMBERS * (from + 1)), NUMBERS * to);
    }
    return 4 * (this.#used + 1) <= 3 * length;
  }
}

/** Everybody else's part of the crowd since a window began. Where joins before it are not known any more, at least 0. */
function othersOf({ count, beyond, startTotal }: Window, total: number): number {
  return Math.max(0, since(total, startTotal) - (count - beyond));
}

/** How far a count whose lower 32 bits are kept went from `then` to `now`. */
function since(now: number, then: number): number {
  return (now - then) >>> 0;
}
