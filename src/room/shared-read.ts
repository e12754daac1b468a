/**
 * Reads that are asked for while one is under way share the next one. So however many ask at once there are two calls, and nobody is told
 * anything older than a call of their own would have told: the read that answers somebody began after they had asked.
 *
 * As in exchange-queue.ts each request holds its own timer, and shared are plain data and one-shot signals alone: who leads may die with
 * its request, and then whoever waits reads for itself.
 */
import { type Signal, signal, within } from "./wait";

type Outcome<T> = { readonly as: "read"; readonly value: T } | { readonly as: "failed"; readonly error: unknown };

interface Group<T> {
  /** Whoever leads may begin. */
  readonly turn: Signal<void>;
  readonly done: Signal<Outcome<T>>;
}

const LATE = Symbol("late");

export class SharedRead<T> {
  readonly #patienceMs: number;
  /** When the read under way began, ms; null = none is. */
  #flight: { readonly startedAt: number } | null = null;
  /** Who came since then. */
  #next: Group<T> | null = null;

  /** @param patienceMs longer than any read takes: what is older is lost */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** What `read` tells, or the one that somebody else begins from now on. Rejects as that read does. */
  async read(read: () => Promise<T>): Promise<T> {
    if (this.#isFree()) return this.#lead(read);
    this.#next ??= { turn: signal(), done: signal() };
    const group = this.#next;
    await within(Promise.race([group.turn.promise, group.done.promise]), this.#patienceMs, undefined);
    if (this.#next === group && this.#isFree()) return this.#lead(read);
    const outcome = await within(group.done.promise, this.#patienceMs, LATE);
    if (outcome === LATE) return read();
    if (outcome.as === "failed") throw outcome.error;
    return outcome.value;
  }

  #isFree(): boolean {
    return this.#flight === null || Date.now() >= this.#flight.startedAt + this.#patienceMs;
  }

  async #lead(read: () => Promise<T>): Promise<T> {
    const group = this.#next;
    this.#next = null;
    const flight = { startedAt: Date.now() };
    this.#flight = flight;
    try {
      const value = await read();
      group?.done.resolve({ as: "read", value });
      return value;
    } catch (error) {
      group?.done.resolve({ as: "failed", error });
      throw error;
    } finally {
      if (this.#flight === flight) this.#flight = null;
      this.#wake();
    }
  }

  #wake(): void {
    this.#next?.turn.resolve();
  }
}
