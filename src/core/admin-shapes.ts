/**
 * What the admin API answers, as schemas: openapi.json is made from them and tests hold every answer against them. Not part of the Worker.
 * Strict, so that no answer has a field that is written down nowhere. Pure.
 */
import * as v from "valibot";
import type { Actor, Forecast, RoomDescription, SwitchResult, Warning } from "./admin";
import { ROLES } from "./admin-routes";
import { type AuditEntry, HAPPENINGS, type LogEntry } from "./audit";
import type { CfStatus } from "./cf-status";
import { TOPICS, type WebhookReport, type WebhookTested } from "./news";
import type { Outlook } from "./outlook";
import type { StaffLink } from "./staff";
import type { RoomStats } from "./stats";

export type Shape<T = unknown> = v.GenericSchema<unknown, T>;

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const amount = v.pipe(v.number(), v.minValue(0));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
export const time = v.pipe(v.string(), v.isoTimestamp());
/** Settings of a room or an event: what they are is in docs/settings.md. */
export const settings = v.record(v.string(), v.unknown());

export const warning: Shape<Warning> = v.strictObject({ setting: v.string(), warning: v.string() });
const warnings = v.array(warning);
export const room = v.string();
const revision = count;
const withinSeconds = amount;

const description = {
  room,
  generation: count,
  revision,
  settings,
  overrides: settings,
  file: settings,
  switches: v.strictObject({ joins_stopped: v.boolean(), ended: v.boolean(), under_attack: v.boolean() }),
  warnings,
};
export const described: Shape<RoomDescription> = v.strictObject(description);
const undoBy = v.nullable(v.strictObject({ restore: count }));
export const changed = v.strictObject({ ...description, changed: v.boolean(), undo: undoBy, effective_within_seconds: withinSeconds });

const outlook: Shape<Outlook> = v.strictObject({
  newcomer_wait_minutes: v.nullable(amount),
  entering_per_minute: amount,
  expected_inside: count,
  limited_by: v.picklist(["stopped", "rate", "capacity", "nobody-waits"]),
});
const counts = v.strictObject({ waiting: count, called: count, inside: count });
export const forecast: Shape<Forecast> = v.strictObject({
  room,
  revision,
  dry_run: v.literal(true),
  would_change: v.boolean(),
  before: settings,
  after: settings,
  outlook: v.strictObject({ before: outlook, after: outlook }),
  visit_minutes: amount,
  visit_minutes_measured: v.boolean(),
  counts,
  warnings,
  effective_within_seconds: withinSeconds,
});

const effects = v.record(v.string(), v.unknown());
const auditEntry: Shape<AuditEntry> = v.strictObject({
  id: count,
  at: time,
  actor: v.string(),
  role: v.picklist([...ROLES, "deploy"]),
  action: v.string(),
  reason: v.string(),
  revision,
  before: effects,
  after: effects,
});
const logEntry: Shape<LogEntry> = v.strictObject({
  id: count,
  at: time,
  event: v.picklist([...HAPPENINGS, "phase", "joins", "under-attack", "slowed-down", "site-failed", "failed-open"]),
  count,
  places: v.array(count),
  dropped: count,
  detail: v.nullable(v.string()),
});
const before = v.nullable(count);
export const audit = v.strictObject({ audit: v.array(auditEntry), before });
export const log = v.strictObject({ log: v.array(logEntry), before });
const waits = { wait_p50_seconds: v.nullable(count), wait_p95_seconds: v.nullable(count), wait_max_seconds: v.nullable(count) };
export const series = v.strictObject({
  minutes: v.array(
    v.strictObject({
      at: time,
      joined: count,
      called: count,
      entered: count,
      left: count,
      lapsed: count,
      over: count,
      missed: count,
      passed_over: count,
      refused: count,
      waiting: count,
      inside: count,
      new_users_per_minute: amount,
      total_active_users: count,
      origin_ok: count,
      origin_failed: count,
      origin_slow: count,
      origin_error_percent: v.nullable(amount),
      ...waits,
      rate_per_minute: amount,
      origin_p95_ms: v.nullable(amount),
    }),
  ),
});

const span = v.strictObject({ from: amount, to: amount });
const busiest = v.array(v.strictObject({ hash: v.string(), entries: count, next_cost: count }));
/** Of `GET stats`: what the Room says, and by the Worker how old it is. */
export const stats: Shape<RoomStats & { readonly age_seconds: number }> = v.strictObject({
  room,
  generation: count,
  revision,
  now: time,
  phase: v.string(),
  issued: count,
  admitted_epoch: count,
  waiting: count,
  called: count,
  inside: count,
  lapsed: count,
  passed_over: count,
  missed: count,
  returning: count,
  leaving: count,
  ended: count,
  places_held: amount,
  places_leased: amount,
  places_free: v.number(),
  total_active_users: count,
  capacity: count,
  new_users_per_minute: amount,
  rate_per_minute: amount,
  ramp: v.nullable(
    v.strictObject({ since: time, until: time, new_users_per_minute: v.nullable(span), total_active_users: v.nullable(span) }),
  ),
  entered_last_minute: count,
  joined_last_minute: count,
  newcomer_wait_minutes: v.nullable(amount),
  ...waits,
  joined_total: count,
  entered_total: count,
  refused_total: count,
  called_total: count,
  left_total: count,
  lapsed_total: count,
  over_total: count,
  missed_total: count,
  passed_over_total: count,
  takeovers_total: count,
  moved_total: count,
  moved_often_total: count,
  void_total: count,
  challenged_total: count,
  proven_total: count,
  attempts_last_minute: count,
  under_attack: v.nullable(v.strictObject({ by: v.picklist(["operator", "threshold"]), since: time })),
  shadow: v.strictObject({ entered: count, waited: count, refused: count }),
  callbacks: v.array(v.strictObject({ method: v.string(), path: v.string(), count, first_at: time, last_at: time })),
  isolates: count,
  revoked_keys: v.array(
    v.strictObject({ kid: v.string(), at: time, line: v.picklist(["keep", "new"]), issued: count, reissued: count, refused: count }),
  ),
  event: v.nullable(
    v.strictObject({ name: v.string(), stage: v.picklist(["lobby", "event", "cancelled"]), starts_at: time, ends_at: time }),
  ),
  draw: v.nullable(
    v.strictObject({
      id: count,
      event: v.string(),
      state: v.picklist(["collecting", "drawing"]),
      entries: count,
      commitment: v.string(),
      round: v.nullable(count),
      networks: v.nullable(count),
      busiest_networks_share: v.nullable(share),
      ladder: v.nullable(v.strictObject({ steps: v.array(count), busiest, busiest_wide: busiest })),
      unseen_entries: v.nullable(count),
      warnings,
    }),
  ),
  origin: v.strictObject({ ok: count, failed: count, slow: count }),
  origin_times: v.strictObject({ counts: v.array(count), sum_ms: amount }),
  origin_last_minute: v.strictObject({ requests: count, error_percent: amount, p95_ms: v.nullable(amount) }),
  slowed_down: v.nullable(v.strictObject({ why: v.picklist(["errors", "slow"]), since: time })),
  failed_open: v.nullable(v.strictObject({ people: count, requests: count, since: time })),
  blocked_by: v.strictObject({
    code: v.picklist([
      "nothing",
      "paused",
      "rate-zero",
      "capacity",
      "rate",
      "ended",
      "suspended",
      "calls-unanswered",
      "closed",
      "lobby",
      "drawing",
      "slowed-down",
      "storage-full",
    ]),
    sentence: v.string(),
  }),
  recent: v.strictObject({ audit: v.array(auditEntry), log: v.array(logEntry) }),
  age_seconds: amount,
});

export const roomsListed = v.strictObject({ rooms: v.array(v.union([stats, v.strictObject({ room, error: v.string() })])) });

const cfStatus: Shape<CfStatus> = v.strictObject({
  status: v.picklist(["event_prequeueing", "not_queueing", "queueing", "suspended"]),
  event_id: v.string(),
  estimated_queued_users: count,
  estimated_total_active_users: count,
  max_estimated_time_minutes: amount,
});
export const asCloudflare = v.strictObject({
  success: v.boolean(),
  errors: v.array(v.unknown()),
  messages: v.array(v.unknown()),
  result: cfStatus,
});

export const revisions = v.strictObject({
  revisions: v.array(v.strictObject({ revision, at: time, actor: v.string(), reason: v.string(), overrides: settings })),
  before,
});

const turned = {
  room,
  changed: v.boolean(),
  effective_within_seconds: withinSeconds,
  counts,
};
const SWITCH_NAMES = [
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
  "full-rate",
  "stop-ramp",
] as const;
export const switched: Shape<SwitchResult> = v.strictObject({
  ...turned,
  done: v.picklist(SWITCH_NAMES),
  revision: v.nullable(revision),
  undo: v.nullable(v.picklist(SWITCH_NAMES)),
});
export const keyRevoked = v.strictObject({
  ...turned,
  done: v.literal("revoke-key"),
  kid: v.string(),
  line: v.picklist(["keep", "new"]),
  issued: count,
});

const ofEvents = { room, revision, warnings };
export const event = v.strictObject({ ...ofEvents, event: settings });
export const events = v.strictObject({ ...ofEvents, events: v.array(settings) });
const ofEventChanges = { ...ofEvents, changed: v.boolean(), undo: undoBy, effective_within_seconds: withinSeconds };
export const eventChanged = v.strictObject({ ...ofEventChanges, event: settings });
export const eventsChanged = v.strictObject({ ...ofEventChanges, events: v.array(settings) });

export const invitations = v.strictObject({
  room,
  expires: time,
  uses: count,
  invitations: v.array(
    v.strictObject({ id: v.string(), token: v.string(), subject: v.optional(v.string()), link: v.optional(v.string()) }),
  ),
});

export const actor: Shape<Actor> = v.strictObject({ name: v.string(), reason: v.string() });
const staff = {
  id: count,
  label: v.string(),
  state: v.picklist(["live", "revoked", "expired"]),
  uses: count,
  used: count,
  used_at: v.array(time),
  made_at: time,
  made_by: actor,
  expires_at: time,
  revoked_at: v.nullable(time),
  revoked_by: v.nullable(actor),
};
export const staffLink: Shape<StaffLink> = v.strictObject(staff);
export const staffLinkMade = v.strictObject({ ...staff, link: v.string() });
export const staffLinks = v.strictObject({ staff_places: count, staff_places_taken: count, links: v.array(staffLink) });

const lastTry = {
  at: time,
  type: v.string(),
  result: v.picklist(["delivered", "refused", "silent", "unreachable", "forbidden"]),
  status: v.nullable(count),
};
const webhook: Shape<WebhookReport> = v.strictObject({
  name: v.string(),
  tell: v.array(v.picklist(TOPICS)),
  waiting: count,
  delivered: count,
  given_up: count,
  dropped: count,
  last: v.nullable(v.strictObject(lastTry)),
});
export const webhooks = v.strictObject({ webhooks: v.array(webhook) });
export const webhookTested: Shape<WebhookTested> = v.strictObject({ room, webhook: v.string(), ...lastTry });
export const preview = v.strictObject({ room, url: v.pipe(v.string(), v.url()), expires: time });
/** Errors, `application/problem+json`. */
export const problem = v.object({
  type: v.literal("about:blank"),
  title: v.string(),
  status: count,
  code: v.string(),
  detail: v.string(),
  problems: v.optional(v.array(v.strictObject({ setting: v.string(), problem: v.string() }))),
  revision: v.optional(count),
});
