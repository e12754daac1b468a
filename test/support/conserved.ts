/** P6 as anybody can check it from a room's numbers. */
import type { Stats } from "../../src/core/stats";

/** Is every slot that was issued in exactly one state? */
export function isConserved(stats: Stats): boolean {
  const { waiting, called, inside, lapsed, passed_over, missed, returning, leaving, ended } = stats;
  const parts = [waiting, called, inside, lapsed, passed_over, missed, returning, leaving, ended];
  return parts.every((count) => count >= 0) && parts.reduce((sum, count) => sum + count, 0) === stats.issued;
}
