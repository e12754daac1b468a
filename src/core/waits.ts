/**
 * How long people waited before they went in, counted in classes: half of them, 95 in 100 and the longest are told from a few numbers, however
 * many went in. Pure.
 */
import { type Counts, classOf, within } from "./classes";

/** Where the classes end, seconds: 5, 6, 7, 8, 10, … 98,304, four to each doubling: a day's wait has a class of its own. */
export const WAIT_ENDS_S: readonly number[] = Array.from({ length: 58 }, (_, i) => Math.round(5 * 2 ** (i / 4)));

export interface Waits {
  readonly counts: number[];
  longestS: number;
  /** The longest of the last minute in which anybody went in; `minute` since the Unix epoch. */
  last: { readonly minute: number; readonly longestS: number };
}

/** From joining, the lobby included, to going in for the first time; of 50 and 95 in 100, and of the one that waited longest. null = nobody went in. */
export interface WaitsTold {
  readonly wait_p50_seconds: number | null;
  readonly wait_p95_seconds: number | null;
  readonly wait_max_seconds: number | null;
}

export function newWaits(): Waits {
  return { counts: [], longestS: 0, last: { minute: 0, longestS: 0 } };
}

/** @param now ms since the Unix epoch */
export function noteWait(waits: Waits, waitedMs: number, now: number): void {
  const waitedS = Math.max(0, Math.round(waitedMs / 1_000));
  const at = classOf(WAIT_ENDS_S, waitedS);
  while (waits.counts.length <= at) waits.counts.push(0);
  waits.counts[at] = (waits.counts[at] as number) + 1;
  waits.longestS = Math.max(waits.longestS, waitedS);
  const minute = Math.floor(now / 60_000);
  waits.last = { minute, longestS: Math.max(waitedS, waits.last.minute === minute ? waits.last.longestS : 0) };
}

/** Of all since the line began. */
export function toldOf({ counts, longestS }: Pick<Waits, "counts" | "longestS">): WaitsTold {
  const told = (share: number) => {
    const seconds = within(counts, WAIT_ENDS_S, share);
    // Within its class the last one is known exactly.
    return seconds === null ? null : Math.min(seconds, longestS);
  };
  const [half, most] = [told(0.5), told(0.95)];
  return { wait_p50_seconds: half, wait_p95_seconds: most, wait_max_seconds: half === null ? null : longestS };
}

/** Of one minute: what was counted since `before`. @param minute since the Unix epoch */
export function toldSince({ counts, last }: Waits, before: Counts, minute: number): WaitsTold {
  const since = counts.map((count, i) => count - (before[i] ?? 0));
  return toldOf({ counts: since, longestS: last.minute === minute ? last.longestS : 0 });
}
