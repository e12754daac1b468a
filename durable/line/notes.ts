/** What edges noted for the operator, kept by the Room: bounded counts, no decisions. Pure. */
import { addCallback, addShadow, type EdgeNotes, readNotes } from "../../src/core/edge-notes";
import type { LineState } from "./state";

/** A path that nobody has called for so long is forgotten, ms. */
const FORGET_MS = 24 * 3_600_000;

/** @param now Room time, ms */
export function takeNotes({ counters }: LineState, notes: EdgeNotes | null | undefined, now: number): void {
  const read = readNotes(notes);
  if (read === null) return;
  counters.shadow = addShadow(counters.shadow, read.shadow);
  for (const callback of read.callbacks) {
    const known = counters.callbacks.filter(({ lastAt }) => now - lastAt < FORGET_MS);
    const firstAt = known.find(({ method, path }) => method === callback.method && path === callback.path)?.firstAt ?? now;
    counters.callbacks = addCallback(known, callback, (count) => ({ ...count, firstAt, lastAt: now }));
  }
}

/** Most often called first. */
export function recentCallbacks({ counters: { callbacks, now } }: LineState) {
  const recent = callbacks.filter(({ lastAt }) => now - lastAt < FORGET_MS).toSorted((a, b) => b.count - a.count);
  return recent.map(({ method, path, count, firstAt, lastAt }) => ({
    method,
    path,
    count,
    first_at: new Date(firstAt).toISOString(),
    last_at: new Date(lastAt).toISOString(),
  }));
}
