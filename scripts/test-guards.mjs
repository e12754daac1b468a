/**
 * `npm run test:guards`: every guard of the code, switched off once. For each guard listed in `test/guards/*.mjs` the named
 * tests are run as they are (all must pass), then with the guard's patch applied (one must fail, and by an assertion).
 * Works in a temporary copy of the project; nothing is written here. Exit code 1 unless every guard turned a test red.
 */
import { fork, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { listGuards, problemsOf, projectOf } from "./lib/guard-list.mjs";
import { environment, installIfNeeded, node22, root } from "./setup.mjs";

/** Longest time for one run of tests by project, ms; the session is killed after it. */
const LIMITS = { core: 90_000, durable: 120_000, worker: 240_000, e2e: 300_000 };
/** A run without a result in time is tried again with so many times as much: a computer may be slow, a guard cannot help that. */
const PATIENCE = 4;
/** Left out of the copy: what is installed, built, secret or history. */
const NOT_COPIED = new Set(["node_modules", ".git", ".wrangler", "dist"]);

const USAGE = `npm run test:guards -- [options]
  --only text       the guards whose name contains it
  --sample number   so many, drawn from those with quick tests
  --seed number     … by this seed; else by the time, which is printed
  --list directory  another list than test/guards
  --report file     what came out, in the form of vitest's JSON report: a guard that no test notices is a failed test
  --help            this text`;
const options = optionsOf(process.argv.slice(2));

/** Ends the process on what makes no sense, and after the help. */
function optionsOf(args) {
  const text = { type: "string" };
  const known = { only: text, sample: text, seed: text, list: text, report: text, help: { type: "boolean" } };
  let values;
  try {
    ({ values } = parseArgs({ args, options: known }));
    for (const name of ["sample", "seed"]) {
      if (values[name] !== undefined && !/^\d{1,15}$/.test(values[name])) throw new Error(`--${name} wants a number, not ${values[name]}`);
    }
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  return values;
}

function needsWorker(project) {
  return project === "worker" || project === "e2e";
}

/** Small seeded generator (mulberry32): the same seed draws the same sample. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Its test takes a second or so: pure code, and neither simulation, long random history nor other processes. */
function isQuick(guard) {
  return projectOf(guard) === "core" && !/^test\/sim\/|histories|chance|rotate-keys/.test(guard.test[0]);
}

function choose(all) {
  const named = all.filter(({ name }) => name.includes(options.only ?? ""));
  if (options.sample === undefined) return named;
  const seed = Number(options.seed ?? Math.floor(Date.now() / 1_000));
  console.log(`sample of ${options.sample}, --seed ${seed}`);
  const random = seeded(seed);
  const drawn = named.filter(isQuick).map((guard) => ({ guard, at: random() }));
  return drawn
    .sort((a, b) => a.at - b.at)
    .slice(0, Number(options.sample))
    .map(({ guard }) => guard);
}

/** A vitest of one project in a process of its own, so that code that runs for ever can be ended. */
class Session {
  #child = null;
  /** Files written since the last run: vitest must read them again. */
  #changed = [];

  constructor(copy, project) {
    this.copy = copy;
    this.project = project;
  }

  write(file, code) {
    const path = join(this.copy, file);
    writeFileSync(path, code);
    this.#changed.push(path);
  }

  /** Runs the tests of `file` whose name contains one of `names`. */
  async run(file, names) {
    const limit = LIMITS[this.project];
    const first = await this.#runWithin(limit, file, names);
    return first.isLate ? this.#runWithin(PATIENCE * limit, file, names) : first;
  }

  async #runWithin(limit, file, names) {
    this.#child ??= fork(join(this.copy, "scripts/guards-vitest.mjs"), [this.project], {
      cwd: this.copy,
      execPath: node22(),
      env: environment(),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const child = this.#child;
    let noise = "";
    child.stderr.on("data", (chunk) => {
      noise = (noise + chunk).slice(-4_000);
    });
    const answer = await new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ isLate: true, broken: `no result within ${limit / 1_000} s` }), limit);
      child.once("message", (message) => resolve(message));
      child.once("exit", () => resolve({ broken: `vitest ended: ${noise}` }));
      child.once("message", () => clearTimeout(timer)).once("exit", () => clearTimeout(timer));
      child.send({ file, names, changed: this.#changed });
    });
    this.#changed = [];
    child.removeAllListeners("message").removeAllListeners("exit");
    child.stderr.removeAllListeners("data");
    if (answer.broken !== undefined) await this.end();
    return answer;
  }

  async end() {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(timer);
  }
}

/** Failures that show a program that cannot run rather than a promise that is broken. */
function isAssertion({ name, message }) {
  return (name === "AssertionError" || name === "Error") && !/^(Test|Hook) timed out/.test(message);
}

/** red: the patch broke a promise and a test said so. */
function verdictOf({ broken, passed, failed, errors }) {
  if (broken !== undefined) return { as: "broken", why: broken };
  if (failed.some((test) => test.errors.some(isAssertion))) return { as: "red", why: "" };
  if (failed.length > 0) return { as: "broken", why: failed[0].errors.map(({ name, message }) => `${name}: ${message}`).join("; ") };
  if (errors.length > 0 || passed.length === 0) return { as: "broken", why: errors[0] ?? "no test ran" };
  return { as: "green", why: `${passed.length} passed without it` };
}

/** Why the tests named `name`, as they are, cannot show anything; or null. */
function baselineProblem({ broken, passed, failed, errors }, name) {
  if (broken !== undefined) return broken;
  const failure = failed.find((test) => test.name.includes(name));
  if (failure !== undefined) return `fails unpatched: ${failure.errors[0]?.message}`;
  if (passed.some((test) => test.includes(name))) return null;
  return errors[0] ?? `no test is named "${name}"`;
}

async function testProject(copy, project, guards) {
  const session = new Session(copy, project);
  const results = [];
  for (const file of new Set(guards.map(({ test }) => test[0]))) {
    const ofFile = guards.filter(({ test }) => test[0] === file);
    const baseline = await session.run(file, [...new Set(ofFile.map(({ test }) => test[1]))]);
    for (const guard of ofFile) {
      const started = Date.now();
      const problem = baselineProblem(baseline, guard.test[1]);
      const verdict = problem === null ? await testGuard(session, guard) : { as: "broken", why: problem };
      results.push({ guard, ...verdict });
      const seconds = ((Date.now() - started) / 1_000).toFixed(1).padStart(5);
      console.log(`${verdict.as.padEnd(6)} ${seconds} s  ${guard.rule.padEnd(10)} ${guard.name}${verdict.why ? `: ${verdict.why}` : ""}`);
    }
  }
  await session.end();
  return results;
}

async function testGuard(session, { file, find, replace, test: [testFile, testName] }) {
  const code = readFileSync(join(session.copy, file), "utf8");
  session.write(
    file,
    code.replace(find, () => replace),
  );
  const verdict = verdictOf(await session.run(testFile, [testName]));
  session.write(file, code);
  return verdict;
}

function copyProject() {
  const copy = mkdtempSync(join(tmpdir(), "vestibule-guards-"));
  cpSync(root, copy, { recursive: true, filter: (source) => !isLeftOut(relative(root, source)) });
  for (const packages of ["node_modules", "examples/checkout/node_modules"]) symlinkSync(join(root, packages), join(copy, packages));
  return copy;
}

function isLeftOut(path) {
  const parts = path.split("/");
  return NOT_COPIED.has(parts[0]) || parts.includes("node_modules") || basename(path).startsWith(".dev.vars");
}

/** As vitest reports tests, without the ids of rules: a guard shows that a test notices, not that a rule has one. */
function reportOf(results, problems) {
  const assertionResults = [
    ...results.map(({ guard, as, why }) => ({ fullName: `guard ${guard.name}`, status: as === "red" ? "passed" : "failed", why })),
    ...problems.map((problem) => ({ fullName: `guard ${problem}`, status: "failed" })),
  ];
  const status = assertionResults.every((each) => each.status === "passed") ? "passed" : "failed";
  return { testResults: [{ name: join(root, "test/guards/sample"), status, message: "", assertionResults }] };
}

async function main() {
  const all = await listGuards(options.list);
  const problems = problemsOf(all);
  for (const problem of problems) console.error(problem);
  const guards = choose(all).filter(({ name }) => !problems.some((problem) => problem.startsWith(`${name}:`)));
  if (guards.length === 0) console.error("no guard to test");
  const copy = copyProject();
  const remove = () => rmSync(copy, { recursive: true, force: true });
  process.once("SIGINT", () => process.exit(130)).once("SIGTERM", () => process.exit(143));
  process.once("exit", remove);
  // The Worker is built with what the browser runs.
  if (guards.some((guard) => needsWorker(projectOf(guard))))
    spawnSync(node22(), ["scripts/build-static.mjs"], { cwd: copy, env: environment(), stdio: "inherit" });
  const results = [];
  for (const project of Object.keys(LIMITS)) {
    const ofProject = guards.filter((guard) => projectOf(guard) === project);
    if (ofProject.length > 0) results.push(...(await testProject(copy, project, ofProject)));
  }
  if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(reportOf(results, problems)));
  const count = (as) => results.filter((result) => result.as === as).length;
  const broken = count("broken") + problems.length;
  console.log(`${results.length} guards, ${count("red")} red, ${count("green")} green${broken > 0 ? `, ${broken} without a verdict` : ""}`);
  return results.length > 0 && broken === 0 && count("green") === 0 ? 0 : 1;
}

installIfNeeded();
installIfNeeded("examples/checkout", ["--ignore-scripts"]);
process.exit(await main());
