/**
 * Ten million people as numbers in typed arrays. Those who came in the same moment to the same isolate are a party: they ask together, but each
 * has a place, and a fate, of their own. No behaviour here.
 */

export const Kind = { HONEST: 0, GONE: 1, VANISHING: 2, SILENT: 3, BOT: 4 } as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** `OUT`: has been inside, or will not come any more. `LOST`: was there all the time, and was told that the place is over. */
export const At = { NEW: 0, WAITING: 1, INSIDE: 2, OUT: 3, LOST: 4 } as const;
export type At = (typeof At)[keyof typeof At];

export class People {
  readonly count: number;
  readonly partySize: number;
  readonly parties: number;
  /** The newest place that the Room gave; −1 = none. A lobby's entry, until it is drawn. */
  readonly slot: Int32Array;
  readonly kind: Uint8Array;
  /** By which the Room knows a newcomer again: stays with somebody who is numbered anew. */
  readonly key: Int32Array;
  readonly at: Uint8Array;
  readonly serial: Uint16Array;
  /** When the turn came first, ms since the start; −1 = not yet. */
  readonly calledAt: Int32Array;
  /** Of parties. Times are ms of virtual time; NaN = not yet. */
  readonly arrivedAt: Float64Array;
  readonly answeredAt: Float64Array;
  readonly joinedAtS: Float64Array;
  readonly isolate: Uint16Array;
  /** By slot, who has it; −1 = nobody. */
  #owners: Int32Array;

  constructor(count: number, partySize: number) {
    this.count = count;
    this.partySize = partySize;
    this.parties = Math.ceil(count / partySize);
    this.slot = new Int32Array(count).fill(-1);
    this.kind = new Uint8Array(count);
    this.key = Int32Array.from({ length: count }, (_, person) => person);
    this.at = new Uint8Array(count);
    this.serial = new Uint16Array(count);
    this.calledAt = new Int32Array(count).fill(-1);
    this.arrivedAt = new Float64Array(this.parties).fill(Number.NaN);
    this.answeredAt = new Float64Array(this.parties).fill(Number.NaN);
    this.joinedAtS = new Float64Array(this.parties);
    this.isolate = new Uint16Array(this.parties);
    this.#owners = new Int32Array(count).fill(-1);
  }

  first(party: number): number {
    return party * this.partySize;
  }

  /** One past the last. */
  end(party: number): number {
    return Math.min(this.count, (party + 1) * this.partySize);
  }

  partyOf(person: number): number {
    return Math.floor(person / this.partySize);
  }

  ownerOf(slot: number): number {
    return this.#owners[slot] ?? -1;
  }

  /** @returns whose it was: −1 = nobody's, as it should be, or the same person's */
  give(slot: number, person: number): number {
    if (slot >= this.#owners.length) {
      const more = new Int32Array(Math.max(slot + 1, Math.ceil(this.#owners.length * 1.5))).fill(-1);
      more.set(this.#owners);
      this.#owners = more;
    }
    const before = this.#owners[slot] as number;
    this.#owners[slot] = person;
    this.slot[person] = slot;
    return before;
  }

  noteCalled(slot: number, sinceStartMs: number): void {
    const person = this.ownerOf(slot);
    if (person >= 0 && this.calledAt[person] === -1) this.calledAt[person] = sinceStartMs;
  }

  /**
   * Everybody has the place that a draw gave to their entry: `order[i]` is the entry that stands at `base + i`. Who came too late for it keeps
   * the place behind it, or has none yet and is still to ask for one. People are numbered anew in that order, so that a party is again made of
   * neighbours; who asks when, and where, stays as it was.
   */
  placeDrawn(base: number, order: Uint32Array): void {
    const [kinds, states, slots, keys] = [this.kind.slice(), this.at.slice(), this.slot.slice(), this.key.slice()];
    const owners = Int32Array.from(order, (entry) => this.ownerOf(entry));
    this.#owners.fill(-1);
    this.slot.fill(-1);
    let next = 0;
    const add = (former: number, at: At, slot: number) => {
      this.kind[next] = kinds[former] as number;
      this.at[next] = at;
      this.key[next] = keys[former] as number;
      if (slot >= 0) this.give(slot, next);
      next += 1;
    };
    for (const [i, entry] of order.entries()) {
      const former = owners[i] as number;
      if (former < 0 || slots[former] !== entry) continue;
      // Whose answer is still on its way has the entry all the same: asked again, the Room would say so.
      const isTold = states[former] !== At.NEW;
      add(former, isTold ? (states[former] as At) : kinds[former] === Kind.GONE ? At.OUT : At.WAITING, base + i);
    }
    for (const [former, slot] of slots.entries()) if (slot < 0 || slot >= order.length) add(former, states[former] as At, slot);
  }

  /** Of a kind, in a state. */
  tally(kind: Kind, at: At): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) if (this.kind[i] === kind && this.at[i] === at) sum += 1;
    return sum;
  }
}
