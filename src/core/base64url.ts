/**
 * Base64url without padding (RFC 4648 §5), in its one canonical form.
 * Pure: imports nothing. `atob` is not used because it also takes padding, spaces and stray trailing bits.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
/** Text that is being written: as long as any token and more. */
const PAGE = new Uint8Array(512);
const ascii = new TextDecoder();

/** Value of each ASCII code, 255 = not in the alphabet. */
const VALUES = new Uint8Array(128).fill(255);
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

/** Bytes as base64url, no padding. Text is made of them at once: letter by letter it is a string for each, thousands for a token. */
export function toBase64url(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.length * 4) / 3);
  const codes = length <= PAGE.length ? PAGE : new Uint8Array(length);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    held = ((held << 8) | (bytes[i] as number)) & 0xffff;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      codes[at++] = CODES[(held >> bits) & 63] as number;
    }
  }
  if (bits > 0) codes[at++] = CODES[(held << (6 - bits)) & 63] as number;
  return ascii.decode(codes.subarray(0, at));
}

/** The bytes of canonical base64url, or null: padding, foreign characters and non-zero trailing bits are refused. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  return decodeInto(bytes, text) < 0 ? null : bytes;
}

/** The ASCII that canonical base64url stands for, up to `~`; null = it is not that. */
export function fromBase64urlAscii(text: string): string | null {
  const bytes = (text.length * 3) / 4 <= PAGE.length ? PAGE : new Uint8Array(text.length);
  const length = decodeInto(bytes, text);
  for (let i = 0; i < length; i++) if ((bytes[i] as number) > 126) return null;
  return length < 0 ? null : ascii.decode(bytes.subarray(0, length));
}

/** @returns how many bytes there are, −1 = it is not canonical base64url */
function decodeInto(bytes: Uint8Array, text: string): number {
  if (text.length % 4 === 1) return -1;
  let at = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < text.length; i++) {
    const value = VALUES[text.charCodeAt(i)] ?? 255;
    if (value === 255) return -1;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 255;
    }
  }
  return (held & ((1 << bits) - 1)) === 0 ? at : -1;
}
