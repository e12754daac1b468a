/**
 * What every command needs first: dependencies, and the Node 22 that wrangler and vitest want.
 * Runs on Node 20 and later, before anything is installed: Node's own modules only.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "node_modules/.bin");

/**
 * Runs `npm ci` when node_modules is absent or was installed from another lock file. Ends the process if npm fails.
 * `directory` has a package of its own, relative to the project.
 */
export function installIfNeeded(directory = ".", flags = []) {
  const home = join(root, directory);
  if (isInstalled(home)) return;
  console.log(`Installing dependencies${directory === "." ? "" : ` of ${directory}`} (npm ci) …`);
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error", ...flags];
  const { status, error } = spawnSync("npm", args, { cwd: home, stdio: "inherit" });
  if (error) console.error(`npm could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Compares what the two lock files name: times of change say nothing after a checkout. */
function isInstalled(home) {
  const installedLock = join(home, "node_modules/.package-lock.json");
  if (!existsSync(installedLock)) return false;
  const wanted = JSON.parse(readFileSync(join(home, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedLock, "utf8")).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || (entry.optional && !installed[path])) return true; // Optional: another platform's binary.
    return installed[path]?.version === entry.version && installed[path]?.integrity === entry.integrity;
  });
}

/** A Node that is new enough for wrangler (≥ 22.12): the one of node_modules, else the running one. Ends the process if there is none. */
export function node22() {
  const own = join(bin, "node");
  if (existsSync(own) && spawnSync(own, ["--version"]).status === 0) return own;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return process.execPath;
  console.error(
    "No Node 22 found in node_modules: its install script did not run. Allow scripts (npm config set ignore-scripts false) and run npm ci.",
  );
  process.exit(1);
}

/** Environment for child processes: everything they start is Node 22 too, and nothing asks the internet for anything. */
export function environment() {
  return {
    ...process.env,
    PATH: [bin, process.env.PATH].join(delimiter),
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_HIDE_BANNER: "true", // and with it the question whether there is a newer version
    CLOUDFLARE_CF_FETCH_ENABLED: "false", // `request.cf` is a placeholder then, as it is without a network
  };
}

/**
 * Runs a script under Node 22 with this terminal and passes signals on. Resolves with its exit code (128 + n after signal n).
 * `file` is relative to the project.
 */
export function runNode(file, args = [], extraEnvironment = {}) {
  return run(node22(), [join(root, file), ...args], extraEnvironment);
}

/** Runs any program with this terminal. Resolves with its exit code. */
export function run(program, args = [], extraEnvironment = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: "inherit", env: { ...environment(), ...extraEnvironment } });
    const pass = (signal) => child.kill(signal);
    process.on("SIGINT", pass).on("SIGTERM", pass);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      process.off("SIGINT", pass).off("SIGTERM", pass);
      resolve(signal ? 128 + { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] || 1 : code);
    });
  });
}
