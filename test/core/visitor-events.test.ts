/** The stream of visitor events: what an exchange becomes, and a queue that takes it, is slow, or breaks. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Reply } from "../../src/core/exchange";
import { eventsOf, type VisitorEvent } from "../../src/core/visitor-events";
import { type EventQueue, EventStream, WAITING_MAX } from "../../src/room/event-stream";
import { World } from "../support/line-world";

const log = vi.spyOn(console, "warn").mockImplementation(() => undefined);
beforeEach(() => {
  vi.useFakeTimers();
  log.mockClear();
});
afterEach(() => vi.useRealTimers());

describe("events of an exchange", () => {
  test("[FEED-1] say who joined, entered after how long, left and gave up, by place and without a name; repeated ones have the same id", () => {
    const world = new World();
    const all: VisitorEvent[] = [];
    const run = (items: Parameters<World["exchange"]>[0]) => {
      const reply = world.exchange(items);
      if (reply !== null)
        all.push(...eventsOf("shop", { joins: [], claims: [], leaves: [], ...items }, { ...reply, manifest: world.manifest } as Reply));
    };
    const join = (key: string) => ({ key: key.padEnd(22, "-"), network: 0, enter: false, tag: 1 });
    const joinedAtS = world.now / 1_000;
    run({ joins: [join("a"), join("b"), join("c")] });
    run({ joins: [join("a")] });
    world.now += 5_000;
    run({ claims: [{ slot: 0, serial: 0, tag: 1, ageMs: 0, joinedAtS, intent: "enter" }] });
    run({ leaves: [{ slot: 2, serial: 0 }] });
    world.now += 5_000;
    run({ leaves: [{ slot: 0, serial: 1 }] });
    expect(all.map(({ event, slot, waited_seconds }) => [event, slot, waited_seconds])).toEqual([
      ["joined", 0, null],
      ["joined", 1, null],
      ["joined", 2, null],
      ["joined", 0, null],
      ["entered", 0, 5],
      ["gave-up", 2, null],
      ["left", 0, null],
    ]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(6);
    expect(Object.keys(all[0] ?? {})).toEqual(["id", "event", "room", "generation", "slot", "entry", "at", "waited_seconds"]);
  });
});

const event = (slot: number): VisitorEvent => {
  return { id: `shop.1.${slot}.joined`, event: "joined", room: "shop", generation: 1, slot, entry: null, at: "", waited_seconds: null };
};
const some = (count: number) => Array.from({ length: count }, (_, slot) => event(slot));

function streamTo(sendBatch: EventQueue["sendBatch"]) {
  const got: { slot: number; dropped_before: number }[] = [];
  const queue: EventQueue = {
    sendBatch: async (messages) => {
      const list = [...messages].map(({ body }) => body as { slot: number; dropped_before: number });
      await sendBatch([]);
      got.push(...list);
    },
  };
  return { got, stream: new EventStream("shop", { queue, analytics: null }) };
}

describe("a queue", () => {
  test("[FEED-2] that is well gets every event, a hundred at a time", async () => {
    const { got, stream } = streamTo(async () => undefined);
    stream.note(some(250), Date.now());
    await stream.flush(Date.now());
    expect(got.map(({ slot }) => slot)).toEqual(some(250).map(({ slot }) => slot));
    expect(log).not.toHaveBeenCalled();
  });

  test("[FEED-3] that hangs or breaks holds nobody for more than two seconds; what it did not take is dropped, counted and told", async () => {
    let mode: "hangs" | "breaks" | "well" = "hangs";
    const { got, stream } = streamTo(() =>
      mode === "hangs" ? new Promise(() => undefined) : mode === "breaks" ? Promise.reject(new Error("full")) : Promise.resolve(),
    );
    stream.note(some(150), Date.now());
    const flushed = stream.flush(Date.now());
    // Nobody else waits for the same.
    await stream.flush(Date.now());
    await vi.advanceTimersByTimeAsync(2_000);
    await flushed;
    expect(log.mock.calls.flat().join()).toContain('"visitor-events-dropped","room":"shop","count":100');
    mode = "breaks";
    await stream.flush(Date.now());
    mode = "well";
    stream.note([event(7)], Date.now());
    await stream.flush(Date.now());
    expect(got).toMatchObject([{ slot: 7, dropped_before: 150 }]);
    stream.note([event(8)], Date.now());
    await stream.flush(Date.now());
    expect(got.at(-1)).toMatchObject({ slot: 8, dropped_before: 0 });
  });

  test("[FEED-3] that takes nothing costs a thousand events of memory", async () => {
    const { got, stream } = streamTo(async () => undefined);
    stream.note(some(WAITING_MAX + 30), Date.now());
    expect(log.mock.calls.flat().join()).toContain('"count":30');
    await stream.flush(Date.now());
    expect(got).toHaveLength(WAITING_MAX);
  });

  test("[FEED-2] is optional, and so is Analytics Engine, which gets a point per event", async () => {
    expect(new EventStream("shop", { queue: null, analytics: null }).isOn).toBe(false);
    const points: unknown[] = [];
    const stream = new EventStream("shop", { queue: null, analytics: { writeDataPoint: (point) => points.push(point) } });
    stream.note([{ ...event(3), event: "entered", waited_seconds: 12 }], Date.now());
    await stream.flush(Date.now());
    expect([stream.isOn, points]).toEqual([true, [{ indexes: ["shop"], blobs: ["entered"], doubles: [12, 3] }]]);
  });
});
