/** Failures in the middle: whatever storage statement fails, the Room is as it was before the call or as after it. */
import { describe, expect, it } from "vitest";
import type { Room } from "../../durable/room";
import type { Batch } from "../../src/core/exchange";
import { isConserved } from "../support/conserved";
import { claimOf, POPULATED, populate } from "../support/populated";
import { batchOf, joinOf, OPERATOR, RoomUnderTest } from "../support/room";

class Injected extends Error {}

/** Runs `call` with the storage statement at `index` (from 0) failing; how many statements it got to, and whether it failed. */
function failingAt(
  room: RoomUnderTest,
  index: number,
  call: (room: Room) => Promise<unknown>,
): Promise<{ failed: boolean; statements: number }> {
  let statements = 0;
  return room.shadowed(
    ({ storage }) => {
      const exec = storage.sql.exec.bind(storage.sql);
      return {
        exec: (query, ...values) => {
          if (statements++ === index) throw new Injected(query);
          return exec(query, ...values);
        },
      };
    },
    async (inside) => {
      try {
        await call(inside);
        return { failed: false, statements };
      } catch (error) {
        if (!(error instanceof Injected)) throw error;
        return { failed: true, statements };
      }
    },
  );
}

/** How many statements `call` makes when nothing fails. */
async function statementsOf(room: RoomUnderTest, call: (room: Room) => Promise<unknown>): Promise<number> {
  return (await failingAt(room, -1, call)).statements;
}

/** A dump without the places that the log names: until they are written they are memory only, unlike the counts. */
function stored(dump: string): unknown {
  return JSON.parse(dump.replace(/(\\"count\\":\d+),\\"places\\":\[[\d,]*\],\\"dropped\\":\d+/g, "$1"));
}

async function busyBatch(): Promise<{ room: RoomUnderTest; batch: Batch }> {
  const { room, lapsed, returning, called, leaving, waiting, inside } = await populate();
  const [[renewing, serial] = [0, 0], [left, leftSerial] = [0, 0]] = [...inside];
  const claims = [lapsed, returning, called, leaving].map((slot) => claimOf(slot, room.wall, slot === lapsed ? { serial: 1 } : {}));
  const batch = batchOf({
    joins: [joinOf("new-1", false), joinOf("new-2", true)],
    claims,
    renewals: [{ slot: renewing, serial, tag: 1, ageMs: 0 }],
    leaves: [
      { slot: left, serial: leftSerial },
      { slot: waiting, serial: 0 },
    ],
  });
  room.wall += 1_000;
  // A try that fails has drawn its random numbers.
  room.random = () => 0.5;
  return { room, batch };
}

/** Calls that write in different ways, each with the people that `populate` makes. */
const CALLS: readonly [string, (batch: Batch) => (room: Room) => Promise<unknown>][] = [
  ["an exchange", (batch) => (room) => room.exchange(batch)],
  ["a reset", () => (room) => room.turn("reset", OPERATOR, "t")],
  ["a flush", () => (room) => room.turn("flush", OPERATOR, null)],
  ["ending sessions", () => (room) => room.turn("end-sessions", OPERATOR, null)],
  ["a pause", () => (room) => room.turn("pause", OPERATOR, null)],
];

describe("a storage statement that fails", () => {
  it.each(CALLS)("[ROOM-1][P7] O5 leaves what was before %s, and the next try does all of it", async (name, make) => {
    const counted = await busyBatch();
    const call = (of: RoomUnderTest, batch: Batch) =>
      name === "a reset" ? (room: Room) => room.turn("reset", OPERATOR, of.name) : make(batch);
    const statements = await statementsOf(counted.room, call(counted.room, counted.batch));
    expect(statements).toBeGreaterThan(0);
    const after = stored(await counted.room.dump());
    for (let index = 0; index < statements; index++) {
      const { room, batch } = await busyBatch();
      const before = await room.dump();
      expect(await failingAt(room, index, call(room, batch))).toMatchObject({ failed: true });
      expect(await room.dump(), `statement ${index}`).toBe(before);
      await room.run(call(room, batch));
      expect(stored(await room.dump()), `statement ${index}, next try`).toEqual(after);
    }
  });

  it("[ROOM-1][ROOM-6] in a Room's very first call leaves nothing behind", async () => {
    const first = new RoomUnderTest(POPULATED);
    const statements = await statementsOf(first, (room) => room.exchange(batchOf({ joins: [joinOf("a", false)] })));
    expect(statements).toBeGreaterThan(8);
    const after = JSON.parse(await first.dump());
    for (let index = 0; index < statements; index++) {
      const room = new RoomUnderTest(POPULATED);
      expect(await failingAt(room, index, (inside) => inside.exchange(batchOf({ joins: [joinOf("a", false)] })))).toMatchObject({
        failed: true,
      });
      expect(await room.dump(), `statement ${index}`).toBe("[]");
      expect((await room.join("a")).joins).toMatchObject([{ as: "placed", slot: 0 }]);
      expect(JSON.parse(await room.dump())).toEqual(after);
    }
  });

  it("[ROOM-1][P5] after the commit only loses the reply: the same batch again gets the same places", async () => {
    const { room, batch } = await busyBatch();
    const lost = room.shadowed(
      ({ storage }) => {
        const transactionSync = storage.transactionSync.bind(storage);
        return {
          transactionSync: (work) => {
            transactionSync(work);
            throw new Injected("the reply is lost");
          },
        };
      },
      (inside) => inside.exchange(batch),
    );
    await expect(lost).rejects.toThrow(Injected);
    const stats = await room.stats();
    expect(stats.issued).toBe(15);
    const again = await room.exchange(batch);
    expect(again.joins).toMatchObject([
      { as: "placed", slot: 13 },
      { as: "placed", slot: 14 },
    ]);
    expect(again.leaves).toEqual([{ as: "left" }, { as: "left" }]);
    // The sibling is on its way: forwarded, and no second one.
    expect(again.renewals).toEqual([{ as: "current" }]);
    const settled = await room.stats();
    expect(settled.issued).toBe(15);
    expect(settled.entered_total).toBe(stats.entered_total);
    expect(isConserved(settled)).toBe(true);
  });
});

describe("every reply", () => {
  it("[ROOM-2] that hands out a slot or an epoch has written in the same step", async () => {
    const { room } = await populate();
    const calls: ((room: Room) => Promise<unknown>)[] = [
      (inside) => inside.exchange(batchOf({})),
      (inside) => inside.exchange(batchOf({ joins: [joinOf("one-more", false)] })),
      (inside) => inside.config(1),
      (inside) => inside.describe(),
      (inside) => inside.stats(),
      (inside) => inside.revisions(),
    ];
    for (const call of calls) {
      const writes: string[] = [];
      await room.shadowed(({ storage }) => {
        const exec = storage.sql.exec.bind(storage.sql);
        return {
          exec: (query, ...values) => {
            if (!query.startsWith("SELECT")) writes.push(query);
            return exec(query, ...values);
          },
        };
      }, call);
      expect(writes.length, String(call)).toBeGreaterThan(0);
    }
  });
});

describe("restarting with people in every state", () => {
  it("[ROOM-3][P7][P9] keeps everybody where they were, and what they are told next", async () => {
    const kept = await populate();
    const evicted = await populate();
    const before = await evicted.room.stats();
    for (const state of ["waiting", "called", "inside", "lapsed", "passed_over", "missed", "returning", "leaving", "ended"] as const) {
      expect(before[state], state).toBeGreaterThan(0);
    }
    await evicted.room.evict();
    // Isolates are counted anew.
    expect(await evicted.room.stats()).toEqual({ ...before, isolates: 0 });

    for (const afterMs of [1_000, 10_000, 30_000]) {
      const answers = [];
      for (const { room, total, inside } of [kept, evicted]) {
        room.wall += afterMs;
        await (room === evicted.room ? room.evict() : undefined);
        const claims = Array.from({ length: total }, (_, slot) =>
          claimOf(slot, room.wall, { serial: inside.get(slot) ?? 0, intent: "look" }),
        );
        const { joins, claims: verdicts } = await room.exchange({ claims, joins: [joinOf("waits", false), joinOf("lapses", true)] });
        answers.push({ joins, verdicts });
      }
      expect(answers[1]).toEqual(answers[0]);
    }
  });
});
