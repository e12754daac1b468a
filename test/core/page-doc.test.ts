/** Documents of the page. docs/page.md has the languages and every text of the page: written from the code, by `npx vitest run -u --project core test/core/page-doc.test.ts`. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { LANGS, LANGUAGES } from "../../src/core/languages";
import { english } from "../../src/core/languages/en";
import { wordNames } from "../../src/core/word-overrides";
import { KINDS, type Kind } from "../../src/core/words";

const FILE = fileURLToPath(new URL("../../docs/page.md", import.meta.url));
type Tree = { readonly [key: string]: Tree | string | readonly string[] };

const LANGUAGE_HEAD = "| code | name | `default_template_language` | translation |\n|---|---|---|---|";

const isKind = (name: string): name is Kind => KINDS.some((kind) => kind === name);
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** English text of a name, as `word-overrides.ts` spells it. */
function textOf(name: string): string | readonly string[] | undefined {
  const [first = "", ...rest] = name.split(".");
  const root = isKind(first)
    ? (english.kinds[first] as unknown as Tree)
    : ({ [first]: (english as unknown as Tree)[camel(first)] } as Tree);
  const path = isKind(first) ? rest : [first, ...rest.map(camel)];
  let at: Tree[string] | undefined = root;
  for (const key of path) at = typeof at === "object" && !Array.isArray(at) ? (at as Tree)[key] : undefined;
  return typeof at === "string" || Array.isArray(at) ? (at as string | readonly string[]) : undefined;
}

test("[PAGE-22] docs/page.md lists the languages and every text that can be replaced", async () => {
  const languages = LANGS.map((code) => {
    const { name, cloudflare, state } = LANGUAGES[code];
    return `| \`${code}\` | ${name} | \`${cloudflare}\` | ${code === "en" ? "the original" : state} |`;
  });
  const texts = wordNames().flatMap((name) => {
    const text = textOf(name);
    if (text === undefined) return [];
    return `| \`${name}\` | ${(typeof text === "string" ? [text] : text).join("<br>")} |`;
  });
  // Forms that English does not have and short forms that are the heading are left out; nothing else is.
  for (const name of wordNames().filter((each) => textOf(each) === undefined)) expect(name).toMatch(/\.(tab|zero|one|two|few|many)$/);
  const written = readFileSync(FILE, "utf8")
    .replace(
      /(<!-- languages -->\n)[\s\S]*?(<!-- \/languages -->)/,
      () => `<!-- languages -->\n${LANGUAGE_HEAD}\n${languages.join("\n")}\n<!-- /languages -->`,
    )
    .replace(/(<!-- texts -->\n)[\s\S]*?(<!-- \/texts -->)/, () =>
      ["<!-- texts -->", "| name | text |", "|---|---|", ...texts, "", "<!-- /texts -->"].join("\n"),
    );
  await expect(written).toMatchFileSnapshot(FILE);
});

test("[PAGE-15] every row of docs/accessibility.md names rules, and files whose tests show them", () => {
  const root = new URL("../../", import.meta.url);
  const document = readFileSync(new URL("docs/accessibility.md", root), "utf8");
  const rows = document.split("\n").filter((line) => /^\| .*`test\//.test(line));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const rules = [...row.matchAll(/\[[A-Z]+-\d+\]/g)].map(([rule]) => rule);
    const files = [...row.matchAll(/`(test\/[^`]+)`/g)].map((match) => match[1] ?? "");
    const names = files
      .flatMap((file) =>
        readFileSync(new URL(file, root), "utf8")
          .split("\n")
          .filter((line) => /^\s*(?:test|it|describe)\(/.test(line)),
      )
      .join("\n");
    expect(rules.length, row).toBeGreaterThan(0);
    for (const rule of rules) expect(names, row).toContain(rule);
  }
});
