/**
 * Where a number goes in a table with open addressing. Pure. `seed`: of the instance, known to nobody outside: hashes of networks can be
 * computed by anybody, and whoever has many IPv6 networks could choose those that all go to one place, where each lookup passes all of them.
 */

/** Well mixed, u32. */
export function spread(number: number, seed: number): number {
  const seeded = number ^ seed;
  let hash = Math.imul(seeded ^ (seeded >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The longest row of places in use (not 0), which is what a lookup passes at worst. */
export function longestRun(places: Uint32Array): number {
  let longest = 0;
  let run = 0;
  for (const place of places) {
    run = place === 0 ? 0 : run + 1;
    longest = Math.max(longest, run);
  }
  return longest;
}
