/**
 * What edges may still go by although the settings in force say otherwise (P1). Pure.
 *
 * A place is used again once every edge must know that its visit is over, or must ask before it lets the pass through. Edges that have not
 * heard of a change of the settings trust their news for as long as the former ones said; and a pass that had to ask is good again where
 * passes begin to count for longer, though its visit has ended, and the manifest names it no more.
 */
import { nextChangeMs, settingsAt } from "../../src/core/schedule";
import type { RoomSettings } from "../../src/core/settings-types";
import type { LineState } from "./state";

/** An edge is asked about a pass that was not renewed for twice `pass_refresh`; 10 s for the edges' clocks, ms. */
export function askedByMs({ counters }: LineState, { passRefreshMs }: RoomSettings): number {
  return counters.now + 2 * passRefreshMs + 10_000;
}

/** By then every edge acts on what the manifest says from now on, Room time, ms. */
export function heardByMs({ counters }: LineState, { revokeBoundMs }: RoomSettings): number {
  return Math.max(counters.now + revokeBoundMs, counters.trustedUntilMs);
}

/** The same for people, in whole seconds from now. */
export function effectiveWithinS(line: LineState, settings: RoomSettings): number {
  return Math.ceil((heardByMs(line, settings) - line.counters.now) / 1_000);
}

/** The longest `revoke_bound` that there is, ms. */
const LONGEST_MS = 60_000;

/** Other settings hold from `now` (ms) on. @param former with its events: an edge that has not heard goes through those of the next minute too */
export function noteFormer({ counters }: LineState, former: RoomSettings, now: number): void {
  for (let at: number | null = now; at !== null && at < now + LONGEST_MS; at = nextChangeMs(former, at))
    counters.trustedUntilMs = Math.max(counters.trustedUntilMs, now + settingsAt(former, at).revokeBoundMs);
}

/** Passes that count for longer from now on have to ask once. Who has just left stays listed, for clocks that are ahead. */
export function followRefresh(line: LineState, settings: RoomSettings): void {
  const { counters } = line;
  if (counters.passRefreshMs !== null && settings.passRefreshMs > counters.passRefreshMs) {
    counters.renewBefore = Math.floor(counters.now / 1_000) + 1;
    for (const range of counters.revoked) range.untilMs = Math.max(range.untilMs, askedByMs(line, settings));
  }
  counters.passRefreshMs = settings.passRefreshMs;
}
