/**
 * May an isolate let people in by itself while the Room cannot be reached (`failure_policy = "open"`)? Pure.
 *
 * It goes by what it knows: the settings, the schedule by its own clock, and the last word of the Room. Whatever of that says that nobody
 * enters now, or that an order is owed to people, keeps the door shut; so does not knowing.
 */
import { CLOCKS_MS } from "./edge-settings";
import type { Manifest } from "./manifest";
import { isOff, settingsAt, stageAt } from "./schedule";
import type { RoomSettings } from "./settings-types";

/** An unbroken run of failed connections, by the edge's clock, ms. */
export interface Silence {
  readonly sinceMs: number;
  readonly lastMs: number;
}

/** The last word of the Room. */
export interface LastWord {
  readonly manifest: Manifest;
  /** When it was asked for, by the edge's clock, ms. */
  readonly heardAtMs: number;
  /** The settings that it speaks of are known. */
  readonly isSettled: boolean;
}

/** `open`: lets people in. `going-on`: only those whom another isolate has let in. `shut`: nobody. */
export type Openness = "shut" | "going-on" | "open";

/** A failure counts for this long, ms: calls are tried every few seconds while anybody comes. */
export const RECENT_MS = 30_000;
/** The Room's last word may have been this old when the silence began. */
const KNOWN_MS = 600_000;
/** An event's doors have been open for so long before a Worker may let people in by itself. */
export const EVENT_CALM_MS = 600_000;

/** @param own the room's settings, events among them. @param last null = this isolate has never heard of the Room */
export function opennessOf(own: RoomSettings, silence: Silence | null, last: LastWord | null, now: number): Openness {
  const { failurePolicy, openAfterMs } = settingsAt(own, now);
  if (failurePolicy !== "open" || silence === null || now - silence.lastMs > RECENT_MS) return "shut";
  // Clocks differ: a change of the schedule that is near counts already, or still.
  if ([now - CLOCKS_MS, now, now + CLOCKS_MS].some((at) => isBarred(own, at))) return "shut";
  if (last !== null && !mayFollow(own, last, silence, now)) return "shut";
  const isLong = silence.lastMs - silence.sinceMs >= openAfterMs;
  return isLong && last !== null && silence.sinceMs - last.heardAtMs <= KNOWN_MS ? "open" : "going-on";
}

/** Nobody is let in at this time, by settings and schedule alone. */
function isBarred(own: RoomSettings, at: number): boolean {
  const settings = settingsAt(own, at);
  const { queueAll, newUsersPerMinute, queueingMethod, mode } = settings;
  // A room in shadow holds nobody: there is nobody to let in.
  if (mode === "shadow" || queueAll || !(newUsersPerMinute > 0) || queueingMethod === "reject" || isOff(settings)) return true;
  const stage = stageAt(own, at);
  switch (stage.in) {
    case "ordinary":
      return false;
    case "closed":
    case "lobby":
      return true;
    case "event":
      return at < stage.event.startMs + EVENT_CALM_MS;
    case "cancelled":
      return stage.closed;
  }
}

/** Does the Room's last word allow it? It has answered somebody since, or nobody was to enter, or an event has begun that it never spoke of: no. */
function mayFollow(own: RoomSettings, { manifest, heardAtMs, isSettled }: LastWord, { sinceMs }: Silence, now: number): boolean {
  if (!isSettled || heardAtMs > sinceMs || manifest.phase !== "open" || manifest.lobby !== null) return false;
  const stage = stageAt(own, now);
  return stage.in !== "event" || manifest.at >= stage.event.startMs;
}
