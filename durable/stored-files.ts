/**
 * Files of the waiting page in the Room's database: the logo and the template that are in force, and a few of those before, so that a revision
 * that names them can be restored. Touches nothing but the SQL handle it is given; synchronous.
 */
import type { PageFileKind } from "../src/core/page-files";
import type { Sql } from "./schema";

/** Of each kind, besides those that are in force. */
const KEPT = 8;

export class StoredFiles {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  has(name: string): boolean {
    return this.#sql.exec("SELECT 1 FROM files WHERE name = ?", name).toArray().length > 0;
  }

  read(name: string): string | null {
    return this.#sql.exec<{ body: string }>("SELECT body FROM files WHERE name = ?", name).toArray()[0]?.body ?? null;
  }

  /** Inside a transaction. @param now Room time, ms */
  save(name: string, kind: PageFileKind, body: string, now: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO files (name, kind, at, body) VALUES (?, ?, ?, ?)", name, kind, now, body);
  }

  /** It counts as the newest. Inside a transaction. */
  touch(name: string, now: number): void {
    this.#sql.exec("UPDATE files SET at = MAX(?, (SELECT MAX(at) FROM files) + 1) WHERE name = ?", now, name);
  }

  forget(name: string): void {
    this.#sql.exec("DELETE FROM files WHERE name = ?", name);
  }

  /** Inside a transaction. @param used names that settings in force hold */
  tidy(kind: PageFileKind, used: ReadonlySet<string>): void {
    const names = this.#sql.exec<{ name: string }>("SELECT name FROM files WHERE kind = ? ORDER BY at DESC, rowid DESC", kind).toArray();
    const unused = names.filter(({ name }) => !used.has(name));
    for (const { name } of unused.slice(KEPT)) this.forget(name);
  }
}
