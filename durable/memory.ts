/**
 * A Room's state in memory: the line and the settings in force, loaded from the store and saved to it.
 * Synchronous; no clock or randomness. Memory is a cache: everything in it but counts of outcomes comes back from storage.
 */

import type { SwitchResult } from "../src/core/admin";
import type { Batch, FailedOpen } from "../src/core/exchange";
import type { Manifest } from "../src/core/manifest";
import { settingsAt } from "../src/core/schedule";
import { warningsOf } from "../src/core/settings-warnings";
import type { Stats } from "../src/core/stats";
import { type ConfigInForce, changesOf, describeProblems, type ReadyFile, settle } from "./config";
import { lastMinute } from "./line/advance";
import { noteFormer } from "./line/bounds";
import type { Attack, Counters } from "./line/counters";
import { type Concentration, holdsForMs, type LadderStats } from "./line/entry-counts";
import { wantedNow } from "./line/ramp";
import { nextTurnMs } from "./line/schedule";
import { State } from "./line/slot-table";
import { type Slowed, settingsNow } from "./line/slow-down";
import { isFrozen, type LineState, newLine, waitingCount } from "./line/state";
import { loadLine } from "./line/stored";
import { statsOf } from "./line/view";
import { noteChange } from "./line/watch";
import { type Logging, startLog } from "./log";
import type { Store } from "./store";

type EntryStats = Concentration & { readonly ladder: LadderStats | null };

export interface Memory {
  line: LineState;
  config: ConfigInForce;
  /** Since when its message stands, Room time, ms. */
  messageAt: number | null;
  /** Since the Room was loaded. */
  failedOpen: FailedOpen | null;
  /** What it has written down by itself. */
  log: Logging;
  /** Room time of the last exchange, ms. */
  lastExchangeAt: number;
  /** What was last made out of the entries of a draw for the operator: a look at every prefix. */
  entries: { readonly draw: number; readonly free: number; readonly untilMs: number; readonly value: EntryStats } | null;
}

/**
 * Load the room, or make it. A changed `wrangler.toml` becomes a revision by "deploy". Inside a transaction.
 * @param now earliest Room time, ms; the stored one counts if it is later
 * @param seed u32 at random, of tables that others must not be able to foresee
 */
export function loadMemory(room: string, file: ReadyFile, store: Store, now: number, seed: number): Memory {
  store.migrate();
  const stored = store.loadLine();
  const at = Math.max(now, stored?.now ?? 0);
  const line = stored === null ? newLine(at, room, seed) : loadLine(stored.rows, at, room, seed);
  const { config, reason, former, problems } = settle(room, file, store.lastRevision(), at);
  if (problems.length > 0) {
    console.error(JSON.stringify({ event: "live-values-do-not-fit-the-file", room, problems: describeProblems(problems) }));
  }
  const before = store.lastRevision()?.effective ?? {};
  if (reason !== null) {
    store.addRevision({ ...revisionOf(config), at, actor: "deploy", reason }, store.messageSince());
    if (stored !== null) noteChange(line, { what: "settings changed", by: "deploy", reason });
    if (former !== null) noteFormer(line, former, at);
    store.acts.audit(at, {
      actor: "deploy",
      role: "deploy",
      action: "deploy",
      reason,
      revision: config.revision,
      ...changesOf(before, config.operator),
    });
  }
  line.bans.load(store.acts.bans());
  logWarnings(room, config, at);
  return {
    line,
    config,
    messageAt: store.messageSince(),
    failedOpen: null,
    log: startLog(store, line, config.settings, stored?.now ?? at),
    lastExchangeAt: at,
    entries: null,
  };
}

/** Whenever settings begin to hold in this instance, so that they are seen wherever they come from. */
export function logWarnings(room: string, config: ConfigInForce, now: number): void {
  for (const { setting, warning } of warningsOf(config, now)) {
    console.warn(JSON.stringify({ event: "settings-warning", room, setting, warning }));
  }
}

/** What is told in the log when a step changes it. */
export type Watched = Pick<Counters, "attack" | "slowed">;

export function logNews(room: string, before: Watched, memory: Memory): void {
  logAttack(room, before.attack, memory);
  logBrake(room, before.slowed, memory);
}

/** An alert line for each step of the brake downwards, and one when it lets go. */
function logBrake(room: string, before: Slowed | null, { line, config }: Memory): void {
  const { slowed, now } = line.counters;
  const { newUsersPerMinute } = settingsAt(config.settings, now);
  if (slowed === null && before !== null)
    console.warn(JSON.stringify({ event: "full-rate", alert: true, room, new_users_per_minute: newUsersPerMinute }));
  if (slowed === null || (before !== null && slowed.perMinute >= before.perMinute)) return;
  const rate = settingsNow(line, config.settings).newUsersPerMinute;
  console.warn(
    JSON.stringify({
      event: "slowed-down",
      alert: true,
      room,
      why: slowed.why,
      rate_per_minute: rate,
      new_users_per_minute: newUsersPerMinute,
    }),
  );
}

/** An alert line when the room comes under attack and when it is over, with the numbers; whoever switched it is in the line of the switch. */
function logAttack(room: string, before: Attack, { line, config }: Memory): void {
  const { attack, now } = line.counters;
  if (attack.by === before.by) return;
  const { underAttackJoinsPerMinute: threshold } = settingsAt(config.settings, now);
  const event = attack.by === null ? "attack-over" : "under-attack";
  const numbers = { attempts_last_minute: lastMinute(line).attempts, under_attack_joins_per_minute: threshold };
  console.warn(
    JSON.stringify({ event, alert: true, room, by: attack.by ?? before.by, ...numbers, since: new Date(attack.sinceMs).toISOString() }),
  );
}

/** For the manifest: absent where there is no message. */
export function messageTime({ config: { settings }, messageAt }: Memory): Pick<Manifest, "messageAt"> {
  const isSaid = settings.message !== "" || Object.keys(settings.messages).length > 0;
  return isSaid && messageAt !== null ? { messageAt } : {};
}

/** The parts of a revision that come from the settings. */
export function revisionOf({ revision, overrides, operator }: ConfigInForce) {
  return { revision, overrides, effective: operator };
}

/** With no exchange for this long, nobody who is called now would hear of it: let the object sleep, ms. */
const EDGES_SILENT_MS = 10_000;

/**
 * When an alarm would move something: `soon` while people wait, else the Room time (ms) at which the schedule changes something by itself;
 * null = never.
 */
export function alarmWanted({ line, config, lastExchangeAt }: Memory, now: number): "soon" | number | null {
  const { collecting, drawing } = line.counters;
  const settings = wantedNow(line, config.settings);
  const waiting = waitingCount(line) + line.table.count(State.CALLED) + line.table.count(State.RETURNING);
  const isDealing = collecting !== null && collecting.closesAtMs !== null;
  const isHeard = now - lastExchangeAt <= EDGES_SILENT_MS;
  if (drawing !== null || (isHeard && !isFrozen(line, settings) && (waiting > 0 || isDealing))) return "soon";
  return nextTurnMs(line, config.settings);
}

/** What edges saw besides visitors. Told by those that reach the Room: an isolate that ended before it did has told nobody. */
export function noteReports(memory: Memory, room: string, { isolate, failedOpen }: Batch): void {
  const { failedOpen: before } = memory;
  if (failedOpen === null) return;
  const { people, requests, sinceMs } = failedOpen;
  memory.failedOpen = {
    people: people + (before?.people ?? 0),
    requests: requests + (before?.requests ?? 0),
    sinceMs: Math.min(sinceMs, before?.sinceMs ?? sinceMs),
  };
  const since = new Date(sinceMs).toISOString();
  console.error(JSON.stringify({ event: "failed-open", alert: true, room, isolate, people, requests, since }));
}

export function statsOfRoom(room: string, { line, config, failedOpen }: Memory): Stats {
  return statsOf(line, config.settings, room, config.revision, failedOpen);
}

/** Whom an act concerns. Who has entered a draw is in line as well, though without a slot yet. */
export function concerned(room: string, memory: Memory): SwitchResult["counts"] {
  const { waiting, called, inside } = statsOfRoom(room, memory);
  return { waiting: waiting + (memory.line.counters.collecting?.count ?? 0), called, inside };
}

/** The room's numbers, and of a draw that is under way where its entries come from. */
export function statsWithDraw(room: string, memory: Memory): Stats {
  const stats = statsOfRoom(room, memory);
  const { draw } = stats;
  if (draw === null) return stats;
  const { counters, entryCounts } = memory.line;
  const free = settingsAt(memory.config.settings, counters.now).freeEntries;
  const { entries: known } = memory;
  if (known?.draw !== draw.id || known.free !== free || known.untilMs <= counters.now) {
    const value = { ...entryCounts.concentration(draw.id), ladder: entryCounts.ladder(draw.id, free) };
    memory.entries = { draw: draw.id, free, untilMs: counters.now + holdsForMs(draw.entries), value };
  }
  return { ...stats, draw: { ...draw, ...memory.entries?.value } };
}
