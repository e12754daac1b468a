/**
 * The events of a room: from what the operator wrote to `RoomEvent`s, or every problem by name. Pure.
 * What an event changes is validated like the room's own settings, bindings included, after it is merged with them.
 */
import type { OperatorSettings } from "./admin";
import { publishedAtMs, roundAfter } from "./drand";
import { EVENT_OVERRIDES, EVENT_SETTINGS, type EventValues } from "./event-schema";
import { readTime, type Time } from "./rfc3339";
import { opensAtMs } from "./schedule";
import type { Problem } from "./settings";
import { brokenBindings } from "./settings-bindings";
import type { Setting } from "./settings-kinds";
import { nameProblem, readValue } from "./settings-read";
import { SETTINGS, type SettingValues } from "./settings-schema";
import type { EventOverrides, RoomEvent } from "./settings-types";
import { toRoomSettings } from "./settings-values";

const OWN = new Map<string, Setting<unknown>>(Object.entries(EVENT_SETTINGS));
const OVERRIDES = new Map<string, Setting<unknown>>(EVENT_OVERRIDES.map((name) => [name, SETTINGS[name]]));
const KNOWN = new Map([...OWN, ...OVERRIDES]);
const NONE: ReadonlySet<string> = new Set();

export interface ReadEvents {
  readonly problems: readonly Problem[];
  /** In one spelling, sorted by time; suspended ones too. */
  readonly operator: OperatorSettings[];
  /** Those that are not suspended. */
  readonly events: RoomEvent[];
}

interface ReadEvent {
  readonly operator: OperatorSettings;
  readonly suspended: boolean;
  readonly event: RoomEvent;
}

/** @param room the room's own settings; null = they have problems, so that nothing can be merged with them */
export function readEvents(raw: readonly OperatorSettings[], room: SettingValues | null): ReadEvents {
  const problems: Problem[] = [];
  const read = raw.flatMap((table, i) => {
    const one = readEvent(table, i, room);
    if (!Array.isArray(one)) return [one];
    problems.push(...one);
    return [];
  });
  read.sort((a, b) => opensAtMs(a.event) - opensAtMs(b.event) || a.event.endMs - b.event.endMs);
  const events = read.filter(({ suspended }) => !suspended).map(({ event }) => event);
  problems.push(...repeatedNames(read), ...overlaps(events), ...(room === null ? [] : tooClose(events, room)));
  return { problems, operator: read.map(({ operator }) => operator), events };
}

function readEvent(table: OperatorSettings, index: number, room: SettingValues | null): ReadEvent | Problem[] {
  const given = new Map(Object.entries(table));
  const name = readValue("name", EVENT_SETTINGS.name, given.get("name"));
  // One without a proper name is told by its place in the list; people count from 1.
  const at = (setting: string, problem: string): Problem => ({ setting: `events.${name.ok ? name.value : index + 1}.${setting}`, problem });

  const problems = [...given.keys()].filter((key) => !KNOWN.has(key)).map((key) => at(key, strangerProblem(key)));
  const values = new Map<string, unknown>();
  for (const [key, setting] of KNOWN) {
    const value = given.get(key) ?? undefined;
    if (value === undefined && !OWN.has(key)) continue;
    const result = readValue(key, setting, value);
    if (result.ok) values.set(key, result.value);
    else problems.push(...result.problems.map((problem) => at(key, problem)));
  }
  if (problems.length > 0) return problems;
  const own = Object.fromEntries([...values].filter(([key]) => OWN.has(key))) as EventValues;
  const changed = Object.fromEntries([...values].filter(([key]) => !OWN.has(key))) as Partial<SettingValues>;
  const broken = [...ownProblems(own), ...(room === null ? [] : mergedProblems(own, changed, room))];
  if (broken.length > 0) return broken.map(({ setting, problem }) => at(setting, problem));
  const event = toRoomEvent(own, room === null ? {} : overridesOf(changed, room));
  return { operator: { ...own, ...changed }, suspended: own.suspended, event };
}

function strangerProblem(name: string): string {
  return Object.hasOwn(SETTINGS, name) ? "is the room's alone: an event cannot change it" : nameProblem(name, KNOWN);
}

function ownProblems(own: EventValues): Problem[] {
  const { prequeue_start_time: lobby, event_start_time: start, event_end_time: end } = own;
  const problems: Problem[] = [];
  const refuse = (setting: keyof EventValues, problem: string) => problems.push({ setting, problem });
  if (lobby !== null && timeOf(lobby).ms >= timeOf(start).ms)
    refuse("prequeue_start_time", `is ${lobby}, but must be before event_start_time (${start})`);
  if (timeOf(end).ms <= timeOf(start).ms) refuse("event_end_time", `is ${end}, but must be after event_start_time (${start})`);
  if (lobby === null && own.shuffle_at_event_start)
    refuse("shuffle_at_event_start", "needs prequeue_start_time: without a lobby there is nobody to draw places for");
  if (lobby === null && own.keep_sessions) refuse("keep_sessions", "needs prequeue_start_time: without a lobby no visit ends");
  return problems;
}

function mergedProblems(own: EventValues, changed: Partial<SettingValues>, room: SettingValues): Problem[] {
  // While an event is on the room is not closed.
  const merged = { ...room, ...changed, closed_outside_events: false };
  const problems = brokenBindings(merged, NONE, new Set(Object.keys(changed)));
  const { queueing_method: method } = merged;
  if (own.prequeue_start_time !== null && (method === "passthrough" || method === "reject")) {
    const why = method === "reject" ? "nobody may join" : "everybody goes straight in";
    problems.push({
      setting: "prequeue_start_time",
      problem: `does not go with queueing_method = "${method}": ${why}, so there is no lobby`,
    });
  }
  return problems;
}

/** The room's own may be on their way to what its settings say: an event's hold also where they are the same (LINE-8). */
const RAMPED = new Map([
  ["newUsersPerMinute", "new_users_per_minute"],
  ["totalActiveUsers", "total_active_users"],
]);

/** What the merged settings of the event differ in from the room's, and what it names of those that may be on their way. */
function overridesOf(changed: Partial<SettingValues>, room: SettingValues): EventOverrides {
  const own = new Map(Object.entries(toRoomSettings(room, [])));
  const merged = Object.entries(toRoomSettings({ ...room, ...changed }, []));
  const isNamed = (name: string) => Object.hasOwn(changed, RAMPED.get(name) ?? "");
  return Object.fromEntries(merged.filter(([name, value]) => isNamed(name) || JSON.stringify(value) !== JSON.stringify(own.get(name))));
}

function toRoomEvent(own: EventValues, overrides: EventOverrides): RoomEvent {
  const start = timeOf(own.event_start_time);
  return {
    name: own.name,
    prequeueStartMs: own.prequeue_start_time === null ? null : timeOf(own.prequeue_start_time).ms,
    startMs: start.ms,
    endMs: timeOf(own.event_end_time).ms,
    shuffle: own.shuffle_at_event_start,
    keepSessions: own.keep_sessions,
    cancelled: own.cancelled,
    utcOffsetMinutes: start.offsetMinutes,
    overrides,
  };
}

function repeatedNames(read: readonly ReadEvent[]): Problem[] {
  const names = read.map(({ event }) => event.name);
  const repeated = new Set(names.filter((name, i) => names.indexOf(name) !== i));
  return [...repeated].map((name) => ({ setting: `events.${name}.name`, problem: "is the name of another event too: each needs its own" }));
}

/** @param events sorted by opening */
function overlaps(events: readonly RoomEvent[]): Problem[] {
  const problems: Problem[] = [];
  let latest: RoomEvent | null = null;
  for (const event of events) {
    if (latest !== null && opensAtMs(event) < latest.endMs) {
      const what = event.prequeueStartMs === null ? "event_start_time" : "prequeue_start_time";
      problems.push({
        setting: `events.${event.name}.${what}`,
        problem: `is before the end of ${latest.name} (${new Date(latest.endMs).toISOString()}): events of a room must not overlap`,
      });
    }
    if (latest === null || event.endMs > latest.endMs) latest = event;
  }
  return problems;
}

/** A lobby that opens while the draw before it may still be waited for would have people of two draws. @param events sorted by opening */
function tooClose(events: readonly RoomEvent[], room: SettingValues): Problem[] {
  const planned = events.filter(({ cancelled }) => cancelled === null);
  return planned.flatMap((event, i) => {
    const next = planned[i + 1];
    if (next === undefined || !event.shuffle || (event.overrides.beacon ?? room.beacon) === "none") return [];
    const drawnByMs = publishedAtMs(roundAfter(event.startMs)) + (event.overrides.beaconWaitMs ?? 1_000 * room.beacon_wait_seconds);
    if (opensAtMs(next) >= drawnByMs || opensAtMs(next) < event.endMs) return [];
    const what = next.prequeueStartMs === null ? "event_start_time" : "prequeue_start_time";
    const problem = `is too soon after the start of ${event.name}: its draw may wait for the public random number until ${new Date(drawnByMs).toISOString()} (beacon_wait_seconds)`;
    return [{ setting: `events.${next.name}.${what}`, problem }];
  });
}

/** Of a time that was read before. */
function timeOf(text: string): Time {
  const read = readTime(text);
  if (!read.ok) throw new RangeError(text);
  return read;
}
