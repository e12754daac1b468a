/** docs/differences.md out of what the walks found. Pure: the same differences give the same text. */
import type { Received } from "../support/origin";
import type { AppName } from "./apps";
import type { Difference } from "./differences";
import type { Mode } from "./front";
import { type Reply, WEBSOCKET_KEY } from "./walk";

export interface Echo {
  readonly mode: Mode;
  readonly without: readonly Received[];
  readonly with: readonly Received[];
  /** Replies from the first page load to the one that brings the pass. */
  readonly entering: readonly Reply[];
}

export interface Findings {
  /** Of the applications. */
  readonly versions: Readonly<Record<AppName, string>>;
  /** By site and mode. */
  readonly found: ReadonlyMap<string, readonly Difference[]>;
  /** Number of replies compared in each mode. */
  readonly replies: number;
  readonly echoes: readonly Echo[];
}

const head = (versions: Findings["versions"]) => `# What a room changes between a site and its visitors

Written by \`npm run test:sites\`, which fails when anything else differs; \`npm run test:sites -- -u\` writes it anew.

Three applications from the npm registry run behind a room, once with \`ORIGIN\` and once as on a zone route, and without one:
[TiddlyWiki](https://www.npmjs.com/package/tiddlywiki) ${versions.tiddlywiki} (a notebook of one large page that saves by PUT and DELETE, HTTP Basic),
[hads](https://www.npmjs.com/package/hads) ${versions.hads} (a wiki on Express: pages, forms, uploads, ranges, redirects) and
[droppy](https://www.npmjs.com/package/droppy) ${versions.droppy} (a file store: log-in by cookie, uploads, ranges, archives made on the way, WebSocket).
The same walk of requests is made each time by somebody who is inside, and the replies are compared octet by octet.
Here is everything that is not equal. Status codes and bodies are, always.

Shown on the local runtime. Cloudflare's own network adds headers of its own (\`CF-Ray\`, \`CF-Connecting-IP\`, …), as it does without a room.
`;

export function documentOf({ versions, found, replies, echoes }: Findings): string {
  return [
    head(versions),
    `## Replies\n\nOf ${replies} replies:\n`,
    table(["what", "the site says", "the visitor gets", "replies", "of, for instance"], replyRows(found)),
    "\n`Cache-Control` is changed on pages only, and on replies to page loads that do not say what they are: a shared cache must not give",
    "a page to somebody who is still in line. Browsers keep what they kept before. `Connection` and `Keep-Alive` belong to one connection",
    "(RFC 9110 §7.6.1). Order and spelling of header names are the runtime's; they mean nothing in HTTP.\n",
    "## The way in\n\nBesides, these come with the replies to the first page loads, until the visitor is inside, and again when they are renewed:\n",
    table(["reply", "line"], enteringRows(echoes)),
    "\nThey come on replies that no shared cache may keep, over https with the prefix `__Host-` and `Secure`.\n",
    "## What the site receives\n\nMethod, path, query and body arrive as they were sent, and all other headers too:\n",
    table(["header", "without a room", ...echoes.map(({ mode }) => mode), "requests"], receivedRows(echoes)),
    "",
  ].join("\n");
}

function replyRows(found: Findings["found"]): string[][] {
  const rows = new Map<string, { readonly cells: string[]; readonly where: Map<string, Set<string>> }>();
  for (const [place, differences] of found) {
    const [site = "", ...mode] = place.split(" ");
    for (const difference of differences) {
      for (const cells of cellsOf(difference)) {
        const key = cells.join("\n");
        const row = rows.get(key) ?? { cells, where: new Map<string, Set<string>>() };
        const at = row.where.get(mode.join(" ")) ?? new Set<string>();
        row.where.set(mode.join(" "), at.add(`${site}: ${difference.label}`));
        rows.set(key, row);
      }
    }
  }
  return [...rows.values()]
    .map(({ cells, where }) => {
      const counts = [...where].map(([mode, at]) => `${at.size} (${mode})`);
      const sizes = new Set([...where.values()].map((at) => at.size));
      const isEverywhere = where.size === 2 && sizes.size === 1;
      return [
        ...cells,
        isEverywhere ? String([...sizes][0]) : counts.join(", "),
        code([...where.values()].flatMap((at) => [...at])[0] ?? ""),
      ];
    })
    .sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

/** What exactly is out of order says nothing; of names each one that is spelled otherwise counts. */
function cellsOf({ what, without, with: withRoom }: Difference): string[][] {
  if (what === "order of headers") return [[what, "the site's", "the runtime's"]];
  if (what !== "spelling of header names") return [[what.replace(/^header (.*)$/, "`$1`"), value(without), value(withRoom)]];
  const [names, others] = [(without ?? "").split(", "), (withRoom ?? "").split(", ")];
  const other = (name: string) => others.find((each) => each.toLowerCase() === name.toLowerCase()) ?? "";
  return names.filter((name) => !others.includes(name)).map((name) => [what, code(name), code(other(name))]);
}

function enteringRows(echoes: readonly Echo[]): string[][] {
  const [first] = echoes;
  const ours = (reply: Reply | undefined) =>
    (reply?.headers ?? [])
      .filter(([name, line]) => /^set-cookie$/i.test(name) && line.startsWith("vestibule"))
      .map(([, line]) => line.replace(/=[^;]+/, "=…"));
  const last = first?.entering.at(-1);
  const rows = new Set([
    ...(first?.entering.slice(0, -1) ?? []).flatMap(ours).map((line) => `before\n${line}`),
    ...ours(last).map((line) => `entry\n${line}`),
  ]);
  return [...rows].map((row) => {
    const [when = "", line = ""] = row.split("\n");
    return [when === "entry" ? "the one that lets the visitor in" : "the first ones", code(`Set-Cookie: ${line}`)];
  });
}

/** Not a header, but listed with them. */
const TARGET = "(request target)";

function receivedRows(echoes: readonly Echo[]): string[][] {
  const names = new Set(
    echoes.flatMap((echo) => [...echo.without, ...echo.with].flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase()))),
  );
  names.delete("x-test-scheme"); // The test's own.
  names.add(TARGET);
  const rows = new Map<string, string[]>();
  for (const name of names) {
    for (const [i, { method, url }] of (echoes[0]?.without ?? []).entries()) {
      const cells = [valueIn(echoes[0]?.without[i], name), ...echoes.map((echo) => valueIn(echo.with[i], name))];
      if (new Set(cells).size === 1) continue;
      const key = [code(name), ...cells.map(value)].join("\n");
      rows.set(key, [...(rows.get(key) ?? []), `${method} ${url.replace(/\?.*/, "")}`]);
    }
  }
  const all = echoes[0]?.without.length ?? 0;
  return [...rows]
    .map(([key, asked]) => [...key.split("\n"), asked.length === all ? "all" : asked.map(code).join(", ")])
    .sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

function valueIn(received: Received | undefined, name: string): string | null {
  if (name === TARGET) return received?.url ?? null;
  const key = name === "sec-websocket-key" ? received?.header(name) : null;
  if (key) return key === WEBSOCKET_KEY ? "the visitor's" : "another";
  const values = (received?.headers ?? []).filter(([key]) => key.toLowerCase() === name).map(([, text]) => text);
  return values.length === 0
    ? null
    : values
        .join(" ⏎ ")
        .replace(/vestibule[\w.-]*=[\w.-]+/g, "vestibule…")
        .replace(/(?:; vestibule…)+/, "; the room's")
        .replace(/127\.0\.0\.1:\d+/g, "site.internal")
        .replace(/=\d{10}/g, "=…")
        .replace(/mac=[\w-]{43}$/, "mac=…")
        .replace(/^\d{1,2}\.\d+$/, "….…");
}

const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``;
const value = (text: string | null) => (text === null ? "–" : code(text));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
