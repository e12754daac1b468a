/** What is remembered of what webhooks have been told, a part of the counters. Pure: types and the beginning. */

export type LatchName = "queueing" | "wait" | "errors" | "entries" | "brake" | "storage" | "keys";

/** One condition that is told when it begins and ends. */
export interface Latch {
  readonly on: boolean;
  /** Since when the other side holds, ms; null = it does not. */
  readonly turningMs: number | null;
  readonly toldMs: number;
}

/** A change of settings or a switch, as it is told. */
export interface ToldChange {
  readonly what: string;
  readonly by: string;
  readonly reason: string;
  readonly at: string;
}

export interface Watch {
  readonly latches: Readonly<Partial<Record<LatchName, Latch>>>;
  /** Not told yet; the oldest are left out. */
  readonly changes: readonly ToldChange[];
  readonly changesLeftOut: number;
  readonly changesToldMs: number;
}

export const NO_WATCH: Watch = { latches: {}, changes: [], changesLeftOut: 0, changesToldMs: 0 };
