/**
 * The number between two answers: it walks from what is shown to what was told, as fast as the line moved meanwhile, so that it is seen to
 * move. Always behind the truth and never ahead of it: nothing is shown that the line has not done, and the number never goes up (PAGE-11).
 */

/** Not more often than once a second: nothing is computed for motion that nobody could read. */
const STEP_MS = 1_000;
/** Nothing shown is older than this. */
const MOST_MS = 20_000;

/** Where the number is when this `share` (0 … 1) of the walk is over. */
export function between(from: number, to: number, share: number): number {
  return to + Math.ceil((from - to) * (1 - Math.min(1, share)));
}

export class Glide {
  readonly #write: (ahead: number) => void;
  #of = "";
  #shown: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(write: (ahead: number) => void) {
    this.#write = write;
  }

  /** The page shows `ahead` now. `of`: another place is another walk; `overMs`: until the next answer; `moves`: somebody looks and has not declined motion. */
  to(ahead: number | null, of: string, overMs: number, moves: boolean): void {
    clearTimeout(this.#timer);
    const from = of === this.#of ? this.#shown : null;
    this.#of = of;
    this.#shown = ahead;
    if (ahead === null || from === null || from <= ahead || !moves) return;
    this.#walk(from, ahead, performance.now(), Math.min(overMs, MOST_MS));
  }

  #walk(from: number, to: number, since: number, overMs: number): void {
    const now = between(from, to, (performance.now() - since) / overMs);
    this.#shown = now;
    this.#write(now);
    if (now > to) this.#timer = setTimeout(() => this.#walk(from, to, since, overMs), Math.max(STEP_MS, overMs / (from - to)));
  }
}
