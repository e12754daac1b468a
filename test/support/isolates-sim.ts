/**
 * Thousands of isolates with the real batching client (src/room-client.ts) against a modelled Room: one queue, a time per call, the real
 * line and its real pacing. Virtual time. Colos share a manifest store as Cloudflare's cache would let them.
 */
import { exchange } from "../../durable/line/exchange";
import { newLine } from "../../durable/line/state";
import { takeChanges } from "../../durable/line/stored";
import { manifestOf } from "../../durable/line/view";
import type { Batch, Reply } from "../../src/core/exchange";
import type { RoomRpc } from "../../src/core/room-rpc";
import type { ColoStore } from "../../src/room/colo-store";
import { RoomClient } from "../../src/room-client";
import { START, seeded, settingsOf } from "./line-world";
import { VirtualTime } from "./virtual-time";

export interface IsolateRun {
  readonly isolates: number;
  readonly colos: number;
  /** Isolates get their first request spread over this long, ms; each then serves for the rest of the run. */
  readonly rampMs: number;
  readonly seconds: number;
  /** New visitors a second, all isolates together, from when the last isolate is there; before that in proportion. */
  readonly joinsPerSecond: number;
  /** Questions of waiting visitors a second, likewise. */
  readonly asksPerSecond: number;
  /** So many isolates have served some visitors for a minute before: the Room and the colos' caches know of them. */
  readonly warm: number;
  /** false = no cache between isolates (workers.dev, `workerd serve`). */
  readonly cache: boolean;
  readonly seed: number;
}

export interface IsolateOutcome {
  /** Calls that reached the Room, by second of the run. */
  readonly callsBySecond: Uint32Array;
  /** Longest that a call waited for its turn at the Room, by second, ms. */
  readonly backlogBySecond: Uint32Array;
  readonly joins: number;
  /** Joins answered with a place while the visitor waited, with the "joining" page, and with "unreachable". */
  readonly placed: number;
  readonly joining: number;
  readonly unreachable: number;
  /** Longest that a visitor waited for either answer, ms. */
  readonly longestWaitMs: number;
  /** Joins that had their place in the Room in the end, and how long the slowest took, ms. */
  readonly inRoom: number;
  readonly slowestPlaceMs: number;
  /** People in the line behind somebody who came later. */
  readonly inversions: number;
  /** Somebody has a place behind somebody whose join began after theirs had been answered: never allowed (P4). */
  readonly overtakenAfterAnswer: number;
  /** By how much the worst one was overtaken, ms of arrival. */
  readonly worstOvertakingMs: number;
  readonly flushAfterMs: number;
}

/** One call's time at the Room, ms: some hundreds of writing calls a second (DESIGN §6), more with many items. */
const CALL_MS = 1.5;
const ITEM_MS = 0.02;
const WAY_MS = { least: 10, more: 60 };
const COLO_MS = 4;
/** A join is answered so soon after its request came, ms, if only with the "joining" page (src/gate/enter.ts). */
const ANSWER_MS = 2_000;
const WARM_MS = 60_000;

interface Joiner {
  readonly key: string;
  readonly arrivedAt: number;
  answeredAt: number | null;
  slot: number | null;
}

export async function runIsolates(run: IsolateRun): Promise<IsolateOutcome> {
  const sim = new IsolateSim(run);
  await sim.run();
  return sim.outcome();
}

class IsolateSim {
  readonly #run: IsolateRun;
  readonly #random: () => number;
  readonly #time = new VirtualTime(START - WARM_MS);
  readonly #settings = settingsOf({ totalActiveUsers: 5_000, newUsersPerMinute: 600, sessionDurationMs: 600_000, passRefreshMs: 30_000 });
  readonly #line = newLine(START - WARM_MS);
  readonly #clients: RoomClient[] = [];
  readonly #joiners = new Map<string, Joiner>();
  readonly #callsBySecond: Uint32Array;
  readonly #backlogBySecond: Uint32Array;
  /** The Room is busy until then. */
  #busyUntil = 0;
  #placed = 0;
  #joining = 0;
  #unreachable = 0;
  #longestWaitMs = 0;
  #slowestPlaceMs = 0;

  constructor(run: IsolateRun) {
    this.#run = run;
    this.#random = seeded(run.seed);
    this.#callsBySecond = new Uint32Array(run.seconds + 1);
    this.#backlogBySecond = new Uint32Array(run.seconds + 1);
  }

  async run(): Promise<void> {
    const { isolates, colos, cache, warm, seconds, rampMs } = this.#run;
    const stores = Array.from({ length: colos }, () => (cache ? { colo: this.#coloStore(), turns: this.#coloStore() } : null));
    const none: ColoStore = { get: async () => null, put: async () => undefined };
    // The client calls these two only.
    const stub = {
      exchange: (batch: Batch) => this.#call(batch),
      config: () => this.#atRoom(CALL_MS, () => ({ revision: 1, settings: this.#settings })),
    } as unknown as RoomRpc;
    for (let i = 0; i < isolates; i++) {
      this.#clients.push(
        new RoomClient({
          room: "sim",
          file: this.#settings,
          stubOf: () => stub,
          ...(stores[i % colos] ?? { colo: none, turns: none }),
          lists: () => none,
          random: this.#random,
        }),
      );
    }
    await this.#time.run(START + seconds * 1_000, () => {
      for (let i = 0; i < warm; i++) this.#serve(i, START - WARM_MS + this.#random() * WARM_MS * 0.75);
      for (let i = warm; i < isolates; i++) this.#serve(i, START + this.#random() * rampMs);
    });
  }

  outcome(): IsolateOutcome {
    const all = [...this.#joiners.values()];
    const inLine = all.filter((joiner) => joiner.slot !== null).sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0));
    let inversions = 0;
    let overtakenAfterAnswer = 0;
    let worstOvertakingMs = 0;
    let latestArrival = 0;
    // From the end of the line to its front: the earliest answer among those behind.
    let earliestAnswerBehind = Number.POSITIVE_INFINITY;
    for (const joiner of inLine) {
      worstOvertakingMs = Math.max(worstOvertakingMs, latestArrival - joiner.arrivedAt);
      if (joiner.arrivedAt < latestArrival) inversions += 1;
      latestArrival = Math.max(latestArrival, joiner.arrivedAt);
    }
    for (const joiner of inLine.reverse()) {
      if (joiner.arrivedAt > earliestAnswerBehind) overtakenAfterAnswer += 1;
      earliestAnswerBehind = Math.min(earliestAnswerBehind, joiner.answeredAt ?? Number.POSITIVE_INFINITY);
    }
    return {
      callsBySecond: this.#callsBySecond,
      backlogBySecond: this.#backlogBySecond,
      joins: all.length,
      placed: this.#placed,
      joining: this.#joining,
      unreachable: this.#unreachable,
      longestWaitMs: this.#longestWaitMs,
      inRoom: inLine.length,
      slowestPlaceMs: this.#slowestPlaceMs,
      inversions,
      overtakenAfterAnswer,
      worstOvertakingMs,
      flushAfterMs: this.#line.pacing.flushAfterMs,
    };
  }

  #coloStore(): ColoStore {
    let text: string | null = null;
    const later = <T>(value: () => T): Promise<T> => new Promise((resolve) => this.#after(COLO_MS, () => resolve(value())));
    return {
      get: () => later(() => text),
      put: (given) =>
        later(() => {
          text = given;
        }),
    };
  }

  #after(ms: number, run: () => void): void {
    this.#time.at(this.#time.now + ms, run);
  }

  #wayMs(): number {
    return WAY_MS.least + this.#random() * WAY_MS.more;
  }

  #call(batch: Batch): Promise<Reply> {
    const items = batch.joins.length + batch.claims.length + batch.renewals.length;
    return this.#atRoom(CALL_MS + ITEM_MS * items, () => this.#decide(batch));
  }

  /** A call's way to the Room, its turn there, and the way back. */
  #atRoom<T>(takesMs: number, decide: () => T): Promise<T> {
    return new Promise((resolve) => {
      this.#after(this.#wayMs(), () => {
        const arrivedAt = this.#time.now;
        const second = Math.floor((arrivedAt - START) / 1_000);
        if (second >= 0) this.#callsBySecond[second] = (this.#callsBySecond[second] ?? 0) + 1;
        this.#busyUntil = Math.max(this.#busyUntil, arrivedAt) + takesMs;
        const waitedMs = this.#busyUntil - arrivedAt;
        if (second >= 0) this.#backlogBySecond[second] = Math.max(this.#backlogBySecond[second] ?? 0, waitedMs);
        this.#after(waitedMs, () => {
          const answer = decide();
          this.#after(this.#wayMs(), () => resolve(answer));
        });
      });
    });
  }

  #decide(batch: Batch): Reply {
    const verdicts = exchange(this.#line, this.#settings, batch, this.#time.now, this.#random);
    takeChanges(this.#line);
    for (const [i, { key }] of batch.joins.entries()) {
      const verdict = verdicts.joins[i];
      const joiner = this.#joiners.get(key);
      if (verdict?.as !== "placed" || joiner === undefined || joiner.slot !== null) continue;
      joiner.slot = verdict.slot;
      this.#slowestPlaceMs = Math.max(this.#slowestPlaceMs, this.#time.now - joiner.arrivedAt);
    }
    const config = { revision: 1, settings: this.#settings };
    return {
      v: batch.v,
      ...verdicts,
      manifest: manifestOf(this.#line, this.#settings, "sim", config.revision),
      config: batch.config !== null && batch.config < config.revision ? config : null,
    };
  }

  /** Requests of one isolate from `from` on, at random times; before the run proper only one now and then. */
  #serve(isolate: number, from: number): void {
    const { isolates, joinsPerSecond, asksPerSecond } = this.#run;
    const perMs = (joinsPerSecond + asksPerSecond) / isolates / 1_000;
    const request = (at: number): void => {
      this.#time.at(at, () => {
        void this.#visit(this.#clients[isolate] as RoomClient, this.#random() * (joinsPerSecond + asksPerSecond) < joinsPerSecond);
        const gapMs = -Math.log(1 - this.#random()) / perMs;
        request(at < START ? Math.min(at + 10_000 + 10_000 * this.#random(), START + gapMs) : at + gapMs);
      });
    };
    request(from);
  }

  /** One visitor's request, as the gate treats it. */
  async #visit(client: RoomClient, joins: boolean): Promise<void> {
    const life = { waitUntil: (work: Promise<unknown>) => void work };
    const arrivedAt = this.#time.now;
    if (!joins) {
      const slot = Math.floor(this.#random() * Math.max(1, this.#line.counters.tail));
      client.sight({ generation: 1, slot }, life);
      await client.manifest(life, 2_000);
      return;
    }
    const key = String(this.#joiners.size).padStart(16, "0");
    const joiner: Joiner = { key, arrivedAt, answeredAt: null, slot: null };
    this.#joiners.set(key, joiner);
    if ((await client.manifest(life, 2_000)) === null) {
      // The gate cannot tell a room that it has not heard of yet from one that does not answer.
      this.#unreachable += 1;
      return;
    }
    const putAt = this.#time.now;
    const outcome = await client.join({ key, network: 0, enter: true, tag: 0 }, life, {
      navigation: true,
      waitMs: ANSWER_MS - (putAt - arrivedAt),
    });
    // By clocks, which show whole milliseconds.
    this.#longestWaitMs = Math.max(this.#longestWaitMs, Math.floor(this.#time.now - arrivedAt));
    if (outcome.as === "answered") {
      joiner.answeredAt = this.#time.now;
      this.#placed += 1;
    } else if (outcome.as === "late") this.#joining += 1;
    else this.#unreachable += 1;
  }
}
