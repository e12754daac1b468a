/**
 * Does what the site says about the visit that a reply belongs to (`enabled_origin_commands`). Called only for requests that went through by a
 * pass that counted: nobody else has a visit that could end. Lost and repeated calls are harmless: leaving and renewing are idempotent.
 */
import type { RenewRequest } from "../core/exchange";
import { toObey } from "../core/origin-commands";
import type { PassClaims } from "../core/token-types";
import { signsInVain } from "../keys";
import type { OriginReply } from "../origin";
import { sleep, within } from "../room/wait";
import { type Cookies, withCookies } from "./admit";
import { keyAfter, networkOf, nowS, passCookie, ringOf, signPass, type Visit, visitorCookie, withoutCookie } from "./visit";

/** A reply is held back for the Room's word on a command this long at most, ms. */
const GRACE_MS = 250;
const ASK_WAIT_MS = 5_000;
/** Work may go on for 30 s after its reply. */
const LEAVE_UNTIL_MS = 20_000;
const LEAVE_GAP_MS = 1_500;

/** The visit that let the request through. */
export interface Session extends Pick<PassClaims, "generation" | "slot" | "serial" | "iat" | "networks"> {
  /** This request brings a new pass already. */
  readonly isRenewed: boolean;
}

/** The site's reply, with `cookies` or with what a command of the site makes of them. */
export async function obey(visit: Visit, reply: OriginReply, session: Session, cookies: Cookies): Promise<Response> {
  const command = toObey(reply.commands, visit.client.settings.enabledOriginCommands);
  switch (command) {
    case null:
      return withCookies(visit, reply, cookies);
    case "extend":
      return withCookies(visit, reply, session.isRenewed ? cookies : await extended(visit, session, cookies));
    case "release":
    case "done": {
      const leaving = leave(visit, session);
      visit.life.waitUntil(leaving);
      await within(leaving, GRACE_MS, undefined);
      // These must reach the browser: with its old cookies it would be told that the visit has ended, whatever was meant.
      return withCookies(visit, reply, { lines: await (command === "done" ? overLines : newcomerLines)(visit, session), how: "must" });
    }
  }
}

async function leave(visit: Visit, { generation, slot, serial }: Session): Promise<void> {
  const until = Date.now() + LEAVE_UNTIL_MS;
  while (Date.now() < until) {
    const outcome = await visit.client.leave({ slot, serial }, generation, visit.life, ASK_WAIT_MS);
    if (outcome.as === "answered") return;
    await sleep(LEAVE_GAP_MS);
  }
  // The place is free when the visit has been idle for too long: nobody has its pass any more.
  console.warn(JSON.stringify({ event: "command-lost", room: visit.room, slot }));
}

/**
 * No pass, and the key of a place to come, the same for every reply that says so. The Room's answer may have revoked the key that signs here:
 * then no place either, since the site has seen the request, and its reply must get through.
 */
async function newcomerLines(visit: Visit, session: Session): Promise<string[]> {
  if (signsInVain(ringOf(visit))) return [withoutCookie(visit, "place"), withoutCookie(visit, "pass")];
  return [await visitorCookie(visit, await keyAfter(visit.room, session)), withoutCookie(visit, "pass")];
}

/**
 * A pass whose absolute end has passed: told to be over without a call, until the visitor asks for a new place. Without a key to sign with
 * the manifest alone tells of it.
 */
async function overLines(visit: Visit, { generation, slot, serial, iat }: Session): Promise<string[]> {
  if (signsInVain(ringOf(visit))) return [];
  // By the clock here: the Room's, which made the pass, may be ahead, and it would count until then.
  const end = Math.min(iat, nowS(visit));
  const over = { slot, serial, issuedAtS: end - 1, expiresAtS: end, endsAtS: end };
  return [passCookie(visit, await signPass(visit, generation, over))];
}

/** The idle limit from now on. The absolute end stays where it is. */
async function extended(visit: Visit, { generation, slot, serial, networks }: Session, cookies: Cookies): Promise<Cookies> {
  const request: Omit<RenewRequest, "ageMs"> = { slot, serial, tag: networkOf(visit).tag };
  const renewing = visit.client.renew(request, generation, visit.life, ASK_WAIT_MS);
  const outcome = await within(renewing, GRACE_MS, null);
  if (outcome === null) {
    // The next request with this pass gets what the Room says.
    visit.life.waitUntil(renewing.then((late) => visit.client.renewedTooLate(request, generation, late)));
    return cookies;
  }
  if (outcome.as !== "answered" || outcome.verdict.as !== "renewed" || signsInVain(ringOf(visit))) return cookies;
  return {
    ...cookies,
    lines: [...cookies.lines, passCookie(visit, await signPass(visit, outcome.generation, outcome.verdict.pass, networks))],
  };
}
