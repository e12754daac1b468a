/**
 * Reads wrangler.toml as wrangler does, and checks rooms and variables with the Worker's own code. No network.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSource } from "./load-source.mjs";

/** Cloudflare refuses a larger variable. */
const VARIABLE_BYTES = 5 * 1024;
/** What docs/settings.md calls a secret. */
const NEVER_VARIABLES = [
  "VESTIBULE_KEYS",
  "ADMIN_TOKEN",
  "IDENTITY_KEYS",
  "BYPASS_KEYS",
  "TURNSTILE_SECRET",
  "WEBHOOK_URLS",
  "AWS_TOKEN_KEY",
  "REHEARSAL_TOKEN",
];

/** The Worker's own readers of rooms, variables and secrets. `root` = the project's directory. */
export async function loadReaders(root) {
  const load = (file) => loadSource(root, file);
  const files = ["src/core/settings.ts", "src/core/settings-warnings.ts", "src/env.ts", "src/keys.ts"];
  return Object.assign({}, ...(await Promise.all(files.map(load))));
}

/** Parsed content of a wrangler configuration file; throws what wrangler says about a syntax error. */
export async function readToml(file) {
  const { experimental_readRawConfig: readRawConfig } = await import("wrangler");
  return readRawConfig({ config: file }).rawConfig;
}

/** Runs `use` with the path of a copy of the configuration that holds `text`; beside the original, since paths in it are relative. */
export async function withConfigText(root, text, use) {
  const file = join(root, `wrangler.deploy-${process.pid}.toml`);
  writeFileSync(file, text, { mode: 0o600 });
  try {
    return await use(file);
  } finally {
    rmSync(file, { force: true });
  }
}

export function readText(root) {
  return readFileSync(join(root, "wrangler.toml"), "utf8");
}

/** What `checkRoutes` needs to know of a parsed configuration, or all problems of its rooms and variables as sentences. */
export function describeDeployment(config, readers) {
  const vars = config.vars ?? {};
  const rooms = readers.parseRooms(vars.ROOMS);
  const list = rooms.ok ? [...rooms.rooms].map(([room, { settings }]) => ({ room, routes: settings.routes })) : [];
  const hosts = new Set(list.flatMap(({ routes }) => routes.map(({ host }) => host)));
  const passHosts = readers.readPassHosts(vars.PASS_HOSTS, hosts);
  const origin = readers.readOrigin(vars.ORIGIN, hosts);
  const drand = readers.readDrand(vars.DRAND_URL);
  const problems = [rooms, passHosts, origin, drand].flatMap((part) =>
    part.ok ? [] : part.problems.map((one) => `${one.setting} ${one.problem}.`),
  );
  for (const [name, value] of Object.entries(vars)) {
    const bytes = Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
    if (bytes > VARIABLE_BYTES) problems.push(`Variable ${name} is ${bytes} bytes; Cloudflare takes at most ${VARIABLE_BYTES}.`);
  }
  for (const name of NEVER_VARIABLES) {
    if (name in vars)
      problems.push(`${name} is a secret and stands in [vars], where everybody can read it: take it out and make a new one.`);
  }
  if (problems.length > 0) return { ok: false, problems };
  const routes = config.routes ?? (config.route === undefined ? [] : [config.route]);
  const warnings = [...rooms.rooms].flatMap(([room, config]) =>
    readers.warningsOf(config, Date.now()).map(({ setting, warning }) => `ROOMS.${room}.${setting} ${warning}.`),
  );
  const deployment = { routes, rooms: list, passHosts: passHosts.value, hasOrigin: origin.value !== null, workersDev: config.workers_dev };
  return { ok: true, warnings, ...deployment };
}
