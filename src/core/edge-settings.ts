/**
 * The settings that an edge goes by: those in force, but near a change of the schedule the stricter of the bounds that two clocks share.
 * Pure.
 *
 * The Room frees a place once every edge must know that its visit is over: `revokeBoundMs` after it was revoked, some `passRefreshMs` after
 * it was given up, both as they were in force by the Room's clock when it said so. An edge that already, or still, used another value would
 * trust an older manifest or pass than the Room counts on, and two people would have one place (P1). Hence each value counts at the edge
 * from a little before it is in force until all that the Room promised by it is over.
 */
import { nextChangeMs, settingsAt } from "./schedule";
import type { RoomSettings } from "./settings-types";

/** The clocks of Room and edge differ by less than this, ms. */
export const CLOCKS_MS = 10_000;

export type SharedBounds = Pick<RoomSettings, "revokeBoundMs" | "passRefreshMs">;

/** How long after a place was given up it may stay empty by these bounds, ms. */
export function promisedMs({ revokeBoundMs, passRefreshMs }: SharedBounds): number {
  return Math.max(revokeBoundMs, 2 * passRefreshMs + 10_000);
}

/** @param own the room's settings, events among them. @param now the edge's time, ms since the Unix epoch */
export function edgeSettingsAt(own: RoomSettings, now: number): RoomSettings {
  let { revokeBoundMs, passRefreshMs } = settingsAt(own, now);
  for (let from: number | null = 0; from !== null && from < now + CLOCKS_MS; ) {
    const near: RoomSettings = settingsAt(own, from);
    const until: number | null = nextChangeMs(own, from);
    if (until === null || now < until + promisedMs(near) + CLOCKS_MS) {
      revokeBoundMs = Math.min(revokeBoundMs, near.revokeBoundMs);
      passRefreshMs = Math.min(passRefreshMs, near.passRefreshMs);
    }
    from = until;
  }
  return { ...settingsAt(own, now), revokeBoundMs, passRefreshMs };
}

/** Asked by every request: remembers its answer for as long as it holds, a second at most. */
export class EdgeSettings {
  #of: RoomSettings | null = null;
  #from = 0;
  #until = 0;
  #answer: RoomSettings | null = null;

  /** The same as `edgeSettingsAt`. */
  at(own: RoomSettings, now: number): RoomSettings {
    if (own.events.length === 0) return own;
    if (this.#answer === null || this.#of !== own || now < this.#from || now >= this.#until) {
      this.#answer = edgeSettingsAt(own, now);
      this.#of = own;
      this.#from = now;
      this.#until = Math.min(now + 1_000, nextChangeMs(own, now) ?? Number.POSITIVE_INFINITY);
    }
    return this.#answer;
  }
}
