/** The brake for a site that struggles: when the rate falls, how far, how it comes back; and that a site which degrades under load stays up. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { giveRateBack, SETTLE_MS, STEP_MS, settingsNow } from "../../durable/line/slow-down";
import { reset } from "../../durable/line/switches";
import { statsOf } from "../../durable/line/view";
import { addOutcomes, NO_OUTCOMES, type OriginOutcomes } from "../../src/core/origin-outcomes";
import type { RoomSettings } from "../../src/core/settings-types";
import { settingsOf, World } from "../support/line-world";
import { outcomeOf } from "../support/outcomes";
import { worstExcess } from "../support/rate-check";

const BRAKE = { maxErrorPercent: 5, maxP95Ms: 1_000, floorPerMinute: 10, recover: false };

function outcomes(count: number, of: OriginOutcomes): OriginOutcomes {
  return Array.from({ length: count }, () => of).reduce(addOutcomes, NO_OUTCOMES);
}

const good = (count: number) => outcomes(count, outcomeOf("ok", 50));
const failing = (count: number) => outcomes(count, outcomeOf("failed", 50));
const slow = (count: number) => outcomes(count, outcomeOf("ok", 4_000));

function worldOf(slowDown: RoomSettings["slowDown"] = BRAKE, more: Partial<RoomSettings> = {}): World {
  return new World({ newUsersPerMinute: 120, totalActiveUsers: 1_000, slowDown, ...more });
}

const rateOf = (world: World) => settingsNow(world.line, world.settings).newUsersPerMinute;

function see(world: World, origin: OriginOutcomes, afterMs = 0): number {
  world.now += afterMs;
  world.exchange({ origin });
  return rateOf(world);
}

describe("the rate", () => {
  test("[SLOW-2] is halved by the first exchange that tells of too many failures, or of slow replies, and visitors are told that one", () => {
    const world = worldOf();
    expect(see(world, addOutcomes(good(19), failing(3)))).toBe(60);
    expect(world.manifest.ratePerMinute).toBe(60);
    expect(statsOf(world.line, world.settings, "test", 1)).toMatchObject({
      new_users_per_minute: 120,
      rate_per_minute: 60,
      slowed_down: { why: "errors", since: new Date(world.now).toISOString() },
    });
    expect(see(worldOf(), slow(20))).toBe(60);
  });

  test("[SLOW-2] is left alone by too few requests, by one or two that failed, by a site within its limits, and when the brake is off", () => {
    expect(see(worldOf(), failing(19))).toBe(120);
    expect(see(worldOf(), addOutcomes(good(20), failing(2)))).toBe(120);
    expect(see(worldOf(), addOutcomes(good(95), failing(5)))).toBe(120);
    expect(see(worldOf(), addOutcomes(good(96), slow(4)))).toBe(120);
    expect(see(worldOf(null), failing(500))).toBe(120);
  });

  test("[SLOW-2] falls again while what came after the last step is bad, not for what was let in before it, and never below the floor", () => {
    const world = worldOf();
    see(world, failing(20));
    expect(see(world, failing(500), SETTLE_MS - 1_000)).toBe(60);
    expect(see(world, failing(20), 6_000)).toBe(30);
    const rates = Array.from({ length: 6 }, () => see(world, failing(20), SETTLE_MS + 5_000));
    expect(rates).toEqual([15, 10, 10, 10, 10, 10]);
  });

  test("[SLOW-3] stays down without recover, and one press gives it back; what was seen before is not held against it", () => {
    const world = worldOf();
    see(world, failing(20));
    for (let i = 0; i < 20; i++) see(world, good(50), 30_000);
    expect(rateOf(world)).toBe(60);
    see(world, failing(20), 1_000);
    expect(giveRateBack(world.line)).toBe(true);
    expect(see(world, NO_OUTCOMES, 1_000)).toBe(120);
    expect(giveRateBack(world.line)).toBe(false);
    expect(see(world, failing(20), 10_000)).toBe(60);
  });

  test("[SLOW-4] comes back by a twentieth every half minute with recover, waits while the site is near its limits, and is then the operator's", () => {
    const world = worldOf({ ...BRAKE, recover: true });
    see(world, failing(20));
    expect(see(world, good(50), STEP_MS)).toBe(66);
    expect(see(world, addOutcomes(good(95), failing(5)), STEP_MS)).toBe(66);
    const rates = Array.from({ length: 9 }, () => see(world, good(50), STEP_MS));
    expect(rates).toEqual([72, 78, 84, 90, 96, 102, 108, 114, 120]);
    expect(world.line.counters.slowed).toBeNull();
  });

  test("[SLOW-5][P7] is remembered by the Room and kept through a reset; with the brake off, or the operator below it, it is forgotten", () => {
    const world = worldOf();
    see(world, failing(20));
    world.restart();
    expect(rateOf(world)).toBe(60);
    world.line = reset(world.line, world.settings);
    expect(rateOf(world)).toBe(60);
    world.settings = { ...world.settings, newUsersPerMinute: 40 };
    expect(rateOf(world)).toBe(40);
    world.tick(1_000);
    world.settings = { ...world.settings, newUsersPerMinute: 120 };
    expect(rateOf(world)).toBe(120);
    see(world, failing(20), 30_000);
    world.settings = { ...world.settings, slowDown: null };
    world.tick(1_000);
    expect(world.line.counters.slowed).toBeNull();
  });
});

const step = fc.record({
  ms: fc.integer({ min: 1, max: 40_000 }),
  good: fc.integer({ min: 0, max: 100 }),
  failed: fc.integer({ min: 0, max: 40 }),
  rate: fc.option(fc.integer({ min: 0, max: 600 }), { freq: 6 }),
  press: fc.boolean(),
});

describe("whatever the site does", () => {
  test("[SLOW-6][P2] the rate is never above the operator's, never below the floor, and entries keep to the operator's rate", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, recover) => {
        const world = worldOf({ ...BRAKE, recover });
        const line = Array.from({ length: 200 }, () => world.visitor());
        for (const visitor of line) world.join(visitor, false);
        const rates = [{ at: 0, perMinute: 120 }];
        const started = world.now;
        const times: number[] = [];
        for (const { ms, good: ok, failed, rate, press } of steps) {
          world.now += ms;
          if (rate !== null) {
            // As the Room does: first time passes at the old rate.
            world.tick(0);
            world.settings = { ...world.settings, newUsersPerMinute: rate };
            rates.push({ at: world.now - started, perMinute: rate });
          }
          if (press && failed > 20) giveRateBack(world.line);
          see(world, addOutcomes(good(ok), failing(failed)));
          const before = world.line.counters.totals.entered;
          const { epoch } = world.line.counters;
          for (const visitor of line) if (visitor.pass === null && (visitor.ticket?.slot ?? epoch) < epoch) world.claim(visitor, "enter");
          for (let i = world.line.counters.totals.entered - before; i > 0; i--) times.push(world.now - started);
          const wanted = world.settings.newUsersPerMinute;
          expect(rateOf(world)).toBeLessThanOrEqual(wanted);
          expect(rateOf(world)).toBeGreaterThanOrEqual(Math.min(wanted, BRAKE.floorPerMinute));
        }
        expect(worstExcess(times, rates)).toBeLessThan(1e-6);
      }),
      { numRuns: 12 },
    );
  });
});

/**
 * Eight minutes of a crowd before a site that answers 40 requests a second and fails the rest; everybody inside asks every two seconds and
 * stays a minute. The operator has set nearly four times what it stands. @returns the share of requests that failed in the last four minutes
 */
function failedAtASiteOf40(slowDown: RoomSettings["slowDown"]): { readonly failed: number; readonly entered: number } {
  const world = new World({ ...settingsOf(), newUsersPerMinute: 300, totalActiveUsers: 2_000, slowDown });
  const waiting = Array.from({ length: 1_500 }, () => world.visitor());
  world.exchange({ joins: waiting.map(({ key, tag, network }) => ({ key, tag, network, enter: false })) });
  let next = 0;
  let [asked, failed, entered] = [0, 0, 0];
  for (let second = 1; second <= 480; second++) {
    world.now += 1_000;
    const load = Math.round(world.line.table.count(2) / 2);
    const lost = Math.max(0, load - 40);
    const claims = Array.from({ length: Math.max(0, world.line.counters.epoch - next) }, (_, i) => next + i).map((slot) => {
      return { slot, serial: 0, tag: waiting[slot]?.tag ?? 0, ageMs: 0, joinedAtS: world.now / 1_000, intent: "enter" as const };
    });
    const reply = world.exchange({ claims, origin: addOutcomes(good(load - lost), failing(lost)) });
    const went = reply?.claims.findIndex(({ as }) => as !== "entered") ?? 0;
    next += went < 0 ? claims.length : went;
    if (second > 240) [asked, failed, entered] = [asked + load, failed + lost, entered + (went < 0 ? claims.length : went)];
  }
  return { failed: failed / asked, entered };
}

describe("a site that degrades under load", () => {
  test("[SLOW-7] stays up with the brake, and lets in what it stands; without, it does not", () => {
    const without = failedAtASiteOf40(null);
    const braked = failedAtASiteOf40({ ...BRAKE, recover: true });
    expect(without.failed).toBeGreaterThan(0.5);
    expect(braked.failed).toBeLessThan(BRAKE.maxErrorPercent / 100);
    // It stands 80 a minute.
    expect(braked.entered).toBeGreaterThan(4 * 80 * 0.4);
  });
});
