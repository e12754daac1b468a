/**
 * The admin API under /__vestibule/admin/api (DESIGN §9): reading and retuning rooms while they run.
 * A thin translation between HTTP and the Room's own admin methods; every rule about settings and switches is the Room's.
 */
import { Hono } from "hono";
import { assets } from "../assets";
import type { LineChoice, SwitchName } from "../core/admin";
import { ADMIN_ROUTES, type AdminRoute, type AdminRouteId, partsOf, RAMP_MINUTES_MAX, RAMP_SETTINGS } from "../core/admin-routes";
import { toBase64url } from "../core/base64url";
import { fromHex } from "../core/bytes";
import { canonicalUrl } from "../core/canonical-url";
import { cfStatus } from "../core/cf-status";
import { lookUp } from "../core/room-table";
import { originOf } from "../core/safe-target";
import type { RoomStats } from "../core/stats";
import { mint, readOrder } from "../door/minting";
import { jsonReply, problem, textReply } from "../http/replies";
import { newVisitorKey } from "../keys";
import { RoomFailure } from "../room/call";
import { invalid, readBody } from "./admin-access";
import { eventHandlers } from "./admin-events";
import { exportHandlers } from "./admin-export";
import { fileHandlers } from "./admin-files";
import { getMetrics } from "./admin-metrics";
import { placeHandlers } from "./admin-places";
import {
  answering,
  describe,
  foresee,
  type Handler,
  ifRevisionOf,
  inRoom,
  isDryRun,
  read,
  readStats,
  settingsOf,
  signingRing,
  toReply,
  write,
} from "./admin-room";
import { staffHandlers } from "./admin-staff";
import { tokenHandlers } from "./admin-tokens";
import { hashOf, mayAct, whoAsks } from "./admin-who";
import { type AppContext, type AppEnv, notFound } from "./context";
import { previewHandlers } from "./preview-link";

const HANDLERS: Readonly<Record<AdminRouteId, Handler>> = {
  ...eventHandlers,
  ...exportHandlers,
  ...fileHandlers,
  ...previewHandlers,
  ...placeHandlers,
  ...tokenHandlers,
  ...staffHandlers,
  "GET /openapi.json": openapi,
  "GET /metrics": getMetrics,
  "GET /rooms": listRooms,
  "GET /rooms/:room": async (c, room) => describe(c, room, await read(c, room, (rpc) => rpc.describe())),
  "PATCH /rooms/:room": (c, room) => change(c, room, false),
  "PUT /rooms/:room": (c, room) => change(c, room, true),
  "GET /rooms/:room/stats": async (c, room) => toReply(await readStats(c, room), aged),
  "GET /rooms/:room/status": asCloudflare,
  "POST /rooms/:room/revisions/:revision/restore": (c, room) => {
    const text = c.req.param("revision") ?? "";
    return /^\d{1,9}$/.test(text) ? restore(c, room, Number(text), "Restoring replaces every setting") : Promise.resolve(notFound());
  },
  "POST /rooms/:room/apply-file": (c, room) => restore(c, room, "file", null),
  "POST /rooms/:room/pause": turns("pause"),
  "POST /rooms/:room/resume": turns("resume"),
  "POST /rooms/:room/stop-joins": turns("stop-joins"),
  "POST /rooms/:room/allow-joins": turns("allow-joins"),
  "POST /rooms/:room/under-attack": turns("under-attack"),
  "POST /rooms/:room/calm": turns("calm"),
  "POST /rooms/:room/flush": turns("flush"),
  "POST /rooms/:room/end-sessions": turns("end-sessions"),
  "POST /rooms/:room/reset": turns("reset"),
  "POST /rooms/:room/sold-out": turns("sold-out"),
  "POST /rooms/:room/reopen": turns("reopen"),
  "POST /rooms/:room/full-rate": turns("full-rate"),
  "POST /rooms/:room/stop-ramp": turns("stop-ramp"),
  "POST /rooms/:room/invitations": invite,
  "GET /rooms/:room/webhooks": async (c, room) => toReply(await read(c, room, (rpc) => rpc.webhooks()), (webhooks) => ({ webhooks })),
  "POST /rooms/:room/webhooks/:webhook/test": testWebhook,
  "POST /rooms/:room/revoke-key": revokeKey,
};

export const adminRoutes = new Hono<AppEnv>();

adminRoutes.use("*", async (c, next) => {
  const who = await whoAsks(c);
  if (who instanceof Response) return who;
  c.set("who", who);
  return next();
});
for (const [id, handler] of Object.entries(HANDLERS) as [AdminRouteId, Handler][]) {
  const { method, path } = partsOf(id);
  adminRoutes.on(method, path, (c) => {
    const route: AdminRoute = ADMIN_ROUTES[id];
    c.set("route", route);
    const { role } = c.get("who");
    if (!mayAct(role, route.role)) {
      return problem(403, "role-too-low", `This needs the role ${route.role}; yours is ${role}.`);
    }
    const strange = Object.keys(c.req.query()).filter((name) => !route.query.includes(name));
    if (strange.length > 0) return invalid(strange.map((name) => ({ setting: `?${name}`, problem: "is not a parameter of this" })));
    return answering(c, () => (c.req.param("room") === undefined ? handler(c, "") : inRoom(c, (room) => handler(c, room))));
  });
}
adminRoutes.all("*", notFound);

/** Made from the table of routes by `npm run api-doc`, and served like the files of the page. */
async function openapi(c: AppContext): Promise<Response> {
  const file = await c.env.env.ASSETS?.fetch(new URL(assets.openapi, originOf(c.env.url)));
  return file?.ok ? textReply(await file.text(), "application/json") : notFound();
}

/** Every configured room with its numbers; one that does not answer says so in its own entry. */
async function listRooms(c: AppContext): Promise<Response> {
  const rooms = await Promise.all(
    [...c.env.config.rooms.keys()].map(async (room) => {
      try {
        const result = await readStats(c, room);
        return result.as === "ok" ? aged(result.value) : { room, error: result.as };
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
  const stats = await readStats(c, room);
  // Only the Room knows why: this isolate may have heard of no change.
  const now = stats.as === "ok" && stats.value.phase === "off" ? await read(c, room, (rpc) => rpc.describe()) : null;
  const isSuspended = now?.as === "ok" && now.value.settings["suspended"] === true;
  return toReply(stats, (value) => ({ success: true, errors: [], messages: [], result: cfStatus(value, isSuspended) }));
}

/** What GET answers beside the settings. */
const BESIDE_SETTINGS = ["room", "generation", "revision", "overrides", "file", "switches", "warnings"];

async function change(c: AppContext, room: string, replace: boolean): Promise<Response> {
  const ifRevision = ifRevisionOf(c, replace ? "PUT replaces every setting" : null);
  if (ifRevision instanceof Response) return ifRevision;
  const dryRun = isDryRun(c);
  if (dryRun instanceof Response) return dryRun;
  const sent = await readBody(c);
  if (sent instanceof Response) return sent;
  const body = settingsOf(sent, "settings", BESIDE_SETTINGS);
  if (body instanceof Response) return body;
  const { fields, actor, force } = body;
  const { ramp_minutes: minutes = 0, ...others } = fields;
  const changes = replace ? fields : others;
  const rampMs = replace ? 0 : rampOf(minutes, changes);
  if (rampMs instanceof Response) return rampMs;
  const asked = { changes, ifRevision, replace, actor, ...(force ? { force } : {}), ...(rampMs > 0 ? { rampMs } : {}) };
  if (dryRun) return foresee(c, room, { as: "change", change: asked });
  return describe(c, room, await write(c, room, (rpc) => rpc.change(asked)), true);
}

/** ms; 0 = at once. */
function rampOf(minutes: unknown, changes: Readonly<Record<string, unknown>>): number | Response {
  if (typeof minutes !== "number" || !(minutes >= 0 && minutes <= RAMP_MINUTES_MAX))
    return invalid([{ setting: "ramp_minutes", problem: `must be a number from 0 to ${RAMP_MINUTES_MAX} (minutes)` }]);
  if (minutes > 0 && !RAMP_SETTINGS.some((name) => name in changes))
    return invalid([{ setting: "ramp_minutes", problem: `is the time that ${RAMP_SETTINGS.join(" or ")} takes: name one of them` }]);
  return minutes * 60_000;
}

/** An earlier revision, or the file, holds again. */
async function restore(c: AppContext, room: string, to: number | "file", needed: string | null): Promise<Response> {
  const ifRevision = ifRevisionOf(c, needed);
  if (ifRevision instanceof Response) return ifRevision;
  const dryRun = isDryRun(c);
  if (dryRun instanceof Response) return dryRun;
  const body = await readBody(c);
  if (body instanceof Response) return body;
  const asked = { to, ifRevision, actor: body.actor };
  if (dryRun) return foresee(c, room, { as: "restore", restore: asked });
  return describe(c, room, await write(c, room, (rpc) => rpc.restore(asked)), true);
}

function turns(name: SwitchName): Handler {
  return async (c, room) => {
    const dryRun = isDryRun(c);
    if (dryRun instanceof Response) return dryRun;
    const body = await readBody(c);
    if (body instanceof Response) return body;
    if (dryRun) return foresee(c, room, { as: "switch", name });
    return toReply(await write(c, room, (rpc) => rpc.turn(name, body.actor, body.confirm)));
  };
}

/** Sent by the Room, as what it has to tell is. */
async function testWebhook(c: AppContext, room: string): Promise<Response> {
  const body = await readBody(c);
  if (body instanceof Response) return body;
  return toReply(await write(c, room, (rpc) => rpc.testWebhook(c.req.param("webhook") ?? "", body.actor)));
}

/** The key must be revoked in the ring of this Worker: one that signs, or whose name is mistyped, is not noted by any Room. */
async function revokeKey(c: AppContext, room: string): Promise<Response> {
  const body = await readBody(c);
  if (body instanceof Response) return body;
  const { kid, line } = body.fields;
  const { revoked } = c.env.config.keys;
  const problems = [
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
  const order = readOrder(body.fields, nowS);
  if (Array.isArray(order)) return invalid(order);
  const to = order.url === null ? null : canonicalUrl(order.url.href);
  const found = to === null ? null : lookUp(c.env.config.table, to);
  if (found !== null && !(found.as === "room" && found.room === room)) {
    return invalid([{ setting: "url", problem: `is no address of room ${room}: its links would open nothing` }]);
  }
  const ring = await signingRing(c, room);
  if (ring instanceof Response) return ring;
  // Before there are any: what nobody wrote down must not exist.
  const noted = await write(c, room, (rpc) =>
    rpc.noteAct(
      "invitations made",
      { count: order.subjects.length, uses: order.uses, expires: new Date(order.exp * 1_000).toISOString() },
      body.actor,
    ),
  );
  if (noted.as !== "ok") return toReply(noted);
  // Asked for again under the same Idempotency-Key they are the same ones, made once more: none is in the world twice.
  const { name, once } = body.actor;
  const at = noted.value ?? Date.now();
  const idOf = once === null ? newVisitorKey : (i: number) => idFrom(JSON.stringify([room, name, once.key, once.print, at, i]));
  const invitations = await mint(ring, room, order, Math.min(Math.floor(at / 1_000), order.exp - 1), idOf);
  return toReply(noted, () => ({ room, expires: new Date(order.exp * 1_000).toISOString(), uses: order.uses, invitations }));
}

async function idFrom(text: string): Promise<string> {
  return toBase64url(fromHex((await hashOf(text)).slice(0, 32)));
}

/** With how old they are by this side's clock. */
function aged(stats: RoomStats): RoomStats & { readonly age_seconds: number } {
  return { ...stats, age_seconds: Math.max(0, Math.round((Date.now() - Date.parse(stats.now)) / 100) / 10) };
}
