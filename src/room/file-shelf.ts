/**
 * Files of the waiting pages of all rooms, in an isolate's memory: those used last, up to so much together. A template may have 1 MiB, an isolate
 * has 128 MB for everything, and a configuration may have many rooms. No clock, no I/O.
 */

/** Characters, of one byte or two. */
const CHARS_MAX = 8 * 1_048_576;

interface Kept {
  readonly owner: object;
  readonly name: string;
  readonly body: string;
}

export class FileShelf {
  readonly #max: number;
  /** Oldest use first. */
  readonly #kept = new Set<Kept>();
  readonly #byOwner = new WeakMap<object, Map<string, Kept>>();
  #chars = 0;

  constructor(max = CHARS_MAX) {
    this.#max = max;
  }

  get(owner: object, name: string): string | undefined {
    const kept = this.#byOwner.get(owner)?.get(name);
    if (kept === undefined) return undefined;
    this.#kept.delete(kept);
    this.#kept.add(kept);
    return kept.body;
  }

  put(owner: object, name: string, body: string): void {
    const names = this.#byOwner.get(owner) ?? new Map<string, Kept>();
    this.#byOwner.set(owner, names);
    const former = names.get(name);
    if (former !== undefined) this.#drop(former);
    const kept = { owner, name, body };
    names.set(name, kept);
    this.#kept.add(kept);
    this.#chars += body.length;
    for (const oldest of this.#kept) {
      if (this.#chars <= this.#max) break;
      this.#drop(oldest);
    }
  }

  #drop(kept: Kept): void {
    this.#kept.delete(kept);
    this.#byOwner.get(kept.owner)?.delete(kept.name);
    this.#chars -= kept.body.length;
  }
}
