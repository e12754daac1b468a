/** The documents against the code: links, commands, promises, endpoints, words and decisions are what there is. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { app } from "../../src/app";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const filesIn = (dir: string, end: string) =>
  readdirSync(join(root, dir), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(end))
    .map((name) => join(dir, name));

const documents = ["README.md", "SPEC.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/checkout/README.md", ...filesIn("docs", ".md")];
const withoutFences = (text: string) => text.replace(/^ *```[\s\S]*?^ *```/gm, "");

/** Rows of the tables of a document as their cells' text. */
function rowsOf(text: string): string[][] {
  const lines = withoutFences(text).match(/^\|.*\|$/gm) ?? [];
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

/** What stands in backquotes. */
const quotedIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");

/** The members of a union of string literals in a file of the core. */
function unionIn(file: string, name: string): string[] {
  const declared = new RegExp(`export type ${name} =([^;]+);`).exec(read(file))?.[1] ?? "";
  return [...declared.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "");
}

/** A heading's fragment, as GitHub makes it. */
const fragmentOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
const fragmentsIn = (file: string) => [...withoutFences(read(file)).matchAll(/^#+ (.+)$/gm)].map((match) => fragmentOf(match[1] ?? ""));

function brokenLinks(file: string): string[] {
  const links = [...withoutFences(read(file)).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
  return links.filter((link) => {
    if (/^https:/.test(link)) return false;
    const [path = "", fragment] = link.split("#");
    const target = path === "" ? file : normalize(join(dirname(file), path));
    if (!existsSync(join(root, target))) return true;
    return fragment !== undefined && !fragmentsIn(target).includes(fragment);
  });
}

describe("every document", () => {
  test.each(documents)("[DOCS-1] %s: its links lead to files and headings that exist", (file) => {
    expect(brokenLinks(file)).toEqual([]);
  });

  test.each(documents)("[DOCS-2] %s: the commands and files it names exist", (file) => {
    const text = read(file);
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const commands = [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map((match) => match[1] ?? match[2] ?? "");
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
    const paths = quotedIn(text).filter((quoted) => /^(?:src|durable|static|scripts|test|docs|examples)\/[\w./-]*$/.test(quoted));
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("[DOCS-1] the reading of links works", () => {
    expect(fragmentOf("On your zone, in minutes")).toBe("on-your-zone-in-minutes");
    expect(fragmentsIn("README.md")).toContain("what-is-promised");
    expect(withoutFences("a\n```sh\n[x](y)\n```\nb")).toBe("a\n\nb");
  });
});

describe("README.md", () => {
  const promises = read("SPEC.md").match(/(?<=^- \*\*)P\d+(?=\*\*)/gm) ?? [];
  const rows = rowsOf(read("README.md")).filter(([id]) => /^P\d+$/.test(id ?? ""));

  test("[DOCS-3] lists every promise, in order", () => {
    expect(promises.length).toBeGreaterThan(0);
    expect(rows.map(([id]) => id)).toEqual(promises);
  });

  test.each(promises)("[DOCS-3] %s: each of its links leads to a test that names it", (id) => {
    const [, , shown = ""] = rows.find(([first]) => first === id) ?? [];
    const files = [...shown.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1] ?? "");
    expect(files.length).toBeGreaterThan(0);
    const named = new RegExp(`["'\`].*\\[[^\\]]*\\b${id}\\b[^\\]]*\\]`);
    expect(files.filter((file) => !named.test(read(file)))).toEqual([]);
  });
});

describe("docs/api.md", () => {
  const text = read("docs/api.md");

  test("[DOCS-4] lists exactly the endpoints of the Worker", () => {
    const routes = app.routes.filter(({ method, path }) => method !== "ALL" && path !== "/__vestibule/*");
    const listed = rowsOf(text)
      .filter(([method]) => /^(?:GET|POST|PATCH|PUT|DELETE)$/.test(method ?? ""))
      .map(([method, path = ""]) => `${method} ${path.replaceAll("`", "").replace(/^(?!\/__vestibule)/, "/__vestibule/admin/api")}`);
    expect(listed.toSorted()).toEqual([...new Set(routes.map(({ method, path }) => `${method} ${path}`))].toSorted());
  });

  test("[DOCS-4] C17 C18 explains every state, reason, switch and number", () => {
    const explained = new Set(rowsOf(text).flatMap((cells) => cells.flatMap(quotedIn)));
    const inside = (file: string, name: string) =>
      new RegExp(`interface ${name} [^{]*\\{([\\s\\S]*?)^\\}`, "m").exec(read(file))?.[1] ?? "";
    const stats = inside("src/core/stats.ts", "Stats") + inside("src/core/waits.ts", "WaitsTold");
    const words = [
      ...unionIn("src/core/status.ts", "VisitorState"),
      ...unionIn("src/core/status.ts", "StatusReason"),
      ...unionIn("src/core/admin.ts", "SwitchName").map((name) => `/rooms/:room/${name}`),
      ...[...stats.matchAll(/^ {2}readonly (\w+)/gm)].map((match) => match[1] ?? ""),
    ];
    expect(words.length).toBeGreaterThan(60);
    expect(words.filter((word) => !explained.has(word))).toEqual([]);
  });

  test("[DOCS-4] lists exactly the codes of errors", () => {
    const source = filesIn("src", ".ts").map(read).join("\n");
    const codes = [...source.matchAll(/\b(?:problem|trouble)\((?:request, )?(?:\d{3}|status), "([a-z-]+)"/g)].map(
      (match) => match[1] ?? "",
    );
    const errors = text.slice(text.indexOf("### Errors"), text.indexOf("## For the site"));
    const listed = rowsOf(errors).flatMap(([code = ""]) => quotedIn(code));
    expect(codes.length).toBeGreaterThan(15);
    expect([...new Set(listed)].toSorted()).toEqual([...new Set(codes)].toSorted());
  });
});

describe("docs/architecture.md", () => {
  test("[DOCS-2] lists every table that is stored", () => {
    const schema = read("durable/schema.ts");
    const dropped = [...schema.matchAll(/DROP TABLE (\w+)/g)].map((match) => match[1] ?? "");
    const made = [...schema.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g)].map((match) => match[1] ?? "");
    const tables = made.filter((table) => !dropped.includes(table));
    const listed = rowsOf(read("docs/architecture.md")).flatMap(([first = ""]) => quotedIn(first));
    expect(tables.length).toBeGreaterThan(5);
    expect(tables.filter((table) => !listed.includes(table))).toEqual([]);
    expect(dropped.filter((table) => listed.includes(table))).toEqual([]);
  });
});

describe("docs/operate.md", () => {
  const rows = rowsOf(read("docs/operate.md"));

  test("[DOCS-5] says of everything that can block the line what it means and what to do", () => {
    const codes = unionIn("src/core/stats.ts", "BlockedBy");
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) {
      const row = rows.find(([first]) => first === `\`${code}\``);
      expect([code, row?.filter((cell) => cell !== "").length]).toEqual([code, 3]);
    }
  });

  test("[DOCS-5] says of every switch what it does to whom, or what undoes it", () => {
    const switches = unionIn("src/core/admin.ts", "SwitchName");
    const named = rows.filter((cells) => cells.length === 6).flatMap((cells) => [cells[0] ?? "", cells[5] ?? ""].flatMap(quotedIn));
    expect(switches.filter((name) => !named.includes(name))).toEqual([]);
  });
});

describe("docs/decisions", () => {
  const files = filesIn("docs/decisions", ".md")
    .filter((file) => !file.endsWith("README.md"))
    .toSorted();

  test("[DOCS-6] are numbered without gaps, and all of them are in the index under their own titles", () => {
    const listed = rowsOf(read("docs/decisions/README.md"))
      .map(([link = "", title = ""]) => [/\]\(([^)]+)\)/.exec(link)?.[1], title] as const)
      .filter(([file]) => file !== undefined);
    expect(listed.length).toBeGreaterThan(0);
    const own = files.map((file, i) => {
      const number = String(i + 1).padStart(4, "0");
      const title = new RegExp(`^# ${number} (.+)\\n`).exec(read(file))?.[1];
      return [`${number}-${file.replace(/^.*\/\d+-/, "")}`, title] as const;
    });
    expect(listed).toEqual(own);
  });

  test.each(files)("[DOCS-6] %s gives context, decision and cost on one page", (file) => {
    const text = read(file);
    const parts = ["**Context.**", "**Decision.**", "**What it costs.**"].map((part) => text.indexOf(`\n${part}`));
    expect(parts.every((at) => at > 0)).toBe(true);
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
    expect(text.split("\n").length).toBeLessThanOrEqual(50);
  });
});
