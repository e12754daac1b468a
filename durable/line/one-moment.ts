/**
 * "One moment": somebody called who came while there was no entry token or no place has the next of each, in slot order. Pure.
 */
import type { ClaimVerdict } from "../../src/core/exchange";
import type { RoomSettings } from "../../src/core/settings-types";
import { type LineState, lineClock, lineDeadline } from "./state";

/** A "one moment" unused this long after it was due goes on to the next. */
const MOMENT_GRACE_MS = 3_000;
/** When somebody who waits for a place to become free asks again. */
const NEXT_PLACE_MS = 2_000;

/**
 * So many tokens wait for those who were told "one moment" at most: they come back when their pages and isolates let them, and where they are
 * hundreds a bucket kept for them would spill while others ask. Where tokens are few each waits for whose turn it is.
 */
export function mostSetAside(burst: number): number {
  return Math.max(1, Math.floor(burst / 4));
}

/**
 * Reserve the next entry token, and the next place if there is none, in slot order; the hold and the call last until it
 * is used or has gone on.
 */
export function oneMoment(line: LineState, settings: RoomSettings, slot: number, earlier: number, hasPlace: boolean): ClaimVerdict {
  const perMs = settings.newUsersPerMinute / 60_000;
  const tokenInMs = Math.max(0, Math.ceil((earlier + 1 - line.counters.entry.tokens) / perMs));
  const dueInMs = hasPlace ? tokenInMs : Math.max(tokenInMs, NEXT_PLACE_MS);
  line.moments.add(slot, lineClock(line.counters) + dueInMs + MOMENT_GRACE_MS);
  const row = line.table.row(slot);
  const keptUntil = lineDeadline(line, dueInMs + MOMENT_GRACE_MS);
  if (row.held) {
    row.until = Math.max(row.until, keptUntil);
  } else {
    row.held = true;
    line.held += 1;
    row.until = keptUntil;
    line.lineTimers.add(keptUntil, slot);
  }
  row.validUntil = Math.max(row.validUntil, row.until);
  return { as: "moment", dueInMs };
}
