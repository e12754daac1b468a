/**
 * Who was told "one moment": the next entry tokens are theirs, in slot order. Memory only: they come back by themselves. Pure.
 *
 * Every claim asks how many came before it, and every step whether one is over, while there may be thousands, and a hundred thousand once
 * the rate of a fast room was lowered: neither looks at all of them.
 */
import { Timers } from "./timers";

export class Moments {
  /** Ascending. */
  #slots: number[] = [];
  /** Line-clock ms, by slot. */
  readonly #expireAt = new Map<number, number>();
  /** By whole ms. */
  #ends = new Timers(Number.NEGATIVE_INFINITY);

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

  /** Ends some time ahead; another one of the same slot never earlier than the one before. */
  add(slot: number, expiresAt: number): void {
    const own = this.#expireAt.get(slot);
    this.#expireAt.set(slot, Math.max(own ?? 0, expiresAt));
    if (own !== undefined) return;
    this.#slots.splice(this.before(slot), 0, slot);
    this.#ends.add(Math.ceil(expiresAt), slot);
  }

  delete(slot: number): void {
    if (this.#expireAt.delete(slot)) this.#slots.splice(this.before(slot), 1);
  }

  /** Those whose end has come by `now` (line-clock ms) are no more. */
  expire(now: number): void {
    this.#ends.fire(Math.floor(now), (slot) => {
      const expiresAt = this.#expireAt.get(slot) ?? now;
      if (expiresAt <= now) this.delete(slot);
      else this.#ends.add(Math.ceil(expiresAt), slot);
    });
  }

  clear(): void {
    this.#slots = [];
    this.#expireAt.clear();
    this.#ends = new Timers(Number.NEGATIVE_INFINITY);
  }
}
