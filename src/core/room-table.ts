/**
 * Which room a canonical URL belongs to (DESIGN §5.3): most specific host, then most specific path. Pure.
 * Safe by default: a host that nobody named is refused, and a path that servers read differently is gated.
 */
import type { CanonicalUrl } from "./canonical-url";
import { covers, pathKey, readings } from "./path-match";
import type { RoomRoute } from "./settings-types";

/** The catch-all host, for development. */
const ANY_HOST = "*";

/**
 * `untouched`: forward without a line. `unknown-host`: 421.
 * `disputed`: servers could read this path as belonging to different rooms, so no one room's pass may open it: 400.
 */
export type Lookup =
  | { readonly as: "room"; readonly room: string }
  | { readonly as: "untouched" }
  | { readonly as: "unknown-host" }
  | { readonly as: "disputed" };

interface Entry {
  readonly room: string;
  readonly prefix: readonly string[];
}

export interface RoomTable {
  /** Entries of each host, longest prefix first. */
  readonly hosts: ReadonlyMap<string, readonly Entry[]>;
  readonly passHosts: ReadonlySet<string>;
}

/** Builds the table once per configuration. Hosts are already canonical (`settings.ts`). */
export function buildRoomTable(rooms: Iterable<readonly [string, readonly RoomRoute[]]>, passHosts: readonly string[]): RoomTable {
  const hosts = new Map<string, Entry[]>();
  for (const [room, routes] of rooms) {
    for (const { host, path } of routes) {
      const entries = hosts.get(host) ?? [];
      entries.push({ room, prefix: pathKey(path) });
      hosts.set(host, entries);
    }
  }
  for (const entries of hosts.values()) entries.sort((a, b) => b.prefix.length - a.prefix.length);
  return { hosts, passHosts: new Set(passHosts) };
}

/** Finds the room of a URL. A named host without a room for the path is `untouched`, even beside a catch-all room. */
export function lookUp(table: RoomTable, url: CanonicalUrl): Lookup {
  if (table.passHosts.has(url.host)) return { as: "untouched" };
  const entries = table.hosts.get(url.host) ?? table.hosts.get(ANY_HOST);
  if (!entries) return { as: "unknown-host" };
  if (url.ambiguous) return lookUpAmbiguous(entries, url.path);
  // Most rooms have a whole host, whatever the path.
  const [first] = entries;
  const room = first !== undefined && first.prefix.length === 0 ? first.room : mostSpecific(entries, pathKey(url.path));
  return room === null ? { as: "untouched" } : { as: "room", room };
}

function mostSpecific(entries: readonly Entry[], key: readonly string[]): string | null {
  return entries.find((entry) => covers(entry.prefix, key))?.room ?? null;
}

function lookUpAmbiguous(entries: readonly Entry[], path: string): Lookup {
  const [first, ...others] = new Set(entries.map((entry) => entry.room));
  if (first === undefined) return { as: "untouched" };
  if (others.length === 0) return { as: "room", room: first };
  const keys = readings(path);
  if (!keys) return { as: "disputed" };
  const [room, ...more] = new Set(keys.flatMap((key) => mostSpecific(entries, key) ?? []));
  if (more.length > 0) return { as: "disputed" };
  // No reading hits a room: gated all the same (by the most specific), since some server may have a reading of its own.
  return { as: "room", room: room ?? first };
}
