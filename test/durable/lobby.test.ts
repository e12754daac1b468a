/** Lobby and draw in the Room's shell: storage, alarms, the side channel to drand, and what edge and operator are told. */
import { afterAll, describe, expect, it, vi } from "vitest";
import { ALARM_EVERY_MS } from "../../durable/watchdog";
import type { OperatorSettings } from "../../src/core/admin";
import { toHex } from "../../src/core/bytes";
import { type DrandRound, publishedAtMs, roundAfter } from "../../src/core/drand";
import type { DrawRecord } from "../../src/core/draw";
import { verifyDraw } from "../../src/core/draw-check";
import { checkRecord } from "../../src/core/draw-sync";
import { sha256 } from "../../src/core/sha256";
import { saltOf } from "../support/line-world";
import { batchOf, joinOf, RoomUnderTest, T } from "../support/room";

const MINUTE = 60_000;
const OPENS = T + 10 * MINUTE;
const STARTS = T + 20 * MINUTE;
const ENDS = STARTS + 60 * MINUTE;
const ROUND = roundAfter(STARTS);
const time = (ms: number) => new Date(ms).toISOString();

function saleRoom(file: OperatorSettings = {}, seed = 1): RoomUnderTest {
  const sale = {
    name: "sale",
    prequeue_start_time: time(OPENS),
    event_start_time: time(STARTS),
    event_end_time: time(ENDS),
    shuffle_at_event_start: true,
  };
  return new RoomUnderTest({ total_active_users: 50, beacon: "none", events: [sale], ...file }, seed);
}

function roundOf(round: number): DrandRound {
  const signature = new Uint8Array([...saltOf(1), ...saltOf(2).subarray(0, 16)]);
  return { round, signature: toHex(signature), randomness: toHex(sha256(signature)) };
}

const drawOf = (room: RoomUnderTest, id: number | "latest") => room.run((inside) => inside.draw(id));
const batchesOf = (room: RoomUnderTest, id: number, from = 0) => room.run((inside) => inside.drawBatches(id, from));
/** A long silence is believed by a Room that was not in memory meanwhile. */
async function sleepUntil(room: RoomUnderTest, wall: number): Promise<void> {
  await room.run(() => undefined);
  await room.evict();
  room.wall = wall;
}

/** What is under way beside the calls has come to its end. */
const settled = (room: RoomUnderTest) => room.run(() => new Promise((resolve) => setTimeout(resolve, 0)));

/** Every start of these rooms warns of an open draw. */
const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
afterAll(() => warn.mockRestore());

describe("[ROOM-16] a draw in the Room", () => {
  it("[P7][P13] is the same through an eviction at every step: entries, list, record; anybody can recompute it", async () => {
    const play = async (evict: boolean) => {
      const room = saleRoom();
      const step = async (wall: number) => {
        if (evict || wall - room.wall > MINUTE) await sleepUntil(room, wall);
        room.wall = wall;
      };
      await step(OPENS);
      const verdicts = [];
      for (let i = 0; i < 4; i++) {
        await step(OPENS + 1_000 * i);
        verdicts.push(...(await room.join(`a${i}`, `b${i}`)).joins);
        await step(OPENS + 1_000 * i + 500);
        expect((await room.join(`a${i}`)).joins).toEqual([verdicts.at(-2)]);
      }
      await step(STARTS);
      const record = (await drawOf(room, "latest")) as DrawRecord;
      await step(STARTS + 5_000);
      const log = await batchesOf(room, record.id);
      const again = await drawOf(room, record.id);
      const { manifest } = await room.exchange();
      return { room, verdicts, record, again, log, manifest };
    };
    const wanted = await play(false);
    const evicted = await play(true);
    for (const { verdicts, record, again, log, manifest } of [wanted, evicted]) {
      expect(verdicts.map((verdict) => (verdict.as === "entry" ? verdict.entry : null))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect(checkRecord(record)).toEqual([]);
      expect(again).toEqual(record);
      expect(log.map(({ first }) => first)).toEqual([0, 2, 4, 6]);
      expect(manifest.draws).toMatchObject([{ id: 1, count: 8, base: 0, seed: record.seed }]);
      const receipt = verdicts[5]?.as === "entry" ? toHex(Buffer.from(verdicts[5].chain, "base64url")) : null;
      const check = await verifyDraw(record, 5, async (bytes) => sha256(bytes), { batches: log, receipt });
      expect(check).toMatchObject({ problems: [], looked: { chain: true, receipt: true } });
    }
    // The name of the room is part of chain and seed: everything else is the same.
    const { room: _, chain: __, entriesHash: ___, seed: ____, ...same } = wanted.record;
    expect(evicted.record).toMatchObject(same);
    expect(evicted.log).toEqual(wanted.log);
  });

  it("S8 is told as far as it is fixed: nothing of the entries while they are counted, no salt or seed before it took place", async () => {
    const room = saleRoom({ beacon: "drand", public_totals: "hidden" });
    expect(await drawOf(room, "latest")).toBeNull();
    expect(await drawOf(room, 1)).toBeNull();
    await sleepUntil(room, OPENS);
    await room.join("a", "b");
    const collecting = await drawOf(room, 1);
    expect(collecting).toMatchObject({
      pending: "collecting",
      count: null,
      beaconRule: "drand",
      openedAt: time(OPENS),
      closedAt: null,
      chain: null,
    });
    expect(await batchesOf(room, 1)).toEqual([]);
    await sleepUntil(room, STARTS);
    const drawing = await drawOf(room, 1);
    expect(drawing).toMatchObject({ pending: "drawing", count: 2, round: ROUND, closedAt: time(STARTS) });
    expect(await batchesOf(room, 1)).toHaveLength(1);
    const salt = toHex(room.salt);
    expect(JSON.stringify([collecting, drawing, await room.stats(), (await room.exchange()).manifest])).not.toContain(salt);
    expect(await drawOf(room, "latest")).toBeNull();
    room.beacon = (round) => Promise.resolve({ found: true, round: roundOf(round) });
    room.wall = publishedAtMs(ROUND);
    await room.exchange();
    await settled(room);
    expect(await drawOf(room, "latest")).toMatchObject({ id: 1, salt, beacon: roundOf(ROUND) });
  });

  it("asks drand beside the line: not before the round is there, one question at a time, less often while it fails", async () => {
    const room = saleRoom({ beacon: "drand" });
    const asked: number[] = [];
    let answer: ((found: boolean) => void) | null = null;
    room.beacon = (round) => {
      asked.push(round);
      return new Promise((resolve) => {
        answer = (found) => resolve(found ? { found, round: roundOf(round) } : { found, tried: [] });
      });
    };
    const reply = (found: boolean) => room.run(() => answer?.(found));
    await sleepUntil(room, OPENS);
    await room.join("a");
    await sleepUntil(room, STARTS);
    expect((await room.exchange()).manifest.phase).toBe("drawing");
    await room.fireAlarm();
    expect(await room.alarmAt()).toBe(STARTS + ALARM_EVERY_MS);
    room.wall = publishedAtMs(ROUND) - 1;
    await room.fireAlarm();
    expect(asked).toEqual([]);
    room.wall += 1;
    await room.fireAlarm();
    for (let i = 0; i < 3; i++) {
      room.wall += 1_000;
      // The line goes on while nobody answers.
      expect((await room.exchange()).manifest.phase).toBe("drawing");
    }
    expect(asked).toEqual([ROUND]);
    await reply(false);
    await settled(room);
    for (let i = 0; i < 20; i++) {
      room.wall += 1_000;
      await room.exchange();
      await reply(false);
      await settled(room);
    }
    expect(asked.length).toBeLessThan(7);
    room.wall += 8_000;
    await room.exchange();
    await reply(true);
    await settled(room);
    expect((await room.exchange()).manifest).toMatchObject({ phase: "open", draws: [{ id: 1 }] });
  });

  it("takes place without drand after the wait, also if its answers throw, and by the alarm alone", async () => {
    const room = saleRoom({ beacon: "drand", beacon_wait_seconds: 15 });
    room.beacon = () => Promise.reject(new Error("no network"));
    await sleepUntil(room, OPENS);
    await room.join("a");
    const alarm = await room.alarmAt();
    expect(alarm).toBe(STARTS);
    await sleepUntil(room, STARTS);
    while (room.wall < publishedAtMs(ROUND) + 17_000) {
      await room.fireAlarm();
      await settled(room);
      room.wall += ALARM_EVERY_MS;
    }
    const stored = await room.run((_, { storage }) => storage.sql.exec<{ record: string }>("SELECT record FROM draws").toArray());
    expect(stored.map(({ record }) => JSON.parse(record))).toMatchObject([{ id: 1, beacon: { fallback: true } }]);
  });

  it("[LOBBY-10] that never takes place leaves a record of that, for ever; one that is closed survives an emptied line", async () => {
    const room = saleRoom({ beacon: "drand" });
    await sleepUntil(room, OPENS);
    await room.join("a", "b");
    const { commitment } = (await drawOf(room, 1)) as DrawRecord;
    await room.turn("flush");
    await room.evict();
    const flushed = { id: 1, event: "sale", commitment, count: 2, dropped: "flushed", at: time(OPENS), openedAt: time(OPENS) };
    expect(await drawOf(room, 1)).toMatchObject(flushed);
    expect(await batchesOf(room, 1)).toEqual([]);
    await room.join("c");
    await room.turn("reset", room.name);
    expect(await drawOf(room, 2)).toMatchObject({ count: 1, dropped: "reset", generation: 1 });
    await room.join("d", "e", "f");
    await sleepUntil(room, STARTS);
    expect(await drawOf(room, 3)).toMatchObject({ pending: "drawing", count: 3 });
    await room.turn("flush");
    room.beacon = (round) => Promise.resolve({ found: true, round: roundOf(round) });
    await sleepUntil(room, publishedAtMs(ROUND));
    await room.exchange();
    await settled(room);
    const record = (await drawOf(room, 3)) as DrawRecord;
    expect(record).toMatchObject({ count: 3, beacon: roundOf(ROUND) });
    expect(checkRecord(record)).toEqual([]);
    expect(await drawOf(room, "latest")).toEqual(record);
    expect(await drawOf(room, 1)).toMatchObject(flushed);
  });

  it("[LOBBY-6] asks drand before it goes on without, also if the Room was down for all of the wait", async () => {
    const room = saleRoom({ beacon: "drand", beacon_wait_seconds: 15 });
    await sleepUntil(room, OPENS);
    await room.join("a");
    await sleepUntil(room, STARTS);
    await room.exchange();
    await sleepUntil(room, STARTS + 10 * MINUTE);
    room.beacon = (round) => Promise.resolve({ found: true, round: roundOf(round) });
    expect((await room.exchange()).manifest.phase).toBe("drawing");
    await settled(room);
    expect(await drawOf(room, "latest")).toMatchObject({ beacon: roundOf(ROUND), drawnAt: time(STARTS + 10 * MINUTE) });
  });

  it("[ROOM-1] happens or does not: whichever storage statement fails, the next call draws the same", async () => {
    const room = saleRoom();
    await sleepUntil(room, OPENS);
    await room.join("a", "b", "c");
    await sleepUntil(room, STARTS);
    for (let index = 0; index < 40; index++) {
      let count = 0;
      const failed = await room.shadowed(
        ({ storage }) => {
          const exec = storage.sql.exec.bind(storage.sql) as (query: string, ...values: unknown[]) => unknown;
          return {
            exec: (query, ...values) => {
              if (count++ === index) throw new Error("disk full");
              return exec(query, ...values);
            },
          };
        },
        (inside) =>
          inside.exchange(batchOf({ joins: [joinOf(`late${index}`, false)] })).then(
            () => false,
            () => true,
          ),
      );
      if (!failed) break;
      expect(index).toBeLessThan(39);
    }
    expect(await room.run((_, { storage }) => storage.sql.exec("SELECT id FROM draws").toArray())).toEqual([{ id: 1 }]);
    const record = (await drawOf(room, 1)) as DrawRecord;
    expect(record).toMatchObject({ count: 3, base: 0, salt: toHex(room.salt) });
    expect(checkRecord(record)).toEqual([]);
  });

  it("[ROOM-6] takes place in a room whose database was made before there were draws", async () => {
    const room = saleRoom();
    await room.join("before");
    await room.run((_, { storage }) => {
      const first = ["line", "blocks", "gone", "joins", "revisions", "schema_version"];
      const tables = storage.sql.exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
      );
      storage.sql.exec("CREATE TABLE line (id INTEGER PRIMARY KEY CHECK (id = 0), now INTEGER NOT NULL, counters TEXT NOT NULL)");
      storage.sql.exec("INSERT INTO line SELECT 0, now, counters FROM steps ORDER BY step DESC LIMIT 1");
      for (const { name } of tables.toArray()) if (!first.includes(name)) storage.sql.exec(`DROP TABLE ${name}`);
      storage.sql.exec("UPDATE schema_version SET version = 1");
    });
    await room.evict();
    await sleepUntil(room, OPENS);
    await room.join("a");
    await sleepUntil(room, STARTS);
    expect(await drawOf(room, "latest")).toMatchObject({ count: 1, base: 1 });
  });
});

describe("[ROOM-17] alarms of the schedule", () => {
  it("come at the next change while nobody waits, also to a Room that sleeps", async () => {
    const room = saleRoom();
    await room.exchange();
    expect(await room.alarmAt()).toBe(OPENS);
    await sleepUntil(room, OPENS);
    await room.fireAlarm();
    expect(await room.alarmAt()).toBe(STARTS);
    for (const [at, next] of [
      [STARTS, ENDS],
      [ENDS, null],
    ] as const) {
      await sleepUntil(room, at);
      expect(await room.fireAlarm()).toBe(true);
      expect(await room.alarmAt()).toBe(next);
    }
    expect((await room.stats()).now).toBe(time(ENDS));
  });

  it("are brought forward with the event, and cost a call nothing while they are on time", async () => {
    const room = saleRoom();
    await room.exchange();
    const events = (await room.describe()).settings["events"] as OperatorSettings[];
    await room.change({ events: events.map((event) => ({ ...event, prequeue_start_time: time(T + MINUTE) })) });
    expect(await room.alarmAt()).toBe(T + MINUTE);
    await room.run((_, { storage }) => storage.deleteAlarm());
    await room.exchange();
    // Not looked for again while memory knows one; found missing after an eviction.
    expect(await room.alarmAt()).toBeNull();
    await room.evict();
    await room.exchange();
    expect(await room.alarmAt()).toBe(T + MINUTE);
  });
});

describe("[LOBBY-9] the operator", () => {
  it("S6 sees how many have entered, by which event, and how many come from the busiest network prefixes", async () => {
    const room = saleRoom();
    await sleepUntil(room, OPENS);
    const keys = Array.from({ length: 60 }, (_, i) => joinOf(`k${i}`, false, i < 30 ? 7 : i < 50 ? i : 0));
    await room.exchange({ joins: keys });
    const stats = await room.stats();
    expect(stats).toMatchObject({ phase: "lobby", event: { name: "sale", stage: "lobby", starts_at: time(STARTS) } });
    expect(stats.draw?.warnings).toMatchObject([{ setting: "events.sale.shuffle_at_event_start" }]);
    expect(stats.draw).toMatchObject({ id: 1, event: "sale", state: "collecting", entries: 60, networks: 21, busiest_networks_share: 0.5 });
    await room.evict();
    expect((await room.stats()).draw).toEqual(stats.draw);
    // Counted again once the count is old.
    await room.exchange({ joins: Array.from({ length: 60 }, (_, i) => joinOf(`m${i}`, false, 7)) });
    room.wall += 2_000;
    expect((await room.stats()).draw).toMatchObject({ entries: 120, busiest_networks_share: 0.75, ladder: null });
  });

  it("[ASK-4] S6 sees what entries cost, by network and by IPv6 /48, the same after an eviction", async () => {
    const room = saleRoom({ challenge: "pow", free_entries: 2 });
    await sleepUntil(room, OPENS);
    const from = (i: number) => (i < 5 ? { network: 7 } : { network: 100 + i, wide: 9 });
    const joins = Array.from({ length: 45 }, (_, i) => ({ ...joinOf(`k${i}`, false), proof: 0, ...from(i) }));
    const { joins: verdicts, manifest } = await room.exchange({ joins });
    expect(manifest.challenge).toMatchObject({ kind: "pow", everyone: false });
    // Two of the network are free, and 32 of the /48.
    expect(verdicts.filter(({ as }) => as === "entry")).toHaveLength(34);
    await room.evict();
    const again = await room.exchange({ joins: joins.slice(2, 5).map((join) => ({ ...join, proof: 1 })) });
    expect(again.joins.map((verdict) => (verdict.as === "challenge" ? verdict.cost : verdict.as))).toEqual(["entry", "entry", 2]);
    const { draw } = await room.stats();
    expect(draw?.ladder).toMatchObject({
      steps: [34, 2, 0, 0, 0, 0, 0, 0, 0],
      busiest: [{ hash: "00000007", entries: 4, next_cost: 2 }],
      busiest_wide: [{ hash: "00000009", entries: 32, next_cost: 1 }],
    });
    await room.evict();
    expect((await room.stats()).draw).toEqual(draw);
  });
});
