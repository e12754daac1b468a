/**
 * One guard each: what would go wrong if a single check of the line were missing. `test/guards/line-*.mjs` lists the checks
 * and `npm run test:guards` removes them one by one. Virtual time only.
 */
import { describe, expect, it } from "vitest";
import {
  expectedAnswers,
  lookaheadS,
  mayCall,
  newAnswers,
  newCallLoop,
  noteAnswer,
  noteCall,
  showUpShare,
  tickCallLoop,
} from "../../durable/line/call-loop";
import { Pacing } from "../../durable/line/pacing";
import { State } from "../../durable/line/slot-table";
import { lineSecond, placesInUse, waitingCount } from "../../durable/line/state";
import { reset, setEnded, setJoinsStopped } from "../../durable/line/switches";
import { manifestOf } from "../../durable/line/view";
import { COLO_WAKE_MS } from "../../src/core/exchange";
import { crowd, insideWorld, joinOf, ONE_A_SECOND, set, slotOf, stateOf, until } from "../support/line-steps";
import { KEEP_LITTLE, type Visitor, World } from "../support/line-world";

describe("rate", () => {
  it("[P2] calls are limited too: four times the rate, however few people are believed to show up", () => {
    const world = new World(ONE_A_SECOND);
    crowd(world, 200);
    Object.assign(world.line.counters.answers, { made: 1_000, shown: 0 });
    world.commit();
    world.restart();
    world.tick(1_000);
    expect(world.line.counters.epoch).toBe(4);
    world.tick(1_000);
    expect(world.line.counters.epoch).toBe(8);
  });

  for (const [rate, burst] of [
    [6, 2],
    [60, 2],
    [300, 5],
  ] as const) {
    it(`[P2] after an hour asleep at ${rate} a minute exactly ${burst} go straight in`, () => {
      const world = new World({ ...ONE_A_SECOND, newUsersPerMinute: rate });
      world.now += 3_600_000;
      world.restart();
      const entered = Array.from({ length: 20 }, () => world.join(world.visitor(), true)?.as).filter((as) => as === "entered");
      expect(entered.length).toBe(burst);
      expect(world.manifest.quiet).toBe(false);
    });
  }

  it("[ROOM-4] an earlier time than before counts as no time passing", () => {
    const world = new World(ONE_A_SECOND);
    world.tick(10_000);
    const { at } = world.manifest;
    world.tick(-5_000);
    expect(world.manifest.at).toBe(at);
  });

  it("[P12] one call steps over at most 8,192 slots whose holders have left", () => {
    const world = new World({ ...ONE_A_SECOND, queueAll: true });
    const visitors = crowd(world, 20_000);
    world.exchange({ leaves: visitors.slice(0, -1).map((visitor) => ({ slot: slotOf(visitor), serial: 0 })) });
    set(world, { queueAll: false });
    world.tick(1_000);
    expect(world.line.counters.epoch).toBe(8_192);
    world.tick(250);
    world.tick(250);
    expect(stateOf(world, visitors.at(-1) as Visitor)).toBe(State.CALLED);
  });

  it("[P12] isolates are paced together under 300 calls a second, a lone one is not, and silent ones are forgotten", () => {
    const pacing = new Pacing();
    pacing.heard(1, 0);
    expect(pacing.flushAfterMs).toBe(0);
    for (let isolate = 1; isolate <= 3_000; isolate++) pacing.heard(isolate, 1_000);
    expect(3_000 / (pacing.flushAfterMs / 1_000)).toBeLessThan(300);
    for (let isolate = 1; isolate <= 20_000; isolate++) pacing.heard(isolate, 2_000);
    expect(pacing.flushAfterMs).toBe(30_000);
    expect(pacing.isolates).toBeLessThanOrEqual(16_384);
    pacing.heard(7, 60_000);
    expect(pacing.isolates).toBe(1);
  });

  it("[P12] a new line keeps the pace: its isolates are as many as before", () => {
    const world = new World();
    for (let isolate = 1; isolate <= 3_000; isolate++) world.line.pacing.heard(isolate, world.now);
    const fresh = reset(world.line, world.settings);
    expect(manifestOf(fresh, world.settings, "test", 1).flushAfterMs).toBe(world.line.pacing.flushAfterMs);
    expect(3_000 / (fresh.pacing.flushAfterMs / 1_000)).toBeLessThan(300);
  });

  it("[P12] from the colos that have woken the Room tells how many will: 300 are expected from the first on, and forty do not wait like 300", () => {
    // As the first calls of colos come.
    const paces = (colos: number) => {
      const pacing = new Pacing();
      return Array.from({ length: colos }, (_, i) => {
        pacing.heard(i, (i * COLO_WAKE_MS) / colos, { id: i, isolates: 1 });
        return pacing.share(i).paceMs;
      });
    };
    for (const paceMs of paces(300).slice(10)) expect(300_000 / paceMs).toBeLessThan(300);
    for (const paceMs of paces(40).slice(10)) expect(40_000 / paceMs).toBeGreaterThan(100);
  });
});

/** Pages of places that were left, when everything has rows of its own. */
function pagesIn(world: World): number {
  for (let step = 0; step < KEEP_LITTLE.steps; step++) world.commit();
  return world.store.gone.size;
}

describe("[P12] what is remembered of those who wait", () => {
  it("goes once the epoch has passed them: who left, and who was seen", () => {
    const world = new World({ ...ONE_A_SECOND, queueAll: true });
    const visitors = crowd(world, 5_000);
    world.see(visitors);
    world.exchange({ leaves: visitors.slice(0, 4_500).map((visitor) => ({ slot: slotOf(visitor), serial: 0 })) });
    expect(pagesIn(world)).toBe(5);
    set(world, { queueAll: false });
    world.tick(1_000);
    expect(world.line.counters.epoch).toBeGreaterThan(4_500);
    expect(pagesIn(world)).toBe(1);
    world.tick(1_000);
    expect(world.line.sightings.bytes).toBeLessThanOrEqual(2 * 4_096);
  });

  it("also where only the first of a thousand left, and where a newcomer of a quiet room is the last of them", () => {
    const world = new World({ totalActiveUsers: 10_000, newUsersPerMinute: 600_000, queueAll: true });
    const visitors = crowd(world, 1_023);
    expect(world.leave(visitors[0] as Visitor)?.as).toBe("left");
    expect(world.leave(visitors[1_022] as Visitor)?.as).toBe("left");
    expect(pagesIn(world)).toBe(1);
    set(world, { queueAll: false });
    world.tick(1_000);
    for (const visitor of visitors.slice(1, 1_022)) expect(world.claim(visitor, "enter")?.as).toBe("entered");
    expect(world.line.counters.epoch).toBe(1_022);
    world.tick(1_000);
    expect(world.join(world.visitor(), true)?.as).toBe("entered");
    expect(world.line.counters.epoch).toBe(1_024);
    expect(pagesIn(world)).toBe(0);
  });
});

describe("calls and moments", () => {
  it("[LINE-1] whoever joins while places are free is called in the same exchange", () => {
    const world = new World(ONE_A_SECOND);
    world.tick(2_000);
    const [visitor] = crowd(world, 1) as [Visitor];
    expect(stateOf(world, visitor)).toBe(State.CALLED);
    expect(world.manifest.admittedEpoch).toBe(1);
  });

  it("[LINE-1] a hold is never shorter than reserve_seconds, nor a call than claim_window_seconds", () => {
    const world = new World(ONE_A_SECOND);
    const [visitor] = crowd(world, 1) as [Visitor];
    world.tick(1_333);
    const verdict = world.claim(visitor, "look");
    expect(verdict?.as).toBe("called");
    if (verdict?.as !== "called") return;
    expect(verdict.holdForMs).toBeGreaterThanOrEqual(20_000);
    expect(verdict.validForMs).toBeGreaterThanOrEqual(180_000);
  });

  it("[LINE-3] a moment keeps its place until the token is due, also past the hold and past the call", () => {
    const world = new World({ totalActiveUsers: 1, newUsersPerMinute: 0.2 });
    const [first, second] = crowd(world, 2) as [Visitor, Visitor];
    until(world, () => stateOf(world, first) === State.CALLED);
    world.line.counters.entry.tokens = 0;
    expect(world.claim(first, "enter")).toMatchObject({ as: "moment", dueInMs: 300_000 });
    const told = world.claim(first, "look");
    expect(told).toMatchObject({ as: "called", holdForMs: 303_000, validForMs: 303_000 });
    for (let waited = 0; waited < 299_000; waited += 1_000) world.tick(1_000);
    expect(stateOf(world, second)).toBe(State.NONE);
    expect(world.claim(first, "enter")?.as).toBe("moment");
    world.tick(1_000);
    expect(world.claim(first, "enter")?.as).toBe("entered");
  });

  it("[LINE-3] answered after the hold, with a place but no token: the place is held again", () => {
    const world = new World({ totalActiveUsers: 1, newUsersPerMinute: 60 });
    const [late] = crowd(world, 1) as [Visitor];
    until(world, () => stateOf(world, late) === State.CALLED);
    world.tick(25_000);
    world.line.counters.entry.tokens = 0;
    expect(world.claim(late, "enter")).toMatchObject({ as: "moment", dueInMs: 1_000 });
    const [next] = crowd(world, 1) as [Visitor];
    world.tick(1_000);
    expect(stateOf(world, next)).toBe(State.NONE);
    expect(world.claim(late, "enter")?.as).toBe("entered");
  });

  it("[LINE-3] who has entered, or left, reserves no token any more", () => {
    for (const how of ["enters", "leaves"] as const) {
      const world = new World(ONE_A_SECOND);
      const [first, second] = crowd(world, 2) as [Visitor, Visitor];
      until(world, () => stateOf(world, second) === State.CALLED);
      world.line.counters.entry.tokens = 0;
      expect(world.claim(first, "enter")?.as).toBe("moment");
      world.line.counters.entry.tokens = how === "enters" ? 2 : 1;
      if (how === "enters") expect(world.claim(first, "enter")?.as).toBe("entered");
      else expect(world.leave(first)?.as).toBe("left");
      expect(world.claim(second, "enter")?.as, how).toBe("entered");
    }
  });

  it("[LINE-3] a token that was kept for somebody goes on three seconds after it was due, not earlier", () => {
    const world = new World(ONE_A_SECOND);
    const [first, second] = crowd(world, 2) as [Visitor, Visitor];
    until(world, () => stateOf(world, second) === State.CALLED);
    world.line.counters.entry.tokens = 0;
    expect(world.claim(first, "enter")).toMatchObject({ as: "moment", dueInMs: 1_000 });
    world.tick(3_900);
    world.line.counters.entry.tokens = 1;
    expect(world.claim(second, "enter")?.as).toBe("moment");
    world.tick(100);
    world.line.counters.entry.tokens = 1;
    expect(world.claim(second, "enter")?.as).toBe("entered");
  });

  it("[LINE-3] a token that would be spilled goes to whoever asks; one is still kept for the first in line", () => {
    const world = new World(ONE_A_SECOND);
    const [first, second, third] = crowd(world, 3) as [Visitor, Visitor, Visitor];
    until(world, () => stateOf(world, third) === State.CALLED);
    world.line.counters.entry.tokens = 0;
    expect(world.claim(first, "enter")?.as).toBe("moment");
    expect(world.claim(second, "enter")?.as).toBe("moment");
    world.tick(1_900);
    expect(world.claim(third, "enter")?.as).toBe("moment");
    world.tick(100);
    expect(world.claim(third, "enter")?.as).toBe("entered");
    expect(world.claim(second, "enter")?.as).toBe("moment");
    expect(world.claim(first, "enter")?.as).toBe("entered");
  });

  it("[LINE-3] who asks gets tokens although many told before them are away: no more than a quarter of the bucket waits for those", () => {
    const world = new World({ totalActiveUsers: 1_000, newUsersPerMinute: 2_400 });
    const visitors = crowd(world, 120);
    until(world, () => stateOf(world, visitors[119] as Visitor) === State.CALLED);
    world.line.counters.entry.tokens = 0;
    for (const visitor of visitors.slice(0, 60)) expect(world.claim(visitor, "enter")?.as).toBe("moment");
    world.line.counters.entry.tokens = 39;
    const outcomes = visitors.slice(60).map((visitor) => world.claim(visitor, "enter")?.as);
    expect(outcomes.filter((as) => as === "entered")).toHaveLength(29);
    expect(outcomes.slice(0, 29)).toEqual(Array(29).fill("entered"));
    // What is kept is for the first of them.
    expect(visitors.slice(0, 11).map((visitor) => world.claim(visitor, "enter")?.as)).toEqual([...Array(10).fill("entered"), "moment"]);
  });

  it("[P3] at many a second calls are a second's worth ahead, for neighbours in line come in clumps; at few only as chance asks", () => {
    const mostExpected = (perMinute: number) => {
      const loop = newCallLoop(0, newAnswers());
      let most = 0;
      while (mayCall(loop, 0, 1e9, perMinute, 0, most)) most += 0.25;
      return most - (lookaheadS(loop) * perMinute) / 60;
    };
    expect(mostExpected(6_000)).toBeGreaterThanOrEqual(99);
    expect(mostExpected(6_000)).toBeLessThanOrEqual(101);
    expect(mostExpected(60)).toBeLessThanOrEqual(Math.sqrt(3));
  });

  it("[P3] how long answers take is measured: calls are ahead by so much, each by its chance to be answered yet", () => {
    const loop = newCallLoop(0, newAnswers());
    for (let second = 1; second <= 300; second++) {
      tickCallLoop(loop, second, 120);
      // Two calls a second, one of them answered after nine seconds.
      noteCall(loop, second);
      noteCall(loop, second);
      if (second > 9) noteAnswer(loop, second - 9, second);
    }
    expect(lookaheadS(loop)).toBeCloseTo(9, 1);
    // Of nine seconds' calls half will be answered; perhaps one of nine seconds ago within this second; of older ones none.
    expect(expectedAnswers(loop, 300)).toBeCloseTo(9.5, 1);
    // While nobody answers, that stays known: only the share falls.
    for (let second = 301; second <= 40_000; second++) {
      tickCallLoop(loop, second, 120);
      noteCall(loop, second);
    }
    expect(lookaheadS(loop)).toBeCloseTo(9, 1);
    expect(showUpShare(loop)).toBe(0.25);
  });

  it("[P3] nobody is called while enough people who were told one moment are due", () => {
    const world = new World(ONE_A_SECOND);
    const visitors = crowd(world, 100);
    until(world, () => world.line.counters.epoch >= 7);
    const called = visitors.filter((visitor) => stateOf(world, visitor) === State.CALLED);
    world.line.counters.entry.tokens = 0;
    for (const visitor of called) expect(world.claim(visitor, "enter")?.as).toBe("moment");
    const { epoch } = world.line.counters;
    world.tick(500);
    expect(world.line.counters.epoch).toBe(epoch);
  });

  it("[P3] asking again and again does not count as somebody else's answer", () => {
    const world = new World(ONE_A_SECOND);
    const visitors = crowd(world, 10);
    until(world, () => visitors.slice(0, 4).every((visitor) => stateOf(world, visitor) === State.CALLED));
    set(world, { queueAll: true });
    const open = expectedAnswers(world.line.loop, lineSecond(world.line));
    world.settings = { ...world.settings, queueAll: false };
    world.line.counters.entry.tokens = 0;
    world.line.counters.call.tokens = 0;
    const [first] = visitors as [Visitor];
    for (let i = 0; i < 4; i++) expect(world.claim(first, "enter")?.as).toBe("moment");
    expect(expectedAnswers(world.line.loop, lineSecond(world.line))).toBeGreaterThan(open - 1.5);
  });

  it("[P4] who waits is not called by asking; a slot nobody has is nobody's", () => {
    const world = new World({ ...ONE_A_SECOND, newUsersPerMinute: 6 });
    const [, , , , , , , , last] = crowd(world, 9) as Visitor[];
    world.tick(1_000);
    for (const intent of ["enter", "look", "continue"] as const) expect(world.claim(last as Visitor, intent)?.as).toBe("waiting");
    const stranger = world.visitor({ ticket: { generation: 1, slot: 9, joinedAtS: 0 } });
    expect(world.claim(stranger, "enter")).toEqual({ as: "ended", why: "unknown" });
    expect(world.leave(stranger)?.as).toBe("void");
    expect(waitingCount(world.line)).toBeGreaterThan(0);
  });

  it("[LINE-5] who left the line is told so, before and after the epoch has passed", () => {
    const world = new World({ ...ONE_A_SECOND, queueAll: true });
    const [visitor, other] = crowd(world, 2) as [Visitor, Visitor];
    world.leave(visitor);
    expect(world.claim(visitor, "enter")).toEqual({ as: "ended", why: "left" });
    set(world, { queueAll: false });
    until(world, () => stateOf(world, other) === State.CALLED);
    expect(world.claim(visitor, "enter")?.as).toBe("ended");
  });
});

describe("[P1] places", () => {
  it("the last place belongs to whoever was told one moment before (P4)", () => {
    const world = new World({ totalActiveUsers: 2, newUsersPerMinute: 60 });
    const [first, second] = crowd(world, 2) as [Visitor, Visitor];
    until(world, () => stateOf(world, second) === State.CALLED);
    world.line.counters.entry.tokens = 0;
    expect(world.claim(first, "enter")?.as).toBe("moment");
    world.line.counters.leases.push({ places: 1, untilMs: world.now + 60_000 });
    world.line.counters.entry.tokens = 2;
    expect(world.claim(second, "enter")?.as).toBe("moment");
    expect(world.claim(first, "enter")?.as).toBe("entered");
  });

  it("after the capacity was lowered the books show what is occupied, and calls hold nothing beyond it", () => {
    const world = new World({ totalActiveUsers: 10, newUsersPerMinute: 600 });
    const visitors = crowd(world, 10);
    until(world, () => visitors.every((visitor) => stateOf(world, visitor) === State.CALLED));
    for (const visitor of visitors.slice(0, 4)) until(world, () => world.claim(visitor, "enter")?.as === "entered", 1_000);
    set(world, { totalActiveUsers: 6 });
    expect(placesInUse(world.line, world.settings)).toBe(6);
    set(world, { totalActiveUsers: 3 });
    expect(placesInUse(world.line, world.settings)).toBe(4);
    world.tick(1_000);
    for (const visitor of visitors.slice(4)) expect(world.claim(visitor, "enter")?.as).not.toBe("entered");
  });

  it("while places change hands slowly, as many are called as there are places", () => {
    const world = new World({ totalActiveUsers: 3, newUsersPerMinute: 600 });
    crowd(world, 30);
    world.tick(10_000);
    expect(world.line.counters.epoch).toBe(3);
  });

  it("a hold is let go once: by its end, by the end of the call, by an answer", () => {
    const world = new World(ONE_A_SECOND);
    const [late, silent] = crowd(world, 2) as [Visitor, Visitor];
    until(world, () => stateOf(world, silent) === State.CALLED);
    world.tick(25_000);
    expect(world.line.held).toBe(0);
    expect(world.claim(late, "enter")?.as).toBe("entered");
    expect(world.line.held).toBe(0);
    world.tick(181_000);
    expect(stateOf(world, silent)).toBe(State.MISSED);
    expect(world.line.held).toBe(0);
  });

  it("one isolate leases 64 units at most", () => {
    const world = new World({ totalActiveUsers: 10_000, newUsersPerMinute: 600 });
    world.tick(1_000);
    expect(world.exchange({ leaseWanted: 500 })?.lease?.units).toBe(64);
  });
});

describe("absence", () => {
  /** A room whose edges see everybody but `sleeper`, for `ms`. */
  function watch(world: World, visitors: readonly Visitor[], sleepers: readonly Visitor[], ms: number): void {
    for (let waited = 0; waited < ms; waited += 5_000) {
      world.see(visitors.filter((visitor) => !sleepers.includes(visitor)));
      world.tick(5_000);
    }
  }
  const isAbsent = (world: World, visitor: Visitor): boolean =>
    world.line.sightings.isAbsent(slotOf(visitor), world.now, world.settings.absentAfterMs);

  it("[LINE-2] absent: within the horizon for absent_after_seconds and not seen in that time; joining is being seen", () => {
    const world = new World({ ...ONE_A_SECOND, newUsersPerMinute: 0.1 });
    const visitors = crowd(world, 20);
    const [sleeper] = visitors.slice(10) as [Visitor];
    watch(world, visitors, [sleeper], 150_000);
    const [newcomer] = crowd(world, 1) as [Visitor];
    watch(world, visitors, [sleeper, newcomer], 45_000);
    expect(isAbsent(world, sleeper), "not yet").toBe(false);
    watch(world, visitors, [sleeper, newcomer], 15_000);
    expect(isAbsent(world, sleeper)).toBe(true);
    expect(isAbsent(world, newcomer), "joined a minute ago").toBe(false);
    expect(isAbsent(world, visitors[5] as Visitor), "seen").toBe(false);
  });

  it("[LINE-2] evidence is of slots within the horizon, a whole absent_after_seconds long, and starts anew with a restart", () => {
    for (const upset of ["jump", "restart"] as const) {
      const world = new World({ ...ONE_A_SECOND, newUsersPerMinute: 0.1 });
      const visitors = crowd(world, 900);
      const [near, far] = [visitors[20] as Visitor, visitors[890] as Visitor];
      watch(world, [], [], 240_000);
      expect([isAbsent(world, near), isAbsent(world, far)]).toEqual([true, false]);
      if (upset === "restart") world.restart();
      // The horizon jumps with the rate; nobody is let in, so that it is the evidence alone that counts.
      set(world, { newUsersPerMinute: 600, queueAll: true });
      watch(world, [], [], 190_000);
      expect([isAbsent(world, near), isAbsent(world, far)], upset).toEqual([upset === "jump", false]);
      watch(world, [], [], 20_000);
      expect([isAbsent(world, near), isAbsent(world, far)], upset).toEqual([true, true]);
    }
  });

  it("[LINE-2] the first miss counts, whenever one came back and however often one misses again", () => {
    const world = new World(ONE_A_SECOND);
    const [visitor] = crowd(world, 1) as [Visitor];
    until(world, () => stateOf(world, visitor) === State.CALLED);
    world.tick(181_000);
    const { awaySince } = world.line.table.peek(0);
    world.tick(60_000);
    expect(world.claim(visitor, "look")?.as).toBe("returning");
    until(world, () => stateOf(world, visitor) === State.CALLED);
    world.tick(181_000);
    expect(stateOf(world, visitor)).toBe(State.MISSED);
    expect(world.line.table.peek(0).awaySince).toBe(awaySince);
  });

  it("[LINE-2] no call, alarms included, passes anybody over while the edges are silent", () => {
    const world = new World({ ...ONE_A_SECOND, newUsersPerMinute: 0.1 });
    const visitors = crowd(world, 20);
    const [sleeper] = visitors.slice(10) as [Visitor];
    watch(world, visitors, [sleeper], 300_000);
    expect(isAbsent(world, sleeper)).toBe(true);
    world.tick(70_000);
    expect(isAbsent(world, sleeper)).toBe(false);
    world.exchange({});
    expect(isAbsent(world, sleeper), "the silence was no evidence").toBe(false);
  });

  it("[LINE-2] sightings of another generation, and of slots that nobody has, count for nothing", () => {
    const world = new World({ ...ONE_A_SECOND, newUsersPerMinute: 0.1 });
    const visitors = crowd(world, 20);
    const [sleeper] = visitors.slice(10) as [Visitor];
    for (let waited = 0; waited < 300_000; waited += 5_000) {
      world.exchange({ generation: 0, sightings: [slotOf(sleeper)] });
      world.tick(5_000);
    }
    expect(isAbsent(world, sleeper)).toBe(true);
    const { bytes } = world.line.sightings;
    world.exchange({ sightings: Array.from({ length: 1_000 }, () => 1_024) });
    expect(world.line.sightings.bytes).toBe(bytes);
  });

  it("[LINE-2] who is back stays in line until the return time is over, and no longer than an hour after the first miss", () => {
    const world = new World({ totalActiveUsers: 1, newUsersPerMinute: 60 });
    const [visitor] = crowd(world, 1) as [Visitor];
    const ticket = visitor.ticket as NonNullable<Visitor["ticket"]>;
    until(world, () => stateOf(world, visitor) === State.CALLED);
    visitor.ticket = { ...ticket, joinedAtS: ticket.joinedAtS - 36_000 };
    world.tick(181_000);
    expect(stateOf(world, visitor)).toBe(State.MISSED);
    // The only place stays taken.
    world.exchange({ leaseWanted: 1 });
    world.line.counters.leases.push({ places: 1, untilMs: world.now + 86_400_000 });
    expect(world.claim(visitor, "look")?.as).toBe("returning");
    world.tick(3_590_000);
    expect(stateOf(world, visitor)).toBe(State.RETURNING);
    world.tick(15_000);
    expect(stateOf(world, visitor)).toBe(State.NONE);
    expect(world.claim(visitor, "enter")?.as).toBe("ended");
  });

  it("[P4] while anyone waits no two returners are called one after the other, nor two who wait while somebody is back", () => {
    const world = new World({ ...ONE_A_SECOND, totalActiveUsers: 1_000 });
    const late = crowd(world, 6);
    until(world, () => late.every((visitor) => stateOf(world, visitor) === State.CALLED));
    world.tick(181_000);
    set(world, { queueAll: true });
    const waiting = crowd(world, 9);
    for (const visitor of late) expect(world.claim(visitor, "look")?.as).toBe("returning");
    set(world, { queueAll: false });
    const called = new Set<Visitor>();
    const of = (group: readonly Visitor[]): number => group.filter((visitor) => called.has(visitor)).length;
    while (of(late) < late.length) {
      world.tick(100);
      for (const visitor of [...late, ...waiting]) {
        if (stateOf(world, visitor) !== State.CALLED) continue;
        called.add(visitor);
        world.claim(visitor, "enter");
      }
      expect(Math.abs(of(late) - of(waiting))).toBeLessThanOrEqual(1);
    }
  });

  it("[LINE-2] whoever misses another turn goes behind those who came back meanwhile", () => {
    const world = new World({ totalActiveUsers: 2, newUsersPerMinute: 60, claimWindowMs: 150_000 });
    const [first, second] = crowd(world, 2) as [Visitor, Visitor];
    until(world, () => stateOf(world, second) === State.CALLED);
    world.tick(151_000);
    set(world, { queueAll: true });
    for (const visitor of [first, second]) expect(world.claim(visitor, "look")?.as).toBe("returning");
    world.line.counters.leases.push({ places: 1, untilMs: world.now + 86_400_000 });
    set(world, { queueAll: false });
    expect([stateOf(world, first), stateOf(world, second)]).toEqual([State.CALLED, State.RETURNING]);
    set(world, { totalActiveUsers: 1 });
    world.tick(21_000);
    expect(world.claim(first, "enter")?.as).toBe("returning");
    set(world, { totalActiveUsers: 2 });
    until(world, () => stateOf(world, second) === State.CALLED, 10_000);
    expect(stateOf(world, first)).toBe(State.RETURNING);
  });
});

describe("[P4] a newcomer overtakes nobody", () => {
  /** What a newcomer meets who asks to go straight in, in the same exchange as `items`. */
  function newcomer(world: World, items: Parameters<World["exchange"]>[0] = {}): string | undefined {
    return world.exchange({ ...items, joins: [joinOf(world.visitor(), true)] })?.joins[0]?.as;
  }

  it("who is called", () => {
    const world = new World(ONE_A_SECOND);
    crowd(world, 1);
    world.tick(2_000);
    expect(world.line.counters.entry.tokens).toBe(2);
    expect(newcomer(world)).toBe("placed");
  });

  it("who waits, when everybody who was called has left at once", () => {
    const world = new World(ONE_A_SECOND);
    const visitors = crowd(world, 20);
    world.tick(2_000);
    const called = visitors.filter((visitor) => stateOf(world, visitor) === State.CALLED);
    world.line.counters.call.tokens = 0;
    expect(newcomer(world, { leaves: called.map((visitor) => ({ slot: slotOf(visitor), serial: 0 })) })).toBe("placed");
  });

  it("who is back after a missed turn", () => {
    const world = new World(ONE_A_SECOND);
    const [visitor] = crowd(world, 1) as [Visitor];
    until(world, () => stateOf(world, visitor) === State.CALLED);
    world.tick(181_000);
    const look = { slot: 0, serial: 0, tag: 1, ageMs: 0, joinedAtS: visitor.ticket?.joinedAtS ?? 0, intent: "look" as const };
    expect(newcomer(world, { claims: [look] })).toBe("placed");
  });

  it("nor takes one of the last fifth of the places", () => {
    const world = new World({ totalActiveUsers: 5, newUsersPerMinute: 600 });
    world.tick(1_000);
    expect(Array.from({ length: 5 }, () => newcomer(world))).toEqual(["entered", "entered", "entered", "entered", "placed"]);
  });

  it("nor enters a room that has no token left, or not yet", () => {
    const world = new World(ONE_A_SECOND);
    world.tick(900);
    expect(world.manifest.quiet).toBe(false);
    expect(newcomer(world)).toBe("placed");
    const next = new World(ONE_A_SECOND);
    next.tick(1_000);
    expect(next.manifest.quiet).toBe(true);
  });

  it("nor enters a room where nobody may", () => {
    for (const changes of [{ queueAll: true }, { suspended: true }, { newUsersPerMinute: 0 }]) {
      const world = new World(ONE_A_SECOND);
      world.tick(2_000);
      set(world, changes);
      expect(world.manifest.quiet, JSON.stringify(changes)).toBe(false);
      expect(newcomer(world), JSON.stringify(changes)).toBe("placed");
    }
  });

  it("but goes straight in when all who waited have left", () => {
    const world = new World({ ...ONE_A_SECOND, queueAll: true });
    world.tick(2_000);
    for (const visitor of crowd(world, 5)) world.leave(visitor);
    world.line.counters.entry.tokens = 2;
    set(world, { queueAll: false });
    expect(newcomer(world)).toBe("entered");
    expect(waitingCount(world.line)).toBe(0);
  });
});

describe("joining", () => {
  it("[P5] S7 the same key gets the same place: repeated, after a restart, and when newcomers are refused", () => {
    const world = new World({ ...ONE_A_SECOND, joinLimitPerMinute: 3 });
    const visitors = Array.from({ length: 3 }, () => world.visitor({ network: 9 }));
    const slots = visitors.map((visitor) => {
      world.join(visitor, false);
      return slotOf(visitor);
    });
    expect(slots).toEqual([0, 1, 2]);
    const again = (): number[] =>
      visitors.map((visitor) => {
        expect(world.join(visitor, false)?.as).toBe("placed");
        return slotOf(visitor);
      });
    expect(again()).toEqual(slots);
    world.restart();
    expect(again()).toEqual(slots);
    setJoinsStopped(world.line, true);
    expect(again()).toEqual(slots);
    expect(world.join(world.visitor({ network: 9 }), false)).toMatchObject({ as: "refused", why: "stopped" });
  });

  it("[LINE-6] stopped joins and an ended sale refuse newcomers, and say so", () => {
    const world = new World(ONE_A_SECOND);
    setJoinsStopped(world.line, true);
    expect(world.join(world.visitor(), true)).toMatchObject({ as: "refused", why: "stopped" });
    expect(world.manifest.joins).toBe("stopped");
    setJoinsStopped(world.line, false);
    setEnded(world.line, true);
    expect(world.join(world.visitor(), true)).toMatchObject({ as: "refused", why: "ended" });
    expect(world.manifest.joins).toBe("ended");
    setEnded(world.line, false);
    expect(world.join(world.visitor(), false)?.as).toBe("placed");
  });

  it("[LINE-6] a join limit of 0 is none, and holders who join again are not counted", () => {
    const world = new World({ ...ONE_A_SECOND, joinLimitPerMinute: 0 });
    for (let i = 0; i < 5; i++) expect(world.join(world.visitor({ network: 5 }), false)?.as).toBe("placed");
    world.settings = { ...world.settings, joinLimitPerMinute: 6 };
    const [holder] = world.visitors as [Visitor];
    for (let i = 0; i < 9; i++) expect(world.join(holder, false)?.as).toBe("placed");
    expect(world.join(world.visitor({ network: 5 }), false)?.as).toBe("placed");
    expect(world.join(world.visitor({ network: 5 }), false)?.as).toBe("refused");
    world.tick(61_000);
    const next = Array.from({ length: 9 }, () => world.join(world.visitor({ network: 5 }), false)?.as);
    expect(next.filter((as) => as === "placed").length, "the next minute counts anew").toBe(6);
  });
});

describe("join limits under load", () => {
  it("[LINE-6] a join limit survives a flood of other networks, and a restart after it", () => {
    const world = new World({ ...ONE_A_SECOND, joinLimitPerMinute: 2 });
    for (let i = 0; i < 2; i++) expect(world.join(world.visitor({ network: 5 }), false)?.as).toBe("placed");
    for (let second = 0; second < 50; second++) {
      const key = (i: number): string => `${String(second).padStart(4, "0")}-${String(i).padStart(11, "0")}`;
      world.exchange({ joins: Array.from({ length: 1_000 }, (_, i) => ({ key: key(i), network: 0, enter: false, tag: 0 })) });
      world.tick(1_000);
    }
    world.restart();
    expect(world.join(world.visitor({ network: 5 }), false)?.as).toBe("refused");
    world.tick(11_000);
    expect(world.join(world.visitor({ network: 5 }), false)?.as).toBe("placed");
  });
});

describe("[LINE-6] nobody may enter: the clock of those called stands still", () => {
  for (const [name, changes] of Object.entries({
    queue_all: { queueAll: true },
    "rate 0": { newUsersPerMinute: 0 },
    suspended: { suspended: true },
    ended: {},
  })) {
    it(name, () => {
      const world = new World(ONE_A_SECOND);
      const visitors = crowd(world, 30);
      until(world, () => stateOf(world, visitors[0] as Visitor) === State.CALLED);
      const before = world.claim(visitors[0] as Visitor, "look");
      if (name === "ended") setEnded(world.line, true);
      set(world, changes);
      const { epoch } = world.line.counters;
      world.tick(3_600_000);
      expect(world.line.counters.epoch, "nobody is called").toBe(epoch);
      expect(world.claim(visitors[0] as Visitor, "look")).toEqual(before);
      for (const visitor of visitors.slice(0, epoch)) expect(world.claim(visitor, "enter")?.as).toBe("paused");
      if (name === "ended") setEnded(world.line, false);
      set(world, { queueAll: false, suspended: false, newUsersPerMinute: 60 });
      world.tick(1_000);
      expect(world.claim(visitors[0] as Visitor, "enter")?.as).toBe("entered");
    });
  }

  it("a returner is told that the line is paused, and keeps the place in line", () => {
    const { world } = insideWorld();
    const [visitor] = crowd(world, 1) as [Visitor];
    until(world, () => stateOf(world, visitor) === State.CALLED);
    world.tick(181_000);
    set(world, { queueAll: true });
    expect(world.claim(visitor, "look")?.as).toBe("returning");
    expect(world.claim(visitor, "enter")?.as).toBe("paused");
    world.tick(3_600_000);
    expect(world.claim(visitor, "look")).toMatchObject({ as: "returning", ahead: 0 });
  });
});
