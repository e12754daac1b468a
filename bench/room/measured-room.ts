/**
 * This Worker with a Room that is measured: its clock is the benchmark's, what it asks of storage is counted, and people come to it inside
 * its own object, so that ten million do not have to travel. Runs in workerd. Everything between a batch and the disk is the Room's own.
 * `POST /METHOD?room=NAME` with a JSON argument calls a method of that Room; `POST /draw` computes places of a draw, as an edge does.
 */
import { KEEP } from "../../durable/line/unsaved";
import type { OperatorSettings } from "../../src/core/admin";
import type { Batch, ClaimVerdict, Reply } from "../../src/core/exchange";
import type { Env } from "../../src/env";
import worker, { Room as Today } from "../../src/index";
import { seeded } from "../../test/support/line-world";
import { type Accuracy, type AccuracyOrder, runAccuracy } from "./accuracy";
import { batchOf, joinsOf } from "./batches";
import { type Drawing, drawPlaces } from "./drawing";
import { countStorage, type StorageCounts } from "./storage-counts";

/** Far ahead, so that no alarm fires by itself. */
const START_MS = Date.UTC(2100, 0, 1);

export interface Joins {
  readonly people: number;
  readonly batch: number;
  /** Between two batches, by the Room's clock. */
  readonly stepMs: number;
  /** Straight in, where the room is quiet. */
  readonly enter: boolean;
}

export class Room extends Today {
  #now = START_MS;
  protected override wall = (): number => this.#now;
  readonly #counts: StorageCounts;
  #calls = 0;
  #diskEvery = 1;
  #joined = 0;
  /** Newest serial of each visitor inside. */
  readonly #inside = new Map<number, number>();

  constructor(...given: ConstructorParameters<typeof Today>) {
    super(...given);
    this.#counts = countStorage(this.ctx.storage);
  }

  async #next(stepMs: number, items: Partial<Batch>): Promise<Reply> {
    this.#now += stepMs;
    const reply = await this.exchange(batchOf(items));
    for (const verdict of [...reply.joins, ...reply.claims, ...reply.renewals])
      if ("pass" in verdict) this.#inside.set(verdict.pass.slot, verdict.pass.serial);
    this.#calls += 1;
    // Lets what was written go to disk, as between two calls.
    if (this.#calls % this.#diskEvery === 0) await scheduler.wait(0);
    return reply;
  }

  /** To disk after so many calls: counts of rows are the same, and sooner to be had. */
  async diskEvery({ calls }: { calls: number }): Promise<void> {
    this.#diskEvery = calls;
  }

  /** What was counted since the last time. */
  async counted(): Promise<ReturnType<StorageCounts["take"]>> {
    return this.#counts.take();
  }

  /** Time passes, with a call now and then. */
  async pass({ ms, everyMs }: { ms: number; everyMs: number }): Promise<void> {
    for (let past = 0; past < ms; past += everyMs) await this.#next(everyMs, {});
  }

  /** Calls that bring nothing, until all that happened before has rows of its own; how many. */
  async writeOut(): Promise<number> {
    for (let step = 0; step < KEEP.steps; step++) await this.#next(0, {});
    return KEEP.steps;
  }

  /** How many got a place, and how many of them are inside. */
  async join({ people, batch, stepMs, enter }: Joins): Promise<{ placed: number; inside: number }> {
    let placed = 0;
    for (let came = 0; came < people; came += batch) {
      const joins = joinsOf(this.#joined, Math.min(batch, people - came), enter);
      this.#joined += joins.length;
      const reply = await this.#next(stepMs, { joins });
      placed += reply.joins.filter(({ as }) => as === "placed" || as === "entered").length;
    }
    return { placed, inside: this.#inside.size };
  }

  /** Everybody from slot `from` on who was called goes in, in batches, until `people` are. */
  async claim({ people, from, batch, stepMs }: Omit<Joins, "enter"> & { from: number }): Promise<number> {
    const before = this.#inside.size;
    let next = from;
    let again: number[] = [];
    for (let rounds = 0; this.#inside.size - before < people; rounds++) {
      if (rounds > 100 * people) throw new Error(`only ${this.#inside.size - before} of ${people} went in`);
      const slots = again.slice(0, batch);
      again = again.slice(batch);
      while (slots.length < Math.min(batch, people - (this.#inside.size - before))) slots.push(next++);
      const claims = slots.map((slot) => ({
        slot,
        serial: 0,
        tag: slot & 0xffff,
        ageMs: 0,
        joinedAtS: this.#now / 1_000,
        intent: "enter" as const,
      }));
      const reply = await this.#next(stepMs, { claims });
      again.push(...slots.filter((_, i) => (reply.claims[i] as ClaimVerdict).as !== "entered"));
    }
    return this.#inside.size - before;
  }

  /** Everybody inside renews once, in batches, in no order. */
  async renew({ batch, stepMs, people }: { batch: number; stepMs: number; people: number }): Promise<number> {
    const all = [...this.#inside].sort(([a], [b]) => Math.imul(a, 0x9e3779b1) - Math.imul(b, 0x9e3779b1)).slice(0, people);
    let renewed = 0;
    for (let done = 0; done < all.length; done += batch) {
      const renewals = all.slice(done, done + batch).map(([slot, serial]) => ({ slot, serial, tag: slot & 0xffff, ageMs: 0 }));
      const reply = await this.#next(stepMs, { renewals });
      renewed += reply.renewals.filter(({ as }) => as === "renewed").length;
    }
    return renewed;
  }

  async accuracy(order: AccuracyOrder): Promise<Accuracy> {
    const { settings } = await this.config(0);
    return runAccuracy(order, settings, seeded(order.seed), (stepMs, items) => this.#next(stepMs, items));
  }

  /** The operator's change of settings. */
  async retune(changes: OperatorSettings): Promise<void> {
    const actor = { name: "benchmark", reason: "retune", role: "operator", once: null } as const;
    const { as } = await this.change({ changes, ifRevision: null, replace: false, actor });
    if (as !== "ok") throw new Error(`the settings were not changed: ${as}`);
  }

  /** Forgets what the benchmark knows of the people inside. */
  async forgetPeople(): Promise<void> {
    this.#inside.clear();
  }

  /** Everybody inside leaves, in batches. */
  async leave({ batch, stepMs }: { batch: number; stepMs: number }): Promise<number> {
    const all = [...this.#inside];
    this.#inside.clear();
    let left = 0;
    for (let done = 0; done < all.length; done += batch) {
      const leaves = all.slice(done, done + batch).map(([slot, serial]) => ({ slot, serial }));
      const reply = await this.#next(stepMs, { leaves });
      left += reply.leaves.filter(({ as }) => as === "left").length;
    }
    return left;
  }
}

type Method = (argument: unknown) => Promise<unknown>;

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    const name = searchParams.get("room");
    if (pathname === "/draw") return Response.json(drawPlaces((await request.json()) as Drawing));
    if (request.method !== "POST" || name === null) return worker.fetch(request, env, ctx);
    const room = env.ROOM.getByName(name) as unknown as Record<string, Method>;
    return Response.json((await (room[pathname.slice(1)] as Method)(await request.json())) ?? null);
  },
} satisfies ExportedHandler<Env>;
