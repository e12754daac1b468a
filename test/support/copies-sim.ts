/**
 * Several holders of one pass or ticket, each a browser of its own that keeps the newest cookie it was given and asks as the gate does:
 * not at all with a young pass, for a renewal with an older one, for entry with an expired one. Virtual time.
 */
import type { RoomSettings } from "../../src/core/settings-types";
import { type Visitor, World } from "./line-world";

export interface CopyCase {
  readonly settings: Partial<RoomSettings>;
  /** What was copied, once and at the start. */
  readonly of: "pass" | "ticket";
  /** One per holder: first request this long after the copy, then one every so often, ms. */
  readonly holders: readonly { readonly lagMs: number; readonly everyMs: number; readonly tag: number }[];
  readonly forMs: number;
  readonly seed?: number;
}

export interface HolderOutcome {
  /** New passes that this holder was given after the copy. */
  given: number;
  /** When it was refused, ms after the copy; null = never. */
  voidAt: number | null;
  /** Its visit ended for another reason, such as its absolute end. */
  ended: boolean;
}

/** @returns what became of each holder */
export function runCopies(one: CopyCase): HolderOutcome[] {
  const { world, first } = startedVisit(one);
  const copiedAt = world.now;
  const holders = one.holders.map(({ tag }, i) => {
    const holder = i === 0 ? first : world.copyOf(first, tag);
    holder.tag = tag;
    return holder;
  });
  if (one.of === "ticket") for (const holder of holders) holder.pass = null;
  const outcomes = holders.map((): HolderOutcome => ({ given: 0, voidAt: null, ended: false }));
  const next = one.holders.map(({ lagMs }) => lagMs);
  for (;;) {
    const who = next.indexOf(Math.min(...next));
    const at = next[who] as number;
    if (at > one.forMs) return outcomes;
    world.now = copiedAt + at;
    const outcome = outcomes[who] as HolderOutcome;
    next[who] = at + (one.holders[who]?.everyMs ?? 0);
    if (outcome.voidAt === null && !outcome.ended) ask(world, holders[who] as Visitor, outcome, at);
    if (outcome.voidAt !== null || outcome.ended) next[who] = Number.POSITIVE_INFINITY;
  }
}

function startedVisit({ settings, of, seed = 1 }: CopyCase): { world: World; first: Visitor } {
  const world = new World({ totalActiveUsers: 1_000, newUsersPerMinute: 60_000, ...settings }, seed);
  world.tick(1_000);
  const first = world.visitor();
  const verdict = world.join(first, of === "pass");
  if (verdict?.as !== (of === "pass" ? "entered" : "placed")) throw new Error("the visitor did not get what is to be copied");
  world.tick(1_000);
  return { world, first };
}

/** One request of a holder, as the gate treats it. */
function ask(world: World, holder: Visitor, outcome: HolderOutcome, at: number): void {
  const { pass } = holder;
  const ageMs = pass === null ? Number.POSITIVE_INFINITY : world.now - pass.issuedAtS * 1_000;
  if (ageMs < world.settings.passRefreshMs) return;
  const alive = pass !== null && world.now < pass.expiresAtS * 1_000;
  const verdict = (alive ? world.renew(holder) : null) ?? { as: "lapsed" as const };
  const last = verdict.as === "lapsed" ? world.claim(holder, "enter") : verdict;
  if (last?.as === "renewed" || last?.as === "entered") outcome.given += 1;
  else if (last?.as === "void") outcome.voidAt = at;
  else if (last?.as === "ended") outcome.ended = true;
}

/**
 * P5 of a copied pass: all holders but one are refused no later than with their second renewal, so at most one is ever given a second
 * new pass; and all but one are refused in the end, unless the visit ended before that. null = it holds.
 */
export function copiesProblem(outcomes: readonly HolderOutcome[], firstPassIsShared: boolean): string | null {
  // Copies of a ticket each get a first pass by it: that is no renewal yet.
  const renewals = outcomes.map(({ given }) => given - (firstPassIsShared ? 1 : 0));
  if (renewals.filter((count) => count >= 2).length > 1) return `renewed twice and more: ${renewals.join(", ")}`;
  const left = outcomes.filter(({ voidAt, ended }) => voidAt === null && !ended).length;
  return left > 1 ? `${left} holders are never refused: renewed ${renewals.join(", ")}` : null;
}
