/**
 * Random histories of a room with events: lobbies, cut-offs, beacons in time, late, wrong or never, windows, moves, cancellations, switches,
 * crashes before and after the transaction, double alarms, restarts. The promises are checked after every step from outside. Seeds are
 * printed by fast-check on failure.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { burstOf } from "../../durable/line/buckets";
import { State } from "../../durable/line/slot-table";
import { placesInUse } from "../../durable/line/state";
import { statsOf } from "../../durable/line/view";
import { fromBase64url } from "../../src/core/base64url";
import { fromHex, toHex } from "../../src/core/bytes";
import type { DrawRecord } from "../../src/core/draw";
import { chainStart, chainStep, checkRecord } from "../../src/core/draw-sync";
import { isConserved } from "../support/conserved";
import { START } from "../support/line-world";
import { Lobbies, type Step, step } from "../support/lobby-steps";
import { MINUTE, saleOf } from "../support/lobby-world";

const RUNS = Number(process.env["LINE_RUNS"] ?? 150);
const RATE = 60;

interface Before {
  readonly entered: number;
  readonly epoch: number;
  readonly generation: number;
  readonly phase: string;
}

function check(world: Lobbies, before: Before, each: Step): void {
  const { line, settings, store } = world;
  const { counters, table } = line;
  const sameLine = before.generation === counters.generation;

  expect(placesInUse(line, settings), "P1").toBeLessThanOrEqual(settings.totalActiveUsers);
  const entries = sameLine ? counters.totals.entered - before.entered : counters.totals.entered;
  world.level = Math.max(0, world.level - ((world.now - world.levelAt) * RATE) / 60_000) + entries;
  world.levelAt = world.now;
  expect(world.level, "P2").toBeLessThanOrEqual(burstOf(RATE) + 1e-6);

  if (sameLine) expect(counters.epoch, "P4: epoch went back").toBeGreaterThanOrEqual(before.epoch);
  expect(counters.epoch, "P4").toBeLessThanOrEqual(counters.tail);
  const phase = world.manifest.phase;
  if (sameLine && before.phase === "lobby" && phase === "lobby" && each.kind !== "flush") {
    expect(entries, "somebody entered from the lobby").toBe(0);
    expect(counters.epoch, "somebody was called in the lobby").toBe(before.epoch);
  }
  const { drawing } = counters;
  if (drawing !== null && before.epoch <= drawing.base && each.kind !== "flush") {
    expect(counters.epoch, "P4: called before the draw").toBeLessThanOrEqual(drawing.base);
  }
  if (phase === "lobby" || phase === "closed" || phase === "drawing") expect(world.manifest.quiet, `quiet while ${phase}`).toBe(false);

  // P5: slots that were told to somebody, and slots of draws, are different ones; an entry is one key's.
  const drawn = store.records.filter(({ generation }) => generation === counters.generation);
  const ranges = [...drawn, ...(drawing === null ? [] : [drawing]), ...counters.awaiting]
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.base - b.base);
  for (const [i, { base, count }] of ranges.entries()) {
    if (i > 0) expect(base, "P5: draws overlap").toBeGreaterThanOrEqual((ranges[i - 1]?.base ?? 0) + (ranges[i - 1]?.count ?? 0));
    expect(base + count, "P5").toBeLessThanOrEqual(counters.tail);
    for (let slot = base; slot < base + count; slot++) {
      if (world.issued.has(`${counters.generation}:${slot}`)) throw new Error(`P5: slot ${slot} was given out beside its draw`);
    }
  }
  for (const [{ key }, { draw, entry }] of world.entered) {
    const owner = world.keys.get(`${draw}:${entry}`) ?? key;
    if (owner !== key) throw new Error(`P5: entry ${entry} of draw ${draw} is two people's`);
    world.keys.set(`${draw}:${entry}`, key);
  }

  // P6, by looking at every slot.
  let waiting = 0;
  for (let slot = counters.epoch; slot < counters.tail; slot++)
    if (table.stateOf(slot) === State.NONE && !line.gone.has(slot)) waiting += 1;
  const stats = statsOf(line, settings, "test", 1);
  expect(stats.waiting, "P6").toBe(waiting);
  expect(isConserved(stats), "P6").toBe(true);

  // P13 and P7: once for ever; every record holds, and has every entry that anybody was told of.
  for (const record of store.records) {
    const known = world.taken.get(record.id);
    if (known !== undefined && known !== record) throw new Error(`P13: draw ${record.id} took place twice`);
    if (known !== undefined) continue;
    world.taken.set(record.id, record);
    expect(checkRecord(record), "P13").toEqual([]);
    expect(
      store.dropped.map(({ id }) => id),
      "P13: a dropped draw took place",
    ).not.toContain(record.id);
    checkList(world, record);
  }
  for (const { id } of store.dropped) if (!world.endable.has(id)) throw new Error(`P7: draw ${id} was dropped for no reason`);
}

/** The chain of the record follows from the public list, and every receipt is in it. */
function checkList({ store, entered }: Lobbies, record: DrawRecord): void {
  const opening = { ...record, beacon: record.beacon.source, openedAtMs: Date.parse(record.openedAt) };
  let chain = chainStart(opening);
  const receipts = new Map<number, string>();
  const batches = store.batches.filter(({ draw }) => draw === record.id);
  let count = 0;
  for (const { first, digest, networks } of batches) {
    expect(first, "P13: a gap in the list").toBe(count);
    chain = chainStep(chain, first, fromHex(toHex(digest)));
    for (let entry = first; entry < first + networks.length; entry++) receipts.set(entry, toHex(chain));
    count += networks.length;
  }
  expect([count, toHex(chain)], "P13: the list").toEqual([record.count, record.chain]);
  for (const verdict of entered.values()) {
    if (verdict.draw !== record.id) continue;
    expect(toHex(fromBase64url(verdict.chain) ?? new Uint8Array()), "P13: a receipt").toBe(receipts.get(verdict.entry));
  }
}

describe("random histories of events", () => {
  it("[P1] [P2] [P4] [P5] [P6] [P7] [P13] [LOBBY-5] hold after every step, whatever crashes, moves, fails or comes late", () => {
    let draws = 0;
    let fallbacks = 0;
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 40, maxLength: 80 }),
        fc.constantFrom("drand" as const, "none" as const),
        fc.boolean(),
        fc.constantFrom("fifo" as const, "random" as const),
        fc.nat(1_000_000),
        (steps, beacon, shuffle, queueingMethod, seed) => {
          const first = saleOf({ prequeueStartMs: START + 20_000, startMs: START + MINUTE, endMs: START + 4 * MINUTE, shuffle });
          const second = saleOf({
            ...first,
            name: "next",
            prequeueStartMs: START + 5 * MINUTE,
            startMs: START + 6 * MINUTE,
            endMs: START + 12 * MINUTE,
          });
          const world = new Lobbies(
            {},
            { events: [first, second], beacon, queueingMethod, totalActiveUsers: 8, newUsersPerMinute: RATE, beaconWaitMs: 15_000 },
            seed,
          );
          for (const each of steps) {
            const { counters } = world.line;
            const before = {
              entered: counters.totals.entered,
              epoch: counters.epoch,
              generation: counters.generation,
              phase: world.manifest.phase,
            };
            const known = world.store.records.length;
            world.apply(each);
            if (world.store.records.length > known) world.dealTickets();
            check(world, before, each);
          }
          draws += world.store.records.length;
          fallbacks += world.store.records.filter(({ beacon: used }) => "fallback" in used).length;
        },
      ),
      { numRuns: RUNS },
    );
    // The histories are about something.
    expect(draws).toBeGreaterThan(RUNS / 2);
    expect(fallbacks).toBeGreaterThan(RUNS / 50);
  });
});
