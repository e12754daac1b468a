/**
 * Judges the promises of SPEC.md by what a crowd met. Pure: diaries (crowd-diary.mjs) and the room's own numbers in, a verdict out.
 *
 * What a visitor met has a beginning and an end, and the Room acted somewhere in between. So every check asks whether there is
 * any way at all in which the promise was kept: a promise that is called broken is broken.
 */

import { RECORD_MS } from "./crowd-diary.mjs";

/** The Room counts whole milliseconds: a window may be this much longer than it looks. */
const CLOCK_MS = 2;
/** From this age on, what an edge tells people in line is marked as old news, ms. */
const OLD_NEWS_MS = 10_000;

/**
 * `diaries`: one for each visitor. `samples`: `{ at, stats }` of the admin API, oldest first, at least one.
 * `revokeBoundMs`: how long a place that was given up stays empty. `endedBefore`: passes made before it (ms) were ended by the operator.
 * Returns `[{ promise, what, found, allowed, kept }]`.
 */
export function judge({ diaries, samples, revokeBoundMs, endedBefore }) {
  const entries = diaries.flatMap((diary) => diary.entries);
  const places = diaries.flatMap((diary) => diary.places);
  const all = samples.map(({ stats }) => stats);
  // Settings may change while the crowd is there: judged by the most that held at any time.
  const capacity = Math.max(...all.map((stats) => stats.total_active_users));
  const ratePerMinute = Math.max(...all.map((stats) => stats.new_users_per_minute));
  const peak = mostAtOnce(entries.map((entry) => ({ from: entry.to, to: freeAgain(entry, { samples, revokeBoundMs, endedBefore }) })));
  const inUse = Math.max(...all.map((stats) => stats.inside + stats.leaving + stats.places_held + stats.places_leased));
  const window = fullestWindow(
    entries.filter(({ again }) => !again),
    ratePerMinute,
  );
  const faults = diaries.flatMap((diary) => diary.faults);
  const unsummed = all.filter((stats) => !isConserved(stats)).length;
  const overtaken = overtakenInLine(places, entries);
  return [
    row("P1", "places taken at once, by what visitors know", peak, capacity),
    row("P1", `places taken at once, by ${samples.length} looks at the room`, inUse, capacity),
    row("P2", `entries within ${seconds(window.ms)}, the fullest window`, window.entries, floor(window.allowed)),
    row("P4", "visitors whose place is behind that of somebody who came later", outOfOrder(places), 0),
    row("P4", `visitors told to wait ${seconds(OLD_NEWS_MS)} after a later place had gone in`, overtaken, 0),
    row("P5", "places given to two visitors", givenTwice(places), 0),
    row("P6", "looks at the room at which its people did not add up", unsummed, 0),
    row("P9", faults.length > 0 ? `places lost or changed (${faults[0]})` : "places lost or changed", faults.length, 0),
  ];
}

function row(promise, what, found, allowed) {
  return { promise, what, found, allowed, kept: found <= allowed };
}

const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;
const floor = (value) => Math.floor(value * 10) / 10;

/** The earliest time at which an entry's place may be somebody else's. */
function freeAgain({ generation, left, passEnds, passMade }, { samples, revokeBoundMs, endedBefore }) {
  const times = [passEnds + RECORD_MS];
  if (left !== null) times.push(left + revokeBoundMs);
  if (passMade < endedBefore) times.push(endedBefore);
  // A new line: at the latest look that still saw the old one.
  const isReset = samples.some(({ stats }) => stats.generation > generation);
  if (isReset) times.push(samples.findLast(({ stats }) => stats.generation <= generation)?.at ?? 0);
  return Math.min(...times);
}

/** Most intervals that overlap at one moment. */
export function mostAtOnce(intervals) {
  const steps = intervals.flatMap(({ from, to }) =>
    from < to
      ? [
          [from, 1],
          [to, -1],
        ]
      : [],
  );
  // Who goes makes room for who comes in the same instant.
  steps.sort(([a, up], [b, other]) => a - b || up - other);
  let now = 0;
  let peak = 0;
  for (const [, change] of steps) {
    now += change;
    peak = Math.max(peak, now);
  }
  return peak;
}

/**
 * The window that comes nearest to its limit, or exceeds it most: `{ ms, entries, allowed }`.
 * Counted are entries that lie in the window however late or early the Room granted them within `from` … `to`.
 */
export function fullestWindow(entries, ratePerMinute) {
  const burst = Math.max(2, ratePerMinute / 60);
  const allowedIn = (ms) => burst + ((ms + CLOCK_MS) * ratePerMinute) / 60_000;
  const byStart = [...entries].sort((a, b) => a.from - b.from);
  let worst = { ms: 0, entries: 0, allowed: burst };
  byStart.forEach(({ from }, i) => {
    const ends = byStart.slice(i).map(({ to }) => to);
    ends.sort((a, b) => a - b);
    ends.forEach((to, k) => {
      const allowed = allowedIn(to - from);
      if (k + 1 - allowed > worst.entries - worst.allowed) worst = { ms: to - from, entries: k + 1, allowed };
    });
  });
  return worst;
}

/** Visitors who began to join after somebody else's join had returned, and stand before them. */
export function outOfOrder(places) {
  const byStart = [...places].sort((a, b) => a.from - b.from);
  const byEnd = [...places].sort((a, b) => a.to - b.to);
  const last = new Map();
  let found = 0;
  let ended = 0;
  for (const place of byStart) {
    for (; ended < byEnd.length && byEnd[ended].to < place.from; ended++) {
      const { generation, slot } = byEnd[ended];
      last.set(generation, Math.max(slot, last.get(generation) ?? -1));
    }
    if ((last.get(place.generation) ?? -1) > place.slot) found += 1;
  }
  return found;
}

/** Visitors who were told to wait long after somebody behind them had gone in. */
function overtakenInLine(places, entries) {
  return places.filter(({ generation, slot, toldToWaitAt }) => {
    const later = entries.filter((entry) => entry.generation === generation && entry.slot > slot);
    return later.some((entry) => toldToWaitAt !== null && entry.to + OLD_NEWS_MS < toldToWaitAt);
  }).length;
}

function givenTwice(places) {
  return places.length - new Set(places.map(({ generation, slot }) => `${generation}.${slot}`)).size;
}

function isConserved(stats) {
  const { waiting, called, inside, lapsed, passed_over, missed, returning, leaving, ended } = stats;
  const parts = [waiting, called, inside, lapsed, passed_over, missed, returning, leaving, ended];
  return parts.every((part) => part >= 0) && parts.reduce((sum, part) => sum + part, 0) === stats.issued;
}
