/**
 * The names of tests, read from their sources: which rules of SPEC.md and which rows of docs/security.md they carry.
 * Node only; runs no test.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bundle";

const RULE = /\b(?:P\d+|[A-Z]+-\d+)\b/g;
const ROW = /(?<![\w-])[KGTSWOC]\d+(?![\w-])/g;

/** Files of tests, relative to the project. */
const testFiles: readonly string[] = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules"))
  .map((name) => join("test", name))
  .toSorted();

/** What is given to `test`, `it` and `describe` as a name, including that of `test.each(…)("name")`. */
export function namesIn(source: string): string[] {
  const names = source.matchAll(
    /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`)/g,
  );
  return [...names].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** Ids of rules: those in square brackets. */
export function rulesNamedBy(source: string): string[] {
  return namesIn(source).flatMap((name) => [...name.matchAll(/\[([^\]]+)\]/g)].flatMap((list) => (list[1] ?? "").match(RULE) ?? []));
}

/** Ids of rows of docs/security.md: those outside of square brackets. */
export function rowsNamedBy(source: string): string[] {
  return namesIn(source).flatMap((name) => name.replace(/\[[^\]]+\]/g, " ").match(ROW) ?? []);
}

/** For each id that `idsOf` finds, the files of tests whose names carry it, in order. */
export function filesBy(idsOf: (source: string) => readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of testFiles) {
    for (const id of new Set(idsOf(readFileSync(join(root, file), "utf8")))) found.set(id, [...(found.get(id) ?? []), file]);
  }
  return found;
}
