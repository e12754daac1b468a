/** The menu of languages: each by its own name, as links that work without scripts. Nothing else. */
import { LANGS, LANGUAGES, type Lang } from "../core/languages";
import { html, type Markup } from "../http/html";

export interface MenuView {
  readonly lang: Lang;
  /** Word for "Language" in that language. */
  readonly label: string;
  /** Prefix of the room's endpoints. */
  readonly api: string;
  /** Path of this origin that the choice leads back to. */
  readonly returnTo: string;
}

export function languageMenu({ lang, label, api, returnTo }: MenuView): Markup {
  const to = encodeURIComponent(returnTo);
  const items = LANGS.map((code) => {
    const { name, dir } = LANGUAGES[code];
    const current = code === lang ? html` aria-current="true"` : html``;
    return html`<li><a lang="${code}" dir="${dir}" href="${api}/language?lang=${code}&amp;to=${to}"${current}>${name}</a></li>`;
  });
  return html`<details id="languages"><summary>${label}: ${LANGUAGES[lang].name}</summary><ul>${items}</ul></details>`;
}
