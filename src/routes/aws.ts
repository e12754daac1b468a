/**
 * The public API of AWS Virtual Waiting Room (withdrawn in 2025), for clients made for it: who waits, by a request id, and who goes in.
 * A request id is our own ticket or entry token, so that nobody can make up another's. Nobody enters but by the Room's claim.
 */

import { type AwsKey, awsTokens } from "../aws/tokens";
import {
  AWS_BODY_MAX_BYTES,
  type AwsAnswer,
  failed,
  noToken,
  queueNum,
  queuePosExpiry,
  servingNum,
  UNKNOWN_REQUEST,
  waitingNum,
  wrongEvent,
} from "../core/aws";
import type { PassGrant } from "../core/exchange";
import { MANIFEST_STALE_MS } from "../core/manifest";
import { originOf, RESERVED_PREFIX } from "../core/safe-target";
import type { Status, VisitorState } from "../core/status";
import { endedStatus, insideStatus, roomOffStatus } from "../core/status-of";
import { cancelledStatus } from "../core/status-of-event";
import { isTrouble, refusalCode } from "../gate/answer";
import { factsOf } from "../gate/carry-out";
import { decide, type Identity, type PlainStep, placeOf } from "../gate/decide";
import { claimOf, isQuestion, statusOfClaim } from "../gate/enter";
import { held, pending, unreachable, voidStatus, waiting } from "../gate/hold";
import {
  identityOf,
  nowS,
  passCookie,
  ringOf,
  signEntry,
  signPass,
  signTicket,
  ticketCookie,
  toldOf,
  type Visit,
  visitorCookie,
  visitorToken,
} from "../gate/visit";
import { readRoomCookies } from "../http/cookies";
import { allowedOrigin } from "../http/cors";
import { isCrossSite } from "../http/navigation";
import { jsonReply, type ReplyInit } from "../http/replies";
import { newVisitorKey, signsInVain } from "../keys";
import { bodyText } from "./body";
import { type AppContext, type Asking, notFound, roomOf, visitTo } from "./context";
import { LOOKS } from "./standing";
import { askerOf, joined } from "./visitor";

const RETRY_AFTER_MS = 3_000;
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
const UNREACHABLE = failed(503, "The room does not answer just now", RETRY_AFTER_MS);

interface Call {
  readonly visit: Visit;
  readonly eventId: string;
  readonly key: AwsKey;
  readonly event: unknown;
  readonly requestId: string | null;
  /** Asked by the site's own pages, or an origin that the room names: our cookies are read, and set. */
  readonly isOwn: boolean;
}

/** A call of a room that has the API; a refusal for every other room, and for another event. */
async function callOf(c: AppContext): Promise<Call | Response> {
  const room = roomOf(c);
  if (room === null) return notFound();
  const visit = visitTo(c, room);
  // Only the Room knows what was changed live.
  const seen = await visit.client.manifest(visit.life, MANIFEST_STALE_MS);
  const eventId = visit.client.settings.awsEventId;
  const key = visit.config.awsKey;
  if (eventId === null || key === null) return notFound();
  const given = c.req.method === "POST" ? await fieldsOf(visit.request) : Object.fromEntries(new URLSearchParams(visit.url.search));
  const { headers } = visit.request;
  const isOwn = allowedOrigin(headers, visit.client.settings.corsOrigins) !== null || !isCrossSite(headers, originOf(visit.url));
  // A browser on another site's page: whoever owns that page could make places in its visitors' names, and from their networks.
  const isForeign = !isOwn && (headers.has("Origin") || headers.has("Sec-Fetch-Site"));
  if (isForeign && c.req.method === "POST") return toReply(failed(403, "This origin is not one of cors_origins"));
  const { event_id: event, request_id: requestId } = given;
  const call = { visit, eventId, key, event, requestId: typeof requestId === "string" && requestId !== "" ? requestId : null, isOwn };
  const wrong = wrongEvent(event, eventId);
  if (wrong !== null) return toReply(wrong);
  // Without a key of ours to sign with there is nothing to give out.
  const isInVain = c.req.method === "POST" && signsInVain(ringOf(visit));
  return seen === null || isInVain ? toReply(UNREACHABLE) : call;
}

/** The members of a JSON body; none of anything else. */
async function fieldsOf(request: Request): Promise<Readonly<Record<string, unknown>>> {
  try {
    const body: unknown = JSON.parse((await bodyText(request, AWS_BODY_MAX_BYTES)) ?? "");
    return typeof body === "object" && body !== null ? Object.fromEntries(Object.entries(body)) : {};
  } catch {
    return {};
  }
}

function toReply({ code, body, retryAfterMs }: AwsAnswer, init: ReplyInit = {}): Response {
  return jsonReply(body, { ...init, status: code, ...(retryAfterMs === undefined ? {} : { retryAfterS: retryAfterMs / 1_000 }) });
}

/** What came along besides a request id: `Authorization: Bearer`, and cookies where they may count. */
function shownWith({ visit, isOwn }: Call): { readonly place: readonly string[]; readonly pass: readonly string[] } {
  const { request, url, client, room } = visit;
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
  if (bearer !== undefined) return { place: [bearer], pass: [bearer] };
  if (!isOwn) return { place: [], pass: [] };
  return readRoomCookies(request.headers.get("Cookie"), room, url.protocol === "https:", client.settings);
}

/** POST assign_queue_num: a place, or the one that came along. The answer is numbered already, which on AWS took a while. */
export async function postAssign(c: AppContext): Promise<Response> {
  const call = await callOf(c);
  if (call instanceof Response) return call;
  const { visit, isOwn } = call;
  const { place, pass } = shownWith(call);
  const shown = await identityOf(visit, place, pass);
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

interface Holder {
  readonly call: Call;
  readonly asking: Asking;
  readonly step: PlainStep;
}

/** Whoever shows the request id, and what the gate would do with them; nobody is somebody without a place. */
async function holderOf(call: Call): Promise<Holder | AwsAnswer> {
  const { visit, requestId } = call;
  if (requestId === null) return failed(400, "Missing request ID");
  const shown = await identityOf(visit, [requestId], shownWith(call).pass);
  const facts = await factsOf(visit, { ...shown, pass: null });
  const { ticket } = facts.identity;
  const own = shown.pass?.claims;
  // A pass that came along goes with this place, or with none.
  const isSame = ticket !== null && own !== undefined && own.generation === ticket.generation && own.slot === ticket.slot;
  const identity = { ...facts.identity, pass: isSame ? shown.pass : null };
  const step = decide({ ...facts, identity, asked: LOOKS, unprovenUsedUp: true });
  return { call, asking: { visit, identity, bearer: true }, step: step.do === "enter-open" ? step.otherwise : step };
}

/** Whoever asks where they stand, unless they ask too often, as with `status`. */
async function askerFor(c: AppContext): Promise<Holder | Response> {
  const call = await callOf(c);
  if (call instanceof Response) return call;
  const holder = await holderOf(call);
  if ("code" in holder) return toReply(holder);
  const { visit } = call;
  const asker = askerOf(holder.asking.identity);
  const waitMs = asker === null ? 0 : visit.client.polls.take(asker, visit.nowMs);
  return waitMs > 0 ? toReply(failed(429, "Asked too often: once a second is enough", waitMs)) : holder;
}

/** Where the holder stands; nobody enters by it, and no place is made. null = in a line that is no more. */
async function standing({ asking: { visit, identity }, step }: Holder): Promise<Status | null> {
  const told = toldOf(visit);
  switch (step.do) {
    case "wait":
      visit.client.sight(step.place, visit.life);
      return waiting(visit, step.place);
    case "hold":
      visit.client.sightEntry(step.entry);
      return held(visit, step.entry);
    case "claim":
    case "look": {
      const outcome = await claimOf(visit, step.place, "look");
      const isGone = outcome.as === "answered" && outcome.verdict.as === "restarted";
      return isGone ? null : statusOfClaim(visit, step.place, outcome);
    }
    case "forward-inside":
      return insideStatus(told, step.pass.slot);
    case "forward-untouched":
      return roomOffStatus(told, placeOf(identity)?.slot ?? null);
    case "rejoin":
      return step.why === "restarted" ? null : endedStatus(told, null, "session-over");
    case "tell-ended":
      return endedStatus(told, step.place.slot, "session-over");
    case "tell-pending":
      return pending(visit, step.of);
    case "tell-void":
      return voidStatus(visit, step.of);
    case "tell-cancelled":
      return cancelledStatus(told, step.entry);
    case "tell-unreachable":
      return unreachable(visit, step.place, identity.entry);
    case "forward-open":
    case "forward-unproven":
    case "join":
    case "hint-in-app":
    case "tell-door":
    case "tell-network-refused":
    case "tell-closed":
    case "cookie-check":
    case "cookie-needed":
    case "tell-form":
    case "turn-away":
      return null;
  }
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
  const { ticket } = await identityOf(visit, requestId === null ? place : [requestId], []);
  if (ticket !== null) visit.client.sight(ticket, visit.life);
  const manifest = visit.client.known()?.manifest;
  return toReply(manifest === undefined ? UNREACHABLE : servingNum(manifest));
}

/** GET waiting_num */
export async function getWaiting(c: AppContext): Promise<Response> {
  const call = await callOf(c);
  if (call instanceof Response) return call;
  const manifest = call.visit.client.known()?.manifest;
  return toReply(manifest === undefined ? UNREACHABLE : waitingNum(manifest));
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
