/**
 * Files of the waiting page as this isolate has them. A name never means another file, so each is fetched once: from the colo's cache, else
 * from the Room, within a budget (P12). Names that no settings hold, which anybody can make up, have a small one of their own, so that they
 * cost the Room little and the page nothing. Never rejects, and nobody waits for long: the page does without what is not there yet.
 */
import { keepNewest } from "../core/keep-newest";
import { Budget } from "./budget";
import type { ColoStore } from "./colo-store";
import { FileShelf } from "./file-shelf";
import { type Lifetime, type Signal, signal, within } from "./wait";

/** That the Room has no such file is believed for so long, ms. */
const MISSING_MS = 10_000;
const MISSING_MAX = 64;
/** A colo cache slower than this is no help, ms. */
const COLO_WAIT_MS = 500;
/** Calls at once, and a second, for what settings name … */
const CALLS_MAX = 8;
const CALLS_PER_S = 2;
/** … and for what they do not: a file that has just been replaced, a preview, a guess. */
const OTHERS_MAX = 4;
const OTHERS_PER_S = 0.1;
/** A fetch that started longer ago than this is lost with its request, ms. */
const FETCHING_MS = 3_000;

export interface FileBookOptions {
  /** Asks the Room; null = it has no such file. */
  readonly ask: (name: string) => Promise<string | null>;
  readonly colo: (name: string) => ColoStore;
  /** Is it a name that the room's settings hold, now or during an event? */
  readonly isNamed: (name: string) => boolean;
  /** Of all rooms of the isolate; one of its own if left out. */
  readonly shelf?: FileShelf;
}

interface Fetching {
  readonly startedAt: number;
  readonly done: Signal<void>;
}

export class FileBook {
  readonly #ask: (name: string) => Promise<string | null>;
  readonly #colo: (name: string) => ColoStore;
  readonly #shelf: FileShelf;
  readonly #isNamed: (name: string) => boolean;
  readonly #missing = new Map<string, number>();
  readonly #fetching = new Map<string, Fetching>();
  readonly #budget = new Budget(CALLS_MAX, CALLS_PER_S);
  readonly #others = new Budget(OTHERS_MAX, OTHERS_PER_S);

  constructor({ ask, colo, isNamed, shelf = new FileShelf() }: FileBookOptions) {
    this.#ask = ask;
    this.#colo = colo;
    this.#isNamed = isNamed;
    this.#shelf = shelf;
  }

  /** The file, if it can be had within `waitMs`; else null. @param now ms since the Unix epoch */
  async read(name: string, now: number, waitMs: number, life: Lifetime): Promise<string | null> {
    const known = this.#shelf.get(this, name);
    if (known !== undefined) return known;
    if (now - (this.#missing.get(name) ?? Number.NEGATIVE_INFINITY) < MISSING_MS) return null;
    const under = this.#fetching.get(name);
    const fetching = under !== undefined && now - under.startedAt < FETCHING_MS ? under : { startedAt: now, done: signal<void>() };
    // It is worth having even if this request does not wait for it.
    if (fetching !== under) life.waitUntil(this.#fetch(name, fetching));
    await within(fetching.done.promise, waitMs, undefined);
    return this.#shelf.get(this, name) ?? null;
  }

  async #fetch(name: string, fetching: Fetching): Promise<void> {
    const now = fetching.startedAt;
    this.#fetching.set(name, fetching);
    try {
      const store = this.#colo(name);
      const kept = await within(store.get(), COLO_WAIT_MS, null);
      const budget = this.#isNamed(name) ? this.#budget : this.#others;
      const body = kept ?? (budget.take(now) ? await this.#ask(name) : undefined);
      if (body === null) keepNewest(this.#missing, name, now, MISSING_MAX);
      if (body == null) return;
      this.#shelf.put(this, name, body);
      fetching.done.resolve();
      if (kept === null) await store.put(body);
    } catch {
      // The next one asks again.
    } finally {
      if (this.#fetching.get(name) === fetching) this.#fetching.delete(name);
      fetching.done.resolve();
    }
  }
}
