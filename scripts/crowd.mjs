/**
 * `npm run crowd`: a bounded crowd of visitors, each with cookies of their own, against a room on this computer, or against a staging host
 * that proves that it wants a rehearsal. At the end what they met is checked against the promises of SPEC.md; the exit code is 1 if one was
 * broken. Without `--target` it starts a room of its own, and stops it again.
 */
import { compareCrowds, intrude } from "./lib/crowd-hostile.mjs";
import { readAdminToken, readOptions, usage } from "./lib/crowd-options.mjs";
import { HOSTILE_SETTINGS, OWN_PAGES, OWN_ROOM, OWN_SETTINGS, startOwnRoom } from "./lib/crowd-own.mjs";
import { askRoom, runCrowd, seeded } from "./lib/crowd-run.mjs";
import { pacer, prove, watchProof } from "./lib/rehearsal.mjs";
import { installIfNeeded } from "./setup.mjs";

const options = optionsOrEnd();
const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => ended.abort());
process.exitCode = options.target ? await againstTarget() : await againstOwn();

async function againstTarget() {
  const crowd = { ...options, signal: ended.signal };
  return options.rehearsal === null ? (await against(crowd)).code : await rehearse(crowd);
}

/** The host proves itself, before, and again and again; the crowd and whoever is hostile share the pace. */
async function rehearse(crowd) {
  const { target, seconds, rehearsal, seed } = crowd;
  const { token, perSecond, hostileShare } = rehearsal;
  let aheadMs;
  try {
    ({ aheadMs } = await prove({ target, token }));
  } catch (error) {
    console.error(reasonOf(error, target));
    return 1;
  }
  console.log(
    `${target.host} has proved that it wants a rehearsal. At most ${perSecond} requests a second, ${perSecond * seconds} in all.`,
  );
  const over = new AbortController();
  const withdrawn = new AbortController();
  const watching = watchProof({ target, token, signal: over.signal }).then((why) => {
    if (why === null) return;
    console.error(`\n${why} The rehearsal ends.`);
    withdrawn.abort();
  });
  const signal = AbortSignal.any([ended.signal, withdrawn.signal]);
  const honest = pacer(perSecond * (1 - hostileShare));
  try {
    const room = await roomOf(crowd);
    const beside = {
      target,
      room,
      perSecond: perSecond * hostileShare,
      random: seeded(seed ^ 0x5eed),
      signal: AbortSignal.any([signal, over.signal]),
      pace: pacer(perSecond * hostileShare).pace,
    };
    const intruding = hostileShare > 0 ? intrude(beside) : null;
    const { code } = await against({ ...crowd, room, signal, pace: honest.pace, aheadMs });
    over.abort();
    if (intruding !== null) sayHostile(await intruding);
    if (honest.longestMs > 1_000)
      console.log(
        `A request waited up to ${(honest.longestMs / 1_000).toFixed(1)} s for its turn: visitors were slower than their pages. Raise --per-second, or send fewer.`,
      );
    return withdrawn.signal.aborted ? 1 : code;
  } catch (error) {
    console.error(reasonOf(error, target));
    return 1;
  } finally {
    over.abort();
    await watching;
  }
}

function sayHostile({ requests, kinds, statuses }) {
  console.log(`\n${requests} hostile requests: ${counts(kinds)}; answered ${counts(statuses)}`);
}

function counts(of) {
  return Object.entries(of)
    .map(([what, count]) => `${count} ${what}`)
    .join(", ");
}

function reasonOf(error, { origin }) {
  return error.code === "ECONNREFUSED" ? `Nothing listens at ${origin}. Start it first: npm start` : error.message;
}

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
    const { code, crowd } = await against({ ...options, ...own, pages: OWN_PAGES, signal: ended.signal });
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
    const outcome = await runCrowd({ ...crowd, room, say: console.log });
    return { code: report(outcome), crowd: outcome };
  } catch (error) {
    console.error(reasonOf(error, crowd.target));
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

function optionsOrEnd() {
  try {
    const read = readOptions(process.argv.slice(2));
    if (read !== null) return read.target ? { ...read, adminToken: readAdminToken(read.target) } : read;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}
