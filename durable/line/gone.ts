/**
 * Waiting slots whose holders left before their turn: one bit each, in pages of 1,024 slots (128 bytes). Pure.
 * The epoch steps over them at no cost, and a page goes once the epoch has passed it. Apart, in pages with numbers below 0, which stay:
 * slots below the epoch that ended when the line was emptied, those of the emptied line whose holders had left before, and those whose visits
 * the operator ended.
 */

const PAGE_SLOTS = 1_024;
export const PAGE_BYTES = PAGE_SLOTS / 8;
/** Pages of emptied slots are numbered from −1 down, the others from here on down. */
const LEFT_BEFORE = -(2 ** 31);
const VISIT_ENDED = -(2 ** 32);
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
    return this.#has(pageOf(slot), slot);
  }

  /** Returns false if the slot was marked already. */
  add(slot: number): boolean {
    if (this.has(slot)) return false;
    this.#mark(pageOf(slot), slot);
    this.#count += 1;
    return true;
  }

  wasFlushed(slot: number): boolean {
    return this.#has(flushedPageOf(slot), slot);
  }

  /** Of a slot that waited, or had been left, when the line was emptied. */
  wasLeftBefore(slot: number): boolean {
    return this.#has(LEFT_BEFORE - pageOf(slot), slot);
  }

  wasVisitEnded(slot: number): boolean {
    return this.#has(VISIT_ENDED - pageOf(slot), slot);
  }

  addVisitEnded(slot: number): void {
    this.#mark(VISIT_ENDED - pageOf(slot), slot);
  }

  addFlushed(slot: number): void {
    this.#mark(flushedPageOf(slot), slot);
  }

  #has(number: number, slot: number): boolean {
    const at = slot % PAGE_SLOTS;
    return ((this.#pages.get(number)?.[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
  }

  #mark(number: number, slot: number): void {
    const page = this.#pages.get(number) ?? new Uint8Array(PAGE_BYTES);
    this.#pages.set(number, page);
    const at = slot % PAGE_SLOTS;
    page[at >> 3] = (page[at >> 3] as number) | (1 << (at & 7));
    this.#dirty.add(number);
  }

  /** The epoch steps over a slot: marked, it no longer counts as gone ahead. With its last slot a page goes. */
  passed(slot: number): boolean {
    const wasGone = this.has(slot);
    if (wasGone) this.#count -= 1;
    const number = pageOf(slot);
    if (slot % PAGE_SLOTS === PAGE_SLOTS - 1 && this.#pages.delete(number)) this.#dirty.add(number);
    return wasGone;
  }

  /** Nobody waits any more: the whole line was emptied. */
  clear(): void {
    for (const [number, page] of [...this.#pages]) {
      if (number < 0) continue;
      const kept = LEFT_BEFORE - number;
      // Of a line that was emptied before and ended in the same page.
      const earlier = this.#pages.get(kept) ?? NO_PAGE;
      this.#pages.set(
        kept,
        page.map((bits, at) => bits | (earlier[at] as number)),
      );
      this.#pages.delete(number);
      this.#dirty.add(kept).add(number);
    }
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

function pageOf(slot: number): number {
  return Math.floor(slot / PAGE_SLOTS);
}

function flushedPageOf(slot: number): number {
  return -1 - pageOf(slot);
}
