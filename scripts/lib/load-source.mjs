/**
 * Loads a TypeScript module of the Worker into a script, so that scripts judge with the very code that will run.
 */
import { join } from "node:path";

/** The module's exports. `file` is relative to `root`, the project's directory. */
export async function loadSource(root, file) {
  const { runnerImport } = await import("vite");
  return (await runnerImport(join(root, file), { root, configFile: false, logLevel: "error" })).module;
}
