/** Rate and capacity that go to their value in steps: one revision, one entry of the audit log, kept through evictions, stopped, undone. */
import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../src/core/audit";
import { OPERATOR, okOf, RoomUnderTest, T } from "../support/room";

const MINUTE = 60_000;
const auditOf = async (room: RoomUnderTest): Promise<readonly AuditEntry[]> =>
  okOf(await room.run((inside) => inside.audit({ before: null, limit: 20 })));
const inForce = async (room: RoomUnderTest) => {
  const { rate_per_minute, capacity, new_users_per_minute, total_active_users } = await room.stats();
  return [rate_per_minute, capacity, new_users_per_minute, total_active_users];
};

describe("ramp_minutes", () => {
  it("[ADMIN-23] is one revision and one entry of the audit log, goes on by itself through evictions, and is undone as one", async () => {
    const room = new RoomUnderTest();
    const done = okOf(await room.change({ new_users_per_minute: 120, total_active_users: 15 }, { rampMs: 2 * MINUTE }));
    expect(done).toMatchObject({ changed: true, revision: 2, undo: { restore: 1 }, settings: { new_users_per_minute: 120 } });
    room.wall += MINUTE - 5_000;
    await room.evict();
    expect(await inForce(room)).toEqual([90, 10, 120, 15]);
    expect((await room.stats()).ramp).toEqual({
      since: new Date(room.wall - MINUTE + 5_000).toISOString(),
      until: new Date(room.wall + MINUTE + 5_000).toISOString(),
      new_users_per_minute: { from: 60, to: 120 },
      total_active_users: { from: 5, to: 15 },
    });
    room.wall += 2 * MINUTE;
    await room.evict();
    expect(await inForce(room)).toEqual([120, 15, 120, 15]);
    const [entry, ...older] = await auditOf(room);
    expect(entry).toMatchObject({
      action: "change",
      revision: 2,
      before: { new_users_per_minute: 60, total_active_users: 5 },
      after: { new_users_per_minute: 120, total_active_users: 15, ramp_minutes: 2 },
    });
    expect(older).toHaveLength(1);
    okOf(await room.run((inside) => inside.restore({ to: 1, ifRevision: 2, actor: OPERATOR })));
    expect(await inForce(room)).toEqual([60, 5, 60, 5]);
  });

  it("[LINE-8][EVENT-3] an event that names the very values that the room's lead to has them from its beginning", async () => {
    const at = (minutes: number) => new Date(T + minutes * MINUTE).toISOString();
    const own = { new_users_per_minute: 120, total_active_users: 15 };
    const room = new RoomUnderTest({ events: [{ name: "sale", event_start_time: at(1), event_end_time: at(2), ...own }] });
    await room.change(own, { rampMs: 10 * MINUTE });
    expect((await inForce(room))[0]).toBeLessThan(62);
    room.wall += MINUTE;
    expect(await inForce(room)).toEqual([120, 15, 120, 15]);
    room.wall += MINUTE;
    expect((await inForce(room))[0]).toBeLessThan(75);
  });

  it("[ADMIN-23] PUT of what GET gave leaves it alone; restoring what was before ends it; stop-ramp keeps where it is", async () => {
    const room = new RoomUnderTest();
    await room.change({ new_users_per_minute: 120 }, { rampMs: 2 * MINUTE });
    const { settings } = await room.describe();
    expect(okOf(await room.change(settings, { replace: true })).changed).toBe(false);
    room.wall += MINUTE - 5_000;
    expect(await inForce(room)).toEqual([90, 5, 120, 5]);
    const told = okOf(await room.run((inside) => inside.foresee({ as: "switch", name: "stop-ramp" })));
    expect(told).toMatchObject({ would_change: true, before: { new_users_per_minute: 120 }, after: { new_users_per_minute: 90 } });
    expect(await inForce(room)).toEqual([90, 5, 120, 5]);
    expect(await room.turn("stop-ramp")).toMatchObject({ changed: true, revision: 3, undo: null });
    expect(await room.turn("stop-ramp")).toMatchObject({ changed: false });
    room.wall += 5 * MINUTE;
    expect(await inForce(room)).toEqual([90, 5, 90, 5]);
    expect((await auditOf(room)).map(({ action, revision }) => [action, revision]).slice(0, 2)).toEqual([
      ["stop-ramp", 3],
      ["change", 2],
    ]);
    await room.change({ new_users_per_minute: 300 }, { rampMs: 2 * MINUTE });
    okOf(await room.run((inside) => inside.restore({ to: 3, ifRevision: 4, actor: OPERATOR })));
    expect([await inForce(room), (await room.stats()).ramp]).toEqual([[90, 5, 90, 5], null]);
    // At its last step it is where the settings say: nothing is left to set, and the revision is not the switch's.
    await room.change({ new_users_per_minute: 120 }, { rampMs: MINUTE });
    room.wall += MINUTE - 1_000;
    expect(await room.turn("stop-ramp")).toMatchObject({ changed: true, revision: null });
    expect((await room.stats()).ramp).toBeNull();
  });

  it("[ADMIN-23] an alarm is set as long as people wait and the rate is above nothing, also on its way down to it", async () => {
    const room = new RoomUnderTest({ total_active_users: 1 });
    await room.join("a", "b");
    await room.change({ new_users_per_minute: 0 }, { rampMs: 2 * MINUTE });
    await room.exchange();
    expect(await room.alarmAt()).not.toBeNull();
    expect((await room.exchange()).manifest.phase).toBe("open");
  });
});
