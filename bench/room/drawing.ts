/** Places of a draw as an edge computes them, one for each visitor, and the hashes that it takes alone. Pure. */
import { slotOf } from "../../src/core/draw-sync";
import { sha256 } from "../../src/core/sha256";
import { SHUFFLE_ROUNDS } from "../../src/core/shuffle";

export interface Drawing {
  /** How many entered. */
  readonly count: number;
  /** So many of them, evenly, are given their places. */
  readonly visitors: number;
  /** Nothing but as many hashes of as many bytes. */
  readonly hashesAlone: boolean;
}

const SEED = "5e".repeat(32);
const HASHED_BYTES = 37;

/** How many different places there were. */
export function drawPlaces({ count, visitors, hashesAlone }: Drawing): number {
  if (hashesAlone) return hash(visitors * SHUFFLE_ROUNDS * 2);
  const slots = new Set<number>();
  const places = { id: 1, base: 0, count, seed: SEED };
  for (let visitor = 0; visitor < visitors; visitor++) slots.add(slotOf(places, Math.floor((visitor * count) / visitors)));
  return slots.size;
}

function hash(times: number): number {
  const bytes = new Uint8Array(HASHED_BYTES);
  let sum = 0;
  for (let i = 0; i < times; i++) {
    bytes[i % HASHED_BYTES] = i & 255;
    sum += sha256(bytes)[0] as number;
  }
  return sum;
}
