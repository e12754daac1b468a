/**
 * HTML by a template tag that escapes every value put into it: markup is only what stands in our own source (attack W2).
 * No I/O. Values may stand in element content and in double-quoted attributes, nowhere else.
 */

/** Markup that is safe to put into a page as it is. Made only by this file. */
export class Markup {
  readonly #html: string;
  constructor(html: string) {
    this.#html = html;
  }
  toString(): string {
    return this.#html;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeText(value: string): string {
  return value.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
}

type Value = string | number | Markup | readonly Markup[];

/** `` html`<p>${anything}</p>` ``; a list of markup is joined without space between. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const put = (value: Value) => {
    if (value instanceof Markup) return value.toString();
    return typeof value === "object" ? value.join("") : escapeText(String(value));
  };
  return new Markup(parts.reduce((all, part, i) => `${all}${put(values[i - 1] ?? "")}${part}`));
}

export const nothing: Markup = html``;

/** JSON for `<script type="application/json">`: without `<` neither an end tag nor a comment can begin. */
export function jsonData(value: unknown): Markup {
  return new Markup(JSON.stringify(value).replace(/</g, "\\u003c"));
}

/** Our own constant style sheet or script. Never pass anything that depends on a request or a setting. */
export function constant(source: string): Markup {
  return new Markup(source);
}
