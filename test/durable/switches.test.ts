/** Every switch of the operator, on a Room with somebody in every state. */
import { describe, expect, it, vi } from "vitest";
import type { OperatorSettings, SwitchName } from "../../src/core/admin";
import { EXCHANGE_VERSION } from "../../src/core/exchange";
import { isConserved } from "../support/conserved";
import { claimOf, populate } from "../support/populated";
import { batchOf, joinOf, OPERATOR, okOf, RoomUnderTest, T } from "../support/room";

describe("a switch", () => {
  it.each<[SwitchName, SwitchName | null]>([
    ["pause", "resume"],
    ["stop-joins", "allow-joins"],
    ["sold-out", "reopen"],
    ["flush", null],
    ["end-sessions", null],
  ])("[ROOM-11] %s says whether it changed anything, how soon every edge acts on it, and for how many", async (name, back) => {
    const { room } = await populate();
    const { waiting, called, inside } = await room.stats();
    const result = await room.turn(name);
    expect(result).toMatchObject({ room: room.name, done: name, changed: true, effective_within_seconds: 5 });
    expect(result.counts).toEqual({ waiting, called, inside });
    expect(result.revision).toBe(name === "pause" ? (await room.describe()).revision : null);
    expect(await room.turn(name)).toMatchObject({ changed: false, revision: null });
    await room.evict();
    expect((await room.turn(name)).changed).toBe(false);
    if (back === null) return;
    expect(await room.turn(back)).toMatchObject({ done: back, changed: true });
    expect((await room.turn(back)).changed).toBe(false);
  });

  it("[ASK-5] under-attack asks every newcomer until calm, and each change is a line in the log with its numbers, also when it is not the operator", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const lines = () => warn.mock.calls.map(([line]) => JSON.parse(String(line))).filter(({ alert }) => alert === true);
    const room = new RoomUnderTest({ challenge: "pow", under_attack_joins_per_minute: 10 });
    const joins = (name: string, count: number) =>
      Array.from({ length: count }, (_, i) => ({ ...joinOf(`${name}-${i}`, false), proof: 0 }));
    expect(await room.turn("under-attack")).toMatchObject({ done: "under-attack", changed: true });
    expect((await room.turn("under-attack")).changed).toBe(false);
    await room.evict();
    expect((await room.exchange({ joins: joins("a", 1) })).joins).toEqual([{ as: "challenge", cost: 1 }]);
    expect((await room.describe()).switches.under_attack).toBe(true);
    expect(await room.turn("calm")).toMatchObject({ done: "calm", changed: true });
    await room.evict();
    room.wall += 16 * 60_000;
    expect((await room.exchange({ joins: joins("b", 11) })).manifest.challenge).toMatchObject({ everyone: true, cost: 1 });
    await room.evict();
    expect((await room.stats()).under_attack).toMatchObject({ by: "threshold" });
    await room.evict();
    room.wall += 6 * 60_000;
    expect((await room.exchange()).manifest.challenge).toMatchObject({ everyone: false });
    expect((await room.stats()).under_attack).toBeNull();
    expect(lines().map(({ event, by, attempts_last_minute: attempts }) => [event, by, attempts])).toEqual([
      ["under-attack", "operator", 0],
      ["attack-over", "operator", 1],
      ["under-attack", "threshold", 11],
      ["attack-over", "threshold", 0],
    ]);
    expect(lines()[2]).toMatchObject({ room: room.name, under_attack_joins_per_minute: 10 });
    warn.mockRestore();
  });

  it("[ASK-5] under-attack is refused by name while there is nothing to ask for", async () => {
    const room = new RoomUnderTest();
    const problems = [{ setting: "challenge", problem: expect.stringContaining("is off") }];
    const refused = await room.run((live) => live.turn("under-attack", OPERATOR, null));
    expect(refused).toEqual({ as: "invalid", problems });
    expect((await room.describe()).switches.under_attack).toBe(false);
    expect((await room.turn("calm")).changed).toBe(false);
  });

  it("[ROOM-11][P8] G16 pause lets nobody in from that moment on, and costs nobody a turn", async () => {
    const { room, called } = await populate();
    await room.turn("pause");
    expect((await room.describe()).overrides).toEqual({ queue_all: true });
    const reply = await room.exchange({ claims: [claimOf(called, room.wall)] });
    expect(reply).toMatchObject({ claims: [{ as: "paused" }], manifest: { phase: "paused", config: 2 } });
    room.wall += 3_600_000;
    await room.evict();
    expect((await room.claim(called)).claims).toEqual([{ as: "paused" }]);
    await room.turn("resume");
    expect((await room.claim(called)).claims).toMatchObject([{ as: "entered" }]);
  });

  it("[ROOM-11][P8] pause by setting queue_all is the same pause, from the moment it was set", async () => {
    const { room, called } = await populate();
    await room.change({ queue_all: true });
    await room.evict();
    room.wall += 3_600_000;
    expect((await room.turn("resume")).changed).toBe(true);
    expect((await room.claim(called)).claims).toMatchObject([{ as: "entered" }]);
  });

  it("[ROOM-11] resume lets people in although wrangler.toml says queue_all", async () => {
    const room = new RoomUnderTest({ queue_all: true });
    expect((await room.exchange()).manifest.phase).toBe("paused");
    expect((await room.turn("pause")).changed).toBe(false);
    expect((await room.turn("resume")).changed).toBe(true);
    expect((await room.exchange()).manifest.phase).toBe("open");
    expect((await room.describe()).overrides).toEqual({ queue_all: false });
  });

  it("[ROOM-11] stop-joins and sold-out tell newcomers, and are undone", async () => {
    const { room, waiting } = await populate();
    await room.turn("stop-joins");
    expect((await room.describe()).switches).toEqual({ joins_stopped: true, ended: false, under_attack: false });
    await room.evict();
    const stopped = await room.join("newcomer");
    expect(stopped).toMatchObject({ joins: [{ as: "refused", why: "stopped" }], manifest: { joins: "stopped" } });
    await room.turn("allow-joins");
    expect((await room.join("newcomer")).joins).toMatchObject([{ as: "placed", slot: 13 }]);
    await room.turn("sold-out");
    await room.evict();
    const ended = await room.join("another");
    expect(ended).toMatchObject({ joins: [{ as: "refused", why: "ended" }], manifest: { phase: "ended", joins: "ended" } });
    await room.turn("reopen");
    expect((await room.claim(waiting, "look")).claims).toEqual([{ as: "waiting" }]);
  });

  it("[ROOM-11] flush ends whoever is not inside; end-sessions whoever is", async () => {
    const { room, waiting, inside } = await populate();
    await room.turn("flush");
    expect(await room.stats()).toMatchObject({ waiting: 0, called: 0, inside: inside.size });
    expect((await room.claim(waiting)).claims).toEqual([{ as: "ended", why: "flushed" }]);
    await room.turn("end-sessions");
    const stats = await room.stats();
    expect(stats.inside).toBe(0);
    expect(stats.leaving).toBe(inside.size + 1);
    expect(isConserved(stats)).toBe(true);
    const { manifest } = await room.exchange();
    expect(manifest.endSessionsBefore).toBeGreaterThan(room.wall / 1_000);
  });

  it.each<SwitchName>(["flush", "reset"])(
    "[ROOM-11][ADMIN-15] %s in a lobby says for how many: who has entered has no slot yet, but is in line",
    async (name) => {
      const at = (minutes: number) => new Date(T + minutes * 60_000).toISOString();
      const times = { prequeue_start_time: at(1), event_start_time: at(5), event_end_time: at(60) };
      const room = new RoomUnderTest({ beacon: "none", events: [{ name: "sale", shuffle_at_event_start: true, ...times }] });
      await room.exchange();
      room.wall += 60_000;
      await room.join("a", "b", "c");
      const foreseen = okOf(await room.run((inside) => inside.foresee({ as: "switch", name })));
      const counts = { waiting: 3, called: 0, inside: 0 };
      expect([foreseen.counts, (await room.turn(name, room.name)).counts]).toEqual([counts, counts]);
      const [entry] = okOf(await room.run((inside) => inside.audit({ before: null, limit: 1 })));
      expect(entry).toMatchObject({ action: name, before: counts });
    },
  );

  it("[ROOM-11] reset needs the room's name typed, and starts the next generation with nothing of the last", async () => {
    const { room, called, inside } = await populate();
    for (const confirm of [null, "", "another", room.name.toUpperCase()]) {
      expect(await room.run((instance) => instance.turn("reset", OPERATOR, confirm))).toEqual({
        as: "needs-confirmation",
        confirm: room.name,
      });
    }
    expect((await room.describe()).generation).toBe(1);
    expect((await room.turn("reset", room.name)).changed).toBe(true);
    expect(await room.stats()).toMatchObject({ waiting: 0, called: 0, inside: 0 });
    await room.evict();
    const reply = await room.exchange({ claims: [claimOf(called, room.wall)] });
    expect(reply).toMatchObject({ claims: [{ as: "restarted" }], manifest: { generation: 2, admittedEpoch: 0, tail: 0 } });
    // The places of the old line stay taken until no edge lets its passes through.
    expect((await room.stats()).places_free).toBeLessThanOrEqual(6 - inside.size);
    room.wall += 6_000;
    expect(await room.stats()).toMatchObject({ generation: 2, issued: 0, places_free: 6 });
    const fresh = await room.exchange({ generation: 2, joins: [joinOf("is-called", true)] });
    expect(fresh.joins).toMatchObject([{ as: "entered", pass: { slot: 0 } }]);
    // Of the old line nothing is left, neither in records nor in rows of its own.
    await room.evict();
    expect((await room.exchange({ generation: 2, joins: [joinOf("waits", false)] })).joins).toMatchObject([{ as: "placed", slot: 1 }]);
  });
});

describe("edges that have not heard of a change of the settings", () => {
  const entered = async (file: OperatorSettings) => {
    const room = new RoomUnderTest(file);
    await room.exchange();
    room.wall += 2_000;
    expect((await room.exchange({ joins: [joinOf("inside", true)] })).joins).toMatchObject([{ as: "entered" }]);
    return room;
  };

  it.each(["live", "by a deploy"])("[P1][P8] lowering revoke_bound_seconds %s frees no place before they must have asked", async (how) => {
    const room = await entered({ revoke_bound_seconds: 60 });
    if (how === "live") okOf(await room.change({ revoke_bound_seconds: 3 }));
    else {
      room.deploy({ revoke_bound_seconds: 3 });
      await room.evict();
    }
    expect((await room.describe()).settings["revoke_bound_seconds"]).toBe(3);
    room.wall += 10_000;
    expect(await room.turn("end-sessions")).toMatchObject({ changed: true, effective_within_seconds: 50 });
    room.wall += 48_000;
    expect(await room.stats()).toMatchObject({ inside: 0, leaving: 1 });
    room.wall += 3_000;
    expect(await room.stats()).toMatchObject({ inside: 0, leaving: 0 });
    expect((await room.turn("end-sessions")).effective_within_seconds).toBe(3);
  });

  it("[P1] an event of another day holds nothing back", async () => {
    const times = { event_start_time: new Date(T + 70_000).toISOString(), event_end_time: new Date(T + 600_000).toISOString() };
    const room = await entered({ revoke_bound_seconds: 3, events: [{ name: "sale", ...times, revoke_bound_seconds: 60 }] });
    okOf(await room.change({ message: "Soon" }));
    expect(await room.turn("end-sessions")).toMatchObject({ changed: true, effective_within_seconds: 3 });
  });

  it("[P1] nor does an event that was called off just before it would have made them trust older news, nor a new line after it", async () => {
    const times = { event_start_time: new Date(T + 4_000).toISOString(), event_end_time: new Date(T + 600_000).toISOString() };
    const sale = { name: "sale", ...times, revoke_bound_seconds: 60 };
    const room = await entered({ revoke_bound_seconds: 3, events: [sale] });
    okOf(await room.change({ events: [] }));
    await room.turn("reset", room.name);
    await room.turn("reset", room.name);
    room.wall += 58_000;
    expect(await room.stats()).toMatchObject({ places_free: 4 });
    room.wall += 3_000;
    expect(await room.stats()).toMatchObject({ places_free: 5 });
  });
});

describe("an exchange", () => {
  it("[ROOM-13] is understood in this version and those next to it, and answered in the older of the two", async () => {
    const room = new RoomUnderTest();
    for (const v of [EXCHANGE_VERSION - 1, EXCHANGE_VERSION, EXCHANGE_VERSION + 1]) {
      expect((await room.exchange({ v })).v).toBe(Math.min(v, EXCHANGE_VERSION));
    }
    for (const v of [EXCHANGE_VERSION + 2, EXCHANGE_VERSION - 2, EXCHANGE_VERSION + 0.5, Number.NaN]) {
      await expect(room.run((inside) => inside.exchange(batchOf({ v })))).rejects.toThrow(/exchange version .* is not known/);
    }
  });

  it("[ROOM-14] adds up what the edges saw of the origin since the Room was loaded", async () => {
    const room = new RoomUnderTest();
    await room.exchange({ origin: { ok: 3, failed: 1, slow: 0 } });
    await room.exchange({ origin: { ok: 2, failed: 0, slow: 4 } });
    expect((await room.stats()).origin).toEqual({ ok: 5, failed: 1, slow: 4 });
    await room.evict();
    expect((await room.stats()).origin).toEqual({ ok: 0, failed: 0, slow: 0 });
  });

  it("[ROOM-3][P7] S2 C34 counts the joins of a network across evictions", async () => {
    const room = new RoomUnderTest({ join_limit_per_minute: 3, over_limit: "refuse" });
    const verdicts = [];
    for (let i = 0; i < 5; i++) {
      room.wall += 5_000;
      const { joins } = await room.exchange({ joins: [joinOf(`bot-${i}`, false, 77)] });
      verdicts.push(joins[0]?.as);
      await room.evict();
    }
    expect(verdicts).toEqual(["placed", "placed", "placed", "refused", "refused"]);
    room.wall += 60_000;
    expect((await room.exchange({ joins: [joinOf("bot-9", false, 77)] })).joins[0]?.as).toBe("placed");
  });

  it("[ROOM-4] goes on from the stored time on a host whose clock is behind", async () => {
    const room = new RoomUnderTest();
    const { manifest } = await room.join("a");
    await room.evict();
    room.wall -= 3_600_000;
    expect((await room.exchange()).manifest.at).toBe(manifest.at);
    expect(await room.run((_, { storage }) => storage.sql.exec("SELECT max(now) AS now FROM steps").one())).toEqual({ now: manifest.at });
  });

  it("[ROOM-4][P2] O7 lets nobody in for the hours that a Room slept beyond the burst, and ends what has ended", async () => {
    const { room, inside, total } = await populate();
    await room.evict();
    room.wall += 24 * 3_600_000;
    const claims = Array.from({ length: total }, (_, slot) => claimOf(slot, room.wall - 24 * 3_600_000, { serial: inside.get(slot) ?? 0 }));
    const before = await room.stats();
    // Who was called has missed the turn, and may come back; everybody else's time was over long ago.
    expect(before).toMatchObject({ inside: 0, lapsed: 0, leaving: 0, called: 1, missed: 1, passed_over: 0 });
    const reply = await room.exchange({ claims });
    expect(reply.claims.filter(({ as }) => as === "entered").length).toBeLessThanOrEqual(6);
    expect((await room.stats()).entered_total - before.entered_total).toBeLessThanOrEqual(10);
  });
});
