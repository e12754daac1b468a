/**
 * Is the draw fair? Statistics over many seeds, as draws make them, nine of them with |z| < 5: fair shuffles fail once in about 190,000 runs.
 * Shuffles that are biased a little fail every time, which shows that these tests can.
 */
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { fromHex } from "../../src/core/bytes";
import { seedOf } from "../../src/core/draw-sync";
import { sha256 } from "../../src/core/sha256";
import { shuffledIndex } from "../../src/core/shuffle";
import { rememberingSha256 } from "../support/remembering-sha256";
import { neighboursZ, ordersZ, orderZ, type Permutations, placesZ } from "../support/statistics";

const LIMIT = 5;
const runSeed = process.env["CHANCE_SEED"] ?? randomBytes(8).toString("hex");
const run = `CHANCE_SEED=${runSeed}`;

/** Seeds as the Room makes them: another salt and hash of entries each time, everything else the same. */
function drawSeed(draw: number, count: number): Uint8Array {
  const bytesOf = (words: string) => sha256(new TextEncoder().encode(words) as Uint8Array<ArrayBuffer>);
  const entriesHash = Buffer.from(bytesOf(`${runSeed} entries ${draw}`)).toString("hex");
  return fromHex(seedOf({ room: "shop", event: "Sale", salt: bytesOf(`${runSeed} salt ${draw}`), count, entriesHash, randomness: null }));
}

function drawsOf(draws: number, count: number): Permutations {
  return Array.from({ length: draws }, (_, draw) => {
    const seed = drawSeed(draw, count);
    const sha256 = rememberingSha256();
    return Array.from({ length: count }, (_, entry) => shuffledIndex(entry, count, seed, sha256));
  });
}

/** Numbers in [0, 1) from SHA-256 of the run's seed. */
function chance(label: string): () => number {
  let at = 0;
  return () => {
    at += 1;
    const digest = sha256(new TextEncoder().encode(`${runSeed} ${label} ${at}`) as Uint8Array<ArrayBuffer>);
    return new DataView(digest.buffer).getUint32(0) / 2 ** 32;
  };
}

/** Places by ascending score: fair where the scores are. */
function byScore(scores: readonly number[]): number[] {
  const places: number[] = [];
  [...scores.keys()]
    .toSorted((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0))
    .forEach((entry, place) => {
      places[entry] = place;
    });
  return places;
}

const permutations = (draws: number, one: (draw: number) => number[]): Permutations =>
  Array.from({ length: draws }, (_, draw) => one(draw));

describe("the draw", () => {
  let small: Permutations = [];
  let large: Permutations = [];
  beforeAll(() => {
    small = drawsOf(1200, 12);
    large = drawsOf(80, 150);
  }, 120_000);

  test(`[DRAW-10] S9 C68 every entry comes to every place equally often, neither more nor less evenly than chance has it (${run})`, () => {
    expect(Math.abs(placesZ(small))).toBeLessThan(LIMIT);
  });

  test(`[DRAW-10] S9 C68 all orders of five entries are equally likely (${run})`, () => {
    expect(Math.abs(ordersZ(drawsOf(2400, 5)))).toBeLessThan(LIMIT);
  });

  test(`[DRAW-10] the order of entering says nothing about the place (${run})`, () => {
    expect(Math.abs(orderZ(small))).toBeLessThan(LIMIT);
    expect(Math.abs(orderZ(large))).toBeLessThan(LIMIT);
  });

  test(`[DRAW-10] C70 two who entered one after the other are not drawn near each other (${run})`, () => {
    expect(Math.abs(neighboursZ(small))).toBeLessThan(LIMIT);
    expect(Math.abs(neighboursZ(large))).toBeLessThan(LIMIT);
  });
});

describe("a biased draw", () => {
  const random = chance("bias");

  test(`[DRAW-10] S9 C68 swapping each entry with any other, the usual mistake, is found (${run})`, () => {
    const naive = permutations(4000, () => {
      const places = Array.from({ length: 12 }, (_, i) => i);
      for (let i = 0; i < places.length; i++) {
        const j = Math.floor(random() * places.length);
        [places[i], places[j]] = [places[j] ?? 0, places[i] ?? 0];
      }
      return places;
    });
    expect(placesZ(naive)).toBeGreaterThan(LIMIT);
  });

  test(`[DRAW-10] one entry that comes out first a little too often is found (${run})`, () => {
    const bought = permutations(1200, () => byScore(Array.from({ length: 12 }, (_, i) => (i === 7 && random() < 0.25 ? -1 : random()))));
    expect(placesZ(bought)).toBeGreaterThan(LIMIT);
  });

  test(`[DRAW-10] the same order again and again, though it looks mixed, is found (${run})`, () => {
    const fixed = byScore(Array.from({ length: 12 }, random));
    expect(placesZ(permutations(1200, () => fixed))).toBeGreaterThan(LIMIT);
  });

  test(`[DRAW-10] rotations of one order are found, though every entry comes to every place equally often (${run})`, () => {
    const rotated = permutations(2400, () => {
      const by = Math.floor(random() * 5);
      return Array.from({ length: 5 }, (_, entry) => (entry + by) % 5);
    });
    expect(ordersZ(rotated)).toBeGreaterThan(LIMIT);
  });

  test(`[DRAW-10] a little help for those who came early is found (${run})`, () => {
    const early = permutations(80, () => byScore(Array.from({ length: 150 }, (_, i) => random() + (0.3 * i) / 150)));
    expect(orderZ(early)).toBeGreaterThan(LIMIT);
  });

  test(`[DRAW-10] groups that entered together and stay together are found (${run})`, () => {
    const groups = permutations(200, () => {
      const scores = Array.from({ length: 150 }, random);
      return byScore(scores.map((_, i) => scores[i - (i % 5)] ?? 0));
    });
    expect(neighboursZ(groups)).toBeLessThan(-LIMIT);
  });

  test(`[DRAW-10] the measures are as spread as they say: a fair shuffle of another kind is within them (${run})`, () => {
    const fair = permutations(1200, () => byScore(Array.from({ length: 12 }, random)));
    for (const z of [placesZ(fair), orderZ(fair), neighboursZ(fair)]) expect(Math.abs(z)).toBeLessThan(LIMIT);
  });
});
