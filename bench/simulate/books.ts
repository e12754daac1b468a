/** What is written down while a simulation runs, per room: calls, entries, waits, faults. Numbers only; judge.ts says what they mean. */

/** Waits are counted in bins of this, ms, up to twenty minutes. */
const BIN_MS = 10;
const BINS = 120_000;

export class Waits {
  readonly #bins = new Uint32Array(BINS);
  #count = 0;

  add(ms: number, people = 1): void {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor(ms / BIN_MS)));
    this.#bins[bin] = (this.#bins[bin] as number) + people;
    this.#count += people;
  }

  get count(): number {
    return this.#count;
  }

  /** ms; 0 where there is nobody. @param share 0.5 = the median */
  quantile(share: number): number {
    let left = share * this.#count;
    for (let bin = 0; bin < BINS; bin++) {
      left -= this.#bins[bin] as number;
      if (left <= 0 && this.#count > 0) return (bin + 1) * BIN_MS;
    }
    return 0;
  }
}

export class Books {
  /** When calls reached the Room, and how long each waited there for its turn and was worked on, ms of virtual time. */
  readonly callsAt: number[] = [];
  readonly callsBySecond: number[] = [];
  longestBacklogMs = 0;
  failedCalls = 0;
  largestBatch = 0;
  /** Entries by the Room's own count. */
  readonly entriesAt: number[] = [];
  readonly entriesBySecond: number[] = [];
  /** Requests that the Worker answers. */
  requests = 0;
  /** Of the requests those that went on; looks of theirs, and what they told. */
  streams = 0;
  looks = 0;
  tells = 0;
  /** From the first request until the browser holds a place, and from the first call of a turn until the browser is inside. */
  readonly joinWaits = new Waits();
  readonly turnWaits = new Waits();
  /** From the draw until the browser has heard of its place. */
  readonly drawWaits = new Waits();
  /** More places in use than there are, and not because there are fewer than before. */
  overshoot = 0;
  /** Two people with one place (P5); people with a second place, whose first is nobody's now. */
  doublyGiven = 0;
  secondPlaces = 0;
  epochBack = 0;
  notConserved = 0;
  refused = 0;
  botsPlaced = 0;
  lastEntryAt = 0;
  rowsWritten = 0;
  storedBytes = 0;
  readonly roomMemory = { sightingsBytes: 0, keysBytes: 0 };

  static bump(list: number[], second: number, by = 1): void {
    while (list.length <= second) list.push(0);
    list[second] = (list[second] as number) + by;
  }
}
