/**
 * Invitations: made and checked, as JWS of a `typ` of their own with a sub-key of their own (SPEC section DOOR). jose does the JOSE work.
 * No bindings, no clock, no state: the ring and the time are handed in. Runs in the Worker and in `npm run invite`.
 *
 * Claims: `aud` room, `jti` id, `uses` places it makes, `sub` key of the person it is for (never a name), `iat`, `exp`.
 */

import type { JWTVerifyGetKey } from "jose";
import { JOSEError, JWKSNoMatchingKey } from "jose/errors";
import { SignJWT } from "jose/jwt/sign";
import { jwtVerify } from "jose/jwt/verify";
import { type Invitation, judgeInvitation } from "../core/door";
import type { DoorReason } from "../core/status";
import { invitationKey, type KeyRing, newVisitorKey, subjectKey } from "../keys";

const TYPE = "vst+invitation";
/** Longer input is refused before any work. */
const INVITATION_MAX_BYTES = 640;

export interface InvitationOrder {
  /** A new one if left out. */
  readonly id?: string;
  readonly room: string;
  readonly uses: number;
  /** Whose it is, as the operator names people; its key alone goes into the token. null = whoever holds it. */
  readonly subject: string | null;
  /** Unix seconds. */
  readonly iat: number;
  readonly exp: number;
}

/** A new invitation: its id, for the operator's own list, and the token. */
export async function signInvitation(ring: KeyRing, order: InvitationOrder): Promise<{ readonly id: string; readonly token: string }> {
  const { id = newVisitorKey() } = order;
  const key = invitationKey(ring, ring.signingKid);
  if (key === null) throw new RangeError("no key for invitations");
  const jwt = new SignJWT({ uses: order.uses })
    .setProtectedHeader({ alg: "HS256", kid: ring.signingKid, typ: TYPE })
    .setAudience(order.room)
    .setJti(id)
    .setIssuedAt(order.iat)
    .setExpirationTime(order.exp);
  if (order.subject !== null) jwt.setSubject(await subjectKey(ring, order.room, "invitation", order.subject));
  return { id, token: await jwt.sign(key) };
}

/** The invitation, or why it does not count for `room` at `nowS`. One HMAC at most. */
export async function checkInvitation(ring: KeyRing, token: string, room: string, nowS: number): Promise<Invitation | DoorReason> {
  if (token.length > INVITATION_MAX_BYTES) return "invitation-bad";
  try {
    const { payload } = await jwtVerify(token, keyIn(ring), {
      algorithms: ["HS256"],
      typ: TYPE,
      // Times are judged with the rest, each with a reason of its own.
      currentDate: new Date(0),
    });
    return judgeInvitation(payload, room, nowS);
  } catch (error) {
    if (error instanceof JOSEError) return "invitation-bad";
    throw error;
  }
}

function keyIn(ring: KeyRing): JWTVerifyGetKey {
  return ({ kid = "" }) => {
    const key = invitationKey(ring, kid);
    if (key === null) throw new JWKSNoMatchingKey();
    return key;
  };
}
