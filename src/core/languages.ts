/**
 * The languages of the page, and which of them somebody reads. Pure. Their catalogues are in languages/, of which the Worker carries English
 * alone; the others are files beside it (src/languages.ts).
 */

export interface Language {
  /** In itself, for the menu. */
  readonly name: string;
  readonly dir: "ltr" | "rtl";
  /** As Cloudflare Waiting Room calls it in `default_template_language`. */
  readonly cloudflare: string;
  /** Has somebody whose language it is read the catalogue? */
  readonly state: "reviewed" | "draft";
}

/** By BCP 47 code, which is also the file's name; in the order of the menu. */
export const LANGUAGES = {
  en: { name: "English", dir: "ltr", cloudflare: "en-US", state: "reviewed" },
  ar: { name: "العربية", dir: "rtl", cloudflare: "ar-EG", state: "draft" },
  de: { name: "Deutsch", dir: "ltr", cloudflare: "de-DE", state: "draft" },
  es: { name: "Español", dir: "ltr", cloudflare: "es-ES", state: "draft" },
  fr: { name: "Français", dir: "ltr", cloudflare: "fr-FR", state: "draft" },
  id: { name: "Bahasa Indonesia", dir: "ltr", cloudflare: "id-ID", state: "draft" },
  it: { name: "Italiano", dir: "ltr", cloudflare: "it-IT", state: "draft" },
  ja: { name: "日本語", dir: "ltr", cloudflare: "ja-JP", state: "draft" },
  ko: { name: "한국어", dir: "ltr", cloudflare: "ko-KR", state: "draft" },
  nl: { name: "Nederlands", dir: "ltr", cloudflare: "nl-NL", state: "draft" },
  pl: { name: "Polski", dir: "ltr", cloudflare: "pl-PL", state: "draft" },
  "pt-BR": { name: "Português (Brasil)", dir: "ltr", cloudflare: "pt-BR", state: "draft" },
  tr: { name: "Türkçe", dir: "ltr", cloudflare: "tr-TR", state: "draft" },
  "zh-Hans": { name: "简体中文", dir: "ltr", cloudflare: "zh-CN", state: "draft" },
  "zh-Hant": { name: "繁體中文", dir: "ltr", cloudflare: "zh-TW", state: "draft" },
} as const satisfies Readonly<Record<string, Language>>;

export type Lang = keyof typeof LANGUAGES;
export const LANGS = Object.keys(LANGUAGES) as readonly Lang[];

export function isLang(code: string | null | undefined): code is Lang {
  return typeof code === "string" && Object.hasOwn(LANGUAGES, code);
}

/** Regions and scripts that write Chinese in traditional characters, unless the tag itself says otherwise. */
const TRADITIONAL = new Set(["hant", "tw", "hk", "mo"]);
/** A longer header is nobody's list of languages. */
const HEADER_MAX = 1_000;
const RANGES_MAX = 32;

export interface LangFacts {
  /** Of the address: `?lang=`. */
  readonly query: string | null;
  /** What was chosen from the menu. */
  readonly cookie: string | null;
  /** `Accept-Language`. */
  readonly header: string | null;
  /** The room's own. */
  readonly fallback: Lang;
}

/** The first of these that names a language we have. */
export function langOf({ query, cookie, header, fallback }: LangFacts): Lang {
  return matchOf(query ?? "") ?? matchOf(cookie ?? "") ?? acceptedOf(header ?? "") ?? fallback;
}

/** The language that a tag such as `zh-TW` or `pt` asks for; null = we do not have it. */
export function matchOf(tag: string): Lang | null {
  if (tag.length > 35) return null;
  const [primary = "", ...rest] = tag.trim().toLowerCase().split(/[-_]/);
  const code =
    primary === "zh"
      ? !rest.includes("hans") && rest.some((part) => TRADITIONAL.has(part))
        ? "zh-Hant"
        : "zh-Hans"
      : primary === "pt"
        ? "pt-BR"
        : primary;
  // What Indonesian was called until 1989; some phones still do.
  const known = code === "in" ? "id" : code;
  return isLang(known) ? known : null;
}

/** The one of our languages that an `Accept-Language` (RFC 9110) weighs most; of equal ones the first. */
function acceptedOf(header: string): Lang | null {
  if (header.length > HEADER_MAX) return null;
  const ranges = header.split(",", RANGES_MAX).map((range) => {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
    return { lang: matchOf(tag), weight: weight === undefined ? 1 : Number(weight) };
  });
  const wanted = ranges.filter(({ lang, weight }) => lang !== null && weight > 0);
  return wanted.toSorted((a, b) => b.weight - a.weight)[0]?.lang ?? null;
}
