/**
 * Reads JSON reports of vitest and of test-guards, given as arguments, and prints, as its last line, `N passed, N failed`.
 * Names the tests that passed only when they were tried again (vitest.config.ts says which are).
 * Fails when a report is missing, when a kind of tests is missing from it, when a test failed or was skipped for another reason than
 * one that stands in its name (a language that the machine lacks), and when a rule of SPEC.md has no test that passed.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./setup.mjs";

const KINDS = ["test/core", "test/line", "test/durable", "test/worker", "test/e2e", "test/sites", "test/guards"];

const reports = process.argv.slice(2);
if (reports.length === 0 || !reports.every((file) => existsSync(file))) {
  console.log("a runner left no report: it crashed or never started\n0 passed, 1 failed");
  process.exit(1);
}
const testResults = reports.flatMap((file) => JSON.parse(readFileSync(file, "utf8")).testResults);
const files = testResults.map(({ name, status, message, assertionResults }) => ({
  name: relative(root, name),
  status,
  message,
  tests: assertionResults,
}));
const tests = files.flatMap((entry) => entry.tests);
const count = (status) => tests.filter((test) => test.status === status).length;

// A file that could not be loaded has no tests of its own to count: it counts as one failure.
const unloadable = files.filter((entry) => entry.status === "failed" && !entry.tests.some((test) => test.status === "failed"));
const notRun = tests.filter(({ status }) => status !== "passed" && status !== "failed").map(({ fullName }) => fullName);
/** Why a test was skipped, at the end of its name. */
const SKIPPED_FOR = / \(skipped: .+\)$/;
const skipped = notRun.filter((name) => !SKIPPED_FOR.test(name)).length;
const missing = KINDS.filter(
  (kind) => !files.some((entry) => entry.name.startsWith(`${kind}/`) && entry.tests.some((test) => test.status === "passed")),
);
const untested = rulesWithoutPassedTest();
// Vitest keeps what failed before, whatever came of it.
const secondTries = tests.filter(({ status, failureMessages = [] }) => status === "passed" && failureMessages.length > 0);

for (const { name, message } of unloadable) console.log(`${name} failed outside its tests: ${message}`);
for (const { fullName, failureMessages } of secondTries) {
  console.log(`passed at the second try: ${fullName}: ${failureMessages[0].split("\n")[0]}`);
}
if (notRun.length > 0) console.log(`${notRun.length} tests did not run: ${notRun.join("; ")}`);
if (missing.length > 0) console.log(`no test passed in: ${missing.join(", ")}`);
if (untested.length > 0) console.log(`no passed test for: ${untested.join(", ")}`);

const failed = count("failed") + unloadable.length;
console.log(`${count("passed")} passed, ${failed} failed`);
process.exit(failed + skipped + missing.length + untested.length > 0 ? 1 : 0);

function rulesWithoutPassedTest() {
  const rules = [...readFileSync(join(root, "SPEC.md"), "utf8").matchAll(/^- \*\*([A-Z]+(?:-)?\d+)\*\* /gm)].map((match) => match[1]);
  const passed = tests.filter((test) => test.status === "passed").map((test) => test.fullName);
  return rules.filter((id) => !passed.some((name) => new RegExp(`\\[[^\\]]*\\b${id}\\b[^\\]]*\\]`).test(name)));
}
