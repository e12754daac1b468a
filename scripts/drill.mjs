/**
 * `npm run drill -- room-down | room-slow | room-overloaded`: what each kind of visitor meets while the Room fails, live, on this computer.
 * The built Worker before the demo shop, its Room behind a switch. Ends by itself; the exit code is 1 if somebody got in who must not, or
 * somebody was thrown out.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startShop } from "./demo-shop.mjs";
import { DRILL_SETTINGS, runDrill, SCENARIOS } from "./lib/drill-run.mjs";
import { numberOf } from "./lib/number-option.mjs";
import { environment, installIfNeeded, node22, root } from "./setup.mjs";

const usage = `npm run drill -- SCENARIO [options]
  room-down          the connection to the Room fails
  room-slow          the Room answers after six seconds, which is later than anybody waits
  room-overloaded    the Room turns calls away
  --policy NAME      failure_policy: closed (default) or open
  --open-after N     open_after_seconds, 5 to 600 (default 10)
  --seconds N        how long the Room fails, 1 to 600 (default 40)
  --help             this text
A page of the room can be opened beside it, at the address that is printed. Ctrl-C ends it early.`;

const VARIABLE = "VESTIBULE_DRILL";
const options = readOptions();
if (process.env[VARIABLE] === undefined) {
  installIfNeeded();
  process.exit(await inAnotherProcess());
}
process.exit(await main());

/**
 * wrangler and miniflare need Node 22, so this script runs itself under it. Out of reach of Ctrl-C, which a terminal sends to everybody and by
 * which miniflare would end the process before it has cleaned up: it ends when its input does, also when this process is killed.
 */
async function inAnotherProcess() {
  const env = { ...environment(), [VARIABLE]: "1" };
  const args = ["scripts/drill.mjs", ...process.argv.slice(2)];
  const child = spawn(node22(), args, { cwd: root, env, stdio: ["pipe", "inherit", "inherit"], detached: true });
  child.stdin.on("error", () => undefined);
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.stdin.end());
  const [code] = await once(child, "close");
  return code ?? 1;
}

async function main() {
  process.env.WRANGLER_LOG ??= "error"; // It would tell where it found no secrets.
  const { loadSource } = await import("./lib/load-source.mjs");
  const { startWorker } = await loadSource(root, "test/support/worker.ts");
  const { buildVariant } = await loadSource(root, "test/support/variants.ts");
  const { removeBundle } = await loadSource(root, "test/support/bundle.ts");
  const isOurs = process.env.VESTIBULE_TEST_BUNDLE === undefined; // The tests have built the Worker, and remove it.
  const ended = new AbortController();
  const end = () => ended.abort();
  process.stdin.on("end", end).on("error", end).resume();
  const { scenario, policy, openAfter, seconds } = options;
  console.log("Building and starting a room …");
  const dir = await mkdtemp(join(tmpdir(), "vestibule-drill-"));
  const shop = await startShop();
  let worker;
  try {
    const rooms = { drill: { ...DRILL_SETTINGS, host: "*", failure_policy: policy, open_after_seconds: openAfter } };
    worker = await startWorker({ rooms, origin: shop.url, scripts: [await buildVariant(dir, "drill")] });
    console.log(`To see it in a browser: ${worker.url.href}`);
    const hinder = (fault) =>
      fetch(new URL(`/__test/fault?room=drill${fault === null ? "" : `&fault=${fault}`}`, worker.url), { method: "POST" });
    return report(
      await runDrill({ target: worker.url, room: "drill", scenario, policy, seconds, hinder, say: console.log, signal: ended.signal }),
    );
  } catch (error) {
    console.error(ended.signal.aborted ? "Ended early: nothing is shown." : error.message);
    return 1;
  } finally {
    await worker?.stop();
    await shop.stop();
    if (isOurs) await removeBundle();
    await rm(dir, { recursive: true, force: true });
  }
}

function report({ checks }) {
  const widest = Math.max(...checks.map(({ what }) => what.length));
  console.log("");
  for (const { what, found, wanted, kept } of checks)
    console.log(`${what.padEnd(widest)}  ${String(found).padStart(12)}  (${wanted})  ${kept ? "kept" : "BROKEN"}`);
  const isKept = checks.every(({ kept }) => kept);
  console.log(`\n${isKept ? "All as it must be." : "BROKEN: see above."}`);
  return isKept ? 0 : 1;
}

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        policy: { type: "string" },
        "open-after": { type: "string" },
        seconds: { type: "string" },
        help: { type: "boolean" },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const [scenario, ...rest] = positionals;
    const names = Object.keys(SCENARIOS).join(", ");
    if (scenario === undefined) throw new Error(`Say which drill: ${names}`);
    if (!(scenario in SCENARIOS) || rest.length > 0) throw new Error(`The drill must be one of ${names}, not "${positionals.join(" ")}"`);
    const policy = values.policy ?? "closed";
    if (policy !== "closed" && policy !== "open") throw new Error(`--policy must be closed or open, not "${policy}"`);
    return { scenario, policy, openAfter: numberOf(values, "open-after", 10, 5, 600), seconds: numberOf(values, "seconds", 40, 1, 600) };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}
