/**
 * What edges note beside everything else, for the operator: what a room in shadow would have done, and which paths look like webhooks.
 * Pure; bounded whatever comes (P12). Reported with exchanges that are made anyway.
 */

/** Page loads that a room in shadow would have let in, kept waiting, or sent away. */
export interface ShadowCounts {
  readonly entered: number;
  readonly waited: number;
  readonly refused: number;
}

export const NO_SHADOW: ShadowCounts = { entered: 0, waited: 0, refused: 0 };

export function addShadow(a: ShadowCounts, b: ShadowCounts): ShadowCounts {
  return { entered: a.entered + b.entered, waited: a.waited + b.waited, refused: a.refused + b.refused };
}

/** Requests with a body, without any cookie, that no browser made. */
export interface CallbackCount {
  readonly method: string;
  /** Without query; segments that look like numbers of things are `*`. */
  readonly path: string;
  readonly count: number;
}

export interface EdgeNotes {
  readonly shadow: ShadowCounts;
  readonly callbacks: readonly CallbackCount[];
}

/** So many paths are told apart, … */
export const CALLBACKS_MAX = 20;
/** … by so many characters. */
const PATH_MAX = 64;
const NUMBER_OF_A_THING = /^(?:\d+|(?=.*\d)[\w-]{8,})$/;

/** A path as it is counted: one for all `/orders/123/paid`, and nothing of a query. */
export function countedPath(path: string): string {
  const segments = path.slice(0, 4 * PATH_MAX).split("/");
  return segments
    .map((segment) => (NUMBER_OF_A_THING.test(segment) ? "*" : segment))
    .join("/")
    .slice(0, PATH_MAX);
}

/**
 * Adds a count to at most `CALLBACKS_MAX` of them. When there is no room the new one takes the place of the smallest and its count
 * (Metwally, Agrawal, El Abbadi 2005, "Space-Saving"): what comes often stays, whatever else is thrown at it, and counts may be too high,
 * never too low.
 */
export function addCallback<T extends CallbackCount>(
  counts: readonly T[],
  { method, path, count }: CallbackCount,
  made: (count: CallbackCount) => T,
): T[] {
  const known = counts.findIndex((each) => each.method === method && each.path === path);
  if (known >= 0) return counts.map((each, i) => (i === known ? { ...each, ...made({ method, path, count: each.count + count }) } : each));
  if (counts.length < CALLBACKS_MAX) return [...counts, made({ method, path, count })];
  const smallest = counts.reduce((least, each, i) => (each.count < (counts[least]?.count ?? 0) ? i : least), 0);
  const taken = counts[smallest]?.count ?? 0;
  return counts.map((each, i) => (i === smallest ? made({ method, path, count: taken + count }) : each));
}

/** What a batch of another edge says, as far as it can be believed: at most so much. */
export function readNotes(notes: EdgeNotes | null | undefined): EdgeNotes | null {
  if (!notes) return null;
  return { shadow: notes.shadow ?? NO_SHADOW, callbacks: (notes.callbacks ?? []).slice(0, CALLBACKS_MAX) };
}

/** One isolate's notes since its last exchange. */
export class NoteBook {
  #shadow = NO_SHADOW;
  #callbacks: CallbackCount[] = [];

  shadow(outcome: keyof ShadowCounts): void {
    this.#shadow = addShadow(this.#shadow, { ...NO_SHADOW, [outcome]: 1 });
  }

  callback(method: string, path: string): void {
    this.#callbacks = addCallback(this.#callbacks, { method, path: countedPath(path), count: 1 }, (count) => count);
  }

  /** null = nothing to say. */
  take(): EdgeNotes | null {
    const notes = { shadow: this.#shadow, callbacks: this.#callbacks };
    this.#shadow = NO_SHADOW;
    this.#callbacks = [];
    return notes.shadow === NO_SHADOW && notes.callbacks.length === 0 ? null : notes;
  }

  giveBack(notes: EdgeNotes | null): void {
    if (notes === null) return;
    this.#shadow = addShadow(this.#shadow, notes.shadow);
    for (const count of notes.callbacks) this.#callbacks = addCallback(this.#callbacks, count, (each) => each);
  }
}
