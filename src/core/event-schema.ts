/**
 * Every setting of an event (a scheduled sale): its own, named as Cloudflare Waiting Room names them, and those of the room that it
 * may change for its duration. The one list that validation and docs/settings.md come from; meanings are in settings-about.ts. Pure.
 */
import type * as v from "valibot";
import { flag, optional, orNone, required, type Setting, slug, text, time } from "./settings-kinds";
import { SETTINGS, type SettingName } from "./settings-schema";

export const EVENT_SETTINGS = {
  name: required(slug(64)),
  prequeue_start_time: optional(orNone(time()), null),
  event_start_time: required(time()),
  event_end_time: required(time()),
  shuffle_at_event_start: optional(flag(), false),
  keep_sessions: optional(flag(), false),
  cancelled: optional(orNone(text(280, true, 1)), null),
  suspended: optional(flag(), false),
} as const satisfies Record<string, Setting<unknown>>;

export type EventSettingName = keyof typeof EVENT_SETTINGS;

/** Values after validation, snake_case; null = left out. */
export type EventValues = { [Name in EventSettingName]: v.InferOutput<(typeof EVENT_SETTINGS)[Name]["schema"]> };

/**
 * What cookies, routes and the object hang on; what speaks of events itself; and the switches for an emergency, which must work whatever
 * event is on (in an event `suspended` has a meaning of its own); what has to be mended in the middle of a sale is among them.
 */
const OF_THE_ROOM_ALONE: ReadonlySet<SettingName> = new Set<SettingName>([
  "host",
  "path",
  "additional_routes",
  "location_hint",
  "cookie_domain",
  "partitioned_cookies",
  "cookie_max_age_hours",
  "queue_all",
  "suspended",
  "closed_outside_events",
  "events",
  "bypass_rules",
  "cors_origins",
  "frame_ancestors",
  "staff_places",
  "webhooks",
  "presets",
  "workers_plan",
  "mode",
  "aws_event_id",
]);

/** Settings of the room that an event may change for its duration. */
export const EVENT_OVERRIDES: readonly SettingName[] = (Object.keys(SETTINGS) as SettingName[]).filter(
  (name) => !OF_THE_ROOM_ALONE.has(name),
);
