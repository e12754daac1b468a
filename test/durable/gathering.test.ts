/** Exchanges that come in the same moment: one step, one row, and to each what it would have been told alone. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { countStorage } from "../../bench/room/storage-counts";
import { GATHER_MOST, Gathering } from "../../durable/gathering";
import type { OperatorSettings } from "../../src/core/admin";
import type { Batch, Reply } from "../../src/core/exchange";
import { batchOf, joinOf, RoomUnderTest } from "../support/room";

const SLOW: OperatorSettings = { new_users_per_minute: 0.01, total_active_users: 1 };

/** A Room that has heard of two isolates, a second ago. */
async function busyRoom(file: OperatorSettings = SLOW): Promise<RoomUnderTest> {
  const room = new RoomUnderTest(file);
  for (const isolate of [1, 2]) await room.exchange({ isolate });
  room.wall += 1_000;
  return room;
}

/** All in the same moment; the rows that it took. */
function together(room: RoomUnderTest, batches: readonly Partial<Batch>[]): Promise<{ replies: Reply[]; rows: number }> {
  return room.run(async (real, { storage }) => {
    const counts = countStorage(storage);
    const replies = await Promise.all(batches.map((batch, i) => real.exchange(batchOf({ isolate: 1 + (i % 2), ...batch }))));
    return { replies, rows: counts.take().rowsWritten };
  });
}

const joins = (...keys: string[]): Partial<Batch> => ({ joins: keys.map((key) => joinOf(key, false)) });

describe("exchanges that come in the same moment", () => {
  it("[ROOM-19][P4][P5] write a row for the first and one for all others, in the order in which they came", async () => {
    const room = await busyRoom();
    const names = Array.from({ length: 30 }, (_, i) => `guest-${i}`);
    await together(room, [joins("guest-0")]);
    // The log's row of this second is written.
    room.wall += 60;
    const { replies, rows } = await together(room, [...names.map((name) => joins(name)), joins("guest-3", "guest-29")]);
    expect(rows).toBe(2);
    expect(replies.slice(0, 30).map((reply) => reply.joins[0])).toMatchObject(names.map((_, slot) => ({ as: "placed", slot })));
    expect(replies[30]?.joins).toMatchObject([{ slot: 3 }, { slot: 29 }]);
    await room.evict();
    expect((await room.join("guest-17", "newer")).joins).toMatchObject([{ slot: 17 }, { slot: 30 }]);
  });

  it("[ROOM-19] of one isolate alone, or long after the last step, wait for nobody", async () => {
    const wait = vi.spyOn(scheduler, "wait");
    onTestFinished(() => wait.mockRestore());
    const alone = new RoomUnderTest(SLOW);
    for (let i = 0; i < 3; i++) await alone.exchange(joins(`a${i}`));
    const room = await busyRoom();
    await room.exchange({ isolate: 1 });
    room.wall += 50;
    await room.exchange({ isolate: 2 });
    expect(wait).not.toHaveBeenCalled();
    await room.exchange({ isolate: 1 });
    expect(wait).toHaveBeenCalledTimes(1);
  });

  it("[ROOM-19] are enough for a step when they ask so much", () => {
    const gathering = new Gathering<string>();
    expect(gathering.add("first", 1, 1_000)).toBe(0);
    expect(gathering.take(1_000)).toEqual(["first"]);
    expect(gathering.add("a", GATHER_MOST - 1, 1_020)).toBe(30);
    expect(gathering.add("b", 1, 1_021)).toBe(0);
    expect([gathering.has("a"), gathering.has("first")]).toEqual([true, false]);
    expect(gathering.take(1_021)).toEqual(["a", "b"]);
    // A clock that was set back.
    expect(gathering.add("c", 1, 0)).toBe(50);
  });

  it("[ROOM-19][DOOR-6] give a guest who comes with two of them one place, and count it once", async () => {
    const room = await busyRoom();
    const guest = { invitation: { id: "invitation-for-places", uses: 2 } };
    const asks = (key: string): Partial<Batch> => ({ joins: [{ ...joinOf(key, false), guest }] });
    const { replies } = await together(room, [{}, asks("anna"), asks("anna"), asks("bert"), asks("carl")]);
    expect(replies.slice(1).map((reply) => reply.joins[0])).toMatchObject([
      { as: "placed", slot: 0 },
      { as: "placed", slot: 0 },
      { as: "placed", slot: 1 },
      { as: "refused", why: "used" },
    ]);
  });

  it("[ROOM-19][P13] put each call's entries into the draw's chain, and tell of it the same again, after a restart too", async () => {
    const room = await busyRoom({ ...SLOW, queueing_method: "random" });
    const { replies } = await together(room, [{}, joins("anna", "bert"), joins("carl")]);
    const given = replies.slice(1).flatMap((reply) => reply.joins);
    expect(given).toMatchObject([{ entry: 0 }, { entry: 1 }, { entry: 2 }]);
    expect(new Set(given.map((verdict) => verdict.as === "entry" && verdict.chain)).size).toBe(2);
    const again = await room.join("anna", "bert", "carl");
    expect(again.joins).toEqual(given);
    await room.evict();
    expect((await room.join("anna", "bert", "carl")).joins).toEqual(given);
  });

  it("[ROOM-19][ROOM-1] are tried one by one if one of them cannot be decided: the others are told what they would have been", async () => {
    const room = await busyRoom();
    const bad = { sightings: null } as unknown as Partial<Batch>;
    const settled = await room.run((real) =>
      Promise.allSettled(
        [{}, joins("anna"), bad, joins("bert")].map((batch, i) => real.exchange(batchOf({ isolate: 1 + (i % 2), ...batch }))),
      ),
    );
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect((await room.join("anna", "bert")).joins).toMatchObject([{ slot: 0 }, { slot: 1 }]);
  });
});
