/** Entries by network prefix: how concentrated they are and what the next one costs, against plain counting. Seeds are fixed. */
import { describe, expect, it } from "vitest";
import { type Concentration, EntryCounts, PrefixCounts, stepOf, WIDE_FACTOR } from "../../durable/line/entry-counts";
import { spread } from "../../durable/line/spread";
import { type LineState, newLine } from "../../durable/line/state";
import { loadLine } from "../../durable/line/stored";
import { reset } from "../../durable/line/switches";

import { seeded, settingsOf } from "../support/line-world";

/** By a Map of all prefixes. */
function plainly(networks: readonly number[]): Concentration {
  const counts = new Map<number, number>();
  for (const network of networks) if (network !== 0) counts.set(network, (counts.get(network) ?? 0) + 1);
  const most = [...counts.values()].sort((a, b) => b - a).slice(0, Math.ceil(counts.size / 100));
  const share = most.reduce((sum, count) => sum + count, 0) / networks.length;
  return { networks: counts.size, busiest_networks_share: Math.round(share * 10_000) / 10_000 };
}

/** Entries of `prefixes` networks: most have one, a twentieth has many. */
function crowd(prefixes: number, seed: number): number[] {
  const random = seeded(seed);
  return Array.from({ length: prefixes }, () => 1 + Math.floor(random() * 0xffff_fffe)).flatMap((network) => {
    const entries = random() < 0.05 ? 1 + Math.floor(40 * random()) : 1;
    return [...Array.from({ length: entries }, () => network), ...(random() < 0.1 ? [0] : [])];
  });
}

function counted(networks: readonly number[], wide = 0): EntryCounts {
  const counts = new EntryCounts();
  for (const network of networks) counts.count(1, { network, wide });
  return counts;
}

const from = (network: number, wide = 0) => ({ network, address: 0, wide });

describe("[LOBBY-9] entries by prefix", () => {
  it("are counted exactly, however many prefixes there are", () => {
    for (const prefixes of [1, 2, 99, 101, 5_000, 100_000]) {
      const networks = crowd(prefixes, prefixes);
      expect(counted(networks).concentration(1), `${prefixes} prefixes`).toEqual(plainly(networks));
    }
  });

  it("the busiest 1 % are at least one prefix, and unknown ones are none", () => {
    const none = { networks: null, busiest_networks_share: null };
    expect(counted([]).concentration(1)).toEqual(none);
    expect(counted([0, 0, 0]).concentration(1)).toEqual(none);
    expect(counted([5]).concentration(1)).toEqual({ networks: 1, busiest_networks_share: 1 });
    const many = Array.from({ length: 200 }, (_, i) => Array.from({ length: i < 2 ? 100 : 1 }, () => i + 1)).flat();
    expect(counted([0, 0, ...many]).concentration(1)).toEqual({ networks: 200, busiest_networks_share: 0.5 });
    expect(counted([5]).concentration(2), "another draw").toEqual(none);
  });

  it("[P12] take no more memory than there is for them; what does not fit pays the first step", () => {
    const counts = new EntryCounts(0, { networks: 32_768, wide: 1_024 });
    for (let network = 1; network <= 100_000; network++) counts.count(1, from(network, 200_000 + network));
    expect(counts.bytes).toBe(32_768 * 8 + 1_024 * 8);
    expect(counts.concentration(1).networks).toBe(16_384);
    // Whoever was there before is counted on; a table that somebody filled does not make the rest free.
    for (let i = 0; i < 4; i++) counts.count(1, from(7));
    expect(counts.nextCost(1, from(7), 5)).toBe(1);
    expect(counts.nextCost(1, from(8), 5)).toBe(0);
    expect(counts.nextCost(1, from(99_999), 5)).toBe(1);
  });
});

describe("[ASK-4] S6 the price ladder", () => {
  it("is free up to the free entries, then goes up a step each time the number of the prefix doubles, to 8", () => {
    const at = [1, 5, 6, 10, 11, 20, 21, 40, 41, 80, 160, 320, 321, 640, 641, 1_000_000].map((n) => stepOf(n, 5));
    expect(at).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 7, 8, 8]);
  });

  it("goes by /64 or /24 and by /48, whichever is dearer; unknown addresses are no prefix; a new draw begins anew", () => {
    const counts = new EntryCounts();
    // 65,536 networks of one /48: each makes one entry only.
    for (let n = 0; n < WIDE_FACTOR * 5; n++) counts.count(1, from(1_000 + n, 9));
    expect(counts.nextCost(1, from(5_000, 9), 5)).toBe(1);
    expect(counts.nextCost(1, from(5_000, 8), 5)).toBe(0);
    for (let n = 0; n < 100; n++) counts.count(1, from(0));
    expect(counts.nextCost(1, from(0), 5)).toBe(0);
    for (let n = 0; n < 21; n++) counts.count(1, from(3));
    expect(counts.nextCost(1, from(3), 5)).toBe(3);
    expect(counts.nextCost(2, from(3), 5)).toBe(0);
  });

  it("is shown to the operator: entries by what they were due, and the prefixes with the most", () => {
    const networks = [0, 0, ...Array.from({ length: 25 }, () => 0xabc), ...Array.from({ length: 7 }, () => 0xdef), 3, 4];
    const shown = counted(networks, 0x11).ladder(1, 5);
    expect(shown?.steps).toEqual([2 + 5 + 5 + 2, 5 + 2, 10, 5, 0, 0, 0, 0, 0]);
    expect(shown?.busiest.slice(0, 2)).toEqual([
      { hash: "00000abc", entries: 25, next_cost: 3 },
      { hash: "00000def", entries: 7, next_cost: 1 },
    ]);
    expect(shown?.busiest_wide).toEqual([{ hash: "00000011", entries: networks.length, next_cost: 0 }]);
    expect(counted(networks).ladder(1, 0)).toBeNull();
    const random = seeded(4);
    const many = new PrefixCounts(65_536);
    const plain = new Map<number, number>();
    for (let i = 0; i < 40_000; i++) {
      const prefix = 1 + Math.floor(3_000 * random() ** 3);
      many.add(prefix);
      plain.set(prefix, (plain.get(prefix) ?? 0) + 1);
    }
    const most = [...plain.values()].sort((a, b) => b - a).slice(0, 10);
    expect(many.busiest(10).map(([, entries]) => entries)).toEqual(most);
  });
});

describe("[P12] networks that are chosen so that their hashes meet", () => {
  const inverse = (factor: number) => {
    let found = 1;
    for (let i = 0; i < 5; i++) found = Math.imul(found, 2 - Math.imul(factor, found));
    return found;
  };
  /** What `spread` with seed 0 takes to `hash`. */
  const chosen = (hash: number) => {
    let number = Math.imul(hash ^ (hash >>> 16), inverse(0x846ca68b));
    number = Math.imul(number ^ (number >>> 15) ^ (number >>> 30), inverse(0x7feb352d));
    return (number ^ (number >>> 16)) >>> 0;
  };

  it("make no lookup long: where they go nobody can foresee, in a new line and one that is loaded again too", () => {
    const crowd = (line: LineState) => {
      for (let n = 1; n <= 5_000; n++) {
        const from = { network: chosen(n * 2 ** 19), address: 0, wide: 0 };
        const got = { join: n, draw: 1, number: n };
        line.recent.add(String(n).padStart(16, "0"), from, { proof: 0, limited: true, slack: [], beyond: false }, got, 1_000);
        line.entryCounts.count(1, from);
      }
      return [line.recent.longestRun, line.entryCounts.longestRun];
    };
    expect(spread(chosen(7 * 2 ** 19), 0)).toBe(7 * 2 ** 19);
    for (const run of crowd(newLine(0))) expect(run).toBeGreaterThan(4_000);
    const line = newLine(0, "r", 0x5eed5eed);
    const loaded = loadLine(
      { counters: JSON.stringify(line.counters), records: [], gone: [], blocks: [], joins: [], entries: () => [] } as never,
      0,
      "r",
      line.seed,
    );
    for (const each of [reset(line, settingsOf()), loaded, line]) for (const run of crowd(each)) expect(run).toBeLessThan(400);
  });
});
