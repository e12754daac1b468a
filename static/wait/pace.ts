/**
 * How long the page waits before it asks again. Pure: randomness is an argument (0 … 1), milliseconds throughout.
 */

import type { Status } from "../../src/core/status";

/** Never faster than this, whatever the server says. */
const LEAST_MS = 1_000;
/** Back-off ends here. */
const MOST_BACK_OFF_MS = 60_000;
/** A longer Retry-After is taken for a mistake of something on the way. */
const MOST_RETRY_AFTER_MS = 600_000;

/** After an answer: as the server told, ±25 %, so that people who came together do not ask together; exactly so where it has spread them itself. */
export function afterAnswer({ pollAfterMs, pollExactly }: Pick<Status, "pollAfterMs" | "pollExactly">, random: number): number {
  return Math.max(LEAST_MS, pollExactly ? pollAfterMs : pollAfterMs * (0.75 + random / 2));
}

/**
 * After the n-th failure in a row (from 1): doubling from the poll gap, at most 60 s, and of that a random half … whole:
 * the jitter grows with the pause, or all would come back in the same second after a long outage (C89).
 */
export function afterFailure(failures: number, pollAfterMs: number, random: number): number {
  const full = Math.min(MOST_BACK_OFF_MS, Math.max(LEAST_MS, pollAfterMs) * 2 ** Math.min(failures, 16));
  return full * (0.5 + random / 2);
}

/** Other tabs of this visitor ask as well: once or twice the gap, so that together they ask less, and none falls behind the others for long. */
export function afterTooOften(pollAfterMs: number, random: number): number {
  return Math.max(LEAST_MS, pollAfterMs) * (1 + random);
}

/** A Retry-After (delay in seconds) as a wait that is never shorter than asked; 0 when absent or not a number of seconds. */
export function retryAfter(header: string | null, random: number): number {
  const seconds = header !== null && /^\d{1,9}$/.test(header) ? Number(header) : 0;
  return Math.min(MOST_RETRY_AFTER_MS, seconds * 1000) * (1 + random / 4);
}
