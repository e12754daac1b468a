/**
 * Random histories of the line: joins, claims, renewals, copies, losses, crashes, switches, clock steps; the promises are
 * checked after every step from outside. Seeds are printed by fast-check on failure.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advance } from "../../durable/line/advance";
import { noteFormer } from "../../durable/line/bounds";
import { burstOf } from "../../durable/line/buckets";
import { State } from "../../durable/line/slot-table";
import { placesInUse, waitingCount } from "../../durable/line/state";
import { endSessions, flush, reset, setEnded, setJoinsStopped } from "../../durable/line/switches";
import { statsOf } from "../../durable/line/view";
import type { Manifest } from "../../src/core/manifest";
import { type Crash, type Visitor, World } from "../support/line-world";

const RUNS = Number(process.env.LINE_RUNS ?? 400);

type Step =
  | { kind: "tick"; ms: number }
  | { kind: "join"; enter: boolean; again: boolean; who: number; crash: Crash }
  | { kind: "claim"; who: number; intent: "enter" | "look" | "extend" | "continue"; crash: Crash }
  | { kind: "burst"; who: number; count: number }
  | { kind: "renew"; who: number; crash: Crash; lost: boolean }
  | { kind: "leave"; who: number; crash: Crash }
  | { kind: "copy"; who: number; sameTag: boolean }
  | { kind: "see"; share: number }
  | { kind: "lease"; units: number }
  | { kind: "restart" }
  | { kind: "set"; capacity: number; rate: number }
  | { kind: "bounds"; revokeBoundMs: number; passRefreshMs: number }
  | { kind: "switch"; name: "pause" | "resume" | "off" | "on" | "stop" | "allow" | "end" | "reopen" | "flush" | "end-sessions" | "reset" };

const crash = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Crash>("none") },
  { weight: 1, arbitrary: fc.constant<Crash>("before") },
  { weight: 1, arbitrary: fc.constant<Crash>("after") },
);
const who = fc.nat(60);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant("tick" as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 400_000 })),
    }),
  },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant("join" as const), enter: fc.boolean(), again: fc.boolean(), who, crash }) },
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant("claim" as const),
      who,
      intent: fc.constantFrom(
        "enter" as const,
        "enter" as const,
        "enter" as const,
        "look" as const,
        "extend" as const,
        "continue" as const,
      ),
      crash,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("burst" as const), who, count: fc.integer({ min: 2, max: 12 }) }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant("renew" as const), who, crash, lost: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("leave" as const), who, crash }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("copy" as const), who, sameTag: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("see" as const), share: fc.integer({ min: 0, max: 100 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("lease" as const), units: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("restart" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("set" as const),
      capacity: fc.integer({ min: 1, max: 25 }),
      rate: fc.constantFrom(0, 0.5, 6, 20, 60, 90, 600, 60_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("bounds" as const),
      revokeBoundMs: fc.constantFrom(3_000, 5_000, 20_000, 60_000),
      passRefreshMs: fc.constantFrom(1_000, 5_000, 20_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("switch" as const),
      name: fc.constantFrom(
        ...([
          "pause",
          "resume",
          "resume",
          "off",
          "on",
          "on",
          "stop",
          "allow",
          "end",
          "reopen",
          "reopen",
          "flush",
          "end-sessions",
          "reset",
        ] as const),
      ),
    }),
  },
);

/** What the world outside has seen: enough to check the promises without trusting the line's books. */
class Witness {
  /** What an edge may still act on: manifests by time, each with the settings that were in force with it, among them how long it is trusted. */
  news: { readonly manifest: Manifest; readonly settings: World["settings"] }[] = [];
  /** P2 as a leaking bucket: the level falls at the rate and rises by one per entry. */
  level = 0;
  levelAt: number;
  peakBurst: number;

  constructor(readonly world: World) {
    this.levelAt = world.now;
    this.peakBurst = burstOf(world.settings.newUsersPerMinute);
  }

  entered(count: number): void {
    const { world } = this;
    const rate = world.settings.newUsersPerMinute;
    this.level = Math.max(0, this.level - ((world.now - this.levelAt) * this.rateBefore) / 60_000);
    this.levelAt = world.now;
    if (this.level === 0) this.peakBurst = burstOf(rate);
    this.level += count;
    expect(this.level, "P2: entries ≤ rate·w + burst").toBeLessThanOrEqual(this.peakBurst + 1e-6);
  }
  rateBefore = 0;

  rateChanged(): void {
    this.entered(0);
    this.rateBefore = this.world.settings.newUsersPerMinute;
    this.peakBurst = Math.max(this.peakBurst, burstOf(this.rateBefore));
  }
}

function check(world: World, witness: Witness, before: { inUse: number; entered: number; epoch: number; generation: number }): void {
  const { line, settings } = world;
  const { counters, table } = line;

  const sameLine = before.generation === counters.generation;
  const entries = sameLine ? counters.totals.entered - before.entered : counters.totals.entered;
  witness.entered(entries);

  // P1, books: never above the capacity, but for what was there before it was lowered; and then nobody enters.
  const inUse = placesInUse(line, settings);
  if (inUse > settings.totalActiveUsers) {
    expect(inUse, "P1: places in use grew above the capacity").toBeLessThanOrEqual(before.inUse);
    expect(entries, "P1: entry above a lowered capacity").toBe(0);
  }
  // P1, outside: every pass that an edge within the bound may still forward on is in the books.
  const latest = { manifest: world.manifest, settings };
  witness.news = [...witness.news.filter((each) => each.manifest.at > world.now - each.settings.revokeBoundMs), latest];
  const usable = new Set<string>();
  for (const [i, each] of witness.news.entries()) {
    // Of those with the same settings the oldest refuses least.
    if (witness.news[i - 1]?.settings === each.settings) continue;
    for (const pass of world.passes) {
      if (!world.accepts(pass, each.manifest, each.settings)) continue;
      usable.add(`${pass.generation}:${pass.slot}`);
      if (pass.generation !== counters.generation) continue;
      const state = table.stateOf(pass.slot);
      if (state !== State.INSIDE && state !== State.LEAVING) throw new Error(`P1: slot ${pass.slot} has a usable pass but state ${state}`);
    }
  }
  // What has ended for good is not looked at again: histories are long.
  if (world.passes.length > 400)
    world.passes.splice(0, 200, ...world.passes.slice(0, 200).filter((pass) => pass.expiresAtS * 1_000 > world.now - 600_000));
  expect(usable.size, "P1: usable passes are within the books").toBeLessThanOrEqual(inUse);

  // P4: the epoch only grows within a generation and never passes the tail.
  if (sameLine) expect(counters.epoch, "P4: epoch went back").toBeGreaterThanOrEqual(before.epoch);
  expect(counters.epoch).toBeLessThanOrEqual(counters.tail);

  // P6: count every slot by looking at it.
  const seen = { waiting: 0, called: 0, inside: 0, lapsed: 0, passed_over: 0, missed: 0, returning: 0, leaving: 0, ended: 0 };
  const names = ["ended", "called", "inside", "lapsed", "passed_over", "missed", "returning", "leaving"] as const;
  let held = 0;
  for (let slot = 0; slot < counters.tail; slot++) {
    const state = table.stateOf(slot);
    if (state === State.NONE && slot >= counters.epoch && !line.gone.has(slot)) seen.waiting += 1;
    else seen[names[state] ?? "ended"] += 1;
    if (state === State.CALLED && table.peek(slot).held) held += 1;
  }
  expect(line.held, "places held by calls").toBe(held);
  const stats = statsOf(line, settings, "test", 1);
  for (const name of Object.keys(seen) as (keyof typeof seen)[]) {
    if (stats[name] !== seen[name]) throw new Error(`P6: ${name} is ${stats[name]} in the books, ${seen[name]} by counting`);
  }
  expect(
    Object.values(seen).reduce((a, b) => a + b, 0),
    "P6: issued",
  ).toBe(counters.tail);
}

function apply(world: World, witness: Witness, each: Step): void {
  const pick = (index: number): Visitor | undefined => world.visitors[index % Math.max(1, world.visitors.length)];
  switch (each.kind) {
    case "tick":
      world.tick(each.ms);
      return;
    case "join": {
      const visitor = each.again ? pick(each.who) : undefined;
      const stats = {
        waiting: waitingCount(world.line),
        called: world.line.table.count(State.CALLED),
        returning: world.line.table.count(State.RETURNING),
        moments: world.line.moments.size,
      };
      const before = world.line.counters.now;
      const verdict = world.join(visitor ?? world.visitor(), each.enter, each.crash);
      if (verdict?.as === "entered" && before === world.now)
        expect(stats, "P4: a newcomer overtook someone").toEqual({ waiting: 0, called: 0, returning: 0, moments: 0 });
      return;
    }
    case "claim": {
      const visitor = pick(each.who);
      if (visitor === undefined) return;
      const verdict = world.claim(visitor, each.intent, each.crash);
      if (each.intent === "extend") expect(verdict?.as, "LINE-7: more time lets nobody in").not.toBe("entered");
      if (verdict?.as === "entered")
        expect(visitor.ticket?.slot ?? Number.NaN, "P4: entered before being called").toBeLessThan(world.line.counters.epoch);
      return;
    }
    case "burst": {
      const visitor = pick(each.who);
      const ticket = visitor?.ticket;
      if (visitor === undefined || ticket?.generation !== world.manifest.generation || ticket === null || ticket === undefined) return;
      const inside = world.line.table.count(State.INSIDE);
      const request = {
        slot: ticket.slot,
        serial: visitor.pass?.serial ?? 0,
        tag: visitor.tag,
        ageMs: 0,
        joinedAtS: ticket.joinedAtS,
        intent: "enter" as const,
      };
      const reply = world.exchange({ claims: Array.from({ length: each.count }, () => request) });
      const expired = world.line.table.count(State.INSIDE) - inside;
      expect(expired, "P5: one ticket, many claims, one session").toBeLessThanOrEqual(1);
      const granted = reply?.claims.find((verdict) => verdict.as === "entered");
      if (granted?.as === "entered") visitor.pass = { ...granted.pass, generation: ticket.generation };
      return;
    }
    case "renew": {
      const visitor = pick(each.who);
      if (visitor === undefined) return;
      const kept = visitor.pass;
      world.renew(visitor, each.crash);
      if (each.lost) visitor.pass = kept;
      return;
    }
    case "leave": {
      const visitor = pick(each.who);
      if (visitor !== undefined) world.leave(visitor, each.crash);
      return;
    }
    case "copy": {
      const visitor = pick(each.who);
      if (visitor?.ticket != null) world.copyOf(visitor, each.sameTag ? visitor.tag : (visitor.tag ^ 0x5555) & 0xffff);
      return;
    }
    case "see":
      world.see(world.visitors.filter((visitor) => (visitor.id * 37) % 101 <= each.share));
      return;
    case "lease":
      world.exchange({ leaseWanted: each.units });
      return;
    case "restart":
      world.restart();
      return;
    case "set":
      advance(world.line, world.settings, world.now);
      world.settings = { ...world.settings, totalActiveUsers: each.capacity, newUsersPerMinute: each.rate };
      witness.rateChanged();
      world.tick(0);
      return;
    case "bounds": {
      const { kind: _, ...bounds } = each;
      world.tick(0);
      noteFormer(world.line, world.settings, world.now);
      world.settings = { ...world.settings, ...bounds };
      world.tick(0);
      return;
    }
    case "switch":
      flip(world, each.name);
      return;
  }
}

function flip(world: World, name: Extract<Step, { kind: "switch" }>["name"]): void {
  advance(world.line, world.settings, world.now);
  if (name === "pause" || name === "resume") world.settings = { ...world.settings, queueAll: name === "pause" };
  if (name === "off" || name === "on") world.settings = { ...world.settings, suspended: name === "off" };
  if (name === "stop" || name === "allow") setJoinsStopped(world.line, name === "stop");
  if (name === "end" || name === "reopen") setEnded(world.line, name === "end");
  if (name === "flush") flush(world.line);
  if (name === "end-sessions") for (const pass of world.passes) world.left.add(`${pass.generation}:${pass.slot}`);
  if (name === "end-sessions") endSessions(world.line, world.settings);
  if (name === "reset") world.line = reset(world.line, world.settings);
  world.tick(0);
}

describe("random histories of the line", () => {
  it("[P1] [P2] [P4] [P5] [P6] [P7] [LINE-7] hold after every step, whatever crashes, races or leaves", { timeout: 240_000 }, () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 160, size: "max" }), fc.integer(), (steps, seed) => {
        const world = new World({ totalActiveUsers: 6, newUsersPerMinute: 60 }, seed);
        const witness = new Witness(world);
        witness.rateChanged();
        for (const each of steps) {
          const { counters } = world.line;
          const before = {
            inUse: placesInUse(world.line, world.settings),
            entered: counters.totals.entered,
            epoch: counters.epoch,
            generation: counters.generation,
          };
          apply(world, witness, each);
          check(world, witness, before);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
