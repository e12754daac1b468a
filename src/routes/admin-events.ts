/**
 * The events of a room in the admin API: the setting `events`, one event at a time. A thin translation between HTTP and the Room's
 * `changeEvent`; what may change, and until when, the Room decides by its own clock.
 */
import { clientOf } from "../clients";
import type { AdminResult, EventAction, OperatorSettings, RoomDescription } from "../core/admin";
import { EVENT_OVERRIDES } from "../core/event-schema";
import { jsonReply } from "../http/replies";
import { type Body, readBody } from "./admin-access";
import { foresee, type Handler, type Handlers, ifRevisionOf, isDryRun, read, settingsOf, toReply, warned, write } from "./admin-room";
import type { AppContext } from "./context";

export const eventHandlers = {
  "GET /rooms/:room/events": async (c, room) => list(await described(c, room)),
  "POST /rooms/:room/events": (c, room) => change(c, room, ({ fields }) => [{ as: "add", event: fields }, String(fields["name"])], null),
  "GET /rooms/:room/events/:event": async (c, room) => one(await described(c, room), nameOf(c)),
  "GET /rooms/:room/events/:event/details": async (c, room) => details(await described(c, room), nameOf(c)),
  "PATCH /rooms/:room/events/:event": (c, room) =>
    change(c, room, ({ fields }, name) => [{ as: "change", name, changes: fields }, renamed(fields, name)], null),
  "PUT /rooms/:room/events/:event": (c, room) =>
    change(c, room, ({ fields }, name) => [{ as: "replace", name, event: fields }, renamed(fields, name)], "PUT replaces the event"),
  "DELETE /rooms/:room/events/:event": remove,
  "POST /rooms/:room/events/:event/move": steps("move"),
  "POST /rooms/:room/events/:event/start-now": steps("start-now"),
  "POST /rooms/:room/events/:event/cancel": steps("cancel"),
} satisfies Handlers;

function steps(as: "move" | "start-now" | "cancel"): Handler {
  return (c, room) => change(c, room, ({ fields }, name) => [{ as, name, fields }, name], null);
}

/** @param action what the body asks for, and the event's name afterwards */
async function change(
  c: AppContext,
  room: string,
  action: (body: Body, name: string) => [EventAction, string],
  needsCondition: string | null,
): Promise<Response> {
  const asked = await ask(c, needsCondition);
  if (asked instanceof Response) return asked;
  const { body, ifRevision } = asked;
  const [what, name] = action(body, nameOf(c));
  if (asked.dryRun) return foresee(c, room, { as: "event", change: { action: what, ifRevision, actor: body.actor } });
  const result = warned(c, room, await write(c, room, (rpc) => rpc.changeEvent({ action: what, ifRevision, actor: body.actor })));
  return one(result, name, effectiveWithin(c, room));
}

async function remove(c: AppContext, room: string): Promise<Response> {
  const asked = await ask(c, "DELETE takes the event away");
  if (asked instanceof Response) return asked;
  const { body, ifRevision } = asked;
  const action: EventAction = { as: "remove", name: nameOf(c) };
  if (asked.dryRun) return foresee(c, room, { as: "event", change: { action, ifRevision, actor: body.actor } });
  const result = await write(c, room, (rpc) => rpc.changeEvent({ action, ifRevision, actor: body.actor }));
  return list(warned(c, room, result), effectiveWithin(c, room));
}

async function described(c: AppContext, room: string): Promise<AdminResult<RoomDescription>> {
  return warned(c, room, await read(c, room, (rpc) => rpc.describe()));
}

interface Asked {
  readonly body: Body;
  readonly ifRevision: number | null;
  readonly dryRun: boolean;
}

async function ask(c: AppContext, needsCondition: string | null): Promise<Asked | Response> {
  const ifRevision = ifRevisionOf(c, needsCondition);
  if (ifRevision instanceof Response) return ifRevision;
  const dryRun = isDryRun(c);
  if (dryRun instanceof Response) return dryRun;
  const sent = await readBody(c);
  if (sent instanceof Response) return sent;
  const body = settingsOf(sent, "event", ["room", "revision", "warnings", "effective_within_seconds"]);
  return body instanceof Response ? body : { body, ifRevision, dryRun };
}

function list(result: AdminResult<RoomDescription>, more: object = {}): Response {
  return tell(result, more, (events) => ({ events }));
}

function one(result: AdminResult<RoomDescription>, name: string, more: object = {}): Response {
  return tell(result, more, (events) => named(events, name));
}

/** What holds during the event: its own settings, and the room's where it has none. */
function details(result: AdminResult<RoomDescription>, name: string): Response {
  return tell(result, {}, (events, settings) => {
    const found = named(events, name);
    const inherited = Object.fromEntries(EVENT_OVERRIDES.map((setting) => [setting, settings[setting]]));
    return found && { event: { ...inherited, ...found.event } };
  });
}

/** @param shape null = there is no such event */
function tell(
  result: AdminResult<RoomDescription>,
  more: object,
  shape: (events: readonly OperatorSettings[], settings: OperatorSettings) => object | null,
): Response {
  if (result.as !== "ok") return toReply(result);
  const { room, revision, settings, warnings, ...rest } = result.value;
  const names = ["changed", "undo", "effective_within_seconds"];
  const made = Object.fromEntries(Object.entries(rest).filter(([name]) => names.includes(name)));
  const shown = shape((settings["events"] ?? []) as OperatorSettings[], settings);
  if (shown === null) return toReply({ as: "unknown-event" });
  return jsonReply({ room, revision, ...shown, warnings, ...more, ...made }, { headers: new Headers({ ETag: `"${revision}"` }) });
}

function named(events: readonly OperatorSettings[], name: string): { readonly event: OperatorSettings } | null {
  const event = events.find((each) => each["name"] === name);
  return event === undefined ? null : { event };
}

function nameOf(c: AppContext): string {
  return c.req.param("event") ?? "";
}

function renamed(fields: OperatorSettings, name: string): string {
  return typeof fields["name"] === "string" ? fields["name"] : name;
}

function effectiveWithin(c: AppContext, room: string): { readonly effective_within_seconds: number } {
  return { effective_within_seconds: clientOf(c.env.env, c.env.config, room).settings.revokeBoundMs / 1_000 };
}
