/**
 * How many streams an isolate holds open: each costs memory, which is bounded. In memory only; no I/O.
 * A stream whose visitor has gone is not always told of: whoever has not looked for a while counts as gone.
 */

/** At most so many in one isolate; others ask from time to time. 18 MB, 79 with their connections (docs/cost.md), of the 128 of an isolate. */
export const STREAMS_MAX = 2_000;
/** Longer than between two looks of any stream, ms. */
const GONE_MS = 30_000;

export class OpenStreams {
  /** Which stream each place has, and when it looked last, ms; those who looked last come last. */
  readonly #open = new Map<string, { readonly stream: object; readonly at: number }>();

  /** Room for one more? One place has one: `place` names whose it is, and a stream that it had is over with its next look. */
  begin(place: string, stream: object, now: number): boolean {
    this.#forget(now);
    if (this.#open.size >= STREAMS_MAX && !this.#open.has(place)) return false;
    this.#note(place, stream, now);
    return true;
  }

  /** `false` = the place has another one by now. */
  look(place: string, stream: object, now: number): boolean {
    const known = this.#open.get(place);
    if (known !== undefined && known.stream !== stream) return false;
    this.#note(place, stream, now);
    return true;
  }

  end(place: string, stream: object): void {
    if (this.#open.get(place)?.stream === stream) this.#open.delete(place);
  }

  get size(): number {
    return this.#open.size;
  }

  #note(place: string, stream: object, at: number): void {
    this.#open.delete(place);
    this.#open.set(place, { stream, at });
  }

  #forget(now: number): void {
    for (const [place, { at }] of this.#open) {
      if (now - at < GONE_MS) return;
      this.#open.delete(place);
    }
  }
}
