/** Reads that share a call: how many there are, how old what they tell may be, and what becomes of them when a call fails or is lost. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SharedRead } from "../../src/room/shared-read";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A source that answers when it is told to; each read tells which one it was. */
function source() {
  const open: { resolve(value: number): void; reject(error: unknown): void }[] = [];
  let begun = 0;
  const read = () =>
    new Promise<number>((resolve, reject) => {
      const mine = ++begun;
      open.push({ resolve: () => resolve(mine), reject });
    });
  return { read, open, begun: () => begun };
}
const turn = () => vi.advanceTimersByTimeAsync(0);

test("[ADMIN-30] twenty at once are two reads, and nobody is told by one that began before they asked", async () => {
  const shared = new SharedRead<number>(1_000);
  const { read, open, begun } = source();
  const first = Array.from({ length: 20 }, () => shared.read(read));
  expect(begun()).toBe(1);
  open[0]?.resolve(0);
  await turn();
  expect(begun()).toBe(2);
  const late = [shared.read(read), shared.read(read)];
  open[1]?.resolve(0);
  await turn();
  expect(await Promise.all(first)).toEqual([1, ...Array(19).fill(2)]);
  expect(begun()).toBe(3);
  open[2]?.resolve(0);
  expect(await Promise.all(late)).toEqual([3, 3]);
  const alone = shared.read(read);
  open[3]?.resolve(0);
  expect(await alone).toBe(4);
});

test("[ADMIN-30] a read that fails fails those whom it was for, and no others", async () => {
  const shared = new SharedRead<number>(1_000);
  const { read, open } = source();
  const [first, ...others] = Array.from({ length: 3 }, () => shared.read(read).catch((error: Error) => error.message));
  open[0]?.reject(new Error("gone"));
  await turn();
  open[1]?.resolve(0);
  expect(await Promise.all([first, ...others])).toEqual(["gone", 2, 2]);
});

test("[ADMIN-30] one that is lost with its request is waited for no longer than it may take, by whoever waits and whoever comes", async () => {
  const shared = new SharedRead<number>(1_000);
  const { read, open, begun } = source();
  void shared.read(read);
  const waiting = [shared.read(read), shared.read(read)];
  await vi.advanceTimersByTimeAsync(1_001);
  expect(begun()).toBe(2);
  // That one is lost too: the other reads for itself.
  await vi.advanceTimersByTimeAsync(1_001);
  expect(begun()).toBe(3);
  open[2]?.resolve(0);
  expect(await waiting[1]).toBe(3);
  open[1]?.resolve(0);
  expect(await waiting[0]).toBe(2);
  const later = shared.read(read);
  open[3]?.resolve(0);
  expect(await later).toBe(4);
});
