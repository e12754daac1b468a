/**
 * The rows of the newest steps, each over the one of so many steps before (line/unsaved.ts). May touch nothing but the SQL handle it is given.
 * They are read from the newest back, and no further than they are asked for: every row that is read is billed.
 */
import type { LineChanges } from "./line/stored";
import type { Sql } from "./schema";

/** Rows asked for at once. */
const READ_ROWS = 64;

type StepRow = { id: number; step: number; changes: ArrayBuffer };

export class StoredSteps {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  save({ position, step, record, counters }: LineChanges, now: number): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO steps (id, step, now, changes, counters) VALUES (?, ?, ?, ?, ?)",
      position,
      step,
      now,
      record,
      counters,
    );
  }

  clear(): void {
    this.#sql.exec("DELETE FROM steps");
  }

  /** Room time (ms) and the counters after the last step, and the records of the steps, the newest first; null = there was no step yet. */
  last(): {
    readonly now: number;
    readonly counters: string;
    readonly records: Iterable<readonly [step: number, record: Uint8Array]>;
  } | null {
    const newest = this.#newest();
    if (newest === null) return null;
    const row = this.#sql.exec<{ now: number; counters: string }>("SELECT now, counters FROM steps WHERE id = ?", newest).one();
    return { ...row, records: this.#backFrom(newest) };
  }

  /** Where the last step lies. Steps grow from place to place, but once, where the newest meets the oldest: found by halving. */
  #newest(): number | null {
    let first = this.#sql.exec<{ id: number }>("SELECT id FROM steps ORDER BY id LIMIT 1").toArray()[0]?.id;
    let last = this.#sql.exec<{ id: number }>("SELECT id FROM steps ORDER BY id DESC LIMIT 1").toArray()[0]?.id;
    if (first === undefined || last === undefined) return null;
    const lowest = this.#stepAt(first);
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if (this.#stepAt(middle) >= lowest) first = middle;
      else last = middle - 1;
    }
    return first;
  }

  #stepAt(id: number): number {
    return this.#sql.exec<{ step: number }>("SELECT step FROM steps WHERE id = ?", id).one().step;
  }

  *#backFrom(newest: number): Generator<readonly [step: number, record: Uint8Array]> {
    yield* this.#downFrom(newest, -1);
    yield* this.#downFrom(Number.MAX_SAFE_INTEGER, newest);
  }

  *#downFrom(from: number, above: number): Generator<readonly [step: number, record: Uint8Array]> {
    for (let at = from; ; ) {
      const query = "SELECT id, step, changes FROM steps WHERE id <= ? AND id > ? ORDER BY id DESC LIMIT ?";
      const rows = this.#sql.exec<StepRow>(query, at, above, READ_ROWS).toArray();
      for (const { step, changes } of rows) yield [step, new Uint8Array(changes)];
      const lowest = rows.at(-1);
      if (rows.length < READ_ROWS || lowest === undefined) return;
      at = lowest.id - 1;
    }
  }
}
