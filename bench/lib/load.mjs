/** Load from autocannon, in a process of its own, and what it cost the Worker. Loopback only. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("load-process.mjs", import.meta.url));

/**
 * @param wanted
 *   - `url`: of the Worker, on loopback
 *   - `connections`: each sends its next request when it has its answer
 *   - `seconds`, or `amount` of requests in all
 *   - `requests`: [{ method, path, headers, body }], dealt out to the connections in turn; or
 *     `source`: { file, options }: a module of bench/sources that makes each request when it is sent
 *   - `expect`: the one status that counts; any other, and any error, fails the measurement
 * @returns { count, seconds, rate, p50Ms, p99Ms, collected }; `collected` is what the source kept
 */
export function load(wanted) {
  const { hostname } = new URL(wanted.url);
  if (hostname !== "127.0.0.1") throw new Error(`load goes to 127.0.0.1 only, not to ${hostname}`);
  return new Promise((resolve, reject) => {
    const child = fork(program);
    let found = null;
    child.on("message", (message) => {
      found = message;
    });
    child.on("exit", (code) => {
      if (found === null) reject(new Error(`the load ended with ${code} before it was done`));
      else if (found.error !== undefined) reject(new Error(found.error));
      else resolve(found);
    });
    child.send({ ...wanted, url: String(wanted.url) });
  });
}

/** The same with `cpuUs`: what the worker's process used of the processors for one request, µs, both clocks together. */
export async function loadOf(worker, wanted) {
  const before = worker.cpuMs();
  const found = await load({ url: worker.url, ...wanted });
  return { ...found, cpuUs: (1_000 * (worker.cpuMs() - before)) / found.count };
}
