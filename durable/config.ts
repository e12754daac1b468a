/**
 * Decisions about a room's settings: what the file says, what the operator changed live, which of it holds. Pure.
 * Live values win over `wrangler.toml`; every change of what holds is a new revision, so that edges fetch it again.
 */
import type { AdminRefusal, Change, OperatorSettings } from "../src/core/admin";
import { lockedProblems, missedLobbies } from "../src/core/event-locks";
import { changeProblems, DEPLOY_ONLY, mergeSettings, type ParsedRoom, type Problem, parseRoom } from "../src/core/settings";
import type { RoomSettings } from "../src/core/settings-types";
import type { StoredRevision } from "./store";

/** What `[vars.ROOMS.<name>]` says about this room. */
export type FileSettings =
  | { readonly as: "ok"; readonly raw: OperatorSettings; readonly operator: OperatorSettings }
  | { readonly as: "invalid"; readonly problems: readonly Problem[] }
  | { readonly as: "unknown-room" };

export type ReadyFile = Extract<FileSettings, { as: "ok" }>;

/** The settings in force. */
export interface ConfigInForce {
  readonly revision: number;
  /** Live values, as the operator writes them. */
  readonly overrides: OperatorSettings;
  readonly settings: RoomSettings;
  /** The same settings as the operator writes them, defaults filled in. */
  readonly operator: OperatorSettings;
}

type Parsed = Extract<ParsedRoom, { ok: true }>;

/** @param rooms the variable `ROOMS`: a table, or the same as a JSON string */
export function fileSettings(rooms: unknown, room: string): FileSettings {
  const table = typeof rooms === "string" ? parseJson(rooms) : rooms;
  const raw = isTable(table) && Object.hasOwn(table, room) ? table[room] : undefined;
  if (raw === undefined) return { as: "unknown-room" };
  const parsed = parseRoom(room, raw);
  return parsed.ok ? { as: "ok", raw: raw as OperatorSettings, operator: parsed.operator } : { as: "invalid", problems: parsed.problems };
}

/** What an event that is on was announced with. */
const OF_EVENTS: ReadonlySet<string> = new Set(["events", "beacon", "beacon_wait_seconds"]);

export interface Settled {
  readonly config: ConfigInForce;
  /** Why this is a new revision, to be appended; null = what held at the last start still holds. */
  readonly reason: string | null;
  /** What held at the last start; null = nothing, or nothing that this code accepts. */
  readonly former: RoomSettings | null;
  /** Why file and live values do not fit together any more; empty = they fit. */
  readonly problems: readonly Problem[];
}

/**
 * Which settings hold when the Room starts. If the file was changed so that the live values no longer fit it, what held
 * before goes on holding, so that a deploy never puts a room into a state that nobody validated, nor undoes a pause. If
 * this code no longer accepts that either, the live values it refuses are dropped, and at last all of them.
 * Nor does a deploy change an event that is on: the events stay as they are, as live values.
 * @param now ms since the Unix epoch
 */
export function settle(room: string, file: ReadyFile, last: StoredRevision | null, now: number): Settled {
  const before = last === null ? null : parseRoom(room, last.effective);
  const former = before?.ok ? before.settings : null;
  const locked = ({ settings }: Parsed) => (former === null ? [] : lockedProblems(former, settings, now));
  const merged = (overrides: OperatorSettings) => parseRoom(room, mergeSettings(file.raw, overrides));

  let overrides = last?.overrides ?? {};
  let first = merged(overrides);
  const tooLate = first.ok ? locked(first) : [];
  if (tooLate.length > 0) {
    overrides = { ...overrides, ...only(last?.effective ?? {}, (setting) => OF_EVENTS.has(setting)) };
    first = merged(overrides);
  }
  const problems = first.ok ? tooLate : first.problems;
  const refused = new Set(problems.map(({ setting }) => setting.split(".")[0]));
  const candidates = [
    { ...last?.effective, ...only(file.operator, (setting) => isDeployOnly(setting)) },
    mergeSettings(
      file.raw,
      only(overrides, (setting) => !refused.has(setting)),
    ),
    file.raw,
  ];
  const parsed = first.ok ? first : candidates.map((candidate) => parseRoom(room, candidate)).find((candidate) => candidate.ok);
  // `file` exists because the last candidate parsed.
  if (!parsed?.ok) throw new Error(`room ${room}: ${describeProblems(problems)}`);
  if (last !== null && sameValue(parsed.operator, last.effective)) {
    return {
      config: { revision: last.revision, overrides, settings: parsed.settings, operator: parsed.operator },
      reason: null,
      former,
      problems,
    };
  }
  const reason = last === null ? "first start" : first.ok ? "wrangler.toml changed" : `live values dropped: ${describeProblems(problems)}`;
  return { config: next(last, file, parsed), reason, former, problems };
}

export type Decision = { readonly as: "changed"; readonly config: ConfigInForce } | { readonly as: "same" } | AdminRefusal;

/**
 * What a change asked for by the operator does. Names with null go back to the file's value.
 * @param occupied somebody waits or is inside: their cookies carry the cookie settings
 * @param now Room time, ms since the Unix epoch
 */
export function decideChange(
  room: string,
  file: ReadyFile,
  config: ConfigInForce,
  change: Omit<Change, "actor">,
  { occupied, now }: { readonly occupied: boolean; readonly now: number },
): Decision {
  if (change.ifRevision !== null && change.ifRevision !== config.revision) return { as: "conflict", revision: config.revision };
  // A null would otherwise hide a name that does not exist.
  const unknown = Object.keys(change.changes).filter(
    (setting) => change.changes[setting] === null && !Object.hasOwn(file.operator, setting),
  );
  const overrides = { ...(change.replace ? {} : config.overrides), ...change.changes };
  const parsed = parseRoom(room, mergeSettings(file.raw, overrides));
  if (!parsed.ok || unknown.length > 0) {
    const problems = unknown.map((setting) => ({ setting, problem: "is not a setting" }));
    return { as: "invalid", problems: parsed.ok ? problems : [...problems, ...parsed.problems] };
  }
  const moved = difference(parsed.operator, config.operator);
  const problems = changeProblems(moved, occupied && change.force !== true);
  if (problems.length > 0) return { as: "invalid", problems };
  const tooLate = lockedProblems(config.settings, parsed.settings, now);
  if (tooLate.length > 0) return { as: "too-late", problems: tooLate };
  const missed = missedLobbies(config.settings, parsed.settings, now);
  if (missed.length > 0) return { as: "invalid", problems: missed };
  return Object.keys(moved).length === 0 ? { as: "same" } : { as: "changed", config: next(config, file, parsed) };
}

/** The values of `live` that differ from the file's. */
export function difference(live: OperatorSettings, file: OperatorSettings): OperatorSettings {
  return only(live, (setting) => !sameValue(live[setting], file[setting]));
}

/** The settings that differ, as they were and as they are. */
export function changesOf(before: OperatorSettings, after: OperatorSettings): { before: OperatorSettings; after: OperatorSettings } {
  return { before: difference(before, after), after: difference(after, before) };
}

export function describeProblems(problems: readonly Problem[]): string {
  return problems.map(({ setting, problem }) => `${setting} ${problem}`).join("; ");
}

/** Only values that differ from the file's are kept: a live value that was moved into the file follows the file from then on. */
function next(last: { readonly revision: number } | null, file: ReadyFile, parsed: Parsed): ConfigInForce {
  const { settings, operator } = parsed;
  return { revision: (last?.revision ?? 0) + 1, overrides: difference(operator, file.operator), settings, operator };
}

function only(from: OperatorSettings, keep: (setting: string) => boolean): OperatorSettings {
  return Object.fromEntries(Object.entries(from).filter(([setting]) => keep(setting)));
}

function isDeployOnly(setting: string): boolean {
  return (DEPLOY_ONLY as readonly string[]).includes(setting);
}

/** Same JSON value, whatever the order of keys. */
function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isTable(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
