/**
 * The rules of a draw, `vestibule-draw-1`: chain of entries, hash of the cut-off, seed, record. Pure, no SHA-256 of its own: everything is a
 * generator (hashing.ts), so that Room, edge and browser run the same lines. docs/fairness.md writes them down for anybody to recompute.
 */
import { concat, fromHex, lengthPrefixed, toHex, u64, utf8Of } from "./bytes";
import { QUICKNET, roundAfter } from "./drand";
import type { BeaconUsed, DrawCutoff, DrawnPlaces, DrawOpening, DrawRecord, ListedBatch } from "./draw";
import type { Bytes, Hashing } from "./hashing";
import { SHUFFLE_ROUNDS, shuffling } from "./shuffle";

export const ALGORITHM = "vestibule-draw-1";

const CHAIN_LABEL = "vestibule-entries-1";
const CUTOFF_LABEL = "vestibule-cutoff-1";

/** The salt's commitment, hex. @param salt 32 random bytes. */
export function* committing(salt: Bytes): Hashing<string> {
  return toHex(yield salt);
}

/** The chain before the first entry: 32 bytes. */
export function* startingChain(opening: DrawOpening): Hashing<Bytes> {
  return yield concat([utf8Of(CHAIN_LABEL), ...openingParts(opening)]);
}

/** The chain after one batch: SHA-256(chain ‖ first as u64 ‖ digest). 32 bytes each. */
export function* extendingChain(chain: Bytes, first: number, digest: Bytes): Hashing<Bytes> {
  return yield concat([chain, u64(first), digest]);
}

/** SHA-256 over the SHA-256 of each key, in the order of the entries. @param keys visitor keys as their tokens carry them. */
export function* digestingKeys(keys: readonly string[]): Hashing<Bytes> {
  const hashes: Bytes[] = [];
  for (const key of keys) hashes.push(yield utf8Of(key));
  return yield concat(hashes);
}

/** Recomputes a chain from its public log: the chain after the last batch, and after the one that `entry` came with (null: none did). */
export function* replayingChain(opening: DrawOpening, batches: readonly ListedBatch[], entry: number) {
  let chain: Bytes = yield* startingChain(opening);
  let receipt: Bytes | null = null;
  for (const [i, { first, digest }] of batches.entries()) {
    chain = yield* extendingChain(chain, first, fromHex(digest));
    if (first <= entry && entry < (batches[i + 1]?.first ?? Number.POSITIVE_INFINITY)) receipt = chain;
  }
  return { last: chain, receipt };
}

/** Everything fixed at the cut-off in one hash, hex. The beacon's round follows from `closedAtMs`, so it is fixed as well. */
export function* hashingEntries(cutoff: DrawCutoff): Hashing<string> {
  const { base, count, chain, closedAtMs, beaconWaitMs } = cutoff;
  const fixed = [u64(base), u64(count), fromHex(chain), u64(closedAtMs), u64(beaconWaitMs)];
  return toHex(yield concat([utf8Of(CUTOFF_LABEL), ...openingParts(cutoff), ...fixed]));
}

export interface SeedParts {
  readonly room: string;
  readonly event: string;
  /** 32 bytes. */
  readonly salt: Bytes;
  readonly count: number;
  /** Hex. */
  readonly entriesHash: string;
  /** The beacon's, hex; null = no beacon, or its fallback. */
  readonly randomness: string | null;
}

/** DESIGN §7: the seed, hex. Lengths are 2 bytes, big-endian. */
export function* seeding({ room, event, salt, count, entriesHash, randomness }: SeedParts): Hashing<string> {
  const beacon = randomness === null ? new Uint8Array(0) : fromHex(randomness);
  return toHex(
    yield concat([utf8Of(ALGORITHM), lengthPrefixed(room), lengthPrefixed(event), salt, u64(count), fromHex(entriesHash), beacon]),
  );
}

/** The slot of an entry. @throws RangeError unless 0 ≤ entry < count. */
export function* placing({ base, count, seed }: Omit<DrawnPlaces, "id">, entry: number): Hashing<number> {
  return base + (yield* shuffling(entry, count, fromHex(seed)));
}

/** The entry that a slot was given to. @throws RangeError unless base ≤ slot < base + count. */
export function* unplacing({ base, count, seed }: Omit<DrawnPlaces, "id">, slot: number): Hashing<number> {
  return yield* shuffling(slot - base, count, fromHex(seed), true);
}

/** What the beacon gave: null where the opening says `none`; `fallback` when the round did not come in time. */
export type BeaconResult = { readonly randomness: string; readonly signature: string } | "fallback" | null;

/**
 * The record of a draw. @param salt 32 bytes whose SHA-256 is the cut-off's commitment.
 * @throws RangeError when `result` is not of the kind that the opening named.
 */
export function* recording(cutoff: DrawCutoff, salt: Bytes, result: BeaconResult, drawnAtMs: number): Hashing<DrawRecord> {
  if ((cutoff.beacon === "none") !== (result === null)) throw new RangeError(`no draw by ${cutoff.beacon} with this result`);
  const beacon = beaconUsed(cutoff, result);
  const randomness = "randomness" in beacon ? beacon.randomness : null;
  const { room, generation, id, event, base, count, chain, commitment } = cutoff;
  const entriesHash = yield* hashingEntries(cutoff);
  return {
    id,
    algorithm: ALGORITHM,
    room,
    generation,
    event,
    base,
    count,
    rounds: SHUFFLE_ROUNDS,
    chain,
    entriesHash,
    commitment,
    salt: toHex(salt),
    beacon,
    beaconWaitMs: cutoff.beaconWaitMs,
    seed: yield* seeding({ room, event, salt, count, entriesHash, randomness }),
    openedAt: rfc3339(cutoff.openedAtMs),
    closedAt: rfc3339(cutoff.closedAtMs),
    drawnAt: rfc3339(drawnAtMs),
  };
}

function beaconUsed({ closedAtMs }: DrawCutoff, result: BeaconResult): BeaconUsed {
  if (result === null) return { source: "none" };
  const by = { source: "drand", chain: QUICKNET.chain, round: roundAfter(closedAtMs) } as const;
  return result === "fallback" ? { ...by, fallback: true } : { ...by, randomness: result.randomness, signature: result.signature };
}

function openingParts({ room, generation, id, event, commitment, beacon, openedAtMs }: DrawOpening): Bytes[] {
  const source = beacon === "none" ? beacon : `drand:${QUICKNET.chain}`;
  return [
    lengthPrefixed(room),
    u64(generation),
    u64(id),
    lengthPrefixed(event),
    fromHex(commitment),
    lengthPrefixed(source),
    u64(openedAtMs),
  ];
}

const rfc3339 = (ms: number) => new Date(ms).toISOString();
