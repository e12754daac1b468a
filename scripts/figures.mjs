/**
 * `npm run figures`: writes the figures that documents quote from bench/results (bench/lib/quoted-figures.mjs). `--check` changes nothing and
 * fails where a document says something else. `npm run bench -- --json` and `npm run simulate -- --json` do it by themselves.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { quoteFigures } from "../bench/lib/quoted-figures.mjs";
import { root } from "./setup.mjs";

/** The documents that may quote, relative to the project. */
function quotingDocuments() {
  const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  return ["README.md", ...pages.map((name) => join("docs", name))];
}

/** Those whose figures are not what the results say, with the text that would be right: [file, text]. */
export function outdatedDocuments() {
  const files = ["bench", "simulate"].map((name) => [name, join(root, "bench/results", `${name}.json`)]);
  const found = files.filter(([, file]) => existsSync(file));
  const reports = Object.fromEntries(found.map(([name, file]) => [name, JSON.parse(readFileSync(file, "utf8"))]));
  return quotingDocuments().flatMap((name) => {
    const text = readFileSync(join(root, name), "utf8");
    const right = quoteFigures(text, reports);
    return right === text ? [] : [[name, right]];
  });
}

export function writeFigures() {
  for (const [name, text] of outdatedDocuments()) writeFileSync(join(root, name), text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (!process.argv.includes("--check")) {
    writeFigures();
  } else {
    const outdated = outdatedDocuments().map(([name]) => name);
    if (outdated.length > 0) console.error(`Other figures than bench/results has, in ${outdated.join(", ")}: npm run figures`);
    process.exitCode = outdated.length > 0 ? 1 : 0;
  }
}
