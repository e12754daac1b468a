/**
 * Which headers reach the origin and which come back (DESIGN §5.6). Headers in, headers out: no fetch, no clock.
 *
 * Removed both ways: hop-by-hop headers and everything under our own name. Nothing is rewritten unless ORIGIN is configured.
 */
import type { CanonicalUrl } from "../core/canonical-url";
import { CF_COMMAND_HEADER } from "../core/origin-commands";
import { isOwnSetCookie, stripOwnCookies } from "./cookies";

/** What the origin is told about a request. */
export interface Forwarding {
  readonly room: string | null;
  /**
   * `untouched`: no room applies, the origin sees nothing of us. `bypass`: a rule of the room let it through, no session. `staff`: by a staff link.
   * `failed-open`: let in without the Room, which cannot be reached.
   */
  readonly status: "admitted" | "unproven" | "untouched" | "bypass" | "staff" | "failed-open";
  /** Opaque: the same for all requests of one session. */
  readonly session?: string;
  /** Unix seconds. */
  readonly idleEndsAtS?: number;
  readonly endsAtS?: number;
  /** Proves to the origin that this request came through the room. */
  readonly signature?: string;
}

/** RFC 9110 §7.6.1, and what `Connection` names besides. */
const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
/** They would make a request that was judged as one method act as another (G7). */
const METHOD_OVERRIDES = ["x-http-method-override", "x-http-method", "x-method-override"];
const OWN_PREFIX = "vestibule-";
/** What we say of the public address where ORIGIN is configured. */
const FORWARDED = ["x-forwarded-host", "x-forwarded-proto"];
/** Cache orders that shared caches prefer to `Cache-Control`. */
const SHARED_CACHE_ORDERS = ["cdn-cache-control", "cloudflare-cdn-cache-control", "surrogate-control"];
const FOR_SHARED_CACHES = /^(?:public$|private=|s-maxage\b|proxy-revalidate$)/;

/** Let in by the room itself, and not by a rule that asks for nothing. */
export function isGated({ status }: Forwarding): boolean {
  return status !== "untouched" && status !== "bypass";
}

/** The headers of the request to the origin. `origin`: the configured ORIGIN, null on a zone route. */
export function headersToOrigin(request: Request, url: CanonicalUrl, origin: URL | null, how: Forwarding): Headers {
  const headers = new Headers(request.headers);
  const isWebSocket = headers.get("Upgrade")?.toLowerCase() === "websocket";
  removeHopByHop(headers);
  removeOwn(headers);
  headers.delete("Host"); // The runtime writes it from the URL.
  if (isWebSocket) headers.set("Upgrade", "websocket");
  setOrDelete(headers, "Cookie", stripOwnCookies(headers.get("Cookie")));
  if (how.status !== "untouched") {
    removeNamed(headers, (name) => METHOD_OVERRIDES.includes(name));
    headers.set("Vestibule-Status", how.status);
    if (how.signature !== undefined) headers.set("Vestibule-Signature", how.signature);
  }
  if (isGated(how)) {
    if (how.room !== null) headers.set("Vestibule-Room", how.room);
    if (how.session !== undefined) headers.set("Vestibule-Session", how.session);
    const ends = [`idle=${how.idleEndsAtS}`, `absolute=${how.endsAtS}`].filter((end) => !end.endsWith("undefined"));
    if (ends.length > 0) headers.set("Vestibule-Session-Ends", ends.join(", "));
  }
  if (origin !== null) {
    const publicOrigin = `${url.protocol}//${url.authority}`;
    removeNamed(headers, (name) => FORWARDED.includes(name));
    headers.set("X-Forwarded-Host", url.authority);
    headers.set("X-Forwarded-Proto", url.protocol.slice(0, -1));
    for (const name of ["Origin", "Referer"]) {
      const value = headers.get(name);
      if (value === publicOrigin || value?.startsWith(`${publicOrigin}/`))
        headers.set(name, origin.origin + value.slice(publicOrigin.length));
    }
  }
  return headers;
}

/** The headers of the reply to the visitor. `Set-Cookie` lines stay apart and in order; those under our names are dropped. */
export function headersFromOrigin(response: Response, url: CanonicalUrl, origin: URL | null): Headers {
  const headers = new Headers(response.headers);
  removeHopByHop(headers);
  removeOwn(headers);
  const cookies = headers.getSetCookie();
  if (cookies.some(isOwnSetCookie)) {
    headers.delete("Set-Cookie");
    for (const line of cookies) if (!isOwnSetCookie(line)) headers.append("Set-Cookie", line);
  }
  if (origin !== null) {
    for (const name of ["Location", "Content-Location"]) {
      const value = headers.get(name);
      if (value !== null) headers.set(name, toPublic(value, url, origin));
    }
    const refresh = /^(\s*[\d.]+\s*[;,]?\s*url\s*=\s*)(["']?)(.*?)\2\s*$/i.exec(headers.get("Refresh") ?? "");
    if (refresh) headers.set("Refresh", `${refresh[1]}${refresh[2]}${toPublic(refresh[3] ?? "", url, origin)}${refresh[2]}`);
  }
  return headers;
}

/** Removes Cloudflare's command to a waiting room, which only the one that it is meant for may see: ours. */
export function removeCommand(headers: Headers): void {
  removeNamed(headers, (name) => name === CF_COMMAND_HEADER);
}

/** Makes a page that only people inside may see unfit for shared caches, whatever the origin said (W6). Browsers may keep it as before. */
export function keepFromSharedCaches(headers: Headers): void {
  for (const name of SHARED_CACHE_ORDERS) headers.delete(name);
  const directives = directivesOf(headers.get("Cache-Control"));
  if (directives.some((directive) => directive === "private" || directive === "no-store")) return;
  headers.set("Cache-Control", ["private", ...directives.filter((directive) => !FOR_SHARED_CACHES.test(directive))].join(", "));
}

/** Might a shared cache store this reply, by its own orders or by guessing? Then it must carry no visitor's cookie. */
export function isPubliclyCacheable(method: string, headers: Headers): boolean {
  const directives = directivesOf(headers.get("Cache-Control"));
  if (directives.some((directive) => directive === "private" || directive === "no-store")) return false;
  if (method === "GET" || method === "HEAD") return true;
  return directives.some((directive) => /^(?:public$|s-maxage\b|max-age\b)/.test(directive)) || headers.has("Expires");
}

/** A reference that names ORIGIN, by whatever scheme, as the same place on the public origin; any other reference as it is. */
function toPublic(reference: string, url: CanonicalUrl, origin: URL): string {
  // Relative references end up at a host that cannot exist, and are left alone.
  const named = URL.parse(reference, `${origin.protocol}//reference.invalid`);
  if (named === null || !/^https?:$/.test(named.protocol)) return reference;
  if (named.hostname.replace(/\.$/, "") !== origin.hostname || named.port !== origin.port) return reference;
  return `${url.protocol}//${url.authority}${named.pathname}${named.search}${named.hash}`;
}

function removeHopByHop(headers: Headers): void {
  const named = (headers.get("Connection") ?? "").split(",").map((name) => name.trim());
  for (const name of [...HOP_BY_HOP, ...named]) if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) headers.delete(name);
}

function removeOwn(headers: Headers): void {
  removeNamed(headers, (name) => name.startsWith(OWN_PREFIX));
}

/**
 * Removes headers by the name that sites read. Those that take every other character for `_` (CGI, WSGI, Rack) cannot tell
 * `Vestibule_Status` from `Vestibule-Status`, so nobody may send either.
 */
function removeNamed(headers: Headers, isMeant: (name: string) => boolean): void {
  for (const name of [...headers.keys()]) if (isMeant(name.replace(/[^a-z0-9]/g, "-"))) headers.delete(name);
}

function setOrDelete(headers: Headers, name: string, value: string | null): void {
  if (value === null) headers.delete(name);
  else headers.set(name, value);
}

/** Directives in lower case; a comma inside quotes does not part them. */
function directivesOf(cacheControl: string | null): string[] {
  const parts = (cacheControl ?? "").match(/(?:[^,"]|"[^"]*"?)+/g) ?? [];
  return parts.map((part) => part.trim().toLowerCase()).filter((part) => part !== "");
}
