/**
 * What the operator does to a Room: changes of settings and switches. Synchronous, inside the Room's transaction; no
 * clock or randomness. Pause is a setting (`queue_all`), so it is the same thing wherever it was set.
 */
import type {
  Actor,
  AdminRefusal,
  AdminResult,
  Change,
  EventChange,
  KeyRevocation,
  KeyRevoked,
  OperatorSettings,
  RoomDescription,
  SwitchName,
  SwitchResult,
} from "../src/core/admin";
import { changedEvents } from "../src/core/event-changes";
import { settingsAt } from "../src/core/schedule";
import { warningsOf } from "../src/core/settings-warnings";
import { type Decision, decideChange, difference, type ReadyFile } from "./config";
import { isUnderAttack, setCalm, setUnderAttack } from "./line/attack";
import { revokeKey } from "./line/reissues";
import { proceed } from "./line/schedule";
import { giveRateBack } from "./line/slow-down";
import { endSessions, flush, reset, setEnded, setJoinsStopped } from "./line/switches";
import { noteChange } from "./line/watch";
import { logWarnings, type Memory, revisionOf, statsOfRoom } from "./memory";
import type { Store } from "./store";

export interface Operated {
  readonly room: string;
  readonly file: ReadyFile;
  readonly memory: Memory;
  readonly store: Store;
}

export function describeRoom({ room, file, memory: { line, config } }: Operated): RoomDescription {
  return {
    room,
    generation: line.counters.generation,
    revision: config.revision,
    settings: config.operator,
    overrides: difference(config.operator, file.operator),
    switches: { joins_stopped: line.counters.joinsStopped, ended: line.counters.ended, under_attack: isUnderAttack(line) },
    warnings: warningsOf(config, line.counters.now),
  };
}

/** Change settings; what changes holds from this step on. */
export function changeSettings(on: Operated, change: Change): AdminResult<RoomDescription> {
  const decision = adopt(on, change);
  return decision.as === "changed" || decision.as === "same" ? { as: "ok", value: describeRoom(on) } : decision;
}

/** Change one event: the setting `events`, changed by the Room's clock. */
export function changeEvent(on: Operated, { action, ifRevision, actor }: EventChange): AdminResult<RoomDescription> {
  const { config, line } = on.memory;
  if (ifRevision !== null && ifRevision !== config.revision) return { as: "conflict", revision: config.revision };
  const changed = changedEvents(config.operator["events"] as OperatorSettings[], action, line.counters.now);
  if (changed.as !== "ok") return changed;
  const name = action.as === "add" ? action.event["name"] : action.name;
  const reason = actor.reason === "" ? `event ${name}: ${action.as}` : actor.reason;
  return changeSettings(on, { changes: { events: changed.events }, ifRevision: null, replace: false, actor: { ...actor, reason } });
}

/** Turn a switch. Turning it again changes nothing. */
export function turnSwitch(on: Operated, name: SwitchName, actor: Actor, confirm: string | null): AdminResult<SwitchResult> {
  if (name === "reset" && confirm !== on.room) return { as: "needs-confirmation", confirm: on.room };
  const { memory, room } = on;
  // Those whom it concerns: after a flush nobody would be left to count.
  const { waiting, called, inside } = statsOfRoom(room, memory);
  const changed = turn(on, name, actor);
  if (typeof changed !== "boolean") return changed;
  proceed(memory.line, memory.config.settings, memory.line.counters.now);
  if (changed) {
    console.log(JSON.stringify({ event: "switch", room, switch: name, actor: actor.name, reason: actor.reason }));
    // Pause and resume are settings, and told as such.
    if (name !== "pause" && name !== "resume") noteChange(memory.line, { what: `switch ${name}`, by: actor.name, reason: actor.reason });
  }
  const seconds = Math.ceil(settingsAt(memory.config.settings, memory.line.counters.now).revokeBoundMs / 1_000);
  return { as: "ok", value: { room, done: name, changed, effective_within_seconds: seconds, counts: { waiting, called, inside } } };
}

/**
 * Note a signing key as revoked, after a new line if that is wished. Doing it again changes nothing: neither are more places taken for the
 * key's, nor is a second line begun.
 */
export function revokeKeyIn(on: Operated, { kid, line: choice, actor, confirm }: KeyRevocation): AdminResult<KeyRevoked> {
  if (choice === "new" && confirm !== on.room) return { as: "needs-confirmation", confirm: on.room };
  const { memory, room } = on;
  const { waiting, called, inside } = statsOfRoom(room, memory);
  const settings = settingsAt(memory.config.settings, memory.line.counters.now);
  const isKnown = memory.line.counters.revokedKeys.some((key) => key.kid === kid);
  if (!isKnown && choice === "new") memory.line = reset(memory.line, settings);
  const changed = revokeKey(memory.line, kid, choice, actor);
  proceed(memory.line, memory.config.settings, memory.line.counters.now);
  const noted = memory.line.counters.revokedKeys.find((key) => key.kid === kid);
  if (noted === undefined) throw new Error("a revoked key that is not noted");
  if (changed)
    console.log(
      JSON.stringify({ event: "switch", room, switch: "revoke-key", kid, line: choice, actor: actor.name, reason: actor.reason }),
    );
  return {
    as: "ok",
    value: {
      room,
      done: "revoke-key",
      kid,
      line: noted.line,
      issued: noted.tail,
      changed,
      effective_within_seconds: Math.ceil(settings.revokeBoundMs / 1_000),
      counts: { waiting, called, inside },
    },
  };
}

/** Whether anything changed, or why not. */
function turn(on: Operated, name: SwitchName, actor: Actor): boolean | AdminRefusal {
  const { memory } = on;
  const { line } = memory;
  const settings = settingsAt(memory.config.settings, line.counters.now);
  switch (name) {
    case "pause":
    case "resume": {
      const decision = adopt(on, { changes: { queue_all: name === "pause" }, ifRevision: null, replace: false, actor });
      return decision.as === "changed" || decision.as === "same" ? decision.as === "changed" : decision;
    }
    case "stop-joins":
    case "allow-joins":
      return setJoinsStopped(line, name === "stop-joins");
    case "sold-out":
    case "reopen":
      return setEnded(line, name === "sold-out");
    case "under-attack":
      if (settings.challenge !== "off") return setUnderAttack(line);
      return {
        as: "invalid",
        problems: [{ setting: "challenge", problem: "is off: there is nothing to ask newcomers for. Set it first" }],
      };
    case "calm":
      return setCalm(line);
    case "full-rate":
      return giveRateBack(line);
    case "flush":
      return flush(line) > 0;
    case "end-sessions":
      return endSessions(line, settings) > 0;
    case "reset":
      memory.line = reset(line, settings);
      return true;
  }
}

function adopt({ room, file, memory, store }: Operated, change: Change): Decision {
  const { now } = memory.line.counters;
  const decision = decideChange(room, file, memory.config, change, { occupied: isOccupied(room, memory), now });
  if (decision.as !== "changed") return decision;
  const { name: actor, reason } = change.actor;
  const moved = Object.keys(difference(decision.config.operator, memory.config.operator));
  noteChange(memory.line, { what: `settings changed (${moved.join(", ")})`, by: actor, reason });
  store.addRevision({ ...revisionOf(decision.config), at: now, actor, reason });
  memory.config = decision.config;
  logWarnings(room, decision.config, now);
  proceed(memory.line, memory.config.settings, memory.line.counters.now);
  return decision;
}

/** Somebody holds a place or an entry, or is inside. */
function isOccupied(room: string, memory: Memory): boolean {
  const { issued, ended } = statsOfRoom(room, memory);
  if ((memory.line.counters.collecting?.count ?? 0) > 0) return true;
  return issued > ended;
}
