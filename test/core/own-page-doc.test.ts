/** docs/own-page.md has every variable, docs/states.md every state: written from the code, by `npx vitest run --project core test/core/own-page-doc.test.ts --update`. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { english } from "../../src/core/languages/en";
import { tell } from "../../src/core/telling";
import { CF_VARIABLES, OWN_VARIABLES } from "../../src/core/template-values";
import { KINDS } from "../../src/core/words";
import { canShow } from "../../src/template/render";
import { STATES } from "../support/page-states";

const FILE = fileURLToPath(new URL("../../docs/own-page.md", import.meta.url));
const STATES_FILE = fileURLToPath(new URL("../../docs/states.md", import.meta.url));

const table = (variables: Readonly<Record<string, string>>) =>
  ["| variable | |", "|---|---|", ...Object.entries(variables).map(([name, about]) => `| \`${name}\` | ${about} |`)].join("\n");

test("[OWN-3] docs/own-page.md lists every variable", async () => {
  const written = readFileSync(FILE, "utf8")
    .replace(
      /(<!-- cloudflare's variables -->\n)[\s\S]*?(<!-- \/)/,
      (_, head: string, foot: string) => `${head}${table(CF_VARIABLES)}\n${foot}`,
    )
    .replace(/(<!-- our variables -->\n)[\s\S]*?(<!-- \/)/, (_, head: string, foot: string) => `${head}${table(OWN_VARIABLES)}\n${foot}`);
  await expect(written).toMatchFileSnapshot(FILE);
});

test("[PAGE-1][OWN-1] docs/states.md has every state, its heading, and whose page it is", async () => {
  const rows = KINDS.map((kind) => {
    const telling = tell(STATES[kind], english, { title: "", lang: "en", auto: true });
    const whose = canShow("{{waitTime}}", telling) ? "" : canShow("{{heading}}", telling) ? "if told" : "ours";
    return `| [\`${kind}\`](images/${kind}.webp) | ${telling.heading} | ${whose} |`;
  });
  const written = readFileSync(STATES_FILE, "utf8").replace(
    /(<!-- states -->\n)[\s\S]*?(<!-- \/states -->)/,
    (_, head: string, foot: string) => [`${head}| state | heading | |`, "|---|---|---|", ...rows, foot].join("\n"),
  );
  await expect(written).toMatchFileSnapshot(STATES_FILE);
});
