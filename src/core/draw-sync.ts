/** The rules of a draw with the synchronous SHA-256, for the Room and the edge. Never imported by `static/`, nor by what the browser shares. */

import { type RoundRead, readingRound } from "./drand";
import type { DrawCutoff, DrawnPlaces, DrawOpening, DrawRecord } from "./draw";
import { checkingRecord, type DrawProblem } from "./draw-check";
import * as rules from "./draw-rules";
import { type Bytes, runHashing } from "./hashing";
import { sha256 } from "./sha256";

/** The slot of an entry, 0 … count − 1: 180 hashes. @throws RangeError on an entry that is not in the draw. */
export function slotOf(places: DrawnPlaces, entry: number): number {
  return runHashing(rules.placing(places, entry), sha256);
}

/** The entry whose slot this is: the way back. @throws RangeError on a slot that the draw did not give out. */
export function entryOf(places: DrawnPlaces, slot: number): number {
  return runHashing(rules.unplacing(places, slot), sha256);
}

/** SHA-256 of the salt, hex. @param salt 32 random bytes. */
export function commitmentOf(salt: Bytes): string {
  return runHashing(rules.committing(salt), sha256);
}

/** The chain before the first entry: 32 bytes. */
export function chainStart(opening: DrawOpening): Bytes {
  return runHashing(rules.startingChain(opening), sha256);
}

/** The chain after a batch whose first entry has number `first`. */
export function chainStep(chain: Bytes, first: number, digest: Bytes): Bytes {
  return runHashing(rules.extendingChain(chain, first, digest), sha256);
}

/** The digest of a batch. @param keys the entries' visitor keys, in order. */
export function digestOfKeys(keys: readonly string[]): Bytes {
  return runHashing(rules.digestingKeys(keys), sha256);
}

/** Everything fixed at the cut-off in one hash, hex: to be published before the beacon's round. */
export function entriesHashOf(cutoff: DrawCutoff): string {
  return runHashing(rules.hashingEntries(cutoff), sha256);
}

export function seedOf(parts: rules.SeedParts): string {
  return runHashing(rules.seeding(parts), sha256);
}

/** @param result null for `beacon = "none"`. @throws RangeError when it does not go with the opening's beacon. */
export function recordOf(cutoff: DrawCutoff, salt: Bytes, result: rules.BeaconResult, drawnAtMs: number): DrawRecord {
  return runHashing(rules.recording(cutoff, salt, result, drawnAtMs), sha256);
}

/** Everything that is wrong with a record, recomputed from its own fields. */
export function checkRecord(record: unknown): DrawProblem[] {
  return runHashing(checkingRecord(record), sha256);
}

export function readRound(body: string, round: number): RoundRead {
  return runHashing(readingRound(body, round), sha256);
}
