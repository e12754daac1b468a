/**
 * Does a bypass rule of the room let this request through without a place? Shows the request to the rules (core/bypass.ts) and checks the
 * secrets that they ask for. Reads no cookie of ours and makes nothing; whoever is let through by it is counted nowhere (P1).
 */
import { type BypassFacts, type CompiledRule, compileRules, rulesFor } from "../core/bypass";
import { BYPASS_HEADER, BYPASS_TOKEN_HEADER, bypassText, readBypassHeader } from "../core/bypass-signature";
import type { BypassRule } from "../core/settings-types";
import { readCookie } from "../http/cookies";
import { sameSecret, verifyBypass } from "../keys";
import { isOffNow } from "./decide";
import { nowS, type Visit } from "./visit";

/** Cookies of the site may be longer than ours, bytes. */
const COOKIE_MAX_BYTES = 4_096;
/** Rules are compiled once for each revision of the settings. */
const compiled = new WeakMap<readonly BypassRule[], readonly CompiledRule[]>();

/**
 * By rules no older than `revoke_bound`, as far as the Room answers. A room that is off asks nobody for a rule: everybody goes untouched.
 * @param known what was decided by already; the answer is the same unless the rules have changed since. null = nothing
 */
export async function isBypassed(visit: Visit, known: readonly BypassRule[] | null = null): Promise<boolean> {
  const { client, life } = visit;
  const first = client.settings.bypassRules;
  if (first === known || !(await meetsRule(visit, first))) return false;
  // A rule may have been taken back: it is acted on only by settings that are not older than that may be.
  await client.manifest(life, client.settings.revokeBoundMs);
  const { settings } = client;
  if (isOffNow({ manifest: null, ...client.known(), settings })) return false;
  return settings.bypassRules === first || meetsRule(visit, settings.bypassRules);
}

async function meetsRule(visit: Visit, rules: readonly BypassRule[]): Promise<boolean> {
  if (rules.length === 0) return false;
  const list = compiled.get(rules) ?? compileRules(rules);
  compiled.set(rules, list);
  for (const rule of rulesFor(list, factsFor(visit))) if (await showsSecrets(visit, rule)) return true;
  return false;
}

function factsFor({ request, url }: Visit): BypassFacts {
  const { headers } = request;
  return {
    url,
    method: request.method,
    // Cloudflare writes both itself; elsewhere they are only as good as whoever wrote them (docs).
    ip: headers.get("CF-Connecting-IP"),
    verifiedBot: (request as { cf?: { botManagement?: { verifiedBot?: unknown } } }).cf?.botManagement?.verifiedBot === true,
    cookie: (name) => readCookie(headers.get("Cookie"), name, COOKIE_MAX_BYTES),
  };
}

async function showsSecrets(visit: Visit, { signedBy, tokenOf, cookie }: BypassRule): Promise<boolean> {
  const { request, config } = visit;
  if (signedBy !== null && !(await isSignedBy(visit, signedBy))) return false;
  if (tokenOf !== null) {
    const secret = config.bypassKeys.get(tokenOf);
    const token = request.headers.get(BYPASS_TOKEN_HEADER);
    if (secret === undefined || token === null || !(await sameSecret(secret, token))) return false;
  }
  if (cookie === null || cookie.value === null) return true;
  for (const value of readCookie(request.headers.get("Cookie"), cookie.name, COOKIE_MAX_BYTES)) {
    if (await sameSecret(cookie.value, value)) return true;
  }
  return false;
}

async function isSignedBy(visit: Visit, key: string): Promise<boolean> {
  const { request, url, config } = visit;
  const shown = readBypassHeader(request.headers.get(BYPASS_HEADER), nowS(visit));
  const secret = config.bypassKeys.get(key);
  if (shown === null || shown.key !== key || secret === undefined) return false;
  return verifyBypass(secret, bypassText(shown.atS, request.method, url.authority, `${url.path}${url.search}`), shown.mac);
}
