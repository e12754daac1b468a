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

function readingList(tell: (line: string) => void): Promise<ListedBatch[]> {
  return readList({
    ask: (from) => fetch(`${batches}?from=${from}`),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    progress: (entries) => tell(filled(words.reading, { entries })),
  });
}

/** Checks that were begun: what an earlier one finds is of no interest any more. */
let begun = 0;

/** @param entry null = the record alone */
async function check(entry: number | null, withList: boolean): Promise<void> {
  const mine = ++begun;
  const tell = (...lines: readonly string[]) => mine === begun && say(...lines);
  tell(words.working);
  if (globalThis.crypto?.subtle === undefined) {
    tell(words.noCrypto);
    return;
  }
  const isOwn = own !== null && own.entry === entry;
  let found: DrawCheck;
  try {
    const evidence: DrawEvidence | null = withList ? { batches: await readingList(tell), receipt: isOwn ? own.chain : null } : null;
    tell(words.working);
    const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    found = await verifyDraw(await recordOf(), entry, sha256, evidence);
  } catch {
    tell(words.noAnswer);
    return;
  }
  if (mine !== begun) return;
  const given = isOwn ? own.slot : null;
  // That somebody else's number is not among the entries says nothing against the record.
  const isBroken = found.problems.some((problem) => isOwn || problem !== "entry");
  say(...(isBroken ? [words.broken, ...found.problems.map((problem) => words.problems[problem])] : sentences(found, entry, given)));
  element("result").classList.toggle("bad", isBroken || isOther(found, given));
}

/** Another place in line than the record leads to. */
function isOther({ slot }: Pick<DrawCheck, "slot">, given: number | null): boolean {
  return given !== null && given !== slot;
}

/** Of a record that holds. */
function sentences({ slot, place, count, beacon, looked }: DrawCheck, entry: number | null, given: number | null): string[] {
  const said = [verdictOf()];
  if (entry !== null && slot === null) said.push(words.problems.entry);
  if (looked.chain) said.push(words.listHolds);
  if (looked.receipt) said.push(words.receiptHolds);
  if (beacon !== null) said.push(words.beacon[beacon]);
  return said;

  function verdictOf(): string {
    if (slot === null) return filled(words.holds, { count });
    if (isOther({ slot }, given)) return filled(words.otherSlot, { entry, computed: slot, slot: given });
    return filled(given === null ? words.followsOther : words.follows, { entry, count, place, slot });
  }
}

element("ask").hidden = false;
element("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  void check(input.valueAsNumber, false);
});
element("list").addEventListener("click", () => void check(input.value === "" ? null : input.valueAsNumber, true));
if (own !== null) void check(own.entry, false);
