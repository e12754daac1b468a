/**
 * A batch of joins as the bytes that are stored, and back. Pure; knows nothing of what joins mean.
 *
 * Blob: minus the time (ms, f64) · number of the first (f64) · draw (u32, 0 = slots) · of a draw: the chain after the batch (32) · per join:
 * 16 characters of the key, network (u32), IPv4 address or IPv6 /48 (u32), a byte with the cost of the proof, a byte of bits (below). Before there were proofs the time was positive and a join ended after the
 * network; before there were draws, number and draw were missing too: those headers are told apart by the length.
 */
import { fromBase64url, toBase64url } from "../../src/core/base64url";
import { KEY_CHARS } from "./key-ring";

/** A short key is filled up with `-`. */
const PADDING = 0x2d;
const FORMER_JOIN_BYTES = KEY_CHARS + 4;
const JOIN_BYTES = FORMER_JOIN_BYTES + 6;
const FIRST_HEADER_BYTES = 8;
const SLOTS_HEADER_BYTES = 20;
const DRAW_HEADER_BYTES = 52;
/** It counts for the limits; it began a window of its network, of its address or /48; it was within the slack of these; it has a /48; it was beyond a limit. */
const LIMITED = 1;
const BEGINS = [2, 4] as const;
const SLACK = [8, 16] as const;
const IS_WIDE = 32;
const BEYOND = 64;

/** One join of a batch. */
export interface StoredJoin {
  readonly key: string;
  /** At most one of address and wide: a client speaks IPv4 or IPv6. */
  readonly from: { readonly network: number; readonly address: number; readonly wide: number };
  readonly proof: number;
  readonly limited: boolean;
  readonly slack: readonly boolean[];
  readonly beyond: boolean;
  /** It began a window of its network, of its address or /48; null = from before that was noted. */
  readonly begins: readonly boolean[] | null;
}

export interface StoredBatch {
  readonly firstNumber: number;
  readonly draw: number | null;
  readonly atMs: number;
  readonly chain: string;
}

export function encodeJoins({ draw, firstNumber, atMs, chain }: StoredBatch, joins: readonly StoredJoin[]): Uint8Array {
  const header = draw === null ? SLOTS_HEADER_BYTES : DRAW_HEADER_BYTES;
  const bytes = new Uint8Array(header + joins.length * JOIN_BYTES);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, -atMs, true);
  view.setFloat64(8, firstNumber, true);
  view.setUint32(16, draw ?? 0, true);
  if (draw !== null) bytes.set(fromBase64url(chain) ?? [], SLOTS_HEADER_BYTES);
  for (const [i, { key, from, proof, limited, slack, beyond, begins }] of joins.entries()) {
    const at = header + i * JOIN_BYTES;
    for (let c = 0; c < KEY_CHARS; c++) bytes[at + c] = c < key.length ? key.charCodeAt(c) : PADDING;
    view.setUint32(at + KEY_CHARS, from.network, true);
    view.setUint32(at + KEY_CHARS + 4, from.address || from.wide, true);
    bytes[at + KEY_CHARS + 8] = proof;
    const is = (limited ? LIMITED : 0) | (from.address === 0 && from.wide !== 0 ? IS_WIDE : 0) | (beyond ? BEYOND : 0);
    bytes[at + KEY_CHARS + 9] = is | bitsOf(BEGINS, begins ?? []) | bitsOf(SLACK, slack);
  }
  return bytes;
}

/** @param firstJoin number of the first one among all joins of the generation */
export function decodeJoins(firstJoin: number, data: Uint8Array): StoredBatch & { readonly joins: readonly StoredJoin[] } {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const time = view.getFloat64(0, true);
  const isNow = time < 0;
  const isFirst = !isNow && data.length % FORMER_JOIN_BYTES === FIRST_HEADER_BYTES;
  const draw = isFirst ? 0 : view.getUint32(16, true);
  const header = isFirst ? FIRST_HEADER_BYTES : draw === 0 ? SLOTS_HEADER_BYTES : DRAW_HEADER_BYTES;
  const size = isNow ? JOIN_BYTES : FORMER_JOIN_BYTES;
  const joins: StoredJoin[] = [];
  for (let at = header; at + size <= data.length; at += size) {
    const key = String.fromCharCode(...data.subarray(at, at + KEY_CHARS));
    const network = view.getUint32(at + KEY_CHARS, true);
    joins.push(isNow ? joinOf(view, at + KEY_CHARS + 4, key, network) : formerJoin(key, network));
  }
  return {
    firstNumber: isFirst ? firstJoin : view.getFloat64(8, true),
    draw: draw === 0 ? null : draw,
    atMs: Math.abs(time),
    chain: draw === 0 ? "" : toBase64url(data.subarray(SLOTS_HEADER_BYTES, DRAW_HEADER_BYTES)),
    joins,
  };
}

function joinOf(view: DataView, at: number, key: string, network: number): StoredJoin {
  const second = view.getUint32(at, true);
  const bits = view.getUint8(at + 5);
  const is = (bit: number) => (bits & bit) !== 0;
  const from = is(IS_WIDE) ? { network, address: 0, wide: second } : { network, address: second, wide: 0 };
  const more = { slack: SLACK.map(is), beyond: is(BEYOND), begins: BEGINS.map(is) };
  return { key, from, proof: view.getUint8(at + 4), limited: is(LIMITED), ...more };
}

function bitsOf(bits: readonly number[], are: readonly boolean[]): number {
  return bits.reduce((sum, bit, i) => sum | (are[i] ? bit : 0), 0);
}

function formerJoin(key: string, network: number): StoredJoin {
  return { key, from: { network, address: 0, wide: 0 }, proof: 0, limited: true, slack: [], beyond: false, begins: null };
}
