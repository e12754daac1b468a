/**
 * `npm run checkout`: this shop on a PostgreSQL of its own, behind its room, on this computer. Ctrl-C ends and removes all of it.
 * Nothing listens on anything but 127.0.0.1, and nothing started here outlives this process.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { endWithNpm, readPort, refuseTakenPort, startLocalRoom, writeSecretsOnce } from "../../scripts/lib/local-room.mjs";
import { installIfNeeded, root } from "../../scripts/setup.mjs";
import { startPostgres } from "./postgres.mjs";
import { ROOM, SETTINGS } from "./room.mjs";
import { startShop } from "./start-shop.mjs";

const usage = `npm run checkout [-- --port N]
  --port N   where visitors find the shop, 1 to 65535 (default: 8787)
  --help     this text`;

const port = readOptions();
installIfNeeded();
// PostgreSQL's package wants to make links at installation; postgres.mjs makes them.
installIfNeeded("examples/checkout", ["--ignore-scripts"]);
await refuseTakenPort(port, "npm run checkout");
writeSecretsOnce();

/** What was started, newest last. */
const started = [];
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(0));
process.on("uncaughtException", fail);
endWithNpm("checkout", () => stop(0));

try {
  const postgres = await start(() => startPostgres());
  const keys = { VESTIBULE_REQUEST_KEYS: originKeys("--requests"), VESTIBULE_PASS_KEYS: originKeys() };
  const hosts = `127.0.0.1:${port},localhost:${port}`;
  const shop = await start(() => startShop({ ...keys, DATABASE: JSON.stringify(postgres.connection), PUBLIC_HOSTS: hosts, ROOM }));
  shop.ended.then(() => stopping || fail("The shop ended."));
  const room = await start(() => startRoom(shop.url));
  room.ended.then(stop, fail);
  if (await room.ready()) console.log(greeting(room.address, shop.url, postgres));
} catch (error) {
  fail(error);
}

/** Starts one thing, unless everything is being stopped; what comes up meanwhile is stopped as well. */
async function start(begin) {
  if (stopping) return new Promise(() => undefined);
  const beginning = Promise.resolve().then(begin);
  started.push(beginning);
  return beginning;
}

/** With a memory of its own: an empty line each time, as the database is empty each time. */
function startRoom(origin) {
  const memory = mkdtempSync(join(tmpdir(), "vestibule-checkout-room-"));
  const args = ["--persist-to", memory, "--var", `ROOMS:${JSON.stringify({ [ROOM]: SETTINGS })}`];
  const room = startLocalRoom({ port, origin, room: ROOM, args });
  const stopRoom = async () => {
    await room.stop();
    rmSync(memory, { recursive: true, force: true });
  };
  return { ...room, stop: stopRoom };
}

function originKeys(...args) {
  return execFileSync(process.execPath, [join(root, "scripts/origin-key.mjs"), ...args], { cwd: root, encoding: "utf8" }).trim();
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  for (const one of started.reverse()) {
    const counts = await one.then((thing) => thing.stop()).catch(() => undefined);
    if (counts)
      console.log(
        `The shop answered ${counts.through + counts.byPass} requests, and refused ${counts.refused} that had not come through the room.`,
      );
  }
  process.exit(code);
}

function fail(error) {
  console.error(error instanceof Error ? error.message : error);
  return stop(1);
}

function readOptions() {
  try {
    const { values } = parseArgs({ options: { port: { type: "string" }, help: { type: "boolean" } } });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    return readPort(values.port ?? "8787");
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}

function greeting(address, shop, { version, connection }) {
  return `
The checkout behind its room:  ${address}/
  Two visitors at a time: the third browser (or private window) sees the line. "Leave" gives a place and its seats to the next.

Past the room, the shop refuses:  curl -i ${shop}/
The seats, in PostgreSQL ${version}:  psql -h ${connection.host} -U ${connection.user} ${connection.database} -c 'TABLE seats'

Ctrl-C stops everything and removes the data.
`;
}
