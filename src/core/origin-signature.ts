/**
 * What is signed of a request that is forwarded, so that an origin can refuse whatever did not come through the room (docs/integrate.md).
 * Pure: text only; `keys.ts` signs. Format of our own: one line each, none of the values can hold a line break.
 */

/** Named in the signed text, so that a signature never means anything else. */
const VERSION = "vestibule-request-1";

export interface SignedRequest {
  /** Unix seconds: an origin refuses what is older than a minute. */
  readonly atS: number;
  readonly method: string;
  /** Host and port as visitors write them. */
  readonly authority: string;
  /** Path and query as they reach the origin, byte for byte. */
  readonly target: string;
  /** `Vestibule-Status` and `Vestibule-Session` as sent; empty where there is none. */
  readonly status: string;
  readonly session: string;
}

/** The text under the MAC: seven lines, the last without a line break. */
export function signedText({ atS, method, authority, target, status, session }: SignedRequest): string {
  return [VERSION, atS, method, authority, target, status, session].join("\n");
}

/** The value of `Vestibule-Signature`. `mac`: HMAC-SHA256 of the text in base64url. */
export function signatureHeader(atS: number, kid: string, mac: string): string {
  return `t=${atS}, kid=${kid}, mac=${mac}`;
}
