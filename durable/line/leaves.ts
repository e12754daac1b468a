/** Leaving, by the visitor's wish, the origin's command or the operator's hand. Pure. */
import type { LeaveRequest, LeaveVerdict } from "../../src/core/exchange";
import type { RoomSettings } from "../../src/core/settings-types";
import { askedByMs, heardByMs } from "./bounds";
import { drop, holds } from "./claims";
import type { RevokedRange } from "./counters";
import { note } from "./journal";
import { State } from "./slot-table";
import { type LineState, roomSecondOf } from "./state";

/** The manifest names at most this many revoked ranges of slots; further leavers hold their place for longer instead. */
const MAX_REVOKED = 64;

/** Leave the line or the site. Repeating it is harmless. */
export function leave(line: LineState, settings: RoomSettings, request: LeaveRequest): LeaveVerdict {
  const { slot, serial } = request;
  const { counters, table } = line;
  if (slot >= counters.tail) return { as: "void" };
  if (slot >= counters.epoch) {
    if (line.gone.add(slot)) note(line, "left", slot);
    return { as: "left" };
  }
  if (table.stateOf(slot) === State.NONE || table.stateOf(slot) === State.LEAVING) return { as: "left" };
  // Whoever has been inside has a chain, wherever they are by now.
  const row = table.peek(slot);
  if (row.sessionEnd > 0 && !holds(row, serial)) return { as: "void" };
  if (table.stateOf(slot) === State.INSIDE) startLeaving(line, settings, slot);
  else {
    note(line, "left", slot);
    drop(line, slot);
  }
  return { as: "left" };
}

/** Removed by the operator, whatever pass they hold; nothing if the place has ended. */
export function leaveByOperator(line: LineState, settings: RoomSettings, slot: number): void {
  const hasRow = line.table.stateOf(slot) !== State.NONE && slot < line.counters.epoch;
  leave(line, settings, { slot, serial: hasRow ? line.table.peek(slot).head : 0 });
}

/**
 * Someone inside gives the place up: it is reused once no edge can still let the old pass through (P1). While the list
 * of revoked slots has room that is `revoke_bound`; else until even an unrefreshed pass has had to ask.
 */
function startLeaving(line: LineState, settings: RoomSettings, slot: number): void {
  const { counters, table } = line;
  note(line, "left", slot);
  const [heardBy, askedBy] = [heardByMs(line, settings), askedByMs(line, settings)];
  const listed = revoke(counters.revoked, slot, askedBy);
  const row = table.move(slot, State.LEAVING);
  row.until = roomSecondOf(line, listed ? heardBy : Math.max(heardBy, askedBy));
  line.roomTimers.add(row.until, slot);
}

/**
 * Add a slot to the sorted list of revoked ranges, joining neighbours: an ended slot never comes back in its generation,
 * so that a range may stay listed for as long as its newest member needs. Returns false when the list is full.
 */
function revoke(ranges: RevokedRange[], slot: number, untilMs: number): boolean {
  const at = ranges.findIndex((range) => range.last >= slot - 1);
  const touched = at >= 0 && (ranges[at] as RevokedRange).first <= slot + 1 ? (ranges[at] as RevokedRange) : null;
  if (touched === null) {
    if (ranges.length >= MAX_REVOKED) return false;
    ranges.splice(at < 0 ? ranges.length : at, 0, { first: slot, last: slot, untilMs });
    return true;
  }
  touched.first = Math.min(touched.first, slot);
  touched.last = Math.max(touched.last, slot);
  touched.untilMs = Math.max(touched.untilMs, untilMs);
  const next = ranges[at + 1];
  if (next !== undefined && next.first <= touched.last + 1) {
    touched.last = Math.max(touched.last, next.last);
    touched.untilMs = Math.max(touched.untilMs, next.untilMs);
    ranges.splice(at + 1, 1);
  }
  return true;
}
