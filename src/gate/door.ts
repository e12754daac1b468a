/**
 * The door of a room: reads what a newcomer shows (invitation, or the log-in's JWT), has it checked, keeps an invitation in a cookie of
 * its own. Before all of it counts no state is made anywhere, and no call goes to the Room. Knows nothing of places.
 */
import type { Door, Invitation } from "../core/door";
import type { Guest, JoinRequest } from "../core/exchange";
import { originOf, RESERVED_PREFIX } from "../core/safe-target";
import type { DoorReason } from "../core/status";
import { doorStatus } from "../core/status-of";
import { TOKEN_MAX_BYTES } from "../core/token";
import type { DoorClaims } from "../core/token-types";
import { checkIdentity, IDENTITY_MAX_BYTES } from "../door/identity";
import { checkInvitation } from "../door/invitations";
import { cookieName, readCookie, setCookie } from "../http/cookies";
import { redirectReply } from "../http/replies";
import { newVisitorKey, signToken, subjectKey } from "../keys";
import type { RoomClient } from "../room-client";
import { type Checked, verifyAny } from "../token-checks";
import { jsonAnswer } from "./answer";
import { type Identity, placeOf } from "./decide";
import { identify } from "./identify";
import { cookieOptions, hearOfRevokedKeys, nowS, ringOf, toldOf, type Visit } from "./visit";

/** The cookie of an invitation lives as long as it does, at most this, seconds. */
const KEPT_MAX_S = 30 * 86_400;
/** Signatures of log-ins are dear: at most this many values of the cookie's name are looked at. */
const IDENTITIES_MAX = 2;

const OPEN: Door = { as: "open" };

/** Once for each request, however often it is asked. */
const looked = new WeakMap<Visit, Promise<Door>>();

/** What the visitor shows at the door of this room, as far as the room asks for anything. */
export function doorOf(visit: Visit): Promise<Door> | Door {
  if (visit.client.settings.entry === "open") return OPEN;
  const known = looked.get(visit) ?? look(visit);
  looked.set(visit, known);
  return known;
}

async function look(visit: Visit): Promise<Door> {
  switch (visit.client.settings.entry) {
    case "open":
      return OPEN;
    case "invited":
      return invited(visit);
    case "identified":
      return identified(visit);
  }
}

async function invited(visit: Visit): Promise<Door> {
  const kept = await keptInvitation(visit);
  if (visit.invitation !== null) {
    const checked = await checkInvitation(ringOf(visit), visit.invitation.token, visit.room, nowS(visit));
    if (typeof checked !== "string") {
      const { id, uses, subject } = checked;
      const isKept = kept.as === "valid" && kept.claims.invitation === id;
      return { as: "proven", key: subject ?? (isKept ? kept.claims.key : null), guest: { invitation: { id, uses } } };
    }
    if (kept.as !== "valid") return { as: "shut", why: checked };
  }
  if (kept.as === "valid") {
    const { key, invitation: id, uses } = kept.claims;
    return { as: "proven", key, guest: { invitation: { id, uses } } };
  }
  return { as: "shut", why: kept.as === "expired" ? "invitation-expired" : "invitation-needed" };
}

async function identified(visit: Visit): Promise<Door> {
  const settings = visit.client.settings.identity;
  const { room, config, life } = visit;
  let why: DoorReason = "identity-needed";
  for (const token of identitiesOf(visit)) {
    const sharedKeys = config.identityKeys.get(room) ?? [];
    if (sharedKeys.length === 0 && settings.jwksUrl === null) tellKeyless(visit);
    const checked = await checkIdentity(token, { settings, sharedKeys, nowS: nowS(visit), life });
    if (typeof checked === "string") {
      why = checked;
      continue;
    }
    const key = await subjectKey(config.keys, room, "identity", settings.issuer, checked.subject);
    return { as: "proven", key, guest: { invitation: null } };
  }
  return { as: "shut", why };
}

/** Rooms of which it has been said. */
const keyless = new WeakSet<RoomClient>();

/** `identified` was switched on while the Worker runs: at its start it would have been refused. Said once. */
function tellKeyless({ client, room }: Visit): void {
  if (keyless.has(client)) return;
  keyless.add(client);
  console.error(JSON.stringify({ event: "identity-key-missing", room, problem: "IDENTITY_KEYS has no key of this room: nobody can join" }));
}

function identitiesOf(visit: Visit): string[] {
  const { cookie, header } = visit.client.settings.identity;
  const { headers } = visit.request;
  const inHeader = header === null ? null : headers.get(header);
  // A scheme may stand in front: `Bearer eyJ…`.
  const fromHeader = inHeader === null ? [] : [inHeader.trim().split(/\s+/).at(-1) ?? ""].filter((token) => token.includes("."));
  const fromCookie = cookie === null ? [] : readCookie(headers.get("Cookie"), cookie, IDENTITY_MAX_BYTES);
  return [...fromHeader, ...fromCookie].slice(0, IDENTITIES_MAX);
}

/** A join by somebody whom the door let through; `replaces`: a slot that ended by the operator's hand. */
export function throughDoor(door: Exclude<Door, { as: "shut" }>, request: JoinRequest, replaces: number | null): JoinRequest {
  if (door.as === "open") return request;
  const guest: Guest = replaces === null ? door.guest : { ...door.guest, replaces };
  return { ...request, key: door.key ?? request.key, guest };
}

/**
 * A page load by the link of an invitation: leads to the same address without it, with the cookie that keeps it. Whoever has a place or
 * a good invitation already goes on there; anybody else is told what is wrong with this one. null = nothing to do.
 */
export async function followLink(visit: Visit): Promise<Response | null> {
  if (visit.invitation?.from !== "link" || visit.asked.method !== "read" || visit.asked.prefetch) return null;
  await hearOfRevokedKeys(visit);
  const checked = await checkInvitation(ringOf(visit), visit.invitation.token, visit.room, nowS(visit));
  if (typeof checked !== "string") return redirectReply(visit.url.href, [await doorCookie(visit, checked)]);
  return refuseInvitation(visit, await identify(visit), checked, visit.url.href);
}

/** The same for the field of a form of ours: the code, or the whole link. */
export async function takeField(visit: Visit, field: string, target: string): Promise<Response> {
  await hearOfRevokedKeys(visit);
  const token = /[\w-]+\.[\w-]+\.[\w-]+(?=[^\w-]*$|&)/.exec(field)?.[0] ?? "";
  const checked = token === "" ? "invitation-bad" : await checkInvitation(ringOf(visit), token, visit.room, nowS(visit));
  if (typeof checked !== "string") return redirectReply(target, [await doorCookie(visit, checked)]);
  return refuseInvitation(visit, await identify(visit), checked, target);
}

async function refuseInvitation(visit: Visit, identity: Identity, why: DoorReason, target: string): Promise<Response> {
  await visit.client.manifest(visit.life, visit.client.settings.revokeBoundMs);
  const asks = visit.client.settings.entry === "invited";
  const isKnown = placeOf(identity) !== null || identity.pass !== null || (await keptInvitation(visit)).as === "valid";
  if (!asks || isKnown) return redirectReply(target);
  if (!visit.asked.navigation && !visit.asked.form) return jsonAnswer(doorStatus(toldOf(visit), why));
  const to = encodeURIComponent(target.slice(originOf(visit.url).length));
  return redirectReply(`${originOf(visit.url)}${RESERVED_PREFIX}/rooms/${visit.room}/door?why=${why}&to=${to}`);
}

function keptInvitation(visit: Visit): Promise<Checked<DoorClaims>> {
  const { request, room } = visit;
  const values = readCookie(request.headers.get("Cookie"), cookieName("door", room, cookieOptions(visit)), TOKEN_MAX_BYTES);
  return verifyAny(ringOf(visit), "door", room, values, nowS(visit));
}

/** Keeps an invitation. The same one shown again keeps its key, and with it the place. */
async function doorCookie(visit: Visit, { id, uses, subject, exp: end }: Invitation): Promise<string> {
  const kept = await keptInvitation(visit);
  const isKept = kept.as === "valid" && kept.claims.invitation === id;
  const key = subject ?? (isKept ? kept.claims.key : newVisitorKey());
  const iat = nowS(visit);
  const exp = Math.min(end, iat + KEPT_MAX_S);
  const { room } = visit;
  const token = await signToken(ringOf(visit), { kind: "door", room, key, invitation: id, uses, iat, exp });
  return setCookie("door", room, token, cookieOptions(visit), (exp - iat) * 1_000);
}
