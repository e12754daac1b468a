/** So many calls of an isolate at once, and so many a second, whoever asks for how much. No clock: time is an argument. */
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
