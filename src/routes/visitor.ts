/**
 * Endpoints about one visitor: status, join, claim, leave, continue (DESIGN §9). Apps get JSON; the page's own forms, which work
 * without scripts, get a redirect back to where the visitor wanted to go.
 */
import type { ClaimIntent } from "../core/exchange";
import { originOf, RESERVED_PREFIX } from "../core/safe-target";
import type { Status } from "../core/status";
import { claimStatus, cookiesNeededStatus, endedStatus, waitingStatus } from "../core/status-of";
import { leftLobbyStatus } from "../core/status-of-event";
import { isTrouble, jsonAnswer, pageAnswer, refusalCode } from "../gate/answer";
import { factsOf } from "../gate/carry-out";
import { type Identity, type Place, placeOf } from "../gate/decide";
import { CLAIM_WAIT_MS, claimOf, statusOfClaim } from "../gate/enter";
import { renewedToken } from "../gate/entry";
import { pending } from "../gate/hold";
import { troubleOf } from "../gate/joining";
import {
  keyAfter,
  passCookie,
  signPass,
  signTicket,
  ticketCookie,
  toldOf,
  visitorCookie,
  visitorToken,
  withoutCookie,
} from "../gate/visit";
import { jsonReply, problem, redirectReply } from "../http/replies";
import { newVisitorKey } from "../keys";
import { type AppContext, type Asking, askingOf, keepsTokens, type RoomCall, targetOf } from "./context";
import { follow } from "./follow";
import { newPlace, only, renewing, type Standing, standingAfter, standingOf, stepOf } from "./standing";

/** GET status */
export async function getStatus(c: RoomCall): Promise<Response> {
  const asking = await askingOf(c);
  if (asking instanceof Response) return asking;
  const asker = askerOf(asking.identity);
  const waitMs = damped(asking, asker);
  if (waitMs > 0) return problem(429, "too-often", "Asked too often: once a second is enough.", { retryAfterS: waitMs / 1_000 });
  const standing = await standingOf(asking);
  return follow(asking, standing, asker) ?? reply(asking, standing);
}

/** For how long this visitor should not ask, ms. By the place, whatever the address; who shows no token costs nothing that could be spared. */
function damped({ visit }: Asking, key: string | null): number {
  return key === null ? 0 : visit.client.polls.take(key, visit.nowMs);
}

/** One text for each place, entry or visitor token: all tabs and addresses that show it are one asker. */
export function askerOf({ pass, ticket, entry, visitor, old }: Identity): string | null {
  const slot = ticket ?? pass?.claims ?? null;
  if (slot !== null) return `slot ${slot.generation}.${slot.slot}`;
  if (entry !== null) return `entry ${entry.generation}.${entry.draw}.${entry.entry}`;
  // Of a revoked key: it may be anybody's, and must not slow down whose place it names.
  if (old) return `old ${old.token}`;
  return visitor === null ? null : `key ${visitor.key}`;
}

/** POST join: a place, or the one there is. Repeating it is harmless. */
export async function postJoin(c: RoomCall): Promise<Response> {
  const asking = await askingOf(c, "may-begin");
  if (asking instanceof Response) return asking;
  const standing = await joined(asking);
  if (standing !== "cookie-needed") return finish(c, asking, standing);
  const { visit, bearer } = asking;
  const setCookies = bearer ? [] : [await visitorCookie(visit)];
  if (!visit.asked.form) {
    // Never the cookie's own token, which no script may read.
    const tokens = keepsTokens(visit.request.headers) ? { visitor: await visitorToken(visit, newVisitorKey()) } : {};
    return jsonAnswer(cookiesNeededStatus(toldOf(visit)), { setCookies, code: 428, tokens });
  }
  const to = encodeURIComponent(await targetOf(c));
  return redirectReply(`${originOf(visit.url)}${RESERVED_PREFIX}/check?to=${to}`, setCookies);
}

/** What a wish for a place comes to; repeating it is harmless. */
export async function joined(asked: Asking): Promise<Standing | "cookie-needed"> {
  const { asking, step } = await stepOf(asked);
  const { visit } = asking;
  switch (step.do) {
    case "join":
      return newPlace(asking, step.key);
    case "tell-ended":
      return newPlace(asking, await keyAfter(visit.room, step.place));
    case "tell-void":
      return newPlace(asking, step.key);
    case "tell-cancelled":
      return newPlace(asking, await keyAfter(visit.room, step.entry));
    case "claim": {
      const outcome = await claimOf(visit, step.place, "look");
      if (outcome.as !== "answered") return only(statusOfClaim(visit, step.place, outcome));
      // Whoever may not take the session over any more sees "inside" too: only a claim tells.
      const claimed = outcome.verdict.as === "inside" ? await tryClaim(asking, step.place, "enter") : null;
      const isSpent = claimed?.status.state === "void" && claimed.status.takeoversLeft === 0;
      const isOver = outcome.verdict.as === "ended" || outcome.verdict.as === "restarted" || isSpent;
      if (isOver) return newPlace(asking, await keyAfter(visit.room, step.place), outcome.verdict.as === "restarted" ? "restarted" : null);
      return claimed ?? only(statusOfClaim(visit, step.place, outcome));
    }
    case "cookie-check":
    case "cookie-needed":
      return "cookie-needed";
    default:
      return standingAfter(asking, step);
  }
}

/** POST claim: enter if it is the visitor's turn. */
export async function postClaim(c: AppContext): Promise<Response> {
  const asked = await askingOf(c);
  if (asked instanceof Response) return asked;
  const { asking, step } = await stepOf(asked);
  return finish(c, asking, step.do === "claim" ? await tryClaim(asking, step.place, "enter") : await standingAfter(asking, step));
}

/** POST extend: more time for somebody whose turn it is, once in each call. Repeating it is harmless, and nobody enters by it. */
export async function postExtend(c: AppContext): Promise<Response> {
  const asked = await askingOf(c);
  if (asked instanceof Response) return asked;
  const { asking, step } = await stepOf(asked);
  const { visit } = asking;
  const mayExtend = step.do === "claim" || step.do === "look";
  const standing = mayExtend
    ? await renewing(asking, statusOfClaim(visit, step.place, await claimOf(visit, step.place, "extend")))
    : await standingAfter(asking, step);
  if (!visit.asked.form) return reply(asking, standing);
  // To the page that nothing enters by: the site's own would use the turn up at once.
  const to = encodeURIComponent(await targetOf(c));
  return redirectReply(`${originOf(visit.url)}${RESERVED_PREFIX}/rooms/${visit.room}/wait?to=${to}&auto=off`, standing.setCookies);
}

/** POST continue: take the session over from another window. */
export async function postContinue(c: AppContext): Promise<Response> {
  const asked = await askingOf(c);
  if (asked instanceof Response) return asked;
  const { asking, step } = await stepOf(asked);
  const place = placeOf(asking.identity);
  // Also the answer to "is it still you?" (`bind_network`). Proof could be asked here, before the claim; a place is never refused for it.
  const mayClaim = place !== null && (step.do === "claim" || step.do === "forward-inside");
  return finish(c, asking, mayClaim ? await tryClaim(asking, place, "continue") : await standingAfter(asking, step));
}

async function tryClaim(asking: Asking, place: Place, intent: ClaimIntent): Promise<Standing> {
  const { visit, identity } = asking;
  const outcome = await claimOf(visit, place, intent);
  const status = statusOfClaim(visit, place, outcome);
  if (outcome.as !== "answered" || outcome.verdict.as !== "entered") return renewing(asking, status);
  const pass = await signPass(visit, outcome.generation, outcome.verdict.pass, place.networks);
  const ticket = identity.ticket === null ? await signTicket(visit, place) : await renewedToken(visit, identity);
  const lines = ticket === null ? [] : [ticketCookie(visit, ticket)];
  return { status, setCookies: [...lines, passCookie(visit, pass)], tokens: ticket === null ? { pass } : { ticket, pass } };
}

/** POST leave: give the place up. Repeating it is harmless. */
export async function postLeave(c: AppContext): Promise<Response> {
  const asking = await askingOf(c);
  if (asking instanceof Response) return asking;
  const { visit } = asking;
  const standing = await left(asking);
  if (!visit.asked.form) return reply(asking, standing);
  // No redirect: without a cookie the visitor would be taken for a newcomer and be in line again.
  return pageAnswer(visit, standing.status, { returnTo: await targetOf(c), setCookies: standing.setCookies, code: 200 });
}

async function left(asking: Asking): Promise<Standing> {
  const { visit } = asking;
  const { identity, reissue } = await factsOf(visit, asking.identity);
  // Whose it is has to be known first.
  if (reissue?.as === "pending") return only(pending(visit, reissue.of));
  const gone = [withoutCookie(visit, "place"), withoutCookie(visit, "pass")];
  const pass = identity.pass;
  const place = pass !== null && !pass.expired ? pass.claims : placeOf(identity);
  // The Room is told nothing: N and the chain of entries only grow.
  if (place === null && identity.entry !== null) return { ...only(leftLobbyStatus(toldOf(visit), identity.entry)), setCookies: gone };
  // A visitor token alone holds nothing that could be given up.
  if (place === null) return { ...only(endedStatus(toldOf(visit), null, "left")), setCookies: gone };
  const { slot, serial } = place;
  const outcome = await visit.client.leave({ slot, serial }, place.generation, visit.life, CLAIM_WAIT_MS);
  const told = toldOf(visit);
  if (outcome.as !== "answered") return only(waitingStatus(told, slot, troubleOf(outcome) ?? "room-unreachable"));
  if (outcome.verdict.as === "void") return only(claimStatus(told, slot, { as: "void", takeoversLeft: 0 }, true));
  return { ...only(endedStatus(told, slot, "left")), setCookies: gone };
}

/** A form leads back to where the visitor wanted to go, where the gate tells the rest; an app gets the status. */
async function finish(c: RoomCall, asking: Asking, standing: Standing): Promise<Response> {
  return asking.visit.asked.form ? redirectReply(await targetOf(c), standing.setCookies) : reply(asking, standing);
}

/** What time alone does not change. */
const SETTLED: ReadonlySet<Status["state"]> = new Set(["inside", "void", "ended"]);

function reply({ bearer }: Asking, { status, setCookies, tokens }: Standing): Response {
  const code = refusalCode(status.reason) ?? (isTrouble(status.reason) ? 503 : status.state === "refused" ? 429 : 200);
  const lines = bearer ? [] : setCookies;
  const shown = bearer ? tokens : {};
  if (code !== 200) return jsonAnswer(status, { code, setCookies: lines, tokens: shown });
  const retry = SETTLED.has(status.state) ? {} : { retryAfterS: status.pollAfterMs / 1_000 };
  return jsonReply(Object.keys(shown).length === 0 ? status : { ...status, ...shown }, { setCookies: lines, ...retry });
}
