/**
 * What the admin API's endpoints of a room share: calling the Room, its refusals as HTTP, `If-Match`. Decides nothing about rooms.
 */
import { clientOf } from "../clients";
import type { AdminResult, Foreseen, OperatorSettings, RoomDescription, Warning } from "../core/admin";
import type { AdminRouteId } from "../core/admin-routes";
import { bypassKeysOf } from "../core/bypass";
import { needTurnstileSecret } from "../core/challenge-needs";
import { needSharedKey } from "../core/identity-needs";
import type { RoomRpc } from "../core/room-rpc";
import { parseRoom } from "../core/settings";
import type { RoomSettings, Webhook } from "../core/settings-types";
import type { RoomStats } from "../core/stats";
import { readWebhookUrls } from "../core/webhook-schema";
import { targetProblem } from "../core/webhook-target";
import { ringOf } from "../gate/visit";
import { jsonReply, problem, type ReplyInit } from "../http/replies";
import { type KeyRing, signsInVain } from "../keys";
import { RoomFailure } from "../room/call";
import { SharedRead } from "../room/shared-read";
import type { RoomClient } from "../room-client";
import { type Body, invalid, sentence } from "./admin-access";
import type { AppContext } from "./context";

/** Answers one route; `room` is one of the configuration, or "" on a route of no room. */
export type Handler = (c: AppContext, room: string) => Promise<Response>;
export type Handlers = { readonly [Id in AdminRouteId]?: Handler };

const DEADLINE_MS = 5_000;
const RETRY_AFTER_S = 3;

/** `?dry_run=1`: tell what would happen. */
export function isDryRun(c: AppContext): boolean | Response {
  const text = c.req.query("dry_run");
  if (text === undefined || text === "0") return false;
  return text === "1" || invalid([{ setting: "?dry_run", problem: "must be 1, or left out" }]);
}

export async function foresee(c: AppContext, room: string, what: Foreseen): Promise<Response> {
  const result = await read(c, room, (rpc) => rpc.foresee(what));
  if (result.as !== "ok") return toReply(result);
  const now = await read(c, room, (rpc) => rpc.describe());
  // What would hold: of a switch, what is no setting is left out.
  const settings = now.as === "ok" ? { ...now.value.settings, ...only(result.value.after, Object.keys(now.value.settings)) } : {};
  return toReply(withWarnings(result, secretWarnings(c, room, settings)));
}

function only(from: OperatorSettings, names: readonly string[]): OperatorSettings {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}

/** Of a document as GET gave it, what may be sent back in place of the settings alone. */
export function settingsOf(body: Body, member: string, others: readonly string[]): Body | Response {
  const inner = body.fields[member];
  if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return body;
  const strange = Object.keys(body.fields).filter((name) => name !== member && !others.includes(name));
  if (strange.length === 0) return { ...body, fields: inner as Record<string, unknown> };
  return invalid(strange.map((setting) => ({ setting, problem: `is not a field of what GET answers beside ${member}` })));
}

/** Runs with a room of the configuration. */
export async function inRoom(c: AppContext, run: (room: string) => Promise<Response>): Promise<Response> {
  const room = c.req.param("room") ?? "";
  if (!c.env.config.rooms.has(room)) return problem(404, "unknown-room", "No room of that name is configured.");
  return run(room);
}

/** A Room that does not answer is a problem, never a guess. */
export async function answering(c: AppContext, run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RoomFailure)) throw error;
    if (error.kind === "full") return storageFull();
    const detail =
      c.req.method === "GET"
        ? "The room does not answer just now."
        : "The room did not answer: whether the change was made is not known. Look before you repeat it, or repeat it under the same Idempotency-Key.";
    return problem(503, "room-unreachable", detail, { retryAfterS: RETRY_AFTER_S });
  }
}

function storageFull(): Response {
  const detail = "The Room's storage is full, or the plan's quota for it is used up: nothing was changed.";
  return problem(503, "storage-full", detail, { retryAfterS: RETRY_AFTER_S });
}

export function read<T>(c: AppContext, room: string, call: (rpc: RoomRpc) => Promise<T>): Promise<T> {
  return clientOf(c.env.env, c.env.config, room).call(call, { deadlineMs: DEADLINE_MS, retry: true });
}

/** For each room's client, and so for each room in this isolate. */
const statsOf = new WeakMap<RoomClient, SharedRead<AdminResult<RoomStats>>>();

/** The numbers of a room. Consoles, walls and scripts look at them all the time: those who ask at once share a call. */
export function readStats(c: AppContext, room: string): Promise<AdminResult<RoomStats>> {
  const client = clientOf(c.env.env, c.env.config, room);
  const shared = statsOf.get(client) ?? new SharedRead<AdminResult<RoomStats>>(DEADLINE_MS + 1_000);
  statsOf.set(client, shared);
  return shared.read(() => read(c, room, (rpc) => rpc.stats()));
}

/** One attempt: a reset must not happen twice because its first answer was lost. Under a key it may be repeated. This isolate then acts on it at once. */
export async function write<T>(c: AppContext, room: string, call: (rpc: RoomRpc) => Promise<T>): Promise<T> {
  const client = clientOf(c.env.env, c.env.config, room);
  const result = await client.call(call, { deadlineMs: DEADLINE_MS, retry: c.req.header("Idempotency-Key") !== undefined });
  c.executionCtx.waitUntil(client.newManifest(c.executionCtx));
  return result;
}

/** To sign for a room with. A refusal where this Worker has only a key that the room has revoked: what it made would open nothing. */
export async function signingRing(c: AppContext, room: string): Promise<KeyRing | Response> {
  const { config, env } = c.env;
  const client = clientOf(env, config, room);
  await client.manifest(c.executionCtx, client.settings.revokeBoundMs);
  const ring = ringOf({ config, client });
  if (!signsInVain(ring)) return ring;
  const detail = "The key that this Worker signs with is revoked, and it has not got the new one yet: ask again in a minute.";
  return problem(503, "no-signing-key", detail, { retryAfterS: RETRY_AFTER_S });
}

/** With what the Room cannot see, and so cannot warn of: secrets that are missing. */
export function warned<T extends RoomDescription>(c: AppContext, room: string, result: AdminResult<T>): AdminResult<T> {
  return result.as === "ok" ? withWarnings(result, secretWarnings(c, room, result.value.settings)) : result;
}

function withWarnings<T extends { readonly warnings: readonly Warning[] }>(
  result: Extract<AdminResult<T>, { as: "ok" }>,
  added: readonly Warning[],
): AdminResult<T> {
  return added.length === 0 ? result : { ...result, value: { ...result.value, warnings: [...result.value.warnings, ...added] } };
}

function secretWarnings(c: AppContext, room: string, settings: OperatorSettings): Warning[] {
  const parsed = parseRoom(room, settings);
  return parsed.ok ? missingSecrets(c, room, parsed.settings) : [];
}

const NO_AWS_KEY = "is set, but AWS_TOKEN_KEY is not: clients of that API get 404";

function missingSecrets(c: AppContext, room: string, settings: RoomSettings): Warning[] {
  const { identityKeys, bypassKeys, turnstile, awsKey } = c.env.config;
  const warning = 'is "identified" without an identity_jwks_url, and IDENTITY_KEYS has no key of this room: nobody can join';
  const logIns = identityKeys.has(room) ? [] : needSharedKey(settings).map((setting) => ({ setting, warning }));
  const keys = [...bypassKeysOf(settings.bypassRules)].filter((name) => !bypassKeys.has(name));
  const noSecret = 'is "turnstile", but TURNSTILE_SECRET is not set: newcomers are asked for a proof of work instead';
  const checks = turnstile.secret === null ? needTurnstileSecret(settings).map((setting) => ({ setting, warning: noSecret })) : [];
  return [
    ...logIns,
    ...checks,
    ...(settings.awsEventId !== null && awsKey === null ? [{ setting: "aws_event_id", warning: NO_AWS_KEY }] : []),
    ...settings.webhooks.flatMap((webhook) => missingTarget(c, webhook)),
    ...keys.map((name) => ({ setting: "bypass_rules", warning: `ask for the key ${name}, which BYPASS_KEYS has not: they open nothing` })),
  ];
}

function missingTarget(c: AppContext, { name, url }: Webhook): Warning[] {
  const { WEBHOOK_URLS, LOCAL_WEBHOOKS } = c.env.env;
  const address = url === "" ? readWebhookUrls(WEBHOOK_URLS).get(name) : url;
  const problem = address === undefined ? "in its url, or in the secret WEBHOOK_URLS" : targetProblem(address, LOCAL_WEBHOOKS === "allow");
  return problem === null ? [] : [{ setting: `webhooks.${name}`, warning: `is told nothing: its address must be ${problem}` }];
}

/** A room with its settings; `changed` = with how soon a change counts everywhere, as the Room says: an isolate may know another bound. */
export function describe(c: AppContext, room: string, answer: AdminResult<RoomDescription>, changed = false): Response {
  const result = warned(c, room, answer);
  if (result.as !== "ok") return toReply(result);
  const revokeBoundS = clientOf(c.env.env, c.env.config, room).settings.revokeBoundMs / 1_000;
  const headers = new Headers({ ETag: `"${result.value.revision}"` });
  return toReply(result, (value) => (changed ? { effective_within_seconds: revokeBoundS, ...value } : value), { headers });
}

export function toReply<T>(result: AdminResult<T>, shape: (value: T) => unknown = (value) => value, init: ReplyInit = {}): Response {
  switch (result.as) {
    case "ok": {
      const headers = new Headers(init.headers);
      if (result.replayed) headers.set("Idempotency-Replayed", "true");
      return jsonReply(shape(result.value), { ...init, headers });
    }
    case "invalid":
      return invalid(result.problems);
    case "conflict": {
      const headers = new Headers({ ETag: `"${result.revision}"` });
      const detail = `Somebody changed the room in between: it is at revision ${result.revision}. Read it again, then repeat your change.`;
      return problem(412, "conflict", detail, { headers, members: { revision: result.revision } });
    }
    case "needs-confirmation":
      return problem(422, "needs-confirmation", `This cannot be undone. Send {"confirm": ${JSON.stringify(result.confirm)}} to go on.`);
    case "too-late": {
      const { problems } = result;
      return problem(409, "too-late", sentence(problems), { members: { problems } });
    }
    case "storage-full":
      return storageFull();
    case "unknown-event":
      return problem(404, "unknown-event", "The room has no event of that name.");
    case "unknown-webhook":
      return problem(404, "unknown-webhook", "The room has no webhook of that name.");
    case "unknown-revision":
      return problem(404, "unknown-revision", "The room has no revision of that number.");
    case "unknown-place":
      return problem(404, "unknown-place", "No place of this room has this reference code: it was misread, or is of another room.");
    case "unknown-token":
      return problem(404, "unknown-token", "There is no token of that number.");
    case "key-reused":
      return problem(422, "idempotency-key-reused", "This Idempotency-Key was used for another request: take a new one.");
    case "unknown-link":
      return problem(404, "unknown-link", "The room has no staff link of that number.");
    case "unknown-room":
      return problem(404, "unknown-room", "No room of that name is configured.");
  }
}

/**
 * The revision that `If-Match` names; null = none asked for. A refusal if it can match no revision of ours, or is missing where it is needed.
 * @param needed why it is, as the beginning of a sentence; null = it may be left out
 */
export function ifRevisionOf(c: AppContext, needed: string | null): number | null | Response {
  const condition = readCondition(c.req.header("If-Match"));
  if (condition === "missing" && needed !== null) {
    return problem(428, "if-match-needed", `${needed}: send If-Match with the ETag of what you have read.`);
  }
  if (condition === "never") return problem(412, "conflict", "If-Match names no revision of this room.");
  return typeof condition === "number" ? condition : null;
}

/** `If-Match` as a revision. `any` = `*`; `never` = something that no revision of ours can match. */
function readCondition(header: string | undefined): number | "missing" | "any" | "never" {
  if (header === undefined) return "missing";
  if (header.trim() === "*") return "any";
  const revision = /^\s*"?(\d{1,15})"?\s*$/.exec(header)?.[1];
  return revision === undefined ? "never" : Number(revision);
}
