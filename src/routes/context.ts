/**
 * What every route of ours starts from: the room of the path, the visitor's credentials, and whether the request may change anything.
 * Decides no visitor's fate.
 */
import type { Context } from "hono";
import { clientOf } from "../clients";
import type { AdminRoute } from "../core/admin-routes";
import type { CanonicalUrl } from "../core/canonical-url";
import { INVITATION_FIELD } from "../core/door";
import { originOf, safeTarget } from "../core/safe-target";
import type { Config, Env } from "../env";
import type { Identity } from "../gate/decide";
import { identify, identityOfTokens } from "../gate/identify";
import { type Visit, visitOf } from "../gate/visit";
import { allowedOrigin, preflightReply, readable } from "../http/cors";
import { isCrossSite } from "../http/navigation";
import { problem } from "../http/replies";
import type { Lifetime } from "../room-client";
import type { Who } from "./admin-who";
import { bodyText } from "./body";

export type AppEnv = {
  Bindings: {
    /** The canonical URL of the request; hono's own view of it only chooses the route. */
    readonly url: CanonicalUrl;
    readonly config: Config;
    readonly env: Env;
  };
  Variables: {
    /** In the admin API alone: which of its routes this is. */
    route: AdminRoute;
    /** Who asks it. */
    who: Who;
  };
};
export type AppContext = Context<AppEnv>;

/** What the endpoints of visitors read of hono's context; `app.ts` makes it by itself for what is asked most. */
export interface RoomCall {
  readonly env: AppEnv["Bindings"];
  readonly executionCtx: Lifetime;
  readonly req: { readonly raw: Request; param(name: "room"): string | undefined };
}

/** A request about one visitor of one room. */
export interface Asking {
  readonly visit: Visit;
  readonly identity: Identity;
  /** By `Authorization: Bearer`, not by cookie: an app that keeps its tokens itself. */
  readonly bearer: boolean;
}

export function notFound(): Response {
  return problem(404, "not-found", "There is nothing at this address.");
}

/** The room of the path, if there is one and this host is one of its own. */
export function roomOf(c: RoomCall): string | null {
  const { config, url } = c.env;
  const room = c.req.param("room") ?? "";
  const routes = config.rooms.get(room)?.settings.routes ?? [];
  return routes.some(({ host }) => host === "*" || host === url.host) ? room : null;
}

export function visitTo(c: RoomCall, room: string): Visit {
  const { url, config, env } = c.env;
  return visitOf({ request: c.req.raw, url, config, room, client: clientOf(env, config, room), life: c.executionCtx });
}

/**
 * An app that keeps its tokens itself, and has none yet. Says nothing of who it is: what repeats a join is the visitor token alone, so that
 * two apps with the same key never get each other's place.
 */
export function keepsTokens(headers: Headers): boolean {
  return headers.has("Idempotency-Key");
}

/**
 * The visitor who asks; a refusal for unknown rooms, bad bearer tokens, and cookies sent from another site. `may-begin`: an app without any
 * token may ask as well.
 */
export async function askingOf(c: RoomCall, begins?: "may-begin"): Promise<Asking | Response> {
  const room = roomOf(c);
  if (room === null) return notFound();
  const visit = visitTo(c, room);
  const authorization = visit.request.headers.get("Authorization");
  // Any other scheme is the site's: browsers send a password of HTTP Basic along with everything below the site's root.
  if (authorization !== null && /^Bearer\b/i.test(authorization)) {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    const identity = token === undefined ? null : await identityOfTokens(visit, [token], [token]);
    if (identity === null || (identity.pass ?? identity.ticket ?? identity.entry ?? identity.visitor ?? identity.old ?? null) === null) {
      const headers = new Headers({ "WWW-Authenticate": 'Bearer realm="vestibule"' });
      return problem(401, "bad-token", "This token is not one of this room, or its time is over.", { headers });
    }
    return { visit, identity, bearer: true };
  }
  // Cookies come along with requests that other sites cause: those may look, but not act (W4, S13), unless the room names them.
  const { headers } = visit.request;
  const isTrusted = allowedOrigin(headers, visit.client.settings.corsOrigins) !== null;
  if (visit.asked.method === "write" && !isTrusted && isCrossSite(headers, originOf(visit.url))) {
    // No browser: those say where a request comes from, and no form can send this header. And no cookie that could be misused, or lost.
    const isBare = keepsTokens(headers) && !visit.asked.form && !["Cookie", "Origin", "Sec-Fetch-Site"].some((name) => headers.has(name));
    if (begins === "may-begin" && isBare) return { visit, identity: await identify(visit), bearer: true };
    return problem(
      403,
      "cross-site",
      "This may only be asked by the site itself: a same-origin Origin or Sec-Fetch-Site header is missing.",
    );
  }
  return { visit, identity: await identify(visit), bearer: false };
}

/** Largest form of ours: it holds `to`, each character escaped, and perhaps an invitation, bytes. */
const FORM_MAX_BYTES = 16_384;

/** Where a form leads back to: `to` of the query or of the form's body, always an absolute URL of this origin. */
export async function targetOf(c: RoomCall): Promise<string> {
  const { url } = c.env;
  const query = new URLSearchParams(url.search).get("to");
  return query !== null || c.req.raw.method !== "POST" ? safeTarget(query, url) : (await fieldsOf(c)).to;
}

/** The fields of a form of ours. Reads the body: once for each request. */
export async function fieldsOf(c: RoomCall): Promise<{ readonly to: string; readonly invitation: string }> {
  const { url } = c.env;
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(c.req.raw.headers.get("Content-Type") ?? "");
  const body = isForm ? await bodyText(c.req.raw, FORM_MAX_BYTES) : null;
  const fields = new URLSearchParams(body ?? "");
  return { to: safeTarget(fields.get("to"), url), invitation: fields.get(INVITATION_FIELD) ?? "" };
}

/** Lets scripts of the origins that a room names ask its endpoints: answers their preflights, and makes our replies readable to them. */
export async function acrossOrigins(c: RoomCall, answer: () => Promise<Response>): Promise<Response> {
  const room = roomOf(c);
  if (room === null) return answer();
  const { raw } = c.req;
  const client = clientOf(c.env.env, c.env.config, room);
  const origin = raw.headers.get("Origin");
  // Only the Room knows what was changed live, and an origin that was taken off the list acts for nobody.
  if (origin !== null && origin !== originOf(c.env.url)) await client.manifest(c.executionCtx, client.settings.revokeBoundMs);
  const { corsOrigins } = client.settings;
  return preflightReply(raw, corsOrigins) ?? readable(await answer(), raw, corsOrigins);
}
