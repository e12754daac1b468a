/**
 * Lets a crowd loose on a room, says how it goes, and judges the promises at the end. That the crowd may go there was decided before.
 */
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { now, openConnections, send } from "./crowd-http.mjs";
import { judge } from "./crowd-judge.mjs";
import { live, planVisitor } from "./crowd-visitor.mjs";

/** Everybody comes within this time. */
const RUSH_MS = 5_000;
const SAMPLE_MS = 1_000;
const PROGRESS_MS = 3_000;
const CONNECTIONS = 128;
const ANSWER_MS = 10_000;

/**
 * `{ target: URL, room, adminToken, visitors, seconds, seed, pages, say(text), visit?, signal?, pace?, aheadMs? }`; aborting `signal` ends the
 * crowd early, every request waits for `pace(signal)`, and the room's clock is at most `aheadMs` ahead of ours.
 * Resolves with `{ diaries, samples, checks, seconds, requests }`. Rejects when the room's own numbers cannot be read.
 */
export async function runCrowd(options) {
  const { target, room, visitors, seconds, seed, pages, say, visit, pace, aheadMs = 0 } = options;
  const ask = (path) => askRoom(options, path);
  const look = async () => ({ at: now(), stats: await ask(`admin/api/rooms/${room}/stats`) });
  const revokeBound = async () => (await ask(`admin/api/rooms/${room}`)).settings.revoke_bound_seconds * 1_000;
  const boundAtFirst = await revokeBound();
  const samples = [await look()];
  const startedAt = now();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), seconds * 1_000);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal;
  setMaxListeners(0, signal); // Every visitor waits on it.
  const { agent, close } = openConnections(target, CONNECTIONS);
  const pause = (ms) => sleep(ms, undefined, { signal });
  // A page asks once a second at most, and what else a visitor does takes a few requests.
  const world = { target, room, pages, agent, signal, pause, pace, visit, aheadMs, mostRequests: 20 + seconds * 2 };

  const random = seeded(seed);
  const plans = Array.from({ length: visitors }, () => planVisitor(seeded(random() * 2 ** 32), RUSH_MS));
  const lives = plans.map((plan, id) => live(id, plan, world));
  const diaries = lives.map(({ diary }) => diary);

  const over = new AbortController();
  const watching = watch(over.signal, SAMPLE_MS, async () => samples.push(await look()));
  const saying = watch(over.signal, PROGRESS_MS, async () => say(progress(diaries, samples.at(-1).stats, now() - startedAt)));
  let requests;
  try {
    requests = await Promise.all(lives.map((one) => one.over));
  } finally {
    clearTimeout(timer);
    over.abort();
    await Promise.all([watching, saying]);
    close();
  }
  samples.push(await look());
  const { endSessionsBefore } = await ask(`rooms/${room}/manifest`);
  const revokeBoundMs = Math.min(boundAtFirst, await revokeBound());
  const checks = judge({ diaries, samples, revokeBoundMs, endedBefore: endSessionsBefore * 1_000 - aheadMs });
  return { diaries, samples, checks, seconds: (now() - startedAt) / 1_000, requests: requests.reduce((sum, each) => sum + each, 0) };
}

/** JSON of one of the room's endpoints. Throws an Error that says what was answered instead. */
export async function askRoom({ target, adminToken }, path) {
  const headers = path.startsWith("admin/") ? { Authorization: `Bearer ${adminToken}` } : {};
  const reply = await send({ target, signal: AbortSignal.timeout(ANSWER_MS) }, "GET", `/__vestibule/${path}`, headers);
  if (reply.status !== 200) throw new Error(`${target.origin}/__vestibule/${path} answered ${reply.status}: ${reply.text.slice(0, 300)}`);
  return JSON.parse(reply.text);
}

/** Runs `act` every `ms` until the signal; a failure (the room restarts, say) is for the next time. */
async function watch(signal, ms, act) {
  while (!signal.aborted) {
    await sleep(ms, undefined, { signal })
      .then(act)
      .catch(() => undefined);
  }
}

/** mulberry32: small, and the same everywhere. 0 ≤ number < 1. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function progress(diaries, stats, elapsedMs) {
  const count = (outcome) => diaries.filter((diary) => diary.outcome === outcome).length;
  const inLine = count("waiting");
  const inside = count("inside");
  const done = diaries.length - inLine - inside - count("not yet there");
  const used = stats.inside + stats.leaving + stats.places_held + stats.places_leased;
  const seconds = String(Math.round(elapsedMs / 1_000)).padStart(4);
  return `${seconds} s  in line ${inLine}, inside ${inside}, done ${done}  (the room: ${used} of ${stats.total_active_users} places in use, ${stats.entered_last_minute} entries in the last minute)`;
}
