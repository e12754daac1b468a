/**
 * `npm run rotate-keys`, step by step. Everything that touches the world comes in as `world`: `{ root, readers, wrangler(args) → exit code,
 * now(), newKey(), say(text), complain(text) }`. Returns the exit code. Nothing here shows a key.
 */
import { join } from "node:path";
import { readToml } from "./deploy-config.mjs";
import { withSecretsFile } from "./deploy-secrets.mjs";
import * as rotation from "./key-rotation.mjs";
import { readStore, writeRecord, writeStore } from "./key-store.mjs";

const HOUR_MS = 3_600_000;

/** The next step of a planned change, or what `abort` or `retire` ask for. */
export async function rotate(options, world) {
  const turn = await open(options, world);
  if (turn === null) return 1;
  if (options.retire !== undefined) return retireByName(turn, options.retire);
  if (options.abort) return abort(turn);
  return proceed(turn);
}

/** The ring with its record, judged by the Worker's own reader; null = refused, and said so. */
export async function open({ secretsFile, lifeHours, dryRun }, world) {
  const file = secretsFile ?? join(world.root, ".dev.vars");
  const { ring: text, adminToken, record } = readStore(file);
  const judged = await world.readers.importKeyRing(text);
  if (!judged.ok) {
    world.complain(`Nothing done: VESTIBULE_KEYS of ${file} ${judged.problem}.`);
    return null;
  }
  const ring = rotation.parseRing(text);
  const now = world.now();
  // One Worker alone hears of everything at once.
  const timing = { now, lifeMs: lifeHours * HOUR_MS, spreadMs: secretsFile === undefined ? 0 : rotation.SPREAD_MS };
  return {
    world,
    file,
    adminToken,
    isDeployed: secretsFile !== undefined,
    dryRun,
    timing,
    ring,
    record: rotation.completed(record, ring, now),
  };
}

async function proceed(turn) {
  const { world, ring, record, timing, dryRun } = turn;
  const step = rotation.nextStep(ring, record, timing);
  switch (step.do) {
    case "hand-over": {
      if (dryRun) return say(turn, "Next: hand the last step over again, which was not confirmed.");
      const after = await handOverAgain(turn);
      return after === null ? 1 : proceed(after);
    }
    case "wait":
      if (!dryRun) writeRecord(turn.file, record);
      world.say(waitText(turn, step));
      return 0;
    case "publish":
      if (dryRun) return say(turn, `Next: publish a new key behind ${ring[0].kid}, which goes on signing.`);
      return take(
        turn,
        rotation.published(ring, record, world.newKey(), timing.now),
        (after) =>
          `Published ${after.at(-1).kid}, behind ${ring[0].kid}. An origin that checks passes or signatures needs its keys before it signs: npm run origin-key.`,
      );
    case "sign":
      if (dryRun) return say(turn, `Next: sign with ${step.kid}; ${ring[0].kid} goes on verifying.`);
      return take(
        turn,
        rotation.signingWith(ring, record, step.kid, timing.now),
        () => `${step.kid} signs from now on; ${ring[0].kid} goes on verifying.`,
      );
    case "retire":
      return retire(turn, step.kid, false);
  }
}

function waitText({ timing }, { until, before, kid }) {
  const what = {
    sign: `${kid} signs once every Worker knows it`,
    retire: `${kid} may go once every token made with it has run out`,
  }[before];
  const minutes = Math.ceil((until - timing.now) / 60_000);
  const left = minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
  return `Nothing to do yet: ${what}. Come back in ${left}, at ${new Date(until).toISOString()} or later.`;
}

function retireByName(turn, kid) {
  const { ring, world } = turn;
  if (!ring.some((entry) => entry.kid === kid) || ring[0].kid === kid) {
    world.complain(`Nothing done: ${kid} is ${ring[0].kid === kid ? "the key that signs" : "no key of the ring"}.`);
    return 1;
  }
  return retire(turn, kid, true);
}

/** The last step. A key that guests hang on goes only by name. */
async function retire(turn, kid, byName) {
  const { world, ring, record, timing, dryRun } = turn;
  const isOldest = rotation.oldestOf(ring) === kid;
  const doors = isOldest ? await doorRooms(world) : [];
  const isEarly = timing.now < (record.keys[kid].signedUntil ?? timing.now) + timing.spreadMs + timing.lifeMs;
  if (isEarly) world.say(`Tokens made with ${kid} may still be in use: whoever holds one is a newcomer afterwards.`);
  if (isOldest) {
    world.say(
      `${kid} is the oldest key. With it go the reference codes given out under it, and the keys by which rooms know their guests: in a room ` +
        "that asks for a log-in, somebody who comes on another device gets another place, and an invitation made for a person anew makes another " +
        `one, until the next new line. Retire it between sales, or after a reset. ${doors.length > 0 ? `Rooms of wrangler.toml that ask: ${doors.join(", ")}.` : "No room of wrangler.toml asks; a live setting may."}`,
    );
  }
  if (doors.length > 0 && !byName) {
    world.complain(`Not retired, since it would move people: npm run rotate-keys -- --retire ${kid} does it all the same.`);
    return 1;
  }
  if (dryRun) return say(turn, `Next: retire ${kid}.`);
  return take(turn, rotation.retired(ring, record, kid), () => `Retired ${kid}: tokens and invitations made with it count no more.`);
}

async function doorRooms({ root, readers }) {
  const { vars } = await readToml(join(root, "wrangler.toml"));
  const rooms = readers.parseRooms(vars?.ROOMS);
  if (!rooms.ok) return ["(the rooms of wrangler.toml cannot be read)"];
  const asks = ({ entry, events }) => entry !== "open" || events.some(({ overrides }) => (overrides.entry ?? "open") !== "open");
  return [...rooms.rooms].filter(([, { settings }]) => asks(settings)).map(([name]) => name);
}

function abort(turn) {
  const { world, ring, record, timing, dryRun } = turn;
  const back = rotation.aborted(ring, record, timing.now);
  if (back === null) {
    world.complain("Nothing to abort: there is one key, or others are revoked.");
    return 1;
  }
  const what =
    back.did === "removed"
      ? `${back.kid}, which has never signed, is out of the ring again.`
      : `${back.kid} signs again; ${ring[0].kid} goes on verifying until its tokens have run out.`;
  return dryRun ? say(turn, `Would: ${what}`) : take(turn, back, () => what);
}

function say({ world }, text) {
  world.say(text);
  return 0;
}

/** Writes the new ring down, hands it over, and says so. null = it waits to be handed over, or no Worker would serve with it. */
export async function apply(turn, { ring, record }, whatFor) {
  const { world, file } = turn;
  const judged = await world.readers.importKeyRing(rotation.formatRing(ring));
  if (!judged.ok) {
    world.complain(`Nothing done: the new ring ${judged.problem}. Take an old key out first: npm run rotate-keys -- --retire KID.`);
    return null;
  }
  writeStore(file, rotation.formatRing(ring), record);
  const after = { ...turn, ring, record };
  if (!(await handOver(after))) return null;
  world.say(whatFor(ring));
  world.say(`Ring of ${file}: ${ring.map(({ kid, mark }, i) => `${kid} (${mark ?? (i === 0 ? "signs" : "verifies")})`).join(", ")}.`);
  return { ...after, record: { ...record, handedOver: true } };
}

/** The same as a whole turn: with what comes next. @returns the exit code */
async function take(turn, to, whatFor) {
  const after = await apply(turn, to, whatFor);
  if (after === null) return 1;
  const { world, ring, record, timing } = after;
  const next = rotation.nextStep(ring, record, timing);
  if (ring.length === 1) world.say("Done: there is one key again.");
  else world.say(next.do === "wait" ? waitText(after, next) : "Next: run this again.");
  return 0;
}

/** What was not confirmed, once more; null = it was not taken again. */
export async function handOverAgain(turn) {
  turn.world.say("The last step was not confirmed: it is handed over again.");
  return (await handOver(turn)) ? { ...turn, record: { ...turn.record, handedOver: true } } : null;
}

/** To the deployment, if it is one. Confirmed or not stands in the record. */
async function handOver({ world, file, isDeployed, ring, record }) {
  if (isDeployed) {
    const secrets = { VESTIBULE_KEYS: rotation.formatRing(ring) };
    const code = await withSecretsFile(secrets, (path) => world.wrangler(["secret", "bulk", path])).catch((error) => {
      world.complain(error.message);
      return 1;
    });
    if (code !== 0) {
      world.complain(`Not handed over; the ring in ${file} waits for it. Put right what wrangler says and run this again.`);
      return false;
    }
  }
  writeRecord(file, { ...record, handedOver: true });
  if (!isDeployed) world.say("npm start reads .dev.vars when it starts.");
  return true;
}
