/**
 * Who asks for a status faster than once a second is told to wait (DESIGN §5). One per room and isolate, in memory only; no I/O.
 * A damper, not a limit (docs/decisions/0032): it spares us work, decides nothing about a place, and forgets rather than grows.
 */

import { CLOCK_BACK_MS } from "./wait";

/** One question a second in the long run, … */
const GAP_MS = 1_000;
/** … and so many at once: two tabs, a reload, an app that joins and asks. */
const BURST = 5;
/** Who asks, remembered at most: those of the last seconds. The oldest are forgotten, and may ask. */
const KEYS_MAX = 16_384;

export class PollDamper {
  /** When each of those who asked lately has all of the burst again, ms; those who asked last come last. */
  readonly #fullAt = new Map<string, number>();

  /**
   * One question of whoever `key` names; keys come from signed tokens only, so nobody can invent one. A question that is refused counts
   * for nothing (GCRA): however fast somebody asks, one in a second is answered.
   * @returns 0, or for how long not to ask, ms
   */
  take(key: string, now: number): number {
    const known = this.#fullAt.get(key) ?? 0;
    // Later than it ever is: the machine's clock was put back, and nobody is to wait until it has come round again.
    const fullAt = known - now > BURST * GAP_MS + CLOCK_BACK_MS ? now : Math.max(now, known);
    const waitMs = fullAt - now - (BURST - 1) * GAP_MS;
    if (waitMs > 0) return waitMs;
    this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAt + GAP_MS);
    this.#forget(now);
    return 0;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#fullAt.size;
  }

  #forget(now: number): void {
    for (const [key, fullAt] of this.#fullAt) {
      if (fullAt > now && this.#fullAt.size <= KEYS_MAX) return;
      this.#fullAt.delete(key);
    }
  }
}
