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
  const plugins = version === undefined ? [] : [speaking(version)];
  return buildWorker(join(root, "test/support/variants", `${variant}.ts`), join(dir, `${variant}.js`), plugins);
}

/** Builds any module for workerd, minified as the deployed Worker is. Returns `outfile`. */
export async function buildWorker(entry: string, outfile: string, plugins: Plugin[] = []): Promise<string> {
  const external = ["cloudflare:workers", "node:*"];
  await build({ entryPoints: [entry], outfile, bundle: true, minify: true, format: "esm", external, logLevel: "error", plugins });
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
