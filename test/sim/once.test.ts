/** P5 by simulation: copies of a pass or a ticket, whoever holds them, and honest browsers in bad weather. The long runs are in `npm run proof`. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Visitor, World } from "../support/line-world";
import { broken } from "../support/proof";
import { casesOf, honest, judge, ROOMS, randomCases, STANDSTILLS, takeOverProof, USUAL, WEATHERS, WHOLE_GRID } from "../support/proof-once";

describe("[P5] of all holders of a copy only one is ever given a second new pass", () => {
  const quick = { ...WHOLE_GRID, lagsS: [1, 5, 19, 31, 59, 119, 300], cadencesS: [1, 5, 19, 31, 60, 300] };

  it.each(Object.entries(ROOMS))("K13 two, three, ten holders, 1 s to 5 minutes apart and between requests; %s", (room, settings) => {
    expect(judge(casesOf({ ...quick, rooms: { [room]: settings } })).problems).toEqual([]);
  });

  it("at the same instants, also with passes that have ended", () => {
    const grid = { ...quick, rooms: { usual: USUAL }, holders: [2], sameNetwork: [true], lagsS: [600], cadencesS: [600] };
    expect(judge(casesOf(grid)).problems).toEqual([]);
  });

  it("holders that each have a lag and a cadence of their own", () => {
    const { problems, cases } = judge(randomCases(quick, 200, 3));
    expect(problems).toEqual([]);
    expect(cases).toBe(200);
  });

  it("whatever pass of theirs they present, whenever, in whatever order it reaches the Room (random, seeds printed)", () => {
    const step = fc.record({
      who: fc.nat(2),
      which: fc.nat(9),
      tag: fc.constantFrom(7, 7, 7, 8),
      gapMs: fc.oneof(fc.nat(2_000), fc.nat(40_000)),
      ageMs: fc.nat(700),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
        const world = new World({ totalActiveUsers: 100, newUsersPerMinute: 6_000, sessionDurationMs: 3_600_000, sessionMaxMs: 7_200_000 });
        world.tick(1_000);
        const first = world.visitor();
        world.join(first, true);
        const copied = first.pass as NonNullable<Visitor["pass"]>;
        // Per holder: the passes it can present, with how many renewals since the copy each of them is away.
        const held = [0, 1, 2].map(() => [{ pass: copied, renewals: 0 }]);
        let survivor: number | null = null;
        for (const { who, which, tag, gapMs, ageMs } of steps) {
          world.now += gapMs;
          const own = held[who] ?? [];
          const { pass, renewals } = own[which % own.length] as { pass: typeof copied; renewals: number };
          const asker = { ...first, tag, pass };
          const verdict = world.renew(asker, "none", ageMs);
          if (verdict?.as !== "renewed") continue;
          expect(survivor === null || survivor === who, "a second holder goes on").toBe(true);
          own.push({ pass: asker.pass, renewals: renewals + 1 });
          if (renewals >= 1) survivor = who;
        }
      }),
      { numRuns: Number(process.env["CHAIN_RUNS"] ?? 400) },
    );
  });

  it("takes the visit over at most three times, counted", () => {
    expect(broken(takeOverProof())).toEqual([]);
  });
});

describe("[P5] [P7] one honest browser is never taken for two", () => {
  it.each(Object.entries({ ...WEATHERS, ...STANDSTILLS }))("%s", (_, weather) => {
    const { alarms, presented } = honest(weather, 100);
    expect(alarms).toEqual([]);
    expect(presented).toBeGreaterThan(1_000);
  });

  it("a reply that was caught in a standstill and the answer to the next request may reach the browser in any order", () => {
    for (const lastToArrive of ["the first", "the second", "none"]) {
      const world = new World({ totalActiveUsers: 100, newUsersPerMinute: 6_000, ...USUAL });
      world.tick(1_000);
      const browser = world.visitor();
      world.join(browser, true);
      const presents = (pass: NonNullable<Visitor["pass"]>): { as: string; pass: NonNullable<Visitor["pass"]> } => {
        const asker = { ...browser, pass };
        return { as: world.renew(asker)?.as ?? "", pass: asker.pass };
      };
      const old = browser.pass as NonNullable<Visitor["pass"]>;
      world.tick(31_000);
      const caught = presents(old).pass;
      world.tick(60_000);
      const second = presents(old).pass;
      expect(second.serial).toBe(caught.serial + 1);
      world.tick(100);
      // The caught reply has arrived: the browser goes on with it, and no third pass is sent after the second.
      expect(presents(caught).as).toBe("current");
      const jar = lastToArrive === "the second" ? second : caught;
      world.tick(31_000);
      const next = presents(jar);
      expect(next.as, lastToArrive).toBe("renewed");
      // Of a copy, the other one is void now, whichever it is.
      world.tick(31_000);
      expect(presents(jar === second ? caught : second).as, lastToArrive).toBe("void");
      expect(presents(next.pass).as, lastToArrive).toBe("renewed");
    }
  });
});
