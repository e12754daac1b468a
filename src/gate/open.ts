/**
 * People who go in without the Room, which cannot be reached (`failure_policy = "open"`): the few that this isolate lets in, and the cookie by
 * which their next requests are known, here and at other isolates. Whether the room runs open at all is for core/failure.ts to say.
 */

import { TOKEN_MAX_BYTES } from "../core/token";
import type { OpenClaims } from "../core/token-types";
import { cookieName, readCookie, setCookie } from "../http/cookies";
import { newVisitorKey, signToken } from "../keys";
import { verifyAny } from "../token-checks";
import { admit } from "./admit";
import { turnAway } from "./answer";
import type { Step } from "./decide";
import { isProven } from "./proof";
import { cookieOptions, nowS, ringOf, type Visit } from "./visit";

/** Such a cookie counts for this long, seconds: soon nothing is left of it once the Room is back. It is renewed past half of that. */
const OPEN_LIFE_S = 120;

/** Was this visitor let in by an isolate of ours, a moment ago? At most 8 values are tried, one HMAC each. */
export async function openPassOf(visit: Visit): Promise<OpenClaims | null> {
  const name = cookieName("open", visit.room, cookieOptions(visit));
  const values = readCookie(visit.request.headers.get("Cookie"), name, TOKEN_MAX_BYTES);
  const checked = await verifyAny(ringOf(visit), "open", visit.room, values, nowS(visit));
  return checked.as === "valid" ? checked.claims : null;
}

/** One person more, if it is nobody's turn but chance's; null = as if the room were closed. */
export async function letIn(visit: Visit, { otherwise }: Extract<Step, { do: "enter-open" }>): Promise<OpenClaims | null> {
  const isNewcomer = otherwise.do === "join" || otherwise.do === "rejoin";
  const key = otherwise.do === "join" ? otherwise.key : null;
  if ((isNewcomer && !(await isProven(visit, key))) || !visit.client.letIn()) return null;
  const iat = nowS(visit);
  const end = iat + Math.max(1, Math.floor(visit.client.settings.sessionDurationMs / 1_000));
  return { kind: "open", room: visit.room, key: newVisitorKey(), iat, exp: Math.min(end, iat + OPEN_LIFE_S), end };
}

export async function openCookie(visit: Visit, pass: OpenClaims): Promise<string> {
  const token = await signToken(ringOf(visit), pass);
  return setCookie("open", visit.room, token, cookieOptions(visit), (pass.exp - nowS(visit)) * 1_000);
}

/** The request of somebody who was let in just now: the cookie must reach the browser. */
export async function enterOpen(visit: Visit, pass: OpenClaims): Promise<Response> {
  if (!visit.client.passOpen(pass.key)) return turnAway(visit, 429);
  return admit(visit, { status: "failed-open" }, { lines: [await openCookie(visit, pass)], how: "must" });
}

/** Every later request. */
export async function forwardOpen(visit: Visit, pass: OpenClaims): Promise<Response> {
  if (!visit.client.passOpen(pass.key)) return turnAway(visit, 429);
  const at = nowS(visit);
  const next = { ...pass, iat: at, exp: Math.min(pass.end, at + OPEN_LIFE_S) };
  const isDue = (pass.exp - at) * 2 < OPEN_LIFE_S && next.exp > pass.exp;
  return admit(visit, { status: "failed-open" }, { lines: isDue ? [await openCookie(visit, next)] : [], how: "may" });
}
