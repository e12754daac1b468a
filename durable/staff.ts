/**
 * What operators and holders of staff links do to a Room. Synchronous, inside the Room's transaction; no clock or randomness.
 */
import type { AdminResult, Caller } from "../src/core/admin";
import { settingsAt } from "../src/core/schedule";
import { STAFF_LINKS_MAX, type StaffLink, type StaffLinks, type StaffOrder, type StaffVerdict } from "../src/core/staff";
import { heardByMs } from "./line/bounds";
import { describeLink, noteRevoked, overAt, type StoredStaffLink, staffPlacesTaken, useStaffLink } from "./line/staff";
import type { Memory } from "./memory";
import { type Acted, audit, authorOf, type Operated } from "./operate";
import type { Store } from "./store";

const LISTED = 200;

export function makeStaffLink(on: Acted, { label, uses, lifeMs }: StaffOrder, by: Caller): AdminResult<StaffLink> {
  const { memory, store } = on;
  const { now } = memory.line.counters;
  if (memory.config.settings.staffPlaces === 0) return refuse("staff_places", "is 0: set how many people of staff may be inside at once");
  // Revoked ones count until they would have ended: edges are told of each of them until then.
  if (store.staff.since(0).filter(({ expiresAt }) => now < expiresAt).length >= STAFF_LINKS_MAX)
    return refuse(
      "label",
      `would be link ${STAFF_LINKS_MAX + 1} within a day: at most ${STAFF_LINKS_MAX} are kept at a time, revoked ones included`,
    );
  // Whole seconds: what the pass says and what the Room says is the same instant.
  const expiresAt = Math.floor((now + lifeMs) / 1_000) * 1_000;
  const link: StoredStaffLink = {
    id: store.staff.nextId(),
    label,
    uses,
    madeAt: now,
    madeBy: authorOf(by),
    expiresAt,
    passes: [],
    revoked: null,
  };
  store.staff.save(link, overAt(link));
  audit(on, "staff-link made", link.madeBy, { before: {}, after: { link: link.id, label, uses } });
  return { as: "ok", value: describeLink(link, now) };
}

export function listStaffLinks({ memory, store }: Operated): AdminResult<StaffLinks> {
  const { now } = memory.line.counters;
  const links = store.staff.list(LISTED).map((link) => describeLink(link, now));
  const taken = staffPlacesTaken(store.staff.since(now), now);
  return { as: "ok", value: { staff_places: memory.config.settings.staffPlaces, staff_places_taken: taken, links } };
}

/** Its passes count no more within `revoke_bound`; then their places are free. Harmless to repeat. */
export function revokeStaffLink(on: Acted, id: number, caller: Caller): AdminResult<StaffLink> {
  const { memory, store } = on;
  const { line, config } = memory;
  const { now } = line.counters;
  const by = authorOf(caller);
  const found = store.staff.find(id);
  if (found === null) return { as: "unknown-link" };
  if (found.revoked !== null || now >= found.expiresAt) return { as: "ok", value: describeLink(found, now) };
  const until = heardByMs(line, settingsAt(config.settings, now));
  const link: StoredStaffLink = { ...found, revoked: { at: now, until, by } };
  store.staff.save(link, overAt(link));
  noteRevoked(line, link);
  audit(on, "staff-link revoked", by, { before: { link: id, label: link.label }, after: {} });
  return { as: "ok", value: describeLink(link, now) };
}

/** A pass for whoever holds the link. `key`: of the browser; the same one again uses nothing up. */
export function enterByStaffLink(room: string, { line, config }: Memory, { staff }: Store, id: number, key: string): StaffVerdict {
  const { now } = line.counters;
  const { staffPlaces } = config.settings;
  const { verdict, changed } = useStaffLink(staff.since(now), { id, key, staffPlaces, now });
  if (changed !== null) {
    staff.save(changed, overAt(changed));
    log("staff-link-used", room, changed);
  }
  return verdict;
}

function refuse(setting: string, problem: string): AdminResult<never> {
  return { as: "invalid", problems: [{ setting, problem }] };
}

function log(event: string, room: string, { id, label, uses, passes }: StoredStaffLink): void {
  console.log(JSON.stringify({ event, room, link: id, label, uses, used: passes.length }));
}
