/**
 * Which proofs have given a place already, longer than the ring remembers keys: the same proof never gives a second one. Pure.
 * Two Bloom filters of 1 MB that take turns every 11 minutes, a minute longer than a proof counts. Nothing used is ever missed. One proof
 * in 40 is taken for a used one where a million are used within 11 minutes, one in 3,000 where it is 300,000: that visitor is asked once
 * more, for one step of the cost more.
 */
import { KEY_CHARS } from "./key-ring";

/** A proof is worth something for ten minutes from when it was asked for; one more for clocks and calls under way. */
export const PROOF_SPAN_MS = 11 * 60_000;
const BITS = 1 << 23;
const HASHES = 4;

export class UsedProofs {
  /** Of the span that is on, and of the one before; made with the first proof. */
  #now: Uint32Array | null = null;
  #former: Uint32Array | null = null;
  #span = Number.NEGATIVE_INFINITY;

  /** @param cost of the proof: a dearer one for the same key is another */
  add(key: string, cost: number, atMs: number): void {
    this.#turn(atMs);
    this.#now ??= new Uint32Array(BITS / 32);
    for (const bit of bitsOf(key, cost)) this.#now[bit >>> 5] = (this.#now[bit >>> 5] as number) | (1 << (bit & 31));
  }

  has(key: string, cost: number, now: number): boolean {
    this.#turn(now);
    const bits = bitsOf(key, cost);
    return [this.#now, this.#former].some((set) => set !== null && bits.every((bit) => ((set[bit >>> 5] as number) >>> (bit & 31)) & 1));
  }

  /** Bytes held. */
  get bytes(): number {
    return (this.#now === null ? 0 : BITS / 8) + (this.#former === null ? 0 : BITS / 8);
  }

  #turn(now: number): void {
    const span = Math.floor(now / PROOF_SPAN_MS);
    if (span <= this.#span) return;
    this.#former = span === this.#span + 1 ? this.#now : null;
    this.#now = null;
    this.#span = span;
  }
}

/** Where a key's proof stands in a filter; of a key what its stored row has. Keys are random bytes that we signed: nobody chooses them. */
function bitsOf(whole: string, cost: number): number[] {
  const key = whole.slice(0, KEY_CHARS).padEnd(KEY_CHARS, "-");
  let first = 0x811c9dc5 ^ cost;
  let second = 0x9e3779b9 + cost;
  for (let i = 0; i < key.length; i++) {
    first = Math.imul(first ^ key.charCodeAt(i), 0x01000193);
    second = Math.imul(second ^ key.charCodeAt(i), 0x85ebca6b) + 1;
  }
  first = Math.imul(first ^ (first >>> 16), 0x7feb352d);
  const step = (Math.imul(second ^ (second >>> 15), 0x846ca68b) | 1) >>> 0;
  return Array.from({ length: HASHES }, (_, i) => ((first + Math.imul(i, step)) >>> 0) % BITS);
}
