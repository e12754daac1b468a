/**
 * The one hot call between edge and Room: `Room.exchange(batch) → reply` (DESIGN §6).
 * Pure: types, and how a message of a neighbouring version is read. Every verdict is at its request's index.
 * All times are Room time. Slots are integers counted from 0 in each generation.
 *
 * While a deployment is under way an edge meets a Room one version behind or ahead, for minutes, or for days where it is
 * rolled out by percentages. So a version only adds: what it adds may be left unread by the one before, and its absence has
 * a meaning. The Room answers in the older version of the two, which never needs a word that the older edge does not know.
 */
import type { EdgeNotes } from "./edge-notes";
import { type Manifest, readManifest } from "./manifest";
import { NO_OUTCOMES, type OriginOutcomes } from "./origin-outcomes";
import type { RoomConfig } from "./room-rpc";
import { isNeighbour } from "./versions";

export const EXCHANGE_VERSION = 1;

/** A pass to be signed by the edge. Seconds since the Unix epoch. */
export interface PassGrant {
  readonly slot: number;
  /** Link of the session's chain; 0 is the ticket itself, so passes start at 1. */
  readonly serial: number;
  readonly issuedAtS: number;
  /** The pass ends here; the Room's record ends at least 10 s later (P1). */
  readonly expiresAtS: number;
  /** Absolute end of the session. */
  readonly endsAtS: number;
}

export interface JoinRequest {
  /** Idempotency key: the random part of the visitor token. The same key gets the same slot (P5). */
  readonly key: string;
  /** Hash of the network prefix (u32); 0 = trusted or unknown, never limited. */
  readonly network: number;
  /** Enter in the same exchange if the room is quiet. */
  readonly enter: boolean;
  /** Client tag: 16-bit hash of network prefix and user agent. */
  readonly tag: number;
  /** In rooms that ask for an invitation or a log-in; without it such a room makes no place. `key` is whose place it is. */
  readonly guest?: Guest;
  /** Hash of the IPv4 address; 0 or absent = trusted, unknown or none. */
  readonly address?: number;
  /** Hash of the IPv6 /48; the same. */
  readonly wide?: number;
  /** The cost of the proof that the edge has verified for this key; 0 = none. Absent = an edge that knows of no proofs. */
  readonly proof?: number;
  /** Never asked and never counted: from a trusted network, or in place of one that ended through no act of its holder. */
  readonly exempt?: true;
}

/** Who was found to be let join. The Room keeps key → place for the whole generation: a second device shares it. */
export interface Guest {
  /** null = known by a log-in; else the invitation's id and how many places it makes. */
  readonly invitation: { readonly id: string; readonly uses: number } | null;
  /** This slot ended through an act of the operator: the place that follows it uses up nothing. */
  readonly replaces?: number;
}

export type JoinVerdict =
  | { readonly as: "placed"; readonly slot: number; readonly joinedAtS: number }
  | { readonly as: "entered"; readonly joinedAtS: number; readonly pass: PassGrant }
  /** Counted for a draw: the slot follows from the entry once it is drawn. `chain`: the entries' hash after this batch, 43 characters of base64url. */
  | { readonly as: "entry"; readonly draw: number; readonly entry: number; readonly chain: string; readonly joinedAtS: number }
  /** Show a proof of at least this cost for this key, 1 to `MOST_COST`, and join again with it. */
  | { readonly as: "challenge"; readonly cost: number }
  /** `banned`: by the operator; absent from a Room of an earlier version. */
  | { readonly as: "refused"; readonly why: RefusedWhy; readonly retryAfterMs: number; readonly banned?: true };

/** Each step of a proof's cost is twice the work. */
export const MOST_COST = 8;

/** `closed` = outside the room's events; `reject` = queueing_method; `network` = over the limit of one prefix; `used` = the invitation has made all its places. */
export type RefusedWhy = "full" | "stopped" | "ended" | "network" | "closed" | "reject" | "used";

/**
 * What a ticket holder whose turn may have come wants:
 * `enter` = go in now; `look` = tell me where I stand (marks an absent person as back, enters nobody);
 * `continue` = take the session over from another window.
 */
export type ClaimIntent = "enter" | "look" | "continue";

export interface ClaimRequest {
  readonly slot: number;
  /** 0 = the ticket; else the serial of an expired pass of this session. */
  readonly serial: number;
  readonly tag: number;
  /** How long ago the request reached the edge, ms: parallel requests are judged by arrival, not by batch. */
  readonly ageMs: number;
  /** `iat` of the ticket, Unix seconds; the time waited decides how long a missed turn may be made good. */
  readonly joinedAtS: number;
  readonly intent: ClaimIntent;
  /** Shown from another network than the place is bound to (`bind_network`). */
  readonly moved?: true;
  /** With `look`: make the call longer, if that may still be done. A Room of an earlier version only looks. */
  readonly extend?: true;
}

export type EndedWhy = "left" | "removed" | "flushed" | "return-time-over" | "session-over" | "unknown";

export type ClaimVerdict =
  | { readonly as: "entered"; readonly pass: PassGrant }
  /** Your turn, the next entry token is yours: come back in `dueInMs`. */
  | { readonly as: "moment"; readonly dueInMs: number }
  /** Your turn has come (answer to `look`). `extendable`: it has not been made longer yet; absent from a Room of an earlier version. */
  | { readonly as: "called"; readonly holdForMs: number; readonly validForMs: number; readonly extendable?: true }
  | { readonly as: "waiting" }
  /** Missed the turn; next in line. `ahead` = returners in front. */
  | { readonly as: "returning"; readonly ahead: number; readonly untilMs: number }
  /** Already inside (answer to `look`). */
  | { readonly as: "inside" }
  | { readonly as: "paused" }
  /** The session went on in another window. `moved`: not that, but it has changed networks often, and the visitor is to say so. */
  | { readonly as: "void"; readonly takeoversLeft: number; readonly moved?: true }
  | { readonly as: "ended"; readonly why: EndedWhy }
  | { readonly as: "restarted" };

export interface RenewRequest {
  readonly slot: number;
  readonly serial: number;
  readonly tag: number;
  readonly ageMs: number;
  /** As in a claim. */
  readonly moved?: true;
}

export type RenewVerdict =
  | { readonly as: "renewed"; readonly pass: PassGrant }
  /** Forward; no new cookie (a sibling is on its way, or an in-flight former head). */
  | { readonly as: "current" }
  | { readonly as: "void"; readonly takeoversLeft: number; readonly moved?: true }
  /** The session went idle too long: claim again. */
  | { readonly as: "lapsed" }
  | { readonly as: "ended"; readonly why: EndedWhy }
  | { readonly as: "restarted" };

export interface LeaveRequest {
  readonly slot: number;
  /** 0 = by ticket; else the pass's serial. */
  readonly serial: number;
}

/** `left` also answers a repeated leave. `void` = not the holder of this session. */
export type LeaveVerdict = { readonly as: "left" } | { readonly as: "void" } | { readonly as: "restarted" };

/** A place that is shown by a ticket, or an entry, of a key that has been revoked: may the edge make it out anew, with a good key? */
export interface ReissueRequest {
  readonly kid: string;
  /** The slot; null = the entry has none yet. */
  readonly slot: number | null;
  /** What the entry token says, if it is one; null = a ticket. */
  readonly entry: { readonly draw: number; readonly entry: number } | null;
  /** 12 bytes of the SHA-256 of the token, 16 characters of base64url: the same token gets the same answer. */
  readonly token: string;
}

export type ReissueVerdict =
  | { readonly as: "reissued" }
  /** Not given out before the revocation, or made out anew for another token. */
  | { readonly as: "void" }
  /** Nothing is decided: the Room has not heard of the revocation, or has too many of these at once. */
  | { readonly as: "later" }
  | { readonly as: "restarted" };

/** What an isolate let through by itself while it could not reach the Room (`failure_policy = "open"`). */
export interface FailedOpen {
  readonly people: number;
  /** Of them, those of people whom other isolates had let in included. */
  readonly requests: number;
  /** When the first of them came, by the edge's clock, ms since the Unix epoch. */
  readonly sinceMs: number;
}

/** The isolates that share one colo's cache. */
export interface ColoSize {
  /** Random u32 made by the first of them. */
  readonly id: number;
  readonly isolates: number;
}

/**
 * In a rush the first calls of cold colos are spread over this, ms, so that those that have come tell the Room how many will: 300 colos make 150
 * calls a second. A colo makes one in that time until one of its isolates has heard what the Room wants.
 */
export const COLO_WAKE_MS = 2_000;

/** What the Room grants the isolates of one colo together, or a lone one: a call every `paceMs`. */
export interface Share {
  readonly paceMs: number;
  /** So many isolates it is meant for; each alone would wait `paceMs * isolates`. */
  readonly isolates: number;
}

export interface Batch {
  readonly v: number;
  /** Random u32 made by each isolate: the Room counts isolates to pace them. */
  readonly isolate: number;
  /** Where it meets others; null = nowhere, or not known. */
  readonly colo: ColoSize | null;
  /** Revision of the settings that the edge has; null = the Room need not send them. */
  readonly config: number | null;
  /** Generation the edge believes in: claims, renewals and leaves of another one are answered `restarted`. */
  readonly generation: number;
  readonly joins: readonly JoinRequest[];
  readonly claims: readonly ClaimRequest[];
  readonly renewals: readonly RenewRequest[];
  readonly leaves: readonly LeaveRequest[];
  readonly reissues: readonly ReissueRequest[];
  /** Waiting slots seen since the last batch, sorted, delta-coded (first absolute, then differences). */
  readonly sightings: readonly number[];
  /** Entries of the draw under way whose holders asked since the last batch, coded alike; null = none. */
  readonly entriesSeen: { readonly draw: number; readonly entries: readonly number[] } | null;
  /** Unproven units wanted now (DESIGN §5, row "none, quiet"). */
  readonly leaseWanted: number;
  readonly origin: OriginOutcomes;
  /** Newcomers asked for proof by the manifest alone since the last batch; absent = none. */
  readonly asked?: number;
  /** Since the last batch; null = nothing. */
  readonly failedOpen: FailedOpen | null;
  /** For the operator's eyes; absent or null = nothing noted. */
  readonly notes?: EdgeNotes | null;
}

/** Units the isolate may use until `untilMs`; each forwards one unproven request. */
export interface Lease {
  readonly units: number;
  readonly untilMs: number;
}

export interface Reply {
  readonly v: number;
  readonly joins: readonly JoinVerdict[];
  readonly claims: readonly ClaimVerdict[];
  readonly renewals: readonly RenewVerdict[];
  readonly leaves: readonly LeaveVerdict[];
  readonly reissues: readonly ReissueVerdict[];
  readonly manifest: Manifest;
  readonly lease: Lease | null;
  /** null = as the manifest says, for each isolate. */
  readonly share: Share | null;
  /** The settings, if the edge has older ones. */
  readonly config: RoomConfig | null;
  /** Nothing more can be stored: whatever has no verdict was not done, and asking at once again does not help. */
  readonly storage?: "full";
}

/** A lease unit is used within this time of the grant, ms, … */
export const LEASE_USE_MS = 2_000;
/** … and each use keeps a place busy for this long, ms. */
export const LEASE_BUSY_MS = 10_000;

/** Delta-code sorted slots for `Batch.sightings`. */
export function encodeSightings(slots: Iterable<number>): number[] {
  const sorted = [...slots].sort((a, b) => a - b);
  return sorted.map((slot, i) => (i === 0 ? slot : slot - (sorted[i - 1] as number)));
}

/** Undo `encodeSightings`. */
export function decodeSightings(deltas: readonly number[]): number[] {
  let slot = 0;
  return deltas.map((delta) => {
    slot += delta;
    return slot;
  });
}

/** What a batch is without anything that it could say. */
export const EMPTY_BATCH = {
  colo: null,
  config: null,
  joins: [],
  claims: [],
  renewals: [],
  leaves: [],
  reissues: [],
  sightings: [],
  entriesSeen: null,
  leaseWanted: 0,
  origin: NO_OUTCOMES,
  failedOpen: null,
} as const satisfies Partial<Batch>;

/**
 * A batch as its Room reads it: what an edge of another version does not say is nothing.
 * @throws RangeError if the version is not this one or next to it
 */
export function readBatch(batch: Batch): Batch {
  if (!isNeighbour(batch.v, EXCHANGE_VERSION)) {
    throw new RangeError(`exchange version ${batch.v} is not known; this Room speaks ${EXCHANGE_VERSION} and the ones next to it`);
  }
  return { ...EMPTY_BATCH, ...batch };
}

/** The version to answer a batch in: the older of the two. */
export function replyVersion(batch: Batch): number {
  return Math.min(batch.v, EXCHANGE_VERSION);
}

/** Nobody is answered, and nothing is lent. */
export const NO_VERDICTS = {
  joins: [],
  claims: [],
  renewals: [],
  leaves: [],
  reissues: [],
  lease: null,
  share: null,
  config: null,
} as const satisfies Partial<Reply>;

const JOIN_WORDS: ReadonlySet<string> = new Set(["placed", "entered", "entry", "challenge", "refused"] satisfies JoinVerdict["as"][]);

/**
 * A reply as its edge reads it: what a Room of another version does not say is nothing, so that a question without a verdict, or with
 * one in a word that is not known here, counts as not answered.
 * @throws RangeError if the version is not this one or next to it; TypeError if there is no manifest that could be acted on
 */
export function readReply(reply: Reply): Reply {
  if (!isNeighbour(reply.v, EXCHANGE_VERSION)) throw new RangeError(`reply of exchange version ${reply.v}`);
  const read = { ...NO_VERDICTS, ...reply, manifest: readManifest(reply.manifest) };
  // A place must not be made of a word that says nothing of one. A hole counts as not answered (src/room/exchange-queue.ts).
  return { ...read, joins: read.joins.map((verdict) => (JOIN_WORDS.has(verdict.as) ? verdict : (undefined as unknown as JoinVerdict))) };
}
