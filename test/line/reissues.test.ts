/** Places made out anew after a key was revoked: once each, for whoever comes first, through restarts and lost replies. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { revokeKey } from "../../durable/line/reissues";
import { takeChanges } from "../../durable/line/stored";
import { reset } from "../../durable/line/switches";
import type { ReissueRequest } from "../../src/core/exchange";
import { type Crash, World } from "../support/line-world";

const OPERATOR = { name: "operator", reason: "it got out" };
const ticket = (slot: number, token = `token of ${slot}`, kid = "k1"): ReissueRequest => ({ kid, slot, entry: null, token });
const entry = (draw: number, number: number, token: string, slot: number | null = null): ReissueRequest => {
  return { kid: "k1", slot, entry: { draw, entry: number }, token };
};

function worldWith(people: number, settings: ConstructorParameters<typeof World>[0] = {}): World {
  const world = new World({ queueAll: true, ...settings });
  for (let i = 0; i < people; i++) world.join(world.visitor(), false);
  return world;
}

function revoke(world: World, kid = "k1", line: "keep" | "new" = "keep"): boolean {
  const changed = revokeKey(world.line, kid, line, OPERATOR);
  world.commit();
  return changed;
}

const asked = (world: World, ...reissues: ReissueRequest[]) => world.exchange({ reissues })?.reissues.map(({ as }) => as);

describe("a ticket of a revoked key", () => {
  test("[KEYS-5] K8 is nothing that the Room can judge before it has noted the revocation", () => {
    const world = worldWith(3);
    expect(asked(world, ticket(1))).toEqual(["later"]);
    expect(world.manifest.revokedKeys).toEqual([]);
    revoke(world);
    expect(world.manifest.revokedKeys).toEqual(["k1"]);
    expect(asked(world, ticket(1), ticket(1, "t", "k7"))).toEqual(["reissued", "later"]);
  });

  test("[KEYS-5] K8 takes a place that was given out before, once: a second token for it gets nothing, nor does one for a later place", () => {
    const world = worldWith(3);
    revoke(world);
    world.join(world.visitor(), false);
    expect(asked(world, ticket(2, "honest"))).toEqual(["reissued"]);
    expect(asked(world, ticket(2, "forged"), ticket(3, "forged"), ticket(99, "forged"), ticket(1, "forged"))).toEqual([
      "void",
      "void",
      "void",
      "reissued",
    ]);
    // The forger took place 1: the honest holder is told.
    expect(asked(world, ticket(1, "honest"))).toEqual(["void"]);
    // Noting it again adds no places.
    expect(revoke(world)).toBe(false);
    expect(asked(world, ticket(3, "forged"))).toEqual(["void"]);
  });

  test("[KEYS-5] [P7] K8 gets the same answer again: lost replies, two tabs, restarts", () => {
    const world = worldWith(3);
    revoke(world);
    for (const crash of ["before", "after", "none"] as const) world.exchange({ reissues: [ticket(0, "mine"), ticket(0, "mine")] }, crash);
    expect(asked(world, ticket(0, "mine"), ticket(0, "theirs"))).toEqual(["reissued", "void"]);
    world.restart();
    expect(asked(world, ticket(0, "theirs"), ticket(0, "mine"))).toEqual(["void", "reissued"]);
    expect(world.line.counters.revokedKeys).toMatchObject([{ kid: "k1", tail: 3, reissued: 1 }]);
  });

  test("[KEYS-5] K8 is no good any more once somebody has guessed at it often", () => {
    const world = worldWith(1);
    revoke(world);
    expect(asked(world, ticket(0, "mine"))).toEqual(["reissued"]);
    for (let i = 0; i < 8; i++) expect(asked(world, ticket(0, `guess ${i}`))).toEqual(["void"]);
    world.restart();
    expect(asked(world, ticket(0, "mine"))).toEqual(["void"]);
  });

  test("[KEYS-5] K8 a key that is revoked after another: what was made out anew with it is once more, and the first key takes nothing back", () => {
    const world = worldWith(3);
    revoke(world, "k1");
    expect(asked(world, ticket(0, "of k1"))).toEqual(["reissued"]);
    revoke(world, "k2");
    expect(asked(world, ticket(0, "of k2", "k2"), ticket(0, "of k1"), ticket(0, "of k2", "k2"))).toEqual(["reissued", "void", "reissued"]);
    expect(asked(world, ticket(1, "of k2", "k2"), ticket(1, "of k1"))).toEqual(["reissued", "void"]);
  });

  test("[KEYS-5] K8 of two keys that got out together the second takes nothing that was made out for a token of the first", () => {
    const world = worldWith(3);
    revoke(world, "k1");
    revoke(world, "k2");
    expect(asked(world, ticket(0, "of k1"), ticket(1, "of k2", "k2"))).toEqual(["reissued", "reissued"]);
    expect(asked(world, ticket(0, "forged", "k2"), ticket(1, "forged"))).toEqual(["void", "void"]);
    world.restart();
    expect(asked(world, ticket(0, "forged", "k2"), ticket(0, "of k1"))).toEqual(["void", "reissued"]);
  });

  test("[KEYS-6] K8 after a new line none is worth anything, and the key stays revoked", () => {
    const world = worldWith(3);
    revoke(world);
    world.line = reset(world.line, world.settings);
    world.commit();
    world.restart();
    expect(world.manifest.revokedKeys).toEqual(["k1"]);
    expect(asked(world, ticket(1))).toEqual(["void"]);
    expect(world.exchange({ generation: 1, reissues: [ticket(1)] })?.reissues).toEqual([{ as: "restarted" }]);
    const other = worldWith(3);
    revoke(other, "k1", "new");
    expect(asked(other, ticket(1))).toEqual(["void"]);
  });

  test("[KEYS-5] [P12] one step makes out 64, the others ask again; memory keeps none of them, and the manifest 8 keys", () => {
    const world = worldWith(100);
    revoke(world);
    const all = Array.from({ length: 100 }, (_, slot) => ticket(slot));
    expect(asked(world, ...all)?.filter((as) => as === "reissued")).toHaveLength(64);
    expect(asked(world, ...all.slice(64))).toEqual(Array(36).fill("reissued"));
    expect([...takeChanges(world.line).reissues]).toEqual([]);
    for (const slot of [0, 99]) expect(world.line.reissues.find(`slot ${slot}`)).toBe(null);
    for (let i = 2; i <= 9; i++) revoke(world, `k${i}`);
    expect(world.manifest.revokedKeys).toEqual(["k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"]);
  });
});

describe("people inside", () => {
  test("[KEYS-7] [P1] K8 go on by their ticket in the same visit and place, however far their passes had come", () => {
    const world = new World();
    world.tick(10_000);
    const visitor = world.visitor();
    world.join(visitor, true);
    for (let i = 0; i < 3; i++) {
      world.tick(25_000);
      expect(world.renew(visitor)).toMatchObject({ as: "renewed" });
    }
    const before = visitor.pass;
    revoke(world);
    // The pass is dead, the ticket is serial 0 of a chain that is far beyond it.
    visitor.pass = null;
    expect(asked(world, ticket(0, "mine"))).toEqual(["reissued"]);
    const verdict = world.claim(visitor, "enter");
    expect(verdict).toMatchObject({ as: "entered", pass: { endsAtS: before?.endsAtS } });
    expect(verdict?.as === "entered" && verdict.pass.serial).toBeGreaterThan(before?.serial ?? 0);
    expect(world.line.counters.totals.entered).toBe(1);
    world.tick(25_000);
    expect(world.renew(visitor)).toMatchObject({ as: "renewed" });
    // Shown again, the old token does not turn the visit back.
    expect(asked(world, ticket(0, "mine"))).toEqual(["reissued"]);
    world.tick(25_000);
    expect(world.renew(visitor)).toMatchObject({ as: "renewed" });
  });

  test("[KEYS-7] K8 who had only gone idle comes back in likewise; who left does not", () => {
    const world = new World({ sessionDurationMs: 30_000 });
    world.tick(10_000);
    const [idle, gone] = [world.visitor(), world.visitor()];
    world.join(idle, true);
    world.tick(2_000);
    world.join(gone, true);
    world.tick(25_000);
    world.renew(idle);
    world.leave(gone);
    world.tick(80_000);
    revoke(world);
    idle.pass = null;
    expect(asked(world, ticket(0, "mine"), ticket(1, "left"))).toEqual(["reissued", "reissued"]);
    expect(world.claim(idle, "enter")?.as).toBe("entered");
    expect(world.claim(gone, "enter")?.as).toBe("ended");
  });

  test("[KEYS-7] K8 a forger who takes the place of somebody inside shares one visit with a holder of a good pass, who can take it back", () => {
    const world = new World();
    world.tick(10_000);
    const honest = world.visitor();
    world.join(honest, true);
    world.tick(25_000);
    world.renew(honest);
    revoke(world);
    const forger = world.copyOf(honest, 999);
    forger.pass = null;
    expect(asked(world, ticket(0, "forged"))).toEqual(["reissued"]);
    expect(world.claim(forger, "enter")?.as).toBe("entered");
    world.tick(25_000);
    expect(world.renew(honest)?.as).toBe("void");
    expect(world.claim(honest, "continue")?.as).toBe("entered");
    expect(world.renew(forger)?.as).toBe("void");
    expect(world.manifest.admittedEpoch).toBe(1);
  });
});

describe("an entry of a revoked key", () => {
  const dealt = (entries: number) =>
    worldWith(entries, { queueAll: false, queueingMethod: "random", newUsersPerMinute: 1, totalActiveUsers: 1 });

  test("[KEYS-5] K8 counts as an entry of its draw, drawn or not, once; the slots kept for a draw are nobody's by a ticket", () => {
    const world = dealt(5);
    const draw = world.line.counters.collecting?.id ?? 0;
    const entries = world.line.counters.collecting?.count ?? 0;
    expect(entries).toBeGreaterThan(2);
    revoke(world);
    expect(asked(world, entry(draw, 0, "a"), entry(draw, 0, "b"), entry(draw, entries, "c"), entry(draw + 1, 0, "d"))).toEqual([
      "reissued",
      "void",
      "void",
      "void",
    ]);
    world.tick(5_000);
    const drawn = world.line.counters.drawn[0];
    expect(drawn?.id).toBe(draw);
    const base = drawn?.base ?? 0;
    // By now it has a slot: still the same right.
    expect(asked(world, entry(draw, 0, "b", base), entry(draw, 0, "a", base), entry(draw, 1, "e", base + 1))).toEqual([
      "void",
      "reissued",
      "reissued",
    ]);
    expect(asked(world, ticket(base + 2, "forged"))).toEqual(["void"]);
  });

  test("[KEYS-5] K8 of a draw that took place before is the same right as a ticket of its slot", () => {
    const world = dealt(5);
    const draw = world.line.counters.collecting?.id ?? 0;
    world.tick(5_000);
    revoke(world);
    const base = world.line.counters.drawn[0]?.base ?? 0;
    expect(asked(world, entry(draw, 0, "a", base), ticket(base, "b"), ticket(base + 1, "c"), entry(draw, 1, "d", base + 1))).toEqual([
      "reissued",
      "void",
      "reissued",
      "void",
    ]);
    expect(asked(world, entry(draw, 2, "e"))).toEqual(["void"]);
  });
});

test("[KEYS-5] [P5] K8 whatever is shown in whatever order, through crashes: one token for each place, and none for a place that was not given out", () => {
  const act = fc.record({
    what: fc.constantFrom("show", "show", "show", "join", "revoke", "restart"),
    slot: fc.nat(12),
    token: fc.nat(2),
    kid: fc.constantFrom("k1", "k1", "k2"),
    crash: fc.constantFrom<Crash>("none", "none", "none", "before", "after"),
  });
  fc.assert(
    fc.property(fc.array(act, { minLength: 5, maxLength: 60 }), (acts) => {
      const world = worldWith(4);
      const noted = new Map<string, number>();
      /** Whom each place was made out to, by kid. */
      const holders = new Map<string, string>();
      for (const { what, slot, token, kid, crash } of acts) {
        if (what === "join") world.join(world.visitor(), false);
        if (what === "restart") world.restart();
        if (what === "revoke") {
          const tail = world.line.counters.tail;
          expect(revoke(world, kid)).toBe(!noted.has(kid));
          if (!noted.has(kid)) noted.set(kid, tail);
        }
        if (what !== "show") continue;
        const as = world.exchange({ reissues: [ticket(slot, `${token}`, kid)] }, crash)?.reissues[0]?.as;
        const mayBe = noted.has(kid) && slot < (noted.get(kid) ?? 0);
        if (as === "later") expect(noted.has(kid)).toBe(false);
        if (as === "reissued") {
          expect(mayBe).toBe(true);
          const holder = holders.get(`${kid} ${slot}`);
          expect(holder ?? `${token}`).toBe(`${token}`);
          holders.set(`${kid} ${slot}`, `${token}`);
        }
        // Of one key alone nobody who was first is ever refused, but for guessing.
        if (as === "void" && mayBe && noted.size === 1 && holders.get(`${kid} ${slot}`) === `${token}`) {
          expect(world.store.reissues.get(`slot ${slot}`)?.refused).toBe(8);
        }
      }
    }),
    { numRuns: 200 },
  );
});
