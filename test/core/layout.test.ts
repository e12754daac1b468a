/** Who may import whom, read from the sources, and what every shipped file must say of itself. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

function filesUnder(directory: string, pattern: RegExp): string[] {
  const names = readdirSync(join(root, directory), { recursive: true, encoding: "utf8" });
  return names.filter((name) => pattern.test(name)).map((name) => join(directory, name));
}

/**
 * What a file imports: project paths (`src/core/token.ts`) or package names. Static, dynamic and type imports, re-exports.
 * With `atRunTime`, statements that import types only are left out.
 */
function importsOf(file: string, atRunTime = false): string[] {
  const code = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const text = atRunTime ? code.replace(/^(import|export) type [^;]*;/gm, "") : code;
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g)].map((match) => match[1] ?? "");
  return specifiers.map((specifier) => (specifier.startsWith(".") ? resolveFile(join(dirname(file), specifier)) : specifier));
}

function resolveFile(path: string): string {
  const isFile = (candidate: string) => statSync(join(root, candidate), { throwIfNoEntry: false })?.isFile() === true;
  return [path, `${path}.ts`, join(path, "index.ts")].find(isFile) ?? path; // Missing files are the compiler's to report.
}

const shipped = [...filesUnder("src", /\.ts$/), ...filesUnder("durable", /\.ts$/)];
const graph = new Map(shipped.map((file) => [file, importsOf(file)]));
const runTimeGraph = new Map(shipped.map((file) => [file, importsOf(file, true)]));

/** Imports of files under `from` that `allowed` does not accept, as `file → import`. */
function breaches(from: string, allowed: (imported: string) => boolean): string[] {
  return [...graph]
    .filter(([file]) => file.startsWith(from))
    .flatMap(([file, imports]) => imports.filter((imported) => !allowed(imported)).map((imported) => `${file} → ${imported}`));
}

/** A circle of imports that a bundler would have to break somewhere, or null. */
function findCircle(): string[] | null {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const next of runTimeGraph.get(file) ?? []) {
      const circle = runTimeGraph.has(next) ? visit(next, [...path, file]) : null;
      if (circle) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of runTimeGraph.keys()) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return null;
}

describe("layout", () => {
  test("there is something to check", () => {
    for (const directory of ["src/core", "src/routes", "durable/line"]) {
      expect(shipped.filter((file) => file.startsWith(directory)).length, directory).toBeGreaterThan(2);
    }
    expect(importsOf("src/core/status.ts")).toEqual(["src/core/manifest.ts", "src/core/proof.ts"]);
    expect(importsOf("src/core/status.ts", true)).toEqual([]);
  });

  test("[PROJECT-1] core imports only core, valibot and ipaddr.js; node:crypto's types, and itself at the first hash, in sha256.ts alone", () => {
    const found = breaches("src/core/", (name) => name.startsWith("src/core/") || name === "valibot" || name === "ipaddr.js");
    expect(found).toEqual(["src/core/sha256.ts → node:crypto"]);
    // What a built-in module needs would be evaluated in every new isolate.
    expect([...runTimeGraph].filter(([, imports]) => imports.some((name) => name.startsWith("node:")))).toEqual([]);
    expect(filesWith(/getBuiltinModule/)).toEqual(["src/core/sha256.ts"]);
  });

  test("[PROJECT-1] the line imports only the line and core", () => {
    expect(breaches("durable/line/", (name) => name.startsWith("durable/line/") || name.startsWith("src/core/"))).toEqual([]);
  });

  test("[PROJECT-2] durable imports no hono and nothing of src but core", () => {
    const allowed = (name: string) =>
      name.startsWith("src/") ? name.startsWith("src/core/") : name !== "hono" && !name.startsWith("hono/");
    expect(breaches("durable/", allowed)).toEqual([]);
  });

  test("[PROJECT-2] src imports durable in src/index.ts only", () => {
    const found = breaches("src/", (name) => !name.startsWith("durable/"));
    expect(found.filter((breach) => !breach.startsWith("src/index.ts →"))).toEqual([]);
    expect(found).not.toEqual([]);
  });

  test("[PROJECT-2] nothing imports in a circle", () => {
    expect(findCircle()).toBeNull();
  });

  const examples = readdirSync(join(root, "examples/checkout"))
    .filter((name) => name.endsWith(".mjs"))
    .map((name) => join("examples/checkout", name));

  test("[PROJECT-3] every shipped file starts by saying what it is", () => {
    const files = [...shipped, ...filesUnder("static", /\.(ts|css)$/), ...filesUnder("scripts", /\.mjs$/), ...examples];
    const silent = files.filter((file) => !/^(#!.*\n)?(\/\*\*?|\/\/) ?\S?/.test(readFileSync(join(root, file), "utf8")));
    expect(silent.map((file) => relative("", file))).toEqual([]);
  });

  /** Shipped files, or some of `files`, whose code matches. */
  const filesWith = (pattern: RegExp, files: readonly string[] = shipped) =>
    files.filter((file) => pattern.test(readFileSync(join(root, file), "utf8").replace(/^\s*(?:\/?\*|\/\/).*$/gm, ""))).toSorted();

  test("[GATE-4] G12 C60 nothing asks the platform to let requests through when the Worker fails", () => {
    expect(filesWith(/passThroughOnException/)).toEqual([]);
    expect(filesWith(/pass_?through_?on_?exception|fail_?open/i, ["wrangler.toml"])).toEqual([]);
  });

  test("[PROXY-10] C46 replies are made where none can lack its cache headers: ours in one file, the site's in another", () => {
    expect(filesWith(/new Response\(|Response\.(?:json|redirect|error)\(/)).toEqual([
      "src/http/replies.ts",
      "src/origin.ts",
      // What is put into the colo's cache is nobody's reply.
      "src/room/colo-store.ts",
    ]);
  });

  test("[PROJECT-1] W10 paths are matched by no pattern of the operator's: nothing compiles text into a regular expression", () => {
    expect(filesWith(/new RegExp\(|\bRegExp\(/)).toEqual([]);
  });

  test("C35 tests of the Room use its own clock: faked timers reach neither alarms nor storage", () => {
    expect(filesWith(/useFakeTimers/, filesUnder("test/durable", /\.ts$/))).toEqual([]);
  });

  test("no shipped file is longer than it can be read in one go", () => {
    const long = shipped.filter((file) => readFileSync(join(root, file), "utf8").split("\n").length > 400);
    expect(long).toEqual([]);
  });
});
