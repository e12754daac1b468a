/**
 * One guard each, for people inside: the chain, the ends of sessions, leaving, the switches, what survives a restart.
 * `test/guards/line-*.mjs` lists the checks and `npm run test:guards` removes them one by one. Virtual time only.
 */
import { describe, expect, it } from "vitest";
import { leaveByOperator } from "../../durable/line/leaves";
import { MAX_SERIAL, State } from "../../durable/line/slot-table";
import { placesInUse, waitingCount } from "../../durable/line/state";
import { endSessions, flush, reset } from "../../durable/line/switches";
import { LEASE_BUSY_MS, LEASE_USE_MS } from "../../src/core/exchange";
import type { RoomSettings } from "../../src/core/settings-types";
import { crowd, insideWorld, joinOf, ONE_A_SECOND, set, slotOf, stateOf, until } from "../support/line-steps";
import { type Visitor, World } from "../support/line-world";

function passOf(visitor: Visitor): NonNullable<Visitor["pass"]> {
  if (visitor.pass === null) throw new Error("has no pass");
  return visitor.pass;
}

/** Until the session of `visitor` has lapsed. */
function lapse(world: World, visitor: Visitor): void {
  until(world, () => stateOf(world, visitor) === State.LAPSED);
}

describe("[P5] the chain", () => {
  it("a serial that was never issued is void", () => {
    const { world, visitor } = insideWorld();
    world.tick(20_000);
    visitor.pass = { ...passOf(visitor), serial: 2 };
    expect(world.renew(visitor)?.as).toBe("void");
  });

  it("the head again, from the same client within 30 s: forwarded, no new cookie; later, or from another client: a new sibling", () => {
    const { world, visitor } = insideWorld();
    const jar = passOf(visitor);
    const again = (tag: number): string | undefined => {
      visitor.pass = jar;
      return world.renew({ ...visitor, tag })?.as;
    };
    expect(again(visitor.tag)).toBe("renewed");
    expect(passOf(visitor)).toBe(jar);
    world.tick(29_000);
    expect(again(visitor.tag)).toBe("current");
    expect(again(visitor.tag ^ 1)).toBe("renewed");
    world.tick(31_000);
    expect(again(visitor.tag ^ 1)).toBe("renewed");
  });

  it("the former head goes on only for the same client and only if it was under way when the new head arrived", () => {
    const { world, visitor } = insideWorld();
    const first = passOf(visitor);
    world.renew(visitor);
    const second = passOf(visitor);
    expect(second.serial).toBe(first.serial + 1);
    world.tick(20_000);
    world.renew(visitor);
    const old = world.copyOf(visitor, visitor.tag);
    old.pass = first;
    expect(world.renew({ ...old, tag: old.tag ^ 1 })?.as).toBe("void");
    expect(world.renew(old)?.as).toBe("current");
    world.tick(1_000);
    expect(world.renew(old, "none", 500)?.as, "arrived before").toBe("current");
    expect(world.renew(old)?.as).toBe("void");
  });

  it("a chain of 65,535 links ends instead of starting again", () => {
    const { world, visitor } = insideWorld();
    const row = world.line.table.row(slotOf(visitor));
    row.head = MAX_SERIAL;
    row.lo = MAX_SERIAL;
    row.hi = MAX_SERIAL;
    visitor.pass = { ...passOf(visitor), serial: MAX_SERIAL };
    world.tick(20_000);
    expect(world.renew(visitor)?.as).toBe("void");
  });

  it("a lapsed session is not entered by a copy whose serial is spent, and is taken over at most three times", () => {
    const { world, visitor } = insideWorld();
    const copy = world.copyOf(visitor, visitor.tag);
    for (let i = 0; i < 2; i++) {
      world.tick(20_000);
      expect(world.renew(visitor)?.as).toBe("renewed");
    }
    lapse(world, visitor);
    expect(world.claim(copy, "enter")).toEqual({ as: "void", takeoversLeft: 3 });
    expect(stateOf(world, visitor)).toBe(State.LAPSED);
    for (let left = 2; left >= 0; left--) {
      expect(world.claim(copy, "continue")?.as).toBe("entered");
      world.tick(0);
      lapse(world, copy);
    }
    expect(world.claim(visitor, "continue")).toEqual({ as: "void", takeoversLeft: 0 });
    expect(stateOf(world, copy)).toBe(State.LAPSED);
    expect(world.claim(copy, "enter")?.as).toBe("entered");
  });
});

describe("[P5] a reply that was held up by the network, and the one after it", () => {
  /** Serial 2 was held up for more than 30 s, so that the browser asked again with 1 and got 3; both then arrive. */
  function heldUp(): { world: World; visitor: Visitor; second: Visitor["pass"]; third: Visitor["pass"] } {
    const { world, visitor } = insideWorld();
    const first = passOf(visitor);
    world.tick(20_000);
    expect(world.renew(visitor)?.as).toBe("renewed");
    const second = visitor.pass;
    world.tick(31_000);
    visitor.pass = first;
    expect(world.renew(visitor)?.as).toBe("renewed");
    const third = visitor.pass;
    expect([second?.serial, third?.serial]).toEqual([2, 3]);
    return { world, visitor, second, third };
  }

  it("in any order harm no honest browser", () => {
    const { world, visitor, second, third } = heldUp();
    visitor.pass = second;
    expect(world.renew(visitor)?.as, "shown before the later one arrived").toBe("current");
    visitor.pass = third;
    world.tick(5_000);
    expect(world.renew(visitor)?.as).toBe("renewed");
  });

  it("carry on one of two holders only", () => {
    const { world, visitor, second, third } = heldUp();
    const other = world.copyOf(visitor, visitor.tag);
    other.pass = second;
    expect(world.renew(other)?.as).toBe("current");
    world.tick(31_000);
    expect(world.renew(other)?.as).toBe("renewed");
    visitor.pass = third;
    expect(world.renew(visitor)?.as).toBe("void");
  });
});

describe("[P5] passes that have ended", () => {
  const short = { sessionDurationMs: 60_000, passRefreshMs: 20_000 };

  it("each claim with one gets a pass of its own: of two holders who ask at once one goes on", () => {
    const { world, visitor } = insideWorld(short);
    const other = world.copyOf(visitor, visitor.tag);
    world.tick(81_000);
    expect(world.claim(visitor, "enter")?.as).toBe("entered");
    expect(world.claim(other, "enter")?.as).toBe("entered");
    expect([visitor.pass?.serial, other.pass?.serial]).toEqual([2, 3]);
    world.tick(31_000);
    expect(world.renew(visitor)?.as).toBe("renewed");
    expect(world.renew(other)?.as).toBe("void");
  });

  it("a former head gets none, however short it was under way", () => {
    const { world, visitor } = insideWorld(short);
    const other = world.copyOf(visitor, visitor.tag);
    world.tick(59_000);
    expect(world.renew(visitor)?.as).toBe("renewed");
    world.tick(22_000);
    expect(world.renew(visitor)?.as).toBe("renewed");
    expect(world.claim(other, "enter")?.as).toBe("void");
  });

  it("a later sibling is not waited for by somebody whose pass has ended", () => {
    const { world, visitor } = insideWorld(short);
    const other = world.copyOf(visitor, visitor.tag);
    world.tick(20_000);
    expect(world.renew(other)?.as).toBe("renewed");
    world.tick(61_000);
    expect(world.claim(visitor, "enter")?.as).toBe("entered");
    world.tick(20_000);
    expect(world.claim(other, "enter")?.as).toBe("entered");
    expect([visitor.pass?.serial, other.pass?.serial]).toEqual([3, 4]);
    expect(world.renew(visitor)?.as).toBe("void");
  });
});

describe("[P5] the chain of a session that came back, or was taken over", () => {
  it("has no former head: the ticket alone leads nowhere after a lapse, however short the session", () => {
    const { world, visitor } = insideWorld({ sessionDurationMs: 2_000, passRefreshMs: 500 });
    const pass = passOf(visitor);
    world.tick(500);
    expect(world.renew(visitor)?.as).toBe("renewed");
    // The reply got lost: the visitor comes back with the head itself.
    visitor.pass = pass;
    lapse(world, visitor);
    const thief = world.copyOf(visitor, visitor.tag);
    thief.pass = null;
    expect(world.claim(visitor, "enter")?.as).toBe("entered");
    expect(world.claim(thief, "enter")?.as).toBe("void");
  });

  it("after a take-over no request under way counts for the other window, the same client's included", () => {
    const { world, visitor } = insideWorld();
    const first = passOf(visitor);
    world.tick(20_000);
    world.renew(visitor);
    world.tick(20_000);
    world.renew(visitor);
    const other = world.copyOf(visitor, visitor.tag);
    other.pass = first;
    expect(world.claim(world.copyOf(visitor, visitor.tag), "continue")?.as).toBe("entered");
    expect(world.renew(other)?.as).toBe("void");
  });
});

describe("[LINE-4] the ends of a session", () => {
  it("whoever comes back after a lapse has a return time like everybody else: called and silent, or without a place", () => {
    const silent = insideWorld();
    lapse(silent.world, silent.visitor);
    silent.world.line.counters.entry.tokens = 0;
    expect(silent.world.claim(silent.visitor, "enter")?.as).toBe("moment");
    silent.world.tick(300_000);
    expect(stateOf(silent.world, silent.visitor)).toBe(State.MISSED);
    silent.world.tick(3_600_000);
    expect(stateOf(silent.world, silent.visitor)).toBe(State.NONE);

    const { world, visitor } = insideWorld({ totalActiveUsers: 1 });
    lapse(world, visitor);
    world.line.counters.leases.push({ places: 1, untilMs: world.now + 3_600_000 });
    const verdict = world.claim(visitor, "enter");
    expect(verdict?.as).toBe("returning");
    if (verdict?.as === "returning") expect(verdict.untilMs).toBeLessThanOrEqual(world.now + 601_000);
  });

  it("[CF-6] without renewal a visit ends session_duration after its beginning, however often it is renewed", () => {
    const own = { sessionDurationMs: 120_000, passRefreshMs: 30_000 };
    const lastOf = (settings: typeof own & { sessionMaxMs: number }) => {
      const { world, visitor } = insideWorld(settings);
      const startedAt = world.now;
      for (let i = 0; i < 20 && world.renew(visitor)?.as === "renewed"; i++) world.tick(20_000);
      return passOf(visitor).expiresAtS * 1_000 - startedAt;
    };
    expect(lastOf({ ...own, sessionMaxMs: own.sessionDurationMs })).toBeLessThanOrEqual(120_000);
    expect(lastOf({ ...own, sessionMaxMs: 3_600_000 })).toBeGreaterThan(400_000);
  });

  it("a record is never shortened below a pass that was given, whatever the settings become (P1)", () => {
    const { world, visitor } = insideWorld({ sessionDurationMs: 300_000, passRefreshMs: 30_000 });
    const { expiresAtS } = passOf(visitor);
    set(world, { sessionDurationMs: 6_000, passRefreshMs: 2_000 });
    world.renew(visitor);
    expect(world.line.table.peek(slotOf(visitor)).until).toBeGreaterThanOrEqual(expiresAtS + 10 - world.line.counters.startedAtMs / 1_000);
    until(world, () => stateOf(world, visitor) !== State.INSIDE);
    expect(world.now / 1_000).toBeGreaterThanOrEqual(expiresAtS + 10);
  });

  it("renewing keeps somebody inside past the first record", () => {
    const { world, visitor } = insideWorld();
    for (let i = 0; i < 12; i++) {
      world.tick(20_000);
      expect(["renewed", "current"]).toContain(world.renew(visitor)?.as);
    }
    expect(stateOf(world, visitor)).toBe(State.INSIDE);
  });

  it("a lapse never lasts past the absolute end, and with no re-entry window there is none", () => {
    const { world, visitor } = insideWorld({ sessionMaxMs: 130_000, reentryWindowMs: 600_000 });
    const { endsAtS } = passOf(visitor);
    lapse(world, visitor);
    world.tick(endsAtS * 1_000 - world.now + 1_000);
    expect(stateOf(world, visitor)).toBe(State.NONE);

    const strict = insideWorld({ reentryWindowMs: 0 });
    until(strict.world, () => stateOf(strict.world, strict.visitor) !== State.INSIDE);
    expect(stateOf(strict.world, strict.visitor)).toBe(State.NONE);
  });

  it("from the absolute end on nothing is granted, whatever is asked, while the place still counts", () => {
    for (const offset of [0, 1, 300, 999]) {
      const { world, visitor } = insideWorld({ sessionMaxMs: 60_000 });
      world.tick(offset);
      const endsAt = (visitor.pass?.endsAtS ?? 0) * 1_000;
      while (world.now < endsAt - 1_500) {
        world.tick(500);
        world.renew(visitor);
      }
      for (; world.now < endsAt + 1_500; world.tick(100)) {
        const told = [
          world.renew({ ...visitor }),
          ...(["enter", "continue", "look"] as const).map((intent) => world.claim({ ...visitor }, intent)),
        ];
        expect(stateOf(world, visitor)).toBe(State.INSIDE);
        if (world.now >= endsAt) expect(told).toEqual(told.map(() => ({ as: "ended", why: "session-over" })));
        else expect(told.map((verdict) => verdict?.as)).not.toContain("ended");
      }
    }
  });

  it("whoever comes back in line after a lapse does not outstay the first visit's absolute end", () => {
    const world = new World({ ...ONE_A_SECOND, totalActiveUsers: 1, sessionMaxMs: 130_000, reentryWindowMs: 60_000 });
    // A line whose seconds are not those of the wall clock: a pass ends up to one before the record does.
    world.tick(300);
    world.line = reset(world.line, world.settings);
    world.tick(2_000);
    const visitor = world.visitor();
    expect(world.join(visitor, true)?.as).toBe("entered");
    const endsAt = passOf(visitor).endsAtS * 1_000;
    lapse(world, visitor);
    world.line.counters.leases.push({ places: 1, untilMs: endsAt - 1_000 });
    expect(world.claim(visitor, "enter")?.as).toBe("returning");
    world.tick(endsAt - world.now);
    expect(stateOf(world, visitor)).toBe(State.CALLED);
    expect(world.claim(visitor, "enter")).toEqual({ as: "ended", why: "session-over" });
    expect(stateOf(world, visitor)).toBe(State.NONE);
  });

  it("a pass that lapsed is told so, one that ended too, and neither is renewed", () => {
    const { world, visitor } = insideWorld();
    lapse(world, visitor);
    expect(world.renew(visitor)?.as).toBe("lapsed");
    until(world, () => stateOf(world, visitor) === State.NONE);
    expect(world.renew(visitor)).toEqual({ as: "ended", why: "unknown" });
  });
});

describe("[LINE-5] leaving", () => {
  it("K12 is not said again of somebody else: a pass that was left is neither renewed nor claimed", () => {
    const { world, visitor } = insideWorld();
    world.leave(visitor);
    expect(world.renew(visitor)).toEqual({ as: "ended", why: "left" });
    expect(world.claim(visitor, "enter")).toEqual({ as: "ended", why: "left" });
    expect(world.leave(visitor)?.as).toBe("left");
  });

  it("a visit that only slept is not ended by a copy whose serial is spent, wherever it is: lapsed, or back in line", () => {
    const { world, visitor } = insideWorld({ totalActiveUsers: 1 });
    const copy = world.copyOf(visitor, visitor.tag);
    world.tick(20_000);
    expect(world.renew(visitor)?.as).toBe("renewed");
    world.tick(20_000);
    expect(world.renew(visitor)?.as).toBe("renewed");
    lapse(world, visitor);
    expect(world.leave(copy)?.as).toBe("void");
    const other = world.visitor();
    expect(world.join(other, true)?.as).toBe("entered");
    expect(world.claim(visitor, "enter")?.as).toBe("returning");
    expect(world.leave({ ...copy, pass: null })?.as).toBe("void");
    expect(stateOf(world, visitor)).toBe(State.RETURNING);
    expect(world.leave(visitor)?.as).toBe("left");
    expect(world.claim(visitor, "enter")).toMatchObject({ as: "ended" });
  });

  it("the operator removes whoever slept, too", () => {
    const { world, visitor } = insideWorld();
    world.tick(20_000);
    world.renew(visitor);
    lapse(world, visitor);
    leaveByOperator(world.line, world.settings, slotOf(visitor));
    world.commit();
    expect(world.claim(visitor, "enter")).toMatchObject({ as: "ended" });
  });

  it("leaving twice keeps the place for revoke_bound, not longer and not less", () => {
    const { world, visitor } = insideWorld({ totalActiveUsers: 1 });
    const [waiting] = crowd(world, 1) as [Visitor];
    world.leave(visitor);
    world.tick(4_000);
    expect(world.leave(visitor)?.as).toBe("left");
    world.tick(900);
    expect(stateOf(world, waiting)).toBe(State.NONE);
    world.tick(1_200);
    expect(stateOf(world, waiting)).toBe(State.CALLED);
  });

  it("a slot stays on the revoked list until every older pass has had to ask, and no longer", () => {
    const { world, visitor } = insideWorld();
    world.leave(visitor);
    world.tick(2 * world.settings.passRefreshMs + 9_000);
    expect(world.manifest.revoked).toEqual([[0, 0]]);
    world.tick(2_000);
    expect(world.manifest.revoked).toEqual([]);
  });

  it.each<[string, Partial<RoomSettings>, (world: World) => void]>([
    ["by the operator", { passRefreshMs: 5_000 }, (world) => set(world, { passRefreshMs: 60_000 })],
    ["with the end of an event", { passRefreshMs: 60_000 }, (world) => world.tick(100_000)],
  ])("[GATE-9][K12] where passes begin to count for longer %s, those issued before ask once", (how, settings, raise) => {
    const { world, visitor } = insideWorld({ newUsersPerMinute: 6_000, ...settings });
    const event = {
      name: "sale",
      prequeueStartMs: null,
      startMs: world.now,
      endMs: world.now + 100_000,
      overrides: { passRefreshMs: 5_000 },
    };
    const rest = { shuffle: false, keepSessions: true, cancelled: null, utcOffsetMinutes: 0 };
    if (how !== "by the operator") set(world, { events: [{ ...event, ...rest }] });
    const other = world.visitor();
    world.join(other, true);
    world.leave(visitor);
    world.tick(22_000);
    expect(world.manifest).toMatchObject({ revoked: [] });
    expect(world.manifest).not.toHaveProperty("renewBefore");
    raise(world);
    const raisedAt = how === "by the operator" ? world.now : event.endMs;
    expect(world.manifest.renewBefore).toBe(Math.floor(raisedAt / 1_000) + 1);
    world.tick(1_000_000);
    expect(world.manifest.renewBefore, "it stays").toBe(Math.floor(raisedAt / 1_000) + 1);
  });

  it("[GATE-9] who left just before passes began to count for longer stays listed until those had to ask, for edges whose clock is ahead", () => {
    const { world, visitor } = insideWorld({ passRefreshMs: 5_000 });
    world.leave(visitor);
    set(world, { passRefreshMs: 60_000 });
    world.tick(129_000);
    expect(world.manifest.revoked).toEqual([[0, 0]]);
    world.tick(2_000);
    expect(world.manifest.revoked).toEqual([]);
    set(world, { passRefreshMs: 5_000 });
    expect(world.manifest.renewBefore).toBeLessThan(world.now / 1_000 - 100);
  });

  it("ranges that meet become one, and it is kept for as long as its newest member needs (C78)", () => {
    const { world, visitor } = insideWorld({ newUsersPerMinute: 6_000, sessionMaxMs: 3_600_000, sessionDurationMs: 600_000 });
    const others = [1, 2].map(() => world.visitor());
    for (const other of others) world.join(other, true);
    world.leave(others[1] as Visitor);
    world.tick(20_000);
    world.leave(visitor);
    expect(world.manifest.revoked).toEqual([
      [0, 0],
      [2, 2],
    ]);
    world.tick(20_000);
    world.leave(others[0] as Visitor);
    expect(world.manifest.revoked).toEqual([[0, 2]]);
    world.tick(49_000);
    expect(world.manifest.revoked).toEqual([[0, 2]]);
  });
});

describe("[P8] switches", () => {
  it("end sessions: pressed twice within a second, and passes given in that second, are told apart", () => {
    const { world, visitor } = insideWorld();
    endSessions(world.line, world.settings);
    world.commit();
    expect(world.accepts(passOf(visitor), world.manifest)).toBe(false);
    const next = world.visitor();
    world.tick(100);
    world.line.counters.entry.tokens = 2;
    expect(world.join(next, true)?.as).toBe("entered");
    expect(world.accepts(passOf(next), world.manifest)).toBe(true);
    endSessions(world.line, world.settings);
    world.commit();
    expect(world.accepts(passOf(next), world.manifest)).toBe(false);
  });

  it("end sessions: places are reused after revoke_bound, lapsed visitors are ended, those in line stay", () => {
    const { world, visitor } = insideWorld({ totalActiveUsers: 1 });
    const [waiting] = crowd(world, 1) as [Visitor];
    expect(endSessions(world.line, world.settings)).toBe(1);
    world.tick(4_900);
    expect(stateOf(world, waiting)).toBe(State.NONE);
    world.tick(1_200);
    expect(stateOf(world, waiting)).toBe(State.CALLED);
    expect(world.claim(visitor, "enter")).toMatchObject({ as: "ended" });

    const late = insideWorld();
    lapse(late.world, late.visitor);
    expect(endSessions(late.world.line, late.world.settings)).toBe(1);
    expect(late.world.claim(late.visitor, "enter")).toMatchObject({ as: "ended" });
  });

  it("end sessions: a visit that has lapsed is over wherever its visitor is by now, back in line or called again", () => {
    for (const how of ["returning", "called"] as const) {
      const { world, visitor } = insideWorld({ totalActiveUsers: 1 });
      lapse(world, visitor);
      world.line.counters.leases.push({ places: 1, untilMs: world.now + 5_000 });
      expect(world.claim(visitor, "enter")?.as).toBe("returning");
      if (how === "called") until(world, () => stateOf(world, visitor) === State.CALLED, 10_000);
      expect(endSessions(world.line, world.settings), how).toBe(1);
      world.commit();
      expect(stateOf(world, visitor), how).toBe(State.NONE);
      expect(world.line.held).toBe(0);
      // The edge takes the old pass for an ended one, and asks for a new place.
      expect(world.manifest.endSessionsBefore).toBeGreaterThan(passOf(visitor).issuedAtS);
    }
    const { world, visitor } = insideWorld();
    const [called] = crowd(world, 1) as [Visitor];
    until(world, () => stateOf(world, called) === State.CALLED);
    expect(endSessions(world.line, world.settings)).toBe(1);
    expect([stateOf(world, visitor), stateOf(world, called)]).toEqual([State.LEAVING, State.CALLED]);
  });

  it("flush: everybody but those inside is ended and told why, also who was called, missed or told one moment; newcomers are served", () => {
    const { world, visitor } = insideWorld();
    const visitors = crowd(world, 30);
    world.leave(visitors[29] as Visitor);
    until(world, () => stateOf(world, visitors[3] as Visitor) === State.CALLED);
    world.line.counters.entry.tokens = 0;
    expect(world.claim(visitors[3] as Visitor, "enter")?.as).toBe("moment");
    const inside = world.line.table.count(State.INSIDE);
    expect(flush(world.line)).toBe(29);
    world.commit();
    expect(world.line.table.count(State.INSIDE)).toBe(inside);
    expect(world.renew(visitor)?.as).toBe("renewed");
    for (const each of [3, 28]) expect(world.claim(visitors[each] as Visitor, "enter")).toEqual({ as: "ended", why: "flushed" });
    expect(world.line.held).toBe(0);
    world.tick(1_000);
    expect(world.join(world.visitor(), true)?.as).toBe("entered");
    world.restart();
    world.tick(0);
    const [fresh] = crowd(world, 1) as [Visitor];
    until(world, () => world.claim(fresh, "enter")?.as === "entered");
    expect(world.claim(visitors[29] as Visitor, "enter")?.as).toBe("ended");
  });

  it("reset: places that were lent stay taken until their last use has run out, once", () => {
    const { world } = insideWorld();
    expect(world.exchange({ leaseWanted: 4 })?.lease?.units).toBe(4);
    const lentAt = world.now;
    world.tick(1_000);
    world.line = reset(world.line, world.settings);
    world.commit();
    expect(placesInUse(world.line, world.settings)).toBe(5);
    world.tick(5_000);
    world.restart();
    for (; world.now < lentAt + LEASE_USE_MS + LEASE_BUSY_MS; world.tick(500)) expect(placesInUse(world.line, world.settings)).toBe(4);
    expect(placesInUse(world.line, world.settings)).toBe(0);
  });

  it("reset: places stay taken for revoke_bound, nothing of the old line comes back, old requests are told so", () => {
    const { world, visitor } = insideWorld({ totalActiveUsers: 1 });
    const waiting = crowd(world, 70);
    const { generation } = world.manifest;
    world.line = reset(world.line, world.settings);
    world.commit();
    const [newcomer] = crowd(world, 1) as [Visitor];
    expect(slotOf(newcomer)).toBe(0);
    world.tick(4_900);
    expect(stateOf(world, newcomer)).toBe(State.NONE);
    world.restart();
    world.tick(200);
    until(world, () => stateOf(world, newcomer) === State.CALLED, 5_000);
    expect(world.line.table.count(State.INSIDE)).toBe(0);
    expect(world.join(waiting[69] as Visitor, false)).toMatchObject({ as: "placed", slot: 1 });
    const old = { slot: 0, serial: passOf(visitor).serial, tag: visitor.tag, ageMs: 0 };
    const reply = world.exchange({
      generation,
      renewals: [old],
      claims: [{ ...old, joinedAtS: 0, intent: "enter" }],
      leaves: [old],
    });
    expect(reply).toMatchObject({ renewals: [{ as: "restarted" }], claims: [{ as: "restarted" }], leaves: [{ as: "restarted" }] });
    expect(stateOf(world, newcomer)).toBe(State.CALLED);
  });
});

describe("[ROOM-3] a restart in the middle", () => {
  /** People in every state, at the same moment of the same history; from then on no place becomes free. */
  function populated(restart: boolean): { world: World; visitors: Visitor[] } {
    const world = new World({ ...ONE_A_SECOND, totalActiveUsers: 30, reentryWindowMs: 900_000 }, 5);
    world.tick(2_000);
    const visitors = [world.visitor(), world.visitor()];
    for (const visitor of visitors) world.join(visitor, true);
    const crowded = crowd(world, 40);
    visitors.push(...crowded);
    until(world, () => stateOf(world, visitors[4] as Visitor) === State.MISSED, 300_000);
    const [staying, going] = crowd(world, 30).slice(4) as [Visitor, Visitor];
    until(world, () => stateOf(world, going) === State.CALLED);
    for (const visitor of [staying, going]) expect(world.claim(visitor, "enter")?.as).toBe("entered");
    expect(world.leave(going)?.as).toBe("left");
    set(world, { queueAll: true });
    for (const i of [4, 2, 3]) expect(world.claim(visitors[i] as Visitor, "look")?.as).toBe("returning");
    set(world, { queueAll: false });
    world.line.counters.leases.push({ places: 60, untilMs: world.now + 86_400_000 });
    world.commit();
    if (restart) world.restart();
    return { world, visitors };
  }

  it("changes nothing about what becomes of anybody, at any later time", () => {
    const there = populated(false);
    const back = populated(true);
    const states = ({ world }: { world: World }): number[] =>
      Array.from({ length: world.line.counters.tail }, (_, slot) => world.line.table.stateOf(slot));
    const { NONE, CALLED, INSIDE, LAPSED, MISSED, RETURNING, LEAVING } = State;
    expect(new Set(states(there))).toEqual(new Set([NONE, CALLED, INSIDE, LAPSED, MISSED, RETURNING, LEAVING]));
    expect(there.world.line.held).toBeGreaterThan(0);
    for (let second = 0; second <= 3_900; second += 3) {
      expect(states(back), `${second} s later`).toEqual(states(there));
      expect(back.world.line.held, `${second} s later`).toBe(there.world.line.held);
      for (const { world } of [there, back]) world.tick(3_000);
    }
  });

  it("and the order of those who came back is kept", () => {
    const { world, visitors } = populated(true);
    const ahead = [4, 2, 3].map((i) => world.claim(visitors[i] as Visitor, "look"));
    expect(ahead).toMatchObject([0, 1, 2].map((before) => ({ as: "returning", ahead: before })));
  });

  it("who left the line stays gone, and is counted once, before and after the epoch has passed (P6)", () => {
    const world = new World(ONE_A_SECOND);
    set(world, { queueAll: true });
    const visitors = crowd(world, 9);
    for (const i of [1, 7]) world.leave(visitors[i] as Visitor);
    world.restart();
    expect(waitingCount(world.line)).toBe(7);
    set(world, { queueAll: false });
    until(world, () => stateOf(world, visitors[3] as Visitor) === State.CALLED);
    set(world, { queueAll: true });
    const left = waitingCount(world.line);
    world.restart();
    expect(waitingCount(world.line)).toBe(left);
    expect(world.claim(visitors[7] as Visitor, "enter")).toEqual({ as: "ended", why: "left" });
  });

  it("straight in, in the exchange that made the place: the next exchange knows it, whatever crashes", () => {
    const world = new World(ONE_A_SECOND);
    world.tick(2_000);
    const visitor = world.visitor();
    world.exchange({ joins: [joinOf(visitor, true)] }, "after");
    expect(world.line.table.count(State.INSIDE)).toBe(1);
    expect(world.join(visitor, true)).toMatchObject({ as: "placed", slot: 0 });
    expect(world.claim(visitor, "enter")?.as).toBe("entered");
    expect(world.line.counters.totals.entered).toBe(1);
  });
});
