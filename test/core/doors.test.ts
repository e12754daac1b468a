/** How a crowd's pages ask around the moment the doors open: spread, first in line first, and a moved start is heard of. Virtual time. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gapForEntry, gapForSlot, gapUntilDealt, gapUntilOpen, spreadMs } from "../../src/core/doors";
import type { Lobby } from "../../src/core/manifest";
import { afterAnswer } from "../../static/wait/pace";

const STARTS = Date.UTC(2026, 11, 4, 9);
const settings = { pollNearMs: 3_000, pollFarMs: 60_000 };
const MILLION = 1_000_000;
/** So many pages stand for the million; the share of a second is what counts. */
const PAGES = 50_000;

const lobby = (over: Partial<Lobby> = {}): Lobby => ({
  ...{
    event: "drop",
    draw: 7,
    entries: MILLION,
    opensAt: STARTS - 3_600_000,
    startsAt: STARTS,
    plannedAt: STARTS,
    endsAt: STARTS + 7_200_000,
  },
  ...{ utcOffsetMinutes: 60, commitment: "ab", beacon: "drand" },
  ...over,
});

/** A small generator with a seed: the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Crowd {
  /** When each page first asked after the news was there, ms after it. */
  readonly learned: readonly number[];
  /** Asks in each second after the news, by all pages. */
  readonly busiest: number;
  readonly longestGapMs: number;
}

/** Pages that came at any time of the last ten minutes ask until `newsAt`, when places are known, and once more. */
function crowd(gapOf: (page: number, now: number) => ReturnType<typeof gapForEntry>, newsAt: number): Crowd {
  const random = randomFrom(20_261_204);
  const learned: number[] = [];
  const perSecond = new Map<number, number>();
  let longestGapMs = 0;
  for (let page = 0; page < PAGES; page++) {
    let now = STARTS - random() * 600_000;
    while (now < newsAt) {
      const waitMs = afterAnswer(gapOf(page, now), random());
      longestGapMs = Math.max(longestGapMs, waitMs);
      now += waitMs;
    }
    learned.push(now - newsAt);
    const second = Math.floor((now - newsAt) / 1_000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  return { learned, busiest: Math.max(...perSecond.values()), longestGapMs };
}

describe("a million pages when the doors open", () => {
  const entry = (page: number) => page * (MILLION / PAGES);
  test.each([
    ["with drand", lobby(), STARTS + 14_000],
    ["without a beacon", lobby({ beacon: "none" }), STARTS + 500],
    ["moved two minutes before", lobby({ startsAt: STARTS + 900_000 }), STARTS + 914_000],
  ])("[GATE-52] with a shuffle, %s: the news is spread over at least 10 s, and no second carries a tenth", (_, one, newsAt) => {
    const { learned, busiest, longestGapMs } = crowd((page, now) => gapForEntry(one, now, settings, entry(page)), newsAt);
    const sorted = learned.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * (PAGES - 1))] ?? 0;
    expect(at(0.95) - at(0.05)).toBeGreaterThan(10_000);
    expect(at(1)).toBeLessThan(25_000);
    expect(busiest / PAGES).toBeLessThan(0.1);
    expect(longestGapMs).toBeLessThanOrEqual(75_000);
  });

  test("[GATE-52] without a shuffle first in line are first to hear", () => {
    const one = lobby({ draw: null, commitment: null, beacon: "none" });
    const { learned, busiest } = crowd((page, now) => gapForSlot(one, now, settings, entry(page)), STARTS + 500);
    const mean = (some: readonly number[]) => some.reduce((sum, each) => sum + each, 0) / some.length;
    const tenths = Array.from({ length: 10 }, (_, i) => mean(learned.slice((i * PAGES) / 10, ((i + 1) * PAGES) / 10)));
    expect(tenths).toEqual(tenths.toSorted((a, b) => a - b));
    expect((tenths[9] ?? 0) - (tenths[0] ?? 0)).toBeGreaterThan(10_000);
    expect(busiest / PAGES).toBeLessThan(0.1);
  });

  test("[GATE-52] forty people in a small lobby hear within seconds", () => {
    const small = lobby({ entries: 40, beacon: "none" });
    const { learned } = crowd((page, now) => gapForEntry(small, now, settings, page % 40), STARTS + 500);
    expect(Math.max(...learned)).toBeLessThan(4_000);
  });
});

describe("when to ask again", () => {
  test("[GATE-52] is never longer than poll_far, and exact only where the server spreads", () => {
    const times = fc.integer({ min: -7_200_000, max: 7_200_000 });
    const far = fc.integer({ min: 5_000, max: 300_000 });
    fc.assert(
      fc.property(times, far, fc.nat(), fc.option(fc.nat({ max: 10_000_000 })), (left, pollFarMs, entry, entries) => {
        const gap = gapForEntry(lobby({ entries }), STARTS - left, { pollNearMs: 3_000, pollFarMs }, entry);
        expect(gap.pollAfterMs).toBeLessThanOrEqual(pollFarMs);
        expect(gap.pollAfterMs).toBeGreaterThanOrEqual(2_000);
        if (left > 2 * pollFarMs) expect(gap.pollExactly).toBeUndefined();
      }),
    );
    expect(gapForEntry(lobby(), STARTS - 3_600_000, settings, 1)).toEqual({ pollAfterMs: 60_000 });
    expect(gapUntilDealt(STARTS, STARTS - 2_000, settings, 0)).toMatchObject({ pollExactly: true });
  });

  test("[GATE-52] the spread grows with the people, 15 s a million, between 1 and 30 s", () => {
    expect([0, 40, MILLION, 5 * MILLION, null].map(spreadMs)).toEqual([1_000, 1_000, 15_000, 30_000, 15_000]);
  });

  test("[GATE-52] before a closed room opens nobody asks more often than every half of poll_far", () => {
    expect(gapUntilOpen(null, STARTS, settings)).toEqual({ pollAfterMs: 60_000 });
    expect(gapUntilOpen(STARTS + 3_600_000, STARTS, settings)).toEqual({ pollAfterMs: 60_000 });
    expect(gapUntilOpen(STARTS + 1_000, STARTS, settings)).toEqual({ pollAfterMs: 30_000 });
  });
});
