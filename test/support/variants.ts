/**
 * Workers that are not quite the built one, for tests of several versions at once and of a Room that is watched: built from
 * test/support/variants, which wrap src/index.ts. Node only.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { root } from "./bundle";

export type Variant = "previous" | "next" | "watched" | "drill";

/**
 * Builds one into `dir`.
 * @param version the exchange version that it speaks; default: this one
 * @returns its file
 */
export async function buildVariant(dir: string, variant: Variant, version?: number): Promise<string> {
  const outfile = join(dir, `${variant}.js`);
  await build({
    entryPoints: [join(root, "test/support/variants", `${variant}.ts`)],
    outfile,
    bundle: true,
    format: "esm",
    external: ["cloudflare:workers", "node:*"],
    logLevel: "error",
    plugins: version === undefined ? [] : [speaking(version)],
  });
  return outfile;
}

function speaking(version: number): Plugin {
  const line = /^export const EXCHANGE_VERSION = \d+;$/m;
  return {
    name: "exchange version",
    setup({ onLoad }) {
      onLoad({ filter: /src\/core\/exchange\.ts$/ }, async ({ path }) => {
        const contents = await readFile(path, "utf8");
        if (!line.test(contents)) throw new Error(`${path} does not say which version it speaks`);
        return { contents: contents.replace(line, `export const EXCHANGE_VERSION = ${version};`), loader: "ts" };
      });
    },
  };
}
