/** What continuous integration makes of vitest's report. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  readonly assertionResults: readonly { readonly fullName: string; readonly status: Status }[];
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
