/**
 * The guards of the code as `test/guards/*.mjs` lists them: which text switches one off, and which test must notice.
 * Node's own modules only.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../setup.mjs";

/** Every guard of the files `*.mjs` in `directory`. */
export async function listGuards(directory = join(root, "test/guards")) {
  const files = readdirSync(directory).filter((file) => file.endsWith(".mjs"));
  const lists = await Promise.all(files.sort().map((file) => import(pathToFileURL(join(directory, file)).href)));
  return lists.flatMap(({ guards }) => guards);
}

/** Guards of one file that one file of tests watches, in rows: name, rule, what is found, what replaces it, the test's name. */
export function guardsOf(file, testFile, rows) {
  return rows.map(([name, rule, find, replace, test]) => ({ name, rule, file, find, replace, test: [testFile, test] }));
}

/** The kind of tests that must notice, by its name in vitest.config.ts. */
export function projectOf({ test: [file] }) {
  const kind = file.split("/")[1];
  return kind === "line" || kind === "sim" ? "core" : kind;
}

/** What is wrong with the list itself: a guard whose code has changed must be looked at again, not passed over. */
export function problemsOf(guards) {
  const names = guards.map(({ name }) => name);
  const problems = names.filter((name, i) => names.indexOf(name) !== i).map((name) => `${name}: listed twice`);
  const rules = readFileSync(join(root, "SPEC.md"), "utf8");
  for (const { name, rule, file, find, replace, test } of guards) {
    const code = existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "";
    const matches = code.split(find).length - 1;
    if (matches !== 1) problems.push(`${name}: its code is found ${matches} times in ${file}, not once`);
    if (find === replace) problems.push(`${name}: its patch changes nothing`);
    if (!existsSync(join(root, test[0]))) problems.push(`${name}: there is no ${test[0]}`);
    if (!rules.includes(`- **${rule}** `)) problems.push(`${name}: ${rule} is not a rule of SPEC.md`);
  }
  return problems;
}
