/**
 * The one spelling of a request's URL (DESIGN §5.1): what is matched against the rooms is exactly what is forwarded.
 * Pure: strings in, strings out; never throws. Knows nothing of rooms.
 */

export interface CanonicalUrl {
  /** `"http:"` or `"https:"`. */
  readonly protocol: string;
  /** Lower case, punycode, without port or trailing dot. IPv6 in brackets. */
  readonly host: string;
  /** `host[:port]` to forward; a default port is left out. */
  readonly authority: string;
  /** Starts with `/`; no dot segments, no empty segments but the last, unreserved octets decoded. */
  readonly path: string;
  /** As it came, byte for byte, with its `?`; empty if there was none. */
  readonly search: string;
  /** Servers disagree about what this path means (`%2f`, `%5c`, control characters, double encoding, `..;`): gate it. */
  readonly ambiguous: boolean;
  readonly href: string;
}

const PARTS = /^(https?):[/\\]{2}([^/\\?#]*)([^?#]*)(\?[^#]*)?/i;
/** The URL standard drops these wherever they stand, so they must not hide anything from the pattern above. */
const DROPPED = /[\t\n\r]+/g;
const VISIBLE_ASCII = /^[\x21-\x7e]*$/;
const ESCAPE = /%([0-9a-f]{2})/gi;
const LONE_PERCENT = /%(?![0-9a-f]{2})/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;
/** Slash, backslash, control characters; an escaped percent sign before what a second decoding would read as an escape. */
const DISPUTED_ESCAPE = /%(?:2f|5c|7f|[01][0-9a-f]|25(?:[0-9a-f]{2}|u[0-9a-f]{4}))/i;
/** `..;x`, `.%20`, `..%3f`: dot segments to servers that cut parameters, blanks or what they take for a query off first. */
const DISPUTED_DOTS = /\/(?:\.{1,2})(?:;|%3b|%3f|%23|%20)[^/]*(?=\/|$)/i;
/** `;x%23/checkout`: what looks like a query or a fragment is a parameter to servers that cut parameters off first. */
const DISPUTED_PARAMETERS = /(?:;|%3b)[^/]*%(?:3f|23)/i;

/** As nearly every address comes: nothing in it could be written in another way, but for the host. Groups: scheme and authority, path, query. */
const PLAIN = /^(https?:\/\/[a-z0-9.:-]+)(\/|(?:\/[\w~-][\w.~-]*)+\/?)(\?[!"$-~]*)?$/;
/** What scheme and authority come to; emptied when strangers have filled it. */
const SITES = new Map<string, CanonicalUrl>();
const SITES_MAX = 256;

/**
 * Canonicalises `request.url`. null = not an http(s) URL with a host.
 * Slashes are collapsed before dot segments are resolved, so `/x//..//checkout` is `/checkout`, as most servers read it.
 */
export function canonicalUrl(raw: string): CanonicalUrl | null {
  const [, site, path, search = ""] = PLAIN.exec(raw) ?? [];
  if (site === undefined || path === undefined) return anyCanonicalUrl(raw);
  const front = frontOf(site);
  return front && { ...front, path, search, href: `${front.protocol}//${front.authority}${path}${search}` };
}

/** The front page of a site, as a template for all its plain addresses. */
function frontOf(site: string): CanonicalUrl | null {
  const known = SITES.get(site);
  if (known !== undefined) return known;
  const front = anyCanonicalUrl(`${site}/`);
  if (front === null) return null;
  const own = `${front.protocol}//${front.authority}`;
  if (SITES.size >= SITES_MAX) SITES.clear();
  // Not `site` itself, which may hold on to the whole address that it was cut from.
  if (own === site) SITES.set(own, front);
  return front;
}

function anyCanonicalUrl(raw: string): CanonicalUrl | null {
  const parts = PARTS.exec(raw.trim().replace(DROPPED, ""));
  // An empty authority would make the URL standard take the first path segment for a host.
  if (!parts?.[2]) return null;
  const [, scheme = "", rawAuthority = "", rawPath = "", rawSearch = ""] = parts;
  const parsed = parseUrl(`${scheme}://${rawAuthority}/${rawPath.replace(/[/\\]+/g, "/").replace(/^\//, "")}`);
  const bare = parsed && withoutTrailingDots(parsed);
  if (!bare) return null;
  const path = decodeUnreserved(bare.pathname.replace(LONE_PERCENT, "%25"));
  // Raw, because the URL standard would rewrite quotes and angle brackets in it.
  const search = VISIBLE_ASCII.test(rawSearch) ? rawSearch : (parseUrl(`http://x/${rawSearch}`)?.search ?? "");
  return {
    protocol: bare.protocol,
    host: bare.hostname,
    authority: bare.host,
    path,
    search,
    ambiguous: isAmbiguous(path),
    href: `${bare.protocol}//${bare.host}${path}${search}`,
  };
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** `shop.example.com.` is `shop.example.com`: the same name, fully written. */
function withoutTrailingDots(url: URL): URL | null {
  const host = url.hostname.replace(/\.+$/, "");
  if (host === url.hostname) return url;
  if (host === "") return null; // The path's first segment would become the host.
  return parseUrl(`${url.protocol}//${host}${url.port ? `:${url.port}` : ""}${url.pathname}`);
}

/** Once, and only letters, digits and `-._~`: RFC 3986 says that no meaning changes. Dots were resolved before, escaped ones too. */
function decodeUnreserved(path: string): string {
  return path.replace(ESCAPE, (octet, hex: string) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(char) ? char : octet;
  });
}

function isAmbiguous(path: string): boolean {
  if (!path.includes("%") && !path.includes(";")) return false;
  return DISPUTED_ESCAPE.test(path) || DISPUTED_DOTS.test(path) || DISPUTED_PARAMETERS.test(path) || decodedText(path) === null;
}

/** Undoes one level of escapes as UTF-8; null if the octets are not UTF-8 (overlong forms of `/` and `.` among them). */
export function decodedText(text: string): string | null {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text.replace(LONE_PERCENT, "%25"));
  } catch {
    return null;
  }
}
