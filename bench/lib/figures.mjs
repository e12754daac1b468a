/** Numbers out of rounds: medians, spreads, ratios, and whether a bar is met. Pure. */

/** Of at least one number; between the two in the middle where their count is even. */
export function median(numbers) {
  if (numbers.length === 0) throw new Error("the median of nothing");
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** What a figure says of its rounds: the median, and the lowest and highest as its spread. */
export function spreadOf(numbers) {
  return { value: median(numbers), low: Math.min(...numbers), high: Math.max(...numbers) };
}

/** Round by round, so that a computer that slows down in the middle slows both sides of a quotient. */
export function ratiosOf(ours, theirs) {
  if (ours.length !== theirs.length) throw new Error(`${ours.length} rounds against ${theirs.length}`);
  return ours.map((value, round) => value / theirs[round]);
}

/** How often something happens: by the time from the first to the last, in which one fewer of them begin than there are. @param times ms, ascending */
export function perSecond(times) {
  return times.length < 2 ? 0 : (1_000 * (times.length - 1)) / (times.at(-1) - times[0]);
}

/** The figure with `met`: does its value meet its bar? null = it has none. */
export function judged(figure) {
  const { bar, value } = figure;
  if (bar === null) return { ...figure, met: null };
  return { ...figure, met: bar.atLeast === undefined ? value <= bar.atMost : value >= bar.atLeast };
}

/** A figure of rounds. `more`: bar, note. */
export function figure(id, title, unit, numbers, more = {}) {
  return { id, title, unit, ...spreadOf(numbers), bar: null, note: "", ...more };
}

/**
 * Runs every side once a round, in turn (A B A B …), after one run of each that is not counted.
 * @param sides name → async () => result
 * @returns name → the results of its rounds
 */
export async function interleave({ rounds, progress, warm = true }, sides) {
  const results = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  if (warm) for (const run of Object.values(sides)) await run();
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, run] of Object.entries(sides)) results[name].push(await run());
    progress(`round ${round} of ${rounds}`);
  }
  return results;
}
