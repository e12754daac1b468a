/**
 * People who missed their turn and are back, in the order of coming back. Pure.
 * Holds (slot, order) pairs; a pair whose slot no longer has that order is stale and skipped.
 */
export class ReturnQueue {
  #items: { readonly slot: number; readonly order: number }[] = [];
  #head = 0;

  push(slot: number, order: number): void {
    this.#items.push({ slot, order });
  }

  /** The first pair that `isCurrent` accepts, or null. Stale pairs before it are dropped. */
  first(isCurrent: (slot: number, order: number) => boolean): number | null {
    for (; this.#head < this.#items.length; this.#head++) {
      const item = this.#items[this.#head];
      if (item !== undefined && isCurrent(item.slot, item.order)) {
        this.#compact();
        return item.slot;
      }
    }
    this.#compact();
    return null;
  }

  /** How many of `count` returners are in front of `order`: exact while nobody in between gave up, else a little high. */
  aheadOf(order: number, count: number): number {
    const first = this.#items[this.#head]?.order ?? order;
    return Math.max(0, Math.min(order - first, count - 1));
  }

  #compact(): void {
    if (this.#head < 1_024 || this.#head * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }
}
