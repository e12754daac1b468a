/**
 * The slots that need remembering: called, away, returning, inside, lapsed, leaving.
 * Pure: typed arrays only. Blocks of 64 rows × 32 bytes; a block exists while any of its rows is in use, so a million
 * people waiting cost nothing here. A row of state NONE is waiting (slot ≥ epoch) or ended (slot < epoch).
 *
 * Row layout, little-endian (bytes): 0 state · 1 calls · 2 takeovers · 3 flags (1 held, 2 answered, 4–16 moves, 32 questioned, 64 extended) · 4 a · 8 b · 12 c · 16 head · 18 lo ·
 * 20 hi · 22 tag · 24 d · 28 sessionEnd. Fields a–d mean different things in different states; the accessors name them.
 * Seconds and tenths count from the start of the generation (line clock or Room time, as each accessor says).
 */

export const State = {
  NONE: 0,
  CALLED: 1,
  INSIDE: 2,
  LAPSED: 3,
  PASSED_OVER: 4,
  MISSED: 5,
  RETURNING: 6,
  LEAVING: 7,
} as const;
export type State = (typeof State)[keyof typeof State];

export const BLOCK_SLOTS = 64;
export const ROW_BYTES = 32;
export const BLOCK_BYTES = BLOCK_SLOTS * ROW_BYTES;

/** A window on one row. Cheap to make; never kept across calls. */
export class Row {
  readonly #view: DataView;
  readonly #at: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  get state(): State {
    return this.#view.getUint8(this.#at) as State;
  }
  /** Only `SlotTable.move` changes a state: it keeps the counts. */
  set state(value: State) {
    this.#view.setUint8(this.#at, value);
  }
  /** How often this slot has been called. */
  get calls(): number {
    return this.#view.getUint8(this.#at + 1);
  }
  set calls(value: number) {
    this.#view.setUint8(this.#at + 1, Math.min(value, 255));
  }
  get takeovers(): number {
    return this.#view.getUint8(this.#at + 2);
  }
  set takeovers(value: number) {
    this.#view.setUint8(this.#at + 2, value);
  }
  #flag(bit: number): boolean {
    return (this.#view.getUint8(this.#at + 3) & bit) !== 0;
  }
  #setFlag(bit: number, value: boolean): void {
    const flags = this.#view.getUint8(this.#at + 3);
    this.#view.setUint8(this.#at + 3, value ? flags | bit : flags & ~bit);
  }
  /** Called: does this call still hold a place? */
  get held(): boolean {
    return this.#flag(1);
  }
  set held(value: boolean) {
    this.#setFlag(1, value);
  }
  /** Called: has this call been answered? */
  get answered(): boolean {
    return this.#flag(2);
  }
  /** Changes of network (`bind_network`) since the visitor last said who it is: 0 to 7. */
  get moves(): number {
    return (this.#view.getUint8(this.#at + 3) >> 2) & 7;
  }
  set moves(value: number) {
    const flags = this.#view.getUint8(this.#at + 3) & ~28;
    this.#view.setUint8(this.#at + 3, flags | (Math.min(value, 7) << 2));
  }
  /** Has this visitor been asked about them? */
  get questioned(): boolean {
    return this.#flag(32);
  }
  set questioned(value: boolean) {
    this.#setFlag(32, value);
  }
  set answered(value: boolean) {
    this.#setFlag(2, value);
  }
  /** Called: has this call been made longer? */
  get extended(): boolean {
    return this.#flag(64);
  }
  set extended(value: boolean) {
    this.#setFlag(64, value);
  }

  #u32(offset: number): number {
    return this.#view.getUint32(this.#at + offset, true);
  }
  #setU32(offset: number, value: number): void {
    this.#view.setUint32(this.#at + offset, Math.min(value, 0xffff_ffff), true);
  }
  #u16(offset: number): number {
    return this.#view.getUint16(this.#at + offset, true);
  }
  #setU16(offset: number, value: number): void {
    this.#view.setUint16(this.#at + offset, value, true);
  }

  /** Called: the place is held until then (line clock, s). Inside, lapsed, leaving: the record ends (Room time, s). */
  get until(): number {
    return this.#u32(4);
  }
  set until(value: number) {
    this.#setU32(4, value);
  }
  /** Returning: order of coming back. */
  get order(): number {
    return this.#u32(4);
  }
  set order(value: number) {
    this.#setU32(4, value);
  }
  /** Called: the call stays valid until then (line clock, s). */
  get validUntil(): number {
    return this.#u32(8);
  }
  set validUntil(value: number) {
    this.#setU32(8, value);
  }
  /** Inside: when the head was first presented (Room time, tenths of a second). */
  get promotedAt(): number {
    return this.#u32(8);
  }
  set promotedAt(value: number) {
    this.#setU32(8, value);
  }
  /** Called, away, returning: first miss (line clock, s; 0 = none yet). */
  get awaySince(): number {
    return this.#u32(12);
  }
  set awaySince(value: number) {
    this.#setU32(12, value);
  }
  /** Inside: the serial that was head before (NO_SERIAL = none). */
  get previous(): number {
    return this.#u32(12);
  }
  set previous(value: number) {
    this.#setU32(12, value);
  }
  /** The chain: serial in use, and the siblings (lo, hi] issued but not yet presented. */
  get head(): number {
    return this.#u16(16);
  }
  set head(value: number) {
    this.#setU16(16, value);
  }
  get lo(): number {
    return this.#u16(18);
  }
  set lo(value: number) {
    this.#setU16(18, value);
  }
  get hi(): number {
    return this.#u16(20);
  }
  set hi(value: number) {
    this.#setU16(20, value);
  }
  /** Client tag of the request that got serial `hi`. */
  get tag(): number {
    return this.#u16(22);
  }
  set tag(value: number) {
    this.#setU16(22, value);
  }
  /** Called: when (line clock, s). */
  get calledAt(): number {
    return this.#u32(24);
  }
  set calledAt(value: number) {
    this.#setU32(24, value);
  }
  /** Inside: arrival of the request that got serial `hi` (Room time, tenths of a second). */
  get issuedAt(): number {
    return this.#u32(24);
  }
  set issuedAt(value: number) {
    this.#setU32(24, value);
  }
  /** Absolute end of the session (Room time, s); 0 = never been inside. */
  get sessionEnd(): number {
    return this.#u32(28);
  }
  set sessionEnd(value: number) {
    this.#setU32(28, value);
  }
}

export const NO_SERIAL = 0xffff_ffff;
export const MAX_SERIAL = 0xffff;

const NO_ROW = new Uint8Array(ROW_BYTES);

interface Block {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Rows whose state is not NONE. */
  used: number;
}

export class SlotTable {
  readonly #blocks = new Map<number, Block>();
  #dirty = new Set<number>();
  /** Slots per state; index = State. NONE is not counted. */
  readonly counts: number[] = [0, 0, 0, 0, 0, 0, 0, 0];

  /** State of a slot without making a row. */
  stateOf(slot: number): State {
    const block = this.#blocks.get(Math.floor(slot / BLOCK_SLOTS));
    return block === undefined ? State.NONE : (block.bytes[(slot % BLOCK_SLOTS) * ROW_BYTES] as State);
  }

  /** The row of a slot for reading and writing; made if needed. The caller has decided to change it: the slot becomes dirty. */
  row(slot: number): Row {
    const number = Math.floor(slot / BLOCK_SLOTS);
    let block = this.#blocks.get(number);
    if (block === undefined) {
      const bytes = new Uint8Array(BLOCK_BYTES);
      block = { bytes, view: new DataView(bytes.buffer), used: 0 };
      this.#blocks.set(number, block);
    }
    this.#dirty.add(slot);
    return new Row(block.view, (slot % BLOCK_SLOTS) * ROW_BYTES);
  }

  /** The row of a slot in use, for reading only. Throws if there is none: a caller asks `stateOf` first. */
  peek(slot: number): Readonly<Row> {
    const block = this.#blocks.get(Math.floor(slot / BLOCK_SLOTS));
    if (block === undefined) throw new Error(`slot ${slot} has no row`);
    return new Row(block.view, (slot % BLOCK_SLOTS) * ROW_BYTES);
  }

  /** Change a slot's state and the counts; NONE wipes the row. */
  move(slot: number, to: State): Row {
    const row = this.row(slot);
    const block = this.#blocks.get(Math.floor(slot / BLOCK_SLOTS)) as Block;
    const from = row.state;
    if (from !== State.NONE) {
      this.counts[from] = (this.counts[from] as number) - 1;
      block.used -= 1;
    }
    if (to !== State.NONE) {
      this.counts[to] = (this.counts[to] as number) + 1;
      block.used += 1;
      row.state = to;
    } else {
      const start = (slot % BLOCK_SLOTS) * ROW_BYTES;
      block.bytes.fill(0, start, start + ROW_BYTES);
    }
    return row;
  }

  count(state: State): number {
    return this.counts[state] as number;
  }

  /** Every slot in use, ascending by block. For operator actions and loading, never for the hot path. */
  *slots(): Generator<[slot: number, state: State]> {
    for (const number of [...this.#blocks.keys()].sort((a, b) => a - b)) {
      const block = this.#blocks.get(number);
      if (block === undefined) continue;
      for (let i = 0; i < BLOCK_SLOTS; i++) {
        const state = block.bytes[i * ROW_BYTES] as State;
        if (state !== State.NONE) yield [number * BLOCK_SLOTS + i, state];
      }
    }
  }

  /** Slots whose rows may have changed since the last call. */
  takeDirty(): ReadonlySet<number> {
    const changed = this.#dirty;
    this.#dirty = new Set();
    return changed;
  }

  /** The bytes of a slot's row as they are now. */
  bytesOf(slot: number): Uint8Array {
    const start = (slot % BLOCK_SLOTS) * ROW_BYTES;
    return this.#blocks.get(Math.floor(slot / BLOCK_SLOTS))?.bytes.subarray(start, start + ROW_BYTES) ?? NO_ROW;
  }

  /** A block for its row in storage; null = nothing is left in it, delete it. */
  block(number: number): Uint8Array | null {
    const block = this.#blocks.get(number);
    if (block !== undefined && block.used > 0) return block.bytes;
    this.#blocks.delete(number);
    return null;
  }

  load(number: number, bytes: Uint8Array): void {
    const copy = new Uint8Array(BLOCK_BYTES);
    copy.set(bytes.subarray(0, BLOCK_BYTES));
    let used = 0;
    for (let i = 0; i < BLOCK_SLOTS; i++) {
      const state = copy[i * ROW_BYTES] as State;
      if (state === State.NONE) continue;
      used += 1;
      this.counts[state] = (this.counts[state] as number) + 1;
    }
    if (used > 0) this.#blocks.set(number, { bytes: copy, view: new DataView(copy.buffer), used });
  }

  get blockCount(): number {
    return this.#blocks.size;
  }
}
