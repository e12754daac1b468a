/** The rules of a draw against records computed by another program, and what a check finds. */
import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fromHex, toHex } from "../../src/core/bytes";
import { BEACON_DISTANCE_MS, publishedAtMs, roundAfter } from "../../src/core/drand";
import { checkingRecord, type DrawEvidence, verifyDraw } from "../../src/core/draw-check";
import * as draw from "../../src/core/draw-sync";
import { runHashingAsync } from "../../src/core/hashing";
import { cutoffOf, DRAWS, spoiled, vectorNamed } from "../support/draw-vectors";
import { drawn } from "../support/drawn";

const sha256Async = async (bytes: BufferSource) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

describe("a draw", () => {
  test.each(DRAWS)("[DRAW-2] $name: the chain goes from the opening through every batch to the cut-off", (vector) => {
    let chain = draw.chainStart(cutoffOf(vector));
    expect(toHex(chain)).toBe(vector.chainStart);
    for (const { first, digest, keys, chain: after } of vector.batches) {
      if (keys) expect(toHex(draw.digestOfKeys(keys))).toBe(digest);
      chain = draw.chainStep(chain, first, fromHex(digest));
      expect(toHex(chain)).toBe(after);
    }
    expect(toHex(chain)).toBe(vector.record.chain);
  });

  test("[DRAW-2] S8 C70 another key, order, border of a batch, draw, room, promise or beacon leads to another chain", () => {
    const opening = cutoffOf(vectorNamed("sale"));
    const chainOf = (batches: readonly (readonly string[])[], changes: Partial<typeof opening> = {}) => {
      let chain = draw.chainStart({ ...opening, ...changes });
      let first = 0;
      for (const keys of batches) {
        chain = draw.chainStep(chain, first, draw.digestOfKeys(keys));
        first += keys.length;
      }
      return toHex(chain);
    };
    const plain = [["a", "b"], ["c"]];
    const others = [
      chainOf([["a", "x"], ["c"]]),
      chainOf([["b", "a"], ["c"]]),
      chainOf([["a"], ["b", "c"]]),
      chainOf([["a", "b", "c"]]),
      chainOf([["a", "b"]]),
      chainOf(plain, { id: 2 }),
      chainOf(plain, { generation: 1 }),
      chainOf(plain, { room: "shoq" }),
      chainOf(plain, { event: "" }),
      chainOf(plain, { room: "shopS", event: opening.event.slice(1) }),
      chainOf(plain, { commitment: "00".repeat(32) }),
      chainOf(plain, { beacon: "none" }),
      chainOf(plain, { openedAtMs: opening.openedAtMs + 1 }),
    ];
    expect(new Set([chainOf(plain), ...others]).size).toBe(others.length + 1);
  });

  test.each(DRAWS)("[DRAW-3] $name: commitment, hash of the cut-off, seed and record follow from what was fixed", (vector) => {
    const { record } = vector;
    const salt = fromHex(record.salt);
    const { beacon } = record;
    const randomness = "randomness" in beacon ? beacon.randomness : null;
    expect(draw.commitmentOf(salt)).toBe(record.commitment);
    expect(draw.entriesHashOf(cutoffOf(vector))).toBe(record.entriesHash);
    expect(draw.seedOf({ ...record, salt, randomness })).toBe(record.seed);
    const result = "fallback" in beacon ? "fallback" : "randomness" in beacon ? beacon : null;
    expect(draw.recordOf(cutoffOf(vector), salt, result, Date.parse(record.drawnAt))).toEqual(record);
  });

  test.each(DRAWS)("[DRAW-1] [DRAW-3] $name: every entry has the slot of the record", ({ record, slots }) => {
    expect(Object.fromEntries(Object.keys(slots).map((entry) => [entry, draw.slotOf(record, Number(entry))]))).toEqual(slots);
    for (const entry of [record.count, -1, 0.5]) expect(() => draw.slotOf(record, entry)).toThrow(RangeError);
  });

  test("[DRAW-3] a draw by drand has a round or its fallback, one without has neither", () => {
    const [withBeacon, without] = [cutoffOf(vectorNamed("sale")), cutoffOf(vectorNamed("window"))];
    const salt = new Uint8Array(32);
    expect(() => draw.recordOf(withBeacon, salt, null, 0)).toThrow(RangeError);
    expect(() => draw.recordOf(without, salt, "fallback", 0)).toThrow(RangeError);
  });

  const seed = process.env["DRAND_SEED"] ?? randomBytes(4).toString("hex");
  test(`[DRAW-4] S8 the round is the first that is published at least 10 s after the cut-off (DRAND_SEED=${seed})`, () => {
    expect(publishedAtMs(1)).toBe(1_692_803_367_000);
    expect(roundAfter(publishedAtMs(1000) - BEACON_DISTANCE_MS)).toBe(1000);
    expect(roundAfter(publishedAtMs(1000) - BEACON_DISTANCE_MS + 1)).toBe(1001);
    for (let i = 0; i < 1000; i++) {
      const cutoffMs = 1_700_000_000_000 + Number(createHash("sha256").update(`${seed} ${i}`).digest().readBigUInt64LE() % 10n ** 12n);
      const round = roundAfter(cutoffMs);
      expect(publishedAtMs(round) - cutoffMs).toBeGreaterThanOrEqual(BEACON_DISTANCE_MS);
      expect(publishedAtMs(round - 1) - cutoffMs).toBeLessThan(BEACON_DISTANCE_MS);
    }
  });
});

describe("checking a record", () => {
  test.each(DRAWS)("[DRAW-5] [P13] S8 $name: it holds, and no field can be changed without being found", async (vector) => {
    expect(draw.checkRecord(vector.record)).toEqual([]);
    let tried = 0;
    for (const [what, record] of spoiled(vector.record)) {
      tried += 1;
      expect(draw.checkRecord(record), what).not.toEqual([]);
      expect(await runHashingAsync(checkingRecord(record), sha256Async), what).toEqual(draw.checkRecord(record));
    }
    expect(tried).toBeGreaterThan(80);
  });

  test("[DRAW-5] says which part does not hold", () => {
    const { record } = vectorNamed("sale");
    const { record: late } = vectorNamed("late beacon");
    const other = "11".repeat(32);
    const found = (changes: object, of = record) => draw.checkRecord({ ...of, ...changes });
    expect(found({ algorithm: "vestibule-draw-2" })).toEqual(["algorithm"]);
    expect(found({ rounds: 89 })).toEqual(["algorithm"]);
    expect(found({ seed: other })).toEqual(["seed"]);
    expect(found({ salt: other })).toEqual(["commitment", "seed"]);
    expect(found({ base: 1 })).toEqual(["entries-hash", "seed"]);
    expect(found({ openedAt: "2023-09-15T10:29:51.501Z" })).toEqual(["entries-hash", "seed"]);
    expect(found({ closedAt: "2023-09-15T10:59:54.500Z" })).toEqual(["entries-hash", "round", "seed"]);
    expect(found({ drawnAt: record.openedAt })).toEqual(["times"]);
    expect(found({ beacon: { ...record.beacon, round: 657414 } })).toEqual(["round"]);
    expect(found({ beacon: { ...record.beacon, randomness: other } })).toEqual(["randomness"]);
    expect(found({ drawnAt: late.closedAt }, late)).toEqual(["times"]);
    const overMs = publishedAtMs(roundAfter(Date.parse(late.closedAt))) + late.beaconWaitMs;
    expect(found({ drawnAt: new Date(overMs - 1).toISOString() }, late)).toEqual(["times"]);
    expect(found({ drawnAt: new Date(overMs).toISOString() }, late)).toEqual([]);
    expect(found({ beaconWaitMs: record.beaconWaitMs - 1 })).toEqual(["entries-hash", "seed"]);
    for (const nothing of [null, undefined, [], "record", 7, {}]) expect(draw.checkRecord(nothing)).toEqual(["form"]);
  });
});

describe("verifyDraw", () => {
  const { record, slots, batches } = vectorNamed("behind");
  const evidence = (changes: Partial<DrawEvidence> = {}): DrawEvidence => ({ batches, receipt: null, ...changes });

  test.each(Object.entries(slots))("[DRAW-6] entry %s has slot %i, by place and in words' data", async (entry, slot) => {
    const looked = { chain: false, receipt: false };
    const check = { problems: [], slot, place: slot - record.base + 1, count: 12, beacon: "drand", looked };
    expect(await verifyDraw(record, Number(entry), sha256Async)).toEqual(check);
  });

  test("[DRAW-6] names the beacon that was used", async () => {
    const beaconOf = async (name: string) => (await verifyDraw(vectorNamed(name).record, 0, sha256Async)).beacon;
    expect([await beaconOf("sale"), await beaconOf("late beacon"), await beaconOf("window")]).toEqual(["drand", "fallback", "none"]);
  });

  test("[DRAW-6] an entry outside of the draw has no slot, nor has one of something that is no record", async () => {
    for (const entry of [12, -1, 0.5, Number.NaN]) {
      await expect(verifyDraw(record, entry, sha256Async)).resolves.toMatchObject({ problems: ["entry"], slot: null, place: null });
    }
    expect(await verifyDraw(vectorNamed("nobody").record, 0, sha256Async)).toMatchObject({ problems: ["entry"], slot: null });
    expect(await verifyDraw({ pending: "drawing" }, 0, sha256Async)).toMatchObject({ problems: ["form"], slot: null, beacon: null });
  });

  test("[DRAW-6] without an entry the record and its list are checked, and no place is told", async () => {
    const { record, batches } = drawn("demo", { count: 20 });
    const check = (entries: typeof batches) => verifyDraw(record, null, sha256Async, { batches: entries, receipt: null });
    expect(await check(batches)).toMatchObject({ problems: [], slot: null, place: null, count: 20, looked: { chain: true } });
    expect(await check(batches.slice(1))).toMatchObject({ problems: ["chain"], slot: null });
  });

  test("[DRAW-6] with a seed of somebody's own the slot is still the one that follows, and the seed is a problem", async () => {
    const tampered = { ...record, seed: "22".repeat(32) };
    for (const [entry, slot] of Object.entries(slots)) {
      expect(await verifyDraw(tampered, Number(entry), sha256Async)).toMatchObject({ problems: ["seed"], slot });
    }
  });

  test("[DRAW-7] the list of entries leads to the record's chain, and every receipt is in it at its batch", async () => {
    for (const { chain, first } of batches) {
      const check = await verifyDraw(record, first, sha256Async, evidence({ receipt: chain }));
      expect(check).toMatchObject({ problems: [], looked: { chain: true, receipt: true } });
    }
    const elsewhere = await verifyDraw(record, 0, sha256Async, evidence({ receipt: batches[1]?.chain ?? "" }));
    expect(elsewhere.problems).toEqual(["receipt"]);
    expect((await verifyDraw(vectorNamed("nobody").record, 0, sha256Async, evidence({ batches: [] }))).problems).toEqual(["entry"]);
  });

  test("[DRAW-7] a list that was cut, reordered, filled up or changed is found", async () => {
    const [a, b, c] = batches;
    if (!a || !b || !c) throw new Error("three batches are needed");
    const lists = [
      [],
      [a, b],
      [b, c],
      [a, c, b],
      [a, b, c, { first: 11, digest: c.digest }],
      [a, { ...b, first: 6 }, c],
      [a, { ...b, digest: c.digest }, c],
      [a, { ...b, digest: "?" }, c],
    ];
    for (const list of lists) {
      const check = verifyDraw(record, 0, sha256Async, evidence({ batches: list }));
      await expect(check, JSON.stringify(list)).resolves.toMatchObject({ problems: ["chain"] });
    }
  });
});
