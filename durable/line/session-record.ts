/** How long a visit is on record, and the pass that is given for it. Pure. */
import type { PassGrant } from "../../src/core/exchange";
import type { RoomSettings } from "../../src/core/settings-types";
import type { Row } from "./slot-table";
import { type LineState, roomSecondOf, unixMsOf } from "./state";

/** The Room's record outlives the last pass by this much (P1). */
const RECORD_MARGIN_MS = 10_000;
/** Session records end up to this share later, so that people let in together do not all leave together. */
const RECORD_JITTER = 0.2;

/**
 * Grant a pass and extend the session's record: idle limit from now, plus one refresh interval, since the edge reports
 * activity only that often; never past the absolute end. The record ends ≥ 10 s after the pass (P1), with jitter.
 */
export function grant(line: LineState, settings: RoomSettings, slot: number, serial: number, random: () => number): PassGrant {
  const { counters } = line;
  const row = line.table.row(slot);
  const endsAtS = endOf(line, row);
  const idleMs = settings.sessionDurationMs + settings.passRefreshMs;
  const expiresAtS = Math.min(endsAtS, Math.ceil((counters.now + idleMs) / 1_000));
  const jitterMs = Math.floor(random() * RECORD_JITTER * settings.sessionDurationMs);
  row.until = Math.max(row.until, roomSecondOf(line, expiresAtS * 1_000 + RECORD_MARGIN_MS + jitterMs));
  return { slot, serial, issuedAtS: issueTime(line), expiresAtS, endsAtS };
}

/** Unix second of the absolute end. */
function endOf(line: LineState, row: Readonly<Row>): number {
  return Math.floor(unixMsOf(line, row.sessionEnd) / 1_000);
}

/** Unix second that a pass granted now is dated with. */
function issueTime({ counters }: LineState): number {
  return Math.max(Math.floor(counters.now / 1_000), counters.endSessionsBefore);
}

/** No pass fits before the absolute end any more. The place stays taken until the record ends: an edge's clock may be behind (P1). */
export function isOver(line: LineState, row: Readonly<Row>): boolean {
  return endOf(line, row) <= issueTime(line);
}
