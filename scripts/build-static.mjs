// Compiles what the browser runs: static/*.ts → dist/static/__vestibule/assets/<name>.<hash>.js, one minified module each, static/*.css beside them,
// with static/openapi.json among them, and the catalogues of words but the English one: src/core/languages/*.ts → …/words-<language>.<hash>.json.
// Writes their names to src/assets.ts (committed) so that pages name the file they were made with.
// `--check` builds in memory and fails when src/assets.ts is out of date. Needs no network; writes only what has changed.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const prefix = "/__vestibule/assets/";
const outDir = join(root, "dist/static");
const namesFile = join(root, "src/assets.ts");

/** Compiled modules: name → { file, code }. The hash is over the code, so an unchanged module keeps its name. */
async function compile() {
  const files = await readdir(join(root, "static"));
  const modules = new Map();
  for (const source of files.filter((file) => /\.(?:ts|css)$/.test(file)).sort()) {
    const result = await build({
      entryPoints: [join("static", source)],
      absWorkingDir: root,
      bundle: true,
      minify: true,
      format: "esm",
      target: ["es2022"],
      charset: "utf8",
      // Notices of the libraries in it stay with it.
      legalComments: "eof",
      write: false,
    });
    const style = source.endsWith(".css");
    const name = style ? `${basename(source, ".css")}-style` : basename(source, ".ts");
    modules.set(name, hashed(name, style ? "css" : "js", result.outputFiles[0].contents));
  }
  modules.set("openapi", hashed("openapi", "json", await openapi()));
  return modules;
}

function hashed(name, extension, code) {
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 12);
  return { file: `${name}.${hash}.${extension}`, code };
}

/** static/openapi.json, which `npm run api-doc` makes, without its blanks. */
async function openapi() {
  return Buffer.from(JSON.stringify(JSON.parse(await readFile(join(root, "static/openapi.json"), "utf8"))));
}

/** Catalogues: language → { file, code }. The Worker itself carries the English one. */
async function catalogues() {
  const directory = join(root, "src/core/languages");
  const codes = (await readdir(directory)).map((file) => basename(file, ".ts")).filter((code) => code !== "en");
  const all = new Map();
  for (const lang of codes.sort()) {
    const entry = join(directory, `${lang}.ts`);
    const built = await build({ entryPoints: [entry], bundle: true, format: "esm", charset: "utf8", write: false });
    const { words } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);
    const code = Buffer.from(JSON.stringify(words));
    all.set(lang, hashed(`words-${lang}`, "json", code));
  }
  return all;
}

function namesSource(modules, words) {
  const key = (name) => (/^\w+$/.test(name) ? name : `"${name}"`);
  const linesOf = (files) => [...files].map(([name, { file }]) => `${key(name)}: "${prefix}${file}",`);
  const lines = [...linesOf(modules), "words: {", ...linesOf(words).map((line) => `  ${line}`), "},"].map((line) => `  ${line}`);
  return `/** Paths of the compiled browser modules and of the catalogues of words. Written by scripts/build-static.mjs; do not edit. */
export const assets = {
${lines.join("\n")}
} as const;
`;
}

async function writeIfChanged(file, content) {
  const old = await readFile(file).catch(() => null);
  if (old === null || !old.equals(Buffer.from(content))) await writeFile(file, content);
}

const modules = await compile();
const words = await catalogues();
const files = [...modules.values(), ...words.values()];
const names = namesSource(modules, words);

if (process.argv.includes("--check")) {
  const committed = await readFile(namesFile, "utf8").catch(() => "");
  if (committed !== names) {
    console.error("src/assets.ts is out of date: run `node scripts/build-static.mjs` and commit it.");
    process.exit(1);
  }
} else {
  const assetsDir = join(outDir, prefix);
  await mkdir(assetsDir, { recursive: true });
  const current = new Set(files.map(({ file }) => file));
  for (const file of await readdir(assetsDir)) if (!current.has(file)) await rm(join(assetsDir, file));
  for (const { file, code } of files) await writeIfChanged(join(assetsDir, file), code);
  await writeIfChanged(
    join(outDir, "_headers"),
    `${prefix}*\n  Cache-Control: public, max-age=31536000, immutable\n  X-Content-Type-Options: nosniff\n`,
  );
  await writeIfChanged(namesFile, names);
}
