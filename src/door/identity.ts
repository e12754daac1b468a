/**
 * Identities: the JWT of the site's own log-in, checked with jose. What kind of key counts is the operator's word and never the token's:
 * a room with a JWKS address takes signatures of public keys only, a room with a shared key only HMACs.
 */
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from "jose";
import { JOSEError, JWKSNoMatchingKey, JWTExpired } from "jose/errors";
import { jwtVerify } from "jose/jwt/verify";
import { subjectOf } from "../core/door";
import type { IdentitySettings } from "../core/settings-types";
import type { DoorReason } from "../core/status";
import type { Lifetime } from "../room/wait";
import { keysOf, newerKeysOf } from "./jwks";

const PUBLIC_KEY_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];
const SHARED_KEY_ALGORITHMS = ["HS256", "HS384", "HS512"];
/** Clocks of log-ins may be ahead of ours, seconds. There is no tolerance on `exp`. */
const AHEAD_S = 30;
/** Longer input is refused before any work. */
export const IDENTITY_MAX_BYTES = 8_192;

export interface IdentityCheck {
  readonly settings: IdentitySettings;
  /** The room's own of IDENTITY_KEYS. */
  readonly sharedKeys: readonly Uint8Array[];
  readonly nowS: number;
  readonly life: Lifetime;
}

/** Who it is, or why that is not known. */
export async function checkIdentity(token: string, check: IdentityCheck): Promise<{ readonly subject: string } | DoorReason> {
  if (token.length > IDENTITY_MAX_BYTES) return "identity-bad";
  const { settings } = check;
  const checked = settings.jwksUrl === null ? await byShared(token, check) : await byPublished(token, settings.jwksUrl, check);
  if (typeof checked === "string") return checked;
  if (typeof checked.exp !== "number" || checked.exp <= check.nowS) return "identity-expired";
  const subject = subjectOf(checked, settings.claim);
  return subject === null ? "identity-bad" : { subject };
}

async function byShared(token: string, check: IdentityCheck): Promise<JWTPayload | DoorReason> {
  let last: JWTPayload | DoorReason = "identity-unchecked";
  for (const key of check.sharedKeys) {
    last = await verify(token, key, SHARED_KEY_ALGORITHMS, check).catch(reasonOf);
    if (last !== "identity-bad") return last;
  }
  return last;
}

async function byPublished(token: string, url: string, check: IdentityCheck): Promise<JWTPayload | DoorReason> {
  const { jwksRefetchMs } = check.settings;
  const keys = await keysOf(url, jwksRefetchMs, check.life);
  if (keys === null) return "identity-unchecked";
  try {
    return await verify(token, keys, PUBLIC_KEY_ALGORITHMS, check);
  } catch (error) {
    if (!(error instanceof JWKSNoMatchingKey)) return reasonOf(error);
    // A key that is not known may be new: only keys fetched since can tell.
    const newer = await newerKeysOf(url, jwksRefetchMs, keys);
    return newer === null ? "identity-unchecked" : verify(token, newer, PUBLIC_KEY_ALGORITHMS, check).catch(reasonOf);
  }
}

async function verify(
  token: string,
  key: Uint8Array | JWTVerifyGetKey,
  algorithms: string[],
  { settings, nowS }: IdentityCheck,
): Promise<JWTPayload> {
  const options: JWTVerifyOptions = {
    algorithms,
    issuer: settings.issuer,
    audience: settings.audience,
    requiredClaims: ["exp"],
    clockTolerance: AHEAD_S,
    currentDate: new Date(nowS * 1_000),
  };
  const { payload } = typeof key === "function" ? await jwtVerify(token, key, options) : await jwtVerify(token, key, options);
  return payload;
}

/** What jose says against a token is the visitor's to mend; a key that cannot be used is the operator's. */
function reasonOf(error: unknown): DoorReason {
  if (error instanceof JWTExpired) return "identity-expired";
  if (error instanceof JOSEError) return "identity-bad";
  console.error(JSON.stringify({ event: "identity-key-unusable", error: error instanceof Error ? error.message : String(error) }));
  return "identity-unchecked";
}
