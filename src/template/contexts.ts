/**
 * Where in an HTML document a place is, as far as text that is escaped for HTML would be read there as something else: as code or as an address.
 * Reads the source, not a tree: in doubt it sees an attribute where there is none.
 */

const SCRIPTS = /<script\b[\s\S]*?(?:<\/script|$)/gi;
/** At the end of a tag that is not closed: the attribute whose value has begun. */
const ATTRIBUTE = /[\s"'/]([^\s=<>"'/]+)\s*=\s*(?:"[^"]*|'[^']*|(?:[^\s"'>][^\s>]*)?)$/;
/** Their values are undone from their escapes, and then read as code, a document, or an address that may be code. */
const DANGEROUS = /^(?:on.*|srcdoc|href|xlink:href|src|action|formaction|data)$/i;
/** How much of a value is looked back through, characters. */
const VALUE_MAX = 16_384;

export class Contexts {
  readonly #text: string;
  readonly #scripts: readonly (readonly [from: number, to: number])[];

  constructor(text: string) {
    this.#text = text;
    this.#scripts = [...text.matchAll(SCRIPTS)].map(({ index, 0: { length } }) => [index, index + length] as const);
  }

  /** A phrase, or null where escaped text is text. */
  at(place: number): string | null {
    if (this.#scripts.some(([from, to]) => place > from && place < to)) return "in a script";
    const name = ATTRIBUTE.exec(this.#text.slice(Math.max(0, place - VALUE_MAX), place))?.[1];
    return name !== undefined && DANGEROUS.test(name) ? `in ${name.toLowerCase()}` : null;
  }
}
