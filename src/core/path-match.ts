/**
 * How a path is compared with the paths of rooms: ignoring case, Unicode composition, `;parameters`, trailing dots, blanks and slashes;
 * and all the ways in which servers may read an ambiguous one. Pure; knows nothing of hosts.
 */
import { decodedText } from "./canonical-url";

/** Nothing in it is read in more than one way, as in most paths. */
const PLAIN = /^[a-z0-9/_~-]*$/;

/** Comparable segments of a path; `/Checkout;id=1/./`, `/checkout.` and `/checkout%3Fx/y` all give `["checkout"]`. */
export function pathKey(path: string): readonly string[] {
  if (PLAIN.test(path)) return path.split("/").filter((segment) => segment !== "");
  return keyOf(path.split("/").map((segment) => decodedText(segment) ?? octetByOctet(segment)));
}

/** The same to a server that decodes no further. */
function keyAsIs(path: string): readonly string[] {
  return keyOf(path.split("/"));
}

/** An escaped `?` or `#` ends the path: some servers undo escapes first and look for the query afterwards. */
function keyOf(segments: readonly string[]): readonly string[] {
  const last = segments.findIndex((segment) => /[?#]/.test(segment));
  const whole = last < 0 ? segments : segments.slice(0, last + 1);
  return whole.map(comparable).filter((segment) => segment !== "");
}

/** Does `key` lie at or below `prefix`? Ends at a segment boundary: `/checkout` does not cover `/checkout-help`. */
export function covers(prefix: readonly string[], key: readonly string[]): boolean {
  return prefix.length <= key.length && prefix.every((segment, i) => segment === key[i]);
}

function comparable(segment: string): string {
  const cut = segment.search(/[;?#]/);
  return (cut < 0 ? segment : segment.slice(0, cut))
    .replace(/[\s.]+$/u, "")
    .normalize("NFC")
    .toLowerCase();
}

/** Deepest nesting of escapes that readings are made for: some stacks decode in the proxy, the framework and the application. */
const DECODINGS = 3;
/** A bound on work for hostile paths; real ones have a handful. */
const READINGS_MAX = 40;

/**
 * Keys of everything an ambiguous path may mean to a server that decodes it up to three times, resolving dot segments at any stage,
 * with or without cutting parameters first, and ending it at a NUL, a `?` or a `#` or not. null = too many to tell.
 */
export function readings(path: string): readonly (readonly string[])[] | null {
  const seen = new Set<string>();
  let stage = new Set([path]);
  for (let decoding = 0; decoding <= DECODINGS; decoding++) {
    const next = new Set<string>();
    for (const text of stage) {
      for (const variant of variants(text)) {
        seen.add(variant);
        for (const decoded of decodings(variant)) next.add(decoded);
        if (seen.size > READINGS_MAX) return null;
      }
    }
    stage = next;
  }
  return [...seen].flatMap((text) => {
    const stripped = text.split("/").map(withoutParameters).join("/");
    return [keyAsIs(text), keyAsIs(stripped), pathKey(text), pathKey(stripped)];
  });
}

/** A `?` or `#` among the parameters ends nothing for servers that cut parameters off first: `/;x%23/checkout`. */
function withoutParameters(segment: string): string {
  return segment.replace(/;.*$/su, "");
}

function variants(text: string): string[] {
  const slashed = text.replace(/\\/g, "/");
  const ended = [/\0.*$/su, /[?#].*$/su, /[\0?#].*$/su].map((end) => slashed.replace(end, ""));
  return [...new Set([slashed, ...ended])].flatMap((one) => [
    one,
    resolved(one, (segment) => segment),
    resolved(one, (segment) => comparableDots(segment)),
  ]);
}

/** A segment as servers see it that cut parameters, blanks and control characters off before they look for dots. */
function comparableDots(segment: string): string {
  return withoutParameters(segment).replace(/[\s\p{Cc}]+/gu, "");
}

function resolved(path: string, read: (segment: string) => string): string {
  const out: string[] = [];
  for (const segment of path.split("/")) {
    const seen = read(segment).replace(/%2e/gi, ".");
    if (seen === "..") out.pop();
    else if (seen !== "." && seen !== "") out.push(segment);
  }
  return `/${out.join("/")}`;
}

/** One level of escapes undone: as UTF-8 or else octet by octet, and as servers do it that accept overlong UTF-8 and `%u0063`. */
function decodings(text: string): string[] {
  const overlong = text
    .replace(/%c0%af|%e0%80%af/gi, "/")
    .replace(/%c0%ae|%e0%80%ae/gi, ".")
    .replace(/%c1%9c/gi, "\\")
    .replace(/%u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return [text, overlong].map((one) => decodedText(one) ?? octetByOctet(one));
}

function octetByOctet(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
