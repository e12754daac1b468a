/** The shuffle against Ethereum's, as a bijection, and by statistics that a biased shuffle fails. */
import { createHash, randomBytes } from "node:crypto";
import { unshuffleList } from "@chainsafe/swap-or-not-shuffle";
import { describe, expect, test } from "vitest";
import { runHashing, runHashingAsync } from "../../src/core/hashing";
import { sha256 } from "../../src/core/sha256";
import { SHUFFLE_ROUNDS, shuffledIndex, shuffling } from "../../src/core/shuffle";
import { rememberingSha256 } from "../support/remembering-sha256";

const seedOf = (text: string) => new Uint8Array(createHash("sha256").update(text).digest());
const upTo = (count: number) => Uint32Array.from({ length: count }, (_, i) => i);
const oracle = (count: number, seed: Uint8Array) => unshuffleList(upTo(count), seed, SHUFFLE_ROUNDS);

describe("shuffledIndex", () => {
  const runSeed = process.env["SHUFFLE_SEED"] ?? randomBytes(8).toString("hex");

  test(`[DRAW-1] S9 equals Ethereum's shuffle on random counts and seeds, whole lists (SHUFFLE_SEED=${runSeed})`, () => {
    for (let i = 0; i < 20; i++) {
      const seed = seedOf(`${runSeed} ${i}`);
      const count = 1 + (new DataView(seed.buffer).getUint32(0) % 800);
      const remembering = rememberingSha256();
      const ours = Array.from(upTo(count), (index) => shuffledIndex(index, count, seed, remembering));
      expect(ours, `count ${count}`).toEqual([...oracle(count, seed)]);
    }
  });

  test.each([1, 2, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 3_000_000])(
    "[DRAW-1] equals Ethereum's shuffle of %i at its edges and in between",
    (count) => {
      const seed = seedOf(`count ${count} ${runSeed}`);
      const theirs = oracle(count, seed);
      const between = Array.from({ length: 100 }, (_, i) => new DataView(seedOf(`${runSeed} at ${i}`).buffer).getUint32(0) % count);
      for (const index of [0, 1, 255, 256, 257, Math.floor(count / 2), count - 2, count - 1, ...between].filter(
        (each) => each >= 0 && each < count,
      )) {
        expect(shuffledIndex(index, count, seed, sha256), `index ${index}, SHUFFLE_SEED=${runSeed}`).toBe(theirs[index]);
      }
    },
  );

  test("[DRAW-1] is a bijection for every count", () => {
    for (const count of [1, 2, 3, 5, 255, 256, 257, 700]) {
      const remembering = rememberingSha256();
      const places = Array.from(upTo(count), (index) => shuffledIndex(index, count, seedOf(`${count}`), remembering));
      expect(places.toSorted((a, b) => a - b)).toEqual([...upTo(count)]);
      const back = places.map((place) => runHashing(shuffling(place, count, seedOf(`${count}`), true), remembering));
      expect(back, "and back").toEqual([...upTo(count)]);
    }
  });

  test("[DRAW-1] has no place for an index outside of the draw, nor for anybody in a draw of nobody", () => {
    const seed = seedOf("any");
    for (const [index, count] of [
      [0, 0],
      [1, 1],
      [-1, 3],
      [3, 3],
      [0.5, 3],
      [Number.NaN, 3],
      [0, 2 ** 41],
    ] as const) {
      expect(() => shuffledIndex(index, count, seed, sha256), `${index} of ${count}`).toThrow(RangeError);
    }
    expect(() => shuffledIndex(0, 1, seed.subarray(1), sha256)).toThrow(RangeError);
  });

  test("[DRAW-1] gives the same places with the browser's asynchronous SHA-256", async () => {
    const digest = async (bytes: BufferSource) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    for (const index of [0, 7, 99]) {
      expect(await runHashingAsync(shuffling(index, 100, seedOf("async")), digest)).toBe(
        shuffledIndex(index, 100, seedOf("async"), sha256),
      );
    }
  });
});
