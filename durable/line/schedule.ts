/**
 * proceed(now): the first thing in every step. Follows the room's schedule up to `now`, then lets the line advance with the settings in
 * force (DESIGN §7, Schedule). Pure. Every change since the last step is gone through at its own time, so that a Room that slept, or whose
 * alarm was late, doubled or lost, comes to the same.
 */
import { nextChangeMs, stageAt } from "../../src/core/schedule";
import type { RoomSettings } from "../../src/core/settings-types";
import { advance, setFrozen } from "./advance";
import { calmDown } from "./attack";
import { followRefresh } from "./bounds";
import { closeDraw, dropCollecting, fallBack, openDraw } from "./draws";
import { rampOf, standstillMs, wantedNow } from "./ramp";
import { settingsNow, watchOrigin } from "./slow-down";
import { isFrozen, type LineState } from "./state";
import { endSessions } from "./switches";

/**
 * Bring the line to `now` (ms since the Unix epoch, Room time; an earlier time than before counts as no time passing).
 * @param settings the room's own; an event that is on changes them
 */
export function proceed(line: LineState, settings: RoomSettings, now: number): void {
  const { counters } = line;
  const beforeMs = counters.now;
  const heardAtMs = Math.max(counters.now, now);
  for (let at = nextTurnMs(line, settings); at !== null && at <= now; at = nextTurnMs(line, settings)) {
    counters.now = at;
    follow(line, settings, heardAtMs);
  }
  counters.now = heardAtMs;
  follow(line, settings, heardAtMs);
  const inForce = settingsNow(line, settings);
  fallBack(line, inForce);
  calmDown(line, inForce);
  // A step of a ramp counts from here on: the time that has passed is worth the lower of the two rates.
  const { newUsersPerMinute } = settingsNow(line, settings, beforeMs);
  advance(line, newUsersPerMinute < inForce.newUsersPerMinute ? { ...inForce, newUsersPerMinute } : inForce, heardAtMs);
  // There, or nothing is to go there any more.
  if (counters.ramp !== null && rampOf(line, settings) === null) counters.ramp = null;
  // Last: a rate that changes counts from here on, not for the time that has passed.
  watchOrigin(line, settings);
}

/** When something changes by itself after the line's own time, ms since the Unix epoch; null = never. */
export function nextTurnMs({ counters }: LineState, settings: RoomSettings): number | null {
  const times = [nextChangeMs(settings, counters.now), counters.collecting?.closesAtMs ?? null, standstillMs(counters)];
  const due = times.filter((at) => at !== null && at > counters.now) as number[];
  return due.length === 0 ? null : Math.min(...due);
}

/** What the schedule says at the line's own time. Done twice it changes nothing more. */
function follow(line: LineState, settings: RoomSettings, heardAtMs: number): void {
  const { counters } = line;
  const inForce = wantedNow(line, settings);
  const stage = stageAt(settings, counters.now);
  const lobby = stage.in === "lobby" ? stage.event : null;
  const { collecting } = counters;
  if (collecting !== null) {
    if (stage.in === "cancelled" && stage.event.name === collecting.event) dropCollecting(line, "cancelled");
    else if (isOver(line, inForce, lobby?.name ?? null)) closeDraw(line, inForce, heardAtMs);
  }
  const event = stage.in === "lobby" || stage.in === "event" ? stage.event : null;
  if (event === null || event.name !== counters.lobby?.event) {
    counters.lobby = null;
    if (event !== null && event.prequeueStartMs !== null) {
      counters.lobby = { event: event.name, plannedAtMs: event.startMs };
      if (!event.keepSessions) endSessions(line, inForce);
    }
  }
  if (lobby?.shuffle && counters.collecting === null) openDraw(line, lobby.name, inForce.beacon, null);
  followRefresh(line, inForce);
  setFrozen(line, isFrozen(line, inForce));
}

/** Does the draw that counts entries close now? A window also when newcomers would otherwise get past it. */
function isOver({ counters }: LineState, settings: RoomSettings, lobby: string | null): boolean {
  const draw = counters.collecting;
  if (draw === null) return false;
  if (draw.closesAtMs === null) return draw.event !== lobby;
  return draw.closesAtMs <= counters.now || lobby !== null || settings.queueingMethod !== "random";
}
