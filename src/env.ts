/**
 * Bindings → typed configuration, once per isolate; or every problem by name, and then nothing is served.
 * The only reader of vars and secrets in the Worker.
 */

import { type AwsKey, importAwsKey } from "./aws/tokens";
import { TURNSTILE_ORIGIN, type TurnstileAccess } from "./challenge/turnstile";
import { type Access, readAccess } from "./core/access";
import { bypassKeysOf } from "./core/bypass";
import { needTurnstileSecret } from "./core/challenge-needs";
import { readDrandUrl } from "./core/drand";
import { needSharedKey } from "./core/identity-needs";
import { describe, readHost } from "./core/operator-text";
import type { RoomNamespace } from "./core/room-rpc";
import { buildRoomTable, type RoomTable } from "./core/room-table";
import { type FileRoom, type Problem, parseRooms } from "./core/settings";
import { importKeyRing, type KeyRing } from "./keys";
import type { EventSinks } from "./room/event-stream";
import { type Part, readAdminToken, readRehearsalToken, refuse, SAMPLE_TOKEN, TOKEN_MIN_DISTINCT } from "./tokens-of-env";

export { readAdminToken, readRehearsalToken };

export interface Env {
  readonly ROOM: RoomNamespace;
  readonly ASSETS?: Fetcher;
  /** Tables by room name, or the same as a JSON string. */
  readonly ROOMS?: unknown;
  /** Hosts that go through untouched: a list, or text with commas. */
  readonly PASS_HOSTS?: unknown;
  /** Where to forward to when the Worker is not on the site's own zone route: `http://localhost:3000`. */
  readonly ORIGIN?: unknown;
  /** Where the Room asks for drand's rounds, in place of the usual addresses. */
  readonly DRAND_URL?: unknown;
  /** `name=address` with blanks between: addresses of webhooks that are secrets. Read by the Room. */
  readonly WEBHOOK_URLS?: unknown;
  /** "allow": webhooks may be on this computer, for local development. Read by the Room. */
  readonly LOCAL_WEBHOOKS?: unknown;
  readonly VESTIBULE_KEYS?: unknown;
  readonly ADMIN_TOKEN?: unknown;
  /** With it whoever holds it may send `npm run crowd` here; for staging hosts. */
  readonly REHEARSAL_TOKEN?: unknown;
  /** `room:key` pairs with commas between: keys that rooms share with the site's log-in. */
  readonly IDENTITY_KEYS?: unknown;
  /** `name:key` pairs with commas between: keys that bypass rules name. */
  readonly BYPASS_KEYS?: unknown;
  /** The secret of the Turnstile widget, for rooms with `challenge = "turnstile"`. */
  readonly TURNSTILE_SECRET?: unknown;
  /** Where Turnstile's script and siteverify are, in place of the usual address; for tests. */
  readonly TURNSTILE_URL?: unknown;
  /** A private RSA key, PKCS #8, for rooms with `aws_event_id`. */
  readonly AWS_TOKEN_KEY?: unknown;
  /** A Queue for events of visitors; optional. */
  readonly VISITOR_EVENTS?: unknown;
  /** An Analytics Engine dataset for the same; optional. */
  readonly ANALYTICS?: unknown;
  /** A rate limit of the edge for newcomers' joins; optional. */
  readonly JOIN_DAMPER?: unknown;
  /** Cloudflare Access in front of the admin API: a table, or the same as a JSON string. */
  readonly ACCESS?: unknown;
}

/** Cloudflare's rate limit binding: permissive, counted by each location for itself. */
interface Damper {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

export interface Config {
  readonly rooms: ReadonlyMap<string, FileRoom>;
  readonly table: RoomTable;
  readonly passHosts: readonly string[];
  readonly origin: URL | null;
  readonly keys: KeyRing;
  readonly adminToken: string;
  /** null = nobody may rehearse here. */
  readonly rehearsalToken: string | null;
  /** Bytes of the keys that a room shares with the site's log-in, the newest first. */
  readonly identityKeys: ReadonlyMap<string, readonly Uint8Array[]>;
  /** Keys that bypass rules name, as text. */
  readonly bypassKeys: ReadonlyMap<string, string>;
  /** `secret` is null where no room needs one at its start. */
  readonly turnstile: Omit<TurnstileAccess, "secret"> & { readonly secret: string | null };
  /** null where no room needs one at its start. */
  readonly awsKey: AwsKey | null;
  readonly joinDamper: Damper | null;
  readonly events: EventSinks;
  /** Static files beside the Worker. */
  readonly files?: Fetcher | undefined;
  readonly access: Access | null;
}

export type ConfigResult = { readonly ok: true; readonly config: Config } | { readonly ok: false; readonly problems: Problem[] };

/** Finished results only: a pending promise shared between requests dies with the request that made it. */
const results = new WeakMap<Env, ConfigResult>();

/** The configuration of this isolate. Problems name the variable; none of them shows a secret. */
export function configOf(env: Env): Promise<ConfigResult> | ConfigResult {
  return results.get(env) ?? firstConfigOf(env);
}

async function firstConfigOf(env: Env): Promise<ConfigResult> {
  const result = await readConfig(env);
  results.set(env, result);
  return result;
}

async function readConfig(env: Env): Promise<ConfigResult> {
  const rooms = parseRooms(env.ROOMS);
  const hosts = rooms.ok
    ? new Set([...rooms.rooms.values()].flatMap(({ settings }) => settings.routes.map((route) => route.host)))
    : new Set<string>();
  const passHosts = readPassHosts(env.PASS_HOSTS, hosts);
  const origin = readOrigin(env.ORIGIN, hosts);
  const drand = readDrand(env.DRAND_URL);
  const keys = await readKeys(env.VESTIBULE_KEYS);
  const adminToken = readAdminToken(env.ADMIN_TOKEN);
  const rehearsalToken = await readRehearsalToken(env.REHEARSAL_TOKEN, env.ADMIN_TOKEN);
  const identityKeys = readIdentityKeys(env.IDENTITY_KEYS, rooms.ok ? rooms.rooms : new Map());
  const bypassKeys = readBypassKeys(env.BYPASS_KEYS, rooms.ok ? rooms.rooms : new Map());
  const turnstile = readTurnstile(env.TURNSTILE_SECRET, env.TURNSTILE_URL, rooms.ok ? rooms.rooms : new Map());
  const awsKey = await readAwsKey(env.AWS_TOKEN_KEY, rooms.ok ? rooms.rooms : new Map());
  const damper = readDamper(env.JOIN_DAMPER);
  const access = readAccess(env.ACCESS);
  const events = readSinks(env.VISITOR_EVENTS, env.ANALYTICS);
  if (
    !rooms.ok ||
    !passHosts.ok ||
    !origin.ok ||
    !drand.ok ||
    !keys.ok ||
    !adminToken.ok ||
    !rehearsalToken.ok ||
    !identityKeys.ok ||
    !bypassKeys.ok ||
    !turnstile.ok ||
    !awsKey.ok ||
    !damper.ok ||
    !access.ok ||
    !events.ok
  ) {
    const parts = [
      rooms,
      passHosts,
      origin,
      drand,
      keys,
      adminToken,
      rehearsalToken,
      identityKeys,
      bypassKeys,
      turnstile,
      awsKey,
      damper,
      access,
      events,
    ];
    return { ok: false, problems: parts.flatMap((part) => (part.ok ? [] : part.problems)) };
  }
  const table = buildRoomTable(
    [...rooms.rooms].map(([room, { settings }]) => [room, settings.routes] as const),
    passHosts.value,
  );
  return {
    ok: true,
    config: {
      rooms: rooms.rooms,
      table,
      passHosts: passHosts.value,
      origin: origin.value,
      keys: keys.value,
      adminToken: adminToken.value,
      rehearsalToken: rehearsalToken.value,
      identityKeys: identityKeys.value,
      bypassKeys: bypassKeys.value,
      turnstile: turnstile.value,
      awsKey: awsKey.value,
      joinDamper: damper.value,
      events: events.value,
      files: env.ASSETS,
      access: access.value,
    },
  };
}

/** Reads PASS_HOSTS; absent or empty = none. `roomHosts` may not appear in it. */
export function readPassHosts(raw: unknown, roomHosts: ReadonlySet<string>): Part<readonly string[]> {
  if (raw === undefined || raw === null) return { ok: true, value: [] };
  const list: unknown[] | null = typeof raw === "string" ? raw.split(",").map((host) => host.trim()) : Array.isArray(raw) ? raw : null;
  if (!list) return refuse("PASS_HOSTS", `must be a list of hosts, not ${describe(raw)}`);
  const problems: Problem[] = [];
  const hosts: string[] = [];
  for (const entry of list) {
    if (entry === "") continue;
    const read = typeof entry === "string" ? readHost(entry) : null;
    if (!read?.ok) problems.push({ setting: "PASS_HOSTS", problem: `must hold ${read?.problem ?? "host names"}, not ${describe(entry)}` });
    else if (roomHosts.has(read.value)) problems.push({ setting: "PASS_HOSTS", problem: `has ${read.value}, which a room protects` });
    else hosts.push(read.value);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: hosts };
}

const ORIGIN_SHAPE = 'must be a URL without path such as "http://localhost:3000", or left out on a zone route';

/** Reads ORIGIN; absent or empty = forward to the request's own host (a zone route). */
export function readOrigin(raw: unknown, roomHosts: ReadonlySet<string>): Part<URL | null> {
  if (raw === undefined || raw === null || raw === "") return { ok: true, value: null };
  if (typeof raw !== "string" || !URL.canParse(raw)) return refuse("ORIGIN", `${ORIGIN_SHAPE}, not ${describe(raw)}`);
  const url = new URL(raw);
  if (url.protocol !== "http:" && url.protocol !== "https:") return refuse("ORIGIN", `${ORIGIN_SHAPE}: it starts with http:// or https://`);
  if (url.username !== "" || url.password !== "") return refuse("ORIGIN", "must not hold a user name or password");
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "")
    return refuse("ORIGIN", `${ORIGIN_SHAPE}; it has ${url.pathname}${url.search}${url.hash}`);
  if (roomHosts.has(url.host)) {
    return refuse("ORIGIN", `is ${url.host}, which a room protects: requests would go round in circles. Leave ORIGIN out on a zone route`);
  }
  return { ok: true, value: url };
}

/** Reads DRAND_URL, to judge it: the Room is who uses it. */
export function readDrand(raw: unknown): Part<readonly string[]> {
  const value = readDrandUrl(raw);
  if (value !== null) return { ok: true, value };
  return refuse("DRAND_URL", `must be http(s) addresses without path, with commas, or left out, not ${describe(raw)}`);
}

async function readKeys(raw: unknown): Promise<Part<KeyRing>> {
  const result = await importKeyRing(typeof raw === "string" ? raw : "");
  return result.ok ? { ok: true, value: result.ring } : refuse("VESTIBULE_KEYS", result.problem);
}

const IDENTITY_KEY_MIN_CHARACTERS = 32;

/**
 * Reads IDENTITY_KEYS, `room:key` pairs; a key is the text that the log-in signs with, as UTF-8. Several of one room: all verify.
 * A room that needs one must have one. Problems never show a key.
 */
export function readIdentityKeys(raw: unknown, rooms: ReadonlyMap<string, FileRoom>): Part<ReadonlyMap<string, readonly Uint8Array[]>> {
  const keys = new Map<string, Uint8Array[]>();
  const problems: Problem[] = [];
  const entries = typeof raw === "string" ? raw.split(",").map((entry) => entry.trim()) : [];
  for (const [i, entry] of entries.entries()) {
    if (entry === "") continue;
    const at = entry.indexOf(":");
    const [room, key] = [entry.slice(0, Math.max(0, at)), entry.slice(at + 1)];
    if (at < 0 || !rooms.has(room))
      problems.push({ setting: "IDENTITY_KEYS", problem: `entry ${i + 1} is not room:key with a room of ROOMS` });
    else if (key.length < IDENTITY_KEY_MIN_CHARACTERS || SAMPLE_TOKEN.test(key) || new Set(key).size < TOKEN_MIN_DISTINCT)
      problems.push({
        setting: "IDENTITY_KEYS",
        problem: `has a key of room ${room} that is shorter than ${IDENTITY_KEY_MIN_CHARACTERS} characters, a sample, or can be guessed`,
      });
    else keys.set(room, [...(keys.get(room) ?? []), new TextEncoder().encode(key)]);
  }
  for (const [room, { settings }] of rooms) {
    const needing = keys.has(room) ? [] : needSharedKey(settings);
    for (const setting of needing) {
      problems.push({
        setting: "IDENTITY_KEYS",
        problem: `has no key of room ${room}, whose ${setting} is "identified" without an identity_jwks_url`,
      });
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: keys };
}

const BYPASS_KEYS_MAX = 16;

/** Reads BYPASS_KEYS, `name:key` pairs; a key is text as headers carry it. Those that rules name must be there. Problems never show a key. */
export function readBypassKeys(raw: unknown, rooms: ReadonlyMap<string, FileRoom>): Part<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>();
  const problems: string[] = [];
  const entries = (typeof raw === "string" ? raw.split(",") : []).map((entry) => entry.trim()).filter((entry) => entry !== "");
  if (entries.length > BYPASS_KEYS_MAX) problems.push(`holds more than ${BYPASS_KEYS_MAX} keys`);
  for (const [i, entry] of entries.entries()) {
    const [, name, key = ""] = /^([a-z0-9-]{1,32}):(.*)$/s.exec(entry) ?? [];
    if (name === undefined) problems.push(`entry ${i + 1} is not name:key, with a name of 1 to 32 of a–z, 0–9 and -`);
    else if (keys.has(name)) problems.push(`lists ${name} twice`);
    else if (!/^[\x21-\x7e]{32,}$/.test(key) || SAMPLE_TOKEN.test(key) || new Set(key).size < TOKEN_MIN_DISTINCT)
      problems.push(`has a key ${name} that is shorter than 32 visible characters, a sample, or can be guessed`);
    else keys.set(name, key);
  }
  for (const [room, { settings }] of rooms) {
    const missing = [...bypassKeysOf(settings.bypassRules)].filter((name) => !keys.has(name));
    if (missing.length > 0) problems.push(`has no key ${missing.join(", ")}, which bypass_rules of room ${room} ask for`);
  }
  if (problems.length > 0) return { ok: false, problems: problems.map((problem) => ({ setting: "BYPASS_KEYS", problem })) };
  return { ok: true, value: keys };
}

const TURNSTILE_SECRET_SHAPE = /^[\x21-\x7e]{20,128}$/;

/** Reads TURNSTILE_SECRET and TURNSTILE_URL. A room that needs the secret must have it. Problems never show it. */
export function readTurnstile(secret: unknown, url: unknown, rooms: ReadonlyMap<string, FileRoom>): Part<Config["turnstile"]> {
  const problems: Problem[] = [];
  const isSet = secret !== undefined && secret !== null && secret !== "";
  const read = typeof secret === "string" && TURNSTILE_SECRET_SHAPE.test(secret) ? secret : null;
  if (isSet && read === null) problems.push({ setting: "TURNSTILE_SECRET", problem: "is not the secret of a Turnstile widget" });
  for (const [room, { settings }] of isSet ? [] : rooms) {
    for (const setting of needTurnstileSecret(settings)) {
      problems.push({ setting: "TURNSTILE_SECRET", problem: `is not set, but room ${room} has ${setting} = "turnstile"` });
    }
  }
  const origin = url === undefined || url === null || url === "" ? TURNSTILE_ORIGIN : readServiceUrl(url);
  if (origin === null)
    problems.push({ setting: "TURNSTILE_URL", problem: `must be an http(s) address without path, or left out, not ${describe(url)}` });
  return problems.length > 0 || origin === null ? { ok: false, problems } : { ok: true, value: { secret: read, origin } };
}

/** The origin of an http(s) URL that is nothing more than that; null = it is not. */
function readServiceUrl(raw: unknown): string | null {
  if (typeof raw !== "string" || !URL.canParse(raw)) return null;
  const { origin, protocol, href } = new URL(raw);
  return (protocol === "https:" || protocol === "http:") && href === `${origin}/` ? origin : null;
}

/** Reads AWS_TOKEN_KEY. A room that needs it must have it. Problems never show it. */
export async function readAwsKey(raw: unknown, rooms: ReadonlyMap<string, FileRoom>): Promise<Part<AwsKey | null>> {
  if (raw === undefined || raw === null || raw === "") {
    const needing = [...rooms].find(([, { settings }]) => settings.awsEventId !== null)?.[0];
    return needing === undefined ? { ok: true, value: null } : refuse("AWS_TOKEN_KEY", `is not set, but room ${needing} has aws_event_id`);
  }
  const key = typeof raw === "string" ? await importAwsKey(raw) : null;
  if (key !== null) return { ok: true, value: key };
  return refuse(
    "AWS_TOKEN_KEY",
    "is not a private RSA key of at least 2048 bits in PKCS #8; make one with: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048",
  );
}

/** Reads JOIN_DAMPER: a rate limit binding, or nothing. */
export function readDamper(raw: unknown): Part<Damper | null> {
  if (raw === undefined || raw === null) return { ok: true, value: null };
  const isBinding = typeof raw === "object" && "limit" in raw && typeof raw.limit === "function";
  return isBinding
    ? { ok: true, value: raw as Damper }
    : refuse("JOIN_DAMPER", "must be a rate limit binding ([[ratelimits]]), or left out");
}

function readSinks(queue: unknown, analytics: unknown): Part<EventSinks> {
  const has = (raw: unknown, method: string) => typeof raw === "object" && raw !== null && typeof Reflect.get(raw, method) === "function";
  if (queue !== undefined && queue !== null && !has(queue, "sendBatch"))
    return refuse("VISITOR_EVENTS", "must be a Queue ([[queues.producers]]), or left out");
  if (analytics !== undefined && analytics !== null && !has(analytics, "writeDataPoint"))
    return refuse("ANALYTICS", "must be an Analytics Engine dataset ([[analytics_engine_datasets]]), or left out");
  return { ok: true, value: { queue: (queue ?? null) as EventSinks["queue"], analytics: (analytics ?? null) as EventSinks["analytics"] } };
}
