/**
 * Places shown by tickets and entries of a revoked key: the Room is asked to make each out anew, once, and until it has answered the
 * place is shown to wait. From here on the place is the visitor's by a good key, or it is nobody's. Decides nothing itself.
 */
import type { ReissueVerdict } from "../core/exchange";
import type { EntryClaims, TicketClaims } from "../core/token-types";
import { signsInVain, tokenDigest } from "../keys";
import type { Outcome } from "../room-client";
import type { Facts, Identity, OldPlace } from "./decide";
import { drawOf } from "./entry";
import { keyAfter, nowS, ringOf, type Visit } from "./visit";

/** A page waits this long for the answer; whoever comes again hears it then. */
const REISSUE_WAIT_MS = 2_000;

/** Somebody who shows such a token, with a place that counts, or with none and what became of it. */
export function settleRevoked(visit: Visit, shown: Identity): Promise<Settled> | Settled {
  if (shown.old == null) return { identity: shown };
  const { old, ...identity } = shown;
  return settled(visit, identity, old);
}

type Settled = Pick<Facts, "identity" | "reissue">;

async function settled(visit: Visit, identity: Identity, old: OldPlace): Promise<Settled> {
  const { claims } = old;
  // A pass by a good key proves the place by itself, and brings a new ticket once it has ended.
  const pass = identity.pass;
  const isProven = pass !== null && "slot" in claims && pass.claims.generation === claims.generation && pass.claims.slot === claims.slot;
  if (isProven || (pass !== null && !pass.expired)) return { identity };
  const outcome = await ask(visit, old);
  if (outcome === "none") return { identity };
  if (outcome.as !== "answered") return { identity, reissue: { as: "pending", of: claims } };
  switch (outcome.verdict.as) {
    case "reissued":
      return { identity: { ...identity, ...madeOutAnew(visit, claims) } };
    case "void": {
      const digest = await tokenDigest(old.token);
      const key = await keyAfter(visit.room, { generation: claims.generation, void: digest });
      return { identity, reissue: { as: "void", of: claims, key } };
    }
    case "later":
      return { identity, reissue: { as: "pending", of: claims } };
    case "restarted":
      return { identity };
  }
}

/** `none`: of a line that is no more, or a draw that never took place: it counts as a newcomer's. */
async function ask(visit: Visit, { claims, kid, token }: OldPlace): Promise<Outcome<ReissueVerdict> | "none"> {
  const { client } = visit;
  const manifest = client.newest;
  if (manifest === null || claims.generation > manifest.generation) return { as: "late" };
  if (claims.generation < manifest.generation) return "none";
  // Until the Room has noted the revocation it could say nothing, and without a good key there is nothing to make out.
  if (!manifest.revokedKeys.includes(kid) || signsInVain(ringOf(visit))) return { as: "late" };
  const place = claims.kind === "ticket" ? { slot: claims.slot, entry: null } : await placeOfEntry(visit, claims);
  if (place === "dropped") return "none";
  if (place === "unknown") return { as: "late" };
  const request = { kid, ...place, token: await tokenDigest(token) };
  return client.reissue(request, claims.generation, visit.life, REISSUE_WAIT_MS);
}

async function placeOfEntry(visit: Visit, claims: EntryClaims) {
  const { draw, entry } = claims;
  const drawn = await drawOf(visit, claims);
  if (typeof drawn === "string" && drawn !== "pending") return drawn;
  return { slot: drawn === "pending" ? null : drawn.slot, entry: { draw, entry } };
}

/** Its life is over at once: the next reply to the visitor sets the cookie with the life that it should have, by the key that signs now. */
function madeOutAnew(visit: Visit, claims: TicketClaims | EntryClaims): Pick<Identity, "ticket" | "entry"> {
  const exp = nowS(visit) + 1;
  const anew = { ...claims, iat: Math.min(claims.iat, exp - 1), exp };
  return anew.kind === "ticket" ? { ticket: anew, entry: null } : { ticket: null, entry: anew };
}
