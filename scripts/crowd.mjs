/**
 * `npm run crowd`: a bounded crowd of visitors, each with cookies of their own, against a room on this computer.
 * At the end what they met is checked against the promises of SPEC.md; the exit code is 1 if one was broken.
 * Without `--target` it starts a room of its own, and stops it again.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compareCrowds, intrude } from "./lib/crowd-hostile.mjs";
import { readTarget } from "./lib/crowd-http.mjs";
import { HOSTILE_SETTINGS, OWN_PAGES, OWN_ROOM, OWN_SETTINGS, startOwnRoom } from "./lib/crowd-own.mjs";
import { askRoom, runCrowd, seeded } from "./lib/crowd-run.mjs";
import { installIfNeeded, root } from "./setup.mjs";

const usage = `npm run crowd [-- options]
  --target URL     a room on this computer, e.g. http://127.0.0.1:8787 after npm start (default: one of its own,
                   the built Worker before the demo shop: 40 places, 240 entries a minute, sessions of seconds)
  --room NAME      which room, if there are several
  --visitors N     1 to 2000 (default 300)
  --seconds N      ends after so long at the latest, 1 to 3600 (default 120)
  --seed N         the same crowd again, 0 to 4294967295 (default: a new one, printed)
  --path PATH      what the visitors open, with --target (default /)
  --hostile N      the same crowd twice, before two rooms of its own (120 places, two joins a minute from each
                   network of the hostile): alone, then beside N hostile requests a second, 1 to 5000; fails if the honest get fewer places, or wait longer, by more than a tenth
  --help           this text
The admin token is read from ADMIN_TOKEN or .dev.vars. Ctrl-C ends the crowd early and judges what there was.`;

const options = readOptions();
const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => ended.abort());
process.exitCode = options.target ? (await against({ ...options, adminToken: readAdminToken() })).code : await againstOwn();

async function againstOwn() {
  if (options.hostile === null) return (await beforeOwn(0)).code;
  const alone = await beforeOwn(0);
  if (alone.code !== 0) return alone.code;
  const beside = await beforeOwn(options.hostile);
  return Math.max(beside.code, beside.crowd === undefined ? 1 : compare(alone.crowd, beside.crowd, beside.intruders));
}

/** What honest visitors got beside the hostile, against what they got alone; the exit code. */
function compare(alone, beside, { requests, kinds, statuses }) {
  const { share, gotIn, waits, isShown, holds } = compareCrowds(alone, beside, requests);
  const percent = (part) => `${(100 * part).toFixed(1)} %`;
  const counts = (of) =>
    Object.entries(of)
      .map(([what, count]) => `${count} ${what}`)
      .join(", ");
  console.log(`
${requests} hostile requests, ${percent(share)} of all: ${counts(kinds)}; answered ${counts(statuses)}
Honest visitors who got in: ${percent(gotIn[0])} alone, ${percent(gotIn[1])} beside the hostile
Their wait, on average: ${waits[0].toFixed(1)} s alone, ${waits[1].toFixed(1)} s beside the hostile (${percent(waits[1] / waits[0] - 1)} longer)`);
  if (!isShown) console.log("Less than nine requests in ten were hostile: ask for more, or this computer is too busy.");
  console.log(holds ? "Within a tenth." : "MORE THAN A TENTH WORSE.");
  return isShown && holds ? 0 : 1;
}

/** A room of its own, the crowd, and so many hostile requests a second. */
async function beforeOwn(perSecond) {
  installIfNeeded();
  console.log("Building and starting a room …");
  const own = await startOwnRoom(ended.signal, options.hostile === null ? OWN_SETTINGS : HOSTILE_SETTINGS);
  if (own === null) return { code: 1 };
  const over = new AbortController();
  const random = seeded(options.seed ^ 0x5eed);
  const signal = AbortSignal.any([over.signal, ended.signal]);
  const intruding = perSecond > 0 ? intrude({ target: own.target, room: OWN_ROOM, perSecond, random, signal }) : null;
  try {
    const { code, crowd } = await against({ ...options, ...own, pages: OWN_PAGES });
    over.abort();
    return { code, crowd, intruders: await intruding };
  } finally {
    over.abort();
    await own.stop();
  }
}

/** Resolves with the exit code, and what there was. */
async function against(crowd) {
  try {
    const room = await roomOf(crowd);
    const { visitors, seconds, seed, target } = crowd;
    console.log(`${visitors} visitors before the room "${room}" at ${target.origin}, for ${seconds} s at most, seed ${seed}`);
    const outcome = await runCrowd({ ...crowd, room, say: console.log, signal: ended.signal });
    return { code: report(outcome), crowd: outcome };
  } catch (error) {
    console.error(error.code === "ECONNREFUSED" ? `Nothing listens at ${crowd.target.origin}. Start it first: npm start` : error.message);
    return { code: 1 };
  }
}

/** The room asked for, or the only one there is. */
async function roomOf(crowd) {
  const { rooms } = await askRoom(crowd, "admin/api/rooms");
  const names = rooms.map(({ room }) => room);
  const room = crowd.room ?? (names.length === 1 ? names[0] : undefined);
  if (!names.includes(room)) throw new Error(`--room must be one of ${names.join(", ")}`);
  return room;
}

function report({ diaries, checks, seconds, requests }) {
  const outcomes = new Map();
  for (const { outcome } of diaries) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const entries = diaries.reduce((sum, diary) => sum + diary.entries.length, 0);
  const total = (name) => diaries.reduce((sum, diary) => sum + diary[name], 0);
  console.log(`
${entries} entries, ${total("pages")} pages, ${requests} requests in ${seconds.toFixed(1)} s; ${total("failures")} without an answer; ${total("unproven")} page loads before the line began
Visitors: ${[...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", ")}
`);
  const lines = [
    ["", "what was looked at", "found", "allowed", ""],
    ...checks.map(({ promise, what, found, allowed, kept }) => [promise, what, String(found), String(allowed), kept ? "kept" : "BROKEN"]),
  ];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  for (const [promise, what, found, allowed, kept] of lines)
    console.log(
      [promise.padEnd(widths[0]), what.padEnd(widths[1]), found.padStart(widths[2]), allowed.padStart(widths[3]), kept]
        .join("  ")
        .trimEnd(),
    );
  const broken = checks.filter(({ kept }) => !kept);
  const verdict = broken.length > 0 ? `BROKEN: ${[...new Set(broken.map(({ promise }) => promise))].join(", ")}` : "All promises kept.";
  console.log(`\n${entries === 0 ? "Nobody went in, so that nothing is shown." : verdict}`);
  return broken.length > 0 || entries === 0 ? 1 : 0;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        target: { type: "string" },
        room: { type: "string" },
        visitors: { type: "string" },
        seconds: { type: "string" },
        seed: { type: "string" },
        path: { type: "string" },
        hostile: { type: "string" },
        help: { type: "boolean" },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const path = values.path ?? "/";
    if (!/^\/[\x21-\x7e]*$/.test(path)) throw new Error(`--path must be a path such as /tickets, not "${path}"`);
    if (!values.target && (values.path || values.room)) throw new Error("--path and --room go with --target");
    if (values.target && values.hostile) throw new Error("--hostile goes without --target: it is for a room of its own only");
    return {
      hostile: values.hostile === undefined ? null : numberOf(values, "hostile", 0, 1, 5_000),
      target: values.target === undefined ? undefined : readTarget(values.target),
      room: values.room,
      visitors: numberOf(values, "visitors", 300, 1, 2_000),
      seconds: numberOf(values, "seconds", 120, 1, 3_600),
      seed: numberOf(values, "seed", Math.floor(Math.random() * 2 ** 32), 0, 2 ** 32 - 1),
      pages: [path],
    };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}

function numberOf(values, name, fallback, least, most) {
  const text = values[name];
  const number = text === undefined ? fallback : Number(text);
  if (text?.trim() === "" || !Number.isInteger(number) || number < least || number > most)
    throw new Error(`--${name} must be a whole number from ${least} to ${most}, not "${text}"`);
  return number;
}

function readAdminToken() {
  const file = join(root, ".dev.vars");
  const line = existsSync(file) ? /^\s*ADMIN_TOKEN\s*=\s*"?([^"\s]+)"?\s*$/m.exec(readFileSync(file, "utf8")) : null;
  const token = process.env.ADMIN_TOKEN || line?.[1];
  if (token) return token;
  console.error("The crowd asks the room for its numbers: set ADMIN_TOKEN, or run npm start once, which writes .dev.vars.");
  process.exit(2);
}
