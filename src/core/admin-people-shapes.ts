/**
 * Shapes of the admin API's answers about single people: visitors' places, bans, tokens. As `admin-shapes.ts`, not part of the Worker. Pure.
 */
import * as v from "valibot";
import { ROLES } from "./admin-routes";
import { actor, count, room, type Shape, time } from "./admin-shapes";
import type { AdminToken } from "./admin-tokens";
import type { PlaceShown } from "./places";

const banned = v.nullable(v.strictObject({ at: time, by: actor }));
export const place: Shape<PlaceShown> = v.strictObject({
  room,
  generation: count,
  slot: count,
  state: v.picklist([
    "waiting",
    "called",
    "inside",
    "lapsed",
    "passed-over",
    "missed",
    "returning",
    "leaving",
    "ended",
    "restarted",
    "unknown",
  ]),
  ahead: v.nullable(count),
  last_seen_at: v.nullable(time),
  until: v.nullable(time),
  calls: count,
  banned,
});
export const bans = v.strictObject({ bans: v.array(v.strictObject({ generation: count, slot: count, at: time, by: actor })) });

const role = v.picklist(ROLES);
export const me = v.strictObject({
  name: v.string(),
  role,
  via: v.picklist(["admin-token", "token", "access"]),
  expires_at: v.nullable(time),
});
const token = {
  id: count,
  label: v.string(),
  role,
  state: v.picklist(["live", "revoked", "expired"]),
  made_at: time,
  made_by: actor,
  expires_at: time,
  revoked_at: v.nullable(time),
  revoked_by: v.nullable(actor),
};
export const adminToken: Shape<AdminToken> = v.strictObject(token);
export const adminTokens = v.strictObject({ tokens: v.array(adminToken) });
export const adminTokenMade = v.strictObject({ ...token, token: v.string() });
