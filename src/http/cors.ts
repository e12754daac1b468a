/**
 * Scripts of other origins (`cors_origins`): preflights are answered by us, and our replies can be read by the origins that the room
 * names, with credentials. What the site answers is the site's own: nothing here touches it. Decides nothing about who may pass.
 */
import { emptyReply, isOwnReply } from "./replies";

/** What scripts of another origin may read of our replies besides the few headers that every script may (C27). */
const EXPOSED = "Retry-After, Date";
/** How long a browser may keep the answer to a preflight, seconds: as long as a room's origins may outlive their removal. */
const PREFLIGHT_MAX_AGE_S = 60;

/** A browser's question before a request of another origin that is more than a link or a form could send. */
function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("Origin") && headers.has("Access-Control-Request-Method");
}

/** The origin that asks, if the room names it. */
export function allowedOrigin(headers: Headers, origins: readonly string[]): string | null {
  const origin = headers.get("Origin");
  return origin !== null && origins.includes(origin) ? origin : null;
}

/** The answer to a preflight of an origin that the room names: never the site's, since a preflight carries no cookie. null = it is none. */
export function preflightReply(request: Request, origins: readonly string[]): Response | null {
  if (!isPreflight(request) || allowedOrigin(request.headers, origins) === null) return null;
  const headers = new Headers({ "Access-Control-Max-Age": String(PREFLIGHT_MAX_AGE_S) });
  headers.set("Access-Control-Allow-Methods", request.headers.get("Access-Control-Request-Method") ?? "");
  const wanted = request.headers.get("Access-Control-Request-Headers");
  if (wanted !== null) headers.set("Access-Control-Allow-Headers", wanted);
  const reply = readable(emptyReply(headers), request, origins);
  reply.headers.append("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers");
  return reply;
}

/** Lets the room's origins read a reply of ours. The site's replies, and those that anybody may read, stay as they are. */
export function readable(reply: Response, request: Request, origins: readonly string[]): Response {
  if (origins.length === 0 || !isOwnReply(reply) || reply.headers.has("Access-Control-Allow-Origin")) return reply;
  reply.headers.append("Vary", "Origin");
  const origin = allowedOrigin(request.headers, origins);
  if (origin === null) return reply;
  reply.headers.set("Access-Control-Allow-Origin", origin);
  reply.headers.set("Access-Control-Allow-Credentials", "true");
  reply.headers.set("Access-Control-Expose-Headers", EXPOSED);
  return reply;
}
