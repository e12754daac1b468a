/**
 * What the cookies or tokens of a visit prove, by the ring as it is now: at once where all of them were proven before in this isolate, as with
 * nearly every request. Decides nothing.
 */
import { cookieName, readRoomCookies } from "../http/cookies";
import type { KeyRing } from "../keys";
import type { ShownCookies, ShownToken } from "../shown-tokens";
import { bestOf, prove, verifyRevoked } from "../token-checks";
import type { Identity } from "./decide";
import { cookieOptions, nowS, ringOf, type Visit } from "./visit";

/** What the cookies of the visit's room prove: at most 8 values of each name are tried, one HMAC each. */
export function identify(visit: Visit): Promise<Identity> | Identity {
  const { room } = visit;
  const { shown } = ringOf(visit);
  const header = visit.request.headers.get("Cookie") ?? "";
  const name = cookieName("place", room, cookieOptions(visit));
  const known = shown.cookiesIn(header, name);
  return known === null ? identifyAnew(visit, header, name) : identityOf(visit, known);
}

async function identifyAnew(visit: Visit, header: string, name: string): Promise<Identity> {
  const { room, url, client } = visit;
  const { shown } = ringOf(visit);
  const { place, pass } = readRoomCookies(header, room, url.protocol === "https:", client.settings);
  const cookies = { place: shown.all(place), pass: shown.all(pass) };
  const identity = await identityOf(visit, cookies);
  // Whoever waits asks once in a while; a browser inside sends the same header dozens of times.
  if (identity.pass !== null) shown.keepCookies(header, name, cookies);
  return identity;
}

/** The same for tokens that came another way. */
export function identityOfTokens(visit: Visit, place: readonly string[], pass: readonly string[]): Promise<Identity> | Identity {
  const { shown } = ringOf(visit);
  return identityOf(visit, { place: shown.all(place), pass: shown.all(pass) });
}

/** An app shows the one token that it has as both: it is tried once. */
const PLACE_KINDS = ["ticket", "entry", "visitor"] as const;
const PASS_KINDS = ["pass"] as const;

/** What tokens prove by the ring as it is now. At once where all of them were proven before, as with nearly every request. */
export function identityOf(visit: Visit, cookies: ShownCookies): Promise<Identity> | Identity {
  const ring = ringOf(visit);
  const isProven = cookies.place.every(wasProven) && cookies.pass.every(wasProven);
  return isProven ? withOld(visit, ring, provenBy(visit, ring, cookies)) : proving(visit, ring, cookies);
}

const wasProven = ({ proven }: ShownToken) => proven !== null;

async function proving(visit: Visit, ring: KeyRing, cookies: ShownCookies): Promise<Identity> {
  for (const token of cookies.place) if (token.proven === null) await prove(ring, PLACE_KINDS, token);
  for (const token of cookies.pass) if (token.proven === null) await prove(ring, PASS_KINDS, token);
  return withOld(visit, ring, provenBy(visit, ring, cookies));
}

function provenBy(visit: Visit, ring: KeyRing, cookies: ShownCookies): ShownIdentity {
  const { room } = visit;
  const at = nowS(visit);
  const pass = bestOf(ring, "pass", room, cookies.pass, at);
  const ticket = bestOf(ring, "ticket", room, cookies.place, at);
  const entry = bestOf(ring, "entry", room, cookies.place, at);
  const visitor = bestOf(ring, "visitor", room, cookies.place, at);
  const entered = entry.as === "valid" ? entry.claims : null;
  const placed = ticket.as === "valid" ? ticket.claims : null;
  const isEntry = entered !== null && (placed === null || placed.generation < entered.generation);
  return {
    shown: { cookies, revoked: ring.revoked },
    pass: pass.as === "none" ? null : { claims: pass.claims, expired: pass.as === "expired" },
    ticket: isEntry ? null : placed,
    entry: isEntry ? entered : null,
    visitor: visitor.as === "valid" ? visitor.claims : null,
  };
}

type ShownIdentity = Identity & Required<Pick<Identity, "shown">>;

/** Where there is no place, one that a revoked key signed may be shown. */
function withOld(visit: Visit, ring: KeyRing, identity: ShownIdentity): Promise<Identity> | Identity {
  const mayBeOld = ring.revoked.size > 0 && identity.ticket === null && identity.entry === null;
  if (!mayBeOld) return identity;
  const shown = identity.shown.cookies.place.map(({ text }) => text);
  return verifyRevoked(ring, visit.room, shown, nowS(visit)).then((old) => (old === null ? identity : { ...identity, old }));
}
