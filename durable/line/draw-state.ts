/**
 * What a line remembers of its draws: the one that counts entries, the one that waits for its random number, the last ones drawn.
 * Pure: types and their empty values. Persisted with the counters, so it stays a few hundred bytes however many have entered.
 */
import type { DrawCutoff, DrawnPlaces, DrawOpening, DrawRecord, DroppedDraw } from "../../src/core/draw";
import type { JoinFrom } from "./recent-joins";

/** Counts entries. `event` "" = a window of `queueing_method = "random"`. */
export interface CollectingDraw extends DrawOpening {
  readonly salt: string;
  /** A window closes then, ms since the Unix epoch; null = a lobby, which closes when its event starts. */
  readonly closesAtMs: number | null;
  count: number;
  /** Hex. */
  chain: string;
}

/** Entries and chain are fixed; the slots from `base` on are theirs, and which is whose follows from a drand round. */
export interface AwaitingDraw extends DrawCutoff {
  readonly salt: string;
  readonly round: number;
  /** Without the round by then, and asked for in vain, the draw takes place without it, ms since the Unix epoch. */
  readonly fallbackAtMs: number;
}

/** The slots of the last lobby's draw: whoever is not seen for `settle_seconds` after it is passed over. */
export interface Settling {
  readonly base: number;
  readonly below: number;
  readonly drawnAtMs: number;
}

export interface DrawCounters {
  /** Ids count up over generations too. */
  nextDraw: number;
  /** The next lobby's salt, supplied by the shell: 32 random bytes in hex. Secret until the draw; its SHA-256 is public long before the lobby. */
  nextSalt: string | null;
  /** The next window's, apart: windows come and go while a lobby's commitment stands. */
  nextWindowSalt: string | null;
  collecting: CollectingDraw | null;
  drawing: AwaitingDraw | null;
  /** Closed while another draw waits for its number, oldest first. */
  awaiting: AwaitingDraw[];
  /** The last draws of this generation, newest first. */
  drawn: DrawnPlaces[];
  settling: Settling | null;
  /** The event whose lobby has opened, and when it was first going to start, ms; null = no lobby since the last event. */
  lobby: { readonly event: string; readonly plannedAtMs: number } | null;
}

export function newDrawCounters(): DrawCounters {
  return {
    nextDraw: 1,
    nextSalt: null,
    nextWindowSalt: null,
    collecting: null,
    drawing: null,
    awaiting: [],
    drawn: [],
    settling: null,
    lobby: null,
  };
}

/** One batch of entries: a row of the public list. */
export interface NewBatch {
  readonly draw: number;
  /** Number of its first entry. */
  readonly first: number;
  readonly digest: Uint8Array;
  /** Hashes of the entries' network prefixes, and of their IPv6 /48s; 0 = unknown or trusted, or none. */
  readonly networks: readonly number[];
  readonly wides: readonly number[];
}

/** To be stored, and forgotten once it is. */
export interface DrawChanges {
  /** Entries counted in this step, not in the chain yet. */
  readonly entering: { readonly key: string; readonly from: JoinFrom }[];
  readonly batches: NewBatch[];
  readonly records: DrawRecord[];
  /** Draws that will never take place. */
  readonly dropped: DroppedDraw[];
}

export function noDrawChanges(): DrawChanges {
  return { entering: [], batches: [], records: [], dropped: [] };
}
