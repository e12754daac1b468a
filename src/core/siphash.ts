/**
 * SipHash-2-4 of eight bytes: 64 pseudo-random bits by a key of 128 that nobody without it can foresee, in less than a microsecond, where
 * an HMAC takes a turn of the runtime. After Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012). Pure.
 */

/** Four words of 32 bits, the low one of each half first. */
export type SipKey = readonly [number, number, number, number];

/** A number of 64 bits in two words of 32: in a BigInt all of it would take twenty times as long. */
interface Wide {
  low: number;
  high: number;
}

/** After the message there is nothing but its length, 8, in the highest byte. */
const LENGTH = 0x08000000;

/** @returns the low word of the hash of the bytes of `low` and `high`, little-endian */
export function sipHash([k0, k1, k2, k3]: SipKey, low: number, high: number): number {
  const a = { low: k0 ^ 0x70736575, high: k1 ^ 0x736f6d65 };
  const b = { low: k2 ^ 0x6e646f6d, high: k3 ^ 0x646f7261 };
  const c = { low: k0 ^ 0x6e657261, high: k1 ^ 0x6c796765 };
  const d = { low: k2 ^ 0x79746573 ^ low, high: k3 ^ 0x74656462 ^ high };
  for (let round = 1; round <= 8; round++) {
    mix(a, b, 13);
    swap(a);
    mix(c, d, 16);
    mix(a, d, 21);
    mix(c, b, 17);
    swap(c);
    if (round === 2) {
      a.low ^= low;
      a.high ^= high;
      d.high ^= LENGTH;
    } else if (round === 4) {
      a.high ^= LENGTH;
      c.low ^= 0xff;
    }
  }
  return (a.low ^ b.low ^ c.low ^ d.low) >>> 0;
}

/** x += y; y = y <<< turn ⊕ x; `turn` is less than 32. */
function mix(x: Wide, y: Wide, turn: number): void {
  const sum = (x.low >>> 0) + (y.low >>> 0);
  x.high = (x.high + y.high + (sum > 0xffff_ffff ? 1 : 0)) | 0;
  x.low = sum | 0;
  const { low, high } = y;
  y.low = ((low << turn) | (high >>> (32 - turn))) ^ x.low;
  y.high = ((high << turn) | (low >>> (32 - turn))) ^ x.high;
}

/** x <<<= 32 */
function swap(x: Wide): void {
  const { low, high } = x;
  x.low = high;
  x.high = low;
}
