/**
 * What this isolate's requests want of the Room, gathered into one exchange at a time (DESIGN §6). One per room and isolate.
 *
 * Each request drives its own entry, under its own `waitUntil` and with its own timers. Whoever finds that a call is due and
 * none is in flight leads: sends one batch of everybody's entries and hands over. A flight is a start time, stale after 3 s,
 * since a leader dies with its request; what it carried is then sent again, which is safe because every entry is idempotent.
 * No promise, stub or response outlives its request here: shared are only plain data and one-shot signals.
 */
import type { Batch, Reply } from "../core/exchange";
import { type Ask, generationOf, isOutdated, type NotDone, type Outcome, urgency, type Verdict, type VerdictOf } from "./asks";
import { handOut, partsOf, requestsOf } from "./batch-parts";
import type { Breaker } from "./breaker";
import { RoomFailure } from "./call";
import type { Pace } from "./pace";
import { type Asker, driveWith, type Entry, meanwhile, nameOf, nobody, rest, settle, settleRestarted, tell, wake } from "./queue-entry";
import { type Lifetime, signal, sleep } from "./wait";

interface Flight {
  readonly startedAt: number;
  readonly entries: readonly Entry[];
}

/** The part of a batch that belongs to no single request. */
export type Carried = Pick<Batch, "sightings" | "entriesSeen" | "leaseWanted" | "origin" | "failedOpen" | "notes" | "asked">;

/** What the queue needs of the client that owns it. */
export interface Exchanger {
  /** The generation this isolate believes in; null = not known yet. */
  generation(): number | null;
  collect(): Carried;
  giveBack(carried: Carried): void;
  /** One call. @throws RoomFailure */
  send(batch: Omit<Batch, "v" | "isolate" | "colo" | "config">): Promise<Reply>;
  /** The outcome of a question whose request has been told that it comes later. */
  late(ask: Ask, outcome: Outcome<Verdict>): void;
  /** After a reply has been handed out, in the leader's own time. */
  settled(): Promise<void>;
}

/**
 * Most requests in one batch; sightings come on top. So many that 230 calls a second, each full, are what a Room can do in a second: larger
 * ones made it late for everybody, and those who asked again later still (docs/decisions/0047).
 */
const BATCH_MAX = 200;
/** More waiting requests than this are turned away at once: the Room is far behind. */
const PENDING_MAX = 20_000;
/** A flight older than this is lost, ms; longer than any call's own deadline. */
const STALE_MS = 3_000;
/** A request drives its entry at most this long, ms: `waitUntil` ends 30 s after the reply. */
const DRIVE_MS = 25_000;
/** Whoever is to lead next and does not is done for after this long, ms: another one leads, … */
const LEAD_GRACE_MS = 1_000;
/** … or one whose visitor has been told to come back, and who looks so much more seldom. */
const LATE_GRACE_MS = 4_000;
/** So many in a batch are a crowd, … */
const CROWD = 8;
/** … for so long, ms: answering two hundred takes a busy isolate longer than the next ones take to come. */
const CROWD_MS = 250;
/** The next call waits for more of it, for at most so long, ms, … */
const GATHER_MS = 40;
/** … and no longer than somebody comes within this, ms. */
const GATHER_STEP_MS = 4;
/** An entry is sent at most this often. */
const SENDS_MAX = 2;

const UNREACHABLE_RETRY_MS = 5_000;
const NO_VERDICT: NotDone = { as: "unreachable", retryAfterMs: UNREACHABLE_RETRY_MS };
/** How long joins are held back after the Room could not store one, ms. */
const FULL_HOLD_MS = 5_000;
const FULL: NotDone = { as: "full", retryAfterMs: UNREACHABLE_RETRY_MS };

export class ExchangeQueue {
  #pending: Entry[] = [];
  /** Questions without an answer that may be put again, by their names. */
  readonly #named = new Map<string, Entry>();
  #flight: Flight | null = null;
  /** Who leads next. The others wait a little longer, so that few have to be woken. */
  #next: Entry | null = null;
  /** Of the last flight: how many it carried, and when it ended. */
  #last = { carried: 0, endedAt: 0 };
  /** Errors of the Room's own since its last answer. */
  #remoteFailures = 0;
  /** Until then nobody joins: what needs no new rows may still be stored, if it comes alone. */
  #fullUntil = 0;
  readonly #room: Exchanger;
  readonly #breaker: Breaker;
  readonly #pace: Pick<Pace, "notBefore" | "mayCall" | "called">;
  readonly #random: () => number;
  readonly #sizeOf: (ask: Ask) => number;

  /** @param sizeOf so many people a question stands for: in simulations several */
  constructor(
    room: Exchanger,
    breaker: Breaker,
    pace: Pick<Pace, "notBefore" | "mayCall" | "called">,
    random: () => number,
    sizeOf: (ask: Ask) => number = () => 1,
  ) {
    this.#sizeOf = sizeOf;
    this.#room = room;
    this.#breaker = breaker;
    this.#pace = pace;
    this.#random = random;
  }

  /**
   * Put a question and wait for its answer, at most `waitMs`. Afterwards the question stays in the queue for a while, so that a join
   * gets its place although the visitor has been told to come back.
   */
  ask<A extends Ask>(ask: A, life: Lifetime, waitMs: number): Promise<Outcome<VerdictOf<A>>> {
    const now = Date.now();
    const entry = this.#entryOf(ask, now);
    if ("as" in entry) return Promise.resolve(entry);
    const asker: Asker = { told: signal(), tellAt: now + Math.min(waitMs, DRIVE_MS), isTold: false, wake: nobody };
    driveWith(entry, asker);
    life.waitUntil(this.#drive(entry, now + DRIVE_MS, asker));
    return asker.told.promise as Promise<Outcome<VerdictOf<A>>>;
  }

  /** The question in the queue, or why it is not put. */
  #entryOf(ask: Ask, now: number): Entry | NotDone {
    const closedMs = this.#breaker.remainingMs(now);
    if (closedMs > 0) return { as: this.#breaker.why, retryAfterMs: closedMs };
    if (ask.kind === "join" && now < this.#fullUntil) return { as: "full", retryAfterMs: this.#fullUntil - now };
    const name = nameOf(ask);
    return this.#asked(name, now) ?? this.#put(ask, name, now) ?? { as: "unreachable", retryAfterMs: UNREACHABLE_RETRY_MS };
  }

  /** The same question, asked before and not answered yet: who asks again waits with it, and does not make the queue longer. */
  #asked(name: string | null, now: number): Entry | null {
    const entry = name === null ? undefined : this.#named.get(name);
    if (entry === undefined || entry.outcome !== null) return null;
    entry.until = now + DRIVE_MS;
    return entry;
  }

  #put(ask: Ask, name: string | null, now: number): Entry | null {
    if (this.#pending.length >= PENDING_MAX) return null;
    const until = now + DRIVE_MS;
    const entry: Entry = { ask, name, arrivedAt: now, until, outcome: null, isLate: false, askers: [], sends: 0 };
    this.#pending.push(entry);
    if (name !== null) this.#named.set(name, entry);
    if (this.#next === null || this.#readyAt(entry) < this.#readyAt(this.#next)) this.#next = entry;
    return entry;
  }

  /** When could a question put now be sent at the earliest, ms from now? */
  delayMs(now: number): number {
    return Math.max(0, this.#pace.notBefore - now);
  }

  /** So many questions wait. */
  get waiting(): number {
    return this.#pending.reduce((sum, { ask }) => sum + this.#sizeOf(ask), 0);
  }

  /** So many full batches are in front of a question put now. */
  get batchesAhead(): number {
    return Math.floor(this.#pending.reduce((sum, { ask }) => sum + this.#placesOf(ask), 0) / BATCH_MAX);
  }

  async #drive(entry: Entry, until: number, asker: Asker): Promise<void> {
    for (let now = Date.now(); !tell(entry, asker, now); now = Date.now()) {
      if (now >= entry.until) {
        this.#giveUp(entry);
        continue;
      }
      // Another request has asked the same since, and drives it on.
      if (now >= until || !entry.askers.includes(asker)) return;
      const dueAt = this.#dueAt(entry, asker, now);
      if (dueAt > now) await rest(asker, Math.min(dueAt, until), now);
      else if (await meanwhile(this.#fly(now), entry, asker)) {
        await meanwhile(this.#room.settled(), entry, asker);
      }
    }
    if (entry.name !== null && this.#named.get(entry.name) === entry) this.#named.delete(entry.name);
  }

  /** When this entry's request should take the lead. */
  #dueAt(entry: Entry, { isTold }: Asker, now: number): number {
    if (this.#flight !== null && now < this.#flight.startedAt + STALE_MS) return this.#flight.startedAt + STALE_MS;
    const isNext = this.#next === null || this.#next === entry;
    return this.#readyAt(entry) + (isNext ? 0 : isTold ? LATE_GRACE_MS : LEAD_GRACE_MS);
  }

  /** When a call could be made for it. */
  #readyAt({ ask, arrivedAt }: Entry): number {
    return Math.max(this.#pace.notBefore, arrivedAt + (ask.kind === "look" ? ask.patienceMs : 0));
  }

  /** Somebody else leads next. */
  #passOn(): void {
    this.#next = null;
    for (const entry of this.#pending) {
      if (entry.outcome !== null) continue;
      if (this.#next === null || this.#readyAt(entry) < this.#readyAt(this.#next)) this.#next = entry;
    }
    if (this.#next !== null) wake(this.#next);
  }

  /** Lead: send one batch, hand out what comes back, let the next one lead. Never rejects. false = it is too soon. */
  async #fly(now: number): Promise<boolean> {
    this.#reclaim();
    let flight: Flight = { startedAt: now, entries: [] };
    this.#flight = flight;
    try {
      const mayCall = this.#pace.mayCall(now);
      // Where nothing has to be waited for nothing is: whoever comes in the same moment travels with the next.
      if (!(mayCall === true || (await mayCall)) || this.#flight !== flight) return false;
      if (this.#last.carried >= CROWD && Date.now() - this.#last.endedAt < CROWD_MS) await this.#gather();
      if (this.#flight !== flight) return false;
      const startedAt = Date.now();
      flight = { startedAt, entries: this.#take() };
      this.#flight = flight;
      this.#pace.called(startedAt);
      await this.#exchange(flight);
      return true;
    } catch (error) {
      // Ours: a bug. Nobody gets in by it.
      console.error(JSON.stringify({ event: "exchange-failed", error: String(error) }));
      this.#failAll(flight.entries);
      return true;
    } finally {
      if (this.#flight === flight) this.#flight = null;
      if (flight.entries.length > 0) this.#last = { carried: flight.entries.length, endedAt: Date.now() };
      this.#passOn();
    }
  }

  /** While a crowd comes, a call that waits for more of it is one where there would be three. Whoever comes alone waits for nothing. */
  async #gather(): Promise<void> {
    const end = Date.now() + GATHER_MS;
    for (let before = 0; this.#pending.length > before && this.#pending.length < BATCH_MAX && Date.now() < end; ) {
      before = this.#pending.length;
      await sleep(GATHER_STEP_MS);
    }
  }

  async #exchange(flight: Flight): Promise<void> {
    const generation = this.#room.generation() ?? 0;
    const now = Date.now();
    const open = flight.entries.filter((entry) => entry.outcome === null);
    // Another generation's places are gone: no need to ask.
    settleRestarted(
      open.filter(({ ask }) => isOutdated(ask, generation)),
      generation,
    );
    // A batch speaks of one generation. Who comes from one that this isolate has not heard of waits until it has.
    const unheard = open.filter(({ ask }) => generationOf(ask) > generation);
    const sent = open.filter(({ ask, outcome }) => outcome === null && generationOf(ask) <= generation);
    const parts = partsOf(sent);
    for (const entry of sent) entry.sends += 1;
    const carried = this.#room.collect();
    try {
      const reply = await this.#room.send({ generation, ...requestsOf(parts, now), ...carried });
      this.#breaker.reset();
      this.#remoteFailures = 0;
      const missing = reply.storage === "full" ? FULL : NO_VERDICT;
      if (reply.storage === "full") this.#fullUntil = Date.now() + FULL_HOLD_MS;
      handOut(parts, reply, missing);
      for (const { ask, isLate, outcome } of sent) if (isLate && outcome !== null) this.#room.late(ask, outcome);
      settleRestarted(
        unheard.filter(({ ask }) => generationOf(ask) > reply.manifest.generation),
        reply.manifest.generation,
      );
      this.#pending.unshift(...unheard.filter((entry) => entry.outcome === null));
    } catch (error) {
      if (!(error instanceof RoomFailure)) throw error;
      this.#room.giveBack(carried);
      this.#remoteFailures += error.kind === "remote" ? 1 : 0;
      if (error.kind === "full") this.#fullUntil = Date.now() + FULL_HOLD_MS;
      // One error of the Room's own is about this batch, as is a full storage about its joins; anything else is about reaching the Room, and
      // holds for those who wait as well.
      const isAboutBatch = (error.kind === "remote" && this.#remoteFailures === 1) || (error.kind === "full" && parts.joins.length > 0);
      const why = error.kind === "full" ? "full" : "unreachable";
      if (!isAboutBatch) this.#breaker.trip(Date.now(), this.#random(), why);
      console.warn(JSON.stringify({ event: "room-call-failed", kind: error.kind, entries: sent.length, error: error.message }));
      this.#pending.unshift(...unheard);
      this.#failAll(isAboutBatch ? sent : [...sent, ...this.#pending.splice(0)], why);
    }
  }

  /** Claims and navigations' joins first; what does not fit goes with the next batch. */
  #take(): Entry[] {
    this.#pending = this.#pending.filter((entry) => entry.outcome === null);
    if (this.#fitting() === this.#pending.length) return this.#pending.splice(0);
    this.#pending.sort((a, b) => urgency(a.ask) - urgency(b.ask) || a.arrivedAt - b.arrivedAt);
    return this.#pending.splice(0, this.#fitting());
  }

  /** So many of those who wait fit into one batch. */
  #fitting(): number {
    let left = BATCH_MAX;
    const over = this.#pending.findIndex(({ ask }, i) => {
      left -= this.#placesOf(ask);
      return left < 0 && i > 0;
    });
    return over < 0 ? this.#pending.length : over;
  }

  /** In a batch. Whoever only wants the manifest asks nothing of the Room. */
  #placesOf(ask: Ask): number {
    return ask.kind === "look" ? 0 : this.#sizeOf(ask);
  }

  /** A leader that died leaves its entries behind. */
  #reclaim(): void {
    const lost = this.#flight?.entries.filter((entry) => entry.outcome === null) ?? [];
    this.#flight = null;
    this.#failAll(lost.filter((entry) => entry.sends >= SENDS_MAX));
    this.#pending.unshift(...lost.filter((entry) => entry.outcome === null));
  }

  #giveUp(entry: Entry): void {
    this.#pending = this.#pending.filter((other) => other !== entry);
    if (entry.name !== null && this.#named.get(entry.name) === entry) this.#named.delete(entry.name);
    settle(entry, { as: "late" });
    if (this.#next === entry) this.#passOn();
  }

  #failAll(entries: readonly Entry[], as: NotDone["as"] = "unreachable"): void {
    const retryAfterMs = this.#breaker.remainingMs(Date.now()) || UNREACHABLE_RETRY_MS;
    for (const entry of entries) settle(entry, { as, retryAfterMs });
  }
}
