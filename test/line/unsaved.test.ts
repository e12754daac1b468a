/** What records of steps carry: whatever is written to rows of their own meanwhile, loading gives what was there after the last step. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { State } from "../../durable/line/slot-table";
import { type LineState, newLine } from "../../durable/line/state";
import { decodeStep, decodeTogether } from "../../durable/line/step-record";
import { loadLine, takeChanges } from "../../durable/line/stored";
import type { Keep, NewRows } from "../../durable/line/unsaved";
import { FakeStore } from "../support/line-world";

const KEEP: Keep = { steps: 4, recordBytes: 400, joinBytes: 200, stepsForRow: 3 };
const WORTH = { proof: 0, limited: false, slack: [], beyond: false };

type Act = readonly ["move" | "many" | "leave" | "pass" | "join" | "step" | "due" | "full" | "restart" | "clear", number];

const acts = fc.array(
  fc.oneof(
    fc.tuple(
      fc.constantFrom("move" as const, "many" as const),
      fc.nat(50).map((i) => 10 * i),
    ),
    // The same few again and again.
    fc.tuple(fc.constant("move" as const), fc.constantFrom(10, 20, 40)),
    fc.tuple(
      fc.constantFrom("leave" as const, "pass" as const),
      fc.nat(500).map((i) => 10 * i),
    ),
    fc.tuple(fc.constant("join" as const), fc.integer({ min: 1, max: 9 })),
    fc.tuple(fc.constantFrom("step" as const, "due" as const, "full" as const), fc.constantFrom(1, 1, 2, 3)),
    fc.tuple(fc.constantFrom("restart" as const, "restart" as const, "clear" as const), fc.constant(0)),
  ),
  { minLength: 30, maxLength: 150 },
);

/** All that is remembered, as one value. */
function wholeOf(line: LineState, joined: number): string {
  return JSON.stringify({
    slots: [...line.table.slots()].map(([slot, state]) => [slot, state, line.table.peek(slot).until]),
    counts: [...line.table.counts],
    gone: Array.from({ length: 501 }, (_, i) => 10 * i).filter((slot) => line.gone.has(slot)),
    joins: Array.from({ length: joined }, (_, i) => line.recent.find(`key-${i}`)?.number ?? null),
  });
}

function play(steps: readonly Act[]): void {
  const store = new FakeStore();
  let line = newLine(0);
  let [joined, from] = [0, 0];
  store.write(takeChanges(line, "due", KEEP));
  let saved = { joined, whole: wholeOf(line, joined) };
  const save = (newRows: NewRows) => {
    line.counters.now += 1;
    const changes = takeChanges(line, newRows, KEEP);
    if (newRows === "none") expect(changes.joins).toEqual([]);
    store.write(changes);
  };
  for (const [act, n] of [...steps, ["restart", 0] as const]) {
    if (act === "move") line.table.move(n, n % 3 === 0 ? State.NONE : State.INSIDE).until = n % 3 === 0 ? 0 : line.counters.now + n;
    if (act === "many") for (let slot = n; slot < n + 110; slot += 10) line.table.move(slot, State.LAPSED).until = line.counters.now;
    if (act === "leave" && n >= line.counters.epoch) line.gone.add(n);
    if (act === "pass") for (; line.counters.epoch < n; line.counters.epoch++) line.gone.passed(line.counters.epoch);
    if (act === "join")
      for (let i = 0; i < n; i++, joined++)
        line.recent.add(
          `key-${joined}`,
          { network: 1, address: 0, wide: 0 },
          WORTH,
          { join: joined - from, draw: null, number: joined },
          1,
        );
    if (act === "step" || act === "due" || act === "full")
      for (let i = 0; i < n; i++) save(act === "step" ? "early" : act === "due" ? "due" : "none");
    if (act === "clear") {
      const { generation } = line.counters;
      line = newLine(line.counters.now);
      line.counters.generation = generation + 1;
      line.cleared = true;
      from = joined;
      save("due");
    }
    if (act === "step" || act === "due" || act === "full" || act === "clear") saved = { joined, whole: wholeOf(line, joined) };
    if (act === "restart") {
      line = loadLine(store.read(), line.counters.now);
      joined = saved.joined;
      expect(wholeOf(line, joined)).toBe(saved.whole);
    }
  }
}

test("[ROOM-18][ROOM-3] loading gives what was there after the last step, whatever had rows of its own by then", () => {
  fc.assert(fc.property(acts, play), { numRuns: 300 });
});

test("[ROOM-18] a step writes its own row; what changes all the time costs one more now and then, and a large step all of them at once", () => {
  const line = newLine(0);
  const keep = { ...KEEP, steps: 100 };
  const step = () => takeChanges(line, "due", keep);
  const join = (join: number) =>
    line.recent.add(`${join}`, { network: 1, address: 0, wide: 0 }, WORTH, { join, draw: null, number: join }, 1);
  const rows: number[] = [];
  const joinsIn: number[] = [];
  for (let i = 0; i < 1_000; i++) {
    line.table.move(i % 64, State.INSIDE);
    line.gone.add(5_000 + (i % 1_000));
    if (i % 50 === 0) join(i / 50);
    const { blocks, gone, joins, position } = step();
    expect(position).toBe((i + 1) % 100);
    rows.push(blocks.size + gone.size + joins.length);
    joinsIn.push(...joins.flatMap(([first, data]) => decodeTogether(first, data).map(([number]) => number)));
  }
  // In 1,000 steps ten times a block, ten times each of two pages, and joins two at a time.
  expect(rows.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(10 + 20 + 10);
  expect(joinsIn).toEqual(Array.from({ length: 18 }, (_, i) => i));
  for (let slot = 0; slot < 704; slot += 64) line.table.move(slot, State.LAPSED);
  const large = step();
  expect([...large.blocks.keys()]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(decodeStep(large.record)).toEqual({ allBefore: true, slots: [], pages: [], joins: [] });
});

test("[ROOM-18] records begin anew where all that only they hold is a row for 64 steps, and loading reads no further back", () => {
  const store = new FakeStore();
  let line = newLine(0);
  let [rows, read, most] = [0, 0, 0];
  for (let i = 1; i <= 3_000; i++) {
    // Two blocks, and now and then a join.
    line.table.move((i % 2) * 1_000, State.INSIDE).until = i;
    if (i % 10 === 0)
      line.recent.add(`key-${i / 10}`, { network: 1, address: 0, wide: 0 }, WORTH, { join: i / 10, draw: null, number: i / 10 }, 1);
    const { blocks, gone, joins, ...changes } = takeChanges(line);
    rows += blocks.size + gone.size + joins.length;
    store.write({ ...changes, blocks, gone, joins });
    if (i % 100 > 0) continue;
    const { records, ...rest } = store.read();
    const counted = function* () {
      for (const record of records) {
        read += 1;
        yield record;
      }
    };
    read = 0;
    const loaded = loadLine({ ...rest, records: counted() }, 0);
    expect(wholeOf(loaded, 400)).toBe(wholeOf(line, 400));
    line = loaded;
    most = Math.max(most, read);
  }
  expect(rows).toBeLessThanOrEqual(3_000 / 64);
  expect(most).toBeLessThanOrEqual(3 * 64 + 1);
  expect(most).toBeGreaterThan(64);
});
