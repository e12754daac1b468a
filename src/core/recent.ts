/** A map of about as many entries as are wanted again: whatever is not asked for while as many new ones come is forgotten. Pure. */
export class Recent<K, V> {
  readonly #halfMax: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** @param halfMax it holds between `halfMax` and twice as many, once it is full */
  constructor(halfMax: number) {
    this.#halfMax = halfMax;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.put(key, old);
    return old;
  }

  put(key: K, value: V): void {
    if (this.#young.size >= this.#halfMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
