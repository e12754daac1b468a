/**
 * What a change would do, without doing it: `?dry_run=1`. Synchronous; changes nothing.
 */
import type { AdminResult, Forecast, Foreseen, SwitchName, Warning } from "../src/core/admin";
import { outlook, type Room } from "../src/core/outlook";
import { settingsAt } from "../src/core/schedule";
import { warningsOf } from "../src/core/settings-warnings";
import { type ConfigInForce, changesOf } from "./config";
import { lastMinute } from "./line/advance";
import { effectiveWithinS } from "./line/bounds";
import { State } from "./line/slot-table";
import { settingsNow } from "./line/slow-down";
import { isFrozen, type LineState, waitingCount } from "./line/state";
import { minutesOf } from "./log";
import { concerned } from "./memory";
import {
  cannotTurn,
  decide,
  type Operated,
  switchesOf,
  type Wish,
  wishOfChange,
  wishOfEvent,
  wishOfRestore,
  wishToStopRamp,
} from "./operate";

/** Visits are measured over so many minutes … */
const MEASURED_MINUTES = 15;
/** … of people who entered. */
const MEASURED_LEAST = 10;
/** Below this pace the last minute says nothing of how many have gone. */
const PACE_LEAST = 10;

export function foresee(on: Operated, what: Foreseen): AdminResult<Forecast> {
  if (what.as === "switch") return foreseeSwitch(on, what.name);
  const wish =
    what.as === "change" ? wishOfChange(what.change) : what.as === "event" ? wishOfEvent(on, what.change) : wishOfRestore(on, what.restore);
  return wish.as === "wish" ? foreseeWish(on, wish.change) : wish;
}

function foreseeWish(on: Operated, change: Wish["change"]): AdminResult<Forecast> {
  const decision = decide(on, change);
  if (decision.as !== "changed" && decision.as !== "same") return decision;
  const { config } = on.memory;
  const then = decision.as === "changed" ? decision.config : config;
  return tell(on, then, changesOf(config.operator, then.operator), on.memory.line.counters);
}

/** Switches of the line: who is concerned. Pausing is a change of settings. */
function foreseeSwitch(on: Operated, name: SwitchName): AdminResult<Forecast> {
  const { line, config } = on.memory;
  if (name === "pause" || name === "resume") {
    const changes = { queue_all: name === "pause" };
    return foreseeWish(on, { changes, ifRevision: null, replace: false, actor: { name: "", reason: "" } });
  }
  if (name === "stop-ramp") return foreseeWish(on, wishToStopRamp(on.memory, { name: "", reason: "" }).change);
  const refusal = cannotTurn(on.memory, name);
  if (refusal !== null) return refusal;
  const { joins_stopped, ended, under_attack } = switchesOf(on.memory);
  const { slowed } = line.counters;
  const would: Partial<Record<SwitchName, readonly [string, boolean, boolean]>> = {
    "stop-joins": ["joins_stopped", joins_stopped, true],
    "allow-joins": ["joins_stopped", joins_stopped, false],
    "sold-out": ["ended", ended, true],
    reopen: ["ended", ended, false],
    "under-attack": ["under_attack", under_attack, true],
    calm: ["under_attack", under_attack, false],
    "full-rate": ["slowed_down", slowed !== null, false],
  };
  const [state, before, after] = would[name] ?? [name, false, true];
  const moved = before === after ? { before: {}, after: {} } : { before: { [state]: before }, after: { [state]: after } };
  const isEmptied = name === "flush" || name === "reset";
  const isOver = state === "ended" ? after : ended && name !== "reset";
  const then = { ...line.counters, ended: isOver, slowed: name === "full-rate" ? null : slowed };
  return tell(on, config, moved, then, isEmptied);
}

function tell(
  on: Operated,
  then: ConfigInForce,
  moved: Pick<Forecast, "before" | "after">,
  counters: LineState["counters"],
  isEmptied = false,
): AdminResult<Forecast> {
  const { room, memory } = on;
  const { line, config } = memory;
  const counts = concerned(room, memory);
  const visit = visitOf(on);
  const now = facts(config, line, visit.minutes);
  const after = facts(then, { ...line, counters }, visit.minutes);
  const future = outlook(isEmptied ? { ...after, waiting: 0 } : after);
  return {
    as: "ok",
    value: {
      room,
      revision: config.revision,
      dry_run: true,
      would_change: Object.keys(moved.after).length > 0,
      ...moved,
      outlook: { before: outlook(now), after: future },
      visit_minutes: Math.round(10 * visit.minutes) / 10,
      visit_minutes_measured: visit.measured,
      counts,
      warnings: [...tight(counts.inside, after.places), ...warningsOf(then, line.counters.now)],
      effective_within_seconds: effectiveWithinS(line, settingsAt(config.settings, line.counters.now)),
    },
  };
}

function tight(inside: number, places: number): Warning[] {
  if (inside <= places) return [];
  const warning = `would be less than the ${inside} who are inside: nobody enters until ${inside - places + 1} have left`;
  return [{ setting: "total_active_users", warning }];
}

function facts({ settings: own }: ConfigInForce, line: LineState, visitMinutes: number): Room {
  const settings = settingsNow(line, own);
  const { entered, epoch, joined } = lastMinute(line);
  const { table } = line;
  return {
    isFrozen: isFrozen(line, settings),
    ratePerMinute: settings.newUsersPerMinute,
    places: settings.totalActiveUsers,
    waiting: waitingCount(line) + table.count(State.CALLED) + table.count(State.RETURNING) + (line.counters.collecting?.count ?? 0),
    inside: table.count(State.INSIDE),
    joinsPerMinute: joined,
    slotsPerEntry: entered >= PACE_LEAST ? epoch / entered : 1,
    visitMinutes,
  };
}

/** Little's law over the last minutes: people inside, summed, by people who entered. Unmeasured it is the idle time, which every visit ends with. */
function visitOf({ memory, store }: Operated): { readonly minutes: number; readonly measured: boolean } {
  const minutes = minutesOf(memory, store, MEASURED_MINUTES).slice(0, -1);
  const entered = minutes.reduce((sum, minute) => sum + minute.entered, 0);
  const stayed = minutes.reduce((sum, minute) => sum + minute.inside, 0);
  if (entered >= MEASURED_LEAST && stayed > 0) return { minutes: stayed / entered, measured: true };
  const { sessionDurationMs } = settingsAt(memory.config.settings, memory.line.counters.now);
  return { minutes: sessionDurationMs / 60_000, measured: false };
}
