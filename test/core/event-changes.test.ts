/** One event changed by the operator: what comes of it, and what is too late, to the millisecond. */
import { describe, expect, test } from "vitest";
import type { EventAction, OperatorSettings } from "../../src/core/admin";
import { changedEvents } from "../../src/core/event-changes";
import { lockedProblems, missedLobbies } from "../../src/core/event-locks";
import { parseRoom } from "../../src/core/settings";
import { warningsOf } from "../../src/core/settings-warnings";

const base = { host: "shop.example.com", total_active_users: 100, new_users_per_minute: 60 };
const sale = {
  name: "sale",
  prequeue_start_time: "2027-05-01T09:30:00+02:00",
  event_start_time: "2027-05-01T10:00:00+02:00",
  event_end_time: "2027-05-01T12:00:00+02:00",
  shuffle_at_event_start: true,
};
const LOBBY = Date.UTC(2027, 4, 1, 7, 30);
const START = Date.UTC(2027, 4, 1, 8);
const END = Date.UTC(2027, 4, 1, 10);

function roomOf(events: unknown, more: object = {}) {
  const parsed = parseRoom("shop", { ...base, ...more, events });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed;
}

const eventsOf = (events: unknown) => roomOf(events).operator["events"] as OperatorSettings[];

function resultOf(action: EventAction, now = LOBBY, event: object = sale) {
  return changedEvents(eventsOf([event]), action, now);
}

/** What the action changed about the one event. */
function changesOf(action: EventAction, now = LOBBY, event: object = sale): OperatorSettings {
  const [before] = eventsOf([event]);
  const result = resultOf(action, now, event);
  if (result.as !== "ok") throw new Error(JSON.stringify(result));
  return Object.fromEntries(Object.entries(result.events[0] ?? {}).filter(([name, value]) => before?.[name] !== value));
}

describe("one event", () => {
  test("[EVENT-5] is added, replaced, changed and removed by its name", () => {
    const other = { name: "other", event_start_time: "2027-06-01T00:00:00Z", event_end_time: "2027-06-02T00:00:00Z" };
    expect(resultOf({ as: "add", event: other })).toEqual({ as: "ok", events: [...eventsOf([sale]), other] });
    expect(resultOf({ as: "add", event: sale })).toMatchObject({ as: "invalid", problems: [{ setting: "name" }] });
    expect(resultOf({ as: "replace", name: "sale", event: { message: "x" } })).toEqual({
      as: "ok",
      events: [{ name: "sale", message: "x" }],
    });
    expect(changesOf({ as: "change", name: "sale", changes: { message: "x", event_end_time: "later" } })).toEqual({
      message: "x",
      event_end_time: "later",
    });
    expect(resultOf({ as: "remove", name: "sale" })).toEqual({ as: "ok", events: [] });
    const named: EventAction[] = [
      { as: "replace", name: "__proto__", event: {} },
      { as: "change", name: "constructor", changes: {} },
      { as: "remove", name: "Sale" },
      { as: "move", name: "", fields: { minutes: 5 } },
      { as: "start-now", name: "other", fields: {} },
      { as: "cancel", name: "other", fields: { message: "x" } },
    ];
    for (const action of named) expect([action, resultOf(action)]).toEqual([action, { as: "unknown-event" }]);
  });

  test("[EVENT-6] is moved by minutes in its own zone, or to a time in another; its end moves along only if it must", () => {
    const move = (fields: OperatorSettings) => changesOf({ as: "move", name: "sale", fields });
    expect(move({ minutes: 15 })).toEqual({ event_start_time: "2027-05-01T10:15:00+02:00" });
    expect(move({ minutes: 119 })).toEqual({ event_start_time: "2027-05-01T11:59:00+02:00" });
    expect(move({ minutes: 120 })).toEqual({ event_start_time: "2027-05-01T12:00:00+02:00", event_end_time: "2027-05-01T14:00:00+02:00" });
    expect(move({ event_start_time: "2027-05-01T07:59:00Z" })).toEqual({ event_start_time: "2027-05-01T07:59:00Z" });
    expect(move({ event_start_time: "2027-05-02T08:00:00Z" })).toEqual({
      event_start_time: "2027-05-02T08:00:00Z",
      event_end_time: "2027-05-02T12:00:00+02:00",
    });
  });

  test.each<[OperatorSettings, string]>([
    [{}, "minutes"],
    [{ minutes: 5, event_start_time: "2027-05-01T08:00:00Z" }, "minutes"],
    [{ minutes: 0 }, "minutes"],
    [{ minutes: -5 }, "minutes"],
    [{ minutes: 0.5 }, "minutes"],
    [{ minutes: 10_081 }, "minutes"],
    [{ minutes: "5" }, "minutes"],
    [{ minutes: null }, "minutes"],
    [{ event_start_time: "2027-05-01T08:00:00" }, "event_start_time"],
    [{ event_start_time: 7 }, "event_start_time"],
    [{ minutes: 5, seconds: 3 }, "seconds"],
  ])("[EVENT-6] is not moved by %j", (fields, setting) => {
    expect(resultOf({ as: "move", name: "sale", fields })).toMatchObject({ as: "invalid", problems: [{ setting }] });
  });

  test("[EVENT-6] is started now, to the millisecond; not while its lobby is to come, when it is off or called off", () => {
    const start = (now: number, event: object = sale) => resultOf({ as: "start-now", name: "sale", fields: {} }, now, event);
    expect(changesOf({ as: "start-now", name: "sale", fields: {} }, LOBBY + 1_001)).toEqual({
      event_start_time: "2027-05-01T09:30:01.001+02:00",
    });
    expect(start(LOBBY)).toMatchObject({ as: "invalid", problems: [{ setting: "prequeue_start_time" }] });
    expect(start(LOBBY - 1)).toMatchObject({ as: "invalid", problems: [{ setting: "prequeue_start_time" }] });
    expect(start(LOBBY + 1, { ...sale, suspended: true })).toMatchObject({ as: "invalid", problems: [{ setting: "suspended" }] });
    expect(start(LOBBY + 1, { ...sale, cancelled: "x" })).toMatchObject({ as: "invalid", problems: [{ setting: "cancelled" }] });
    const plain = { ...sale, prequeue_start_time: null, shuffle_at_event_start: false };
    expect(start(LOBBY - 1, plain)).toMatchObject({ as: "ok" });
    expect(resultOf({ as: "start-now", name: "sale", fields: { minutes: 1 } })).toMatchObject({ problems: [{ setting: "minutes" }] });
  });

  test("[EVENT-6] is cancelled with words; without, the setting refuses it", () => {
    expect(changesOf({ as: "cancel", name: "sale", fields: { message: "Sorry" } })).toEqual({ cancelled: "Sorry" });
    expect(changesOf({ as: "cancel", name: "sale", fields: {} })).toEqual({ cancelled: "" });
    expect(resultOf({ as: "cancel", name: "sale", fields: { why: "x" } })).toMatchObject({ problems: [{ setting: "why" }] });
  });

  test("[EVENT-6] can be moved, started and cancelled until the cut-off, and not from that millisecond on", () => {
    const actions: EventAction[] = [
      { as: "move", name: "sale", fields: { minutes: 5 } },
      { as: "move", name: "sale", fields: { minutes: "nonsense" } },
      { as: "start-now", name: "sale", fields: {} },
      { as: "cancel", name: "sale", fields: { message: "Sorry" } },
    ];
    for (const action of actions) {
      expect(resultOf(action, START - 1).as).not.toBe("too-late");
      for (const now of [START, END, END + 1e9]) expect(resultOf(action, now)).toMatchObject({ as: "too-late" });
    }
  });
});

describe("an event that is on", () => {
  /** The settings that are refused because it is too late for them, of a change of the one event. */
  function late(change: object | null, now: number, event: object = sale, [roomBefore, roomAfter]: object[] = [{}, {}]): string[] {
    const [before, next] = [roomOf([event], roomBefore), roomOf(change === null ? [] : [{ ...event, ...change }], roomAfter)];
    return lockedProblems(before.settings, next.settings, now).map(({ setting }) => setting.replace(/^events\.sale\.?/, ""));
  }
  const TIMES = [LOBBY, START - 1, START, END - 1];

  test("[EVENT-7] keeps its name and cannot be removed or suspended; before the lobby and after the end anything goes", () => {
    for (const change of [null, { name: "other" }, { suspended: true }]) {
      expect(TIMES.map((now) => late(change, now))).toEqual([[""], [""], [""], [""]]);
      expect([LOBBY - 1, END].map((now) => late(change, now))).toEqual([[], []]);
    }
    const plain = { ...sale, prequeue_start_time: null, shuffle_at_event_start: false };
    expect(TIMES.map((now) => late(null, now, plain))).toEqual([[], [], [], []]);
  });

  test("[EVENT-7] keeps what those in the lobby were told: the time it opened, the shuffle, whose visits end, the beacon", () => {
    const changes: [object, string[]][] = [
      [{ prequeue_start_time: "2027-05-01T09:29:59+02:00" }, ["prequeue_start_time"]],
      [{ prequeue_start_time: null, shuffle_at_event_start: false }, ["prequeue_start_time", "shuffle_at_event_start"]],
      [{ shuffle_at_event_start: false }, ["shuffle_at_event_start"]],
      [{ keep_sessions: true }, ["keep_sessions"]],
      [{ beacon: "none" }, ["beacon"]],
      [{ beacon_wait_seconds: 15 }, ["beacon_wait_seconds"]],
    ];
    for (const [change, refused] of changes) {
      expect([change, ...TIMES.map((now) => late(change, now))]).toEqual([change, refused, refused, refused, refused]);
      expect([change, late(change, LOBBY - 1), late(change, END)]).toEqual([change, [], []]);
    }
    // The beacon may be the room's.
    expect(late({}, LOBBY, sale, [{}, { beacon: "none" }])).toEqual(["beacon"]);
    expect(late({}, LOBBY, { ...sale, beacon: "none" }, [{ beacon: "drand" }, { beacon: "none" }])).toEqual([]);
    expect(late({}, LOBBY, { ...sale, shuffle_at_event_start: false }, [{}, { beacon: "none" }])).toEqual([]);
  });

  test("[EVENT-7] may change what it changes of the room, its end, and until the cut-off its start, but not into the past", () => {
    for (const now of TIMES)
      expect(late({ message: "x", total_active_users: 5, event_end_time: "2027-05-01T10:00:01+02:00" }, now)).toEqual([]);
    const start = { event_start_time: "2027-05-01T09:50:00+02:00" };
    expect(TIMES.map((now) => late(start, now))).toEqual([[], ["event_start_time"], ["event_start_time"], ["event_start_time"]]);
    expect(late(start, Date.UTC(2027, 4, 1, 7, 50))).toEqual([]);
    expect(late(start, Date.UTC(2027, 4, 1, 7, 50) + 1)).toEqual(["event_start_time"]);
  });

  test("[EVENT-7] is called off until the cut-off, for good; its words may still change, and it may be removed", () => {
    expect(TIMES.map((now) => late({ cancelled: "Sorry" }, now))).toEqual([[], [], ["cancelled"], ["cancelled"]]);
    const cancelled = { ...sale, cancelled: "Sorry" };
    for (const now of TIMES) {
      expect(late({ cancelled: null }, now, cancelled)).toEqual(["cancelled"]);
      expect(late({ cancelled: "Very sorry" }, now, cancelled)).toEqual([]);
      expect(late(null, now, cancelled)).toEqual([]);
    }
    expect(late({ cancelled: null }, LOBBY - 1, cancelled)).toEqual([]);
  });

  test("[EVENT-7] has had its lobby: one whose start is past before anybody could be in it is refused", () => {
    const missed = (before: unknown, next: unknown, now: number) => {
      return missedLobbies(roomOf(before).settings, roomOf(next).settings, now).map(({ setting }) => setting);
    };
    expect(missed([], [sale], START + 1)).toEqual(["events.sale.event_start_time"]);
    expect([START, END, LOBBY, LOBBY - 1].map((now) => missed([], [sale], now))).toEqual([[], [], [], []]);
    expect(missed([sale], [sale], START + 1)).toEqual([]);
    expect(missed([{ ...sale, suspended: true }], [sale], START + 1)).toEqual(["events.sale.event_start_time"]);
    expect(missed([], [{ ...sale, cancelled: "x" }], START + 1)).toEqual([]);
    expect(missed([], [{ ...sale, prequeue_start_time: null, shuffle_at_event_start: false }], START + 1)).toEqual([]);
  });
});

test("[EVENT-8] S6 C71 a draw that anybody may enter is warned of until it is over, and no other event is", () => {
  const warned = (event: object, now = LOBBY - 1) => warningsOf(roomOf([event]), now).map(({ setting }) => setting);
  expect(warned(sale, LOBBY)).toEqual(["events.sale.shuffle_at_event_start"]);
  expect(warned(sale, END - 1)).toHaveLength(1);
  expect(warned(sale, END)).toEqual([]);
  expect(warned({ ...sale, shuffle_at_event_start: false })).toEqual([]);
  expect(warned({ ...sale, suspended: true })).toEqual([]);
  expect(warned({ ...sale, cancelled: "x" })).toEqual([]);
  expect(warned({ ...sale, entry: "invited" })).not.toContain("events.sale.shuffle_at_event_start");
});

test("[EVENT-8] until its lobby opens, a draw that others may stand in front of is warned of", () => {
  const warned = (event: object, now = LOBBY - 1, more: object = {}) =>
    warningsOf(roomOf([event], more), now).filter(({ setting }) => setting === "closed_outside_events");
  expect(warned({ ...sale, entry: "invited" })).toEqual([
    { setting: "closed_outside_events", warning: expect.stringContaining("the lobby of sale") },
  ]);
  expect(warned(sale)).toHaveLength(1);
  expect(warned(sale, LOBBY)).toEqual([]);
  expect(warned(sale, LOBBY - 1, { closed_outside_events: true })).toEqual([]);
  expect(warned({ ...sale, shuffle_at_event_start: false })).toEqual([]);
  expect(warned({ ...sale, cancelled: "x" })).toEqual([]);
});

test("[EVENT-8] while an event with settings of its own is on, whoever changes the room is told which ones do not show", () => {
  const event = { ...sale, shuffle_at_event_start: false, total_active_users: 100, message: "x", title: null };
  const warned = (now: number, more: object = {}) => warningsOf(roomOf([{ ...event, ...more }]), now);
  const warning = expect.stringContaining("sets its own total_active_users, message:");
  for (const now of [LOBBY, START, END - 1]) expect(warned(now)).toEqual([{ setting: "events.sale", warning }]);
  for (const now of [LOBBY - 1, END]) expect(warned(now)).toEqual([]);
  expect(warned(LOBBY, { cancelled: "Sorry" })).toEqual([]);
  expect(warned(LOBBY, { total_active_users: null, message: null })).toEqual([]);
});
