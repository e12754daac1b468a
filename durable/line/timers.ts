/**
 * Deadlines of slots, bucketed by whole second (those of moments.ts by whole millisecond). Pure.
 * One list per second instead of a sorted set: adding is O(1), firing is O(1) per slot amortised. An entry is only a
 * reminder to look at the slot: whoever handles it compares the slot's real deadline and adds it again if it moved.
 */
export class Timers {
  readonly #buckets = new Map<number, number[]>();
  #firedTo: number;

  /** @param second buckets up to and including this one have fired. */
  constructor(second: number) {
    this.#firedTo = second;
  }

  /** Remind of `slot` once `second` is reached. A deadline already past fires at the next `fire`. */
  add(second: number, slot: number): void {
    const bucket = Math.max(second, this.#firedTo + 1);
    const slots = this.#buckets.get(bucket);
    if (slots === undefined) this.#buckets.set(bucket, [slot]);
    else slots.push(slot);
  }

  /** Call `handle` for every slot whose second is ≤ `second`, in order of time. */
  fire(second: number, handle: (slot: number) => void): void {
    if (second <= this.#firedTo) return;
    const span = second - this.#firedTo;
    const due =
      span <= this.#buckets.size
        ? Array.from({ length: span }, (_, i) => this.#firedTo + 1 + i)
        : [...this.#buckets.keys()].filter((bucket) => bucket <= second).sort((a, b) => a - b);
    this.#firedTo = second;
    for (const bucket of due) {
      const slots = this.#buckets.get(bucket);
      if (slots === undefined) continue;
      this.#buckets.delete(bucket);
      for (const slot of slots) handle(slot);
    }
  }

  /** The earliest second with a reminder, or null. O(buckets). */
  next(): number | null {
    let earliest: number | null = null;
    for (const bucket of this.#buckets.keys()) if (earliest === null || bucket < earliest) earliest = bucket;
    return earliest;
  }
}
