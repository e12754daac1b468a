/** The chain of passes with one honest holder and with two (P5): nobody honest is refused, nobody's copy lasts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Visitor, World } from "../support/line-world";

const REFRESH_MS = 20_000;

function insideWorld(seed = 1): { world: World; visitor: Visitor } {
  const world = new World({ totalActiveUsers: 100, newUsersPerMinute: 6_000, passRefreshMs: REFRESH_MS, sessionMaxMs: 3_600_000 }, seed);
  world.tick(1_000);
  const visitor = world.visitor();
  world.join(visitor, true);
  expect(visitor.pass?.serial).toBe(1);
  return { world, visitor };
}

interface Attempt {
  readonly at: number;
  readonly as: string;
}

/** Let each holder renew every `cadenceMs`, the second `lagMs` after the first; returns what each of them met. */
function relay(world: World, holders: readonly Visitor[], lagMs: number, cadenceMs: number, rounds: number): Attempt[][] {
  const met: Attempt[][] = holders.map(() => []);
  const events = holders.flatMap((_, who) =>
    Array.from({ length: rounds }, (__, round) => ({ at: (round + 1) * cadenceMs + who * lagMs, who })),
  );
  let elapsed = 0;
  for (const { at, who } of events.sort((a, b) => a.at - b.at)) {
    world.tick(at - elapsed);
    elapsed = at;
    const verdict = world.renew(holders[who] as Visitor);
    met[who]?.push({ at, as: verdict?.as ?? "none" });
  }
  return met;
}

/** How many renewals a holder got through before the first refusal. */
function survived(met: readonly Attempt[]): number {
  const refused = met.findIndex((attempt) => attempt.as === "void");
  return refused < 0 ? met.length : refused;
}

describe("[P5] a copied pass", () => {
  for (const sameTag of [true, false]) {
    for (const lagMs of [1_000, 5_000, 14_000, 19_000, 31_000, 59_000]) {
      it(`K13 is refused by the second renewal, ${sameTag ? "same" : "another"} client, ${lagMs / 1_000} s apart`, () => {
        const { world, visitor } = insideWorld();
        const copy = world.copyOf(visitor, sameTag ? visitor.tag : visitor.tag ^ 1);
        const cadence = REFRESH_MS + 500;
        const [first, second] = relay(world, [visitor, copy], lagMs, cadence, 6) as [Attempt[], Attempt[]];
        expect(Math.min(survived(first), survived(second)), JSON.stringify({ first, second })).toBeLessThanOrEqual(1);
      });
    }
  }

  it("T2 and the ticket copied before the claim: one of two is void by its second renewal, the ticket alone never yields a pass later", () => {
    for (const sameTag of [true, false]) {
      const { world, visitor } = insideWorld();
      const copy = world.copyOf(visitor, sameTag ? visitor.tag : visitor.tag ^ 1);
      copy.pass = null;
      expect(world.claim(copy, "enter")?.as).toBe("entered");
      const [first, second] = relay(world, [visitor, copy], 3_000, REFRESH_MS + 500, 4) as [Attempt[], Attempt[]];
      expect(Math.min(survived(first), survived(second))).toBeLessThanOrEqual(1);
      const thief = world.copyOf(visitor, visitor.tag);
      thief.pass = null;
      expect(world.claim(thief, "enter")?.as).toBe("void");
    }
  });

  it("can be taken over three times, counted, and each take-over voids the other holder", () => {
    const { world, visitor } = insideWorld();
    const copy = world.copyOf(visitor, visitor.tag ^ 1);
    const holders = [copy, visitor, copy];
    for (const [i, holder] of holders.entries()) {
      expect(world.claim(holder, "continue")?.as, `take-over ${i + 1}`).toBe("entered");
      const other = holder === copy ? visitor : copy;
      world.tick(REFRESH_MS);
      expect(world.renew(other)).toEqual({ as: "void", takeoversLeft: 2 - i });
    }
    expect(world.claim(visitor, "continue")).toEqual({ as: "void", takeoversLeft: 0 });
    expect(world.line.counters.totals.takeovers).toBe(3);
  });
});

describe("[P5] one honest browser", () => {
  it("is never refused: parallel renewals, lost and slow replies, restarts of the Room (random, seeds printed)", {
    timeout: 120_000,
  }, () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { world, visitor } = insideWorld(seed);
        const random = world.random;
        // Replies on their way: the cookie reaches the jar when its time has come.
        const underway: { at: number; pass: NonNullable<Visitor["pass"]> }[] = [];
        for (let elapsed = 0; elapsed < 1_800_000; ) {
          const gap = random() < 0.2 ? random() * 50_000 : random() * 8_000;
          elapsed += gap;
          world.tick(Math.round(gap));
          for (const reply of underway.filter((each) => each.at <= world.now)) visitor.pass = reply.pass;
          underway.splice(0, underway.length, ...underway.filter((each) => each.at > world.now));
          if (random() < 0.02) world.restart();
          const jar = visitor.pass as NonNullable<Visitor["pass"]>;
          if (world.now - jar.issuedAtS * 1_000 < REFRESH_MS) continue;
          const parallel = random() < 0.3 ? 1 + Math.floor(random() * 8) : 1;
          for (let request = 0; request < parallel; request++) {
            visitor.pass = jar;
            const verdict = world.renew(visitor, "none", Math.round(random() * 500));
            const expired = verdict?.as === "lapsed" || verdict?.as === "ended";
            if (expired) return;
            expect(verdict?.as, `after ${Math.round(elapsed / 1_000)} s`).not.toBe("void");
            const pass = visitor.pass as NonNullable<Visitor["pass"]>;
            visitor.pass = jar;
            const lost = random() < 0.1;
            // Up to 20 s: later replies carry no cookie (the gate attaches none).
            if (!lost && pass !== jar) underway.push({ at: world.now + (random() < 0.1 ? random() * 20_000 : random() * 800), pass });
          }
        }
      }),
      { numRuns: Number(process.env.CHAIN_RUNS ?? 150) },
    );
  });

  it("K14 fifty parallel claims of one ticket make one session, and the browser carries on with any of the replies (K14)", () => {
    const world = new World({ totalActiveUsers: 100, newUsersPerMinute: 6_000 });
    world.tick(1_000);
    const visitor = world.visitor();
    world.join(visitor, false);
    const ticket = visitor.ticket as NonNullable<Visitor["ticket"]>;
    const request = { slot: ticket.slot, serial: 0, tag: visitor.tag, ageMs: 0, joinedAtS: ticket.joinedAtS, intent: "enter" as const };
    const reply = world.exchange({ claims: Array.from({ length: 50 }, () => request) });
    const serials = new Set(reply?.claims.map((verdict) => (verdict.as === "entered" ? verdict.pass.serial : verdict.as)));
    expect([...serials]).toEqual([1]);
    expect(world.line.counters.totals.entered).toBe(1);
  });
});
