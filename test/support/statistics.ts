/** A few tests of chance for lists of permutations. Results are in standard deviations: |z| > 5 has a chance of 6 in 10 million. */

/** `permutations[d][entry]` = place in draw d, all of the same length. */
export type Permutations = readonly (readonly number[])[];

/**
 * Is every entry as likely at every place? Chi-square over the table of entry × place, whose rows and columns are fixed, so that (n−1)/n of the
 * sum has (n−1)² degrees of freedom.
 */
export function placesZ(permutations: Permutations): number {
  const n = permutations[0]?.length ?? 0;
  const counts = new Float64Array(n * n);
  for (const places of permutations) {
    places.forEach((place, entry) => {
      const cell = entry * n + place;
      counts[cell] = (counts[cell] ?? 0) + 1;
    });
  }
  const expected = permutations.length / n;
  const sum = counts.reduce((total, count) => total + (count - expected) ** 2 / expected, 0);
  return normal((sum * (n - 1)) / n, (n - 1) ** 2);
}

/** Is every order of the entries as likely as any other? Chi-square over all n! of them: for few entries. */
export function ordersZ(permutations: Permutations): number {
  const n = permutations[0]?.length ?? 0;
  const orders = Array.from({ length: n }, (_, i) => i + 1).reduce((product, factor) => product * factor, 1);
  const counts = new Map<string, number>();
  for (const places of permutations) counts.set(`${places}`, (counts.get(`${places}`) ?? 0) + 1);
  const expected = permutations.length / orders;
  const seen = [...counts.values()].reduce((total, count) => total + (count - expected) ** 2 / expected, 0);
  return normal(seen + (orders - counts.size) * expected, orders - 1);
}

/** A chi-square value as standard deviations, by Wilson and Hilferty (1931). */
function normal(chiSquare: number, freedom: number): number {
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(chiSquare / freedom) - (1 - spread)) / Math.sqrt(spread);
}

/** Does the order of entering say anything about the place? The mean of Spearman's rho, whose variance in one draw is 1/(n−1). */
export function orderZ(permutations: Permutations): number {
  const n = permutations[0]?.length ?? 0;
  const middle = (n - 1) / 2;
  const rhos = permutations.map(
    (places) => places.reduce((sum, place, entry) => sum + (place - middle) * (entry - middle), 0) / ((n * (n * n - 1)) / 12),
  );
  return (rhos.reduce((sum, rho) => sum + rho, 0) / rhos.length) * Math.sqrt(rhos.length * (n - 1));
}

/** Do two who entered one after the other come out near each other? The distance of one pair a draw has mean (n+1)/3 and variance (n+1)(n−2)/18. */
export function neighboursZ(permutations: Permutations): number {
  const n = permutations[0]?.length ?? 0;
  const distances = permutations.map((places, d) => Math.abs((places[d % (n - 1)] ?? 0) - (places[(d % (n - 1)) + 1] ?? 0)));
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
  return (mean - (n + 1) / 3) / Math.sqrt(((n + 1) * (n - 2)) / 18 / distances.length);
}
