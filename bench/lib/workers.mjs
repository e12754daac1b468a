/** The Workers that are measured: the built one, and others to compare it with, started in just the same way. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { loadSource } from "../../scripts/lib/load-source.mjs";
import { root } from "../../scripts/setup.mjs";

/**
 * The built Worker on bare workerd, storage on disk. `options` and the result are those of test/support/workerd.ts. Always `stop()` it.
 */
export async function startBuilt(options) {
  const { startWorkerd } = await loadSource(root, "test/support/workerd.ts");
  return startWorkerd(options);
}

/** bench/workers/NAME.mjs instead, in a workerd of its own with the same flags and bindings. */
export function startPlain(name, options = {}) {
  return startBuilt({ rooms: {}, origin: "", ...options, script: join(root, "bench/workers", `${name}.mjs`) });
}

/**
 * This Worker with other text in one of its sources, e.g. to leave out what is measured elsewhere.
 * @param edits file → [what stands there once, what shall stand there]
 */
export async function startEdited(edits, options) {
  const dir = await mkdtemp(join(tmpdir(), "vestibule-bench-"));
  const outfile = join(dir, "edited.js");
  const plugin = {
    name: "edited",
    setup({ onLoad }) {
      for (const [file, [from, to]] of Object.entries(edits)) {
        onLoad({ filter: new RegExp(`/${file.replaceAll(".", "\\.")}$`) }, async ({ path }) => {
          const parts = (await readFile(path, "utf8")).split(from);
          if (parts.length !== 2) throw new Error(`${file} holds ${JSON.stringify(from)} ${parts.length - 1} times`);
          return { contents: parts.join(to), loader: "ts" };
        });
      }
    },
  };
  const entryPoints = [join(root, "src/index.ts")];
  await build({ entryPoints, outfile, bundle: true, format: "esm", external: ["cloudflare:workers", "node:*"], plugins: [plugin] });
  const worker = await startBuilt({ ...options, script: outfile });
  await rm(dir, { recursive: true }); // workerd has read it.
  return worker;
}

/** The built Worker with a Room that notes its calls: `calls(room)` resolves with when each came, ms. Slower than the built one. */
export async function startCounting(options) {
  const { buildVariant } = await loadSource(root, "test/support/variants.ts");
  const dir = await mkdtemp(join(tmpdir(), "vestibule-bench-"));
  const worker = await startBuilt({ ...options, script: await buildVariant(dir, "watched") });
  await rm(dir, { recursive: true });
  const calls = async (room) => (await fetch(new URL(`/__test/calls?room=${room}`, worker.url))).json();
  return { ...worker, calls };
}
