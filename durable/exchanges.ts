/**
 * The exchanges of a Room: those that come in the same moment are decided in one step, in one transaction, since a step costs a row whatever
 * it carries (docs/decisions/0055). Waits with timers of each call's own: none hangs on another's promise.
 */
import { type Batch, NO_VERDICTS, type Reply, replyVersion } from "../src/core/exchange";
import { isStorageFull } from "../src/core/storage-full";
import type { ReadyFile } from "./config";
import { partOf } from "./full-store";
import { Gathering } from "./gathering";
import { exchange } from "./line/exchange";
import { guestsIn } from "./line/guests";
import { reissuesIn } from "./line/reissues";
import { manifestOf } from "./line/view";
import { type Memory, messageTime, noteReports } from "./memory";
import type { Steps } from "./steps";
import type { Store } from "./store";

/** What was asked, and what it was answered; null = not yet. */
interface Call {
  readonly batch: Batch;
  reply: Reply | null;
}

interface Of {
  readonly room: string;
  readonly store: Store;
  readonly steps: Steps;
  readonly wall: () => number;
  readonly random: () => number;
}

export class Exchanges {
  readonly #of: Of;
  readonly #gathering = new Gathering<Call>();

  constructor(of: Of) {
    this.#of = of;
  }

  async answer(file: ReadyFile, batch: Batch): Promise<Reply> {
    const { steps, wall } = this.#of;
    const call: Call = { batch, reply: null };
    const waitMs = this.#gathering.add(call, questionsIn(batch), wall());
    // One isolate alone has one call under way: there is nobody to wait for.
    if (waitMs > 0 && steps.isolates > 1) await scheduler.wait(waitMs);
    if (this.#gathering.has(call)) await this.#together(file, this.#gathering.take(wall()));
    return call.reply ?? this.#alone(file, batch);
  }

  /** Several in one step. If that fails each is tried alone: what is wrong with one is no matter of the others. */
  async #together(file: ReadyFile, calls: readonly Call[]): Promise<void> {
    const { room, steps } = this.#of;
    if (calls.length < 2 || steps.tries() !== "all") return;
    let done: Promise<void>;
    try {
      const batches = calls.map(({ batch }) => batch);
      const begun = steps.begin(file, (memory, now) => this.#decide(memory, batches, now));
      for (const [i, reply] of begun.answer.entries()) (calls[i] as Call).reply = reply;
      done = begun.done;
    } catch (error) {
      if (isStorageFull(error)) return;
      console.error(JSON.stringify({ event: "step-failed", room, calls: calls.length, error: String(error) }));
      return;
    }
    await done;
  }

  async #alone(file: ReadyFile, batch: Batch): Promise<Reply> {
    const { steps } = this.#of;
    for (let tried = steps.tries(); ; ) {
      if (tried === "nothing") return steps.unwritten(file, (memory) => this.#replyTo(memory, batch, { ...NO_VERDICTS, storage: "full" }));
      const part = partOf(batch, tried);
      try {
        const [reply] = await steps.call(file, (memory, now) => this.#decide(memory, [part], now));
        return part === batch ? (reply as Reply) : { ...(reply as Reply), storage: "full" };
      } catch (error) {
        if (!isStorageFull(error)) throw error;
        tried = steps.lessStored(tried, error);
      }
    }
  }

  /** One after the other, as they came. What storage knows of their guests is read once: what one of them changes is news to the next. */
  #decide(memory: Memory, batches: readonly Batch[], now: number): Reply[] {
    const { store, random } = this.#of;
    const { line, config } = memory;
    line.guests.load(store.guests(guestsIn(batches.flatMap(({ joins }) => joins))));
    line.reissues.load(store.reissues(new Set(batches.flatMap(({ reissues }) => [...reissuesIn(reissues)]))));
    memory.lastExchangeAt = now;
    return batches.map((batch) => this.#replyTo(memory, batch, exchange(line, config.settings, batch, now, random)));
  }

  /** @throws whatever reading storage throws, of an instance that has been replaced too */
  #replyTo(memory: Memory, batch: Batch, verdicts: Omit<Reply, "v" | "manifest" | "config">): Reply {
    const { line, config } = memory;
    const { room } = this.#of;
    noteReports(memory, room, batch);
    const { revision, settings } = config;
    return {
      v: replyVersion(batch),
      ...verdicts,
      manifest: { ...manifestOf(line, settings, room, revision), ...messageTime(memory) },
      config: batch.config !== null && batch.config < revision ? { revision, settings } : null,
    };
  }
}

function questionsIn({ joins, claims, renewals, leaves, reissues }: Batch): number {
  return joins.length + claims.length + renewals.length + leaves.length + reissues.length;
}
