/**
 * What of the line is stored, and how it comes back (DESIGN §7, Durability). Pure: the store reads and writes these values.
 * Not stored, by design: sightings, "one moment" reservations, the isolates heard of. Losing them only makes people wait.
 */
import { MAX_RETURN_MS } from "./advance";
import { restoreOpenCall } from "./call-loop";
import { type DrawChanges, noDrawChanges } from "./draw-state";
import type { GuestChanges } from "./guests";
import type { ReissueRow } from "./reissues";
import { State } from "./slot-table";
import { type Counters, type LineState, lineOf, lineSecond, newCounters, newTotals } from "./state";

export interface StoredLine {
  readonly counters: string;
  readonly blocks: Iterable<readonly [number, Uint8Array]>;
  readonly gone: Iterable<readonly [number, Uint8Array]>;
  readonly joins: Iterable<readonly [firstJoin: number, data: Uint8Array]>;
  /** Network prefix and IPv6 /48 of every entry of a draw, in order. */
  readonly entries: (draw: number) => Iterable<readonly [network: number, wide: number]>;
}

export interface LineChanges {
  /** A new generation: delete all blocks, gone pages, joins, guests and reissues first. */
  readonly cleared: boolean;
  readonly counters: string;
  /** null = delete the row. The bytes are the line's own: write them before the next step. */
  readonly blocks: ReadonlyMap<number, Uint8Array | null>;
  readonly gone: ReadonlyMap<number, Uint8Array | null>;
  readonly joins: readonly (readonly [firstJoin: number, data: Uint8Array])[];
  /** Joins stored under a number below this are no longer needed. */
  readonly forgetJoinsBelow: number;
  readonly draws: Omit<DrawChanges, "entering">;
  /** Rows to write. They are read by key before a step, and are no part of `StoredLine`. */
  readonly guests: GuestChanges;
  /** The same for places made out anew after a key was revoked. */
  readonly reissues: ReadonlyMap<string, ReissueRow>;
}

/** Everything that changed since the last call. The caller stores all of it in one transaction, or reloads the line. */
export function takeChanges(line: LineState): LineChanges {
  const { cleared } = line;
  line.cleared = false;
  const { joins, forgetBelow } = line.recent.takeChanges();
  const { draws } = line;
  line.draws = noDrawChanges();
  return {
    cleared,
    counters: JSON.stringify(line.counters),
    blocks: line.table.takeDirty(),
    gone: line.gone.takeDirty(),
    joins,
    forgetJoinsBelow: forgetBelow,
    draws,
    guests: line.guests.takeChanges(),
    reissues: line.reissues.takeChanges(),
  };
}

/** Rebuild the line from storage at `now` (ms). The caller advances it next. @param seed as of `newLine` */
export function loadLine(rows: StoredLine, now: number, room = "", seed = 0): LineState {
  const stored = JSON.parse(rows.counters) as Counters;
  const line = lineOf(completed(stored), room, seed, now);
  for (const [number, bytes] of rows.gone) line.gone.load(number, bytes, stored.epoch);
  for (const [number, bytes] of rows.blocks) line.table.load(number, bytes);
  for (const [firstJoin, data] of rows.joins) line.recent.load(firstJoin, data);
  const draw = line.counters.collecting ?? line.counters.drawing;
  if (draw !== null) for (const [network, wide] of rows.entries(draw.id)) line.entryCounts.count(draw.id, { network, wide });
  line.sightings.restart(now);
  restoreTimers(line);
  return line;
}

/** What an earlier version did not store is as in a new room. */
function completed(stored: Counters): Counters {
  const counters = { ...newCounters(stored.now, stored.generation), ...stored };
  counters.totals = { ...newTotals(), ...stored.totals };
  counters.series = counters.series.map((sample) => ({ ...sample, attempts: sample.attempts ?? 0, joined: sample.joined ?? 0 }));
  return counters;
}

function restoreTimers(line: LineState): void {
  const returning: { slot: number; order: number }[] = [];
  for (const [slot, state] of line.table.slots()) {
    const row = line.table.peek(slot);
    if (state === State.CALLED) {
      if (row.held) line.held += 1;
      if (!row.answered) restoreOpenCall(line.loop, row.calledAt, lineSecond(line));
      line.lineTimers.add(row.held ? row.until : row.validUntil, slot);
    } else if (state === State.RETURNING) {
      returning.push({ slot, order: row.order });
      line.lineTimers.add(row.validUntil, slot);
    } else if (state === State.MISSED || state === State.PASSED_OVER) {
      line.lineTimers.add(row.awaySince + MAX_RETURN_MS / 1_000, slot);
    } else {
      line.roomTimers.add(row.until, slot);
    }
  }
  for (const { slot, order } of returning.sort((a, b) => a.order - b.order)) line.returners.push(slot, order);
}
