/**
 * What the operator does to one event, as a new list of the room's events. Pure.
 * Judged by `now`, which is the Room's clock: an edge does not know whether the cut-off is past.
 */
import type { AdminRefusal, EventAction, OperatorSettings } from "./admin";
import { readTime, type Time, writeTime } from "./rfc3339";
import type { Problem } from "./settings";

export type ChangedEvents = { readonly as: "ok"; readonly events: readonly OperatorSettings[] } | AdminRefusal;

const MINUTE_MS = 60_000;
/** A week. */
const MINUTES_MAX = 10_080;
const MOVE_SHAPE = `either minutes, a whole number from 1 to 10,080, or event_start_time`;

/**
 * @param events as they hold: valid, in one spelling. What comes out still has to pass `parseRoom`.
 * @param now ms since the Unix epoch
 */
export function changedEvents(events: readonly OperatorSettings[], action: EventAction, now: number): ChangedEvents {
  if (action.as === "add") {
    const { name } = action.event;
    if (events.some((event) => event["name"] === name)) return invalid("name", "is the name of another event");
    return { as: "ok", events: [...events, action.event] };
  }
  const event = events.find(({ name }) => name === action.name);
  if (event === undefined) return { as: "unknown-event" };
  const replaced = (by: OperatorSettings): ChangedEvents => ({ as: "ok", events: events.map((each) => (each === event ? by : each)) });
  switch (action.as) {
    case "replace":
      return replaced({ name: action.name, ...action.event });
    case "change":
      return replaced({ ...event, ...action.changes });
    case "remove":
      return { as: "ok", events: events.filter((each) => each !== event) };
    case "move":
    case "start-now":
    case "cancel": {
      const result = step(event, action, now);
      return result.as === "step" ? replaced({ ...event, ...result.changes }) : result;
    }
  }
}

type Step = Extract<EventAction, { as: "move" | "start-now" | "cancel" }>;

function step(
  event: OperatorSettings,
  action: Step,
  now: number,
): { readonly as: "step"; readonly changes: OperatorSettings } | AdminRefusal {
  const start = timeOf(event["event_start_time"]);
  if (start.ms <= now)
    return { as: "too-late", problems: [{ setting: "event_start_time", problem: `was ${writeTime(start)}: the event has begun` }] };
  if (action.as === "cancel") {
    const problems = strangers(action.fields, ["message"]);
    return problems.length > 0 ? { as: "invalid", problems } : { as: "step", changes: { cancelled: action.fields["message"] ?? "" } };
  }
  const to = action.as === "move" ? readMove(action.fields, start) : startNow(event, action.fields, { ...start, ms: now });
  if ("as" in to) return to;
  const end = timeOf(event["event_end_time"]);
  const endMs = end.ms > to.ms ? end.ms : to.ms + end.ms - start.ms;
  return { as: "step", changes: { event_start_time: writeTime(to), event_end_time: writeTime({ ...end, ms: endMs }) } };
}

function readMove(fields: OperatorSettings, start: Time): Time | AdminRefusal {
  const problems = strangers(fields, ["minutes", "event_start_time"]);
  if (problems.length > 0) return { as: "invalid", problems };
  const { minutes, event_start_time: time } = fields;
  if ((minutes === undefined) === (time === undefined)) return invalid("minutes", `must be ${MOVE_SHAPE}`);
  if (time === undefined) {
    const whole = typeof minutes === "number" && Number.isInteger(minutes) && minutes >= 1 && minutes <= MINUTES_MAX;
    return whole ? { ...start, ms: start.ms + minutes * MINUTE_MS } : invalid("minutes", `must be ${MOVE_SHAPE}`);
  }
  const read = readTime(String(time));
  return read.ok ? read : invalid("event_start_time", `must be ${read.problem}`);
}

function startNow(event: OperatorSettings, fields: OperatorSettings, now: Time): Time | AdminRefusal {
  const problems = strangers(fields, []);
  if (problems.length > 0) return { as: "invalid", problems };
  if (event["suspended"] === true) return invalid("suspended", "is true: the event is off");
  if (event["cancelled"] !== null) return invalid("cancelled", "is set: the event was called off");
  const lobby = event["prequeue_start_time"];
  if (typeof lobby === "string" && timeOf(lobby).ms >= now.ms) {
    return invalid("prequeue_start_time", `is ${lobby}: the lobby has not opened yet. Leave it out to begin without one`);
  }
  return now;
}

function strangers(fields: OperatorSettings, known: readonly string[]): Problem[] {
  return Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((setting) => ({
      setting,
      problem: `is not a field of this; ${known.length === 0 ? "it takes none" : `known are ${known.join(", ")}`}`,
    }));
}

function invalid(setting: string, problem: string): AdminRefusal {
  return { as: "invalid", problems: [{ setting, problem }] };
}

/** Of a time that was read before. */
function timeOf(text: unknown): Time {
  const read = readTime(String(text));
  if (!read.ok) throw new RangeError(String(text));
  return read;
}
