/**
 * How many people this isolate lets in by itself while the Room cannot be reached, and how much each of them may ask for. One per room and
 * isolate; no clock, no I/O. The limit is on people: a page is a hundred requests, and half a page is of no use to anybody.
 */
import type { FailedOpen } from "../core/exchange";
import { keepNewest } from "../core/keep-newest";

/** An isolate lets in this share of the room's rate. Workers are many, and none of them knows how many. */
export const OPEN_SHARE = 1 / 50;
/** Requests that one person may make at once, … */
const REQUESTS_AT_ONCE = 300;
/** … and how fast they come back: one each so many ms. */
const REQUEST_EVERY_MS = 100;
/** People remembered for that; the one who has been away for longest is forgotten. */
const PEOPLE_MAX = 4_096;

export class OpenDoor {
  #lastAt = Number.NEGATIVE_INFINITY;
  /** Of each person: when all that was used will have come back, ms. Whoever came last is last. */
  readonly #people = new Map<string, number>();
  #let: FailedOpen | null = null;

  /** One more person, at a fiftieth of `perMinute`: in any w ms at most w / (50 × 60,000 / perMinute) + 1. */
  admit(perMinute: number, now: number): boolean {
    if (!(perMinute > 0) || now - this.#lastAt < 60_000 / (perMinute * OPEN_SHARE)) return false;
    this.#lastAt = now;
    this.#count(now, { people: 1, requests: 0 });
    return true;
  }

  /** One more request of a person who was let in, here or by another isolate. */
  pass(person: string, now: number): boolean {
    const backAt = Math.max(now, this.#people.get(person) ?? 0) + REQUEST_EVERY_MS;
    if (backAt - now > REQUESTS_AT_ONCE * REQUEST_EVERY_MS) return false;
    keepNewest(this.#people, person, backAt, PEOPLE_MAX);
    this.#count(now, { people: 0, requests: 1 });
    return true;
  }

  /** What the Room has not been told of; null = nothing. It is told once. */
  take(): FailedOpen | null {
    const counted = this.#let;
    this.#let = null;
    return counted;
  }

  /** The Room was not told after all. */
  giveBack(counted: FailedOpen | null): void {
    if (counted !== null) this.#count(counted.sinceMs, counted);
  }

  #count(now: number, { people, requests }: Pick<FailedOpen, "people" | "requests">): void {
    const { sinceMs = now, ...before } = this.#let ?? { people: 0, requests: 0 };
    this.#let = { people: before.people + people, requests: before.requests + requests, sinceMs: Math.min(sinceMs, now) };
  }
}
