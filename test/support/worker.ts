/**
 * The built Worker on miniflare, with its storage on disk: for tests that need real requests, real crashes or a browser.
 * Node 22 only. Requests go straight into workerd's socket of the Worker, so paths and hosts arrive as sent.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundle, PID_NOTING_WORKERD } from "./bundle";
import { type SendInit, send } from "./http";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "./miniflare";
import { residentBytes } from "./process-usage";

export interface WorkerOptions {
  /** Replaces `[vars.ROOMS]` of wrangler.toml. */
  readonly rooms?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** ORIGIN. Without it the Worker runs as on a zone route. */
  readonly origin?: string;
  /** Zone route: `host:port` of the server that every outgoing request reaches, whatever host it names; `X-Test-Scheme` tells its scheme. */
  readonly zone?: string;
  /** `host:port` of a server that gets what arrives in the queue VISITOR_EVENTS, as JSON lists; without it there is no such queue. */
  readonly events?: string;
  /** Other variables, e.g. PASS_HOSTS. */
  readonly vars?: Readonly<Record<string, unknown>>;
  /** Replace VESTIBULE_KEYS or ADMIN_TOKEN. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The rings that the isolates start with, where they differ; `restart` takes others. */
  readonly rings?: readonly string[];
  /** Number of Worker isolates in front of the same Rooms; default 1. */
  readonly isolates?: number;
  /** Modules to run instead of the built Worker, one for each isolate; the Rooms are the first one's. */
  readonly scripts?: readonly string[];
  /** Also listen with TLS (a certificate nobody signed): `httpsUrl`. */
  readonly https?: boolean;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
}

export interface TestWorker {
  /** `http://127.0.0.1:port/` of the first isolate; the same after `restart`. */
  readonly url: URL;
  /** One address per isolate; the first is `url`. */
  readonly urls: readonly URL[];
  /** `https://127.0.0.1:port/` of the first isolate, with `https: true`; through miniflare, which tidies the URL. */
  readonly httpsUrl: URL;
  readonly adminToken: string;
  /** Everything workerd or the Worker logged so far. */
  readonly logs: readonly LogLine[];
  /** Any scheme and host (`https://shop.example.com/…`), for the first isolate. Through miniflare, which tidies the URL. */
  fetch(url: URL | string, init?: SendInit): Promise<Response>;
  /** Forget the Room's memory, keep its storage. Waits for calls in flight. */
  evict(room: string): Promise<void>;
  /** SQL inside the Room. */
  sql(room: string, query: string, ...values: unknown[]): Promise<unknown>;
  /** Resident memory of workerd, bytes. */
  memory(): number;
  /** SIGKILL to workerd, whatever it is doing: a crash. */
  kill9(): Promise<void>;
  /** Start again on the same storage and ports, after `kill9` or on its own; with other `scripts` or `rings` it is a deployment. */
  restart(scripts?: readonly string[], rings?: readonly string[]): Promise<void>;
  /** Stop and remove the storage. */
  stop(): Promise<void>;
}

const NAME = "vestibule";
const ZONE = "zone";
const EVENTS = "events";

/** Plays the zone's DNS: whatever host a request names, it goes to this address, Host unchanged. */
const zoneWorker = (address: string) => ({
  name: ZONE,
  compatibilityDate: "2026-11-01",
  modules: [
    { type: "ESModule" as const, path: "zone.mjs", contents: "export default { fetch: (request, env) => env.SITE.fetch(request) }" },
  ],
  serviceBindings: { SITE: { external: { address, http: { forwardedProtoHeader: "X-Test-Scheme" } } } },
});

/** Takes what is in the queue and hands it to a server. */
const eventsWorker = (address: string) => ({
  name: EVENTS,
  compatibilityDate: "2026-11-01",
  modules: [
    {
      type: "ESModule" as const,
      path: "events.mjs",
      contents: `export default {
        queue: ({ messages }, env) => env.SITE.fetch("http://events/", { method: "POST", body: JSON.stringify(messages.map(({ body }) => body)) }),
      }`,
    },
  ],
  queueConsumers: { [EVENTS]: { maxBatchTimeout: 0 } },
  serviceBindings: { SITE: { external: { address, http: {} } } },
});

/** 32 bytes that look random and are the same in every run. */
const secret = (of: string) => createHash("sha256").update(`vestibule tests: ${of}`).digest("base64url");
export const TEST_KEYS = `t1:${secret("keys")}`;
export const TEST_ADMIN_TOKEN = secret("admin");

/** Starts the Worker; rejects when it does not come up. Always `stop()` it in `afterAll`. */
export async function startWorker(options: WorkerOptions = {}): Promise<TestWorker> {
  const dir = await mkdtemp(join(tmpdir(), "vestibule-worker-"));
  const built = await bundle();
  const logs: LogLine[] = [];
  const secrets = { VESTIBULE_KEYS: TEST_KEYS, ADMIN_TOKEN: TEST_ADMIN_TOKEN, ...options.secrets };
  const isolates = options.isolates ?? 1;
  let scripts = options.scripts ?? [];
  let rings = options.rings ?? [];
  const workerOptions = JSON.parse(readFileSync(join(built, "options.json"), "utf8")) as { bindings?: Record<string, unknown> };
  const pidFile = join(dir, "workerd.pid");
  let urls: URL[] = [];
  let front: URL | null = null; // Miniflare's own listener.

  const worker = (index: number) => ({
    ...workerOptions,
    name: index === 0 ? NAME : `${NAME}-${index}`,
    modules: [{ type: "ESModule" as const, path: scripts[index] ?? join(built, "index.js") }],
    modulesRoot: scripts[index] === undefined ? built : dirname(scripts[index]),
    bindings: {
      ...workerOptions.bindings,
      ...(options.rooms ? { ROOMS: options.rooms } : {}),
      ORIGIN: options.origin ?? "",
      ...options.vars,
      ...secrets,
      ...(rings[index] === undefined ? {} : { VESTIBULE_KEYS: rings[index] }),
    },
    durableObjects: {
      ROOM: index === 0 ? { className: "Room", useSQLite: true } : { className: "Room", scriptName: NAME, useSQLite: true },
    },
    ...(options.zone ? { outboundService: ZONE } : {}),
    ...(options.events ? { queueProducers: { VISITOR_EVENTS: EVENTS } } : {}),
    unsafeDirectSockets: [{ host: "127.0.0.1", port: Number(urls[index]?.port ?? 0) }],
  });

  async function start(): Promise<Miniflare> {
    process.env["MINIFLARE_WORKERD_PATH"] = join(built, PID_NOTING_WORKERD);
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({
        host: "127.0.0.1",
        port: Number(front?.port ?? 0),
        cf: false,
        https: options.https ?? false,
        unsafeInspectDurableObjects: true,
        log: new Log(LogLevel.ERROR),
        logRequests: false,
        handleStructuredLogs: ({ level, message }: LogLine) => logs.push({ level, message }),
        resourcePersistencePath: join(dir, "state"),
        unsafeRuntimeEnv: { VESTIBULE_PID_FILE: pidFile },
        workers: [
          ...Array.from({ length: isolates }, (_, index) => worker(index)),
          ...(options.zone ? [zoneWorker(options.zone)] : []),
          ...(options.events ? [eventsWorker(options.events)] : []),
        ],
      } as never),
    );
    front = await miniflare.ready;
    urls = await Promise.all(
      Array.from({ length: isolates }, (_, index) => miniflare.unsafeGetDirectURL(index === 0 ? NAME : `${NAME}-${index}`)),
    );
    return miniflare;
  }

  let miniflare = await start();
  let running = true;
  return {
    get url() {
      return known(urls[0]);
    },
    get urls() {
      return urls;
    },
    get httpsUrl() {
      if (!options.https) throw new Error("startWorker was not asked for https");
      return known(front);
    },
    adminToken: secrets.ADMIN_TOKEN,
    logs,
    async fetch(url, init = {}) {
      const named = new URL(url);
      return send(new URL(named.pathname + named.search, known(front)), {
        ...init,
        headers: { Host: named.host, "MF-Original-URL": named.href, ...init.headers },
      });
    },
    evict: (room) => miniflare.unsafeEvictDurableObject(NAME, "Room", { name: room }),
    async sql(room, query, ...values) {
      const storage = await miniflare.unsafeGetDurableObjectStorage(NAME, "Room", { name: room });
      return storage.exec(query, ...(values as never[]));
    },
    memory: () => residentBytes(Number(readFileSync(pidFile, "utf8"))),
    async kill9() {
      process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
      running = false;
      await miniflare.dispose(); // At once, or miniflare starts a new workerd by itself.
    },
    async restart(next, nextRings) {
      scripts = next ?? scripts;
      rings = nextRings ?? rings;
      if (running) await miniflare.dispose();
      miniflare = await start();
      running = true;
    },
    async stop() {
      if (running) await miniflare.dispose();
      running = false;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function known(url: URL | null | undefined): URL {
  if (!url) throw new Error("the Worker has not started");
  return url;
}
