/**
 * Every route of the admin API: who may use it and what it takes. The one table that the router, openapi.json and docs/api.md come from;
 * words and shapes for people are in `admin-schemas.ts`, which the Worker does not carry. Pure.
 */
import type { SwitchName } from "./admin";

/** Each may do what those before it may. */
export const ROLES = ["viewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

export interface AdminRoute {
  readonly role: Role;
  /**
   * Fields of the body besides `reason`; null = there is none. `settings` = a room's or an event's, judged by the Room by name; those in
   * `besides` are not among them. `file` = not JSON, but a file as it is.
   */
  readonly body: null | { readonly fields: readonly string[] | "settings" | "file"; readonly besides?: readonly string[] };
  readonly query: readonly string[];
}

const reads = (role: Role, query: readonly string[] = []) => ({ role, body: null, query }) satisfies AdminRoute;
const takes = (role: Role, fields: readonly string[], query: readonly string[] = []) =>
  ({ role, body: { fields }, query }) satisfies AdminRoute;
const DRY_RUN = ["dry_run"];
const takesSettings = (role: Role, besides: readonly string[] = []) =>
  ({ role, body: { fields: "settings", besides }, query: DRY_RUN }) satisfies AdminRoute;
/** Who puts a template on the site runs scripts there; a picture runs nothing. */
const takesFile = (role: Role) => ({ role, body: { fields: "file" }, query: [] }) satisfies AdminRoute;
/** Lists of which one page is asked for. */
const PAGE = ["before", "limit", "format"];

/** Settings that can go to their value in steps, and the longest time that may take. */
export const RAMP_SETTINGS = ["new_users_per_minute", "total_active_users"] as const;
export const RAMP_MINUTES_MAX = 1_440;

/** Switches by name, with the switch that undoes each; null = nothing does. */
export const SWITCHES: Readonly<Record<SwitchName, { readonly role: Role; readonly undo: SwitchName | null }>> = {
  pause: { role: "operator", undo: "resume" },
  resume: { role: "operator", undo: "pause" },
  "stop-joins": { role: "operator", undo: "allow-joins" },
  "allow-joins": { role: "operator", undo: "stop-joins" },
  "under-attack": { role: "operator", undo: "calm" },
  calm: { role: "operator", undo: "under-attack" },
  flush: { role: "operator", undo: null },
  "end-sessions": { role: "operator", undo: null },
  reset: { role: "admin", undo: null },
  "sold-out": { role: "operator", undo: "reopen" },
  reopen: { role: "operator", undo: "sold-out" },
  "full-rate": { role: "operator", undo: null },
  "stop-ramp": { role: "operator", undo: null },
};

const turns = (name: SwitchName) => takes(SWITCHES[name].role, name === "reset" ? ["confirm"] : [], DRY_RUN);

/** By method and path under `/__vestibule/admin/api`. */
export const ADMIN_ROUTES = {
  "GET /openapi.json": reads("viewer"),
  "GET /metrics": reads("viewer"),
  "GET /me": reads("viewer"),
  "GET /tokens": reads("admin"),
  "POST /tokens": takes("admin", ["label", "role", "expires"]),
  "DELETE /tokens/:token": takes("admin", []),
  "GET /audit": reads("admin", PAGE),
  "GET /rooms": reads("viewer"),
  "GET /rooms/:room": reads("viewer"),
  "PATCH /rooms/:room": takesSettings("operator", ["force", "ramp_minutes"]),
  "PUT /rooms/:room": takesSettings("operator", ["force"]),
  "PUT /rooms/:room/logo": takesFile("operator"),
  "DELETE /rooms/:room/logo": takes("operator", []),
  "PUT /rooms/:room/template": takesFile("admin"),
  "GET /rooms/:room/template": reads("viewer"),
  "DELETE /rooms/:room/template": takes("operator", []),
  "GET /rooms/:room/preview": reads("viewer"),
  "POST /rooms/:room/preview": { role: "operator", body: { fields: "settings" }, query: [] },
  "GET /rooms/:room/stats": reads("viewer"),
  "GET /rooms/:room/status": reads("viewer"),
  "GET /rooms/:room/series": reads("viewer", ["minutes", "format"]),
  "GET /rooms/:room/log": reads("viewer", PAGE),
  "GET /rooms/:room/audit": reads("viewer", PAGE),
  "GET /rooms/:room/revisions": reads("viewer", ["before", "limit"]),
  "POST /rooms/:room/revisions/:revision/restore": takes("operator", [], DRY_RUN),
  "POST /rooms/:room/apply-file": takes("operator", [], DRY_RUN),
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
  "GET /rooms/:room/events": reads("viewer"),
  "POST /rooms/:room/events": takesSettings("operator"),
  "GET /rooms/:room/events/:event": reads("viewer"),
  "GET /rooms/:room/events/:event/details": reads("viewer"),
  "PATCH /rooms/:room/events/:event": takesSettings("operator"),
  "PUT /rooms/:room/events/:event": takesSettings("operator"),
  "DELETE /rooms/:room/events/:event": takes("operator", [], DRY_RUN),
  "POST /rooms/:room/events/:event/move": takes("operator", ["minutes", "event_start_time"], DRY_RUN),
  "POST /rooms/:room/events/:event/start-now": takes("operator", [], DRY_RUN),
  "POST /rooms/:room/events/:event/cancel": takes("operator", ["message"], DRY_RUN),
  "GET /rooms/:room/places/:reference": reads("viewer"),
  "POST /rooms/:room/places/:reference/remove": takes("operator", []),
  "POST /rooms/:room/places/:reference/ban": takes("operator", []),
  "POST /rooms/:room/places/:reference/unban": takes("operator", []),
  "GET /rooms/:room/bans": reads("viewer"),
  "POST /rooms/:room/invitations": takes("admin", ["count", "subjects", "uses", "expires", "url"]),
  "GET /rooms/:room/staff-links": reads("viewer"),
  "POST /rooms/:room/staff-links": takes("operator", ["label", "hours", "uses", "url"]),
  "DELETE /rooms/:room/staff-links/:link": takes("operator", []),
  "GET /rooms/:room/webhooks": reads("viewer"),
  "POST /rooms/:room/webhooks/:webhook/test": takes("operator", []),
  "POST /rooms/:room/revoke-key": takes("admin", ["kid", "line", "confirm"]),
} as const satisfies Record<string, AdminRoute>;

export type AdminRouteId = keyof typeof ADMIN_ROUTES;

/** Method and path of a route. */
export function partsOf(id: string): { readonly method: string; readonly path: string } {
  const at = id.indexOf(" ");
  return { method: id.slice(0, at), path: id.slice(at + 1) };
}
