/**
 * The admin API for people and programs: what each route of `admin-routes.ts` is for, the shapes of its body and its answer. From it come
 * static/openapi.json and the tables of docs/api.md (`npm run api-doc`). Not part of the Worker. Pure.
 */
import * as v from "valibot";
import type { SwitchName } from "./admin";
import * as people from "./admin-people-shapes";
import { type AdminRouteId, RAMP_MINUTES_MAX, ROLES, SWITCHES } from "./admin-routes";
import * as shapes from "./admin-shapes";
import { EVENT_OVERRIDES, EVENT_SETTINGS } from "./event-schema";
import { SETTINGS } from "./settings-schema";

export interface RouteWords {
  /** One line of a table in Markdown. */
  readonly words: string;
  /** The same fields as in the table of routes; absent = `reason` alone, or no body. */
  readonly body?: Readonly<Record<string, shapes.Shape>> | keyof typeof BODIES;
  /** What its body is, where that is no JSON. */
  readonly takes?: string;
  readonly query?: Readonly<Record<string, shapes.Shape>>;
  readonly answer: shapes.Shape;
  /** Of the answer, where it is not JSON. */
  readonly type?: "text/plain";
  readonly status?: 201;
}

/** Every setting may be left out, and null is the file's value. */
const kinds = (table: Readonly<Record<string, { readonly schema: shapes.Shape }>>) =>
  Object.fromEntries(Object.entries(table).map(([name, { schema }]) => [name, v.optional(v.nullable(schema))]));

const force = v.optional(v.boolean());
const rampMinutes = v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(RAMP_MINUTES_MAX)));
const confirm = v.optional(v.string());

/** Bodies that several routes take. */
export const BODIES = {
  roomSettings: { ...kinds(SETTINGS), force },
  roomChanges: { ...kinds(SETTINGS), force, ramp_minutes: rampMinutes },
  eventSettings: kinds({ ...pick(SETTINGS, EVENT_OVERRIDES), ...EVENT_SETTINGS }),
} satisfies Record<string, Readonly<Record<string, shapes.Shape>>>;

function pick<T extends object>(table: T, names: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Partial<T>;
}

const dryRun = { dry_run: v.optional(v.picklist(["0", "1"])) };
/** What a change answers, or what it would do. */
const orForecast = (answer: shapes.Shape): Pick<RouteWords, "answer" | "query"> => ({
  answer: v.union([answer, shapes.forecast]),
  query: dryRun,
});

const turns = (name: SwitchName, words: string, body = {}): RouteWords => {
  const { undo } = SWITCHES[name];
  return {
    words: `${words}; ${undo === null ? "cannot be undone" : `undone by \`${undo}\``}`,
    body,
    ...orForecast(shapes.switched),
  };
};

const format = { format: v.optional(v.picklist(["json", "csv"])) };
const page = { before: v.optional(v.string()), limit: v.optional(v.string()), ...format };
const acts = (words: string): RouteWords => ({ words, answer: people.place });

export const ADMIN_WORDS: Readonly<Record<AdminRouteId, RouteWords>> = {
  "GET /openapi.json": { words: "this API as an OpenAPI 3.1 document", answer: v.record(v.string(), v.unknown()) },
  "GET /metrics": {
    words: "the numbers of every room for Prometheus ([more](monitoring.md#metrics))",
    answer: v.string(),
    type: "text/plain",
  },
  "GET /me": { words: "who asks: name, role, until when", answer: people.me },
  "GET /tokens": { words: "the tokens of this API, newest first, those that have ended too", answer: people.adminTokens },
  "POST /tokens": {
    words: "makes a token: `label`, `role`, `expires`; answers with `token`, which is shown only here",
    body: { label: v.string(), role: v.picklist(ROLES), expires: v.string() },
    answer: people.adminTokenMade,
  },
  "DELETE /tokens/:token": { words: "ends a token, by its `id`: it is refused from the next request on", answer: people.adminToken },
  "GET /audit": { words: "who made and ended tokens", query: page, answer: shapes.audit },
  "GET /rooms": { words: '`{ "rooms": [stats, …] }`, every room of the configuration', answer: shapes.roomsListed },
  "GET /rooms/:room": {
    words:
      "settings in force, the live values that differ from the file (`overrides`) and what it says instead (`file`), switches; the revision as `ETag`",
    answer: shapes.described,
  },
  "PATCH /rooms/:room": {
    words:
      "change what is named, `null` = back to the file's value; with `ramp_minutes` rate and capacity go there [in steps](operate.md#in-steps); `If-Match` may be sent",
    body: "roomChanges",
    ...orForecast(shapes.changed),
  },
  "PUT /rooms/:room": {
    words: "replace: what is not named goes back to the file's value; `If-Match` must be sent",
    body: "roomSettings",
    ...orForecast(shapes.changed),
  },
  "PUT /rooms/:room/logo": {
    words: "upload the logo as it is: PNG, JPEG, WebP or SVG, at most 102,400 bytes; the reason as `Vestibule-Reason`",
    takes: "image/*",
    answer: shapes.changed,
  },
  "DELETE /rooms/:room/logo": { words: "do without one", answer: shapes.changed },
  "GET /rooms/:room/template": { words: "the page of your own, as it was uploaded", answer: v.string(), type: "text/plain" },
  "PUT /rooms/:room/template": {
    words: "upload [a page of your own](own-page.md) as it is, at most 1,048,576 bytes; the reason as `Vestibule-Reason`",
    takes: "text/html",
    answer: shapes.changed,
  },
  "DELETE /rooms/:room/template": { words: "our page again", answer: shapes.changed },
  "GET /rooms/:room/preview": {
    words: "a link, good for an hour, to every state of the page in every language; nobody is in them",
    answer: shapes.preview,
  },
  "POST /rooms/:room/preview": {
    words: "the same with settings that are not saved",
    body: "roomSettings",
    answer: shapes.preview,
  },
  "GET /rooms/:room/stats": { words: "the numbers of the room ([below](#numbers))", answer: shapes.stats },
  "GET /rooms/:room/status": {
    words:
      "five of them under Cloudflare's names, in its envelope: `result` has `status` (`event_prequeueing`, `not_queueing`, `queueing`, `suspended`), `event_id` (the event's name or `\"\"`), `estimated_queued_users`, `estimated_total_active_users`, `max_estimated_time_minutes`; counted, not estimated",
    answer: shapes.asCloudflare,
  },
  "GET /rooms/:room/series": {
    words:
      "the last `minutes` (60, at most 2,880), oldest first, the running one last; a minute in which nobody asked for anything is left out",
    query: { minutes: v.optional(v.string()), ...format },
    answer: shapes.series,
  },
  "GET /rooms/:room/log": { words: "what happened by itself, by seconds, newest first ([below](#logs))", query: page, answer: shapes.log },
  "GET /rooms/:room/audit": { words: "who did what, newest first ([below](#logs))", query: page, answer: shapes.audit },
  "GET /rooms/:room/revisions": {
    words: "the newest 1,000 changes with time, actor and reason, newest first; every one of them can be restored",
    query: { before: v.optional(v.string()), limit: v.optional(v.string()) },
    answer: shapes.revisions,
  },
  "POST /rooms/:room/revisions/:revision/restore": {
    words: "what held at that revision holds again; `If-Match` must be sent",
    ...orForecast(shapes.changed),
  },
  "POST /rooms/:room/apply-file": {
    words: "what `wrangler.toml` says holds again: every live value is dropped; `If-Match` may be sent",
    ...orForecast(shapes.changed),
  },
  "POST /rooms/:room/pause": turns("pause", "nobody enters; everybody keeps the place"),
  "POST /rooms/:room/resume": turns("resume", "people enter again"),
  "POST /rooms/:room/stop-joins": turns("stop-joins", "nobody joins the line any more; those in it go on"),
  "POST /rooms/:room/allow-joins": turns("allow-joins", "people may join again"),
  "POST /rooms/:room/under-attack": turns("under-attack", "newcomers are asked for proof; 422 while `challenge` is off"),
  "POST /rooms/:room/calm": turns("calm", "only whom the limits say is asked for proof"),
  "POST /rooms/:room/flush": turns("flush", "empties the line: everybody who waits loses the place"),
  "POST /rooms/:room/end-sessions": turns("end-sessions", "ends the visits of everybody inside"),
  "POST /rooms/:room/reset": turns("reset", "begins a new line: all places and passes are void; `confirm` is the room's name", { confirm }),
  "POST /rooms/:room/sold-out": turns("sold-out", "tells everybody that the sale has ended; nobody enters"),
  "POST /rooms/:room/reopen": turns("reopen", "the sale goes on"),
  "POST /rooms/:room/full-rate": turns(
    "full-rate",
    "gives back the rate that `slow_down` has lowered ([more](operate.md#when-the-shop-struggles))",
  ),
  "POST /rooms/:room/stop-ramp": turns("stop-ramp", "rate and capacity that are [on their way](operate.md#in-steps) stay where they are"),
  "GET /rooms/:room/events": { words: "the room's events ([below](#events))", answer: shapes.events },
  "POST /rooms/:room/events": { words: "plan one more", body: "eventSettings", ...orForecast(shapes.eventChanged) },
  "GET /rooms/:room/events/:event": { words: "one event as it is set", answer: shapes.event },
  "GET /rooms/:room/events/:event/details": {
    words: "what holds during it: with the room's settings where it has none",
    answer: shapes.event,
  },
  "PATCH /rooms/:room/events/:event": {
    words: "change what is named, `null` = as if it were left out",
    body: "eventSettings",
    ...orForecast(shapes.eventChanged),
  },
  "PUT /rooms/:room/events/:event": {
    words: "replace; `If-Match` must be sent",
    body: "eventSettings",
    ...orForecast(shapes.eventChanged),
  },
  "DELETE /rooms/:room/events/:event": { words: "take it away; `If-Match` must be sent", ...orForecast(shapes.eventsChanged) },
  "POST /rooms/:room/events/:event/move": {
    words: 'another start: `{"minutes": 15}` later, or `{"event_start_time": "…"}`',
    body: { minutes: v.optional(v.number()), event_start_time: v.optional(v.string()) },
    ...orForecast(shapes.eventChanged),
  },
  "POST /rooms/:room/events/:event/start-now": { words: "open the doors at once", ...orForecast(shapes.eventChanged) },
  "POST /rooms/:room/events/:event/cancel": {
    words: 'call it off, with words: `{"message": "…"}`',
    body: { message: v.optional(v.string()) },
    ...orForecast(shapes.eventChanged),
  },
  "GET /rooms/:room/places/:reference": {
    words: "one visitor's place, by the reference code on their page ([below](#a-visitor))",
    answer: people.place,
  },
  "POST /rooms/:room/places/:reference/remove": acts("takes the place away, in line or inside"),
  "POST /rooms/:room/places/:reference/ban": acts("the same, and whoever had it cannot join again while the ban stands"),
  "POST /rooms/:room/places/:reference/unban": acts("lifts the ban"),
  "GET /rooms/:room/bans": { words: "the bans that stand", answer: people.bans },
  "POST /rooms/:room/invitations": {
    words: "makes invitations: `count` (1) or `subjects`, `uses` (1), `expires`, `url`; answers with `id`, `token`, `link` of each",
    body: {
      count: v.optional(v.number()),
      subjects: v.optional(v.array(v.string())),
      uses: v.optional(v.number()),
      expires: v.string(),
      url: v.optional(v.string()),
    },
    answer: shapes.invitations,
  },
  "GET /rooms/:room/staff-links": {
    words: "`staff_places`, how many are taken, and the links with their uses, newest first, at most 200",
    answer: shapes.staffLinks,
  },
  "POST /rooms/:room/staff-links": {
    words: "makes a staff link: `label`, `hours`, `uses` (1), `url` it leads to; answers with `link`, which is shown only here",
    body: { label: v.string(), hours: v.number(), uses: v.optional(v.number()), url: v.optional(v.string()) },
    answer: shapes.staffLinkMade,
  },
  "DELETE /rooms/:room/staff-links/:link": { words: "ends a link and its passes", answer: shapes.staffLink },
  "GET /rooms/:room/webhooks": {
    words: "who is told what of the room, how many messages wait, arrived, were given up or dropped, and the last try of each",
    answer: shapes.webhooks,
  },
  "POST /rooms/:room/webhooks/:webhook/test": {
    words: "sends this webhook one message now, and answers with what became of it ([more](monitoring.md#webhooks))",
    answer: shapes.webhookTested,
  },
  "POST /rooms/:room/revoke-key": {
    words:
      "a signing key got out: `kid`, `line` (`keep` or `new`; for `new` also `confirm`), once the ring of the Worker marks it as revoked ([what that does](keys.md#a-key-got-out))",
    body: { kid: v.string(), line: v.picklist(["keep", "new"]), confirm },
    answer: shapes.keyRevoked,
  },
};
