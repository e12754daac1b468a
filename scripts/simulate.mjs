/**
 * `npm run simulate`: rooms at a scale that nobody rents for a test, in virtual time and one process: the real line and the real client of the
 * Room over thousands of isolates. One seed, one run: the same numbers. With --json it writes bench/results/simulate.json and docs/scale.md.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { machine } from "../bench/lib/machine.mjs";
import { writeFigures } from "./figures.mjs";
import { loadSource } from "./lib/load-source.mjs";
import { decimalOf, numberOf } from "./lib/number-option.mjs";
import { lineChart } from "./lib/proof-chart.mjs";
import { scaleReport } from "./lib/scale-report.mjs";
import { installIfNeeded, root } from "./setup.mjs";

const usage = `npm run simulate [-- options]      (half an hour or more at full size, and about 10 GB of memory)
  --only NAME[,NAME]   these scenarios alone
  --scale S            crowds, rates and isolates this much smaller, over 0 to 1 (default 1)
  --seed N             another run of the same
  --json               also write bench/results/simulate.json, docs/scale.md, its charts and what is quoted; with --only, those scenarios' part
  --report             only write docs/scale.md anew, from bench/results/simulate.json
  --list               what there is`;

const RESULTS = "bench/results/simulate.json";
const CHARTS = "docs/scale";

const options = readOptions();
installIfNeeded();
process.exitCode = await main();

async function main() {
  if (options.report) {
    writeFileSync(join(root, "docs/scale.md"), scaleReport(JSON.parse(readFileSync(join(root, RESULTS), "utf8"))));
    return 0;
  }
  const { scenarios, unbatched } = await loadSource(root, "bench/simulate/scenarios.ts");
  const all = scenarios(options.scale, options.seed);
  const known = [...all, unbatched(options.scale, options.seed)];
  if (options.list) {
    for (const { name, title } of all) console.log(`${name.padEnd(10)} ${title}`);
    console.log("unbatched  nothing travels together: fails, to show that a broken promise is seen; only by --only");
    return 0;
  }
  const unknown = options.only.filter((name) => !known.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    console.error(`no scenario is named ${unknown.join(", ")}; there are: ${known.map(({ name }) => name).join(", ")}`);
    return 2;
  }
  const { simulate } = await loadSource(root, "bench/simulate/simulate.ts");
  const judged = [];
  for (const scenario of options.only.length > 0 ? known.filter(({ name }) => options.only.includes(name)) : all) {
    const startedAt = performance.now();
    const usedBefore = process.cpuUsage();
    const result = await simulate(scenario, (line) =>
      console.error(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`),
    );
    tell(result, (performance.now() - startedAt) / 1_000);
    const { user, system } = process.cpuUsage(usedBefore);
    judged.push({ ...result, took: { processorS: Math.round((user + system) / 1e6), machine: machine() } });
  }
  if (options.json) write(judged, all);
  return judged.every(({ rooms }) => rooms.every(({ checks }) => checks.every(({ holds }) => holds))) ? 0 : 1;
}

function tell({ name, title, rooms }, tookS) {
  console.log(`${name}: ${title} (${tookS.toFixed(0)} s)`);
  for (const { room, checks } of rooms)
    for (const { what, measured, limit, holds } of checks) {
      const verdict = limit === "" ? "      " : holds ? "holds " : "BROKEN";
      console.log(`  ${verdict} ${rooms.length > 1 ? `${room}: ` : ""}${what}: ${measured}${limit === "" ? "" : ` (${limit})`}`);
    }
}

/** Scenarios that were not run keep what was found before. */
function write(judged, all) {
  const file = join(root, RESULTS);
  const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { scenarios: [] };
  const now = new Map([...before.scenarios, ...judged.map(withoutPoints)].map((result) => [result.name, result]));
  const kept = all.flatMap(({ name }) => now.get(name) ?? []);
  const report = { v: 1, seed: options.seed, scenarios: kept };
  mkdirSync(join(root, "bench/results"), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  mkdirSync(join(root, CHARTS), { recursive: true });
  const charts = judged.flatMap(({ rooms }) => rooms.flatMap((room) => room.charts));
  for (const chart of charts) writeFileSync(join(root, CHARTS, `${chart.file}.svg`), lineChart(chart));
  const drawn = new Set(kept.flatMap(({ rooms }) => rooms.flatMap(({ charts }) => charts.map(({ file }) => `${file}.svg`))));
  for (const name of readdirSync(join(root, CHARTS))) if (!drawn.has(name)) rmSync(join(root, CHARTS, name));
  writeFileSync(join(root, "docs/scale.md"), scaleReport(report));
  writeFigures();
}

/** The lines are in the charts. */
function withoutPoints(result) {
  const rooms = result.rooms.map((room) => ({ ...room, charts: room.charts.map(({ file, title }) => ({ file, title })) }));
  return { ...result, rooms };
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string" },
        scale: { type: "string", default: "1" },
        seed: { type: "string" },
        json: { type: "boolean", default: false },
        report: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const scale = decimalOf(values.scale);
    if (!(scale > 0 && scale <= 1)) throw new Error(`--scale ${values.scale}: over 0 to 1`);
    const seed = numberOf(values, "seed", 20_261_130, 1, 2 ** 32 - 1);
    return {
      only: values.only === undefined ? [] : values.only.split(","),
      scale,
      seed,
      json: values.json,
      report: values.report,
      list: values.list,
    };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}
