/**
 * advance(now): the first thing in every call (DESIGN §7). Pure.
 * Frees what has run out, refills the buckets, then calls people while there is budget. Lazy: nothing depends on being
 * called on time, only on elapsed time; a catch-up is capped by the buckets' burst.
 */
import type { RoomSettings } from "../../src/core/settings-types";
import { hasToken, refill, takeToken } from "./buckets";
import { callRate, expectedAnswers, lookaheadS, mayCall, noteCall, showUpShare, tickCallLoop } from "./call-loop";
import type { Sample } from "./counters";
import { note } from "./journal";
import { State } from "./slot-table";
import {
  entryBurst,
  isFrozen,
  type LineState,
  lineClock,
  lineDeadline,
  lineSecond,
  roomSecond,
  roomSecondOf,
  sparePlaces,
  waitingCount,
} from "./state";

/** Absent slots stepped over in one call at most (P12: work per call is bounded; the next call goes on). */
const MAX_STEPS = 8_192;
/** Longest time to make good a missed turn; how much of it one visitor has depends on how long they waited. */
export const MAX_RETURN_MS = 60 * 60_000;

/** The slot up to which edges report who is still there: twice what the rate calls in the time that proves an absence. */
export function horizonOf(line: LineState, settings: RoomSettings): number {
  const seconds = (settings.absentAfterMs + settings.pollFarMs) / 1_000;
  return line.counters.epoch + 64 + Math.ceil((2 * settings.newUsersPerMinute * seconds) / 60);
}

/**
 * Bring the line to `now` (ms since the Unix epoch, Room time; an earlier time than before counts as no time passing).
 */
export function advance(line: LineState, settings: RoomSettings, now: number): void {
  const { counters } = line;
  counters.now = Math.max(counters.now, now);
  setFrozen(line, isFrozen(line, settings));
  expire(line, settings);
  refill(counters.entry, settings.newUsersPerMinute, entryBurst(settings), counters.now);
  refill(counters.call, callRate(settings.newUsersPerMinute), Math.max(2, callRate(settings.newUsersPerMinute) / 60), counters.now);
  tickCallLoop(line.loop, lineSecond(line), settings.newUsersPerMinute);
  line.moments.expire(lineClock(counters));
  line.sightings.mark(horizonOf(line, settings), counters.epoch, counters.now, settings.absentAfterMs);
  if (counters.frozenSinceMs === null) callPeople(line, settings);
}

/** Start or end a freeze at `counters.now`; the line clock stands still in between. */
export function setFrozen(line: LineState, frozen: boolean): void {
  const { counters } = line;
  if (frozen && counters.frozenSinceMs === null) counters.frozenSinceMs = counters.now;
  if (!frozen && counters.frozenSinceMs !== null) {
    counters.frozenTotalMs += counters.now - counters.frozenSinceMs;
    counters.frozenSinceMs = null;
  }
}

function expire(line: LineState, settings: RoomSettings): void {
  const { counters } = line;
  counters.leases = counters.leases.filter((lease) => lease.untilMs > counters.now);
  counters.carried = counters.carried.filter((carried) => carried.untilMs > counters.now);
  counters.revoked = counters.revoked.filter((revoked) => revoked.untilMs > counters.now);
  const lineS = lineSecond(line);
  line.lineTimers.fire(lineS, (slot) => expireCall(line, settings, slot, lineS));
  const roomS = roomSecond(line);
  line.roomTimers.fire(roomS, (slot) => expireSession(line, settings, slot, roomS));
}

/** Line-clock deadlines: the hold of a call, the call itself, the time to make good a missed turn. */
function expireCall(line: LineState, settings: RoomSettings, slot: number, second: number): void {
  const state = line.table.stateOf(slot);
  if (state === State.CALLED) {
    const row = line.table.row(slot);
    if (row.until <= second) releaseHold(line, slot);
    if (row.validUntil > second) {
      line.lineTimers.add(row.held ? row.until : row.validUntil, slot);
      return;
    }
    if (row.calls >= settings.maxCalls) {
      note(line, "missed", slot);
      line.table.move(slot, State.NONE);
      return;
    }
    note(line, "missed", slot);
    line.table.move(slot, State.MISSED);
    if (row.awaySince === 0) row.awaySince = Math.max(1, second);
  } else if (state !== State.MISSED && state !== State.PASSED_OVER && state !== State.RETURNING) {
    return;
  }
  const row = line.table.row(slot);
  const end = state === State.RETURNING ? row.validUntil : row.awaySince + MAX_RETURN_MS / 1_000;
  if (end <= second) line.table.move(slot, State.NONE);
  else line.lineTimers.add(end, slot);
}

/** Room-time deadlines: sessions, lapses, leavers, and the absolute end of a session whose holder is back in line, or called again. */
function expireSession(line: LineState, settings: RoomSettings, slot: number, second: number): void {
  const state = line.table.stateOf(slot);
  if (state === State.NONE) return;
  const row = line.table.row(slot);
  if (state !== State.INSIDE && state !== State.LAPSED && state !== State.LEAVING) {
    if (row.sessionEnd > second) {
      line.roomTimers.add(row.sessionEnd, slot);
      return;
    }
    // A call would be in vain, and hold a place.
    line.moments.delete(slot);
    releaseHold(line, slot);
    line.table.move(slot, State.NONE);
    return;
  }
  if (row.until > second) {
    line.roomTimers.add(row.until, slot);
    return;
  }
  if (state !== State.LAPSED) noteRelease(line);
  if (state !== State.INSIDE || row.sessionEnd <= second || settings.reentryWindowMs === 0) {
    if (state === State.INSIDE) note(line, "over", slot);
    line.table.move(slot, State.NONE);
    return;
  }
  note(line, "lapsed", slot);
  line.table.move(slot, State.LAPSED);
  row.until = Math.min(row.sessionEnd, roomSecondOf(line, line.counters.now + settings.reentryWindowMs));
  line.roomTimers.add(row.until, slot);
}

/** The call goes on without holding a place. */
export function releaseHold(line: LineState, slot: number): void {
  const row = line.table.row(slot);
  if (!row.held) return;
  row.held = false;
  line.held -= 1;
}

/** Where a place becomes free at least this often, s, calls share the spare places instead of holding one each … */
const QUICK_TURN_S = 10;
/** … and so they do where fewer than this share answer: the silent must not hold the site empty. */
const FEW_ANSWER = 0.5;

/**
 * How many answers there are places for: the spare ones, and where places change hands quickly also those about to become
 * free; a silent call then counts by the chance that it will be answered, else for a whole place.
 */
function placesInSight(line: LineState, settings: RoomSettings, releasedPerSecond: number, expected: number): number {
  const spare = sparePlaces(line, settings);
  if (releasedPerSecond * QUICK_TURN_S >= 1 || showUpShare(line.loop) < FEW_ANSWER)
    return spare + releasedPerSecond * lookaheadS(line.loop);
  return spare > line.held ? expected + line.moments.size + 1 : 0;
}

function callPeople(line: LineState, settings: RoomSettings): void {
  const { counters } = line;
  const rate = settings.newUsersPerMinute;
  const second = lineSecond(line);
  const releasedPerSecond = lastMinute(line).released / 60;
  const limit = callLimit(line);
  let expected = expectedAnswers(line.loop, second);
  let steps = 0;
  while (hasToken(counters.call)) {
    const places = placesInSight(line, settings, releasedPerSecond, expected);
    if (places < 1 || !mayCall(line.loop, counters.entry.tokens, places, rate, line.moments.size, expected)) return;
    const returner = line.returners.first(
      (slot, order) => line.table.stateOf(slot) === State.RETURNING && line.table.row(slot).order === order,
    );
    const someoneWaits = waitingCount(line) > 0 && counters.epoch < limit;
    if (returner !== null && (!counters.lastCallWasReturner || !someoneWaits)) {
      counters.lastCallWasReturner = true;
      call(line, settings, returner);
    } else if (someoneWaits) {
      const slot = nextWaiting(line, settings, limit, MAX_STEPS - steps);
      if (slot === null) {
        if (waitingCount(line) > 0 && counters.epoch < limit) return;
        continue;
      }
      steps += slot.stepped;
      counters.lastCallWasReturner = false;
      call(line, settings, slot.slot);
    } else {
      return;
    }
    takeToken(counters.call);
    expected += showUpShare(line.loop);
  }
}

/**
 * Move the epoch past the next waiting slot whose holder is not known to be away. Slots left are stepped over, absent
 * ones become "passed over". null: nobody left before `limit`, or `maxSteps` used up.
 */
function nextWaiting(line: LineState, settings: RoomSettings, limit: number, maxSteps: number): { slot: number; stepped: number } | null {
  const { counters } = line;
  for (let stepped = 0; counters.epoch < limit && stepped < maxSteps; stepped++) {
    const slot = counters.epoch;
    counters.epoch += 1;
    noteEpoch(line);
    if (line.gone.passed(slot)) continue;
    if (isAway(line, settings, slot)) {
      note(line, "passed_over", slot);
      const row = line.table.move(slot, State.PASSED_OVER);
      row.awaySince = Math.max(1, lineSecond(line));
      line.lineTimers.add(row.awaySince + MAX_RETURN_MS / 1_000, slot);
    } else {
      return { slot, stepped };
    }
  }
  return null;
}

/** Is the holder of this waiting slot known to be away: not seen for `absentAfterMs`, or never since the draw that gave it out? */
function isAway({ sightings, counters }: LineState, settings: RoomSettings, slot: number): boolean {
  if (sightings.isAbsent(slot, counters.now, settings.absentAfterMs)) return true;
  const { settling } = counters;
  if (settling === null || settings.settleMs === 0 || slot < settling.base || slot >= settling.below) return false;
  return sightings.isUnseenSince(slot, settling.drawnAtMs, counters.now, settings.settleMs);
}

/** Nobody is called from here on: the end of the line, or slots whose holders have not been drawn yet. */
function callLimit({ counters: { drawing, awaiting, tail, epoch } }: LineState): number {
  return [drawing, ...awaiting].find((draw) => draw !== null && draw.base >= epoch)?.base ?? tail;
}

/** Call one person: they hold a place while silent for `reserveMs`, and may answer for `claimWindowMs`. */
export function call(line: LineState, settings: RoomSettings, slot: number): void {
  note(line, "called", slot);
  hold(line, settings, slot);
}

/** As a call does, for somebody whose turn it was before. */
export function hold(line: LineState, settings: RoomSettings, slot: number): void {
  const row = line.table.move(slot, State.CALLED);
  const second = lineSecond(line);
  row.calls += 1;
  row.calledAt = second;
  row.answered = false;
  row.extended = false;
  row.held = true;
  line.held += 1;
  row.until = lineDeadline(line, settings.reserveMs);
  row.validUntil = lineDeadline(line, settings.claimWindowMs);
  line.lineTimers.add(Math.min(row.until, row.validUntil), slot);
  noteCall(line.loop, second);
}

const SERIES_MS = 10_000;
const SERIES_LENGTH = 7;

function sampleNow(line: LineState): Sample {
  const { counters } = line;
  const at = Math.floor(counters.now / SERIES_MS) * SERIES_MS;
  const last = counters.series.at(-1);
  if (last !== undefined && last.at >= at) return last;
  const fresh: Sample = { at, entered: 0, joined: 0, epoch: 0, released: 0, attempts: 0 };
  counters.series.push(fresh);
  if (counters.series.length > SERIES_LENGTH) counters.series.shift();
  return fresh;
}

/** @param slot null = an entry of a draw */
export function noteJoin(line: LineState, slot: number | null): void {
  note(line, "joined", slot);
  sampleNow(line).joined += 1;
}

export function noteEntry(line: LineState, slot: number): void {
  note(line, "entered", slot);
  sampleNow(line).entered += 1;
}

export function noteEpoch(line: LineState): void {
  sampleNow(line).epoch += 1;
}

/** @param count attempts to join without proof */
export function noteAttempt(line: LineState, count = 1): void {
  sampleNow(line).attempts += count;
}

function noteRelease(line: LineState): void {
  sampleNow(line).released += 1;
}

/** What happened in the last minute, to the nearest 10 s. */
export function lastMinute(line: LineState): Omit<Sample, "at"> {
  const { counters } = line;
  const recent = counters.series.filter((sample) => sample.at >= counters.now - 60_000);
  const total = (of: (sample: Sample) => number): number => recent.reduce((sum, sample) => sum + of(sample), 0);
  return {
    entered: total((sample) => sample.entered),
    joined: total((sample) => sample.joined),
    epoch: total((sample) => sample.epoch),
    released: total((sample) => sample.released),
    attempts: total((sample) => sample.attempts),
  };
}
