/**
 * The built Worker on bare workerd, storage on disk: no wrangler and no miniflare around it, so that it is up again a moment
 * after a crash. Node only.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./bundle";
import { residentBytes, usedCpuMs } from "./process-usage";
import { TEST_ADMIN_TOKEN, TEST_KEYS } from "./worker";

export interface BareWorkerd {
  /** `http://127.0.0.1:port`, the same after every restart. */
  readonly url: string;
  /** Of V8's inspector for the Worker, with `inspector: true`. */
  inspectorUrl(): string;
  /** Everything it wrote to stderr and stdout. */
  readonly output: readonly string[];
  /** Resident memory of workerd, bytes. */
  memory(): number;
  /** What workerd has used of the processors since it started, ms, in steps of 10. */
  cpuMs(): number;
  /** SIGKILL, whatever it is doing. */
  kill9(): Promise<void>;
  start(): Promise<void>;
  /** Stop and remove the storage. */
  stop(): Promise<void>;
}

export interface BareOptions {
  readonly rooms: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly origin: string;
  /** A module to run instead of the built Worker. */
  readonly script?: string;
  /** Let V8 be looked into, on loopback. */
  readonly inspector?: boolean;
}

/** Starts it; rejects with its output when it does not come up. */
export async function startWorkerd(options: BareOptions): Promise<BareWorkerd> {
  const dir = mkdtempSync(join(tmpdir(), "vestibule-workerd-"));
  mkdirSync(join(dir, "state"));
  // Beside the configuration: workerd embeds by relative path only.
  copyFileSync(options.script ?? join(await bundle(), "index.js"), join(dir, "index.js"));
  writeFileSync(join(dir, "config.capnp"), config(join(dir, "state"), options));
  const binary = (createRequire(import.meta.url)("workerd") as { default: string }).default;
  const output: string[] = [];
  let port = 0;
  let inspectorPort = 0;
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const args = ["serve", "--control-fd=3", `--socket-addr=http=127.0.0.1:${port}`, join(dir, "config.capnp")];
    if (options.inspector) args.push("--inspector-addr=127.0.0.1:0");
    const started = spawn(binary, args, { stdio: ["ignore", "pipe", "pipe", "pipe"] });
    child = started;
    for (const stream of [started.stdout, started.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk.toString()));
    port = await new Promise<number>((resolve, reject) => {
      started.on("error", reject);
      started.on("exit", (code) => reject(new Error(`workerd ended with ${code}:\n${output.join("")}`)));
      started.stdio[3]?.on("data", (chunk: Buffer) => {
        for (const line of chunk.toString().split("\n").filter(Boolean)) {
          const event = JSON.parse(line) as { event: string; port?: number };
          if (event.event === "listen-inspector") inspectorPort = event.port ?? 0;
          if (event.event === "listen" && event.port !== undefined) resolve(event.port);
        }
      });
    });
  }

  async function kill9(): Promise<void> {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const gone = once(running, "exit");
    running.kill("SIGKILL");
    await gone;
  }

  const pid = () => {
    if (child?.pid === undefined) throw new Error("workerd is not running");
    return child.pid;
  };

  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    inspectorUrl: () => `ws://127.0.0.1:${inspectorPort}/main`,
    output,
    memory: () => residentBytes(pid()),
    cpuMs: () => usedCpuMs(pid()),
    start,
    kill9,
    async stop() {
      await kill9();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** workerd's own configuration: the Worker, its variables, and the Room's storage in a directory. */
function config(state: string, { rooms, origin }: BareOptions): string {
  const text = (value: unknown) => JSON.stringify(value);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "state", disk = (path = ${text(state)}, writable = true)),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [(name = "index.js", esModule = embed "index.js")],
  durableObjectNamespaces = [(className = "Room", uniqueKey = "room", enableSql = true)],
  durableObjectStorage = (localDisk = "state"),
  bindings = [
    (name = "ROOM", durableObjectNamespace = "Room"),
    (name = "ROOMS", json = ${text(JSON.stringify(rooms))}),
    (name = "ORIGIN", text = ${text(origin)}),
    (name = "VESTIBULE_KEYS", text = ${text(TEST_KEYS)}),
    (name = "ADMIN_TOKEN", text = ${text(TEST_ADMIN_TOKEN)}),
  ],
);
`;
}
