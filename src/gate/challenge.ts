/**
 * What a newcomer is asked to show before a place is given, and what was shown: reads the proof's cookie and the header `Vestibule-Proof`
 * (both only where the room asks at all), makes the next challenge. Who is asked is said by manifest and Room; knows nothing of places.
 */
import { checkPow, holderOf, makePow } from "../challenge/pow";
import { checkTurnstile, TURNSTILE_SCRIPT } from "../challenge/turnstile";
import {
  type Answer,
  type AskedAgain,
  boundedCost,
  type Challenge,
  type ChallengeKind,
  costShown,
  NOTHING_SHOWN,
  PROOF_LIFE_S,
  readAnswer,
  type Shown,
  stillAsked,
} from "../core/proof";
import { isReserved } from "../core/safe-target";
import type { Status } from "../core/status";
import { challengeStatus } from "../core/status-of";
import { TOKEN_MAX_BYTES } from "../core/token";
import { clearCookie, cookieName, readCookie, setCookie } from "../http/cookies";
import { signToken } from "../keys";
import { verifyToken } from "../token-checks";
import { addressOf, cookieOptions, isTrusted, nowS, ringOf, toldOf, type Visit } from "./visit";

/** An answer to a challenge, in a request to our own endpoints. */
const HEADER = "Vestibule-Proof";

/** What was shown for one key. */
export interface Proof {
  readonly key: string;
  readonly shown: Shown;
  /** The cost that this amounts to in this room; 0 = none. */
  readonly cost: number;
  /** What was wrong with the answer that came along. */
  readonly again?: AskedAgain;
  /** Work will do in place of Turnstile, which cannot be asked just now. */
  readonly instead: boolean;
  /** A new token of ours for what was shown with this request; null = nothing new. */
  readonly token: string | null;
}

/** What this room asks for, where it asks; null = nothing. */
function kindOf({ client, config }: Visit): ChallengeKind | null {
  const { challenge, turnstile } = client.settings;
  // The manifest may know of newer settings than this isolate has yet.
  const kind = challenge === "off" ? client.newest?.challenge?.kind : challenge;
  // Switched on live where the deployment has no secret: what can be checked is asked instead.
  if (kind === "turnstile" && (config.turnstile.secret === null || turnstile.sitekey === "")) return "pow";
  return kind ?? null;
}

/** The cost that every newcomer of this network has to show, as far as is known here; 0 = nobody is asked without a reason of their own. */
export function costOfEveryone(visit: Visit): number {
  const challenge = visit.client.newest?.challenge;
  const asks = visit.client.settings.challengeEveryone || challenge?.everyone === true;
  return !asks || kindOf(visit) === null || isTrusted(visit) ? 0 : boundedCost(challenge?.cost ?? 1);
}

/** While the Room cannot say who is over a limit, a room with a challenge asks everybody. */
export function costWithoutRoom(visit: Visit): number {
  return kindOf(visit) === null || isTrusted(visit) ? 0 : Math.max(1, costOfEveryone(visit));
}

/** Once for each request and key, however often it is asked. */
const looked = new WeakMap<Visit, Map<string, Promise<Proof>>>();

/** What was shown so far for a join by `key`: kept in the cookie, or shown with this request. At most 9 HMACs, and Turnstile is asked once. */
export function proofOf(visit: Visit, key: string): Promise<Proof> | Proof {
  const kind = kindOf(visit);
  if (kind === null) return nothingBy(key);
  const known = looked.get(visit) ?? new Map<string, Promise<Proof>>();
  looked.set(visit, known);
  const proof = known.get(key) ?? look(visit, kind, key);
  known.set(key, proof);
  return proof;
}

function nothingBy(key: string): Proof {
  return { key, shown: NOTHING_SHOWN, cost: 0, instead: false, token: null };
}

async function look(visit: Visit, kind: ChallengeKind, key: string): Promise<Proof> {
  const nothing = nothingBy(key);
  const { request, url } = visit;
  const values = readCookie(request.headers.get("Cookie"), cookieName("proof", visit.room, cookieOptions(visit)), TOKEN_MAX_BYTES);
  let kept = { shown: NOTHING_SHOWN, expS: nowS(visit) + PROOF_LIFE_S };
  for (const value of values) kept = (await keptIn(visit, key, value)) ?? kept;
  const header = isReserved(url.path) ? request.headers.get(HEADER) : null;
  if (header === null) return { ...nothing, shown: kept.shown, cost: costShown(kind, kept.shown) };
  const answer = readAnswer(header);
  const read: Read = answer === null ? { as: "again", again: "wrong" } : await readShown(visit, kind, key, answer);
  if (read.as === "again") return { ...nothing, shown: kept.shown, cost: costShown(kind, kept.shown), again: read.again };
  if (read.as === "instead") return { ...nothing, shown: kept.shown, cost: costShown(kind, kept.shown), instead: true };
  const shown = { work: Math.max(kept.shown.work, read.shown.work), human: kept.shown.human || read.shown.human };
  const expS = Math.min(kept.expS, read.expS);
  const iat = Math.min(nowS(visit), expS - 1);
  const token = await signToken(ringOf(visit), { kind: "proof", room: visit.room, key, ...shown, iat, exp: expS });
  return { ...nothing, shown, cost: costShown(kind, shown), token };
}

interface Kept {
  readonly shown: Shown;
  /** Unix seconds. */
  readonly expS: number;
}

type Read =
  | ({ readonly as: "shown" } & Kept)
  | { readonly as: "again"; readonly again: AskedAgain }
  /** Turnstile could not be asked, and the room takes work instead. */
  | { readonly as: "instead" };

async function keptIn(visit: Visit, key: string, token: string): Promise<Kept | null> {
  const checked = await verifyToken(ringOf(visit), "proof", token, nowS(visit));
  if (checked.as !== "valid" || checked.claims.room !== visit.room || checked.claims.key !== key) return null;
  const { work, human, exp } = checked.claims;
  return { shown: { work, human }, expS: exp };
}

async function readShown(visit: Visit, kind: ChallengeKind, key: string, answer: Answer): Promise<Read> {
  const { room } = visit;
  switch (answer.as) {
    case "kept": {
      const kept = await keptIn(visit, key, answer.token);
      return kept === null ? { as: "again", again: "expired" } : { as: "shown", ...kept };
    }
    case "pow": {
      const checked = await checkPow(ringOf(visit), { room, key }, answer.answer, nowS(visit));
      if (typeof checked === "string") return { as: "again", again: checked };
      return { as: "shown", shown: { work: checked.work, human: checked.instead }, expS: checked.expiresAtS };
    }
    case "turnstile":
      return kind === "turnstile" ? readTurnstile(visit, key, answer.token) : { as: "again", again: "wrong" };
  }
}

async function readTurnstile(visit: Visit, key: string, token: string): Promise<Read> {
  const { config, room, url, client } = visit;
  const { secret, origin } = config.turnstile;
  if (secret === null) return { as: "instead" };
  const expected = { action: client.settings.turnstile.action, hostname: url.host, cdata: await holderOf({ room, key }) };
  const verdict = await checkTurnstile({ secret, origin }, token, expected, { remoteIp: addressOf(visit), now: Date.now() });
  switch (verdict) {
    case "passed":
      return { as: "shown", shown: { work: 0, human: true }, expS: nowS(visit) + PROOF_LIFE_S };
    case "unreachable":
      return client.settings.turnstile.outage === "pow" ? { as: "instead" } : { as: "again", again: "unchecked" };
    case "wrong":
    case "used":
      return { as: "again", again: verdict };
  }
}

/** What is asked next of somebody who has to show `cost`; null = it was shown. */
export async function askFor(visit: Visit, cost: number, proof: Proof): Promise<Status | null> {
  const kind = kindOf(visit);
  const missing = kind === null ? null : stillAsked(kind, cost, proof.shown);
  if (missing === null) return null;
  const { room, client, config } = visit;
  const holder = { room, key: proof.key };
  const common = { cost, ...(proof.again && { again: proof.again }) };
  const told = toldOf(visit);
  if (missing === "turnstile" && !proof.instead) {
    const { sitekey, action } = client.settings.turnstile;
    const script = `${config.turnstile.origin}${TURNSTILE_SCRIPT}`;
    return challengeStatus(told, { ...common, kind: missing, sitekey, action, cdata: await holderOf(holder), script });
  }
  const difficulty = told.manifest?.challenge?.difficulty ?? 1;
  const altcha = await makePow(ringOf(visit), holder, { cost, difficulty, instead: proof.instead, nowS: nowS(visit) });
  const challenge: Challenge = { ...common, kind: "pow", altcha };
  return challengeStatus(told, challenge);
}

/** The cookie line that keeps what was shown. */
export function proofCookie(visit: Visit, token: string): string {
  return setCookie("proof", visit.room, token, cookieOptions(visit), PROOF_LIFE_S * 1_000);
}

/** Once there is a place the proof is of no use: the lines that take it away, if there is one. */
export function proofCleared(visit: Visit): string[] {
  const options = cookieOptions(visit);
  const sent = readCookie(visit.request.headers.get("Cookie"), cookieName("proof", visit.room, options), TOKEN_MAX_BYTES);
  return sent.length === 0 ? [] : [clearCookie("proof", visit.room, options)];
}
