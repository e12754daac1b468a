/**
 * Draws in the Room's database: their public records, and the public list of their entries. Touches nothing but the SQL handle it is given.
 * Every method is synchronous.
 */
import type { DrawRecord, DroppedDraw, ListedBatch } from "../src/core/draw";
import type { LineChanges } from "./line/stored";
import type { Sql } from "./schema";

/** Most batches that one reply lists: some 600 KB as text, and some milliseconds of the Room's time. */
const LISTED_BATCHES = 8_192;
/** Windows may be dealt every second: they are kept for two days, twice as long as the cookies that name them last by default, ms. */
const WINDOWS_KEPT_MS = 48 * 3_600_000;
const FORGET_EVERY_MS = 3_600_000;

export class StoredDraws {
  readonly #sql: Sql;
  #forgottenAt = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Inside a transaction. @param now Room time, ms */
  save({ batches, records, dropped }: LineChanges["draws"], now: number): void {
    for (const { draw, first, digest, networks, wides } of batches) {
      const bytes = encodeNetworks(networks, wides);
      this.#sql.exec("INSERT INTO draw_batches (draw, first, digest, networks) VALUES (?, ?, ?, ?)", draw, first, digest, bytes);
    }
    for (const record of records) {
      const isWindow = record.event === "" ? 1 : 0;
      this.#sql.exec(
        "INSERT INTO draws (id, window, drawn_at, record) VALUES (?, ?, ?, ?)",
        record.id,
        isWindow,
        Date.parse(record.drawnAt),
        JSON.stringify(record),
      );
    }
    for (const draw of dropped) {
      this.#sql.exec("DELETE FROM draw_batches WHERE draw = ?", draw.id);
      this.#sql.exec(
        "INSERT INTO dropped_draws (id, window, dropped_at, draw) VALUES (?, ?, ?, ?)",
        draw.id,
        draw.event === "" ? 1 : 0,
        Date.parse(draw.at),
        JSON.stringify(draw),
      );
    }
    if (records.length + dropped.length > 0 && now - this.#forgottenAt >= FORGET_EVERY_MS) this.#forgetWindows(now);
  }

  #forgetWindows(now: number): void {
    this.#forgottenAt = now;
    const before = now - WINDOWS_KEPT_MS;
    this.#sql.exec("DELETE FROM draw_batches WHERE draw IN (SELECT id FROM draws WHERE window = 1 AND drawn_at < ?)", before);
    this.#sql.exec("DELETE FROM draws WHERE window = 1 AND drawn_at < ?", before);
    this.#sql.exec("DELETE FROM dropped_draws WHERE window = 1 AND dropped_at < ?", before);
  }

  /** What stays of a draw that never takes place. */
  dropped(id: number): DroppedDraw | null {
    const row = this.#sql.exec<{ draw: string }>("SELECT draw FROM dropped_draws WHERE id = ?", id).toArray()[0];
    return row === undefined ? null : (JSON.parse(row.draw) as DroppedDraw);
  }

  record(id: number): DrawRecord | null {
    const row = this.#sql.exec<{ record: string }>("SELECT record FROM draws WHERE id = ?", id).toArray()[0];
    return row === undefined ? null : (JSON.parse(row.record) as DrawRecord);
  }

  /** The draw that gave this slot out, or null. Later draws have higher slots: looks from the newest back as far as that takes. */
  ofSlot(generation: number, slot: number): DrawRecord | null {
    const rows = this.#sql.exec<{ record: string }>(
      "SELECT record FROM draws WHERE json_extract(record, '$.generation') < ? OR json_extract(record, '$.base') <= ? ORDER BY id DESC LIMIT 1",
      generation,
      slot,
    );
    const row = rows.toArray()[0];
    const record = row === undefined ? null : (JSON.parse(row.record) as DrawRecord);
    return record?.generation === generation && slot < record.base + record.count ? record : null;
  }

  /** The highest id of a finished draw. */
  lastId(): number | null {
    return this.#sql.exec<{ id: number | null }>("SELECT MAX(id) AS id FROM draws").one().id;
  }

  /** In order, from the batch that begins at entry `from` or after it; at most `LISTED_BATCHES`. */
  batches(draw: number, from: number): ListedBatch[] {
    return this.#sql
      .exec<{ first: number; digest: string }>(
        "SELECT first, lower(hex(digest)) AS digest FROM draw_batches WHERE draw = ? AND first >= ? ORDER BY first LIMIT ?",
        draw,
        from,
        LISTED_BATCHES,
      )
      .toArray();
  }

  /** Network prefix and IPv6 /48 of every entry of a draw, in order; 0 = unknown or trusted, or none. Read when the Room is loaded. */
  *networks(draw: number): Generator<[network: number, wide: number]> {
    const rows = this.#sql.exec<{ networks: ArrayBuffer }>("SELECT networks FROM draw_batches WHERE draw = ? ORDER BY first", draw);
    for (const { networks } of rows) yield* decodeNetworks(new DataView(networks));
  }
}

const WITH_WIDES = 1;

/** u32 each, little-endian. Where an entry came by IPv6: a byte 1, then pairs of network and /48; it is the odd length that tells. */
function encodeNetworks(networks: readonly number[], wides: readonly number[]): Uint8Array {
  const isWide = wides.some((wide) => wide !== 0);
  const bytes = new Uint8Array(isWide ? 1 + networks.length * 8 : networks.length * 4);
  const view = new DataView(bytes.buffer);
  if (isWide) bytes[0] = WITH_WIDES;
  for (const [i, network] of networks.entries()) {
    view.setUint32(isWide ? 1 + 8 * i : 4 * i, network, true);
    if (isWide) view.setUint32(5 + 8 * i, wides[i] ?? 0, true);
  }
  return bytes;
}

function* decodeNetworks(view: DataView): Generator<[number, number]> {
  const isWide = view.byteLength % 4 === 1;
  for (let at = isWide ? 1 : 0; at < view.byteLength; at += isWide ? 8 : 4) {
    yield [view.getUint32(at, true), isWide ? view.getUint32(at + 4, true) : 0];
  }
}
