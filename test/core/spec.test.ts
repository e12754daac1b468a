/** SPEC.md and the tests name each other: no rule without a test, no test of a rule that does not exist. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../support/bundle";
import { filesBy, rulesNamedBy } from "../support/test-names";

/** Ids that SPEC.md defines, struck-out rules left out. */
function rulesOf(spec: string): string[] {
  return [...spec.matchAll(/^- \*\*(P\d+|[A-Z]+-\d+)\*\* \S/gm)].map((match) => match[1] ?? "");
}

const spec = readFileSync(join(root, "SPEC.md"), "utf8");
const rules = rulesOf(spec);
const tested = filesBy(rulesNamedBy);

describe("SPEC.md", () => {
  test("the reading of names works", () => {
    expect(rulesNamedBy('test("[P1] [GATE-3] a", () => {}); it.each([1])("[SET-2, SET-4] %s", f); test(`x [URL-1]`, f)')).toEqual([
      "P1",
      "GATE-3",
      "SET-2",
      "SET-4",
      "URL-1",
    ]);
    expect(rulesNamedBy('// test: [P9]\nconst text = "[P8]"; call(["P7"])')).toEqual([]);
    expect(rulesOf("- **P1** a\n- **GATE-12** b\n~~- **GATE-13** c~~\ntext **P2** d")).toEqual(["P1", "GATE-12"]);
  });

  test("[PROJECT-4] no id is used twice", () => {
    expect(rules.filter((id, i) => rules.indexOf(id) !== i)).toEqual([]);
    expect(rules.length).toBeGreaterThan(12);
  });

  test("[PROJECT-4] every line that looks like a rule has a well-formed id", () => {
    expect(spec.match(/^- \*\*/gm)?.length).toBe(rules.length);
  });

  test("[PROJECT-4] every rule has a test", () => {
    expect(rules.filter((id) => !tested.has(id))).toEqual([]);
  });

  test("[PROJECT-4] every id named by a test is a rule", () => {
    expect([...tested.keys()].filter((id) => !rules.includes(id))).toEqual([]);
  });
});
