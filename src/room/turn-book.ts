/**
 * The book that the isolates of one colo keep in its cache: who calls the Room when. Pure: a text in, a text out.
 * Whoever wants to call puts itself down about a pace after the last; nobody needs to know how many others there are.
 * Two who write at the same moment overwrite each other: so each looks again whether it is still there. Whoever has news of the pace
 * moves all turns to come, so each looks again now and then, and when its turn has come.
 */

/** An isolate and when its turn is, ms since the Unix epoch by the colo's clocks. */
type Turn = readonly [isolate: number, at: number];

/** What lies between two turns, and when the Room said so, ms; 0 = nobody has heard from it. */
export interface HeardPace {
  readonly paceMs: number;
  readonly asOf: number;
}

export interface TurnBook extends HeardPace {
  readonly v: 1;
  /** Random u32: which colo this is, as far as the Room needs to know. */
  readonly colo: number;
  readonly turns: readonly Turn[];
}

/** Turns longer ago than this are struck out, ms: as long as the Room remembers an isolate. */
const KEEP_MS = 50_000;
/** A turn this much further ahead than all who are down need was put down by a clock that is wrong, ms. */
const AHEAD_MS = 10_000;
/** Whoever is down for a turn looks this often whether it has been moved, ms: while nobody has heard, and then. */
const LOOKS_MS = { unheard: 200, heard: 600 };
/** Isolates of one colo; more of them share the same pace, uncounted. */
const TURNS_MAX = 2_048;

/** Only this Worker writes there; another version of it may have. null = no book. */
export function readBook(text: string | null): TurnBook | null {
  if (text === null) return null;
  try {
    const { v, colo, paceMs, asOf = 0, turns } = JSON.parse(text) as TurnBook & { readonly asOf?: number };
    const isSound = v === 1 && [colo, paceMs, asOf, ...turns.flat()].every(Number.isFinite) && turns.every(({ length }) => length === 2);
    return isSound && paceMs >= 0 ? { v, colo, paceMs, asOf, turns } : null;
  } catch {
    return null;
  }
}

/** So often those look who are down in it. */
export function lookMs({ asOf }: HeardPace): number {
  return asOf === 0 ? LOOKS_MS.unheard : LOOKS_MS.heard;
}

/**
 * The same turns at another pace: what is still to come is moved, together or apart. None to before its isolate looks: dozens that find in one
 * moment that their turns are over would all call in it.
 */
export function atPace(book: TurnBook, now: number, { paceMs, asOf }: HeardPace): TurnBook {
  const factor = paceMs / Math.max(1, book.paceMs);
  const from = factor < 1 ? now + lookMs(book) : now;
  const moved = (at: number) => (at <= from ? at : Math.ceil(from + (at - from) * factor));
  return { ...book, paceMs, asOf, turns: book.turns.map(([who, at]): Turn => [who, moved(at)]) };
}

/**
 * Put an isolate down for the next turn: at `earliest`, if the last is so long before that.
 * @param who.colo the id of a new book
 * @param afterMs from the last turn to this one: about a pace
 */
export function reserve(
  book: TurnBook | null,
  who: { readonly isolate: number; readonly colo: number },
  now: number,
  heard: HeardPace,
  { earliest = now, afterMs = heard.paceMs }: { readonly earliest?: number; readonly afterMs?: number } = {},
): { readonly book: TurnBook; readonly at: number } {
  const moved = atPace(book ?? { v: 1, colo: who.colo, ...heard, turns: [] }, now, heard);
  const mostMs = AHEAD_MS + heard.paceMs * (moved.turns.length + 1);
  const turns = moved.turns.filter(([, at]) => now - at < KEEP_MS && at - now <= mostMs);
  const last = turns.reduce((latest, [, at]) => Math.max(latest, at), Number.NEGATIVE_INFINITY);
  const at = Math.ceil(Math.max(earliest, last + afterMs));
  const others = turns.filter(([isolate]) => isolate !== who.isolate).slice(1 - TURNS_MAX);
  return { book: { ...moved, turns: [...others, [who.isolate, at]] }, at };
}

/** When its turn is, or was; null = it is not down. */
export function turnOf(book: TurnBook, isolate: number): number | null {
  return book.turns.find(([who]) => who === isolate)?.[1] ?? null;
}
