/**
 * The tokens among the secrets: read and judged, never shown. What env.ts, which reads everything else, needs for it is here too.
 */
import type { Problem } from "./core/settings";
import { sameSecret } from "./keys";

/** What was read of one variable, or everything that is wrong with it. */
export type Part<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: Problem[] };

export function refuse(setting: string, problem: string): { ok: false; problems: Problem[] } {
  return { ok: false, problems: [{ setting, problem }] };
}

const TOKEN_MIN_CHARACTERS = 32;
/** Random text of 32 characters has more than this; passwords made of one word or a repeated one have not. */
export const TOKEN_MIN_DISTINCT = 10;
export const SAMPLE_TOKEN = /change.?me|replace|example|sample|placeholder|your.token|admin.token|secret|password/i;

const MAKE_TOKEN = "make one with: openssl rand -base64 32";

/** Reads ADMIN_TOKEN: at least 32 visible characters, not a sample. Problems never show it. */
export function readAdminToken(raw: unknown): Part<string> {
  return typeof raw !== "string" || raw === "" ? refuse("ADMIN_TOKEN", `is not set; ${MAKE_TOKEN}`) : readToken("ADMIN_TOKEN", raw);
}

/** Reads REHEARSAL_TOKEN; absent or empty = none. Of the same kind as `adminToken`, and another one. Problems never show it. */
export async function readRehearsalToken(raw: unknown, adminToken: unknown): Promise<Part<string | null>> {
  if (raw === undefined || raw === null || raw === "") return { ok: true, value: null };
  if (await sameSecret(String(adminToken), String(raw)))
    return refuse("REHEARSAL_TOKEN", `is ADMIN_TOKEN, which nobody needs to rehearse; ${MAKE_TOKEN}`);
  return readToken("REHEARSAL_TOKEN", raw);
}

function readToken(name: string, raw: unknown): Part<string> {
  if (typeof raw !== "string" || !/^[\x21-\x7e]+$/.test(raw))
    return refuse(name, `holds blanks, line breaks or characters that no header can carry; ${MAKE_TOKEN}`);
  if (raw.length < TOKEN_MIN_CHARACTERS) return refuse(name, `is shorter than ${TOKEN_MIN_CHARACTERS} characters; ${MAKE_TOKEN}`);
  if (SAMPLE_TOKEN.test(raw) || new Set(raw).size < TOKEN_MIN_DISTINCT) return refuse(name, `is a sample or can be guessed; ${MAKE_TOKEN}`);
  return { ok: true, value: raw };
}
