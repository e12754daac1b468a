/**
 * What the admin API asks of the Room, and what the Room answers. Pure: types only.
 * Operator-facing values keep their snake_case names here: they go out as JSON unchanged.
 */

import type { Role } from "./admin-routes";
import type { Outlook } from "./outlook";
import type { PageFileKind } from "./page-files";

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
  /** Seconds until every edge acts on it: by what it knew before. */
  readonly effective_within_seconds: number;
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
  /** The revision that it made; null = none: it is no setting, or changed nothing. */
  readonly revision: number | null;
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

export interface KeyRevoked extends Omit<SwitchResult, "done" | "undo" | "revision"> {
  readonly done: "revoke-key";
  readonly kid: string;
  readonly line: LineChoice;
  /** Slots given out before: none from here on is made out anew. */
  readonly issued: number;
}
