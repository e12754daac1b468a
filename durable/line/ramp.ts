/**
 * A rate or capacity on its way (`ramp_minutes`): the settings say where it leads, this says where it is. Pure: computed from the time alone, in
 * small steps, so that an alarm that is late or missing, or a restart, comes to the same. Kept through resets: it is about the settings.
 */
import { settingsAt, stageAt } from "../../src/core/schedule";
import type { RoomSettings } from "../../src/core/settings-types";
import type { Counters } from "./counters";
import type { LineState } from "./state";

/** The first step is taken at once, the next ones this much apart, ms. */
export const RAMP_STEP_MS = 5_000;

/** What can be on its way. */
const RAMPED = ["newUsersPerMinute", "totalActiveUsers"] as const;
type Ramped = (typeof RAMPED)[number];

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Ramp extends Readonly<Partial<Record<Ramped, Span>>> {
  readonly startMs: number;
  readonly endMs: number;
}

/** Where this one is at the line's own time; null = not on its way. @param set what the settings say */
function spanNow({ ramp, now }: Pick<Counters, "ramp" | "now">, name: Ramped, set: number): Span | null {
  const span = ramp?.[name];
  if (ramp === null || span === undefined || now >= ramp.endMs) return null;
  // Somebody has set another value since: that holds.
  return span.to === set ? span : null;
}

/**
 * The settings that the operator wants in force at the line's own time: the room's, an event's, or on the way there.
 * @param own the room's. @param at the time whose step of the ramp is meant, ms
 */
export function wantedNow({ counters }: Pick<LineState, "counters">, own: RoomSettings, at = counters.now): RoomSettings {
  const settings = settingsAt(own, counters.now);
  const { ramp } = counters;
  if (ramp === null) return settings;
  const stage = stageAt(own, counters.now);
  const ofEvent = stage.in === "lobby" || stage.in === "event" ? stage.event.overrides : {};
  const values = RAMPED.flatMap((name) => {
    // An event has one of its own: that holds, whatever it is.
    if (name in ofEvent) return [];
    const span = spanNow({ ramp, now: at }, name, settings[name]);
    return span === null ? [] : [[name, valueAt(ramp, span, name, at)] as const];
  });
  return values.length === 0 ? settings : { ...settings, ...Object.fromEntries(values) };
}

function stepsOf({ startMs, endMs }: Ramp): number {
  return Math.max(1, Math.ceil((endMs - startMs) / RAMP_STEP_MS));
}

function valueAt(ramp: Ramp, { from, to }: Span, name: Ramped, at: number): number {
  const { startMs } = ramp;
  const steps = stepsOf(ramp);
  const done = Math.min(steps, Math.floor(Math.max(0, at - startMs) / RAMP_STEP_MS) + 1);
  const value = from + ((to - from) * done) / steps;
  return name === "totalActiveUsers" ? Math.max(1, Math.round(value)) : Math.round(100 * value) / 100;
}

/**
 * What was changed goes there over this time; what stays as it was goes on as before. 0 = at once.
 * @param before the room's settings until now. @param after from now on
 */
export function startRamp(line: LineState, before: RoomSettings, after: RoomSettings, lengthMs: number): void {
  const { counters } = line;
  const moved = RAMPED.filter((name) => before[name] !== after[name]);
  if (moved.length === 0) return;
  const { ramp, now } = counters;
  const goesOn = RAMPED.filter((name) => !moved.includes(name) && spanNow(counters, name, after[name]) !== null);
  const own = { ...before, ...wantedOf(line, before) };
  if (lengthMs > 0) {
    // One ramp at a time: what was on its way already gets there with it.
    const spans = [...moved, ...goesOn].map((name) => [name, { from: own[name], to: after[name] }] as const);
    counters.ramp = { startMs: now, endMs: now + lengthMs, ...Object.fromEntries(spans) };
  } else {
    const { startMs, endMs } = ramp ?? { startMs: now, endMs: now };
    counters.ramp = goesOn.length === 0 ? null : { startMs, endMs, ...Object.fromEntries(goesOn.map((name) => [name, ramp?.[name]])) };
  }
}

/** Where the room's own values are, whatever an event has. */
export function wantedOf(line: LineState, own: RoomSettings): Pick<RoomSettings, Ramped> {
  const { newUsersPerMinute, totalActiveUsers } = wantedNow(line, { ...own, events: [] });
  return { newUsersPerMinute, totalActiveUsers };
}

/** When the line stands still by itself because the last step takes its rate to nothing, ms since the Unix epoch; null = it does not. */
export function standstillMs({ ramp }: Pick<Counters, "ramp">): number | null {
  return ramp?.newUsersPerMinute?.to === 0 ? ramp.startMs + (stepsOf(ramp) - 1) * RAMP_STEP_MS : null;
}

/** For the operator; null = nothing is on its way. @param own the room's settings */
export function rampOf({ counters }: LineState, own: RoomSettings) {
  const { ramp } = counters;
  const [rate, places] = RAMPED.map((name) => spanNow(counters, name, own[name]));
  if (ramp === null || (!rate && !places)) return null;
  return {
    since: new Date(ramp.startMs).toISOString(),
    until: new Date(ramp.endMs).toISOString(),
    new_users_per_minute: rate ?? null,
    total_active_users: places ?? null,
  };
}
