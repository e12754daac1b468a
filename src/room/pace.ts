/**
 * When this isolate may call the Room. One per room and isolate.
 *
 * Few isolates: as often as the Room asks, each for itself. Many, or an isolate that knows nothing yet: by turns, which the isolates of
 * a colo put down in a book in its cache, so that thousands that wake together make one call per colo at first. Where there is no cache
 * each keeps the pace for itself. Waits for nothing but the cache, and for that not long.
 */
import type { ColoSize, Share } from "../core/exchange";
import type { ColoStore } from "./colo-store";
import { atPace, readBook, reserve, type TurnBook, turnOf } from "./turn-book";
import { within } from "./wait";

/** From so slow a pace of one isolate on they take turns, ms: below it they are a few dozen. */
const CROWD_MS = 250;
/** So close turns are not kept, ms, since writing them down takes longer: then each keeps the pace for itself. */
const CLOSE_MS = 40;
/** The pace of a colo's isolates until one of them has heard what the Room wants, ms: 300 colos make 250 calls a second. */
const UNHEARD_PACE_MS = 1_200;
/** Until then they look this often whether one has, ms, … */
const LISTEN_MS = 200;
/** … and afterwards this often whether their turn has been moved. */
const LOOK_MS = 1_500;
/** The first calls of new isolates of one colo where there is no crowd, as far as is known, ms. */
const NEWCOMERS_PACE_MS = 100;
/** A turn is good for so long, ms, for whoever has had nothing to ask at that moment. */
const TURN_MS = 1_000;
/** A cache slower than this is none, ms. */
const CACHE_WAIT_MS = 250;
/** So often an isolate puts itself down again if others wrote at the same moment. */
const TRIES = 3;
/** An isolate without a cache looks for one this often, ms. */
const NO_CACHE_MS = 60_000;

export interface Granted {
  readonly share: Share;
  /** false = heard long ago: a crowd may have come since. */
  readonly isFresh: boolean;
  /** Whose share it is; null = this isolate's own. */
  readonly colo: ColoSize | null;
}

export interface Pacer {
  readonly isolate: number;
  /** Where the book lies. */
  readonly turns: ColoStore;
  /** Numbers in [0, 1). */
  readonly random: () => number;
  /** What the Room granted this colo; null = nothing heard yet. */
  granted(now: number): Granted | null;
  /** Look whether another isolate of the colo has heard. */
  listen(now: number): Promise<void>;
}

/** What one isolate waits between calls if all keep the pace, ms. */
export function gapOf({ paceMs, isolates }: Share): number {
  return paceMs * isolates;
}

export class Pace {
  /** No call before this time, ms. */
  #notBefore = 0;
  #calledAt = Number.NEGATIVE_INFINITY;
  #isNew = true;
  #tookTurn = false;
  #jitter = 1;
  /** When this isolate's turn is; null = it is not down for one. */
  #turnAt: number | null = null;
  /** The pace that it was put down by, ms. */
  #laidMs: number | null = null;
  #colo: ColoSize | null = null;
  #noCacheUntil = 0;
  readonly #of: Pacer;

  constructor(pacer: Pacer) {
    this.#of = pacer;
  }

  get notBefore(): number {
    return this.#notBefore;
  }

  /** Where it meets others; null = nowhere. */
  get colo(): ColoSize | null {
    return this.#colo;
  }

  /** May a call be made now? If not, `notBefore` says when to ask again. A promise only where the cache has to be asked. */
  mayCall(now: number): boolean | Promise<boolean> {
    return this.#takesTurns(now) ? this.#turn(now) : this.#alone(now);
  }

  /** A call is being made. */
  called(now: number): void {
    this.#tookTurn = this.#turnAt !== null;
    this.#jitter = 0.75 + this.#of.random() / 2;
    this.#calledAt = now;
    this.#isNew = false;
    this.#turnAt = null;
    this.#keep();
  }

  /** It was answered, and this isolate knows the Room's pace. */
  heard(): void {
    this.#keep();
  }

  /** Those who are down at another pace than the Room's hear of it. */
  async spread(): Promise<void> {
    const laidMs = this.#laidMs;
    this.#laidMs = null;
    const now = Date.now();
    const paceMs = this.#paceMs(now);
    if (laidMs === null || (paceMs < 1.5 * laidMs && laidMs < 1.5 * paceMs)) return;
    const book = await this.#read();
    if (book !== null) await this.#put(atPace(book, now, paceMs));
  }

  /** Whoever takes turns is held back by the next one. */
  #keep(): void {
    const gapMs = this.#gapMs(this.#calledAt);
    this.#notBefore = this.#calledAt + (this.#tookTurn && gapMs >= CROWD_MS ? 0 : gapMs * this.#jitter);
  }

  #gapMs(now: number): number {
    const granted = this.#of.granted(now);
    return granted === null ? 0 : gapOf(granted.share);
  }

  #isFresh(now: number): boolean {
    return this.#of.granted(now)?.isFresh === true;
  }

  /** What lies between two turns, ms. */
  #paceMs(now: number): number {
    const granted = this.#of.granted(now);
    if (granted?.isFresh !== true) return UNHEARD_PACE_MS;
    return gapOf(granted.share) < CROWD_MS ? NEWCOMERS_PACE_MS : granted.share.paceMs;
  }

  #takesTurns(now: number): boolean {
    if (now < this.#noCacheUntil) return false;
    if (!this.#isFresh(now)) return true;
    const isCrowd = this.#gapMs(now) >= CROWD_MS;
    return isCrowd ? this.#paceMs(now) >= CLOSE_MS : this.#isNew;
  }

  /** Whoever comes new, or comes back, to a slow pace spreads over it: thousands may do so at once. */
  #alone(now: number): boolean {
    this.#turnAt = null;
    this.#colo = this.#of.granted(now)?.colo ?? this.#colo;
    const gapMs = this.#gapMs(now);
    const isBack = gapMs >= CROWD_MS && now - this.#calledAt >= 2 * gapMs;
    if (gapMs === 0 || !(this.#isNew || isBack)) return true;
    this.#isNew = false;
    this.#calledAt = now;
    this.#notBefore = now + this.#of.random() * gapMs;
    return this.#notBefore <= now;
  }

  async #turn(now: number): Promise<boolean> {
    if (this.#turnAt !== null && now >= this.#turnAt + TURN_MS) this.#turnAt = null;
    if (this.#turnAt !== null) {
      if (!this.#isFresh(now)) await this.#of.listen(now);
      const book = await this.#read();
      // Others may have moved it, and there may be more of them.
      this.#turnAt = book === null ? null : this.#found(book);
    }
    this.#turnAt ??= await this.#reserved();
    const then = Date.now();
    if (this.#turnAt === null) {
      this.#noCacheUntil = then + NO_CACHE_MS;
      return this.#alone(then);
    }
    this.#notBefore = Math.min(this.#turnAt, then + (this.#isFresh(then) ? LOOK_MS : LISTEN_MS));
    return this.#turnAt <= then;
  }

  /** Puts this isolate down. null = there is no cache. */
  async #reserved(): Promise<number | null> {
    const { isolate, random } = this.#of;
    this.#colo = null;
    let text = await this.#get();
    for (let tries = 1; ; tries++) {
      const now = Date.now();
      const paceMs = this.#paceMs(now);
      if (text === undefined) return null;
      const mine = reserve(readBook(text), { isolate, colo: Math.floor(random() * 2 ** 32) }, now, paceMs);
      await this.#put(mine.book);
      text = await this.#get();
      const book = readBook(text ?? null);
      // What was put is not there, nor anything else: it keeps nothing.
      if (book === null) return null;
      const found = this.#found(book) ?? 0;
      if (found < now && tries < TRIES) continue;
      this.#laidMs = paceMs;
      return found < now ? mine.at : found;
    }
  }

  #found(book: TurnBook): number | null {
    this.#colo = { id: book.colo, isolates: book.turns.length };
    return turnOf(book, this.#of.isolate);
  }

  async #read(): Promise<TurnBook | null> {
    return readBook((await this.#get()) ?? null);
  }

  /** undefined = no answer: there is no cache. */
  #get(): Promise<string | null | undefined> {
    return within(this.#of.turns.get(), CACHE_WAIT_MS, undefined).catch(() => undefined);
  }

  async #put(book: TurnBook): Promise<void> {
    await within(this.#of.turns.put(JSON.stringify(book)), CACHE_WAIT_MS, undefined).catch(() => undefined);
  }
}
