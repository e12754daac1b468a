/**
 * The door: who may join a room that asks for an invitation or a log-in. Pure: claims and addresses in, a verdict out.
 * Signatures are checked before (src/door); the Room counts an invitation's places (durable/line/guests.ts).
 */
import type { Guest } from "./exchange";
import type { DoorReason } from "./status";
import { isKey, USES_MAX } from "./token";

/** The link's parameter, in any room's address; the header of the same name, in any case. */
export const INVITATION_PARAMETER = "vestibule-invitation";
/** The field of a form. */
export const INVITATION_FIELD = "invitation";

/**
 * What a newcomer showed. `key`: whose place it will be; null = the invitation names nobody, so the visitor token's key counts.
 */
export type Door =
  | { readonly as: "open" }
  | { readonly as: "proven"; readonly key: string | null; readonly guest: Guest }
  | { readonly as: "shut"; readonly why: DoorReason };

export interface Invitation {
  readonly room: string;
  /** 22 base64url characters. */
  readonly id: string;
  /** Places it makes. */
  readonly uses: number;
  /** Key of the subject, 22 base64url characters; null = whoever holds it. */
  readonly subject: string | null;
  /** Unix seconds. */
  readonly iat: number;
  readonly exp: number;
}

/** An invitation may have been made by a clock this far ahead, seconds. */
const AHEAD_S = 30;
/** Longest life of an invitation, seconds (400 days). */
export const INVITATION_MAX_LIFE_S = 400 * 86_400;

/** What the claims of a correctly signed invitation are worth for `room` at `nowS` (Unix seconds). */
export function judgeInvitation(claims: Readonly<Record<string, unknown>>, room: string, nowS: number): Invitation | DoorReason {
  const { aud, jti, uses, sub = null, iat, exp } = claims;
  const isWhole = typeof aud === "string" && isKey(jti) && (sub === null || isKey(sub));
  if (
    !isWhole ||
    !isWithin(uses, 1, USES_MAX) ||
    !isWithin(iat, 1, nowS + AHEAD_S) ||
    !isWithin(exp, iat + 1, iat + INVITATION_MAX_LIFE_S)
  ) {
    return "invitation-bad";
  }
  if (aud !== room) return "invitation-other-room";
  if (exp <= nowS) return "invitation-expired";
  return { room, id: jti, uses, subject: sub, iat, exp };
}

/** Longest name of a person that a log-in may give, characters. */
const SUBJECT_MAX = 512;

/** The person that a correctly signed and dated identity names, as text; null = nobody. */
export function subjectOf(claims: Readonly<Record<string, unknown>>, claim: string): string | null {
  const value = claims[claim];
  if (Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value !== "" && value.length <= SUBJECT_MAX ? value : null;
}

/** A query without the link's parameter, everything else byte for byte; and the parameter's first value, null = there is none. */
export function takeFromQuery(search: string): { readonly search: string; readonly token: string | null } {
  if (!/%|invitation/i.test(search)) return { search, token: null };
  let token: string | null = null;
  const kept = search
    .slice(1)
    .split("&")
    .filter((part) => {
      const [name, value] = nameAndValue(part);
      if (name.toLowerCase() !== INVITATION_PARAMETER) return true;
      token ??= value;
      return false;
    });
  if (token === null) return { search, token };
  return { search: kept.length === 0 ? "" : `?${kept.join("&")}`, token };
}

function nameAndValue(part: string): readonly [name: string, value: string] {
  const at = part.includes("=") ? part.indexOf("=") : part.length;
  return [decoded(part.slice(0, at)), decoded(part.slice(at + 1))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}
