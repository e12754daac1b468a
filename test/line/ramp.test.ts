/** Rate and capacity on their way to what is set: where they are at every moment, what ends them, and that the promises hold meanwhile. Virtual time. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RAMP_STEP_MS, rampOf, startRamp, wantedOf } from "../../durable/line/ramp";
import { settingsNow } from "../../durable/line/slow-down";
import { lineClock, placesInUse } from "../../durable/line/state";
import { reset } from "../../durable/line/switches";
import { statsOf } from "../../durable/line/view";
import type { RoomEvent, RoomSettings } from "../../src/core/settings-types";
import { type Visitor, World } from "../support/line-world";
import { worstExcess } from "../support/rate-check";

const MINUTE = 60_000;

/** As the Room does it: first time passes with what held until now. */
function set(world: World, changes: Partial<RoomSettings>, lengthMs = 0): void {
  world.tick(0);
  const after = { ...world.settings, ...changes };
  startRamp(world.line, world.settings, after, lengthMs);
  world.settings = after;
  world.tick(0);
}

const rateOf = (world: World) => settingsNow(world.line, world.settings).newUsersPerMinute;
const placesOf = (world: World) => settingsNow(world.line, world.settings).totalActiveUsers;

function crowd(world: World, count: number): Visitor[] {
  const visitors = Array.from({ length: count }, () => world.visitor());
  for (const visitor of visitors) world.join(visitor, false);
  return visitors;
}

/** Everybody whose turn has come goes in; how many did. */
function enterAll(world: World, visitors: readonly Visitor[]): number {
  const before = world.line.counters.totals.entered;
  for (const visitor of visitors)
    if (visitor.pass === null && (visitor.ticket?.slot ?? 0) < world.line.counters.epoch) world.claim(visitor, "enter");
  return world.line.counters.totals.entered - before;
}

describe("on the way", () => {
  test("[LINE-8] the first step is taken at once, the last one at the end, by the time alone: a Room that slept or was restarted is where it should be", () => {
    const [awake, slept] = [new World({ newUsersPerMinute: 100 }), new World({ newUsersPerMinute: 100 })];
    for (const world of [awake, slept]) set(world, { newUsersPerMinute: 400 }, MINUTE);
    expect(rateOf(awake)).toBe(125);
    const seen = Array.from({ length: 60 }, () => {
      awake.tick(1_000);
      return rateOf(awake);
    });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(new Set(seen).size).toBe(MINUTE / RAMP_STEP_MS);
    expect([seen[28], seen[29], seen[58], seen[59]]).toEqual([250, 275, 400, 400]);
    slept.restart();
    slept.tick(29_000);
    expect(rateOf(slept)).toBe(250);
    expect(rampOf(slept.line, slept.settings)).toMatchObject({ new_users_per_minute: { from: 100, to: 400 }, total_active_users: null });
    slept.tick(9 * MINUTE);
    expect([rateOf(slept), rampOf(slept.line, slept.settings), slept.line.counters.ramp]).toEqual([400, null, null]);
  });

  test("[LINE-8] visitors, the operator and the manifest are told the rate that is in force, and what is set beside it", () => {
    const world = new World({ newUsersPerMinute: 60, totalActiveUsers: 100 });
    set(world, { newUsersPerMinute: 120, totalActiveUsers: 200 }, MINUTE);
    world.tick(25_000);
    expect(world.manifest.ratePerMinute).toBe(90);
    expect(statsOf(world.line, world.settings, "test", 1)).toMatchObject({
      ...{ new_users_per_minute: 120, rate_per_minute: 90, total_active_users: 200, capacity: 150 },
      ramp: { new_users_per_minute: { from: 60, to: 120 }, total_active_users: { from: 100, to: 200 } },
    });
  });

  test("[LINE-8] a new value ends it, at once or by a ramp of its own from where it is; what was not changed goes on; a reset keeps it", () => {
    const world = new World({ newUsersPerMinute: 60, totalActiveUsers: 100 });
    set(world, { newUsersPerMinute: 120, totalActiveUsers: 200 }, MINUTE);
    world.tick(25_000);
    world.line = reset(world.line, world.settings);
    set(world, { newUsersPerMinute: 30 });
    expect([rateOf(world), placesOf(world)]).toEqual([30, 150]);
    set(world, { newUsersPerMinute: 60 }, MINUTE);
    world.tick(25_000);
    expect([rateOf(world), placesOf(world)]).toEqual([45, 175]);
    world.tick(MINUTE);
    expect([rateOf(world), placesOf(world)]).toEqual([60, 200]);
    // Set back to where an old one led, it is there.
    set(world, { newUsersPerMinute: 600 }, MINUTE);
    set(world, { newUsersPerMinute: 60 });
    set(world, { newUsersPerMinute: 600 });
    expect(rateOf(world)).toBe(600);
  });

  test("[LINE-8] a deployment with another value ends it too, for good: the value from before is there at once", () => {
    const world = new World({ newUsersPerMinute: 60 });
    set(world, { newUsersPerMinute: 120 }, MINUTE);
    const { settings } = world;
    world.settings = { ...settings, newUsersPerMinute: 30 };
    world.tick(5_000);
    expect(rateOf(world)).toBe(30);
    world.settings = settings;
    world.tick(0);
    expect(rateOf(world)).toBe(120);
  });

  test("[LINE-8] from nothing and down to nothing: people go in as long as the rate is above it, and stop when it is there", () => {
    const world = new World({ newUsersPerMinute: 0, totalActiveUsers: 500 });
    const visitors = crowd(world, 200);
    world.tick(MINUTE);
    set(world, { newUsersPerMinute: 60 }, MINUTE);
    let entered = 0;
    for (let s = 0; s < 60; s++) {
      world.tick(1_000);
      entered += enterAll(world, visitors);
    }
    expect(entered).toBeGreaterThan(20);
    set(world, { newUsersPerMinute: 0 }, MINUTE);
    expect(world.manifest.phase).toBe("open");
    world.tick(10_000);
    expect(enterAll(world, visitors)).toBeGreaterThan(0);
    world.tick(MINUTE);
    expect([world.manifest.phase, enterAll(world, visitors)]).toEqual(["paused", 0]);
  });

  test("[LINE-8] an event's own rate holds, and the room's ramp goes on behind it; the brake is below both", () => {
    const event = { name: "sale", prequeueStartMs: null, cancelled: null, shuffle: false, keepSessions: false };
    const world = new World({
      newUsersPerMinute: 60,
      slowDown: { maxErrorPercent: 5, maxP95Ms: 1_000, floorPerMinute: 1, recover: false },
    });
    const sale = { ...event, startMs: world.now, endMs: world.now + 30_000, overrides: { newUsersPerMinute: 6 } } as unknown as RoomEvent;
    world.settings = { ...world.settings, events: [sale] };
    set(world, { newUsersPerMinute: 120 }, MINUTE);
    expect(rateOf(world)).toBe(6);
    expect(wantedOf(world.line, world.settings).newUsersPerMinute).toBe(65);
    world.tick(31_000);
    expect(rateOf(world)).toBe(95);
    world.exchange({ origin: { ok: 0, failed: 40, slow: 0 } });
    expect(rateOf(world)).toBe(47.5);
    world.tick(MINUTE);
    expect(rateOf(world)).toBe(47.5);
  });

  test("[LINE-8] an event's own value holds, also where it is the very one that the room's ramp leads to", () => {
    const event = { name: "sale", prequeueStartMs: null, cancelled: null, shuffle: false, keepSessions: false };
    const world = new World({ newUsersPerMinute: 60, totalActiveUsers: 100 });
    const overrides = { newUsersPerMinute: 120 };
    const sale = { ...event, startMs: world.now, endMs: world.now + 30_000, overrides } as unknown as RoomEvent;
    world.settings = { ...world.settings, events: [sale] };
    set(world, { newUsersPerMinute: 120, totalActiveUsers: 200 }, MINUTE);
    world.tick(25_000);
    // What the event leaves alone is on its way during it.
    expect([rateOf(world), placesOf(world)]).toEqual([120, 150]);
    world.tick(10_000);
    expect(rateOf(world)).toBe(100);
  });

  test("[LINE-8] at nothing the line's clock stands still from the last step on, however late the Room hears of it", () => {
    const [awake, slept] = [new World({ newUsersPerMinute: 60 }), new World({ newUsersPerMinute: 60 })];
    for (const world of [awake, slept]) {
      const [visitor] = crowd(world, 1) as [Visitor];
      world.tick(5_000);
      set(world, { newUsersPerMinute: 0 }, MINUTE);
      if (world === awake) for (let s = 0; s < 600; s++) world.tick(1_000);
      else world.tick(600_000);
      expect(world.claim(visitor, "look")?.as).toBe("called");
    }
    expect(lineClock(slept.line.counters)).toBe(lineClock(awake.line.counters));
  });
});

const step = fc.record({
  ms: fc.integer({ min: 1, max: 40_000 }),
  rate: fc.option(fc.integer({ min: 0, max: 1_200 }), { freq: 3 }),
  places: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 3 }),
  lengthMs: fc.constantFrom(0, 7_000, 60_000, 300_000),
});

describe("the promises meanwhile", () => {
  test("[LINE-8][P2] a step counts from when it is taken: a Room that hears of it late gives nothing for the time before it", () => {
    const world = new World({ newUsersPerMinute: 60, totalActiveUsers: 1_000 });
    const visitors = crowd(world, 700);
    for (let i = 0; i < 30; i++) {
      world.tick(1_000);
      enterAll(world, visitors);
    }
    const started = world.now;
    set(world, { newUsersPerMinute: 1_260 }, MINUTE);
    const rates = Array.from({ length: 12 }, (_, i) => ({ at: i * RAMP_STEP_MS, perMinute: 160 + 100 * i }));
    const times: number[] = [];
    for (let i = 0; i < 64; i++) {
      world.tick(930);
      for (let n = enterAll(world, visitors); n > 0; n--) times.push(world.now - started);
    }
    expect(times.length).toBeGreaterThan(400);
    expect(worstExcess(times, rates)).toBeLessThanOrEqual(1e-6);
  });

  test("[LINE-8][P1][P2] entries keep to the rate that was in force, and nobody enters beyond the capacity in force", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const world = new World({ newUsersPerMinute: 120, totalActiveUsers: 40, sessionDurationMs: 30_000 });
        const visitors = crowd(world, 100);
        const started = world.now;
        const rates = [{ at: 0, perMinute: 120 }];
        const times: number[] = [];
        for (const { ms, rate, places, lengthMs } of steps) {
          // By the second the rate in force is noted; the Room itself may hear of nothing meanwhile.
          const until = world.now + ms;
          set(
            world,
            { ...(rate === null ? {} : { newUsersPerMinute: rate }), ...(places === null ? {} : { totalActiveUsers: places }) },
            lengthMs,
          );
          const { counters } = world.line;
          for (let at = counters.now; at <= until; at += 500) {
            const perMinute = settingsNow({ counters: { ...counters, now: at } }, world.settings).newUsersPerMinute;
            rates.push({ at: at - started, perMinute });
          }
          world.now = until;
          const before = placesInUse(world.line, settingsNow(world.line, world.settings));
          const entered = enterAll(world, visitors);
          for (let i = 0; i < entered; i++) times.push(world.now - started);
          const inUse = placesInUse(world.line, settingsNow(world.line, world.settings));
          expect(inUse).toBeLessThanOrEqual(Math.max(before, placesOf(world)));
        }
        // Half a second is what the notes above may be off by.
        expect(worstExcess(times, rates)).toBeLessThanOrEqual(1e-6);
      }),
      { numRuns: 60 },
    );
  });
});
