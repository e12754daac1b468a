/**
 * What tokens prove by a ring: their signatures, made out once for each token that comes again, and what they are worth now. May not read
 * bindings or the clock: `nowS` is handed in.
 */
import { type ClaimsOf, decodeToken, judgeTimes } from "./core/token";
import type { Claims, EntryClaims, TicketClaims, TokenKind } from "./core/token-types";
import { type KeyRing, keyOf } from "./keys";
import type { ShownToken } from "./shown-tokens";

/** `none`: bad in any way, to be treated like no cookie at all. `expired`: correct but for an `exp` gone by. */
export type Checked<C> =
  | { readonly as: "valid"; readonly claims: C }
  | { readonly as: "expired"; readonly claims: C }
  | { readonly as: "none" };

const NONE = { as: "none" } as const;

/**
 * At most one HMAC: none for a token that was proven before, that is of no kind which counts where it was shown, or whose key is unknown or
 * revoked. What it is worth tells `bestOf`.
 */
export async function prove(ring: KeyRing, kinds: readonly TokenKind[], token: ShownToken): Promise<void> {
  const decoded = token.proven === null ? decodeToken(token.text) : null;
  if (decoded === null || !kinds.includes(decoded.kind)) return;
  const key = keyOf(ring, decoded.kid, decoded.kind);
  if (key !== undefined && (await crypto.subtle.verify("HMAC", key, decoded.signature, decoded.signingInput)))
    ring.shown.prove(token, decoded);
}

/** What a token is as one of this kind, as far as it is proven. The caller compares room and generation. */
function checkShown<K extends TokenKind>(ring: KeyRing, kind: K, { proven }: ShownToken, nowS: number): Checked<ClaimsOf<K>> {
  if (proven === null || proven.kind !== kind || keyOf(ring, proven.kid, kind) === undefined) return NONE;
  const times = judgeTimes(proven.claims, nowS);
  return times === "impossible" ? NONE : { as: times, claims: proven.claims as ClaimsOf<K> };
}

/**
 * The best of what was proven of all values that a browser sent under one name, for this room only: valid before expired, then the newest
 * generation, then the first.
 */
export function bestOf<K extends TokenKind>(
  ring: KeyRing,
  kind: K,
  room: string,
  tokens: readonly ShownToken[],
  nowS: number,
): Checked<ClaimsOf<K>> {
  let best: Checked<ClaimsOf<K>> = NONE;
  for (const token of tokens) {
    const checked = checkShown(ring, kind, token, nowS);
    if (checked.as !== "none" && checked.claims.room === room && rank(checked) > rank(best)) best = checked;
  }
  return best;
}

/** Checks one token of one kind at `nowS` (Unix seconds): at most one HMAC. The caller compares room and generation. */
export async function verifyToken<K extends TokenKind>(ring: KeyRing, kind: K, token: string, nowS: number): Promise<Checked<ClaimsOf<K>>> {
  const shown = ring.shown.of(token);
  await prove(ring, [kind], shown);
  return checkShown(ring, kind, shown, nowS);
}

/** The `bestOf` values of one kind. `tokens` is bounded by the cookie reader (8), and so is the work. */
export async function verifyAny<K extends TokenKind>(
  ring: KeyRing,
  kind: K,
  room: string,
  tokens: readonly string[],
  nowS: number,
): Promise<Checked<ClaimsOf<K>>> {
  const shown = ring.shown.all(tokens);
  for (const token of shown) await prove(ring, [kind], token);
  return bestOf(ring, kind, room, shown, nowS);
}

/** A token of a revoked key: whoever has that key may have made it. Worth what the Room says of it, and nothing before. */
export interface RevokedToken<C> {
  readonly claims: C;
  readonly kid: string;
  readonly token: string;
}

/** The newest of the tickets, else of the entries, that a revoked key signed, in its time and for this room; null = none. */
export async function verifyRevoked(
  ring: KeyRing,
  room: string,
  tokens: readonly string[],
  nowS: number,
): Promise<RevokedToken<TicketClaims | EntryClaims> | null> {
  const found: RevokedToken<TicketClaims | EntryClaims>[] = [];
  for (const token of tokens) {
    const { kid = "", kind } = decodeToken(token) ?? {};
    if (!ring.revoked.has(kid) || (kind !== "ticket" && kind !== "entry")) continue;
    const checked = await verifyToken({ ...ring, revoked: new Set() }, kind, token, nowS);
    if (checked.as === "valid" && checked.claims.room === room) found.push({ claims: checked.claims, kid, token });
  }
  const worth = ({ claims }: RevokedToken<TicketClaims | EntryClaims>) => 2 * claims.generation + (claims.kind === "ticket" ? 1 : 0);
  return found.reduce<(typeof found)[0] | null>((best, one) => (best === null || worth(one) > worth(best) ? one : best), null);
}

function rank(checked: Checked<Claims>): number {
  if (checked.as === "none") return -1;
  const generation = "generation" in checked.claims ? checked.claims.generation : 0;
  return generation + (checked.as === "valid" ? 2 ** 33 : 0);
}
