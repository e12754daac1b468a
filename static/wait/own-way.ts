/**
 * One visitor's own way through the line: the number never goes up, progress never goes back. Pure.
 * Only a new place (another slot, a restarted room, called back after a missed turn) begins a new way.
 */
import type { Status } from "../../src/core/status";

export interface Way {
  readonly slot: number | null;
  readonly returning: boolean;
  /** People ahead when this browser first saw the place. */
  readonly start: number;
  /** Fewest ahead seen since. */
  readonly least: number;
  readonly restarted: boolean;
}

/** `status` with the lowest number seen for this place, and the way to remember. */
export function goOn(way: Way | null, status: Status): { readonly way: Way | null; readonly status: Status } {
  const { slot, ahead } = status;
  const returning = status.state === "returning";
  const restarted = status.reason === "restarted";
  const known = way !== null && way.slot === slot && way.returning === returning && (way.restarted || !restarted);
  if (ahead === null) return { way: known ? way : null, status };
  const least = known ? Math.min(way.least, ahead) : ahead;
  return { way: { slot, returning, start: known ? way.start : ahead, least, restarted }, status: { ...status, ahead: least } };
}

/** The reference code comes with a place and with pages, not with every answer: it stays as long as the place does. */
export function keepReference(last: Status | null, status: Status): Status {
  const isOfAnother = last === null || last.slot !== status.slot || status.reason === "restarted";
  if (status.reference !== undefined || isOfAnother || last.reference === undefined) return status;
  return { ...status, reference: last.reference };
}

/** Share of the own way done, 0 … 100; null where there is no way to show. */
export function progress(way: Way | null): number | null {
  if (way === null || way.returning || way.start === 0) return null;
  return ((way.start - way.least) / way.start) * 100;
}
