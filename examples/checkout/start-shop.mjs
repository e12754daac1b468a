/** Starts serve.mjs as a process of its own and stops it again; it ends also when this one does. Node's own modules only. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * `environment`: see serve.mjs. Resolves with `{ url, ended, stop() }`; `ended` resolves when it has ended, whyever, and `stop()` with its
 * counts of requests. Rejects when it does not start.
 */
export async function startShop(environment) {
  const child = spawn(process.execPath, [fileURLToPath(new URL("serve.mjs", import.meta.url))], {
    env: { ...process.env, ...environment },
    stdio: ["pipe", "pipe", "inherit"],
    // Ctrl-C in a terminal is for the command that started it.
    detached: true,
  });
  child.stdin.on("error", () => undefined);
  const said = [];
  const lines = createInterface(child.stdout).on("line", (line) => said.push(JSON.parse(line)));
  const ended = once(child, "close");
  await Promise.race([once(lines, "line"), ended]);
  if (said.length === 0) throw new Error("The shop did not start.");
  const stop = async () => {
    child.stdin.end();
    await ended;
    return said[1];
  };
  return { url: said[0].url, ended, stop };
}
