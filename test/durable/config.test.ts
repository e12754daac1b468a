/** Settings: what the file says, what is changed live, and the revisions that come of it. */
import { describe, expect, it, vi } from "vitest";
import type { OperatorSettings, Revision } from "../../src/core/admin";
import { callerOf, OPERATOR, okOf, RoomUnderTest, T } from "../support/room";

async function revisionsOf(room: RoomUnderTest): Promise<readonly Revision[]> {
  return okOf(await room.run((inside) => inside.revisions()));
}

async function isPaused(room: RoomUnderTest): Promise<boolean> {
  return (await room.exchange()).manifest.phase === "paused";
}

describe("live settings", () => {
  it("[ROOM-7] begin as the file's, at revision 1 by the deploy", async () => {
    const room = new RoomUnderTest({ title: "Shop" });
    const description = await room.describe();
    expect(description).toMatchObject({ room: room.name, generation: 1, revision: 1, overrides: {} });
    expect(description.settings).toMatchObject({ title: "Shop", total_active_users: 5, queue_capacity: "off", reserve_seconds: 20 });
    expect(await revisionsOf(room)).toEqual([
      { revision: 1, at: "2100-01-01T00:00:00.000Z", actor: "deploy", reason: "first start", overrides: {} },
    ]);
  });

  it("[ROOM-7][P8] W16 win over the file from the very next step, and make a revision with actor and reason", async () => {
    const room = new RoomUnderTest();
    await room.exchange();
    room.wall += 1_000;
    const description = okOf(await room.change({ total_active_users: 2, message: "Soon" }, { actor: callerOf("ana", "site is slow") }));
    expect(description).toMatchObject({ revision: 2, overrides: { total_active_users: 2, message: "Soon" } });
    expect((await room.exchange()).manifest).toMatchObject({ config: 2, message: "Soon" });
    expect(await room.run((inside) => inside.config(2))).toMatchObject({ revision: 2, settings: { totalActiveUsers: 2 } });
    expect((await revisionsOf(room))[0]).toEqual({
      revision: 2,
      at: new Date(T + 1_000).toISOString(),
      actor: "ana",
      reason: "site is slow",
      overrides: { total_active_users: 2, message: "Soon" },
    });
  });

  it("[ROOM-7][P7] survive eviction, and one field goes back to the file's value with null", async () => {
    const room = new RoomUnderTest();
    okOf(await room.change({ total_active_users: 2, message: "Soon" }));
    await room.evict();
    expect((await room.describe()).overrides).toEqual({ total_active_users: 2, message: "Soon" });
    const description = okOf(await room.change({ message: null }));
    expect(description).toMatchObject({ revision: 3, overrides: { total_active_users: 2 }, settings: { message: "" } });
  });

  it("[ROOM-7][P8] each says how soon every edge acts on it: by what the edges know, not by what is set with it", async () => {
    const room = new RoomUnderTest();
    const within = async (changes: OperatorSettings) => okOf(await room.change(changes)).effective_within_seconds;
    expect(await within({ revoke_bound_seconds: 60 })).toBe(5);
    room.wall += 10_000;
    expect(await within({ message: "Soon" })).toBe(60);
    expect(await within({ revoke_bound_seconds: 3 })).toBe(60);
    room.wall += 10_000;
    expect(await within({ message: "Later" })).toBe(50);
    room.wall += 60_000;
    expect(await within({ message: "Now" })).toBe(3);
  });

  it("[PAGE-25] the message's time is that of its last change, in any language, over other changes and an eviction; without one there is none", async () => {
    const room = new RoomUnderTest();
    const messageAt = async () => (await room.exchange()).manifest.messageAt;
    const changed = async (changes: OperatorSettings) => {
      room.wall += 60_000;
      okOf(await room.change(changes));
      return messageAt();
    };
    expect(await messageAt()).toBeUndefined();
    expect(await changed({ message: "Soon" })).toBe(T + 60_000);
    expect(await changed({ total_active_users: 2 })).toBe(T + 60_000);
    await room.evict();
    expect(await messageAt()).toBe(T + 60_000);
    expect(await changed({ messages: { de: "Bald" } })).toBe(T + 180_000);
    expect(await changed({ message: "Later" })).toBe(T + 240_000);
    expect(await changed({ message: null, messages: null })).toBeUndefined();
    expect(await changed({ message: "Soon" })).toBe(T + 360_000);
    // However many revisions there are, a change reads none but those it needs.
    const read: string[] = [];
    await room.shadowed(
      ({ storage }) => {
        const exec = storage.sql.exec.bind(storage.sql) as (query: string, ...values: unknown[]) => unknown;
        return {
          exec: (query, ...values) => {
            read.push(query);
            return exec(query, ...values);
          },
        };
      },
      (inside) => inside.change({ changes: { total_active_users: 3 }, ifRevision: null, replace: false, actor: OPERATOR }),
    );
    expect(read.filter((query) => /SELECT.*FROM revisions/s.test(query))).toEqual([]);
  });

  it("[ROOM-7] [PAGE-25] the newest 1,000 revisions are kept, and the one that tells since when the message stands; each can be restored", async () => {
    const room = new RoomUnderTest();
    await room.describe();
    room.wall += 60_000;
    okOf(await room.change({ message: "Soon" }));
    room.wall += 60_000;
    okOf(await room.change({ total_active_users: 2 }));
    // As if somebody had turned the rate a thousand times.
    await room.run((_, { storage }) =>
      storage.sql.exec(
        "WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 1003) " +
          "INSERT INTO revisions SELECT i, at + i, actor, 'turned', overrides, effective FROM n, revisions WHERE revision = 3",
      ),
    );
    await room.evict();
    room.wall += 60_000;
    expect(okOf(await room.change({ total_active_users: 3 })).revision).toBe(1_004);
    const all = okOf(await room.run((inside) => inside.revisions({ before: null, limit: 2_000 }))).map(({ revision }) => revision);
    expect([all[0], all.at(-2), all.at(-1), all.length]).toEqual([1_004, 5, 2, 1_001]);
    await room.evict();
    expect((await room.exchange()).manifest.messageAt).toBe(T + 60_000);
    const restored = await room.run((inside) => inside.restore({ to: 5, ifRevision: null, actor: OPERATOR }));
    expect(okOf(restored).settings["total_active_users"]).toBe(2);
    expect(await room.run((inside) => inside.restore({ to: 4, ifRevision: null, actor: OPERATOR }))).toMatchObject({
      as: "unknown-revision",
    });
  });

  it("[ROOM-8] C15 put back as they were read change nothing, and make no revision", async () => {
    const room = new RoomUnderTest({ additional_routes: [{ host: "b.example.com", path: "/x" }], trusted_networks: ["192.0.2.0/24"] });
    okOf(await room.change({ message: "Soon" }));
    const { settings } = await room.describe();
    const description = okOf(await room.change(settings, { replace: true, ifRevision: 2 }));
    expect(description).toMatchObject({ revision: 2, overrides: { message: "Soon" }, settings });
    expect(okOf(await room.change({ message: "Soon" })).revision).toBe(2);
    expect(okOf(await room.change({})).revision).toBe(2);
    expect(await revisionsOf(room)).toHaveLength(2);
  });

  it("[ROOM-8] that a replacement does not name go back to the file's values", async () => {
    const room = new RoomUnderTest({ message: "Welcome" });
    okOf(await room.change({ message: "Soon", total_active_users: 2 }));
    const description = okOf(await room.change({ total_active_users: 3 }, { replace: true }));
    expect(description).toMatchObject({ revision: 3, overrides: { total_active_users: 3 }, settings: { message: "Welcome" } });
  });

  it("[ROOM-8] W15 are refused when somebody else changed them meanwhile", async () => {
    const room = new RoomUnderTest();
    okOf(await room.change({ message: "Soon" }, { ifRevision: 1 }));
    expect(await room.change({ message: "Later" }, { ifRevision: 1 })).toEqual({ as: "conflict", revision: 2 });
    expect((await room.describe()).settings).toMatchObject({ message: "Soon" });
  });

  it.each<[string, OperatorSettings, readonly string[]]>([
    ["a typo", { total_active_user: 3 }, ["total_active_user"]],
    ["a typo with null", { total_active_user: null }, ["total_active_user"]],
    ["an absurd value", { total_active_users: -1, max_calls: 0 }, ["total_active_users", "max_calls"]],
    ["values that do not fit together", { session_duration: 0.5 }, ["pass_refresh_seconds"]],
    ["something not built yet", { rules: [] }, ["rules"]],
    ["another host", { host: "shop.example.com" }, ["host"]],
    ["another path", { path: "/checkout" }, ["path"]],
    ["another place for the object", { location_hint: "weur" }, ["location_hint"]],
  ])("[ROOM-8] refuse %s by name, and stay as they are", async (_, changes, names) => {
    const room = new RoomUnderTest();
    const result = await room.change(changes);
    expect(result.as).toBe("invalid");
    if (result.as !== "invalid") return;
    expect(result.problems.map(({ setting }) => setting)).toEqual(names);
    expect((await room.describe()).revision).toBe(1);
  });

  it.each<[string, OperatorSettings]>([
    ["cookie_domain", { cookie_domain: "example.com" }],
    ["partitioned_cookies", { partitioned_cookies: true }],
  ])("[ROOM-9] keep %s while anybody waits or is inside, unless forced", async (setting, changes) => {
    const room = new RoomUnderTest({ host: "shop.example.com" });
    await room.join("a");
    expect(await room.change(changes)).toMatchObject({ as: "invalid", problems: [{ setting }] });
    // Everything else may change, and the same value again is no change.
    okOf(await room.change({ message: "Soon", [setting]: (await room.describe()).settings[setting] }));
    expect(okOf(await room.change(changes, { force: true })).settings).toMatchObject(changes);
    await room.turn("flush");
    expect(okOf(await room.change({ [setting]: null })).overrides).not.toHaveProperty(setting);
  });
});

describe("a deploy", () => {
  it("[ROOM-10] that changes the file is a revision; one that does not is none", async () => {
    const room = new RoomUnderTest();
    okOf(await room.change({ message: "Soon" }));
    await room.evict();
    expect((await room.exchange()).manifest.config).toBe(2);
    room.deploy({ total_active_users: 7 });
    await room.evict();
    expect((await room.exchange()).manifest.config).toBe(3);
    expect(await room.describe()).toMatchObject({ overrides: { message: "Soon" }, settings: { total_active_users: 7, message: "Soon" } });
    expect((await revisionsOf(room))[0]).toMatchObject({ revision: 3, actor: "deploy", overrides: { message: "Soon" } });
  });

  it("[ROOM-10] does not undo what is set live, and a live value moved into the file follows the file from then on", async () => {
    const room = new RoomUnderTest();
    okOf(await room.change({ total_active_users: 7, message: "Soon" }));
    room.deploy({ total_active_users: 6 });
    await room.evict();
    expect((await room.describe()).settings).toMatchObject({ total_active_users: 7 });
    room.deploy({ total_active_users: 7, title: "Shop" });
    await room.evict();
    expect((await room.describe()).overrides).toEqual({ message: "Soon" });
    room.deploy({ total_active_users: 8 });
    await room.evict();
    expect((await room.describe()).settings).toMatchObject({ total_active_users: 8, message: "Soon" });
  });

  it("[ROOM-10] that no longer fits the live values leaves in force what was", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const room = new RoomUnderTest();
    okOf(await room.change({ session_duration: 1, queue_all: true }));
    room.deploy({ session_duration: 10, pass_refresh_seconds: 30 });
    await room.evict();
    const description = await room.describe();
    expect(description).toMatchObject({ revision: 2, settings: { session_duration: 1, pass_refresh_seconds: 15, queue_all: true } });
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("pass_refresh_seconds"));
    log.mockRestore();
    // The operator can put it right live.
    expect(okOf(await room.change({ session_duration: null }))).toMatchObject({
      overrides: { queue_all: true },
      settings: { session_duration: 10, pass_refresh_seconds: 30 },
    });
  });

  it("[ROOM-10] of code that no longer knows a live value drops that value only", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const room = new RoomUnderTest();
    okOf(await room.change({ queue_all: true }));
    await room.run((_, { storage }) =>
      storage.sql.exec(
        `UPDATE revisions SET overrides = '{"queue_all":true,"old_name":1}', effective = json_set(effective, '$.old_name', 1) WHERE revision = 2`,
      ),
    );
    await room.evict();
    expect(await room.describe()).toMatchObject({ revision: 3, overrides: { queue_all: true } });
    expect((await revisionsOf(room))[0]).toMatchObject({ actor: "deploy", reason: expect.stringContaining("old_name") });
    expect(await isPaused(room)).toBe(true);
    log.mockRestore();
  });
});

describe("a room that is not configured", () => {
  it("[ROOM-12] is unknown to the operator, and an exchange says so; nothing is stored for it", async () => {
    const room = new RoomUnderTest();
    room.deploy(null);
    expect(await room.run((inside) => inside.describe())).toEqual({ as: "unknown-room" });
    expect(await room.run((inside) => inside.turn("pause", callerOf("x"), null))).toEqual({ as: "unknown-room" });
    await expect(room.exchange()).rejects.toThrow(`room ${room.name} is not in ROOMS`);
    expect(await room.dump()).toBe("[]");
  });

  it("[ROOM-12] rightly is refused with every problem by name", async () => {
    const room = new RoomUnderTest({ total_active_users: 0 });
    expect(await room.run((inside) => inside.stats())).toMatchObject({ as: "invalid", problems: [{ setting: "total_active_users" }] });
    await expect(room.exchange()).rejects.toThrow(/settings of room .* not valid: total_active_users/);
  });
});
