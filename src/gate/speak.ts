/** Which language a visitor is told in, and its words. Reads the request; decides nothing about the visitor. */
import { isLang, type Lang, langOf, matchOf } from "../core/languages";
import { cookieName, readCookie, setCookie } from "../http/cookies";
import { type Spoken, spoken } from "../languages";
import type { Visit } from "./visit";

/** The menu's choice outlives the place, ms. */
const KEEP_MS = 30 * 86_400_000;
const CODE_MAX = 16;

const cookieOptions = ({ url, client }: Visit) => ({ secure: url.protocol === "https:", settings: client.settings });

/** `?lang=`, then what was chosen before, then the browser's languages, then the room's. */
function langOfVisit(visit: Visit): Lang {
  const { request, url, client } = visit;
  return langOf({
    query: new URLSearchParams(url.search).get("lang"),
    cookie: chosen(visit),
    header: request.headers.get("Accept-Language"),
    fallback: client.settings.defaultLanguage,
  });
}

function chosen(visit: Visit): string | null {
  return (
    readCookie(visit.request.headers.get("Cookie"), cookieName("lang", visit.room, cookieOptions(visit)), CODE_MAX).find(isLang) ?? null
  );
}

/** The words for this visitor. */
export function wordsFor(visit: Visit): Promise<Spoken> {
  return spoken(langOfVisit(visit), visit.config.files, visit.client.settings.words);
}

/** Remembers a language by the cookie that the menu sets. */
export function langCookie(visit: Visit, lang: Lang): string {
  return setCookie("lang", visit.room, lang, cookieOptions(visit), KEEP_MS);
}

/** What `?lang=` asked for stays, so that what the page asks by itself is answered in the same language. */
export function langLines(visit: Visit, lang: Lang): string[] {
  const asked = new URLSearchParams(visit.url.search).get("lang");
  const isNew = asked !== null && matchOf(asked) === lang && chosen(visit) !== lang;
  return isNew ? [langCookie(visit, lang)] : [];
}

/** The operator's message in the visitor's language; absent where there is none of its own. */
export function ownMessage(visit: Visit): { readonly message?: string } {
  const { messages } = visit.client.settings;
  if (Object.keys(messages).length === 0) return {};
  const message = messages[langOfVisit(visit)];
  return message === undefined ? {} : { message };
}
