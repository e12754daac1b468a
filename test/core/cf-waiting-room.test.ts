/** `cfWaitingRoom` field by field, in every state that a visitor can be told. Shapes after Cloudflare's public API text, in our own values. */
import { describe, expect, test } from "vitest";
import type { CfWaitingRoom } from "../../src/core/cf-waiting-room";
import { cfWaitingRoom } from "../../src/core/cf-waiting-room";
import { parseRoom } from "../../src/core/settings";
import type { RoomSettings } from "../../src/core/settings-types";
import { DOOR_REASONS, type Status } from "../../src/core/status";

const NOW = Date.parse("2027-05-01T10:00:00.250Z");
const EVENT = {
  name: "drop",
  prequeue_start_time: "2027-05-01T12:00:00+02:00",
  event_start_time: "2027-05-01T10:30:00Z",
  event_end_time: "2027-05-01T12:00:00Z",
  shuffle_at_event_start: true,
};

function settingsOf(over: Record<string, unknown> = {}): RoomSettings {
  const parsed = parseRoom("r", { host: "shop.test", total_active_users: 10, new_users_per_minute: 60, ...over });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}
const status = (over: Partial<Status> = {}): Status => ({
  state: "waiting",
  room: "r",
  slot: 150,
  ahead: 50,
  waiting: 900,
  eta: { minSeconds: 290, maxSeconds: 595 },
  phase: "open",
  message: "",
  now: NOW,
  pollAfterMs: 19_500,
  reason: null,
  ...over,
});
const told = (over: Partial<Status> = {}, settings: Record<string, unknown> = {}) =>
  cfWaitingRoom(status(over), settingsOf(settings)).cfWaitingRoom;

const TYPES: Record<keyof CfWaitingRoom, "boolean" | "integer" | "string"> = {
  inWaitingRoom: "boolean",
  waitTimeKnown: "boolean",
  waitTime: "integer",
  waitTime25Percentile: "integer",
  waitTime50Percentile: "integer",
  waitTime75Percentile: "integer",
  waitTimeFormatted: "string",
  queueIsFull: "boolean",
  queueAll: "boolean",
  lastUpdated: "string",
  refreshIntervalSeconds: "integer",
  queueingMethod: "string",
  isFIFOQueue: "boolean",
  isRandomQueue: "boolean",
  isPassthroughQueue: "boolean",
  isRejectQueue: "boolean",
  isEventActive: "boolean",
  isEventPrequeueing: "boolean",
  timeUntilEventStart: "integer",
  timeUntilEventStartFormatted: "string",
  timeUntilEventEnd: "integer",
  timeUntilEventEndFormatted: "string",
  shuffleAtEventStart: "boolean",
  turnstile: "string",
  infiniteQueue: "boolean",
};

const STATES: Partial<Status>[] = [
  {},
  { eta: null },
  { state: "lobby", eta: null, phase: "lobby" },
  { state: "drawing", eta: null, phase: "drawing", slot: null, ahead: null },
  { state: "joining", eta: null, slot: null, ahead: null },
  { state: "joining", eta: null, slot: null, ahead: null, reason: "room-unreachable" },
  { state: "called", eta: null, reason: "moment", dueInMs: 700 },
  { state: "called", eta: null, holdForMs: 1, validForMs: 1 },
  { state: "returning", eta: null, reason: "missed-away" },
  { state: "inside", eta: null },
  { state: "void", eta: null, reason: "taken-over" },
  { state: "paused", eta: null, phase: "paused", reason: "paused" },
  { state: "ended", eta: null, reason: "sold-out" },
  { state: "ended", eta: null, reason: "left" },
  { state: "full", eta: null, slot: null },
  { state: "refused", eta: null, slot: null, reason: "rejected" },
  { state: "refused", eta: null, slot: null, reason: "network-limit" },
  { state: "joining", eta: null, slot: null, reason: "challenge" },
  ...DOOR_REASONS.map((reason) => ({ state: "refused" as const, eta: null, slot: null, reason })),
  { state: "closed", eta: null, phase: "closed", reason: "outside-events" },
];

describe("cfWaitingRoom", () => {
  test("[CF-1] has all 25 fields, of their types and nothing else, in every state, method and part of an event", () => {
    expect(Object.keys(TYPES)).toHaveLength(25);
    const rooms = [{}, { queueing_method: "random" }, { queueing_method: "reject" }, { queueing_method: "passthrough" }];
    const events = [
      [],
      [EVENT],
      [{ ...EVENT, prequeue_start_time: null, event_start_time: "2027-05-01T09:00:00Z", shuffle_at_event_start: false }],
    ];
    for (const over of STATES) {
      for (const settings of rooms.flatMap((room) => events.map((list) => ({ ...room, events: list })))) {
        // No lobby goes with these two.
        if (JSON.stringify(settings).includes('prequeue_start_time":"') && /reject|passthrough/.test(settings.queueing_method ?? ""))
          continue;
        const fields = Object.entries(told(over, settings));
        const types = fields.map(([name, value]) => [name, Number.isInteger(value) ? "integer" : typeof value]);
        expect(Object.fromEntries(types), JSON.stringify({ over, settings })).toEqual(TYPES);
        for (const [name, value] of fields) if (typeof value === "number") expect(value, name).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test("[CF-1] someone in a FIFO line: the far end of the estimate, in whole minutes", () => {
    expect(told()).toEqual({
      inWaitingRoom: true,
      waitTimeKnown: true,
      waitTime: 10,
      waitTime25Percentile: 0,
      waitTime50Percentile: 0,
      waitTime75Percentile: 0,
      waitTimeFormatted: "10 minutes",
      queueIsFull: false,
      queueAll: false,
      lastUpdated: "2027-05-01T10:00:00.250Z",
      refreshIntervalSeconds: 20,
      queueingMethod: "fifo",
      isFIFOQueue: true,
      isRandomQueue: false,
      isPassthroughQueue: false,
      isRejectQueue: false,
      isEventActive: false,
      isEventPrequeueing: false,
      timeUntilEventStart: 0,
      timeUntilEventStartFormatted: "unavailable",
      timeUntilEventEnd: 0,
      timeUntilEventEndFormatted: "unavailable",
      shuffleAtEventStart: false,
      turnstile: "",
      infiniteQueue: false,
    });
  });

  test("[CF-1] in a random one the range, with waitTime its middle", () => {
    expect(told({}, { queueing_method: "random" })).toMatchObject({
      waitTime: 8,
      waitTime25Percentile: 5,
      waitTime50Percentile: 8,
      waitTime75Percentile: 10,
      waitTimeFormatted: "5 minutes to 10 minutes",
      isRandomQueue: true,
      isFIFOQueue: false,
    });
  });

  test.each<[number, string]>([
    [1, "1 minute"],
    [60, "1 minute"],
    [61, "2 minutes"],
    [3_600, "1 hour"],
    [3_601, "1 hour 1 minute"],
    [2 * 3_600 + 300, "2 hours 5 minutes"],
  ])("[CF-1] %i seconds read %s", (maxSeconds, text) => {
    expect(told({ eta: { minSeconds: 0, maxSeconds } }).waitTimeFormatted).toBe(text);
  });

  test("[CF-1] where nothing is known the wait is 0 and unavailable; who is called has next to none", () => {
    const unknown = { waitTimeKnown: false, waitTime: 0, waitTimeFormatted: "unavailable" };
    expect(told({ eta: null })).toMatchObject(unknown);
    expect(told({ state: "paused", phase: "paused", eta: null, reason: "paused" })).toMatchObject({ ...unknown, queueAll: true });
    expect(told({ eta: null, reason: "rate-zero" })).toMatchObject({ ...unknown, queueAll: true });
    expect(told({ state: "called", eta: null, reason: "moment", dueInMs: 700 })).toMatchObject({ waitTimeKnown: true, waitTime: 1 });
  });

  test("[CF-1] an event in its lobby and after, from the opening to the end", () => {
    const lobby = { isEventActive: true, isEventPrequeueing: true, shuffleAtEventStart: true };
    expect(told({ state: "lobby", phase: "lobby", eta: null }, { events: [EVENT] })).toMatchObject({
      ...lobby,
      timeUntilEventStart: 30,
      timeUntilEventStartFormatted: "30 minutes",
      timeUntilEventEnd: 120,
      timeUntilEventEndFormatted: "2 hours",
    });
    const at = (time: string) => told({ now: Date.parse(time) }, { events: [EVENT] });
    expect(at("2027-05-01T10:30:00Z")).toMatchObject({
      isEventActive: true,
      isEventPrequeueing: false,
      timeUntilEventStart: 0,
      timeUntilEventStartFormatted: "unavailable",
      timeUntilEventEnd: 90,
      shuffleAtEventStart: true,
    });
    for (const time of ["2027-05-01T09:59:59Z", "2027-05-01T12:00:00Z"])
      expect(at(time)).toMatchObject({
        isEventActive: false,
        timeUntilEventEnd: 0,
        timeUntilEventEndFormatted: "unavailable",
        shuffleAtEventStart: false,
      });
  });

  test("[CF-1] only those who get no place are told reject, to ask no more; whoever has one goes on asking", () => {
    const reject = { queueingMethod: "reject", isRejectQueue: true, refreshIntervalSeconds: 0, queueIsFull: true };
    expect(told({ state: "refused", reason: "rejected", slot: null }, { queueing_method: "reject" })).toMatchObject(reject);
    expect(told({ state: "ended", reason: "sold-out" })).toMatchObject(reject);
    expect(told({ state: "refused", reason: "network-refused", slot: null })).toMatchObject(reject);
    expect(told({ state: "refused", reason: "invitation-needed", slot: null })).toMatchObject(reject);
    const goesOn = [told({}, { queueing_method: "reject" }), told({ state: "refused", reason: "identity-unchecked", slot: null })];
    for (const each of goesOn) expect(each).toMatchObject({ isRejectQueue: false, refreshIntervalSeconds: 20 });
    expect(told({ pollAfterMs: 1 }).refreshIntervalSeconds).toBe(1);
  });

  test("[CF-1] a full line, and one that takes nobody, say so to those whom it turns away", () => {
    expect(told({ state: "full", slot: null }).queueIsFull).toBe(true);
    expect(told({ state: "closed", reason: "joins-stopped", slot: null }).queueIsFull).toBe(true);
    expect(told({ state: "closed", phase: "closed", reason: "outside-events" })).toMatchObject({ queueAll: true, isRejectQueue: false });
  });
});
