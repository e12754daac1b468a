/**
 * Which entries of the draw that is under way have been seen since they were made: for the operator, before the cut-off. Pure; memory only:
 * after a restart it is not known until everybody who is there has had the time to ask again.
 */

/** A page asks again within its gap and a quarter, and an edge reports within some seconds. */
const JITTER = 1.25;
/** Whoever follows a status that goes on does not ask, and is told something, and so seen, at least so often. */
const FOLLOWED_MS = 60_000;
const REPORT_MS = 30_000;

export class EntrySightings {
  #draw = 0;
  /** One bit an entry, grown as they come. */
  #bits = new Uint8Array(0);
  #seen = 0;
  /** All sightings since then are in, ms. */
  readonly #since: number;

  /** @param now when the Room was loaded or made, ms */
  constructor(now: number) {
    this.#since = now;
  }

  /** @param count how many have entered: others cannot have been seen */
  see(draw: number, entry: number, count: number): void {
    if (!Number.isInteger(entry) || entry < 0 || entry >= count) return;
    if (draw !== this.#draw) {
      this.#draw = draw;
      this.#bits = new Uint8Array(0);
      this.#seen = 0;
    }
    if (entry >= this.#bits.length * 8) this.#grow(count);
    const at = entry >> 3;
    const bit = 1 << (entry & 7);
    const byte = this.#bits[at] as number;
    if ((byte & bit) !== 0) return;
    this.#bits[at] = byte | bit;
    this.#seen += 1;
  }

  /**
   * Entries of the draw that nobody has asked about since they were made; null = not known yet.
   * @param openedAtMs when the draw opened
   */
  unseen(
    { id, count, openedAtMs }: { readonly id: number; readonly count: number; readonly openedAtMs: number },
    now: number,
    pollFarMs: number,
  ) {
    const isWhole = this.#since <= openedAtMs || now - this.#since >= JITTER * Math.max(pollFarMs, FOLLOWED_MS) + REPORT_MS;
    if (!isWhole) return null;
    return count - (id === this.#draw ? this.#seen : 0);
  }

  #grow(count: number): void {
    const bits = new Uint8Array(Math.max(128, Math.ceil(count / 4)));
    bits.set(this.#bits);
    this.#bits = bits;
  }
}
