/**
 * What the operator does to a Room's settings, and what holds. Synchronous, inside the Room's transaction; no clock or randomness. Pause is a
 * setting (`queue_all`), so it is the same thing wherever it was set.
 */
import type {
  Actor,
  AdminRefusal,
  AdminResult,
  Caller,
  Change,
  Changed,
  EventChange,
  OperatorSettings,
  Restore,
  RoomDescription,
  SwitchName,
} from "../src/core/admin";
import type { Role } from "../src/core/admin-routes";
import type { AuditEntry } from "../src/core/audit";
import { changedEvents } from "../src/core/event-changes";
import { settingsAt } from "../src/core/schedule";
import { DEPLOY_ONLY } from "../src/core/settings";
import { warningsOf } from "../src/core/settings-warnings";
import { changesOf, type Decision, decideChange, difference, type ReadyFile } from "./config";
import { isUnderAttack } from "./line/attack";
import { effectiveWithinS, noteFormer } from "./line/bounds";
import { startRamp, wantedOf } from "./line/ramp";
import { proceed } from "./line/schedule";
import { noteChange } from "./line/watch";
import { logWarnings, type Memory, revisionOf, statsOfRoom } from "./memory";
import { fileWarnings, missingFiles, retireFiles } from "./page-file-names";
import type { Store } from "./store";

export interface Operated {
  readonly room: string;
  readonly file: ReadyFile;
  readonly memory: Memory;
  readonly store: Store;
}

/** An act, by somebody of this role. `audits` = false: the storage takes no more rows, and the act counts more than its record. */
export interface Acted extends Operated {
  readonly role: Role;
  readonly audits: boolean;
}

type Effects = Pick<AuditEntry, "before" | "after">;

/** Without what only the request itself is about. */
export function authorOf({ name, reason }: Caller): Actor {
  return { name, reason };
}

/** Into the audit log; the console's log has a line of it in any case. */
export function audit({ room, memory, store, role, audits }: Acted, action: string, by: Actor, { before, after }: Effects): void {
  const { now } = memory.line.counters;
  const { name: actor, reason } = by;
  console.log(JSON.stringify({ event: "act", room, action, actor, role, reason }));
  if (audits) store.acts.audit(now, { actor, role, action, reason, revision: memory.config.revision, before, after });
}

export function describeRoom({ room, file, store, memory: { line, config } }: Operated): RoomDescription {
  return {
    room,
    generation: line.counters.generation,
    revision: config.revision,
    settings: config.operator,
    overrides: difference(config.operator, file.operator),
    file: difference(file.operator, config.operator),
    switches: switchesOf({ line }),
    warnings: [...warningsOf(config, line.counters.now), ...fileWarnings(store.files, config.operator)],
  };
}

export function switchesOf({ line }: Pick<Memory, "line">): RoomDescription["switches"] {
  return { joins_stopped: line.counters.joinsStopped, ended: line.counters.ended, under_attack: isUnderAttack(line) };
}

/** Why a switch cannot be turned; null = it can. */
export function cannotTurn({ config, line }: Memory, name: SwitchName): AdminRefusal | null {
  if (name !== "under-attack" || settingsAt(config.settings, line.counters.now).challenge !== "off") return null;
  return { as: "invalid", problems: [{ setting: "challenge", problem: "is off: there is nothing to ask newcomers for. Set it first" }] };
}

/** What is asked for, as a change of settings, and its name in the audit log; or why it cannot be asked. */
export interface Wish {
  readonly as: "wish";
  readonly change: Omit<Change, "actor"> & { readonly actor: Actor };
  readonly action: string;
}

export function wishOfChange({ actor, ...change }: Change): Wish {
  return { as: "wish", change: { ...change, actor: authorOf(actor) }, action: change.replace ? "replace" : "change" };
}

/** Rate and capacity are set to where they are on their way. */
export function wishToStopRamp({ line, config }: Memory, by: Actor): Wish {
  const { newUsersPerMinute, totalActiveUsers } = wantedOf(line, config.settings);
  const changes = { new_users_per_minute: newUsersPerMinute, total_active_users: totalActiveUsers };
  return { as: "wish", change: { changes, ifRevision: null, replace: false, actor: by }, action: "stop-ramp" };
}

/** The setting `events`, changed by the Room's clock. */
export function wishOfEvent(on: Operated, { action, ifRevision, actor }: EventChange): Wish | Exclude<AdminResult<never>, { as: "ok" }> {
  const { config, line } = on.memory;
  if (ifRevision !== null && ifRevision !== config.revision) return { as: "conflict", revision: config.revision };
  const changed = changedEvents(config.operator["events"] as OperatorSettings[], action, line.counters.now);
  if (changed.as !== "ok") return changed;
  const name = action.as === "add" ? action.event["name"] : action.name;
  const reason = actor.reason === "" ? `event ${name}: ${action.as}` : actor.reason;
  const change = { changes: { events: changed.events }, ifRevision: null, replace: false, actor: { name: actor.name, reason } };
  return { as: "wish", change, action: `event ${action.as}` };
}

/** Everything that the revision held, but for what only a deployment may change. */
export function wishOfRestore({ store }: Operated, { to, ifRevision, actor }: Restore): Wish | { readonly as: "unknown-revision" } {
  const by = authorOf(actor);
  if (to === "file") return { as: "wish", change: { changes: {}, ifRevision, replace: true, actor: by }, action: "apply-file" };
  const found = store.revision(to);
  if (found === null) return { as: "unknown-revision" };
  const kept = Object.entries(found.effective).filter(([setting]) => !(DEPLOY_ONLY as readonly string[]).includes(setting));
  const reason = by.reason === "" ? `revision ${to} restored` : by.reason;
  return {
    as: "wish",
    change: { changes: Object.fromEntries(kept), ifRevision, replace: true, actor: { ...by, reason } },
    action: "restore",
  };
}

/** Change settings; what changes holds from this step on. */
export function grant(on: Acted, wish: Wish | Exclude<AdminResult<never>, { as: "ok" }>): AdminResult<Changed> {
  if (wish.as !== "wish") return wish;
  const { config, line } = on.memory;
  const seconds = effectiveWithinS(line, settingsAt(config.settings, line.counters.now));
  const decision = adopt(on, wish);
  if (decision.as !== "changed" && decision.as !== "same") return decision;
  const changed = decision.as === "changed";
  const undo = changed ? { restore: config.revision } : null;
  return { as: "ok", value: { ...describeRoom(on), changed, undo, effective_within_seconds: seconds } };
}

export function adopt(on: Acted, { change, action }: Wish): Decision {
  const { room, memory, store } = on;
  const { now } = memory.line.counters;
  const before = memory.config;
  const decision = decide(on, change);
  if (decision.as !== "changed") return decision;
  const { name: actor, reason } = change.actor;
  const effects = changesOf(before.operator, decision.config.operator);
  const moved = Object.keys(effects.after);
  if (moved.includes("message") || moved.includes("messages")) memory.messageAt = now;
  retireFiles(store.files, before.operator, decision.config.operator, now);
  store.addRevision({ ...revisionOf(decision.config), at: now, actor, reason }, memory.messageAt);
  const { rampMs = 0 } = change;
  noteFormer(memory.line, before.settings, now);
  startRamp(memory.line, before.settings, decision.config.settings, rampMs);
  memory.config = decision.config;
  audit(on, action, change.actor, rampMs > 0 ? { ...effects, after: { ...effects.after, ramp_minutes: rampMs / 60_000 } } : effects);
  const over = rampMs > 0 ? ` over ${rampMs / 60_000} minutes` : "";
  noteChange(memory.line, { what: `settings changed (${moved.join(", ")})${over}`, by: actor, reason });
  logWarnings(room, decision.config, now);
  proceed(memory.line, memory.config.settings, memory.line.counters.now);
  return decision;
}

/** Changes nothing. */
export function decide({ room, file, memory, store }: Operated, change: Wish["change"]): Decision {
  const decision = decideChange(room, file, memory.config, change, { occupied: isOccupied(room, memory), now: memory.line.counters.now });
  const missing = decision.as === "changed" ? missingFiles(store.files, memory.config.operator, decision.config.operator) : [];
  return missing.length === 0 ? decision : { as: "invalid", problems: missing };
}

/** Somebody holds a place or an entry, or is inside. */
function isOccupied(room: string, memory: Memory): boolean {
  const { issued, ended } = statsOfRoom(room, memory);
  if ((memory.line.counters.collecting?.count ?? 0) > 0) return true;
  return issued > ended;
}
