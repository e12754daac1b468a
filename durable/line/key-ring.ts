/**
 * Visitor keys of recent joins, oldest first, found by key: 32 bytes each, in typed arrays (a Map of objects needs 300). Pure; knows nothing
 * of joins but two numbers. Of a key that is there twice the newer one is found.
 */
/** Characters of a key that count: 16 of base64url, 96 bits. */
export const KEY_CHARS = 16;
const WORDS = KEY_CHARS / 4;
const FIRST_CAPACITY = 1_024;
const NONE = -1;

export interface Kept {
  /** Which batch it came with. */
  readonly batch: number;
  /** Its place in the batch. */
  readonly place: number;
}

export class KeyRing {
  /** Places in a ring whose length is a power of two; chained by hash. */
  #keys = new Uint32Array(FIRST_CAPACITY * WORDS);
  #batches = new Uint32Array(FIRST_CAPACITY);
  #places = new Uint32Array(FIRST_CAPACITY);
  #older = new Int32Array(FIRST_CAPACITY);
  #newest = new Int32Array(FIRST_CAPACITY).fill(NONE);
  #first = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#capacity * (4 * WORDS + 4 + 4 + 4 + 4);
  }

  get #capacity(): number {
    return this.#older.length;
  }

  find(key: string): Kept | null {
    const words = wordsOf(key);
    for (let at = this.#newest[this.#bucketOf(words)] as number; at !== NONE; at = this.#older[at] as number) {
      if (words.every((word, i) => this.#keys[at * WORDS + i] === word)) return this.#at(at);
    }
    return null;
  }

  /** The newest key of which this is true; its first `KEY_CHARS` characters. */
  keyOf(is: (kept: Kept) => boolean): string | null {
    for (let i = this.#size - 1; i >= 0; i--) {
      const at = (this.#first + i) % this.#capacity;
      if (is(this.#at(at))) return textOf(this.#keys.subarray(at * WORDS, (at + 1) * WORDS));
    }
    return null;
  }

  /** @param batch and @param place up to 2³² − 1 */
  push(key: string, batch: number, place: number): void {
    if (this.#size === this.#capacity) this.#grow();
    const at = (this.#first + this.#size) % this.#capacity;
    this.#size += 1;
    this.#keys.set(wordsOf(key), at * WORDS);
    this.#batches[at] = batch;
    this.#places[at] = place;
    this.#link(at);
  }

  /** The oldest one, or null. */
  peek(): Kept | null {
    return this.#size === 0 ? null : this.#at(this.#first);
  }

  /** Forget the oldest one. */
  shift(): void {
    if (this.#size === 0) return;
    const bucket = this.#bucketAt(this.#first);
    if (this.#newest[bucket] === this.#first) {
      this.#newest[bucket] = NONE;
    } else {
      // The oldest of all is the last of its chain.
      let at = this.#newest[bucket] as number;
      while (this.#older[at] !== this.#first) at = this.#older[at] as number;
      this.#older[at] = NONE;
    }
    this.#first = (this.#first + 1) % this.#capacity;
    this.#size -= 1;
  }

  #at(at: number): Kept {
    return { batch: this.#batches[at] as number, place: this.#places[at] as number };
  }

  #link(at: number): void {
    const bucket = this.#bucketAt(at);
    this.#older[at] = this.#newest[bucket] as number;
    this.#newest[bucket] = at;
  }

  #bucketAt(at: number): number {
    return this.#bucketOf(this.#keys.subarray(at * WORDS, (at + 1) * WORDS));
  }

  #bucketOf(words: ArrayLike<number>): number {
    let hash = 0;
    for (let i = 0; i < WORDS; i++) hash = Math.imul(hash ^ (words[i] as number), 0x9e3779b1) ^ (hash >>> 15);
    return ((hash ^ (hash >>> 16)) >>> 0) % this.#capacity;
  }

  #grow(): void {
    const [size, first, old] = [this.#size, this.#first, this.#capacity];
    const places = Array.from({ length: size }, (_, i) => (first + i) % old);
    const [keys, batches, held] = [this.#keys, this.#batches, this.#places];
    this.#keys = new Uint32Array(2 * old * WORDS);
    this.#batches = new Uint32Array(2 * old);
    this.#places = new Uint32Array(2 * old);
    this.#older = new Int32Array(2 * old);
    this.#newest = new Int32Array(2 * old).fill(NONE);
    this.#first = 0;
    for (const [at, was] of places.entries()) {
      this.#keys.set(keys.subarray(was * WORDS, (was + 1) * WORDS), at * WORDS);
      this.#batches[at] = batches[was] as number;
      this.#places[at] = held[was] as number;
      this.#link(at);
    }
  }
}

function wordsOf(key: string): number[] {
  const words: number[] = [];
  for (let at = 0; at < KEY_CHARS; at += 4) {
    words.push((byteOf(key, at) | (byteOf(key, at + 1) << 8) | (byteOf(key, at + 2) << 16) | (byteOf(key, at + 3) << 24)) >>> 0);
  }
  return words;
}

function textOf(words: Uint32Array): string {
  return String.fromCharCode(...[...words].flatMap((word) => [word & 0xff, (word >>> 8) & 0xff, (word >>> 16) & 0xff, word >>> 24]));
}

/** A short key is one with `-` behind it, as its stored row has it. */
function byteOf(key: string, at: number): number {
  return at < key.length ? key.charCodeAt(at) & 0xff : 0x2d;
}
