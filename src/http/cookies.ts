/**
 * The room's cookies: reading, writing, clearing, and hiding them from the origin (DESIGN §8).
 * No clock, no keys. An own parser, since two `Cookie` lines arrive joined by a comma and several values of one name must all be tried.
 *
 * Over https a cookie has exactly one name: `__Host-…`, or `__Secure-…` when `cookie_domain` is set. Bare names count over http only:
 * a neighbouring host can plant a bare name, never a `__Host-` one.
 */
import type { RoomSettings } from "../core/settings-types";
import { TOKEN_MAX_BYTES } from "../core/token";

/**
 * `place` holds a visitor token, an entry or a ticket, `pass` a pass, `door` what a shown invitation is worth, `staff` a pass of a staff link,
 * `open` who was let in without the Room, `proof` what was shown of what newcomers are asked for, `lang` the language chosen from the menu.
 */
export type CookieKind = "place" | "pass" | "door" | "staff" | "open" | "proof" | "lang";

/** Values in the order sent, at most 8 of each name, none longer than a token can be. */
export interface RoomCookies {
  readonly place: string[];
  readonly pass: string[];
}

/** The settings that shape a cookie. */
export type CookieSettings = Pick<RoomSettings, "cookieDomain" | "cookieMaxAgeMs" | "partitionedCookies">;

export interface CookieOptions {
  /** The request's URL is https. */
  readonly secure: boolean;
  readonly settings: CookieSettings;
}

const VALUES_MAX = 8;
const BLANK = /\s/;
/** Any cookie of ours, of any room: after the start or a separator, up to the next separator. */
const OWN_COOKIES = /(^|[;,])[ \t]*(?:__Host-|__Secure-)?vestibule(?:-pass|-door|-staff|-open|-proof|-lang)?\.[^;,]*/g;

/** The full name of a room's cookie. */
export function cookieName(kind: CookieKind, room: string, options: CookieOptions): string {
  const bare = kind === "place" ? `vestibule.${room}` : `vestibule-${kind}.${room}`;
  if (!options.secure) return bare;
  return options.settings.cookieDomain === null ? `__Host-${bare}` : `__Secure-${bare}`;
}

/** All values of the room's two cookies in a `Cookie` header. */
export function readRoomCookies(header: string | null, room: string, secure: boolean, settings: CookieSettings): RoomCookies {
  const valuesOf = (kind: CookieKind) => readCookie(header, cookieName(kind, room, { secure, settings }), TOKEN_MAX_BYTES);
  return { place: valuesOf("place"), pass: valuesOf("pass") };
}

/** All values of one name in a `Cookie` header, at most 8, none longer than `maxBytes`. Pieces of other names, which may be many, are not taken apart. */
export function readCookie(header: string | null, name: string, maxBytes: number): string[] {
  const values: string[] = [];
  if (header === null) return values;
  const wanted = `${name}=`;
  for (let at = header.indexOf(wanted); at >= 0 && values.length < VALUES_MAX; at = header.indexOf(wanted, at)) {
    const isPiece = beginsPiece(header, at);
    at += wanted.length;
    const value = isPiece ? header.slice(at, endOfPiece(header, at)).trimEnd() : "";
    if (value.length > 0 && value.length <= maxBytes && !values.includes(value)) values.push(value);
  }
  return values;
}

/** Is there nothing but blanks between `at` and the start or the separator before it? */
function beginsPiece(header: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && BLANK.test(header.charAt(before))) before -= 1;
  return before < 0 || isSeparator(header.charCodeAt(before));
}

function endOfPiece(header: string, from: number): number {
  let end = from;
  while (end < header.length && !isSeparator(header.charCodeAt(end))) end += 1;
  return end;
}

/** `;`, or the comma that joins two `Cookie` lines. */
function isSeparator(code: number): boolean {
  return code === 0x3b || code === 0x2c;
}

/** A `Set-Cookie` line. Max-Age and never Expires: the browser's clock may be wrong. */
export function setCookie(kind: CookieKind, room: string, value: string, options: CookieOptions, maxAgeMs?: number): string {
  return line(kind, room, value, Math.floor((maxAgeMs ?? options.settings.cookieMaxAgeMs) / 1_000), options);
}

/** A `Set-Cookie` line that removes the cookie: same attributes, no life. */
export function clearCookie(kind: CookieKind, room: string, options: CookieOptions): string {
  return line(kind, room, "", 0, options);
}

/** Has a cookie that lives until `expS` used up half of its Max-Age at `nowS` (Unix seconds)? Then it is set again. */
export function isPastHalf(expS: number, nowS: number, settings: CookieSettings): boolean {
  return (expS - nowS) * 2_000 < settings.cookieMaxAgeMs;
}

/** The `Cookie` header without our cookies, whatever room or prefix; the rest byte for byte. null = nothing is left. */
export function stripOwnCookies(header: string | null): string | null {
  if (header === null) return null;
  const rest = header.replace(OWN_COOKIES, "").replace(/^[;,][ \t]*/, "");
  return rest.trim() === "" ? null : rest;
}

/** Is this `Set-Cookie` line about a cookie of ours? An origin may not set or clear them. */
export function isOwnSetCookie(setCookieLine: string): boolean {
  return /^[ \t]*(?:__Host-|__Secure-)?vestibule(?:-pass|-door|-staff|-open|-proof|-lang)?\./.test(setCookieLine);
}

function line(kind: CookieKind, room: string, value: string, maxAgeS: number, options: CookieOptions): string {
  const { secure, settings } = options;
  const partitioned = secure && settings.partitionedCookies;
  // The pass authorises nothing but passage, so it may come along when a bank sends the buyer back by POST (T5).
  const sameSite = partitioned || (secure && (kind === "pass" || kind === "staff")) ? "None" : "Lax";
  const parts = [`${cookieName(kind, room, options)}=${value}`, `Max-Age=${maxAgeS}`, "Path=/"];
  if (settings.cookieDomain !== null) parts.push(`Domain=${settings.cookieDomain}`);
  parts.push("HttpOnly");
  if (secure) parts.push("Secure");
  parts.push(`SameSite=${sameSite}`);
  if (partitioned) parts.push("Partitioned");
  return parts.join("; ");
}
