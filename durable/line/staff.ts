/**
 * Staff links in the Room: how many passes each has given, and how many places of `staff_places` they hold. Pure.
 * A pass holds its place until its link ends, whether anybody uses it or not: nothing of staff is renewed, so nothing needs to be asked.
 */
import type { Actor } from "../../src/core/admin";
import type { StaffLink, StaffVerdict } from "../../src/core/staff";
import type { LineState } from "./state";

/** A link as stored. Times are Room time, ms since the Unix epoch. */
export interface StoredStaffLink {
  readonly id: number;
  readonly label: string;
  readonly uses: number;
  readonly madeAt: number;
  readonly madeBy: Actor;
  readonly expiresAt: number;
  /** Who came by it: the browser's key, and when. */
  readonly passes: readonly { readonly key: string; readonly at: number }[];
  /** `until`: the last edge has heard of it by then. */
  readonly revoked: { readonly at: number; readonly until: number; readonly by: Actor } | null;
}

/** A pass may be taken for good this long after its end by an edge whose clock is late, ms (P1). */
const CLOCKS_MS = 10_000;

/** When the last pass of the link has stopped counting at every edge, ms. */
export function overAt({ expiresAt, revoked }: StoredStaffLink): number {
  const end = expiresAt + CLOCKS_MS;
  return revoked === null ? end : Math.min(end, revoked.until);
}

/** Places that these links hold. */
export function staffPlacesTaken(links: readonly StoredStaffLink[], now: number): number {
  return links.reduce((taken, link) => (now < overAt(link) ? taken + link.passes.length : taken), 0);
}

/**
 * One more pass by a link. The same key again is the same pass, as long as the link lives.
 * @param links all of the room that may still hold a place, the asked one among them
 */
export function useStaffLink(
  links: readonly StoredStaffLink[],
  { id, key, staffPlaces, now }: { readonly id: number; readonly key: string; readonly staffPlaces: number; readonly now: number },
): { readonly verdict: StaffVerdict; readonly changed: StoredStaffLink | null } {
  const refused = (why: Extract<StaffVerdict, { as: "refused" }>["why"]) => ({ verdict: { as: "refused", why } as const, changed: null });
  const link = links.find((each) => each.id === id);
  if (link === undefined || link.revoked !== null || now >= link.expiresAt) return refused("over");
  if (link.passes.some((pass) => pass.key === key)) return { verdict: { as: "entered" }, changed: null };
  if (link.passes.length >= link.uses) return refused("used");
  if (staffPlacesTaken(links, now) >= staffPlaces) return refused("places");
  return { verdict: { as: "entered" }, changed: { ...link, passes: [...link.passes, { key, at: now }] } };
}

/** Tells every edge that passes of this link count no more. Inside the step that stores it. */
export function noteRevoked(line: LineState, { id, expiresAt }: StoredStaffLink): void {
  const { counters } = line;
  const kept = counters.staffRevoked.filter((each) => counters.now < each.until && each.id !== id);
  counters.staffRevoked = [...kept, { id, until: expiresAt + CLOCKS_MS }];
}

export function describeLink({ id, label, uses, madeAt, madeBy, expiresAt, passes, revoked }: StoredStaffLink, now: number): StaffLink {
  const time = (ms: number) => new Date(ms).toISOString();
  return {
    id,
    label,
    state: revoked !== null ? "revoked" : now < expiresAt ? "live" : "expired",
    uses,
    used: passes.length,
    used_at: passes.map(({ at }) => time(at)),
    made_at: time(madeAt),
    made_by: madeBy,
    expires_at: time(expiresAt),
    revoked_at: revoked === null ? null : time(revoked.at),
    revoked_by: revoked?.by ?? null,
  };
}
