/**
 * One visitor's place as support sees it, and bans. Pure: types only.
 */
import type { Actor } from "./admin";

/** A place by what the reference code says. */
export interface PlaceId {
  readonly generation: number;
  readonly slot: number;
}

export type PlaceState =
  | "waiting"
  | "called"
  | "inside"
  | "lapsed"
  | "passed-over"
  | "missed"
  | "returning"
  | "leaving"
  | "ended"
  /** Of a line that was reset since. */
  | "restarted"
  /** No such place was given out: the code was misread. */
  | "unknown";

/** Whoever had this place may not join: their browser, and in rooms that ask who somebody is, they themselves. */
export interface Ban extends PlaceId {
  readonly at: string;
  readonly by: Actor;
  readonly keys: readonly string[];
}

export interface PlaceShown extends PlaceId {
  readonly room: string;
  readonly state: PlaceState;
  /** Slots in front that are not known to have gone; null = not waiting. */
  readonly ahead: number | null;
  /** Last heard of, as far as the Room knows: near the front, since it was loaded; null = not known. */
  readonly last_seen_at: string | null;
  /** When the call, the visit or the return time runs out; null = nothing does. */
  readonly until: string | null;
  readonly calls: number;
  readonly banned: { readonly at: string; readonly by: Actor } | null;
}

/** `next`: the key of the place that would follow this one, which only the edge can compute. */
export interface PlaceAct extends PlaceId {
  readonly as: "remove" | "ban" | "unban";
  readonly next: string;
}
