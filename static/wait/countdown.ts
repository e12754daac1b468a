/**
 * Counts down to a server time on the monotonic clock, so that the visitor's date does not matter (PAGE-16). Writes one element; says the
 * last minutes through the page's polite line, since a timer's own changes are silent.
 */
import { timeLeft } from "../../src/core/moments";
import type { PageWords } from "../../src/core/words";
import { write } from "./show";

/** Told to people who listen, ms before the start. */
const SAID_AT = [300_000, 60_000, 30_000] as const;

export class Countdown {
  readonly #words: Pick<PageWords, "startsIn" | "startsNow">;
  readonly #lang: string;
  readonly #say: (sentence: string) => void;
  #timer = 0;
  /** `performance.now()` of the start; null = nothing starts. */
  #at: number | null = null;
  #leftMs = 0;

  constructor(words: Pick<PageWords, "startsIn" | "startsNow">, lang: string, say: (sentence: string) => void) {
    this.#words = words;
    this.#lang = lang;
    this.#say = say;
  }

  /** @param now the server's time of this moment, ms */
  to(startsAt: number | null, now: number): void {
    clearTimeout(this.#timer);
    this.#at = startsAt === null ? null : performance.now() + startsAt - now;
    this.#leftMs = startsAt === null ? 0 : startsAt - now;
    if (startsAt === null) write("starts", null);
    else this.#tick();
  }

  #tick(): void {
    const leftMs = (this.#at ?? 0) - performance.now();
    const text = this.#text(leftMs);
    write("starts", text);
    if (SAID_AT.some((at) => leftMs <= at && at < this.#leftMs)) this.#say(text);
    this.#leftMs = leftMs;
    if (leftMs > 0) this.#timer = setTimeout(() => this.#tick(), ((leftMs - 1) % 1000) + 1);
  }

  #text(leftMs: number): string {
    return leftMs <= 0 ? this.#words.startsNow : this.#words.startsIn.replaceAll("{time}", timeLeft(leftMs, this.#lang));
  }
}
