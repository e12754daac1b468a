/**
 * Requests of people who are inside: forwarded by their pass, renewed beside or before (DESIGN §5, rows "pass").
 * Without an answer of the Room they go on until their pass ends (P11).
 */
import type { RenewRequest, RenewVerdict } from "../core/exchange";
import { claimStatus } from "../core/status-of";
import type { PassClaims } from "../core/token-types";
import { signsInVain } from "../keys";
import { within } from "../room/wait";
import type { Outcome } from "../room-client";
import { admitted, type Cookies, NO_COOKIES, send, withCookies } from "./admit";
import { answer, turnAway } from "./answer";
import { obey, type Session } from "./commands";
import type { Identity, Place } from "./decide";
import { claim, followWhy, isQuestion, rejoin } from "./enter";
import { isApp, networkOf, networksOf, passCookie, ringOf, signPass, toldOf, type Visit } from "./visit";

const RENEW_FIRST_WAIT_MS = 2_000;
/** A renewal beside a request may hold its reply back this long, ms; at most once in `pass_refresh_seconds`. */
const RENEW_GRACE_MS = 250;

type Refusal = Exclude<RenewVerdict, { as: "renewed" | "current" }>;

export async function forwardInside(
  visit: Visit,
  identity: Identity,
  pass: PassClaims,
  renew: "no" | "beside" | "first",
): Promise<Response> {
  const how = admitted(pass.generation, pass.slot, pass.exp, pass.end);
  if (renew === "no") {
    const reply = await send(visit, how);
    return reply.commands.length === 0 ? reply.response : obey(visit, reply, sessionOf(pass, null), NO_COOKIES);
  }
  const { slot, serial } = pass;
  const moved = networksOf(visit, pass.networks).moved && { moved: true as const };
  const request = { slot, serial, tag: networkOf(visit).tag, ...moved };
  // What an earlier request with this pass asked, and the Room has answered since.
  const known = visit.client.lateRenewal(request, pass.generation);
  const renewing = known === null ? visit.client.renew(request, pass.generation, visit.life, RENEW_FIRST_WAIT_MS) : Promise.resolve(known);
  if (renew === "first" || known !== null) {
    const outcome = await renewing;
    const refusal = refusalOf(outcome);
    if (refusal !== null) return refuse(visit, identity, pass, refusal);
    return obey(visit, await send(visit, how), sessionOf(pass, outcome), await cookiesOf(visit, pass, outcome));
  }
  const reply = await send(visit, how);
  const outcome = await within(renewing, RENEW_GRACE_MS, { as: "late" as const });
  if (outcome.as === "late") visit.life.waitUntil(keepLate(visit, request, pass.generation, renewing));
  const refusal = refusalOf(outcome);
  // The site has seen the request; what it says is held back only where nothing was changed by it.
  if (refusal !== null && visit.asked.method !== "write" && reply.response.status !== 101) {
    await reply.response.body?.cancel();
    return refuse(visit, identity, pass, refusal);
  }
  // Whose pass is good no longer has no visit that the site could end.
  if (refusal !== null) return withCookies(visit, reply, NO_COOKIES);
  return obey(visit, reply, sessionOf(pass, outcome.as === "late" ? null : outcome), await cookiesOf(visit, pass, outcome));
}

/** By the newest pass that this request has, which is the one that its reply brings. */
function sessionOf(pass: PassClaims, outcome: Outcome<RenewVerdict> | null): Session {
  const { generation, slot, serial, iat, networks } = pass;
  const isRenewed = outcome?.as === "answered" && outcome.verdict.as === "renewed";
  return { generation, slot, serial: isRenewed ? outcome.verdict.pass.serial : serial, iat, isRenewed, ...(networks && { networks }) };
}

/** The reply has gone: the next request with this pass is told. */
async function keepLate(
  { client }: Visit,
  request: Omit<RenewRequest, "ageMs">,
  generation: number,
  renewing: Promise<Outcome<RenewVerdict>>,
): Promise<void> {
  client.renewedTooLate(request, generation, await renewing);
}

function refusalOf(outcome: Outcome<RenewVerdict>): Refusal | null {
  if (outcome.as !== "answered" || outcome.verdict.as === "renewed" || outcome.verdict.as === "current") return null;
  return outcome.verdict;
}

async function cookiesOf(visit: Visit, pass: PassClaims, outcome: Outcome<RenewVerdict>): Promise<Cookies> {
  if (outcome.as !== "answered" || outcome.verdict.as !== "renewed") return NO_COOKIES;
  // The Room's answer may have revoked the key that signs here; the site has seen the request, and its reply must get through.
  if (signsInVain(ringOf(visit))) return NO_COOKIES;
  return { lines: [passCookie(visit, await signPass(visit, outcome.generation, outcome.verdict.pass, pass.networks))], how: "may" };
}

/** The pass is good no longer: back in if it only slept, else told why, or given the place that follows. */
async function refuse(visit: Visit, identity: Identity, pass: PassClaims, refusal: Refusal): Promise<Response> {
  // Nobody looks: a browser would show a page that it fetched ahead in place of the site.
  if (visit.asked.method === "head" || visit.asked.prefetch) return turnAway(visit, 503);
  const { generation, slot, serial } = pass;
  const ticket = identity.ticket;
  const isSame = ticket !== null && ticket.generation === generation && ticket.slot === slot;
  const place: Place = {
    generation,
    slot,
    serial,
    joinedAtS: isSame ? ticket.iat : pass.iat,
    ...(pass.networks && { networks: pass.networks }),
  };
  const mayEnter = visit.asked.method === "read" || isApp(visit);
  if (refusal.as === "lapsed" || (isQuestion(refusal) && isApp(visit))) {
    return mayEnter ? claim(visit, identity, place) : answer(visit, claimStatus(toldOf(visit), slot, { as: "waiting" }, true));
  }
  const gone = followWhy(visit, identity, place, refusal);
  if (gone !== null && mayEnter) return rejoin(visit, identity, place, gone);
  return answer(visit, claimStatus(toldOf(visit), slot, refusal, true));
}
