/**
 * The admin API for people and programs: what each route of `admin-routes.ts` is for, the shapes of its body and its answer. From it come
 * static/openapi.json and the tables of docs/api.md (`npm run api-doc`). Not part of the Worker. Pure.
 */
import * as v from "valibot";
import type { AdminRouteId } from "./admin-routes";
import * as shapes from "./admin-shapes";
import { EVENT_OVERRIDES, EVENT_SETTINGS } from "./event-schema";
import { SETTINGS } from "./settings-schema";

export interface RouteWords {
  /** One line of a table in Markdown. */
  readonly words: string;
  /** The same fields as in the table of routes; absent = `reason` alone, or no body. */
  readonly body?: Readonly<Record<string, shapes.Shape>> | keyof typeof BODIES;
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
const confirm = v.optional(v.string());

/** Bodies that several routes take. */
export const BODIES = {
  roomSettings: { ...kinds(SETTINGS), force },
  eventSettings: kinds({ ...pick(SETTINGS, EVENT_OVERRIDES), ...EVENT_SETTINGS }),
} satisfies Record<string, Readonly<Record<string, shapes.Shape>>>;

function pick<T extends object>(table: T, names: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Partial<T>;
}

const turns = (words: string, undo: string | null, body = {}): RouteWords => ({
  words: `${words}; ${undo === null ? "cannot be undone" : `undone by \`${undo}\``}`,
  body,
  answer: shapes.switched,
});

export const ADMIN_WORDS: Readonly<Record<AdminRouteId, RouteWords>> = {
  "GET /openapi.json": { words: "this API as an OpenAPI 3.1 document", answer: v.record(v.string(), v.unknown()) },
  "GET /metrics": {
    words: "the numbers of every room for Prometheus ([runbook](operate.md#metrics))",
    answer: v.string(),
    type: "text/plain",
  },
  "GET /rooms": { words: '`{ "rooms": [stats, …] }`, every room of the configuration', answer: shapes.roomsListed },
  "GET /rooms/:room": {
    words: "settings in force, what differs from the file (`overrides`), switches; the revision as `ETag`",
    answer: shapes.described,
  },
  "PATCH /rooms/:room": {
    words: "change what is named, `null` = back to the file's value; `If-Match` may be sent",
    body: "roomSettings",
    answer: shapes.changed,
  },
  "PUT /rooms/:room": {
    words: "replace: what is not named goes back to the file's value; `If-Match` must be sent",
    body: "roomSettings",
    answer: shapes.changed,
  },
  "GET /rooms/:room/stats": { words: "the numbers below", answer: shapes.stats },
  "GET /rooms/:room/status": {
    words:
      "five of them under Cloudflare's names, in its envelope: `result` has `status` (`event_prequeueing`, `not_queueing`, `queueing`, `suspended`), `event_id` (the event's name or `\"\"`), `estimated_queued_users`, `estimated_total_active_users`, `max_estimated_time_minutes`; counted, not estimated",
    answer: shapes.asCloudflare,
  },
  "GET /rooms/:room/revisions": {
    words: "every change with time, actor and reason, newest first, at most 500",
    answer: shapes.revisions,
  },
  "POST /rooms/:room/pause": turns("nobody enters; everybody keeps the place", "resume"),
  "POST /rooms/:room/resume": turns("people enter again", "pause"),
  "POST /rooms/:room/stop-joins": turns("nobody joins the line any more; those in it go on", "allow-joins"),
  "POST /rooms/:room/allow-joins": turns("people may join again", "stop-joins"),
  "POST /rooms/:room/under-attack": turns("newcomers are asked for proof; 422 while `challenge` is off", "calm"),
  "POST /rooms/:room/calm": turns("only whom the limits say is asked for proof", "under-attack"),
  "POST /rooms/:room/flush": turns("empties the line: everybody who waits loses the place", null),
  "POST /rooms/:room/end-sessions": turns("ends the visits of everybody inside", null),
  "POST /rooms/:room/reset": turns("begins a new line: all places and passes are void; `confirm` is the room's name", null, { confirm }),
  "POST /rooms/:room/sold-out": turns("tells everybody that the sale has ended; nobody enters", "reopen"),
  "POST /rooms/:room/reopen": turns("the sale goes on", "sold-out"),
  "POST /rooms/:room/full-rate": turns(
    "gives back the rate that `slow_down` has lowered ([more](operate.md#when-the-shop-struggles))",
    null,
  ),
  "GET /rooms/:room/events": { words: "the room's events ([below](#events))", answer: shapes.events },
  "POST /rooms/:room/events": { words: "plan one more", body: "eventSettings", answer: shapes.eventChanged },
  "GET /rooms/:room/events/:event": { words: "one event as it is set", answer: shapes.event },
  "GET /rooms/:room/events/:event/details": {
    words: "what holds during it: with the room's settings where it has none",
    answer: shapes.event,
  },
  "PATCH /rooms/:room/events/:event": {
    words: "change what is named, `null` = as if it were left out",
    body: "eventSettings",
    answer: shapes.eventChanged,
  },
  "PUT /rooms/:room/events/:event": { words: "replace; `If-Match` must be sent", body: "eventSettings", answer: shapes.eventChanged },
  "DELETE /rooms/:room/events/:event": { words: "take it away; `If-Match` must be sent", answer: shapes.eventsChanged },
  "POST /rooms/:room/events/:event/move": {
    words: 'another start: `{"minutes": 15}` later, or `{"event_start_time": "…"}`',
    body: { minutes: v.optional(v.number()), event_start_time: v.optional(v.string()) },
    answer: shapes.eventChanged,
  },
  "POST /rooms/:room/events/:event/start-now": { words: "open the doors at once", answer: shapes.eventChanged },
  "POST /rooms/:room/events/:event/cancel": {
    words: 'call it off, with words: `{"message": "…"}`',
    body: { message: v.optional(v.string()) },
    answer: shapes.eventChanged,
  },
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
    words: "sends this webhook one message now, and answers with what became of it ([runbook](operate.md#being-told))",
    answer: shapes.webhookTested,
  },
  "POST /rooms/:room/revoke-key": {
    words:
      "a signing key got out: `kid`, `line` (`keep` or `new`; for `new` also `confirm`), once the ring of the Worker marks it as revoked ([runbook](operate.md#a-key-got-out))",
    body: { kid: v.string(), line: v.picklist(["keep", "new"]), confirm },
    answer: shapes.keyRevoked,
  },
};
