/**
 * What a Room keeps in its SQLite database: the line's rows and the revisions of its settings.
 * Touches nothing but the SQL handle and the transaction it is given; knows nothing about what the line's bytes mean.
 * Every method is synchronous: there is no `await` between reading and writing.
 */
import type { OperatorSettings } from "../src/core/admin";
import type { Page } from "../src/core/audit";
import { fitting } from "./fitting";
import type { GuestPlace, GuestRows, guestsIn } from "./line/guests";
import type { ReissueRow, reissuesIn } from "./line/reissues";
import type { LineChanges, StoredLine } from "./line/stored";
import { migrate, type Sql, schemaVersion } from "./schema";
import { StoredActs } from "./stored-acts";
import { StoredDraws } from "./stored-draws";
import { StoredFiles } from "./stored-files";
import { StoredLog } from "./stored-log";
import { StoredOutbox } from "./stored-outbox";
import { StoredStaff } from "./stored-staff";
import { StoredSteps } from "./stored-steps";

export interface StoredRevision {
  readonly revision: number;
  /** Room time, ms since the Unix epoch. */
  readonly at: number;
  readonly actor: string;
  readonly reason: string;
  readonly overrides: OperatorSettings;
  /** Every setting as it held from this revision on. */
  readonly effective: OperatorSettings;
}

/** Newest revisions that are kept. */
const REVISIONS_KEPT = 1_000;

type RevisionRow = { revision: number; at: number; actor: string; reason: string; overrides: string; effective: string };

export class Store {
  readonly #sql: Sql;
  readonly #steps: StoredSteps;
  readonly #transaction: <T>(work: () => T) => T;

  readonly draws: StoredDraws;
  readonly staff: StoredStaff;
  readonly files: StoredFiles;
  readonly outbox: StoredOutbox;
  readonly acts: StoredActs;
  readonly log: StoredLog;

  constructor(sql: Sql, transaction: <T>(work: () => T) => T) {
    this.#sql = sql;
    this.#steps = new StoredSteps(sql);
    this.draws = new StoredDraws(sql);
    this.staff = new StoredStaff(sql);
    this.files = new StoredFiles(sql);
    this.outbox = new StoredOutbox(sql);
    this.acts = new StoredActs(sql);
    this.log = new StoredLog(sql);
    this.#transaction = transaction;
  }

  /** All of it or nothing: a throw in `work` undoes every write made in it. */
  transaction<T>(work: () => T): T {
    return this.#transaction(work);
  }

  /** A row that is there is written over as it is: does storage take that much? */
  touch(): void {
    schemaVersion(this.#sql);
    this.#sql.exec("UPDATE schema_version SET version = version");
  }

  /** Size of the database. */
  bytes(): number {
    return this.#sql.databaseSize;
  }

  /** Create the tables or bring them up to date. Inside a transaction. */
  migrate(): void {
    migrate(this.#sql);
  }

  /** The line as last saved and the Room time of that save, ms; null for a room that has never been used. */
  loadLine(): { readonly now: number; readonly rows: StoredLine } | null {
    const last = this.#steps.last();
    if (last === null) return null;
    const rows: StoredLine = {
      counters: last.counters,
      records: last.records,
      blocks: this.#blobs("SELECT id, data FROM blocks ORDER BY id"),
      gone: this.#blobs("SELECT id, data FROM gone ORDER BY id"),
      joins: this.#blobs("SELECT first_slot AS id, data FROM joins ORDER BY first_slot"),
      entries: (draw) => this.draws.networks(draw),
    };
    return { now: last.now, rows };
  }

  /** The rows of these guests and invitations, as far as there are any. */
  guests({ keys, invitations }: ReturnType<typeof guestsIn>): GuestRows {
    const places = [...keys].flatMap((key) => this.#guest(key).map((place) => [key, place] as const));
    const draws = new Set(places.flatMap(([, { given }]) => (given.as === "entry" ? given.draw : [])));
    return {
      places,
      uses: [...invitations].flatMap((id) => this.#usesOf(id).map((uses) => [id, uses] as const)),
      drawn: [...draws].flatMap((id) => this.draws.record(id) ?? []),
    };
  }

  #guest(key: string): GuestPlace[] {
    const rows = this.#sql.exec<{ place: string }>("SELECT place FROM guests WHERE key = ?", key);
    return rows.toArray().map(({ place }) => JSON.parse(place) as GuestPlace);
  }

  #usesOf(invitation: string): number[] {
    const rows = this.#sql.exec<{ places: number }>("SELECT places FROM invitations WHERE id = ?", invitation);
    return rows.toArray().map(({ places }) => places);
  }

  /** The rows of these places that were made out anew, as far as there are any. */
  reissues(places: ReturnType<typeof reissuesIn>): (readonly [place: string, row: ReissueRow])[] {
    return [...places].flatMap((place) =>
      this.#sql
        .exec<{ kid: string; token: string; refused: number }>("SELECT kid, token, refused FROM reissues WHERE place = ?", place)
        .toArray()
        .map((row) => [place, row] as const),
    );
  }

  /**
   * Save what changed in the line: its own row, and now and then what is due. Writes that row every time: a reply built on it is held back until the write
   * is confirmed, so an instance that has been replaced cannot answer. Inside a transaction.
   */
  saveLine(changes: LineChanges, now: number): void {
    const sql = this.#sql;
    if (changes.cleared) {
      this.#steps.clear();
      sql.exec("DELETE FROM blocks");
      sql.exec("DELETE FROM gone");
      sql.exec("DELETE FROM joins");
      sql.exec("DELETE FROM guests");
      sql.exec("DELETE FROM invitations");
      sql.exec("DELETE FROM reissues");
    }
    this.#steps.save(changes, now);
    for (const [id, data] of changes.blocks) this.#saveBlob("blocks", id, data);
    for (const [id, data] of changes.gone) this.#saveBlob("gone", id, data);
    if (changes.joins.length > 0) this.#saveJoins(changes);
    for (const [key, place] of changes.guests.places)
      sql.exec("INSERT OR REPLACE INTO guests (key, place) VALUES (?, ?)", key, JSON.stringify(place));
    for (const [id, places] of changes.guests.uses) sql.exec("INSERT OR REPLACE INTO invitations (id, places) VALUES (?, ?)", id, places);
    for (const [place, { kid, token, refused }] of changes.reissues)
      sql.exec("INSERT OR REPLACE INTO reissues (place, kid, token, refused) VALUES (?, ?, ?, ?)", place, kid, token, refused);
    this.draws.save(changes.draws, now);
  }

  lastRevision(): StoredRevision | null {
    const rows = this.#sql.exec<RevisionRow>(
      "SELECT revision, at, actor, reason, overrides, effective FROM revisions ORDER BY revision DESC LIMIT 1",
    );
    return rows.toArray().map(revisionOf)[0] ?? null;
  }

  revision(number: number): StoredRevision | null {
    const rows = this.#sql.exec<RevisionRow>(
      "SELECT revision, at, actor, reason, overrides, effective FROM revisions WHERE revision = ?",
      number,
    );
    return rows.toArray().map(revisionOf)[0] ?? null;
  }

  /** Newest first: every one of them can be restored. */
  listRevisions({ before, limit }: Page): Omit<StoredRevision, "effective">[] {
    const rows = this.#sql.exec<Omit<RevisionRow, "effective">>(
      "SELECT revision, at, actor, reason, overrides FROM revisions WHERE revision < ? ORDER BY revision DESC LIMIT ?",
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    );
    const page = fitting(rows, ({ overrides, reason }) => overrides.length + reason.length);
    return page.map((row) => ({ ...row, overrides: JSON.parse(row.overrides) as OperatorSettings }));
  }

  /** Since when the operator's message is what it is, in every language; null = there is no revision. */
  messageSince(): number | null {
    const words = "coalesce(json_extract(effective, '$.message'), '') || coalesce(json_extract(effective, '$.messages'), '{}')";
    const rows = this.#sql.exec<{ at: number }>(
      `SELECT at FROM revisions WHERE revision > coalesce((SELECT max(revision) FROM revisions WHERE ${words} IS NOT
        (SELECT ${words} FROM revisions ORDER BY revision DESC LIMIT 1)), 0) ORDER BY revision LIMIT 1`,
    );
    return rows.toArray()[0]?.at ?? null;
  }

  /**
   * Append; the number must be new. The oldest goes, but for the one that tells since when the message stands.
   * @param messageAt that time, Room time in ms, with this revision; null = there is no message
   */
  addRevision(revision: StoredRevision, messageAt: number | null): void {
    const last = revision.revision - REVISIONS_KEPT;
    this.#sql.exec("DELETE FROM revisions WHERE revision <= ? AND at IS NOT ?", last, messageAt);
    this.#sql.exec(
      "INSERT INTO revisions (revision, at, actor, reason, overrides, effective) VALUES (?, ?, ?, ?, ?, ?)",
      revision.revision,
      revision.at,
      revision.actor,
      revision.reason,
      JSON.stringify(revision.overrides),
      JSON.stringify(revision.effective),
    );
  }

  /** Joins are numbered as slots were before there were draws; the column kept its name. */
  #saveJoins({ joins, forgetJoinsBelow }: LineChanges): void {
    for (const [firstJoin, data] of joins) this.#sql.exec("INSERT OR REPLACE INTO joins (first_slot, data) VALUES (?, ?)", firstJoin, data);
    // The row that holds the first one still needed stays whole.
    const begun = "SELECT max(first_slot) FROM joins WHERE first_slot <= ?";
    this.#sql.exec(`DELETE FROM joins WHERE first_slot < (${begun})`, forgetJoinsBelow);
  }

  #saveBlob(table: "blocks" | "gone", id: number, data: Uint8Array | null): void {
    if (data === null) this.#sql.exec(`DELETE FROM ${table} WHERE id = ?`, id);
    else this.#sql.exec(`INSERT OR REPLACE INTO ${table} (id, data) VALUES (?, ?)`, id, data);
  }

  *#blobs(query: string): Generator<[number, Uint8Array]> {
    for (const row of this.#sql.exec<{ id: number; data: ArrayBuffer }>(query)) yield [row.id, new Uint8Array(row.data)];
  }
}

function revisionOf(row: RevisionRow): StoredRevision {
  return {
    ...row,
    overrides: JSON.parse(row.overrides) as OperatorSettings,
    effective: JSON.parse(row.effective) as OperatorSettings,
  };
}
