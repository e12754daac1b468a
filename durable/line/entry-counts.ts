/**
 * How many entries of a draw came from each network prefix: what the price ladder goes by, and what the operator is shown. Pure.
 * 8 bytes a prefix, in typed arrays, half full at most; bounded at a million prefixes and 130,000 IPv6 /48s, 18 MB. Of those that come
 * when there is no room any more nothing is known: where the ladder is on they pay its first step from their first entry on.
 * Of one draw at a time, the newest; rebuilt from the stored list of its entries after an eviction.
 */

import { MOST_COST } from "../../src/core/exchange";
import type { BusyPrefix, Stats } from "../../src/core/stats";
import type { JoinFrom } from "./recent-joins";
import { longestRun, spread } from "./spread";

const LEAST = 1_024;
const MOST_NETWORKS = 2_097_152;
const MOST_WIDE = 262_144;
/** An IPv6 /48 may be one customer's or a thousand's: it has so many times the free entries of a /64. */
export const WIDE_FACTOR = 16;
const LISTED = 10;

export type Concentration = Pick<DrawStats, "networks" | "busiest_networks_share">;

const NO_CONCENTRATION: Concentration = { networks: null, busiest_networks_share: null };

type DrawStats = NonNullable<Stats["draw"]>;
export type LadderStats = NonNullable<DrawStats["ladder"]>;

/**
 * What the `n`th entry of a prefix costs: nothing up to `free`, then a step that goes up each time the number doubles.
 * @param n from 1 on. @param free at least 1
 */
export function stepOf(n: number, free: number): number {
  let cost = 0;
  for (let most = free; n > most && cost < MOST_COST; most *= 2) cost += 1;
  return cost;
}

/** Entries by prefix: open addressing. */
export class PrefixCounts {
  readonly #most: number;
  readonly #seed: number;
  #prefixes = new Uint32Array(LEAST);
  #counts = new Uint32Array(LEAST);
  #used = 0;

  /** @param most places of the table, a power of two from 1,024 on. @param seed of spread.ts */
  constructor(most: number, seed = 0) {
    this.#most = most;
    this.#seed = seed;
  }

  /** One more entry, if there is room to know. @param prefix its hash, not 0 */
  add(prefix: number): void {
    const at = this.#find(prefix);
    if (this.#prefixes[at] === 0) {
      if (2 * (this.#used + 1) > this.#most) return;
      this.#prefixes[at] = prefix;
      this.#used += 1;
    }
    this.#counts[at] = (this.#counts[at] as number) + 1;
    if (2 * (this.#used + 1) > this.#prefixes.length && this.#prefixes.length < this.#most) this.#grow();
  }

  /** Entries of this prefix; null = there is no room to know. */
  of(prefix: number): number | null {
    const at = this.#find(prefix);
    if (this.#prefixes[at] !== 0) return this.#counts[at] as number;
    return 2 * (this.#used + 1) > this.#most ? null : 0;
  }

  /** Of every prefix, in no order. */
  counts(): Uint32Array {
    return this.#counts.filter((count) => count > 0);
  }

  /** The prefixes with the most entries. */
  busiest(count: number): (readonly [prefix: number, entries: number])[] {
    const top: [number, number][] = [];
    for (const [at, prefix] of this.#prefixes.entries()) {
      const entries = this.#counts[at] as number;
      if (prefix === 0 || entries <= (top.length < count ? 1 : (top.at(-1)?.[1] ?? 0))) continue;
      top.push([prefix, entries]);
      top.sort(([, a], [, b]) => b - a);
      top.length = Math.min(top.length, count);
    }
    return top;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#prefixes.length * 8;
  }

  get longestRun(): number {
    return longestRun(this.#prefixes);
  }

  #find(prefix: number): number {
    const mask = this.#prefixes.length - 1;
    let at = spread(prefix, this.#seed) & mask;
    while (this.#prefixes[at] !== 0 && this.#prefixes[at] !== prefix) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [prefixes, counts] = [this.#prefixes, this.#counts];
    this.#prefixes = new Uint32Array(2 * prefixes.length);
    this.#counts = new Uint32Array(2 * prefixes.length);
    for (const [at, prefix] of prefixes.entries()) {
      if (prefix === 0) continue;
      const to = this.#find(prefix);
      this.#prefixes[to] = prefix;
      this.#counts[to] = counts[at] as number;
    }
  }
}

export class EntryCounts {
  readonly #seed: number;
  readonly #most: { readonly networks: number; readonly wide: number };
  /** Ids count up from 1. */
  #draw = 0;
  #entries = 0;
  #known = 0;
  #networks = new PrefixCounts(LEAST);
  #wide = new PrefixCounts(LEAST);

  /** @param seed of spread.ts. @param most places of the tables, powers of two; smaller ones for tests */
  constructor(seed = 0, most = { networks: MOST_NETWORKS, wide: MOST_WIDE }) {
    this.#seed = seed;
    this.#most = most;
  }

  /** One more entry of this draw; a newer draw begins anew. */
  count(draw: number, { network, wide }: Pick<JoinFrom, "network" | "wide">): void {
    if (draw !== this.#draw) this.#begin(draw);
    this.#entries += 1;
    if (network !== 0) this.#known += 1;
    if (network !== 0) this.#networks.add(network);
    if (wide !== 0) this.#wide.add(wide);
  }

  /** What the next entry from there costs by the ladder. @param free of a network prefix, at least 1 */
  nextCost(draw: number, { network, wide }: JoinFrom, free: number): number {
    if (draw !== this.#draw) this.#begin(draw);
    const step = (counts: PrefixCounts, prefix: number, most: number) => (prefix === 0 ? 0 : nextStep(counts.of(prefix), most));
    return Math.max(step(this.#networks, network, free), step(this.#wide, wide, WIDE_FACTOR * free));
  }

  concentration(draw: number): Concentration {
    if (draw !== this.#draw || this.#known === 0) return NO_CONCENTRATION;
    const counts = this.#networks.counts().sort();
    const sum = (some: Uint32Array) => some.reduce((total, count) => total + count, 0);
    const busiest = sum(counts.subarray(-Math.ceil(counts.length / 100)));
    return { networks: counts.length, busiest_networks_share: Math.round((busiest / this.#entries) * 10_000) / 10_000 };
  }

  /** null = the ladder is off, or nothing is known of this draw. */
  ladder(draw: number, free: number): LadderStats | null {
    if (draw !== this.#draw || free === 0) return null;
    const listed = (counts: PrefixCounts, most: number): BusyPrefix[] =>
      counts.busiest(LISTED).map(([prefix, entries]) => ({
        hash: prefix.toString(16).padStart(8, "0"),
        entries,
        next_cost: nextStep(entries, most),
      }));
    return { steps: this.#steps(free), busiest: listed(this.#networks, free), busiest_wide: listed(this.#wide, WIDE_FACTOR * free) };
  }

  #steps(free: number): number[] {
    const steps = new Array<number>(MOST_COST + 1).fill(0);
    steps[0] = this.#entries - this.#known;
    for (const count of this.#networks.counts()) {
      for (let cost = 0, below = 0; cost <= MOST_COST && below < count; cost++) {
        const most = cost === MOST_COST ? count : Math.min(count, free * 2 ** cost);
        steps[cost] = (steps[cost] as number) + most - below;
        below = most;
      }
    }
    return steps;
  }

  #begin(draw: number): void {
    this.#draw = draw;
    this.#entries = 0;
    this.#known = 0;
    this.#networks = new PrefixCounts(this.#most.networks, this.#seed);
    this.#wide = new PrefixCounts(this.#most.wide, this.#seed);
  }

  /** What a lookup passes at worst. */
  get longestRun(): number {
    return Math.max(this.#networks.longestRun, this.#wide.longestRun);
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#networks.bytes + this.#wide.bytes;
  }
}

function nextStep(entries: number | null, free: number): number {
  return entries === null ? 1 : stepOf(entries + 1, free);
}

/** How long a concentration and a ladder that were computed for the operator are shown, ms: a second, and one more for every 100,000 entries. */
export function holdsForMs(entries: number): number {
  return 1_000 + entries / 100;
}
