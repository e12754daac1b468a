/**
 * What one step changed, as the bytes that its row carries: the new rows of slots, the new pages of places that were left, the joins.
 * Pure; knows nothing of what they mean.
 *
 * Record: flags (u8; 1 = all that came before is in rows of its own) · number of slots (u32) · per slot its number (f64) and row (32) ·
 * number of pages (u32) · per page its number (f64) and bits (128) · batches of joins until the end: number of the first (f64), length
 * (u32), bytes as of join-rows.ts. No bytes at all: nothing changed.
 */
import { PAGE_BYTES } from "./gone";
import { ROW_BYTES } from "./slot-table";

const HEAD_BYTES = 9;
const NUMBER_BYTES = 8;
const BATCH_HEAD_BYTES = 12;
export const SLOT_ENTRY_BYTES = NUMBER_BYTES + ROW_BYTES;
export const PAGE_ENTRY_BYTES = NUMBER_BYTES + PAGE_BYTES;
/** In front of batches that lie in one row of joins. A batch alone begins with a time, which is finite. */
const TOGETHER = Number.NEGATIVE_INFINITY;

export type Batch = readonly [firstJoin: number, data: Uint8Array];
type Numbered = readonly (readonly [number: number, bytes: Uint8Array])[];

export interface StepRecord {
  readonly allBefore: boolean;
  readonly slots: Numbered;
  readonly pages: Numbered;
  readonly joins: readonly Batch[];
}

const NOTHING: StepRecord = { allBefore: false, slots: [], pages: [], joins: [] };

export function encodeStep({ allBefore, slots, pages, joins }: StepRecord): Uint8Array {
  if (!allBefore && slots.length === 0 && pages.length === 0 && joins.length === 0) return new Uint8Array(0);
  const size = HEAD_BYTES + slots.length * SLOT_ENTRY_BYTES + pages.length * PAGE_ENTRY_BYTES + bytesOf(joins);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes[0] = allBefore ? 1 : 0;
  let at = 1;
  for (const entries of [slots, pages]) {
    view.setUint32(at, entries.length, true);
    at += 4;
    for (const [number, data] of entries) {
      view.setFloat64(at, number, true);
      bytes.set(data, at + NUMBER_BYTES);
      at += NUMBER_BYTES + data.length;
    }
  }
  putBatches(bytes, at, joins);
  return bytes;
}

export function decodeStep(bytes: Uint8Array): StepRecord {
  if (bytes.length === 0) return NOTHING;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 1;
  const entries = (size: number): Numbered => {
    const count = view.getUint32(at, true);
    const first = at + 4;
    at = first + count * (NUMBER_BYTES + size);
    return Array.from({ length: count }, (_, i) => {
      const from = first + i * (NUMBER_BYTES + size);
      return [view.getFloat64(from, true), bytes.subarray(from + NUMBER_BYTES, from + NUMBER_BYTES + size)];
    });
  };
  return { allBefore: bytes[0] === 1, slots: entries(ROW_BYTES), pages: entries(PAGE_BYTES), joins: batchesFrom(bytes, at) };
}

/** Batches of joins as one row of theirs. */
export function encodeTogether(joins: readonly Batch[]): Uint8Array {
  const bytes = new Uint8Array(NUMBER_BYTES + bytesOf(joins));
  new DataView(bytes.buffer).setFloat64(0, TOGETHER, true);
  putBatches(bytes, NUMBER_BYTES, joins);
  return bytes;
}

/** @param firstJoin under which the row is stored: before there were records each batch had a row */
export function decodeTogether(firstJoin: number, bytes: Uint8Array): readonly Batch[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.getFloat64(0, true) === TOGETHER ? batchesFrom(bytes, NUMBER_BYTES) : [[firstJoin, bytes]];
}

function bytesOf(joins: readonly Batch[]): number {
  return joins.reduce((sum, [, data]) => sum + BATCH_HEAD_BYTES + data.length, 0);
}

function putBatches(bytes: Uint8Array, from: number, joins: readonly Batch[]): void {
  const view = new DataView(bytes.buffer);
  let at = from;
  for (const [firstJoin, data] of joins) {
    view.setFloat64(at, firstJoin, true);
    view.setUint32(at + NUMBER_BYTES, data.length, true);
    bytes.set(data, at + BATCH_HEAD_BYTES);
    at += BATCH_HEAD_BYTES + data.length;
  }
}

function batchesFrom(bytes: Uint8Array, from: number): Batch[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const joins: Batch[] = [];
  for (let at = from; at < bytes.length; ) {
    const start = at + BATCH_HEAD_BYTES;
    const end = start + view.getUint32(at + NUMBER_BYTES, true);
    joins.push([view.getFloat64(at, true), bytes.subarray(start, end)]);
    at = end;
  }
  return joins;
}
