/**
 * Forwards one request to the protected site, faithfully, and turns its failures into replies of our own (DESIGN §5.6).
 * Decides nothing about who may pass; never throws; never follows a redirect; never calls the Room.
 */
import type { CanonicalUrl } from "./core/canonical-url";
import { commandsIn } from "./core/origin-commands";
import type { OriginCommand } from "./core/settings-types";
import { failurePage } from "./http/failure-page";
import { isFormNavigation, isNavigation } from "./http/navigation";
import { cleanReply, type Forwarding, isClean, isGated, isPubliclyCacheable, prepareForOrigin } from "./http/origin-headers";
import { pageReply, problem } from "./http/replies";
import { newNonce } from "./keys";

export type { Forwarding } from "./http/origin-headers";

export interface ForwardConfig {
  /** null = zone route: the request's own URL leads to the site. */
  readonly origin: URL | null;
  /** How long the site may take to its first header, ms, for requests without a body; default 100 s, as long as Cloudflare's own limit. */
  readonly headersTimeoutMs?: number;
}

export interface OriginReply {
  /** Its headers may be the site's own, which cannot be changed: `withHeaders`. */
  readonly response: Response;
  /** `failed`: no usable answer (502 or 504 of ours), or a 5xx of the site. Never counts against the visitor. */
  readonly outcome: "ok" | "failed";
  /** From sending to the first headers of the reply, ms. */
  readonly headersAfterMs: number;
  /** What the site says about the visit; the visitor does not see it. */
  readonly commands: readonly OriginCommand[];
}

const HEADERS_TIMEOUT_MS = 100_000;
/** The runtime writes such an address in no other way when it is given as text. */
const WRITTEN_AS_IT_IS = /^[\w!$%&()*+,\-./:;=?@[\]~]*$/;
/** A reply this late, ms, may belong to a visitor who has moved on: its cookies could be older than the browser's. */
const COOKIE_WITHIN_MS = 20_000;
const RETRY_AFTER_S = 5;

/**
 * How Cloudflare reports, on a zone route, that it got no reply from the site: a status and a page of its own instead of an error.
 * https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/
 */
const TIMEOUT_STATUSES = new Set([522, 524]);
const UNREACHABLE_STATUSES = new Set([520, 521, 523, 525, 526, 530]);

/** `lost`: the connection failed. `unreachable`: an answer that is none. */
type Failure = "lost" | "unreachable" | "timeout";

/** Forwards `request`, whose body is used up by it, to `url`. Bodies stream both ways; WebSocket upgrades are passed through. */
export async function forward(request: Request, url: CanonicalUrl, config: ForwardConfig, how: Forwarding): Promise<OriginReply> {
  const startedAt = Date.now();
  const reply = await ask(request, url, config, how);
  const headersAfterMs = Date.now() - startedAt;
  if (typeof reply === "string") return { response: failureReply(reply, request, how), outcome: "failed", headersAfterMs, commands: [] };
  const outcome = reply.status >= 500 ? "failed" : "ok";
  return { response: passOn(reply, request, url, config, how), outcome, headersAfterMs, commands: commandsIn(reply.headers) };
}

/**
 * May a cookie of ours ride on this reply? Not where a shared cache could keep it, nor when it is so late that it may be outdated: two such
 * replies, the second asked for just before the first arrives, must take no longer than a pass is young.
 */
export function mayCarryCookie(method: string, reply: Pick<OriginReply, "response" | "headersAfterMs">, passRefreshMs: number): boolean {
  return reply.headersAfterMs <= Math.min(COOKIE_WITHIN_MS, passRefreshMs / 2) && !isPubliclyCacheable(method, reply.response.headers);
}

async function ask(request: Request, url: CanonicalUrl, config: ForwardConfig, how: Forwarding): Promise<Response | Failure> {
  const { origin } = config;
  const target = origin === null ? url.href : `${origin.origin}${url.path}${url.search}`;
  const { method, body } = request;
  // Headers by themselves are copied once, those of a request twice. But only a request keeps a stated length, and any address byte for byte.
  const isBare = body === null && (target !== request.url || WRITTEN_AS_IT_IS.test(target));
  const outgoing = isBare ? target : target === request.url ? new Request(request) : new Request(target, request);
  const headers = typeof outgoing === "string" ? new Headers(request.headers) : outgoing.headers;
  prepareForOrigin(headers, url, origin, how);
  const init: RequestInit = { redirect: "manual", ...(isBare && { method, headers }) };
  // A large upload may take longer than any limit, and the site answers after it: only the platform's own limits hold then.
  const withinMs = body === null ? (config.headersTimeoutMs ?? HEADERS_TIMEOUT_MS) : null;
  const reply = await attempt(outgoing, init, withinMs);
  // The site may have closed the kept connection at the very moment it was used; a safe request may go again (RFC 9110 §9.2.2).
  const isRepeatable = (method === "GET" || method === "HEAD") && body === null;
  return reply === "lost" && isRepeatable ? attempt(outgoing, init, withinMs) : reply;
}

/** One that is too late is given up by the runtime once the visitor has our reply: a signal to abort it with would cost every request more. */
async function attempt(outgoing: Request | string, init: RequestInit, withinMs: number | null): Promise<Response | Failure> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const sent = fetch(outgoing, init);
    const late =
      withinMs !== null &&
      new Promise<"timeout">((resolve) => {
        timer = setTimeout(() => resolve("timeout"), withinMs);
      });
    const response = await (late ? Promise.race([sent, late]) : sent);
    if (response === "timeout") return response;
    const failure = failureOf(response.status);
    if (failure !== null) await response.body?.cancel();
    return failure ?? response;
  } catch {
    return "lost";
  } finally {
    clearTimeout(timer);
  }
}

/** A status outside 200…599 is no HTTP that we could pass on; 101 is the WebSocket that was asked for. */
function failureOf(status: number): Failure | null {
  if (TIMEOUT_STATUSES.has(status)) return "timeout";
  return UNREACHABLE_STATUSES.has(status) || status > 599 || (status < 200 && status !== 101) ? "unreachable" : null;
}

function passOn(reply: Response, request: Request, url: CanonicalUrl, config: ForwardConfig, how: Forwarding): Response {
  const isPrivate = reply.webSocket === null && isGated(how) && isPage(request, reply.headers);
  const passing = { url, origin: config.origin, how, isPrivate };
  return isClean(reply.headers, passing) ? reply : withHeaders(reply, (headers) => cleanReply(headers, passing));
}

/** The same reply with changed headers, whether or not those that it has can be changed. */
export function withHeaders(reply: Response, change: (headers: Headers) => void): Response {
  const headers = new Headers(reply.headers);
  change(headers);
  if (reply.webSocket) return new Response(null, { status: 101, webSocket: reply.webSocket, headers });
  // `encodeBody` stays automatic: with an untouched body the runtime then passes compressed bytes on as they are.
  return new Response(reply.body, { status: reply.status, statusText: reply.statusText, headers });
}

/** HTML, or the answer to a page load that does not say what it is (304, redirects). */
function isPage(request: Request, headers: Headers): boolean {
  const type = headers.get("Content-Type");
  return type === null ? isNavigation(request) : /^\s*(?:text\/html|application\/xhtml\+xml)/i.test(type);
}

function failureReply(failure: Failure, request: Request, how: Forwarding): Response {
  const status = failure === "timeout" ? 504 : 502;
  if (isNavigation(request) || isFormNavigation(request)) {
    const nonce = newNonce();
    const page = failurePage(nonce, request.method === "GET", how.status === "admitted");
    return pageReply(page, nonce, { status, retryAfterS: RETRY_AFTER_S });
  }
  const extra = { retryAfterS: RETRY_AFTER_S };
  if (failure === "timeout") return problem(status, "origin-timeout", "The site behind this room did not answer in time.", extra);
  return problem(status, "origin-unreachable", "The site behind this room could not be reached.", extra);
}
