/**
 * Places made out anew after a key was revoked: which token got which. Pure.
 *
 * Whoever has the key can show any place that was given out by it, so each is made out anew once, for the token that comes first, and for that
 * one again and again. A forger can take a place in this way, but add none. Which token that was is kept in rows that are loaded before a
 * step and stored after it, as guests are: memory holds none of them between steps, however many people wait.
 */
import type { Actor, LineChoice } from "../../src/core/admin";
import type { ReissueRequest, ReissueVerdict } from "../../src/core/exchange";
import { State } from "./slot-table";
import type { LineState } from "./state";

/** What the Room has noted of a key that was revoked: the places that it may have signed. */
export interface RevokedKey {
  readonly kid: string;
  readonly line: LineChoice;
  readonly atMs: number;
  readonly actor: Actor;
  readonly generation: number;
  /** Slots given out before. */
  readonly tail: number;
  /** Draws that had not taken place: their entries count as entries, and the slots kept for them (from `base`) as nobody's. */
  readonly draws: readonly { readonly id: number; readonly entries: number; readonly base: number | null }[];
  reissued: number;
  refused: number;
}

export interface ReissueRow {
  /** The key that was the last to be revoked then: what one of these had signed, and the place was made out by, is over. */
  readonly kid: string;
  /** Digest of the token that the place was made out anew for. */
  readonly token: string;
  /** Other tokens that were shown for it. */
  readonly refused: number;
}

export type ReissueRows = Iterable<readonly [place: string, row: ReissueRow]>;

/** The manifest names at most this many; the longest revoked are forgotten first, and are in no ring any more. */
const REVOKED_MAX = 8;
/** One step makes out this many, ms of work at most; the others ask again. */
const STEP_MAX = 64;
/** After so many others the token that was first is no good either: somebody is guessing it. */
const REFUSED_MAX = 8;

export class Reissues {
  #rows = new Map<string, ReissueRow>();
  #changed = new Map<string, ReissueRow>();

  load(rows: ReissueRows): void {
    for (const [place, row] of rows) this.#rows.set(place, row);
  }

  find(place: string): ReissueRow | null {
    return this.#changed.get(place) ?? this.#rows.get(place) ?? null;
  }

  put(place: string, row: ReissueRow): void {
    this.#changed.set(place, row);
  }

  /** What changed since the last call; forgets everything. */
  takeChanges(): ReadonlyMap<string, ReissueRow> {
    const changed = this.#changed;
    this.#rows = new Map();
    this.#changed = new Map();
    return changed;
  }
}

/** The rows that a step with these requests has to know. */
export function reissuesIn(requests: readonly ReissueRequest[]): ReadonlySet<string> {
  return new Set(
    requests
      .slice(0, STEP_MAX)
      .flatMap(({ slot, entry }) => [...(slot === null ? [] : [ofSlot(slot)]), ...(entry === null ? [] : [ofEntry(entry)])]),
  );
}

const ofSlot = (slot: number) => `slot ${slot}`;
const ofEntry = ({ draw, entry }: { readonly draw: number; readonly entry: number }) => `entry ${draw} ${entry}`;

/**
 * Note a key as revoked. The first time counts: places given out since then were signed by another key.
 * @returns false if it was noted already
 */
export function revokeKey(line: LineState, kid: string, choice: LineChoice, actor: Actor): boolean {
  const { counters } = line;
  if (counters.revokedKeys.some((key) => key.kid === kid)) return false;
  const { generation, tail, now: atMs, collecting, drawing, awaiting } = counters;
  const closed = [drawing, ...awaiting].flatMap((draw) => (draw === null ? [] : [{ id: draw.id, entries: draw.count, base: draw.base }]));
  const draws = [...(collecting === null ? [] : [{ id: collecting.id, entries: collecting.count, base: null }]), ...closed];
  const key: RevokedKey = { kid, line: choice, atMs, actor, generation, tail, draws, reissued: 0, refused: 0 };
  counters.revokedKeys = [...counters.revokedKeys, key].slice(-REVOKED_MAX);
  return true;
}

export function reissueAll(line: LineState, requests: readonly ReissueRequest[]): ReissueVerdict[] {
  return requests.map((request, i) => (i < STEP_MAX ? reissue(line, request) : { as: "later" }));
}

function reissue(line: LineState, request: ReissueRequest): ReissueVerdict {
  const keys = line.counters.revokedKeys;
  const key = keys.find(({ kid }) => kid === request.kid);
  if (key === undefined) return { as: "later" };
  const place = placeOf(line, key, request);
  const row = place === null ? null : line.reissues.find(place);
  if (place === null) return refuse(key);
  const { kid, token } = request;
  if (row !== null) {
    const rank = (of: string) => keys.findIndex((each) => each.kid === of);
    // Made out anew already, perhaps by this very key, which was good then and is revoked since: so all of it begins again.
    const isLater = rank(kid) > rank(row.kid);
    if (!isLater && row.token === token && row.refused < REFUSED_MAX) return { as: "reissued" };
    if (!isLater) {
      if (row.refused < REFUSED_MAX) line.reissues.put(place, { ...row, refused: row.refused + 1 });
      return refuse(key);
    }
  }
  line.reissues.put(place, { kid: keys.at(-1)?.kid ?? kid, token, refused: 0 });
  key.reissued += 1;
  if (request.slot !== null) letBackIn(line, request.slot);
  return { as: "reissued" };
}

function refuse(key: RevokedKey): ReissueVerdict {
  key.refused += 1;
  return { as: "void" };
}

/** The row of the place that a token shows, or null if no token of this key can have been given for it. */
function placeOf({ counters }: LineState, key: RevokedKey, { slot, entry }: ReissueRequest): string | null {
  if (key.line === "new" || key.generation !== counters.generation) return null;
  if (entry !== null) {
    const draw = key.draws.find(({ id }) => id === entry.draw);
    if (draw !== undefined) return entry.entry < draw.entries ? ofEntry(entry) : null;
  }
  if (slot === null || slot >= key.tail) return null;
  const isKept = key.draws.some(({ base, entries }) => base !== null && slot >= base && slot < base + entries);
  return isKept ? null : ofSlot(slot);
}

/**
 * The passes of a visit that is on were signed by the revoked key and are dead: the ticket carries it on, as on the first day. If there is a
 * pass by a good key, its holder asked for nothing here, and can take the visit over.
 */
function letBackIn({ table }: LineState, slot: number): void {
  const state = table.stateOf(slot);
  if (state === State.NONE || state === State.LEAVING || table.peek(slot).sessionEnd === 0) return;
  const row = table.row(slot);
  row.head = 0;
  row.lo = row.hi;
}
