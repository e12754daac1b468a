/** One client per room and isolate, for as long as the configuration lives; and the streams that the isolate holds open. */
import type { Config, Env } from "./env";
import { coloFiles, coloLists, coloStore, coloTurns, noColoStore } from "./room/colo-store";
import { FileShelf } from "./room/file-shelf";
import { OpenStreams } from "./room/open-streams";
import { RoomClient } from "./room-client";

/** Of all rooms: they share the isolate's memory. */
export const openStreams = new OpenStreams();

const fileShelf = new FileShelf();

const clients = new WeakMap<Config, Map<string, RoomClient>>();

/** @throws if the room is not in the configuration: a bug, since rooms are looked up in it. */
export function clientOf(env: Env, config: Config, room: string): RoomClient {
  const known = clients.get(config) ?? new Map<string, RoomClient>();
  clients.set(config, known);
  const client = known.get(room) ?? newClient(env, config, room);
  known.set(room, client);
  return client;
}

function newClient(env: Env, config: Config, room: string): RoomClient {
  const settings = config.rooms.get(room)?.settings;
  if (settings === undefined) throw new RangeError(`no room ${room}`);
  const { locationHint } = settings;
  const options = locationHint === null ? {} : { locationHint };
  const host = settings.routes.find((route) => route.host !== "*")?.host;
  return new RoomClient({
    room,
    file: settings,
    stubOf: () => env.ROOM.getByName(room, options),
    // A catch-all room has no host of its own to keep things under; it is for development.
    colo: host === undefined ? noColoStore : coloStore(host, room),
    turns: host === undefined ? noColoStore : coloTurns(host, room),
    events: config.events,
    files: host === undefined ? () => noColoStore : coloFiles(host, room),
    shelf: fileShelf,
    lists: host === undefined ? () => noColoStore : coloLists(host, room),
  });
}
