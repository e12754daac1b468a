/**
 * Words of the operator's own in place of ours, for any text of any language: which names there are, what a text may say, and putting them
 * in. Pure. Names are those of the catalogue with underscores: `waiting.heading`, `ahead.one`, `leave_confirm`, `proof.stop`.
 */
import { english } from "./languages/en";
import { nearest } from "./operator-text";
import type { KindWords, Words } from "./words";

export type WordOverrides = Readonly<Record<string, string | readonly string[]>>;

type Tree = { readonly [name: string]: string | readonly string[] | Tree };

const FORMS = ["zero", "one", "two", "few", "many", "other"] as const;
const TEXT_MAX = 500;
const PARAGRAPHS_MAX = 8;
/** No control characters, on one line. */
const CLEAN = /^[^\p{Cc}\u2028\u2029]*$/u;

interface Slot {
  /** Where it stands in a catalogue. */
  readonly path: readonly string[];
  /** Several paragraphs. */
  readonly list: boolean;
  /** Placeholders that are filled in there. */
  readonly known: ReadonlySet<string>;
  /** Placeholders without which the text says nothing. */
  readonly needed: readonly string[];
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");

let slots: ReadonlyMap<string, Slot> | undefined;

/** Every name, made when it is first asked for: most rooms have no words of their own. */
function slotsByName(): ReadonlyMap<string, Slot> {
  if (slots !== undefined) return slots;
  const all = new Map<string, Slot>();
  const add = (name: string, path: readonly string[], value: string | readonly string[], form = false) => {
    const list = typeof value !== "string";
    const known = new Set(placeholders(list ? value.join(" ") : value));
    all.set(name, { path, list, known, needed: list || form ? [] : [...known] });
  };
  for (const [kind, { heading, tab = heading, body }] of Object.entries<KindWords>(english.kinds)) {
    const parts = { heading, tab, body };
    for (const [part, value] of Object.entries(parts)) add(`${kind}.${part}`, ["kinds", kind, part], value);
  }
  for (const [key, value] of Object.entries<string | readonly string[] | Tree>(english as unknown as Tree)) {
    if (key === "kinds") continue;
    if (typeof value === "string" || Array.isArray(value)) add(snake(key), [key], value as string | readonly string[]);
    else if ("other" in value) for (const form of FORMS) add(`${snake(key)}.${form}`, [key, form], String((value as Tree)["other"]), true);
    else for (const [part, text] of Object.entries(value)) add(`${snake(key)}.${snake(part)}`, [key, part], text as string);
  }
  slots = all;
  return all;
}

/** What an operator may override, for docs. */
export function wordNames(): readonly string[] {
  return [...slotsByName().keys()];
}

/** What is wrong with one text, as a phrase that reads after its name; null = nothing. */
export function overrideProblem(name: string, value: unknown): string | null {
  const slot = slotsByName().get(name);
  if (slot === undefined) {
    const near = nearest(name, slotsByName().keys());
    return `is no text of the page${near === null ? "; docs/page.md has their names" : `; the nearest is ${near}`}`;
  }
  const texts = slot.list ? value : [value];
  if (!Array.isArray(texts) || texts.length > PARAGRAPHS_MAX || texts.some((text) => typeof text !== "string")) {
    return slot.list ? `must be a list of at most ${PARAGRAPHS_MAX} texts, one for each paragraph` : "must be a text";
  }
  if (texts.some((text) => text.trim() === "" || text.length > TEXT_MAX || !CLEAN.test(text))) {
    return `must be text of 1 to ${TEXT_MAX} characters on one line`;
  }
  const used = texts.flatMap(placeholders);
  const strange = used.find((each) => !slot.known.has(each));
  const braced = (each: string) => `{${each}}`;
  if (strange !== undefined) {
    const may = slot.known.size === 0 ? "nothing is filled in there" : `filled in there is ${[...slot.known].map(braced).join(", ")}`;
    return `has ${braced(strange)}, but ${may}`;
  }
  const missing = slot.needed.find((each) => !used.includes(each));
  return missing === undefined ? null : `lacks ${braced(missing)}`;
}

/** `words` with the operator's in place of ours. @param overrides without problems */
export function withOverrides(words: Words, overrides: WordOverrides): Words {
  const copy = structuredClone(words) as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(overrides)) {
    const path = slotsByName().get(name)?.path ?? [];
    const last = path.at(-1);
    const parent = path.slice(0, -1).reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy);
    if (last !== undefined) parent[last] = value;
  }
  return copy as unknown as Words;
}
