/**
 * Starts the gate in front of scripted Rooms (`fake-room.ts`) and a real origin. One room, with a host of its own, per test: what an
 * isolate knows of one room says nothing of another. Node 22 only.
 */
import { createHash } from "node:crypto";
import { build } from "esbuild";
import type { Status } from "../../src/core/status";
import type { EntryClaims, PassClaims, ProofClaims, TicketClaims, VisitorClaims } from "../../src/core/token-types";
import { importKeyRing, newVisitorKey, signToken } from "../../src/keys";
import { root } from "./bundle";
import type { Fault, Order, Script, Seen } from "./fake-room";
import { type SendInit, send } from "./http";
import { Visitor } from "./jar";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "./miniflare";
import { type Origin, startOrigin } from "./origin";
import { TEST_ADMIN_TOKEN, TEST_KEYS } from "./worker";

export interface RigOptions {
  /** Over `rooms`' defaults, for every room. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly vars?: Readonly<Record<string, unknown>>;
  /** Rooms of other names with settings of their own on top. */
  readonly named?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Joins that JOIN_DAMPER lets through in a minute, of one key; left out = no such binding. */
  readonly damperLimit?: number;
}

export interface Rig {
  readonly url: URL;
  readonly origin: Origin;
  /** Everything that workerd or the Worker logged. */
  readonly logs: string[];
  /** A room nobody has used yet. */
  room(): RigRoom;
  named(name: string): RigRoom;
  send(host: string, path: string, init?: SendInit): Promise<Response>;
  stop(): Promise<void>;
}

const ROOMS = 120;
/** A key that has been revoked: in the rig's ring, after the one that signs. */
const OLD_KEY = `t0:${createHash("sha256").update("vestibule tests: a revoked key").digest("base64url")}`;
/** Tickets and passes of tests were made a moment ago unless they say otherwise. */
const nowS = () => Math.floor(Date.now() / 1_000);

export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const origin = await startOrigin();
  const built = await build({
    entryPoints: [`${root}test/support/fake-room.ts`],
    bundle: true,
    format: "esm",
    write: false,
    external: ["cloudflare:workers", "node:*"],
  });
  const defaults = { total_active_users: 100, new_users_per_minute: 60, ...options.settings };
  const named = Object.entries(options.named ?? {}).map(([name, own]) => [name, { host: `${name}.test`, ...defaults, ...own }] as const);
  const numbered = Array.from({ length: ROOMS }, (_, i) => [`r${i}`, { host: `r${i}.test`, ...defaults }] as const);
  const rooms = Object.fromEntries([...numbered, ...named]);
  const logs: string[] = [];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.ERROR),
      handleStructuredLogs: ({ message }: { message: string }) => logs.push(message),
      workers: [
        {
          name: "gate",
          modules: [{ type: "ESModule", path: "gate.js", contents: built.outputFiles[0]?.text ?? "" }],
          compatibilityDate: "2026-11-01",
          bindings: {
            ROOMS: rooms,
            ORIGIN: origin.url,
            VESTIBULE_KEYS: `${TEST_KEYS},${OLD_KEY}:revoked`,
            ADMIN_TOKEN: TEST_ADMIN_TOKEN,
            ...options.vars,
          },
          ...(options.damperLimit === undefined
            ? {}
            : { ratelimits: { JOIN_DAMPER: { namespace_id: "1", simple: { limit: options.damperLimit, period: 60 } } } }),
          durableObjects: { ROOM: { className: "Room", useSQLite: true } },
          unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
        },
      ],
    } as never),
  );
  await miniflare.ready;
  const url = await miniflare.unsafeGetDirectURL("gate");
  const toRig = (host: string, path: string, init: SendInit = {}) =>
    send(new URL(path, url), { ...init, headers: { Host: host, ...init.headers } });
  let used = 0;
  return {
    url,
    origin,
    logs,
    room() {
      if (used >= ROOMS) throw new Error("no room is left");
      return new RigRoom(`r${used++}`, origin, toRig);
    },
    named: (name) => new RigRoom(name, origin, toRig),
    send: toRig,
    async stop() {
      await miniflare.dispose();
      await origin.stop();
    },
  };
}

type Send = (host: string, path: string, init?: SendInit) => Promise<Response>;

export const NAVIGATION = { Accept: "text/html", "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "none" };

export class RigRoom {
  readonly name: string;
  readonly host: string;
  readonly api: string;
  readonly #origin: Origin;
  readonly #send: Send;
  /** The ring that signs this room's tokens here. */
  #ring = TEST_KEYS;

  constructor(name: string, origin: Origin, toRig: Send) {
    this.name = name;
    this.host = `${name}.test`;
    this.api = `/__vestibule/rooms/${name}`;
    this.#origin = origin;
    this.#send = toRig;
  }

  /** The same room, with tokens made by the revoked key. */
  byOldKey(): RigRoom {
    const room = new RigRoom(this.name, this.#origin, this.#send);
    room.#ring = OLD_KEY;
    return room;
  }

  get publicOrigin(): string {
    return `http://${this.host}`;
  }

  async script(script: Script): Promise<void> {
    await this.#order({ order: "script", room: this.name, script });
  }

  async fail(...faults: readonly Fault[]): Promise<void> {
    await this.#order({ order: "faults", room: this.name, faults });
  }

  async forget(): Promise<void> {
    await this.#order({ order: "forget", room: this.name });
  }

  async seen(): Promise<Seen> {
    return (await (await this.#order({ order: "seen", room: this.name })).json()) as Seen;
  }

  /** Requests of this room that reached the site. */
  hits(): Origin["received"] {
    return this.#origin.received.filter((received) => received.header("X-Forwarded-Host") === this.host);
  }

  /** Any request; `cookies` are name → value without the room's prefix. */
  fetch(path: string, init: SendInit & { readonly cookies?: Cookies } = {}): Promise<Response> {
    const { cookies, ...rest } = init;
    const cookie = cookies === undefined ? {} : { Cookie: this.cookieHeader(cookies) };
    return this.#send(this.host, path, { ...rest, headers: { ...cookie, ...init.headers } });
  }

  navigate(path: string, cookies: Cookies = {}, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.fetch(path, { cookies, headers: { ...NAVIGATION, ...headers } });
  }

  /** A POST as the page's own script or an app on the site makes it. */
  post(path: string, cookies: Cookies = {}, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.fetch(path, {
      method: "POST",
      cookies,
      headers: { "Sec-Fetch-Site": "same-origin", Accept: "application/json", ...headers },
    });
  }

  cookieHeader({ place, pass, proof }: Cookies): string {
    const named = (name: string, values: string | readonly string[] = []) =>
      [values].flat().map((value) => `${name}.${this.name}=${value}`);
    return [...named("vestibule", place), ...named("vestibule-pass", pass), ...named("vestibule-proof", proof)].join("; ");
  }

  /** A browser with a jar of its own. */
  browser(headers: Readonly<Record<string, string>> = {}): Visitor {
    const transport = (url: URL, init: SendInit) => this.#send(url.host, url.pathname + url.search, init);
    return new Visitor(this.publicOrigin, { transport, headers });
  }

  async ticket(claims: Partial<TicketClaims> = {}): Promise<string> {
    const iat = claims.iat ?? nowS() - 60;
    return sign(this.#ring, { kind: "ticket", room: this.name, generation: 1, slot: 200, exp: nowS() + 86_000, ...claims, iat });
  }

  async entry(claims: Partial<EntryClaims> = {}): Promise<string> {
    const iat = claims.iat ?? nowS() - 60;
    const own = { draw: 7, entry: 4, chain: "A".repeat(43) };
    return sign(this.#ring, { kind: "entry", room: this.name, generation: 1, ...own, exp: nowS() + 86_000, ...claims, iat });
  }

  async pass(claims: Partial<PassClaims> = {}): Promise<string> {
    const iat = claims.iat ?? nowS();
    return sign(this.#ring, {
      kind: "pass",
      room: this.name,
      generation: 1,
      slot: 50,
      serial: 1,
      exp: iat + 600,
      end: iat + 3_600,
      ...claims,
      iat,
    });
  }

  async visitor(claims: Partial<VisitorClaims> = {}): Promise<string> {
    return sign(this.#ring, { kind: "visitor", room: this.name, key: newVisitorKey(), iat: nowS(), exp: nowS() + 86_000, ...claims });
  }

  async proof(claims: Partial<ProofClaims> & Pick<ProofClaims, "key">): Promise<string> {
    return sign(this.#ring, { kind: "proof", room: this.name, work: 1, human: false, iat: nowS(), exp: nowS() + 600, ...claims });
  }

  async #order(order: Order): Promise<Response> {
    return this.#send("control.test", "/", { method: "POST", body: JSON.stringify(order) });
  }
}

/** The status that a reply tells, be it a page or JSON; null = the reply is not about a visitor. Uses up the body. */
export async function told(response: Response): Promise<Status | null> {
  const text = await response.text();
  const html = /<script[^>]*type="?application\/json"?[^>]*>(.*?)<\/script>/s.exec(text)?.[1];
  try {
    const parsed = JSON.parse(html ?? text) as { status?: Status; state?: string };
    if (html !== undefined) return parsed.status ?? null;
    return parsed.state === undefined ? null : (parsed as unknown as Status);
  } catch {
    return null;
  }
}

export interface Cookies {
  readonly place?: string | readonly string[];
  readonly pass?: string | readonly string[];
  readonly proof?: string | readonly string[];
}

async function sign(keys: string, claims: EntryClaims | PassClaims | ProofClaims | TicketClaims | VisitorClaims): Promise<string> {
  const imported = await importKeyRing(keys);
  if (!imported.ok) throw new Error(imported.problem);
  return signToken(imported.ring, claims);
}
