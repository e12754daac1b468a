/** Measurements counted in classes, so that a million of them take a few numbers: which one a value belongs to, and what a share of them stays within. Pure. */

/** Counts by class; those behind the last that is not zero may be missing. */
export type Counts = readonly number[];

/** The class of a value: the first whose end is not below it; behind the last end there is one more. */
export function classOf(ends: readonly number[], value: number): number {
  const at = ends.findIndex((end) => value <= end);
  return at < 0 ? ends.length : at;
}

export function total(counts: Counts): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** What this share of all stayed within, taken evenly within its class; null = nothing was measured. */
export function within(counts: Counts, ends: readonly number[], share: number): number | null {
  const wanted = share * total(counts);
  if (wanted === 0) return null;
  let below = 0;
  for (const [i, count] of counts.entries()) {
    if (below + count >= wanted) {
      const [from, to] = [ends[i - 1] ?? 0, ends[i] ?? 2 * (ends.at(-1) as number)];
      return Math.round(from + ((wanted - below) / count) * (to - from));
    }
    below += count;
  }
  return null;
}
