/**
 * What the operator does to a Room's line: the switches, and revoking a signing key. Synchronous, inside the Room's transaction; no clock
 * or randomness.
 */
import type { AdminRefusal, AdminResult, Caller, KeyRevocation, KeyRevoked, SwitchName, SwitchResult } from "../src/core/admin";
import { SWITCHES } from "../src/core/admin-routes";
import { settingsAt } from "../src/core/schedule";
import { setCalm, setUnderAttack } from "./line/attack";
import { effectiveWithinS } from "./line/bounds";
import { rampOf } from "./line/ramp";
import { revokeKey } from "./line/reissues";
import { proceed } from "./line/schedule";
import { giveRateBack } from "./line/slow-down";
import type { LineState } from "./line/state";
import { endSessions, flush, reset, setEnded, setJoinsStopped } from "./line/switches";
import { noteChange } from "./line/watch";
import { logStep } from "./log";
import { concerned } from "./memory";
import { type Acted, adopt, audit, authorOf, cannotTurn, switchesOf, wishToStopRamp } from "./operate";

/** Turn a switch. Turning it again changes nothing. */
export function turnSwitch(on: Acted, name: SwitchName, by: Caller, confirm: string | null): AdminResult<SwitchResult> {
  if (name === "reset" && confirm !== on.room) return { as: "needs-confirmation", confirm: on.room };
  const { memory, room } = on;
  // Those whom it concerns: after a flush nobody would be left to count.
  const counts = concerned(room, memory);
  const before = stateOf(on);
  const { undo } = SWITCHES[name];
  const held = memory.config.revision;
  const changed = turn(on, name, by);
  if (typeof changed !== "boolean") return changed;
  proceed(memory.line, memory.config.settings, memory.line.counters.now);
  // These are changes of settings and audited as such.
  const isSetting = name === "pause" || name === "resume" || name === "stop-ramp";
  if (changed && !isSetting) {
    audit(on, name, authorOf(by), effects(before, stateOf(on), undo === null ? counts : {}));
    noteChange(memory.line, { what: `switch ${name}`, by: by.name, reason: by.reason });
  }
  const seconds = effectiveWithinS(memory.line, settingsAt(memory.config.settings, memory.line.counters.now));
  // A ramp may be stopped where the settings are already.
  const revision = memory.config.revision === held ? null : memory.config.revision;
  return { as: "ok", value: { room, done: name, changed, revision, effective_within_seconds: seconds, counts, undo } };
}

/**
 * Note a signing key as revoked, after a new line if that is wished. Doing it again changes nothing: neither are more places taken for the
 * key's, nor is a second line begun.
 */
export function revokeKeyIn(on: Acted, { kid, line: choice, actor, confirm }: KeyRevocation): AdminResult<KeyRevoked> {
  if (choice === "new" && confirm !== on.room) return { as: "needs-confirmation", confirm: on.room };
  const { memory, room } = on;
  const counts = concerned(room, memory);
  const settings = settingsAt(memory.config.settings, memory.line.counters.now);
  const isKnown = memory.line.counters.revokedKeys.some((key) => key.kid === kid);
  const before = stateOf(on);
  if (!isKnown && choice === "new") memory.line = anew(on);
  const changed = revokeKey(memory.line, kid, choice, authorOf(actor));
  proceed(memory.line, memory.config.settings, memory.line.counters.now);
  const noted = memory.line.counters.revokedKeys.find((key) => key.kid === kid);
  if (noted === undefined) throw new Error("a revoked key that is not noted");
  if (changed) audit(on, "revoke-key", authorOf(actor), effects({ ...before, kid: null }, { ...stateOf(on), kid }, {}));
  return {
    as: "ok",
    value: {
      room,
      done: "revoke-key",
      kid,
      line: noted.line,
      issued: noted.tail,
      changed,
      effective_within_seconds: effectiveWithinS(memory.line, settings),
      counts,
    },
  };
}

/** Whether anything changed, or why not. */
function turn(on: Acted, name: SwitchName, by: Caller): boolean | AdminRefusal {
  const { memory } = on;
  const { line } = memory;
  const settings = settingsAt(memory.config.settings, line.counters.now);
  switch (name) {
    case "pause":
    case "resume": {
      const change = { changes: { queue_all: name === "pause" }, ifRevision: null, replace: false, actor: authorOf(by) };
      const decision = adopt(on, { as: "wish", change, action: name });
      return decision.as === "changed" || decision.as === "same" ? decision.as === "changed" : decision;
    }
    case "stop-joins":
    case "allow-joins":
      return setJoinsStopped(line, name === "stop-joins");
    case "sold-out":
    case "reopen":
      return setEnded(line, name === "sold-out");
    case "under-attack":
      return cannotTurn(memory, name) ?? setUnderAttack(line);
    case "calm":
      return setCalm(line);
    case "full-rate":
      return giveRateBack(line);
    case "stop-ramp": {
      if (rampOf(line, memory.config.settings) === null) return false;
      const decision = adopt(on, wishToStopRamp(memory, authorOf(by)));
      if (decision.as !== "changed" && decision.as !== "same") return decision;
      line.counters.ramp = null;
      return true;
    }
    case "flush":
      return flush(line) > 0;
    case "end-sessions":
      return endSessions(line, settings) > 0;
    case "reset":
      memory.line = anew(on);
      return true;
  }
}

/** A new line, whose counts begin at nothing: those of the old one are written down first. */
function anew({ memory, store, audits }: Acted): LineState {
  const { now } = memory.line.counters;
  if (audits) logStep(memory, store, now, true);
  return reset(memory.line, settingsAt(memory.config.settings, now));
}

type State = Readonly<Record<string, unknown>>;

function stateOf({ memory }: Acted): State {
  return { ...switchesOf(memory), generation: memory.line.counters.generation };
}

function effects(before: State, after: State, concerned: State): { before: State; after: State } {
  const moved = Object.keys(after).filter((name) => before[name] !== after[name]);
  const only = (state: State) => Object.fromEntries(moved.map((name) => [name, state[name]]));
  return { before: { ...concerned, ...only(before) }, after: only(after) };
}
