/**
 * People of the house: the pass of a staff link, outside line and count, in a cookie of its own. Decides nothing about visitors.
 */
import { staffPassCounts } from "../core/staff";
import { TOKEN_MAX_BYTES } from "../core/token";
import type { StaffClaims } from "../core/token-types";
import { cookieName, readCookie, setCookie } from "../http/cookies";
import { signToken } from "../keys";
import { verifyAny } from "../token-checks";
import type { Facts } from "./decide";
import { cookieOptions, nowS, ringOf, type Visit } from "./visit";

/** Does the visit come with a staff pass that counts? */
export function isStaff(visit: Visit, facts: Pick<Facts, "manifest" | "ageMs">): Promise<boolean> | false {
  // Nobody is in nearly every room.
  return visit.client.settings.staffPlaces > 0 && showsPass(visit, facts);
}

async function showsPass(visit: Visit, { manifest, ageMs = 0 }: Pick<Facts, "manifest" | "ageMs">): Promise<boolean> {
  const pass = await staffPassOf(visit);
  return pass !== null && staffPassCounts(pass, manifest, ageMs, visit.client.settings);
}

/** The staff pass that the browser holds, revoked or not. */
export async function staffPassOf(visit: Visit): Promise<StaffClaims | null> {
  const { request, room } = visit;
  const values = readCookie(request.headers.get("Cookie"), cookieName("staff", room, cookieOptions(visit)), TOKEN_MAX_BYTES);
  const checked = await verifyAny(ringOf(visit), "staff", room, values, nowS(visit));
  return checked.as === "valid" && checked.claims.key !== null ? checked.claims : null;
}

/** The cookie line of a pass that a link gave: it lives as long as the link. */
export async function staffCookie(visit: Visit, link: StaffClaims, key: string): Promise<string> {
  const iat = nowS(visit);
  const token = await signToken(ringOf(visit), { ...link, key, iat });
  return setCookie("staff", visit.room, token, cookieOptions(visit), (link.exp - iat) * 1_000);
}
