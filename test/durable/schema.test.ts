/**
 * The database opens from every older version. `test/vectors/room-schema-N.json` is a Room as version N stored it, with
 * somebody in every state. When the version is raised, the first run of this test writes the new file; commit it.
 */
/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";
import { migrate, SCHEMA_VERSION, schemaVersion } from "../../durable/schema";
import { isConserved } from "../support/conserved";
import { claimOf, INVITED, POPULATED, populate } from "../support/populated";
import { dumpOf, joinOf, okOf, RoomUnderTest, type TableDump } from "../support/room";

const vectors = import.meta.glob<readonly TableDump[]>("../vectors/room-schema-*.json", { eager: true, import: "default" });
const pathOf = (version: number) => `../vectors/room-schema-${version}.json`;

/** Write a dump into an empty database. */
function restore(sql: SqlStorage, dump: readonly TableDump[]): void {
  for (const { table, create, rows } of dump) {
    sql.exec(create);
    for (const row of rows) {
      const columns = Object.keys(row);
      const values = Object.values(row).map((value) => (isHex(value) ? Buffer.from(value.hex, "hex") : value));
      sql.exec(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`, ...values);
    }
  }
}

function isHex(value: unknown): value is { hex: string } {
  return typeof value === "object" && value !== null && "hex" in value;
}

describe("the schema", () => {
  it("[ROOM-6] has a database of every version to open", async () => {
    if (!(pathOf(SCHEMA_VERSION) in vectors)) {
      const { room } = await populate();
      await expect(`${JSON.stringify(JSON.parse(await room.dump()), null, 1)}\n`).toMatchFileSnapshot(pathOf(SCHEMA_VERSION));
      return;
    }
    expect(Object.keys(vectors).sort()).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, i) => pathOf(i + 1)).sort());
  });

  it.each(Object.keys(vectors))("[ROOM-6][ADMIN-16][P7] opens %s with everybody where they were", async (path) => {
    const dump = vectors[path] ?? [];
    const room = new RoomUnderTest(POPULATED);
    const rows = dump.filter(({ table }) => table === "line" || table === "steps").flatMap((table) => table.rows);
    room.wall = Math.max(...rows.map((row) => Number(row["now"])));
    await room.run((_, { storage }) => restore(storage.sql, dump));
    const stats = await room.stats();
    expect(stats).toMatchObject({
      issued: 13,
      waiting: 1,
      called: 1,
      inside: 4,
      lapsed: 1,
      passed_over: 1,
      missed: 1,
      returning: 1,
      leaving: 1,
      ended: 2,
    });
    expect(isConserved(stats)).toBe(true);
    expect(await room.run((_, { storage }) => schemaVersion(storage.sql))).toBe(SCHEMA_VERSION);
    // The one who was called goes in; the one who waits is told so; edges refuse the passes of those who left; a key still has its slot.
    const { claims, manifest } = await room.exchange({ claims: [claimOf(10, room.wall), claimOf(12, room.wall, { intent: "look" })] });
    expect(claims).toMatchObject([{ as: "entered" }, { as: "waiting" }]);
    expect(manifest.revoked).toEqual([[3, 4]]);
    expect((await room.join("waits")).joins).toMatchObject([{ as: "placed", slot: 12 }]);
    if (dump.some(({ table }) => table === "invitations")) {
      const invited = (key: string) => ({ ...joinOf(key, false), guest: INVITED });
      const { joins } = await room.exchange({ joins: [invited("waits"), invited("somebody else")] });
      expect(joins).toMatchObject([
        { as: "placed", slot: 12 },
        { as: "refused", why: "used" },
      ]);
    }
    // What was counted before the log was kept did not happen in the minute of the update.
    if (!dump.some(({ table }) => table === "log")) {
      room.wall += 2_000;
      await room.exchange();
      const told = okOf(await room.run((inside) => inside.log({ before: null, limit: 100 })));
      const counted = told.filter(({ event }) => event === "joined" || event === "entered");
      expect(counted.map(({ event, count }) => [event, count])).toEqual([["entered", 1]]);
      expect(okOf(await room.run((inside) => inside.series(60))).map(({ joined, entered }) => [joined, entered])).toEqual([[0, 1]]);
    }
    // Minutes of before version 10, which has files, have measured no waits.
    if (dump.some(({ table }) => table === "minutes") && !dump.some(({ table }) => table === "files"))
      for (const minute of okOf(await room.run((inside) => inside.series(2_880))).slice(0, -1))
        expect(minute).toMatchObject({ wait_p50_seconds: null, origin_error_percent: null });
    // New code may know more settings, which is a revision; none is lost.
    const revisions = okOf(await room.run((inside) => inside.revisions()));
    expect(revisions.at(-1)).toMatchObject({ revision: 1, actor: "deploy", reason: "first start" });
  });

  it("[ROOM-6] is made once, and opening it again changes nothing", async () => {
    const room = new RoomUnderTest();
    const [made, again] = await room.run((_, { storage }) => {
      migrate(storage.sql);
      const first = JSON.stringify(dumpOf(storage.sql));
      migrate(storage.sql);
      return [first, JSON.stringify(dumpOf(storage.sql))];
    });
    expect(again).toBe(made);
  });

  it("[ROOM-6] of a newer version is refused, and nothing is touched", async () => {
    const room = new RoomUnderTest();
    await room.exchange();
    await room.run((_, { storage }) => storage.sql.exec("UPDATE schema_version SET version = ?", SCHEMA_VERSION + 1));
    const before = await room.dump();
    await room.evict();
    await expect(room.exchange()).rejects.toThrow(
      new RegExp(`schema version ${SCHEMA_VERSION + 1}; this code knows up to ${SCHEMA_VERSION}`),
    );
    expect(await room.dump()).toBe(before);
  });
});
