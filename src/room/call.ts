/**
 * One call to the Room: attempts, deadline, and what a failure means. No state.
 *
 * An error is *indeterminate*: the Room may have done the work. What goes through here must be safe to repeat.
 * Retried only if the runtime says `.retryable` and not `.overloaded`: at most twice, with full jitter, each time on a new
 * stub, since a stub that threw stays broken. Overload is never retried: that is what makes it worse.
 */
import type { RoomRpc } from "../core/room-rpc";
import { isStorageFull } from "../core/storage-full";
import { sleep, within } from "./wait";

/**
 * `overloaded`: the Room turns calls away. `transport`: the connection to it failed, as the runtime says by `.retryable`.
 * `late`: no answer in time, whyever. `full`: nothing more can be stored, whereupon the runtime resets
 * the Room, or a quota of the plan is used up. `remote`: the Room itself threw. `other`: everything else, such as
 * a Room that cannot be started, that was reset in the middle, or a mistake of ours on this side; the runtime gives none of them a mark of its own.
 */
export type FailureKind = "overloaded" | "transport" | "late" | "full" | "remote" | "other";

export class RoomFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, cause: unknown) {
    super(`Room call failed (${kind}): ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.kind = kind;
  }
}

const RETRIES = 2;
/** Upper end of the first pause, ms; doubles. */
const PAUSE_MS = 100;
const LATE = Symbol("late");

export interface CallOptions {
  /** For all attempts together, ms. */
  readonly deadlineMs: number;
  /** false = one attempt only. */
  readonly retry: boolean;
  readonly random: () => number;
}

/**
 * Runs `call` on a fresh stub.
 * @throws RoomFailure
 */
export async function callRoom<T>(stubOf: () => RoomRpc, call: (room: RoomRpc) => Promise<T>, options: CallOptions): Promise<T> {
  const endsAt = Date.now() + options.deadlineMs;
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await within(call(stubOf()), endsAt - Date.now(), LATE);
      if (result === LATE) throw new RoomFailure("late", `no answer within ${options.deadlineMs} ms`);
      return result as T;
    } catch (error) {
      if (error instanceof RoomFailure) throw error;
      const pauseMs = options.random() * PAUSE_MS * 2 ** attempt;
      const mayRetry = options.retry && attempt < RETRIES && Date.now() + pauseMs < endsAt;
      if (!mayRetry || !flag(error, "retryable") || flag(error, "overloaded")) throw new RoomFailure(kindOf(error), error);
      await sleep(pauseMs);
    }
  }
}

function kindOf(error: unknown): FailureKind {
  if (flag(error, "overloaded")) return "overloaded";
  if (isStorageFull(error)) return "full";
  if (flag(error, "remote")) return "remote";
  return flag(error, "retryable") ? "transport" : "other";
}

function flag(error: unknown, name: "retryable" | "overloaded" | "remote"): boolean {
  return typeof error === "object" && error !== null && (error as Record<string, unknown>)[name] === true;
}
