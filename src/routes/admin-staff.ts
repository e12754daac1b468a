/**
 * Staff links in the admin API: made, listed, revoked. The Room numbers and counts them; the link itself is signed here and kept nowhere.
 */
import { canonicalUrl } from "../core/canonical-url";
import { describe } from "../core/operator-text";
import { lookUp } from "../core/room-table";
import { originOf, RESERVED_PREFIX } from "../core/safe-target";
import type { Problem } from "../core/settings";
import { STAFF_HOURS_MAX, STAFF_PLACES_MAX, type StaffOrder } from "../core/staff";
import { signToken } from "../keys";
import { invalid, readBody } from "./admin-access";
import { type Handlers, read, signingRing, toReply, write } from "./admin-room";
import { type AppContext, notFound } from "./context";

export const staffHandlers = {
  "GET /rooms/:room/staff-links": async (c, room) => toReply(await read(c, room, (rpc) => rpc.staffLinks())),
  "POST /rooms/:room/staff-links": make,
  "DELETE /rooms/:room/staff-links/:link": revoke,
} satisfies Handlers;

const LABEL_MAX = 80;

async function make(c: AppContext, room: string): Promise<Response> {
  const body = await readBody(c);
  if (body instanceof Response) return body;
  const { url: given = null, ...fields } = body.fields;
  const order = readStaffOrder(fields);
  const to = given === null ? canonicalUrl(`${originOf(c.env.url)}/`) : typeof given === "string" ? canonicalUrl(given) : null;
  const found = to === null ? null : lookUp(c.env.config.table, to);
  const isOfRoom = found?.as === "room" && found.room === room;
  const problems = [
    ...(Array.isArray(order) ? order : []),
    ...(isOfRoom ? [] : [{ setting: "url", problem: `must be an address of room ${room} that the link leads to` }]),
  ];
  if (Array.isArray(order) || to === null || problems.length > 0) return invalid(problems);
  const ring = await signingRing(c, room);
  if (ring instanceof Response) return ring;
  const made = await write(c, room, (rpc) => rpc.makeStaffLink(order, body.actor));
  if (made.as !== "ok") return toReply(made);
  const exp = Date.parse(made.value.expires_at) / 1_000;
  // The Room's clock may be ahead of this one.
  const iat = Math.min(Math.floor(Date.now() / 1_000), exp - 1);
  const token = await signToken(ring, { kind: "staff", room, link: made.value.id, key: null, iat, exp });
  const query = new URLSearchParams({ to: `${to.path}${to.search}`, token });
  return toReply(made, (link) => ({ ...link, link: `${originOf(to)}${RESERVED_PREFIX}/rooms/${room}/staff?${query}` }));
}

async function revoke(c: AppContext, room: string): Promise<Response> {
  const text = c.req.param("link") ?? "";
  if (!/^\d{1,9}$/.test(text)) return notFound();
  const body = await readBody(c);
  if (body instanceof Response) return body;
  return toReply(await write(c, room, (rpc) => rpc.revokeStaffLink(Number(text), body.actor)));
}

/** Reads `label`, `hours` and `uses`. All problems at once, each by its field. */
function readStaffOrder(fields: Readonly<Record<string, unknown>>): StaffOrder | Problem[] {
  const { label, hours, uses = 1 } = fields;
  const problems: Problem[] = [];
  const refuse = (setting: string, problem: string) => problems.push({ setting, problem });
  if (typeof label !== "string" || label.trim() === "" || label.length > LABEL_MAX || /\p{Cc}/u.test(label))
    refuse("label", `must say who or what it is for, 1 to ${LABEL_MAX} characters on one line, not ${describe(label)}`);
  if (typeof hours !== "number" || !(hours >= 0.1 && hours <= STAFF_HOURS_MAX))
    refuse("hours", `must be a number from 0.1 to ${STAFF_HOURS_MAX} (hours, fractions allowed), not ${describe(hours)}`);
  if (!Number.isInteger(uses) || (uses as number) < 1 || (uses as number) > STAFF_PLACES_MAX)
    refuse("uses", `must be a whole number from 1 to ${STAFF_PLACES_MAX} (browsers that may go in by it), not ${describe(uses)}`);
  if (problems.length > 0) return problems;
  return { label: (label as string).trim(), uses: uses as number, lifeMs: Math.round((hours as number) * 3_600_000) };
}
