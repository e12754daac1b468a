/** Types of rehearsal.mjs, for its test. */
export class NotProven extends Error {}
export function readRehearsalTarget(text: string): URL;
export function prove(asked: { target: URL; token: string; signal?: AbortSignal; clock?: () => number }): Promise<{ aheadMs: number }>;
export function watchProof(asked: { target: URL; token: string; signal: AbortSignal; againMs?: number }): Promise<string | null>;
export function pacer(
  perSecond: number,
  world?: { now(): number; sleep(ms: number, signal: AbortSignal): Promise<unknown> },
): { longestMs: number; pace(signal: AbortSignal): Promise<void> };
