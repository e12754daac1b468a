/** The draw: fixed at the cut-off, drawn once for ever, and what it means for those in front, those drawn and those who come late. */
import { describe, expect, it } from "vitest";
import { pendingDraw } from "../../durable/line/planned";
import { proceed } from "../../durable/line/schedule";
import { State } from "../../durable/line/slot-table";
import { flush } from "../../durable/line/switches";
import { toHex } from "../../src/core/bytes";
import { type DrandRound, publishedAtMs, roundAfter } from "../../src/core/drand";
import { checkRecord } from "../../src/core/draw-sync";
import { sha256 } from "../../src/core/sha256";
import { slotOf } from "../support/line-steps";
import { type Crash, START, saltOf, type Visitor } from "../support/line-world";
import { LobbyWorld, MINUTE, saleOf } from "../support/lobby-world";

const START_MS = START + 20 * MINUTE;
const ROUND = roundAfter(START_MS);

/** A round as drand would answer it: only the relation of its two values counts here. */
function roundOf(round: number, seed = 1): DrandRound {
  const signature = new Uint8Array([...saltOf(seed), ...saltOf(seed + 1).subarray(0, 16)]);
  return { round, signature: toHex(signature), randomness: toHex(sha256(signature)) };
}

/** Doors open in a moment: `count` entries, behind `front` who wait since before the lobby. */
function lobby(
  count: number,
  front = 0,
  beacon: "none" | "drand" = "none",
  changes = {},
): { world: LobbyWorld; drawn: Visitor[]; ahead: Visitor[] } {
  const world = new LobbyWorld({}, { beacon, totalActiveUsers: 500, ...changes });
  // Nobody is called before the lobby: the buckets of a new room are empty.
  world.plan({ prequeueStartMs: START + 100 });
  const ahead = world.arrive(front);
  world.goTo(10);
  const drawn = Array.from({ length: Math.ceil(count / 40) }, (_, i) => world.arrive(Math.min(40, count - 40 * i))).flat();
  return { world, drawn, ahead };
}

describe("[LOBBY-5] the cut-off", () => {
  it("[P13][P4][P5] gives the entries the slots behind those who waited, shuffled, and latecomers the ones behind them, in order", () => {
    const { world, drawn, ahead } = lobby(200, 5);
    world.goTo(19.99);
    expect(world.manifest.draws).toEqual([]);
    world.goTo(20);
    const { record } = world;
    expect(record).toMatchObject({ base: 5, count: 200, beacon: { source: "none" }, event: "sale", room: "test", id: 1 });
    expect(world.manifest.draws).toEqual([{ id: 1, base: 5, count: 200, seed: record.seed }]);
    const late = world.arrive(3);
    expect(late.map(slotOf)).toEqual([205, 206, 207]);
    world.dealTickets();
    expect(ahead.map(slotOf)).toEqual([0, 1, 2, 3, 4]);
    const slots = drawn.map(slotOf);
    expect([...slots].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => 5 + i));
    expect(slots).not.toEqual([...slots].sort((a, b) => a - b));
    // They go in in the order of their slots, at the rate.
    const all = [...ahead, ...drawn, ...late].sort((a, b) => slotOf(a) - slotOf(b));
    const order: number[] = [];
    for (let second = 0; second < 300; second++) {
      world.tick(1_000);
      for (const visitor of all) {
        if (visitor.pass === null && slotOf(visitor) < world.manifest.admittedEpoch && world.claim(visitor, "enter")?.as === "entered") {
          order.push(slotOf(visitor));
        }
      }
    }
    expect(order).toEqual(Array.from({ length: 208 }, (_, i) => i));
  });

  it.each([0, 1])("works with %i entries", (count) => {
    for (const beacon of ["none", "drand"] as const) {
      const { world } = lobby(count, 0, beacon);
      world.goTo(20);
      world.goTo(21.5);
      expect(world.record).toMatchObject({ base: 0, count });
      const late = world.visitor();
      expect(world.joinAll([late])).toMatchObject([{ as: "placed", slot: count }]);
      world.tick(3_000);
      expect(world.manifest.admittedEpoch).toBe(count + 1);
    }
  });

  it("S10 is at the start by Room time, in whatever step comes first: entries until then, latecomers from then on", () => {
    const { world } = lobby(3);
    world.tick(START_MS - 1 - world.now);
    expect(world.joinAll([world.visitor()])).toMatchObject([{ as: "entry", entry: 3 }]);
    world.restart();
    world.now += 1;
    expect(world.joinAll([world.visitor()])).toMatchObject([{ as: "placed", slot: 4 }]);
    expect(world.record).toMatchObject({ count: 4, closedAt: new Date(START_MS).toISOString() });
  });

  it("[P7] happens once, with the same result, wherever the Room dies and however often it is woken", () => {
    const play = (crashes: readonly Crash[]): LobbyWorld => {
      const world = new LobbyWorld({}, { beacon: "drand" });
      let at = 0;
      const dying = (step: () => void, settles: (crash: Crash) => void) => {
        const crash = crashes[at++] ?? "none";
        if (crash === "before") {
          step();
          world.restart();
        }
        step();
        settles(crash);
        if (crash === "after") world.restart();
      };
      const commit = () => world.commit();
      const wake = () => {
        world.prepare();
        proceed(world.line, world.settings, world.now);
      };
      world.now = START + 10 * MINUTE;
      dying(wake, commit);
      for (let batch = 0; batch < 3; batch++) {
        world.now += 1_000;
        const visitors = [0, 1, 2].map(() => world.visitor());
        const joins = visitors.map(({ key, tag }) => ({ key, tag, network: 0, enter: false }));
        const crash = crashes[at++] ?? "none";
        if (world.exchange({ joins }, crash) === null) world.exchange({ joins });
      }
      world.now = START_MS;
      dying(wake, commit);
      world.now = publishedAtMs(ROUND) + 500;
      dying(() => world.take(roundOf(ROUND)), commit);
      for (let again = 0; again < 3; again++) {
        world.tick(1_000);
        world.take(roundOf(ROUND, 9));
        world.commit();
        world.restart();
      }
      return world;
    };
    const wanted = play([]);
    expect(wanted.record).toMatchObject({ count: 9, beacon: { round: ROUND, randomness: roundOf(ROUND).randomness } });
    for (let point = 0; point < 6; point++) {
      for (const crash of ["before", "after"] as const) {
        const world = play(Array.from({ length: 6 }, (_, i) => (i === point ? crash : "none")));
        expect(world.record, `${crash} step ${point}`).toEqual(wanted.record);
        expect(world.store.batches, `${crash} step ${point}`).toEqual(wanted.store.batches);
        expect(world.line.counters.tail, `${crash} step ${point}`).toBe(9);
      }
    }
  });

  it("is not undone by anything that comes later", () => {
    const { world } = lobby(10);
    world.goTo(20);
    const { record } = world;
    world.plan({ startMs: START + 40 * MINUTE });
    world.arrive(2);
    world.plan({ cancelled: "no" });
    world.plan({ cancelled: null, startMs: START_MS });
    flush(world.line);
    world.goTo(60);
    world.restart();
    world.goTo(90);
    expect(world.store.records[0]).toEqual(record);
    expect(world.store.records.filter(({ id }) => id === 1)).toHaveLength(1);
  });
});

describe("[LOBBY-6] with drand", () => {
  it("[P4] the doors open when the round is known: until then people in front go on, nobody from the draw on is called", () => {
    const { world, ahead } = lobby(20, 3, "drand");
    world.goTo(20);
    expect(world.manifest).toMatchObject({ phase: "drawing", draws: [], quiet: false, lobby: { draw: 1, entries: 20, beacon: "drand" } });
    expect(world.joinAll([world.visitor()])).toMatchObject([{ as: "placed", slot: 23 }]);
    world.tick(8_000);
    expect(world.manifest.admittedEpoch).toBe(3);
    for (const visitor of ahead) {
      world.tick(1_000);
      expect(world.claim(visitor, "enter")?.as).toBe("entered");
    }
    world.tick(10_000);
    expect(world.manifest.admittedEpoch).toBe(3);
    world.beacon(roundOf(ROUND));
    expect(world.manifest).toMatchObject({ phase: "open", lobby: null });
    expect(world.manifest.admittedEpoch).toBeGreaterThan(3);
    expect(world.record).toMatchObject({ base: 3, beacon: { source: "drand", ...roundOf(ROUND) } });
  });

  it("S8 keeps the rule of its opening, takes no other round, and nothing secret is said while it waits", () => {
    const { world } = lobby(20, 0, "drand");
    world.settings = { ...world.settings, beacon: "none" };
    world.goTo(20);
    const pending = pendingDraw(world.line, world.settings, 1);
    expect(pending).toMatchObject({ pending: "drawing", beaconRule: "drand", count: 20, base: 0, round: ROUND });
    const salt = world.line.counters.drawing?.salt ?? "none";
    expect(JSON.stringify([pending, world.manifest])).not.toContain(salt);
    for (const wrong of [ROUND - 1, ROUND + 1]) world.beacon(roundOf(wrong));
    expect(world.store.records).toEqual([]);
    world.restart();
    world.beacon(roundOf(ROUND));
    const { record } = world;
    expect(record.entriesHash).toBe(pending?.entriesHash);
    expect(record.chain).toBe(pending?.chain);
    expect(pendingDraw(world.line, world.settings, 1)).toBeNull();
  });

  it("S8 without the round within beacon_wait_seconds of its time draws without it, and says so; a late round changes nothing", () => {
    const { world } = lobby(20, 0, "drand");
    world.goTo(20);
    world.tick(publishedAtMs(ROUND) + 59_999 - world.now);
    expect(world.phase).toBe("drawing");
    world.tick(1);
    expect(world.phase).toBe("open");
    const { record } = world;
    expect(record.beacon).toMatchObject({ source: "drand", round: ROUND, fallback: true });
    expect(record.beaconWaitMs).toBe(60_000);
    world.beacon(roundOf(ROUND));
    expect(world.record).toEqual(record);
  });

  it("a Room that slept over the cut-off still waits for the round before it goes on without", () => {
    const { world } = lobby(20, 0, "drand");
    world.goTo(45);
    expect(world.phase).toBe("drawing");
    world.tick(59_000);
    world.beacon(roundOf(ROUND));
    expect(world.record).toMatchObject({ closedAt: new Date(START_MS).toISOString(), beacon: roundOf(ROUND) });
  });

  it("emptying the line while it waits ends the drawn; newcomers behind them do not wait for it", () => {
    const { world } = lobby(20, 0, "drand");
    world.goTo(20);
    flush(world.line);
    world.tick(0);
    const late = world.visitor();
    world.joinAll([late]);
    world.tick(3_000);
    expect(world.manifest.admittedEpoch).toBe(21);
    world.beacon(roundOf(ROUND));
    world.dealTickets();
    const [first] = world.entered.keys();
    expect(world.claim(first as Visitor, "look")).toMatchObject({ as: "ended", why: "flushed" });
  });

  it("two events so close that the second starts before the first's round: each has its own round, and nobody is called before", () => {
    const first = saleOf({ endMs: START_MS + 2_000 });
    const second = saleOf({ name: "second", prequeueStartMs: START_MS + 3_000, startMs: START_MS + 5_000 });
    const world = new LobbyWorld({}, { beacon: "drand", events: [first, second] });
    world.goTo(11);
    world.arrive(3);
    world.tick(START_MS + 4_000 - world.now);
    world.arrive(4);
    world.tick(2_000);
    const later = roundAfter(START_MS + 5_000);
    expect(pendingDraw(world.line, world.settings, 2)).toMatchObject({ pending: "drawing", base: 3, count: 4, round: later });
    world.tick(publishedAtMs(later) - world.now);
    expect(world.manifest.admittedEpoch).toBe(0);
    world.beacon(roundOf(ROUND));
    world.tick(1_000);
    expect(world.manifest.admittedEpoch).toBeLessThanOrEqual(3);
    world.restart();
    world.beacon(roundOf(later));
    expect(world.store.records).toMatchObject([
      { id: 1, base: 0, count: 3, beacon: { round: ROUND, randomness: roundOf(ROUND).randomness } },
      { id: 2, base: 3, count: 4, beacon: { round: later } },
    ]);
    for (const record of world.store.records) expect(checkRecord(record)).toEqual([]);
  });
});

describe("[LOBBY-7] after the draw", () => {
  const HIDDEN = { absentAfterMs: 200_000, newUsersPerMinute: 60 };

  /** Everybody but `silent` asks every 5 s until `seconds` after the doors opened. */
  function poll(world: LobbyWorld, present: readonly Visitor[], seconds: number): void {
    for (let second = 0; second < seconds; second += 5) {
      world.tick(5_000);
      world.see(present.filter((visitor) => slotOf(visitor) >= world.manifest.admittedEpoch));
    }
  }

  it("[LINE-2] whoever was not seen for settle_seconds since is passed over at the turn, at no cost; whoever was seen is called", () => {
    const { world, drawn } = lobby(260, 0, "none", HIDDEN);
    world.goTo(20);
    world.dealTickets();
    const present = drawn.filter((visitor) => slotOf(visitor) % 3 === 0);
    // Seen once, then on a hidden tab.
    const once = drawn.filter((visitor) => slotOf(visitor) % 3 === 1);
    world.see(once);
    poll(world, present, 150);
    const epoch = world.manifest.admittedEpoch;
    const states = drawn.filter((visitor) => slotOf(visitor) < epoch && slotOf(visitor) >= 130);
    expect(epoch).toBeGreaterThan(135);
    for (const visitor of states) {
      const state = world.line.table.stateOf(slotOf(visitor));
      if (slotOf(visitor) % 3 === 2) expect(state, `slot ${slotOf(visitor)}`).toBe(State.PASSED_OVER);
      else expect([State.CALLED, State.MISSED], `slot ${slotOf(visitor)}`).toContain(state);
    }
    const away = states.find((visitor) => slotOf(visitor) % 3 === 2) as Visitor;
    expect(world.claim(away, "look")?.as).toBe("returning");
  });

  it("[LINE-2] with settle_seconds 0 nobody is passed over because of the draw", () => {
    const { world } = lobby(150, 0, "none", { ...HIDDEN, settleMs: 0 });
    world.goTo(20);
    // Without an exchange for long nobody is known to be away, whatever the setting.
    world.exchange({});
    poll(world, [], 150);
    expect(world.manifest.admittedEpoch).toBeGreaterThan(20);
    expect(world.count(State.PASSED_OVER)).toBe(0);
  });

  it("[LINE-2] nobody is passed over before settle_seconds, nor because slots were nobody's before, nor after a restart", () => {
    for (const restart of [false, true]) {
      const { world, drawn } = lobby(150, 0, "none", HIDDEN);
      for (let minute = 11; minute < 20; minute++) {
        world.goTo(minute);
        world.exchange({});
      }
      world.goTo(20);
      world.dealTickets();
      if (restart) poll(world, [], 30);
      if (restart) world.restart();
      poll(world, [], restart ? 160 : 115);
      expect(world.manifest.admittedEpoch).toBeGreaterThan(20);
      expect(world.count(State.PASSED_OVER)).toBe(0);
      expect(drawn.length).toBe(150);
    }
  });
});
