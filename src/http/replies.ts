/**
 * Every reply of our own is made here, so that none lacks an explicit `Cache-Control: private, no-store` and its security headers (P10, C46).
 * No decisions, no settings, no clock.
 */

const NO_STORE = "private, no-store";
/** What a reply of ours depends on, for caches that ignore `no-store`. */
const VARY = "Accept, Accept-Language, Cookie, Sec-Fetch-Dest";

export interface ReplyInit {
  readonly status?: number;
  /** Seconds, rounded up, at least 1. */
  readonly retryAfterS?: number;
  readonly setCookies?: readonly string[];
  /** Further headers; `Cache-Control` among them is ignored. */
  readonly headers?: Headers;
}

export interface PageInit extends ReplyInit {
  readonly status: number;
  /** For pages under `/__vestibule/` only: the shop's own URLs stay indexed. */
  readonly noindex?: boolean;
  /** Origins whose pages may show this one in a frame (W12); nobody's, not even our own, unless told. */
  readonly frameAncestors?: readonly string[];
  /** What a page that answers a challenge needs besides: workers of our own, or scripts and frames of this other origin. */
  readonly challenge?: "worker" | { readonly origin: string };
}

/** Titles of the statuses we use (RFC 9110, RFC 6585). */
const TITLES = new Map([
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [405, "Method Not Allowed"],
  [409, "Conflict"],
  [410, "Gone"],
  [412, "Precondition Failed"],
  [413, "Content Too Large"],
  [415, "Unsupported Media Type"],
  [421, "Misdirected Request"],
  [422, "Unprocessable Content"],
  [428, "Precondition Required"],
  [429, "Too Many Requests"],
  [500, "Internal Server Error"],
  [502, "Bad Gateway"],
  [503, "Service Unavailable"],
  [504, "Gateway Timeout"],
]);

/** Refusals that only time has to pass for: none of them is without `Retry-After`. */
const PASSING = new Set([429, 502, 503, 504]);
/** Where nothing better is known, seconds. */
const RETRY_AFTER_S = 3;

/**
 * An error as `application/problem+json` (RFC 9457). `code` is stable and for programs; `detail` is one sentence for people.
 * `extra.members` become further members of the body.
 */
export function problem(
  status: number,
  code: string,
  detail: string,
  extra: Omit<ReplyInit, "status"> & { readonly members?: Readonly<Record<string, unknown>> } = {},
): Response {
  const { members, ...given } = extra;
  const init = PASSING.has(status) ? { retryAfterS: RETRY_AFTER_S, ...given } : given;
  const body = { ...members, type: "about:blank", title: TITLES.get(status) ?? "Error", status, code, detail };
  return reply(JSON.stringify(body), { ...init, status }, "application/problem+json");
}

/** A JSON reply, 200 unless told otherwise. */
export function jsonReply(body: unknown, init: ReplyInit = {}): Response {
  return reply(JSON.stringify(body), init, "application/json");
}

/** Text of another kind, 200. */
export function textReply(body: string, contentType: string): Response {
  return reply(body, {}, contentType);
}

/** A file of the waiting page, 200, under an address that never means another. Looked at by itself it is nothing but a picture: no script runs. */
export function fileReply(bytes: Uint8Array<ArrayBuffer>, contentType: string): Response {
  const response = reply(bytes, {}, contentType);
  const { headers } = response;
  headers.set("Cache-Control", "public, max-age=31536000, immutable");
  headers.delete("Vary");
  headers.set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'");
  return response;
}

/** Events that go on, 200. Nothing on the way is to collect them first. */
export function eventsReply(body: ReadableStream<Uint8Array>, init: ReplyInit): Response {
  const headers = new Headers(init.headers);
  headers.set("X-Accel-Buffering", "no");
  return reply(body, { ...init, headers }, "text/event-stream");
}

/** A page of ours. `nonce` is fresh for each reply and is what the page's own script and style carry. */
export function pageReply(html: string, nonce: string, init: PageInit): Response {
  const response = reply(html, init, "text/html; charset=utf-8");
  response.headers.set("Content-Security-Policy", contentSecurityPolicy(nonce, init));
  if (init.noindex === true) response.headers.set("X-Robots-Tag", "noindex");
  return response;
}

export interface OwnPageInit extends Omit<PageInit, "challenge"> {
  /** Origins that its scripts and frames may be of, and may ask, besides this one. */
  readonly origins: readonly string[];
  /** A path of this origin that it loads after so many seconds; null = nothing. */
  readonly reload: { readonly afterS: number; readonly to: string } | null;
}

/** A page of the operator's own. It reloads by a header: it needs no script of ours. */
export function ownPageReply(html: string, init: OwnPageInit): Response {
  const response = reply(html, init, "text/html; charset=utf-8");
  const { headers } = response;
  headers.set("Content-Security-Policy", ownPagePolicy(init));
  if (init.noindex === true) headers.set("X-Robots-Tag", "noindex");
  if (init.reload !== null) headers.set("Refresh", `${init.reload.afterS};url=${init.reload.to}`);
  return response;
}

/**
 * Its scripts and styles stand inline and have no nonce, so inline is allowed; what keeps strange code out is that every value is escaped.
 * Pictures, fonts and styles may be of anywhere, as they do nothing; scripts, frames and connections of this origin and those named alone.
 */
function ownPagePolicy({ origins, frameAncestors: ancestors = [] }: OwnPageInit): string {
  const others = origins.map((origin) => ` ${origin}`).join("");
  return [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline'${others}`,
    "style-src 'self' 'unsafe-inline' https:",
    "img-src 'self' data: https:",
    "font-src 'self' data: https:",
    "media-src 'self' data: https:",
    `connect-src 'self'${others}`,
    ...(others === "" ? [] : [`frame-src${others}`]),
    "base-uri 'none'",
    framedBy(ancestors),
  ].join("; ");
}

/** 303 to an absolute URL that the caller has checked to be of this origin (W1). */
export function redirectReply(location: string, setCookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: location });
  return reply(null, { status: 303, setCookies, headers }, null);
}

/** 204: nothing to say but headers. */
export function emptyReply(headers: Headers): Response {
  return reply(null, { status: 204, headers }, null);
}

/** A mark on the reply itself: a set of replies, even a weak one, is dear to tidy up. */
const OWN = Symbol("made here");

interface OwnReply extends Response {
  [OWN]?: true;
}

/** Was this reply made here, and not by the site? */
export function isOwnReply(response: Response): boolean {
  return OWN in response;
}

function contentSecurityPolicy(nonce: string, { frameAncestors: ancestors = [], challenge }: PageInit): string {
  const other = typeof challenge === "object" ? challenge.origin : null;
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'self'${other === null ? "" : ` ${other}`}`,
    ...(challenge === undefined ? [] : ["worker-src 'self'"]),
    ...(other === null ? [] : [`frame-src ${other}`]),
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    // No form-action: browsers apply it to the redirects after a form too, and a site behind us may send people on to a bank.
    "base-uri 'none'",
    framedBy(ancestors),
  ].join("; ");
}

/** Nobody's frames, not even our own, unless told. */
function framedBy(ancestors: readonly string[]): string {
  return `frame-ancestors ${ancestors.join(" ") || "'none'"}`;
}

/** What every reply of ours says. */
const ALWAYS = new Headers({
  "Cache-Control": NO_STORE,
  Vary: VARY,
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  // Not `no-referrer`: that makes browsers send `Origin: null` with our own forms.
  "Referrer-Policy": "same-origin",
});
/** The same with a type and a `Retry-After`, as many replies have them: the runtime copies headers at once for much less than setting one after the other. */
const MADE = new Map<string, Headers>();
const MADE_MAX = 256;

function headersOf(contentType: string | null, retryAfterS: number | undefined): Headers {
  const retry = retryAfterS === undefined ? "" : String(Math.max(1, Math.ceil(retryAfterS)));
  const name = `${retry} ${contentType ?? ""}`;
  const known = MADE.get(name);
  if (known !== undefined) return known;
  const headers = new Headers(ALWAYS);
  if (contentType !== null) headers.set("Content-Type", contentType);
  if (retry !== "") headers.set("Retry-After", retry);
  if (MADE.size >= MADE_MAX) MADE.clear();
  MADE.set(name, headers);
  return headers;
}

function reply(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  init: ReplyInit,
  contentType: string | null,
): Response {
  const made: OwnReply = new Response(body, { status: init.status ?? 200, headers: headersOf(contentType, init.retryAfterS) });
  for (const [name, value] of init.headers ?? []) if (!ALWAYS.has(name)) made.headers.append(name, value);
  for (const line of init.setCookies ?? []) made.headers.append("Set-Cookie", line);
  made[OWN] = true;
  return made;
}
