/**
 * Settings of rooms: from what the operator wrote to `RoomSettings`, or all problems at once, each by name. Pure.
 * Never accepts and ignores: unknown and not-yet-built names are refused.
 */
import type { OperatorSettings } from "./admin";
import { EVENT_SETTINGS } from "./event-schema";
import { describe } from "./operator-text";
import { pathKey } from "./path-match";
import { brokenBindings } from "./settings-bindings";
import { readEvents } from "./settings-events";
import { isTable, type Setting } from "./settings-kinds";
import { nameProblem, readValue } from "./settings-read";
import { DEPLOY_ONLY, FIXED_WHILE_OCCUPIED, SETTINGS, type SettingName, type SettingValues } from "./settings-schema";
import type { RoomRoute, RoomSettings } from "./settings-types";
import { toRoomSettings } from "./settings-values";

export { DEPLOY_ONLY, FIXED_WHILE_OCCUPIED } from "./settings-schema";

/** `problem` is a phrase or sentence that reads after the setting's name. */
export interface Problem {
  readonly setting: string;
  readonly problem: string;
}

export type ParsedRoom =
  | { readonly ok: true; readonly settings: RoomSettings; readonly operator: OperatorSettings }
  | { readonly ok: false; readonly problems: Problem[] };

const KNOWN = new Map<string, Setting<unknown>>(Object.entries(SETTINGS));

/** Validates one room's settings, as in wrangler.toml or merged with live ones. `operator` has every default filled in. */
export function parseRoom(room: string, raw: unknown): ParsedRoom {
  if (!isTable(raw)) return { ok: false, problems: [{ setting: room, problem: `must be a table of settings, not ${describe(raw)}` }] };
  const given = new Map(Object.entries(raw));
  const problems: Problem[] = [...given.keys()].filter((name) => !KNOWN.has(name)).map(refuseName);
  const values = new Map<string, unknown>();
  for (const [name, setting] of KNOWN) {
    const result = readValue(name, setting, given.get(name));
    if (result.ok) values.set(name, result.value);
    else problems.push(...result.problems.map((problem) => ({ setting: name, problem })));
  }
  const read = Object.fromEntries(values) as SettingValues;
  const invalid = new Set([...KNOWN.keys()].filter((name) => !values.has(name)));
  problems.push(...brokenBindings(read, invalid));
  const { problems: eventProblems, operator, events } = readEvents(read.events ?? [], problems.length === 0 ? read : null);
  problems.push(...eventProblems);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, settings: toRoomSettings(read, events), operator: { ...read, events: operator } };
}

function refuseName(name: string): Problem {
  const belongs = Object.hasOwn(EVENT_SETTINGS, name) && name !== "name";
  return { setting: name, problem: belongs ? "belongs to an event: [[vars.ROOMS.<room>.events]]" : nameProblem(name, KNOWN) };
}

/**
 * Live values over the file's. An override of null means "back to the file's value".
 * The result still has to pass `parseRoom`: unknown names are kept for it to refuse.
 */
export function mergeSettings(file: OperatorSettings, overrides: OperatorSettings): OperatorSettings {
  const merged = new Map(Object.entries(file));
  for (const [name, value] of Object.entries(overrides)) {
    if (value !== null) merged.set(name, value);
  }
  // fromEntries defines own properties, so that a key such as __proto__ stays a (refused) name.
  return Object.fromEntries(merged);
}

/**
 * Names that a live change may not carry: unknown ones (whatever the value, null too), those of the deployment,
 * and those that cookies hang on while the room is occupied. Values are `parseRoom`'s business, after the merge.
 */
export function changeProblems(changes: OperatorSettings, occupied: boolean): Problem[] {
  return Object.keys(changes).flatMap((setting) => {
    if (!KNOWN.has(setting)) return [refuseName(setting)];
    if (DEPLOY_ONLY.includes(setting as SettingName)) return [{ setting, problem: "changes only with wrangler.toml and a deploy" }];
    if (occupied && FIXED_WHILE_OCCUPIED.includes(setting as SettingName)) {
      return [{ setting, problem: "cannot change while anyone waits or is inside: their cookies would be lost" }];
    }
    return [];
  });
}

/** A room as wrangler.toml describes it. */
export interface FileRoom {
  readonly settings: RoomSettings;
  /** Effective settings of the file, snake_case, defaults filled in. */
  readonly operator: OperatorSettings;
  /** As written. */
  readonly raw: OperatorSettings;
}

export type ParsedRooms =
  | { readonly ok: true; readonly rooms: Map<string, FileRoom> }
  | { readonly ok: false; readonly problems: Problem[] };

const ROOM_NAME = /^[a-z0-9-]{1,32}$/;
/** Two cookies of up to 384 bytes each must fit under common header limits (DESIGN §8). */
const ROOMS_PER_HOST = 8;

/** Validates ROOMS: a table of rooms by name, or the same as a JSON string. Problems name `ROOMS.<room>.<setting>`. */
export function parseRooms(raw: unknown): ParsedRooms {
  const table = typeof raw === "string" ? parseJson(raw) : raw;
  if (!isTable(table) || Object.keys(table).length === 0) {
    return {
      ok: false,
      problems: [{ setting: "ROOMS", problem: `must be tables [vars.ROOMS.<name>], at least one, not ${describe(raw)}` }],
    };
  }
  const rooms = new Map<string, FileRoom>();
  const problems: Problem[] = [];
  const names = new Set<string>();
  for (const [name, value] of Object.entries(table)) {
    const prefix = `ROOMS.${name}`;
    if (!ROOM_NAME.test(name)) problems.push({ setting: prefix, problem: "must be named with 1 to 32 of a–z, 0–9 and -" });
    if (names.has(name.toLowerCase())) problems.push({ setting: prefix, problem: "differs from another room's name only in case" });
    names.add(name.toLowerCase());
    const parsed = parseRoom(prefix, value);
    if (parsed.ok)
      rooms.set(name, { settings: parsed.settings, operator: parsed.operator, raw: Object.fromEntries(Object.entries(value as object)) });
    else
      problems.push(...parsed.problems.map((one) => ({ ...one, setting: one.setting === prefix ? prefix : `${prefix}.${one.setting}` })));
  }
  problems.push(...routeProblems(rooms));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, rooms };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Two rooms for one place would leave the choice to chance; too many rooms on a host overflow its cookies. */
function routeProblems(rooms: ReadonlyMap<string, FileRoom>): Problem[] {
  const problems: Problem[] = [];
  const owners = new Map<string, string>();
  const onHost = new Map<string, Set<string>>();
  for (const [room, { settings }] of rooms) {
    for (const route of settings.routes) {
      const place = placeOf(route);
      const owner = owners.get(place);
      const shown = `${route.host}${route.path}`;
      if (owner !== undefined)
        problems.push({ setting: `ROOMS.${room}`, problem: `has ${shown}, which ${owner === room ? "it" : `room ${owner}`} has already` });
      owners.set(place, room);
      onHost.set(route.host, (onHost.get(route.host) ?? new Set()).add(room));
    }
  }
  for (const [host, names] of onHost) {
    if (names.size > ROOMS_PER_HOST) {
      problems.push({
        setting: "ROOMS",
        problem: `has ${names.size} rooms on ${host}; at most ${ROOMS_PER_HOST} fit into a browser's cookies`,
      });
    }
  }
  return problems;
}

/** As requests are compared with it. */
function placeOf({ host, path }: RoomRoute): string {
  return [host, ...pathKey(path)].join("/");
}
