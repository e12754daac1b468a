/**
 * Staff links in the Room's database, the ended ones for the record. Touches nothing but the SQL handle it is given; synchronous.
 */
import type { StoredStaffLink } from "./line/staff";
import type { Sql } from "./schema";

/** What has ended is kept: the newest so many links of all. Older ones whose passes count are kept besides. */
const KEPT = 1_000;

export class StoredStaff {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Newest first, at most `limit`. */
  list(limit: number): StoredStaffLink[] {
    const rows = this.#sql.exec<{ link: string }>("SELECT link FROM staff_links ORDER BY id DESC LIMIT ?", limit);
    return rows.toArray().map(({ link }) => JSON.parse(link) as StoredStaffLink);
  }

  /** Those that end after `now`, Room time, ms. */
  since(now: number): StoredStaffLink[] {
    const rows = this.#sql.exec<{ link: string }>("SELECT link FROM staff_links WHERE over_at > ? ORDER BY id", now);
    return rows.toArray().map(({ link }) => JSON.parse(link) as StoredStaffLink);
  }

  find(id: number): StoredStaffLink | null {
    const row = this.#sql.exec<{ link: string }>("SELECT link FROM staff_links WHERE id = ?", id).toArray()[0];
    return row === undefined ? null : (JSON.parse(row.link) as StoredStaffLink);
  }

  /** Never given twice. */
  nextId(): number {
    return (this.#sql.exec<{ id: number | null }>("SELECT MAX(id) AS id FROM staff_links").one().id ?? 0) + 1;
  }

  /** Inside a transaction. @param overAt when it holds no place any more, ms */
  save(link: StoredStaffLink, overAt: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO staff_links (id, over_at, link) VALUES (?, ?, ?)", link.id, overAt, JSON.stringify(link));
    this.#sql.exec("DELETE FROM staff_links WHERE id <= ? AND over_at <= ?", link.id - KEPT, link.madeAt);
  }
}
