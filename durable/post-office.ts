/**
 * From news to receivers: puts what a step has to tell into the outbox, and sends what is due beside everything else. A receiver that is slow
 * or dead costs the line nothing: no fetch is inside a transaction, and none is waited for by anybody's request but a test's own.
 */
import type { AdminResult, Caller } from "../src/core/admin";
import { bodyOf, type Delivery, type Letter, lastOf, type WebhookReport, type WebhookTested } from "../src/core/news";
import type { RoomSettings } from "../src/core/settings-types";
import { isStorageFull } from "../src/core/storage-full";
import type { LineState } from "./line/state";
import { nextNewsMs, watch } from "./line/watch";
import type { Memory } from "./memory";
import { once } from "./once";
import type { Store } from "./store";
import { addressOf } from "./stored-outbox";

/** Makes a step: one transaction, with the alarm looked after. */
type Step = <T>(decide: (memory: Memory, now: number) => T) => Promise<T>;

/** Of a test by hand. */
type Asker = Pick<Caller, "name" | "once">;

/** What sends, and the addresses that are secrets. */
export interface Post {
  readonly send: (letter: Letter, atS: number) => Promise<Delivery>;
  readonly urls: ReadonlyMap<string, string>;
}

/** How often the size of the database is looked at, ms. */
const LOOK_MS = 60_000;
/** Rounds of tries in a row; what is due after them waits for the next step or alarm. */
const ROUNDS_MAX = 20;
/** While tries are under way the alarm looks after them so often, ms; … */
const SENDING_MS = 1_000;
/** … and after an error of ours nothing is sent for so long. */
const BROKEN_MS = 30_000;
/** What there was no room for is told after so long at the earliest, ms. */
const NO_ROOM_MS = 5_000;

export class PostOffice {
  readonly #room: string;
  readonly #store: Store;
  readonly #post: Post;
  /** What is under way; null = nothing. */
  #sending: Promise<void> | null = null;
  #notBeforeMs = 0;
  #stored = { bytes: 0, lookMs: 0 };
  #tellNotBeforeMs = 0;
  /** Tests by hand that are under way, by who asked under which key. */
  readonly #tests = new Map<string, { readonly print: string; readonly result: Promise<AdminResult<WebhookTested>> }>();
  /** When the next try is due; undefined = not known. */
  #due: number | null | undefined = undefined;

  constructor(room: string, store: Store, post: Post) {
    this.#room = room;
    this.#store = store;
    this.#post = post;
  }

  /** The step was undone: what is known of storage may be wrong. */
  forget(): void {
    this.#due = undefined;
  }

  /** At the end of each step, inside its transaction. @param writes false = new rows must keep no step from being stored: told later */
  collect({ line, config: { settings } }: Memory, writes: boolean): void {
    const { now } = line.counters;
    const { records, dropped } = line.draws;
    // A draw has rows of its own, and is told in its step or never.
    const isTold = writes || records.length + dropped.length > 0;
    this.#tellNotBeforeMs = isTold ? 0 : now + NO_ROOM_MS;
    if (isTold) this.#tell(line, settings);
    // Read while a failure undoes the step: afterwards it is done, and nothing must hide that.
    this.#nextDue();
  }

  #tell(line: LineState, settings: RoomSettings): void {
    const { now } = line.counters;
    if (settings.webhooks.length > 0 && now >= this.#stored.lookMs) this.#stored = { bytes: this.#store.bytes(), lookMs: now + LOOK_MS };
    for (const { topic, ...news } of watch(line, settings, { storedBytes: this.#stored.bytes })) {
      const body = bodyOf(this.#room, news, now);
      for (const { name, tell } of settings.webhooks) if (tell.includes(topic)) this.#store.outbox.add(name, news.type, body, now);
      this.forget();
    }
  }

  /** When something is to be sent or told, Room time, ms; null = nothing. */
  nextMs({ line, config: { settings } }: Memory): number | null {
    const due = this.#nextDue();
    const { now } = line.counters;
    const soonest = this.#sending !== null ? now + SENDING_MS : this.#notBeforeMs;
    const news = nextNewsMs(line, settings);
    const times = [due === null ? null : Math.max(due, soonest), news === null ? null : Math.max(news, this.#tellNotBeforeMs)];
    const known = times.filter((at) => at !== null);
    return known.length === 0 ? null : Math.min(...known);
  }

  /** Send what is due. null = nothing is, or it is under way; never rejects. */
  deliver(now: number, step: Step): Promise<void> | null {
    const due = this.#nextDue();
    if (this.#sending !== null || due === null || Math.max(due, this.#notBeforeMs) > now) return null;
    let over: () => void = () => undefined;
    // Before the first step, which looks here as well.
    this.#sending = new Promise((resolve) => {
      over = resolve;
    });
    return this.#deliver(step)
      .catch((error: unknown) => {
        this.#notBeforeMs = now + BROKEN_MS;
        console.error(JSON.stringify({ event: "webhooks-not-sent", room: this.#room, error: String(error) }));
      })
      .finally(() => {
        this.#sending = null;
        over();
      });
  }

  /** Once nothing is under way. */
  async idle(): Promise<void> {
    while (this.#sending !== null) await this.#sending;
  }

  async #deliver(step: Step): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const { tries, atS } = await step(({ config }, now) => {
        this.forget();
        const taken = this.#store.outbox.take(this.#room, config.settings.webhooks, this.#post.urls, now);
        return { tries: taken, atS: Math.floor(now / 1_000) };
      });
      if (tries.length === 0) return;
      const results = await Promise.all(tries.map(async (each) => [each, await this.#post.send(each, atS)] as const));
      await step((_, now) => {
        this.forget();
        for (const [each, result] of results) this.#store.outbox.settle(each, result, now);
      });
    }
  }

  report({ config }: Memory): WebhookReport[] {
    return this.#store.outbox.report(config.settings.webhooks);
  }

  /** One message by hand, past the outbox and not tried again. Asked for again under its key it is the same one, also while it is under way. */
  async test(name: string, by: Asker, step: Step): Promise<AdminResult<WebhookTested>> {
    if (!by.once) return this.#test(name, by, step);
    const { print } = by.once;
    const key = JSON.stringify([by.name, by.once.key]);
    const under = this.#tests.get(key);
    if (under !== undefined && under.print !== print) return { as: "key-reused" };
    if (under !== undefined) return under.result.then((result) => (result.as === "ok" ? { ...result, replayed: true } : result));
    const result = this.#test(name, by, step).finally(() => this.#tests.delete(key));
    this.#tests.set(key, { print, result });
    return result;
  }

  async #test(name: string, by: Asker, step: Step): Promise<AdminResult<WebhookTested>> {
    const { acts, outbox } = this.#store;
    const { kept, webhook, now } = await step(({ config }, at) => {
      const found = config.settings.webhooks.find((each) => each.name === name);
      return { kept: once<WebhookTested>(acts, by, at, () => ({ as: "unknown-webhook" })), webhook: found, now: at };
    });
    // Nothing is kept of it yet.
    if (kept.as !== "unknown-webhook" || webhook === undefined) return kept;
    const news = {
      type: "test",
      text: `Room ${this.#room}: this is a test. Webhook ${name} is told of ${webhook.tell.join(", ")}.`,
      data: {},
    };
    const url = addressOf(webhook, this.#post.urls);
    const letter = { id: `msg_${this.#room}_${now}_test`, room: this.#room, webhook: name, secretVersion: webhook.secretVersion, url };
    const result = await this.#post.send({ ...letter, body: bodyOf(this.#room, news, now) }, Math.floor(now / 1_000));
    const settle = (keeps: boolean) =>
      step((_, at) => {
        const told = () => {
          outbox.note(name, "test", result, at);
          return { as: "ok" as const, value: { room: this.#room, webhook: name, ...lastOf("test", result, now) } };
        };
        return once(acts, by, at, told, keeps);
      });
    // It has been sent: a full storage only keeps no answer for whoever asks again.
    return settle(true).catch((error: unknown) => {
      if (!isStorageFull(error)) throw error;
      return settle(false);
    });
  }

  #nextDue(): number | null {
    if (this.#due === undefined) this.#due = this.#store.outbox.nextDue();
    return this.#due;
  }
}
