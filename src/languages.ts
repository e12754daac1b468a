/**
 * Catalogues of words: English is part of the Worker, the others are static files beside it, read when somebody first asks an isolate for
 * them. What cannot be read is told in English: nobody waits for words. Remembers plain data only, so any request may use it.
 */
import { assets } from "./assets";
import { LANGUAGES, type Lang } from "./core/languages";
import { english } from "./core/languages/en";
import type { RoomSettings } from "./core/settings-types";
import { withOverrides } from "./core/word-overrides";
import type { Words } from "./core/words";

/** Longer than a file of the same data centre takes, ms. */
const READ_MAX_MS = 1_000;

/** The static files, as far as they are needed here. */
export interface Files {
  fetch(url: string, init: { readonly signal: AbortSignal }): Promise<Response>;
}

export interface Spoken {
  readonly lang: Lang;
  readonly dir: "ltr" | "rtl";
  readonly words: Words;
}

export const inEnglish: Spoken = { lang: "en", dir: "ltr", words: english };

const read = new Map<Lang, Words>([["en", english]]);
/** By the settings that they are part of, which are the same object until a revision. */
const overridden = new WeakMap<RoomSettings["words"], Map<Lang, Words>>();

/** The words of a language as a room says them; English where they cannot be had. */
export async function spoken(lang: Lang, files: Files | undefined, own: RoomSettings["words"]): Promise<Spoken> {
  const words = read.get(lang) ?? (await readWords(lang, files));
  if (words === null) return spoken("en", files, own);
  return { lang, dir: LANGUAGES[lang].dir, words: inRoom(lang, words, own) };
}

async function readWords(lang: Lang, files: Files | undefined): Promise<Words | null> {
  const path = (assets.words as Readonly<Partial<Record<Lang, string>>>)[lang];
  if (files === undefined || path === undefined) return null;
  try {
    const reply = await files.fetch(`https://assets.invalid${path}`, { signal: AbortSignal.timeout(READ_MAX_MS) });
    if (!reply.ok) return null;
    const words = (await reply.json()) as Words;
    read.set(lang, words);
    return words;
  } catch {
    return null;
  }
}

function inRoom(lang: Lang, words: Words, own: RoomSettings["words"]): Words {
  const overrides = own[lang];
  if (overrides === undefined) return words;
  const known = overridden.get(own) ?? new Map<Lang, Words>();
  overridden.set(own, known);
  const mine = known.get(lang) ?? withOverrides(words, overrides);
  known.set(lang, mine);
  return mine;
}
