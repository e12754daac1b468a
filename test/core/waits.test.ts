/** How long people waited, told from classes: near the truth whatever the waits are, and of each minute by itself. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newWaits, noteWait, toldOf, toldSince, WAIT_ENDS_S } from "../../src/core/waits";

const MINUTE_MS = 60_000;

function waitsOf(seconds: readonly number[], now = 0, waits = newWaits()) {
  for (const s of seconds) noteWait(waits, 1_000 * s, now);
  return waits;
}

describe("waits", () => {
  test("[ADMIN-22] half of them and 95 in 100 are told within a fifth of the truth, the longest exactly, from at most 59 numbers", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 6, max: 98_000 }), { minLength: 1, maxLength: 300 }), (seconds) => {
        const waits = waitsOf(seconds);
        const told = toldOf(waits);
        const sorted = seconds.toSorted((a, b) => a - b);
        const exact = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] as number;
        for (const [is, is95] of [
          [told.wait_p50_seconds, exact(0.5)],
          [told.wait_p95_seconds, exact(0.95)],
        ] as const) {
          expect(is).toBeGreaterThanOrEqual(is95 / 1.2 - 1);
          expect(is).toBeLessThanOrEqual(1.2 * is95 + 1);
        }
        expect(told.wait_max_seconds).toBe(sorted.at(-1));
        expect(waits.counts.length).toBeLessThanOrEqual(WAIT_ENDS_S.length + 1);
      }),
    );
    expect(toldOf(newWaits())).toEqual({ wait_p50_seconds: null, wait_p95_seconds: null, wait_max_seconds: null });
    // Straight in, and longer than any class.
    expect(toldOf(waitsOf([0, 0]))).toEqual({ wait_p50_seconds: 0, wait_p95_seconds: 0, wait_max_seconds: 0 });
    expect(toldOf(waitsOf([200_000])).wait_max_seconds).toBe(200_000);
  });

  test("[ADMIN-22] a minute is told by what was counted in it", () => {
    const waits = waitsOf([3_000, 4_000], 0);
    const before = [...waits.counts];
    expect(toldSince(waits, [], 0)).toEqual(toldOf(waits));
    waitsOf([10, 10, 20], MINUTE_MS, waits);
    expect(toldSince(waits, before, 1)).toMatchObject({ wait_p95_seconds: 20, wait_max_seconds: 20 });
    expect(toldOf(waits).wait_max_seconds).toBe(4_000);
    // Nobody went in during the next one.
    expect(toldSince(waits, [...waits.counts], 2)).toEqual({ wait_p50_seconds: null, wait_p95_seconds: null, wait_max_seconds: null });
  });
});
