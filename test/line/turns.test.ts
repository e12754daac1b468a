/** What happens around a turn: the table of DESIGN §7, row by row, and the promises it leans on. Virtual time only. */
import { describe, expect, it } from "vitest";
import { advance } from "../../durable/line/advance";
import { State } from "../../durable/line/slot-table";
import { placesInUse, waitingCount } from "../../durable/line/state";
import { endSessions, setEnded } from "../../durable/line/switches";
import { statsOf } from "../../durable/line/view";
import { type Visitor, World } from "../support/line-world";

const ONE_A_SECOND = { totalActiveUsers: 100, newUsersPerMinute: 60 };

function crowd(world: World, count: number): Visitor[] {
  const visitors = Array.from({ length: count }, () => world.visitor());
  world.exchange({ joins: visitors.map((visitor) => ({ key: visitor.key, network: 0, enter: false, tag: visitor.tag })) });
  for (const visitor of visitors) world.join(visitor, false);
  return visitors;
}

function stateOf(world: World, visitor: Visitor): number {
  return world.line.table.stateOf(visitor.ticket?.slot ?? -1);
}

/** Tick in small steps until `done`, at most `limitMs`. */
function until(world: World, done: () => boolean, limitMs = 600_000): void {
  for (let waited = 0; !done(); waited += 250) {
    if (waited > limitMs) throw new Error("never happened");
    world.tick(250);
  }
}

describe("[LINE-1] calls: a place held while silent, a call valid for longer", () => {
  it("holds the place for reserve_seconds, and stays valid for claim_window_seconds", () => {
    const world = new World(ONE_A_SECOND);
    const [visitor] = crowd(world, 1) as [Visitor];
    until(world, () => stateOf(world, visitor) === State.CALLED);
    expect(world.line.held).toBe(1);
    world.tick(19_000);
    expect(world.line.held).toBe(1);
    world.tick(2_000);
    expect(world.line.held).toBe(0);
    expect(world.claim(visitor, "look")).toMatchObject({ as: "called", holdForMs: 0 });
    world.tick(150_000);
    expect(world.claim(visitor, "enter")?.as).toBe("entered");
  });

  it("an answer after the hold enters if a place is free, else returns", () => {
    const world = new World({ totalActiveUsers: 1, newUsersPerMinute: 60 });
    const [late, next] = crowd(world, 2) as [Visitor, Visitor];
    until(world, () => stateOf(world, late) === State.CALLED);
    until(world, () => world.claim(next, "enter")?.as === "entered");
    expect(world.claim(late, "enter")).toMatchObject({ as: "returning", ahead: 0 });
  });

  it("[LINE-2] an answer after the hold costs no call its time, also where the return time is over by then; the last of max_calls does", () => {
    const answersLate = (maxCalls: number) => {
      const world = new World({ totalActiveUsers: 1, newUsersPerMinute: 60, maxCalls });
      const [visitor] = crowd(world, 1) as [Visitor];
      until(world, () => stateOf(world, visitor) === State.MISSED);
      world.tick(570_000);
      expect(world.claim(visitor, "look")?.as).toBe("returning");
      until(world, () => stateOf(world, visitor) === State.CALLED, 5_000);
      world.tick(40_000);
      // Somebody has the only place for another minute.
      world.line.counters.leases.push({ places: 1, untilMs: world.now + 60_000 });
      return { world, visitor, verdict: world.claim(visitor, "enter") };
    };
    const { world, visitor, verdict } = answersLate(3);
    expect(verdict).toMatchObject({ as: "returning", ahead: 0 });
    expect(verdict?.as === "returning" && verdict.untilMs - world.now).toBeGreaterThan(130_000);
    until(world, () => stateOf(world, visitor) === State.CALLED, 65_000);
    expect(world.claim(visitor, "enter")?.as).toBe("entered");

    const never = answersLate(3);
    never.world.line.counters.leases.push({ places: 1, untilMs: never.world.now + 86_400_000 });
    until(never.world, () => stateOf(never.world, never.visitor) === State.NONE, 145_000);

    const last = answersLate(2);
    last.world.tick(1_000);
    expect(stateOf(last.world, last.visitor)).toBe(State.NONE);
  });
});

describe("[LINE-7] more time", () => {
  const calledFor = (world: World, visitor: Visitor, how: "look" | "extend") => {
    const verdict = world.claim(visitor, how);
    if (verdict?.as !== "called") throw new Error(`not called but ${verdict?.as}`);
    return verdict;
  };

  it("once in each call, however often it is asked, also after a crash; the next call may be made longer again", () => {
    const world = new World(ONE_A_SECOND);
    const [visitor] = crowd(world, 1) as [Visitor];
    until(world, () => stateOf(world, visitor) === State.CALLED);
    const first = calledFor(world, visitor, "look");
    expect(first.extendable).toBe(true);
    world.claim(visitor, "extend", "after");
    for (const how of ["look", "extend", "extend"] as const)
      expect(calledFor(world, visitor, how)).toEqual({
        as: "called",
        holdForMs: first.holdForMs,
        validForMs: first.validForMs + 180_000,
      });
    world.tick(355_000);
    expect(calledFor(world, visitor, "look").validForMs).toBeGreaterThan(0);
    world.tick(6_000);
    expect(stateOf(world, visitor)).toBe(State.MISSED);
    expect(world.claim(visitor, "extend")?.as).toBe("returning");
    until(world, () => stateOf(world, visitor) === State.CALLED);
    expect(calledFor(world, visitor, "extend").validForMs).toBeGreaterThan(350_000);
    expect(world.claim(visitor, "enter")?.as).toBe("entered");
  });

  it("holds no place, and the next in line are called and enter as if nobody had asked", () => {
    const enteredBy = (how: "look" | "extend") => {
      const world = new World({ totalActiveUsers: 2, newUsersPerMinute: 60, sessionDurationMs: 600_000 });
      const [slow, ...others] = crowd(world, 6) as [Visitor, ...Visitor[]];
      until(world, () => stateOf(world, slow) === State.CALLED);
      world.claim(slow, how);
      const times: number[] = [];
      for (let second = 0; second < 60; second++) {
        world.tick(1_000);
        for (const other of others) {
          if (other.pass === null && stateOf(world, other) === State.CALLED && world.claim(other, "enter")?.as === "entered")
            times.push(second);
        }
      }
      return { times, held: world.line.held, slow: world.claim(slow, "enter")?.as };
    };
    const without = enteredBy("look");
    expect(without).toMatchObject({ held: 0, slow: "returning" });
    expect(without.times).toHaveLength(2);
    expect(enteredBy("extend")).toEqual(without);
  });

  it("nothing is given while nobody may enter: the clock of the call stands still anyway", () => {
    const world = new World(ONE_A_SECOND);
    const [visitor] = crowd(world, 1) as [Visitor];
    until(world, () => stateOf(world, visitor) === State.CALLED);
    world.settings = { ...world.settings, queueAll: true };
    world.tick(0);
    const before = calledFor(world, visitor, "look");
    expect([calledFor(world, visitor, "extend"), before.extendable]).toEqual([before, true]);
  });
});

describe("[LINE-2] missed turns", () => {
  it("C19 asleep when called: passed over at no cost, next in line when back", () => {
    const world = new World({ ...ONE_A_SECOND, newUsersPerMinute: 6 });
    const visitors = crowd(world, 40);
    const sleeper = visitors[30] as Visitor;
    for (let second = 0; second < 420; second += 5) {
      world.see(visitors.filter((visitor) => visitor !== sleeper));
      world.tick(5_000);
      for (const visitor of visitors) {
        if (visitor !== sleeper && (visitor.ticket?.slot ?? 0) < world.line.counters.epoch && visitor.pass === null)
          world.claim(visitor, "enter");
      }
    }
    expect(stateOf(world, sleeper)).toBe(State.PASSED_OVER);
    expect(world.line.table.peek(sleeper.ticket?.slot ?? 0).calls).toBe(0);
    expect(world.claim(sleeper, "look")).toMatchObject({ as: "returning", ahead: 0 });
    until(world, () => stateOf(world, sleeper) === State.CALLED, 60_000);
    until(world, () => world.claim(sleeper, "enter")?.as === "entered", 60_000);
  });

  it("nobody is passed over within absent_after_seconds of a restart, nor because the horizon jumped, nor after a silence of the edges", () => {
    for (const upset of ["restart", "jump", "silence"] as const) {
      const world = new World({ totalActiveUsers: 1_000, newUsersPerMinute: 0.5 });
      crowd(world, 500);
      world.tick(190_000);
      if (upset === "restart") world.restart();
      if (upset === "jump") world.settings = { ...world.settings, newUsersPerMinute: 600 };
      if (upset === "silence") world.tick(100_000);
      // Rate up: were silence evidence, hundreds of slots would be stepped over at once.
      world.exchange({});
      world.settings = { ...world.settings, newUsersPerMinute: 600 };
      for (let step = 0; step < 15; step++) {
        world.tick(1_000);
        world.exchange({});
      }
      const beyond = [...world.line.table.slots()].filter(([slot, state]) => state === State.PASSED_OVER && slot >= 64);
      expect(beyond, upset).toEqual([]);
    }
  });

  it("C3 called and never answered: missed, called again in turn, at most max_calls times, and the return time never moves", () => {
    const world = new World(ONE_A_SECOND);
    const [silent] = crowd(world, 1) as [Visitor];
    const firstMisses: number[] = [];
    for (let call = 1; call <= 3; call++) {
      until(world, () => stateOf(world, silent) === State.CALLED);
      expect(world.line.table.peek(0).calls).toBe(call);
      world.tick(181_000);
      if (call === 3) break;
      expect(stateOf(world, silent)).toBe(State.MISSED);
      firstMisses.push(world.line.table.peek(0).awaySince);
      expect(world.claim(silent, "look")?.as).toBe("returning");
    }
    expect(new Set(firstMisses).size).toBe(1);
    expect(stateOf(world, silent)).toBe(State.NONE);
    expect(world.claim(silent, "enter")).toMatchObject({ as: "ended" });
  });

  it("the time to return is a quarter of the time waited, at least 10 and at most 60 minutes", () => {
    for (const [waitedMinutes, allowedMinutes] of [
      [1, 10],
      [80, 20],
      [600, 60],
    ] as const) {
      for (const early of [true, false]) {
        const world = new World({ ...ONE_A_SECOND, queueAll: false, newUsersPerMinute: 6 });
        const [visitor] = crowd(world, 1) as [Visitor];
        const ticket = visitor.ticket as NonNullable<Visitor["ticket"]>;
        until(world, () => stateOf(world, visitor) === State.CALLED);
        world.tick(181_000);
        // As if the place had been taken that long before the turn was missed.
        visitor.ticket = { ...ticket, joinedAtS: Math.floor(world.now / 1_000) - waitedMinutes * 60 };
        world.tick(allowedMinutes * 60_000 + (early ? -5_000 : 5_000));
        expect(world.claim(visitor, "look")?.as, `${waitedMinutes} min waited`).toBe(early ? "returning" : "ended");
      }
    }
  });

  it("returners take at most every second call while anyone waits, in the order of coming back, across a restart", () => {
    const world = new World({ totalActiveUsers: 1_000, newUsersPerMinute: 600, claimWindowMs: 150_000 });
    const late = crowd(world, 40);
    until(world, () => late.every((visitor) => stateOf(world, visitor) === State.CALLED));
    world.tick(151_000);
    const waiting = crowd(world, 200);
    world.settings = { ...world.settings, queueAll: true };
    world.tick(0);
    for (const visitor of [...late].reverse()) expect(world.claim(visitor, "look")?.as).toBe("returning");
    world.restart();
    world.settings = { ...world.settings, queueAll: false };
    const order: string[] = [];
    const known = new Set<Visitor>();
    for (let step = 0; step < 300 && waitingCount(world.line) > 0; step++) {
      world.tick(100);
      for (const [group, name] of [
        [[...late].reverse(), "late"],
        [waiting, "waiting"],
      ] as const) {
        for (const visitor of group) {
          if (known.has(visitor) || stateOf(world, visitor) !== State.CALLED) continue;
          known.add(visitor);
          order.push(name === "late" ? `late ${visitor.id}` : name);
          world.claim(visitor, "enter");
        }
      }
      const returned = order.filter((each) => each !== "waiting").length;
      expect(returned).toBeLessThanOrEqual(order.length - returned + 1);
    }
    const returners = order.filter((each) => each !== "waiting");
    expect(returners.length).toBeGreaterThan(20);
    expect(returners).toEqual(
      [...late]
        .reverse()
        .map((visitor) => `late ${visitor.id}`)
        .slice(0, returners.length),
    );
  });
});

describe("[LINE-3] one moment", () => {
  it("gives the next entry tokens in slot order, keeps the hold, and goes on when unused", () => {
    const world = new World({ totalActiveUsers: 100, newUsersPerMinute: 60 });
    const visitors = crowd(world, 6);
    until(world, () => visitors.slice(0, 4).every((visitor) => stateOf(world, visitor) === State.CALLED));
    world.line.counters.entry.tokens = 0;
    const [a, b, c] = visitors as [Visitor, Visitor, Visitor];
    expect(world.claim(c, "enter")).toMatchObject({ as: "moment", dueInMs: 1_000 });
    expect(world.claim(a, "enter")).toMatchObject({ as: "moment", dueInMs: 1_000 });
    expect(world.claim(b, "enter")).toMatchObject({ as: "moment", dueInMs: 2_000 });
    world.tick(1_000);
    expect(world.claim(c, "enter")).toMatchObject({ as: "moment", dueInMs: 2_000 });
    expect(world.claim(a, "enter")?.as).toBe("entered");
    world.tick(1_000);
    // b never comes back: three seconds after it was due, its token goes on to c.
    expect(world.claim(c, "enter")?.as).toBe("moment");
    world.tick(3_100);
    expect(world.claim(c, "enter")?.as).toBe("entered");
  });
});

describe("[LINE-4] sessions", () => {
  it("C17 idle too long: lapsed, welcome back while a place is free; the absolute end keeps running", () => {
    const world = new World({ ...ONE_A_SECOND, sessionDurationMs: 60_000, sessionMaxMs: 200_000, reentryWindowMs: 60_000 });
    world.tick(1_000);
    const visitor = world.visitor();
    world.join(visitor, true);
    const ends = visitor.pass?.endsAtS;
    until(world, () => stateOf(world, visitor) === State.LAPSED);
    expect(world.now / 1_000, "not before the pass and its margin").toBeGreaterThanOrEqual((visitor.pass?.expiresAtS ?? 0) + 10);
    expect(world.claim(visitor, "enter")).toMatchObject({ as: "entered", pass: { endsAtS: ends } });
    until(world, () => stateOf(world, visitor) === State.NONE, 300_000);
    expect(world.now / 1_000).toBeGreaterThanOrEqual(ends ?? 0);
    expect(world.claim(visitor, "enter")).toMatchObject({ as: "ended" });
  });

  it("lapsed and the site is full: returning, in front of those who wait only in turn", () => {
    const world = new World({ totalActiveUsers: 1, newUsersPerMinute: 60, sessionDurationMs: 60_000, passRefreshMs: 20_000 });
    world.tick(1_000);
    const first = world.visitor();
    world.join(first, true);
    const second = world.visitor();
    world.join(second, false);
    until(world, () => world.claim(second, "enter")?.as === "entered");
    expect(stateOf(world, first)).toBe(State.LAPSED);
    expect(world.claim(first, "enter")?.as).toBe("returning");
    expect(placesInUse(world.line, world.settings)).toBe(1);
  });

  it("the absolute end comes for whoever is back in line, or called again, too: nobody is called for it, and no place is held", () => {
    for (const restarts of [false, true]) {
      for (const how of ["returning", "called"] as const) {
        const world = new World({ totalActiveUsers: 1, newUsersPerMinute: 60, sessionDurationMs: 60_000, sessionMaxMs: 200_000 });
        world.tick(1_000);
        const [visitor, other] = [world.visitor(), world.visitor()];
        world.join(visitor, true);
        world.join(other, false);
        until(world, () => world.claim(other, "enter")?.as === "entered");
        expect(world.claim(visitor, "enter")?.as).toBe("returning");
        const endsAt = (visitor.pass?.endsAtS ?? 0) * 1_000;
        for (; world.now < endsAt - 12_000; world.tick(1_000)) world.renew(other);
        if (how === "called") {
          world.leave(other);
          until(world, () => stateOf(world, visitor) === State.CALLED, 8_000);
          expect(world.line.held).toBe(1);
        }
        if (restarts) world.restart();
        const { called } = world.line.counters.totals;
        world.tick(endsAt + 1_000 - world.now);
        expect(stateOf(world, visitor), how).toBe(State.NONE);
        expect(world.line.held).toBe(0);
        world.leave(other);
        world.tick(8_000);
        expect(world.line.counters.totals.called).toBe(called);
      }
    }
  });

  it("lapsed and back while nobody enters: the place is kept, and they are next in line however long that takes; not by a spent serial", () => {
    const world = new World({ ...ONE_A_SECOND, sessionDurationMs: 60_000, sessionMaxMs: 3_600_000, reentryWindowMs: 60_000 });
    world.tick(1_000);
    const visitor = world.visitor();
    world.join(visitor, true);
    const copy = world.copyOf(visitor, 99);
    world.tick(30_000);
    for (let i = 0; i < 2; i++) expect(world.renew(visitor)?.as).toMatch(/renewed|current/);
    until(world, () => stateOf(world, visitor) === State.LAPSED);
    world.settings = { ...world.settings, queueAll: true };
    world.tick(0);
    for (const intent of ["look", "enter"] as const) world.claim(copy, intent);
    expect(stateOf(world, visitor)).toBe(State.LAPSED);
    expect(world.claim(visitor, "enter")?.as).toBe("paused");
    world.tick(1_800_000);
    expect(world.claim(visitor, "look")).toMatchObject({ as: "returning", ahead: 0 });
    world.settings = { ...world.settings, queueAll: false };
    until(world, () => world.claim(visitor, "enter")?.as === "entered", 20_000);
  });

  it("lapsed and back when it is all over: the place is not kept for another day", () => {
    const world = new World({ ...ONE_A_SECOND, sessionDurationMs: 60_000, sessionMaxMs: 3_600_000, reentryWindowMs: 60_000 });
    world.tick(1_000);
    const visitor = world.visitor();
    world.join(visitor, true);
    until(world, () => stateOf(world, visitor) === State.LAPSED);
    setEnded(world.line, true);
    expect(world.claim(visitor, "enter")?.as).toBe("paused");
    expect(stateOf(world, visitor)).toBe(State.LAPSED);
  });

  it("a pass never outlives the absolute end, and session records end with 0…20 % jitter, never early", () => {
    const world = new World({ ...ONE_A_SECOND, newUsersPerMinute: 60_000, totalActiveUsers: 1_000, sessionDurationMs: 60_000 });
    world.tick(1_000);
    const ends = new Set<number>();
    for (let i = 0; i < 300; i++) {
      const visitor = world.visitor();
      world.join(visitor, true);
      const pass = visitor.pass as NonNullable<Visitor["pass"]>;
      const record = world.line.table.peek(pass.slot).until + world.line.counters.startedAtMs / 1_000 - pass.expiresAtS;
      expect(record).toBeGreaterThanOrEqual(10);
      expect(record).toBeLessThanOrEqual(10 + 12 + 1);
      ends.add(record);
    }
    expect(ends.size).toBeGreaterThan(6);
  });

  it("K11 renewing all the time ends at the absolute end (K11)", () => {
    const world = new World({ ...ONE_A_SECOND, sessionMaxMs: 120_000 });
    world.tick(1_000);
    const visitor = world.visitor();
    world.join(visitor, true);
    const started = world.now;
    for (;;) {
      world.tick(10_000);
      const verdict = world.renew(visitor);
      if (verdict?.as !== "renewed" && verdict?.as !== "current") break;
      expect(world.now - started).toBeLessThan(400_000);
      expect(visitor.pass?.expiresAtS).toBeLessThanOrEqual(started / 1_000 + 121);
    }
    expect(world.renew(visitor)?.as).toBe("ended");
  });
});

describe("[LINE-5] leaving", () => {
  it("a waiting person's slot is stepped over at no cost; the others move up", () => {
    const world = new World(ONE_A_SECOND);
    const visitors = crowd(world, 10);
    world.settings = { ...world.settings, queueAll: true };
    world.tick(0);
    for (const visitor of visitors.slice(1, 9)) expect(world.leave(visitor)?.as).toBe("left");
    expect(world.leave(visitors[3] as Visitor)?.as).toBe("left");
    expect(waitingCount(world.line)).toBe(2);
    world.settings = { ...world.settings, queueAll: false };
    until(world, () => world.claim(visitors[9] as Visitor, "enter")?.as === "entered", 20_000);
  });

  it("someone inside: the place is reused after revoke_bound, the pass is listed as revoked, and who leaves is not served first again (C78)", () => {
    const world = new World({ totalActiveUsers: 1, newUsersPerMinute: 600 });
    world.tick(1_000);
    const visitor = world.visitor();
    world.join(visitor, true);
    const other = world.visitor();
    world.join(other, false);
    expect(world.leave(visitor)?.as).toBe("left");
    expect(world.manifest.revoked).toEqual([[0, 0]]);
    world.tick(4_900);
    expect(stateOf(world, other)).not.toBe(State.CALLED);
    world.tick(1_100);
    expect(world.claim(other, "enter")?.as).toBe("entered");
    expect(world.claim(visitor, "enter")).toMatchObject({ as: "ended" });
  });

  it("neighbours share one revoked range, and when 64 ranges are listed a leaver holds the place until the pass must ask", () => {
    const world = new World({ totalActiveUsers: 1_000, newUsersPerMinute: 600_000, sessionMaxMs: 3_600_000 });
    world.tick(1_000);
    const visitors = Array.from({ length: 200 }, () => world.visitor());
    for (const visitor of visitors) world.join(visitor, true);
    for (const visitor of visitors.slice(0, 30)) world.leave(visitor);
    expect(world.manifest.revoked).toEqual([[0, 29]]);
    for (let i = 40; i < 200; i += 2) world.leave(visitors[i] as Visitor);
    expect(world.manifest.revoked.length).toBe(64);
    expect(JSON.stringify(world.manifest).length).toBeLessThan(2_048);
    world.tick(6_000);
    expect(world.line.table.count(State.LEAVING)).toBe(80 - 63);
    world.tick(60_000);
    expect(world.line.table.count(State.LEAVING)).toBe(0);
  });

  it("leaving by a stale pass of a session that went on elsewhere is refused (S13)", () => {
    const world = new World(ONE_A_SECOND);
    world.tick(1_000);
    const visitor = world.visitor();
    world.join(visitor, true);
    const thief = world.copyOf(visitor, visitor.tag ^ 1);
    world.tick(20_000);
    world.renew(visitor);
    world.tick(20_000);
    world.renew(visitor);
    expect(world.leave(thief)?.as).toBe("void");
    expect(stateOf(world, visitor)).toBe(State.INSIDE);
  });
});

describe("[LINE-6] limits at and past their edges", () => {
  it("O11 rate 0 lets nobody in and costs no one their turn; a fractional rate lets one in per its period", () => {
    const world = new World({ ...ONE_A_SECOND, newUsersPerMinute: 0 });
    const [visitor, second] = crowd(world, 2) as [Visitor, Visitor];
    world.tick(3_600_000);
    expect(world.line.counters.epoch).toBe(0);
    expect(world.manifest.phase).toBe("paused");
    world.settings = { ...world.settings, newUsersPerMinute: 0.5 };
    until(world, () => world.claim(visitor, "enter")?.as === "entered", 130_000);
    const first = world.now;
    until(world, () => world.claim(second, "enter")?.as === "entered", 130_000);
    expect(world.now - first).toBeGreaterThanOrEqual(115_000);
  });

  it("O11 a very high rate fills the places at once and never exceeds them; capacity lowered below inside: nobody enters until below", () => {
    const world = new World({ totalActiveUsers: 500, newUsersPerMinute: 60_000_000 });
    const visitors = crowd(world, 2_000);
    world.tick(1_000);
    for (const visitor of visitors) world.claim(visitor, "enter");
    expect(world.line.table.count(State.INSIDE)).toBe(500);
    world.settings = { ...world.settings, totalActiveUsers: 100 };
    world.tick(0);
    for (const visitor of visitors.slice(0, 401)) world.leave(visitor);
    world.tick(4_000);
    expect(world.line.table.count(State.INSIDE)).toBe(99);
    for (const visitor of visitors.slice(500)) expect(world.claim(visitor, "enter")?.as).not.toBe("entered");
  });

  it("pause: nobody enters, clocks of those called stand still, joins go on; resume lets no crowd in at once", () => {
    const world = new World(ONE_A_SECOND);
    const visitors = crowd(world, 30);
    until(world, () => stateOf(world, visitors[0] as Visitor) === State.CALLED);
    world.settings = { ...world.settings, queueAll: true };
    world.tick(0);
    const called = world.claim(visitors[0] as Visitor, "look");
    expect(world.claim(visitors[0] as Visitor, "enter")?.as).toBe("paused");
    world.tick(3_600_000);
    expect(world.claim(visitors[0] as Visitor, "look")).toEqual(called);
    expect(world.join(world.visitor(), true)?.as).toBe("placed");
    world.settings = { ...world.settings, queueAll: false };
    world.tick(0);
    let entered = 0;
    for (const visitor of visitors) if (world.claim(visitor, "enter")?.as === "entered") entered += 1;
    expect(entered).toBeLessThanOrEqual(2);
  });

  it("a room that slept refills by elapsed time and its first visitor goes straight in; buckets of a new room are empty (P2)", () => {
    const world = new World(ONE_A_SECOND);
    expect(world.join(world.visitor(), true)?.as).toBe("placed");
    const slept = new World(ONE_A_SECOND);
    slept.tick(10);
    slept.now += 3_600_000;
    slept.restart();
    expect(slept.join(slept.visitor(), true)?.as).toBe("entered");
  });

  it("S1 O4 unproven leases: a tenth of the places, counted as taken until their last use has run out, none when busy", () => {
    const world = new World({ totalActiveUsers: 50, newUsersPerMinute: 600 });
    world.tick(5_000);
    expect(world.exchange({ leaseWanted: 3 })?.lease?.units).toBe(3);
    expect(world.exchange({ leaseWanted: 9 })?.lease?.units).toBe(2);
    expect(world.exchange({ leaseWanted: 1 })?.lease).toBeNull();
    expect(placesInUse(world.line, world.settings)).toBe(5);
    world.tick(11_900);
    expect(placesInUse(world.line, world.settings)).toBe(5);
    world.tick(200);
    expect(placesInUse(world.line, world.settings)).toBe(0);
    world.settings = { ...world.settings, queueAll: true };
    expect(world.exchange({ leaseWanted: 1 })?.lease).toBeNull();
  });

  it("the join limit per network is exact, survives eviction, counts no holders, and 0 means none (S2, C34)", () => {
    const world = new World({ ...ONE_A_SECOND, joinLimitPerMinute: 120 });
    const verdicts = Array.from({ length: 1_000 }, () => world.visitor({ network: 77 })).map((visitor, i) => {
      if (i === 60) world.restart();
      return world.join(visitor, false)?.as;
    });
    expect(verdicts.filter((as) => as === "placed").length).toBe(120);
    expect(world.line.counters.totals.refused).toBe(880);
    expect(world.join(world.visitors[5] as Visitor, false)?.as).toBe("placed");
    expect(world.join(world.visitor({ network: 78 }), false)?.as).toBe("placed");
    expect(world.join(world.visitor({ network: 0 }), false)?.as).toBe("placed");
    world.tick(20_000);
    world.restart();
    expect(world.join(world.visitor({ network: 77 }), false)?.as).toBe("refused");
    world.tick(41_000);
    expect(world.join(world.visitor({ network: 77 }), false)?.as).toBe("placed");
  });

  it("queue_capacity 0 lets nobody wait, but a quiet room still lets people straight in", () => {
    const world = new World({ ...ONE_A_SECOND, queueCapacity: 0 });
    world.tick(1_000);
    expect(world.manifest.joins).toBe("open");
    expect(world.join(world.visitor(), true)?.as).toBe("entered");
    expect(world.join(world.visitor(), true)).toMatchObject({ as: "refused", why: "full" });
  });

  it("leases of thousands of isolates leave a dozen entries, and pressing end-sessions on an empty room dates nothing ahead", () => {
    const world = new World({ totalActiveUsers: 100_000, newUsersPerMinute: 600_000 });
    world.tick(1_000);
    for (let i = 0; i < 3_000; i++) {
      world.exchange({ leaseWanted: 1 });
      if (i % 200 === 0) world.tick(1_000);
    }
    expect(world.line.counters.leases.length).toBeLessThanOrEqual(14);
    for (let i = 0; i < 100; i++) endSessions(world.line, world.settings);
    expect(world.line.counters.endSessionsBefore).toBe(0);
  });

  it("queue_capacity refuses newcomers, never holders, and reopens as the line moves", () => {
    const world = new World({ ...ONE_A_SECOND, queueCapacity: 5, queueAll: true });
    const visitors = crowd(world, 5);
    expect(world.join(world.visitor(), false)).toMatchObject({ as: "refused", why: "full" });
    expect(world.manifest.joins).toBe("full");
    expect(world.join(visitors[4] as Visitor, false)?.as).toBe("placed");
    world.leave(visitors[4] as Visitor);
    expect(world.join(world.visitor(), false)?.as).toBe("placed");
  });

  it("memory does not grow with people waiting (P12), and ghosts in front cost no more than the horizon allows", () => {
    const world = new World({ ...ONE_A_SECOND, newUsersPerMinute: 600 });
    for (let i = 0; i < 50; i++) {
      const joins = Array.from({ length: 2_000 }, (_, j) => ({
        key: `${String(i).padStart(4, "0")}-${String(j).padStart(11, "0")}`,
        network: 0,
        enter: false,
        tag: 0,
      }));
      world.exchange({ joins });
    }
    expect(waitingCount(world.line)).toBeGreaterThan(99_900);
    expect(world.line.table.blockCount).toBeLessThan(10);
    expect(world.line.sightings.bytes).toBeLessThanOrEqual(4 * (world.manifest.horizon + 2_048));
    expect(world.line.recent.size).toBeLessThanOrEqual(100_000);
    world.tick(130_000);
    for (let i = 0; i < 5; i++) world.exchange({ joins: [{ key: `zz${i}-aaaaaaaaaaaaaaaaaaa`, network: 0, enter: false, tag: 0 }] });
    expect(world.line.recent.size).toBeLessThan(20_000);
  });

  it("says in one word what blocks the line (C81)", () => {
    const word = (world: World): string => {
      advance(world.line, world.settings, world.now);
      return statsOf(world.line, world.settings, "test", 1).blocked_by.code;
    };
    const world = new World({ totalActiveUsers: 1, newUsersPerMinute: 60 });
    expect(word(world)).toBe("nothing");
    world.tick(1_000);
    const first = world.visitor();
    world.join(first, true);
    crowd(world, 9);
    expect(word(world)).toBe("capacity");
    world.settings = { ...world.settings, queueAll: true };
    expect(word(world)).toBe("paused");
    world.settings = { ...world.settings, queueAll: false, newUsersPerMinute: 0 };
    expect(word(world)).toBe("rate-zero");
    world.settings = { ...world.settings, newUsersPerMinute: 60, totalActiveUsers: 5 };
    world.tick(0);
    expect(word(world)).toBe("rate");
    world.tick(3_000);
    expect(word(world)).toBe("calls-unanswered");
    world.settings = { ...world.settings, suspended: true };
    expect(word(world)).toBe("suspended");
  });
});
