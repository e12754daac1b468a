/**
 * A status as Cloudflare Waiting Room tells it to apps (`json_response_enabled`): all 25 fields of its API text, of the right type in every
 * state. Pure. Source: the description of `json_response_enabled` in Cloudflare's API (waiting rooms, fields 1 to 25).
 *
 * An app knows that it waits by `cfWaitingRoom`, and that it is in by its absence. It asks again `refreshIntervalSeconds` after `lastUpdated`,
 * and stops asking where that is 0. Fields that do not apply are 0, false or "unavailable".
 */
import { stageAt } from "./schedule";
import type { QueueingMethod, RoomSettings } from "./settings-types";
import { DOOR_REASONS, type Status } from "./status";

export interface CfWaitingRoom {
  readonly inWaitingRoom: true;
  readonly waitTimeKnown: boolean;
  /** Whole minutes, as all times here. */
  readonly waitTime: number;
  readonly waitTime25Percentile: number;
  readonly waitTime50Percentile: number;
  readonly waitTime75Percentile: number;
  readonly waitTimeFormatted: string;
  /** No newcomer is accepted now. */
  readonly queueIsFull: boolean;
  /** Nobody is let in now. */
  readonly queueAll: boolean;
  /** ISO 8601, UTC, with milliseconds. */
  readonly lastUpdated: string;
  readonly refreshIntervalSeconds: number;
  readonly queueingMethod: QueueingMethod;
  readonly isFIFOQueue: boolean;
  readonly isRandomQueue: boolean;
  readonly isPassthroughQueue: boolean;
  readonly isRejectQueue: boolean;
  /** From the opening of its lobby to its end. */
  readonly isEventActive: boolean;
  readonly isEventPrequeueing: boolean;
  readonly timeUntilEventStart: number;
  readonly timeUntilEventStartFormatted: string;
  readonly timeUntilEventEnd: number;
  readonly timeUntilEventEndFormatted: string;
  readonly shuffleAtEventStart: boolean;
  /** Never a widget: a program cannot show one. */
  readonly turnstile: "";
  readonly infiniteQueue: false;
}

type Known = Pick<RoomSettings, "queueingMethod" | "events" | "closedOutsideEvents">;

const UNAVAILABLE = "unavailable";
const HOUR_MIN = 60;
const MINUTE_MS = 60_000;

/** @param settings those in force at `status.now` */
export function cfWaitingRoom(status: Status, settings: Known): { readonly cfWaitingRoom: CfWaitingRoom } {
  const method = methodFor(status, settings.queueingMethod);
  return {
    cfWaitingRoom: {
      inWaitingRoom: true,
      ...waitOf(status, method),
      queueIsFull: status.state === "full" || status.reason === "joins-stopped" || method === "reject",
      queueAll: status.phase === "paused" || status.phase === "closed" || status.reason === "rate-zero",
      lastUpdated: new Date(status.now).toISOString(),
      refreshIntervalSeconds: method === "reject" ? 0 : Math.max(1, Math.ceil(status.pollAfterMs / 1_000)),
      queueingMethod: method,
      isFIFOQueue: method === "fifo",
      isRandomQueue: method === "random",
      isPassthroughQueue: method === "passthrough",
      isRejectQueue: method === "reject",
      ...eventOf(status.now, settings),
      turnstile: "",
      infiniteQueue: false,
    },
  };
}

/**
 * `reject` is told to those alone who get no place for now, so that nobody who has one stops asking: the room rejects, is sold out, asks for an
 * invitation or a log-in, or refuses the network.
 */
function methodFor({ state, reason, slot }: Status, own: QueueingMethod): QueueingMethod {
  if (reason === "rejected" || reason === "sold-out" || reason === "network-refused" || isShutDoor(reason)) return "reject";
  return own === "reject" && (slot !== null || state === "joining") ? "fifo" : own;
}

function isShutDoor(reason: Status["reason"]): boolean {
  return reason !== "identity-unchecked" && DOOR_REASONS.some((each) => each === reason);
}

type Wait = Pick<
  CfWaitingRoom,
  "waitTimeKnown" | "waitTime" | "waitTime25Percentile" | "waitTime50Percentile" | "waitTime75Percentile" | "waitTimeFormatted"
>;

/** The estimate is a range: a FIFO line is told its far end, a random one the range as Cloudflare's percentiles. */
function waitOf(status: Status, method: QueueingMethod): Wait {
  const range = rangeMsOf(status);
  const none = { waitTime25Percentile: 0, waitTime50Percentile: 0, waitTime75Percentile: 0 };
  if (range === null) return { waitTimeKnown: false, waitTime: 0, ...none, waitTimeFormatted: UNAVAILABLE };
  const [from, to] = [minutesOf(range.from), minutesOf(range.to)];
  if (method !== "random") return { waitTimeKnown: true, waitTime: to, ...none, waitTimeFormatted: formatted(to) };
  const middle = Math.round((from + to) / 2);
  return {
    waitTimeKnown: true,
    waitTime: middle,
    waitTime25Percentile: from,
    waitTime50Percentile: middle,
    waitTime75Percentile: to,
    waitTimeFormatted: from === to ? formatted(to) : `${formatted(from)} to ${formatted(to)}`,
  };
}

function rangeMsOf({ eta, state, dueInMs = 0 }: Status): { readonly from: number; readonly to: number } | null {
  if (state === "called") return { from: dueInMs, to: dueInMs };
  return eta === null ? null : { from: eta.minSeconds * 1_000, to: eta.maxSeconds * 1_000 };
}

function eventOf(now: number, settings: Known) {
  const stage = stageAt(settings, now);
  const event = stage.in === "lobby" || stage.in === "event" ? stage.event : null;
  const untilStart = stage.in === "lobby" ? minutesOf(stage.event.startMs - now) : null;
  const untilEnd = event === null ? null : minutesOf(event.endMs - now);
  return {
    isEventActive: event !== null,
    isEventPrequeueing: untilStart !== null,
    timeUntilEventStart: untilStart ?? 0,
    timeUntilEventStartFormatted: untilStart === null ? UNAVAILABLE : formatted(untilStart),
    timeUntilEventEnd: untilEnd ?? 0,
    timeUntilEventEndFormatted: untilEnd === null ? UNAVAILABLE : formatted(untilEnd),
    shuffleAtEventStart: event?.shuffle ?? false,
  };
}

/** Begun minutes count: nobody is told 0 who still has to wait. */
function minutesOf(ms: number): number {
  return Math.max(0, Math.ceil(ms / MINUTE_MS));
}

function formatted(minutes: number): string {
  const hours = Math.floor(minutes / HOUR_MIN);
  const rest = minutes - hours * HOUR_MIN;
  const parts = [hours > 0 ? counted(hours, "hour") : "", rest > 0 || hours === 0 ? counted(rest, "minute") : ""];
  return parts.filter((part) => part !== "").join(" ");
}

function counted(n: number, unit: string): string {
  return `${n} ${unit}${n === 1 ? "" : "s"}`;
}
