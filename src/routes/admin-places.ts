/**
 * One visitor by the reference code that they read out to support: shown, removed from line or site, banned.
 */
import type { PlaceAct, PlaceId } from "../core/places";
import { keyAfter } from "../gate/visit";
import { readReference } from "../keys";
import { readBody } from "./admin-access";
import { type Handler, type Handlers, read, toReply, write } from "./admin-room";
import type { AppContext } from "./context";

export const placeHandlers = {
  "GET /rooms/:room/bans": async (c, room) =>
    toReply(await read(c, room, (rpc) => rpc.bans()), (bans) => ({ bans: bans.map(({ keys: _, ...ban }) => ban) })),
  "GET /rooms/:room/places/:reference": async (c, room) => {
    const place = await placeOf(c, room);
    return place === null ? unknownPlace() : toReply(await read(c, room, (rpc) => rpc.place(place)));
  },
  "POST /rooms/:room/places/:reference/remove": acts("remove"),
  "POST /rooms/:room/places/:reference/ban": acts("ban"),
  "POST /rooms/:room/places/:reference/unban": acts("unban"),
} satisfies Handlers;

function acts(as: PlaceAct["as"]): Handler {
  return async (c, room) => {
    const body = await readBody(c);
    if (body instanceof Response) return body;
    const place = await placeOf(c, room);
    if (place === null) return unknownPlace();
    const next = await keyAfter(room, place);
    return toReply(await write(c, room, (rpc) => rpc.actOnPlace({ as, ...place, next }, body.actor)));
  };
}

/** What the code means: of the candidates, one for each key of the ring, the one whose place was given out; null = none. */
async function placeOf(c: AppContext, room: string): Promise<PlaceId | null> {
  const { generation, issued } = await lineOf(c, room);
  const found = await readReference(c.env.config.keys, room, c.req.param("reference") ?? "", generation);
  const isGiven = (place: PlaceId) => place.generation < generation || place.slot < issued;
  return found.find((place) => place.generation === generation && place.slot < issued) ?? found.find(isGiven) ?? null;
}

async function lineOf(c: AppContext, room: string): Promise<{ readonly generation: number; readonly issued: number }> {
  const stats = await read(c, room, (rpc) => rpc.stats());
  return stats.as === "ok" ? stats.value : { generation: 0, issued: 0 };
}

function unknownPlace(): Response {
  return toReply({ as: "unknown-place" });
}
