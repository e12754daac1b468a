/**
 * Links to previews of a room's page: made by the admin API, also with settings that nobody has saved, and good for an hour. They show every
 * state and nothing of anybody; without a link nobody can make the site say that it is sold out.
 */
import type { OperatorSettings } from "../core/admin";
import { isLang } from "../core/languages";
import { MANIFEST_STALE_MS } from "../core/manifest";
import { originOf } from "../core/safe-target";
import { parseRoom } from "../core/settings";
import type { RoomSettings } from "../core/settings-types";
import { ringOf } from "../gate/visit";
import { jsonReply, ownPageReply, pageReply, problem } from "../http/replies";
import { newNonce, openPreview, sealPreview } from "../keys";
import { spoken } from "../languages";
import { invalid, readBody } from "./admin-access";
import { type Handlers, read, settingsOf, signingRing, toReply } from "./admin-room";
import { type AppContext, notFound, roomOf, visitTo } from "./context";
import { apiOf } from "./page";
import { isKind, previewIndex, previewOf } from "./preview";

export const previewHandlers = {
  "GET /rooms/:room/preview": (c, room) => link(c, room, {}),
  "POST /rooms/:room/preview": async (c, room) => {
    const sent = await readBody(c);
    if (sent instanceof Response) return sent;
    const body = settingsOf(sent, "settings", []);
    return body instanceof Response ? body : link(c, room, body.fields);
  },
} satisfies Handlers;

const GOOD_FOR_S = 3_600;
/** Of a link, which has to fit into an address line. */
const SEALED_MAX = 6_000;
/** Of the settings, what pages are made from. */
const SHOWN = ["title", "message", "messages", "words", "positionDisplay", "look"] as const satisfies (keyof RoomSettings)[];

interface Sealed {
  readonly room: string;
  /** Unix seconds. */
  readonly exp: number;
  /** What is not saved; the rest is as it is in force when somebody looks. */
  readonly shown: Partial<RoomSettings>;
}

async function link(c: AppContext, room: string, changes: OperatorSettings): Promise<Response> {
  const described = await read(c, room, (rpc) => rpc.describe());
  if (described.as !== "ok") return toReply(described);
  const own = parseRoom(room, described.value.settings);
  const parsed = parseRoom(room, { ...described.value.settings, ...changes });
  if (!parsed.ok) return invalid(parsed.problems);
  // Not from what this isolate goes by: that may be older, or an event's.
  const differs = SHOWN.filter((name) => !own.ok || JSON.stringify(parsed.settings[name]) !== JSON.stringify(own.settings[name]));
  const shown = Object.fromEntries(differs.map((name) => [name, parsed.settings[name]]));
  const exp = Math.floor(Date.now() / 1_000) + GOOD_FOR_S;
  const ring = await signingRing(c, room);
  if (ring instanceof Response) return ring;
  const key = await sealPreview(ring, JSON.stringify({ room, exp, shown } satisfies Sealed));
  if (key.length > SEALED_MAX) return invalid([{ setting: "settings", problem: "are too much for a link: preview fewer words at a time" }]);
  const url = `${originFor(c, parsed.settings)}${apiOf(room)}/preview?key=${key}`;
  return jsonReply({ room, url, expires: new Date(exp * 1_000).toISOString() });
}

/** Of this request, if the room is there; else of the room's first host. */
function originFor({ env: { url } }: AppContext, { routes }: RoomSettings): string {
  if (routes.some(({ host }) => host === "*" || host === url.host)) return originOf(url);
  return `${url.protocol}//${routes[0]?.host}`;
}

const TEMPLATE_WAIT_MS = 2_000;

/** GET preview: every state to choose from, or one of them. */
export async function getPreview(c: AppContext): Promise<Response> {
  const room = roomOf(c);
  if (room === null) return notFound();
  const query = new URLSearchParams(c.env.url.search);
  const key = query.get("key") ?? "";
  const visit = visitTo(c, room);
  const { client, life, url, nowMs } = visit;
  // First: a key may be revoked by now.
  await client.manifest(life, MANIFEST_STALE_MS);
  const opened = await openPreview(ringOf(visit), key);
  const sealed = opened === null ? null : (JSON.parse(opened) as Sealed);
  if (sealed === null || sealed.room !== room || sealed.exp * 1_000 < Date.now()) {
    return problem(403, "bad-preview", "This preview is over, or its address is not whole: make another one.");
  }
  const settings: RoomSettings = { ...client.settings, ...sealed.shown };
  const asked = query.get("lang");
  const lang = isLang(asked) ? asked : settings.defaultLanguage;
  const nonce = newNonce();
  const init = { status: 200, noindex: true, frameAncestors: ["'self'"] };
  const state = query.get("state") ?? "";
  const title = settings.title || url.host;
  if (!isKind(state)) return pageReply(previewIndex(title, nonce, { key }, lang), nonce, init);
  const { template: name } = settings.look;
  const template = name === null ? null : await client.files.read(name, nowMs, TEMPLATE_WAIT_MS, life);
  const words = await spoken(lang, c.env.config.files, settings.words);
  const made = previewOf({ room, host: url.host, state, settings, spoken: words, template, nonce, now: nowMs });
  if (!made.own) return pageReply(made.html, nonce, init);
  return ownPageReply(made.html, { ...init, origins: settings.look.templateOrigins, reload: null });
}
