/** Whether the estimate has lately become longer, so that the page says why, once. Pure. */
import { stepsOf } from "../../src/core/durations";
import type { Status } from "../../src/core/status";

/** It stands there for so long … */
const SAID_MS = 60_000;
/** … and not again within this: at the edge of a step an estimate comes and goes. */
const QUIET_MS = 600_000;

export class Rise {
  #slot: number | null = null;
  /** Upper end of the last estimate, minutes. */
  #last = Number.POSITIVE_INFINITY;
  #saidAt = Number.NEGATIVE_INFINITY;

  /** To be said now? `now`: any monotonic milliseconds. */
  seen({ eta, slot }: Pick<Status, "eta" | "slot">, now: number): boolean {
    if (slot !== this.#slot) {
      this.#slot = slot;
      this.#last = Number.POSITIVE_INFINITY;
      this.#saidAt = Number.NEGATIVE_INFINITY;
    }
    if (eta !== null) {
      const { to = Number.POSITIVE_INFINITY } = stepsOf(eta);
      if (to > this.#last && now - this.#saidAt > QUIET_MS) this.#saidAt = now;
      this.#last = to;
    }
    return now - this.#saidAt < SAID_MS;
  }
}
