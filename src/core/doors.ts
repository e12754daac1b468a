/**
 * When the pages of a whole crowd ask again around one instant: doors that open, a draw, a window that closes. Pure; milliseconds throughout.
 *
 * Far from it: half of the time left, at most `poll_far`, so that a start that is moved is heard of within one `poll_far` (and a quarter, the
 * page's own jitter). Within `poll_far` of the instant at which the news can be there, a page is told its own time exactly: that instant
 * and its share of a spread, 15 s for a million people. People with a slot come in its order; before a draw nobody has an order, and the
 * shares follow from the entries' numbers, which have nothing to do with it.
 */
import type { Lobby } from "./manifest";
import type { Status } from "./status";
import type { PollSettings } from "./status-parts";

type Gap = Pick<Status, "pollAfterMs" | "pollExactly">;

const SPREAD_PER_PERSON_MS = 0.015;
const SPREAD_MIN_MS = 1_000;
/** Shorter than `settle_seconds` ever is by default, or people who are here would be passed over. */
const SPREAD_MAX_MS = 30_000;
/** Where nobody may know how many people there are: as for a million. */
const SPREAD_UNKNOWN_MS = 15_000;
/** From the cut-off to the news of a draw that waits for drand: at least 10 s, a period of 3 s, and the way. */
const BEACON_MS = 15_000;
/** So old may a manifest be that was made before the instant. */
const NEWS_MS = 2_000;

/** How long the news takes to reach all of so many people; null = unknown. */
export function spreadMs(people: number | null): number {
  if (people === null) return SPREAD_UNKNOWN_MS;
  return Math.min(SPREAD_MAX_MS, Math.max(SPREAD_MIN_MS, people * SPREAD_PER_PERSON_MS));
}

/** Somebody's share of a spread, 0 … 1: neighbouring numbers lie far apart. */
export function shareOf(entry: number): number {
  return (Math.imul(entry + 1, 0x9e3779b1) >>> 0) / 2 ** 32;
}

/** In a lobby or while its draw is awaited. `offsetMs`: this visitor's part of the spread. */
function gapAtDoors(lobby: Lobby, now: number, settings: PollSettings, offsetMs: number): Gap {
  const drawMs = lobby.draw !== null && lobby.beacon === "drand" ? BEACON_MS : 0;
  return gapUntil(Math.max(0, lobby.startsAt + drawMs - now), settings, offsetMs);
}

export function gapForEntry(lobby: Lobby, now: number, settings: PollSettings, entry: number): Gap {
  return gapAtDoors(lobby, now, settings, spreadMs(lobby.entries) * shareOf(entry));
}

/** First in line first. */
export function gapForSlot(lobby: Lobby, now: number, settings: PollSettings, ahead: number): Gap {
  return gapAtDoors({ ...lobby, draw: null }, now, settings, Math.min(SPREAD_MAX_MS, ahead * SPREAD_PER_PERSON_MS));
}

/** Until a small draw of `queueing_method = "random"`. */
export function gapUntilDealt(closesAt: number, now: number, settings: PollSettings, entry: number): Gap {
  return gapUntil(Math.max(0, closesAt - now), settings, SPREAD_MIN_MS * shareOf(entry));
}

/** Before a closed room opens: people without a place have no share of their own, so they never come closer than half of `poll_far`. */
export function gapUntilOpen(opensAt: number | null, now: number, { pollFarMs }: PollSettings): Gap {
  const halfMs = opensAt === null ? pollFarMs : (opensAt - now) / 2;
  return { pollAfterMs: Math.round(Math.min(pollFarMs, Math.max(pollFarMs / 2, halfMs))) };
}

function gapUntil(leftMs: number, { pollFarMs, pollNearMs }: PollSettings, offsetMs: number): Gap {
  const aimMs = Math.round(leftMs + NEWS_MS + offsetMs);
  if (aimMs <= pollFarMs) return { pollAfterMs: aimMs, pollExactly: true };
  return { pollAfterMs: Math.round(Math.min(pollFarMs, Math.max(pollNearMs, aimMs / 2))) };
}
