/**
 * A copy of the project in a temporary directory, as a fresh clone would be, with the installed packages linked in:
 * commands that write files (`npm start`, `deploy:first`) are tested there. Node only.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { root } from "./bundle";

const PARTS = ["src", "durable", "static", "scripts", "wrangler.toml", "package.json", "package-lock.json", "tsconfig.json"];

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

export interface Running {
  /** Resolves when the output contains `text`; rejects with the output when the program ends before. */
  says(text: string): Promise<void>;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Finished>;
  /** Waits for the end. */
  finished: Promise<Finished>;
}

export interface ProjectCopy {
  readonly dir: string;
  /** Starts `scripts/<script>` under the Node that runs the tests. `environment` also goes to everything it starts. */
  run(script: string, args: readonly string[], environment?: Readonly<Record<string, string>>): Running;
  /** The same by npm, as people start it: `npm <args>`. Ends only when everything that npm started has ended. */
  npm(args: readonly string[], environment?: Readonly<Record<string, string>>): Running;
  remove(): Promise<void>;
}

export async function copyProject(): Promise<ProjectCopy> {
  const dir = await mkdtemp(join(tmpdir(), "vestibule-project-"));
  await Promise.all(PARTS.map((part) => cp(join(root, part), join(dir, part), { recursive: true })));
  await symlink(join(root, "node_modules"), join(dir, "node_modules"));
  return {
    dir,
    run: (script, args, environment = {}) =>
      watch(spawn(process.execPath, [join(dir, "scripts", script), ...args], { cwd: dir, env: { ...process.env, ...environment } })),
    npm: (args, environment = {}) => watch(spawn("npm", [...args], { cwd: dir, env: { ...process.env, ...environment } })),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

async function withCopy(use: (project: ProjectCopy) => Promise<void>): Promise<void> {
  const project = await copyProject();
  await use(project);
  await project.remove();
}

/** Tests that wait at the same time, each with a copy of its own, or `shared` where nothing is written. */
export const testInCopy = test.extend<{ project: ProjectCopy; shared: ProjectCopy }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of what a fixture needs from its first parameter.
  project: ({}, use) => withCopy(use),
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  shared: [({}, use) => withCopy(use), { scope: "file" }],
}).concurrent;

function watch(child: ChildProcess): Running {
  let output = "";
  let wake: () => void = () => undefined;
  const listen = (chunk: Buffer) => {
    output += chunk.toString();
    wake();
  };
  child.stdout?.on("data", listen);
  child.stderr?.on("data", listen);
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
  return {
    finished,
    async says(text) {
      const ended = finished.then(({ code }) => Promise.reject(new Error(`ended with ${code} before saying "${text}":\n${output}`)));
      ended.catch(() => undefined);
      const said = new Promise<void>((resolve) => {
        wake = () => {
          if (output.includes(text)) resolve();
        };
        wake();
      });
      await Promise.race([said, ended]);
    },
    end(signal) {
      child.kill(signal);
      return finished;
    },
  };
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port"))));
    });
  });
}

/** Ids of the processes whose environment has `NAME=value`, wherever they hang in the tree. Linux only: elsewhere always empty. */
export function processesWith(name: string, value: string): number[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  return pids.filter((pid) => environmentOf(pid).includes(`${name}=${value}`)).map(Number);
}

/** Ids of the processes whose command names this text: of those that get no environment from us. Linux only, like the one above. */
export function processesNaming(text: string): number[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  return pids.filter((pid) => commandOf(pid).includes(text)).map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return []; // Gone, or somebody else's.
  }
}
