/**
 * Claims, looks and take-overs: the exact step from called to inside, and what everybody else below the epoch is told
 * (the table of DESIGN §7). Pure.
 */
import type { ClaimRequest, ClaimVerdict, EndedWhy, RenewRequest, RenewVerdict } from "../../src/core/exchange";
import type { RoomSettings } from "../../src/core/settings-types";
import { noteWait } from "../../src/core/waits";
import { hold, MAX_RETURN_MS, noteEntry, releaseHold } from "./advance";
import { hasToken, takeToken } from "./buckets";
import { noteAnswer } from "./call-loop";
import { type ChainVerdict, type Presented, present, startChain, takeOver } from "./chain";
import { extend, lookAtCall } from "./looks";
import { mostSetAside, oneMoment } from "./one-moment";
import { grant, isOver } from "./session-record";
import { NO_SERIAL, type Row, State } from "./slot-table";
import { entryBurst, freePlaces, isClosed, isFrozen, type LineState, lineSecond, roomSecondOf, sparePlaces } from "./state";

const MAX_TAKEOVERS = 3;
/** So many changes of network are taken as they come (`bind_network`); at the next one the visitor is asked. */
const MAX_MOVES = 3;
const MIN_RETURN_MS = 10 * 60_000;

/**
 * @param random one number in [0, 1) per call, for the jitter of session records.
 */
export function claim(line: LineState, settings: RoomSettings, request: ClaimRequest, random: () => number): ClaimVerdict {
  const { slot, intent } = request;
  const { counters, table } = line;
  if (slot >= counters.tail) return { as: "ended", why: "unknown" };
  if (slot >= counters.epoch) return line.gone.has(slot) ? { as: "ended", why: "left" } : { as: "waiting" };
  const state = table.stateOf(slot);
  switch (state) {
    case State.NONE:
      return { as: "ended", why: endedWhy(line, slot) };
    case State.LEAVING:
      return { as: "ended", why: "left" };
    case State.INSIDE:
      if (isOver(line, table.peek(slot))) return { as: "ended", why: "session-over" };
      return intent === "look" ? { as: "inside" } : carryOn(line, settings, request, random);
    case State.PASSED_OVER:
    case State.MISSED:
      return comeBack(line, settings, request);
    case State.RETURNING:
      return isFrozen(line, settings) && intent !== "look" ? { as: "paused" } : stillReturning(line, slot);
    case State.CALLED:
    case State.LAPSED:
      if (state === State.LAPSED && keepsPlace(line, settings, request)) {
        const back = toReturning(line, settings, request);
        return intent === "look" ? back : { as: "paused" };
      }
      if (intent !== "look") return isFrozen(line, settings) ? { as: "paused" } : enter(line, settings, request, random);
      if (request.extend && state === State.CALLED && !isFrozen(line, settings)) extend(line, settings, slot);
      return lookAtCall(line, slot, state);
  }
}

/**
 * Lapsed, and back while nobody enters for a time: told that the place is kept, so the window in which they could go straight in, which
 * runs on meanwhile, must not cost it. Not where it is all over.
 */
function keepsPlace(line: LineState, settings: RoomSettings, request: ClaimRequest): boolean {
  if (!isFrozen(line, settings) || line.counters.ended || isClosed(line, settings)) return false;
  const row = line.table.peek(request.slot);
  return !isOver(line, row) && holdsChain(row, request);
}

function endedWhy(line: LineState, slot: number): EndedWhy {
  return wasFlushed(line, slot) ? "flushed" : "unknown";
}

/** Ended by an emptying of the line, if it has ended. */
export function wasFlushed({ counters, gone }: LineState, slot: number): boolean {
  return gone.wasFlushed(slot) || (counters.flushed.some(([from, below]) => slot >= from && slot < below) && !gone.wasLeftBefore(slot));
}

/** Has this place ended for good? Changes nothing, unlike a look. */
export function isGone(line: LineState, slot: number): boolean {
  const { counters, table } = line;
  if (slot >= counters.epoch) return slot >= counters.tail || line.gone.has(slot);
  const state = table.stateOf(slot);
  if (state === State.NONE || state === State.LEAVING) return true;
  return (state === State.INSIDE || state === State.LAPSED) && isOver(line, table.peek(slot));
}

/** Inside already: the ticket or a pass goes on along the chain, or takes the session over. */
function carryOn(line: LineState, settings: RoomSettings, request: ClaimRequest, random: () => number): ClaimVerdict {
  const row = line.table.row(request.slot);
  if (request.intent === "continue") row.moves = 0;
  if (movesTooOften(row, request)) return askWho(line, row);
  const isMove = movesNow(row, request);
  const verdict = judge(line, row, request);
  if (isMove && verdict.as === "issue") noteMove(line, row);
  // Nor is there a pass for a former head that was under way.
  if (verdict.as !== "issue") return voided(line, row);
  return { as: "entered", pass: grant(line, settings, request.slot, verdict.serial, random) };
}

function judge(line: LineState, row: Row, request: ClaimRequest): ChainVerdict {
  const by: Presented = { serial: request.serial, tag: request.tag, arrivedAt: line.counters.now - request.ageMs, needsPass: true };
  // Asked about its networks and holding the chain it takes nothing over, and the answer costs nothing.
  if (request.intent !== "continue" || (row.questioned && holds(row, request.serial))) return present(line, row, by);
  if (row.takeovers >= MAX_TAKEOVERS) return { as: "void" };
  row.takeovers += 1;
  line.counters.totals.takeovers += 1;
  return takeOver(line, row, by);
}

function voided(line: LineState, row: Row): { as: "void"; takeoversLeft: number } {
  line.counters.totals.voided += 1;
  return { as: "void", takeoversLeft: Math.max(0, MAX_TAKEOVERS - row.takeovers) };
}

/** Called, or lapsed and back: takes an entry token and a place, or "one moment", or returns. */
function enter(line: LineState, settings: RoomSettings, request: ClaimRequest, random: () => number): ClaimVerdict {
  const { counters, table } = line;
  const { slot } = request;
  const row = table.row(slot);
  const wasInside = row.sessionEnd > 0;
  if (wasInside) {
    if (isOver(line, row)) {
      drop(line, slot);
      return { as: "ended", why: "session-over" };
    }
    if (!holdsChain(row, request)) return voided(line, row);
  }
  if (table.stateOf(slot) === State.LAPSED) {
    if (freePlaces(line, settings) < 1) return toReturning(line, settings, request);
    recall(line, settings, slot);
  }
  noteShown(line, row);
  if (request.intent === "continue") row.moves = 0;
  if (movesTooOften(row, request)) return askWho(line, row);
  const isMove = movesNow(row, request);
  const earlier = line.moments.before(slot);
  const hasPlace = sparePlaces(line, settings) > earlier;
  if (!hasPlace && !row.held) return toReturning(line, settings, request);
  const reserved = Math.min(earlier, mostSetAside(entryBurst(settings)));
  if (!hasPlace || !hasToken(counters.entry, reserved)) return oneMoment(line, settings, slot, earlier, hasPlace);

  takeToken(counters.entry);
  line.moments.delete(slot);
  releaseHold(line, slot);
  table.move(slot, State.INSIDE);
  if (!wasInside) {
    startChain(row);
    row.takeovers = 0;
    row.sessionEnd = roomSecondOf(line, counters.now + settings.sessionMaxMs);
    noteWait(counters.waits, counters.now - request.joinedAtS * 1_000, counters.now);
  } else {
    row.previous = NO_SERIAL;
    row.promotedAt = 0;
    row.issuedAt = 0;
  }
  row.until = 0;
  if (isMove) noteMove(line, row);
  noteEntry(line, slot);
  const verdict = judge(line, row, request);
  const pass = grant(line, settings, slot, verdict.as === "issue" ? verdict.serial : row.hi, random);
  line.roomTimers.add(row.until, slot);
  return verdict.as === "void" ? voided(line, row) : { as: "entered", pass };
}

/** Is this an unspent link of the lapsed session's chain, or a take-over? Changes nothing. */
function holdsChain(row: Readonly<Row>, request: ClaimRequest): boolean {
  if (request.intent === "continue" && row.takeovers < MAX_TAKEOVERS) return true;
  return (request.intent !== "continue" || row.questioned) && holds(row, request.serial);
}

/** Is this an unspent link? */
export function holds(row: Readonly<Row>, serial: number): boolean {
  return serial === row.head || (serial > row.lo && serial <= row.hi);
}

type Movable = Pick<ClaimRequest, "moved" | "tag">;

/** From another network than the one before. Whoever got the last pass there has moved already: its cookie may not have come through. */
function movesNow(row: Readonly<Row>, { moved, tag }: Movable): boolean {
  return moved === true && row.tag !== tag;
}

function movesTooOften(row: Readonly<Row>, request: Movable): boolean {
  return movesNow(row, request) && row.moves >= MAX_MOVES;
}

function noteMove(line: LineState, row: Row): void {
  row.moves += 1;
  line.counters.totals.moved += 1;
}

/** The place is kept, and the chain as it is: by the button the visitor goes on. Once for each visit it is counted, for the operator. */
function askWho(line: LineState, row: Row): { as: "void"; takeoversLeft: number; moved: true } {
  if (!row.questioned) line.counters.totals.movedOften += 1;
  row.questioned = true;
  return { as: "void", takeoversLeft: Math.max(0, MAX_TAKEOVERS - row.takeovers), moved: true };
}

/** A lapsed visitor takes a free place as a call of their own, so that "one moment" can hold it. */
function recall(line: LineState, settings: RoomSettings, slot: number): void {
  const calls = line.table.row(slot).calls;
  hold(line, settings, slot);
  const row = line.table.row(slot);
  row.calls = calls;
  row.awaySince = 0;
}

/** The first answer to a call counts for the show-up share; repeats do not. */
function noteShown(line: LineState, row: Row): void {
  if (row.answered) return;
  row.answered = true;
  noteAnswer(line.loop, row.calledAt, lineSecond(line));
}

/** Away and back: next in line, until the return time is over. */
function comeBack(line: LineState, settings: RoomSettings, request: ClaimRequest): ClaimVerdict {
  const { slot } = request;
  const row = line.table.row(slot);
  if (returnEnd(line, row, request) <= lineSecond(line)) {
    drop(line, slot);
    return { as: "ended", why: "return-time-over" };
  }
  return toReturning(line, settings, request);
}

/** A quarter of the time waited until the first miss, at least 10 and at most 60 minutes, from the first miss on. */
function returnEnd(line: LineState, row: Row, request: ClaimRequest): number {
  const missedAtMs = line.counters.now - (lineSecond(line) - row.awaySince) * 1_000;
  const waitedMs = missedAtMs - request.joinedAtS * 1_000;
  const allowedMs = Math.min(MAX_RETURN_MS, Math.max(MIN_RETURN_MS, waitedMs / 4));
  return row.awaySince + Math.ceil(allowedMs / 1_000);
}

function toReturning(line: LineState, settings: RoomSettings, request: ClaimRequest): ClaimVerdict {
  const { counters, table } = line;
  const { slot } = request;
  let calledUntil = 0;
  line.moments.delete(slot);
  if (table.stateOf(slot) === State.CALLED) {
    // An answer costs no call the time that it had; but for the last one, or places could be held by new calls for ever.
    if (table.row(slot).calls < settings.maxCalls) calledUntil = table.row(slot).validUntil;
    releaseHold(line, slot);
    noteShown(line, table.row(slot));
  } else if (table.stateOf(slot) === State.LAPSED) {
    table.row(slot).awaySince = 0;
  }
  const row = table.move(slot, State.RETURNING);
  if (row.awaySince === 0) row.awaySince = Math.max(1, lineSecond(line));
  row.order = counters.nextOrder;
  row.validUntil = Math.max(calledUntil, returnEnd(line, row, request));
  counters.nextOrder += 1;
  line.returners.push(slot, row.order);
  line.lineTimers.add(row.validUntil, slot);
  return stillReturning(line, slot);
}

function stillReturning(line: LineState, slot: number): ClaimVerdict {
  const row = line.table.row(slot);
  return {
    as: "returning",
    ahead: line.returners.aheadOf(row.order, line.table.count(State.RETURNING)),
    untilMs: line.counters.now + Math.max(0, row.validUntil - lineSecond(line)) * 1_000,
  };
}

/** Forget a slot for good. */
export function drop(line: LineState, slot: number): void {
  line.moments.delete(slot);
  if (line.table.stateOf(slot) === State.CALLED) {
    releaseHold(line, slot);
    noteShown(line, line.table.row(slot));
  }
  line.table.move(slot, State.NONE);
}

/** Renew a pass along the chain. */
export function renew(line: LineState, settings: RoomSettings, request: RenewRequest, random: () => number): RenewVerdict {
  const { slot } = request;
  const state = slot >= line.counters.epoch ? State.NONE : line.table.stateOf(slot);
  if (state === State.NONE || state === State.LEAVING) return { as: "ended", why: state === State.LEAVING ? "left" : endedWhy(line, slot) };
  if (state !== State.INSIDE) return { as: "lapsed" };
  const row = line.table.row(slot);
  if (isOver(line, row)) return { as: "ended", why: "session-over" };
  if (movesTooOften(row, request)) return askWho(line, row);
  const isMove = movesNow(row, request);
  const verdict = present(line, row, {
    serial: request.serial,
    tag: request.tag,
    arrivedAt: line.counters.now - request.ageMs,
    needsPass: false,
  });
  if (verdict.as === "void") return voided(line, row);
  if (verdict.as === "current") return { as: "current" };
  if (isMove) noteMove(line, row);
  return { as: "renewed", pass: grant(line, settings, slot, verdict.serial, random) };
}
