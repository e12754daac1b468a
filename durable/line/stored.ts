/**
 * What of the line is stored, and how it comes back (DESIGN §7, Durability). Pure: the store reads and writes these values.
 * Not stored, by design: sightings, "one moment" reservations, the isolates heard of. Losing them only makes people wait.
 */
import { MAX_RETURN_MS } from "./advance";
import { restoreOpenCall } from "./call-loop";
import { type Counters, newCounters, newTotals } from "./counters";
import { type DrawChanges, noDrawChanges } from "./draw-state";
import { NO_PAGE } from "./gone";
import type { GuestChanges } from "./guests";
import type { ReissueRow } from "./reissues";
import { replay } from "./replay";
import { State } from "./slot-table";
import { type LineState, lineOf, lineSecond } from "./state";
import { encodeStep } from "./step-record";
import { KEEP, type NewRows } from "./unsaved";

export interface StoredLine {
  readonly counters: string;
  /** Of the newest steps, the newest first. Loading stops where one begins anew. */
  readonly records: Iterable<readonly [step: number, record: Uint8Array]>;
  /** As of any step since the oldest of the records. */
  readonly blocks: Iterable<readonly [number, Uint8Array]>;
  readonly gone: Iterable<readonly [number, Uint8Array]>;
  readonly joins: Iterable<readonly [firstJoin: number, data: Uint8Array]>;
  /** Network prefix and IPv6 /48 of every entry of a draw, in order. */
  readonly entries: (draw: number) => Iterable<readonly [network: number, wide: number]>;
}

export interface LineChanges {
  /** A new generation: delete all records, blocks, gone pages, joins, guests and reissues first. */
  readonly cleared: boolean;
  readonly counters: string;
  /** Of the row of this step, which takes the place of an older one. */
  readonly step: number;
  readonly position: number;
  readonly record: Uint8Array;
  /** null = delete the row. The bytes are the line's own: write them before the next step. */
  readonly blocks: ReadonlyMap<number, Uint8Array | null>;
  readonly gone: ReadonlyMap<number, Uint8Array | null>;
  readonly joins: readonly (readonly [firstJoin: number, data: Uint8Array])[];
  /** Joins below this number are no longer needed. A row holds those up to the next one's number. */
  readonly forgetJoinsBelow: number;
  readonly draws: Omit<DrawChanges, "entering">;
  /** Rows to write. They are read by key before a step, and are no part of `StoredLine`. */
  readonly guests: GuestChanges;
  /** The same for places made out anew after a key was revoked. */
  readonly reissues: ReadonlyMap<string, ReissueRow>;
}

/**
 * Everything that changed since the last call. The caller stores all of it in one transaction, or reloads the line.
 * @param keep for tests: smaller
 */
export function takeChanges(line: LineState, newRows: NewRows = "early", keep = KEEP): LineChanges {
  const { cleared, table, gone } = line;
  line.cleared = false;
  const { joins, forgetBelow } = line.recent.takeChanges();
  const { draws } = line;
  line.draws = noDrawChanges();
  const [slots, pages] = [table.takeDirty(), gone.takeDirty()];
  const placed = line.unsaved.place({ slots, pages, joins }, newRows, keep);
  const record = encodeStep({
    allBefore: placed.allBefore,
    slots: placed.allBefore ? [] : [...slots].map((slot) => [slot, table.bytesOf(slot)]),
    pages: placed.allBefore ? [] : [...pages].map((page) => [page, gone.page(page) ?? NO_PAGE]),
    joins: placed.joins,
  });
  return {
    cleared,
    counters: JSON.stringify(line.counters),
    step: placed.step,
    position: placed.step % keep.steps,
    record,
    blocks: new Map(placed.blocks.map((number) => [number, table.block(number)])),
    gone: new Map(placed.pages.map((number) => [number, gone.page(number)])),
    joins: placed.joinRows,
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
  const { blocks, gone, joins } = replay(rows, line.unsaved);
  for (const [number, bytes] of gone) line.gone.load(number, bytes, stored.epoch);
  for (const [number, bytes] of blocks) line.table.load(number, bytes);
  for (const [firstJoin, data] of joins) line.recent.load(firstJoin, data);
  const draw = line.counters.collecting ?? line.counters.drawing;
  if (draw !== null) for (const [network, wide] of rows.entries(draw.id)) line.entryCounts.count(draw.id, { network, wide });
  line.sightings.restart(now);
  restoreTimers(line);
  return line;
}

/** What an earlier version knew of the last flush alone. */
type Former = Counters & { readonly flushedFrom?: number; readonly flushedBelow?: number };

/** What an earlier version did not store is as in a new room. */
function completed({ flushedFrom: from = 0, flushedBelow: below = 0, ...stored }: Former): Counters {
  const counters: Counters = {
    ...newCounters(stored.now, stored.generation),
    ...(from < below && { flushed: [[from, below]] }),
    // Where an earlier version ended sessions: whoever was inside has a slot below its epoch.
    ...(stored.endSessionsBefore > 0 && { visitsMarkedFrom: stored.epoch }),
    ...stored,
  };
  counters.totals = { ...newTotals(), ...stored.totals };
  counters.series = counters.series.map((sample) => ({ ...sample, attempts: sample.attempts ?? 0, joined: sample.joined ?? 0 }));
  return counters;
}

function restoreTimers(line: LineState): void {
  const returning: { slot: number; order: number }[] = [];
  for (const [slot, state] of line.table.slots()) {
    const row = line.table.peek(slot);
    const isBack = state === State.CALLED || state === State.RETURNING || state === State.MISSED;
    if (isBack && row.sessionEnd > 0) line.roomTimers.add(row.sessionEnd, slot);
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
