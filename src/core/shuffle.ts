/**
 * The swap-or-not shuffle (Hoang, Morris, Rogaway: "An Enciphering Scheme Based on a Card Shuffle", CRYPTO 2012) with SHA-256 and 90 rounds,
 * equal to Ethereum's `compute_shuffled_index`: where one index goes, without computing where the others go. Pure: imports `hashing` only.
 */
import { type Bytes, type Hashing, runHashing, type Sha256 } from "./hashing";

export const SHUFFLE_ROUNDS = 90;

/** A position's block number is four bytes, and a block is 256 positions. */
const MAX_COUNT = 2 ** 40;

/**
 * Where `index` goes among `count`: a bijection of 0 … count − 1 for every seed.
 * @param seed 32 bytes.
 * @param back where it came from instead: each round undoes itself, so the way back is the same rounds, the last one first
 * @throws RangeError unless 0 ≤ index < count ≤ 2^40 and the seed has 32 bytes.
 */
export function* shuffling(index: number, count: number, seed: Uint8Array, back = false): Hashing<number> {
  const isInRange = Number.isInteger(count) && Number.isInteger(index) && index >= 0 && index < count && count <= MAX_COUNT;
  if (!isInRange || seed.length !== 32) throw new RangeError(`cannot shuffle ${index} among ${count} with ${seed.length} bytes`);
  const forPivot = new Uint8Array(33);
  const forBits = new Uint8Array(37);
  forPivot.set(seed);
  forBits.set(seed);
  const block = new DataView(forBits.buffer, 33, 4);
  let at = index;
  for (let done = 0; done < SHUFFLE_ROUNDS; done++) {
    const round = back ? SHUFFLE_ROUNDS - 1 - done : done;
    forPivot[32] = round;
    const pivot = modulo(yield forPivot, count);
    const partner = (pivot + count - at) % count;
    const position = Math.max(at, partner);
    forBits[32] = round;
    block.setUint32(0, Math.floor(position / 256), true);
    const bits: Bytes = yield forBits;
    const byte = bits[Math.floor((position % 256) / 8)] ?? 0;
    if ((byte >> (position % 8)) & 1) at = partner;
  }
  return at;
}

/** `shuffling` with a synchronous SHA-256: 180 hashes. */
export function shuffledIndex(index: number, count: number, seed: Uint8Array, sha256: Sha256): number {
  return runHashing(shuffling(index, count, seed), sha256);
}

/** The first 8 bytes as a little-endian number, modulo `count`. */
function modulo(digest: Bytes, count: number): number {
  return Number(new DataView(digest.buffer, digest.byteOffset, 8).getBigUint64(0, true) % BigInt(count));
}
