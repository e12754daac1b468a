/**
 * Virtual time for code that asks `Date.now` and `setTimeout`: a clock that stands still while code runs and jumps to the next timer.
 * Between two timers everything that was promised is carried out, as in a real event loop. Works in any Node script, without a test runner.
 */

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: Date.now, setImmediate };

export class VirtualTime {
  now: number;
  /** A binary heap by time, those of the same time in the order of setting. */
  readonly #heap: Timer[] = [];
  readonly #grainMs: number;
  #order = 0;
  #stopped = false;

  /** @param grainMs timers come at multiples of this, those of one moment together: faster where there are many. 0 = each at its own time */
  constructor(now: number, grainMs = 0) {
    this.now = now;
    this.#grainMs = grainMs;
  }

  /** Nothing more happens after the moment that is under way. */
  stop(): void {
    this.#stopped = true;
  }

  /** Run `work` on this clock, until it and all timers that are due by `until` are done. */
  async run(until: number, start: () => void): Promise<void> {
    const set = (run: () => void, ms = 0): Timer => this.at(this.now + Math.max(0, ms), run);
    const clear = (timer: Timer | undefined): void => {
      if (timer !== undefined) timer.cancelled = true;
    };
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    Date.now = () => Math.floor(this.now);
    try {
      start();
      await settled();
      for (let timer = this.#next(until); timer !== null; timer = this.#next(until)) {
        this.now = Math.max(this.now, timer.at);
        timer.run();
        if (this.#grainMs > 0) for (let other = this.#next(this.now); other !== null; other = this.#next(this.now)) other.run();
        await settled();
        if (this.#stopped) return;
      }
      this.now = until;
    } finally {
      Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
      Date.now = real.now;
    }
  }

  at(at: number, run: () => void): Timer {
    const grain = this.#grainMs;
    const due = grain > 0 ? Math.ceil(at / grain) * grain : at;
    const timer: Timer = { at: Math.max(due, this.now), order: this.#order++, run, cancelled: false };
    const heap = this.#heap;
    heap.push(timer);
    for (let i = heap.length - 1; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!before(heap[i], heap[parent])) break;
      swap(heap, i, parent);
      i = parent;
    }
    return timer;
  }

  /** The next timer that was not cancelled and is due by `until`. */
  #next(until: number): Timer | null {
    const heap = this.#heap;
    for (let first = heap[0]; first !== undefined && first.at <= until; first = heap[0]) {
      this.#dropFirst();
      if (!first.cancelled) return first;
    }
    return null;
  }

  #dropFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    for (let i = 0; ; ) {
      const left = 2 * i + 1;
      if (left >= heap.length) return;
      const least = before(heap[left + 1], heap[left]) ? left + 1 : left;
      if (!before(heap[least], heap[i])) return;
      swap(heap, i, least);
      i = least;
    }
  }
}

function before(one: Timer | undefined, other: Timer | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

function swap(heap: Timer[], a: number, b: number): void {
  const one = heap[a] as Timer;
  heap[a] = heap[b] as Timer;
  heap[b] = one;
}

/** All microtasks, and what they promise in turn. */
function settled(): Promise<void> {
  return new Promise((resolve) => real.setImmediate(resolve));
}
