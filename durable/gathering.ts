/**
 * Calls that come in the same moment, for one step: a step writes a row, whatever it carries (docs/decisions/0055). Plain data, no clock.
 */

/** From one step of a crowd to the next, ms: twenty rows a second, however many call. */
export const GATHER_MS = 50;
/** So many questions are enough for a step: it is not to take long, nor its row to grow. */
export const GATHER_MOST = 400;

export class Gathering<C> {
  #calls: C[] = [];
  #questions = 0;
  #steppedAt = Number.NEGATIVE_INFINITY;

  /** How long this call waits for others, ms, before all of them are taken. The first after a while takes itself at once. */
  add(call: C, questions: number, now: number): number {
    this.#calls.push(call);
    this.#questions += questions;
    if (this.#questions >= GATHER_MOST) return 0;
    // A clock that was set back holds nobody up for longer.
    return Math.max(0, Math.min(GATHER_MS, this.#steppedAt + GATHER_MS - now));
  }

  /** Is it still waiting? */
  has(call: C): boolean {
    return this.#calls.includes(call);
  }

  /** All that wait, in the order in which they came. */
  take(now: number): readonly C[] {
    const calls = this.#calls;
    this.#calls = [];
    this.#questions = 0;
    this.#steppedAt = now;
    return calls;
  }
}
