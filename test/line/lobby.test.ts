/** The lobby: who collects, what is shown, and what the schedule does by itself, at its own time. */
import { describe, expect, it } from "vitest";
import { State } from "../../durable/line/slot-table";
import { endSessions, flush, reset, setEnded } from "../../durable/line/switches";
import { statsOf } from "../../durable/line/view";
import { toBase64url } from "../../src/core/base64url";
import { fromHex } from "../../src/core/bytes";
import { chainStart, chainStep, commitmentOf, digestOfKeys } from "../../src/core/draw-sync";
import { START, type Visitor } from "../support/line-world";
import { LobbyWorld, MINUTE, saleOf } from "../support/lobby-world";

const numbers = (world: LobbyWorld) => statsOf(world.line, world.settings, "test", 1);

describe("[LOBBY-1] the schedule", () => {
  it("opens the lobby, starts and ends by Room time: the settings of the event hold from its lobby to its end", () => {
    const world = new LobbyWorld({ overrides: { newUsersPerMinute: 600, message: "Sale!" } });
    const seen = [0, 9.99, 10, 19.99, 20, 79.99, 80].map((minutes) => {
      world.goTo(minutes);
      return [world.phase, world.manifest.ratePerMinute, world.manifest.message, world.manifest.config];
    });
    expect(seen).toEqual([
      ["open", 60, "", 1],
      ["open", 60, "", 1],
      ["lobby", 600, "Sale!", 1],
      ["lobby", 600, "Sale!", 1],
      ["open", 600, "Sale!", 1],
      ["open", 600, "Sale!", 1],
      ["open", 60, "", 1],
    ]);
  });

  it("closes the room outside its events, says when it opens, and lets nobody join; nobody inside is turned out", () => {
    const world = new LobbyWorld({ keepSessions: true }, { closedOutsideEvents: true, sessionDurationMs: 3 * MINUTE });
    expect(world.manifest).toMatchObject({ phase: "closed", joins: "closed", quiet: false, opensAt: START + 10 * MINUTE });
    expect(world.join(world.visitor(), true)).toMatchObject({ as: "refused", why: "closed" });
    expect(world.exchange({ leaseWanted: 5 })?.lease).toBeNull();
    world.goTo(79);
    const guest = world.visitor();
    expect(world.join(guest, true)?.as).toBe("entered");
    world.goTo(80);
    expect(world.manifest).toMatchObject({ phase: "closed", opensAt: null });
    expect(numbers(world).blocked_by.code).toBe("closed");
    expect(world.renew(guest)?.as).toBe("renewed");
  });

  it("holds everybody in the lobby: no entry, no lease, never quiet, and calls made before it keep their time", () => {
    const world = new LobbyWorld({ keepSessions: true }, { totalActiveUsers: 1 });
    world.goTo(9.5);
    const [first, second] = world.arrive(2) as [Visitor, Visitor];
    world.goTo(9.6);
    expect(world.claim(first, "enter")?.as).toBe("entered");
    world.goTo(10);
    expect(world.manifest).toMatchObject({ phase: "lobby", quiet: false });
    expect(world.exchange({ leaseWanted: 5 })?.lease).toBeNull();
    expect(world.claim(second, "enter")?.as).toBe("waiting");
    const epoch = world.manifest.admittedEpoch;
    world.goTo(19.9);
    expect(world.manifest.admittedEpoch).toBe(epoch);
    expect(numbers(world)).toMatchObject({ blocked_by: { code: "lobby" }, event: { name: "sale", stage: "lobby" } });
  });

  it("comes to the same whether a Room slept through it or was woken at every change", () => {
    const woken = new LobbyWorld();
    const slept = new LobbyWorld();
    for (const world of [woken, slept]) {
      world.goTo(9);
      world.arrive(3);
      if (world === woken) for (const minutes of [10, 10, 12, 20, 20, 21]) world.goTo(minutes);
      world.goTo(22);
    }
    const facts = ({ line, store }: LobbyWorld) => {
      const { frozenTotalMs, frozenSinceMs, endSessionsBefore, lobby, tail } = line.counters;
      const record = store.records[0];
      return { frozenTotalMs, frozenSinceMs, endSessionsBefore, lobby, tail, closedAt: record?.closedAt, openedAt: record?.openedAt };
    };
    expect(facts(slept)).toEqual(facts(woken));
    expect(facts(slept)).toMatchObject({ frozenTotalMs: 10 * MINUTE, closedAt: "2026-11-29T10:20:00.000Z" });
  });

  it("is off, ended or paused as the switches say, and passthrough means off; reject turns newcomers away and nobody inside", () => {
    for (const changes of [{ suspended: true }, { queueingMethod: "passthrough" as const }]) {
      const world = new LobbyWorld({}, changes);
      world.goTo(12);
      expect(world.manifest).toMatchObject({ phase: "off", quiet: false });
      expect(numbers(world).blocked_by.code).toBe("suspended");
    }
    const rejecting = new LobbyWorld({}, { queueingMethod: "reject", events: [] });
    expect(rejecting.manifest).toMatchObject({ phase: "open", joins: "reject", quiet: false });
    expect(rejecting.join(rejecting.visitor(), true)).toMatchObject({ as: "refused", why: "reject" });
    const ended = new LobbyWorld();
    ended.goTo(12);
    setEnded(ended.line, true);
    ended.tick(0);
    expect(ended.manifest).toMatchObject({ phase: "ended", joins: "ended" });
    expect(ended.join(ended.visitor(), false)).toMatchObject({ as: "refused", why: "ended" });
  });
});

describe("[LOBBY-2] sessions from before the lobby", () => {
  const guestOf = (world: LobbyWorld) => {
    world.goTo(9.5);
    const guest = world.visitor();
    expect(world.join(guest, true)?.as).toBe("entered");
    return guest;
  };

  it("C87 end once when it opens, also if the Room slept through it", () => {
    for (const wake of [[10, 10, 10.2], [25]]) {
      const world = new LobbyWorld({}, { sessionDurationMs: 30 * MINUTE, sessionMaxMs: 60 * MINUTE });
      const guest = guestOf(world);
      for (const minutes of wake) world.goTo(minutes);
      expect(world.manifest.endSessionsBefore).toBe((START + 10 * MINUTE) / 1_000 + 1);
      expect(world.renew(guest)?.as).toBe("ended");
      expect(world.inside()).toBe(0);
      const { endSessionsBefore } = world.manifest;
      world.goTo(25);
      // Who goes in now is inside, however often the schedule is looked at in the rest of the event.
      const late = guestOf(world);
      for (const minutes of [26, 27]) world.goTo(minutes);
      expect(world.renew(late)?.as).toBe("renewed");
      world.goTo(30);
      expect(world.manifest.endSessionsBefore).toBe(endSessionsBefore);
    }
  });

  it("stay where the event keeps them, and where it has no lobby", () => {
    for (const event of [{ keepSessions: true }, { prequeueStartMs: null, shuffle: false }]) {
      const world = new LobbyWorld(event, { sessionDurationMs: 30 * MINUTE, sessionMaxMs: 60 * MINUTE });
      const guest = guestOf(world);
      world.goTo(21);
      expect(world.renew(guest)?.as).toBe("renewed");
    }
  });

  it("end once also when the Room dies around the opening, and again at the next event's", () => {
    const next = saleOf({ name: "next", prequeueStartMs: START + 90 * MINUTE, startMs: START + 95 * MINUTE, endMs: START + 99 * MINUTE });
    const world = new LobbyWorld({}, { sessionDurationMs: 30 * MINUTE, sessionMaxMs: 60 * MINUTE, events: [saleOf(), next] });
    guestOf(world);
    world.goTo(10);
    world.restart();
    world.goTo(21);
    const first = world.manifest.endSessionsBefore;
    const guest = world.visitor();
    expect(world.join(guest, true)?.as).toBe("entered");
    world.restart();
    world.goTo(89);
    expect(world.manifest.endSessionsBefore).toBe(first);
    world.join(world.visitor(), true);
    world.goTo(91);
    expect(world.manifest.endSessionsBefore).toBe((START + 90 * MINUTE) / 1_000 + 1);
  });
});

describe("[LOBBY-3] entries", () => {
  it("S7 are counted, the same key the same entry, also after a restart; each carries the chain after its batch", () => {
    const world = new LobbyWorld();
    world.goTo(10);
    const batches = [3, 1, 4].map((count) => world.arrive(count));
    const all = batches.flat();
    expect(all.map((visitor) => world.entered.get(visitor)?.entry)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    let chain = chainStart(world.collecting);
    let first = 0;
    for (const batch of batches) {
      chain = chainStep(chain, first, digestOfKeys(batch.map(({ key }) => key)));
      first += batch.length;
      for (const visitor of batch) expect(world.entered.get(visitor)?.chain).toBe(toBase64url(chain));
    }
    expect(world.store.batches.map(({ first: at, draw }) => [at, draw])).toEqual([
      [0, 1],
      [3, 1],
      [4, 1],
    ]);
    const before = all.map((visitor) => world.entered.get(visitor));
    world.restart();
    expect(world.joinAll(all)).toEqual(before);
    expect(world.line.counters.collecting?.count).toBe(8);
    expect(world.store.batches.length).toBe(3);
  });

  it("a tab that asks twice in one exchange has one entry, with the same chain", () => {
    const world = new LobbyWorld();
    world.goTo(10);
    const visitor = world.visitor();
    const verdicts = world.joinAll([visitor, world.visitor(), visitor]);
    expect(verdicts[2]).toEqual(verdicts[0]);
    expect(world.line.counters.collecting?.count).toBe(2);
  });

  it("S8 have a commitment before the first of them; the salt is in nothing that anybody sees before the draw", () => {
    const world = new LobbyWorld();
    world.goTo(10);
    const { lobby } = world.manifest;
    const { salt } = world.collecting;
    expect(lobby).toMatchObject({ event: "sale", draw: 1, entries: 0, commitment: commitmentOf(fromHex(salt)), beacon: "none" });
    expect(lobby).toMatchObject({ opensAt: START + 10 * MINUTE, startsAt: START + 20 * MINUTE, endsAt: START + 80 * MINUTE });
    world.arrive(5);
    const said = JSON.stringify([world.manifest, numbers(world), [...world.entered.values()]]);
    expect(said).not.toContain(salt);
    expect(said).not.toContain(world.line.counters.nextSalt);
    world.goTo(20);
    expect(world.record).toMatchObject({ salt, commitment: lobby?.commitment, count: 5, base: 0 });
  });

  it("S8 [P13] have a commitment before the lobby opens, from when the event is planned: the same through restarts, windows and a new line", () => {
    const world = new LobbyWorld({}, { queueingMethod: "random", newUsersPerMinute: 1 });
    world.tick(1_000);
    const { next } = world.manifest;
    expect(next).toEqual({ event: "sale", opensAt: START + 10 * MINUTE, commitment: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const salt = world.line.counters.nextSalt ?? "";
    expect(next?.commitment).toBe(commitmentOf(fromHex(salt)));
    for (let minute = 1; minute < 9; minute++) {
      world.goTo(minute);
      world.arrive(2);
      if (minute % 2 === 1) world.restart();
      if (minute === 5) world.line = reset(world.line, world.settings);
      world.tick(3_000);
      expect(world.manifest.next).toEqual(next);
      expect(JSON.stringify([world.manifest, numbers(world)])).not.toContain(salt);
    }
    expect(world.store.records.length).toBeGreaterThan(5);
    world.plan({ cancelled: "no" });
    expect(world.manifest.next).toBeNull();
    world.plan({ cancelled: null, prequeueStartMs: START + 11 * MINUTE });
    expect(world.manifest.next).toEqual({ ...next, opensAt: START + 11 * MINUTE });
    world.goTo(11);
    expect(world.manifest.lobby?.commitment).toBe(next?.commitment);
    expect(world.manifest.next).toBeNull();
    const plain = new LobbyWorld({ shuffle: false });
    plain.tick(0);
    expect(plain.manifest.next).toBeNull();
  });

  it("S6 keep to joins stopped, the capacity of the line and the limit of a network", () => {
    const world = new LobbyWorld({}, { queueCapacity: 3, joinLimitPerMinute: 2 });
    world.goTo(10);
    const one = { network: 7 };
    expect(world.joinAll([world.visitor(one), world.visitor(one), world.visitor(one)]).map(({ as }) => as)).toEqual([
      "entry",
      "entry",
      "refused",
    ]);
    expect(world.joinAll([world.visitor(), world.visitor()])).toMatchObject([{ as: "entry" }, { as: "refused", why: "full" }]);
  });

  it("keep their number and commitment while the start moves, and the first plan is remembered", () => {
    const world = new LobbyWorld();
    world.goTo(10);
    world.arrive(3);
    const { lobby } = world.manifest;
    world.plan({ startMs: START + 35 * MINUTE });
    world.goTo(20);
    expect(world.phase).toBe("lobby");
    world.plan({ startMs: START + 50 * MINUTE });
    world.restart();
    world.goTo(40);
    expect(world.manifest.lobby).toEqual({ ...lobby, startsAt: START + 50 * MINUTE, entries: 3 });
    world.arrive(1);
    // Start now, by an edge's clock that is a little behind.
    world.plan({ startMs: world.now - 300 });
    expect(world.phase).toBe("open");
    expect(world.record).toMatchObject({ count: 4, closedAt: new Date(world.now).toISOString() });
    expect(world.manifest.lobby).toBeNull();
  });

  it("are dropped with an event that is called off, and the ordinary room goes on, or is closed", () => {
    for (const closedOutsideEvents of [false, true]) {
      const world = new LobbyWorld({}, { closedOutsideEvents });
      world.goTo(10);
      world.arrive(3);
      world.plan({ cancelled: "The band is ill." });
      expect(world.manifest).toMatchObject({
        phase: closedOutsideEvents ? "closed" : "open",
        cancelled: { event: "sale", message: "The band is ill." },
        lobby: null,
        draws: [],
      });
      expect(world.store).toMatchObject({ dropped: [{ id: 1, dropped: "cancelled", event: "sale", count: 3 }], records: [] });
      world.goTo(21);
      expect(world.store.records).toEqual([]);
      expect(world.line.counters.tail).toBe(0);
      expect(numbers(world).event).toMatchObject({ name: "sale", stage: "cancelled" });
    }
  });

  it("of an event that is no longer planned are drawn at once: nobody loses the place", () => {
    const world = new LobbyWorld();
    world.goTo(10);
    world.arrive(3);
    world.settings = { ...world.settings, events: [] };
    world.tick(0);
    expect(world.record).toMatchObject({ count: 3, base: 0 });
    expect(world.phase).toBe("open");
  });

  it("are dropped by emptying the line and by a new line; the lobby goes on with a draw of its own", () => {
    const flushed = new LobbyWorld();
    flushed.goTo(10);
    flushed.arrive(3);
    expect(flush(flushed.line)).toBe(3);
    flushed.tick(0);
    expect(flushed.store.dropped).toMatchObject([{ id: 1, dropped: "flushed", count: 3, commitment: expect.any(String) }]);
    expect(flushed.manifest.lobby).toMatchObject({ draw: 2, entries: 0 });

    const renewed = new LobbyWorld();
    renewed.goTo(10);
    renewed.arrive(3);
    const { commitment } = renewed.collecting;
    renewed.line = reset(renewed.line, renewed.settings);
    renewed.tick(0);
    expect(renewed.store.dropped).toMatchObject([{ id: 1, dropped: "reset", count: 3, commitment, generation: 1 }]);
    expect(renewed.manifest).toMatchObject({ generation: 2, lobby: { draw: 2, entries: 0 } });
    expect(renewed.manifest.lobby?.commitment).not.toBe(commitment);
    renewed.arrive(2);
    renewed.goTo(20);
    expect(renewed.record).toMatchObject({ id: 2, generation: 2, count: 2, base: 0 });
  });
});

describe("[LOBBY-4] a lobby without a shuffle", () => {
  it("is a line that stands still: entries are slots, the place is known, and the doors open in order", () => {
    const world = new LobbyWorld({ shuffle: false });
    world.goTo(10);
    const visitors = world.arrive(5);
    const [first, , , , last] = visitors as [Visitor, Visitor, Visitor, Visitor, Visitor];
    expect(visitors.map(({ ticket }) => ticket?.slot)).toEqual([0, 1, 2, 3, 4]);
    expect(world.manifest.lobby).toMatchObject({ draw: null, entries: 5, commitment: null, beacon: "none" });
    world.goTo(19.99);
    expect(world.manifest.admittedEpoch).toBe(0);
    world.goTo(20);
    expect(world.store.records).toEqual([]);
    expect(world.claim(first, "enter")?.as).toBe("entered");
    expect(world.claim(last, "enter")?.as).toBe("waiting");
    endSessions(world.line, world.settings);
    expect(world.count(State.INSIDE)).toBe(0);
  });
});
