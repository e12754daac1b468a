/** From the API's minutes to what charts and tables show. Pure. */

import type { AuditEntry, Minute } from "../../src/core/audit";
import type { RoomStats } from "../../src/core/stats";
import { act } from "./acts-words";

/** One moment of the charts; null = nobody was there to ask. */
export interface Point {
  /** Seconds since 1970, as charts count. */
  readonly at: number;
  readonly waiting: number | null;
  readonly inside: number | null;
  readonly joined: number | null;
  readonly entered: number | null;
  readonly target: number | null;
  readonly errorPercent: number | null;
  readonly p95: number | null;
  /** Of those who went in within the minute, minutes. */
  readonly waitHalf: number | null;
  readonly waitMost: number | null;
}

const MINUTE_S = 60;
/** A chart is never narrower in time. */
export const LEAST_S = 120;

/** The running minute is not over: the numbers of now stand in for it. */
export function pointsOf(minutes: readonly Minute[], now: RoomStats | null, ranges: { readonly minutes: number | null }): Point[] {
  const points: Point[] = [];
  for (const minute of minutes.slice(0, -1)) {
    const point = pointOf(minute);
    const last = points.at(-1);
    if (last !== undefined && point.at - last.at > 1.5 * MINUTE_S) points.push(gap(last.at + MINUTE_S));
    points.push(point);
  }
  if (now !== null) points.push(pointNow(now));
  // One point alone has no scale of time.
  const [only] = points;
  if (points.length === 1 && only !== undefined) points.unshift(gap(only.at - LEAST_S));
  const from = ranges.minutes === null ? Number.NEGATIVE_INFINITY : (points.at(-1)?.at ?? 0) - ranges.minutes * MINUTE_S;
  return points.filter(({ at }) => at >= from);
}

function pointOf(minute: Minute): Point {
  const { wait_p50_seconds: half, wait_p95_seconds: most } = minute;
  return {
    // A minute's numbers stand at its end.
    at: Date.parse(minute.at) / 1_000 + MINUTE_S,
    waiting: minute.waiting,
    inside: minute.inside,
    joined: minute.joined,
    entered: minute.entered,
    target: minute.rate_per_minute,
    errorPercent: minute.origin_error_percent,
    p95: minute.origin_p95_ms,
    waitHalf: half === null ? null : half / MINUTE_S,
    waitMost: most === null ? null : most / MINUTE_S,
  };
}

function pointNow(now: RoomStats): Point {
  const { requests, error_percent: errors, p95_ms: p95 } = now.origin_last_minute;
  return {
    at: Date.parse(now.now) / 1_000,
    waiting: now.waiting,
    inside: now.inside,
    joined: now.joined_last_minute,
    entered: now.entered_last_minute,
    target: now.rate_per_minute,
    errorPercent: requests === 0 ? null : errors,
    p95,
    waitHalf: null,
    waitMost: null,
  };
}

function gap(at: number): Point {
  const unknown = { waiting: null, inside: null, joined: null, entered: null, target: null };
  return { at, ...unknown, errorPercent: null, p95: null, waitHalf: null, waitMost: null };
}

/** A line over a chart where somebody acted. */
export interface Mark {
  readonly at: number;
  readonly label: string;
}

export function marksOf(entries: readonly AuditEntry[], points: readonly Point[]): Mark[] {
  const last = points.at(-1)?.at ?? 0;
  const first = Math.min(points[0]?.at ?? 0, last - LEAST_S);
  return entries
    .map((entry) => ({ at: Date.parse(entry.at) / 1_000, label: `${entry.actor}: ${act(entry)}` }))
    .filter(({ at }) => at >= first && at <= last)
    .toReversed();
}

/** For somebody who does not see the chart. */
export function summary(points: readonly Point[], of: (point: Point) => number | null, unit: string): string {
  const values = points.map(of).filter((value) => value !== null);
  if (values.length === 0) return "nothing was measured";
  const say = (value: number) => `${Math.round(10 * value) / 10}${unit}`;
  return `now ${say(values.at(-1) ?? 0)}, at most ${say(Math.max(...values))}`;
}

/** A small line as a path of an SVG, "" where there are no two values; its scale begins at nothing. */
export function pathOf(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return "";
  const most = Math.max(1, ...values);
  const x = (i: number) => Math.round((10 * i * width) / (values.length - 1)) / 10;
  const y = (value: number) => Math.round(10 * (height - 1 - (value / most) * (height - 2))) / 10;
  return values.map((value, i) => `${i === 0 ? "M" : "L"}${x(i)} ${y(value)}`).join("");
}
