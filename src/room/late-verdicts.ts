/**
 * What the Room answered after the request that asked had gone: the next one that asks the same hears it at once, without a call.
 * On rooms of many isolates that is the rule (DESIGN §6). One per room and isolate; no I/O; asks nobody.
 */
import type { JoinVerdict, RenewVerdict } from "../core/exchange";
import type { Ask, Outcome, Verdict } from "./asks";

type Answered<V> = Extract<Outcome<V>, { as: "answered" }>;
type Renewal = Pick<Extract<Ask, { kind: "renew" }>, "request" | "generation">;

interface Kept {
  readonly outcome: Answered<Verdict>;
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
    // A place stays; who went in, or may not, asks the Room again.
    if (ask.kind === "join" && as === "placed") this.#put(joinKey(ask.request.key), outcome, now);
    // "Current" says that another request has the new pass.
    if (ask.kind === "renew" && as !== "current") this.#put(renewalKey(ask), outcome, now);
  }

  /** @param generation the newest known: places of another one are gone */
  join(key: string, generation: number | null, now: number): Answered<JoinVerdict> | null {
    const outcome = this.#get(joinKey(key), now);
    return outcome !== null && outcome.generation === generation ? (outcome as Answered<JoinVerdict>) : null;
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
    this.#kept.set(key, { outcome, until: now + KEEP_MS });
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

/** Of one browser: what a copy of the pass was told is not told to its owner. */
function renewalKey({ generation, request }: Renewal): string {
  return `renew ${generation} ${request.slot} ${request.serial} ${request.tag}`;
}
