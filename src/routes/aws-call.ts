/**
 * One call of the API of AWS Virtual Waiting Room: whether the room has it, who asks, and where they stand. Nobody enters by it, and no place
 * is made.
 */
import type { AwsKey } from "../aws/tokens";
import { AWS_BODY_MAX_BYTES, type AwsAnswer, failed, wrongEvent } from "../core/aws";
import { MANIFEST_STALE_MS } from "../core/manifest";
import { originOf } from "../core/safe-target";
import type { Status } from "../core/status";
import { endedStatus, insideStatus, roomOffStatus } from "../core/status-of";
import { cancelledStatus } from "../core/status-of-event";
import { factsOf } from "../gate/carry-out";
import { decide, type PlainStep, placeOf } from "../gate/decide";
import { claimOf, statusOfClaim } from "../gate/enter";
import { held, pending, unreachable, voidStatus, waiting } from "../gate/hold";
import { identityOfTokens } from "../gate/identify";
import { ringOf, toldOf, type Visit } from "../gate/visit";
import { readRoomCookies } from "../http/cookies";
import { allowedOrigin } from "../http/cors";
import { isCrossSite } from "../http/navigation";
import { jsonReply, type ReplyInit } from "../http/replies";
import { signsInVain } from "../keys";
import { bodyText } from "./body";
import { type AppContext, type Asking, notFound, roomOf, visitTo } from "./context";
import { LOOKS } from "./standing";
import { askerOf } from "./visitor";

const RETRY_AFTER_MS = 3_000;
export const UNREACHABLE = failed(503, "The room does not answer just now", RETRY_AFTER_MS);

export interface Call {
  readonly visit: Visit;
  readonly eventId: string;
  readonly key: AwsKey;
  readonly event: unknown;
  readonly requestId: string | null;
  /** Asked by the site's own pages, or an origin that the room names: our cookies are read, and set. */
  readonly isOwn: boolean;
}

/** A call of a room that has the API; a refusal for every other room, and for another event. */
export async function callOf(c: AppContext): Promise<Call | Response> {
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

export function toReply({ code, body, retryAfterMs }: AwsAnswer, init: ReplyInit = {}): Response {
  return jsonReply(body, { ...init, status: code, ...(retryAfterMs === undefined ? {} : { retryAfterS: retryAfterMs / 1_000 }) });
}

/** What came along besides a request id: `Authorization: Bearer`, and cookies where they may count. */
export function shownWith({ visit, isOwn }: Call): { readonly place: readonly string[]; readonly pass: readonly string[] } {
  const { request, url, client, room } = visit;
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
  if (bearer !== undefined) return { place: [bearer], pass: [bearer] };
  if (!isOwn) return { place: [], pass: [] };
  return readRoomCookies(request.headers.get("Cookie"), room, url.protocol === "https:", client.settings);
}

interface Holder {
  readonly call: Call;
  readonly asking: Asking;
  readonly step: PlainStep;
}

/** Whoever shows the request id, and what the gate would do with them; nobody is somebody without a place. */
export async function holderOf(call: Call): Promise<Holder | AwsAnswer> {
  const { visit, requestId } = call;
  if (requestId === null) return failed(400, "Missing request ID");
  const shown = await identityOfTokens(visit, [requestId], shownWith(call).pass);
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
export async function askerFor(c: AppContext): Promise<Holder | Response> {
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
export async function standing({ asking: { visit, identity }, step }: Holder): Promise<Status | null> {
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
