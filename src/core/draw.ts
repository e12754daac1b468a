/**
 * Draws: what turns entries into slots (DESIGN §7). A lobby's draw and the small draws of `queueing_method = "random"` are the same thing.
 * Pure: types only, since the browser's types reach this file; the rules are in draw-rules.ts. An entry is counted from 0 in its draw.
 */

/** A finished draw, as far as an edge needs it: `slot = base + shuffledIndex(entry, count, seed)`. */
export interface DrawnPlaces {
  readonly id: number;
  readonly base: number;
  readonly count: number;
  /** 32 bytes in hex. */
  readonly seed: string;
}

export type BeaconUsed =
  | { readonly source: "none" }
  /** drand by rule: `round` is the first one published at least 10 s after the cut-off. Hex. */
  | { readonly source: "drand"; readonly chain: string; readonly round: number; readonly randomness: string; readonly signature: string }
  /** The round did not come within `beacon_wait_seconds`: the fallback that the commitment named, the seed without a beacon. */
  | { readonly source: "drand"; readonly chain: string; readonly round: number; readonly fallback: true };

/** What a draw's chain of entries begins with: fixed when it opens, before the first entry. */
export interface DrawOpening {
  readonly room: string;
  readonly generation: number;
  readonly id: number;
  /** Name of the event; empty for a window of `queueing_method = "random"`. */
  readonly event: string;
  /** SHA-256 of the salt, hex. */
  readonly commitment: string;
  readonly beacon: "drand" | "none";
  /** ms since the Unix epoch. */
  readonly openedAtMs: number;
}

/** What is fixed at the cut-off, before anybody can know the beacon's round. */
export interface DrawCutoff extends DrawOpening {
  readonly base: number;
  readonly count: number;
  /** The chain after the last entry, hex. */
  readonly chain: string;
  /** So long after its time the beacon's round is waited for at least, ms; 0 = no beacon. */
  readonly beaconWaitMs: number;
  /** ms since the Unix epoch. */
  readonly closedAtMs: number;
}

/** `GET /__vestibule/rooms/{room}/draws/{id}`: immutable once drawn. Hashes, salt and seed in hex; times RFC 3339. */
export interface DrawRecord {
  readonly id: number;
  readonly algorithm: "vestibule-draw-1";
  readonly room: string;
  readonly generation: number;
  /** Name of the event; empty for a window of `queueing_method = "random"`. */
  readonly event: string;
  readonly base: number;
  readonly count: number;
  readonly rounds: number;
  /** The chain after the last entry. */
  readonly chain: string;
  /** The chain with everything else that is fixed at the cut-off: what the seed is made from. */
  readonly entriesHash: string;
  /** SHA-256 of the salt, published before the first entry. */
  readonly commitment: string;
  readonly salt: string;
  readonly beacon: BeaconUsed;
  /** A draw goes on without its beacon so long after the round was due at the earliest; 0 = no beacon. */
  readonly beaconWaitMs: number;
  readonly seed: string;
  readonly openedAt: string;
  /** The cut-off: N and the chain are fixed. */
  readonly closedAt: string;
  readonly drawnAt: string;
}

/** The record of a draw that is not drawn yet: what is fixed and public so far. Never salt or seed. */
export type PendingDraw = Pick<DrawRecord, "id" | "algorithm" | "room" | "generation" | "event" | "commitment" | "openedAt"> & {
  /** While it collects it follows `public_totals`: rounded, or null if hidden. */
  readonly count: number | null;
  readonly pending: "collecting" | "drawing";
  readonly beaconRule: "drand" | "none";
  /** From the cut-off on, else null. */
  readonly closedAt: string | null;
  readonly base: number | null;
  readonly chain: string | null;
  readonly entriesHash: string | null;
  readonly beaconWaitMs: number | null;
  /** The drand round that is awaited. */
  readonly round: number | null;
};

/** In place of the record of a draw that never takes place: what was known of it when it was dropped, for ever. */
export type DroppedDraw = Pick<DrawRecord, "id" | "room" | "generation" | "event" | "commitment" | "openedAt" | "count" | "chain"> & {
  /** The event was called off; the line was emptied, or begun anew, by the operator. */
  readonly dropped: DroppedWhy;
  /** RFC 3339. */
  readonly at: string;
};
export type DroppedWhy = "cancelled" | "flushed" | "reset";

/** One batch of the public list of entries: number of its first entry, and the digest of its keys in hex. */
export interface ListedBatch {
  readonly first: number;
  readonly digest: string;
}
