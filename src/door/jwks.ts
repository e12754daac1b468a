/**
 * The public keys of a site's log-in (JWKS), kept per isolate. Fetched with bounds on time and size and without redirects.
 * Keys that are known go on being used while they cannot be fetched. No promise of one request is awaited by another without a timer.
 */

import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { createLocalJWKSet } from "jose/jwks/local";
import { type Lifetime, type Signal, signal, within } from "../room/wait";
import { bodyText } from "../routes/body";

const FETCH_MS = 3_000;
const JWKS_MAX_BYTES = 65_536;
const KEYS_MAX = 100;
/** Older keys are used, and fetched again beside, ms. */
const REFRESH_AFTER_MS = 10 * 60_000;

interface Kept {
  keys: JWTVerifyGetKey | null;
  /** Start of the last fetch that brought them, ms. */
  fetchedAt: number;
  /** Start of the last fetch, ms. */
  triedAt: number;
  /** The fetch on its way; older than its deadline it is lost with its request. */
  flight: { readonly startedAt: number; readonly done: Signal<void> } | null;
}

/** By address; there are as many as rooms have. */
const kept = new Map<string, Kept>();

/** The keys as far as known, or null: they could not be fetched. At most one fetch in `refetchMs`. */
export async function keysOf(url: string, refetchMs: number, life: Lifetime): Promise<JWTVerifyGetKey | null> {
  const now = Date.now();
  const entry = entryOf(url);
  if (entry.keys === null) await refresh(url, entry, now, refetchMs);
  else if (Math.abs(now - entry.fetchedAt) > REFRESH_AFTER_MS) life.waitUntil(refresh(url, entry, now, refetchMs));
  return entry.keys;
}

/** Keys that were fetched after `known` turned out to lack one; null = there are none newer just now. */
export async function newerKeysOf(url: string, refetchMs: number, known: JWTVerifyGetKey): Promise<JWTVerifyGetKey | null> {
  const entry = entryOf(url);
  if (entry.keys === known) await refresh(url, entry, Date.now(), refetchMs);
  return entry.keys === known ? null : entry.keys;
}

function entryOf(url: string): Kept {
  const known = kept.get(url);
  if (known !== undefined) return known;
  const fresh: Kept = { keys: null, fetchedAt: Number.NEGATIVE_INFINITY, triedAt: Number.NEGATIVE_INFINITY, flight: null };
  kept.set(url, fresh);
  return fresh;
}

/** Never rejects. Requests that come together share one fetch. What was long before or, by a clock that was put back since, is long to come, is over. */
async function refresh(url: string, entry: Kept, now: number, refetchMs: number): Promise<void> {
  const { flight } = entry;
  if (flight !== null && Math.abs(now - flight.startedAt) < FETCH_MS) return within(flight.done.promise, FETCH_MS, undefined);
  if (Math.abs(now - entry.triedAt) < refetchMs) return;
  const own = { startedAt: now, done: signal<void>() };
  entry.flight = own;
  entry.triedAt = now;
  try {
    entry.keys = await fetchKeys(url);
    entry.fetchedAt = now;
  } catch (error) {
    console.warn(JSON.stringify({ event: "jwks-failed", url, error: error instanceof Error ? error.message : String(error) }));
  } finally {
    if (entry.flight === own) entry.flight = null;
    own.done.resolve();
  }
}

async function fetchKeys(url: string): Promise<JWTVerifyGetKey> {
  const headers = { Accept: "application/jwk-set+json, application/json" };
  const response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(FETCH_MS) });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  const text = await bodyText(response, JWKS_MAX_BYTES);
  if (text === null) throw new Error(`larger than ${JWKS_MAX_BYTES} bytes, or not UTF-8`);
  const set = JSON.parse(text) as JSONWebKeySet;
  if (set?.keys?.length > KEYS_MAX) throw new Error(`more than ${KEYS_MAX} keys`);
  return createLocalJWKSet(set);
}
