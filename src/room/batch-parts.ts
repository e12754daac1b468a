/** The questions of one batch by their kinds: what they ask of the Room, and which verdict of its reply is whose. Plain data. */
import type { Batch, Reply } from "../core/exchange";
import type { NotDone } from "./asks";
import { type Entry, hand, isClaim, isJoin, isLeave, isReissue, isRenewal } from "./queue-entry";

export type Parts = ReturnType<typeof partsOf>;

export function partsOf(sent: readonly Entry[]) {
  return {
    joins: sent.filter(isJoin),
    claims: sent.filter(isClaim),
    renewals: sent.filter(isRenewal),
    leaves: sent.filter(isLeave),
    reissues: sent.filter(isReissue),
    looks: sent.filter(({ ask }) => ask.kind === "look"),
  };
}

/** @param now ms, from which the ages of questions count */
export function requestsOf(parts: Parts, now: number): Pick<Batch, "joins" | "claims" | "renewals" | "leaves" | "reissues"> {
  const aged = <R>(request: R, { arrivedAt }: Entry) => ({ ...request, ageMs: Math.max(0, now - arrivedAt) });
  return {
    joins: parts.joins.map(({ ask }) => ask.request),
    claims: parts.claims.map((entry) => aged(entry.ask.request, entry)),
    renewals: parts.renewals.map((entry) => aged(entry.ask.request, entry)),
    leaves: parts.leaves.map(({ ask }) => ask.request),
    reissues: parts.reissues.map(({ ask }) => ask.request),
  };
}

/** @param missing what a question hears that has no verdict */
export function handOut(parts: Parts, reply: Reply, missing: NotDone): void {
  const { generation } = reply.manifest;
  hand(parts.joins, reply.joins, generation, missing);
  hand(parts.claims, reply.claims, generation, missing);
  hand(parts.renewals, reply.renewals, generation, missing);
  hand(parts.leaves, reply.leaves, generation, missing);
  hand(parts.reissues, reply.reissues, generation, missing);
  // Whoever only wanted the manifest has it by now.
  const told = parts.looks.map(() => null);
  hand(parts.looks, told, generation, missing);
}
