/**
 * `npm run bench`: measures the built Worker in workerd and prints a table. Every figure is from this run, and most are ratios to something
 * measured in turn with it. The cases are in bench/cases; each runs in a process of its own, so that one that fails leaves the others'.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { decimalOf, numberOf } from "./lib/number-option.mjs";
import { installIfNeeded, root, runNode } from "./setup.mjs";

const usage = `npm run bench [-- options]      (some minutes; wants a computer with nothing else to do)
  --only NAME[,NAME]   these cases alone
  --rounds N           interleaved rounds of each comparison, 1 to 100 (default 5)
  --seconds S          length of one measurement, 0.1 to 60 (default: the case's own)
  --smoke              as little as shows that it works; the figures mean nothing
  --json               also write bench/results/bench.json and the figures that documents quote from it; with --only,
                       those cases' part of it
  --strict             exit code 1 if a bar is missed
  --list               what there is`;

/** wrangler and miniflare need Node 22: this script runs itself under it. */
const VARIABLE = "VESTIBULE_BENCH";
const options = readOptions();
if (process.env[VARIABLE] === undefined) {
  installIfNeeded();
  process.exit(await runNode("scripts/bench.mjs", process.argv.slice(2), { [VARIABLE]: "1" }));
}
process.env.WRANGLER_LOG ??= "error"; // It would tell where it found no secrets.
process.exitCode = await main();

async function main() {
  const { findCases, runCases } = await import("../bench/lib/run-cases.mjs");
  const { formatReport } = await import("../bench/lib/report.mjs");
  const { kernelCosts, machine } = await import("../bench/lib/machine.mjs");
  const all = await findCases();
  const unknown = options.only.filter((name) => !all.has(name));
  if (unknown.length > 0) {
    console.error(`no case is named ${unknown.join(", ")}; there are: ${[...all.keys()].join(", ")}`);
    return 2;
  }
  if (options.list) {
    for (const [name, { title }] of all) console.log(`${name.padEnd(10)} ${title}`);
    return 0;
  }
  const wanted = new Map([...all].filter(([name]) => options.only.length === 0 || options.only.includes(name)));
  const { rounds, seconds, smoke } = options;
  const startedAt = new Date();
  const cases = await withBuilt(() => runCases(wanted, { rounds: smoke ? 1 : rounds, seconds, smoke }, (line) => console.error(line)));
  const report = {
    v: 1,
    at: startedAt.toISOString().replace(/\.\d+/, ""),
    tookS: Math.round((Date.now() - startedAt) / 1_000),
    options: { rounds, seconds, smoke },
    machine: { ...machine(), ...kernelCosts() },
    cases,
  };
  console.log(formatReport(report));
  if (options.json) {
    await store(report);
    const { writeFigures } = await import("./figures.mjs");
    writeFigures();
  }
  const failed = cases.some(({ error }) => error !== null);
  const missed = cases.some(({ figures }) => figures.some(({ met }) => met === false));
  return failed || (options.strict && missed) ? 1 : 0;
}

/** The Worker is built once; its place is in this process's environment, which the cases inherit. */
async function withBuilt(work) {
  const { loadSource } = await import("./lib/load-source.mjs");
  const { bundle, removeBundle } = await loadSource(root, "test/support/bundle.ts");
  const isGiven = process.env.VESTIBULE_TEST_BUNDLE !== undefined;
  if (!isGiven) console.error("building the Worker …");
  try {
    await bundle();
    return await work();
  } finally {
    if (!isGiven) await removeBundle(); // Else it is somebody else's.
  }
}

async function store(report) {
  const { mergeCases } = await import("../bench/lib/quoted-figures.mjs");
  const file = join(root, "bench/results/bench.json");
  const before = options.only.length > 0 && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).cases : [];
  mkdirSync(join(root, "bench/results"), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...report, cases: mergeCases(before, report.cases) }, null, 2)}\n`);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string" },
        rounds: { type: "string" },
        seconds: { type: "string" },
        smoke: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        strict: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const rounds = numberOf(values, "rounds", 5, 1, 100);
    const seconds = values.seconds === undefined ? null : decimalOf(values.seconds);
    if (seconds !== null && !(seconds >= 0.1 && seconds <= 60)) throw new Error(`--seconds ${values.seconds}: from 0.1 to 60`);
    if (values.smoke && values.json) throw new Error("--smoke --json: the figures of a smoke mean nothing, and documents would quote them");
    const only = values.only === undefined ? [] : values.only.split(",");
    return { only, rounds, seconds, smoke: values.smoke, json: values.json, strict: values.strict, list: values.list };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}
