/**
 * What the admin API asks of the Room, and what the Room answers. Pure: types only.
 * Operator-facing values keep their snake_case names here: they go out as JSON unchanged.
 */

import type { Role } from "./admin-routes";
import type { AuditEntry, LogEntry } from "./audit";
import type { CallbackCount, ShadowCounts } from "./edge-notes";
import type { Outlook } from "./outlook";
import type { PageFileKind } from "./page-files";
import type { WaitsTold } from "./waits";

/** The switches of DESIGN §2. `pause`/`resume` set `queue_all`; the room is switched off by the setting `suspended`. */
export type SwitchName =
  | "pause"
  | "resume"
  | "stop-joins"
  | "allow-joins"
  | "under-attack"
  | "calm"
  | "flush"
  | "end-sessions"
  | "reset"
  | "sold-out"
  | "reopen"
  | "full-rate"
  | "stop-ramp";

/** Settings as the operator writes them (wrangler.toml, PATCH bodies). */
export type OperatorSettings = Record<string, unknown>;

export interface Actor {
  readonly name: string;
  readonly reason: string;
}

/** A request that may be repeated: its key, and the hash of what it asked. */
export interface Once {
  readonly key: string;
  readonly print: string;
}

/** Who asks for a change. An edge of an earlier version says only who and why. */
export interface Caller extends Actor {
  readonly role: Role;
  readonly once: Once | null;
}

export interface RoomDescription {
  readonly room: string;
  readonly generation: number;
  readonly revision: number;
  /** Effective settings, snake_case, defaults filled in. */
  readonly settings: OperatorSettings;
  /** Live values that differ from wrangler.toml. */
  readonly overrides: OperatorSettings;
  /** What wrangler.toml says where it differs. */
  readonly file: OperatorSettings;
  readonly switches: { readonly joins_stopped: boolean; readonly ended: boolean; readonly under_attack: boolean };
  readonly warnings: readonly Warning[];
}

export interface Changed extends RoomDescription {
  readonly changed: boolean;
  /** The revision that holds what held before; null = nothing was changed. */
  readonly undo: { readonly restore: number } | null;
}

/** What a change would do. */
export interface Forecast {
  readonly room: string;
  readonly revision: number;
  readonly dry_run: true;
  readonly would_change: boolean;
  readonly before: OperatorSettings;
  readonly after: OperatorSettings;
  readonly outlook: { readonly before: Outlook; readonly after: Outlook };
  /** How long a visit lasts; measured over the last minutes, or `session_duration` while too few have entered. */
  readonly visit_minutes: number;
  readonly visit_minutes_measured: boolean;
  /** Those whom it concerns. */
  readonly counts: SwitchResult["counts"];
  readonly warnings: readonly Warning[];
  readonly effective_within_seconds: number;
}

/** Allowed, but not to be overlooked. `warning` reads after the setting's name. */
export interface Warning {
  readonly setting: string;
  readonly warning: string;
}

export interface Revision {
  readonly revision: number;
  readonly at: string;
  readonly actor: string;
  readonly reason: string;
  readonly overrides: OperatorSettings;
}

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

/** A file of the waiting page, judged before, and the setting of its kind that is to name it. */
export interface FileUpload {
  readonly kind: PageFileKind;
  readonly name: string;
  /** A template as it is, a logo in base64url. */
  readonly body: string;
  readonly ifRevision: number | null;
  readonly actor: Caller;
}

export type AdminRefusal =
  | { readonly as: "invalid"; readonly problems: readonly { readonly setting: string; readonly problem: string }[] }
  | { readonly as: "conflict"; readonly revision: number }
  | { readonly as: "needs-confirmation"; readonly confirm: string }
  | { readonly as: "unknown-room" }
  | { readonly as: "unknown-event" }
  | { readonly as: "unknown-link" }
  | { readonly as: "unknown-webhook" }
  | { readonly as: "unknown-revision" }
  | { readonly as: "unknown-place" }
  | { readonly as: "unknown-token" }
  /** The same `Idempotency-Key` was used for something else. */
  | { readonly as: "key-reused" }
  /** Nothing more can be stored. Nothing was changed. */
  | { readonly as: "storage-full" }
  /** By the Room's clock something has begun that this would change. */
  | { readonly as: "too-late"; readonly problems: readonly { readonly setting: string; readonly problem: string }[] };

/** `replayed`: asked for before under the same key, and not done again. */
export type AdminResult<T> = { readonly as: "ok"; readonly value: T; readonly replayed?: true } | AdminRefusal;

export interface Change {
  readonly changes: OperatorSettings;
  /** Revision the caller read; null = do not check. */
  readonly ifRevision: number | null;
  /** true = PUT: settings not named go back to the file's values. */
  readonly replace: boolean;
  /** true = change the cookie settings although people wait or are inside. */
  readonly force?: boolean;
  /** Rate and capacity go there over this time; absent = at once. */
  readonly rampMs?: number;
  readonly actor: Caller;
}

/** What is done to one event of the room. `fields`, `event` and `changes` are as the operator wrote them, to be checked. */
export type EventAction =
  | { readonly as: "add"; readonly event: OperatorSettings }
  | { readonly as: "replace"; readonly name: string; readonly event: OperatorSettings }
  | { readonly as: "change"; readonly name: string; readonly changes: OperatorSettings }
  | { readonly as: "remove"; readonly name: string }
  | { readonly as: "move" | "start-now" | "cancel"; readonly name: string; readonly fields: OperatorSettings };

export interface EventChange {
  readonly action: EventAction;
  /** Revision the caller read; null = do not check. */
  readonly ifRevision: number | null;
  readonly actor: Caller;
}

/** What held at an earlier revision, or what wrangler.toml says, holds again. */
export interface Restore {
  readonly to: number | "file";
  readonly ifRevision: number | null;
  readonly actor: Caller;
}

export type Foreseen =
  | { readonly as: "change"; readonly change: Change }
  | { readonly as: "event"; readonly change: EventChange }
  | { readonly as: "restore"; readonly restore: Restore }
  | { readonly as: "switch"; readonly name: SwitchName };

export interface SwitchResult {
  readonly room: string;
  readonly done: SwitchName;
  /** false = it was so already. */
  readonly changed: boolean;
  /** Seconds until every edge acts on it. */
  readonly effective_within_seconds: number;
  /** People in each state as the switch found them: those whom it concerns. */
  readonly counts: { readonly waiting: number; readonly called: number; readonly inside: number };
  /** The switch that undoes it; null = nothing does. */
  readonly undo: SwitchName | null;
}

/** `keep`: places made out with the key are made out anew, once each. `new`: nothing that it signed counts any more. */
export type LineChoice = "keep" | "new";

export interface KeyRevocation {
  readonly kid: string;
  readonly line: LineChoice;
  readonly actor: Caller;
  /** The room's name typed, for a new line. */
  readonly confirm: string | null;
}

export interface KeyRevoked extends Omit<SwitchResult, "done" | "undo"> {
  readonly done: "revoke-key";
  readonly kid: string;
  readonly line: LineChoice;
  /** Slots given out before: none from here on is made out anew. */
  readonly issued: number;
}
