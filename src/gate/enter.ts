/**
 * Claims and joins: what the Room answers about a place, turned into an entry, a page or JSON. No decision of its own but
 * "the place is gone through no act of the visitor: take the one that follows", at most once per request.
 */
import type { ClaimIntent, ClaimVerdict, PassGrant, RenewVerdict } from "../core/exchange";
import type { Status } from "../core/status";
import { claimStatus, waitingStatus } from "../core/status-of";
import type { Networks } from "../core/token-types";
import type { Outcome } from "../room-client";
import { admitted, send } from "./admit";
import { answer } from "./answer";
import { obey } from "./commands";
import type { Former, Identity, Place } from "./decide";
import { givenBy, renewedLines } from "./entry";
import { held } from "./hold";
import { askForPlace, type FollowWhy, type GoneWhy, troubleOf } from "./joining";
import {
  isApp,
  keyAfter,
  networkOf,
  networksOf,
  passCookie,
  signPass,
  signTicket,
  ticketCookie,
  toldOf,
  type Visit,
  withoutCookie,
} from "./visit";

/** Longer than one exchange takes at worst, ms. */
export const CLAIM_WAIT_MS = 3_500;

const NOBODY: Identity = { pass: null, ticket: null, entry: null, visitor: null };

/** Puts a claim and waits for its verdict. `extend`: a look that asks for more time. */
export function claimOf(visit: Visit, place: Place, intent: ClaimIntent | "extend"): Promise<Outcome<ClaimVerdict>> {
  const { slot, serial, joinedAtS } = place;
  const { tag } = networkOf(visit);
  const moved = networksOf(visit, place.networks).moved && { moved: true as const };
  const wish = intent === "extend" ? ({ intent: "look", extend: true } as const) : { intent };
  return visit.client.claim({ slot, serial, tag, joinedAtS, ...wish, ...moved }, place.generation, visit.life, CLAIM_WAIT_MS);
}

/** What the answer to a claim says of this place; without an answer the place is kept, and said to be. */
export function statusOfClaim(visit: Visit, place: Place, outcome: Outcome<ClaimVerdict>): Status {
  const told = toldOf(visit, place);
  if (outcome.as === "answered") return claimStatus(told, place.slot, outcome.verdict, place.serial > 0);
  return waitingStatus(told, place.slot, troubleOf(outcome));
}

/** The turn may have come: enter, or say why not. `carried`: cookie lines that this reply owes already. */
export async function claim(
  visit: Visit,
  identity: Identity,
  place: Place,
  carried: readonly string[] = [],
  isNew = false,
): Promise<Response> {
  let outcome = await claimOf(visit, place, "enter");
  // An app has no button by which to say that it is still the same visitor.
  if (outcome.as === "answered" && isQuestion(outcome.verdict) && isApp(visit)) outcome = await claimOf(visit, place, "continue");
  if (outcome.as === "answered" && outcome.verdict.as === "entered") {
    return enter(visit, outcome.generation, outcome.verdict.pass, await ticketLines(visit, identity, place, carried), place.networks);
  }
  const gone = outcome.as === "answered" && !isNew ? followWhy(visit, identity, place, outcome.verdict) : null;
  if (gone !== null) return rejoin(visit, identity, place, gone);
  const setCookies = carried.length > 0 ? carried : await renewedLines(visit, identity);
  return answer(visit, statusOfClaim(visit, place, outcome), { setCookies });
}

/** Did the place end through no act of the visitor? By what the newest manifest says, which came with the verdict. */
export function goneWhy(visit: Visit, identity: Identity, place: Place, verdict: ClaimVerdict | RenewVerdict): GoneWhy | null {
  if (verdict.as === "restarted") return "restarted";
  const manifest = visit.client.newest;
  const pass = identity.pass?.claims;
  if (verdict.as !== "ended" || manifest === null || pass === undefined) return null;
  const isOfPlace = pass.generation === place.generation && pass.slot === place.slot;
  return isOfPlace && pass.iat < manifest.endSessionsBefore ? "sessions-ended" : null;
}

/** Is it only asked whether it is still the same visitor (`bind_network`)? */
export function isQuestion(verdict: ClaimVerdict | RenewVerdict): boolean {
  return verdict.as === "void" && verdict.moved === true;
}

/** The same, and what ends a place for an app. A void pass too: who holds it goes to the end of the line, whoever took the session over stays. */
export function followWhy(visit: Visit, identity: Identity, place: Place, verdict: ClaimVerdict | RenewVerdict): FollowWhy | null {
  const isOver = verdict.as === "ended" || (verdict.as === "void" && !isQuestion(verdict));
  return goneWhy(visit, identity, place, verdict) ?? (isOver && isApp(visit) ? "over" : null);
}

/** One fresh place instead of one that is gone. */
export async function rejoin(visit: Visit, identity: Identity, old: Former, why: FollowWhy): Promise<Response> {
  return join(visit, identity, await keyAfter(visit.room, old), why, old);
}

/** A new place; straight in if the room is quiet. `why` and `old`: of the place that it follows. */
export async function join(
  visit: Visit,
  identity: Identity,
  key: string,
  why: FollowWhy | null,
  old: Former | null = null,
): Promise<Response> {
  const { client, asked } = visit;
  const place = await askForPlace(visit, { key, enter: true, navigation: asked.navigation, why, old });
  if (place.as === "told") return answer(visit, place.status, { setCookies: place.setCookies });
  const { verdict, generation } = place;
  const told = toldOf(visit);
  const given = await givenBy(visit, verdict, generation);
  const own = [ticketCookie(visit, given.token), ...place.setCookies];
  if (verdict.as === "entered") return enter(visit, generation, verdict.pass, own);
  const lines = identity.pass === null ? own : [...own, withoutCookie(visit, "pass")];
  const news = why === "restarted" ? why : null;
  if (given.as === "entry") return answer(visit, held(visit, given.entry, news), { setCookies: lines });
  const { slot } = given.place;
  // A key that is known already may lead to a place whose turn has come.
  const isCalled = told.manifest !== null && told.manifest.generation === generation && slot < told.manifest.admittedEpoch;
  if (isCalled && (asked.method === "read" || isApp(visit))) return claim(visit, NOBODY, given.place, lines, true);
  client.sight(given.place, visit.life);
  return answer(visit, waitingStatus(toldOf(visit, given.place), slot, news), { setCookies: lines });
}

async function enter(visit: Visit, generation: number, pass: PassGrant, lines: readonly string[], former?: Networks): Promise<Response> {
  const own = passCookie(visit, await signPass(visit, generation, pass, former));
  // The one cookie line for the pass: an older one that clears it must not come after.
  const others = lines.filter((line) => !line.startsWith(own.slice(0, own.indexOf("=") + 1)));
  const { slot, serial, issuedAtS, expiresAtS, endsAtS } = pass;
  const reply = await send(visit, admitted(generation, slot, expiresAtS, endsAtS));
  const session = { generation, slot, serial, iat: issuedAtS, isRenewed: true };
  return obey(visit, reply, session, { lines: [...others, own], how: "must" });
}

/** A visitor known by an old pass alone gets the ticket again. */
async function ticketLines(visit: Visit, identity: Identity, place: Place, carried: readonly string[]): Promise<readonly string[]> {
  if (carried.length > 0) return carried;
  const { networks, moved } = networksOf(visit, place.networks);
  const isBound = moved && visit.client.settings.bindNetwork === "ticket";
  if (identity.ticket !== null && !isBound) return renewedLines(visit, identity);
  // The Room has let it in: the network of this request is its own now.
  return [ticketCookie(visit, await signTicket(visit, { ...place, ...(networks && { networks }) }))];
}
