/** How soon a page without a script of ours loads itself again: ours where scripts are off, and the operator's own. Pure. */
import type { Status } from "./status";

/** Shortest time between two loads of a page, seconds. */
const RELOAD_MIN_S = 5;

/** A moment that is due soon goes on to somebody else 3 s later, so it is not put off. Seconds. */
export function reloadAfterS({ dueInMs, pollAfterMs }: Pick<Status, "dueInMs" | "pollAfterMs">): number {
  if (dueInMs !== undefined) return Math.max(1, Math.ceil(dueInMs / 1_000));
  return Math.max(RELOAD_MIN_S, Math.ceil(pollAfterMs / 1_000));
}
