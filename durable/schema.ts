/**
 * Tables of a Room and the steps that lead to them, forward only. May touch nothing but the SQL handle it is given.
 * A step that has been released is never edited: append the next one, and keep a database of the old version in
 * `test/vectors/` that the tests open.
 */

export type Sql = Pick<SqlStorage, "exec" | "databaseSize">;

type Step = (sql: Sql) => void;

const STEPS: readonly Step[] = [
  (sql) => {
    // One row: Room time of the last write (ms) and the line's counters.
    sql.exec("CREATE TABLE line (id INTEGER PRIMARY KEY CHECK (id = 0), now INTEGER NOT NULL, counters TEXT NOT NULL)");
    // The line's binary rows; what is inside them is the line's own business.
    sql.exec("CREATE TABLE blocks (id INTEGER PRIMARY KEY, data BLOB NOT NULL)");
    sql.exec("CREATE TABLE gone (id INTEGER PRIMARY KEY, data BLOB NOT NULL)");
    sql.exec("CREATE TABLE joins (first_slot INTEGER PRIMARY KEY, data BLOB NOT NULL)");
    // Append-only. `effective` = every setting as it held from this revision on, defaults filled in.
    sql.exec(
      "CREATE TABLE revisions (revision INTEGER PRIMARY KEY, at INTEGER NOT NULL, actor TEXT NOT NULL, reason TEXT NOT NULL, " +
        "overrides TEXT NOT NULL, effective TEXT NOT NULL)",
    );
  },
  (sql) => {
    // Finished draws as their public records. Those of windows are forgotten some time after the last cookie that names them.
    sql.exec("CREATE TABLE draws (id INTEGER PRIMARY KEY, window INTEGER NOT NULL, drawn_at INTEGER NOT NULL, record TEXT NOT NULL)");
    // The public list of a draw's entries, one row per batch, and the network prefix of each of them (u32, little-endian).
    sql.exec(
      "CREATE TABLE draw_batches (draw INTEGER NOT NULL, first INTEGER NOT NULL, digest BLOB NOT NULL, networks BLOB NOT NULL, " +
        "PRIMARY KEY (draw, first)) WITHOUT ROWID",
    );
  },
  (sql) => {
    // Rooms that ask for an invitation or a log-in: a guest's place, and how many places an invitation has made. Of this generation.
    sql.exec("CREATE TABLE guests (key TEXT PRIMARY KEY, place TEXT NOT NULL) WITHOUT ROWID");
    sql.exec("CREATE TABLE invitations (id TEXT PRIMARY KEY, places INTEGER NOT NULL) WITHOUT ROWID");
  },
  (sql) => {
    // What stays of draws that never take place.
    sql.exec(
      "CREATE TABLE dropped_draws (id INTEGER PRIMARY KEY, window INTEGER NOT NULL, dropped_at INTEGER NOT NULL, draw TEXT NOT NULL)",
    );
  },
  (sql) => {
    // Staff links with their passes; the ended ones are kept for the record.
    sql.exec("CREATE TABLE staff_links (id INTEGER PRIMARY KEY, over_at INTEGER NOT NULL, link TEXT NOT NULL)");
  },
  (sql) => {
    // After a key was revoked: for which of its tokens each place was made out anew. Of this generation.
    sql.exec(
      "CREATE TABLE reissues (place TEXT PRIMARY KEY, kid TEXT NOT NULL, token TEXT NOT NULL, refused INTEGER NOT NULL) WITHOUT ROWID",
    );
  },
  (sql) => {
    // Messages of webhooks that have not arrived yet, and what is known of each webhook. `due`: Room time of the next try, ms.
    sql.exec(
      "CREATE TABLE outbox (id INTEGER PRIMARY KEY, webhook TEXT NOT NULL, type TEXT NOT NULL, made INTEGER NOT NULL, " +
        "due INTEGER NOT NULL, tries INTEGER NOT NULL, body TEXT NOT NULL)",
    );
    sql.exec("CREATE TABLE webhooks (name TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID");
  },
  (sql) => {
    // Who did what; what happened by itself, by seconds and by minutes; answers kept for repeated requests; who may not join.
    sql.exec("CREATE TABLE audit (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, entry TEXT NOT NULL)");
    sql.exec("CREATE TABLE log (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, entry TEXT NOT NULL)");
    sql.exec("CREATE TABLE minutes (minute INTEGER PRIMARY KEY, entry TEXT NOT NULL)");
    sql.exec("CREATE TABLE once (key TEXT PRIMARY KEY, at INTEGER NOT NULL, print TEXT NOT NULL, answer TEXT NOT NULL) WITHOUT ROWID");
    sql.exec(
      "CREATE TABLE bans (generation INTEGER NOT NULL, slot INTEGER NOT NULL, ban TEXT NOT NULL, PRIMARY KEY (generation, slot)) WITHOUT ROWID",
    );
    // In the object of the admin API's own tokens alone.
    sql.exec("CREATE TABLE tokens (id INTEGER PRIMARY KEY, token TEXT NOT NULL)");
  },
  (sql) => {
    // The newest steps, each over an older one: Room time of its write (ms), what it changed, and the line's counters after it.
    sql.exec(
      "CREATE TABLE steps (id INTEGER PRIMARY KEY, step INTEGER NOT NULL, now INTEGER NOT NULL, changes BLOB NOT NULL, counters TEXT NOT NULL)",
    );
    sql.exec("INSERT INTO steps (id, step, now, changes, counters) SELECT 0, 0, now, x'', counters FROM line");
    sql.exec("DROP TABLE line");
  },
  (sql) => {
    // Files of the waiting page, by names that say what is in them: a template as it is, a logo in base64url.
    sql.exec("CREATE TABLE files (name TEXT PRIMARY KEY, kind TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL)");
  },
];

/** Version that this code writes. */
export const SCHEMA_VERSION = STEPS.length;

/** Version of the database; 0 = empty. */
export function schemaVersion(sql: Sql): number {
  sql.exec("CREATE TABLE IF NOT EXISTS schema_version (id INTEGER PRIMARY KEY CHECK (id = 0), version INTEGER NOT NULL)");
  const row = sql.exec<{ version: number }>("SELECT version FROM schema_version").toArray()[0];
  return row?.version ?? 0;
}

/**
 * Bring the database to this code's version. Call it inside a transaction.
 * @throws if the database is newer than the code: an older Worker must not guess at it (the edge then fails closed)
 */
export function migrate(sql: Sql): void {
  const version = schemaVersion(sql);
  if (version === SCHEMA_VERSION) return;
  if (version > SCHEMA_VERSION) {
    throw new Error(`the Room's storage has schema version ${version}; this code knows up to ${SCHEMA_VERSION}`);
  }
  for (const step of STEPS.slice(version)) step(sql);
  sql.exec("INSERT OR REPLACE INTO schema_version (id, version) VALUES (0, ?)", SCHEMA_VERSION);
}
