/** The operator's switches of DESIGN §2 that change the line itself (pause and room-off are settings). Pure. */
import type { RoomSettings } from "../../src/core/settings-types";
import { heardByMs } from "./bounds";
import { drop } from "./claims";
import { newCounters } from "./counters";
import { dropCollecting, droppedDraw } from "./draws";
import { isOver } from "./session-record";
import { State } from "./slot-table";
import { type LineState, leasedPlaces, lineOf, roomSecondOf, sparePlaces } from "./state";

export function setJoinsStopped(line: LineState, stopped: boolean): boolean {
  const changed = line.counters.joinsStopped !== stopped;
  line.counters.joinsStopped = stopped;
  return changed;
}

/** Sold out / ended; `false` reopens. */
export function setEnded(line: LineState, ended: boolean): boolean {
  const changed = line.counters.ended !== ended;
  line.counters.ended = ended;
  return changed;
}

/** An operator empties a line by hand: of so many times it is known whom they ended. */
const FLUSHES_KEPT = 64;

/**
 * Empty the line: everybody not inside is ended and may join again. Entries of an open lobby or window are dropped with their draw; one
 * that waits for its random number still takes place, over slots that are ended. Returns how many that were.
 */
export function flush(line: LineState): number {
  const { counters, table, gone } = line;
  let emptied = counters.tail - counters.epoch - gone.count + (counters.collecting?.count ?? 0);
  dropCollecting(line, "flushed");
  for (const [slot, state] of [...table.slots()]) {
    if (state === State.INSIDE || state === State.LEAVING) continue;
    drop(line, slot);
    gone.addFlushed(slot);
    emptied += 1;
  }
  if (counters.epoch < counters.tail)
    counters.flushed = [...counters.flushed, [counters.epoch, counters.tail] as const].slice(-FLUSHES_KEPT);
  counters.epoch = counters.tail;
  gone.clear();
  line.moments.clear();
  return emptied;
}

/**
 * End every session: passes issued until now are refused within `revoke_bound`, and their places reused after it.
 * Returns how many sessions that were.
 */
export function endSessions(line: LineState, settings: RoomSettings): number {
  const { counters, table, gone } = line;
  let ended = 0;
  for (const [slot, state] of [...table.slots()]) {
    // Without a visit, or with one that was given up already.
    if (state === State.LEAVING || table.peek(slot).sessionEnd === 0) continue;
    // One that is over, and still on record, was not ended by this.
    if (!isOver(line, table.peek(slot))) gone.addVisitEnded(slot);
    ended += 1;
    if (state === State.INSIDE) {
      // `endSessionsBefore` covers them all: none needs a line of its own in the revoked list.
      const row = table.move(slot, State.LEAVING);
      row.until = roomSecondOf(line, heardByMs(line, settings));
      line.roomTimers.add(row.until, slot);
    } else {
      // Lapsed, and perhaps back in line since.
      drop(line, slot);
    }
  }
  // Above every `iat` given so far, also when pressed twice within a second: passes are dated not before this.
  if (ended > 0) counters.endSessionsBefore = Math.max(Math.floor(counters.now / 1_000), counters.endSessionsBefore) + 1;
  return ended;
}

/**
 * New line: the next generation, empty, with empty buckets. Places in use stay taken for `revoke_bound`, until no edge
 * can let an old pass through (P1). Switches (but "under attack") and totals start anew; draws that have not taken place never will.
 * @returns the state to use from now on.
 */
export function reset(line: LineState, settings: RoomSettings): LineState {
  const now = line.counters.now;
  const fresh = lineOf(newCounters(now, line.counters.generation + 1), line.room, line.seed);
  // A call alone never let anyone through: only what was occupied is carried over.
  const places = settings.totalActiveUsers - sparePlaces(line, settings) - leasedPlaces(line);
  if (places > 0) fresh.counters.carried.push({ places, untilMs: heardByMs(line, settings) });
  // Units belong to isolates, not to the line: they are spent whatever the generation, and count for as long as before.
  fresh.counters.leases = [...line.counters.leases];
  // Staff links, and what calls the site, are no part of the line.
  fresh.counters.staffRevoked = line.counters.staffRevoked;
  fresh.counters.trustedUntilMs = line.counters.trustedUntilMs;
  fresh.counters.callbacks = line.counters.callbacks;
  fresh.bans.load(line.bans.all());
  const { nextDraw, nextSalt, nextWindowSalt, lobby, collecting, drawing, awaiting } = line.counters;
  // A key stays revoked for ever.
  const { attack, slowed, siteJudgedFromMs, revokedKeys } = line.counters;
  Object.assign(fresh.counters, { nextDraw, nextSalt, nextWindowSalt, lobby, attack, slowed, siteJudgedFromMs, revokedKeys });
  fresh.counters.ramp = line.counters.ramp;
  fresh.origin = line.origin;
  // Its isolates are those of before, and all of them come at once now.
  fresh.pacing = line.pacing;
  fresh.counters.watch = line.counters.watch;
  fresh.draws = {
    ...line.draws,
    entering: [],
    dropped: [
      ...line.draws.dropped,
      ...[collecting, drawing, ...awaiting].flatMap((draw) => (draw === null ? [] : droppedDraw(draw, "reset", now))),
    ],
  };
  fresh.salts.push(...line.salts);
  fresh.cleared = true;
  return fresh;
}
