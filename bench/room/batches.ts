/** Batches as an edge would send them, of as many people as a benchmark needs. Pure. */
import { type Batch, EMPTY_BATCH, EXCHANGE_VERSION, type JoinRequest } from "../../src/core/exchange";

export function batchOf(items: Partial<Batch>): Batch {
  return { v: EXCHANGE_VERSION, isolate: 1, generation: 1, ...EMPTY_BATCH, ...items };
}

/** The people numbered `first` and on, each with a key and from a network of their own. */
export function joinsOf(first: number, count: number, enter: boolean): JoinRequest[] {
  return Array.from({ length: count }, (_, i) => {
    const who = first + i;
    return { key: keyOf(who), network: scattered(who, 1), address: scattered(who, 2), enter, tag: who & 0xffff };
  });
}

/** 22 characters of base64url, as the random part of a visitor token. */
function keyOf(who: number): string {
  return Array.from({ length: 4 }, (_, i) =>
    scattered(who, 3 + i)
      .toString(36)
      .padStart(7, "0")
      .slice(-6),
  )
    .join("")
    .slice(0, 22);
}

/** A u32 that looks random, never 0; another for each `use` of the same number. */
function scattered(who: number, use: number): number {
  let mixed = Math.imul(who + 1, 0x9e3779b1) ^ Math.imul(use, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0 || 1;
}
