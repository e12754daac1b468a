/**
 * The book that the isolates of one colo keep in its cache: who calls the Room when. Pure: a text in, a text out.
 * Whoever wants to call puts itself down one pace after the last; nobody needs to know how many others there are.
 * Two who write at the same moment overwrite each other: so each looks again whether it is still there. Whoever knows another pace
 * moves all turns to come, so each looks again when its turn has come as well.
 */

/** An isolate and when its turn is, ms since the Unix epoch by the colo's clocks. */
type Turn = readonly [isolate: number, at: number];

export interface TurnBook {
  readonly v: 1;
  /** Random u32: which colo this is, as far as the Room needs to know. */
  readonly colo: number;
  /** What lies between the turns to come. */
  readonly paceMs: number;
  readonly turns: readonly Turn[];
}

/** Turns longer ago than this are struck out, ms: as long as the Room remembers an isolate. */
const KEEP_MS = 45_000;
/** A turn further ahead was put down by a clock that is wrong, ms: the slowest pace and a little. */
const AHEAD_MS = 31_000;
/** Isolates of one colo; more of them share the same pace, uncounted. */
const TURNS_MAX = 2_048;

/** Only this Worker writes there; another version of it may have. null = no book. */
export function readBook(text: string | null): TurnBook | null {
  if (text === null) return null;
  try {
    const { v, colo, paceMs, turns } = JSON.parse(text) as TurnBook;
    const isSound = v === 1 && [colo, paceMs, ...turns.flat()].every(Number.isFinite) && turns.every(({ length }) => length === 2);
    return isSound && paceMs >= 0 ? { v, colo, paceMs, turns } : null;
  } catch {
    return null;
  }
}

/** The same turns at another pace: what is still to come is moved, together or apart. */
export function atPace(book: TurnBook, now: number, paceMs: number): TurnBook {
  const factor = paceMs / Math.max(1, book.paceMs);
  const turns = book.turns.map(([who, at]): Turn => [who, at <= now ? at : Math.ceil(now + Math.min(AHEAD_MS, (at - now) * factor))]);
  return { ...book, paceMs, turns };
}

/**
 * Put an isolate down for the next turn: now, if the last was a pace ago.
 * @param who.colo the id of a new book
 */
export function reserve(
  book: TurnBook | null,
  who: { readonly isolate: number; readonly colo: number },
  now: number,
  paceMs: number,
): { readonly book: TurnBook; readonly at: number } {
  const moved = atPace(book ?? { v: 1, colo: who.colo, paceMs, turns: [] }, now, paceMs);
  const turns = moved.turns.filter(([, at]) => now - at < KEEP_MS && at - now <= AHEAD_MS);
  const last = turns.reduce((latest, [, at]) => Math.max(latest, at), Number.NEGATIVE_INFINITY);
  const at = Math.ceil(Math.max(now, Math.min(last + paceMs, now + AHEAD_MS)));
  const others = turns.filter(([isolate]) => isolate !== who.isolate).slice(1 - TURNS_MAX);
  return { book: { ...moved, turns: [...others, [who.isolate, at]] }, at };
}

/** When its turn is, or was; null = it is not down. */
export function turnOf(book: TurnBook, isolate: number): number | null {
  return book.turns.find(([who]) => who === isolate)?.[1] ?? null;
}
