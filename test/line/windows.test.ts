/** `queueing_method = "random"`: arrivals within a window are dealt as one small draw. */
import { describe, expect, it } from "vitest";
import { flush } from "../../durable/line/switches";
import { checkRecord, slotOf as slotOfEntry } from "../../src/core/draw-sync";
import { joinOf, slotOf } from "../support/line-steps";
import { seeded, type Visitor } from "../support/line-world";
import { LobbyWorld } from "../support/lobby-world";

/** A room of `random` where nobody goes straight in. */
function dealing(settings: ConstructorParameters<typeof LobbyWorld>[1] = {}, seed = 1): LobbyWorld {
  return new LobbyWorld({}, { events: [], queueingMethod: "random", ...settings }, seed);
}

const ids = (world: LobbyWorld) => world.store.records.map(({ id, base, count }) => [id, base, count]);

describe("[LOBBY-8] a window", () => {
  it("[P13][P5] opens with its first entry, closes shuffle_window_seconds later, and is dealt in the step that comes first after", () => {
    const world = dealing({ newUsersPerMinute: 1 });
    world.tick(0);
    expect(world.manifest.window).toBeNull();
    const { nextWindow } = world.manifest;
    world.restart();
    const early = world.arrive(2);
    const { window } = world.manifest;
    // Public before the first entry.
    expect(window?.commitment).toBe(nextWindow);
    expect(world.manifest.nextWindow).not.toBe(nextWindow);
    expect(window).toMatchObject({ draw: 1, closesAt: world.now + 2_000 });
    world.tick(1_999);
    const slower = world.arrive(1);
    expect(world.store.records).toEqual([]);
    world.now += 1;
    const next = world.arrive(1);
    expect(world.store.records).toMatchObject([{ id: 1, base: 0, count: 3, event: "", beacon: { source: "none" } }]);
    expect(world.store.records[0]?.commitment).toBe(window?.commitment);
    expect(world.manifest.draws).toMatchObject([{ id: 1 }]);
    expect(world.manifest.window).toMatchObject({ draw: 2 });
    world.tick(2_000);
    world.dealTickets();
    expect([...early, ...slower].map(slotOf).sort()).toEqual([0, 1, 2]);
    expect(next.map(slotOf)).toEqual([3]);
    expect(world.store.records.flatMap((record) => checkRecord(record))).toEqual([]);
    // Nobody came: there is no window, and no draw of nobody.
    world.tick(60_000);
    expect(ids(world)).toHaveLength(2);
  });

  it("does not stand in the way of a quiet room, and is not overtaken by whoever would go straight in", () => {
    const world = dealing();
    world.tick(10_000);
    expect(world.join(world.visitor(), true)?.as).toBe("entered");
    expect(world.manifest.window).toBeNull();
    const waits = world.visitor();
    expect(world.joinAll([waits])).toMatchObject([{ as: "entry" }]);
    expect(world.join(world.visitor(), true)?.as).toBe("entry");
  });

  it("closes at once when newcomers would get past it: another method, a lobby, an emptied line", () => {
    const other = dealing();
    other.arrive(2);
    other.tick(0);
    other.settings = { ...other.settings, queueingMethod: "fifo" };
    expect(other.joinAll([other.visitor()])).toMatchObject([{ as: "placed", slot: 2 }]);
    expect(ids(other)).toEqual([[1, 0, 2]]);

    const emptied = dealing();
    emptied.arrive(2);
    expect(flush(emptied.line)).toBe(2);
    emptied.commit();
    expect(emptied.store.dropped).toMatchObject([{ id: 1, dropped: "flushed", event: "" }]);
    emptied.arrive(1);
    emptied.tick(2_000);
    expect(ids(emptied)).toEqual([[2, 0, 1]]);

    const sale = new LobbyWorld({}, { queueingMethod: "random", shuffleWindowMs: 60_000 });
    sale.goTo(9.5);
    sale.arrive(2);
    sale.goTo(11);
    expect(ids(sale)).toEqual([[1, 0, 2]]);
    sale.arrive(3);
    expect(sale.manifest).toMatchObject({ window: null, lobby: { draw: 2, entries: 3 } });
    sale.goTo(20);
    sale.arrive(1);
    expect(sale.manifest).toMatchObject({ window: { draw: 3 } });
    expect(ids(sale)).toEqual([
      [1, 0, 2],
      [2, 2, 3],
    ]);
  });

  it("survives a restart in the middle, and the same key keeps its entry", () => {
    const world = dealing();
    const visitors = world.arrive(5);
    const before = visitors.map((visitor) => world.entered.get(visitor));
    world.restart();
    expect(world.joinAll(visitors)).toEqual(before);
    world.tick(2_000);
    world.restart();
    expect(world.joinAll(visitors)).toEqual(before);
    expect(ids(world)).toEqual([[1, 0, 5]]);
  });

  it("S9 gives a client that is 20 ms faster than a hundred others nothing (chance of a false alarm: 1 in 30,000)", () => {
    const rooms = 400;
    const random = seeded(20);
    let sum = 0;
    for (let room = 0; room < rooms; room++) {
      const world = dealing({ newUsersPerMinute: 1 }, 1 + Math.floor(random() * 1e9));
      const [fast] = world.arrive(1) as [Visitor];
      world.now += 20;
      for (let i = 0; i < 5; i++) world.exchange({ joins: Array.from({ length: 20 }, () => joinOf(world.visitor())) });
      world.tick(2_000);
      const record = world.store.records[0];
      if (record === undefined) throw new Error("not dealt");
      sum += slotOfEntry(record, world.entered.get(fast)?.entry ?? -1);
    }
    // Uniform on 0…100: mean 50, standard deviation 29.2 of one, 29.2 / 20 = 1.46 of the mean; 4.15 of them.
    expect(Math.abs(sum / rooms - 50)).toBeLessThan(6.05);
  });
});
