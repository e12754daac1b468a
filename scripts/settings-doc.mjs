/**
 * `npm run settings-doc`: writes docs/settings.md from the schema. `--check` fails when the file says something else.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSource } from "./lib/load-source.mjs";
import { settingsDoc } from "./lib/settings-doc.mjs";
import { root } from "./setup.mjs";

const file = join(root, "docs/settings.md");
const sources = ["settings-schema", "settings-about", "settings-bindings", "event-schema"].map((name) =>
  loadSource(root, `src/core/${name}.ts`),
);
const text = settingsDoc(Object.assign({}, ...(await Promise.all(sources))));

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  console.error("docs/settings.md is out of date: npm run settings-doc");
  process.exit(1);
}
