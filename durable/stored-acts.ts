/**
 * What operators did, as rows: the audit log, answers kept for repeated requests, bans. Touches nothing but the SQL handle it is given;
 * synchronous.
 */
import type { AuditEntry, Page } from "../src/core/audit";
import type { Ban } from "../src/core/places";
import { fitting } from "./fitting";
import type { Got } from "./line/recent-joins";
import type { Sql } from "./schema";

/** Newest acts that are kept. */
const AUDIT_KEPT = 20_000;
/** How long an answer is kept for a repeated request, ms, and how many at most. */
const ONCE_KEPT_MS = 24 * 3_600_000;
const ONCE_KEPT = 1_000;

export interface KeptAnswer {
  /** Of the request that was answered. */
  readonly print: string;
  readonly answer: string;
}

export class StoredActs {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Append. @param at Room time, ms */
  audit(at: number, entry: Omit<AuditEntry, "id" | "at">): void {
    const id = (this.#sql.exec<{ id: number | null }>("SELECT MAX(id) AS id FROM audit").one().id ?? 0) + 1;
    this.#sql.exec("INSERT INTO audit (id, at, entry) VALUES (?, ?, ?)", id, at, JSON.stringify(entry));
    this.#sql.exec("DELETE FROM audit WHERE id <= ?", id - AUDIT_KEPT);
  }

  audited({ before, limit }: Page): AuditEntry[] {
    const rows = this.#sql.exec<{ id: number; at: number; entry: string }>(
      "SELECT id, at, entry FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?",
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    );
    return fitting(rows, ({ entry }) => entry.length).map(({ id, at, entry }) => ({
      id,
      at: new Date(at).toISOString(),
      ...(JSON.parse(entry) as Omit<AuditEntry, "id" | "at">),
    }));
  }

  answer(key: string): KeptAnswer | null {
    return this.#sql.exec<{ print: string; answer: string }>("SELECT print, answer FROM once WHERE key = ?", key).toArray()[0] ?? null;
  }

  keepAnswer(key: string, { print, answer }: KeptAnswer, now: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO once (key, at, print, answer) VALUES (?, ?, ?, ?)", key, now, print, answer);
    this.#sql.exec("DELETE FROM once WHERE at < ?", now - ONCE_KEPT_MS);
    this.#sql.exec("DELETE FROM once WHERE key IN (SELECT key FROM once ORDER BY at DESC LIMIT -1 OFFSET ?)", ONCE_KEPT);
  }

  bans(): Ban[] {
    const rows = this.#sql.exec<{ ban: string }>("SELECT ban FROM bans ORDER BY generation, slot");
    return rows.toArray().map(({ ban }) => JSON.parse(ban) as Ban);
  }

  saveBan(ban: Ban): void {
    const { generation, slot } = ban;
    this.#sql.exec("INSERT OR REPLACE INTO bans (generation, slot, ban) VALUES (?, ?, ?)", generation, slot, JSON.stringify(ban));
  }

  deleteBan(generation: number, slot: number): void {
    this.#sql.exec("DELETE FROM bans WHERE generation = ? AND slot = ?", generation, slot);
  }

  /** Whose place this is, in rooms that ask who somebody is. Looks at every guest: for an operator's act. */
  guestOf({ draw, number }: Omit<Got, "join">): string | null {
    const given = draw === null ? "'$.given.slot') = ?" : "'$.given.entry') = ? AND json_extract(place, '$.given.draw') = ?";
    const values = draw === null ? [number] : [number, draw];
    const found = this.#sql.exec<{ key: string }>(`SELECT key FROM guests WHERE json_extract(place, ${given} LIMIT 1`, ...values);
    return found.toArray()[0]?.key ?? null;
  }
}
