/**
 * Since when this isolate cannot reach the Room. One per room and isolate; plain data, no clock, no I/O.
 *
 * Only a failed connection counts, and only an unbroken run of them. Whatever shows that there is a Room ends it: an answer, but also a call
 * turned away, an error of the Room's own code, a full store. Silence and errors that the runtime does not mark say nothing either way.
 */
import { RECENT_MS, type Silence } from "../core/failure";
import type { FailureKind } from "./call";

export class Outage {
  #silence: Silence | null = null;

  /** How a call ended, at `now` (ms). */
  note(ended: "answered" | FailureKind, now: number): void {
    switch (ended) {
      case "transport": {
        // What failed long ago says nothing of the time between, when nobody called.
        const before = this.#silence !== null && now - this.#silence.lastMs <= RECENT_MS ? this.#silence : null;
        this.#silence = { sinceMs: before?.sinceMs ?? now, lastMs: now };
        return;
      }
      case "late":
      case "other":
        return;
      case "answered":
      case "overloaded":
      case "full":
      case "remote":
        this.#silence = null;
    }
  }

  /** null = the last that was heard of it was that it lives. */
  get silence(): Silence | null {
    return this.#silence;
  }
}
