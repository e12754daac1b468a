/** Types of crowd-judge.mjs and of the diaries it reads, for its test. All times are ms since the Unix epoch. */
import type { Stats } from "../../src/core/stats";

export interface Span {
  from: number;
  to: number;
}
export interface PlaceFact extends Span {
  generation: number;
  slot: number;
  toldToWaitAt: number | null;
}
export interface EntryFact extends Span {
  generation: number;
  slot: number;
  passMade: number;
  passEnds: number;
  left: number | null;
  again: boolean;
}
export interface Diary {
  id: number;
  outcome: string;
  places: PlaceFact[];
  entries: EntryFact[];
  faults: string[];
  failures: number;
  pages: number;
  naps: number;
  unproven: number;
}
export interface Sample {
  at: number;
  stats: Stats;
}
export interface Check {
  promise: string;
  what: string;
  found: number;
  allowed: number;
  kept: boolean;
}
export function judge(met: { diaries: readonly Diary[]; samples: readonly Sample[]; revokeBoundMs: number; endedBefore: number }): Check[];
export function mostAtOnce(intervals: readonly Span[]): number;
export function fullestWindow(entries: readonly Span[], ratePerMinute: number): { ms: number; entries: number; allowed: number };
export function outOfOrder(places: readonly (Span & { generation: number; slot: number })[]): number;
