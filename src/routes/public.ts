/** Endpoints that are not about a place: manifest, health, the cookie round trip, and the page under an address of its own. */

import { fromBase64url } from "../core/base64url";
import { canonicalUrl } from "../core/canonical-url";
import { isLang } from "../core/languages";
import { lookSheet } from "../core/look";
import { lookId } from "../core/look-id";
import { MANIFEST_STALE_MS } from "../core/manifest";
import type { PageLook } from "../core/page-data";
import { LOGO_TYPES, logoOf, readLogoName } from "../core/page-files";
import { lookUp } from "../core/room-table";
import { DOOR_REASONS, type DoorReason } from "../core/status";
import { cookiesNeededStatus, doorStatus, joiningStatus } from "../core/status-of";
import { answer, pageAnswer } from "../gate/answer";
import { takeField } from "../gate/door";
import { identify } from "../gate/identify";
import { langCookie, wordsFor } from "../gate/speak";
import { ringOf, toldOf, visitorCookie } from "../gate/visit";
import { fileReply, jsonReply, problem, redirectReply } from "../http/replies";
import { signsInVain } from "../keys";
import { type AppContext, askingOf, fieldsOf, notFound, roomOf, targetOf, visitTo } from "./context";
import { apiOf, wordsForScript } from "./page";
import { standingOf } from "./standing";

const RETRY_AFTER_S = 3;

/** GET manifest: the same for everybody, so anybody may keep it for a second. */
export async function getManifest(c: AppContext): Promise<Response> {
  const room = roomOf(c);
  if (room === null) return notFound();
  const { client, life } = visitTo(c, room);
  const seen = await client.manifest(life, MANIFEST_STALE_MS);
  if (seen === null) return problem(503, "room-unreachable", "The room does not answer just now.", { retryAfterS: RETRY_AFTER_S });
  const reply = jsonReply(seen.manifest);
  reply.headers.set("Cache-Control", "public, max-age=1");
  reply.headers.delete("Vary");
  reply.headers.set("Access-Control-Allow-Origin", "*");
  return reply;
}

/** GET look: how the page looks and what it is called, for pages that are open. The same for everybody who reads `?lang=`. */
export async function getLook(c: AppContext): Promise<Response> {
  const room = roomOf(c);
  if (room === null) return notFound();
  const visit = visitTo(c, room);
  await visit.client.manifest(visit.life, MANIFEST_STALE_MS);
  const { settings } = visit.client;
  const { words } = await wordsFor(visit);
  const look: PageLook = {
    ...lookId(settings),
    title: settings.title || visit.url.host,
    position: settings.positionDisplay,
    sheet: lookSheet(settings.look),
    logo: logoOf(settings.look, apiOf(room)),
    ...(settings.look.template !== null && { own: true }),
    words: wordsForScript(words),
  };
  return jsonReply(look);
}

/** How long a logo may take to come, ms. */
const LOGO_WAIT_MS = 2_500;

/** GET files: the logo, under a name that never means another. The template is nobody's to read as it is. */
export async function getFile(c: AppContext): Promise<Response> {
  const room = roomOf(c);
  const name = c.req.param("name") ?? "";
  const logo = readLogoName(name);
  if (room === null || logo === null) return notFound();
  const { client, nowMs, life } = visitTo(c, room);
  const body = await client.files.read(name, nowMs, LOGO_WAIT_MS, life);
  const bytes = body === null ? null : fromBase64url(body);
  return bytes === null ? notFound() : fileReply(bytes, LOGO_TYPES[logo.type]);
}

/** GET health: this Worker runs and is configured. Says nothing of rooms. */
export function getHealth(): Response {
  return jsonReply({ status: "ok" });
}

/**
 * GET check: did the browser keep the cookie that came with the redirect here? Then back; else a page that says what is needed.
 * Never a second redirect without a cookie, so there is no loop (T1).
 */
export async function getCheck(c: AppContext): Promise<Response> {
  const { config } = c.env;
  const target = await targetOf(c);
  const url = canonicalUrl(target);
  const found = url === null ? null : lookUp(config.table, url);
  if (found?.as !== "room") return redirectReply(target);
  const visit = visitTo(c, found.room);
  const { pass, ticket, entry, visitor, old } = await identify(visit);
  if ((pass ?? ticket ?? entry ?? visitor ?? old ?? null) !== null) return redirectReply(target);
  // What is told is as the room is now, in an isolate that has heard nothing of it, too.
  await visit.client.manifest(visit.life, MANIFEST_STALE_MS);
  if (signsInVain(ringOf(visit))) return answer(visit, joiningStatus(toldOf(visit), "room-unreachable"));
  const setCookies = [await visitorCookie(visit)];
  const status = cookiesNeededStatus(toldOf(visit));
  return visit.asked.navigation ? pageAnswer(visit, status, { returnTo: target, setCookies }) : answer(visit, status, { setCookies });
}

/** GET door: what is wrong with the invitation whose link led here. Says nothing but what its address says, and changes nothing. */
export async function getDoor(c: AppContext): Promise<Response> {
  const room = roomOf(c);
  if (room === null) return notFound();
  const visit = visitTo(c, room);
  const asked = new URLSearchParams(visit.url.search).get("why");
  const why: DoorReason = DOOR_REASONS.find((reason) => reason === asked) ?? "invitation-needed";
  await visit.client.manifest(visit.life, MANIFEST_STALE_MS);
  return pageAnswer(visit, doorStatus(toldOf(visit), why), { returnTo: await targetOf(c) });
}

/** POST door: the field for an invitation, of our own page. */
export async function postDoor(c: AppContext): Promise<Response> {
  const asking = await askingOf(c);
  if (asking instanceof Response) return asking;
  const { to, invitation } = await fieldsOf(c);
  return takeField(asking.visit, invitation, to);
}

/** GET language: remembers the language that was chosen from the page's menu, and leads back. Changes nothing else. */
export async function getLanguage(c: AppContext): Promise<Response> {
  const room = roomOf(c);
  const visit = room === null ? null : visitTo(c, room);
  const lang = new URLSearchParams(visit?.url.search).get("lang");
  if (visit === null || !isLang(lang)) return notFound();
  return redirectReply(await targetOf(c), [langCookie(visit, lang)]);
}

/** GET wait: the waiting page itself, for people whose browser runs no scripts. Nobody enters by it. */
export async function getWait(c: AppContext): Promise<Response> {
  const asking = await askingOf(c);
  if (asking instanceof Response) return asking;
  const { visit, identity } = asking;
  const target = await targetOf(c);
  // Without a place there is nothing to show: the gate gives one.
  if ((identity.pass ?? identity.ticket ?? identity.entry) === null) return redirectReply(target);
  const { status, setCookies } = await standingOf(asking);
  const auto = new URLSearchParams(visit.url.search).get("auto") !== "off";
  return pageAnswer(visit, status, { returnTo: target, auto, setCookies });
}
