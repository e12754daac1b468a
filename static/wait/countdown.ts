/**
 * Counts down to a server time on the monotonic clock, so that the visitor's date does not matter (PAGE-16). Writes one element; says the
 * last minutes through the page's polite line, each once, since a timer's own changes are silent.
 */
import { timeLeft } from "../../src/core/moments";
import { byId, write } from "./show";

/** Told to people who listen, ms before the end. */
const SAID_AT = [300_000, 60_000, 30_000] as const;
/** Nearer than this it is the same end, told a little otherwise. */
const SAME_MS = 5_000;

export interface CountdownWords {
  /** With `{time}`. */
  readonly left: string;
  /** When it is over; null = then there is nothing to show. */
  readonly over: string | null;
}

export class Countdown {
  readonly #id: string;
  readonly #words: () => CountdownWords;
  readonly #lang: string;
  readonly #say: (sentence: string) => void;
  #timer = 0;
  /** `performance.now()` of the end. */
  #at = 0;
  /** The server's time of it; null = nothing ends. */
  #end: number | null = null;
  /** The least that was left of it. */
  #leastMs = 0;

  /** @param words as they are at the time: an operator may change them */
  constructor(id: string, words: () => CountdownWords, lang: string, say: (sentence: string) => void) {
    this.#id = id;
    this.#words = words;
    this.#lang = lang;
    this.#say = say;
  }

  /** @param now the server's time of this moment, ms */
  to(end: number | null, now: number): void {
    this.stop();
    const isSame = end !== null && this.#end !== null && Math.abs(end - this.#end) < SAME_MS;
    this.#end = end;
    if (end === null) {
      write(this.#id, null);
      return;
    }
    this.#at = performance.now() + end - now;
    if (!isSame) this.#leastMs = end - now;
    this.#tick();
  }

  /** What it shows stays. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** As it is shown. */
  get text(): string {
    return byId(this.#id).textContent ?? "";
  }

  #tick(): void {
    const leftMs = this.#at - performance.now();
    const { left, over } = this.#words();
    const text = leftMs <= 0 ? over : left.replaceAll("{time}", timeLeft(leftMs, this.#lang));
    write(this.#id, text);
    if (text !== null && SAID_AT.some((at) => leftMs <= at && at < this.#leastMs)) this.#say(text);
    this.#leastMs = Math.min(this.#leastMs, leftMs);
    if (leftMs > 0) this.#timer = setTimeout(() => this.#tick(), ((leftMs - 1) % 1000) + 1);
  }
}
