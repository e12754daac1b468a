/**
 * What anybody can find out about a draw record that comes from outside, and about one entry of it. Pure; runs in the browser's verify page.
 * `scripts/verify-draw.mjs` does the same with no line of this.
 */
import { fromHex, isHex, toHex } from "./bytes";
import { publishedAtMs, QUICKNET, roundAfter } from "./drand";
import type { DrawCutoff, DrawRecord, ListedBatch } from "./draw";
import { ALGORITHM, committing, hashingEntries, placing, replayingChain, seeding } from "./draw-rules";
import { type Hashing, runHashingAsync, type Sha256Async } from "./hashing";
import { SHUFFLE_ROUNDS } from "./shuffle";

/**
 * `form`: a field is missing or not of its form. `algorithm`: not `vestibule-draw-1` with 90 rounds. `commitment`: the salt is not the one
 * that was promised. `entries-hash`: what was fixed at the cut-off is not what the record says. `round`: another round than the rule's.
 * `randomness`: not the SHA-256 of its signature. `seed`: not what follows from the rest. `times`: closed before it opened, drawn before it closed, or without the round before the wait for it was over.
 * `entry`: no such entry. `chain`: the public log of batches leads to another chain. `receipt`: the entry's chain value is not in it.
 */
export type DrawProblem =
  | "form"
  | "algorithm"
  | "commitment"
  | "entries-hash"
  | "round"
  | "randomness"
  | "seed"
  | "times"
  | "entry"
  | "chain"
  | "receipt";

export interface DrawCheck {
  /** Empty = everything that was looked at holds. */
  readonly problems: readonly DrawProblem[];
  /** By the recomputed seed; null while the record cannot be read, has no such entry, or none was asked about. */
  readonly slot: number | null;
  /** 1 … count: the place within the draw. */
  readonly place: number | null;
  readonly count: number | null;
  /** Where the randomness came from; `fallback`: drand was promised and did not come in time. */
  readonly beacon: "drand" | "fallback" | "none" | null;
  /** Were the log of batches, and the entry's receipt in it, looked at? */
  readonly looked: { readonly chain: boolean; readonly receipt: boolean };
}

/** The public log of batches, and the chain value of the owner's entry, hex; null where there is none at hand. */
export interface DrawEvidence {
  readonly batches: readonly ListedBatch[];
  readonly receipt: string | null;
}

/** Everything that is wrong with a record, recomputed from its own fields; empty = it holds. */
export function* checkingRecord(raw: unknown): Hashing<DrawProblem[]> {
  return isRecord(raw) ? (yield* recomputing(raw)).problems : ["form"];
}

function* checkingDraw(raw: unknown, entry: number | null, evidence: DrawEvidence | null): Hashing<DrawCheck> {
  const looked = { chain: evidence !== null, receipt: evidence !== null && evidence.receipt !== null };
  if (!isRecord(raw)) return { problems: ["form"], slot: null, place: null, count: null, beacon: null, looked };
  const { problems, seed } = yield* recomputing(raw);
  if (evidence !== null) problems.push(...(yield* checkingChain(raw, entry, evidence)));
  const { base, count, beacon } = raw;
  const known = { count, beacon: "fallback" in beacon ? ("fallback" as const) : beacon.source, looked };
  if (entry === null) return { problems, slot: null, place: null, ...known };
  if (!Number.isSafeInteger(entry) || entry < 0 || entry >= count) {
    return { problems: [...problems, "entry"], slot: null, place: null, ...known };
  }
  const slot = yield* placing({ base, count, seed }, entry);
  return { problems, slot, place: slot - base + 1, ...known };
}

/** What the verify page says about a record and one of its entries, or about the record alone. Never throws on what it is given. */
export function verifyDraw(
  raw: unknown,
  entry: number | null,
  sha256: Sha256Async,
  evidence: DrawEvidence | null = null,
): Promise<DrawCheck> {
  return runHashingAsync(checkingDraw(raw, entry, evidence), sha256);
}

/** The problems of a well-formed record, and the seed as it should be. */
function* recomputing(record: DrawRecord): Hashing<{ problems: DrawProblem[]; seed: string }> {
  const { room, event, count, beacon } = record;
  const problems: DrawProblem[] = [];
  if (record.algorithm !== ALGORITHM || record.rounds !== SHUFFLE_ROUNDS) problems.push("algorithm");
  const salt = fromHex(record.salt);
  if ((yield* committing(salt)) !== record.commitment) problems.push("commitment");
  const cutoff = cutoffOf(record);
  const entriesHash = yield* hashingEntries(cutoff);
  if (entriesHash !== record.entriesHash) problems.push("entries-hash");
  const round = roundAfter(cutoff.closedAtMs);
  if (beacon.source === "drand" && (beacon.chain !== QUICKNET.chain || beacon.round !== round)) problems.push("round");
  const earliestMs = "fallback" in beacon ? publishedAtMs(round) + record.beaconWaitMs : cutoff.closedAtMs;
  if (cutoff.openedAtMs > cutoff.closedAtMs || earliestMs > Date.parse(record.drawnAt)) problems.push("times");
  const randomness = "randomness" in beacon ? toHex(yield fromHex(beacon.signature)) : null;
  if ("randomness" in beacon && beacon.randomness !== randomness) problems.push("randomness");
  const seed = yield* seeding({ room, event, salt, count, entriesHash, randomness });
  if (seed !== record.seed) problems.push("seed");
  return { problems, seed };
}

function* checkingChain(record: DrawRecord, entry: number | null, { batches, receipt }: DrawEvidence): Hashing<DrawProblem[]> {
  const isLog = batches.every(
    ({ first, digest }, i) =>
      isCount(first) && isHex(digest, 32) && first < record.count && (i === 0 ? first === 0 : first > (batches[i - 1]?.first ?? 0)),
  );
  if (!isLog || (batches.length === 0) !== (record.count === 0)) return ["chain"];
  const replayed = yield* replayingChain(cutoffOf(record), batches, entry ?? -1);
  const problems: DrawProblem[] = toHex(replayed.last) === record.chain ? [] : ["chain"];
  if (receipt !== null && (replayed.receipt === null || toHex(replayed.receipt) !== receipt)) problems.push("receipt");
  return problems;
}

function cutoffOf(record: DrawRecord): DrawCutoff {
  const { room, generation, id, event, base, count, chain, commitment, beacon, beaconWaitMs } = record;
  const times = { openedAtMs: Date.parse(record.openedAt), closedAtMs: Date.parse(record.closedAt) };
  return { room, generation, id, event, base, count, chain, commitment, beacon: beacon.source, beaconWaitMs, ...times };
}

function isRecord(raw: unknown): raw is DrawRecord {
  const record = fieldsOf(raw);
  if (record === null) return false;
  const hashes = [record["chain"], record["entriesHash"], record["commitment"], record["salt"], record["seed"]];
  return (
    [record["algorithm"], record["room"], record["event"]].every((text) => typeof text === "string" && text.length <= 1000) &&
    [record["id"], record["generation"], record["base"], record["count"], record["rounds"], record["beaconWaitMs"]].every(isCount) &&
    Number.isSafeInteger((record["base"] as number) + (record["count"] as number)) &&
    (record["count"] as number) <= 2 ** 40 &&
    hashes.every((hash) => isHex(hash, 32)) &&
    [record["openedAt"], record["closedAt"], record["drawnAt"]].every(isTime) &&
    isBeacon(record["beacon"])
  );
}

function isBeacon(raw: unknown): boolean {
  const beacon = fieldsOf(raw);
  if (beacon === null) return false;
  if (beacon["source"] === "none") return Object.keys(beacon).length === 1;
  if (beacon["source"] !== "drand" || typeof beacon["chain"] !== "string" || !isCount(beacon["round"])) return false;
  if ("fallback" in beacon) return beacon["fallback"] === true && !("randomness" in beacon) && !("signature" in beacon);
  return isHex(beacon["randomness"], 32) && isHex(beacon["signature"], 48);
}

function fieldsOf(raw: unknown): Record<string, unknown> | null {
  return typeof raw === "object" && raw !== null ? (raw as Record<string, unknown>) : null;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** RFC 3339 exactly as records write it, from 1970 on: one text for each instant. */
function isTime(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const ms = Date.parse(value);
  return ms >= 0 && new Date(ms).toISOString() === value;
}
