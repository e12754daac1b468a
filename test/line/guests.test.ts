/** Rooms that ask for an invitation or a log-in: one place for each guest, as many as an invitation makes. The pure line, virtual time. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { supplySalts } from "../../durable/line/draws";
import { exchange } from "../../durable/line/exchange";
import { guestsIn } from "../../durable/line/guests";
import { type LineState, newLine } from "../../durable/line/state";
import { loadLine, takeChanges } from "../../durable/line/stored";
import { endSessions, flush, reset } from "../../durable/line/switches";
import {
  type Batch,
  type ClaimRequest,
  type ClaimVerdict,
  EMPTY_BATCH,
  type Guest,
  type JoinRequest,
  type JoinVerdict,
  type LeaveRequest,
} from "../../src/core/exchange";
import type { RoomEvent, RoomSettings } from "../../src/core/settings-types";
import { FakeStore, KEEP_LITTLE, saltOf, settingsOf } from "../support/line-world";

const OPEN = settingsOf({ totalActiveUsers: 100 });
const INVITED: RoomSettings = { ...OPEN, entry: "invited" };
const AT = Date.UTC(2026, 10, 30);

/** A line with a store that hands out rows as the Room's does. */
class Desk {
  readonly store = new FakeStore();
  line: LineState = newLine(AT);
  now = AT;
  settings: RoomSettings;

  constructor(settings: RoomSettings = INVITED) {
    this.settings = settings;
    this.tick(10_000);
  }

  batch(items: Partial<Batch>) {
    const { generation } = this.line.counters;
    const joins = items.joins ?? [];
    const { keys, invitations } = guestsIn(joins);
    const rowsOf = <V>(names: ReadonlySet<string>, rows: ReadonlyMap<string, V>) => [...rows].filter(([name]) => names.has(name));
    const places = rowsOf(keys, this.store.guests);
    this.line.guests.load({ places, uses: rowsOf(invitations, this.store.uses), drawn: this.store.records });
    supplySalts(this.line, (after) => saltOf(this.line.counters.nextDraw + after));
    const reply = exchange(
      this.line,
      this.settings,
      { v: 1, isolate: 1, generation, ...EMPTY_BATCH, ...items, joins },
      this.now,
      () => 0.5,
    );
    this.store.write(takeChanges(this.line, "early", KEEP_LITTLE));
    return reply;
  }

  tick(ms: number): void {
    this.now += ms;
    this.batch({});
  }

  restart(): void {
    this.line = loadLine(this.store.read(), this.now);
  }

  operate(change: (line: LineState) => LineState | unknown): void {
    const changed = change(this.line);
    if (typeof changed === "object" && changed !== null) this.line = changed as LineState;
    this.store.write(takeChanges(this.line, "early", KEEP_LITTLE));
  }

  join(key: string, guest: Guest | null, enter = false): JoinVerdict {
    return this.joins([joinOf(key, guest, enter)])[0] as JoinVerdict;
  }

  joins(joins: readonly JoinRequest[]): readonly JoinVerdict[] {
    return this.batch({ joins }).joins;
  }

  enter(slot: number): void {
    const claim: ClaimRequest = { slot, serial: 0, tag: 1, ageMs: 0, joinedAtS: Math.floor(this.now / 1_000), intent: "enter" };
    for (let i = 0; i < 60 && this.batch({ claims: [claim] }).claims[0]?.as !== "entered"; i++) this.tick(1_000);
  }

  look(slot: number): ClaimVerdict | undefined {
    return this.batch({ claims: [{ slot, serial: 0, tag: 1, ageMs: 0, joinedAtS: Math.floor(AT / 1_000), intent: "look" }] }).claims[0];
  }

  leave(leave: LeaveRequest): void {
    this.batch({ leaves: [leave] });
  }
}

const joinOf = (key: string, guest: Guest | null, enter = false): JoinRequest => ({
  key: key.padEnd(22, "A"),
  network: 0,
  enter,
  tag: 1,
  ...(guest === null ? {} : { guest }),
});
const by = (id: string, uses = 1): Guest => ({ invitation: { id, uses } });
const KNOWN: Guest = { invitation: null };

/** Ada's visit has lapsed, somebody else has the only place, and she is back in line. Both slots. */
function backInLine(desk: Desk, guest: Guest): readonly [slot: number, other: number] {
  const slot = slotOf(desk.join("ada", guest, true));
  const other = slotOf(desk.join("other", by("other")));
  desk.tick(110_000);
  desk.enter(other);
  expect(desk.batch({ claims: [{ slot, serial: 1, tag: 1, ageMs: 0, joinedAtS: 0, intent: "enter" }] }).claims).toMatchObject([
    { as: "returning" },
  ]);
  return [slot, other];
}

const slotOf = (verdict: JoinVerdict): number => ("slot" in verdict ? verdict.slot : "pass" in verdict ? verdict.pass.slot : -1);
const whyOf = (verdict: JoinVerdict) => ("why" in verdict ? verdict.why : null);

describe("who may join", () => {
  for (const entry of ["invited", "identified"] as const) {
    it(`[DOOR-1] an ${entry} room makes no place and lends none without a word of who it is for, quiet or not`, () => {
      const desk = new Desk({ ...INVITED, entry });
      const reply = desk.batch({ joins: [joinOf("a", null, true)], leaseWanted: 10 });
      expect([reply.joins.map(whyOf), reply.lease, desk.line.counters.tail]).toEqual([["stopped"], null, 0]);
      expect(desk.join("a", entry === "invited" ? by("i") : KNOWN, true).as).toBe("entered");
    });
  }

  it("[DOOR-1] an open room asks nobody", () => {
    const desk = new Desk(OPEN);
    expect(desk.batch({ leaseWanted: 10 }).lease).not.toBeNull();
    expect(desk.join("a", null).as).toBe("placed");
  });
});

describe("an invitation", () => {
  it("[DOOR-6] S11 makes as many places as it has uses, not one more, in one batch and over many", () => {
    const desk = new Desk({ ...INVITED, queueAll: true });
    const verdicts = desk.joins(["a", "b", "c", "d", "a"].map((key) => joinOf(key, by("i", 3))));
    expect(verdicts.map((verdict) => whyOf(verdict) ?? slotOf(verdict))).toEqual([0, 1, 2, "used", 0]);
    desk.restart();
    expect(["e", "b", "d"].map((key) => desk.join(key, by("i", 3))).map((verdict) => whyOf(verdict) ?? slotOf(verdict))).toEqual([
      "used",
      1,
      "used",
    ]);
    expect(slotOf(desk.join("e", by("another")))).toBe(3);
    expect(desk.line.counters.tail).toBe(4);
  });

  it("[DOOR-6] keeps its holder's place however many joined since: nothing is forgotten and nothing dealt anew", () => {
    const desk = new Desk({ ...INVITED, queueAll: true });
    const slot = slotOf(desk.join("holder", by("mine")));
    for (let i = 0; i < 40; i++) {
      desk.tick(60_000);
      desk.joins(Array.from({ length: 500 }, (_, n) => joinOf(`k${i}-${n}`, by(`i${i}-${n}`))));
      if (i % 10 === 0) desk.restart();
    }
    expect(desk.join("holder", by("mine"))).toMatchObject({ as: "placed", slot });
  });

  it("[DOOR-6] S7 S11 leaving uses a place up; emptying the line and ending sessions do not", () => {
    const desk = new Desk({ ...INVITED, totalActiveUsers: 2 });
    const left = slotOf(desk.join("left", by("l")));
    desk.enter(left);
    desk.leave({ slot: left, serial: 1 });
    expect(whyOf(desk.join("left", by("l")))).toBe("used");

    const inside = slotOf(desk.join("inside", by("s")));
    desk.enter(inside);
    const waiting = slotOf(desk.join("waiting", by("w")));
    desk.settings = { ...desk.settings, queueAll: true };
    desk.operate((line) => endSessions(line, desk.settings));
    expect(whyOf(desk.join("inside", by("s")))).toBe("used");
    const madeGood = desk.join("inside", { ...by("s"), replaces: inside });
    expect(slotOf(madeGood)).toBeGreaterThan(waiting);
    // Made good once: the same words again name the new place, and another slot's name makes nothing good.
    expect(slotOf(desk.join("inside", { ...by("s"), replaces: inside }))).toBe(slotOf(madeGood));

    desk.tick(10_000);
    const emptied = slotOf(desk.join("emptied", by("e")));
    desk.operate(flush);
    const again = slotOf(desk.join("emptied", by("e")));
    expect(again).toBeGreaterThan(emptied);
    expect(whyOf(desk.join("friend", by("e")))).toBe("used");
  });

  it("[DOOR-6] S11 emptying the line uses no place up, also of whoever was called, whatever was emptied since", () => {
    const desk = new Desk({ ...INVITED, totalActiveUsers: 2 });
    const over = slotOf(desk.join("over", by("o")));
    desk.enter(over);
    desk.leave({ slot: over, serial: 1 });
    const called = slotOf(desk.join("called", by("c")));
    desk.tick(10_000);
    expect(desk.line.counters.epoch).toBe(called + 1);
    desk.settings = { ...desk.settings, queueAll: true };
    desk.join("waiting", by("w"));
    desk.operate(flush);
    const others = Array.from({ length: 2_000 }, (_, n) => joinOf(`k${n}`, by(`i${n}`)));
    desk.joins(others);
    desk.operate(flush);
    desk.operate(flush);
    desk.restart();
    expect([called, called + 1].map((slot) => desk.look(slot))).toEqual(Array(2).fill({ as: "ended", why: "flushed" }));
    expect(desk.look(over)).toEqual({ as: "ended", why: "unknown" });
    expect(whyOf(desk.join("over", by("o")))).toBe("used");
    const again = ["called", "waiting", "k1500"].map((key, n) => desk.join(key, by(["c", "w", "i1500"][n] as string)));
    expect(again.map(slotOf)).toEqual([0, 1, 2].map((n) => called + 2 + others.length + n));
    expect(whyOf(desk.join("friend", by("c")))).toBe("used");
  });

  it("[DOOR-6] S7 S11 whoever had left before the line was emptied gets no further place by that", () => {
    const desk = new Desk({ ...INVITED, totalActiveUsers: 1 });
    desk.enter(slotOf(desk.join("first", by("f"))));
    const guests = Array.from({ length: 2_500 }, (_, n) => `g${n}`);
    const slots = desk.joins(guests.map((key) => joinOf(key, by(key)))).map(slotOf);
    // In front, in the middle of a page, at both sides of a border between two, and the last one.
    const left = [0, 700, 1_022, 1_023, 2_499];
    for (const n of left) desk.leave({ slot: slots[n] as number, serial: 0 });
    desk.operate(flush);
    for (let again = 0; again < 2; again++) {
      for (const n of left) expect(whyOf(desk.join(`g${n}`, by(`g${n}`))), `g${n}`).toBe("used");
      expect(desk.look(slots[700] as number)).toEqual({ as: "ended", why: "unknown" });
      const late = `late${again}`;
      desk.leave({ slot: slotOf(desk.join(late, by(late))), serial: 0 });
      desk.join(`stays${again}`, by(`stays${again}`));
      desk.operate(flush);
      desk.restart();
      expect(whyOf(desk.join(late, by(late)))).toBe("used");
    }
    const given = [1, 701, 1_021, 1_024, 2_498].map((n) => slotOf(desk.join(`g${n}`, by(`g${n}`))));
    expect(given).toEqual([0, 1, 2, 3, 4].map((n) => desk.line.counters.tail - 5 + n));
  });

  it("[DOOR-6] S11 ending sessions makes good the visits that it ends, and none that was over before", () => {
    const desk = new Desk({ ...INVITED, totalActiveUsers: 3, sessionMaxMs: 200_000 });
    const enter = (key: string): number => {
      const slot = slotOf(desk.join(key, by(key)));
      desk.enter(slot);
      return slot;
    };
    const [left, over] = [enter("left"), enter("over")];
    desk.leave({ slot: left, serial: 1 });
    desk.tick(250_000);
    const inside = enter("inside");
    desk.operate((line) => endSessions(line, desk.settings));
    desk.restart();
    for (const [key, slot] of [["left", left] as const, ["over", over] as const])
      expect(whyOf(desk.join(key, { ...by(key), replaces: slot })), key).toBe("used");
    desk.tick(10_000);
    expect(slotOf(desk.join("inside", { ...by("inside"), replaces: inside }))).toBe(inside + 1);
  });

  it("[DOOR-6] S11 nor one that has just reached its absolute end, while its place is still taken", () => {
    const desk = new Desk({ ...INVITED, sessionMaxMs: 80_000 });
    const slot = slotOf(desk.join("over", by("over")));
    desk.enter(slot);
    desk.tick(85_000);
    expect(desk.look(slot)).toEqual({ as: "ended", why: "session-over" });
    desk.operate((line) => endSessions(line, desk.settings));
    expect(whyOf(desk.join("over", { ...by("over"), replaces: slot }))).toBe("used");
  });

  it("[DOOR-6] by ending sessions makes good a place whose visit had lapsed, also of whoever is back in line", () => {
    const desk = new Desk({ ...INVITED, totalActiveUsers: 1 });
    const [slot, other] = backInLine(desk, by("i"));
    desk.operate((line) => endSessions(line, desk.settings));
    expect(slotOf(desk.join("ada", { ...by("i"), replaces: slot }))).toBe(other + 1);
    expect(whyOf(desk.join("friend", by("i")))).toBe("used");
  });

  it("[DOOR-6][ROOM-6] makes good what an earlier version had emptied last", () => {
    const desk = new Desk({ ...INVITED, queueAll: true });
    const slot = slotOf(desk.join("emptied", by("e")));
    desk.operate(flush);
    const { flushed, ...counters } = JSON.parse(desk.store.counters ?? "") as { flushed: unknown };
    expect(flushed).toEqual([[slot, slot + 1]]);
    desk.store.counters = JSON.stringify({ ...counters, flushedFrom: slot, flushedBelow: slot + 1 });
    desk.restart();
    expect(slotOf(desk.join("emptied", by("e")))).toBe(slot + 1);
  });

  it("[DOOR-6][ROOM-6] makes good visits that an earlier version had ended, which marked none of them", () => {
    const desk = new Desk({ ...INVITED, totalActiveUsers: 3 });
    const enter = (key: string): number => {
      const slot = slotOf(desk.join(key, by(key)));
      desk.enter(slot);
      return slot;
    };
    const ended = enter("ended");
    vi.spyOn(desk.line.gone, "addVisitEnded").mockImplementation(() => undefined);
    desk.operate((line) => endSessions(line, desk.settings));
    const { visitsMarkedFrom, ...counters } = JSON.parse(desk.store.counters ?? "") as { visitsMarkedFrom: unknown };
    expect(visitsMarkedFrom).toBe(0);
    desk.store.counters = JSON.stringify(counters);
    desk.restart();
    const left = enter("left");
    desk.leave({ slot: left, serial: 1 });
    desk.tick(10_000);
    desk.restart();
    expect(whyOf(desk.join("left", { ...by("left"), replaces: left }))).toBe("used");
    expect(slotOf(desk.join("ended", { ...by("ended"), replaces: ended }))).toBe(left + 1);
  });

  it("[DOOR-6] counts anew in a new line, and only there", () => {
    const desk = new Desk({ ...INVITED, queueAll: true });
    desk.join("a", by("i"));
    expect(whyOf(desk.join("b", by("i")))).toBe("used");
    desk.operate((line) => reset(line, desk.settings));
    desk.restart();
    expect(slotOf(desk.join("b", by("i")))).toBe(0);
    expect(whyOf(desk.join("a", by("i")))).toBe("used");
  });

  it("[DOOR-6] is not used up by a join that was refused for another reason", () => {
    const desk = new Desk({ ...INVITED, queueAll: true, queueCapacity: 1 });
    desk.join("a", by("first"));
    expect(whyOf(desk.join("b", by("i")))).toBe("full");
    desk.settings = { ...desk.settings, queueCapacity: null };
    expect(desk.join("b", by("i")).as).toBe("placed");
  });
});

describe("a person known by the log-in", () => {
  it("[DOOR-6] S7 C87 shares one place on all devices, and gets the next at the end only after it has ended", () => {
    const desk = new Desk({ ...INVITED, entry: "identified", totalActiveUsers: 1 });
    const slot = slotOf(desk.join("ada", KNOWN, true));
    expect(slotOf(desk.join("ada", KNOWN))).toBe(slot);
    desk.join("alan", KNOWN);
    desk.restart();
    expect(slotOf(desk.join("ada", KNOWN))).toBe(slot);
    desk.leave({ slot, serial: 1 });
    expect(slotOf(desk.join("ada", KNOWN))).toBe(2);
    expect(slotOf(desk.join("ada", KNOWN))).toBe(2);
  });

  it("[DOOR-6] [LINE-4] whose visit reached its absolute end while they were back in line joins anew at once", () => {
    const desk = new Desk({ ...INVITED, entry: "identified", totalActiveUsers: 1, sessionMaxMs: 200_000 });
    const [slot, other] = backInLine(desk, KNOWN);
    expect(slotOf(desk.join("ada", KNOWN))).toBe(slot);
    desk.tick(200_000);
    expect(slotOf(desk.join("ada", KNOWN))).toBe(other + 1);
  });
});

describe("entries of a draw", () => {
  const MINUTE = 60_000;
  const event: RoomEvent = {
    name: "sale",
    prequeueStartMs: AT + MINUTE,
    startMs: AT + 5 * MINUTE,
    endMs: AT + 60 * MINUTE,
    shuffle: true,
    keepSessions: false,
    cancelled: null,
    utcOffsetMinutes: 0,
    overrides: {},
  };
  const lobby = (more: Partial<RoomEvent> = {}): RoomSettings => ({ ...INVITED, beacon: "none", events: [{ ...event, ...more }] });

  function inLobby(settings = lobby()): Desk {
    const desk = new Desk(settings);
    desk.tick(MINUTE);
    desk.tick(1_000);
    return desk;
  }

  it("[DOOR-6] S6 S7 C71 entering again, on any device, gives the same entry with the same receipt, also once it is drawn", () => {
    const desk = inLobby();
    const [first, again] = desk.joins([joinOf("a", by("i")), joinOf("a", by("i"))]);
    expect(first).toMatchObject({ as: "entry", entry: 0, chain: expect.stringMatching(/^[\w-]{43}$/) });
    expect(again).toEqual(first);
    desk.joins(Array.from({ length: 9 }, (_, n) => joinOf(`k${n}`, by(`i${n}`))));
    desk.restart();
    expect(desk.join("a", by("i"))).toEqual(first);
    expect(whyOf(desk.join("b", by("i")))).toBe("used");
    desk.tick(5 * MINUTE);
    desk.restart();
    expect(desk.line.counters.tail).toBe(10);
    expect(desk.join("a", by("i"))).toEqual(first);
    expect(whyOf(desk.join("b", by("i")))).toBe("used");
  });

  it("[DOOR-6] once the drawn place has ended, the invitation is used up, and a person known by the log-in joins behind", () => {
    const desk = inLobby({ ...lobby(), entry: "identified" });
    desk.join("ada", KNOWN);
    desk.join("guest", by("i"));
    desk.tick(5 * MINUTE);
    for (const slot of [0, 1]) desk.leave({ slot, serial: 0 });
    expect(slotOf(desk.join("ada", KNOWN))).toBe(2);
    expect(whyOf(desk.join("guest", by("i")))).toBe("used");
  });

  it("[DOOR-6] an event that is called off gives the invitation back", () => {
    const desk = inLobby();
    desk.join("a", by("i"));
    desk.settings = lobby({ cancelled: "rain" });
    desk.tick(1_000);
    desk.restart();
    expect(desk.join("a", by("i"))).toMatchObject({ as: "placed", slot: 0 });
    expect(whyOf(desk.join("b", by("i")))).toBe("used");
  });

  it("[DOOR-6] places dealt by windows are known long after, and end as others do", () => {
    const desk = new Desk({ ...INVITED, queueingMethod: "random", queueAll: true });
    const first = desk.join("a", by("i"));
    for (let i = 0; i < 8; i++) {
      desk.tick(3_000);
      desk.join(`k${i}`, by(`i${i}`));
    }
    desk.restart();
    expect(desk.join("a", by("i"))).toEqual(first);
    desk.leave({ slot: 0, serial: 0 });
    expect(whyOf(desk.join("a", by("i")))).toBe("used");
  });
});

it("[DOOR-6] over random joins, leaves, entries, restarts and flushes: never more places than uses, never two living places of one guest", () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("join" as const), key: fc.nat({ max: 5 }), id: fc.nat({ max: 2 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("leave" as const), nth: fc.nat({ max: 20 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("restart" as const, "tick" as const) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const desk = new Desk({ ...INVITED, totalActiveUsers: 2 });
      const uses = [1, 2, 3];
      const made = new Map<number, Set<number>>();
      for (const one of steps) {
        if ("key" in one) {
          const verdict = desk.join(`key${one.key}-${one.id}`, by(`i${one.id}`, uses[one.id]));
          if (verdict.as === "placed") made.set(one.id, (made.get(one.id) ?? new Set()).add(verdict.slot));
          else expect(whyOf(verdict)).toBe("used");
        } else if ("nth" in one) desk.leave({ slot: one.nth, serial: 0 });
        else if (one.do === "restart") desk.restart();
        else desk.tick(5_000);
      }
      for (const [id, slots] of made) expect(slots.size).toBeLessThanOrEqual(uses[id] ?? 0);
      expect([...made.values()].reduce((sum, slots) => sum + slots.size, 0)).toBe(desk.line.counters.tail);
    }),
  );
});
