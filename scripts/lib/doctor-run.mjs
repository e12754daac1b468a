/**
 * `npm run doctor`, from options to findings: reads the file and the secrets, asks the address, lets the two judges judge. Changes nothing.
 * `world`: `{ root, readers, fetch, now(), listSecrets() → names }`. Throws with a sentence that shows no secret.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeDeployment, readToml } from "./deploy-config.mjs";
import { parseSecrets, SECRETS } from "./deploy-secrets.mjs";
import { judgeConfig, judgeSecrets } from "./doctor-config.mjs";
import { probe } from "./doctor-probe.mjs";
import { judgeReplies } from "./doctor-replies.mjs";
import { isLoopback, maySendSecret } from "./secret-way.mjs";

/** @returns findings, the gravest first */
export async function examine({ url = null, secretsFile = null, listSecrets = false, adminToken = null }, world) {
  const config = await readToml(join(world.root, "wrangler.toml"));
  const deployment = describeDeployment(config, world.readers);
  const parsed = world.readers.parseRooms(config.vars?.ROOMS);
  const rooms = parsed.ok ? parsed.rooms : new Map();
  const secrets = readFile(secretsFile, url, world);
  const facts = {
    where: secrets.where,
    listed: listSecrets ? await world.listSecrets() : null,
    needed: await neededBy(rooms, world.readers),
    kept: secretsFile === null ? [] : Object.keys(secrets.values),
  };
  const { problems, ring } = await readSecrets(secrets, rooms, world.readers);
  const isLocal = url !== null && isLoopback(new URL(url).hostname);
  const found = [...judgeConfig({ config, deployment, rooms, isLocal }), ...judgeSecrets({ ...facts, problems })];
  if (url !== null) {
    const place = placeOf(url, rooms, deployment, world.readers);
    const token = adminToken ?? secrets.values["ADMIN_TOKEN"] ?? null;
    const replies = await probe(
      { url, room: place?.name ?? null, roomPath: place?.path ?? "/", adminToken: maySendSecret(url) ? token : null },
      world,
    );
    found.push(
      ...judgeReplies({
        url,
        room: place,
        replies,
        ring,
        fileSettings: place === null ? null : rooms.get(place.name).operator,
        namedHosts: [...rooms.values()].flatMap(({ settings }) => settings.routes.map(({ host }) => host)),
      }),
    );
  }
  const order = ["problem", "warning", "note"];
  return found.sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}

/** `.dev.vars` is of `npm start`, and says nothing of a deployment. */
function readFile(secretsFile, url, { root }) {
  const isLocal = url === null || isLoopback(new URL(url).hostname);
  const own = join(root, ".dev.vars");
  const file = secretsFile ?? (isLocal && existsSync(own) ? own : null);
  if (file === null) return { where: null, values: {} };
  if (!existsSync(file)) throw new Error(`${file} is not there`);
  return { where: file === own ? ".dev.vars" : file, values: parseSecrets(readFileSync(file, "utf8"), file) };
}

/** What the Worker's own readers say of these values, and its ring without any key. */
async function readSecrets({ where, values }, rooms, readers) {
  const keys = await readers.importKeyRing(values["VESTIBULE_KEYS"] ?? "");
  const parts = [
    readers.readAdminToken(values["ADMIN_TOKEN"]),
    await readers.readRehearsalToken(values["REHEARSAL_TOKEN"], values["ADMIN_TOKEN"]),
    readers.readIdentityKeys(values["IDENTITY_KEYS"], rooms),
    readers.readBypassKeys(values["BYPASS_KEYS"], rooms),
    readers.readTurnstile(values["TURNSTILE_SECRET"], undefined, rooms),
    await readers.readAwsKey(values["AWS_TOKEN_KEY"], rooms),
  ];
  const problems = parts.flatMap((part) => (part.ok ? [] : part.problems));
  if (!keys.ok) problems.unshift({ setting: "VESTIBULE_KEYS", problem: keys.problem });
  const ring = where !== null && keys.ok ? { where, signingKid: keys.ring.signingKid, kids: [...keys.ring.keys.keys()] } : null;
  return { problems, ring };
}

/** Names of the secrets that a deployment of these rooms needs. */
async function neededBy(rooms, readers) {
  const needs = {
    IDENTITY_KEYS: readers.readIdentityKeys(undefined, rooms),
    BYPASS_KEYS: readers.readBypassKeys(undefined, rooms),
    TURNSTILE_SECRET: readers.readTurnstile(undefined, undefined, rooms),
    AWS_TOKEN_KEY: await readers.readAwsKey(undefined, rooms),
  };
  return [...SECRETS, ...Object.keys(needs).filter((name) => !needs[name].ok)];
}

/** The room of the file for this address; `isSure` = a page there must show a sign of the Worker. */
function placeOf(url, rooms, { passHosts = [] }, { buildRoomTable, canonicalUrl, lookUp }) {
  const table = buildRoomTable(
    [...rooms].map(([room, { settings }]) => [room, settings.routes]),
    passHosts,
  );
  const address = canonicalUrl(url);
  const found = address === null ? null : lookUp(table, address);
  if (found?.as !== "room") return null;
  const { settings } = rooms.get(found.room);
  const routes = settings.routes.filter(({ host }) => host === address.host || host === "*");
  const path = routes.map((route) => route.path).find((each) => each === "/" || address.path.toLowerCase().startsWith(each.toLowerCase()));
  const isOff = settings.suspended || settings.queueingMethod === "passthrough";
  return { name: found.room, path: path ?? "/", isSure: !isOff && settings.bypassRules.length === 0 };
}
