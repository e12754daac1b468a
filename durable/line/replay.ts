/**
 * Records of steps laid over the rows of their own that they are newer than. Pure.
 * A row may be newer than a record that is laid over it: every later change of it is in a later record, so that the end is the same.
 */
import { BLOCK_BYTES, BLOCK_SLOTS, ROW_BYTES } from "./slot-table";
import { type Batch, decodeStep, decodeTogether } from "./step-record";
import type { StoredLine } from "./stored";
import type { Noted, Unsaved } from "./unsaved";

export interface Replayed {
  readonly blocks: ReadonlyMap<number, Uint8Array>;
  readonly gone: ReadonlyMap<number, Uint8Array>;
  /** In order, each once. */
  readonly joins: readonly Batch[];
}

/**
 * From the newest record back to where all was in rows of its own; no record is kept, so that they need not fit into memory together.
 * @param unsaved a new one: it learns what only records hold, and the last step
 */
export function replay(rows: Omit<StoredLine, "counters" | "entries">, unsaved: Unsaved): Replayed {
  const blocks = new Map(rows.blocks);
  const gone = new Map(rows.gone);
  const joins = [...rows.joins].flatMap(([firstJoin, data]) => decodeTogether(firstJoin, data));
  // Those of a record up to there have a row, or had one until they were forgotten: the newest row of joins is never deleted.
  const lastJoin = joins.at(-1)?.[0] ?? -1;
  const patched = new Patched(blocks);
  const pagesSeen = new Set<number>();
  const newest: Batch[] = [];
  const noted: (readonly [step: number, Noted])[] = [];
  for (const [step, record] of rows.records) {
    const { allBefore, slots, pages, joins: batches } = decodeStep(record);
    for (const [slot, row] of slots) patched.put(slot, row);
    for (const [number, page] of pages) {
      if (pagesSeen.has(number)) continue;
      pagesSeen.add(number);
      if (page.some((bits) => bits !== 0)) gone.set(number, page.slice());
      else gone.delete(number);
    }
    const unknown = batches.filter(([firstJoin]) => firstJoin > lastJoin).map(([firstJoin, data]): Batch => [firstJoin, data.slice()]);
    newest.push(...unknown);
    noted.push([step, { slots: slots.map(numberOf), pages: pages.map(numberOf), joins: unknown }]);
    if (allBefore) break;
  }
  for (const [step, what] of noted.toReversed()) unsaved.note(step, what);
  unsaved.resume(noted[0]?.[0] ?? 0, noted.at(-1)?.[0] ?? 0);
  return { blocks, gone, joins: [...joins, ...newest.sort(([a], [b]) => a - b)] };
}

function numberOf([number]: readonly [number, Uint8Array]): number {
  return number;
}

/** Blocks in which rows of slots are replaced, each by the first that is put. */
class Patched {
  readonly #blocks: Map<number, Uint8Array>;
  /** Copies: what was read may belong to whoever keeps it. */
  readonly #own = new Set<number>();
  readonly #seen = new Set<number>();

  constructor(blocks: Map<number, Uint8Array>) {
    this.#blocks = blocks;
  }

  put(slot: number, row: Uint8Array): void {
    if (this.#seen.has(slot)) return;
    this.#seen.add(slot);
    const number = Math.floor(slot / BLOCK_SLOTS);
    if (!this.#own.has(number)) {
      const copy = new Uint8Array(BLOCK_BYTES);
      copy.set(this.#blocks.get(number) ?? []);
      this.#blocks.set(number, copy);
      this.#own.add(number);
    }
    this.#blocks.get(number)?.set(row, (slot % BLOCK_SLOTS) * ROW_BYTES);
  }
}
