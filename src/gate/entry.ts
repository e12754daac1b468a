/**
 * Entries into draws at the gate: their cookie, and the ticket that an entry becomes once its draw is known here. Reads the manifest and
 * the isolate's book of draws; decides nothing about who may pass.
 */

import type { DrawnPlaces } from "../core/draw";
import { slotOf } from "../core/draw-sync";
import type { JoinVerdict } from "../core/exchange";
import type { Manifest } from "../core/manifest";
import type { EntryClaims, TicketClaims } from "../core/token-types";
import { isPastHalf } from "../http/cookies";
import { isDrawn } from "../room/draw-book";
import type { EntryDraw, Facts, Identity, Place } from "./decide";
import { lifeS, nowS, signEntry, signTicket, ticketCookie, type Visit } from "./visit";

/** Someone with an entry, as somebody with a ticket if it is drawn; else what is known of its draw. */
export function settleEntry(visit: Visit, identity: Identity): Promise<Settled> | Settled {
  return identity.entry === null ? { identity } : settled(visit, identity, identity.entry);
}

type Settled = Pick<Facts, "identity" | "draw">;

async function settled(visit: Visit, identity: Identity, entry: EntryClaims): Promise<Settled> {
  const drawn = await drawOf(visit, entry);
  if (typeof drawn === "string") return { identity, draw: drawn };
  return { identity: { ...identity, entry: null, ticket: drawn } };
}

/** The ticket that an entry has become, or what is known of its draw. */
export async function drawOf(visit: Visit, entry: EntryClaims): Promise<TicketClaims | EntryDraw> {
  const manifest = visit.client.newest;
  if (manifest === null || entry.generation !== manifest.generation) return "unknown";
  if (manifest.lobby?.draw === entry.draw || manifest.window?.draw === entry.draw) return "pending";
  const places = await placesOf(visit, manifest, entry);
  return typeof places === "string" ? places : drawnTicket(visit, entry, places);
}

/** The last draws stand in the manifest; an older one is asked for once. */
async function placesOf(visit: Visit, manifest: Manifest, { draw, generation }: EntryClaims): Promise<DrawnPlaces | EntryDraw> {
  const known = manifest.draws.find(({ id }) => id === draw);
  if (known !== undefined) return known;
  const found = await visit.client.draws.find(draw, visit.nowMs, "token");
  if (found === "unknown") return found;
  if (found === null || "dropped" in found || found.generation !== generation) return "dropped";
  return isDrawn(found) ? found : "pending";
}

/** Its life is over at once: the next reply to the visitor sets the ticket with the life that it should have. */
function drawnTicket(visit: Visit, claims: EntryClaims, places: DrawnPlaces): TicketClaims | "dropped" {
  const { room, generation, draw, entry, chain, iat } = claims;
  // Signed by us, but of another storage that counted further.
  if (entry >= places.count) return "dropped";
  const exp = nowS(visit) + 1;
  return {
    kind: "ticket",
    room,
    generation,
    slot: slotOf(places, entry),
    receipt: { draw, entry, chain },
    iat: Math.min(iat, exp - 1),
    exp,
  };
}

export type Joined = Exclude<JoinVerdict, { as: "refused" | "challenge" }>;

/** What a join gave: a slot or an entry, and the token that carries it. */
export type Given =
  | { readonly as: "slot"; readonly place: Place; readonly token: string }
  | { readonly as: "entry"; readonly entry: EntryClaims; readonly token: string };

export async function givenBy(visit: Visit, verdict: Joined, generation: number): Promise<Given> {
  if (verdict.as !== "entry") {
    const slot = verdict.as === "placed" ? verdict.slot : verdict.pass.slot;
    const place: Place = { generation, slot, serial: 0, joinedAtS: verdict.joinedAtS };
    return { as: "slot", place, token: await signTicket(visit, place) };
  }
  const { draw, entry, chain, joinedAtS } = verdict;
  const exp = nowS(visit) + lifeS(visit);
  const claims: EntryClaims = { kind: "entry", room: visit.room, generation, draw, entry, chain, iat: Math.min(joinedAtS, exp - 1), exp };
  // The same key after the draw, or the last of a window: there may be a slot already.
  const drawn = await drawOf(visit, claims);
  if (typeof drawn === "string") return { as: "entry", entry: claims, token: await signEntry(visit, claims) };
  const { slot, receipt, iat } = drawn;
  const place: Place = { generation, slot, serial: 0, joinedAtS: iat, ...(receipt && { receipt }) };
  return { as: "slot", place, token: await signTicket(visit, place) };
}

/** The token that a visitor should get again: past half of its life, or a ticket that was an entry until now. null = none. */
export function renewedToken(visit: Visit, { ticket, entry }: Identity): Promise<string> | null {
  const own = ticket ?? entry;
  if (own === null || !isPastHalf(own.exp, nowS(visit), visit.client.settings)) return null;
  if (own.kind === "entry") return signEntry(visit, { ...own, exp: nowS(visit) + lifeS(visit) });
  return signTicket(visit, { ...own, joinedAtS: own.iat });
}

/** The same as cookie lines. */
export async function renewedLines(visit: Visit, identity: Identity): Promise<string[]> {
  const token = await renewedToken(visit, identity);
  return token === null ? [] : [ticketCookie(visit, token)];
}
