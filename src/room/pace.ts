/**
 * When this isolate may call the Room. One per room and isolate.
 *
 * Few isolates: as often as the Room asks, each for itself. Many, or an isolate that knows nothing yet: by turns, which the isolates of
 * a colo put down in a book in its cache, so that thousands that wake together make one call per colo at first. Where there is no cache
 * each keeps the pace for itself. Waits for nothing but the cache, and for that not long.
 */
import { COLO_WAKE_MS, type ColoSize, type Share } from "../core/exchange";
import type { ColoStore } from "./colo-store";
import { atPace, type HeardPace, lookMs, readBook, reserve, type TurnBook, turnOf } from "./turn-book";
import { within } from "./wait";

/** From so slow a pace of one isolate on they take turns, ms: below it they are a few dozen. */
const CROWD_MS = 250;
/** So close turns are not kept, ms, since writing them down takes longer: then each keeps the pace for itself. */
const CLOSE_MS = 40;
/** The first calls of new isolates of one colo where there is no crowd, as far as is known, ms. */
const NEWCOMERS_PACE_MS = 100;
/** So many questions in an isolate that would call are a rush … */
const RUSH = 4;
/** A turn is good for so long, ms, for whoever has had nothing to ask at that moment. */
const TURN_MS = 1_000;
/** A cache slower than this is none, ms. */
const CACHE_WAIT_MS = 250;
/** The book is told of the same pace again after this, ms. */
const NEWS_MS = 2_000;
/** So often an isolate puts itself down again if others wrote at the same moment. */
const TRIES = 3;
/** An isolate without a cache looks for one this often, ms. */
const NO_CACHE_MS = 60_000;

/** What was heard of the pace longer ago than this and two turns, ms, says little: a crowd may have come. */
const FRESH_MS = 5_000;

export interface Granted {
  readonly share: Share;
  /** When it was asked for, ms. */
  readonly asOf: number;
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
  granted(): Granted | null;
  /** So many questions wait here. */
  waiting(): number;
  /** Look whether another isolate of the colo has heard. */
  listen(now: number): Promise<void>;
}

/** What one isolate waits between calls if all keep the pace, ms. */
function gapOf({ paceMs, isolates }: Share): number {
  return paceMs * isolates;
}

/** Until one of a colo's isolates has heard. */
const UNHEARD: HeardPace = { paceMs: COLO_WAKE_MS, asOf: 0 };

/** What lies between the turns of a colo with this share, ms. */
function laidMs(share: Share): number {
  return gapOf(share) < CROWD_MS ? NEWCOMERS_PACE_MS : share.paceMs;
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
  /** The pace of the colo, as its book says. */
  #told: HeardPace | null = null;
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

  /** The others of the colo hear of the pace, if it is news. */
  async spread(): Promise<void> {
    const granted = this.#of.granted();
    const told = this.#told;
    if (granted === null || !this.#tookTurn || told === null || granted.asOf <= told.asOf) return;
    const paceMs = laidMs(granted.share);
    if (told.asOf > 0 && paceMs < 1.5 * told.paceMs && told.paceMs < 1.5 * paceMs && granted.asOf - told.asOf < NEWS_MS) return;
    const book = await this.#read();
    if (book !== null && granted.asOf > book.asOf) await this.#put(atPace(book, Date.now(), { paceMs, asOf: granted.asOf }));
  }

  /** Whoever takes turns is held back by the next one. */
  #keep(): void {
    const gapMs = this.#gapMs();
    this.#notBefore = this.#calledAt + (this.#tookTurn && gapMs >= CROWD_MS ? 0 : gapMs * this.#jitter);
  }

  #gapMs(): number {
    const granted = this.#of.granted();
    return granted === null ? 0 : gapOf(granted.share);
  }

  #isFresh(now: number): boolean {
    const granted = this.#of.granted();
    return granted !== null && now - granted.asOf <= Math.max(FRESH_MS, 2 * gapOf(granted.share));
  }

  /** The newest that is known here, or to the book. */
  #heard(book: TurnBook | null, now: number): HeardPace {
    const granted = this.#of.granted();
    const own = granted !== null && this.#isFresh(now) ? { paceMs: laidMs(granted.share), asOf: granted.asOf } : UNHEARD;
    if (book === null || book.asOf <= own.asOf) return own;
    return now - book.asOf <= Math.max(FRESH_MS, 2 * book.paceMs * book.turns.length) ? book : own;
  }

  #takesTurns(now: number): boolean {
    if (now < this.#noCacheUntil) return false;
    if (!this.#isFresh(now)) return true;
    return this.#gapMs() >= CROWD_MS ? Number(this.#of.granted()?.share.paceMs) >= CLOSE_MS : this.#isNew;
  }

  /** Whoever comes new, or comes back, to a slow pace spreads over it: thousands may do so at once. */
  #alone(now: number): boolean {
    this.#turnAt = null;
    this.#colo = this.#of.granted()?.colo ?? this.#colo;
    const gapMs = this.#gapMs();
    // Its last call may have been a turn, since when they have become too close to be kept.
    if (now < this.#calledAt + gapMs * this.#jitter) {
      this.#notBefore = this.#calledAt + gapMs * this.#jitter;
      return false;
    }
    const isBack = gapMs >= CROWD_MS && now - this.#calledAt >= 2 * gapMs;
    if (gapMs === 0 || !(this.#isNew || isBack)) return true;
    this.#isNew = false;
    this.#notBefore = now + this.#of.random() * gapMs;
    // As if it had called a gap before.
    this.#calledAt = this.#notBefore - gapMs * this.#jitter;
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
    this.#notBefore = Math.min(this.#turnAt, then + lookMs(this.#told ?? UNHEARD));
    return this.#turnAt <= then;
  }

  /** Puts this isolate down. null = there is no cache. */
  async #reserved(): Promise<number | null> {
    const { isolate, random } = this.#of;
    this.#colo = null;
    let text = await this.#get();
    for (let tries = 1; ; tries++) {
      if (text === undefined) return null;
      const now = Date.now();
      const before = readBook(text);
      const heard = this.#heard(before, now);
      const isRush = this.#of.waiting() >= RUSH;
      const roll = isRush || heard.asOf > 0 ? random() : 0;
      // Not a pace exactly, once one is known: colos that woke together would all be where they were each time their isolates have gone round.
      const afterMs = heard.asOf === 0 ? heard.paceMs : (0.5 + roll) * heard.paceMs;
      // In a rush the first of a colo does not call at once, whether it is cold or was silent while a lobby waited for its draw: those of all the
      // other colos would call in the same moment.
      const earliest = isRush ? now + roll * Math.min(heard.paceMs, COLO_WAKE_MS) : now;
      const mine = reserve(before, { isolate, colo: Math.floor(random() * 2 ** 32) }, now, heard, { earliest, afterMs });
      await this.#put(mine.book);
      text = await this.#get();
      const book = readBook(text ?? null);
      // What was put is not there, nor anything else: it keeps nothing.
      if (book === null) return null;
      const found = this.#found(book) ?? 0;
      if (found < now && tries < TRIES) continue;
      return found < now ? mine.at : found;
    }
  }

  #found(book: TurnBook): number | null {
    this.#told = book;
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
