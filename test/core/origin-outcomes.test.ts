/** What edges count of the site's replies: sums, classes of time, and what a Room believes of them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addOutcomes,
  errorPercent,
  NO_OUTCOMES,
  type OriginOutcomes,
  OutcomeTally,
  p95Ms,
  readOutcomes,
  TIME_ENDS_MS,
} from "../../src/core/origin-outcomes";
import { outcomeOf } from "../support/outcomes";

const sumOf = (times: readonly number[]) => times.reduce<OriginOutcomes>((sum, ms) => addOutcomes(sum, outcomeOf("ok", ms)), NO_OUTCOMES);

describe("what the site answered", () => {
  test("[SLOW-1] the time of 95 in 100 is told within half of the true one, whatever the times are", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 10, max: 57_000 }), { minLength: 1, maxLength: 300 }), (times) => {
        const exact = times.toSorted((a, b) => a - b)[Math.ceil(0.95 * times.length) - 1] as number;
        const told = p95Ms(sumOf(times)) as number;
        expect(told).toBeGreaterThan(exact / 1.5);
        expect(told).toBeLessThan(exact * 1.5);
      }),
    );
    expect(p95Ms(NO_OUTCOMES)).toBeNull();
  });

  test("[SLOW-1] adds up whatever the order, and is bounded", () => {
    const some = [outcomeOf("failed", 100_000), outcomeOf("ok", 3), outcomeOf("ok", 3_000), { ok: 2, failed: 0, slow: 0 }];
    const all = some.reduce(addOutcomes, NO_OUTCOMES);
    expect(some.toReversed().reduce(addOutcomes, NO_OUTCOMES)).toEqual(all);
    expect(all).toMatchObject({ ok: 4, failed: 1, slow: 2, ms: 103_003 });
    expect(all.times).toHaveLength(TIME_ENDS_MS.length + 1);
    expect(errorPercent(all)).toBe(20);
  });

  test("[SLOW-1] counted together it is the sum of all, and what was taken is not told again", () => {
    const tally = new OutcomeTally();
    const replies = [12, 3_000, 7, 90_000, 700].map((ms, i) => [i % 2 === 0 ? "ok" : "failed", ms] as const);
    for (const reply of replies) tally.note(...reply);
    expect(tally.take()).toEqual(replies.map((reply) => outcomeOf(...reply)).reduce(addOutcomes, NO_OUTCOMES));
    expect(tally.take()).toEqual(NO_OUTCOMES);
    tally.note("ok", 5);
    expect(tally.take()).toEqual({ ok: 1, failed: 0, slow: 0, times: [1], ms: 5 });
  });

  test("[ROOM-14] is believed as far as it can be, and of an edge that measures no time too", () => {
    expect(readOutcomes(undefined)).toEqual(NO_OUTCOMES);
    expect(readOutcomes({ ok: 3, failed: 1, slow: 0 })).toEqual({ ok: 3, failed: 1, slow: 0 });
    const wrong = { ok: -1, failed: Number.NaN, slow: 1e300, times: new Array(1_000).fill(-5), ms: "x" } as unknown as OriginOutcomes;
    expect(readOutcomes(wrong)).toEqual({ ok: 0, failed: 0, slow: 1_000_000, times: new Array(TIME_ENDS_MS.length + 1).fill(0), ms: 0 });
  });
});
