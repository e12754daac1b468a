/** What continuous integration makes of vitest's report. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "vestibule-report-"));
afterAll(() => rmSync(dir, { recursive: true }));

type Status = "passed" | "failed" | "skipped";
interface FileResult {
  readonly name: string;
  readonly status: "passed" | "failed";
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: Status;
    readonly failureMessages?: readonly string[];
  }[];
}

const everyRule = [...readFileSync(join(root, "SPEC.md"), "utf8").matchAll(/^- \*\*(\S+)\*\*/gm)].map((match) => `[${match[1]}]`).join(" ");

const file = (kind: string, ...statuses: readonly Status[]): FileResult => ({
  name: join(root, "test", kind, "x.test.ts"),
  status: statuses.includes("failed") ? "failed" : "passed",
  message: "",
  assertionResults: statuses.map((status) => ({ fullName: `x ${everyRule} y`, status })),
});

const good = ["core", "line", "durable", "worker", "e2e", "sites", "guards"].map((kind) => file(kind, "passed", "passed"));

function judge(testResults: readonly FileResult[] | null): { code: number | null; last: string; output: string } {
  const path = join(dir, "vitest.json");
  if (testResults) writeFileSync(path, JSON.stringify({ testResults }));
  else rmSync(path, { force: true });
  const { status, stdout } = spawnSync(process.execPath, [join(root, "scripts/ci-report.mjs"), path], { encoding: "utf8" });
  return { code: status, last: stdout.trimEnd().split("\n").at(-1) ?? "", output: stdout };
}

test("[PROJECT-10] all passed", () => {
  expect(judge(good)).toEqual({ code: 0, last: "14 passed, 0 failed", output: "14 passed, 0 failed\n" });
});

test("[PROJECT-10] a failed test", () => {
  expect(judge([...good, file("core", "passed", "failed")])).toMatchObject({ code: 1, last: "15 passed, 1 failed" });
});

test("[PROJECT-10] a file that could not be loaded counts as a failure", () => {
  expect(judge([...good, { ...file("worker"), status: "failed", message: "no such module" }])).toMatchObject({
    code: 1,
    last: "14 passed, 1 failed",
  });
});

test("[PROJECT-10] a skipped test", () => {
  expect(judge([...good, file("e2e", "skipped")])).toMatchObject({ code: 1, last: "14 passed, 0 failed" });
});

test("[PROJECT-10] a test that says why it was skipped is named, and no failure", () => {
  const named = {
    ...file("worker", "passed"),
    assertionResults: [{ fullName: "G6 (skipped: php is missing)", status: "skipped" as const }],
  };
  expect(judge([...good, named])).toMatchObject({
    code: 0,
    last: "14 passed, 0 failed",
    output: expect.stringContaining("php is missing"),
  });
});

test("[PROJECT-10] a test that passed only when it was tried again is named with what failed before, in a report of vitest's own", () => {
  // Vitest itself wrote it: what it leaves of a first try is not documented.
  const own = mkdtempSync(join(tmpdir(), "vestibule-retried-"));
  try {
    symlinkSync(join(root, "node_modules"), join(own, "node_modules"));
    const body = 'let tries = 0; test("by luck", () => { if (tries++ === 0) throw new Error("too late"); }); test("well", () => {});';
    writeFileSync(join(own, "x.test.mjs"), `import { test } from "vitest"; ${body}`);
    const args = ["run", "--root", own, "--retry=1", "--reporter=json", `--outputFile=${join(own, "report.json")}`];
    const { status, stderr } = spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...args], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    const { testResults } = JSON.parse(readFileSync(join(own, "report.json"), "utf8")) as { testResults: FileResult[] };
    const output = "passed at the second try: by luck: Error: too late\n16 passed, 0 failed\n";
    expect(judge([...good, ...testResults])).toEqual({ code: 0, last: "16 passed, 0 failed", output });
  } finally {
    rmSync(own, { recursive: true });
  }
});

test("[PROJECT-10] only tests of real processes are tried again, and only there", () => {
  const [head = "", ...projects] = readFileSync(join(root, "vitest.config.ts"), "utf8").split(/^ +name: "/m);
  expect(head).toContain('const report = process.env["VESTIBULE_TEST_REPORT"];');
  expect(head).toContain("const retry = report ? 1 : 0;");
  const isRetried = projects.map((text) => [text.slice(0, text.indexOf('"')), /^ +retry,$/m.test(text)]);
  expect(Object.fromEntries(isRetried)).toEqual({ core: false, durable: false, worker: true, e2e: true, sites: true });
});

test("[PROJECT-10] a kind without tests", () => {
  expect(judge(good.slice(0, 4))).toMatchObject({
    code: 1,
    output: expect.stringContaining("no test passed in: test/e2e, test/sites, test/guards"),
  });
});

test("[PROJECT-10] a rule without a passed test", () => {
  const without = good.map((result) => ({
    ...result,
    assertionResults: result.assertionResults.map((entry) => ({ ...entry, fullName: entry.fullName.replace("[P4]", "") })),
  }));
  expect(judge(without)).toMatchObject({ code: 1, output: expect.stringContaining("no passed test for: P4\n") });
});

test("[PROJECT-10] no report at all", () => {
  expect(judge(null)).toMatchObject({ code: 1, last: "0 passed, 1 failed" });
});
