/**
 * Records of steps laid over the rows of their own that they are newer than. Pure.
 * A row may be newer than a record that is laid over it: every later change of it is in a later record, so that the end is the same.
 */
import { BLOCK_BYTES, BLOCK_SLOTS, ROW_BYTES } from "./slot-table";
import { type Batch, beginsAnew, decodeStep, decodeTogether } from "./step-record";
import type { StoredLine } from "./stored";
import type { Unsaved } from "./unsaved";

export interface Replayed {
  readonly blocks: ReadonlyMap<number, Uint8Array>;
  readonly gone: ReadonlyMap<number, Uint8Array>;
  /** In order, each once. */
  readonly joins: readonly Batch[];
}

/** @param unsaved a new one: it learns what only records hold, and the last step */
export function replay(rows: Omit<StoredLine, "counters" | "entries">, unsaved: Unsaved): Replayed {
  const blocks = new Map(rows.blocks);
  const gone = new Map(rows.gone);
  const joins = [...rows.joins].flatMap(([firstJoin, data]) => decodeTogether(firstJoin, data));
  // Those of a record up to there have a row, or had one until they were forgotten: the newest row of joins is never deleted.
  const lastJoin = joins.at(-1)?.[0] ?? -1;
  const rowsOfSlots = new Map<number, Uint8Array>();
  const newest: Batch[] = [];
  const records = [...rows.records];
  const first = records.findLastIndex(([, record]) => beginsAnew(record));
  for (const [step, record] of records.slice(Math.max(0, first))) {
    const { slots, pages, joins: batches } = decodeStep(record);
    for (const [slot, row] of slots) rowsOfSlots.set(slot, row);
    for (const [number, page] of pages) {
      if (page.some((bits) => bits !== 0)) gone.set(number, page);
      else gone.delete(number);
    }
    const unknown = batches.filter(([firstJoin]) => firstJoin > lastJoin);
    newest.push(...unknown);
    unsaved.note(step, { slots: slots.map(numberOf), pages: pages.map(numberOf), joins: unknown });
  }
  patch(blocks, rowsOfSlots);
  unsaved.resume(records.at(-1)?.[0] ?? 0);
  return { blocks, gone, joins: [...joins, ...newest.sort(([a], [b]) => a - b)] };
}

function numberOf([number]: readonly [number, Uint8Array]): number {
  return number;
}

function patch(blocks: Map<number, Uint8Array>, rows: ReadonlyMap<number, Uint8Array>): void {
  const own = new Set<number>();
  for (const [slot, row] of rows) {
    const number = Math.floor(slot / BLOCK_SLOTS);
    if (!own.has(number)) {
      // What was read may belong to whoever keeps it.
      const copy = new Uint8Array(BLOCK_BYTES);
      copy.set(blocks.get(number) ?? []);
      blocks.set(number, copy);
      own.add(number);
    }
    blocks.get(number)?.set(row, (slot % BLOCK_SLOTS) * ROW_BYTES);
  }
}
