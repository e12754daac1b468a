/** Field cases of the line that no other test is about, each by its number in docs/security.md. Virtual time only. */
import { describe, expect, it } from "vitest";
import { State } from "../../durable/line/slot-table";
import { freePlaces, waitingCount } from "../../durable/line/state";
import { statsOf } from "../../durable/line/view";
import { seeded, type Visitor, World } from "../support/line-world";

const SECOND = 1_000;

function crowd(world: World, count: number): Visitor[] {
  const visitors = Array.from({ length: count }, () => world.visitor());
  world.exchange({ joins: visitors.map(({ key, tag }) => ({ key, network: 0, enter: false, tag })) });
  for (const visitor of visitors) world.join(visitor, false);
  return visitors;
}

const stateOf = (world: World, visitor: Visitor) => world.line.table.stateOf(visitor.ticket?.slot ?? -1);
const isCalled = (world: World, visitor: Visitor) => (visitor.ticket?.slot ?? Infinity) < world.line.counters.epoch;

/** Whoever of them has been called asks to go in, in one exchange. */
function ask(world: World, visitors: readonly Visitor[]): void {
  const asking = visitors.filter((visitor) => visitor.pass === null && isCalled(world, visitor));
  const claims = asking.flatMap(({ ticket, tag }) =>
    ticket === null ? [] : [{ slot: ticket.slot, serial: 0, tag, ageMs: 0, joinedAtS: ticket.joinedAtS, intent: "enter" as const }],
  );
  for (const [i, verdict] of (world.exchange({ claims })?.claims ?? []).entries()) {
    const visitor = asking[i];
    if (visitor !== undefined && verdict.as === "entered") visitor.pass = { ...verdict.pass, generation: world.line.counters.generation };
  }
}

/** Asks every second until all of them are in; how long that took. */
function allIn(world: World, visitors: readonly Visitor[], limitMs: number): number {
  const since = world.now;
  for (; visitors.some(({ pass }) => pass === null); world.tick(SECOND)) {
    if (world.now - since > limitMs) throw new Error(`${visitors.filter(({ pass }) => pass === null).length} are still waiting`);
    ask(world, visitors);
  }
  return world.now - since;
}

describe("[P3] people who are gone", () => {
  it("C1 ten who fell silent in front of ten others keep nobody out once places are free", () => {
    const world = new World({ totalActiveUsers: 10, newUsersPerMinute: 600 });
    const visitors = crowd(world, 30);
    const [first, others] = [visitors.slice(0, 10), visitors.slice(20)];
    allIn(world, first, 30 * SECOND);
    while (first.some((visitor) => stateOf(world, visitor) === State.INSIDE)) world.tick(SECOND);
    expect(allIn(world, others, world.settings.claimWindowMs)).toBeLessThan(world.settings.claimWindowMs);
  });

  it("C72 turns whose answer never arrived, one after the other, keep the next person out no longer than a visit", () => {
    const world = new World({ totalActiveUsers: 1, newUsersPerMinute: 600 });
    const lost = crowd(world, 20);
    for (const visitor of lost) {
      const since = world.now;
      const entered = () => world.line.counters.totals.entered;
      for (const before = entered(); entered() === before; world.tick(SECOND)) {
        // The claim is carried out; its reply, and the browser, are gone.
        if (isCalled(world, visitor)) world.claim(visitor, "enter", "after");
      }
      expect(world.now - since).toBeLessThan(world.settings.claimWindowMs);
    }
  });
});

describe("[P2] crowds that come back", () => {
  it("O14 hundreds who missed their turn and return in one instant go in at the rate, like everybody", () => {
    const [rate, burst] = [10, 10];
    const world = new World({ totalActiveUsers: 10_000, newUsersPerMinute: rate * 60, sessionDurationMs: 600_000 });
    const visitors = crowd(world, 400);
    while (visitors.some((visitor) => !isCalled(world, visitor))) world.tick(SECOND);
    world.tick(world.settings.claimWindowMs + SECOND);
    expect(world.line.table.count(State.MISSED)).toBe(400);
    const entered: number[] = [];
    for (let step = 0; step < 240; step++, world.tick(250)) {
      const before = world.line.counters.totals.entered;
      ask(world, visitors);
      entered.push(world.line.counters.totals.entered - before);
    }
    const within = (from: number, to: number) => entered.slice(from, to).reduce((total, count) => total + count, 0);
    for (const seconds of [1, 2, 5, 10, 30]) {
      for (let from = 0; from + seconds * 4 <= entered.length; from++) {
        // Both ends of the window count.
        expect(within(from, from + seconds * 4 + 1)).toBeLessThanOrEqual(rate * seconds + burst);
      }
    }
    expect(within(0, entered.length)).toBeGreaterThan(300);
  });
});

describe("[P5] one browser on the move", () => {
  it("K13 whose network changes between and within renewals is never taken for two, nor does it lose its place in line", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const random = seeded(seed);
      const world = new World({ totalActiveUsers: 100, newUsersPerMinute: 6_000, sessionMaxMs: 3_600_000 }, seed);
      world.tick(SECOND);
      const visitor = world.visitor();
      world.join(visitor, false);
      const { slot } = visitor.ticket as NonNullable<Visitor["ticket"]>;
      for (let i = 0; i < 100; i++) {
        // IPv4, IPv6, Wi-Fi, mobile.
        visitor.tag = Math.floor(random() * 4);
        const verdict = visitor.pass === null ? world.claim(visitor, "enter") : world.renew(visitor);
        expect(verdict?.as, `seed ${seed}, request ${i}`).not.toBe("void");
        world.tick(5_000 + random() * 30_000);
      }
      expect([visitor.pass?.slot, world.line.counters.totals.takeovers]).toEqual([slot, 0]);
    }
  });
});

describe("[LINE-6] what the operator sees and does", () => {
  it("C6 the numbers are counters: reading them looks at no visitor, however many wait", () => {
    const world = new World({ newUsersPerMinute: 600 });
    for (let i = 0; i < 20; i++) {
      const joins = Array.from({ length: 1_000 }, (_, j) => ({
        key: `${String(i * 1_000 + j).padStart(8, "0")}-visitor-key1`,
        network: 0,
        enter: false,
        tag: 0,
      }));
      world.exchange({ joins });
    }
    const asked = new Set<PropertyKey>();
    const table = new Proxy(world.line.table, {
      get(target, name) {
        asked.add(name);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const stats = statsOf({ ...world.line, table }, world.settings, "r", 1);
    expect(stats).toMatchObject({ issued: 20_000, waiting: waitingCount(world.line) });
    expect([...asked].toSorted()).toEqual(["count", "counts"]);
  });

  it("C80 places that were added and taken away again, unused, leave everything as it was", () => {
    const world = new World({ totalActiveUsers: 1, newUsersPerMinute: 600 });
    world.tick(SECOND);
    world.join(world.visitor(), true);
    const waiting = crowd(world, 90);
    world.settings = { ...world.settings, queueAll: true };
    world.tick(SECOND);
    const seen = () => [world.line.counters.epoch, world.line.table.count(State.INSIDE), freePlaces(world.line, world.settings)];
    const before = seen();
    for (const totalActiveUsers of [61, 1]) {
      world.settings = { ...world.settings, totalActiveUsers };
      world.tick(SECOND);
      expect(freePlaces(world.line, world.settings)).toBe(totalActiveUsers - 1);
    }
    expect(seen()).toEqual(before);
    world.settings = { ...world.settings, queueAll: false };
    world.tick(10 * SECOND);
    ask(world, waiting);
    expect(world.line.table.count(State.INSIDE)).toBe(1);
  });

  it("S12 totals are public exactly, in two figures or not at all, as the room says", () => {
    const world = new World({ publicTotals: "exact", queueAll: true });
    crowd(world, 1_234);
    const tail = (publicTotals: "exact" | "rounded" | "hidden") => {
      world.settings = { ...world.settings, publicTotals };
      world.tick(0);
      return [world.manifest.tail, world.manifest.returning];
    };
    expect([tail("exact"), tail("rounded"), tail("hidden")]).toEqual([
      [1_234, 0],
      [1_200, 0],
      [null, null],
    ]);
  });
});
