/**
 * What is worth telling a screen reader (WCAG 4.1.3): the visible numbers are silent, one sentence says what changed. Pure.
 * Steps of the estimate are said at most once a minute; everything else when it happens.
 */
import type { Telling } from "../../src/core/telling";
import type { Kind } from "../../src/core/words";

/** Moves between these are only a change of pace. */
const PACE: readonly Kind[] = ["waiting", "nearly", "slow"];
const ESTIMATE_EVERY_MS = 60_000;

/** The start of the event is another one. */
function isMoved(last: Telling, { startsAt }: Telling): boolean {
  return startsAt !== null && last.startsAt !== null && startsAt !== last.startsAt;
}

export class Announcer {
  #last: Telling;
  #saidAt: number;

  /** The first telling is the page itself, which is read as a page. */
  constructor(first: Telling, now: number) {
    this.#last = first;
    this.#saidAt = now;
  }

  /** The sentence to say, or null. `now`: any monotonic milliseconds. */
  next(telling: Telling, now: number): string | null {
    const last = this.#last;
    const pace = PACE.includes(last.kind) && PACE.includes(telling.kind);
    const event = (last.kind !== telling.kind && !pace) || last.message !== telling.message || isMoved(last, telling);
    const estimate = telling.estimate !== null && telling.estimate !== last.estimate && now - this.#saidAt >= ESTIMATE_EVERY_MS;
    if (!event && !estimate) {
      // Keep the estimate that was last said, so that a change is told once the minute is over.
      this.#last = { ...telling, kind: pace ? last.kind : telling.kind, estimate: last.estimate };
      return null;
    }
    this.#last = telling;
    this.#saidAt = now;
    return telling.sentence;
  }
}
