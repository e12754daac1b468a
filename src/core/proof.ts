/**
 * Proof that a newcomer is asked for before a place is given: what is asked, what was shown, what is still missing, and how much work a
 * cost means. Pure: signatures, hashing and Turnstile are checked in src/challenge; who is asked is the Room's business.
 */
import * as v from "valibot";
import { MOST_COST } from "./exchange";

/** `pow`: work for the visitor's device, by ALTCHA. `turnstile`: Cloudflare's check, with work on top where more than cost 1 is asked. */
export type ChallengeKind = "pow" | "turnstile";

/** A challenge, and what was shown for it, lives this long, seconds: on a slow phone the dearest work takes most of it. */
export const PROOF_LIFE_S = 600;
/** Most steps of cost 1 at difficulty 1: half a second on a computer, one to three on a phone. */
const STEPS = 4_000;
/** More is never asked: a slow phone must be able to do it within the life of the challenge. */
const STEPS_MAX = 1_000_000;
/** One step: PBKDF2 with SHA-256 and so many rounds, so that what a browser adds to each call hardly counts against it. */
export const STEP_ALGORITHM = "PBKDF2/SHA-256";
export const STEP_ROUNDS = 1_000;
/** Longest answer, characters of the header; a Turnstile token has at most 2,048. */
const PROOF_MAX = 4_096;
const TURNSTILE_TOKEN_MAX = 2_048;

/** A challenge of ALTCHA, version 2 of its format: find the counter whose key begins with `keyPrefix`. */
export interface Altcha {
  readonly parameters: {
    readonly algorithm: string;
    readonly nonce: string;
    readonly salt: string;
    readonly cost: number;
    readonly keyLength: number;
    readonly keyPrefix: string;
    readonly keySignature: string;
    /** Unix seconds. */
    readonly expiresAt: number;
    readonly data: AltchaData;
  };
  readonly signature: string;
}

/** What a challenge is bound to. */
export interface AltchaData {
  readonly kid: string;
  /** Of room and key (`holderOf` in src/challenge/pow.ts). */
  readonly holder: string;
  readonly cost: number;
  /** The counter is below it. */
  readonly steps: number;
  /** It stands in for Turnstile, which could not be asked. */
  readonly instead: boolean;
}

/** Why something is asked again. `unchecked`: Turnstile could not be asked, and the room accepts nothing in its place. */
export type AskedAgain = "wrong" | "expired" | "used" | "unchecked";

export type Challenge = {
  /** The cost asked for. */
  readonly cost: number;
  readonly again?: AskedAgain;
} & (
  | { readonly kind: "pow"; readonly altcha: Altcha }
  | {
      readonly kind: "turnstile";
      readonly sitekey: string;
      readonly action: string;
      readonly cdata: string;
      /** Address of the widget's script. */
      readonly script: string;
    }
);

/** What somebody has shown for one key. */
export interface Shown {
  /** Cost of the work; 0 = none. */
  readonly work: number;
  readonly human: boolean;
}

export const NOTHING_SHOWN: Shown = { work: 0, human: false };

/** The cost that was shown, as the Room is told: where Turnstile is asked, work alone counts for nothing. */
export function costShown(kind: ChallengeKind, { work, human }: Shown): number {
  if (kind === "pow") return work;
  return human ? Math.max(1, work) : 0;
}

/** What to ask next of somebody who needs `cost`; null = it is all there. */
export function stillAsked(kind: ChallengeKind, cost: number, shown: Shown): ChallengeKind | null {
  if (costShown(kind, shown) >= cost) return null;
  return kind === "turnstile" && !shown.human ? "turnstile" : "pow";
}

/** Steps that a challenge of this cost takes at most, and twice what it takes on average. `difficulty`: of the room just now, 1 = usual. */
export function stepsOf(cost: number, difficulty: number): number {
  const factor = Number.isFinite(difficulty) ? Math.max(1, difficulty) : 1;
  return Math.min(STEPS_MAX, Math.round(STEPS * 2 ** (boundedCost(cost) - 1) * factor));
}

/** A cost that can be asked, whatever a Room of another version says. */
export function boundedCost(cost: number): number {
  return Number.isFinite(cost) ? Math.min(MOST_COST, Math.max(1, Math.ceil(cost))) : 1;
}

const hex = (characters: number) => v.pipe(v.string(), v.length(characters), v.regex(/^[0-9a-f]+$/));
const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

const ANSWER = v.strictObject({
  challenge: v.strictObject({
    parameters: v.strictObject({
      algorithm: v.literal(STEP_ALGORITHM),
      nonce: hex(32),
      salt: hex(32),
      cost: v.literal(STEP_ROUNDS),
      keyLength: v.literal(32),
      keyPrefix: hex(32),
      keySignature: hex(64),
      expiresAt: whole(1, 2 ** 32 - 1),
      data: v.strictObject({
        kid: v.pipe(v.string(), v.maxLength(16)),
        holder: v.pipe(v.string(), v.length(22)),
        cost: whole(1, MOST_COST),
        steps: whole(1, STEPS_MAX),
        instead: v.boolean(),
      }),
    }),
    signature: hex(64),
  }),
  solution: v.object({ counter: whole(0, 2 ** 32 - 1), derivedKey: hex(64) }),
});

/** A solved challenge, of the right form. */
export interface PowAnswer {
  readonly challenge: Altcha;
  readonly solution: { readonly counter: number; readonly derivedKey: string };
}

/** `kept`: our own token of what was shown before. */
export type Answer = { readonly as: "pow"; readonly answer: PowAnswer } | { readonly as: "turnstile" | "kept"; readonly token: string };

/**
 * The header `Vestibule-Proof`: `pow <base64 of JSON>`, `turnstile <token>` or `kept <token>`. null = none of these, or too long:
 * sizes and shape come before any work.
 */
export function readAnswer(header: string): Answer | null {
  if (header.length > PROOF_MAX) return null;
  const [, scheme = "", value = ""] = /^(pow|turnstile|kept) +([\w.+/=-]+)$/i.exec(header.trim()) ?? [];
  switch (scheme.toLowerCase()) {
    case "pow": {
      const answer = powAnswer(value);
      return answer === null ? null : { as: "pow", answer };
    }
    case "turnstile":
      return value.length > TURNSTILE_TOKEN_MAX ? null : { as: "turnstile", token: value };
    case "kept":
      return { as: "kept", token: value };
    default:
      return null;
  }
}

function powAnswer(base64: string): PowAnswer | null {
  try {
    const parsed = v.safeParse(ANSWER, JSON.parse(atob(base64.replaceAll("-", "+").replaceAll("_", "/"))));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
