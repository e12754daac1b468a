/**
 * What edges saw of the site lately, in stretches of five seconds: for the brake and for the operator. Pure. Memory only: forgetting it means
 * looking again, never letting anybody in.
 */
import { addOutcomes, NO_OUTCOMES, type OriginOutcomes, requestsIn } from "../../src/core/origin-outcomes";

const STRETCH_MS = 5_000;
/** A minute of them. */
const STRETCHES = 12;

interface Stretch {
  /** Its start, ms. */
  readonly at: number;
  seen: OriginOutcomes;
}

export class OriginWatch {
  /** Since the line was loaded. */
  totals: OriginOutcomes = NO_OUTCOMES;
  readonly #stretches: Stretch[] = [];

  /** @param now Room time, ms */
  note(outcomes: OriginOutcomes, now: number): void {
    if (requestsIn(outcomes) === 0) return;
    this.totals = addOutcomes(this.totals, outcomes);
    const at = Math.floor(now / STRETCH_MS) * STRETCH_MS;
    const last = this.#stretches.at(-1);
    if (last !== undefined && last.at >= at) {
      last.seen = addOutcomes(last.seen, outcomes);
      return;
    }
    this.#stretches.push({ at, seen: outcomes });
    if (this.#stretches.length > STRETCHES) this.#stretches.shift();
  }

  /** Of the stretches that began at `from` or later, ms. */
  since(from: number): OriginOutcomes {
    return this.#stretches.reduce((sum, { at, seen }) => (at >= from ? addOutcomes(sum, seen) : sum), NO_OUTCOMES);
  }
}
