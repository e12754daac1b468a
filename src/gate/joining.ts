/**
 * Asking the Room for a place, as page loads and the API both do: the door first, then the damper, then proof where it is asked, then the
 * Room. Nothing is asked of the Room, and nothing counted, before what everybody must show was shown. Gives no cookie of a place.
 */
import type { JoinRequest } from "../core/exchange";
import type { Status, Trouble } from "../core/status";
import { doorStatus, joiningStatus, networkRefusedStatus, refusedStatus } from "../core/status-of";
import { newVisitorKey } from "../keys";
import type { Outcome } from "../room-client";
import { askFor, costOfEveryone, costWithoutRoom, type Proof, proofCleared, proofCookie, proofOf } from "./challenge";
import type { Former } from "./decide";
import { doorOf, throughDoor } from "./door";
import type { Joined } from "./entry";
import { isRefused, isTrusted, networkOf, restOf, ticketCookie, toldOf, type Visit, visitorToken } from "./visit";

/** So long after its request came, ms, a join is answered with the "joining" page; the visitor token is the claim to the place. */
export const JOIN_WAIT_MS = 2_000;
/** The damper's period is over by then, ms. */
const DAMPED_MS = 10_000;

export type GoneWhy = "restarted" | "sessions-ended";
/** Why a place is followed by another one; `over`: an app's own has ended, which has no button to say that it wants another. */
export type FollowWhy = GoneWhy | "draw-dropped" | "over";

/** A place that is wanted. `why` and `old`: of the place that it follows; null = a newcomer's. */
export interface Wish {
  readonly key: string;
  /** Go straight in if the room is quiet. */
  readonly enter: boolean;
  readonly navigation: boolean;
  readonly why: FollowWhy | null;
  readonly old: Former | null;
}

export type Asked =
  /** No place yet. `tokens`: for an app that keeps its own. */
  | {
      readonly as: "told";
      readonly status: Status;
      readonly setCookies: readonly string[];
      readonly tokens: { readonly visitor?: string; readonly proof?: string };
    }
  | { readonly as: "given"; readonly verdict: Joined; readonly generation: number; readonly setCookies: readonly string[] };

/** What is wrong, if anything is: an answer may still be on its way. */
export function troubleOf({ as }: Outcome<unknown>): Trouble | null {
  if (as === "full") return "storage-full";
  return as === "unreachable" ? "room-unreachable" : null;
}

/** The slot that a new place makes good: one that ended by the operator's hand. */
function replacedBy(why: Wish["why"], old: Former | null): number | null {
  return why === "sessions-ended" && old !== null && "slot" in old ? old.slot : null;
}

/** A place with this key, or what stands in the way. */
export async function askForPlace(visit: Visit, wish: Wish): Promise<Asked> {
  const { why, old, enter, navigation } = wish;
  // Whose place ended through no act of theirs has waited already: neither refused, nor slowed, nor asked what newcomers are.
  const isNew = why === null || why === "over";
  // By decide.ts nobody comes this far without a place; one that has ended is none.
  if (isNew && isRefused(visit)) return told(networkRefusedStatus(toldOf(visit)));
  const door = await doorOf(visit);
  if (door.as === "shut") return told(doorStatus(toldOf(visit), door.why));
  const { prefix, ...network } = networkOf(visit);
  if (isNew && (await isDamped(visit, prefix))) {
    return told(refusedStatus(toldOf(visit), { as: "refused", why: "network", retryAfterMs: DAMPED_MS }));
  }
  const isExempt = !isNew || isTrusted(visit);
  const wanted = { key: wish.key, enter, ...network, ...(isExempt && { exempt: true as const }) };
  const request = throughDoor(door, wanted, replacedBy(why, old));
  const proof = await proofOf(visit, request.key);
  const asked = isExempt ? null : await askFor(visit, costOfEveryone(visit), proof);
  if (asked === null) return join(visit, { ...request, proof: proof.cost }, proof, navigation);
  visit.client.report.asked();
  return told(asked, keptBy(visit, proof));
}

async function join(visit: Visit, request: JoinRequest, proof: Proof, navigation: boolean): Promise<Asked> {
  const outcome = await visit.client.join(request, visit.life, { navigation, waitMs: restOf(visit, JOIN_WAIT_MS) });
  const kept = keptBy(visit, proof);
  const now = () => toldOf(visit);
  if (outcome.as !== "answered") {
    const asked = request.exempt === true || visit.client.openness === "shut" ? null : await askFor(visit, costWithoutRoom(visit), proof);
    return told(asked ?? joiningStatus(now(), troubleOf(outcome), visit.client.joinDelayMs), kept);
  }
  const { verdict, generation } = outcome;
  if (verdict.as === "refused") return told(refusedStatus(now(), verdict), kept);
  if (verdict.as !== "challenge") return { as: "given", verdict, generation, setCookies: proofCleared(visit) };
  const asked = await askFor(visit, verdict.cost, proof);
  if (asked !== null) return told(asked, kept);
  // What was shown would do, but was used for a place already: asked again, for a place under a new key.
  return proof.cost > 0 ? afresh(visit, verdict.cost) : told(joiningStatus(now()), kept);
}

async function afresh(visit: Visit, cost: number): Promise<Asked> {
  const key = newVisitorKey();
  const proof: Proof = { key, shown: { work: 0, human: false }, cost: 0, again: "used", instead: false, token: null };
  const visitor = await visitorToken(visit, key);
  const asked = (await askFor(visit, cost, proof)) ?? joiningStatus(toldOf(visit));
  return told(asked, { setCookies: [ticketCookie(visit, visitor), ...proofCleared(visit)], tokens: { visitor } });
}

interface KeptTokens {
  readonly setCookies: readonly string[];
  readonly tokens: { readonly visitor?: string; readonly proof?: string };
}

function keptBy(visit: Visit, { token }: Proof): KeptTokens {
  return token === null ? NOTHING_KEPT : { setCookies: [proofCookie(visit, token)], tokens: { proof: token } };
}

const NOTHING_KEPT: KeptTokens = { setCookies: [], tokens: {} };

function told(status: Status, kept: KeptTokens = NOTHING_KEPT): Asked {
  return { as: "told", status, ...kept };
}

/** The edge's own rate limit, where the deployment has one: only ever slows newcomers, and its absence or failure slows nobody. */
async function isDamped({ config, room }: Visit, prefix: string | null): Promise<boolean> {
  if (config.joinDamper === null || prefix === null) return false;
  try {
    return !(await config.joinDamper.limit({ key: `${room} ${prefix}` })).success;
  } catch {
    return false;
  }
}
