/** Counts what is asked of an object's storage, as it is billed: rows read and written, and alarms set, each a row written. */

export interface StorageCounts {
  /** Since the last call. */
  take(): {
    readonly rowsRead: number;
    readonly rowsWritten: number;
    readonly alarmsSet: number;
    /** Handed to SQLite in statements that write. */
    readonly bytesWritten: number;
    /** Of the database now. */
    readonly databaseBytes: number;
  };
}

/** Stands in for the storage's own methods, which are called with what they were given. */
export function countStorage(storage: DurableObjectStorage): StorageCounts {
  const { sql } = storage;
  const exec = sql.exec.bind(sql) as (query: string, ...values: unknown[]) => SqlStorageCursor<Record<string, SqlStorageValue>>;
  const setAlarm = storage.setAlarm.bind(storage);
  let cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  let counts = { rowsRead: 0, rowsWritten: 0, alarmsSet: 0, bytesWritten: 0 };

  // A cursor knows what it read once it was read to its end.
  const settle = () => {
    for (const cursor of cursors) {
      counts.rowsRead += cursor.rowsRead;
      counts.rowsWritten += cursor.rowsWritten;
    }
    cursors = [];
  };

  Object.assign(sql, {
    exec(query: string, ...values: unknown[]) {
      if (cursors.length >= 1_000) settle();
      const cursor = exec(query, ...values);
      cursors.push(cursor);
      if (cursor.rowsWritten > 0) counts.bytesWritten += values.reduce((sum: number, value) => sum + sizeOf(value), 0);
      return cursor;
    },
  });
  Object.assign(storage, {
    setAlarm(at: number) {
      counts.alarmsSet += 1;
      return setAlarm(at);
    },
  });
  return {
    take() {
      settle();
      const taken = { ...counts, databaseBytes: sql.databaseSize };
      counts = { rowsRead: 0, rowsWritten: 0, alarmsSet: 0, bytesWritten: 0 };
      return taken;
    },
  };
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  return value instanceof Uint8Array || value instanceof ArrayBuffer ? value.byteLength : 8;
}
