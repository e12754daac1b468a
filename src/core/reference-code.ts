/**
 * The reference code a visitor can read out to support: slot and generation through a keyed permutation of 40 bits, as eight characters.
 * Pure: the keyed round function is handed in (`keys.ts` makes it from SipHash). Nothing about a code is stored anywhere.
 */

/** 20 pseudo-random bits for one half of one round. */
export type RoundFunction = (round: number, half: number) => number;

export interface Referred {
  readonly generation: number;
  readonly slot: number;
}

/** Crockford's alphabet: no I, L, O, U, so that codes can be read out and typed. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 8;
const HALF = 2 ** 20;
/** As many as NIST SP 800-38G asks of FF1 on domains this small. */
const ROUNDS = 10;
/** 32 bits of slot, 8 bits of generation. */
const SLOTS = 2 ** 32;
const GENERATIONS = 256;

/** The code of a place, like `7K3M-9QXT`, or null for a slot past 2^32. Codes repeat after 256 generations. */
export function referenceCode(place: Referred, round: RoundFunction): string | null {
  if (place.slot >= SLOTS) return null;
  const value = (place.generation % GENERATIONS) * SLOTS + place.slot;
  let left = Math.floor(value / HALF);
  let right = value % HALF;
  for (let i = 0; i < ROUNDS; i++) {
    [left, right] = [right, left ^ round(i, right)];
  }
  const code = toBase32(left * HALF + right);
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/**
 * Reads a code back: the place in the newest generation up to `current` that the code can mean, or null if the text is no code.
 * A mistyped code reads as some other place, nearly always one that was never given out: compare with the slots issued.
 */
export function readReferenceCode(typed: string, round: RoundFunction, current: number): Referred | null {
  const value = fromBase32(typed);
  if (value === null) return null;
  let left = Math.floor(value / HALF);
  let right = value % HALF;
  for (let i = ROUNDS - 1; i >= 0; i--) {
    [left, right] = [right ^ round(i, left), left];
  }
  const plain = left * HALF + right;
  const back = (current - Math.floor(plain / SLOTS)) % GENERATIONS;
  const generation = current - (back < 0 ? back + GENERATIONS : back);
  return generation < 0 ? null : { generation, slot: plain % SLOTS };
}

function toBase32(value: number): string {
  let code = "";
  for (let rest = value; code.length < CODE_LENGTH; rest = Math.floor(rest / 32)) code = ALPHABET.charAt(rest % 32) + code;
  return code;
}

/** Forgives case, spaces, dashes, and the look-alikes I, L (1) and O (0). */
function fromBase32(typed: string): number | null {
  if (typed.length > 32) return null;
  const code = typed.toUpperCase().replace(/[\s-]/g, "").replace(/[IL]/g, "1").replace(/O/g, "0");
  if (code.length !== CODE_LENGTH) return null;
  let value = 0;
  for (const letter of code) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return null;
    value = value * 32 + digit;
  }
  return value;
}
