/**
 * Timers and one-shot promises for requests that wait for each other. Knows nothing of rooms.
 *
 * Whoever waits for a promise that another request settles must hold a timer of its own: without one the runtime sees a
 * request with nothing pending and kills it (DESIGN §6).
 */

/**
 * What lies further ahead of a reading of the clock than it can was noted before this machine's clock was put back. So much less is nothing, ms:
 * each request sees the time of its own last I/O.
 */
export const CLOCK_BACK_MS = 2_000;

/** What ties work to the life of one request: the execution context of the Worker. */
export interface Lifetime {
  waitUntil(work: Promise<unknown>): void;
}

export interface Signal<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

/**
 * May be settled by another request. Not by `new Promise`: once V8 has compiled that into the code around it, workerd does not notice to which
 * request the promise belongs, and what waits for it goes on within the other request, where it may touch nothing of its own.
 */
export function signal<T>(): Signal<T> {
  return Promise.withResolvers<T>();
}

/** `promise`, or `late` after `ms`. The promise goes on; its later rejection is not reported. */
export async function within<T, L>(promise: Promise<T>, ms: number, late: L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), Math.max(0, ms));
  });
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
