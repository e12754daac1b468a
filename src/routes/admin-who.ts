/**
 * Who asks the admin API: the break-glass ADMIN_TOKEN, a token made for somebody, or a log-in of Cloudflare Access. Never a cookie, so no
 * other site can borrow it (W4, F10). Nothing is remembered: a revoked or expired token counts no more from the next request on.
 */
import { roleOf } from "../core/access";
import { ROLES, type Role } from "../core/admin-routes";
import { TOKENS_OBJECT } from "../core/admin-tokens";
import { toBase64url } from "../core/base64url";
import { toHex } from "../core/bytes";
import type { RoomRpc } from "../core/room-rpc";
import { originOf } from "../core/safe-target";
import { checkIdentity } from "../door/identity";
import { isCrossSite } from "../http/navigation";
import { problem } from "../http/replies";
import { sameSecret } from "../keys";
import { callRoom, RoomFailure } from "../room/call";
import type { AppContext } from "./context";

export interface Who {
  /** As the audit log has it. */
  readonly name: string;
  readonly role: Role;
  readonly via: "admin-token" | "token" | "access";
  readonly expires_at: string | null;
}

const DEADLINE_MS = 5_000;
const RETRY_AFTER_S = 3;
const JWKS_REFETCH_MS = 60_000;
const ACCESS_HEADER = "Cf-Access-Jwt-Assertion";
const TOKEN = /^vst-admin\.(\d{1,9})\.([\w-]{22})\.([\w-]{22})$/;

/** Compared in constant time; a wrong token costs nobody else anything (C67, K6, W13). */
export async function whoAsks(c: AppContext): Promise<Who | Response> {
  const { config, url } = c.env;
  const origin = c.req.header("Origin");
  const site = c.req.header("Sec-Fetch-Site");
  if ((origin !== undefined && origin !== originOf(url)) || (site !== undefined && site !== "same-origin" && site !== "none")) {
    return problem(403, "cross-site", "The admin API does not answer pages of other sites.");
  }
  const authorization = c.req.header("Authorization");
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (token !== undefined && (await sameSecret(config.adminToken, token)))
    return { name: "admin token", role: "admin", via: "admin-token", expires_at: null };
  if (token !== undefined) return (await byToken(c, token)) ?? unauthorized();
  const assertion = c.req.header(ACCESS_HEADER);
  // Any other scheme is the site's: browsers send a password of HTTP Basic along with everything.
  const isBearer = /^Bearer\b/i.test(authorization ?? "");
  return !isBearer && assertion !== undefined ? byAccess(c, assertion) : unauthorized();
}

/** May this role do what wants the other? */
export function mayAct(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(wanted);
}

/** The object that keeps tokens. Calls of it are safe to repeat where `retry` is true. */
export function keeper<T>(c: AppContext, call: (rpc: RoomRpc) => Promise<T>, retry: boolean): Promise<T> {
  return callRoom(() => c.env.env.ROOM.getByName(TOKENS_OBJECT), call, { deadlineMs: DEADLINE_MS, retry, random: Math.random });
}

/** A token as it is shown once. Its last part is made with ADMIN_TOKEN: what nobody made costs no call, and with ADMIN_TOKEN all tokens change. */
export async function tokenText(adminToken: string, id: number, secret: string): Promise<string> {
  return `vst-admin.${id}.${secret}.${await tagOf(adminToken, id, secret)}`;
}

export async function hashOf(of: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof of === "string" ? new TextEncoder().encode(of) : of;
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

async function tagOf(adminToken: string, id: number, secret: string): Promise<string> {
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", text.encode(adminToken), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const mac = await crypto.subtle.sign("HMAC", key, text.encode(`vestibule admin token ${id}.${secret}`));
  return toBase64url(new Uint8Array(mac).subarray(0, 16));
}

async function byToken(c: AppContext, token: string): Promise<Who | Response | null> {
  const [, id, secret = "", tag = ""] = TOKEN.exec(token) ?? [];
  if (id === undefined || !(await sameSecret(await tagOf(c.env.config.adminToken, Number(id), secret), tag))) return null;
  const hash = await hashOf(secret);
  try {
    const grant = await keeper(c, (rpc) => rpc.checkToken(Number(id), hash), true);
    return grant && { name: `token ${id}: ${grant.label}`, role: grant.role, via: "token", expires_at: grant.expires_at };
  } catch (error) {
    if (!(error instanceof RoomFailure)) throw error;
    return unchecked("Tokens cannot be checked just now; ADMIN_TOKEN works all the same.");
  }
}

/** A log-in comes along with every request of the browser, so a change must say that it comes from our own pages. */
async function byAccess(c: AppContext, assertion: string): Promise<Who | Response> {
  const { config, url } = c.env;
  const { access } = config;
  if (access === null) return unauthorized();
  if (c.req.method !== "GET" && isCrossSite(c.req.raw.headers, originOf(url)))
    return problem(403, "cross-site", "A change by a log-in of Access must come from the console: a same-origin Origin is missing.");
  const settings = {
    cookie: null,
    header: null,
    loginUrl: null,
    issuer: access.issuer,
    audience: access.audience,
    claim: "email",
    jwksUrl: `${access.issuer}/cdn-cgi/access/certs`,
    jwksRefetchMs: JWKS_REFETCH_MS,
  };
  const nowS = Math.floor(Date.now() / 1_000);
  const checked = await checkIdentity(assertion, { settings, sharedKeys: [], nowS, life: c.executionCtx });
  if (checked === "identity-unchecked") return unchecked("The log-in cannot be checked just now: the keys of Access cannot be fetched.");
  if (typeof checked === "string") return unauthorized();
  const role = roleOf(access, checked.subject);
  if (role === null) return problem(403, "role-too-low", "ACCESS.roles gives this address no role.");
  return { name: checked.subject, role, via: "access", expires_at: null };
}

function unchecked(detail: string): Response {
  return problem(503, "access-unchecked", detail, { retryAfterS: RETRY_AFTER_S });
}

function unauthorized(): Response {
  const headers = new Headers({ "WWW-Authenticate": 'Bearer realm="vestibule admin"' });
  const detail = "The admin API needs the header Authorization: Bearer <token>, with ADMIN_TOKEN or a token made for you.";
  return problem(401, "unauthorized", detail, { headers });
}
