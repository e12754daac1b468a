/**
 * What one visitor is told: the body of `GET /__vestibule/rooms/{room}/status`, and the view the page is rendered from.
 * Pure arithmetic on a manifest; no clock, no I/O.
 */
import type { Manifest } from "./manifest";
import type { Challenge } from "./proof";

/** DESIGN §9; `restarted` visitors get a fresh place and see `waiting` with `reason: "restarted"`. */
export type VisitorState =
  | "lobby"
  | "drawing"
  | "joining"
  | "waiting"
  | "called"
  | "returning"
  | "inside"
  | "void"
  | "paused"
  | "ended"
  | "full"
  | "refused"
  | "closed";

/** Why, in one stable word; null when the state says it all. */
export type StatusReason =
  | "paused"
  | "rate-zero"
  | "slow"
  | "moment"
  | "missed-away"
  | "restarted"
  | "room-unreachable"
  | "storage-full"
  | "room-off"
  | "taken-over"
  | "no-takeovers-left"
  | "network-changed"
  | "left"
  | "removed"
  | "flushed"
  | "return-time-over"
  | "session-over"
  | "place-void"
  | "sold-out"
  | "joins-stopped"
  | "network-limit"
  | "network-refused"
  | "challenge"
  | "cookies-needed"
  | "in-app-browser"
  | "delayed"
  | "cancelled"
  | "outside-events"
  | "rejected"
  | DoorReason
  | "unknown";

/** The Room does not answer, or can note nothing down. */
export type Trouble = "room-unreachable" | "storage-full";

/** Why a newcomer may not join a room that asks for an invitation or a log-in. */
export const DOOR_REASONS = [
  "invitation-needed",
  "invitation-bad",
  "invitation-expired",
  "invitation-other-room",
  "invitation-used",
  "identity-needed",
  "identity-bad",
  "identity-expired",
  "identity-unchecked",
] as const;
export type DoorReason = (typeof DOOR_REASONS)[number];

export interface Eta {
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

export interface Status {
  readonly state: VisitorState;
  readonly room: string;
  readonly slot: number | null;
  /** Slots in front not known to have gone; never negative. null where no place exists or it does not matter. */
  readonly ahead: number | null;
  /** People waiting in all; follows `public_totals`; never less than `ahead + 1` for someone waiting. */
  readonly waiting: number | null;
  readonly eta: Eta | null;
  readonly phase: Manifest["phase"];
  /** The operator's message. */
  readonly message: string;
  /** Since when it stands, ms since the Unix epoch; absent = not known, or there is none. */
  readonly messageAt?: number;
  /** Server time, ms since the Unix epoch. */
  readonly now: number;
  readonly pollAfterMs: number;
  /** The server has spread a whole crowd over time: ask exactly then, without a chance of your own. */
  readonly pollExactly?: true;
  /** `moment`: entering in this long. `called`: the place is held this long, and the call is valid that long. */
  readonly dueInMs?: number;
  readonly holdForMs?: number;
  readonly validForMs?: number;
  /** `called`: `POST extend` makes that longer, once in each call. */
  readonly extendable?: true;
  readonly takeoversLeft?: number;
  /** State `waiting`: people who are back after a missed turn and go in between; follows `public_totals`, absent = none or not told. */
  readonly returners?: number;
  /** What support can find the place by; in the answer that a place comes with, and in pages. */
  readonly reference?: string;
  /** State `closed` before a planned opening, ms since the Unix epoch. */
  readonly opensAt?: number;
  /** State `lobby`, and `drawing` after one. Times are ms since the Unix epoch. */
  readonly event?: {
    readonly name: string;
    readonly opensAt: number;
    readonly startsAt: number;
    readonly plannedAt: number;
    readonly endsAt: number;
    readonly utcOffsetMinutes: number;
    readonly entries: number | null;
    readonly commitment: string | null;
    readonly beacon: "drand" | "none";
  };
  /** The draw that this visitor's entry or slot belongs to: what can be checked. */
  readonly draw?: { readonly id: number; readonly entry: number };
  /** State `joining`, reason `challenge`: what to show before a place is given. */
  readonly challenge?: Challenge;
  readonly reason: StatusReason | null;
  /** Names how the page looks and what it is called; changes with that. Absent = as every page of ours. */
  readonly look?: string;
}
