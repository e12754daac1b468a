/**
 * A room's numbers under the names that Cloudflare's API gives them (`GET /zones/{zone}/waiting_rooms/{room}/status`), for dashboards and
 * exporters that read those. Pure. Cloudflare's are estimates, up to 50 s old; ours are counted now.
 */
import type { Stats } from "./stats";

export interface CfStatus {
  readonly status: "event_prequeueing" | "not_queueing" | "queueing" | "suspended";
  /** The name of the event that has opened its lobby or is on; "" = none. */
  readonly event_id: string;
  readonly estimated_queued_users: number;
  readonly estimated_total_active_users: number;
  /** Until the last person in line goes in, at the pace of the last minute; 0 = nobody waits, or nobody goes in. */
  readonly max_estimated_time_minutes: number;
}

/** @param suspended the room is off by its setting, not because its method lets everybody in */
export function cfStatus(stats: Stats, suspended: boolean): CfStatus {
  const { phase, event, draw } = stats;
  // Entries have no slots until their draw is closed; people who are away are no longer in line.
  const entries = draw?.state === "collecting" ? draw.entries : 0;
  const queued = stats.waiting + stats.called + stats.returning + entries;
  const perMinute = stats.entered_last_minute > 0 ? stats.entered_last_minute : stats.new_users_per_minute;
  return {
    status: statusOf(phase, suspended, queued),
    event_id: event === null || event.stage === "cancelled" ? "" : event.name,
    estimated_queued_users: queued,
    estimated_total_active_users: stats.inside,
    max_estimated_time_minutes: perMinute > 0 ? Math.ceil(queued / perMinute) : 0,
  };
}

/** Where nobody may go in, whoever comes is queued. */
function statusOf(phase: string, suspended: boolean, queued: number): CfStatus["status"] {
  if (phase === "off") return suspended ? "suspended" : "not_queueing";
  if (phase === "lobby") return "event_prequeueing";
  return queued > 0 || phase !== "open" ? "queueing" : "not_queueing";
}
