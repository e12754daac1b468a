/** What an edge counts of one reply. */
import { type OriginOutcomes, OutcomeTally } from "../../src/core/origin-outcomes";

export function outcomeOf(outcome: "ok" | "failed", headersAfterMs: number): OriginOutcomes {
  const tally = new OutcomeTally();
  tally.note(outcome, headersAfterMs);
  return tally.take();
}
