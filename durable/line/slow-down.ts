/**
 * The brake (`slow_down`): while the site struggles fewer people go in, never more than the operator has set and never fewer than the floor.
 * Pure. Falls at once by half, and again as long as what is seen after it is bad; the operator gives the rate back with one press, or, with
 * `recover`, it comes back in small steps. Kept through resets: it is about the site, not about the line.
 */

import { errorPercent, type OriginOutcomes, p95Ms, requestsIn } from "../../src/core/origin-outcomes";
import type { RoomSettings, SlowDownSettings } from "../../src/core/settings-types";
import { wantedNow } from "./ramp";
import type { LineState } from "./state";

/** What is looked at: the last so many ms, … */
const WINDOW_MS = 20_000;
/** … in which at least so many requests were answered or not, … */
export const LEAST_REQUESTS = 20;
/** … and, for their share, so many failed. */
const LEAST_FAILED = 3;
const FACTOR = 0.5;
/** After each step down, what was let in before it goes on being answered badly for a while: it is not held against the new rate, ms. */
export const SETTLE_MS = 10_000;
/** With `recover`: a step this often, ms, by this share of the operator's rate, … */
export const STEP_MS = 30_000;
const STEP_SHARE = 0.05;
/** … as long as what is seen stays below this share of both limits; in between the rate stays. */
const CALM_SHARE = 0.8;

export interface Slowed {
  /** People per minute. */
  readonly perMinute: number;
  readonly why: "errors" | "slow";
  readonly sinceMs: number;
  readonly changedAtMs: number;
}

/**
 * The settings in force at the line's own time, with the rate that the site stands.
 * @param own the room's, or in force already. @param at the time whose step of a ramp is meant, ms
 */
export function settingsNow(line: Pick<LineState, "counters">, own: RoomSettings, at = line.counters.now): RoomSettings {
  return slowedBy(wantedNow(line, own, at), line.counters.slowed);
}

function slowedBy(settings: RoomSettings, slowed: Slowed | null): RoomSettings {
  const { slowDown, newUsersPerMinute } = settings;
  if (slowed === null || slowDown === null) return settings;
  const perMinute = Math.max(slowDown.floorPerMinute, slowed.perMinute);
  return perMinute < newUsersPerMinute ? { ...settings, newUsersPerMinute: perMinute } : settings;
}

/** What is wrong with the site, if anything is. @param share of the limits that counts as too much */
function struggleOf(seen: OriginOutcomes, { maxErrorPercent, maxP95Ms }: SlowDownSettings, share = 1): Slowed["why"] | null {
  if (errorPercent(seen) > share * maxErrorPercent) return "errors";
  return (p95Ms(seen) ?? 0) > share * maxP95Ms ? "slow" : null;
}

/** After each step: brake, release, or leave it. @param own the room's settings; an event that is on changes them */
export function watchOrigin(line: LineState, own: RoomSettings): void {
  const { counters, origin } = line;
  const { now, slowed } = counters;
  const { slowDown, newUsersPerMinute: wanted } = wantedNow(line, own);
  if (slowDown === null || (slowed !== null && wanted > 0 && slowed.perMinute >= wanted)) counters.slowed = null;
  if (slowDown === null || wanted <= slowDown.floorPerMinute) return;
  const seen = origin.since(Math.max(now - WINDOW_MS, counters.siteJudgedFromMs));
  const isEnough = requestsIn(seen) >= LEAST_REQUESTS;
  const why = isEnough ? struggleOf(seen, slowDown) : null;
  const perMinute = Math.min(wanted, Math.max(slowDown.floorPerMinute, counters.slowed?.perMinute ?? wanted));
  if (why !== null && (why === "slow" || seen.failed >= LEAST_FAILED)) {
    if (perMinute <= slowDown.floorPerMinute) return;
    counters.slowed = { perMinute: perMinute * FACTOR, why, sinceMs: counters.slowed?.sinceMs ?? now, changedAtMs: now };
    counters.siteJudgedFromMs = now + SETTLE_MS;
  } else if (counters.slowed !== null && slowDown.recover && isTimeForMore(counters.slowed, now)) {
    if (struggleOf(seen, slowDown, CALM_SHARE) !== null) return;
    const higher = perMinute + STEP_SHARE * wanted;
    counters.slowed = higher >= wanted ? null : { ...counters.slowed, perMinute: higher, changedAtMs: now };
  }
}

function isTimeForMore({ changedAtMs }: Slowed, now: number): boolean {
  return now - changedAtMs >= STEP_MS;
}

/** The operator gives the full rate back; what was seen until now is not held against it. Returns whether it changes anything. */
export function giveRateBack({ counters }: LineState): boolean {
  const isSlowed = counters.slowed !== null;
  counters.slowed = null;
  if (isSlowed) counters.siteJudgedFromMs = counters.now;
  return isSlowed;
}
