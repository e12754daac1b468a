/** What somebody whose turn it is hears without going in, and more time for those who need it. Pure. */
import type { ClaimVerdict } from "../../src/core/exchange";
import type { RoomSettings } from "../../src/core/settings-types";
import { State } from "./slot-table";
import { type LineState, lineClock, unixMsOf } from "./state";

/**
 * Once in each call, for somebody who needs more time: it stays valid for as long again. No place is held for that, nor a token, and it
 * counts as no answer: nobody behind waits for it.
 */
export function extend(line: LineState, settings: RoomSettings, slot: number): void {
  const row = line.table.row(slot);
  if (row.extended) return;
  row.extended = true;
  row.validUntil += Math.ceil(settings.claimWindowMs / 1_000);
}

/** @param state of the slot: called, or lapsed */
export function lookAtCall(line: LineState, slot: number, state: State): ClaimVerdict {
  const row = line.table.row(slot);
  const nowMs = line.counters.now;
  if (state === State.LAPSED) return { as: "called", holdForMs: 0, validForMs: Math.max(0, unixMsOf(line, row.until) - nowMs) };
  const lineMs = lineClock(line.counters) - line.counters.startedAtMs;
  return {
    as: "called",
    holdForMs: row.held ? Math.max(0, row.until * 1_000 - lineMs) : 0,
    validForMs: Math.max(0, row.validUntil * 1_000 - lineMs),
    ...(!row.extended && { extendable: true }),
  };
}
