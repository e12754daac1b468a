/**
 * The way to the Room and back: losses, cuts, calls that gather as the Room has them gather (durable/exchanges.ts), and one after the other. What
 * they ask is the host's. Virtual time.
 */
import { Gathering } from "../../durable/gathering";
import type { VirtualTime } from "../../test/support/virtual-time";
import { Books } from "./books";
import type { Colo } from "./edges";
import type { Plan, RoomPlan } from "./plan";

/** On top of the way of the colo, ms, now and then much more. */
const JITTER_MS = 10;
const SLOW_SHARE = 0.005;
const SLOW_MS = 400;
/** A connection that cannot be made fails after this, ms. */
const CUT_MS = 150;

interface Of {
  readonly plan: Plan;
  readonly room: RoomPlan;
  readonly time: VirtualTime;
  readonly startMs: number;
  readonly random: () => number;
  readonly books: Books;
  /** Those that the Room has heard of. */
  readonly isolates: () => number;
  /** What is decided in it is stored together. */
  readonly step: <T>(decide: () => T) => T;
}

interface Asked<T> {
  readonly takesMs: number;
  /** It travels with others; null = alone. */
  readonly questions: number | null;
  readonly decide: () => T;
}

interface Arrived extends Asked<unknown> {
  /** The Room was restarted since it came. */
  readonly isLost: () => boolean;
  readonly fails: () => void;
  readonly answered: (answer: unknown) => void;
}

export class RoomWay {
  readonly #of: Of;
  readonly #gathering = new Gathering<Arrived>();
  /** Grows with every restart: what was on its way is lost. */
  #life = 0;
  #busyUntil = 0;

  constructor(of: Of) {
    this.#of = of;
  }

  /** There, its turn, and back. */
  call<T>(colo: Colo, asked: Asked<T>): Promise<T> {
    const { books, time, random, plan } = this.#of;
    return new Promise((resolve, reject) => {
      const fails = (afterMs: number) => {
        time.at(time.now + afterMs, () => reject(Object.assign(new Error("connection lost"), { retryable: true })));
      };
      if (this.#isCut(colo)) {
        books.failedCalls += 1;
        fails(CUT_MS);
        return;
      }
      const lost = random() < plan.lost ? random() : 1;
      // Lost on the way there: nobody ever answers, and the caller's own deadline counts.
      if (lost < 0.5) return;
      time.at(time.now + this.#ms(colo), () => {
        const arrivedAt = time.now - this.#of.startMs;
        books.callsAt.push(arrivedAt);
        Books.bump(books.callsBySecond, Math.floor(arrivedAt / 1_000));
        const life = this.#life;
        const isLost = () => life !== this.#life;
        this.#arrived({
          ...asked,
          isLost,
          fails: () => {
            books.failedCalls += 1;
            fails(this.#ms(colo));
          },
          answered: (answer) => {
            if (lost < 1) return;
            time.at(time.now + this.#ms(colo), () => {
              if (isLost()) fails(0);
              else resolve(answer as T);
            });
          },
        });
      });
    });
  }

  restart(downMs: number): void {
    this.#life += 1;
    this.#busyUntil = this.#of.time.now + downMs;
    for (const call of this.#gathering.take(Number.NEGATIVE_INFINITY)) call.fails();
  }

  #isCut(colo: Colo): boolean {
    const { time, startMs, room, plan } = this.#of;
    const now = time.now - startMs;
    return (room.cuts ?? []).some(({ fromMs, toMs, share }) => now >= fromMs && now < toMs && colo.number < share * plan.colos);
  }

  #ms(colo: Colo): number {
    const { random } = this.#of;
    const slow = random() < SLOW_SHARE ? random() * SLOW_MS : 0;
    return colo.wayMs + random() * JITTER_MS + slow;
  }

  #arrived(call: Arrived): void {
    const { time, isolates } = this.#of;
    if (call.questions === null) {
      this.#perform([call]);
      return;
    }
    const waitMs = this.#gathering.add(call, call.questions, time.now);
    const together = () => {
      if (this.#gathering.has(call)) this.#perform(this.#gathering.take(time.now));
    };
    if (waitMs > 0 && isolates() > 1) time.at(time.now + waitMs, together);
    else together();
  }

  #perform(calls: readonly Arrived[]): void {
    const { books, time, step } = this.#of;
    this.#busyUntil = calls.reduce((until, { takesMs }) => until + takesMs, Math.max(this.#busyUntil, time.now));
    books.longestBacklogMs = Math.max(books.longestBacklogMs, this.#busyUntil - time.now);
    time.at(this.#busyUntil, () => {
      const kept = calls.filter((call) => !call.isLost());
      for (const call of calls) if (call.isLost()) call.fails();
      if (kept.length === 0) return;
      const answers = step(() => kept.map(({ decide }) => decide()));
      for (const [i, call] of kept.entries()) call.answered(answers[i]);
    });
  }
}
