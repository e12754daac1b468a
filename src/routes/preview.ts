/**
 * Previews: a state of the page as visitors would see it, of somebody who does not exist. Renders; touches no line and no visitor, and what it
 * renders does nothing by itself. Shared by the admin API's previews, `npm run preview` and `npm run screenshots`.
 */
import { LANGS, LANGUAGES } from "../core/languages";
import { logoPath } from "../core/page-files";
import { sampleStates } from "../core/sample-states";
import type { RoomSettings } from "../core/settings-types";
import type { Status } from "../core/status";
import { tell } from "../core/telling";
import { templateValues } from "../core/template-values";
import { KINDS, type Kind } from "../core/words";
import { html, type Markup } from "../http/html";
import type { Spoken } from "../languages";
import { canShow, renderTemplate } from "../template/render";
import { apiOf, renderPage } from "./page";

export interface Preview {
  readonly room: string;
  /** Of the room whose `title` is empty. */
  readonly host: string;
  readonly state: Kind;
  readonly settings: RoomSettings;
  readonly spoken: Spoken;
  /** The room's own page; null = it has none, or it cannot be had. */
  readonly template: string | null;
  readonly nonce: string;
  /** ms since the Unix epoch */
  readonly now: number;
}

export interface Previewed {
  readonly html: string;
  /** It is the template's. */
  readonly own: boolean;
}

export function isKind(name: string): name is Kind {
  return KINDS.some((kind) => kind === name);
}

export function previewOf({ room, host, state, settings, spoken, template, nonce, now }: Preview): Previewed {
  const sample = sampleStates(now)[state];
  const message = settings.messages[spoken.lang] || settings.message;
  const status: Status = {
    ...sample,
    room,
    ...(message !== "" && { message, messageAt: now - 120_000 }),
    ...(sample.slot !== null && { reference: "7F3K-92AB" }),
  };
  const title = settings.title || host;
  const telling = tell(status, spoken.words, { title, lang: spoken.lang, position: settings.positionDisplay, auto: true });
  if (template !== null && canShow(template, telling)) {
    const { logo } = settings.look;
    const view = { status, settings, telling, title, language: spoken.lang, direction: spoken.dir };
    return {
      html: renderTemplate(template, templateValues({ ...view, logo: logo === null ? "" : logoPath(apiOf(room), logo) })),
      own: true,
    };
  }
  const position = settings.positionDisplay;
  const page = renderPage({ status, title, spoken, position, look: settings.look, nonce, returnTo: "/", method: "GET", still: true });
  return { html: page, own: false };
}

/** Every state as a link, in any language. @param query what each link carries besides */
export function previewIndex(title: string, nonce: string, query: Readonly<Record<string, string>>, lang: string): string {
  const link = (more: Readonly<Record<string, string>>) => `?${new URLSearchParams({ ...query, ...more })}`;
  const states: Markup[] = KINDS.map((state) => html`<li><a href="${link({ state, lang })}">${state}</a></li>`);
  const langs: Markup[] = LANGS.map((code) =>
    code === lang
      ? html`<li aria-current="true" lang="${code}">${LANGUAGES[code].name}</li>`
      : html`<li><a lang="${code}" href="${link({ lang: code })}">${LANGUAGES[code].name}</a></li>`,
  );
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Preview &ndash; ${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,">
<style nonce="${nonce}">:root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0}li a{display:inline-block;padding-block:.3rem}</style>
</head>
<body>
<main>
<h1>Every state of ${title}</h1>
<p>Nobody is in these pages, and nothing happens in them. Numbers are made up.</p>
<h2>States</h2>
<ul>${states}</ul>
<h2>Language</h2>
<ul>${langs}</ul>
</main>
</body>
</html>
`);
}
