/**
 * `npm run check`: everything that can be known without running the tests. Every check runs, whatever the others say;
 * the exit code is 1 if any failed. Each name below can be given as an argument to run that one alone.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installIfNeeded, root, runNode } from "./setup.mjs";

const checks = {
  /** Format, lint, import order. */
  biome: () => runNode("node_modules/@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."]),
  /** The Worker, the Room, the tests, the tools. */
  types: () => runNode("node_modules/typescript/bin/tsc", ["-p", "tsconfig.json"]),
  /** What a browser runs, and the tests that reach into one: other global names. */
  "types-static": () => runNode("node_modules/typescript/bin/tsc", ["-p", "static/tsconfig.json"]),
  "types-e2e": () => runNode("node_modules/typescript/bin/tsc", ["-p", "test/e2e/tsconfig.json"]),
  /** Generated files are what their sources say. */
  generated: () => runNode("scripts/build-static.mjs", ["--check"]),
  api: () => runNode("scripts/api-doc.mjs", ["--check"]),
  /** Wrangler accepts the configuration and can build the Worker, in ASCII alone. */
  build: buildWorker,
  /** The rooms and variables of wrangler.toml are valid, and none over Cloudflare's 5 KB. */
  settings: checkSettings,
  /** Layout rules, and rules and known attacks against tests. */
  rules: () => runTests("layout", "spec", "security-rows"),
  /** Links between the documents lead to files and headings; commands and files that they name exist. */
  links: () => runTests("docs"),
};

function runTests(...names) {
  const files = names.map((name) => `test/core/${name}.test.ts`);
  return runNode("node_modules/vitest/vitest.mjs", ["run", "--project", "core", ...files]);
}

async function buildWorker() {
  const out = mkdtempSync(join(tmpdir(), "vestibule-check-"));
  const code = await runNode("node_modules/wrangler/bin/wrangler.js", ["deploy", "--dry-run", "--outdir", out]);
  const wide = code === 0 ? readFileSync(join(out, "index.js"), "utf8").match(/.{0,40}[^\0-\x7f].{0,40}/g) : null;
  rmSync(out, { recursive: true });
  if (wide === null) return code;
  // The bundler escapes what stands in strings, but not what stands in regular expressions and tagged templates.
  console.error(
    `The Worker is to be ASCII: with one wider character V8 keeps two bytes for each of the script. Escape them where they are written:\n${wide.join("\n")}`,
  );
  return 1;
}

/** As a deployment would see the file: what would be refused, and what should not be overlooked. */
async function checkSettings() {
  const { describeDeployment, loadReaders, readToml } = await import("./lib/deploy-config.mjs");
  const { ok, problems = [], warnings = [] } = describeDeployment(await readToml(join(root, "wrangler.toml")), await loadReaders(root));
  for (const problem of problems) console.error(`wrangler.toml: ${problem}`);
  for (const warning of warnings) console.warn(`Warning: ${warning}`);
  return ok ? 0 : 1;
}

installIfNeeded();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(`unknown check ${unknown.join(", ")}; there are: ${Object.keys(checks).join(", ")}`);
  process.exit(2);
}
const failed = [];
for (const name of asked.length > 0 ? asked : Object.keys(checks)) {
  console.log(`\n── ${name}`);
  const code = await checks[name]().catch((error) => {
    console.error(error);
    return 1;
  });
  if (code !== 0) failed.push(name);
}
console.log(failed.length > 0 ? `\nFailed: ${failed.join(", ")}` : "\nAll checks passed.");
process.exit(failed.length > 0 ? 1 : 0);
