/**
 * The verify page's script: recomputes a draw from its public record with the browser's own SHA-256, and says in words what holds (SPEC
 * section PAGE). It believes nothing but the record and what the visitor was given; it sends nothing.
 */

import type { ListedBatch } from "../src/core/draw";
import { type DrawCheck, type DrawEvidence, verifyDraw } from "../src/core/draw-check";
import type { VerifyData } from "../src/core/verify-data";
import { readList } from "./verify/list";

const element = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no element ${id}`);
  return found;
};

const { record, batches, words, own, lang } = JSON.parse(element("data").textContent ?? "") as VerifyData;
const input = element("entry") as HTMLInputElement;
const number = new Intl.NumberFormat(lang);

function say(...lines: readonly string[]): void {
  element("result").classList.remove("bad");
  element("result").replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
}

function filled(text: string, values: Readonly<Record<string, number | null>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => number.format(values[name] ?? 0));
}

async function recordOf(): Promise<unknown> {
  const response = await fetch(record, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`record: ${response.status}`);
  return response.json();
}

function readingList(): Promise<ListedBatch[]> {
  return readList({
    ask: (from) => fetch(`${batches}?from=${from}`),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    progress: (entries) => say(filled(words.reading, { entries })),
  });
}

async function check(entry: number, withList: boolean): Promise<void> {
  say(words.working);
  if (globalThis.crypto?.subtle === undefined) {
    say(words.noCrypto);
    return;
  }
  const isOwn = own !== null && own.entry === entry;
  let found: DrawCheck;
  try {
    const evidence: DrawEvidence | null = withList ? { batches: await readingList(), receipt: isOwn ? own.chain : null } : null;
    say(words.working);
    const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    found = await verifyDraw(await recordOf(), entry, sha256, evidence);
  } catch {
    say(words.noAnswer);
    return;
  }
  const given = isOwn ? own.slot : null;
  say(...sentences(found, entry, given));
  element("result").classList.toggle("bad", found.problems.length > 0 || isOther(found, given));
}

/** Another place in line than the record leads to. */
function isOther({ slot }: Pick<DrawCheck, "slot">, given: number | null): boolean {
  return given !== null && given !== slot;
}

function sentences({ problems, slot, place, count, beacon, looked }: DrawCheck, entry: number, given: number | null): string[] {
  if (problems.length > 0) return [words.broken, ...problems.map((problem) => words.problems[problem])];
  const values = { entry, count, place, slot };
  const verdict = isOther({ slot }, given)
    ? filled(words.otherSlot, { entry, computed: slot, slot: given })
    : filled(given === null ? words.followsOther : words.follows, values);
  const said = [verdict];
  if (looked.chain) said.push(words.listHolds);
  if (looked.receipt) said.push(words.receiptHolds);
  if (beacon !== null) said.push(words.beacon[beacon]);
  return said;
}

element("ask").hidden = false;
element("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  void check(input.valueAsNumber, false);
});
element("list").addEventListener("click", () => void check(input.valueAsNumber, true));
if (own !== null) void check(own.entry, false);
