/**
 * How seldom the edges call, so that all of them together stay under 300 calls a second (P12). Pure.
 *
 * Isolates that share a colo's cache share one pace: a colo with n isolates may call n times where a lone isolate may call once.
 * Every caller is told its share of the whole, so the shares add up to the target however they change.
 */
import { COLO_WAKE_MS, type ColoSize, type Share } from "../../src/core/exchange";

/** Below the stated 300 a second, so that first calls of cold colos fit in, and the worst second of 5,000 isolates: up to 53 more. */
export const TARGET_CALLS_PER_SECOND = 230;
/** The slowest that one isolate is asked to be. */
const MAX_FLUSH_MS = 30_000;
/** An isolate silent for longer than the longest pace, and a half, and some looks into a cache, is gone. */
const FORGET_MS = 50_000;
/** Enough for 30 s × 300 calls a second; beyond it the pace is at its maximum anyway. */
const MAX_ISOLATES = 16_384;
const MAX_COLOS = 1_024;
/** The first callers of a colo cannot know how many follow: for so long, ms, it counts like those known better. */
const STRANGE_MS = 1_000;
/** Colos that called within this, ms, tell how the others have grown meanwhile. */
const LATELY_MS = 300;
/** So many colos may wake in that time without meaning anything; from the first of more on so long at least has passed, ms. */
const CALM_COLOS = 4;
const LEAST_PASSED_MS = 50;
/** More than Cloudflare has, roughly, do not come. */
const COLOS_OF_THE_WORLD = 300;
/** New isolates without a colo call unasked: never is more of the target set aside for them than this. */
const MAX_UNASKED_PER_SECOND = 150;
/** Isolates that come while others wait for their turn: counted this far ahead. */
const AHEAD_S = 5;

interface Heard {
  readonly at: number;
  readonly colo: number | null;
}

interface Colo {
  readonly since: number;
  readonly at: number;
  /** Isolates of it that called lately. */
  heard: number;
  /** Isolates of it, as far as it is known to itself or the Room; 0 = not known yet. */
  readonly size: number;
  /** … and when it called before. */
  readonly before: number;
}

export class Pacing {
  /** Last heard, in order of last hearing (Map keeps insertion order). */
  readonly #heard = new Map<number, Heard>();
  readonly #colos = new Map<number, Colo>();
  /** Isolates without a colo, and how many of them were new in this second and the one before. */
  #alone = 0;
  #new = { second: 0, now: 0, before: 0 };
  #flushAfterMs = 0;
  #meanSize = 1;

  /** An exchange of `isolate`; `colo` = the cache that it shares with others, null = none. O(colos). */
  heard(isolate: number, now: number, colo: ColoSize | null = null): void {
    const isNew = !this.#heard.has(isolate);
    this.#forget(isolate);
    const known = colo === null ? null : this.#meet(colo, now);
    this.#heard.set(isolate, { at: now, colo: known });
    if (known === null) {
      this.#alone += 1;
      if (isNew) this.#noteNew(now);
    }
    for (const [oldest, { at }] of this.#heard) {
      if (now - at <= FORGET_MS && this.#heard.size <= MAX_ISOLATES) break;
      this.#forget(oldest);
    }
    this.#reckon(now);
  }

  get isolates(): number {
    return this.#heard.size;
  }

  /** A lone isolate is limited by its own call in flight; several share the target. */
  get flushAfterMs(): number {
    return this.#flushAfterMs;
  }

  /** What the isolate heard last may do, with the others of its colo. */
  share(isolate: number): Share {
    const colo = this.#colos.get(this.#heard.get(isolate)?.colo ?? Number.NaN);
    const isolates = colo === undefined ? 1 : colo.size || this.#meanSize;
    return { paceMs: Math.ceil(this.#flushAfterMs / isolates), isolates };
  }

  #meet({ id, isolates }: ColoSize, now: number): number | null {
    const colo = this.#colos.get(id);
    if (colo === undefined && this.#colos.size >= MAX_COLOS) return null;
    const since = colo?.since ?? now;
    const heard = (colo?.heard ?? 0) + 1;
    const size = now - since < STRANGE_MS ? 0 : Math.max(isolates, heard);
    this.#colos.set(id, { since, at: now, heard, size, before: colo?.size ?? 0 });
    return id;
  }

  #forget(isolate: number): void {
    const heard = this.#heard.get(isolate);
    if (heard === undefined) return;
    this.#heard.delete(isolate);
    const colo = heard.colo === null ? undefined : this.#colos.get(heard.colo);
    if (heard.colo === null) this.#alone -= 1;
    else if (colo !== undefined) colo.heard -= 1;
  }

  #noteNew(now: number): void {
    const second = Math.floor(now / 1_000);
    const { second: last, now: current } = this.#new;
    if (second !== last) this.#new = { second, now: 0, before: second === last + 1 ? current : 0 };
    this.#new.now += 1;
  }

  #newPerSecond(now: number): number {
    const second = Math.floor(now / 1_000);
    if (second > this.#new.second + 1) return 0;
    return second === this.#new.second ? Math.max(this.#new.now, this.#new.before) : this.#new.now;
  }

  #reckon(now: number): void {
    const sum = { strange: 0, familiar: 0, lately: 0, before: 0, earlier: 0 };
    let waking = 0;
    let wakingSince = now;
    for (const [id, colo] of this.#colos) {
      if (colo.heard <= 0) this.#colos.delete(id);
      else if (colo.size === 0) sum.strange += 1;
      else {
        sum.familiar += 1;
        const isLately = now - colo.at < LATELY_MS;
        if (isLately) sum.lately += colo.size;
        else sum.earlier += colo.size;
        if (isLately) sum.before += colo.before || colo.size;
      }
      if (now - colo.since >= COLO_WAKE_MS) continue;
      waking += 1;
      wakingSince = Math.min(wakingSince, colo.since);
    }
    // As the colos that called just now have grown, so have the others.
    const growth = Math.max(1, sum.lately / Math.max(1, sum.before));
    const familiar = sum.lately + sum.earlier * growth;
    this.#meanSize = sum.familiar === 0 ? 1 : familiar / sum.familiar;
    const passedMs = Math.max(LEAST_PASSED_MS, now - wakingSince);
    const expected = waking > CALM_COLOS ? (waking * Math.max(0, COLO_WAKE_MS - passedMs)) / passedMs : 0;
    const toCome = Math.min(expected + 2 * Math.sqrt(expected), Math.max(0, COLOS_OF_THE_WORLD - this.#colos.size));
    const newPerSecond = this.#newPerSecond(now);
    const perCallMs = 1_000 / (TARGET_CALLS_PER_SECOND - Math.min(newPerSecond, MAX_UNASKED_PER_SECOND));
    const known = this.#alone + familiar + (sum.strange + toCome) * this.#meanSize;
    const all = known + newPerSecond * Math.min(AHEAD_S, (known * perCallMs) / 1_000);
    this.#flushAfterMs = known <= 1 ? 0 : Math.min(MAX_FLUSH_MS, Math.ceil(all * perCallMs));
  }
}
