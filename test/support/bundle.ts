/**
 * Builds the Worker as `wrangler deploy` would, once per test run, into a temporary directory.
 * Used as vitest's global setup by the projects `worker` and `e2e`; `bundle()` also serves programs outside vitest.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Beside what was built: a program that notes its process id where it is told to, then becomes workerd. The only way to kill exactly one. */
export const PID_NOTING_WORKERD = "workerd";

/** Test processes inherit it from the process that built. */
const VARIABLE = "VESTIBULE_TEST_BUNDLE";

/**
 * Directory that holds `index.js`, the built Worker, and `options.json`, wrangler.toml in miniflare's words.
 * Builds when nobody did yet. Rejects with wrangler's output.
 */
export async function bundle(): Promise<string> {
  const built = process.env[VARIABLE];
  if (built) return built;
  const dir = await mkdtemp(join(tmpdir(), "vestibule-bundle-"));
  try {
    await build(dir);
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
  process.env[VARIABLE] = dir;
  return dir;
}

async function build(dir: string): Promise<void> {
  await run(["node_modules/wrangler/bin/wrangler.js", "deploy", "--dry-run", "--outdir", dir]);
  // Importing wrangler takes seconds: once here, not in every test file.
  const { unstable_getMiniflareWorkerOptions: optionsOf } = await import("wrangler");
  await writeFile(join(dir, "options.json"), JSON.stringify(optionsOf(join(root, "wrangler.toml")).workerOptions));
  const { default: workerd } = createRequire(import.meta.url)("workerd") as { default: string };
  const script = `#!/bin/sh\n[ -z "$VESTIBULE_PID_FILE" ] || echo $$ > "$VESTIBULE_PID_FILE"\nexec "${workerd}" "$@"\n`;
  await writeFile(join(dir, PID_NOTING_WORKERD), script, { mode: 0o755 });
}

/** Removes what `bundle()` made in this process. */
export async function removeBundle(): Promise<void> {
  const dir = process.env[VARIABLE];
  delete process.env[VARIABLE];
  if (dir) await rm(dir, { recursive: true, force: true });
}

export default async function setup(): Promise<() => Promise<void>> {
  if (process.env[VARIABLE]) return async () => undefined; // Another project's setup built it, and removes it.
  await bundle();
  return removeBundle;
}

function run(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(" ")} ended with ${code}:\n${output}`))));
  });
}
