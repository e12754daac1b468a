/** The part of the history check that is about one session's passes (P5, and P7's "never cut short"). Pure. */

import type { Operation, PassSeen, Told } from "./history";
import type { Breach, Facts, Visit } from "./history-check";

/** A request that had an answer, by a holder with a pass. */
interface Shown extends Operation {
  readonly told: Told;
}

/** A pass was given to whoever presented that one (null = the ticket). */
interface Granted extends Shown {
  readonly told: Told & { readonly pass: PassSeen };
}

/** An edge that must ask the Room first forwards without its answer after this long, ms. */
const ANSWER_MS = 2_000;

export function checkPasses(visit: Visit, facts: Facts): Breach[] {
  const shown = visit.operations.filter((operation): operation is Shown => operation.told !== null);
  const granted = shown.filter((operation): operation is Granted => operation.told.pass !== null);
  const who = `visitor ${visit.visitor} (slot ${visit.slot})`;
  return [
    ...checkSession(who, granted),
    ...checkBranches(who, shown, granted, facts),
    ...checkVoid(who, visit, shown, facts),
    ...checkStay(who, visit, shown),
  ];
}

/** All passes end with the same session, and their serials only grow. */
function checkSession(who: string, granted: readonly Granted[]): Breach[] {
  const ends = new Set(granted.map(({ told }) => told.pass.endsAtS));
  const breaches: Breach[] =
    ends.size > 1 ? [{ rule: "two-sessions", what: `${who} has passes of sessions that end at ${[...ends]}` }] : [];
  for (const [before, after] of inTurn(granted, granted)) {
    const [first, second] = [before.told.pass.serial, after.told.pass.serial];
    if (second < first) breaches.push({ rule: "serial-back", what: `${who} was given serial ${second} after ${first}` });
  }
  return breaches;
}

/**
 * Whoever goes on by a pass ends all branches but its own. So what is gone on by later is the same pass or descends from it. Taking
 * over starts a branch of its own.
 */
function checkBranches(who: string, shown: readonly Shown[], granted: readonly Granted[], facts: Facts): Breach[] {
  const parents = new Map<number, Set<number>>();
  for (const { presented, told } of granted) {
    const known = parents.get(told.pass.serial) ?? new Set();
    parents.set(told.pass.serial, known.add(presented?.serial ?? 0));
  }
  const descends = (serial: number, from: number): boolean =>
    serial === from || [...(parents.get(serial) ?? [])].some((parent) => parent < serial && descends(parent, from));
  const taken = granted.filter(({ kind }) => kind === "continue").map(({ to }) => to);
  const lastTaken = Math.max(Number.NEGATIVE_INFINITY, ...taken);
  const isOwn = ({ kind, from }: Shown) => kind !== "continue" && from > lastTaken;
  const wentOn = shown.filter((each) => isOwn(each) && (each.told.pass !== null || (each.told.forwarded && mustHaveAsked(each, facts))));
  return inTurn(granted.filter(isOwn), wentOn).flatMap(([before, after]) => {
    const [first, second] = [before.presented?.serial ?? 0, after.presented?.serial ?? 0];
    const what = `${who} went on by serial ${second} after going on by ${first}, which it does not descend from`;
    return descends(second, first) ? [] : [{ rule: "two-branches" as const, what }];
  });
}

/** A holder who was refused as void goes on only by taking over. */
function checkVoid(who: string, visit: Visit, shown: readonly Shown[], facts: Facts): Breach[] {
  const refusals = shown.filter(({ told }) => told.state === "void");
  return refusals.flatMap(({ holder, to }) => {
    const later = visit.operations.filter((each) => each.holder === holder && each.from > to);
    const back = later.find(({ kind }) => kind === "continue")?.from ?? Number.POSITIVE_INFINITY;
    return later.flatMap((each): Breach[] => {
      if (each.told === null || each.from >= back) return [];
      if (each.told.pass !== null) return [{ rule: "void-renewed", what: `${who}: holder ${holder} was void, then was given a pass` }];
      if (!each.told.forwarded || !mustHaveAsked(each, facts)) return [];
      return [{ rule: "void-forwarded", what: `${who}: holder ${holder} was void, then was forwarded` }];
    });
  });
}

/** Did the edge need the Room's answer to forward this one, and have it in time? */
function mustHaveAsked({ presented, from, to }: Operation, { passRefreshMs, outages }: Facts): boolean {
  const ageMs = presented === null ? Number.POSITIVE_INFINITY : (Math.floor(from / 1_000) - presented.issuedAtS) * 1_000;
  return ageMs >= 2 * passRefreshMs && to - from < ANSWER_MS && !outages.some((outage) => outage.from < to && from < outage.to);
}

/** A pass that has not ended, of a visitor who has not left, lets its requests through. A copy may be void. */
function checkStay(who: string, { leftFrom, copied }: Visit, shown: readonly Shown[]): Breach[] {
  return shown.flatMap(({ kind, presented, to, told }): Breach[] => {
    const isDue = kind === "view" && presented !== null && to < presented.expiresAtS * 1_000 && to < leftFrom;
    if (!isDue || told.forwarded || (copied && told.state === "void")) return [];
    return [{ rule: "cut-short", what: `${who} was told ${told.state} (${told.reason}) with serial ${presented.serial}` }];
  });
}

/** Pairs of which the first had ended before the second began. */
function inTurn<A extends Operation, B extends Operation>(firsts: readonly A[], seconds: readonly B[]): [A, B][] {
  return seconds.flatMap((after) => firsts.filter(({ to }) => to < after.from).map((before): [A, B] => [before, after]));
}
