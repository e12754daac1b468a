/**
 * `npm run survive`: kills the built Worker (SIGKILL, storage on disk) hundreds of times under a crowd, and judges what the crowd met.
 * The exit code is 1 if a promise was broken. `npm test` has the short run.
 */
import { parseArgs } from "node:util";
import { numberOf } from "./lib/number-option.mjs";
import { installIfNeeded, root, runNode } from "./setup.mjs";

const usage = `npm run survive [-- options]
  --kills N      how often, 1 to 10000 (default 400)
  --visitors N   at any one time, 1 to 500 (default 60)
  --minutes N    ends after so long at the latest, 1 to 120 (default 20)
  --seed N       the same kills again, 0 to 4294967295 (default: new ones, printed); the visitors' timing is the machine's
Ctrl-C ends it early and judges what there was.`;

/** wrangler and miniflare need Node 22: this script runs itself under it. */
const VARIABLE = "VESTIBULE_SURVIVE";
const options = readOptions();
if (process.env[VARIABLE] === undefined) {
  installIfNeeded();
  process.exit(await runNode("scripts/survive.mjs", process.argv.slice(2), { [VARIABLE]: "1" }));
}
process.exitCode = await main();

async function main() {
  process.env.WRANGLER_LOG ??= "error"; // It would tell where it found no secrets.
  const { loadSource } = await import("./lib/load-source.mjs");
  const { survive } = await loadSource(root, "test/support/survival.ts");
  const { removeBundle } = await loadSource(root, "test/support/bundle.ts");
  const ended = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => ended.abort());
  const { kills, visitors, minutes, seed } = options;
  console.log(`${kills} kills under ${visitors} visitors at a time, for ${minutes} minutes at most, seed ${seed}. Building …`);
  try {
    return report(await survive({ kills, visitors, seed, mostMs: minutes * 60_000, signal: ended.signal, onKill: say }));
  } finally {
    await removeBundle();
  }
}

function say({ kills, visitors, issued, requests }) {
  if (kills % 20 === 0)
    console.log(`${String(kills).padStart(6)} kills, ${visitors} visitors, ${issued} places issued, ${requests} requests`);
}

function report(met) {
  console.log(`
${met.kills} kills in ${met.seconds.toFixed(0)} s
${met.visitors} visitors, ${met.issued} places issued, ${met.entered} went in, ${met.renewals} renewals, ${met.left} left, ${met.staying} stayed to the end
${met.requests} requests, of which ${met.unknown} without an answer that tells`);
  for (const breach of met.breaches) console.error(`BROKEN  ${breach}`);
  const isEmpty = met.kills === 0 || met.entered === 0;
  if (isEmpty) console.error("Nobody went in under a kill, so that nothing is shown.");
  else if (met.breaches.length === 0)
    console.log("All promises kept: no slot twice, never too many inside, no place lost, in order, no visit cut short.");
  return isEmpty || met.breaches.length > 0 ? 1 : 0;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        kills: { type: "string" },
        visitors: { type: "string" },
        minutes: { type: "string" },
        seed: { type: "string" },
        help: { type: "boolean" },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    return {
      kills: numberOf(values, "kills", 400, 1, 10_000),
      visitors: numberOf(values, "visitors", 60, 1, 500),
      minutes: numberOf(values, "minutes", 20, 1, 120),
      seed: numberOf(values, "seed", Math.floor(Math.random() * 2 ** 32), 0, 2 ** 32 - 1),
    };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}
