/**
 * `npm run api-doc`: writes static/openapi.json and the admin API's table of docs/api.md from the table of routes. `--check` fails when the
 * files say something else.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openapiText, withRoutes } from "./lib/api-doc.mjs";
import { loadSource } from "./lib/load-source.mjs";
import { root } from "./setup.mjs";

const sources = ["admin-routes", "admin-words", "admin-shapes"].map((name) => loadSource(root, `src/core/${name}.ts`));
const source = Object.assign({}, ...(await Promise.all(sources)));
const read = (file) => readFileSync(join(root, file), "utf8");
const made = { "static/openapi.json": openapiText(source), "docs/api.md": withRoutes(read("docs/api.md"), source) };

for (const [file, text] of Object.entries(made)) {
  if (!process.argv.includes("--check")) writeFileSync(join(root, file), text);
  else if (read(file) !== text) {
    console.error(`${file} is out of date: npm run api-doc`);
    process.exitCode = 1;
  }
}
