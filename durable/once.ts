/**
 * `Idempotency-Key`: a change asked for again under the same key is not made again, and hears the same answer. Inside the transaction of
 * the change, so that answer and change are stored together or not at all.
 */
import type { AdminResult, Caller } from "../src/core/admin";
import type { StoredActs } from "./stored-acts";

/** @param keeps false = storage takes no more rows: what was kept before counts, and nothing is added */
export function once<T>(
  acts: StoredActs,
  { name, once: asked }: Pick<Caller, "name" | "once">,
  now: number,
  decide: () => AdminResult<T>,
  keeps = true,
): AdminResult<T> {
  // An edge of an earlier version says nothing of it.
  if (!asked) return decide();
  // Keys are each caller's own.
  const key = JSON.stringify([name, asked.key]);
  const kept = acts.answer(key);
  if (kept !== null) {
    if (kept.print !== asked.print) return { as: "key-reused" };
    return { as: "ok", value: JSON.parse(kept.answer) as T, replayed: true };
  }
  const result = decide();
  if (result.as === "ok" && keeps) acts.keepAnswer(key, { print: asked.print, answer: JSON.stringify(result.value) }, now);
  return result;
}
