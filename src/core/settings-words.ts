/** The kinds of settings that hold words in several languages: messages, and texts of the page in place of ours. Pure. */
import * as v from "valibot";
import { LANGS, LANGUAGES, type Lang } from "./languages";
import { isTable, type Kind, text } from "./settings-kinds";
import { overrideProblem, type WordOverrides } from "./word-overrides";

const NAMES = LANGS.join(", ");
/** Of all texts of a room together: they travel with its settings, and each page carries one language's. */
const WORDS_MAX = 20_000;

/** By Cloudflare's codes. */
export function templateLanguage(): Kind<string> {
  const codes = LANGS.map((lang) => LANGUAGES[lang].cloudflare);
  const allowed = `one of ${codes.map((code) => JSON.stringify(code)).join(", ")}`;
  return { allowed, schema: v.picklist(codes, allowed) };
}

/** The language that Cloudflare calls by this code. */
export function langOfTemplate(code: string): Lang {
  return LANGS.find((lang) => LANGUAGES[lang].cloudflare === code) ?? "en";
}

type ByLang<T> = Partial<Record<Lang, T>>;

/** A table with a language for each key; `read` gives the problems of one value, each after the name it is about. */
function byLanguage<T>(allowed: string, read: (value: unknown, add: (at: string, problem: string, input: unknown) => void) => T) {
  return v.pipe(
    v.custom<Record<string, unknown>>(isTable, allowed),
    v.rawTransform<Record<string, unknown>, ByLang<T>>(({ dataset, addIssue, NEVER }) => {
      const all: [string, T][] = [];
      let clean = true;
      const add = (at: string, message: string, input: unknown) => {
        clean = false;
        const path = { type: "unknown", origin: "value", input: dataset.value, key: at, value: input } as const;
        addIssue({ message, input, path: [path] });
      };
      for (const [lang, value] of Object.entries(dataset.value)) {
        if (LANGS.some((known) => known === lang))
          all.push([lang, read(value, (at, problem, input) => add(`${lang}${at}`, problem, input))]);
        else add(lang, `for a language that the page has (${NAMES})`, value);
      }
      return clean ? (Object.fromEntries(all) as ByLang<T>) : NEVER;
    }),
  );
}

/** One text by language. */
export function textsByLanguage(max: number): Kind<ByLang<string>> {
  const one = text(max, true);
  const allowed = `a table of texts of at most ${max} characters by language (${NAMES})`;
  return {
    allowed,
    schema: byLanguage(allowed, (value, add) => {
      if (!v.is(one.schema, value)) add("", one.allowed, value);
      return String(value);
    }),
  };
}

/** Texts of the page by language and name. */
export function wordsByLanguage(): Kind<ByLang<WordOverrides>> {
  const allowed = `a table by language (${NAMES}) of tables of texts by name (docs/page.md), at most ${WORDS_MAX} characters in all`;
  const schema = byLanguage<WordOverrides>(allowed, (value, add) => {
    if (!isTable(value)) add("", "a table of texts by name", value);
    for (const [name, own] of Object.entries(isTable(value) ? value : {})) {
      const problem = overrideProblem(name, own);
      if (problem !== null) add(`, ${name}`, `a text of the page: it ${problem}`, own);
    }
    return value as WordOverrides;
  });
  return {
    allowed,
    schema: v.pipe(
      schema,
      v.check((all) => JSON.stringify(all).length <= WORDS_MAX, allowed),
    ),
  };
}
