/**
 * What the Room writes down by itself: the machine's log by seconds, and the minutes. Synchronous, inside the Room's transaction.
 * Counts are differences of the line's stored totals, so that they are exact whatever memory was lost; places are named while they are few.
 */
import { HAPPENINGS, type Happening, type LogEntry, type LogEvent, type Minute, type Page } from "../src/core/audit";
import type { Counts as Classes } from "../src/core/classes";
import { errorPercent, type OriginOutcomes, p95Ms, requestsIn } from "../src/core/origin-outcomes";
import { settingsAt } from "../src/core/schedule";
import type { RoomSettings } from "../src/core/settings-types";
import { toldSince } from "../src/core/waits";
import { newTotals } from "./line/counters";
import { joinsClosed } from "./line/joins";
import { takeNamed } from "./line/journal";
import { wantedNow } from "./line/ramp";
import { State } from "./line/slot-table";
import { settingsNow } from "./line/slow-down";
import { type LineState, waitingCount } from "./line/state";
import { phaseOf } from "./line/view";
import type { Memory } from "./memory";
import type { Store } from "./store";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

type Counts = Readonly<Record<Happening, number>>;
/** What stands until it changes. */
type States = Readonly<Record<"phase" | "joins" | "under-attack" | "slowed-down", string>>;

/** How far something had counted, in which line, and how it stood. */
export interface Mark {
  readonly generation: number;
  readonly totals: Counts;
  readonly states?: States;
}

/** A minute's mark. An earlier version counted no waits. */
export interface MinuteMark extends Mark {
  readonly waits?: Classes;
}

/** One second of the log. */
export interface LoggedSecond extends Mark {
  readonly events: readonly Omit<LogEntry, "id" | "at">[];
}

/** A Room's memory of what it has written down. */
export interface Logging {
  logged: Mark;
  /** ms. */
  loggedAt: number;
  /** Since the Unix epoch. */
  minute: number;
  counted: MinuteMark & { readonly waits: Classes };
  /** As the last step left it. */
  stood: Pick<Minute, "waiting" | "inside" | "new_users_per_minute" | "rate_per_minute" | "total_active_users" | "origin_p95_ms">;
  /** Outcomes since the Room was loaded, as they were when the minute, and the second, began. */
  origin: { readonly minute: OriginOutcomes; readonly second: OriginOutcomes };
  failedOpen: number;
}

const NO_ORIGIN: OriginOutcomes = { ok: 0, failed: 0, slow: 0 };

/** As the last step before the Room was loaded left it. @param at Room time of that step, ms */
export function startLog(store: Store, line: LineState, own: RoomSettings, at: number): Logging {
  const last = store.log.list({ before: null, limit: 1 })[0];
  const { generation, totals } = line.counters;
  // What a version without a log has counted is not news.
  const begin = last === undefined ? { generation, totals: countsOf(totals) } : { generation: 0, totals: newTotals() };
  return {
    logged: last?.second ?? begin,
    loggedAt: last?.at ?? 0,
    minute: Math.floor(at / MINUTE_MS),
    // A version that counted no waits has left no mark of them: those of now are not news.
    counted: { waits: [...line.counters.waits.counts], ...(store.log.lastMinute() ?? begin) },
    stood: standing(line, own),
    origin: { minute: NO_ORIGIN, second: NO_ORIGIN },
    failedOpen: 0,
  };
}

/** Before a step: the minute that is over is written down as it ended. */
export function closeMinute(memory: Memory, store: Store, now: number): void {
  const { log, line } = memory;
  const minute = Math.floor(now / MINUTE_MS);
  if (minute === log.minute) return;
  const { generation, totals, waits } = line.counters;
  const mark = { generation, totals: countsOf(totals), waits: [...waits.counts] };
  store.log.saveMinute(log.minute, { ...mark, minute: runningMinute(memory) });
  log.minute = minute;
  log.counted = mark;
  log.origin = { ...log.origin, minute: memory.line.origin.totals };
}

/** After a step: what happened goes into the log once a second, a change of state at once. */
export function logStep(memory: Memory, store: Store, now: number, isForced = false): void {
  const { log, line } = memory;
  const { counters } = line;
  const origin = line.origin.totals;
  const settings = wantedNow(line, memory.config.settings);
  log.stood = standing(line, memory.config.settings);
  const states: States = {
    phase: phaseOf(line, settings),
    joins: joinsClosed(line, settings) ?? "open",
    "under-attack": counters.attack.by ?? "calm",
    "slowed-down": counters.slowed?.why ?? "no",
  };
  const before = log.logged.states ?? states;
  const changes = (Object.keys(states) as (keyof States)[]).filter((name) => (before[name] ?? states[name]) !== states[name]);
  const isFirst = log.logged.states === undefined;
  if (changes.length === 0 && !isFirst && !isForced && now - log.loggedAt < SECOND_MS) return;
  const happened = since(line, log.logged);
  const failed = origin.failed - log.origin.second.failed;
  const open = (memory.failedOpen?.people ?? 0) - log.failedOpen;
  const kinds = HAPPENINGS.filter((what) => happened[what] > 0);
  if (kinds.length === 0 && changes.length === 0 && failed === 0 && open === 0 && !isFirst) return;
  const named = takeNamed(line);
  const entry = (event: LogEvent, count: number, places: readonly number[] = [], detail: string | null = null) => {
    return { event, count, places, dropped: count - places.length, detail };
  };
  const events = [
    ...changes.map((name) => ({ ...entry(name, 1, [], `${before[name]} → ${states[name]}`), dropped: 0 })),
    ...kinds.map((what) => entry(what, happened[what], named[what])),
    ...(failed > 0 ? [entry("site-failed", failed)] : []),
    ...(open > 0 ? [entry("failed-open", open)] : []),
  ];
  const second = { generation: counters.generation, totals: countsOf(counters.totals), states, events };
  store.log.add(now, second);
  log.logged = second;
  log.loggedAt = now;
  log.origin = { ...log.origin, second: origin };
  log.failedOpen = memory.failedOpen?.people ?? 0;
}

/** Newest first. `before` is the id of a second: all entries of one come together. */
export function logEntries(store: Store, page: Page): LogEntry[] {
  return store.log
    .list(page)
    .flatMap(({ id, at, second }) => second.events.map((event) => ({ id, at: new Date(at).toISOString(), ...event })));
}

/** Oldest first, the running minute last. */
export function minutesOf(memory: Memory, store: Store, minutes: number): Minute[] {
  const { minute } = memory.log;
  const at = new Date(minute * MINUTE_MS).toISOString();
  return [...store.log.minutes(minute - minutes + 1), { at, ...runningMinute(memory) }];
}

function runningMinute({ line, log }: Memory): Omit<Minute, "at"> {
  const { minute } = log.origin;
  const origin = line.origin.totals;
  const { generation, waits } = line.counters;
  const seen = { ok: origin.ok - minute.ok, failed: origin.failed - minute.failed, slow: origin.slow - minute.slow };
  return {
    ...since(line, log.counted),
    ...toldSince(waits, log.counted.generation === generation ? log.counted.waits : [], log.minute),
    ...log.stood,
    origin_ok: seen.ok,
    origin_failed: seen.failed,
    origin_slow: seen.slow,
    origin_error_percent: requestsIn(seen) === 0 ? null : Math.round(100 * errorPercent(seen)) / 100,
  };
}

function standing(line: LineState, own: RoomSettings): Logging["stood"] {
  const { now } = line.counters;
  const settings = settingsAt(own, now);
  return {
    waiting: waitingCount(line),
    inside: line.table.count(State.INSIDE),
    new_users_per_minute: settings.newUsersPerMinute,
    rate_per_minute: settingsNow(line, settings).newUsersPerMinute,
    origin_p95_ms: p95Ms(line.origin.since(now - MINUTE_MS)),
    total_active_users: settings.totalActiveUsers,
  };
}

/** In this generation: totals begin anew with each. */
function since({ counters }: LineState, mark: Mark): Record<Happening, number> {
  const from = mark.generation === counters.generation ? mark.totals : newTotals();
  // A total that an older version did not count has no past.
  return Object.fromEntries(HAPPENINGS.map((what) => [what, counters.totals[what] - (from[what] ?? 0)])) as Record<Happening, number>;
}

function countsOf(totals: Counts): Counts {
  return Object.fromEntries(HAPPENINGS.map((what) => [what, totals[what]])) as Counts;
}
