/** Servers in processes of their own, which say by a message where they listen. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { loadSource } from "../../scripts/lib/load-source.mjs";
import { root } from "../../scripts/setup.mjs";

/** @returns { url, cpuMs, stop }; `cpuMs()` is what its process has used of the processors, ms */
export async function startServer(file, args = []) {
  const { usedCpuMs } = await loadSource(root, "test/support/process-usage.ts");
  const child = fork(file, args);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${file} ended with ${code} before it listened`);
  });
  const [{ port }] = await Promise.race([once(child, "message"), ended]);
  ended.catch(() => undefined);
  return { url: `http://127.0.0.1:${port}`, cpuMs: () => usedCpuMs(child.pid), stop: () => child.kill() };
}

/** A site for the Worker to stand before. */
export function startSite() {
  return startServer(fileURLToPath(new URL("site-process.mjs", import.meta.url)));
}
