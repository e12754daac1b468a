/**
 * Proof of work by ALTCHA: making challenges and checking answers, nothing stored. A challenge is signed by a sub-key of its own use and
 * bound to room, key of the join, cost and time: an answer is worth one place, since one key has one place.
 * Checking costs two HMACs however hard the work was; making one costs as much as one step of the work.
 */
import { createChallenge, randomInt, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import { toBase64url } from "../core/base64url";
import {
  type Altcha,
  type AskedAgain,
  boundedCost,
  type PowAnswer,
  PROOF_LIFE_S,
  STEP_ALGORITHM,
  STEP_ROUNDS,
  stepsOf,
} from "../core/proof";
import { challengeSecrets, type KeyRing } from "../keys";

/** Whose proof it is. */
export interface Holder {
  readonly room: string;
  /** Key of the join. */
  readonly key: string;
}

/** Room and key in 22 characters that tell neither. */
export async function holderOf({ room, key }: Holder): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(["vestibule proof", room, key]));
  return toBase64url(new Uint8Array(await crypto.subtle.digest("SHA-256", text)).subarray(0, 16));
}

export interface PowOrder {
  readonly cost: number;
  /** Of the room just now, 1 = usual. */
  readonly difficulty: number;
  /** Turnstile could not be asked. */
  readonly instead: boolean;
  /** Unix seconds. */
  readonly nowS: number;
}

/** A challenge for this holder. The counter to be found is below `steps`, so that nobody can be so unlucky as to search for minutes. */
export async function makePow(ring: KeyRing, holder: Holder, { cost, difficulty, instead, nowS }: PowOrder): Promise<Altcha> {
  const kid = ring.signingKid;
  const secrets = await challengeSecrets(ring, kid);
  if (secrets === null) throw new RangeError("no challenge key");
  const steps = stepsOf(cost, difficulty);
  const made = await createChallenge({
    algorithm: STEP_ALGORITHM,
    cost: STEP_ROUNDS,
    counter: randomInt(steps - 1, 0),
    deriveKey,
    data: { kid, holder: await holderOf(holder), cost: boundedCost(cost), steps, instead },
    expiresAt: nowS + PROOF_LIFE_S,
    hmacSignatureSecret: secrets.challenge,
    hmacKeySignatureSecret: secrets.answer,
  });
  return made as unknown as Altcha;
}

/** What an answer of this holder is worth. `wrong` also if it is another's, or of a key that is gone. */
export async function checkPow(
  ring: KeyRing,
  holder: Holder,
  { challenge, solution }: PowAnswer,
  nowS: number,
): Promise<{ readonly work: number; readonly instead: boolean; readonly expiresAtS: number } | AskedAgain> {
  const { data, expiresAt } = challenge.parameters;
  if (data.holder !== (await holderOf(holder))) return "wrong";
  if (expiresAt <= nowS) return "expired";
  const secrets = await challengeSecrets(ring, data.kid);
  if (secrets === null) return "wrong";
  const result = await verifySolution({
    challenge: challenge as unknown as Parameters<typeof verifySolution>[0]["challenge"],
    solution,
    deriveKey,
    hmacSignatureSecret: secrets.challenge,
    hmacKeySignatureSecret: secrets.answer,
  });
  if (!result.verified) return result.expired ? "expired" : "wrong";
  return { work: data.cost, instead: data.instead, expiresAtS: expiresAt };
}
