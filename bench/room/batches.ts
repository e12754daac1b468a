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

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Two characters for each 12 bits. */
const PAIRS = Array.from({ length: 4_096 }, (_, bits) => ALPHABET.charAt(bits >> 6) + ALPHABET.charAt(bits & 63));

/** Sixteen characters, of the 22 of a visitor token's random part those that count. */
function keyOf(who: number): string {
  let key = "";
  for (let use = 3; use < 7; use++) {
    const bits = scattered(who, use);
    key += (PAIRS[bits & 4_095] as string) + (PAIRS[(bits >>> 12) & 4_095] as string);
  }
  return key;
}

/** A u32 that looks random, never 0; another for each `use` of the same number. */
function scattered(who: number, use: number): number {
  let mixed = Math.imul(who + 1, 0x9e3779b1) ^ Math.imul(use, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0 || 1;
}
