/** What operators do, written down with it: the audit log, answers under a key, restoring, forecasts. */
import { describe, expect, it } from "vitest";
import type { Once, Restore } from "../../src/core/admin";
import type { AuditEntry } from "../../src/core/audit";
import { AUTHOR, callerOf, joinOf, OPERATOR, okOf, RoomUnderTest, type TableDump } from "../support/room";

const PAGE = { before: null, limit: 100 };
const auditOf = async (room: RoomUnderTest): Promise<readonly AuditEntry[]> => okOf(await room.run((inside) => inside.audit(PAGE)));
const restore = (room: RoomUnderTest, to: Restore["to"], ifRevision: number | null = null) =>
  room.run((inside) => inside.restore({ to, ifRevision, actor: OPERATOR }));

/** What a dump holds: of the steps, which every call adds to, the newest counters and what was changed. */
function kept(dump: string): unknown {
  return (JSON.parse(dump) as TableDump[]).map(({ table, rows }) => {
    if (table !== "steps") return { table, rows };
    const changes = rows.map((row) => row["changes"]).filter((record) => JSON.stringify(record) !== '{"hex":""}');
    return { table, changes, counters: rows.at(-1)?.["counters"] };
  });
}

describe("the audit log", () => {
  it("[ADMIN-13] has every act with who, role, reason, revision, before and after; nothing for what changed nothing", async () => {
    const room = new RoomUnderTest({ challenge: "pow" });
    const ana = callerOf("ana", "too slow", { role: "admin" });
    okOf(await room.change({ total_active_users: 2, message: "Soon" }, { actor: ana }));
    okOf(await room.change({ message: "Soon" }, { actor: ana }));
    for (const name of ["pause", "pause", "stop-joins", "allow-joins", "under-attack", "sold-out"] as const) await room.turn(name);
    await room.join("a", "b");
    await room.turn("flush");
    await room.turn("flush");
    await room.turn("reset", room.name);
    const entries = [...(await auditOf(room))].reverse();
    expect(entries.map(({ action, role, actor, reason, revision }) => [action, role, actor, reason, revision])).toEqual([
      ["deploy", "deploy", "deploy", "first start", 1],
      ["change", "admin", "ana", "too slow", 2],
      ...[
        ["pause", 3],
        ["stop-joins", 3],
        ["allow-joins", 3],
        ["under-attack", 3],
        ["sold-out", 3],
        ["reset", 3],
      ].map(([action, revision]) => [action, "operator", AUTHOR.name, AUTHOR.reason, revision]),
    ]);
    expect(entries.slice(1)).toMatchObject([
      { before: { total_active_users: 5, message: "" }, after: { total_active_users: 2, message: "Soon" } },
      { before: { queue_all: false }, after: { queue_all: true } },
      { before: { joins_stopped: false }, after: { joins_stopped: true } },
      { before: { joins_stopped: true }, after: { joins_stopped: false } },
      { before: { under_attack: false }, after: { under_attack: true } },
      { before: { ended: false }, after: { ended: true } },
      { before: { generation: 1, ended: true }, after: { generation: 2, ended: false } },
    ]);
    expect(entries.map(({ id }) => id)).toEqual(entries.map((_, i) => i + 1));
  });

  it("[ADMIN-13][ROOM-1] is stored with the act or not at all, survives, and is read a page at a time", async () => {
    const room = new RoomUnderTest();
    for (let i = 0; i < 5; i++) okOf(await room.change({ message: `step ${i}` }));
    await room.evict();
    const newest = okOf(await room.run((inside) => inside.audit({ before: null, limit: 2 })));
    const next = okOf(await room.run((inside) => inside.audit({ before: newest[1]?.id ?? 0, limit: 2 })));
    expect([...newest, ...next].map(({ after }) => after["message"])).toEqual(["step 4", "step 3", "step 2", "step 1"]);
  });
});

describe("a request repeated under a key", () => {
  const once = (key: string, print = "p"): Once => ({ key, print });

  it("[ADMIN-12] is done once, also after the Room was restarted, and hears the same answer", async () => {
    const room = new RoomUnderTest();
    const change = () => room.change({ message: "Soon" }, { actor: callerOf("ana", "", { once: once("k") }) });
    const first = await change();
    okOf(await room.change({ message: "Later" }));
    await room.evict();
    expect(await change()).toEqual({ ...first, replayed: true });
    expect((await room.describe()).settings["message"]).toBe("Later");
  });

  it("[ADMIN-12] is another's with another name, refused with another content, and forgotten after a day; refusals are not kept", async () => {
    const room = new RoomUnderTest();
    const change = (message: string, name: string, print = "p") =>
      room.change({ message }, { actor: callerOf(name, "", { once: once("k", print) }) });
    okOf(await change("A", "ana"));
    okOf(await change("B", "ben"));
    expect((await room.describe()).settings["message"]).toBe("B");
    expect(await change("C", "ana", "q")).toEqual({ as: "key-reused" });
    room.wall += 25 * 3_600_000;
    // A jump of a clock that runs would be doubted.
    await room.evict();
    okOf(await change("D", "someone"));
    okOf(await change("C", "ana", "q"));
    const bad = (value: unknown) =>
      room.change({ total_active_users: value }, { actor: callerOf("eve", "", { once: once("x", String(value)) }) });
    expect((await bad(-1)).as).toBe("invalid");
    expect((await bad(3)).as).toBe("ok");
  });
});

describe("restoring", () => {
  it("[ADMIN-14] makes what held at a revision hold again, as a revision of its own; the file likewise", async () => {
    const room = new RoomUnderTest({ title: "Shop" });
    okOf(await room.change({ message: "Soon", total_active_users: 2 }));
    const changed = okOf(await room.change({ message: "Later", new_users_per_minute: 6 }));
    expect(changed).toMatchObject({ changed: true, undo: { restore: 2 }, overrides: { message: "Later" }, file: { message: "" } });
    expect(okOf(await restore(room, 2))).toMatchObject({
      revision: 4,
      overrides: { message: "Soon", total_active_users: 2 },
      undo: { restore: 3 },
    });
    expect(okOf(await restore(room, 2))).toMatchObject({ revision: 4, changed: false, undo: null });
    expect(okOf(await restore(room, "file"))).toMatchObject({ revision: 5, overrides: {}, file: {} });
    expect(await restore(room, 99)).toEqual({ as: "unknown-revision" });
    expect(await restore(room, 2, 4)).toEqual({ as: "conflict", revision: 5 });
    expect((await auditOf(room)).slice(0, 2).map(({ action, reason }) => [action, reason])).toEqual([
      ["apply-file", "test"],
      ["restore", "test"],
    ]);
  });

  it("[ADMIN-14] leaves alone what only a deployment may change", async () => {
    const room = new RoomUnderTest({ host: "shop.example.com" });
    okOf(await room.change({ message: "Soon" }));
    room.deploy({ host: "shop.example.org" });
    await room.evict();
    expect(okOf(await restore(room, 1)).settings).toMatchObject({ host: "shop.example.org", message: "" });
  });
});

it("[ADMIN-13] entries that are too long for one reply come in more pages, and all of them", async () => {
  const room = new RoomUnderTest();
  await room.exchange();
  await room.run((_, { storage }) =>
    storage.sql.exec(
      "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 9) INSERT INTO audit SELECT i, at, " +
        "json_set(entry, '$.reason', hex(zeroblob(750000))) FROM n, audit WHERE id = 1",
    ),
  );
  const found: number[][] = [];
  for (let before: number | null = null; before !== 1; before = found.at(-1)?.at(-1) ?? 1)
    found.push(okOf(await room.run((inside) => inside.audit({ before, limit: 1_000 }))).map(({ id }) => id));
  expect(found).toEqual([
    [9, 8],
    [7, 6],
    [5, 4],
    [3, 2, 1],
  ]);
});

describe("a forecast", () => {
  const foresee = async (room: RoomUnderTest, changes: Record<string, unknown>) =>
    okOf(
      await room.run((inside) => inside.foresee({ as: "change", change: { changes, ifRevision: null, replace: false, actor: OPERATOR } })),
    );

  it("[ADMIN-15] tells the wait of a newcomer and how many will be inside, and changes nothing", async () => {
    const room = new RoomUnderTest({ total_active_users: 1_000, new_users_per_minute: 60 });
    await room.join(...Array.from({ length: 120 }, (_, i) => `v${i}`));
    const { waiting, called } = await room.stats();
    expect(waiting + called).toBe(120);
    const before = await room.dump();
    const told = await foresee(room, { new_users_per_minute: 120 });
    expect(told).toMatchObject({
      dry_run: true,
      would_change: true,
      before: { new_users_per_minute: 60 },
      after: { new_users_per_minute: 120 },
      outlook: {
        before: { newcomer_wait_minutes: 2, entering_per_minute: 60, expected_inside: 120, limited_by: "rate" },
        after: { newcomer_wait_minutes: 1, entering_per_minute: 120, expected_inside: 240, limited_by: "rate" },
      },
      visit_minutes: 2,
      visit_minutes_measured: false,
    });
    expect((await foresee(room, { total_active_users: 20 })).outlook.after).toMatchObject({
      entering_per_minute: 9,
      expected_inside: 18,
      limited_by: "capacity",
    });
    expect((await foresee(room, { queue_all: true })).outlook.after).toMatchObject({ newcomer_wait_minutes: null, limited_by: "stopped" });
    expect((await foresee(room, {})).would_change).toBe(false);
    const full = okOf(await room.run((inside) => inside.foresee({ as: "switch", name: "full-rate" })));
    expect(full.would_change).toBe(false);
    const switched = okOf(await room.run((inside) => inside.foresee({ as: "switch", name: "flush" })));
    expect(switched).toMatchObject({ counts: { waiting }, outlook: { after: { newcomer_wait_minutes: 0 } } });
    expect((await room.describe()).revision).toBe(1);
    expect(kept(await room.dump())).toEqual(kept(before));
    await room.turn("sold-out");
    const anew = okOf(await room.run((inside) => inside.foresee({ as: "switch", name: "reset" })));
    expect(anew.outlook).toMatchObject({ before: { limited_by: "stopped" }, after: { newcomer_wait_minutes: 0 } });
  });

  it("[ADMIN-15] warns where fewer places are asked for than are taken, and refuses what the change would be refused for", async () => {
    const room = new RoomUnderTest();
    await room.exchange();
    room.wall += 10_000;
    await room.exchange({ joins: [joinOf("a", true), joinOf("b", true)] });
    expect((await room.stats()).inside).toBe(2);
    const { warnings } = await foresee(room, { total_active_users: 1 });
    expect(warnings).toMatchObject([{ setting: "total_active_users", warning: expect.stringContaining("until 2 have left") }]);
    const refused = await room.run((inside) =>
      inside.foresee({ as: "change", change: { changes: { typo: 1 }, ifRevision: null, replace: false, actor: OPERATOR } }),
    );
    expect(refused).toMatchObject({ as: "invalid", problems: [{ setting: "typo" }] });
    const attacked = await room.run((inside) => inside.foresee({ as: "switch", name: "under-attack" }));
    expect(attacked).toEqual(await room.run((inside) => inside.turn("under-attack", OPERATOR, null)));
  });
});

it("[ADMIN-13] a full storage still lets the operator stop what needs no row, without its record", async () => {
  const room = new RoomUnderTest();
  await room.exchange();
  const done = await room.shadowed(
    ({ storage }) => {
      const exec = storage.sql.exec.bind(storage.sql) as (query: string, ...values: unknown[]) => unknown;
      return {
        exec: (query, ...values) => {
          if (/^INSERT INTO/.test(query)) throw new Error("database or disk is full: SQLITE_FULL");
          return exec(query, ...values);
        },
      };
    },
    (inside) => inside.turn("stop-joins", OPERATOR, null),
  );
  expect(done).toMatchObject({ as: "ok", value: { changed: true } });
  expect((await auditOf(room)).map(({ action }) => action)).toEqual(["deploy"]);
});
