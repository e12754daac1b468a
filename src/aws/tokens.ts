/**
 * The RS256 tokens of the AWS API, and the key that signs them: read from the secret AWS_TOKEN_KEY, published as a JWK. jose does the
 * JOSE work. No bindings, no clock: the secret and the times are handed in. These tokens open nothing at our own gate.
 */
import { calculateJwkThumbprint } from "jose/jwk/thumbprint";
import { SignJWT } from "jose/jwt/sign";
import { type AwsSession, tokenClaims } from "../core/aws";

export interface AwsKey {
  readonly kid: string;
  readonly key: CryptoKey;
  /** As GET public_key tells it. */
  readonly jwk: Readonly<Record<"kty" | "alg" | "use" | "kid" | "n" | "e", string>>;
}

const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const LEAST_BITS = 2_048;

/** Reads a private RSA key: PKCS #8, as PEM or as its base64 alone. null = it is none, or has less than 2,048 bits. */
export async function importAwsKey(secret: string): Promise<AwsKey | null> {
  const base64 = secret.replace(/-----(?:BEGIN|END) PRIVATE KEY-----/g, "").replace(/\\n|\s/g, "");
  try {
    const der = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const read = await crypto.subtle.importKey("pkcs8", der, ALGORITHM, true, ["sign"]);
    const { n, e } = (await crypto.subtle.exportKey("jwk", read)) as JsonWebKey;
    if (n === undefined || e === undefined || (read.algorithm as unknown as { readonly modulusLength: number }).modulusLength < LEAST_BITS)
      return null;
    const kid = await calculateJwkThumbprint({ kty: "RSA", n, e });
    const key = await crypto.subtle.importKey("pkcs8", der, ALGORITHM, false, ["sign"]);
    return { kid, key, jwk: { kty: "RSA", alg: "RS256", use: "sig", kid, n, e } };
  } catch {
    return null;
  }
}

/**
 * Body of a successful generate_token. All three end with the pass that the Room granted, the refresh token too: a site that does not look
 * at `token_use` must not keep anybody longer than the Room does.
 */
export async function awsTokens({ key, kid }: AwsKey, session: AwsSession, issuer: string, nowS: number) {
  const sign = (use: "access" | "id" | "refresh") =>
    new SignJWT({ ...tokenClaims(session), iss: issuer, token_use: use }).setProtectedHeader({ alg: "RS256", kid, typ: "JWT" }).sign(key);
  const [access_token, refresh_token, id_token] = await Promise.all([sign("access"), sign("refresh"), sign("id")]);
  const expires_in = Math.max(0, session.expiresAtS - nowS);
  return { access_token, refresh_token, id_token, token_type: "Bearer", expires_in };
}
