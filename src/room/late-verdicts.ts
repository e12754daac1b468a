/**
 * What the Room answered after the request that asked had gone: the next one that asks the same hears it at once, without a call.
 * On rooms of many isolates that is the rule (DESIGN §6). One per room and isolate; no I/O; asks nobody.
 */
import type { ClaimVerdict, JoinVerdict, PassGrant, RenewVerdict } from "../core/exchange";
import { isRevoked, type Manifest } from "../core/manifest";
import type { Ask, Outcome, Verdict } from "./asks";

type Answered<V> = Extract<Outcome<V>, { as: "answered" }>;
type Renewal = Pick<Extract<Ask, { kind: "renew" }>, "request" | "generation">;
type Claim = Pick<Extract<Ask, { kind: "claim" }>, "request" | "generation">;

interface Kept {
  readonly outcome: Answered<Verdict>;
  readonly at: number;
  readonly until: number;
}

/** Longer than a page asks again, shorter than somebody else's news would matter, ms. */
const KEEP_MS = 60_000;
const KEPT_MAX = 4_096;

export class LateVerdicts {
  readonly #kept = new Map<string, Kept>();

  /** The answer to `ask` came too late to be used. */
  keep(ask: Ask, outcome: Outcome<Verdict>, now: number): void {
    if (outcome.as !== "answered" || outcome.verdict === null) return;
    const { as } = outcome.verdict;
    // A place stays, and so does an entry of a draw; who went in, or may not, asks the Room again.
    if (ask.kind === "join" && (as === "placed" || as === "entry")) this.#put(joinKey(ask.request.key), outcome, now);
    // "Current" says that another request has the new pass.
    if (ask.kind === "renew" && as !== "current") this.#put(renewalKey(ask), outcome, now);
    // Where isolates are many a claim waits longer for the Room than its visitor does, and the next one would again.
    if (ask.kind === "claim" && (as === "entered" || as === "called" || as === "moment")) this.#put(claimKey(ask), outcome, now);
  }

  /**
   * @param generation the newest known: places of another one are gone
   * @param once a guest's key stays the same: the place that follows one that has ended is the Room's to give
   */
  join(key: string, generation: number | null, now: number, once = false): Answered<JoinVerdict> | null {
    const outcome = this.#get(joinKey(key), now);
    if (once) this.#kept.delete(joinKey(key));
    return outcome !== null && outcome.generation === generation ? (outcome as Answered<JoinVerdict>) : null;
  }

  /**
   * Who only looks hears of the turn; a pass is handed out once, to whoever wanted to go in. What was said of times is as much later.
   * @param counts would this pass open anything by what is known now?
   * @returns null = nothing is known, or not any longer
   */
  claim(claim: Claim, now: number, counts: (pass: PassGrant) => boolean): Answered<ClaimVerdict> | null {
    const key = claimKey(claim);
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.until <= now) return null;
    const outcome = kept.outcome as Answered<ClaimVerdict>;
    const { verdict } = outcome;
    const ageMs = now - kept.at;
    const { intent, extend } = claim.request;
    if (verdict.as === "entered" && counts(verdict.pass)) {
      if (intent === "look") return { ...outcome, verdict: { as: "inside" } };
      this.#kept.delete(key);
      return intent === "enter" ? outcome : null;
    }
    // Once: the next question is the Room's again.
    this.#kept.delete(key);
    // More time is given by the Room alone.
    if (intent !== "look" || extend || verdict.as === "entered") return null;
    if (verdict.as === "moment") return { ...outcome, verdict: { as: "moment", dueInMs: Math.max(0, verdict.dueInMs - ageMs) } };
    if (verdict.as !== "called" || verdict.validForMs <= ageMs) return null;
    const holdForMs = Math.max(0, verdict.holdForMs - ageMs);
    return { ...outcome, verdict: { ...verdict, holdForMs, validForMs: verdict.validForMs - ageMs } };
  }

  /** A new pass is handed out once, as the Room would do; a refusal holds for every request with that pass. */
  renewal(renewal: Renewal, now: number): Answered<RenewVerdict> | null {
    const key = renewalKey(renewal);
    const outcome = this.#get(key, now) as Answered<RenewVerdict> | null;
    if (outcome?.verdict.as !== "renewed") return outcome;
    this.#kept.delete(key);
    return outcome.verdict.pass.expiresAtS * 1_000 > now ? outcome : null;
  }

  #put(key: string, outcome: Answered<Verdict>, now: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { outcome, at: now, until: now + KEEP_MS });
    for (const [oldest, { until }] of this.#kept) {
      if (until > now && this.#kept.size <= KEPT_MAX) break;
      this.#kept.delete(oldest);
    }
  }

  #get(key: string, now: number): Answered<Verdict> | null {
    const kept = this.#kept.get(key);
    return kept === undefined || kept.until <= now ? null : kept.outcome;
  }
}

function joinKey(key: string): string {
  return `join ${key}`;
}

/** Of one browser, and one link of its chain: a ticket, or a pass that has ended. */
function claimKey({ generation, request }: Claim): string {
  return `claim ${generation} ${request.slot} ${request.serial} ${request.tag}`;
}

/** Of one browser: what a copy of the pass was told is not told to its owner. */
function renewalKey({ generation, request }: Renewal): string {
  return `renew ${generation} ${request.slot} ${request.serial} ${request.tag}`;
}

/**
 * Would this pass open the site without a call? The visit of one that is older may have ended without the manifest naming it any more.
 * @param manifest the newest known; null = none, and then nothing is known against it
 */
export function stillOpens(pass: PassGrant, manifest: Manifest | null, passRefreshMs: number, now: number): boolean {
  const { slot, issuedAtS, expiresAtS } = pass;
  const { endSessionsBefore = 0, renewBefore = 0 } = manifest ?? {};
  if (issuedAtS < Math.max(endSessionsBefore, renewBefore) || (manifest !== null && isRevoked(manifest, slot))) return false;
  return now < Math.min(expiresAtS * 1_000, issuedAtS * 1_000 + 2 * passRefreshMs);
}
