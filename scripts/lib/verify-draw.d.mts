/** Types of verify-draw.mjs, for its test. */
export interface Finding {
  ok: boolean | null;
  says: string;
}
export interface Receipt {
  r: string;
  g: number;
  d: number;
  e: number;
  c: string;
}
export interface Batch {
  first: number;
  digest: string;
}
export interface Asked {
  entry?: number | null;
  receipt?: Receipt | null;
  batches?: Batch[] | null;
}
export interface Questions {
  verifySignature?: (round: number, signature: string) => Promise<boolean | null> | boolean | null;
  publishedRound?: (round: number) => Promise<{ randomness: string; signature: string } | null | undefined>;
}
export function verifyDraw(record: unknown, asked?: Asked, ask?: Questions): Promise<{ findings: Finding[]; slot: number | null }>;
export function readReceipt(token: string): Receipt | null;
export function readList(lines: string): Batch[] | null;
