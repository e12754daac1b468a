/**
 * The public API of AWS Virtual Waiting Room (withdrawn in 2025), for clients made for it: who waits, by a request id, and who goes in.
 * A request id is our own ticket or entry token, so that nobody can make up another's. Nobody enters but by the Room's claim.
 */
import { awsTokens } from "../aws/tokens";
import { type AwsAnswer, failed, noToken, queueNum, queuePosExpiry, servingNum, UNKNOWN_REQUEST, waitingNum } from "../core/aws";
import type { PassGrant } from "../core/exchange";
import { MANIFEST_STALE_MS } from "../core/manifest";
import { originOf, RESERVED_PREFIX } from "../core/safe-target";
import type { Status, VisitorState } from "../core/status";
import { isTrouble, refusalCode } from "../gate/answer";
import { type Identity, placeOf } from "../gate/decide";
import { claimOf, isQuestion, statusOfClaim } from "../gate/enter";
import { identityOfTokens } from "../gate/identify";
import { nowS, passCookie, signEntry, signPass, signTicket, ticketCookie, type Visit, visitorCookie, visitorToken } from "../gate/visit";
import { jsonReply } from "../http/replies";
import { newVisitorKey } from "../keys";
import { askerFor, type Call, callOf, holderOf, shownWith, standing, toReply, UNREACHABLE } from "./aws-call";
import { type AppContext, notFound, roomOf, visitTo } from "./context";
import { joined } from "./visitor";

/** What somebody without a place is answered, by what they are told. `called`: the room is off, and the site needs no number. */
const NO_NUMBER: Readonly<Record<VisitorState, AwsAnswer["code"]>> = {
  ended: 410,
  full: 429,
  refused: 429,
  closed: 429,
  paused: 429,
  lobby: 503,
  drawing: 503,
  joining: 503,
  waiting: 503,
  called: 503,
  returning: 503,
  inside: 503,
  void: 503,
};

/** POST assign_queue_num: a place, or the one that came along. The answer is numbered already, which on AWS took a while. */
export async function postAssign(c: AppContext): Promise<Response> {
  const call = await callOf(c);
  if (call instanceof Response) return call;
  const { visit, isOwn } = call;
  const { place, pass } = shownWith(call);
  const shown = await identityOfTokens(visit, place, pass);
  const isKnown = (shown.pass ?? shown.ticket ?? shown.entry ?? shown.visitor ?? shown.old ?? null) !== null;
  const identity = isKnown ? shown : { ...shown, visitor: newcomer(visit) };
  const standing = await joined({ visit, identity, bearer: true });
  if (standing === "cookie-needed") return toReply(UNREACHABLE);
  const { status, tokens } = standing;
  const id = tokens.ticket ?? tokens.entry ?? (await again(visit, identity, status));
  if (id !== null) return jsonReply({ api_request_id: id }, { setCookies: isOwn ? [ticketCookie(visit, id)] : [] });
  // Whoever is asked for something, or has to come again, does so for the same place.
  const key = isKnown ? null : (identity.visitor?.key ?? null);
  const visitor = key === null || tokens.visitor !== undefined ? tokens.visitor : await visitorToken(visit, key);
  const setCookies = isOwn ? [...standing.setCookies, ...(key === null || tokens.visitor ? [] : [await visitorCookie(visit, key)])] : [];
  const code = refusalCode(status.reason) ?? (isTrouble(status.reason) ? 503 : NO_NUMBER[status.state]);
  const body = { error: `No queue number: ${status.reason ?? status.state}`, ...status, ...tokens, ...(visitor && { visitor }) };
  return jsonReply(body, {
    status: code,
    setCookies,
    ...(status.reason === "challenge" || code === 410 ? {} : { retryAfterS: status.pollAfterMs / 1_000 }),
  });
}

function newcomer({ room, nowMs }: Visit): NonNullable<Identity["visitor"]> {
  const iat = Math.floor(nowMs / 1_000);
  return { kind: "visitor", room, key: newVisitorKey(), iat, exp: iat + 1 };
}

/** The request id of a place that came along and still is one. */
async function again(visit: Visit, identity: Identity, status: Status): Promise<string | null> {
  const place = placeOf(identity);
  if (status.state === "ended" || status.state === "refused") return null;
  if (place !== null) return status.slot === place.slot ? signTicket(visit, place) : null;
  return identity.entry === null ? null : signEntry(visit, identity.entry);
}

/** GET queue_num. Costs no call to the Room; whoever asks counts as seen. */
export async function getQueueNum(c: AppContext): Promise<Response> {
  const holder = await askerFor(c);
  if (holder instanceof Response) return holder;
  const { step } = holder;
  const { ticket } = holder.asking.identity;
  if (step.do === "rejoin" || step.do === "tell-closed") return toReply(UNKNOWN_REQUEST);
  if (step.do === "tell-void" || step.do === "tell-cancelled") return toReply(failed(410, "Queue position is expired"));
  if (ticket !== null) return toReply(queueNum(ticket.slot, ticket.iat, holder.call.eventId));
  const status = await standing(holder);
  return toReply(status === null ? UNKNOWN_REQUEST : failed(202, "Request ID is not numbered yet", status.pollAfterMs));
}

/** GET queue_pos_expiry */
export async function getExpiry(c: AppContext): Promise<Response> {
  const holder = await askerFor(c);
  if (holder instanceof Response) return holder;
  const status = await standing(holder);
  return toReply(status === null ? UNKNOWN_REQUEST : queuePosExpiry(status));
}

/** GET serving_num: the same for everybody, but whoever shows a place, by cookie or `request_id`, counts as seen. */
export async function getServing(c: AppContext): Promise<Response> {
  const call = await callOf(c);
  if (call instanceof Response) return call;
  const { visit, requestId } = call;
  const { place } = shownWith(call);
  const { ticket } = await identityOfTokens(visit, requestId === null ? place : [requestId], []);
  if (ticket !== null) visit.client.sight(ticket, visit.life);
  const manifest = visit.client.newest;
  return toReply(manifest === null ? UNREACHABLE : servingNum(manifest));
}

/** GET waiting_num */
export async function getWaiting(c: AppContext): Promise<Response> {
  const call = await callOf(c);
  if (call instanceof Response) return call;
  const manifest = call.visit.client.newest;
  return toReply(manifest === null ? UNREACHABLE : waitingNum(manifest));
}

/** POST generate_token: the claim. Repeating it is harmless, and brings tokens of a longer end while the visit lasts. */
export async function postToken(c: AppContext): Promise<Response> {
  const call = await callOf(c);
  if (call instanceof Response) return call;
  const holder = await holderOf(call);
  if ("code" in holder) return toReply(holder);
  const { asking, step } = holder;
  const { visit, identity } = asking;
  const place = placeOf(identity);
  if (step.do === "forward-inside" && step.renew === "no") {
    const { generation, slot, serial, iat, exp, end } = step.pass;
    return entered(call, generation, { slot, serial, issuedAtS: iat, expiresAtS: exp, endsAtS: end }, null);
  }
  if (place === null || (step.do !== "claim" && step.do !== "forward-inside")) {
    const status = await standing(holder);
    return toReply(status === null ? UNKNOWN_REQUEST : noToken(status));
  }
  let outcome = await claimOf(visit, place, "enter");
  // Such a client has no button by which to say that it is still the same visitor.
  if (outcome.as === "answered" && isQuestion(outcome.verdict)) outcome = await claimOf(visit, place, "continue");
  if (outcome.as === "answered" && outcome.verdict.as === "restarted") return toReply(UNKNOWN_REQUEST);
  if (outcome.as !== "answered" || outcome.verdict.as !== "entered") return toReply(noToken(statusOfClaim(visit, place, outcome)));
  const grant = outcome.verdict.pass;
  const pass = await signPass(visit, outcome.generation, grant, place.networks);
  return entered(call, outcome.generation, grant, { pass, ticket: await signTicket(visit, place) });
}

/** The tokens, and with them what our own gate wants to see: cookies for the site's own pages, the pass in the JSON for everybody else. */
async function entered(
  { visit, key, eventId, isOwn }: Call,
  generation: number,
  grant: PassGrant,
  fresh: { readonly pass: string; readonly ticket: string } | null,
): Promise<Response> {
  const { slot, issuedAtS, expiresAtS } = grant;
  const issuer = `${originOf(visit.url)}${RESERVED_PREFIX}/rooms/${visit.room}/aws`;
  const tokens = await awsTokens(key, { eventId, generation, slot, issuedAtS, expiresAtS }, issuer, nowS(visit));
  const setCookies = fresh === null || !isOwn ? [] : [ticketCookie(visit, fresh.ticket), passCookie(visit, fresh.pass)];
  return jsonReply({ ...tokens, ...(fresh === null || isOwn ? {} : { pass: fresh.pass }) }, { setCookies });
}

/** GET public_key: one JWK. The same for everybody. */
export async function getPublicKey(c: AppContext): Promise<Response> {
  const call = await callOf(c);
  if (!(call instanceof Response)) return published(call.key.jwk);
  return call.status === 400 ? toReply(failed(404, "Invalid event ID")) : call;
}

/** GET jwks.json: the same as a set, for JWT libraries. */
export async function getJwks(c: AppContext): Promise<Response> {
  const room = roomOf(c);
  if (room === null) return notFound();
  const { client, config, life } = visitTo(c, room);
  await client.manifest(life, MANIFEST_STALE_MS);
  return client.settings.awsEventId === null || config.awsKey === null ? notFound() : published({ keys: [config.awsKey.jwk] });
}

function published(body: unknown): Response {
  const reply = jsonReply(body);
  reply.headers.set("Cache-Control", "public, max-age=60");
  reply.headers.delete("Vary");
  reply.headers.set("Access-Control-Allow-Origin", "*");
  return reply;
}
