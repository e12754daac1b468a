/**
 * P2 judged from outside: was any window fuller than rate · w + burst? Pure; times in ms since the start, in order.
 */

/** The rate from a time on, per minute; the first entry is at 0. */
export interface RateChange {
  readonly at: number;
  readonly perMinute: number;
}

export function burstAt(perMinute: number): number {
  return Math.max(2, perMinute / 60);
}

function rateIn(rates: readonly RateChange[], at: number): number {
  return rates.findLast((change) => change.at <= at)?.perMinute ?? 0;
}

/** Entries allowed by the rate alone from 0 to `at`. */
function accrued(rates: readonly RateChange[], at: number): number {
  return rates.reduce((sum, { at: from, perMinute }, i) => {
    const until = Math.min(at, rates[i + 1]?.at ?? Number.POSITIVE_INFINITY);
    return sum + (Math.max(0, until - from) * perMinute) / 60_000;
  }, 0);
}

/**
 * How many entries more than rate · w + burst the worst of all windows holds, whatever its length; ≤ 0 = P2 holds.
 * Every window is covered: only those that begin and end with an entry can be the worst. The burst is that of the rate at the window's
 * beginning: a bucket is never fuller than that when the window begins.
 */
export function worstExcess(times: readonly number[], rates: readonly RateChange[]): number {
  let worst = Number.NEGATIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  for (const [i, at] of times.entries()) {
    const line = accrued(rates, at);
    // A window [a, b] may begin just before a change of the rate: the larger burst counts then.
    const burst = Math.max(burstAt(rateIn(rates, at)), burstAt(rateIn(rates, at - 1)));
    least = Math.min(least, i - line + burst);
    worst = Math.max(worst, i + 1 - line - least);
  }
  return worst;
}

/** The fullest window of `windowMs`. */
export function fullestWindow(times: readonly number[], windowMs: number): number {
  let fullest = 0;
  let from = 0;
  for (const [i, at] of times.entries()) {
    while ((times[from] as number) <= at - windowMs) from += 1;
    fullest = Math.max(fullest, i - from + 1);
  }
  return fullest;
}

/** Window lengths from a second to ten minutes, for tables and charts, ms. */
export const WINDOWS_MS = [1, 2, 3, 5, 10, 20, 30, 60, 120, 180, 300, 600].map((seconds) => seconds * 1_000);
