/**
 * How many streams an isolate holds open: each costs memory, which is bounded. In memory only; no I/O.
 * A stream whose visitor has gone is not always told of: whoever has not looked for a while counts as gone.
 */

/** At most so many in one isolate; others ask from time to time. 14 MB, 74 with their connections (docs/cost.md), of the 128 of an isolate. */
export const STREAMS_MAX = 2_000;
/** Longer than between two looks of any stream, ms. */
const GONE_MS = 30_000;

export class OpenStreams {
  /** When each looked last, ms; those who looked last come last. */
  readonly #lookedAt = new Map<object, number>();

  /** Room for one more? */
  begin(stream: object, now: number): boolean {
    this.#forget(now);
    if (this.#lookedAt.size >= STREAMS_MAX) return false;
    this.look(stream, now);
    return true;
  }

  look(stream: object, now: number): void {
    this.#lookedAt.delete(stream);
    this.#lookedAt.set(stream, now);
  }

  end(stream: object): void {
    this.#lookedAt.delete(stream);
  }

  get size(): number {
    return this.#lookedAt.size;
  }

  #forget(now: number): void {
    for (const [stream, at] of this.#lookedAt) {
      if (now - at < GONE_MS) return;
      this.#lookedAt.delete(stream);
    }
  }
}
