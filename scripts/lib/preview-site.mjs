/**
 * Every state of the page as documents, rendered by the Worker's own code from an operator's settings and files: what `npm run preview` serves and
 * `npm run screenshots` photographs. Reads files; opens no connection.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readToml } from "./deploy-config.mjs";
import { loadSource } from "./load-source.mjs";

/** The Worker's own code that previews are made with. */
export async function loadPreview(root) {
  const files = [
    "src/routes/preview.ts",
    "src/core/settings.ts",
    "src/core/languages.ts",
    "src/core/page-files.ts",
    "src/core/image-size.ts",
    "src/core/word-overrides.ts",
    "src/template/check.ts",
    "src/http/replies.ts",
    "src/core/words.ts",
  ];
  return Object.assign({}, ...(await Promise.all(files.map((file) => loadSource(root, file)))));
}

const catalogues = new Map();

/** The words of a language, with the room's own in place of ours. */
async function spokenOf(root, code, lang, own) {
  if (!catalogues.has(lang)) {
    const { words, english } = await loadSource(root, `src/core/languages/${lang}.ts`);
    catalogues.set(lang, words ?? english);
  }
  const words = catalogues.get(lang);
  return { lang, dir: code.LANGUAGES[lang].dir, words: own[lang] === undefined ? words : code.withOverrides(words, own[lang]) };
}

/**
 * The room as its files say now; throws with every problem.
 * @param given `{ config, room, settings, template, logo }`: paths and a name; all but `config` may be missing
 */
export async function readRoom(code, { config, room: asked, settings: extra, template: templateFile, logo: logoFile }) {
  const rooms = (await readToml(config)).vars?.ROOMS ?? {};
  const room = asked ?? Object.keys(rooms).find((name) => name !== "demo") ?? "demo";
  const raw = { ...(rooms[room] ?? { host: "shop.example.com", total_active_users: 100, new_users_per_minute: 60 }) };
  if (extra !== undefined) Object.assign(raw, JSON.parse(readFileSync(extra, "utf8")));
  // Of files that were uploaded this computer knows nothing; those that are named here take their place.
  const logo = logoFile === undefined ? null : readLogo(code, logoFile);
  const own = { ...raw, logo: logo?.name ?? "", template: "" };
  const parsed = code.parseRoom(room, own);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ setting, problem }) => `${setting} ${problem}.`).join("\n"));
  const template = templateFile === undefined ? null : readFileSync(templateFile, "utf8");
  const { problems } = template === null ? { problems: [] } : code.checkTemplate(template);
  if (problems.length > 0) throw new Error(problems.map((problem) => `${templateFile} ${problem}.`).join("\n"));
  const host = parsed.settings.routes[0].host;
  return { room, host: host === "*" ? "localhost" : host, settings: parsed.settings, template, logo };
}

function readLogo(code, file) {
  const bytes = readFileSync(file);
  if (bytes.length > code.LOGO_MAX_BYTES)
    throw new Error(`${file} has ${bytes.length} bytes, but may have at most ${code.LOGO_MAX_BYTES}.`);
  const logo = code.readLogo(bytes);
  if (typeof logo === "string") throw new Error(`${file} ${logo}.`);
  const name = code.logoName(logo, createHash("sha256").update(bytes).digest("hex"));
  return { name, bytes, type: code.LOGO_TYPES[logo.type] };
}

const NONCE = "cHJldmlldw";

/** One state as a reply of the Worker's. @param theme "auto", or what everybody gets */
export async function stateReply(root, code, read, { state, lang, theme, now }) {
  const { settings: own, ...room } = read;
  const look = { ...own.look, ...(theme === "auto" ? {} : { colorScheme: theme }) };
  const settings = { ...own, look };
  const spoken = await spokenOf(root, code, lang, settings.words);
  const made = code.previewOf({ ...room, state, settings, spoken, nonce: NONCE, now });
  const init = { status: 200, frameAncestors: ["'self'"] };
  if (made.own) return code.ownPageReply(made.html, { ...init, origins: look.templateOrigins, reload: null });
  return code.pageReply(made.html, NONCE, init);
}

/** What differs between frames of one width of screen. */
export const WIDTHS = { phone: 390, tablet: 768, desktop: 1_280 };

/** The page with all of them. */
export function indexPage(code, { settings, host }, { lang, theme, width }) {
  const options = (values, chosen) =>
    values.map(([value, name]) => `<option value="${value}"${value === chosen ? " selected" : ""}>${name}</option>`).join("");
  const langs = code.LANGS.map((each) => [each, code.LANGUAGES[each].name]);
  const px = WIDTHS[width];
  const frames = code.KINDS.map(
    (state) =>
      `<figure><figcaption><a href="/state/${state}?lang=${lang}&amp;theme=${theme}">${state}</a></figcaption>` +
      `<iframe title="${state}" loading="lazy" width="${px}" height="760" src="/state/${state}?lang=${lang}&amp;theme=${theme}"></iframe></figure>`,
  );
  const title = (settings.title || host).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Preview – ${title}</title><meta name="viewport" content="width=device-width,initial-scale=1">
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:1.5rem}form,main{display:flex;flex-wrap:wrap;gap:1rem 1.5rem;align-items:end}
label{display:grid}select,button{font:inherit;min-height:2.5rem}figure{margin:0}iframe{border:1px solid #8888;border-radius:.5rem;max-width:95vw;background:Canvas}</style>
<h1>${title}: every state</h1>
<form><label>Language <select name="lang">${options(langs, lang)}</select></label>
<label>Theme <select name="theme">${options(
    ["auto", "light", "dark"].map((each) => [each, each]),
    theme,
  )}</select></label>
<label>Width <select name="width">${options(
    Object.keys(WIDTHS).map((each) => [each, `${each}, ${WIDTHS[each]} px`]),
    width,
  )}</select></label>
<button>Show</button></form>
<p>Files are read anew with every load of this page. Nobody is in these pages, and nothing happens in them.</p>
<main>${frames.join("\n")}</main></html>
`;
}
