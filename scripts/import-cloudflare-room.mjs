/**
 * `npm run import-cloudflare-room -- room.json`: a waiting room of Cloudflare's API as a room of ours, in TOML for wrangler.toml, or with
 * `--json` as the body of a PUT to the admin API. Judged by the Worker's own validation; what is not taken over is listed with the reason.
 * Reads files only: no network.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { importRoom, objectsIn, toToml } from "./lib/cf-room.mjs";
import { loadSource } from "./lib/load-source.mjs";
import { installIfNeeded, root } from "./setup.mjs";

const USAGE = `npm run import-cloudflare-room -- room.json [options]
  room.json         what GET /zones/{zone}/waiting_rooms/{id} gave; a list as well
  --events FILE     what …/waiting_rooms/{id}/events gave
  --rules FILE      what …/waiting_rooms/{id}/rules gave
  --room NAME       which room of a list, by its name or id
  --name NAME       the room's name here; its own, in small letters, unless told otherwise
  --templates DIR   write each custom_page_html into a file there, to be uploaded, and say what is wrong with it
  --json            the body of PUT /__vestibule/admin/api/rooms/{name} instead of TOML`;

function fail(message) {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(1);
}

function readArguments() {
  const text = { type: "string" };
  const options = { events: text, rules: text, room: text, name: text, templates: text, json: { type: "boolean", default: false } };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true, strict: true });
    if (positionals.length !== 1) fail("Name one file with the room.");
    return { ...values, file: positionals[0] };
  } catch (error) {
    return fail(error.message);
  }
}

function readObjects(file) {
  let json;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    return fail(`${file} cannot be read: ${error.message}`);
  }
  if (json?.success === false) fail(`${file} is a refusal of Cloudflare's API: ${JSON.stringify(json.errors)}`);
  return objectsIn(json) ?? fail(`${file} holds neither an object nor a list of objects, alone or as "result".`);
}

const given = readArguments();
if (given.name !== undefined && !/^[a-z0-9-]{1,32}$/.test(given.name)) fail("--name must be 1 to 32 of a–z, 0–9 and -.");
const rooms = readObjects(given.file).filter((one) => given.room === undefined || one.name === given.room || one.id === given.room);
if (rooms.length !== 1) fail(`${given.file} holds ${rooms.length} rooms that are meant: choose one with --room.`);
const lists = {
  events: given.events === undefined ? [] : readObjects(given.events),
  rules: given.rules === undefined ? [] : readObjects(given.rules),
  ...(given.name === undefined ? {} : { name: given.name }),
};

installIfNeeded();
const sources = ["settings", "settings-schema", "settings-warnings"].map((name) => loadSource(root, `src/core/${name}.ts`));
const readers = Object.assign({}, ...(await Promise.all(sources)));
const made = importRoom(rooms[0], lists, readers);
if (made.settings === null) {
  for (const { setting, problem } of made.problems) console.error(`${setting} ${problem}.`);
  process.exit(1);
}
const warnings = readers
  .warningsOf(readers.parseRoom(made.name, made.settings), Date.now())
  .map(({ setting, warning }) => `${setting} ${warning}`);
if (given.json) {
  const live = Object.entries(made.settings).filter(([setting]) => !readers.DEPLOY_ONLY.includes(setting));
  console.log(JSON.stringify(Object.fromEntries(live), null, 2));
  console.error(
    toToml({ ...made, settings: {} }, warnings)
      .split("\n")
      .slice(2)
      .join("\n")
      .trim(),
  );
} else {
  process.stdout.write(toToml(made, warnings));
}
if (given.templates !== undefined) await writeTemplates(given.templates);

/** To standard error: standard output is the settings. */
async function writeTemplates(directory) {
  const { checkTemplate } = await loadSource(root, "src/template/check.ts");
  mkdirSync(directory, { recursive: true });
  for (const { event, html } of made.templates) {
    const file = join(directory, `${event === null ? made.name : `${made.name}.${event}`}.html`);
    writeFileSync(file, html);
    console.error(`${file}: upload it with PUT /__vestibule/admin/api/rooms/${made.name}/template`);
    if (event !== null) console.error(`  then set template of event ${event} to the name in the answer, and the room's back`);
    const { problems, origins } = checkTemplate(html);
    for (const problem of problems) console.error(`  it ${problem}`);
    for (const origin of origins) console.error(`  it asks for scripts of ${origin}: name it in template_origins`);
  }
}
