/** The count of a Room's rows that the benchmark and the model of the cost go by. */
import { expect, test } from "vitest";
import { countStorage } from "../../bench/room/storage-counts";
import { KEEP } from "../../durable/line/unsaved";
import type { OperatorSettings } from "../../src/core/admin";
import type { Batch } from "../../src/core/exchange";
import { batchOf, joinOf, RoomUnderTest } from "../support/room";

test("[BENCH-5][ROOM-18] a batch of joins writes one row, whatever its size; the alarm for people who wait is counted apart", async () => {
  const room = new RoomUnderTest({ new_users_per_minute: 0.01, total_active_users: 1 });
  await room.exchange();
  const joins = (name: string, count: number) => ({ joins: Array.from({ length: count }, (_, i) => joinOf(`${name}-${i}`, false)) });
  const counted = await room.run(async (real, { storage }) => {
    const counts = countStorage(storage);
    await real.exchange(batchOf(joins("one", 1)));
    const one = counts.take();
    await real.exchange(batchOf(joins("many", 200)));
    const many = counts.take();
    await real.exchange(batchOf({}));
    return { one, many, empty: counts.take() };
  });
  expect(counted.one).toMatchObject({ rowsWritten: 1, alarmsSet: 1 });
  expect(counted.many).toMatchObject({ rowsWritten: 1, alarmsSet: 0 });
  expect(counted.empty).toMatchObject({ rowsWritten: 1, alarmsSet: 0 });
  expect(counted.many.bytesWritten).toBeGreaterThan(200 * 26);
});

test("[ROOM-18] a Room that is woken for each of its calls, as of one visitor at a time, reads a few hundred rows for it at most", async () => {
  const room = new RoomUnderTest();
  let calls = 0;
  const call = (count: number) =>
    room.run(async (real, { storage }) => {
      const counts = countStorage(storage);
      for (const last = calls + count; calls < last; calls++) {
        room.wall += 15_000;
        await real.exchange(batchOf(calls % 40 === 0 ? { joins: [joinOf(`v${calls}`, true)] } : {}));
      }
      return counts.take();
    });
  // Over the whole ring, and each time from another place in it.
  await call(10);
  for (const count of [50, KEEP.steps - 100, 300, 39]) {
    await room.evict();
    expect((await call(1)).rowsRead, `after ${calls} calls`).toBeLessThan(400);
    await call(count);
  }
  await room.evict();
  const { joins } = await room.exchange({ joins: [joinOf("v0", false), joinOf("v2320", false), joinOf("new", false)] });
  expect(joins).toMatchObject([{ slot: 0 }, { slot: 58 }, { slot: 59 }]);
});

test("[BENCH-5] a batch of entries of a draw writes one row more, for the draw's public list, and a guest's place one, and one for the invitation", async () => {
  const rowsOf = (file: OperatorSettings, ...batches: Partial<Batch>[]) =>
    new RoomUnderTest({ new_users_per_minute: 0.01, total_active_users: 1, ...file }).run(async (real, { storage }) => {
      await real.exchange(batchOf({}));
      const counts = countStorage(storage);
      const rows: number[] = [];
      for (const batch of batches) {
        await real.exchange(batchOf(batch));
        rows.push(counts.take().rowsWritten);
      }
      return rows;
    });
  const many = (name: string) => ({ joins: Array.from({ length: 20 }, (_, i) => joinOf(`${name}-${i}`, false)) });
  expect(await rowsOf({ queueing_method: "random" }, many("a"), many("b"), {})).toEqual([2, 2, 1]);
  const guest = { invitation: { id: "invitation-for-places", uses: 9 } };
  expect(await rowsOf({}, { joins: [{ ...joinOf("a", false), guest }] }, { joins: [{ ...joinOf("b", false), guest }] })).toEqual([3, 3]);
});
