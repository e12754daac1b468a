/**
 * `npm run proof`: runs every simulation in full and writes docs/proof: a table of what was measured against its limits, and charts.
 * Virtual time and fixed seeds: the same code gives the same numbers. Exit code 1 if a limit does not hold.
 */
import { fork } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadSource } from "./lib/load-source.mjs";
import { numberOf } from "./lib/number-option.mjs";
import { lineChart } from "./lib/proof-chart.mjs";
import { proofReport } from "./lib/proof-report.mjs";
import { installIfNeeded, root } from "./setup.mjs";

const usage = `npm run proof [-- options]      (ten minutes on two cores)
  --only TEXT   only what has TEXT in its name; prints everything, writes nothing
  --days N      soak for N virtual days, 1 to 1000 (default 20)`;

const options = readOptions();
installIfNeeded();
const throughput = await loadSource(root, "test/support/proof-throughput.ts");
const once = await loadSource(root, "test/support/proof-once.ts");
const pacing = await loadSource(root, "test/support/proof-pacing.ts");
const soak = await loadSource(root, "test/support/proof-soak.ts");
const lobby = await loadSource(root, "test/support/proof-lobby.ts");
const hostile = await loadSource(root, "test/support/hostile-sim.ts");
const scalper = await loadSource(root, "test/support/proof-scalper.ts");

const RATES = [6, 15, 30, 60, 90, 120, 1_200, 12_000];
const ROOMS = [
  { places: 20, visitS: 9 },
  { places: 60, visitS: 60 },
  { places: 500, visitS: 300 },
];
/** Begun first, so that no core idles at the end. */
const LONG = ["isolates", "honest browser", "sale", "scalper", "copies"];
/** Half-hours of each kind of weather; a dozen kinds. */
const HALF_HOURS = 2_000;

const SCENARIOS = [
  ...RATES.map((rate) => [`${rate} a minute`, () => throughput.rateProof(rate, throughput.CROWDS)]),
  ...RATES.map((rate) => [`${rate} a minute, page`, () => throughput.rateProof(rate, throughput.CROWDS, { page: true })]),
  ...[30, 120, 1_200].map((rate) => [
    `${rate} a minute, asleep and greedy`,
    () => throughput.rateProof(rate, throughput.MORE_CROWDS, { lostReplies: 0.02 }),
  ]),
  ["rate changed", throughput.rateChangedProof],
  ["paused and resumed", throughput.pausedProof],
  ["capacity halved", throughput.capacityHalvedProof],
  ...ROOMS.map((room) => [`${room.places} places`, () => throughput.fullRoomProof(room)]),
  ...ROOMS.map((room) => [`${room.places} places, page`, () => throughput.fullRoomProof({ ...room, page: true }, throughput.PAGE_CROWDS)]),
  ["copies", () => once.copiesProof(1_000)],
  ["take-overs", once.takeOverProof],
  ["honest browser", () => once.browsersProof(HALF_HOURS)],
  ["isolates", () => pacing.pacingProof()],
  ["sale", () => lobby.lobbyProof()],
  ["scalper", () => scalper.scalperProof()],
  ["soak", () => soak.soakProof(options.days)],
  ["alarm", soak.alarmProof],
  ["clock", soak.clockProof],
  ["limits", () => soak.limitsProof(1_000)],
  ["leavers", soak.leaversProof],
  ["hostile", () => hostile.hostileProof()],
];

function readOptions() {
  try {
    const { values } = parseArgs({ options: { only: { type: "string" }, days: { type: "string" } } });
    return { only: values.only, days: numberOf(values, "days", 20, 1, 1_000) };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}

const wanted = SCENARIOS.filter(([name]) => name.includes(options.only ?? ""));
if (process.send !== undefined) {
  // A process of its own for each scenario: virtual time wants nothing beside it.
  const [, run] = wanted.find(([name]) => name === process.env["VESTIBULE_PROOF"]);
  process.send(await run(), () => process.exit(0));
  await new Promise(() => undefined);
}

const proofs = [];
const left = [...wanted.keys()].sort((a, b) => LONG.includes(wanted[b][0]) - LONG.includes(wanted[a][0]));
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const started = Date.now();
      const proof = await inOwnProcess(wanted[next][0]);
      proofs[next] = proof;
      const broken = proof.checks.filter(({ holds }) => !holds);
      console.log(
        `${broken.length === 0 ? "holds" : "FAILS"} ${((Date.now() - started) / 1_000).toFixed(1).padStart(6)} s  ${proof.title}`,
      );
      for (const { what, measured, limit } of broken) console.log(`                ${what}: ${measured}, not ${limit}`);
    }
  }),
);

/** The scenario's proof. @throws if its process ends without one */
function inOwnProcess(name) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), { env: { ...process.env, VESTIBULE_PROOF: name } });
    let proof = null;
    child.on("message", (message) => {
      proof = message;
    });
    child.on("exit", (code) => (proof === null ? reject(new Error(`${name}: ended with ${code} before it was done`)) : resolve(proof)));
  });
}

if (options.only === undefined) {
  const directory = join(root, "docs/proof");
  mkdirSync(directory, { recursive: true });
  for (const file of readdirSync(directory)) if (file.endsWith(".svg")) rmSync(join(directory, file));
  for (const chart of proofs.flatMap(({ charts }) => charts)) writeFileSync(join(directory, `${chart.file}.svg`), lineChart(chart));
  writeFileSync(join(directory, "README.md"), proofReport(proofs));
  console.log(`docs/proof: ${proofs.length} proofs, ${proofs.flatMap(({ charts }) => charts).length} charts`);
} else {
  for (const { what, measured, limit } of proofs.flatMap(({ checks }) => checks)) console.log(`${what}: ${measured} ${limit}`);
}
if (proofs.length === 0) console.error(`nothing is named ${options.only}`);
process.exit(proofs.length > 0 && proofs.every(({ checks }) => checks.every(({ holds }) => holds)) ? 0 : 1);
