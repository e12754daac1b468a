/**
 * `npm run invite`: makes invitations to a room whose `entry` is "invited", one a line: the link or the token, after the person's name
 * and a tab where it is for somebody. Needs no running Worker: reads VESTIBULE_KEYS from the environment, else from .dev.vars.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadSource } from "./lib/load-source.mjs";
import { installIfNeeded, root } from "./setup.mjs";

const USAGE = `npm run invite -- --room shop --expires 2026-12-24T18:00:00+01:00 [options]
  --room NAME       the room
  --expires TIME    end of the invitation, with its offset
  --count N         how many (1)
  --uses N          places that each makes (1)
  --subject WHO     for one person: shares one place on all devices
  --subjects FILE   for many: a file with one person a line
  --url URL         prints links to this address instead of tokens`;

function fail(message) {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(1);
}

function readArguments() {
  const text = { type: "string" };
  const options = { room: text, expires: text, count: text, uses: text, subject: text, subjects: text, url: text };
  try {
    return parseArgs({ options, strict: true }).values;
  } catch (error) {
    return fail(error.message);
  }
}

function readKeys() {
  if (process.env.VESTIBULE_KEYS) return process.env.VESTIBULE_KEYS;
  try {
    return /^VESTIBULE_KEYS\s*=\s*"?([^"\n]*)"?\s*$/m.exec(readFileSync(join(root, ".dev.vars"), "utf8"))?.[1] ?? "";
  } catch {
    return "";
  }
}

/** Numbers stay text where they are none: the reader refuses them by name. */
const number = (text) => (text === undefined ? undefined : /^\d+$/.test(text) ? Number(text) : text);

function subjectsOf({ subject, subjects }) {
  if (subject !== undefined && subjects !== undefined) fail("--subject and --subjects exclude each other.");
  if (subject !== undefined) return [subject];
  if (subjects === undefined) return undefined;
  try {
    return readFileSync(subjects, "utf8")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  } catch {
    return fail(`--subjects: ${subjects} cannot be read.`);
  }
}

const given = readArguments();
if (!/^[a-z0-9-]{1,32}$/.test(given.room ?? "")) fail("--room must be the name of a room.");
const people = subjectsOf(given);
installIfNeeded();
const { importKeyRing } = await loadSource(root, "src/keys.ts");
const { mint, readOrder } = await loadSource(root, "src/door/minting.ts");

const keys = await importKeyRing(readKeys());
if (!keys.ok) fail(`VESTIBULE_KEYS ${keys.problem}.`);
const fields = { count: number(given.count), uses: number(given.uses), expires: given.expires, subjects: people, url: given.url };
const nowS = Math.floor(Date.now() / 1_000);
const order = readOrder(fields, nowS);
if (Array.isArray(order)) fail(order.map(({ setting, problem }) => `--${setting} ${problem}.`).join("\n"));
for (const { subject, link, token } of await mint(keys.ring, given.room, order, nowS)) {
  console.log(subject === undefined ? (link ?? token) : `${subject}\t${link ?? token}`);
}
