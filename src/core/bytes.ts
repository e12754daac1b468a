/** Bytes of the draw's hashes: hex, big-endian integers, length-prefixed text. Pure: imports types only. */
import type { Bytes } from "./hashing";

const utf8 = new TextEncoder();

/** Lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes of lower-case hex. @throws RangeError on anything else: check text from outside with `isHex` first. */
export function fromHex(hex: string): Bytes {
  if (!isHex(hex, hex.length / 2)) throw new RangeError("not lower-case hex");
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

/** Is `value` lower-case hex of exactly `length` bytes? */
export function isHex(value: unknown, length: number): value is string {
  return typeof value === "string" && value.length === 2 * length && /^[0-9a-f]*$/.test(value);
}

/** 8 bytes, big-endian. @throws RangeError unless a safe integer from 0. */
export function u64(value: number): Bytes {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no unsigned integer`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

export function utf8Of(text: string): Bytes {
  return new Uint8Array(utf8.encode(text));
}

/** The length of its UTF-8 in 2 bytes, big-endian, then the UTF-8. @throws RangeError past 65,535 bytes. */
export function lengthPrefixed(text: string): Bytes {
  const bytes = utf8Of(text);
  if (bytes.length > 0xffff) throw new RangeError("text too long for its length prefix");
  return concat([Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes]);
}

export function concat(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
