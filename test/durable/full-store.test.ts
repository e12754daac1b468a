/** Storage that is full (O5): told as that and as nothing else, with all that can still be done done, and nothing lost. */
import { describe, expect, it, vi } from "vitest";
import { KEEP } from "../../durable/line/unsaved";
import type { Room } from "../../durable/room";
import { isConserved } from "../support/conserved";
import { claimOf, populate } from "../support/populated";
import { batchOf, callerOf, joinOf, OPERATOR, okOf, RoomUnderTest } from "../support/room";

/** As SQLite says it in a Durable Object, and as the platform says it when the free plan's day is used up. */
const FULL = "database or disk is full: SQLITE_FULL";
const QUOTA = "Exceeded allowed rows written in Durable Objects free tier.";

/** Storage in which statements that match are refused; `tried` counts them. */
function full<R>(room: RoomUnderTest, refused: RegExp, work: (room: Room) => Promise<R>, message = FULL): Promise<R> {
  return room.shadowed(({ storage }) => {
    const exec = storage.sql.exec.bind(storage.sql);
    return {
      exec: (query, ...values) => {
        if (refused.test(query)) throw new Error(message);
        return exec(query, ...values);
      },
    };
  }, work);
}

/** Storage has been full once, so that nothing is written before its time. Then until the next step needs a new row for a join. */
async function lastStepBeforeJoinsAreDue(room: RoomUnderTest): Promise<void> {
  expect(await full(room, ANY_WRITE, (inside) => inside.exchange(batchOf({})))).toMatchObject({ storage: "full" });
  room.wall += 5_000;
  const pass = (steps: number) =>
    room.run(async (inside) => {
      for (let step = 0; step < steps; step++) await inside.exchange(batchOf({}));
    });
  await pass(KEEP.steps);
  await room.join("long ago");
  await pass(KEEP.steps - 1);
}

const NEW_JOINS = /^INSERT OR REPLACE INTO joins/;
const NOTHING = /^$/;
const ANY_WRITE = /^(?:INSERT|UPDATE|DELETE|CREATE TABLE (?!IF NOT EXISTS))/;

async function busy() {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  log.mockClear();
  const alerts = (event: string) => {
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    return lines.filter((line) => line["event"] === event);
  };
  const crowd = await populate();
  const { room, inside } = crowd;
  const [[slot, serial] = [0, 0]] = [...inside];
  room.wall += 1_000;
  const renewals = [{ slot, serial, tag: 1, ageMs: 0 }];
  const batch = batchOf({ joins: [joinOf("new", false)], claims: [claimOf(crowd.called, room.wall)], renewals });
  return { ...crowd, batch, alerts };
}

describe("a full storage", () => {
  it("[FAIL-6][ROOM-1] O5 that takes no new row for joins takes none, but renews, lets in and ends visits; said once", async () => {
    const { room, batch, alerts } = await busy();
    const { issued, inside } = await room.stats();
    const before = { issued: issued + 1, inside };
    await lastStepBeforeJoinsAreDue(room);
    const reply = await full(room, NEW_JOINS, (inside) => inside.exchange(batch));
    expect(reply).toMatchObject({ storage: "full", joins: [], claims: [{ as: "entered" }], renewals: [{ as: "renewed" }], lease: null });
    const stats = await full(room, NEW_JOINS, (inside) => inside.stats());
    expect(okOf(stats)).toMatchObject({ issued: before.issued, inside: before.inside + 1, blocked_by: { code: "storage-full" } });
    await full(room, NEW_JOINS, (inside) => inside.exchange(batch));
    room.wall += 10_000;
    // What was due went into a record once more: for as long as that one is kept, joins need no new row again.
    expect(await full(room, NEW_JOINS, (inside) => inside.exchange(batch))).toMatchObject({ joins: [{ as: "placed" }] });
    expect(alerts("storage-full")).toMatchObject([{ alert: true, room: room.name }]);
    // A batch that asks for nothing new is no matter of storage.
    room.wall += 5_000;
    expect(await full(room, NEW_JOINS, (inside) => inside.exchange(batchOf({ renewals: batch.renewals })))).not.toHaveProperty("storage");
    // Room again: nothing that was due was lost.
    expect((await room.exchange(batch)).joins).toMatchObject([{ as: "placed", slot: before.issued }]);
    await room.evict();
    expect((await room.join("long ago")).joins).toMatchObject([{ as: "placed", slot: before.issued - 1 }]);
    expect(isConserved(await room.stats())).toBe(true);
  });

  it("[FAIL-6] O5 a join gets its place as long as every row of its step fits, the log's included, and none for five seconds after one did not", async () => {
    const { room } = await busy();
    await room.run(async (inside) => {
      for (let step = 0; step < KEEP.steps; step++) await inside.exchange(batchOf({}));
    });
    const ofNew = async (key: string, refused: RegExp) => {
      const { joins, storage } = await full(room, refused, (inside) => inside.exchange(batchOf({ joins: [joinOf(key, false)] })));
      return joins[0]?.as ?? storage;
    };
    // Of a join's own there is nothing to be put into a new row until its record is due.
    room.wall += 1_000;
    expect(await ofNew("a", /^INSERT OR REPLACE INTO (?:joins|blocks|gone|minutes)/)).toBe("placed");
    room.wall += 1_000;
    expect(await ofNew("b", /^INSERT INTO log/)).toBe("full");
    room.wall += 4_999;
    expect(await ofNew("b", NOTHING)).toBe("full");
    room.wall += 1;
    expect(await ofNew("b", NOTHING)).toBe("placed");
  });

  it.each([
    ["is full", FULL],
    ["has used up its day", QUOTA],
  ])(
    "[FAIL-6] O5 that takes nothing at all because it %s: no verdict, no slot, the last manifest, and the operator still sees",
    async (_, message) => {
      const { room, batch } = await busy();
      const before = await room.stats();
      const stored = await room.dump();
      const nothing = <R>(work: (inside: Room) => Promise<R>) => full(room, ANY_WRITE, work, message);
      for (const wait of [0, 1_000, 9_000]) {
        room.wall += wait;
        const reply = await nothing((inside) => inside.exchange(batch));
        expect(reply).toMatchObject({ v: 1, storage: "full", joins: [], claims: [], renewals: [], leaves: [], lease: null, share: null });
        expect(reply.manifest).toMatchObject({ generation: before.generation, admittedEpoch: before.admitted_epoch, tail: before.issued });
      }
      expect(okOf(await nothing((inside) => inside.stats()))).toMatchObject({
        ...{ issued: before.issued, inside: before.inside, waiting: before.waiting },
        blocked_by: { code: "storage-full", sentence: expect.stringContaining("storage is full") },
      });
      expect(okOf(await nothing((inside) => inside.describe()))).toMatchObject({ room: room.name });
      expect(okOf(await nothing((inside) => inside.revisions())).length).toBeGreaterThan(0);
      expect(await nothing((inside) => inside.config(1))).toMatchObject({ settings: { totalActiveUsers: before.total_active_users } });
      expect(await nothing((inside) => inside.turn("pause", OPERATOR, null))).toEqual({ as: "storage-full" });
      expect(JSON.parse(await room.dump())).toEqual(JSON.parse(stored));
      // As if it had never been.
      room.wall += 5_000;
      const reply = await room.exchange(batch);
      expect(reply).toMatchObject({ joins: [{ as: "placed", slot: before.issued }], renewals: [{ as: "renewed" }] });
      expect(reply).not.toHaveProperty("storage");
      expect((await room.turn("pause")).changed).toBe(true);
      expect(isConserved(await room.stats())).toBe(true);
    },
  );

  it.each([
    ["joins", /^INSERT INTO log/],
    ["anything", ANY_WRITE],
  ])("[FAIL-6] O5 O7 is tried again, and told of, in time though the host's clock was set back an hour: %s", async (_, refused) => {
    const { room, batch, alerts } = await busy();
    const refusedOnce = () => full(room, refused, (inside) => inside.exchange(batch));
    expect(await refusedOnce()).toMatchObject({ storage: "full", joins: [] });
    room.wall -= 3_600_000;
    expect(await refusedOnce()).toMatchObject({ storage: "full", joins: [] });
    expect(alerts("storage-full")).toHaveLength(2);
    room.wall -= 3_600_000;
    expect(await room.exchange(batch)).toMatchObject({ joins: [{ as: "placed" }] });
  });

  it("[FAIL-6] O5 that takes nothing for long is not loaded again and again: what may be read has a limit too", async () => {
    const { room, batch } = await busy();
    let loads = 0;
    await room.shadowed(
      ({ storage }) => {
        const exec = storage.sql.exec.bind(storage.sql);
        return {
          exec: (query, ...values) => {
            if (ANY_WRITE.test(query)) throw new Error(QUOTA);
            if (query.includes("FROM blocks")) loads += 1;
            return exec(query, ...values);
          },
        };
      },
      async (inside) => {
        for (let second = 0; second < 60; second++) {
          room.wall += 1_000;
          expect(await inside.exchange(batch)).toMatchObject({ storage: "full", joins: [] });
          expect(okOf(await inside.stats())).toMatchObject({ blocked_by: { code: "storage-full" } });
          await inside.alarm();
        }
      },
    );
    expect(loads).toBeLessThanOrEqual(2);
    room.wall += 5_000;
    const reply = await room.exchange(batch);
    expect(reply).toMatchObject({ joins: [{ as: "placed" }] });
    expect(reply).not.toHaveProperty("storage");
  });

  it("[FAIL-6] O5 that took nothing of a new Room takes it once there is room", async () => {
    const room = new RoomUnderTest();
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await expect(full(room, /^(?:INSERT|UPDATE|CREATE)/, (inside) => inside.exchange(batchOf({})))).rejects.toThrow("full");
    room.wall += 5_000;
    expect((await room.join("first")).joins).toMatchObject([{ as: "placed", slot: 0 }]);
  });

  it("[FAIL-6][ROOM-2] answers nothing where storage cannot even be read: that instance may have been replaced", async () => {
    const { room, batch } = await busy();
    let isReplaced = false;
    await room.shadowed(
      ({ storage }) => {
        const exec = storage.sql.exec.bind(storage.sql);
        return {
          exec: (query, ...values) => {
            if (isReplaced) throw new Error("this instance is no longer current");
            if (ANY_WRITE.test(query)) throw new Error(FULL);
            return exec(query, ...values);
          },
        };
      },
      async (inside) => {
        expect(await inside.exchange(batch)).toMatchObject({ storage: "full" });
        isReplaced = true;
        await expect(inside.exchange(batch)).rejects.toThrow("no longer current");
      },
    );
  });

  it("[ADMIN-12][FAIL-6] an act asked for again under its key is not made again where the log takes no new row", async () => {
    const { room } = await busy();
    const again = callerOf("operator", "", { once: { key: "k", print: "p" } });
    const begin = (inside: Room) => inside.turn("reset", again, room.name);
    const first = okOf(await room.run(begin));
    await room.exchange({ generation: 2, joins: [joinOf("after", false)] });
    room.wall += 1_000;
    expect(await full(room, /^INSERT INTO log/, begin)).toEqual({ as: "ok", value: first, replayed: true });
    expect(await room.stats()).toMatchObject({ generation: 2, issued: 1 });
  });

  it("[FAIL-5] counts what isolates let in by themselves while they did not reach the Room", async () => {
    const { room, alerts } = await busy();
    expect((await room.stats()).failed_open).toBeNull();
    await room.exchange({ failedOpen: { people: 2, requests: 40, sinceMs: room.wall - 60_000 } });
    await room.exchange({ failedOpen: { people: 1, requests: 5, sinceMs: room.wall - 90_000 } });
    const since = new Date(room.wall - 90_000).toISOString();
    expect((await room.stats()).failed_open).toEqual({ people: 3, requests: 45, since });
    expect(alerts("failed-open")).toMatchObject([
      { alert: true, room: room.name, people: 2, requests: 40 },
      { alert: true, people: 1 },
    ]);
  });
});
