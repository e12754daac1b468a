/**
 * Unproven leases (DESIGN §5, row "none, quiet"): shares of an allowance that isolates may spend on requests without any
 * cookie, so that a quiet room costs no call per request and P1 still counts them. Pure.
 */
import { LEASE_BUSY_MS, LEASE_USE_MS, type Lease } from "../../src/core/exchange";
import type { RoomSettings } from "../../src/core/settings-types";
import { freePlaces, isQuiet, type LineState, leasedPlaces } from "./state";

/** Share of `total_active_users` that unproven requests may occupy. */
const ALLOWANCE_SHARE = 0.1;
/** One isolate gets at most this many units at once. */
const MAX_UNITS = 64;

/** Grant up to `wanted` units, or null. A unit counts as a busy place until its last possible use has run out. */
export function leaseUnits(line: LineState, settings: RoomSettings, wanted: number): Lease | null {
  const { counters } = line;
  if (wanted < 1 || !isQuiet(line, settings)) return null;
  const allowance = Math.floor(settings.totalActiveUsers * ALLOWANCE_SHARE) - leasedPlaces(line);
  const units = Math.min(Math.floor(wanted), MAX_UNITS, allowance, freePlaces(line, settings));
  if (units < 1) return null;
  const untilMs = counters.now + LEASE_USE_MS;
  // By whole seconds, so that thousands of isolates leave a dozen entries and not one each (P12).
  const busyUntilMs = Math.ceil((untilMs + LEASE_BUSY_MS) / 1_000) * 1_000;
  const last = counters.leases.at(-1);
  if (last?.untilMs === busyUntilMs) counters.leases[counters.leases.length - 1] = { places: last.places + units, untilMs: busyUntilMs };
  else counters.leases.push({ places: units, untilMs: busyUntilMs });
  return { units, untilMs };
}
