/**
 * The list of guards is about the code as it is, and `npm run test:guards` tells a guard that a test notices from one that
 * none does. The whole run, every guard switched off once, is a command of its own.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Guard, listGuards, problemsOf } from "../../scripts/lib/guard-list.mjs";
import { root } from "../support/bundle";
import { namesIn } from "../support/test-names";

const BURST: Guard = {
  name: "burst",
  rule: "P2",
  file: "durable/line/buckets.ts",
  find: "return Math.max(2, ratePerMinute / 60);",
  replace: "return Math.max(1, ratePerMinute / 60);",
  test: ["test/line/guards.test.ts", "after an hour asleep at 6 a minute exactly 2 go straight in"],
};

/** A literal part of a name this long says which test is meant. */
const TELLING = 6;

/** Can a test of this name, or one below it, be what `asked` is part of? What stands for values (`%s`, `$name`) may be anything. */
function mayMean(name: string, asked: string): boolean {
  const [start = "", ...rest] = name.split(/%[sijpdf]|\$\{[^}]*\}|\$\w+/);
  if (name.includes(asked)) return true;
  if (asked.startsWith("[") && !asked.startsWith(start) && !start.startsWith(asked)) return false;
  return [start, ...rest].some((part) => part.trim().length >= TELLING && asked.includes(part.trim()));
}

function testGuards(...args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, "scripts/test-guards.mjs"), ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output: stdout + stderr }),
    );
  });
}

/** What `test-guards` says of a list, its exit code, and its report as counts of its tests. */
async function judge(guards: readonly Guard[]) {
  const directory = await mkdtemp(join(tmpdir(), "vestibule-guard-list-"));
  try {
    await writeFile(join(directory, "list.mjs"), `export const guards = ${JSON.stringify(guards)};`);
    const report = join(directory, "report.json");
    const said = await testGuards("--list", directory, "--report", report);
    const ci = await new Promise<string>((resolve) => {
      execFile(process.execPath, [join(root, "scripts/ci-report.mjs"), report], (_, stdout) => resolve(stdout));
    });
    return { ...said, counted: ci.trimEnd().split("\n").at(-1) };
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe("guards", () => {
  test("[PROJECT-11] each is found exactly once in the code and once in the list, and names a rule", async () => {
    const guards = await listGuards();
    expect(guards.length).toBeGreaterThan(80);
    expect(problemsOf(guards)).toEqual([]);
  });

  test("[PROJECT-11] each names tests that there are", async () => {
    const names = (file: string) => namesIn(readFileSync(join(root, file), "utf8"));
    const lost = (await listGuards()).filter(({ test: [file, asked] }) => !names(file).some((name) => mayMean(name, asked)));
    expect(lost.map(({ name, test: [file, asked] }) => `${name}: no test in ${file} is named "${asked}"`)).toEqual([]);
    const told = (name: string) => mayMean(name, "[P2] a cup of tea");
    expect([told("[P2] a %s of tea"), told("[P2] a cup of tea and milk"), told("[P2] %s"), told("[P2] a cup")]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect([told("[P2] two cups of tea"), told("[P3] a %s of tea"), told("a glass of %s")]).toEqual([false, false, false]);
  });

  test("[PROJECT-11] a guard whose code has changed, that is listed twice or that names no rule or test is a problem", () => {
    const changed = { ...BURST, name: "changed", find: "no such code" };
    const unruly = { ...BURST, name: "unruly", rule: "NONE-1" };
    const idle = { ...BURST, name: "idle", replace: BURST.find };
    const untested: Guard = { ...BURST, name: "untested", test: ["test/no-such.test.ts", ""] };
    const problems = problemsOf([BURST, BURST, changed, unruly, idle, untested]);
    expect(problems.map((problem) => problem.split(":")[0])).toEqual(["burst", "changed", "unruly", "idle", "untested"]);
  });

  test("[PROJECT-11] a guard is red when an assertion fails without it; one that nothing notices is green, and a failure", async () => {
    const { code, output, counted } = await judge([
      BURST,
      { ...BURST, name: "unnoticed", replace: "return Math.max(2, ratePerMinute / 60.0);" },
      { ...BURST, name: "unreadable", replace: "return Math.max(2," },
      { ...BURST, name: "undefined", replace: "return noSuchName;" },
      { ...BURST, name: "untested", test: [BURST.test[0], "no test has this name"] },
    ]);
    expect(output).toContain("5 guards, 1 red, 1 green, 3 without a verdict");
    expect([code, counted]).toEqual([1, "1 passed, 4 failed"]);
  });

  test("[PROJECT-11] an option that there is not, and a number that is none, are refused by name; --help says what there is", async () => {
    const [help, unknown, number] = await Promise.all([testGuards("--help"), testGuards("--smaple"), testGuards("--sample", "few")]);
    expect([help.code, unknown.code, number.code]).toEqual([0, 2, 2]);
    for (const option of ["--only", "--sample", "--seed", "--list", "--report"]) expect(help.output).toContain(option);
    expect(unknown.output).toContain("'--smaple'");
    expect(number.output).toContain("--sample wants a number, not few");
  });
});
