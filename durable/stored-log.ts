/**
 * The machine's log and the minutes of a room, as rows, bounded. Touches nothing but the SQL handle it is given; synchronous.
 */
import type { Minute, Page } from "../src/core/audit";
import { fitting } from "./fitting";
import type { LoggedSecond, MinuteMark } from "./log";
import type { Sql } from "./schema";

/** Seconds with something to tell: hours of a drop, days of a quiet room. */
const SECONDS_KEPT = 20_000;
/** Two days. */
const MINUTES_KEPT = 2_880;

interface StoredMinute extends MinuteMark {
  readonly minute: Omit<Minute, "at">;
}

/** What minutes of earlier versions do not have. */
const NOT_MEASURED = {
  wait_p50_seconds: null,
  wait_p95_seconds: null,
  wait_max_seconds: null,
  origin_error_percent: null,
} as const satisfies Partial<Minute>;

export class StoredLog {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(at: number, second: LoggedSecond): void {
    const id = (this.#sql.exec<{ id: number | null }>("SELECT MAX(id) AS id FROM log").one().id ?? 0) + 1;
    this.#sql.exec("INSERT INTO log (id, at, entry) VALUES (?, ?, ?)", id, at, JSON.stringify(second));
    this.#sql.exec("DELETE FROM log WHERE id <= ?", id - SECONDS_KEPT);
  }

  /** Newest first. */
  list({ before, limit }: Page): { readonly id: number; readonly at: number; readonly second: LoggedSecond }[] {
    const rows = this.#sql.exec<{ id: number; at: number; entry: string }>(
      "SELECT id, at, entry FROM log WHERE id < ? ORDER BY id DESC LIMIT ?",
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    );
    return fitting(rows, ({ entry }) => entry.length).map(({ id, at, entry }) => ({ id, at, second: JSON.parse(entry) as LoggedSecond }));
  }

  lastMinute(): MinuteMark | null {
    const row = this.#sql.exec<{ entry: string }>("SELECT entry FROM minutes ORDER BY minute DESC LIMIT 1").toArray()[0];
    return row === undefined ? null : (JSON.parse(row.entry) as StoredMinute);
  }

  /** @param minute since the Unix epoch */
  saveMinute(minute: number, stored: StoredMinute): void {
    this.#sql.exec("INSERT OR REPLACE INTO minutes (minute, entry) VALUES (?, ?)", minute, JSON.stringify(stored));
    this.#sql.exec("DELETE FROM minutes WHERE minute <= ?", minute - MINUTES_KEPT);
  }

  /** Oldest first, from `from` on. */
  minutes(from: number): Minute[] {
    const rows = this.#sql.exec<{ minute: number; entry: string }>(
      "SELECT minute, entry FROM minutes WHERE minute >= ? ORDER BY minute LIMIT ?",
      from,
      MINUTES_KEPT,
    );
    return rows.toArray().map(({ minute, entry }) => ({
      at: new Date(minute * 60_000).toISOString(),
      ...NOT_MEASURED,
      ...(JSON.parse(entry) as StoredMinute).minute,
    }));
  }
}
