/**
 * The admin API under /__vestibule/admin/api (DESIGN §9): reading and retuning rooms while they run.
 * A thin translation between HTTP and the Room's own admin methods; every rule about settings and switches is the Room's.
 */
import { Hono } from "hono";
import { clientOf } from "../clients";
import type { AdminResult, LineChoice, RoomDescription, SwitchName } from "../core/admin";
import { canonicalUrl } from "../core/canonical-url";
import { cfStatus } from "../core/cf-status";
import { lookUp } from "../core/room-table";
import { mint, readOrder } from "../door/minting";
import { jsonReply } from "../http/replies";
import { RoomFailure } from "../room/call";
import { invalid, readBody, refuseAccess } from "./admin-access";
import { eventRoutes } from "./admin-events";
import { ifRevisionOf, inRoom, read, toReply, warned, write } from "./admin-room";
import { staffRoutes } from "./admin-staff";
import { type AppContext, type AppEnv, notFound } from "./context";

const SWITCHES: ReadonlySet<string> = new Set<SwitchName>([
  "pause",
  "resume",
  "stop-joins",
  "allow-joins",
  "under-attack",
  "calm",
  "flush",
  "end-sessions",
  "reset",
  "sold-out",
  "reopen",
]);

export const adminRoutes = new Hono<AppEnv>();

adminRoutes.use("*", async (c, next) => {
  const refusal = await refuseAccess(c);
  if (refusal !== null) return refusal;
  return next();
});
adminRoutes.get("/rooms", listRooms);
adminRoutes.get("/rooms/:room", (c) => inRoom(c, async (room) => describe(c, room, await read(c, room, (rpc) => rpc.describe()))));
adminRoutes.patch("/rooms/:room", (c) => inRoom(c, (room) => change(c, room, false)));
adminRoutes.put("/rooms/:room", (c) => inRoom(c, (room) => change(c, room, true)));
adminRoutes.get("/rooms/:room/stats", (c) => inRoom(c, async (room) => toReply(await read(c, room, (rpc) => rpc.stats()))));
adminRoutes.get("/rooms/:room/status", (c) => inRoom(c, (room) => asCloudflare(c, room)));
adminRoutes.get("/rooms/:room/revisions", (c) =>
  inRoom(c, async (room) => toReply(await read(c, room, (rpc) => rpc.revisions()), (revisions) => ({ revisions }))),
);
adminRoutes.route("/rooms/:room/events", eventRoutes);
adminRoutes.route("/rooms/:room/staff-links", staffRoutes);
adminRoutes.post("/rooms/:room/invitations", (c) => inRoom(c, (room) => invite(c, room)));
adminRoutes.post("/rooms/:room/revoke-key", (c) => inRoom(c, (room) => revokeKey(c, room)));
adminRoutes.post("/rooms/:room/:switch", (c) => inRoom(c, (room) => turn(c, room)));
adminRoutes.all("*", notFound);

/** Every configured room with its numbers; one that does not answer says so in its own entry. */
async function listRooms(c: AppContext): Promise<Response> {
  const rooms = await Promise.all(
    [...c.env.config.rooms.keys()].map(async (room) => {
      try {
        const result = await read(c, room, (rpc) => rpc.stats());
        return result.as === "ok" ? result.value : { room, error: result.as };
      } catch (error) {
        if (!(error instanceof RoomFailure)) throw error;
        return { room, error: error.kind === "full" ? "storage-full" : "room-unreachable" };
      }
    }),
  );
  return jsonReply({ rooms });
}

/** In the envelope of Cloudflare's API. */
async function asCloudflare(c: AppContext, room: string): Promise<Response> {
  const stats = await read(c, room, (rpc) => rpc.stats());
  const { suspended } = clientOf(c.env.env, c.env.config, room).settings;
  return toReply(stats, (value) => ({ success: true, errors: [], messages: [], result: cfStatus(value, suspended) }));
}

async function change(c: AppContext, room: string, replace: boolean): Promise<Response> {
  const ifRevision = ifRevisionOf(c, replace ? "PUT replaces every setting" : null);
  if (ifRevision instanceof Response) return ifRevision;
  const body = await readBody(c);
  if (body instanceof Response) return body;
  if (body.confirm !== null) return invalid([{ setting: "confirm", problem: "is not a setting" }]);
  const { fields: changes, actor, force } = body;
  return describe(
    c,
    room,
    await write(c, room, (rpc) => rpc.change({ changes, ifRevision, replace, actor, ...(force ? { force } : {}) })),
    true,
  );
}

async function turn(c: AppContext, room: string): Promise<Response> {
  const name = c.req.param("switch") ?? "";
  if (!SWITCHES.has(name)) return notFound();
  const body = await readBody(c);
  if (body instanceof Response) return body;
  const unknown = [...Object.keys(body.fields), ...(body.force ? ["force"] : [])].map((setting) => ({
    setting,
    problem: "is not a field of a switch; known are reason and confirm",
  }));
  if (unknown.length > 0) return invalid(unknown);
  return toReply(await write(c, room, (rpc) => rpc.turn(name as SwitchName, body.actor, body.confirm)));
}

/** The key must be revoked in the ring of this Worker: one that signs, or whose name is mistyped, is not noted by any Room. */
async function revokeKey(c: AppContext, room: string): Promise<Response> {
  const body = await readBody(c);
  if (body instanceof Response) return body;
  const { kid, line, ...others } = body.fields;
  const { revoked } = c.env.config.keys;
  const problems = [
    ...Object.keys({ ...others, ...(body.force ? { force: true } : {}) }).map((setting) => ({
      setting,
      problem: "is not a field of revoke-key; known are kid, line, reason and confirm",
    })),
    ...(typeof kid === "string" && revoked.has(kid)
      ? []
      : [{ setting: "kid", problem: 'must be a key that VESTIBULE_KEYS marks as revoked ("k1:…:revoked"), as this Worker knows it' }]),
    ...(line === "keep" || line === "new" ? [] : [{ setting: "line", problem: 'must be "keep" or "new"' }]),
  ];
  if (problems.length > 0) return invalid(problems);
  const revocation = { kid: kid as string, line: line as LineChoice, actor: body.actor, confirm: body.confirm };
  return toReply(await write(c, room, (rpc) => rpc.revokeKey(revocation)));
}

/** Made here and kept nowhere: only what an invitation is used for is counted, by the Room. */
async function invite(c: AppContext, room: string): Promise<Response> {
  const body = await readBody(c);
  if (body instanceof Response) return body;
  const nowS = Math.floor(Date.now() / 1_000);
  const order = readOrder({ ...body.fields, ...(body.force ? { force: true } : {}) }, nowS);
  if (Array.isArray(order)) return invalid(order);
  const to = order.url === null ? null : canonicalUrl(order.url.href);
  const found = to === null ? null : lookUp(c.env.config.table, to);
  if (found !== null && !(found.as === "room" && found.room === room)) {
    return invalid([{ setting: "url", problem: `is no address of room ${room}: its links would open nothing` }]);
  }
  const invitations = await mint(c.env.config.keys, room, order, nowS);
  return jsonReply({ room, expires: new Date(order.exp * 1_000).toISOString(), uses: order.uses, invitations });
}

function describe(c: AppContext, room: string, answer: AdminResult<RoomDescription>, changed = false): Response {
  const result = warned(c, room, answer);
  if (result.as !== "ok") return toReply(result);
  const { value } = result;
  const revokeBoundS = clientOf(c.env.env, c.env.config, room).settings.revokeBoundMs / 1_000;
  const headers = new Headers({ ETag: `"${value.revision}"` });
  return jsonReply(changed ? { ...value, effective_within_seconds: revokeBoundS } : value, { headers });
}
