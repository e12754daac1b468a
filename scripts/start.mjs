/**
 * `npm start`: the demo shop behind a small room, on this computer.
 * `npm start -- --origin http://localhost:3000 --port 9000`: any local site behind it.
 * Nothing listens on anything but 127.0.0.1, and nothing started here outlives this process.
 */
import { parseArgs } from "node:util";
import { startShop } from "./demo-shop.mjs";
import { endWithNpm, readPort, refuseTakenPort, startLocalRoom, writeSecretsOnce } from "./lib/local-room.mjs";
import { installIfNeeded } from "./setup.mjs";

const usage = `npm start [-- --origin URL] [--port N]
  --origin URL   the site to protect, e.g. http://localhost:3000 (default: a built-in demo shop)
  --port N       where visitors find it, 1 to 65535 (default: 8787)
  --help         this text`;

const options = readOptions();
installIfNeeded();
await refuseTakenPort(options.port, "npm start");
writeSecretsOnce();

const shop = options.origin ? null : await startShop();
const origin = options.origin ?? shop.url;
const room = startLocalRoom({ port: options.port, origin, room: "demo" });
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(0));
room.ended.then(stop, fail);
process.on("uncaughtException", fail); // Not even a mistake in this file leaves wrangler running.
endWithNpm("start", () => stop(0));

if (await room.ready()) console.log(greeting());

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { origin: { type: "string" }, port: { type: "string" }, help: { type: "boolean" } },
      strict: true,
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const port = readPort(values.port ?? "8787");
    return { port, origin: values.origin === undefined ? undefined : readOrigin(values.origin, port) };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}

function readOrigin(text, port) {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBare =
    url && (url.protocol === "http:" || url.protocol === "https:") && url.pathname === "/" && !url.search && !url.hash && !url.username;
  if (!isBare)
    throw new Error(`--origin must be http:// or https:// with a host and nothing after it, like http://localhost:3000, not "${text}"`);
  if (/^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(url.hostname) && Number(url.port || 80) === port)
    throw new Error(`--origin ${text} is where visitors will find the room itself: choose another --port`);
  return url.origin;
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  await room.stop();
  await shop?.stop();
  process.exit(code);
}

function fail(error) {
  console.error(error);
  return stop(1);
}

function greeting() {
  const api = `${room.address}/__vestibule/admin/api`;
  return `
${shop ? "The demo shop" : `The site ${origin}`} behind its room:  ${room.address}/
  Open it in two browsers (or one private window): the second visitor sees the line.

The console:  ${room.address}/__vestibule/admin/
  Sign in with ADMIN_TOKEN of the file .dev.vars.

The admin API:  ${api}/
  The same by command. Load the token, look, and let more people in:

    . ./.dev.vars
    curl -H "Authorization: Bearer $ADMIN_TOKEN" ${api}/rooms
    curl -H "Authorization: Bearer $ADMIN_TOKEN" ${api}/rooms/demo/stats
    curl -X PATCH -H "Authorization: Bearer $ADMIN_TOKEN" -H "Content-Type: application/json" \\
      -d '{"total_active_users": 3}' ${api}/rooms/demo

Ctrl-C stops everything.
`;
}
