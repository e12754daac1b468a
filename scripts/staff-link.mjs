/**
 * `npm run staff-link`: makes, lists and revokes staff links of a running Worker, through its admin API. Reads ADMIN_TOKEN from the
 * environment, else from .dev.vars. Node's own modules only.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { decimalOf } from "./lib/number-option.mjs";
import { maySendSecret } from "./lib/secret-way.mjs";
import { root } from "./setup.mjs";

const USAGE = `npm run staff-link -- --room shop --label "press, Ada" --hours 8 --uses 2 [--url https://shop.example.com/backstage]
npm run staff-link -- --room shop --list | --revoke N
  --room NAME    the room; it needs staff_places
  --label TEXT   who or what it is for
  --hours N      how long the link and its passes live, at most 24
  --uses N       browsers that may go in by it (1)
  --url URL      where it leads to, on a host of the room (http://127.0.0.1:8787/)
  --reason TEXT  for the record
  --list         all links, the ended ones too
  --revoke N     ends link N and its passes`;

function fail(message) {
  console.error(message);
  process.exit(1);
}

function readArguments() {
  const text = { type: "string" };
  const options = { room: text, label: text, hours: text, uses: text, url: text, reason: text, revoke: text, list: { type: "boolean" } };
  try {
    return parseArgs({ options, strict: true }).values;
  } catch (error) {
    return fail(`${error.message}\n\n${USAGE}`);
  }
}

function readToken() {
  if (process.env.ADMIN_TOKEN) return process.env.ADMIN_TOKEN;
  try {
    return /^ADMIN_TOKEN\s*=\s*"?([^"\n]*)"?\s*$/m.exec(readFileSync(join(root, ".dev.vars"), "utf8"))?.[1] ?? "";
  } catch {
    return "";
  }
}

/** Numbers stay text where they are none: the API refuses them by name. */
const number = (text) => (Number.isNaN(decimalOf(text)) ? text : decimalOf(text));

const { room, label, hours, uses, url = "http://127.0.0.1:8787/", reason, revoke, list } = readArguments();
if (!/^[a-z0-9-]{1,32}$/.test(room ?? "")) fail(`--room must be the name of a room.\n\n${USAGE}`);
if (!maySendSecret(url)) fail(`--url must be an address with https://, or of this computer: the admin token goes there.\n\n${USAGE}`);
if (revoke !== undefined && !/^\d+$/.test(revoke)) fail(`--revoke takes the number of a link.\n\n${USAGE}`);
const token = readToken();
if (token === "") fail("ADMIN_TOKEN is neither in the environment nor in .dev.vars.");

async function ask(method, path, body) {
  const headers = { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) };
  const address = new URL(`/__vestibule/admin/api/rooms/${room}/staff-links${path}`, url);
  const reply = await fetch(address, { method, headers, redirect: "error", ...(body && { body: JSON.stringify(body) }) }).catch((error) =>
    fail(`${address.origin} does not answer: ${error.cause?.message ?? error.message}`),
  );
  const json = await reply.json().catch(() => fail(`${address.origin} answered ${reply.status}, but not as a Vestibule would.`));
  if (!reply.ok) fail(`Refused (${reply.status}): ${json.detail ?? JSON.stringify(json)}`);
  return json;
}

const line = ({ id, label: words, state, used, uses: most, expires_at: end }) =>
  `${id}\t${state}\t${used}/${most} used\tuntil ${end}\t${words}`;
if (list) {
  const { staff_places, staff_places_taken, links } = await ask("GET", "");
  console.log([`${staff_places_taken} of ${staff_places} staff places taken`, ...links.map(line)].join("\n"));
} else if (revoke !== undefined) {
  console.log(line(await ask("DELETE", `/${revoke}`, { ...(reason && { reason }) })));
} else {
  const order = { label, hours: number(hours), ...(uses === undefined ? {} : { uses: number(uses) }), url, ...(reason && { reason }) };
  const made = await ask("POST", "", order);
  console.error(line(made));
  console.log(made.link);
}
