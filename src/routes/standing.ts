/**
 * Where a visitor stands, for the API and the page: the same table as the gate's (decide.ts), but nobody enters by it.
 * The one thing it changes: a place that ended through no act of the visitor is replaced by the one that follows.
 */
import type { Status } from "../core/status";
import {
  claimStatus,
  closedToNewcomers,
  cookiesNeededStatus,
  doorStatus,
  endedStatus,
  insideStatus,
  joiningStatus,
  networkRefusedStatus,
  roomOffStatus,
  waitingStatus,
} from "../core/status-of";
import { cancelledStatus } from "../core/status-of-event";
import type { EntryClaims } from "../core/token-types";
import { withReference } from "../gate/answer";
import { factsOf } from "../gate/carry-out";
import { type Asked, decide, type Former, type Identity, type Place, type PlainStep, placeOf } from "../gate/decide";
import { claimOf, goneWhy, statusOfClaim } from "../gate/enter";
import { givenBy, renewedToken } from "../gate/entry";
import { held, pending, unreachable, voidStatus, waiting } from "../gate/hold";
import { askForPlace, type FollowWhy } from "../gate/joining";
import { letIn, openCookie } from "../gate/open";
import { keyAfter, ticketCookie, toldOf, type Visit, withoutCookie } from "../gate/visit";
import type { Asking } from "./context";

/** A status, and the cookies and tokens that come with it. */
export interface Standing {
  readonly status: Status;
  readonly setCookies: readonly string[];
  /** New tokens for an app that keeps its own; never shown to a browser's scripts. */
  readonly tokens: {
    readonly visitor?: string;
    readonly proof?: string;
    readonly ticket?: string;
    readonly entry?: string;
    readonly pass?: string;
  };
  /** Somebody who only waits: what to look at from time to time, if the reply goes on. */
  readonly followed?: (Place & { readonly kind: "ticket" }) | EntryClaims;
}

/** Somebody who only wants to know. */
export const LOOKS: Asked = { method: "read", navigation: false, form: false, prefetch: false, crawler: false };

export const only = (status: Status): Standing => ({ status, setCookies: [], tokens: {} });

/**
 * What the gate would do with a GET by this visitor now, who from here on counts as `asking`: an entry may have a slot by now. While the room
 * runs open without the Room, whoever asks may be let in by that, as by a page load.
 */
export async function stepOf(asked: Asking): Promise<{ readonly asking: Asking; readonly step: PlainStep }> {
  const { visit, bearer } = asked;
  const facts = await factsOf(visit, asked.identity);
  const asking = { ...asked, identity: facts.identity };
  const step = decide({ ...facts, asked: LOOKS, unprovenUsedUp: true });
  if (step.do !== "enter-open") return { asking, step };
  // Its cookie is all there is to show for it: who keeps none stays outside.
  const pass = bearer ? null : await letIn(visit, step);
  return { asking, step: pass === null ? step.otherwise : { do: "forward-open", pass } };
}

export async function standingOf(asked: Asking): Promise<Standing> {
  const { asking, step } = await stepOf(asked);
  return standingAfter(asking, step);
}

/** A status, with the visitor's token again if that is due. */
export function renewing({ visit, identity }: Asking, status: Status): Promise<Standing> | Standing {
  const renewed = renewedToken(visit, identity);
  return renewed === null ? only(status) : withToken(visit, identity, status, renewed);
}

async function withToken(visit: Visit, identity: Identity, status: Status, renewed: Promise<string>): Promise<Standing> {
  const token = await renewed;
  return { status, setCookies: [ticketCookie(visit, token)], tokens: identity.ticket === null ? { entry: token } : { ticket: token } };
}

/** The standing that a step of the gate means for somebody who only looks. */
export async function standingAfter(asking: Asking, step: PlainStep): Promise<Standing> {
  const { visit, identity } = asking;
  if (step.do === "wait") {
    visit.client.sight(step.place, visit.life);
    const { status, setCookies, tokens } = await renewing(asking, waiting(visit, step.place));
    return { status, setCookies, tokens, followed: { kind: "ticket", ...step.place } };
  }
  const told = toldOf(visit);
  switch (step.do) {
    case "forward-untouched":
      return only(roomOffStatus(told, placeOf(identity)?.slot ?? null, identity.entry?.entry ?? null));
    case "forward-inside":
      return only(insideStatus(told, step.pass.slot));
    case "forward-open":
      return { ...only(insideStatus(told, placeOf(identity)?.slot ?? null)), setCookies: [await openCookie(visit, step.pass)] };
    case "hold":
      visit.client.sightEntry(step.entry);
      return { ...(await renewing(asking, held(visit, step.entry))), followed: step.entry };
    case "tell-cancelled":
      return only(cancelledStatus(told, step.entry));
    case "claim":
    case "look": {
      const outcome = await claimOf(visit, step.place, "look");
      const gone = outcome.as === "answered" ? goneWhy(visit, identity, step.place, outcome.verdict) : null;
      if (gone !== null) return newPlace(asking, await keyAfter(visit.room, step.place), gone, step.place);
      return renewing(asking, statusOfClaim(visit, step.place, outcome));
    }
    case "rejoin":
      return newPlace(asking, await keyAfter(visit.room, step.old), step.why, step.old);
    case "tell-ended":
      return only(endedStatus(told, step.place.slot, "session-over"));
    case "tell-pending":
      return only(pending(visit, step.of));
    case "tell-void":
      return only(voidStatus(visit, step.of));
    case "tell-door":
      return only(doorStatus(told, step.why));
    case "tell-network-refused":
      return only(networkRefusedStatus(told));
    case "tell-closed":
      return only(closedToNewcomers(told) ?? joiningStatus(told));
    case "join":
    case "hint-in-app":
      return only(closedToNewcomers(told) ?? joiningStatus(told));
    case "tell-unreachable":
      return only(unreachable(visit, step.place, identity.entry));
    case "forward-unproven":
    case "cookie-check":
    case "cookie-needed":
    case "tell-form":
    case "turn-away":
      return only(cookiesNeededStatus(told));
  }
}

/** A place with this key, as a ticket or an entry; nobody enters. `why` and `old`: of the place that it follows, if there was one. */
export async function newPlace(
  { visit, identity }: Asking,
  key: string,
  why: FollowWhy | null = null,
  old: Former | null = null,
): Promise<Standing> {
  const { client } = visit;
  const asked = await askForPlace(visit, { key, enter: false, navigation: true, why, old });
  if (asked.as === "told") return asked;
  const { verdict, generation } = asked;
  const given = await givenBy(visit, verdict, generation);
  const news = why === "restarted" ? why : null;
  const cleared = identity.pass === null ? [] : [withoutCookie(visit, "pass")];
  const setCookies = [ticketCookie(visit, given.token), ...asked.setCookies, ...cleared];
  if (given.as === "entry") return { status: held(visit, given.entry, news), setCookies, tokens: { entry: given.token } };
  const { place } = given;
  const { slot } = place;
  client.sight(place, visit.life);
  const { newest } = client;
  const isCalled = newest !== null && newest.generation === generation && slot < newest.admittedEpoch;
  const outcomeOfLook = isCalled ? await claimOf(visit, place, "look") : null;
  const own = toldOf(visit, place);
  const status = outcomeOfLook?.as === "answered" ? claimStatus(own, slot, outcomeOfLook.verdict, false) : waitingStatus(own, slot, news);
  return { status: await withReference(visit, status), setCookies, tokens: { ticket: given.token } };
}
