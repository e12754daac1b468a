/** Reference codes: a permutation that support can read back, with the key ring and without. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readReferenceCode, referenceCode } from "../../src/core/reference-code";
import { sipHash } from "../../src/core/siphash";
import { importKeyRing, type KeyRing, readReference, referenceOf } from "../../src/keys";

const vectors = JSON.parse(readFileSync(new URL("../vectors/tokens.json", import.meta.url), "utf8")) as {
  secret: string;
  reference: { room: string; generation: number; slot: number; code: string };
};

async function ringOf(secret: string): Promise<KeyRing> {
  const imported = await importKeyRing(secret);
  if (!imported.ok) throw new Error(imported.problem);
  return imported.ring;
}
const ring = await ringOf(vectors.secret);
const { room, code, ...place } = vectors.reference;

/** Any function of 20 bits will do for a permutation; this one is a plain mixer. */
const mix = (round: number, half: number) => (Math.imul(half ^ (round * 0x9e3779b1), 0x85ebca6b) >>> 7) & 0xfffff;

test("[TOKEN-13] the code is the vector's and reads back, however it is typed", async () => {
  expect(await referenceOf(ring, room, place)).toBe(code);
  for (const typed of [code, code.toLowerCase(), code.replace("-", ""), ` ${code.replace("-", " ")} `]) {
    expect(await readReference(ring, room, typed, place.generation), typed).toContainEqual(place);
  }
});

test("SipHash-2-4 is that of its authors: their key and their message of eight bytes", () => {
  const low = sipHash([0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c], 0x03020100, 0x07060504);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(low);
  expect(bytes.toString("hex")).toBe("6224939a");
});

test("[TOKEN-13] every place reads back, for any current generation up to 255 later", () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 32 - 1 }), fc.nat({ max: 100_000 }), fc.nat({ max: 255 }), (slot, generation, later) => {
      const text = referenceCode({ generation, slot }, mix);
      expect(text).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
      expect(readReferenceCode(text ?? "", mix, generation + later)).toEqual({ generation, slot });
    }),
  );
});

test("[TOKEN-13] different places and rooms have different codes", async () => {
  const codes = new Set<string | null>();
  for (let slot = 0; slot < 300; slot++) codes.add(await referenceOf(ring, room, { generation: 3, slot }));
  for (let generation = 4; generation < 20; generation++) codes.add(await referenceOf(ring, room, { generation, slot: 1 }));
  codes.add(await referenceOf(ring, "other", { generation: 3, slot: 1 }));
  expect(codes.size).toBe(300 + 16 + 1);
});

test("[TOKEN-13] a rotated ring still reads codes made with the old key", async () => {
  const rotated = await ringOf(vectors.secret.split(",").reverse().join(","));
  expect(rotated.signingKid).toBe("k1");
  expect(await referenceOf(rotated, room, place)).not.toBe(code);
  expect(await readReference(rotated, room, code, place.generation)).toContainEqual(place);
});

test("[TOKEN-13] look-alikes are forgiven, other text is no code, and a place past 2^32 has none", () => {
  let withLookAlikes = "";
  let slot = 0;
  while (!/[01]/.test(withLookAlikes)) withLookAlikes = referenceCode({ generation: 0, slot: slot++ }, mix) ?? "";
  const typed = withLookAlikes.replaceAll("0", "o").replaceAll("1", "l");
  expect(readReferenceCode(typed, mix, 0)).toEqual({ generation: 0, slot: slot - 1 });
  for (const text of ["", "1234567", "123456789", "1234-567U", "1234-567é", "1".repeat(10_000)]) {
    expect(readReferenceCode(text, mix, 5), text.slice(0, 20)).toBeNull();
  }
  expect(referenceCode({ generation: 0, slot: 2 ** 32 }, mix)).toBeNull();
  // Of a generation that has not begun: no code of this room.
  expect(readReferenceCode(referenceCode({ generation: 9, slot: 1 }, mix) ?? "", mix, 5)).toBeNull();
});
