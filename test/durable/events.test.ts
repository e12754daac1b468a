/** Events in a Room: changed by its clock, one revision each, through eviction and deploys. */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { EventAction, EventChange, OperatorSettings } from "../../src/core/admin";
import { callerOf, OPERATOR, okOf, RoomUnderTest, T } from "../support/room";

const MINUTE = 60_000;
const iso = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");

/** From 10 minutes after `T`, for an hour; the lobby opens 5 minutes before. */
const sale = {
  name: "sale",
  prequeue_start_time: iso(T + 5 * MINUTE),
  event_start_time: iso(T + 10 * MINUTE),
  event_end_time: iso(T + 70 * MINUTE),
  shuffle_at_event_start: true,
};
const LOBBY = T + 5 * MINUTE;
const START = T + 10 * MINUTE;

function change(room: RoomUnderTest, action: EventAction, more: Partial<EventChange> = {}) {
  return room.run((inside) => inside.changeEvent({ action, ifRevision: null, actor: OPERATOR, ...more }));
}

async function eventsOf(room: RoomUnderTest): Promise<readonly OperatorSettings[]> {
  return (await room.describe()).settings["events"] as OperatorSettings[];
}

/** Every revision here warns of an open draw. */
const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
beforeEach(() => void warn.mockClear());
afterAll(() => warn.mockRestore());

describe("events", () => {
  it("[EVENT-5] are made, changed and removed one by one: a revision each, with actor and reason, and kept through eviction", async () => {
    const room = new RoomUnderTest();
    const made = okOf(await change(room, { as: "add", event: sale }));
    expect(made).toMatchObject({
      revision: 2,
      overrides: { events: [sale] },
      warnings: [{ setting: "events.sale.shuffle_at_event_start" }, { setting: "closed_outside_events" }],
    });
    await room.evict();
    okOf(await change(room, { as: "change", name: "sale", changes: { message: "Only today" } }, { actor: callerOf("ana") }));
    await room.evict();
    expect(await eventsOf(room)).toMatchObject([{ ...sale, message: "Only today" }]);
    expect(await room.run((inside) => inside.config(3))).toMatchObject({
      settings: { events: [{ name: "sale", startMs: START, overrides: { message: "Only today" } }] },
    });
    expect(okOf(await change(room, { as: "remove", name: "sale" }))).toMatchObject({ revision: 4, overrides: {} });
    const revisions = okOf(await room.run((inside) => inside.revisions()));
    expect(revisions.map(({ actor, reason }) => [actor, reason])).toEqual([
      ["operator", "test"],
      ["ana", "event sale: change"],
      ["operator", "test"],
      ["deploy", "first start"],
    ]);
  });

  it("[EVENT-5] are the setting `events`: what is set by either way is seen by the other", async () => {
    const room = new RoomUnderTest();
    okOf(await room.change({ events: [sale] }));
    okOf(await change(room, { as: "move", name: "sale", fields: { minutes: 1 } }));
    const { settings, revision } = await room.describe();
    expect(settings["events"]).toMatchObject([{ event_start_time: iso(START + MINUTE) }]);
    expect(okOf(await room.change(settings, { replace: true, ifRevision: revision })).revision).toBe(revision);
    expect(okOf(await room.change({ events: null })).settings["events"]).toEqual([]);
  });

  it("[EVENT-5] are refused when somebody else changed the room meanwhile, with every problem by name, and stay as they are", async () => {
    const room = new RoomUnderTest({ events: [sale] });
    await room.exchange();
    okOf(await room.change({ message: "Soon" }));
    expect(await change(room, { as: "remove", name: "sale" }, { ifRevision: 1 })).toEqual({ as: "conflict", revision: 2 });
    expect(await change(room, { as: "remove", name: "other" })).toEqual({ as: "unknown-event" });
    const wrong = { event_end_time: sale.event_start_time, total_active_users: 0, host: "x" };
    expect(await change(room, { as: "change", name: "sale", changes: wrong })).toMatchObject({
      as: "invalid",
      problems: [{ setting: "events.sale.host" }, { setting: "events.sale.total_active_users" }],
    });
    expect(await change(room, { as: "move", name: "sale", fields: { minutes: 5 } }, { ifRevision: 2 })).toMatchObject({ as: "ok" });
    expect((await room.describe()).revision).toBe(3);
  });

  it("[EVENT-6] move, start and end by the Room's clock, whatever an edge believes; right after eviction too", async () => {
    const room = new RoomUnderTest({ events: [sale] });
    room.wall = START - 1;
    okOf(await change(room, { as: "move", name: "sale", fields: { minutes: 5 } }));
    await room.evict();
    room.wall = START + 5 * MINUTE;
    for (const action of [
      { as: "move", name: "sale", fields: { minutes: 5 } },
      { as: "start-now", name: "sale", fields: {} },
      { as: "cancel", name: "sale", fields: { message: "Sorry" } },
    ] as const) {
      expect([action.as, (await change(room, action)).as]).toEqual([action.as, "too-late"]);
    }
    // The clock of a host that is behind does not bring the time back.
    room.wall = T;
    expect((await change(room, { as: "cancel", name: "sale", fields: { message: "Sorry" } })).as).toBe("too-late");
    expect((await eventsOf(room))[0]).toMatchObject({ event_start_time: iso(START + 5 * MINUTE), cancelled: null });
  });

  it("[EVENT-6] start now: from this very step on", async () => {
    const room = new RoomUnderTest({ events: [sale] });
    room.wall = LOBBY + 7_001;
    okOf(await change(room, { as: "start-now", name: "sale", fields: {} }));
    expect((await eventsOf(room))[0]).toMatchObject({
      event_start_time: new Date(LOBBY + 7_001).toISOString(),
      event_end_time: sale.event_end_time,
    });
    expect((await change(room, { as: "move", name: "sale", fields: { minutes: 1 } })).as).toBe("too-late");
  });

  it("[EVENT-6] keep entries and commitment when they are moved, and say when they were planned; start now closes the entries", async () => {
    const room = new RoomUnderTest({ events: [{ ...sale, beacon: "none" }] });
    room.wall = LOBBY;
    await room.exchange();
    const entered = await room.join("a", "b");
    expect(entered.joins).toMatchObject([
      { as: "entry", entry: 0 },
      { as: "entry", entry: 1 },
    ]);
    okOf(await change(room, { as: "move", name: "sale", fields: { minutes: 15 } }));
    await room.evict();
    okOf(await change(room, { as: "move", name: "sale", fields: { event_start_time: iso(START + MINUTE) } }));
    const again = await room.join("b", "c");
    expect(again.joins).toMatchObject([
      { as: "entry", entry: 1 },
      { as: "entry", entry: 2 },
    ]);
    expect(again.manifest).toMatchObject({
      phase: "lobby",
      lobby: { entries: 3, startsAt: START + MINUTE, plannedAt: START, commitment: entered.manifest.lobby?.commitment },
    });
    room.wall += 1_000;
    okOf(await change(room, { as: "start-now", name: "sale", fields: {} }));
    const late = await room.join("d");
    expect(late.manifest).toMatchObject({ phase: "open", lobby: null, draws: [{ base: 0, count: 3 }] });
    expect(late.joins).toMatchObject([{ as: "placed", slot: 3 }]);
  });

  it("[EVENT-6] that are called off in the lobby are told as that until they would have ended", async () => {
    const room = new RoomUnderTest({ events: [sale], closed_outside_events: true });
    room.wall = LOBBY;
    await room.exchange();
    await room.join("a");
    okOf(await change(room, { as: "cancel", name: "sale", fields: { message: "Sorry" } }));
    const { manifest } = await room.exchange();
    expect(manifest).toMatchObject({ phase: "closed", lobby: null, draws: [], cancelled: { event: "sale", message: "Sorry" } });
    await room.evict();
    room.wall = T + 70 * MINUTE;
    expect((await room.exchange()).manifest).toMatchObject({ phase: "closed", cancelled: null });
  });

  it("[EVENT-7] an entry keeps the cookie settings as a place does, and a pause works whatever an event sets", async () => {
    const room = new RoomUnderTest({ host: "shop.example.com", events: [{ ...sale, total_active_users: 9 }] });
    room.wall = LOBBY;
    await room.exchange();
    await room.join("a");
    expect(await room.change({ cookie_domain: "example.com" })).toMatchObject({ as: "invalid", problems: [{ setting: "cookie_domain" }] });
    const { warnings } = okOf(await room.change({ total_active_users: 1 }));
    expect(warnings.map(({ setting }) => setting)).toContain("events.sale");
    room.wall += 1;
    okOf(await change(room, { as: "start-now", name: "sale", fields: {} }));
    await room.turn("pause");
    expect((await room.stats()).blocked_by.code).toBe("paused");
  });

  it("[EVENT-7] that are on cannot be removed, by whichever way it is tried; other settings still change", async () => {
    const room = new RoomUnderTest({ events: [sale] });
    await room.exchange();
    await room.evict();
    room.wall = LOBBY;
    for (const tried of [
      await change(room, { as: "remove", name: "sale" }),
      await change(room, { as: "change", name: "sale", changes: { shuffle_at_event_start: false } }),
      await room.change({ events: [] }),
      await room.change({ events: [{ ...sale, name: "other" }] }),
      await room.change({ beacon: "none" }),
    ]) {
      expect(tried).toMatchObject({ as: "too-late", problems: [{ setting: expect.stringMatching(/^events\.sale/) }] });
    }
    okOf(await room.change({ queue_all: true }));
    okOf(await change(room, { as: "cancel", name: "sale", fields: { message: "Sorry" } }));
    okOf(await change(room, { as: "remove", name: "sale" }));
  });

  it("[EVENT-7] that are on are not changed by a deploy either: they stay as live values, everything else of it holds", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const room = new RoomUnderTest({ events: [sale] });
    await room.exchange();
    room.wall = LOBBY + 1;
    room.deploy({ events: [], beacon: "none", message: "New" });
    await room.evict();
    const { settings, overrides } = await room.describe();
    expect(settings).toMatchObject({ events: [sale], beacon: "drand", message: "New" });
    expect(overrides).toMatchObject({ events: [sale], beacon: "drand" });
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("events.sale has opened its lobby"));
    okOf(await room.change({ queue_all: true }));
    await room.evict();
    room.wall = T + 70 * MINUTE;
    expect(okOf(await room.change({ events: null, beacon: null })).settings).toMatchObject({ events: [], beacon: "none" });
    log.mockRestore();
  });

  it("[EVENT-7] of the file alone change with the file, as long as they are not on", async () => {
    const room = new RoomUnderTest({ events: [sale] });
    await room.exchange();
    room.wall = LOBBY - 1;
    room.deploy({ events: [{ ...sale, event_start_time: iso(START + MINUTE) }] });
    await room.evict();
    expect(await room.describe()).toMatchObject({ overrides: {}, settings: { events: [{ event_start_time: iso(START + MINUTE) }] } });
  });

  it("[EVENT-7] that a deploy takes away and nothing else hold until they are over, and do not come in the way of other changes", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const room = new RoomUnderTest({ events: [sale] });
    await room.exchange();
    room.wall = LOBBY + 1;
    room.deploy({ events: [] });
    await room.evict();
    expect(await room.describe()).toMatchObject({ revision: 1, settings: { events: [sale] } });
    expect(await room.turn("pause")).toMatchObject({ changed: true });
    await room.evict();
    expect(await room.describe()).toMatchObject({ settings: { events: [sale], queue_all: true } });
    log.mockRestore();
  });

  it("[EVENT-8] a draw that anybody may enter is warned of in the log with every revision", async () => {
    const room = new RoomUnderTest({ events: [sale] });
    await room.exchange();
    okOf(await room.change({ message: "Soon" }));
    const warning = { event: "settings-warning", room: room.name };
    const warned = { ...warning, setting: "events.sale.shuffle_at_event_start" };
    const passed = { ...warning, setting: "closed_outside_events" };
    expect(warn.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toMatchObject([warned, passed, warned, passed]);
  });
});
