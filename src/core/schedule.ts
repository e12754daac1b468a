/**
 * Which part of a room's schedule holds at an instant, and with which settings (Cloudflare's event semantics). Pure; evaluated against
 * `now` inside every step, no flags: an alarm that is late, doubled or missing changes nothing.
 */
import type { RoomEvent, RoomSettings } from "./settings-types";

export type Stage =
  /** No event now: the room's own settings. */
  | { readonly in: "ordinary" }
  /** Outside events a room with `closed_outside_events` lets nobody in; `next` is the next event, if one is planned. */
  | { readonly in: "closed"; readonly next: RoomEvent | null }
  /** From `prequeue_start_time` to `event_start_time`: everybody collects, nobody enters. */
  | { readonly in: "lobby"; readonly event: RoomEvent }
  | { readonly in: "event"; readonly event: RoomEvent }
  /** The event would be on, but was called off. The room's own settings apply, or it is closed. */
  | { readonly in: "cancelled"; readonly event: RoomEvent; readonly closed: boolean };

type Scheduled = Pick<RoomSettings, "events" | "closedOutsideEvents">;

/** When the event begins to change the room, ms since the Unix epoch. */
export function opensAtMs(event: RoomEvent): number {
  return event.prequeueStartMs ?? event.startMs;
}

/** @param now ms since the Unix epoch. `events` are sorted and do not overlap. */
export function stageAt({ events, closedOutsideEvents }: Scheduled, now: number): Stage {
  const event = events.find(({ endMs }) => now < endMs);
  if (event === undefined || now < opensAtMs(event)) {
    const next = events.find((each) => each.cancelled === null && now < opensAtMs(each)) ?? null;
    return closedOutsideEvents ? { in: "closed", next } : { in: "ordinary" };
  }
  if (event.cancelled !== null) return { in: "cancelled", event, closed: closedOutsideEvents };
  return now < event.startMs ? { in: "lobby", event } : { in: "event", event };
}

/** The settings in force at `now`: an event's from its opening to its end, else the room's own. */
export function settingsAt(settings: RoomSettings, now: number): RoomSettings {
  const stage = stageAt(settings, now);
  return stage.in === "lobby" || stage.in === "event" ? { ...settings, ...stage.event.overrides } : settings;
}

/** Everybody goes straight to the site. @param settings those in force */
export function isOff({ suspended, queueingMethod }: Pick<RoomSettings, "suspended" | "queueingMethod">): boolean {
  return suspended || queueingMethod === "passthrough";
}

/** When the stage next changes by itself, ms since the Unix epoch; null = never. For alarms, which only bring it forward in time. */
export function nextChangeMs({ events }: Scheduled, now: number): number | null {
  const times = events.flatMap((event) => [opensAtMs(event), event.startMs, event.endMs]).filter((at) => at > now);
  return times.length === 0 ? null : Math.min(...times);
}
