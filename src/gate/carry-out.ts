/**
 * Carries out what decide.ts decided: the calls to the Room, the cookies, the reply. The thin shell around the table of DESIGN §5.
 * A request gets through only by a rule of the room, a staff pass, a good pass, an entry that the Room granted, a leased unit, or a room that
 * is off, or, where the operator wants it, as one of the few that an isolate lets in while it cannot reach the Room.
 */

import { isInAppBrowser } from "../core/in-app";
import { MANIFEST_STALE_MS } from "../core/manifest";
import { originOf, RESERVED_PREFIX } from "../core/safe-target";
import {
  closedToNewcomers,
  cookiesNeededStatus,
  doorStatus,
  endedStatus,
  inAppStatus,
  joiningStatus,
  networkRefusedStatus,
} from "../core/status-of";
import { cancelledStatus } from "../core/status-of-event";
import { preflightReply, readable } from "../http/cors";
import { redirectReply } from "../http/replies";
import { signsInVain } from "../keys";
import { admit, NO_COOKIES } from "./admit";
import { answer, pageAnswer, turnAway } from "./answer";
import { isBypassed } from "./bypass";
import { costOfEveryone } from "./challenge";
import { decide, type Facts, type Identity, isOffNow, placeOf, type Step } from "./decide";
import { doorOf, followLink } from "./door";
import { claim, claimOf, join, rejoin, statusOfClaim } from "./enter";
import { renewedLines, settleEntry } from "./entry";
import { held, pending, unreachable, voidStatus, waiting } from "./hold";
import { identify, identityOf } from "./identify";
import { forwardInside } from "./inside";
import { JOIN_WAIT_MS } from "./joining";
import { enterOpen, forwardOpen, letIn, openPassOf } from "./open";
import { settleRevoked } from "./reissue";
import { shadowVisit } from "./shadow";
import { isStaff } from "./staff";
import { askedBy, isApp, isRefused, networkOf, networksOf, nowS, restOf, ringOf, toldOf, type Visit, visitorCookie } from "./visit";

/** The whole way of a request for a room's path. */
export async function answerVisit(visit: Visit): Promise<Response> {
  if (visit.client.settings.mode === "shadow" && (await isInShadow(visit))) return shadowVisit(visit, answered);
  const reply = await answered(visit);
  return readable(reply, visit.request, visit.client.settings.corsOrigins);
}

/** By settings no older than `revoke_bound`, as far as the Room answers: a room that is active again holds people again. */
async function isInShadow({ client, life }: Visit): Promise<boolean> {
  await client.manifest(life, client.settings.revokeBoundMs);
  return client.settings.mode === "shadow";
}

async function answered(visit: Visit): Promise<Response> {
  const { bypassRules } = visit.client.settings;
  if (bypassRules.length > 0 && (await isBypassed(visit))) return admit(visit, { status: "bypass" });
  const led = visit.invitation === null ? null : await followLink(visit);
  if (led !== null) return led;
  const facts: Facts = { ...(await factsOf(visit, await identify(visit))), asked: askedBy(visit) };
  // The first request of an isolate hears of the room's mode and rules on the way.
  if (visit.shadow === undefined && visit.client.settings.mode === "shadow") return shadowVisit(visit, answered);
  const isNewToRules = visit.client.settings.bypassRules !== bypassRules;
  if (isNewToRules && (await isBypassed(visit, bypassRules))) return admit(visit, { status: "bypass" });
  const preflight = isOffNow(facts) ? null : preflightReply(visit.request, visit.client.settings.corsOrigins);
  if (preflight !== null) return preflight;
  if (!isOffNow(facts) && (await isStaff(visit, facts))) return admit(visit, { status: "staff" });
  if (looksLikeCallback(visit, facts.identity)) visit.client.report.notes.callback(visit.request.method, visit.url.path);
  const { identity } = facts;
  const step = decide(facts);
  if (step.do !== "forward-unproven") return carryOut(visit, identity, step);
  if (await visit.client.unproven(networkOf(visit).prefix, visit.life, restOf(visit, JOIN_WAIT_MS)))
    return forwardUnproven(visit, identity);
  return carryOut(visit, identity, decide({ ...facts, ...visit.client.known(), unprovenUsedUp: true }));
}

/** A body without any cookie of ours, and nothing that browsers say of themselves: a server, which a sale would refuse. */
function looksLikeCallback({ asked, request }: Visit, { pass, ticket, entry, visitor }: Identity): boolean {
  const isNobody = (pass ?? ticket ?? entry ?? visitor) === null;
  return asked.method === "write" && request.method !== "OPTIONS" && isNobody && !request.headers.has("Sec-Fetch-Site");
}

/** Most requests have nothing to tell but the first few. */
type Gathered = { -readonly [fact in keyof Omit<Facts, "asked">]: Facts[fact] };

/** All that is decided by, but for what is asked. */
export async function factsOf(visit: Visit, identity: Identity): Promise<Omit<Facts, "asked">> {
  const known = await manifestFor(visit, identity);
  const proven = await settleRevoked(visit, await readAgain(visit, identity));
  const settled = await settleEntry(visit, proven.identity);
  const { client } = visit;
  const facts: Gathered = { ...known, identity: settled.identity, settings: client.settings, nowS: nowS(visit) };
  if (settled.draw !== undefined) facts.draw = settled.draw;
  if (proven.reissue !== undefined) facts.reissue = proven.reissue;
  // Newcomers alone are asked at the door: whoever has a place or an entry never again.
  if (placeOf(settled.identity) === null && settled.identity.entry === null) Object.assign(facts, await factsOfNewcomer(visit));
  if (client.openness !== "shut") {
    facts.open = client.openness;
    facts.openPass = await openPassOf(visit);
  }
  if (networksOf(visit, settled.identity.pass?.claims.networks).moved) facts.moved = true;
  if (signsInVain(ringOf(visit))) facts.signsInVain = true;
  return facts;
}

/** The manifest may have told of a revoked key since the cookies were read. */
function readAgain(visit: Visit, identity: Identity): Promise<Identity> | Identity {
  const { shown } = identity;
  if (shown === undefined || shown.revoked.size === ringOf(visit).revoked.size) return identity;
  return identityOf(visit, shown.cookies);
}

async function factsOfNewcomer(visit: Visit): Promise<Pick<Facts, "door" | "isRefused" | "asksEveryone" | "inApp">> {
  const inApp = isInAppBrowser(visit.request.headers.get("User-Agent"));
  return { door: await doorOf(visit), isRefused: isRefused(visit), asksEveryone: costOfEveryone(visit) > 0, inApp };
}

/**
 * The manifest to decide by. People inside go on by one that is no older than `revoke_bound`; everybody else is answered from a fresh one,
 * which also carries the news of who is still here. `isNew`: the Room made it after this request came.
 */
async function manifestFor(visit: Visit, identity: Identity): Promise<Pick<Facts, "manifest" | "isNew" | "ageMs">> {
  const { client, life } = visit;
  const { pass, ticket, entry, old } = identity;
  if (ticket !== null) client.sight(ticket, life);
  const isInside = pass !== null && !pass.expired;
  let seen = await client.manifest(life, isInside ? client.settings.revokeBoundMs : MANIFEST_STALE_MS);
  const generationOf = (claims: { readonly generation: number } | null | undefined) => claims?.generation ?? 0;
  const newest = Math.max(generationOf(pass?.claims), generationOf(ticket), generationOf(entry), generationOf(old?.claims));
  // Somebody comes from a line that this isolate has not heard of: it may have been reset a moment ago.
  if (seen !== null && newest > seen.manifest.generation) seen = await client.newManifest(life);
  if (seen === null) return { manifest: null };
  return { ...seen, isNew: Date.now() - seen.ageMs >= visit.nowMs };
}

async function forwardUnproven(visit: Visit, identity: Identity): Promise<Response> {
  const wantsCookie = (visit.asked.navigation || isApp(visit)) && identity.visitor === null && !visit.asked.prefetch;
  const lines = wantsCookie ? [await visitorCookie(visit)] : [];
  return admit(visit, { status: "unproven" }, { lines, how: "may" });
}

async function carryOut(visit: Visit, identity: Identity, step: Step): Promise<Response> {
  switch (step.do) {
    case "forward-unproven":
      throw new Error("an unproven request needs a leased unit");
    case "forward-untouched":
      return admit(visit, { status: "untouched" }, NO_COOKIES);
    case "forward-inside":
      return forwardInside(visit, identity, step.pass, step.renew);
    case "forward-open":
      return forwardOpen(visit, step.pass);
    case "enter-open": {
      const pass = await letIn(visit, step);
      return pass === null ? carryOut(visit, identity, step.otherwise) : enterOpen(visit, pass);
    }
    case "claim":
      return claim(visit, identity, step.place);
    case "look":
      return answer(visit, statusOfClaim(visit, step.place, await claimOf(visit, step.place, "look")));
    case "wait":
      visit.client.sight(step.place, visit.life);
      return answer(visit, waiting(visit, step.place), { setCookies: await renewedLines(visit, identity) });
    case "hold":
      visit.client.sightEntry(step.entry);
      return answer(visit, held(visit, step.entry), { setCookies: await renewedLines(visit, identity) });
    case "join":
      return join(visit, identity, step.key, null);
    case "hint-in-app":
      return answer(visit, inAppStatus(toldOf(visit), step.leftMs));
    case "rejoin":
      return rejoin(visit, identity, step.old, step.why);
    case "tell-cancelled":
      return answer(visit, cancelledStatus(toldOf(visit), step.entry));
    case "tell-ended":
      return answer(visit, endedStatus(toldOf(visit), step.place.slot, "session-over"));
    case "tell-pending":
      return answer(visit, pending(visit, step.of));
    case "tell-void":
      return answer(visit, voidStatus(visit, step.of));
    case "tell-door":
      return answer(visit, doorStatus(toldOf(visit), step.why));
    case "tell-network-refused":
      return answer(visit, networkRefusedStatus(toldOf(visit)));
    case "tell-closed":
      return answer(visit, closedToNewcomers(toldOf(visit)) ?? joiningStatus(toldOf(visit)));
    case "cookie-check": {
      const to = encodeURIComponent(`${visit.url.path}${visit.url.search}`);
      return redirectReply(`${originOf(visit.url)}${RESERVED_PREFIX}/check?to=${to}`, [await visitorCookie(visit)]);
    }
    case "cookie-needed":
      return answer(visit, isApp(visit) ? joiningStatus(toldOf(visit)) : cookiesNeededStatus(toldOf(visit)), {
        setCookies: [await visitorCookie(visit)],
      });
    case "tell-form":
      // No cookie here: a cross-site POST hides the visitor's place from us, and a new token would overwrite it.
      return pageAnswer(visit, joiningStatus(toldOf(visit)));
    case "turn-away":
      return turnAway(visit, step.status);
    case "tell-unreachable":
      return answer(visit, unreachable(visit, step.place, identity.entry));
  }
}
