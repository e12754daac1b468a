/** What keeps calls and memory of an isolate within bounds, whoever asks for how much. No clock: time is an argument. */

/** So many calls at once, and so many a second. */
export class Budget {
  readonly #max: number;
  readonly #perS: number;
  #calls: number;
  #refilledAt = 0;

  constructor(max: number, perS: number) {
    this.#max = max;
    this.#perS = perS;
    this.#calls = max;
  }

  take(now: number): boolean {
    this.#calls = Math.min(this.#max, this.#calls + (Math.max(0, now - this.#refilledAt) / 1_000) * this.#perS);
    this.#refilledAt = now;
    if (this.#calls < 1) return false;
    this.#calls -= 1;
    return true;
  }
}

/** Keeps the newest `max`. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > max && !oldest.done) map.delete(oldest.value);
}
