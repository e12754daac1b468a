/** What the Room writes down by itself: the log by seconds and the minutes; and one visitor's place. */
import { describe, expect, it } from "vitest";
import { HAPPENINGS, type LogEntry, type Minute } from "../../src/core/audit";
import { slotOf } from "../../src/core/draw-sync";
import type { PlaceAct, PlaceShown } from "../../src/core/places";
import { claimOf, POPULATED, populate } from "../support/populated";
import { AUTHOR, joinOf, OPERATOR, okOf, RoomUnderTest, T } from "../support/room";

const logOf = async (room: RoomUnderTest, limit = 1_000): Promise<readonly LogEntry[]> =>
  okOf(await room.run((inside) => inside.log({ before: null, limit })));
const seriesOf = async (room: RoomUnderTest): Promise<readonly Minute[]> => okOf(await room.run((inside) => inside.series(60)));
const sumOf = (entries: readonly LogEntry[], event: string) =>
  entries.filter((entry) => entry.event === event).reduce((sum, { count }) => sum + count, 0);

describe("the machine's log", () => {
  it("[ADMIN-16] counts everything that happened exactly, evictions between any two steps included", async () => {
    const { room } = await populate();
    room.wall += 2_000;
    await room.evict();
    const entries = await logOf(room);
    const stats = await room.stats();
    for (const what of HAPPENINGS) expect([what, sumOf(entries, what)]).toEqual([what, stats[`${what}_total`]]);
    expect(HAPPENINGS.filter((what) => sumOf(entries, what) === 0)).toEqual(["over", "refused"]);
    for (const { count, places, dropped, event } of entries)
      if (event !== "phase" && event !== "joins") expect(places.length + dropped).toBe(count);
    expect(stats.recent.log.length).toBeGreaterThan(0);
  });

  it("[ADMIN-16] names the first places of a second, says how many more there were, and writes one row for it", async () => {
    const room = new RoomUnderTest({ queue_all: true });
    await room.exchange();
    room.wall += 5_000;
    const keys = (from: number) => Array.from({ length: 100 }, (_, i) => joinOf(`v${from + i}`, false));
    await room.exchange({ joins: keys(0) });
    room.wall += 100;
    await room.exchange({ joins: keys(100) });
    room.wall += 1_000;
    await room.exchange();
    const joins = (await logOf(room)).filter(({ event }) => event === "joined");
    expect(joins).toMatchObject([
      { count: 100, places: [100, 101, 102, 103, 104, 105, 106, 107], dropped: 92 },
      { count: 100, places: [0, 1, 2, 3, 4, 5, 6, 7], dropped: 92 },
    ]);
  });

  it("[ADMIN-16] tells changes of state at once, from what to what, also those that a deployment made", async () => {
    const room = new RoomUnderTest();
    await room.exchange();
    await room.turn("pause");
    await room.turn("stop-joins");
    room.deploy({ suspended: true });
    await room.evict();
    await room.exchange();
    const changes = (await logOf(room)).filter(({ detail }) => detail !== null);
    expect(changes.map(({ event, detail }) => [event, detail])).toEqual([
      ["phase", "paused → off"],
      ["joins", "open → stopped"],
      ["phase", "open → paused"],
    ]);
  });

  it("[ADMIN-16] begins anew with a new line, whose counts begin at nothing", async () => {
    const room = new RoomUnderTest();
    await room.join("a", "b");
    await room.turn("reset", room.name);
    await room.join("c");
    room.wall += 2_000;
    await room.exchange();
    expect(sumOf(await logOf(room), "joined")).toBe(3);
  });
});

describe("the minutes", () => {
  it("[ADMIN-17] have counts of each minute and how it ended, the running one last; nothing is lost by an eviction", async () => {
    const room = new RoomUnderTest({ new_users_per_minute: 60 });
    await room.join("a", "b", "c");
    for (let i = 0; i < 6; i++) {
      room.wall += 20_000;
      if (i === 3) await room.evict();
      await room.exchange({ joins: [joinOf(`m${i}`, false)] });
    }
    const minutes = await seriesOf(room);
    expect(minutes.map(({ at, joined }) => [Date.parse(at) - T, joined])).toEqual([
      [0, 5],
      [60_000, 3],
      [120_000, 1],
    ]);
    expect(minutes[0]).toMatchObject({ new_users_per_minute: 60, total_active_users: 5, refused: 0 });
    const { waiting, inside } = await room.stats();
    expect(minutes.at(-1)).toMatchObject({ waiting, inside });
  });

  it("[ADMIN-22] tell how long those who went in had waited, through evictions, once each, and not those who only came back", async () => {
    const room = new RoomUnderTest({ ...POPULATED, total_active_users: 50 });
    await room.exchange();
    room.wall += 5_000;
    const waitOf = async (slot: number, seconds: number) => {
      await room.exchange({ joins: [joinOf(`w${slot}`, false)] });
      const { claims } = await room.exchange({ claims: [{ ...claimOf(slot, room.wall), joinedAtS: room.wall / 1_000 - seconds }] });
      expect(claims).toMatchObject([{ as: "entered" }]);
      await room.evict();
      room.wall += 1_000;
    };
    await waitOf(0, 600);
    await waitOf(1, 60);
    await waitOf(2, 60);
    room.wall = T + 60_000;
    await waitOf(3, 30);
    const back = { ...claimOf(3, room.wall), joinedAtS: T / 1_000 - 9_000 };
    await room.exchange({ claims: [back] });
    // Idle for too long, and back.
    room.wall = T + 60_000 + 130_000;
    await room.exchange();
    expect(okOf(await room.run((inside) => inside.place({ generation: 1, slot: 3 }))).state).toBe("lapsed");
    await room.exchange({ claims: [back] });
    const minutes = await seriesOf(room);
    expect(minutes.map((minute) => [minute.entered, minute.wait_p50_seconds, minute.wait_max_seconds])).toEqual([
      [3, expect.any(Number), 600],
      [1, 30, 30],
      [1, null, null],
    ]);
    expect(minutes[0]?.wait_p50_seconds).toBeGreaterThan(50);
    expect(minutes[0]?.wait_p50_seconds).toBeLessThan(70);
    expect(await room.stats()).toMatchObject({ entered_total: 5, wait_max_seconds: 600, wait_p95_seconds: expect.any(Number) });
    await room.turn("reset", room.name);
    expect(await room.stats()).toMatchObject({ wait_p50_seconds: null, wait_max_seconds: null });
  });

  it("[ADMIN-17] tell what share of the site's replies failed, null where nothing was asked of it", async () => {
    const room = new RoomUnderTest();
    await room.exchange({ origin: { ok: 7, failed: 1, slow: 0 } });
    room.wall += 60_000;
    await room.exchange();
    expect((await seriesOf(room)).map((minute) => minute.origin_error_percent)).toEqual([12.5, null]);
  });
});

describe("one visitor's place", () => {
  const show = async (room: RoomUnderTest, slot: number, generation = 1): Promise<PlaceShown> =>
    okOf(await room.run((inside) => inside.place({ generation, slot })));
  const act = async (room: RoomUnderTest, as: PlaceAct["as"], slot: number, next = "next".padEnd(22, "0"), generation = 1) =>
    room.run((inside) => inside.actOnPlace({ as, generation, slot, next }, OPERATOR));

  it("[ADMIN-18] is shown in every state", async () => {
    const { room, waiting, called, lapsed, missed, returning, passedOver, leaving, gone, inside, total } = await populate();
    const [entered = 0] = [...inside.keys()].filter((slot) => slot !== lapsed && slot !== leaving).slice(-1);
    const states = await Promise.all(
      [waiting, called, lapsed, missed, returning, passedOver, leaving, gone, total].map(async (slot) => (await show(room, slot)).state),
    );
    expect(states).toEqual(["waiting", "called", "lapsed", "missed", "returning", "passed-over", "leaving", "ended", "unknown"]);
    expect(await show(room, entered)).toMatchObject({ until: expect.stringMatching(/^2100-/), ahead: null });
    expect(await show(room, waiting)).toMatchObject({ ahead: expect.any(Number), last_seen_at: expect.any(String) });
    expect((await show(room, 3, 0)).state).toBe("restarted");
    expect((await show(room, 3, 9)).state).toBe("unknown");
  });

  it("[ADMIN-18] is taken away in line and inside, once; whoever had it may join again", async () => {
    const { room, waiting, called, inside } = await populate();
    const [entered = 0] = [...inside.keys()].slice(-1);
    for (const slot of [waiting, called, entered]) okOf(await act(room, "remove", slot));
    expect([(await show(room, waiting)).state, (await show(room, called)).state]).toEqual(["ended", "ended"]);
    expect(["leaving", "ended"]).toContain((await show(room, entered)).state);
    okOf(await act(room, "remove", waiting));
    const audit = okOf(await room.run((live) => live.audit({ before: null, limit: 10 })));
    expect(audit.filter(({ action }) => action === "remove" && audit.length > 0).length).toBeGreaterThanOrEqual(2);
    expect((await room.exchange({ claims: [claimOf(waiting, room.wall)] })).claims).toMatchObject([{ as: "ended" }]);
    expect((await room.join("again")).joins).toMatchObject([{ as: "placed" }]);
    expect(await act(room, "remove", 999)).toEqual({ as: "unknown-place" });
  });

  it("[ADMIN-19] banned, is refused by its own key and by that of the place after it, through restarts and resets, until the ban is lifted", async () => {
    const room = new RoomUnderTest({ queue_all: true });
    await room.join("good", "bad", "forgiven");
    const banned = okOf(await act(room, "ban", 1));
    expect(banned).toMatchObject({ state: "ended", banned: { by: AUTHOR } });
    // Both bans are of the key `next`: it is free when both are lifted.
    for (const as of ["ban", "unban"] as const) okOf(await act(room, as, 2));
    const next = "next".padEnd(22, "0");
    const joins = async () =>
      (await room.exchange({ joins: [joinOf("bad", false), { ...joinOf("x", false), key: next }, joinOf("good", false)] })).joins;
    const refused = { as: "refused", why: "stopped", banned: true };
    expect(await joins()).toMatchObject([refused, refused, { as: "placed", slot: 0 }]);
    await room.evict();
    expect(await joins()).toMatchObject([refused, refused, {}]);
    await room.turn("reset", room.name);
    expect(await joins()).toMatchObject([refused, refused, { as: "placed" }]);
    expect(okOf(await room.run((inside) => inside.bans()))).toMatchObject([{ generation: 1, slot: 1, by: AUTHOR }]);
    okOf(await act(room, "unban", 1));
    expect(await joins()).toMatchObject([{ as: "placed" }, { as: "placed" }, {}]);
    expect((await show(room, 1)).banned).toBeNull();
  });

  it("[ADMIN-19] banned in a room that asks who somebody is, they themselves are", async () => {
    const room = new RoomUnderTest({ queue_all: true, entry: "invited" });
    const guest = { ...joinOf("ana", false), guest: { invitation: null } };
    expect((await room.exchange({ joins: [guest] })).joins).toMatchObject([{ as: "placed", slot: 0 }]);
    // As after sixteen thousand further joins.
    await room.run((_, { storage }) => storage.sql.exec("UPDATE steps SET changes = x''"));
    await room.evict();
    okOf(await act(room, "ban", 0));
    expect((await room.exchange({ joins: [guest] })).joins).toMatchObject([{ as: "refused", banned: true }]);
  });

  it.each(["open", "invited"])(
    "[ADMIN-19][DRAW-1] banned by a place that was drawn (entry: %s), is known by the entry that got it",
    async (entry) => {
      const at = (minutes: number) => new Date(T + minutes * 60_000).toISOString();
      const times = { prequeue_start_time: at(1), event_start_time: at(2), event_end_time: at(60) };
      const sale = { name: "sale", shuffle_at_event_start: true, ...times };
      const room = new RoomUnderTest({ queue_all: true, entry, beacon: "none", events: [sale] });
      const who = (name: string) => ({ ...joinOf(name, false), ...(entry === "invited" && { guest: { invitation: null } }) });
      const names = Array.from({ length: 9 }, (_, i) => `who${i}`);
      await room.join("in front");
      room.wall = T + 60_000;
      const { joins } = await room.exchange({ joins: names.map(who) });
      expect(joins.at(-1)).toMatchObject({ as: "entry", entry: 8 });
      room.wall = T + 120_000;
      await room.exchange();
      const record = await room.run((inside) => inside.draw("latest"));
      if (record === null || !("seed" in record)) throw new Error("not drawn");
      // As after sixteen thousand further joins, where somebody is known by more than a browser; and after four further draws.
      if (entry === "invited") await room.run((_, { storage }) => storage.sql.exec("UPDATE steps SET changes = x''"));
      await room.run((_, { storage }) => storage.sql.exec("UPDATE steps SET counters = json_set(counters, '$.drawn', json('[]'))"));
      await room.evict();
      okOf(await act(room, "ban", slotOf(record, 4)));
      const again = (await room.exchange({ joins: names.map(who) })).joins;
      expect(again.map((verdict) => "banned" in verdict)).toEqual(names.map((_, i) => i === 4));
    },
  );
});
