/**
 * Virtual time for code that asks `Date.now` and `setTimeout`: a clock that stands still while code runs and jumps to the next timer.
 * Between two timers everything that was promised is carried out, as in a real event loop. Works in any Node script, without a test runner.
 */

/** `run` is null once it was cancelled: what it held is free then, not only when its time comes. */
interface Timer {
  run: (() => void) | null;
}

/** All timers of one time, in the order of setting; those before `next` have run. */
interface Moment {
  readonly timers: Timer[];
  next: number;
}

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: Date.now, setImmediate };

export class VirtualTime {
  now: number;
  readonly #moments = new Map<number, Moment>();
  /** The times of the moments: a binary heap. */
  readonly #heap: number[] = [];
  readonly #grainMs: number;
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
      if (timer !== undefined) timer.run = null;
    };
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    Date.now = () => Math.floor(this.now);
    try {
      start();
      await settled();
      for (let at = this.#heap[0]; at !== undefined && at <= until; at = this.#heap[0]) {
        if (!this.#runSome(at)) continue;
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
    const due = Math.max(grain > 0 ? Math.ceil(at / grain) * grain : at, this.now);
    const timer: Timer = { run };
    const moment = this.#moments.get(due);
    if (moment !== undefined) {
      moment.timers.push(timer);
      return timer;
    }
    this.#moments.set(due, { timers: [timer], next: 0 });
    push(this.#heap, due);
    return timer;
  }

  /** The timers of the first moment, or with no grain one of them. @returns false = all had been cancelled */
  #runSome(at: number): boolean {
    const moment = this.#moments.get(at) as Moment;
    let some = false;
    while (moment.next < moment.timers.length && !(some && this.#grainMs === 0)) {
      const { run } = moment.timers[moment.next++] as Timer;
      if (run === null) continue;
      this.now = Math.max(this.now, at);
      run();
      some = true;
    }
    if (moment.next === moment.timers.length) {
      this.#moments.delete(at);
      dropFirst(this.#heap);
    }
    return some;
  }
}

function push(heap: number[], at: number): void {
  heap.push(at);
  for (let i = heap.length - 1; i > 0; ) {
    const parent = (i - 1) >> 1;
    if ((heap[parent] as number) <= at) return;
    swap(heap, i, parent);
    i = parent;
  }
}

function dropFirst(heap: number[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  for (let i = 0; 2 * i + 1 < heap.length; ) {
    const left = 2 * i + 1;
    const least = (heap[left + 1] ?? Number.POSITIVE_INFINITY) < (heap[left] as number) ? left + 1 : left;
    if ((heap[i] as number) <= (heap[least] as number)) return;
    swap(heap, i, least);
    i = least;
  }
}

function swap(heap: number[], a: number, b: number): void {
  const one = heap[a] as number;
  heap[a] = heap[b] as number;
  heap[b] = one;
}

/** All microtasks, and what they promise in turn. */
function settled(): Promise<void> {
  return new Promise((resolve) => real.setImmediate(resolve));
}
