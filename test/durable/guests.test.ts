/**
 * What grows with people and so lives in storage alone, through evictions, failures and a new line: guests with their invitations, staff
 * links, and places made out anew after a key was revoked.
 */
import { describe, expect, it } from "vitest";
import { StoredStaff } from "../../durable/stored-staff";
import type { Guest, JoinVerdict, ReissueRequest } from "../../src/core/exchange";
import { AUTHOR, batchOf, joinOf, OPERATOR, okOf, RoomUnderTest } from "../support/room";

const by = (id: string, uses = 1): Guest => ({ invitation: { id, uses } });

async function joins(room: RoomUnderTest, ...guests: readonly (readonly [key: string, guest: Guest])[]): Promise<readonly JoinVerdict[]> {
  const asked = guests.map(([key, guest]) => ({ ...joinOf(key, false), guest }));
  return (await room.exchange({ joins: asked })).joins;
}
const told = (verdicts: readonly JoinVerdict[]) => verdicts.map((one) => ("why" in one ? one.why : "slot" in one ? one.slot : one.as));

describe("guests", () => {
  it("[DOOR-6] [P7] are known after every eviction, and invitations stay used", async () => {
    const room = new RoomUnderTest({ entry: "invited", queue_all: true });
    expect(told(await joins(room, ["a", by("i", 2)], ["b", by("i", 2)], ["c", by("i", 2)]))).toEqual([0, 1, "used"]);
    for (let i = 0; i < 3; i++) {
      await room.evict();
      expect(told(await joins(room, ["c", by("i", 2)], ["b", by("i", 2)], ["a", by("i", 2)]))).toEqual(["used", 1, 0]);
    }
    expect((await room.stats()).issued).toBe(2);
  });

  it("[DOOR-6] [ROOM-1] a step that fails uses nothing up, and repeated makes the same one place", async () => {
    const room = new RoomUnderTest({ entry: "invited", queue_all: true });
    await room.exchange();
    const fails = room.shadowed(
      ({ storage }) => {
        const exec = storage.sql.exec.bind(storage.sql) as (query: string, ...values: unknown[]) => unknown;
        return {
          exec: (query, ...values) => {
            if (query.includes("INTO invitations")) throw new Error("disk full");
            return exec(query, ...values);
          },
        };
      },
      (inside) => inside.exchange(batchOf({ joins: [{ ...joinOf("a", false), guest: by("i") }] })),
    );
    await expect(fails).rejects.toThrow("disk full");
    expect(told(await joins(room, ["b", by("i")]))).toEqual([0]);
    expect(told(await joins(room, ["a", by("i")], ["b", by("i")]))).toEqual(["used", 0]);
    expect((await room.stats()).issued).toBe(1);
  });

  it("[DOOR-6] [P7] whose place an emptying ended, waiting or called, get another, through evictions and further emptying; who had left does not", async () => {
    const room = new RoomUnderTest({ entry: "invited" });
    await room.exchange();
    room.wall += 20_000;
    await joins(room, ["a", by("i")]);
    await room.turn("pause");
    await joins(room, ["b", by("j")], ["left", by("l")]);
    await room.exchange({ leaves: [{ slot: 2, serial: 0 }] });
    expect(await room.stats()).toMatchObject({ called: 1, waiting: 1 });
    for (let i = 0; i < 2; i++) {
      await room.turn("flush");
      await room.evict();
    }
    expect(told(await joins(room, ["a", by("i")], ["b", by("j")], ["friend", by("i")]))).toEqual([3, 4, "used"]);
    expect(told(await joins(room, ["left", by("l")]))).toEqual(["used"]);
  });

  it("[DOOR-6] a new line counts anew", async () => {
    const room = new RoomUnderTest({ entry: "invited", queue_all: true });
    await joins(room, ["a", by("i")]);
    await room.turn("reset", room.name);
    expect(told(await joins(room, ["b", by("i")], ["a", by("i")]))).toEqual([0, "used"]);
  });

  it("[DOOR-1] the room that asks makes no place for a join that says nothing, whatever was lent before", async () => {
    const room = new RoomUnderTest({ total_active_users: 100 });
    await room.exchange();
    room.wall += 10_000;
    expect((await room.exchange({ leaseWanted: 5 })).lease).not.toBeNull();
    await room.change({ entry: "invited" });
    const reply = await room.exchange({ joins: [joinOf("a", true)], leaseWanted: 5 });
    expect([told(reply.joins), reply.lease]).toEqual([["stopped"], null]);
  });
});

describe("staff links", () => {
  const KEYS = ["a", "b", "c"] as const;
  const order = { label: "press", uses: 2, lifeMs: 3_600_000 };

  it("[STAFF-2] [P7] are counted through evictions and a new line; what is revoked is in the manifest until it would have ended", async () => {
    const room = new RoomUnderTest({ staff_places: 3 });
    const make = () => room.run((inside) => inside.makeStaffLink(order, OPERATOR));
    const use = async (id: number, key: string) => {
      const verdict = await room.run((inside) => inside.useStaffLink(id, key));
      return "why" in verdict ? verdict.why : verdict.as;
    };
    const [first, second] = [okOf(await make()), okOf(await make())];
    expect([first.id, second.id]).toEqual([1, 2]);
    expect(first).toMatchObject({ label: "press", state: "live", used: 0, made_by: AUTHOR });
    expect([await use(1, "a"), await use(1, "b"), await use(1, "c"), await use(2, "c"), await use(2, "d")]).toEqual([
      "entered",
      "entered",
      "used",
      "entered",
      "places",
    ]);
    await room.evict();
    expect([await use(1, "a"), await use(1, "c"), await use(2, "d")]).toEqual(["entered", "used", "places"]);
    expect((await room.exchange()).manifest.staffRevoked).toBeUndefined();
    const revoked = okOf(await room.run((inside) => inside.revokeStaffLink(1, OPERATOR)));
    expect(revoked).toMatchObject({ id: 1, state: "revoked", used: 2, revoked_by: AUTHOR });
    expect((await room.exchange()).manifest.staffRevoked).toEqual([1]);
    expect([await use(1, "a"), await use(2, "d")]).toEqual(["over", "places"]);
    await room.turn("reset", room.name);
    await room.evict();
    expect((await room.exchange()).manifest.staffRevoked).toEqual([1]);
    room.wall += 5_000;
    expect([await use(2, "d"), await use(2, "e")]).toEqual(["entered", "used"]);
    const listed = okOf(await room.run((inside) => inside.staffLinks()));
    expect(listed).toMatchObject({
      staff_places: 3,
      staff_places_taken: 2,
      links: [
        { id: 2, used: 2 },
        { id: 1, state: "revoked" },
      ],
    });
    expect((await room.stats()).issued).toBe(0);
    room.wall += 3_620_000;
    await room.evict();
    expect((await room.exchange()).manifest.staffRevoked).toBeUndefined();
    expect(okOf(await room.run((inside) => inside.staffLinks()))).toMatchObject({
      staff_places_taken: 0,
      links: [{ state: "expired" }, {}],
    });
  });

  it("[STAFF-1] need staff_places, are bounded, and unknown ones are said to be", async () => {
    const room = new RoomUnderTest();
    const make = () => room.run((inside) => inside.makeStaffLink(order, OPERATOR));
    expect(await make()).toMatchObject({ as: "invalid", problems: [{ setting: "staff_places" }] });
    await room.change({ staff_places: 1 });
    for (let i = 0; i < 64; i++) okOf(await make());
    await room.run((inside) => inside.revokeStaffLink(1, OPERATOR));
    expect(await make()).toMatchObject({ as: "invalid", problems: [{ setting: "label" }] });
    expect(await room.run((inside) => inside.revokeStaffLink(65, OPERATOR))).toEqual({ as: "unknown-link" });
    expect(await room.run((inside) => inside.useStaffLink(65, KEYS[0]))).toEqual({ as: "refused", why: "over" });
    room.wall += 3_600_000;
    await room.evict();
    expect(okOf(await make()).id).toBe(65);
  });

  it("[STAFF-1] [STAFF-2] a link whose passes count is kept, however many others were made and ended meanwhile", async () => {
    const room = new RoomUnderTest({ staff_places: 1 });
    const made = okOf(await room.run((inside) => inside.makeStaffLink({ ...order, lifeMs: 86_400_000 }, OPERATOR)));
    expect(await room.run((inside) => inside.useStaffLink(1, "a"))).toEqual({ as: "entered" });
    await room.run(async (_, { storage }) => {
      const staff = new StoredStaff(storage.sql);
      for (let id = 2; id <= 1_010; id++) {
        const madeAt = Date.parse(made.made_at) + id * 60_000;
        const ended = { id, label: "", uses: 1, madeAt, madeBy: AUTHOR, expiresAt: madeAt + 1, passes: [], revoked: null };
        staff.save(ended, madeAt + 10_001);
      }
    });
    expect(await room.run((inside) => inside.revokeStaffLink(1, OPERATOR))).toMatchObject({ as: "ok", value: { state: "revoked" } });
    expect(await room.run((inside) => inside.revokeStaffLink(2, OPERATOR))).toEqual({ as: "unknown-link" });
  });

  it("[STAFF-2] [ROOM-1] a step that fails uses nothing up", async () => {
    const room = new RoomUnderTest({ staff_places: 1 });
    okOf(await room.run((inside) => inside.makeStaffLink({ ...order, uses: 1 }, OPERATOR)));
    const fails = room.shadowed(
      ({ storage }) => {
        const exec = storage.sql.exec.bind(storage.sql) as (query: string, ...values: unknown[]) => unknown;
        return {
          exec: (query, ...values) => {
            if (query.includes("INTO staff_links")) throw new Error("disk full");
            return exec(query, ...values);
          },
        };
      },
      (inside) => inside.useStaffLink(1, "a"),
    );
    await expect(fails).rejects.toThrow("disk full");
    expect(await room.run((inside) => inside.useStaffLink(1, "b"))).toEqual({ as: "entered" });
  });
});

describe("places made out anew", () => {
  const ticket = (slot: number, token: string): ReissueRequest => ({ kid: "k1", slot, entry: null, token });
  const asked = async (room: RoomUnderTest, ...reissues: ReissueRequest[]) =>
    (await room.exchange({ reissues })).reissues.map(({ as }) => as);
  const revoke = (room: RoomUnderTest, line: "keep" | "new", confirm: string | null = null) =>
    room.run((inside) => inside.revokeKey({ kid: "k1", line, actor: OPERATOR, confirm }));
  const withPlaces = async () => {
    const room = new RoomUnderTest({ queue_all: true });
    await room.join("a", "b", "c");
    return room;
  };

  it("[KEYS-5] [P7] K8 are known after every eviction; a step that fails has made out nothing", async () => {
    const room = await withPlaces();
    expect(await asked(room, ticket(0, "mine"))).toEqual(["later"]);
    const told = okOf(await revoke(room, "keep"));
    expect(told).toMatchObject({ done: "revoke-key", kid: "k1", line: "keep", issued: 3, changed: true, effective_within_seconds: 5 });
    const fails = room.shadowed(
      ({ storage }) => {
        const exec = storage.sql.exec.bind(storage.sql) as (query: string, ...values: unknown[]) => unknown;
        return {
          exec: (query, ...values) => {
            if (query.includes("INTO reissues")) throw new Error("disk full");
            return exec(query, ...values);
          },
        };
      },
      (inside) => inside.exchange(batchOf({ reissues: [ticket(0, "first")] })),
    );
    await expect(fails).rejects.toThrow("disk full");
    expect(await asked(room, ticket(0, "mine"))).toEqual(["reissued"]);
    for (let i = 0; i < 2; i++) {
      await room.evict();
      expect(await asked(room, ticket(0, "forged"), ticket(0, "mine"), ticket(3, "forged"))).toEqual(["void", "reissued", "void"]);
    }
    await room.join("d");
    expect(okOf(await revoke(room, "keep"))).toMatchObject({ changed: false, issued: 3 });
    expect(await asked(room, ticket(3, "forged"))).toEqual(["void"]);
    expect((await room.stats()).revoked_keys).toMatchObject([{ kid: "k1", line: "keep", issued: 3, reissued: 1, refused: 5 }]);
  });

  it("[KEYS-6] K8 a new line needs the room's name typed, happens once, and keeps nothing", async () => {
    const room = await withPlaces();
    expect(await revoke(room, "new")).toEqual({ as: "needs-confirmation", confirm: room.name });
    expect(await revoke(room, "new", "other")).toMatchObject({ as: "needs-confirmation" });
    expect((await room.exchange()).manifest).toMatchObject({ generation: 1, revokedKeys: [] });
    expect(okOf(await revoke(room, "new", room.name))).toMatchObject({ changed: true, line: "new", counts: { waiting: 3 } });
    expect(okOf(await revoke(room, "new", room.name))).toMatchObject({ changed: false });
    await room.evict();
    const reply = await room.exchange({ generation: 2, reissues: [ticket(0, "mine")] });
    expect(reply).toMatchObject({ reissues: [{ as: "void" }], manifest: { generation: 2, revokedKeys: ["k1"] } });
  });

  it("[KEYS-6] K8 a reset later on forgets who was made out anew, not which key is revoked", async () => {
    const room = await withPlaces();
    await revoke(room, "keep");
    await asked(room, ticket(0, "mine"));
    await room.turn("reset", room.name);
    await room.evict();
    expect(await room.dump()).not.toContain("slot 0");
    const reply = await room.exchange({ generation: 2, reissues: [ticket(0, "mine")] });
    expect(reply).toMatchObject({ reissues: [{ as: "void" }], manifest: { revokedKeys: ["k1"] } });
  });
});
