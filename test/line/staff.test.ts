/** Staff links in the Room: passes by link, places of all of them together, and what stays of both. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeLink, overAt, type StoredStaffLink, staffPlacesTaken, useStaffLink } from "../../durable/line/staff";
import { staffPassCounts } from "../../src/core/staff";
import type { StaffClaims } from "../../src/core/token-types";

const HOUR = 3_600_000;
const BOUND = 5_000;
const by = { name: "admin token", reason: "" };
const link = (over: Partial<StoredStaffLink> = {}): StoredStaffLink => ({
  id: 1,
  label: "press",
  uses: 2,
  madeAt: 0,
  madeBy: by,
  expiresAt: HOUR,
  passes: [],
  revoked: null,
  ...over,
});

describe("staff links", () => {
  test("[STAFF-2] a link gives as many passes as it says, each browser one however often it asks, until it ends", () => {
    let one = link();
    const use = (key: string, now = 1_000) => {
      const { verdict, changed } = useStaffLink([one], { id: 1, key, staffPlaces: 10, now });
      one = changed ?? one;
      return "why" in verdict ? verdict.why : verdict.as;
    };
    expect(["a", "a", "b", "c", "b", "a"].map((key) => use(key))).toEqual(["entered", "entered", "entered", "used", "entered", "entered"]);
    expect(one.passes.map(({ key }) => key)).toEqual(["a", "b"]);
    expect([use("a", HOUR - 1), use("a", HOUR), use("d", HOUR)]).toEqual(["entered", "over", "over"]);
    one = { ...one, revoked: { at: 2_000, until: 7_000, by } };
    expect([use("a"), use("d")]).toEqual(["over", "over"]);
    expect(useStaffLink([one], { id: 2, key: "a", staffPlaces: 10, now: 0 }).verdict).toEqual({ as: "refused", why: "over" });
    expect(describeLink(one, 3_000)).toMatchObject({
      state: "revoked",
      used: 2,
      used_at: ["1970-01-01T00:00:01.000Z", "1970-01-01T00:00:01.000Z"],
    });
    expect([describeLink(link(), HOUR - 1).state, describeLink(link(), HOUR).state]).toEqual(["live", "expired"]);
  });

  test("[STAFF-2] P1 whatever is made, used and revoked, passes that an edge may take never exceed staff_places nor a link's uses", () => {
    const step = fc.record({
      as: fc.constantFrom("make", "use", "use", "use", "revoke"),
      id: fc.integer({ min: 1, max: 4 }),
      key: fc.constantFrom("a", "b", "c", "d", "e"),
      uses: fc.integer({ min: 1, max: 3 }),
      after: fc.constantFrom(0, 1_000, 4_000, 11_000, HOUR / 4),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 0, max: 4 }), (steps, staffPlaces) => {
        const links = new Map<number, StoredStaffLink>();
        let now = 0;
        for (const { as, id, key, uses, after } of steps) {
          now += after;
          const known = links.get(id);
          if (as === "make" && known === undefined) links.set(id, link({ id, uses, madeAt: now, expiresAt: now + HOUR }));
          if (as === "revoke" && known?.revoked === null) links.set(id, { ...known, revoked: { at: now, until: now + BOUND, by } });
          if (as === "use") {
            const { changed } = useStaffLink([...links.values()], { id, key, staffPlaces, now });
            if (changed !== null) links.set(id, changed);
          }
          // An edge whose clock is late and that has not heard yet takes them still.
          const taken = [...links.values()].filter(
            ({ expiresAt, revoked }) => now < expiresAt + 10_000 && (revoked === null || now < revoked.at + BOUND),
          );
          expect(taken.reduce((sum, { passes }) => sum + passes.length, 0)).toBeLessThanOrEqual(staffPlaces);
          for (const each of links.values()) expect(each.passes.length).toBeLessThanOrEqual(each.uses);
        }
      }),
    );
  });

  test("[STAFF-2] places of a link are free once every edge knows: the bound after it was revoked, or ten seconds after its end", () => {
    const held = link({ passes: [{ key: "a", at: 0 }] });
    const revoked = { ...held, id: 2, revoked: { at: 1_000, until: 1_000 + BOUND, by } };
    expect([overAt(held), overAt(revoked), overAt({ ...revoked, expiresAt: 0 })]).toEqual([HOUR + 10_000, 6_000, 6_000]);
    expect([5_999, 6_000, HOUR + 9_999, HOUR + 10_000].map((now) => staffPlacesTaken([held, revoked], now))).toEqual([2, 1, 1, 0]);
  });

  test("[STAFF-3] at the edge a pass counts while its link is not revoked and the Room was heard of; a link is no pass", () => {
    const pass: StaffClaims = { kind: "staff", room: "r", link: 7, key: "k", iat: 0, exp: 1 };
    const own = { staffPlaces: 1, sessionDurationMs: 600_000 };
    expect(staffPassCounts(pass, {}, 0, own)).toBe(true);
    expect(staffPassCounts(pass, { staffRevoked: [6, 8] }, 600_000, own)).toBe(true);
    expect(staffPassCounts(pass, { staffRevoked: [6, 7] }, 0, own)).toBe(false);
    expect(staffPassCounts(pass, {}, 600_001, own)).toBe(false);
    expect(staffPassCounts(pass, null, 0, own)).toBe(false);
    expect(staffPassCounts({ ...pass, key: null }, {}, 0, own)).toBe(false);
    expect(staffPassCounts(pass, {}, 0, { ...own, staffPlaces: 0 })).toBe(false);
  });
});
