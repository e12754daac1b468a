/** docs/security.md against the tests: every row is shown by a test that carries its id, or says why there is none. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../support/bundle";
import { filesBy, rowsNamedBy } from "../support/test-names";

interface Row {
  readonly id: string;
  /** Files of tests that the row links to. */
  readonly files: readonly string[];
  /** What it says besides. */
  readonly note: string;
}

const REASON = /^(?:Not built: \S|Does not apply\b)/;

function rowsOf(page: string): Row[] {
  const lines = [...page.matchAll(/^\| ([A-Z]\d+) \| [^|]+ \| [^|]+ \| ([^|]*)\|$/gm)];
  return lines.map(([, id = "", cell = ""]) => ({
    id,
    files: [...cell.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map((link) => link[1] ?? ""),
    note: cell.replace(/\[[^\]]*\]\(\.\.\/test[^)]*\)/g, "").replace(/^[ .·]+|[ ·]+$/g, ""),
  }));
}

/** What is wrong with the page, one sentence each. */
function problemsOf(rows: readonly Row[], carried: ReadonlyMap<string, readonly string[]>): string[] {
  const ids = rows.map(({ id }) => id);
  return [
    ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${id} is there twice`),
    ...[...carried].filter(([id]) => !ids.includes(id)).map(([id, files]) => `${id}, named by ${files[0]}, has no row`),
    ...rows.flatMap(({ id, files, note }) => {
      const tests = carried.get(id) ?? [];
      if (tests.length === 0) return files.length === 0 && REASON.test(note) ? [] : [`${id}: no test carries it, and no reason is given`];
      if (files.length === 0) return [`${id}: links to none of ${tests.join(", ")}`];
      return files.filter((file) => !tests.includes(file)).map((file) => `${id}: no test in ${file} carries it`);
    }),
  ];
}

const page = readFileSync(join(root, "docs/security.md"), "utf8");

describe("docs/security.md", () => {
  test("the reading of names and rows works", () => {
    // Put together here, or this file would carry them too.
    const named = (name: string) => `it.each([1])("${name}", f); call("K7");`;
    const source = ["[P1] [SET-3] K3 W12 a", "[P9] %s is K1x, not-K2 or (C34)"].map(named).join("\n");
    expect(rowsNamedBy(source)).toEqual(["K3", "W12", "C34"]);
    const row = "| G1 | a | b | [x](../test/x.test.ts) · [y](../test/y.test.ts). Not built: c. |";
    expect(rowsOf(`| | t | h | s |\n|---|---|---|---|\n${row}\n`)).toEqual([
      { id: "G1", files: ["test/x.test.ts", "test/y.test.ts"], note: "Not built: c." },
    ]);
  });

  test("[DOCS-9] a row without test or reason, a link to a test that does not carry it, and a test without a row are problems", () => {
    const carried = new Map([
      ["G1", ["test/x.test.ts"]],
      ["G2", ["test/x.test.ts"]],
      ["G9", ["test/x.test.ts"]],
    ]);
    const rows: Row[] = [
      { id: "G1", files: ["test/x.test.ts"], note: "" },
      { id: "G1", files: ["test/y.test.ts"], note: "" },
      { id: "G2", files: [], note: "Not built: anything." },
      { id: "G3", files: [], note: "Not built: a setting." },
      { id: "G4", files: [], note: "later" },
      { id: "G5", files: ["test/x.test.ts"], note: "Not built: a setting." },
    ];
    expect(problemsOf(rows, carried).map((problem) => problem.split(/[ :,]/)[0])).toEqual(["G1", "G9", "G1", "G2", "G4", "G5"]);
  });

  test("[DOCS-9] every row has a test that carries its id, or a reason; every id that a test carries has a row", () => {
    const rows = rowsOf(page);
    expect(rows.length).toBe(page.match(/^\| [A-Z]\d+ \|/gm)?.length);
    expect(rows.length).toBeGreaterThan(140);
    expect(problemsOf(rows, filesBy(rowsNamedBy))).toEqual([]);
  });
});
