/**
 * Token bucket of P2: entries in any window of w seconds ≤ rate·w + burst. Pure.
 * Starts empty when a room is made; refills by elapsed time, also over the time the object slept.
 */

export interface Bucket {
  tokens: number;
  /** Last refill, ms. */
  at: number;
}

/** One second's worth, at least 2: with a burst of 1 a late answer loses its token at low rates. */
export function burstOf(ratePerMinute: number): number {
  return Math.max(2, ratePerMinute / 60);
}

/** Bring a bucket to `now`. Time never runs backwards here: the Room's clock is monotone. */
export function refill(bucket: Bucket, ratePerMinute: number, burst: number, now: number): void {
  const elapsed = Math.max(0, now - bucket.at);
  bucket.tokens = Math.min(burst, bucket.tokens + (elapsed * ratePerMinute) / 60_000);
  bucket.at = Math.max(bucket.at, now);
}

/** Tokens are added in floating point; a whole token must not fail for a rounding error far below a millisecond's worth. */
const EPSILON = 1e-9;

export function hasToken(bucket: Bucket, reserved = 0): boolean {
  return bucket.tokens - reserved >= 1 - EPSILON;
}

export function takeToken(bucket: Bucket): void {
  bucket.tokens = Math.max(0, bucket.tokens - 1);
}
