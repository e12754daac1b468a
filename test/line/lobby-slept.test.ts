/** A Room that slept through lobbies, cut-offs or rounds: what it makes up for in the step that wakes it. Seeds are printed by fast-check. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noteSilence } from "../../durable/line/draws";
import { toHex } from "../../src/core/bytes";
import { checkRecord } from "../../src/core/draw-sync";
import { stageAt } from "../../src/core/schedule";
import { sha256 } from "../../src/core/sha256";
import { joinOf } from "../support/line-steps";
import { START } from "../support/line-world";
import { LobbyWorld, MINUTE, saleOf } from "../support/lobby-world";

/** So many sales, each with ten minutes of lobby, one an hour. */
function sales(count: number) {
  return Array.from({ length: count }, (_, i) => {
    const opens = START + (10 + 60 * i) * MINUTE;
    return saleOf({ name: `sale-${i}`, prequeueStartMs: opens, startMs: opens + 10 * MINUTE, endMs: opens + 40 * MINUTE });
  });
}

describe("[LOBBY-1] a Room that slept", () => {
  it("[P7] has a draw for everybody who joins in the step that wakes it, however many lobbies it slept through", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 32 }),
        fc.array(fc.integer({ min: 1, max: 32 * 60 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom("drand" as const, "none" as const),
        fc.constantFrom("fifo" as const, "random" as const),
        fc.boolean(),
        (count, wakes, beacon, queueingMethod, restarts) => {
          const world = new LobbyWorld({}, { events: sales(count), beacon, queueingMethod });
          for (const minute of wakes.sort((a, b) => a - b)) {
            world.now = START + minute * MINUTE;
            if (restarts) world.restart();
            const joins = world.exchange({ joins: [joinOf(world.visitor()), joinOf(world.visitor())] })?.joins;
            const stage = stageAt(world.settings, world.now);
            if (stage.in === "lobby" || queueingMethod === "random") expect(joins).toMatchObject([{ as: "entry" }, { as: "entry" }]);
            else expect(joins).toMatchObject([{ as: "placed" }, { as: "placed" }]);
          }
        },
      ),
    );
  });
});

describe("[LOBBY-6] the wait for the random number", () => {
  /** Three entries, cut off, and the Room dies. */
  function awaited(): LobbyWorld {
    const world = new LobbyWorld({}, { beacon: "drand" });
    world.goTo(11);
    world.arrive(3);
    world.asksInVain = false;
    world.goTo(20);
    world.restart();
    return world;
  }

  it("ends only after the number was asked for in vain since the Room was loaded, however long that was", () => {
    const world = awaited();
    const { round } = world.line.counters.drawing ?? { round: 0 };
    for (const minutes of [22, 30, 45]) {
      world.goTo(minutes);
      expect(world.phase).toBe("drawing");
    }
    noteSilence(world.line, round - 1);
    world.tick(0);
    expect(world.phase).toBe("drawing");
    noteSilence(world.line, round);
    world.restart();
    world.tick(0);
    expect(world.phase).toBe("drawing");
    noteSilence(world.line, round);
    world.tick(0);
    expect(world.record.beacon).toMatchObject({ fallback: true });
    expect(world.record.drawnAt).toBe(new Date(world.now).toISOString());
  });

  it("takes a number that is in hand even if the wait is over in the same step", () => {
    const world = awaited();
    const { round } = world.line.counters.drawing ?? { round: 0 };
    noteSilence(world.line, round);
    world.now += 10 * MINUTE;
    const signature = new Uint8Array(48).fill(3);
    world.beacon({ round, signature: toHex(signature), randomness: toHex(sha256(signature)) });
    expect(world.record).toMatchObject({ beacon: { round, signature: toHex(signature) }, drawnAt: new Date(world.now).toISOString() });
  });

  it("[P13] a record says when its draw really took place, also if the Room slept through several", () => {
    for (const beacon of ["drand", "none"] as const) {
      const world = new LobbyWorld({}, { beacon, events: sales(3) });
      world.goTo(11);
      world.arrive(3);
      world.goTo(170);
      for (const ms of [61_000, 1, 1]) world.tick(ms);
      expect(world.store.records.map(({ event, count }) => [event, count])).toEqual([
        ["sale-0", 3],
        ["sale-1", 0],
        ["sale-2", 0],
      ]);
      for (const record of world.store.records) {
        expect(checkRecord(record)).toEqual([]);
        expect(Date.parse(record.drawnAt)).toBeGreaterThanOrEqual(START + 170 * MINUTE);
      }
    }
  });
});
