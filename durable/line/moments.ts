/**
 * Who was told "one moment": the next entry tokens are theirs, in slot order. Memory only: they come back by themselves. Pure.
 *
 * Every claim asks how many came before it, and every step whether one is over, while there may be thousands: neither looks at all of them.
 */
export class Moments {
  /** Ascending. */
  #slots: number[] = [];
  /** Line-clock ms, by slot. */
  readonly #expireAt = new Map<number, number>();
  /** Nothing is over before this. */
  #nextEnd = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#slots.length;
  }

  /** How many are of lower slots. */
  before(slot: number): number {
    let [low, high] = [0, this.#slots.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#slots[middle] ?? 0) < slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Another one of the same slot never ends earlier than the one before. */
  add(slot: number, expiresAt: number): void {
    const own = this.#expireAt.get(slot);
    if (own === undefined) this.#slots.splice(this.before(slot), 0, slot);
    this.#expireAt.set(slot, Math.max(own ?? 0, expiresAt));
    this.#nextEnd = Math.min(this.#nextEnd, expiresAt);
  }

  delete(slot: number): void {
    if (this.#expireAt.delete(slot)) this.#slots.splice(this.before(slot), 1);
  }

  /** Those whose end has come by `now` (line-clock ms) are no more. */
  expire(now: number): void {
    if (now < this.#nextEnd) return;
    for (const [slot, expiresAt] of this.#expireAt) if (expiresAt <= now) this.#expireAt.delete(slot);
    this.#slots = this.#slots.filter((slot) => this.#expireAt.has(slot));
    this.#nextEnd = Math.min(...this.#expireAt.values());
  }

  clear(): void {
    this.#slots = [];
    this.#expireAt.clear();
    this.#nextEnd = Number.POSITIVE_INFINITY;
  }
}
