/**
 * What only the records of the newest steps hold, and what of it is due for a row of its own. Pure.
 *
 * A step writes one row: its record (step-record.ts), over that of the step `STEPS_KEPT` before. What that one alone held is written
 * beside it: a block of slots costs a row once in so many steps, not at each. Loading reads blocks, pages and joins, and lays the records
 * over them; what is in both is the same. Records begin anew whenever it costs next to nothing to write out all that only they hold: a Room
 * that is woken for every call must not read thousands of rows each time.
 */
import { BLOCK_SLOTS } from "./slot-table";
import { type Batch, encodeTogether, PAGE_ENTRY_BYTES, SLOT_ENTRY_BYTES } from "./step-record";

export interface Keep {
  /** Steps whose records are kept. Where a record lies hangs on it: another number needs a step of the schema. */
  readonly steps: number;
  /** A step that changed more than this writes all blocks itself: records are bounded, and so is loading them. */
  readonly recordBytes: number;
  /** Joins in records; beyond this they get a row of their own, which holds at most twice as much, or one step's. */
  readonly joinBytes: number;
  /** Records begin anew as soon as all that only they hold is at most a row for so many steps. */
  readonly stepsForRow: number;
}

/** Which new rows a step may need: some `early`, so that loading reads less; what is `due`; or `none`, where storage takes no more. */
export type NewRows = "early" | "due" | "none";

/** At twenty steps a second (gathering.ts) the newest hundred seconds. */
export const KEEP: Keep = { steps: 2_048, recordBytes: 32_768, joinBytes: 262_144, stepsForRow: 64 };

interface Carried {
  readonly batch: Batch;
  /** Whose record holds it. */
  readonly step: number;
}

export interface Changed {
  readonly slots: ReadonlySet<number>;
  readonly pages: ReadonlySet<number>;
  readonly joins: readonly Batch[];
}

export interface Noted {
  readonly slots: Iterable<number>;
  readonly pages: Iterable<number>;
  readonly joins: readonly Batch[];
}

/** Where the changes of a step go. */
export interface Placed {
  readonly step: number;
  /** Nothing is left in records: this one begins anew. */
  readonly allBefore: boolean;
  readonly blocks: readonly number[];
  readonly pages: readonly number[];
  readonly joinRows: readonly Batch[];
  /** Joins for the record of this step. */
  readonly joins: readonly Batch[];
}

export class Unsaved {
  #step = 0;
  /** All that came before was in rows of its own. */
  #begun = 0;
  /** By the first step whose record holds something of it, the oldest first. */
  readonly #blocks = new Map<number, number>();
  readonly #pages = new Map<number, number>();
  #joins: Carried[] = [];
  #joinBytes = 0;

  /** @param newRows `none`: joins that are due move to the record of this step */
  place({ slots, pages, joins }: Changed, newRows: NewRows, keep: Keep): Placed {
    this.#step += 1;
    const step = this.#step;
    this.note(step, { slots, pages, joins });
    const isLarge = slots.size * SLOT_ENTRY_BYTES + pages.size * PAGE_ENTRY_BYTES > keep.recordBytes;
    const allBefore = isLarge || (newRows === "early" && this.#rowsHeld() * keep.stepsForRow <= step - this.#begun);
    if (allBefore) this.#begun = step;
    const due = allBefore ? step : step - keep.steps;
    const joinRows = newRows === "none" ? [] : this.#rowsOfJoins(due, keep.joinBytes);
    return {
      step,
      allBefore,
      blocks: taken(this.#blocks, due),
      pages: taken(this.#pages, due),
      joinRows,
      joins: this.#recorded(step, due),
    };
  }

  /** The record of this step holds that. Steps come in order. */
  note(step: number, { slots, pages, joins }: Noted): void {
    for (const slot of slots) noteOnce(this.#blocks, Math.floor(slot / BLOCK_SLOTS), step);
    for (const page of pages) noteOnce(this.#pages, page, step);
    for (const batch of joins) this.#carry(batch, step);
  }

  /** After everything was noted. @param step the last one that was stored @param begun the first one whose record was read */
  resume(step: number, begun: number): void {
    this.#step = step;
    this.#begun = begun;
  }

  /** That all that only records hold would take. */
  #rowsHeld(): number {
    return this.#blocks.size + this.#pages.size + (this.#joins.length > 0 ? 1 : 0);
  }

  #carry(batch: Batch, step: number): void {
    this.#joins.push({ batch, step });
    this.#joinBytes += batch[1].length;
  }

  /** All of them, if one is due or they are too many: their numbers only grow, and rows are deleted by numbers. */
  #rowsOfJoins(due: number, most: number): Batch[] {
    const isDue = (this.#joins[0]?.step ?? Number.POSITIVE_INFINITY) <= due;
    if (!isDue && this.#joinBytes <= most) return [];
    const rows: Batch[][] = [];
    let size = Number.POSITIVE_INFINITY;
    for (const batch of this.#joins.map((carried) => carried.batch).sort(([a], [b]) => a - b)) {
      size += batch[1].length;
      if (size > 2 * most) {
        rows.push([]);
        size = batch[1].length;
      }
      rows.at(-1)?.push(batch);
    }
    this.#joins = [];
    this.#joinBytes = 0;
    return rows.map((batches) => [batches[0]?.[0] as number, encodeTogether(batches)]);
  }

  /** Those of this step, and those whose record goes. */
  #recorded(step: number, due: number): Batch[] {
    const going = this.#joins.findIndex((carried) => carried.step > due);
    for (const { batch } of this.#joins.splice(0, going < 0 ? this.#joins.length : going)) {
      this.#joinBytes -= batch[1].length;
      this.#carry(batch, step);
    }
    const first = this.#joins.findLastIndex((carried) => carried.step < step) + 1;
    return this.#joins.slice(first).map(({ batch }) => batch);
  }

  /** Bytes held, for the bound of P12. */
  get bytes(): number {
    return this.#joinBytes + (this.#blocks.size + this.#pages.size) * 40;
  }
}

function noteOnce(first: Map<number, number>, number: number, step: number): void {
  if (!first.has(number)) first.set(number, step);
}

/** What is due goes into a row of its own now. */
function taken(first: Map<number, number>, due: number): number[] {
  const taken: number[] = [];
  for (const [number, step] of first) {
    if (step > due) break;
    taken.push(number);
    first.delete(number);
  }
  return taken;
}
