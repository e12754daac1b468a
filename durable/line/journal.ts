/**
 * What happens to visitors, noted where it happens: counted exactly in the line's totals, and the first few places of each kind named.
 * Pure. The names are memory only; the shell takes them for its log.
 */
import type { Happening } from "../../src/core/audit";
import type { LineState } from "./state";

/** Named of each kind until they are taken. */
const NAMED_MOST = 8;

export type Named = Partial<Record<Happening, number[]>>;

/** @param slot null = no place of the line: an entry of a draw, or a refusal */
export function note(line: LineState, what: Happening, slot: number | null): void {
  line.counters.totals[what] += 1;
  if (slot === null) return;
  line.named[what] ??= [];
  const named = line.named[what];
  if (named.length < NAMED_MOST) named.push(slot);
}

export function takeNamed(line: LineState): Named {
  const { named } = line;
  line.named = {};
  return named;
}
