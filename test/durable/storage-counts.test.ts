/** The count of a Room's rows that the benchmark and the model of the cost go by. */
import { expect, test } from "vitest";
import { countStorage } from "../../bench/room/storage-counts";
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
