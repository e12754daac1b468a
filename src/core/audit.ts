/**
 * Who did what, and what happened by itself: entries of the audit log, of the machine's log and of the minutes. Pure: types only.
 * They go out as JSON unchanged.
 */
import type { Role } from "./admin-routes";
import type { WaitsTold } from "./waits";

/** One act of a person, a token or a deployment. Appended in the transaction of the act itself, never changed. */
export interface AuditEntry {
  /** Counts up. */
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  readonly role: Role | "deploy";
  /** `change`, `restore`, a switch, `event add`, `staff-link made`, `ban`, … */
  readonly action: string;
  readonly reason: string;
  /** Of the settings, once it was done. */
  readonly revision: number;
  /** What it changed; settings and switches by name. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** What the line does to visitors, counted exactly. */
export const HAPPENINGS = ["joined", "called", "entered", "left", "lapsed", "over", "missed", "passed_over", "refused"] as const;
export type Happening = (typeof HAPPENINGS)[number];

export type LogEvent = Happening | "phase" | "joins" | "under-attack" | "slowed-down" | "site-failed" | "failed-open";

/** What happened within about a second. `count` is exact; of the places only the first few are named. */
export interface LogEntry {
  /** Of the second; entries of one second share it. */
  readonly id: number;
  readonly at: string;
  readonly event: LogEvent;
  readonly count: number;
  readonly places: readonly number[];
  /** So many more than are named. */
  readonly dropped: number;
  /** Of a change of state: before → after. */
  readonly detail: string | null;
}

/** One minute of a room. Counts are of the minute, the rest is as it stood at its end. A minute in which nobody asked for anything has none. */
export interface Minute extends Readonly<Record<Happening, number>>, WaitsTold {
  readonly at: string;
  readonly waiting: number;
  readonly inside: number;
  readonly new_users_per_minute: number;
  /** The rate in force: less while the brake is on. */
  readonly rate_per_minute: number;
  readonly total_active_users: number;
  readonly origin_ok: number;
  readonly origin_failed: number;
  readonly origin_slow: number;
  /** null = nothing was asked of the site. */
  readonly origin_error_percent: number | null;
  /** Of its last minute; null = nothing was measured. */
  readonly origin_p95_ms: number | null;
}

/** Newest first; `before` = only entries with smaller ids. */
export interface Page {
  readonly before: number | null;
  readonly limit: number;
}
