/**
 * The manifest: the small public JSON that the Room publishes and the edge answers waiting visitors from.
 * Pure: types, reading and comparisons, no I/O. Staleness is safe (P8): an old manifest only makes people wait longer.
 */
import type { DrawnPlaces } from "./draw";

/**
 * `off` = the room is suspended: everybody goes in. `closed` = outside the events of a room with `closed_outside_events`.
 * `lobby` = everybody collects, nobody enters. `drawing` = entries are fixed, their places are being drawn; people in front go on.
 */
export type Phase = "open" | "paused" | "ended" | "off" | "closed" | "lobby" | "drawing";

/** The event that is collecting or waits for its random number. Times are ms since the Unix epoch. */
export interface Lobby {
  readonly event: string;
  /** The draw that entries belong to; null = no shuffle: entries are slots. */
  readonly draw: number | null;
  /** So many have entered; follows `public_totals`. */
  readonly entries: number | null;
  readonly opensAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  /** When it was first going to start; earlier than `startsAt` = delayed. */
  readonly plannedAt: number;
  /** Minutes east of UTC that the operator plans in. */
  readonly utcOffsetMinutes: number;
  /** SHA-256 of the draw's salt, hex; null without a shuffle. */
  readonly commitment: string | null;
  readonly beacon: "drand" | "none";
}

/** A run of revoked slots, first and last included. */
export type SlotRange = readonly [first: number, last: number];

export interface Manifest {
  readonly v: 1;
  readonly room: string;
  /** Counts resets. Tokens of another generation are void. */
  readonly generation: number;
  /** Revision of the settings; the edge fetches `Room.config(revision)` once per revision. */
  readonly config: number;
  /** Room time when this was made, ms since the Unix epoch. */
  readonly at: number;
  readonly phase: Phase;
  /** Every slot below it has had its turn called. Always exact. */
  readonly admittedEpoch: number;
  /** Slots issued; exact, rounded or null as `public_totals` says. */
  readonly tail: number | null;
  /** People called back in turn after a missed turn; follows `public_totals` too. */
  readonly returning: number | null;
  /** The edge reports sightings of slots below it. */
  readonly horizon: number;
  readonly ratePerMinute: number;
  /** People really let in over the last minute. */
  readonly admittedPerMinute: number;
  /** How fast the admitted epoch moved over the last minute (ghosts make it outrun entries). */
  readonly epochPerMinute: number;
  /** An isolate waits this long between exchanges (jittered); 0 = flush at once while none is in flight. */
  readonly flushAfterMs: number;
  /** Nobody waits, is called, returning or reserved; occupancy < 80 %; an entry token is left. */
  readonly quiet: boolean;
  /** Newcomers may join. */
  readonly joins: "open" | "stopped" | "full" | "ended" | "closed" | "reject";
  readonly message: string;
  /** Since when it stands, Room time, ms; absent = there is none, or the Room is of an older version. */
  readonly messageAt?: number;
  /** Passes issued before this Unix second are refused (end sessions); 0 = none. */
  readonly endSessionsBefore: number;
  /** Passes issued before this Unix second are renewed before they let anybody in; absent = none. */
  readonly renewBefore?: number;
  /** Slots whose pass is refused at once, at most 64 ranges. */
  readonly revoked: readonly SlotRange[];
  /** Staff links whose passes are refused at once; absent = none. */
  readonly staffRevoked?: readonly number[];
  /** Kids of keys that are revoked in this room, at most 8: what they signed is nothing, or has to be made out anew. */
  readonly revokedKeys: readonly string[];
  /** Phases `lobby` and `drawing`. */
  readonly lobby: Lobby | null;
  /** The next lobby with a shuffle, before it opens, and the SHA-256 of its draw's salt, hex. */
  readonly next: { readonly event: string; readonly opensAt: number; readonly commitment: string } | null;
  /** `queueing_method = "random"`: the window that newcomers fall into, and when their places are dealt. */
  readonly window: { readonly draw: number; readonly closesAt: number; readonly commitment: string } | null;
  /** … and the commitment of the one after it, before that opens; null in other rooms. */
  readonly nextWindow: string | null;
  /** The last draws, newest first, at most 4. */
  readonly draws: readonly DrawnPlaces[];
  /** A closed room's next opening, ms since the Unix epoch; null = none planned. */
  readonly opensAt: number | null;
  /** The event that would be on was called off. */
  readonly cancelled: { readonly event: string; readonly message: string } | null;
  /** What newcomers are asked for where proof is due; null = nothing. */
  readonly challenge: ManifestChallenge | null;
}

export interface ManifestChallenge {
  readonly kind: "pow" | "turnstile";
  /** Every newcomer is asked: no call to the Room is needed to know. */
  readonly everyone: boolean;
  /** The least cost that is asked of anybody who is asked. */
  readonly cost: number;
  /** How much work cost 1 is: 1, 2, 4 or 8 times as much as at rest. */
  readonly difficulty: number;
}

export const MANIFEST_VERSION = 1;

/** No event, no window, no draw. */
export const NOTHING_PLANNED = {
  lobby: null,
  next: null,
  window: null,
  nextWindow: null,
  draws: [],
  opensAt: null,
  cancelled: null,
} as const satisfies Partial<Manifest>;

/** Nobody is let in, and nobody is turned out, by what a manifest does not say. */
const UNSAID = {
  phase: "open",
  tail: null,
  returning: null,
  horizon: 0,
  ratePerMinute: 0,
  admittedPerMinute: 0,
  epochPerMinute: 0,
  flushAfterMs: 0,
  quiet: false,
  joins: "open",
  message: "",
  endSessionsBefore: 0,
  revoked: [],
  revokedKeys: [],
  challenge: null,
  ...NOTHING_PLANNED,
} as const satisfies Partial<Manifest>;

/** Without these there is nothing to act on. */
const NEEDED = ["generation", "config", "at", "admittedEpoch"] as const;

/**
 * A manifest of this version or a neighbouring one. A phase that is not known is kept: it is none of those that let people in
 * without asking the Room.
 * @throws TypeError if something is missing that cannot be left unsaid
 */
export function readManifest(manifest: Manifest): Manifest {
  const missing = NEEDED.filter((name) => typeof manifest[name] !== "number");
  if (missing.length > 0) throw new TypeError(`manifest without ${missing.join(", ")}`);
  return { ...UNSAID, ...manifest };
}

/** Oldest manifest that the edge acts on without asking again, ms. */
export const MANIFEST_FRESH_MS = 1_000;
/** From this age on, every request that needs a manifest asks for a new one, ms. */
export const MANIFEST_STALE_MS = 2_000;
/** Kept in the colo cache this long, with `at` inside, so that an outage still has words for people, ms. */
export const MANIFEST_KEEP_MS = 30_000;

/**
 * Is `a` a later state of the same room than `b`? An isolate never goes back (P8).
 * Order: generation, settings revision, admitted epoch, time.
 */
export function isNewer(a: Manifest, b: Manifest): boolean {
  if (a.generation !== b.generation) return a.generation > b.generation;
  if (a.config !== b.config) return a.config > b.config;
  if (a.admittedEpoch !== b.admittedEpoch) return a.admittedEpoch > b.admittedEpoch;
  return a.at > b.at;
}

/** Is a pass for this slot refused at once? */
export function isRevoked({ revoked }: Manifest, slot: number): boolean {
  return revoked.some(([first, last]) => slot >= first && slot <= last);
}
