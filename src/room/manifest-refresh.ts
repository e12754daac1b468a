/**
 * Which manifest a request decides by, and when a newer one is got: from the colo, where another isolate may have put one just now, else from
 * the Room. One per room and isolate. Waits for no more than those two, and for them not long.
 */
import { COLO_WAKE_MS } from "../core/exchange";
import { MANIFEST_FRESH_MS, MANIFEST_STALE_MS } from "../core/manifest";
import type { ExchangeQueue } from "./exchange-queue";
import type { ManifestCache, Seen } from "./manifest-cache";
import type { Lifetime } from "./wait";

/** How long a request waits for a manifest, ms, … */
const WAIT_MS = 1_000;
/** … where none is known, since the first call of a colo may have to wait for its turn (pace.ts). */
const FIRST_WAIT_MS = COLO_WAKE_MS + WAIT_MS;
/** A refresh beside a request that started longer ago than this is lost with its request, ms. */
const REFRESHING_MS = 1_000;

export class ManifestRefresh {
  readonly #cache: ManifestCache;
  readonly #queue: Pick<ExchangeQueue, "ask" | "delayMs">;
  readonly #random: () => number;
  #refreshingSince = Number.NEGATIVE_INFINITY;

  constructor(cache: ManifestCache, queue: Pick<ExchangeQueue, "ask" | "delayMs">, random: () => number) {
    this.#cache = cache;
    this.#queue = queue;
    this.#random = random;
  }

  /**
   * A manifest to decide by. Younger than `MANIFEST_FRESH_MS`: as it is. Up to `patientMs`: as it is, and a new one is looked for beside,
   * with a probability that rises to 1 at `MANIFEST_STALE_MS`. Older, or none: waits for a new one, but hardly longer than a second.
   * @returns the newest known, whatever its age; null = the Room was never reached
   */
  manifest(life: Lifetime, patientMs: number): Promise<Seen | null> | Seen {
    const now = Date.now();
    const seen = this.#cache.seen(now);
    if (seen === null || (seen.ageMs > patientMs && seen.ageMs >= MANIFEST_FRESH_MS)) return this.#newer(life, now);
    const share = (seen.ageMs - MANIFEST_FRESH_MS) / (MANIFEST_STALE_MS - MANIFEST_FRESH_MS);
    if (share > 0 && this.#random() < share && Math.abs(now - this.#refreshingSince) > REFRESHING_MS) {
      this.#refreshingSince = now;
      life.waitUntil(this.#refresh(life, now));
    }
    return seen;
  }

  async #newer(life: Lifetime, now: number): Promise<Seen | null> {
    await this.#refresh(life, now);
    return this.#cache.seen(Date.now());
  }

  /** A manifest that the Room made after this call, if it answers within a second; else the newest known. */
  async newManifest(life: Lifetime): Promise<Seen | null> {
    await this.#queue.ask({ kind: "look", patienceMs: 0 }, life, WAIT_MS);
    return this.#cache.seen(Date.now());
  }

  async #refresh(life: Lifetime, now: number): Promise<void> {
    await this.#cache.readColo(now);
    const seen = this.#cache.seen(now);
    if (seen !== null && seen.ageMs < MANIFEST_FRESH_MS) return;
    // Nobody waits for a call that the Room's pace forbids for now; the question is put all the same.
    const isFirst = seen === null;
    const isSoon = isFirst || this.#queue.delayMs(now) < WAIT_MS;
    const waitMs = isFirst ? FIRST_WAIT_MS : WAIT_MS;
    const answer = this.#queue.ask({ kind: "look", patienceMs: 0 }, life, waitMs);
    if (isSoon) await this.#cache.news(answer, waitMs);
  }
}
