/** Types of key-rotation.mjs, for its tests. */
export interface RingEntry {
  kid: string;
  key: string;
  mark?: string;
}
export interface RotationRecord {
  keys: Record<string, { publishedAt: number; signedUntil?: number }>;
  highest: number;
  handedOver: boolean;
}
export interface Turned {
  ring: RingEntry[];
  record: RotationRecord;
}
export type RotationStep =
  | { do: "hand-over" | "publish" }
  | { do: "sign" | "retire"; kid: string }
  | { do: "wait"; until: number; before: "sign" | "retire"; kid: string };
export const LONGEST_LIFE_HOURS: number;
export const SPREAD_MS: number;
export function parseRing(text: string): RingEntry[];
export function formatRing(ring: readonly RingEntry[]): string;
export function oldestOf(ring: readonly RingEntry[]): string;
export function completed(record: RotationRecord | null, ring: readonly RingEntry[], now: number): RotationRecord;
export function nextStep(
  ring: readonly RingEntry[],
  record: RotationRecord,
  timing: { now: number; lifeMs: number; spreadMs?: number },
): RotationStep;
export function published(ring: readonly RingEntry[], record: RotationRecord, key: string, now: number): Turned;
export function signingWith(ring: readonly RingEntry[], record: RotationRecord, kid: string, now: number): Turned;
export function retired(ring: readonly RingEntry[], record: RotationRecord, kid: string): Turned;
export function revoked(ring: readonly RingEntry[], record: RotationRecord, kids: readonly string[], now: number): Turned;
export function nextSigner(ring: readonly RingEntry[], kids: readonly string[]): RingEntry | null;
export function needsNewSigner(ring: readonly RingEntry[], record: RotationRecord, kids: readonly string[]): boolean;
export function aborted(
  ring: readonly RingEntry[],
  record: RotationRecord,
  now: number,
): (Turned & { did: "removed" | "put-back"; kid: string }) | null;
