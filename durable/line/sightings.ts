/**
 * Who is still there near the front, and since when we could have known. Pure; memory only, never persisted:
 * after a restart nobody is passed over until a whole `absentAfterMs` of new evidence has come in.
 */

const PAGE_SLOTS = 1_024;
const MARK_EVERY_MS = 5_000;

/** With no exchange for this long the edges may have been cut off: silence says nothing about the visitors. */
const EVIDENCE_GAP_MS = 60_000;

export class Sightings {
  /** Last sighting per slot: Unix seconds (u32 lasts until 2106), 0 = never. */
  readonly #pages = new Map<number, Uint32Array>();
  /** The horizon as it was at past times, oldest first. */
  #marks: { readonly at: number; readonly horizon: number }[] = [];
  /** Evidence counts from here, ms. */
  #since: number;
  #lastExchange: number;

  constructor(now: number) {
    this.#since = now;
    this.#lastExchange = now;
  }

  /** An exchange came in. A long gap starts the evidence anew. */
  heard(now: number): void {
    if (now - this.#lastExchange > EVIDENCE_GAP_MS) {
      this.#since = now;
      this.#marks = [];
    }
    this.#lastExchange = now;
  }

  /** The object was loaded at `now`: what was seen before is not known any more. */
  restart(now: number): void {
    this.#pages.clear();
    this.#marks = [];
    this.#since = now;
    this.#lastExchange = now;
  }

  see(slot: number, now: number): void {
    const number = Math.floor(slot / PAGE_SLOTS);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Uint32Array(PAGE_SLOTS);
      this.#pages.set(number, page);
    }
    page[slot % PAGE_SLOTS] = Math.floor(now / 1_000);
  }

  /** Note how far the horizon reaches now, and forget what no question can ask for any more. */
  mark(horizon: number, epoch: number, now: number, absentAfterMs: number): void {
    const last = this.#marks.at(-1);
    if (last === undefined || now - last.at >= MARK_EVERY_MS) this.#marks.push({ at: now, horizon });
    while ((this.#marks[1]?.at ?? Number.POSITIVE_INFINITY) <= now - absentAfterMs) this.#marks.shift();
    const firstPage = Math.floor(epoch / PAGE_SLOTS);
    for (const number of this.#pages.keys()) if (number < firstPage) this.#pages.delete(number);
  }

  /**
   * Has this waiting slot been within the horizon for `absentAfterMs` without being seen in that time?
   * Never true just because the horizon jumped, nor within that time of a restart or an evidence gap.
   */
  isAbsent(slot: number, now: number, absentAfterMs: number): boolean {
    const from = now - absentAfterMs;
    if (this.#since > from || now - this.#lastExchange > EVIDENCE_GAP_MS) return false;
    return this.#wasWithin(slot, from) && (this.lastSeenS(slot) + 1) * 1_000 <= from;
  }

  /**
   * Has this slot been within the horizon for `settleMs` without being seen since `sinceMs`? Never true after a restart or an evidence
   * gap since then: who was seen before it is not known any more.
   */
  isUnseenSince(slot: number, sinceMs: number, now: number, settleMs: number): boolean {
    if (this.#since > sinceMs || now - this.#lastExchange > EVIDENCE_GAP_MS) return false;
    return this.#wasWithin(slot, now - settleMs) && (this.lastSeenS(slot) + 1) * 1_000 <= sinceMs;
  }

  /** Slots were given out that have been within the horizon without being anybody's. */
  forgetMarks(): void {
    this.#marks = [];
  }

  #wasWithin(slot: number, at: number): boolean {
    const mark = this.#marks.findLast((each) => each.at <= at);
    return mark !== undefined && slot < mark.horizon;
  }

  /** Unix seconds; 0 = never, as far as is known. */
  lastSeenS(slot: number): number {
    return this.#pages.get(Math.floor(slot / PAGE_SLOTS))?.[slot % PAGE_SLOTS] ?? 0;
  }

  /** Bytes held, for the bound of P12. */
  get bytes(): number {
    return this.#pages.size * PAGE_SLOTS * 4;
  }
}
