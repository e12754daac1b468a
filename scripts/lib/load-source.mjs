/**
 * Loads a TypeScript module of the Worker into a script, so that scripts judge with the very code that will run.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Within the project, so that what the modules import of packages is found. */
const BUILT = "node_modules/.cache/vestibule";

/** In one file each module still has its own address. */
const ownAddresses = {
  name: "own-addresses",
  setup({ onLoad }) {
    onLoad({ filter: /\.(?:ts|mjs)$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const contents = text.replaceAll("import.meta.url", () => JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
    });
  },
};

/** The module's exports. `file` is relative to `root`, the project's directory. Each call has modules of its own. */
export async function loadSource(root, file) {
  const { build } = await import("esbuild");
  // What goes wrong in them is told by their own lines.
  process.setSourceMapsEnabled(true);
  mkdirSync(join(root, BUILT), { recursive: true });
  const directory = mkdtempSync(join(root, BUILT, "source-"));
  try {
    const outfile = join(directory, "module.mjs");
    const modules = { entryPoints: [join(root, file)], outfile, bundle: true, packages: "external", plugins: [ownAddresses] };
    await build({ ...modules, format: "esm", platform: "node", sourcemap: "inline", logLevel: "silent" });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
