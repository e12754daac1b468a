/**
 * Lets a request through to the site, with our cookies on the reply where they may be. Decides nothing about who may pass.
 */

import { type Forwarding, keepFromSharedCaches } from "../http/origin-headers";
import { emptyReply } from "../http/replies";
import { signRequest } from "../keys";
import type { OriginReply } from "../origin";
import { forward, mayCarryCookie, withHeaders } from "../origin";
import { ringOf, type Visit } from "./visit";

/**
 * `must`: the visitor needs these cookies to go on, so the reply is kept from shared caches for them.
 * `may`: only on replies that no shared cache may keep and that came in time; else the next request brings them.
 */
export interface Cookies {
  readonly lines: readonly string[];
  readonly how: "must" | "may";
}

export const NO_COOKIES: Cookies = { lines: [], how: "may" };

/** Forwards, signed unless the room is off, and counts what the site answered. In shadow: only says that it would. */
export async function send(visit: Visit, how: Omit<Forwarding, "room">): Promise<OriginReply> {
  if (visit.shadow !== undefined) {
    visit.shadow.forwarded = how.status;
    return { response: emptyReply(new Headers()), outcome: "ok", headersAfterMs: 0, commands: [] };
  }
  const forwarding =
    how.status === "untouched" ? { ...how, room: null } : { ...how, room: visit.room, signature: await signatureOf(visit, how) };
  const reply = await forward(visit.request, visit.url, { origin: visit.config.origin }, forwarding);
  visit.client.report.answered(reply.outcome, reply.headersAfterMs);
  return reply;
}

function signatureOf(visit: Visit, { status, session = "" }: Omit<Forwarding, "room">): Promise<string> {
  const { request, url } = visit;
  const target = `${url.path}${url.search}`;
  // Of when it is sent: a request may have waited two seconds for its renewal.
  return signRequest(ringOf(visit), {
    atS: Math.floor(Date.now() / 1_000),
    method: request.method,
    authority: url.authority,
    target,
    status,
    session,
  });
}

/** The site's reply with our cookies after its own, each on a line of its own. */
export function withCookies(visit: Visit, reply: OriginReply, { lines, how }: Cookies): Response {
  const { response } = reply;
  if (lines.length === 0 || (how === "may" && !mayCarryCookie(visit.request.method, reply, visit.client.settings.passRefreshMs)))
    return response;
  return withHeaders(response, (headers) => {
    if (how === "must") keepFromSharedCaches(headers);
    for (const line of lines) headers.append("Set-Cookie", line);
  });
}

export async function admit(visit: Visit, how: Omit<Forwarding, "room">, cookies: Cookies = NO_COOKIES): Promise<Response> {
  return withCookies(visit, await send(visit, how), cookies);
}

/** What the site learns of a session. `session` is the same for all requests of one visit and tells nothing else. */
export function admitted(generation: number, slot: number, idleEndsAtS: number, endsAtS: number): Omit<Forwarding, "room"> {
  return { status: "admitted", session: `${generation}.${slot}`, idleEndsAtS, endsAtS };
}
