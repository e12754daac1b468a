/**
 * What a Room still tries while its storage is full, so that it does not undo and load everything again for each call. Plain data, no clock.
 * A full database still takes what fits into the rows that are there: visits are renewed and ended, people who were called go in, and for
 * a short while newcomers too; but a join is news, and the log's row of it is a new one.
 */
import type { Batch } from "../src/core/exchange";
import type { NewRows } from "./line/unsaved";

/** `all`; `no-joins`: nothing that needs new rows; `nothing`: answers without storing anything. */
export type Tried = "all" | "no-joins" | "nothing";

/** For so long after a failure less is tried, ms. */
const AGAIN_MS = 5_000;
/** The log says so this often, ms. */
const TELL_MS = 60_000;

export class FullStore {
  #tried: Tried = "all";
  #until = 0;
  #toldAt = Number.NEGATIVE_INFINITY;
  #wasFull = false;

  /** Which new rows a step that is tried as a whole asks for: none before its time, once storage has been full. */
  get newRows(): NewRows {
    return this.#wasFull ? "due" : "early";
  }

  /** Nothing could be stored when it was last tried, and that may be over at `now`: to be found out before more is tried. */
  mayTakeAgain(now: number): boolean {
    return this.#tried === "nothing" && !this.#isLess(now);
  }

  /** What is there could be written over. */
  takesAgain(): void {
    this.#tried = "all";
  }

  /** What to try at `now` (wall clock, ms). */
  at(now: number): Tried {
    return this.#isLess(now) ? this.#tried : "all";
  }

  /** A clock that was set back makes it no longer. */
  #isLess(now: number): boolean {
    return now < this.#until && this.#until - now <= AGAIN_MS;
  }

  /** `failed` could not be stored; what to try instead, at once and for a while. `isNews`: nobody was told of it lately. */
  less(failed: Exclude<Tried, "nothing">, now: number): { readonly tried: Tried; readonly isNews: boolean } {
    this.#wasFull = true;
    if (this.at(now) !== "nothing") this.#until = now + AGAIN_MS;
    if (this.#tried !== "nothing") this.#tried = failed === "all" ? "no-joins" : "nothing";
    const isNews = Math.abs(now - this.#toldAt) >= TELL_MS;
    if (isNews) this.#toldAt = now;
    return { tried: this.#tried, isNews };
  }
}

/** The part of a batch that is tried. What it leaves out has no verdict, and so counts as not answered. */
export function partOf(batch: Batch, tried: Exclude<Tried, "nothing">): Batch {
  return tried === "all" ? batch : { ...batch, joins: [], reissues: [], leaseWanted: 0 };
}
