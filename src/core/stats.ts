/**
 * The numbers of a room, as the Room tells them: what people at the controls, Prometheus and the console see. Pure: types only.
 * Names are snake_case: they go out as JSON unchanged.
 */
import type { LineChoice, Warning } from "./admin";
import type { AuditEntry, LogEntry } from "./audit";
import type { CallbackCount, ShadowCounts } from "./edge-notes";
import type { WaitsTold } from "./waits";

/** Every count of P6, what is in use of P1, and why nobody is going in right now. */
export interface Stats extends WaitsTold {
  readonly room: string;
  readonly generation: number;
  readonly revision: number;
  readonly now: string;
  readonly phase: string;
  readonly issued: number;
  readonly admitted_epoch: number;
  readonly waiting: number;
  readonly called: number;
  readonly inside: number;
  readonly lapsed: number;
  readonly passed_over: number;
  readonly missed: number;
  readonly returning: number;
  readonly leaving: number;
  readonly ended: number;
  /** Places held for people who have been called. */
  readonly places_held: number;
  readonly places_leased: number;
  readonly places_free: number;
  readonly total_active_users: number;
  /** The capacity in force: `total_active_users`, or on the way there. */
  readonly capacity: number;
  readonly new_users_per_minute: number;
  /** The rate in force: `new_users_per_minute`, on the way there, or less while `slow_down` brakes. */
  readonly rate_per_minute: number;
  /** What is on its way to where the settings say, from when until when; null = nothing is. */
  readonly ramp: {
    readonly since: string;
    readonly until: string;
    readonly new_users_per_minute: { readonly from: number; readonly to: number } | null;
    readonly total_active_users: { readonly from: number; readonly to: number } | null;
  } | null;
  readonly entered_last_minute: number;
  readonly joined_last_minute: number;
  /** How long somebody who joins now waits, at the pace of the last minute; null = nobody enters. */
  readonly newcomer_wait_minutes: number | null;
  readonly joined_total: number;
  readonly entered_total: number;
  readonly refused_total: number;
  readonly called_total: number;
  /** Gave the place up, or had it taken by the site or an operator. */
  readonly left_total: number;
  /** Visits that were idle for too long, and visits that reached their end. */
  readonly lapsed_total: number;
  readonly over_total: number;
  /** Turns that were not answered, and turns passed over because nobody was there. */
  readonly missed_total: number;
  readonly passed_over_total: number;
  readonly takeovers_total: number;
  /** Changes of network that were taken as they came, and visits that had so many that their visitor was asked. */
  readonly moved_total: number;
  readonly moved_often_total: number;
  readonly void_total: number;
  /** Joins that were asked for proof, and places given for a proof. */
  readonly challenged_total: number;
  readonly proven_total: number;
  /** Attempts to join without proof. */
  readonly attempts_last_minute: number;
  /** null = calm. */
  readonly under_attack: { readonly by: "operator" | "threshold"; readonly since: string } | null;
  /** `mode = "shadow"`: page loads by what would have become of them, since the last reset. */
  readonly shadow: ShadowCounts;
  /** Requests with a body and without cookies that no browser made, of the last day by path, the most frequent first, at most 20. */
  readonly callbacks: readonly (CallbackCount & { readonly first_at: string; readonly last_at: string })[];
  readonly isolates: number;
  /** Signing keys that were revoked in this room, and what has been made out anew or refused since. */
  readonly revoked_keys: readonly {
    readonly kid: string;
    readonly at: string;
    readonly line: LineChoice;
    readonly issued: number;
    readonly reissued: number;
    readonly refused: number;
  }[];
  /** The event that has opened its lobby or is on, or was called off and would be. Times RFC 3339. */
  readonly event: {
    readonly name: string;
    readonly stage: "lobby" | "event" | "cancelled";
    readonly starts_at: string;
    readonly ends_at: string;
  } | null;
  /** The draw that counts entries, else the one that waits for its random number; `window` = of `queueing_method = "random"`. */
  readonly draw: {
    readonly id: number;
    readonly event: string;
    readonly state: "collecting" | "drawing";
    readonly entries: number;
    readonly commitment: string;
    /** The drand round that is awaited. */
    readonly round: number | null;
    /** Network prefixes that entries came from, and the share of entries from the busiest 1 % of them, 0…1; null = none known. */
    readonly networks: number | null;
    readonly busiest_networks_share: number | null;
    /** `free_entries` at work; null = off. `steps[cost]`: so many entries were due that cost. Prefixes by their hash, 8 hex digits. */
    readonly ladder: {
      readonly steps: readonly number[];
      readonly busiest: readonly BusyPrefix[];
      readonly busiest_wide: readonly BusyPrefix[];
    } | null;
    /** Entries that nobody has asked about since they were made; null = not known yet after a restart of the Room. */
    readonly unseen_entries: number | null;
    /** What should not be overlooked about it. */
    readonly warnings: readonly Warning[];
  } | null;
  /** Origin outcomes seen by the edge since the Room was loaded. */
  readonly origin: { readonly ok: number; readonly failed: number; readonly slow: number };
  /** Of all its replies since then: how many per class of their time to the first byte (`TIME_ENDS_MS`), and the sum of the times. */
  readonly origin_times: { readonly counts: readonly number[]; readonly sum_ms: number };
  /** p95_ms: the time to the first byte that 95 of 100 stayed within; null = nothing was measured. */
  readonly origin_last_minute: { readonly requests: number; readonly error_percent: number; readonly p95_ms: number | null };
  /** null = the rate is the operator's. */
  readonly slowed_down: { readonly why: "errors" | "slow"; readonly since: string } | null;
  /** People whom Workers let in while they could not reach the Room, as they have told since it was loaded; null = none. */
  readonly failed_open: { readonly people: number; readonly requests: number; readonly since: string } | null;
  /** One word and one sentence. `nothing` = people are going in, or nobody waits. */
  readonly blocked_by: { readonly code: BlockedBy; readonly sentence: string };
}

/** With what was done and what happened lately, newest first. */
export interface RoomStats extends Stats {
  readonly recent: { readonly audit: readonly AuditEntry[]; readonly log: readonly LogEntry[] };
}

export interface BusyPrefix {
  readonly hash: string;
  readonly entries: number;
  /** Of its next entry. */
  readonly next_cost: number;
}

export type BlockedBy =
  | "nothing"
  | "paused"
  | "rate-zero"
  | "capacity"
  | "rate"
  | "ended"
  | "suspended"
  | "calls-unanswered"
  | "closed"
  | "lobby"
  | "drawing"
  | "slowed-down"
  | "storage-full";
