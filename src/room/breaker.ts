/** Stops calling a Room that does not answer, for a few seconds. One per room and isolate; no I/O. */
import type { NotDone } from "./asks";
import { CLOCK_BACK_MS } from "./wait";

/** How long no call is made after a failure, ms … */
const OPEN_MS = 3_000;
/** … and at most how much longer. */
const SPREAD_MS = 1_000;

export class Breaker {
  #openUntil = 0;
  #why: NotDone["as"] = "unreachable";

  /** ms until calls may be made again; 0 = now. */
  remainingMs(now: number): number {
    const leftMs = this.#openUntil - now;
    // More than it ever is: the machine's clock was put back.
    return leftMs > OPEN_MS + SPREAD_MS + CLOCK_BACK_MS ? 0 : Math.max(0, leftMs);
  }

  /** `random` in [0, 1) spreads isolates that failed together over one more second. */
  trip(now: number, random: number, why: NotDone["as"] = "unreachable"): void {
    this.#why = why;
    this.#openUntil = now + OPEN_MS + random * SPREAD_MS;
  }

  /** What those hear who are not let call. */
  get why(): NotDone["as"] {
    return this.#why;
  }

  reset(): void {
    this.#openUntil = 0;
  }
}
