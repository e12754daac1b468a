/**
 * Judges a history of one generation against the sequential model of P1, P2, P4 and P5. Pure.
 *
 * The model: slots are numbered in the order in which joins take effect; one number, the epoch, only grows, and a slot's turn has
 * come when it is below; a session is one chain of passes. An operation takes effect once, at some instant between its beginning
 * and its end; one whose end is unknown, at any time after its beginning or never. A breach is reported only if no such instants
 * exist: what is called broken is broken.
 */
import { fullestWindow, mostAtOnce, type Span } from "../../scripts/lib/crowd-judge.mjs";
import type { Operation } from "./history";
import { checkPasses } from "./history-passes";

export const RULES = [
  // P5: a slot was given to two visitors; a visitor's slot changed.
  "slot-twice",
  "slot-changed",
  // P4: a join returned before another began, and stands behind it.
  "join-overtaken",
  // P7: a slot that was told of is not among the issued; a slot was issued that no join can own; a place was not known any more.
  "slot-not-issued",
  "slot-without-owner",
  "place-lost",
  // P4: told to wait although a slot at or behind one's own had its turn called before.
  "turn-overtaken",
  // P5: one session per slot, one chain of passes per session, and who was refused goes on only by taking over.
  "two-sessions",
  "serial-back",
  "two-branches",
  "void-renewed",
  "void-forwarded",
  // P7: a session ended before its pass did.
  "cut-short",
  // P1 and P2.
  "too-many",
  "too-fast",
] as const;

export type Rule = (typeof RULES)[number];

export interface Breach {
  readonly rule: Rule;
  readonly what: string;
}

export interface Facts {
  /** Slots issued, by the Room's own numbers, after the last operation. */
  readonly issued: number;
  readonly totalActiveUsers: number;
  readonly newUsersPerMinute: number;
  readonly revokeBoundMs: number;
  readonly passRefreshMs: number;
  /** What an edge tells people in line is at most this old. */
  readonly staleMs: number;
  /** When the Room could not be reached from some edge: people inside went on by their passes alone. */
  readonly outages: readonly Span[];
}

/** The Room's record of a session outlives its last pass by this long (P1), ms. */
const RECORD_MS = 10_000;

/** One key's life. */
export interface Visit {
  readonly visitor: number;
  /** In order of invocation. */
  readonly operations: readonly Operation[];
  /** The slot first told of; null = none ever was. */
  readonly slot: number | null;
  /** When a join may first have taken effect, and when it surely had; null = no join that could have. */
  readonly join: Span | null;
  /** When leaving was first asked for. */
  readonly leftFrom: number;
  readonly copied: boolean;
}

export function checkHistory(operations: readonly Operation[], facts: Facts): Breach[] {
  const visits = visitsOf(operations);
  return [
    ...checkSlots(visits),
    ...checkJoinOrder(visits),
    ...checkGaps(visits, facts.issued),
    ...checkPlaces(visits),
    ...checkTurns(visits, facts.staleMs),
    ...visits.flatMap((visit) => checkPasses(visit, facts)),
    ...checkLimits(visits, facts),
  ];
}

function visitsOf(operations: readonly Operation[]): Visit[] {
  const byVisitor = Map.groupBy(operations, ({ visitor }) => visitor);
  return [...byVisitor].map(([visitor, own]) => {
    const first = firstOf(own, ({ told }) => told?.slot != null);
    const joins = own.filter(({ kind, outcome }) => kind === "join" && outcome !== "fail");
    const from = Math.min(...joins.map((join) => join.from));
    return {
      visitor,
      operations: own,
      slot: first?.told?.slot ?? null,
      join: joins.length === 0 ? null : { from, to: first?.to ?? Number.POSITIVE_INFINITY },
      leftFrom: Math.min(...own.filter(({ kind }) => kind === "leave").map((leave) => leave.from)),
      copied: own.some(({ holder }) => holder > 0),
    };
  });
}

/** The one that ended first. */
function firstOf(operations: readonly Operation[], is: (operation: Operation) => boolean): Operation | null {
  return operations.filter(is).reduce<Operation | null>((first, each) => (first === null || each.to < first.to ? each : first), null);
}

const placed = (visits: readonly Visit[]) =>
  visits.flatMap(({ slot, join, ...rest }) => (slot === null ? [] : [{ ...rest, slot, join }])).sort((a, b) => a.slot - b.slot);

function checkSlots(visits: readonly Visit[]): Breach[] {
  const owners = new Map<number, number>();
  return visits.flatMap(({ visitor, slot, operations }) => {
    const breaches: Breach[] = [];
    for (const told of new Set(operations.flatMap((each) => each.told?.slot ?? []))) {
      if (told !== slot) breaches.push({ rule: "slot-changed", what: `visitor ${visitor} had slot ${slot}, then ${told}` });
      const owner = owners.get(told);
      if (owner !== undefined) breaches.push({ rule: "slot-twice", what: `slot ${told} was given to visitors ${owner} and ${visitor}` });
      owners.set(told, visitor);
    }
    return breaches;
  });
}

function checkJoinOrder(visits: readonly Visit[]): Breach[] {
  const joins = placed(visits).flatMap(({ visitor, slot, join }) => (join === null ? [] : [{ visitor, slot, ...join }]));
  const byEnd = [...joins].sort((a, b) => a.to - b.to);
  let ended = 0;
  let highest = -1;
  return [...joins]
    .sort((a, b) => a.from - b.from)
    .flatMap(({ visitor, slot, from }) => {
      for (; (byEnd[ended]?.to ?? Number.POSITIVE_INFINITY) < from; ended++) highest = Math.max(highest, byEnd[ended]?.slot ?? -1);
      const what = `visitor ${visitor} got slot ${slot} by a join that began after slot ${highest} had been given`;
      return highest > slot ? [{ rule: "join-overtaken" as const, what }] : [];
    });
}

/**
 * Every issued slot that nobody was told of belongs to a join whose end is unknown, one each. Such a join took effect before those
 * of all higher slots, so it began before any of them had ended.
 */
function checkGaps(visits: readonly Visit[], issued: number): Breach[] {
  const told = placed(visits);
  const lost = told.filter(({ slot }) => slot >= issued);
  if (lost.length > 0)
    return lost.map(({ slot }) => ({ rule: "slot-not-issued", what: `slot ${slot} was given, but ${issued} are issued` }));
  const begun = visits.flatMap(({ slot, join }) => (slot === null && join !== null ? [join.from] : [])).sort((a, b) => a - b);
  const known = new Map(told.map(({ slot, join }) => [slot, join?.to ?? Number.POSITIVE_INFINITY]));
  const latest: number[] = Array(issued + 1).fill(Number.POSITIVE_INFINITY);
  for (let slot = issued - 1; slot >= 0; slot--)
    latest[slot] = Math.min(latest[slot + 1] ?? 0, known.get(slot) ?? Number.POSITIVE_INFINITY);
  const breaches: Breach[] = [];
  let used = 0;
  for (let slot = 0; slot < issued; slot++) {
    if (known.has(slot)) continue;
    // Later gaps are less choosy: the earliest join that is left will do if any will.
    if ((begun[used] ?? Number.POSITIVE_INFINITY) <= (latest[slot] ?? 0) && used < begun.length) used += 1;
    else breaches.push({ rule: "slot-without-owner", what: `slot ${slot} was issued, and no join can own it` });
  }
  return breaches;
}

/** Whoever has a place and did not leave is known by it. */
function checkPlaces(visits: readonly Visit[]): Breach[] {
  return placed(visits).flatMap(({ visitor, slot, operations, join, leftFrom, copied }) =>
    operations.flatMap(({ told, from, to }) => {
      if (told === null || from < (join?.to ?? 0) || to > leftFrom) return [];
      const isLost = ["joining", "ended"].includes(told.state ?? "") || (told.state === "void" && !copied);
      const what = `visitor ${visitor} with slot ${slot} was told ${told.state} (${told.reason})`;
      return isLost ? [{ rule: "place-lost" as const, what }] : [];
    }),
  );
}

const CALLED = new Set(["called", "inside", "returning"]);

/** There is one epoch, which only grows, such that everybody was told by it, or by what it had been up to `staleMs` before. */
function checkTurns(visits: readonly Visit[], staleMs: number): Breach[] {
  const asked = placed(visits).flatMap(({ slot, operations }) =>
    operations.flatMap(({ told, ...rest }) => (told ? [{ slot, told, ...rest }] : [])),
  );
  const called = asked
    .filter(({ told }) => told.pass !== null || (CALLED.has(told.state ?? "") && told.reason !== "room-off"))
    .sort((a, b) => a.to - b.to);
  let ended = 0;
  let highest = -1;
  return asked
    .filter(({ told }) => told.state === "waiting" && (told.ahead ?? 0) > 0 && told.reason !== "room-unreachable")
    .sort((a, b) => a.from - b.from)
    .flatMap(({ slot, told, from }) => {
      for (; (called[ended]?.to ?? Number.POSITIVE_INFINITY) < from - staleMs; ended++)
        highest = Math.max(highest, called[ended]?.slot ?? -1);
      const what = `slot ${slot} was told that ${told.ahead} are ahead after slot ${highest} had been called`;
      return slot - (told.ahead ?? 0) <= highest ? [{ rule: "turn-overtaken" as const, what }] : [];
    });
}

/** Could it have let the visitor in without telling so? "Nobody ahead" is also said when the Room's answer did not come in time. */
function mayHaveEntered({ kind, outcome, told }: Operation): boolean {
  if ((kind !== "join" && kind !== "ask") || outcome === "fail") return false;
  return told === null || told.state === null || told.state === "joining" || (told.state === "waiting" && told.ahead === 0);
}

function checkLimits(visits: readonly Visit[], facts: Facts): Breach[] {
  const entries: Span[] = [];
  const stays: Span[] = [];
  for (const { operations, leftFrom } of visits) {
    const entered = firstOf(operations, ({ told }) => told?.pass != null);
    if (entered === null) continue;
    const mayHave = operations.filter((each) => each.from < entered.to && mayHaveEntered(each));
    entries.push({ from: Math.min(entered.from, ...mayHave.map(({ from }) => from)), to: entered.to });
    const passEnds = Math.max(...operations.map(({ told }) => (told?.pass?.expiresAtS ?? 0) * 1_000));
    stays.push({ from: entered.to, to: Math.min(passEnds + RECORD_MS, leftFrom + facts.revokeBoundMs) });
  }
  const breaches: Breach[] = [];
  const peak = mostAtOnce(stays);
  if (peak > facts.totalActiveUsers) breaches.push({ rule: "too-many", what: `${peak} places were taken at once` });
  const window = fullestWindow(entries, facts.newUsersPerMinute);
  if (window.entries > window.allowed)
    breaches.push({ rule: "too-fast", what: `${window.entries} entries within ${window.ms} ms, ${window.allowed} are allowed` });
  return breaches;
}
