/** `npm run verify-draw`: it knows nothing of the Worker's code, and comes to the same results and finds every changed field. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { verifySignature } from "../../scripts/lib/drand-signature.mjs";
import { readList, readReceipt, verifyDraw } from "../../scripts/lib/verify-draw.mjs";
import { toBase64url } from "../../src/core/base64url";
import { fromHex } from "../../src/core/bytes";
import { encodeUnsigned } from "../../src/core/token";
import { englishVerify } from "../../src/core/verify-words";
import { RECORDED_ROUNDS, startDrand } from "../support/drand";
import { DRAWS, type DrawVector, spoiled, vectorNamed } from "../support/draw-vectors";

const root = fileURLToPath(new URL("../../", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "vestibule-draw-"));
afterAll(() => rmSync(directory, { recursive: true }));

const file = (name: string, content: string) => {
  writeFileSync(join(directory, name), content);
  return join(directory, name);
};
const recordFile = ({ name, record }: DrawVector) => file(`${name}.json`, JSON.stringify(record));
const listOf = ({ batches }: DrawVector) => batches.map(({ first, digest }) => `${first} ${digest}\n`).join("");
/** The entry token of an entry, as the Worker makes it; the signature is nobody's. */
function tokenOf({ record, batches }: DrawVector, entry: number, changes: object = {}): string {
  const batch = batches.findLast(({ first }) => first <= entry);
  const place = {
    room: record.room,
    generation: record.generation,
    draw: record.id,
    entry,
    chain: toBase64url(fromHex(batch?.chain ?? "")),
  };
  return `${encodeUnsigned({ kind: "entry", ...place, iat: 1, exp: 2, ...changes }, "k1")}.${"A".repeat(43)}`;
}

async function run(...args: string[]): Promise<{ code: number | null; out: string }> {
  return runWith({}, ...args);
}

async function runWith(env: object, ...args: string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [join(root, "scripts/verify-draw.mjs"), ...args], { env: { ...process.env, ...env } });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += chunk));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, out };
}

describe("verify-draw", () => {
  test("[DRAW-9] shares no code with the Worker", () => {
    for (const name of ["scripts/verify-draw.mjs", "scripts/lib/verify-draw.mjs", "scripts/lib/drand-signature.mjs"]) {
      const imports = [...readFileSync(join(root, name), "utf8").matchAll(/(?:from|import\() ?"([^"]+)"/g)].map((match) => match[1]);
      expect(imports.filter((from) => !/^(node:|\.\/(lib\/)?[\w-]+\.mjs$|@noble\/curves\/)/.test(from ?? ""))).toEqual([]);
    }
  });

  test.each(DRAWS)("[DRAW-9] $name: every slot is the one of the record", async (vector) => {
    const batches = readList(listOf(vector));
    for (const [entry, slot] of Object.entries(vector.slots)) {
      const result = await verifyDraw(vector.record, { entry: Number(entry), batches });
      expect(result.slot).toBe(slot);
      expect(result.findings.filter(({ ok }) => ok === false)).toEqual([]);
    }
  });

  test.each(DRAWS)("[DRAW-9] [P13] S8 $name: no field can be changed without being found", async (vector) => {
    for (const [what, record] of spoiled(vector.record)) {
      const { findings } = await verifyDraw(record);
      expect(findings.filter(({ ok }) => ok === false).length, what).toBeGreaterThan(0);
    }
  });

  test("[DRAW-9] says in words what holds, and the slot", async () => {
    const vector = vectorNamed("sale");
    const list = file("entries.txt", listOf(vector));
    const { code, out } = await run(recordFile(vector), "--entry", "3", "--receipt", tokenOf(vector, 3), "--chain", list);
    expect(out).not.toContain("✗");
    expect(out).toContain("✓ drand's network signed this round");
    expect(out).toContain("✓ The receipt is in the list");
    // When it was published no record can tell; whoever saw it then can compare.
    expect(out).toContain(`✓ The secret number (salt) fits its commitment, ${vector.record.commitment}.`);
    expect(out).not.toMatch(/before the first entry/);
    expect(out).toContain(`✓ Entry 3 drew place ${(vector.slots["3"] ?? 0) + 1} of 10. Its slot is ${vector.slots["3"]}.`);
    expect(code).toBe(0);
  });

  test("[DRAW-9] says in words what does not hold, with exit code 1", async () => {
    const vector = vectorNamed("sale");
    const tampered = file("tampered.json", JSON.stringify({ ...vector.record, seed: "33".repeat(32) }));
    const { code, out } = await run(tampered, "--entry", "3");
    expect(out).toContain("✗ The seed does not follow from the rest of the record.");
    expect(out).toContain("1 of 9 do not hold.");
    expect(code).toBe(1);
  });

  test("[DRAW-9] a receipt of another draw, another entry or another history is found", async () => {
    const vector = vectorNamed("sale");
    const batches = readList(listOf(vector));
    const wrongOf = async (token: string, entry: number | null = null) => {
      const { findings } = await verifyDraw(vector.record, { receipt: readReceipt(token), entry, batches });
      return findings.filter(({ ok }) => ok === false).map(({ says }) => says);
    };
    expect(await wrongOf(tokenOf(vector, 4))).toEqual([]);
    expect(await wrongOf(tokenOf(vector, 4), 5)).toEqual([expect.stringContaining("not for entry 5")]);
    for (const other of [{ room: "other" }, { draw: 2 }, { generation: 1 }]) {
      expect(await wrongOf(tokenOf(vector, 4, other))).toEqual([expect.stringContaining("not for this one")]);
    }
    expect(await wrongOf(tokenOf(vector, 4, { chain: toBase64url(new Uint8Array(32)) }))).toEqual([
      expect.stringContaining("not in the list"),
    ]);
    expect(readReceipt("a.b.c")).toBeNull();
    const { findings } = await verifyDraw({ id: 1, dropped: "flushed", count: 3 });
    expect(findings).toEqual([{ ok: false, says: "The record cannot be read: the draw never took place." }]);
  });

  test("[DRAW-9] a receipt that anybody wrote down from the public list holds as well: the words claim nothing of who held it", async () => {
    const { record, batches } = vectorNamed("sale");
    const [first] = batches;
    const claims = { r: record.room, g: record.generation, d: record.id, e: 0, c: toBase64url(fromHex(first?.chain ?? "")) };
    const receipt = readReceipt(`receipt.${toBase64url(new TextEncoder().encode(JSON.stringify(claims)))}`);
    const { findings } = await verifyDraw(record, { receipt, batches: [...batches] });
    expect(findings.filter(({ ok }) => ok === false)).toEqual([]);
    const said = [...findings.map(({ says }) => says), englishVerify.receipt, englishVerify.receiptHolds];
    const ofReceipts = said.filter((words) => words.includes("receipt"));
    expect(ofReceipts.length).toBeGreaterThan(2);
    expect(ofReceipts.join("\n")).not.toMatch(/\bcounted\b|nobody else|\bproves?\b/);
    expect(ofReceipts.join("\n")).toMatch(/Only whoever runs the room can tell/);
    expect(ofReceipts.join("\n")).toMatch(/has no signature/);
  });

  test("[DRAW-9] a list of entries that was changed, cut or reordered is found", async () => {
    const vector = vectorNamed("sale");
    const lines = listOf(vector).trim().split("\n");
    for (const list of [
      lines.slice(1),
      lines.slice(0, -1),
      lines.toReversed(),
      lines.map((line) => line.replace("1 ", "2 ")).slice(0, 2),
      [],
    ]) {
      const { findings } = await verifyDraw(vector.record, { batches: readList(list.join("\n")) });
      expect(findings.filter(({ ok }) => ok === false)).toEqual([
        { ok: false, says: expect.stringContaining("list of entries does not lead") },
      ]);
    }
    expect(readList("0 abc")).toBeNull();
  });

  test("[DRAW-9] S8 asks drand when told to, and a fallback that was none comes to light", async () => {
    const drand = await startDrand();
    const env = { DRAND_URL: drand.url };
    const [sale, late] = [recordFile(vectorNamed("sale")), recordFile(vectorNamed("late beacon"))];
    expect((await runWith(env, sale)).out).not.toContain("drand says");
    expect(drand.asked).toEqual([]);
    expect(await runWith(env, sale, "--beacon")).toMatchObject({ code: 0, out: expect.stringContaining("✓ drand says the same") });
    expect((await runWith(env, late, "--beacon")).out).toContain("which drand does have");
    drand.answer = (response) => response.end(JSON.stringify({ ...RECORDED_ROUNDS[0], round: 657413 }));
    expect(await runWith(env, sale, "--beacon")).toMatchObject({ code: 1, out: expect.stringContaining("✗ drand says something else") });
    drand.answer = 404;
    expect(await runWith(env, sale, "--beacon")).toMatchObject({ code: 1, out: expect.stringContaining("✗ drand has no round 657413") });
    await drand.stop();
  });

  test("[DRAW-9] refuses what makes no sense by name", async () => {
    const record = recordFile(vectorNamed("sale"));
    expect(await run()).toMatchObject({ code: 2, out: expect.stringContaining("Name one record.") });
    expect(await run(record, "--salt", "1")).toMatchObject({ code: 2, out: expect.stringContaining("--salt") });
    expect(await run(record, "--entry", "x")).toMatchObject({ code: 2, out: expect.stringContaining("--entry x") });
    expect(await run(record, "--receipt", "x")).toMatchObject({ code: 2, out: expect.stringContaining("--receipt") });
    expect(await run(record, "--chain", record)).toMatchObject({ code: 2, out: expect.stringContaining("not a list of entries") });
    expect(await run(join(directory, "none.json"))).toMatchObject({ code: 2, out: expect.stringContaining("cannot be read") });
  });
});

describe("drand's signature", () => {
  test.each(RECORDED_ROUNDS)(
    "[DRAW-9] the recorded round $round is signed, for this round and by this signature only",
    async ({ round, signature }) => {
      expect(await verifySignature(round, signature)).toBe(true);
      expect(await verifySignature(round + 1, signature)).toBe(false);
      expect(await verifySignature(round, `${signature.slice(0, -1)}${signature.endsWith("0") ? "1" : "0"}`)).toBe(false);
    },
  );
});
