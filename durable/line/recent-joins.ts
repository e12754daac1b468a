/**
 * Recent joins: the idempotency keys (the same key gets the same slot or entry, P5), the counts of the join limits and the proofs that
 * were used. Pure. Bounded: keys of the newest 16,384 joins and of the last two minutes, but never more than the newest 262,144, which
 * take 8 MB. Persisted as one blob per batch of joins and what they got (join-rows.ts), from which all of it is rebuilt exactly after an
 * eviction; blobs are kept for three minutes, those with proofs for eleven.
 */
import { toBase64url } from "../../src/core/base64url";
import { decodeJoins, encodeJoins, type StoredJoin } from "./join-rows";
import { type Beyond, JoinWindows, LIMIT_WINDOW_MS } from "./join-windows";
import { KeyRing } from "./key-ring";
import { PROOF_SPAN_MS, UsedProofs } from "./used-proofs";

const KEEP_JOINS = 16_384;
const KEEP_MS = 2 * LIMIT_WINDOW_MS;
/** The window before the running one may have begun this long ago. */
const STORED_MS = 3 * LIMIT_WINDOW_MS;
const MOST_JOINS = 262_144;
const MOST_BATCHES = 32_768;
/** Of a batch in memory, for the bound of P12; measured. */
const BATCH_BYTES = 220;

/** What a join got. */
export interface Got {
  /** Joins are counted from 0 in each generation. */
  readonly join: number;
  /** null = a slot. */
  readonly draw: number | null;
  /** The slot, or the entry in its draw. */
  readonly number: number;
}

export interface KnownJoin extends Omit<Got, "join"> {
  readonly atMs: number;
  /** Of an entry: the draw's chain after its batch, base64url; empty while the batch is not sealed. */
  readonly chain: string;
}

/** Where a join came from: hashes of the network prefix, the IPv4 address, the IPv6 /48; 0 = trusted, unknown or none. */
export interface JoinFrom {
  readonly network: number;
  readonly address: number;
  readonly wide: number;
}

/** Joins per minute of each; 0 = no limit. */
export type JoinLimits = JoinFrom;

/** Of a join that comes now. `slack`: within that of its network, and of its address or /48. */
export interface LimitStanding extends Beyond {
  readonly isOver: boolean;
}

/** What a join counts as. `proof`: the cost of the proof that it used up, 0 = none; `limited`: it counts for the join limits. */
export interface JoinWorth extends Beyond {
  readonly proof: number;
  readonly limited: boolean;
}

/** Consecutive slots, or consecutive entries of one draw. */
interface Batch {
  readonly firstJoin: number;
  readonly firstNumber: number;
  readonly draw: number | null;
  readonly atMs: number;
  chain: string;
  /** So many of its keys are remembered. */
  kept: number;
  /** Proofs were used in it. */
  proven: boolean;
}

/** Of a step that is under way: not stored yet. */
interface OpenBatch {
  readonly id: number;
  readonly batch: Batch;
  readonly joins: StoredJoin[];
}

/** Batches that are forgotten but still stored, of about a second. */
interface StoredMark {
  below: number;
  readonly fromMs: number;
  atMs: number;
  provenAtMs: number;
}

export class RecentJoins {
  readonly #keys = new KeyRing();
  readonly #windows: JoinWindows;
  readonly #proofs = new UsedProofs();
  /** By id, oldest first: ids count up. */
  readonly #batches = new Map<number, Batch>();
  #nextBatch = 0;
  #open: OpenBatch[] = [];
  #forgetBelow = 0;
  /** Forgotten to stay within bounds, but still stored: windows and proofs hang on them. Oldest first. */
  readonly #stored: StoredMark[] = [];

  /** @param seed of spread.ts */
  constructor(seed = 0) {
    this.#windows = new JoinWindows(seed);
  }

  /** What this key got, if it is remembered. */
  find(key: string): KnownJoin | null {
    const kept = this.#keys.find(key);
    if (kept === null) return null;
    const batch = this.#batch(kept.batch);
    return known(batch, batch.firstNumber + kept.place);
  }

  /** The key that got this slot or entry, if it is remembered. Looks at all of them: for an operator's act. */
  keyOf(got: Omit<Got, "join">): string | null {
    return this.#keys.keyOf(({ batch, place }) => {
      const { draw, firstNumber } = this.#batch(batch);
      return draw === got.draw && firstNumber + place === got.number;
    });
  }

  /** May another join come from there? Attempts that got no place neither count up nor restart a window. */
  limitsOf(from: JoinFrom, limits: JoinLimits, now: number): LimitStanding {
    const standing = (prefix: number, limit: number) =>
      prefix === 0 || limit === 0 ? "within" : this.#windows.standing(prefix, limit, now);
    const network = standing(from.network, limits.network);
    const second = from.address === 0 ? standing(from.wide, limits.wide) : standing(from.address, limits.address);
    return {
      isOver: network === "over" || second === "over",
      slack: [network === "slack", second === "slack"],
      beyond: network !== "within" || second !== "within",
    };
  }

  /** Has a proof of this cost given this key a place already, be it that the key is forgotten? */
  isUsed(key: string, proof: number, now: number): boolean {
    return this.#proofs.has(key, proof, now);
  }

  add(key: string, from: JoinFrom, worth: JoinWorth, got: Got, now: number): KnownJoin {
    let open = this.#open.find(({ batch }) => batch.draw === got.draw && !isSealed(batch));
    if (open === undefined) {
      const batch = { firstJoin: got.join, firstNumber: got.number, draw: got.draw, atMs: now, chain: "", kept: 0, proven: false };
      open = { id: this.#begin(batch), batch, joins: [] };
      this.#open.push(open);
    }
    const begins = worth.limited ? this.#windows.count([from.network, from.address || from.wide], now, worth) : [];
    const join = { key, from, ...worth, begins };
    open.joins.push(join);
    this.#remember(open.id, open.batch, join, got.number);
    this.#trim(now);
    return known(open.batch, got.number);
  }

  /** The entries of the exchange that is under way are in their draw's chain now; those of the next one in the same step get another. */
  sealEntries(chain: Uint8Array): void {
    for (const { batch } of this.#open) if (batch.draw !== null && !isSealed(batch)) batch.chain = toBase64url(chain);
  }

  #begin(batch: Batch): number {
    const id = this.#nextBatch;
    this.#nextBatch += 1;
    this.#batches.set(id, batch);
    return id;
  }

  #batch(id: number): Batch {
    const batch = this.#batches.get(id);
    if (batch === undefined) throw new Error("a key without its batch");
    return batch;
  }

  #remember(id: number, batch: Batch, { key, proof }: StoredJoin, number: number): void {
    this.#keys.push(key, id, number - batch.firstNumber);
    batch.kept += 1;
    if (proof === 0) return;
    batch.proven = true;
    this.#proofs.add(key, proof, batch.atMs);
  }

  #trim(now: number): void {
    for (;;) {
      const oldest = this.#keys.peek();
      if (oldest === null) break;
      const batch = this.#batch(oldest.batch);
      if (this.#open.some(({ id }) => id === oldest.batch)) break;
      const isFull = this.#keys.size >= MOST_JOINS || this.#batches.size > MOST_BATCHES;
      if (!isFull && (this.#keys.size <= KEEP_JOINS || now - batch.atMs < KEEP_MS)) break;
      this.#keys.shift();
      batch.kept -= 1;
      if (batch.kept > 0) continue;
      this.#batches.delete(oldest.batch);
      this.#noteStored(batch);
    }
    for (let mark = this.#stored[0]; mark !== undefined && isOver(mark, now); mark = this.#stored[0]) {
      this.#forgetBelow = mark.below;
      this.#stored.shift();
    }
  }

  #noteStored({ firstJoin, atMs, proven }: Batch): void {
    const last = this.#stored.at(-1);
    const provenAtMs = proven ? atMs : Number.NEGATIVE_INFINITY;
    if (last !== undefined && atMs - last.fromMs < 1_000) {
      last.below = firstJoin + 1;
      last.atMs = atMs;
      last.provenAtMs = Math.max(last.provenAtMs, provenAtMs);
    } else {
      this.#stored.push({ below: firstJoin + 1, fromMs: atMs, atMs, provenAtMs });
    }
  }

  /** The joins since the last call as blobs, and the join below which older blobs are no longer needed. */
  takeChanges(): { joins: [firstJoin: number, data: Uint8Array][]; forgetBelow: number } {
    const open = this.#open;
    this.#open = [];
    return { joins: open.map(({ batch, joins }) => [batch.firstJoin, encodeJoins(batch, joins)]), forgetBelow: this.#forgetBelow };
  }

  load(firstJoin: number, data: Uint8Array): void {
    const { joins, ...stored } = decodeJoins(firstJoin, data);
    if (joins.length === 0) return;
    const batch: Batch = { firstJoin, ...stored, kept: 0, proven: false };
    const id = this.#begin(batch);
    for (const [i, join] of joins.entries()) {
      const { from, limited, begins } = join;
      if (limited) this.#windows.count([from.network, from.address || from.wide], batch.atMs, join, begins);
      this.#remember(id, batch, join, batch.firstNumber + i);
    }
    this.#trim(batch.atMs);
  }

  /** Of the keys that can be remembered, 0…1. */
  get fullness(): number {
    return this.#keys.size / MOST_JOINS;
  }

  get size(): number {
    return this.#keys.size;
  }

  /** What a lookup of a network passes at worst, for the same. */
  get longestRun(): number {
    return this.#windows.longestRun;
  }

  /** Bytes held, for the bound of P12. */
  get bytes(): number {
    return this.#keys.bytes + this.#windows.bytes + this.#proofs.bytes + this.#batches.size * BATCH_BYTES;
  }
}

function isSealed({ chain }: Batch): boolean {
  return chain !== "";
}

function isOver({ atMs, provenAtMs }: StoredMark, now: number): boolean {
  return now - atMs >= STORED_MS && now - provenAtMs >= PROOF_SPAN_MS;
}

function known({ draw, atMs, chain }: Batch, number: number): KnownJoin {
  return { draw, number, atMs, chain };
}
