/**
 * Which versions understand each other. Pure: arithmetic only.
 */

/** Is `v` version `own`, the one before or the one after? Anything else, also no number at all, is not understood. */
export function isNeighbour(v: unknown, own: number): boolean {
  return typeof v === "number" && Number.isInteger(v) && Math.abs(v - own) <= 1;
}
