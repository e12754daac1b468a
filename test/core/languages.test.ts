/** The catalogues of the page's words: that they agree, that their plurals are right, and which of them somebody gets. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { plural } from "../../src/core/durations";
import { LANGS, LANGUAGES, type Lang, langOf, matchOf } from "../../src/core/languages";
import { english } from "../../src/core/languages/en";
import { tell } from "../../src/core/telling";
import { KINDS, type Plural, type Words } from "../../src/core/words";
import { renderPage } from "../../src/routes/page";
import { NOW, STATES, status } from "../support/page-states";

const own = { locale: "", zone: "Europe/Berlin" };
const FORMS: readonly string[] = ["zero", "one", "two", "few", "many", "other"] satisfies Intl.LDMLPluralRule[];

async function wordsOf(lang: Lang): Promise<Words> {
  if (lang === "en") return english;
  const { words } = (await import(`../../src/core/languages/${lang}.ts`)) as { readonly words: Words };
  return words;
}
const catalogues = new Map(await Promise.all(LANGS.map(async (lang) => [lang, await wordsOf(lang)] as const)));
const inLang = (lang: Lang) => catalogues.get(lang) ?? english;

type Tree = string | { readonly [key: string]: Tree };
const isPlural = (tree: Tree): tree is Plural & Tree => typeof tree === "object" && "other" in tree;

/** Each text with where it stands; of a plural every form under the same name. */
function textsOf(tree: Tree, at = ""): [string, string][] {
  if (typeof tree === "string") return [[at, tree]];
  if (isPlural(tree)) return Object.values(tree).map((text) => [at, text as string]);
  return Object.entries(tree).flatMap(([key, part]) => textsOf(part, `${at}/${key}`));
}
/** Name of each text with its placeholders, in the order of names; paragraphs of one list count together. */
function shapeOf(words: Words): string[] {
  const shapes = new Map<string, Set<string>>();
  for (const [at, text] of textsOf(words as unknown as Tree)) {
    const name = at.replace(/\/(body|placeNotes)\/\d+$/, "/$1");
    const known = shapes.get(name) ?? new Set();
    for (const [placeholder] of text.matchAll(/\{\w+\}/g)) known.add(placeholder);
    shapes.set(name, known);
  }
  return [...shapes].map(([name, known]) => `${name} ${[...known].sort().join(" ")}`).sort();
}

describe("catalogues", () => {
  test("[PAGE-21] there is a catalogue for each language and none besides, and all say the same things with the same placeholders", () => {
    const files = readdirSync(fileURLToPath(new URL("../../src/core/languages", import.meta.url)));
    expect(files.sort()).toEqual(LANGS.map((lang) => `${lang}.ts`).sort());
    for (const lang of LANGS) {
      expect(shapeOf(inLang(lang)), lang).toEqual(shapeOf(english));
      for (const [at, text] of textsOf(inLang(lang) as unknown as Tree)) expect(text, `${lang} ${at}`).toMatch(/\S/);
    }
  });

  test("[PAGE-21] a plural has every form that its language tells apart, and no other", () => {
    for (const lang of LANGS) {
      const needed = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
      const look = (tree: Tree, at: string): void => {
        if (typeof tree === "string") return;
        if (!isPlural(tree)) {
          for (const [key, part] of Object.entries(tree)) look(part, `${at}/${key}`);
          return;
        }
        const forms = Object.keys(tree);
        for (const form of forms) expect(FORMS).toContain(form);
        // One form for all numbers is a text that does not change.
        if (forms.length > 1) expect([...forms].sort(), `${lang} ${at}`).toEqual([...needed].sort());
      };
      look(inLang(lang) as unknown as Tree, "");
    }
  });

  test("[PAGE-21] no state lacks a translation: nothing is left unfilled, and no heading is the English one", () => {
    for (const lang of LANGS) {
      const words = inLang(lang);
      for (const kind of KINDS) {
        const told = tell(STATES[kind], words, { title: "Demo", lang, auto: true, own: { ...own, locale: lang } });
        for (const text of [told.title, told.heading, told.sentence, told.estimate ?? "-", told.count?.label ?? "-", ...told.body])
          expect(text, `${lang} ${kind}`).toMatch(/^[^{}]+$/);
        if (lang !== "en") expect(told.heading, `${lang} ${kind}`).not.toBe(english.kinds[kind].heading);
        expect(words.kinds[kind].body.length, `${lang} ${kind}`).toBe(english.kinds[kind].body.length);
      }
    }
  });

  test("[PAGE-12] what is said ends each sentence once, whatever a script's own marks are", () => {
    for (const lang of LANGS) {
      const words = inLang(lang);
      const heading = ["Sí", "Wait!", "Wait…", "還在？", "請進！", "待って。", "هل أنت هنا؟"];
      const kinds = heading.map((text) => ({ ...words.kinds.called, heading: text }));
      const own = kinds.map((called) => ({ ...words, kinds: { ...words.kinds, called } }));
      const said = [
        ...KINDS.map((kind) => tell(STATES[kind], words, { title: "Demo", lang, auto: true }).sentence),
        ...own.map((each) => tell(STATES.called, each, { title: "Demo", lang, auto: true }).sentence),
      ];
      for (const text of said) expect(text, lang).not.toMatch(/[.?!…。？！؟] *[.。]/u);
      expect(said.at(-heading.length), lang).toMatch(/^Sí[.。]/);
    }
  });

  test("[PAGE-21] two kinds of page do not say the same in any language", () => {
    for (const lang of LANGS) {
      const said = KINDS.map((kind) => {
        const { heading, body, estimate } = tell(STATES[kind], inLang(lang), { title: "Demo", lang, auto: true });
        return [heading, ...body, estimate].join(" ");
      });
      expect(new Set(said).size, lang).toBe(KINDS.length);
    }
  });

  test("[PAGE-9] the page carries its one language: every state at most 14 KB compressed in all of them", () => {
    for (const lang of LANGS) {
      const spoken = { lang, dir: LANGUAGES[lang].dir, words: inLang(lang) };
      for (const kind of ["waiting", "lobby", "invitation-bad", "challenge"] as const) {
        const status = { ...STATES[kind], message: "x".repeat(200) };
        const page = renderPage({ status, title: "Demo", spoken, nonce: "n", returnTo: "/", method: "GET" });
        expect(gzipSync(page).byteLength, `${lang} ${kind}`).toBeLessThanOrEqual(14 * 1024);
        expect(page).toContain(`<html lang="${lang}" dir="${spoken.dir}">`);
      }
    }
  });
});

describe("which language", () => {
  const facts = { query: null, cookie: null, header: null, fallback: "en" } as const;

  test("[PAGE-20] the address, then the menu's choice, then the browser's languages by weight, then the room's", () => {
    expect(langOf({ ...facts, query: "fr", cookie: "de", header: "es" })).toBe("fr");
    expect(langOf({ ...facts, query: "xx", cookie: "de", header: "es" })).toBe("de");
    expect(langOf({ ...facts, header: "sv, es;q=0.4, de-AT;q=0.9, en;q=0.5" })).toBe("de");
    expect(langOf({ ...facts, header: "de;q=0, *;q=0.1", fallback: "it" })).toBe("it");
    expect(langOf({ ...facts, header: "it;q=nonsense, fr;q=0.2" })).toBe("fr");
    expect(langOf({ ...facts, header: `${"sv,".repeat(2_000)}de` })).toBe("en");
    expect(langOf(facts)).toBe("en");
  });

  test("[PAGE-20] a tag stands for the nearest language there is", () => {
    const rows: [string, Lang | null][] = [
      ["de-CH-1996", "de"],
      ["DE_at", "de"],
      ["en-GB", "en"],
      ["nl-BE", "nl"],
      ["pt", "pt-BR"],
      ["zh", "zh-Hans"],
      ["zh-CN", "zh-Hans"],
      ["zh-TW", "zh-Hant"],
      ["zh-hk", "zh-Hant"],
      ["zh-Hant-MO", "zh-Hant"],
      ["zh-Hans-HK", "zh-Hans"],
      ["zh-Hant-CN", "zh-Hant"],
      ["pt-PT", "pt-BR"],
      ["in-ID", "id"],
      ["tlh", null],
      ["", null],
      ["constructor", null],
      ["x".repeat(40), null],
    ];
    for (const [tag, lang] of rows) expect(matchOf(tag), tag).toBe(lang);
  });
});

describe("plurals", () => {
  test("[PAGE-21] German tells one from many", () => {
    const { aheadSentence } = inLang("de");
    expect(plural(aheadSentence, 1, "de")).toBe("1 Person ist vor Ihnen.");
    expect(plural(aheadSentence, 1204, "de")).toBe("1.204 Personen sind vor Ihnen.");
  });

  test("[PAGE-21] Arabic has six forms, by the last two digits", () => {
    const { ahead, aheadSentence } = inLang("ar");
    const noun = (n: number) => plural(ahead, n, "ar").replace(" أمامك", "");
    expect([1, 2, 3, 10, 11, 99, 100, 102, 103, 1_011].map(noun)).toEqual([
      "شخص",
      "شخصان",
      "أشخاص",
      "أشخاص",
      "شخصًا",
      "شخصًا",
      "شخص",
      "شخص",
      "أشخاص",
      "شخصًا",
    ]);
    expect(plural(aheadSentence, 0, "ar")).toBe("لا أحد أمامك.");
    expect(new Set([0, 1, 2, 3, 11, 100].map((n) => aheadSentence[new Intl.PluralRules("ar").select(n)])).size).toBe(6);
  });

  test("[PAGE-21] Polish tells one from a few from many, by the last digits", () => {
    const { ahead, entered } = inLang("pl");
    const label = (n: number) => plural(ahead, n, "pl");
    expect([1, 2, 4, 22, 103].map(label)).toEqual(["osoba", ...Array(4).fill("osoby")].map((noun) => `${noun} przed Tobą`));
    expect([5, 11, 12, 14, 21, 112, 1_000].map(label)).toEqual(Array(7).fill("osób przed Tobą"));
    expect(plural(entered, 3, "pl")).toBe("Zgłosiły się 3 osoby.");
    expect(plural(entered, 12_345, "pl")).toMatch(/^Zgłosiło się 12\s345 osób\.$/);
  });
});

test.each([
  ["pl", "rounded", 122, /^≈ 130$/, "osób przed Tobą", /Przed Tobą jest ≈ 130 osób\./],
  ["pl", "capped", 2_352, /^2000\+$/, "osób przed Tobą", /Przed Tobą jest 2000\+ osób\./],
  ["pl", "exact", 122, /^122$/, "osoby przed Tobą", /Przed Tobą są 122 osoby\./],
  ["ar", "rounded", 101, /^≈ 110$/, "أشخاص أمامك", /≈ 110 أشخاص أمامك\./],
  ["fr", "rounded", 999_001, /^≈ 1\s000\s000$/, "de personnes devant vous", /≈ 1\s000\s000 de personnes sont devant vous\./],
] as const)(
  "[PAGE-2] [PAGE-21] %s, %s: words stand in the form of the number that is shown",
  (lang, position, ahead, number, label, sentence) => {
    const told = tell(status({ ahead }), inLang(lang), { title: "Demo", lang, auto: true, position });
    expect(told.count).toEqual({ number: expect.stringMatching(number), label });
    expect(told.sentence).toMatch(sentence);
  },
);

test("[PAGE-27] a code that begins with digits is read from left to right in every language", () => {
  // After Arabic letters its halves would change places without it (UAX #9, rules W2 and N1).
  for (const lang of LANGS) expect(inLang(lang).reference.includes("\u200e{code}"), lang).toBe(LANGUAGES[lang].dir === "rtl");
});

test("[PAGE-20] times are said in the page's language, of the visitor's zone", () => {
  const told = tell(STATES.waiting, inLang("de"), { title: "Demo", lang: "de", auto: true, own: { ...own, locale: "de" } });
  expect(NOW % 300_000).not.toBe(0);
  expect(told.estimate).toMatch(/^Geschätzte Wartezeit: 10–15 Minuten \(gegen 10:30.10:40 Uhr\)$/);
});
