/**
 * What is worth telling of a room, from one step to the next: the line, the site, the settings, draws and limits. Pure. Each condition has a
 * latch with patience both ways, so that nobody is told of the same thing twice in a minute.
 */
import type { DrawRecord } from "../../src/core/draw";
import type { News } from "../../src/core/news";
import { errorPercent, requestsIn } from "../../src/core/origin-outcomes";
import type { RoomSettings, Topic } from "../../src/core/settings-types";
import { lastMinute } from "./advance";
import { LEAST_REQUESTS, settingsNow } from "./slow-down";
import { isFrozen, type LineState, waitingCount } from "./state";
import { blocked, blockedBy } from "./view";
import { type Latch, type LatchName, NO_WATCH, type ToldChange } from "./watch-state";

/** Nobody is told of one thing more often than this, ms. */
export const GAP_MS = 60_000;
const OFF_SHARE = 0.8;
const STORAGE_NEAR_BYTES = 4e9;
const CHANGES_MAX = 10;

/** How long a condition must hold, and how long it must not, before it is told, ms. */
const PATIENCE_MS = {
  queueing: { on: 5_000, off: 60_000 },
  wait: { on: 60_000, off: 60_000 },
  errors: { on: 0, off: 60_000 },
  entries: { on: 120_000, off: 60_000 },
  brake: { on: 0, off: 0 },
  storage: { on: 0, off: 0 },
  keys: { on: 0, off: 0 },
} as const satisfies Record<LatchName, { readonly on: number; readonly off: number }>;

/** What the line does not know by itself. */
export interface Facts {
  readonly storedBytes: number;
}

interface Condition {
  readonly name: LatchName;
  readonly topic: Topic;
  /** null = neither: as it is. */
  readonly holds: boolean | null;
  readonly on: () => Omit<News, "topic">;
  readonly off: (() => Omit<News, "topic">) | null;
}

/** Somebody changed something. Told with the next step. */
export function noteChange({ counters }: LineState, change: Omit<ToldChange, "at">): void {
  const { watch } = counters;
  const changes = [...watch.changes, { ...change, at: new Date(counters.now).toISOString() }];
  const left = Math.max(0, changes.length - CHANGES_MAX);
  counters.watch = { ...watch, changes: changes.slice(left), changesLeftOut: watch.changesLeftOut + left };
}

/** What is to be told after this step. */
export function watch(line: LineState, own: RoomSettings, facts: Facts): News[] {
  const { counters } = line;
  if (own.webhooks.length === 0) {
    counters.watch = NO_WATCH;
    return [];
  }
  const latches = { ...counters.watch.latches };
  const news: News[] = [];
  for (const condition of conditionsOf(line, settingsNow(line, own), facts)) {
    const before = latches[condition.name] ?? { on: false, turningMs: null, toldMs: 0 };
    const after = turned(before, condition, counters.now);
    latches[condition.name] = after;
    if (after.on === before.on) continue;
    const told = after.on ? condition.on : condition.off;
    if (told !== null) news.push({ topic: condition.topic, ...told() });
  }
  counters.watch = { ...counters.watch, latches };
  return [...news, ...changesOf(line), ...drawsOf(line)];
}

/** When time alone will bring something to tell, Room time, ms; null = nothing is on its way. */
export function nextNewsMs({ counters: { watch: state } }: LineState, own: RoomSettings): number | null {
  if (own.webhooks.length === 0) return null;
  const turns = (Object.keys(PATIENCE_MS) as LatchName[]).flatMap((name) => dueMs(name, state.latches[name]) ?? []);
  const due = state.changes.length > 0 ? [...turns, state.changesToldMs + GAP_MS] : turns;
  return due.length === 0 ? null : Math.min(...due);
}

function turned(latch: Latch, { name, holds }: Condition, now: number): Latch {
  if (holds === null || holds === latch.on) return latch.turningMs === null ? latch : { ...latch, turningMs: null };
  const turning = { ...latch, turningMs: latch.turningMs ?? now };
  return (dueMs(name, turning) ?? 0) <= now ? { on: !latch.on, turningMs: null, toldMs: now } : turning;
}

/** When this latch turns if its condition stays as it is; null = it does not. */
function dueMs(name: LatchName, latch: Latch | undefined): number | null {
  if (latch === undefined || latch.turningMs === null) return null;
  return Math.max(latch.turningMs + PATIENCE_MS[name][latch.on ? "off" : "on"], latch.toldMs + GAP_MS);
}

function conditionsOf(line: LineState, settings: RoomSettings, { storedBytes }: Facts): Condition[] {
  const { counters, origin } = line;
  const waiting = waitingCount(line);
  const frozen = isFrozen(line, settings);
  const { entered } = lastMinute(line);
  const rate = settings.newUsersPerMinute;
  const minutes = Math.ceil(waiting / (entered > 0 ? entered : Math.max(rate, 1e-6)));
  const over = settings.tellWaitOverMinutes;
  const seen = origin.since(counters.now - 60_000);
  const percent = Math.round(10 * errorPercent(seen)) / 10;
  const isSample = requestsIn(seen) >= LEAST_REQUESTS;
  const errorsOver = settings.tellErrorsOverPercent;
  const numbers = { waiting, entered_last_minute: entered, rate_per_minute: rate };
  const per = (count: number) => `${count} a minute`;
  return [
    {
      name: "queueing",
      topic: "queueing",
      holds: waiting > 0,
      on: () => ({ type: "queueing.started", text: `Room ${line.room}: a line has formed, ${waiting} people wait.`, data: numbers }),
      off: () => ({ type: "queueing.ended", text: `Room ${line.room}: nobody waits any more.`, data: numbers }),
    },
    {
      name: "wait",
      topic: "wait",
      holds: over === 0 ? false : frozen && waiting > 0 ? null : minutes > over ? true : minutes <= OFF_SHARE * over ? false : null,
      on: () => ({
        type: "wait.over",
        text: `Room ${line.room}: whoever joins now waits about ${minutes} minutes, more than ${over}.`,
        data: { ...numbers, minutes, over_minutes: over },
      }),
      off: () => ({
        type: "wait.below",
        text: `Room ${line.room}: the wait is below ${over} minutes again.`,
        data: { ...numbers, minutes, over_minutes: over },
      }),
    },
    {
      name: "errors",
      topic: "errors",
      holds: errorsOver === 0 ? false : isSample && percent > errorsOver ? true : percent <= OFF_SHARE * errorsOver ? false : null,
      on: () => ({
        type: "errors.over",
        text: `Room ${line.room}: ${percent} % of the site's replies of the last minute failed, more than ${errorsOver} %.`,
        data: { requests: requestsIn(seen), error_percent: percent, over_percent: errorsOver },
      }),
      off: () => ({
        type: "errors.below",
        text: `Room ${line.room}: the site's errors are below ${errorsOver} % again.`,
        data: { requests: requestsIn(seen), error_percent: percent, over_percent: errorsOver },
      }),
    },
    {
      name: "entries",
      topic: "entries",
      holds: waiting > 0 && !frozen ? entered < rate / 2 : false,
      on: () => ({
        type: "entries.slow",
        text: `Room ${line.room}: for two minutes fewer than half of the target have gone in (${per(entered)} of ${rate}), while ${waiting} wait. ${blocked(blockedBy(line, settings)).sentence}`,
        data: { ...numbers, blocked_by: blockedBy(line, settings) },
      }),
      off: () => ({ type: "entries.well", text: `Room ${line.room}: people go in as set again, or nobody waits.`, data: numbers }),
    },
    {
      name: "brake",
      topic: "brake",
      holds: counters.slowed !== null,
      on: () => ({
        type: "brake.on",
        text: `Room ${line.room}: the site struggles (${counters.slowed?.why}); the rate is down to ${per(rate)}. The switch full-rate gives it back.`,
        data: { rate_per_minute: rate, why: counters.slowed?.why },
      }),
      off: () => ({ type: "brake.off", text: `Room ${line.room}: the full rate is back, ${per(rate)}.`, data: { rate_per_minute: rate } }),
    },
    {
      name: "storage",
      topic: "limits",
      holds: storedBytes > STORAGE_NEAR_BYTES ? true : storedBytes < OFF_SHARE * STORAGE_NEAR_BYTES ? false : null,
      on: () => ({
        type: "storage.near_limit",
        text: `Room ${line.room}: its storage holds ${Math.round(storedBytes / 1e8) / 10} GB. Nobody can join once it is full.`,
        data: { stored_bytes: storedBytes },
      }),
      off: null,
    },
    {
      name: "keys",
      topic: "limits",
      holds: line.recent.fullness > 0.9 ? true : line.recent.fullness < 0.9 * OFF_SHARE ? false : null,
      on: () => ({
        type: "keys.near_limit",
        text: `Room ${line.room}: so many people join at once that the keys of the last minutes hardly fit into memory. A join that is repeated late may get a second place.`,
        data: { fullness: Math.round(100 * line.recent.fullness) / 100 },
      }),
      off: null,
    },
  ];
}

/** All changes of a minute in one message; the first at once. */
function changesOf(line: LineState): News[] {
  const { counters, room } = line;
  const { changes, changesLeftOut, changesToldMs } = counters.watch;
  if (changes.length === 0 || counters.now - changesToldMs < GAP_MS) return [];
  counters.watch = { ...counters.watch, changes: [], changesLeftOut: 0, changesToldMs: counters.now };
  const said = changes.map(({ what, by, reason }) => `${what} by ${by}${reason === "" ? "" : ` (${reason})`}`).join("; ");
  const more = changesLeftOut > 0 ? `; and ${changesLeftOut} before` : "";
  return [
    { topic: "settings", type: "settings.changed", text: `Room ${room}: ${said}${more}.`, data: { changes, left_out: changesLeftOut } },
  ];
}

/** Draws of events; those of windows come every few seconds. */
function drawsOf({ room, draws }: LineState): News[] {
  const done = draws.records.filter(({ event }) => event !== "").map((record) => drawDone(room, record));
  const dropped = draws.dropped.filter(({ event }) => event !== "");
  return [
    ...done,
    ...dropped.map(({ id, event, dropped: why, count }): News => {
      const text = `Room ${room}: the draw of ${event} will not take place (${why}); ${count} people had entered.`;
      return { topic: "draws", type: "draw.dropped", text, data: { draw: id, event, why, entries: count } };
    }),
  ];
}

function drawDone(room: string, { id, event, count, beacon }: DrawRecord): News {
  const isDisputed = "fallback" in beacon;
  const how = isDisputed ? "without the public random number, which could not be had: expect to be asked about it" : "as announced";
  return {
    topic: "draws",
    type: isDisputed ? "draw.without_beacon" : "draw.done",
    text: `Room ${room}: the draw of ${event} is done, ${how}; ${count} people had entered.`,
    data: { draw: id, event, entries: count, record: `/__vestibule/rooms/${room}/draws/${id}` },
  };
}
