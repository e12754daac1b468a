/** What people who wait are told from the manifest alone, be it with a slot, an entry or neither. Costs no call; decides nothing. */
import type { Status } from "../core/status";
import { endedStatus, joiningStatus, waitingStatus } from "../core/status-of";
import { entryStatus } from "../core/status-of-event";
import type { EntryClaims, TicketClaims } from "../core/token-types";
import type { Place } from "./decide";
import { toldOf, type Visit } from "./visit";

/** A manifest this old means that the Room does not answer, ms. */
const UNREACHABLE_AGE_MS = 10_000;

/** Where someone waits, from the manifest alone. Says so if the Room has not been heard of for a while. */
export function waiting(visit: Visit, place: Pick<Place, "generation" | "slot" | "joinedAtS" | "receipt">): Status {
  const { generation, slot } = place;
  const seen = visit.client.known();
  if (seen === null || generation > seen.manifest.generation) return waitingStatus(toldOf(visit, place, null), slot);
  return waitingStatus(toldOf(visit, place), slot, seen.ageMs > UNREACHABLE_AGE_MS ? "room-unreachable" : null);
}

/** Where someone stands whose entry has no slot yet, from the manifest alone. */
export function held(visit: Visit, entry: EntryClaims, why: "restarted" | null = null): Status {
  const told = toldOf(visit);
  const seen = visit.client.known();
  if (seen?.manifest.phase === "ended") return endedStatus(told, null, "sold-out");
  return entryStatus(told, entry, seen === null || seen.ageMs > UNREACHABLE_AGE_MS ? "room-unreachable" : why);
}

/** A place that is not proven yet: what is said of one that waits. */
export function pending(visit: Visit, of: TicketClaims | EntryClaims): Status {
  return of.kind === "entry" ? held(visit, of) : waiting(visit, { ...of, joinedAtS: of.iat });
}

/** A place that is somebody else's, or nobody's. */
export function voidStatus(visit: Visit, of: TicketClaims | EntryClaims): Status {
  return endedStatus(toldOf(visit), of.kind === "ticket" ? of.slot : null, "place-void");
}

/** What is said of a place, an entry or neither while the Room was never reached, or not since the room was off. */
export function unreachable(visit: Visit, place: Place | null, entry: EntryClaims | null): Status {
  const told = toldOf(visit, place, null);
  if (place !== null) return waitingStatus(told, place.slot, "room-unreachable");
  return entry === null ? joiningStatus(told, "room-unreachable") : entryStatus(told, entry, "room-unreachable");
}
