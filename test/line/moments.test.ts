/** Who was told "one moment", against a list that is looked through. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Moments } from "../../durable/line/moments";

const slot = fc.nat(20);
const act = fc.oneof(
  fc.record({ do: fc.constant("add" as const), slot, ends: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ do: fc.constant("delete" as const), slot }),
  fc.record({ do: fc.constant("expire" as const), afterMs: fc.nat(20) }),
  fc.record({ do: fc.constant("clear" as const) }),
);

test("[LINE-3] moments: whatever comes, how many are before a slot, and who is left when their end has come", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const moments = new Moments();
      let list: { slot: number; expiresAt: number }[] = [];
      let now = 0;
      for (const one of acts) {
        if (one.do === "add") {
          const expiresAt = now + one.ends;
          moments.add(one.slot, expiresAt);
          const before = list.find((each) => each.slot === one.slot)?.expiresAt ?? 0;
          list = [...list.filter((each) => each.slot !== one.slot), { slot: one.slot, expiresAt: Math.max(before, expiresAt) }];
        } else if (one.do === "delete") {
          moments.delete(one.slot);
          list = list.filter((each) => each.slot !== one.slot);
        } else if (one.do === "expire") {
          now += one.afterMs;
          moments.expire(now);
          list = list.filter(({ expiresAt }) => expiresAt > now);
        } else {
          moments.clear();
          list = [];
        }
        expect(moments.size).toBe(list.length);
        for (let at = 0; at <= 21; at += 1) expect(moments.before(at)).toBe(list.filter((each) => each.slot < at).length);
      }
    }),
    { numRuns: 500 },
  );
});

test("[LINE-3] moments: two hundred thousand of them, as after the rate of the fastest room was lowered, end one by one", () => {
  const moments = new Moments();
  const count = 200_000;
  for (let slot = 0; slot < count; slot += 1) moments.add(slot, 1_000 + slot);
  for (let now = 999; now <= 1_099; now += 1) {
    moments.expire(now);
    expect(moments.size).toBe(count - (now - 999));
  }
  expect(moments.before(count)).toBe(count - 100);
});
