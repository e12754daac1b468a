/**
 * The audit log, the machine's log and the minutes of a room, as JSON or CSV, a page at a time.
 */
import { HAPPENINGS, type Page } from "../core/audit";
import { toCsv } from "../core/csv";
import { jsonReply, textReply } from "../http/replies";
import { invalid } from "./admin-access";
import { type Handlers, read, toReply } from "./admin-room";
import type { AppContext } from "./context";

const LIMIT = 100;
const REVISIONS = 500;
const LIMIT_MAX = 1_000;
/** Two days: all that is kept. */
const MINUTES_MAX = 2_880;
const MINUTES = 60;

const COLUMNS = {
  audit: ["id", "at", "actor", "role", "action", "reason", "revision", "before", "after"],
  log: ["id", "at", "event", "count", "places", "dropped", "detail"],
  series: [
    "at",
    ...HAPPENINGS,
    "waiting",
    "inside",
    "new_users_per_minute",
    "rate_per_minute",
    "total_active_users",
    "origin_ok",
    "origin_failed",
    "origin_slow",
    "origin_error_percent",
    "origin_p95_ms",
    "wait_p50_seconds",
    "wait_p95_seconds",
    "wait_max_seconds",
  ],
} as const;

export const exportHandlers = {
  "GET /rooms/:room/audit": async (c, room) => {
    const page = pageOf(c);
    if (page instanceof Response) return page;
    const found = await read(c, room, (rpc) => rpc.audit(page));
    return found.as === "ok" ? listed(c, "audit", found.value) : toReply(found);
  },
  "GET /rooms/:room/log": async (c, room) => {
    const page = pageOf(c);
    if (page instanceof Response) return page;
    const found = await read(c, room, (rpc) => rpc.log(page));
    return found.as === "ok" ? listed(c, "log", found.value) : toReply(found);
  },
  "GET /rooms/:room/revisions": async (c, room) => {
    const page = pageOf(c, REVISIONS);
    if (page instanceof Response) return page;
    const found = await read(c, room, (rpc) => rpc.revisions(page));
    return toReply(found, (revisions) => ({ revisions, before: nextPage(revisions.at(-1)?.revision) }));
  },
  "GET /rooms/:room/series": async (c, room) => {
    const minutes = numberOf(c, "minutes", MINUTES, MINUTES_MAX);
    if (minutes instanceof Response) return minutes;
    const found = await read(c, room, (rpc) => rpc.series(minutes));
    if (found.as !== "ok") return toReply(found);
    return formatted(c, "series", found.value, { minutes: found.value });
  },
} satisfies Handlers;

/** `before` and `limit` of the query. */
export function pageOf(c: AppContext, usual = LIMIT): Page | Response {
  const limit = numberOf(c, "limit", usual, LIMIT_MAX);
  const before = numberOf(c, "before", null, Number.MAX_SAFE_INTEGER);
  if (limit instanceof Response) return limit;
  return before instanceof Response ? before : { limit, before };
}

export function listed(c: AppContext, name: "audit" | "log", rows: readonly { readonly id: number }[]): Response {
  return formatted(c, name, rows, { [name]: rows, before: nextPage(rows.at(-1)?.id) });
}

/**
 * What to send as `before` for the next page; null = there is none. A page may be shorter than its limit, where more would be too much for
 * one reply; and the one after the oldest that is kept is empty.
 */
function nextPage(last: number | undefined): number | null {
  return last !== undefined && last > 1 ? last : null;
}

function formatted(c: AppContext, name: keyof typeof COLUMNS, rows: readonly object[], json: object): Response {
  const format = c.req.query("format") ?? "json";
  if (format === "json") return jsonReply(json);
  if (format !== "csv") return invalid([{ setting: "?format", problem: "must be json or csv" }]);
  return textReply(toCsv(COLUMNS[name], rows as Record<string, unknown>[]), "text/csv; charset=utf-8");
}

function numberOf<T>(c: AppContext, name: string, fallback: T, most: number): number | T | Response {
  const text = c.req.query(name);
  if (text === undefined) return fallback;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  return invalid([{ setting: `?${name}`, problem: `must be a whole number from 1 to ${most}` }]);
}
