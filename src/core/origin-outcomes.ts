/**
 * What the site answered, as edges count it and the Room adds it up: outcomes, and times to the first header in classes. Pure; bounded
 * whatever comes (P12).
 */
import { classOf, within } from "./classes";

export interface OriginOutcomes {
  readonly ok: number;
  readonly failed: number;
  readonly slow: number;
  /** Replies by the class of their time to the first header, as `TIME_ENDS_MS` says; absent = not measured (an edge of an older version). */
  readonly times?: readonly number[];
  /** The sum of these times, ms. */
  readonly ms?: number;
}

export const NO_OUTCOMES: OriginOutcomes = { ok: 0, failed: 0, slow: 0 };

/** A reply of the site with its first headers later than this counts as slow, ms. */
const SLOW_MS = 3_000;

/** Where the classes end, ms: 10, 14, 20, … 57,926, two to each doubling. Above the last there is one more without an end. */
export const TIME_ENDS_MS: readonly number[] = Array.from({ length: 26 }, (_, i) => Math.round(10 * 2 ** (i / 2)));

/** More requests than one isolate can forward between two exchanges. */
const MOST = 1_000_000;

/** Counts replies one by one, without making anything for each. */
export class OutcomeTally {
  #ok = 0;
  #failed = 0;
  #slow = 0;
  #ms = 0;
  /** By class, up to the highest that was met. */
  #times: number[] = [];

  /** One reply, or none that could be used. @param headersAfterMs from sending to the first headers, or to giving up */
  note(outcome: "ok" | "failed", headersAfterMs: number): void {
    if (outcome === "ok") this.#ok += 1;
    else this.#failed += 1;
    if (headersAfterMs >= SLOW_MS) this.#slow += 1;
    this.#ms += headersAfterMs;
    const at = classOf(TIME_ENDS_MS, headersAfterMs);
    while (this.#times.length <= at) this.#times.push(0);
    this.#times[at] = (this.#times[at] as number) + 1;
  }

  /** What was noted since the last time. */
  take(): OriginOutcomes {
    const [ok, failed, slow, times, ms] = [this.#ok, this.#failed, this.#slow, this.#times, this.#ms];
    if (times.length === 0) return NO_OUTCOMES;
    this.#ok = this.#failed = this.#slow = this.#ms = 0;
    this.#times = [];
    return { ok, failed, slow, times, ms };
  }
}

export function addOutcomes(a: OriginOutcomes, b: OriginOutcomes): OriginOutcomes {
  const sum = { ok: a.ok + b.ok, failed: a.failed + b.failed, slow: a.slow + b.slow };
  if (a.times === undefined && b.times === undefined) return sum;
  const [longer, shorter] = (a.times?.length ?? 0) >= (b.times?.length ?? 0) ? [a.times, b.times] : [b.times, a.times];
  return { ...sum, times: (longer ?? []).map((count, i) => count + (shorter?.[i] ?? 0)), ms: (a.ms ?? 0) + (b.ms ?? 0) };
}

/** What a batch of another edge says, as far as it can be believed. */
export function readOutcomes(said: OriginOutcomes | undefined): OriginOutcomes {
  const upTo = (most: number) => (n: unknown) => (typeof n === "number" && n > 0 ? Math.min(most, Math.floor(n)) : 0);
  const count = upTo(MOST);
  const read = { ok: count(said?.ok), failed: count(said?.failed), slow: count(said?.slow) };
  if (!Array.isArray(said?.times)) return read;
  return { ...read, times: said.times.slice(0, TIME_ENDS_MS.length + 1).map(count), ms: upTo(MOST * 1_000)(said.ms) };
}

export function requestsIn({ ok, failed }: OriginOutcomes): number {
  return ok + failed;
}

/** Share of requests that failed, percent; 0 where there were none. */
export function errorPercent(outcomes: OriginOutcomes): number {
  const requests = requestsIn(outcomes);
  return requests === 0 ? 0 : (100 * outcomes.failed) / requests;
}

/**
 * The time that 95 of 100 requests stayed within, ms, taken evenly within its class (off by less than half); null = none was measured.
 */
export function p95Ms({ times = [] }: OriginOutcomes): number | null {
  return within(times, TIME_ENDS_MS, 0.95);
}
