/**
 * `npm run rotate-keys -- --revoke KID`, step by step: another key signs, the leaked ones are marked as revoked, and every room is told, so
 * that it can say which places they had signed. `world` as for rotate-steps.mjs, and `{ fetch, wait(ms), ask(question) }`. May be repeated:
 * what is done stays done. Shows no key.
 */
import { join } from "node:path";
import { readToml } from "./deploy-config.mjs";
import * as rotation from "./key-rotation.mjs";
import { apply, handOverAgain, open } from "./rotate-steps.mjs";
import { maySendSecret } from "./secret-way.mjs";

/** A new key is put in front this long after it was published: seconds are the rule, and somebody has the old one, ms. */
const HASTE_MS = 60_000;
/** The Worker that answers may not have heard of the new ring, or a Room may not answer: so often, so far apart, ms. */
const TRIES = 40;
const TRY_GAP_MS = 3_000;
const LOCAL = "http://127.0.0.1:8787";

const QUESTION = `Keep the line, or begin a new one?
  keep  everybody keeps their place. Somebody with the key can have taken places of others; nobody can add any.
  new   every room is reset: the line begins anew, everybody is a newcomer.
keep or new: `;

/** @returns the exit code */
export async function revoke(options, world) {
  let turn = await open(options, world);
  if (turn === null) return 1;
  const { ring } = turn;
  const unknown = options.revoke.filter((kid) => !ring.some((entry) => entry.kid === kid));
  if (unknown.length > 0)
    return refuse(world, `Nothing done: ${unknown.join(", ")} is no key of the ring, which has ${ring.map(({ kid }) => kid).join(", ")}.`);
  const line = options.line ?? (await world.ask(QUESTION)).trim();
  if (line !== "keep" && line !== "new") return refuse(world, 'Nothing done: the answer is "keep" or "new".');
  const url = await addressOf(options, turn, world);
  if (url === null) return 1;
  if (options.dryRun)
    return say(
      world,
      `Would mark ${options.revoke.join(", ")} as revoked, sign with another key, and tell the rooms at ${url}: ${line} the line.`,
    );

  if (!turn.record.handedOver) turn = await handOverAgain(turn);
  if (turn !== null) turn = await withSigner(turn, options.revoke, world);
  if (turn !== null) turn = await marked(turn, options.revoke, world);
  if (turn === null) return 1;
  // One that had never signed is out of the ring: nothing of it counts anywhere.
  const kids = options.revoke.filter((kid) => turn.ring.some((entry) => entry.kid === kid));
  return tellRooms(turn, { kids, line, url }, world);
}

/** Another key is in front of those that are revoked; if need be, a new one that every Worker has heard of first. null = not handed over. */
async function withSigner(turn, kids, world) {
  if (!rotation.needsNewSigner(turn.ring, turn.record, kids)) return turn;
  let after = turn;
  if (rotation.nextSigner(turn.ring, kids) === null) {
    after = await apply(
      turn,
      rotation.published(turn.ring, turn.record, world.newKey(), world.now()),
      (ring) => `Published ${ring.at(-1).kid}.`,
    );
    if (after === null) return null;
  }
  const next = rotation.nextSigner(after.ring, kids);
  const waitMs = turn.isDeployed ? after.record.keys[next.kid].publishedAt + HASTE_MS - world.now() : 0;
  if (waitMs > 0) {
    world.say(`Waits ${Math.ceil(waitMs / 1_000)} s until the Workers know ${next.kid}: until then the leaked key goes on counting.`);
    await world.wait(waitMs);
  }
  // Handed over together with the marks.
  return { ...after, ...rotation.signingWith(after.ring, after.record, next.kid, world.now()), isOwed: true };
}

async function marked(turn, kids, world) {
  const isMarked = kids.every((kid) => turn.ring.find((entry) => entry.kid === kid)?.mark === "revoked");
  if (isMarked && !turn.isOwed) return turn;
  const now = world.now();
  const to = rotation.revoked(turn.ring, turn.record, kids, now);
  return apply(
    turn,
    to,
    (ring) => `${kids.join(", ")} revoked; ${ring[0].kid} signs. Passes and cookies that they signed are dead wherever the new ring is.`,
  );
}

/** Every room notes the revocation. Until it has, places shown with the leaked keys wait, and nobody is let in by them. */
async function tellRooms({ adminToken }, { kids, line, url }, world) {
  if (kids.length === 0)
    return say(
      world,
      "It has never signed and is out of the ring: no room is told. Whoever wants a new line all the same resets the rooms.",
    );
  // One new line is enough, with the last key: nothing of the others counts in it either.
  const lineFor = (kid) => (kid === kids.at(-1) ? line : "keep");
  const api = `${url}/__vestibule/admin/api/rooms`;
  const headers = { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" };
  const list = await insist(() => world.fetch(api, { headers }), world);
  if (!list.ok)
    return refuse(
      world,
      `The rooms have not been told: ${list.problem} Run this again with --url, or for each room:\n${kids.map((kid) => byHand(url, "ROOM", kid, lineFor(kid))).join("\n")}`,
    );
  const untold = [];
  for (const { room } of list.body.rooms) {
    for (const kid of kids) {
      const choice = lineFor(kid);
      const body = JSON.stringify({ kid, line: choice, reason: "rotate-keys --revoke", ...(choice === "new" ? { confirm: room } : {}) });
      const told = await insist(() => world.fetch(`${api}/${room}/revoke-key`, { method: "POST", headers, body }), world);
      if (told.ok)
        world.say(
          `Room ${room}: ${kid} revoked, ${told.body.line} the line; ${told.body.issued} places had been given out. Every edge acts on it within ${told.body.effective_within_seconds} s.`,
        );
      else untold.push(`Room ${room} has not been told of ${kid}: ${told.problem} Run this again, or:\n${byHand(url, room, kid, choice)}`);
    }
  }
  for (const problem of untold) world.complain(problem);
  return untold.length === 0 ? 0 : 1;
}

function byHand(url, room, kid, line) {
  const confirm = line === "new" ? `, "confirm": "${room}"` : "";
  return `  curl -X POST -H "Authorization: Bearer $ADMIN_TOKEN" -H "Content-Type: application/json" ${url}/__vestibule/admin/api/rooms/${room}/revoke-key -d '{"kid": "${kid}", "line": "${line}"${confirm}}'`;
}

/** `{ ok, body }`, or `{ ok: false, problem }` after many tries: the ring may be on its way. A wrong token is not tried again. */
async function insist(request, world) {
  let problem = "";
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      const reply = await request();
      const body = await reply.json();
      if (reply.status === 200) return { ok: true, body };
      problem = `it answers ${reply.status}, ${body.detail ?? "without a reason"}`;
      if (reply.status === 401 || reply.status === 403 || reply.status === 404) break;
    } catch (error) {
      problem = `no answer, ${error.cause?.message ?? error.message}.`;
    }
    if (attempt < TRIES) await world.wait(TRY_GAP_MS);
  }
  return { ok: false, problem };
}

/** Where the rooms are asked; the admin token goes to https or to this computer only. */
async function addressOf({ url }, { isDeployed, adminToken, file }, world) {
  const address = url ?? (isDeployed ? await firstHost(world) : LOCAL);
  const parsed = address !== null && maySendSecret(address) ? new URL(address) : null;
  if (parsed?.pathname !== "/") {
    refuse(world, "Nothing done: --url must be an https address of a room's host, without a path, such as https://shop.example.com.");
    return null;
  }
  if (adminToken === null) {
    refuse(world, `Nothing done: ${file} has no ADMIN_TOKEN, which the rooms ask for.`);
    return null;
  }
  return parsed.origin;
}

async function firstHost({ root, readers }) {
  const { vars } = await readToml(join(root, "wrangler.toml"));
  const rooms = readers.parseRooms(vars?.ROOMS);
  const hosts = rooms.ok ? [...rooms.rooms.values()].flatMap(({ settings }) => settings.routes.map(({ host }) => host)) : [];
  const host = hosts.find((one) => one !== "*");
  return host === undefined ? null : `https://${host}`;
}

function say(world, text) {
  world.say(text);
  return 0;
}

function refuse(world, text) {
  world.complain(text);
  return 1;
}
