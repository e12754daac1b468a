/**
 * One request as the gate sees it: who asks, from where, and how cookies are written back. What its cookies prove is identify.ts.
 * Reads the request and the keys; decides nothing.
 */

import { toBase64url } from "../core/base64url";
import type { CanonicalUrl } from "../core/canonical-url";
import { INVITATION_PARAMETER, takeFromQuery } from "../core/door";
import type { PassGrant } from "../core/exchange";
import { lookId } from "../core/look-id";
import type { Manifest } from "../core/manifest";
import { clientNetwork, clientTag } from "../core/network";
import { originOf } from "../core/safe-target";
import { opensAtMs } from "../core/schedule";
import type { RoomEvent } from "../core/settings-types";
import type { Status } from "../core/status";
import type { Told } from "../core/status-of";
import { hasRoomForNetworks, TOKEN_MAX_LIFE_S } from "../core/token";
import type { EntryClaims, Networks } from "../core/token-types";
import type { Config } from "../env";
import { type CookieOptions, clearCookie, setCookie } from "../http/cookies";
import { asksForJson, isCrawler, isFormNavigation, isNavigation, isPrefetch } from "../http/navigation";
import type { Forwarding } from "../http/origin-headers";
import { type KeyRing, newVisitorKey, signToken, withRevoked } from "../keys";
import type { Lifetime, RoomClient } from "../room-client";
import type { Asked, Former, Place } from "./decide";
import { ownMessage } from "./speak";

/** What the room would have done with one request; filled in while it decides. */
export interface Shadow {
  forwarded: Forwarding["status"] | null;
  told: Status | null;
}

export interface Visit {
  readonly request: Request;
  readonly url: CanonicalUrl;
  readonly config: Config;
  readonly room: string;
  readonly client: RoomClient;
  readonly life: Lifetime;
  /** When the request reached us, ms since the Unix epoch. */
  readonly nowMs: number;
  readonly asked: Asked;
  /** An invitation that came with the request itself: of its link, which `url` is without, or of its header. */
  readonly invitation: { readonly token: string; readonly from: "link" | "header" } | null;
  /** Where the room is in shadow: nothing is forwarded, and what would have been done is written down here. */
  readonly shadow?: Shadow;
}

export function visitOf(parts: Omit<Visit, "asked" | "nowMs" | "invitation" | "shadow">): Visit {
  const { request } = parts;
  const { url, token } = withoutInvitation(parts.url);
  const header = request.headers.get(INVITATION_PARAMETER);
  const invitation =
    token !== null ? { token, from: "link" as const } : header !== null ? { token: header, from: "header" as const } : null;
  const { config, room, client, life } = parts;
  return { request, url, config, room, client, life, asked: new Question(request), invitation, nowMs: Date.now() };
}

/** Most of it is read only when somebody is not simply let through. */
class Question implements Asked {
  readonly #request: Request;
  readonly method: Asked["method"];
  readonly app: boolean;
  #navigation: boolean | null = null;

  constructor(request: Request, app = false) {
    this.#request = request;
    this.method = request.method === "GET" ? "read" : request.method === "HEAD" ? "head" : "write";
    this.app = app;
  }

  get navigation(): boolean {
    this.#navigation ??= isNavigation(this.#request);
    return this.#navigation;
  }

  get form(): boolean {
    return isFormNavigation(this.#request);
  }

  get prefetch(): boolean {
    return isPrefetch(this.#request.headers);
  }

  get crawler(): boolean {
    return isCrawler(this.#request.headers.get("User-Agent"));
  }
}

/** What the visit asks for, as far as its settings are known by now. */
export function askedBy(visit: Visit): Asked {
  return isApp(visit) ? new Question(visit.request, true) : visit.asked;
}

/** No address that we forward, show or lead back to holds an invitation. */
function withoutInvitation(url: CanonicalUrl): { readonly url: CanonicalUrl; readonly token: string | null } {
  const { search, token } = takeFromQuery(url.search);
  if (token === null) return { url, token };
  return { url: { ...url, search, href: `${originOf(url)}${url.path}${search}` }, token };
}

/** An app that reads `cfWaitingRoom`. Asked anew each time: the settings may have come since. */
export function isApp({ asked, client, request }: Visit): boolean {
  return client.settings.jsonResponseEnabled && !asked.navigation && !asked.form && asksForJson(request.headers);
}

export function nowS(visit: Visit): number {
  return Math.floor(visit.nowMs / 1_000);
}

/** What is left of a wait that began when the request came, ms: several waits of one request do not add up. */
export function restOf(visit: Visit, waitMs: number): number {
  return Math.max(0, visit.nowMs + waitMs - Date.now());
}

/** The ring as it counts for this room: without the keys that its Room has revoked. */
export function ringOf({ config, client }: Pick<Visit, "config" | "client">): KeyRing {
  return withRevoked(config.keys, client.newest?.revokedKeys ?? []);
}

/** Before something that was signed is replaced by something of a better key: that is good wherever it is shown. */
export async function hearOfRevokedKeys({ client, life }: Visit): Promise<void> {
  await client.manifest(life, client.settings.revokeBoundMs);
}

/** The site's own origin, as its visitors write it. */
export function publicOrigin(visit: Visit): string {
  return originOf(visit.url);
}

/** The visitor's address, null = unknown. Cloudflare writes this header itself; elsewhere it is only as good as whoever wrote it (docs). */
export function addressOf({ request }: Visit): string | null {
  return request.headers.get("CF-Connecting-IP");
}

/** Is the visitor in one of `trusted_networks`? Nobody is whose address is not known. */
export function isTrusted(visit: Visit): boolean {
  return isIn(visit, "trustedNetworks");
}

/** Is the visitor in one of `refused_networks`? Nobody is whose address is not known. */
export function isRefused(visit: Visit): boolean {
  return isIn(visit, "refusedNetworks");
}

/** Most rooms name none, and then the address need not be read. */
function isIn(visit: Visit, setting: "trustedNetworks" | "refusedNetworks"): boolean {
  if (visit.client.settings[setting].length === 0) return false;
  const ip = addressOf(visit);
  return ip !== null && visit.client.isIn(setting, ip);
}

/** What the Room is told of a client, to count by. */
export interface Network {
  /** null where it is trusted or unknown: never limited. */
  readonly prefix: string | null;
  /** Hashes of prefix, address and wide prefix; 0 = not counted. */
  readonly network: number;
  readonly address: number;
  readonly wide: number;
  readonly tag: number;
}

export function networkOf(visit: Visit): Network {
  const client = clientNetwork(addressOf(visit));
  const tag = clientTag(client?.prefix ?? null, visit.request.headers.get("User-Agent") ?? "");
  if (client === null || isTrusted(visit)) return { prefix: null, network: 0, address: 0, wide: 0, tag };
  return { ...client, tag };
}

/**
 * The networks that a place is bound to once this request has gone on with it: one of each address family, the first that was seen, or
 * this one where it has changed. `moved`: it has. Trusted and unknown addresses, and other rooms, bind and move nothing.
 */
export function networksOf(visit: Visit, former: Networks | undefined): { readonly networks?: Networks; readonly moved: boolean } {
  if (visit.client.settings.bindNetwork === "off") return { moved: false };
  const { prefix, network } = networkOf(visit);
  if (prefix === null) return { ...(former && { networks: former }), moved: false };
  const family = prefix.includes(":") ? "v6" : "v4";
  const known = former?.[family] ?? 0;
  return { networks: { v4: 0, v6: 0, ...former, [family]: network }, moved: known !== 0 && known !== network };
}

/** What statuses are made from, with the newest manifest known. `place`: whose. */
export function toldOf(
  visit: Visit,
  place: Pick<Place, "receipt" | "joinedAtS"> | null = null,
  manifest: Manifest | null = visit.client.newest,
): Told {
  const receipt = place?.receipt;
  const draw = receipt && { draw: { id: receipt.draw, entry: receipt.entry } };
  const { room, client } = visit;
  const isCalledOff = place !== null && cameFor(client.settings.events, manifest?.cancelled?.event, place.joinedAtS);
  return {
    room,
    manifest,
    settings: client.settings,
    now: Date.now(),
    isCalledOff,
    ...draw,
    ...ownMessage(visit),
    ...lookId(client.settings),
  };
}

/** Did somebody who joined at this Unix second come for the event of this name: from the opening of its lobby to its start? */
function cameFor(events: readonly RoomEvent[], name: string | undefined, joinedAtS: number): boolean {
  const event = events.find((each) => each.name === name);
  return event !== undefined && (joinedAtS + 1) * 1_000 > opensAtMs(event) && joinedAtS * 1_000 < event.startMs;
}

export function cookieOptions(visit: Visit): CookieOptions {
  return { secure: visit.url.protocol === "https:", settings: visit.client.settings };
}

/** A visitor token: `key` is that of the join to come. */
export function visitorToken(visit: Visit, key: string): Promise<string> {
  const iat = nowS(visit);
  return signToken(ringOf(visit), { kind: "visitor", room: visit.room, key, iat, exp: iat + lifeS(visit) });
}

/** A `Set-Cookie` line with a visitor token. `key`: of a join to come, else a fresh one. */
export async function visitorCookie(visit: Visit, key: string = newVisitorKey()): Promise<string> {
  return ticketCookie(visit, await visitorToken(visit, key));
}

/** A ticket. `joinedAtS` and the receipt stay what they were through every renewal. */
export async function signTicket(
  visit: Visit,
  place: Pick<Place, "generation" | "slot" | "joinedAtS" | "receipt" | "networks">,
): Promise<string> {
  const { generation, slot, joinedAtS, receipt } = place;
  const { networks, moved } = networksOf(visit, place.networks);
  // A place that only waits learns, but takes no other network than it had: that is the Room's to say, at its turn.
  const isBound = visit.client.settings.bindNetwork === "ticket" && hasRoomForNetworks(place);
  const bound = isBound ? (moved ? place.networks : networks) : undefined;
  const exp = nowS(visit) + lifeS(visit);
  const iat = Math.min(joinedAtS, exp - 1);
  return signToken(ringOf(visit), {
    kind: "ticket",
    room: visit.room,
    generation,
    slot,
    ...(receipt && { receipt }),
    ...(bound && { networks: bound }),
    iat,
    exp,
  });
}

/** An entry token. It keeps its time of entering through every renewal, and so lives 31 days at most. */
export function signEntry(visit: Visit, entry: EntryClaims): Promise<string> {
  return signToken(ringOf(visit), { ...entry, exp: Math.min(entry.exp, entry.iat + TOKEN_MAX_LIFE_S) });
}

/** The cookie line of a ticket, an entry or a visitor token. */
export function ticketCookie(visit: Visit, token: string): string {
  return setCookie("place", visit.room, token, cookieOptions(visit));
}

/** A pass as the Room granted it; its times are the Room's. `former`: what the place was bound to. */
export function signPass(visit: Visit, generation: number, grant: PassGrant, former?: Networks): Promise<string> {
  const { networks } = networksOf(visit, former);
  const { slot, serial, issuedAtS: iat, expiresAtS: exp, endsAtS: end } = grant;
  return signToken(ringOf(visit), {
    kind: "pass",
    room: visit.room,
    generation,
    slot,
    serial,
    ...(networks && { networks }),
    iat,
    exp,
    end,
  });
}

export function passCookie(visit: Visit, token: string): string {
  return setCookie("pass", visit.room, token, cookieOptions(visit));
}

export function withoutCookie(visit: Visit, kind: "place" | "pass"): string {
  return clearCookie(kind, visit.room, cookieOptions(visit));
}

/**
 * The key of the place that follows an old one: the same for parallel requests and repeated clicks, so that they share one new place.
 * Keys are taken from signed tokens only, so that it can be computed by anybody helps nobody.
 */
export async function keyAfter(room: string, old: Former): Promise<string> {
  const own = "slot" in old ? [old.slot] : "void" in old ? ["void", old.void] : ["entry", old.draw, old.entry];
  const text = JSON.stringify(["vestibule next place", room, old.generation, ...own]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return toBase64url(new Uint8Array(digest).subarray(0, 16));
}

/** How long a place's cookie lives, seconds. */
export function lifeS(visit: Visit): number {
  return Math.floor(visit.client.settings.cookieMaxAgeMs / 1_000);
}
