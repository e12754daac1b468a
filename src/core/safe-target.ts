/**
 * Where a visitor may be sent: the `to` parameter, made safe against open redirects (attack W1, C62, F11). Pure; never throws.
 *
 * Only http(s) URLs of the request's own origin come through, and never one of our own endpoints, which could send people in circles.
 * The absolute URL is what goes into `Location` and links: a bare path such as `//evil.example` would leave the site.
 */
import { type CanonicalUrl, canonicalUrl } from "./canonical-url";

/** Our endpoints live below it; compared in lower case. */
export const RESERVED_PREFIX = "/__vestibule";
/** Longer targets are replaced by the front page. Escaped one still fits into an address of 16 KB, the longest that Cloudflare takes. */
const TARGET_MAX = 5_000;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Is this canonical path one of ours? */
export function isReserved(path: string): boolean {
  const lower = path.toLowerCase();
  return lower === RESERVED_PREFIX || lower.startsWith(`${RESERVED_PREFIX}/`);
}

/** Scheme, host and port of a canonical URL, as browsers write an origin. */
export function originOf(url: CanonicalUrl): string {
  return `${url.protocol}//${url.authority}`;
}

/**
 * The absolute URL of the same origin that `raw` names, read relative to the site's root; the front page if `raw` is anything else.
 * @param raw the parameter after percent-decoding, or null
 */
export function safeTarget(raw: string | null, site: CanonicalUrl): string {
  const origin = originOf(site);
  const front = `${origin}/`;
  if (raw === null || raw.length > TARGET_MAX) return front;
  const ascii = encodeSpaces(raw);
  if (!VISIBLE_ASCII.test(ascii) || !URL.canParse(ascii, front)) return front;
  const parsed = new URL(ascii, front);
  if (parsed.username !== "" || parsed.password !== "") return front;
  const target = canonicalUrl(parsed.href);
  if (target === null || originOf(target) !== origin || isReserved(target.path)) return front;
  return target.href;
}

/** A target may hold what browsers write into an address: blanks and letters beyond ASCII, but no control or format characters. */
function encodeSpaces(raw: string): string {
  if (VISIBLE_ASCII.test(raw) || /[\p{C}\p{Zl}\p{Zp}]/u.test(raw)) return raw;
  return raw.trim().replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part));
}
