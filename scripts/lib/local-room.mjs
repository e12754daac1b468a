/**
 * The room on this computer, by `wrangler dev`: what `npm start` and `npm run checkout` have in common.
 * Listens on 127.0.0.1 only; nothing started here outlives this process.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { environment, node22, root } from "../setup.mjs";
import { withoutRoutes } from "../without-routes.mjs";
import { numberOf } from "./number-option.mjs";

/** A port of `--port`. Throws an Error that names what was given. */
export function readPort(text) {
  return numberOf({ port: text }, "port", 0, 1, 65_535);
}

/** Asking first gives one clear sentence instead of wrangler's choice of another port. Ends the process when it is taken. */
export function refuseTakenPort(port, command) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error) => {
      console.error(
        error.code === "EADDRINUSE"
          ? `Port ${port} is taken by another program. Try: ${command} -- --port ${port + 1}`
          : `Port ${port}: ${error.message}`,
      );
      process.exit(1);
    });
    probe.listen(port, "127.0.0.1", () => probe.close(resolve));
  });
}

/** Random secrets, readable by this user only. An existing file is never touched. */
export function writeSecretsOnce() {
  const secret = () => randomBytes(32).toString("base64url");
  try {
    writeFileSync(join(root, ".dev.vars"), `VESTIBULE_KEYS="k1:${secret()}"\nADMIN_TOKEN="${secret()}"\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
}

/** npm passes a signal to the shell that it starts scripts in, which dies of it and tells nobody: whoever loses that parent ends as well. */
export function endWithNpm(script, end) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === script) setInterval(() => process.ppid === parent || end(), 250).unref();
}

/**
 * Starts it; `args` go to wrangler. The room named `room` is waited for by `ready()`, which resolves with false when it was stopped before.
 * `ended` resolves with wrangler's exit code; `stop()` may be called at any time, more than once.
 */
export function startLocalRoom({ port, origin, room, args = [] }) {
  const address = `http://127.0.0.1:${port}`;
  const configFile = writeConfigWithoutRoutes();
  const all = ["node_modules/wrangler/bin/wrangler.js", "dev", "--ip", "127.0.0.1", "--port", String(port)];
  all.push("--inspector-port", "0", "--show-interactive-dev-session", "false", "--log-level", "warn", "--var", `ORIGIN:${origin}`);
  if (configFile) all.push("--config", configFile);
  // A process group of its own: wrangler starts workerd and others, and all of them end with it.
  const wrangler = spawn(node22(), [...all, ...args], {
    cwd: root,
    env: environment(),
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
  });
  const ended = new Promise((resolve, reject) => wrangler.once("exit", (code) => resolve(code ?? 1)).once("error", reject));
  let stopping = null;

  async function stop() {
    signalGroup("SIGTERM");
    const deadline = Date.now() + 5_000;
    while (groupLives() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    signalGroup("SIGKILL");
    if (configFile && existsSync(configFile)) rmSync(configFile);
  }

  function signalGroup(signal) {
    try {
      process.kill(-wrangler.pid, signal);
      return true;
    } catch {
      return false; // Nobody left.
    }
  }

  function groupLives() {
    return signalGroup(0);
  }

  /** Asks for the health endpoint until it answers; false = being stopped. */
  async function becomesHealthy() {
    while (!stopping) {
      const status = (await ask("/__vestibule/health"))?.status;
      if (status === 503) console.error("The settings in wrangler.toml or .dev.vars are refused; see above, or open the health address.");
      if (status === 200 || status === 503) return true;
      await pause();
    }
    return false;
  }

  /**
   * A room that was just made has no entry token yet: waits for the first one, so that the first visitor meets no page.
   * Not longer than a few seconds: somebody of an earlier run may be inside.
   */
  async function becomesQuiet() {
    const deadline = Date.now() + 8_000;
    while (!stopping && Date.now() < deadline) {
      const response = await ask(`/__vestibule/rooms/${room}/manifest`);
      if (response && (!response.ok || (await response.json()).quiet)) return;
      await pause();
    }
  }

  /** null = nobody answers. */
  async function ask(path) {
    try {
      return await fetch(address + path, { signal: AbortSignal.timeout(5_000) });
    } catch {
      return null;
    }
  }

  return {
    address,
    ended,
    async ready() {
      if (await becomesHealthy()) await becomesQuiet();
      return !stopping;
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, 250));
}

/** With routes, wrangler dev would report the route's host to the Worker instead of this one. null = the file has none. */
function writeConfigWithoutRoutes() {
  const text = readFileSync(join(root, "wrangler.toml"), "utf8");
  const stripped = withoutRoutes(text);
  if (stripped === text) return null;
  const file = join(root, `wrangler.start-${process.pid}.toml`); // Beside the original: paths in it are relative.
  writeFileSync(file, stripped);
  return file;
}
