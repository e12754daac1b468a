/** Field cases of the Room that no other test is about, each by its number in docs/security.md. */
import { describe, expect, it } from "vitest";
import type { OperatorSettings, Revision } from "../../src/core/admin";
import { isConserved } from "../support/conserved";
import { seeded } from "../support/line-world";
import { populate } from "../support/populated";
import { callerOf, okOf, RoomUnderTest } from "../support/room";

describe("what the operator sees", () => {
  it("[P6] C8 all numbers of the line come from one instant and add up, with how far the line is and what blocks it", async () => {
    const { room, total } = await populate();
    const stats = await room.stats();
    expect(isConserved(stats)).toBe(true);
    expect(stats).toMatchObject({
      issued: total,
      admitted_epoch: expect.any(Number),
      waiting: expect.any(Number),
      inside: expect.any(Number),
      lapsed: expect.any(Number),
      new_users_per_minute: 600,
      entered_last_minute: expect.any(Number),
      now: new Date(room.wall).toISOString(),
      blocked_by: { code: expect.any(String), sentence: expect.any(String) },
    });
  });

  it("[ROOM-7] W16 what holds can be rebuilt from the revisions alone, and none of them is ever changed", async () => {
    const random = seeded(16);
    const file = { message: "Welcome", title: "Shop" };
    const room = new RoomUnderTest(file);
    const plain = (await room.describe()).settings;
    let known: readonly Revision[] = [];
    for (let step = 0; step < 30; step++) {
      room.wall += 1_000;
      const changes: OperatorSettings[] = [
        { total_active_users: 1 + Math.floor(random() * 9) },
        { message: random() < 0.5 ? null : `step ${step}` },
        { queue_all: random() < 0.5 },
        { title: null, new_users_per_minute: Math.floor(random() * 5) * 60 },
      ];
      const change = changes[Math.floor(random() * changes.length)] ?? {};
      if (random() < 0.2) await room.turn(random() < 0.5 ? "pause" : "resume");
      else okOf(await room.change(change, { replace: random() < 0.2, actor: callerOf(`operator ${step}`, `because ${step}`) }));
      if (random() < 0.3) await room.evict();
      const revisions = okOf(await room.run((inside) => inside.revisions()));
      expect(revisions.slice(revisions.length - known.length)).toEqual(known);
      expect(revisions.map(({ revision }) => revision)).toEqual(revisions.map((_, i) => revisions.length - i));
      expect({ ...plain, ...revisions[0]?.overrides }).toEqual((await room.describe()).settings);
      known = revisions;
    }
    expect(known.length).toBeGreaterThan(10);
    expect(known.filter(({ actor, reason }) => actor === "" || typeof reason !== "string")).toEqual([]);
  });
});
