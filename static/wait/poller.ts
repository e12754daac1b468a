/**
 * Asks again and again: one question at a time, as the server tells, slower when nobody answers, at once when the page is
 * looked at. An answer may go on for long; then nothing is asked meanwhile. Knows nothing of what is asked or shown.
 */
import type { Status } from "../../src/core/status";
import type { Answer, Following } from "./ask";
import { afterAnswer, afterFailure, afterTooOften } from "./pace";

/** What an answer that goes on has told so lately needs no question, ms; where the server asks for less, less. */
const FRESH_MS = 60_000;
/** What somebody wants to know now, and no answer came to, is asked again from so soon on, however seldom the page asks else, ms. */
const URGENT_MS = 2_000;

export class Poller {
  readonly #ask: (following: Following) => Promise<Answer>;
  readonly #deliver: (answer: Answer) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #busy = false;
  #running = false;
  #failures = 0;
  #told: Pick<Status, "pollAfterMs" | "pollExactly">;
  /** Nothing is asked before this time of `performance.now()`: somebody asked us to wait. */
  #notBefore = 0;
  /** Somebody wants to know now, until there is an answer: nothing puts that off. */
  #isUrgent = false;
  /** Ends an answer that goes on. */
  #cut = new AbortController();
  /** When the answer that goes on was heard last, `performance.now()`; null = there is none. */
  #heardAt: number | null = null;

  constructor(
    told: Pick<Status, "pollAfterMs" | "pollExactly">,
    ask: (following: Following) => Promise<Answer>,
    deliver: (answer: Answer) => void,
  ) {
    this.#told = told;
    this.#ask = ask;
    this.#deliver = deliver;
  }

  /** Go on after the usual gap, or sooner. */
  start(mostMs = Number.POSITIVE_INFINITY): void {
    this.#running = true;
    this.#after(Math.min(mostMs, afterAnswer(this.#told, Math.random())));
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
    this.#cut.abort();
  }

  /** Ask at once, unless a question is on its way or we were asked to wait. */
  now(): void {
    if (!this.#running) return;
    if (this.#heardAt !== null) this.#cut.abort();
    this.#isUrgent = true;
    this.#failures = 0;
    this.#after(0);
  }

  /** Another tab of this visitor was told: as good as an answer of our own. */
  spare(told: Pick<Status, "pollAfterMs" | "pollExactly">): void {
    if (!this.#running || this.#busy || this.#isUrgent) return;
    this.#failures = 0;
    this.#told = told;
    this.#after(afterAnswer(told, Math.random()));
  }

  /** Ask next after so long, whatever was told. */
  rest(ms: number): void {
    if (this.#running) this.#after(ms);
  }

  /** Ask at once, unless an answer that goes on has just told. */
  look(): void {
    const freshMs = Math.min(FRESH_MS, 2 * this.#told.pollAfterMs);
    if (this.#heardAt === null || performance.now() - this.#heardAt > freshMs) this.now();
  }

  #after(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#turn(), Math.max(ms, this.#notBefore - performance.now()));
  }

  async #turn(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    const cut = new AbortController();
    this.#cut = cut;
    const answer = await this.#ask({ tell: (status) => this.#heard(status), cut: cut.signal });
    const isCut = cut.signal.aborted && this.#heardAt !== null;
    this.#busy = false;
    this.#heardAt = null;
    if (!this.#running) return;
    if (isCut) {
      this.#after(0);
      return;
    }
    if (answer.as === "status") {
      this.#took(answer.status);
    } else if (answer.as !== "too-often") {
      this.#failures++;
    }
    this.#notBefore = performance.now() + answer.waitMs;
    this.#after(this.#gapAfter(answer, Math.random()));
    this.#deliver(answer);
  }

  #heard(status: Status): void {
    if (!this.#running) return;
    this.#heardAt = performance.now();
    this.#took(status);
    this.#deliver({ as: "status", status, waitMs: 0 });
  }

  #took(status: Status): void {
    this.#failures = 0;
    this.#isUrgent = false;
    this.#told = status;
  }

  #gapAfter({ as }: Answer, random: number): number {
    const { pollAfterMs } = this.#told;
    if (as === "too-often") return afterTooOften(pollAfterMs, random);
    if (this.#failures === 0) return afterAnswer(this.#told, random);
    return afterFailure(this.#failures, this.#isUrgent ? Math.min(pollAfterMs, URGENT_MS) : pollAfterMs, random);
  }
}
