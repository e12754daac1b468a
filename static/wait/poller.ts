/**
 * Asks again and again: one question at a time, as the server tells, slower when nobody answers, at once when the page is
 * looked at. Knows nothing of what is asked or shown. Between questions it does nothing at all.
 */
import type { Status } from "../../src/core/status";
import type { Answer } from "./ask";
import { afterAnswer, afterFailure, afterTooOften } from "./pace";

export class Poller {
  readonly #ask: () => Promise<Answer>;
  readonly #deliver: (answer: Answer) => void;
  #timer = 0;
  #busy = false;
  #running = false;
  #failures = 0;
  #told: Pick<Status, "pollAfterMs" | "pollExactly">;
  /** Nothing is asked before this time of `performance.now()`: somebody asked us to wait. */
  #notBefore = 0;

  constructor(told: Pick<Status, "pollAfterMs" | "pollExactly">, ask: () => Promise<Answer>, deliver: (answer: Answer) => void) {
    this.#told = told;
    this.#ask = ask;
    this.#deliver = deliver;
  }

  /** Go on after the usual gap. */
  start(): void {
    this.#running = true;
    this.#after(afterAnswer(this.#told, Math.random()));
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  /** Ask at once, unless a question is on its way or we were asked to wait. */
  now(): void {
    if (this.#running) this.#after(0);
  }

  #after(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#turn(), Math.max(ms, this.#notBefore - performance.now()));
  }

  async #turn(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    const answer = await this.#ask();
    this.#busy = false;
    if (!this.#running) return;
    if (answer.as === "status") {
      this.#failures = 0;
      this.#told = answer.status;
    } else if (answer.as !== "too-often") {
      this.#failures++;
    }
    this.#notBefore = performance.now() + answer.waitMs;
    this.#after(this.#gapAfter(answer, Math.random()));
    this.#deliver(answer);
  }

  #gapAfter({ as }: Answer, random: number): number {
    const { pollAfterMs } = this.#told;
    if (as === "too-often") return afterTooOften(pollAfterMs, random);
    return this.#failures > 0 ? afterFailure(this.#failures, pollAfterMs, random) : afterAnswer(this.#told, random);
  }
}
