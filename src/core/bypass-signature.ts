/**
 * The header by which a sender that is known proves to us who it is (bypass rules, `signed_by`): text and framing. Pure; the shell checks.
 * The same shape as the signature that the site gets (origin-signature.ts), with another version line, so that neither means the other.
 */

export const BYPASS_HEADER = "Vestibule-Bypass";
export const BYPASS_TOKEN_HEADER = "Vestibule-Bypass-Token";
const VERSION = "vestibule-bypass-1";
/** A signature counts this long before and after its time, seconds: clocks differ, and within it it can be repeated. */
const TOLERANCE_S = 60;

export interface BypassSignature {
  /** Unix seconds. */
  readonly atS: number;
  /** Name of the key in BYPASS_KEYS. */
  readonly key: string;
  /** HMAC-SHA256 in base64url, 43 characters. */
  readonly mac: string;
}

const HEADER = /^t=(\d{1,12}), key=([a-z0-9-]{1,32}), mac=([A-Za-z0-9_-]{43})$/;

/** Takes the header apart; null = none that could count at `nowS`. */
export function readBypassHeader(header: string | null, nowS: number): BypassSignature | null {
  const [, at, key = "", mac = ""] = HEADER.exec(header ?? "") ?? [];
  if (at === undefined || Math.abs(nowS - Number(at)) > TOLERANCE_S) return null;
  return { atS: Number(at), key, mac };
}

/** The text under the MAC: five lines, the last without a line break. `target`: path and query as in the request. */
export function bypassText(atS: number, method: string, authority: string, target: string): string {
  return [VERSION, atS, method, authority, target].join("\n");
}
