/**
 * One isolate's stream of visitor events to the bindings VISITOR_EVENTS (a Queue) and ANALYTICS (Analytics Engine), where there are any. Never in
 * anybody's way: what a queue that is slow, full or broken does not take is dropped, and counted in the log and in the next message.
 */
import type { VisitorEvent } from "../core/visitor-events";
import { within } from "./wait";

/** The part of a Queue that is used. */
export interface EventQueue {
  sendBatch(messages: Iterable<{ readonly body: unknown }>): Promise<unknown>;
}

/** The part of an Analytics Engine dataset that is used. */
export interface Analytics {
  writeDataPoint(point: { readonly indexes: string[]; readonly blobs: string[]; readonly doubles: number[] }): void;
}

export interface EventSinks {
  readonly queue: EventQueue | null;
  readonly analytics: Analytics | null;
}

export const NO_SINKS: EventSinks = { queue: null, analytics: null };

/** What waits for the queue; more is dropped. */
export const WAITING_MAX = 1_000;
/** A queue takes so many messages at once. */
const BATCH_MAX = 100;
const SEND_WITHIN_MS = 2_000;
/** A sending that began longer ago is lost with its request, ms. */
const LOST_MS = 10_000;
const TELL_MS = 60_000;

export class EventStream {
  readonly #room: string;
  readonly #sinks: EventSinks;
  #waiting: VisitorEvent[] = [];
  #sendingSince = Number.NEGATIVE_INFINITY;
  /** Since the last message that was taken, and since the log was told. */
  #dropped = 0;
  #untold = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(room: string, sinks: EventSinks) {
    this.#room = room;
    this.#sinks = sinks;
  }

  get isOn(): boolean {
    return this.#sinks.queue !== null || this.#sinks.analytics !== null;
  }

  note(events: readonly VisitorEvent[], now: number): void {
    const { queue, analytics } = this.#sinks;
    for (const { room, event, waited_seconds, slot } of analytics === null ? [] : events) {
      // Takes it or not; says nothing either way.
      analytics?.writeDataPoint({ indexes: [room], blobs: [event], doubles: [waited_seconds ?? 0, slot ?? -1] });
    }
    if (queue === null) return;
    const free = Math.max(0, WAITING_MAX - this.#waiting.length);
    this.#waiting.push(...events.slice(0, free));
    this.#drop(Math.max(0, events.length - free), now);
  }

  /** Send what waits, for two seconds at most. Never rejects. */
  async flush(now: number): Promise<void> {
    const { queue } = this.#sinks;
    while (queue !== null && this.#waiting.length > 0 && Date.now() - this.#sendingSince >= LOST_MS) {
      const batch = this.#waiting.slice(0, BATCH_MAX);
      this.#waiting = this.#waiting.slice(BATCH_MAX);
      const before = this.#dropped;
      this.#sendingSince = Date.now();
      const isTaken = await taken(
        queue,
        batch.map((event) => ({ body: { ...event, dropped_before: before } })),
      );
      this.#sendingSince = Number.NEGATIVE_INFINITY;
      if (!isTaken) return this.#drop(batch.length, now);
      this.#dropped -= before;
    }
  }

  #drop(count: number, now: number): void {
    this.#dropped += count;
    this.#untold += count;
    if (this.#untold === 0 || now - this.#toldAt < TELL_MS) return;
    console.warn(JSON.stringify({ event: "visitor-events-dropped", room: this.#room, count: this.#untold }));
    this.#untold = 0;
    this.#toldAt = now;
  }
}

async function taken(queue: EventQueue, messages: readonly { readonly body: unknown }[]): Promise<boolean> {
  try {
    return await within(
      queue.sendBatch(messages).then(() => true),
      SEND_WITHIN_MS,
      false,
    );
  } catch {
    return false;
  }
}
