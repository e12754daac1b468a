/**
 * Waiting slots whose holders left before their turn: one bit each, in pages of 1,024 slots (128 bytes). Pure.
 * The epoch steps over them at no cost, and a page goes once the epoch has passed it.
 */

const PAGE_SLOTS = 1_024;
export const PAGE_BYTES = PAGE_SLOTS / 8;
/** In place of a page that has gone. */
export const NO_PAGE = new Uint8Array(PAGE_BYTES);

export class Gone {
  readonly #pages = new Map<number, Uint8Array>();
  #dirty = new Set<number>();
  #count = 0;

  /** Slots marked and not yet passed by the epoch. */
  get count(): number {
    return this.#count;
  }

  has(slot: number): boolean {
    const page = this.#pages.get(Math.floor(slot / PAGE_SLOTS));
    const at = slot % PAGE_SLOTS;
    return page !== undefined && ((page[at >> 3] as number) & (1 << (at & 7))) !== 0;
  }

  /** Returns false if the slot was marked already. */
  add(slot: number): boolean {
    if (this.has(slot)) return false;
    const number = Math.floor(slot / PAGE_SLOTS);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Uint8Array(PAGE_BYTES);
      this.#pages.set(number, page);
    }
    const at = slot % PAGE_SLOTS;
    page[at >> 3] = (page[at >> 3] as number) | (1 << (at & 7));
    this.#dirty.add(number);
    this.#count += 1;
    return true;
  }

  /** The epoch steps over a slot: marked, it no longer counts as gone ahead. With its last slot a page goes. */
  passed(slot: number): boolean {
    const wasGone = this.has(slot);
    if (wasGone) this.#count -= 1;
    const number = Math.floor(slot / PAGE_SLOTS);
    if (slot % PAGE_SLOTS === PAGE_SLOTS - 1 && this.#pages.delete(number)) this.#dirty.add(number);
    return wasGone;
  }

  /** Forget everything: the whole line was emptied. */
  clear(): void {
    for (const number of this.#pages.keys()) this.#dirty.add(number);
    this.#pages.clear();
    this.#count = 0;
  }

  /** Pages that changed since the last call. */
  takeDirty(): ReadonlySet<number> {
    const changed = this.#dirty;
    this.#dirty = new Set();
    return changed;
  }

  /** null = the page has gone. */
  page(number: number): Uint8Array | null {
    return this.#pages.get(number) ?? null;
  }

  load(number: number, bytes: Uint8Array, epoch: number): void {
    const page = new Uint8Array(PAGE_BYTES);
    page.set(bytes.subarray(0, PAGE_BYTES));
    this.#pages.set(number, page);
    for (let at = 0; at < PAGE_SLOTS; at++) {
      if (number * PAGE_SLOTS + at >= epoch && ((page[at >> 3] as number) & (1 << (at & 7))) !== 0) this.#count += 1;
    }
  }
}
