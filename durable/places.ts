/**
 * One visitor's place, found by the reference code that they read out: shown, removed, banned. Synchronous, inside the Room's transaction.
 */
import type { AdminResult, Caller } from "../src/core/admin";
import { entryOf } from "../src/core/draw-sync";
import type { PlaceAct, PlaceId, PlaceShown, PlaceState } from "../src/core/places";
import { settingsAt } from "../src/core/schedule";
import { BANS_MAX } from "./line/bans";
import { leaveByOperator } from "./line/leaves";
import { State } from "./line/slot-table";
import { type LineState, lineClock, unixMsOf } from "./line/state";
import { type Acted, audit, authorOf, type Operated } from "./operate";

const STATES: Record<State, PlaceState> = {
  [State.NONE]: "ended",
  [State.CALLED]: "called",
  [State.INSIDE]: "inside",
  [State.LAPSED]: "lapsed",
  [State.PASSED_OVER]: "passed-over",
  [State.MISSED]: "missed",
  [State.RETURNING]: "returning",
  [State.LEAVING]: "leaving",
};

export function showPlace({ room, memory: { line } }: Operated, { generation, slot }: PlaceId): PlaceShown {
  const state = stateOf(line, { generation, slot });
  const isKept = state !== "waiting" && state !== "ended" && state !== "restarted" && state !== "unknown";
  const row = isKept ? line.table.peek(slot) : null;
  const seen = generation === line.counters.generation ? line.sightings.lastSeenS(slot) : 0;
  const ban = line.bans.of(generation, slot);
  return {
    room,
    generation,
    slot,
    state,
    ahead: state === "waiting" ? slot - line.counters.epoch : null,
    last_seen_at: seen === 0 ? null : new Date(seen * 1_000).toISOString(),
    until: row === null ? null : untilOf(line, state, row),
    calls: row?.calls ?? 0,
    banned: ban && { at: ban.at, by: ban.by },
  };
}

/** Doing it again changes nothing. A ban holds wherever the line has got to; removing wants a place of this line. */
export function actOnPlace(on: Acted, { as, next, ...place }: PlaceAct, by: Caller): AdminResult<PlaceShown> {
  const { memory, store } = on;
  const { line } = memory;
  const { now } = line.counters;
  const before = showPlace(on, place);
  if (before.state === "unknown") return { as: "unknown-place" };
  const author = authorOf(by);
  if (as === "unban") {
    line.bans.lift(place.generation, place.slot);
    store.acts.deleteBan(place.generation, place.slot);
  } else {
    if (as === "ban" && before.banned === null) {
      if (line.bans.size >= BANS_MAX) return refuse(`at most ${BANS_MAX} people are banned at a time: unban some first`);
      const known = before.state === "restarted" ? [] : keysOf(on, place.slot);
      const ban = { ...place, at: new Date(now).toISOString(), by: author, keys: [...known, next] };
      line.bans.add(ban);
      store.acts.saveBan(ban);
    }
    if (before.state !== "restarted") leaveByOperator(line, settingsAt(memory.config.settings, now), place.slot);
  }
  const after = showPlace(on, place);
  const told = ({ slot, state, banned }: PlaceShown) => ({ slot, state, banned: banned !== null });
  if (JSON.stringify(told(before)) !== JSON.stringify(told(after))) audit(on, as, author, { before: told(before), after: told(after) });
  return { as: "ok", value: after };
}

/** What whoever has this slot joined with, as far as it is known: for a slot that was drawn, whose entry it was. */
function keysOf({ memory: { line }, store }: Operated, slot: number): string[] {
  const drawn =
    line.counters.drawn.find(({ base, count }) => slot >= base && slot < base + count) ??
    store.draws.ofSlot(line.counters.generation, slot);
  const got = drawn === null ? { draw: null, number: slot } : { draw: drawn.id, number: entryOf(drawn, slot) };
  return [line.recent.keyOf(got) ?? [], store.acts.guestOf(got) ?? []].flat();
}

function stateOf(line: LineState, { generation, slot }: PlaceId): PlaceState {
  const { counters, table, gone } = line;
  if (generation !== counters.generation) return generation < counters.generation ? "restarted" : "unknown";
  if (slot >= counters.tail) return "unknown";
  if (slot >= counters.epoch) return gone.has(slot) ? "ended" : "waiting";
  return STATES[table.stateOf(slot)];
}

/** Deadlines of the line clock, as they are if nothing stops it. */
function untilOf(line: LineState, state: PlaceState, row: ReturnType<LineState["table"]["peek"]>): string | null {
  const onLine = (second: number) => line.counters.now + unixMsOf(line, second) - lineClock(line.counters);
  const ms =
    state === "called" || state === "returning"
      ? onLine(row.validUntil)
      : state === "inside" || state === "lapsed" || state === "leaving"
        ? unixMsOf(line, row.until)
        : null;
  return ms === null ? null : new Date(ms).toISOString();
}

function refuse(problem: string): AdminResult<never> {
  return { as: "invalid", problems: [{ setting: "reference", problem }] };
}
