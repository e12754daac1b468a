/**
 * The chain of passes of one session (P5). Pure.
 *
 * Every renewal issues a new serial; presenting an issued serial makes it the head and kills its siblings, so of two
 * holders of one pass only one can go on: the other is void no later than its second renewal after the copy. A later
 * sibling on its way to the same client outlives that until its head gets the next one: after a standstill of the network
 * a reply that was caught in it and the answer to the next request arrive together, in any order.
 * The honest browser with parallel requests and lost replies is told apart by order of arrival at the edge: while a
 * sibling is on its way to the same client tag, the head is answered "current" without a new cookie, so its later
 * requests carry either the head or that one sibling.
 *
 * Not told apart (said in the docs): someone who relays every cookie between two machines.
 */

import { MAX_SERIAL, NO_SERIAL, type Row } from "./slot-table";
import type { LineState } from "./state";
import { tenths } from "./state";

/** While a sibling is this young, the same client presenting the head again is told "current". */
const SIBLING_TENTHS = 300;
/** A request that carries the former head and reached the edge at most this long after the new head did was in flight. */
const IN_FLIGHT_TENTHS = 8;

export interface Presented {
  readonly serial: number;
  readonly tag: number;
  /** When the request reached the edge, Room time in Unix ms. */
  readonly arrivedAt: number;
  /** Shown as a claim, by somebody whose pass has ended: forwarding alone does not help them. */
  readonly needsPass: boolean;
}

export type ChainVerdict = { readonly as: "issue"; readonly serial: number } | { readonly as: "current" } | { readonly as: "void" };

/** Start a chain: the ticket (serial 0) is its link zero. */
export function startChain(row: Row): void {
  row.head = 0;
  row.lo = 0;
  row.hi = 0;
  row.tag = 0;
  row.issuedAt = 0;
  row.previous = NO_SERIAL;
  row.promotedAt = 0;
}

/**
 * Judge one presentation and change the chain accordingly.
 * @returns `issue`: sign a pass with this serial; `current`: forward, no new cookie; `void`: another holder went on.
 */
export function present(line: LineState, row: Row, by: Presented): ChainVerdict {
  const arrived = tenths(line, by.arrivedAt);
  const siblingOnItsWay = row.hi > row.lo && row.tag === by.tag && arrived - row.issuedAt < SIBLING_TENTHS;
  if (by.serial > row.lo && by.serial <= row.hi) {
    const isFollowed = siblingOnItsWay && by.serial < row.hi && !by.needsPass;
    row.previous = row.head;
    row.head = by.serial;
    if (isFollowed) return awaitFollower(row, arrived);
    row.lo = row.hi;
    row.promotedAt = arrived;
    return issue(row, by.tag, arrived);
  }
  if (by.serial === row.head) {
    // The ticket alone cannot carry a visitor on: repeat the one sibling, so that parallel claims share it.
    if (siblingOnItsWay && by.serial === 0) return { as: "issue", serial: row.hi };
    return siblingOnItsWay && !by.needsPass ? { as: "current" } : issueBesideHead(row, by.tag, arrived);
  }
  if (by.serial === row.previous && row.tag === by.tag && arrived - row.promotedAt < IN_FLIGHT_TENTHS) return { as: "current" };
  return { as: "void" };
}

/** Make every serial issued so far void and issue a new one to whoever takes the session over. */
export function takeOver(line: LineState, row: Row, by: Presented): ChainVerdict {
  row.previous = NO_SERIAL;
  row.lo = row.hi;
  row.head = row.hi;
  return issue(row, by.tag, tenths(line, by.arrivedAt), true);
}

/**
 * The new head has a later sibling that is on its way to the same client and may reach the jar after it: that one lives on for its time, and
 * no third is sent after it.
 */
function awaitFollower(row: Row, arrived: number): ChainVerdict {
  row.lo = row.head;
  row.promotedAt = Math.max(arrived, row.issuedAt + 1);
  return { as: "current" };
}

/** A sibling from before its head was shown has had its time: of two holders it must not carry one on beside what the other gets now. */
function issueBesideHead(row: Row, tag: number, arrived: number): ChainVerdict {
  if (row.issuedAt < row.promotedAt) row.lo = row.hi;
  return issue(row, tag, arrived);
}

function issue(row: Row, tag: number, arrived: number, onlyChild = false): ChainVerdict {
  if (row.hi >= MAX_SERIAL) return { as: "void" };
  row.hi += 1;
  row.tag = tag;
  // Never before the head was shown, whatever order the requests came in: that would mark a sibling from before.
  row.issuedAt = Math.max(arrived, row.promotedAt);
  // After a take-over nobody holds the old head rightly: the new serial is head at once.
  if (onlyChild) {
    row.head = row.hi;
    row.lo = row.hi;
    row.promotedAt = arrived;
  }
  return { as: "issue", serial: row.hi };
}
