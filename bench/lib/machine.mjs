/** What the figures were measured on: nothing that names the computer or a place on it. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, cpus, totalmem } from "node:os";

const require = createRequire(import.meta.url);

export function machine() {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: process.platform,
    node: process.versions.node,
    workerd: JSON.parse(readFileSync(require.resolve("workerd/package.json"), "utf8")).version,
  };
}
