/**
 * The table of DESIGN §5 as one pure function: who comes, what they ask for and what the room says → what to do.
 * No clock, no I/O, no reply. Whatever is not named here gets no further: there is no default that forwards.
 */
import type { Door } from "../core/door";
import type { Openness } from "../core/failure";
import { isRevoked, type Manifest } from "../core/manifest";
import { isOff } from "../core/schedule";
import type { RoomSettings } from "../core/settings-types";
import type { DoorReason } from "../core/status";
import type { EntryClaims, Networks, OpenClaims, PassClaims, Receipt, TicketClaims, VisitorClaims } from "../core/token-types";
import type { ShownCookies } from "../shown-tokens";
import type { RevokedToken } from "../token-checks";

/** What the browser's two cookies of this room prove; null = nothing that verifies. */
export interface Identity {
  /** A pass; `expired` = correct but for its end. */
  readonly pass: { readonly claims: PassClaims; readonly expired: boolean } | null;
  /** At most one of ticket and entry: a ticket counts more, unless the entry is of a later generation. */
  readonly ticket: TicketClaims | null;
  readonly entry: EntryClaims | null;
  readonly visitor: VisitorClaims | null;
  /** A ticket or an entry of a revoked key, where there is no other. Never a place by itself: `reissue.ts` asks the Room. */
  readonly old?: OldPlace | null;
  /** What it was read from, and which keys were revoked then; absent = cannot be read again. */
  readonly shown?: { readonly cookies: ShownCookies; readonly revoked: ReadonlySet<string> };
}

/** Signed by a revoked key. */
export type OldPlace = RevokedToken<TicketClaims | EntryClaims>;

/** What became of a place that was shown by a token of a revoked key; while it is pending it lets nobody in. */
export type Reissue =
  | { readonly as: "pending"; readonly of: TicketClaims | EntryClaims }
  /** `key`: of the place that may follow, by the visitor's own wish. */
  | { readonly as: "void"; readonly of: TicketClaims | EntryClaims; readonly key: string };

/** An entry that has no slot: its draw is to come, or was dropped with its event, or is not heard of here. */
export type EntryDraw = "pending" | "dropped" | "unknown";

export interface Asked {
  /** GET, or another method that is not HEAD. */
  readonly method: "read" | "head" | "write";
  /** A GET that becomes a page. */
  readonly navigation: boolean;
  /** A POST that becomes a page. */
  readonly form: boolean;
  /** Prefetch, prerender, preview: nobody is looking. */
  readonly prefetch: boolean;
  /** Says it is a crawler. */
  readonly crawler: boolean;
  /** An app that knows nothing but `cfWaitingRoom`: it has no buttons, so that every request is its wish for a place, whatever its method. */
  readonly app?: boolean;
}

export interface Facts {
  readonly identity: Identity;
  readonly asked: Asked;
  /** null = the Room was never reached from here. */
  readonly manifest: Manifest | null;
  /** The Room made the manifest after this request came. */
  readonly isNew?: boolean;
  /** Of the manifest, ms; 0 if left out. */
  readonly ageMs?: number;
  /** Of `identity.entry`. Once it is drawn the visitor comes with a ticket instead. */
  readonly draw?: EntryDraw;
  readonly settings: Pick<RoomSettings, "suspended" | "queueingMethod" | "revokeBoundMs" | "passRefreshMs">;
  /** Unix seconds. */
  readonly nowS: number;
  /** No unproven unit is left: a request without cookies meets a busy room. */
  readonly unprovenUsedUp?: boolean;
  /** What a newcomer showed at the door; `open` if nothing is asked for. */
  readonly door?: Door;
  /** Whether people go in without the Room; `shut` if left out. */
  readonly open?: Openness;
  /** Of somebody who did so already. */
  readonly openPass?: OpenClaims | null;
  /** The pass was shown from another network than it is bound to. */
  readonly moved?: boolean;
  /** The place was shown by a token of a revoked key, and is not made out anew. */
  readonly reissue?: Reissue;
  /** This isolate has no key to sign with: it can let nobody in, and give nothing out. */
  readonly signsInVain?: boolean;
  /** From one of `refused_networks`: no newcomer of it is let join. */
  readonly isRefused?: boolean;
  /** Every newcomer shows proof before a place is given, on a quiet room too. */
  readonly asksEveryone?: boolean;
  /** Asked by a browser that is part of another app. */
  readonly inApp?: boolean;
}

/** A slot with all that a claim needs to know. */
export interface Place {
  readonly generation: number;
  readonly slot: number;
  /** 0 = known by its ticket; else the serial of an expired pass. */
  readonly serial: number;
  readonly joinedAtS: number;
  /** It was drawn. */
  readonly receipt?: Receipt;
  /** What it is bound to. */
  readonly networks?: Networks;
}

/** A place that is gone, as far as the one that follows hangs on it. */
export type Former =
  | Pick<Place, "generation" | "slot">
  | Pick<EntryClaims, "generation" | "draw" | "entry">
  /** Never a place of this visitor's: the digest of the token that showed it. */
  | { readonly generation: number; readonly void: string };

/** What can be done with a request at once. */
export type PlainStep =
  /** The room is off. */
  | { readonly do: "forward-untouched" }
  /** Inside. `renew`: not yet, beside the request, or before it. */
  | { readonly do: "forward-inside"; readonly pass: PassClaims; readonly renew: "no" | "beside" | "first" }
  /** Forward within the leased allowance; a navigation also gets a visitor token. If the lease is used up, decide again. */
  | { readonly do: "forward-unproven" }
  /** Was let in without the Room, which still cannot be reached. */
  | { readonly do: "forward-open"; readonly pass: OpenClaims }
  /** Enter, or hear why not. */
  | { readonly do: "claim"; readonly place: Place }
  /** Ask where this place stands, without entering. */
  | { readonly do: "look"; readonly place: Place }
  /** Waits: answered from the manifest. */
  | { readonly do: "wait"; readonly place: Place }
  /** A new place with the key of the visitor token, or of what was shown at the door; straight in if the room is quiet. */
  | { readonly do: "join"; readonly key: string }
  /** A word before joining: this place may get lost with the app around it. `leftMs`: until the page joins by itself. */
  | { readonly do: "hint-in-app"; readonly leftMs: number }
  /** The old place is gone for good: a new one, with a key that follows from it. Through no act of the visitor, or `over`: for an app. */
  | { readonly do: "rejoin"; readonly old: Former; readonly why: "restarted" | "sessions-ended" | "draw-dropped" | "over" }
  /** Entered, without a slot yet: answered from the manifest. */
  | { readonly do: "hold"; readonly entry: EntryClaims }
  /** The event was called off, and this entry with it; a new place only by the visitor's own wish. */
  | { readonly do: "tell-cancelled"; readonly entry: EntryClaims }
  /** The visit is over; a new place only by the visitor's own wish. */
  | { readonly do: "tell-ended"; readonly place: Place }
  /** The place is not proven yet: as if it waited, without a cookie and without being seen. */
  | { readonly do: "tell-pending"; readonly of: TicketClaims | EntryClaims }
  /** The place is somebody else's, or nobody's; a new one only by the visitor's own wish. */
  | { readonly do: "tell-void"; readonly of: TicketClaims | EntryClaims; readonly key: string }
  /** No place, and none for this visitor as long as the invitation or the log-in is missing. */
  | { readonly do: "tell-door"; readonly why: DoorReason }
  /** No place, and none for anybody of this network. */
  | { readonly do: "tell-network-refused" }
  /** No place, and none can be had: `joins` of the manifest says why. */
  | { readonly do: "tell-closed" }
  /** Prove that cookies are kept: by one redirect, or where a redirect does not help, by asking again. */
  | { readonly do: "cookie-check" }
  | { readonly do: "cookie-needed" }
  /** A form without a pass: a page that leads back in by GET. */
  | { readonly do: "tell-form" }
  /** Not now. 503 for those who look ahead, 429 for all others. */
  | { readonly do: "turn-away"; readonly status: 429 | 503 }
  | { readonly do: "tell-unreachable"; readonly place: Place | null };

/** May be let in without the Room, if it is not too many; else as if the room were closed. */
export type Step = PlainStep | { readonly do: "enter-open"; readonly otherwise: PlainStep };

/** `expired`: idle for too long, the Room may let the visitor back in; `over`: the absolute end has passed as well. */
type PassState = "good" | "restarted" | "sessions-ended" | "revoked" | "expired" | "over";

/** What would be asked of the Room, or is told while waiting for it: nothing that the Room's last word refuses. */
const NEEDS_ROOM: ReadonlySet<PlainStep["do"]> = new Set(["claim", "wait", "hold", "join", "rejoin"]);

export function decide(facts: Facts): Step {
  const step = decideByRoom(facts);
  const { openPass = null, asked } = facts;
  const { open = "shut" } = facts.signsInVain ? {} : facts;
  if (open === "shut" || step.do === "forward-untouched" || step.do === "forward-inside") return step;
  if (openPass !== null) return { do: "forward-open", pass: openPass };
  // A body is never what somebody enters by.
  return open === "open" && asked.method === "read" && NEEDS_ROOM.has(step.do) ? { do: "enter-open", otherwise: step } : step;
}

function decideByRoom(facts: Facts): PlainStep {
  const { identity, asked, nowS } = facts;
  if (isOffNow(facts)) return { do: "forward-untouched" };
  // An `off` that is not believed says nothing of how the room is now: as if the Room had never been reached.
  const manifest = facts.manifest?.phase === "off" ? null : facts.manifest;

  const pass = identity.pass;
  const passState = pass === null ? null : stateOfPass(pass.claims, pass.expired, facts.manifest, facts.isNew === true, nowS);
  if (pass !== null && passState === "good")
    return {
      do: "forward-inside",
      pass: pass.claims,
      renew: facts.signsInVain ? "no" : facts.moved ? "first" : renewal(pass.claims, facts),
    };

  if (facts.reissue !== undefined) return decideReissue(facts.reissue, asked);
  const place = placeOf(identity);
  if (facts.signsInVain) return isIdle(asked) ? { do: "turn-away", status: 503 } : { do: "tell-unreachable", place };
  if (facts.isRefused === true && place === null && identity.entry === null) return { do: "tell-network-refused" };
  if (manifest === null) return isIdle(asked) ? { do: "turn-away", status: 503 } : { do: "tell-unreachable", place };
  if (place !== null) return decidePlace(place, isOfPlace(identity, place) ? passState : null, asked, manifest, facts.isNew === true);

  if (identity.entry !== null) return decideEntry(identity.entry, facts.draw ?? "unknown", asked, manifest, facts.isNew === true);

  // Who is asked for proof is never let through without, nor together with a body.
  const quiet = manifest.quiet && manifest.phase === "open" && manifest.joins === "open" && facts.asksEveryone !== true;
  const { door = { as: "open" } } = facts;
  const key = (door.as === "proven" ? door.key : null) ?? identity.visitor?.key ?? null;
  // Who is asked for an invitation or a log-in shows it first, however quiet the room is.
  if (door.as === "open" && quiet && (key === null || isIdle(asked)) && facts.unprovenUsedUp !== true) return { do: "forward-unproven" };
  if (isIdle(asked)) return { do: "turn-away", status: 503 };
  if (!isOpenToNewcomers(manifest)) return { do: "tell-closed" };
  // A form from another site comes without the cookies that might open the door: the page leads back by GET.
  if (door.as === "shut") return asked.form ? { do: "tell-form" } : { do: "tell-door", why: door.why };
  if (key !== null) {
    // A body is never held back for a place in line: only where the newcomer goes straight in does it go along.
    if (isBody(asked) && !quiet) return refuseBody(asked);
    const leftMs = quiet ? 0 : hintLeftMs(facts);
    return leftMs > 0 ? { do: "hint-in-app", leftMs } : { do: "join", key };
  }
  if (isBody(asked)) return refuseBody(asked);
  if (asked.crawler) return { do: "turn-away", status: 503 };
  return asked.navigation ? { do: "cookie-check" } : { do: "cookie-needed" };
}

/** So long after a newcomer's first cookie, the hint has been seen, or nobody looks. Then nothing is left but to join, s. */
const HINT_S = 15;
/** So shortly before the doors nobody is held up: who enters after them is behind everybody who was there. s */
const HINT_UNTIL_DOORS_S = 60;

function hintLeftMs({ identity: { visitor }, asked, inApp, manifest, nowS }: Facts): number {
  const isLooked = inApp === true && asked.navigation && asked.method === "read" && !asked.crawler;
  const { startsAt = Number.POSITIVE_INFINITY } = manifest?.lobby ?? {};
  const isInTime = startsAt / 1_000 - nowS >= HINT_UNTIL_DOORS_S;
  return isLooked && isInTime && visitor !== null ? Math.max(0, visitor.iat + HINT_S - nowS) * 1_000 : 0;
}

/**
 * Everybody may go in. An old notice that the room is off is believed only if the schedule known here says the same: a room that is off
 * between its sales must not let everybody in because it cannot be reached when one opens.
 */
export function isOffNow({ manifest, ageMs = 0, settings }: Pick<Facts, "manifest" | "ageMs" | "settings">): boolean {
  if (manifest === null) return settings.suspended;
  return manifest.phase === "off" && (ageMs <= settings.revokeBoundMs || isOff(settings));
}

/** Someone who has, or had, a slot. `passState` is that of a pass for the same slot, if there is one. */
function decidePlace(place: Place, passState: PassState | null, asked: Asked, manifest: Manifest, isNew: boolean): PlainStep {
  if (isIdle(asked)) return { do: "turn-away", status: 503 };
  if (passState === "revoked" || passState === "over")
    return asked.app === true ? { do: "rejoin", old: place, why: "over" } : { do: "tell-ended", place };
  const gone = isForeign(place.generation, manifest, isNew) ? "restarted" : passState === "sessions-ended" ? passState : null;
  if (gone !== null) return isBody(asked) ? refuseBody(asked) : { do: "rejoin", old: place, why: gone };
  // A generation that this isolate has not heard of yet, or a turn that has not come.
  if (place.generation > manifest.generation || place.slot >= manifest.admittedEpoch) return { do: "wait", place };
  if (!isBody(asked)) return { do: "claim", place };
  return asked.form ? { do: "look", place } : { do: "turn-away", status: 429 };
}

/** Someone whose place was shown by a token that anybody with a leaked key could have made. */
function decideReissue(reissue: Reissue, asked: Asked): PlainStep {
  if (isIdle(asked)) return { do: "turn-away", status: 503 };
  if (isBody(asked)) return refuseBody(asked);
  if (reissue.as === "pending") return { do: "tell-pending", of: reissue.of };
  // It has no button to wish for a new place with.
  if (asked.app === true) return { do: "join", key: reissue.key };
  return { do: "tell-void", of: reissue.of, key: reissue.key };
}

/** Someone who entered a draw that has not given them a slot. */
function decideEntry(entry: EntryClaims, draw: EntryDraw, asked: Asked, manifest: Manifest, isNew: boolean): PlainStep {
  if (isIdle(asked)) return { do: "turn-away", status: 503 };
  const isOther = isForeign(entry.generation, manifest, isNew);
  if (!isOther && draw !== "dropped") return { do: "hold", entry };
  if (!isOther && manifest.cancelled !== null && asked.app !== true) return { do: "tell-cancelled", entry };
  if (!isOpenToNewcomers(manifest)) return { do: "tell-closed" };
  return isBody(asked) ? refuseBody(asked) : { do: "rejoin", old: entry, why: isOther ? "restarted" : "draw-dropped" };
}

function isOpenToNewcomers({ joins, phase }: Manifest): boolean {
  return joins === "open" && phase !== "ended" && phase !== "closed";
}

/** Nobody is looking at the answer: no place is taken and no turn used up for it. */
function isIdle(asked: Asked): boolean {
  return asked.method === "head" || asked.prefetch;
}

/** Never kept back for a place in line: nobody could send it again for its sender. An app does so by itself. */
function isBody(asked: Asked): boolean {
  return asked.method === "write" && asked.app !== true;
}

function refuseBody(asked: Asked): PlainStep {
  return asked.form ? { do: "tell-form" } : { do: "turn-away", status: 429 };
}

function stateOfPass(pass: PassClaims, expired: boolean, manifest: Manifest | null, isNew: boolean, nowS: number): PassState {
  // Without a manifest nothing is known against it: people inside carry on until their pass ends (P11).
  if (manifest !== null) {
    if (isForeign(pass.generation, manifest, isNew)) return "restarted";
    if (pass.generation > manifest.generation) return expired ? "expired" : "good";
    if (pass.iat < manifest.endSessionsBefore) return "sessions-ended";
    if (isRevoked(manifest, pass.slot)) return "revoked";
  }
  if (!expired) return "good";
  return pass.end <= nowS ? "over" : "expired";
}

/** Of a line that is no more. A later one than the manifest's is news to this isolate, unless the Room itself has just not heard of it. */
function isForeign(generation: number, manifest: Manifest, isNew: boolean): boolean {
  return generation < manifest.generation || (generation > manifest.generation && isNew);
}

function renewal(pass: PassClaims, { manifest, settings, nowS }: Facts): "no" | "beside" | "first" {
  // By a longer refresh it counts again, though its visit may have ended while it had to ask.
  if (pass.iat < (manifest?.renewBefore ?? 0)) return "first";
  const ageMs = (nowS - pass.iat) * 1_000;
  if (ageMs < settings.passRefreshMs) return "no";
  return ageMs < 2 * settings.passRefreshMs ? "beside" : "first";
}

/** The slot that counts: the ticket's, with the serial of a pass for the same slot; else the pass's own, unless a new visitor token or an entry came after it. */
export function placeOf({ pass, ticket, entry, visitor }: Identity): Place | null {
  if (ticket === null) {
    if (pass === null || visitor !== null || entry !== null) return null;
    const { generation, slot, serial, iat, networks } = pass.claims;
    return { generation, slot, serial, joinedAtS: iat, ...(networks && { networks }) };
  }
  const { generation, slot, iat, receipt } = ticket;
  const isSame = pass !== null && pass.claims.generation === generation && pass.claims.slot === slot;
  const networks = (isSame ? pass.claims.networks : undefined) ?? ticket.networks;
  const more = { ...(receipt && { receipt }), ...(networks && { networks }) };
  return { generation, slot, serial: isSame ? pass.claims.serial : 0, joinedAtS: iat, ...more };
}

function isOfPlace({ pass }: Identity, place: Place): boolean {
  return pass !== null && pass.claims.generation === place.generation && pass.claims.slot === place.slot;
}
