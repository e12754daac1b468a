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

/** What a header is to us. Everything else goes through as it is. */
type Role =
  | "plain"
  /** RFC 9110 §7.6.1, and what `Connection` names besides. The runtime writes `Host` from the URL. */
  | "hop-by-hop"
  | "own"
  /** They would make a request that was judged as one method act as another (G7). */
  | "override"
  /** What we say of the public address where ORIGIN is configured. */
  | "forwarded"
  /** Cloudflare's command to a waiting room, which only the one that it is meant for may see: ours. */
  | "command"
  /** Cache orders that shared caches prefer to `Cache-Control`. */
  | "cache-order"
  | "set-cookie"
  /** May name ORIGIN. */
  | "reference";

const SHARED_CACHE_ORDERS = ["cdn-cache-control", "cloudflare-cdn-cache-control", "surrogate-control"];
const FOR_SHARED_CACHES = /^(?:public$|private=|s-maxage\b|proxy-revalidate$)/;
const SAYS_PRIVATE = /(?:^|,)\s*(?:private|no-store)\s*(?:,|$)/i;
const OWN_PREFIX = "vestibule-";
/** What a header can be called (RFC 9110, 5.6.2). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** By exact names: nobody else reads these in another spelling. */
const NAMED = rolesOf({
  "hop-by-hop": [
    "connection",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
  ],
  "cache-order": SHARED_CACHE_ORDERS,
  "set-cookie": ["set-cookie"],
  reference: ["location", "content-location", "refresh"],
});
/**
 * By the name that sites read. Those that take every other character for `_` (CGI, WSGI, Rack) cannot tell `Vestibule_Status` from
 * `Vestibule-Status`, so nobody may send either.
 */
const READ_AS = rolesOf({
  override: ["x-http-method-override", "x-http-method", "x-method-override"],
  forwarded: ["x-forwarded-host", "x-forwarded-proto"],
  command: [CF_COMMAND_HEADER],
});
/** Roles of names that were met, since the same come with every request; emptied when strangers have filled it. */
const MET = new Map<string, Role>();
const MET_MAX = 1_024;
const MET_NAME_MAX = 64;

function rolesOf(names: Partial<Record<Role, readonly string[]>>): ReadonlyMap<string, Role> {
  return new Map(Object.entries(names).flatMap(([role, list]) => list.map((name) => [name, role as Role] as const)));
}

/** @param name in lower case */
function roleOf(name: string): Role {
  const met = MET.get(name);
  if (met !== undefined) return met;
  const readAs = name.replace(/[^a-z0-9]/g, "-");
  const role = NAMED.get(name) ?? READ_AS.get(readAs) ?? (readAs.startsWith(OWN_PREFIX) ? "own" : "plain");
  if (MET.size >= MET_MAX) MET.clear();
  if (name.length <= MET_NAME_MAX) MET.set(name, role);
  return role;
}

/** Let in by the room itself, and not by a rule that asks for nothing. */
export function isGated({ status }: Forwarding): boolean {
  return status !== "untouched" && status !== "bypass";
}

/** Makes the headers of a request, in place, those of the request to the origin. `origin`: the configured ORIGIN, null on a zone route. */
export function prepareForOrigin(headers: Headers, url: CanonicalUrl, origin: URL | null, how: Forwarding): void {
  const isWebSocket = headers.get("Upgrade")?.toLowerCase() === "websocket";
  const isOurs = how.status !== "untouched";
  remove(headers, (role) => {
    if (role === "override") return isOurs;
    if (role === "forwarded") return origin !== null;
    return role === "hop-by-hop" || role === "own";
  });
  if (isWebSocket) headers.set("Upgrade", "websocket");
  const cookies = headers.get("Cookie");
  const others = stripOwnCookies(cookies);
  if (others === null) headers.delete("Cookie");
  else if (others !== cookies) headers.set("Cookie", others);
  if (isOurs) {
    headers.set("Vestibule-Status", how.status);
    if (how.signature !== undefined) headers.set("Vestibule-Signature", how.signature);
  }
  if (isGated(how)) {
    if (how.room !== null) headers.set("Vestibule-Room", how.room);
    if (how.session !== undefined) headers.set("Vestibule-Session", how.session);
    const ends = endsOf(how);
    if (ends !== "") headers.set("Vestibule-Session-Ends", ends);
  }
  if (origin !== null) {
    const publicOrigin = `${url.protocol}//${url.authority}`;
    headers.set("X-Forwarded-Host", url.authority);
    headers.set("X-Forwarded-Proto", url.protocol.slice(0, -1));
    for (const name of ["Origin", "Referer"]) {
      const value = headers.get(name);
      if (value === publicOrigin || value?.startsWith(`${publicOrigin}/`))
        headers.set(name, origin.origin + value.slice(publicOrigin.length));
    }
  }
}

function endsOf({ idleEndsAtS, endsAtS }: Forwarding): string {
  const idle = idleEndsAtS === undefined ? [] : [`idle=${idleEndsAtS}`];
  return [...idle, ...(endsAtS === undefined ? [] : [`absolute=${endsAtS}`])].join(", ");
}

/** Which replies of the site must not reach the visitor as they are. */
export interface Passing {
  readonly url: CanonicalUrl;
  readonly origin: URL | null;
  readonly how: Forwarding;
  /** A page that only people inside may see. */
  readonly isPrivate: boolean;
}

/** Is there anything in a reply of the site that `cleanReply` would change? Most replies are passed on as they came. */
export function isClean(headers: Headers, passing: Passing): boolean {
  for (const name of headers.keys()) {
    const role = roleOf(name);
    if (role === "plain") continue;
    if (isForUs(role, passing)) return false;
    if (role === "reference" && passing.origin !== null) return false;
    if (role === "cache-order" && passing.isPrivate) return false;
    if (role === "set-cookie" && headers.getSetCookie().some(isOwnSetCookie)) return false;
  }
  return !passing.isPrivate || isPrivateAlready(headers);
}

/** Makes the headers of a reply of the site those of the visitor's. `Set-Cookie` lines stay apart and in order; those under our names are dropped. */
export function cleanReply(headers: Headers, passing: Passing): void {
  const { url, origin } = passing;
  remove(headers, (role) => isForUs(role, passing));
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
  if (passing.isPrivate) keepFromSharedCaches(headers);
}

function isForUs(role: Role, { how }: Passing): boolean {
  // Where we do not act, a room of Cloudflare's own may stand in front of us, as during a migration: the command is for that one.
  return role === "hop-by-hop" || role === "own" || (role === "command" && how.status !== "untouched");
}

/** Makes a page that only people inside may see unfit for shared caches, whatever the origin said (W6). Browsers may keep it as before. */
export function keepFromSharedCaches(headers: Headers): void {
  for (const name of SHARED_CACHE_ORDERS) headers.delete(name);
  if (isPrivateAlready(headers)) return;
  const directives = directivesOf(headers.get("Cache-Control")).filter((directive) => !FOR_SHARED_CACHES.test(directive));
  headers.set("Cache-Control", ["private", ...directives].join(", "));
}

function isPrivateAlready(headers: Headers): boolean {
  const said = headers.get("Cache-Control");
  // Without quotes a directive is what stands between two commas.
  if (said === null || !said.includes('"')) return said !== null && SAYS_PRIVATE.test(said);
  return directivesOf(said).some((directive) => directive === "private" || directive === "no-store");
}

/** Might a shared cache store this reply, by its own orders or by guessing? Then it must carry no visitor's cookie. */
export function isPubliclyCacheable(method: string, headers: Headers): boolean {
  if (isPrivateAlready(headers)) return false;
  if (method === "GET" || method === "HEAD") return true;
  return (
    directivesOf(headers.get("Cache-Control")).some((directive) => /^(?:public$|s-maxage\b|max-age\b)/.test(directive)) ||
    headers.has("Expires")
  );
}

/** A reference that names ORIGIN, by whatever scheme, as the same place on the public origin; any other reference as it is. */
function toPublic(reference: string, url: CanonicalUrl, origin: URL): string {
  // Relative references end up at a host that cannot exist, and are left alone.
  const named = URL.parse(reference, `${origin.protocol}//reference.invalid`);
  if (named === null || !/^https?:$/.test(named.protocol)) return reference;
  if (named.hostname.replace(/\.$/, "") !== origin.hostname || named.port !== origin.port) return reference;
  return `${url.protocol}//${url.authority}${named.pathname}${named.search}${named.hash}`;
}

/** What `Connection` names goes with it. */
function remove(headers: Headers, isMeant: (role: Role) => boolean): void {
  const gone: string[] = [];
  for (const name of headers.keys()) {
    const role = roleOf(name);
    if (role !== "plain" && isMeant(role)) gone.push(name);
  }
  if (gone.includes("connection")) gone.push(...(headers.get("Connection") ?? "").split(",").map((name) => name.trim()));
  for (const name of gone) if (TOKEN.test(name)) headers.delete(name);
}

/** Directives in lower case; a comma inside quotes does not part them. */
function directivesOf(cacheControl: string | null): string[] {
  const parts = (cacheControl ?? "").match(/(?:[^,"]|"[^"]*"?)+/g) ?? [];
  return parts.map((part) => part.trim().toLowerCase()).filter((part) => part !== "");
}
