/** The sale in numbers, afterwards. Pure. */

import type { Minute } from "../../src/core/audit";
import type { RoomStats } from "../../src/core/stats";
import { amount, count, span } from "./words";

export function reportRows(stats: RoomStats, minutes: readonly Minute[]): (readonly [string, string])[] {
  const most = (of: (minute: Minute) => number) => Math.max(0, ...minutes.map(of));
  const busiest = minutes.filter(({ entered }) => entered > 0);
  const entered = busiest.reduce((sum, minute) => sum + minute.entered, 0);
  const answers = minutes.reduce((sum, { origin_ok: ok, origin_failed: bad }) => sum + ok + bad, 0);
  const waited = (seconds: number | null | undefined) => (typeof seconds === "number" ? span(seconds) : "–");
  const failed = minutes.reduce((sum, minute) => sum + minute.origin_failed, 0);
  return [
    ["Joined", count(stats.joined_total)],
    ["Let in", count(stats.entered_total)],
    ["Still waiting", count(stats.waiting)],
    ["Still inside", count(stats.inside)],
    ["Most waiting at the end of a minute", count(most(({ waiting }) => waiting))],
    ["Most inside at the end of a minute", `${count(most(({ inside }) => inside))} of ${count(stats.total_active_users)}`],
    ["Most let in within a minute", count(most((minute) => minute.entered))],
    ["Let in per minute, while anybody was", busiest.length === 0 ? "–" : amount(entered / busiest.length)],
    ["Half of them waited at most", waited(stats.wait_p50_seconds)],
    ["95 in 100 waited at most", waited(stats.wait_p95_seconds)],
    ["The longest wait", waited(stats.wait_max_seconds)],
    ["Gave the place up", count(stats.left_total)],
    ["Turns missed", count(stats.missed_total)],
    ["Turns passed over: nobody was there", count(stats.passed_over_total)],
    ["Visits that were idle for too long", count(stats.lapsed_total)],
    ["Visits that reached their end", count(stats.over_total)],
    ["Refused", count(stats.refused_total)],
    ["Errors of the site", answers === 0 ? "–" : `${amount((100 * failed) / answers)} %`],
  ];
}
