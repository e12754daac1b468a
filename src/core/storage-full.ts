/** How the platform says that nothing more can be stored: a full database, or a quota that is used up. Pure. */

/**
 * SQLite's own words for code 13, https://www.sqlite.org/rescode.html#full, which a Durable Object meets at its size limit, and those of the
 * free plan's daily limits, which end at midnight UTC. https://developers.cloudflare.com/durable-objects/platform/limits/
 */
const FULL = /\bSQLITE_FULL\b|\bdatabase or disk is full\b|\bExceeded allowed .+ in Durable Objects free tier\b/;

/** Did this fail because storage is full, and not because it is broken or out of reach? */
export function isStorageFull(error: unknown): boolean {
  return error instanceof Error && FULL.test(error.message);
}
