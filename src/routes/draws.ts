/** Public endpoints about draws and events: records, the list of entries, the page that checks them, and the calendar file (DESIGN §9). */
import { fromBase64url, toBase64url } from "../core/base64url";
import { toHex } from "../core/bytes";
import { type CalendarEntry, calendarFile } from "../core/calendar";
import { fill } from "../core/durations";
import { MANIFEST_STALE_MS } from "../core/manifest";
import { factsOf } from "../gate/carry-out";
import { placeOf } from "../gate/decide";
import { waiting } from "../gate/hold";
import { identify } from "../gate/identify";
import { wordsFor } from "../gate/speak";
import type { Visit } from "../gate/visit";
import { jsonReply, pageReply, problem, textReply } from "../http/replies";
import { newNonce } from "../keys";
import { type FoundDraw, isDrawn } from "../room/draw-book";
import { type AppContext, notFound, roomOf, targetOf, visitTo } from "./context";
import { renderVerifyPage, type VerifyView } from "./verify-page";

const RETRY_AFTER_S = 3;
const FOR_EVER = "public, max-age=31536000, immutable";

interface Asked {
  readonly visit: Visit;
  readonly id: number | "latest";
  readonly found: Exclude<FoundDraw, null | "unknown">;
}

/** The draw of the path; a refusal for rooms and draws that do not exist, and while the Room cannot be asked. */
async function drawOf(c: AppContext): Promise<Asked | Response> {
  const room = roomOf(c);
  const named = c.req.param("id") ?? "";
  const id = named === "latest" ? named : /^[1-9]\d{0,9}$/.test(named) ? Number(named) : null;
  if (room === null || id === null) return notFound();
  const visit = visitTo(c, room);
  const found = await visit.client.draws.find(id, visit.nowMs, "public");
  if (found === "unknown") return problem(503, "room-unreachable", "The room does not answer just now.", { retryAfterS: RETRY_AFTER_S });
  return found === null ? notFound() : { visit, id, found };
}

/** Anybody may read and keep what never changes. */
function open(reply: Response, cacheControl: string | null): Response {
  reply.headers.set("Access-Control-Allow-Origin", "*");
  if (cacheControl === null) return reply;
  reply.headers.set("Cache-Control", cacheControl);
  reply.headers.delete("Vary");
  return reply;
}

/** GET draw: the record. The same for everybody. */
export async function getDraw(c: AppContext): Promise<Response> {
  const asked = await drawOf(c);
  if (asked instanceof Response) return asked;
  const { id, found } = asked;
  return open(jsonReply(found), isDrawn(found) ? (id === "latest" ? "public, max-age=1" : FOR_EVER) : null);
}

/** GET batches: a page of the list of entries as lines `first digest`, from the entry `from` on; the last page is empty. */
export async function getBatches(c: AppContext): Promise<Response> {
  const asked = await drawOf(c);
  if (asked instanceof Response) return asked;
  const { visit, found } = asked;
  const from = new URLSearchParams(visit.url.search).get("from") ?? "0";
  if (!/^\d{1,10}$/.test(from)) return notFound();
  const page = await visit.client.draws.list(found, Number(from), visit.nowMs, visit.life);
  if (page === null) return problem(503, "room-unreachable", "The room does not answer just now.", { retryAfterS: RETRY_AFTER_S });
  const reply = textReply(page, "text/plain; charset=utf-8");
  const lastLine = page.slice(page.lastIndexOf("\n", page.length - 2) + 1);
  if (page !== "") reply.headers.set("Link", `<?from=${Number.parseInt(lastLine, 10) + 1}>; rel="next"`);
  return open(reply, isDrawn(found) ? FOR_EVER : null);
}

/** GET verify: the page that computes it again, with the visitor's own entry if their cookie has one of this draw. */
export async function getVerify(c: AppContext): Promise<Response> {
  const asked = await drawOf(c);
  if (asked instanceof Response) return asked;
  const { visit, found } = asked;
  // There is nothing to compute: what stays of it is at its own address.
  if ("dropped" in found) return notFound();
  const { identity } = await factsOf(visit, await identify(visit));
  const nonce = newNonce();
  const html = renderVerifyPage({
    id: found.id,
    room: visit.room,
    title: visit.client.settings.title || visit.url.host,
    look: visit.client.settings.look,
    nonce,
    pending: isDrawn(found) ? null : found,
    ...ownOf(identity, found),
  });
  return pageReply(html, nonce, { status: 200, noindex: true });
}

type Facts = Awaited<ReturnType<typeof factsOf>>;

/** The visitor's own part in a draw. The receipt has the claims of an entry token without its signature, so it opens nothing. */
function ownOf({ ticket, entry }: Facts["identity"], { id, generation }: Asked["found"]): Pick<VerifyView, "own" | "receipt"> {
  const token = ticket ?? entry;
  const held = ticket === null ? entry : ticket.receipt;
  const chain = held?.draw === id ? fromBase64url(held.chain) : null;
  if (token?.generation !== generation || !held || chain === null) return { own: null, receipt: null };
  const claims = { r: token.room, g: generation, d: id, e: held.entry, c: held.chain };
  return {
    own: { entry: held.entry, slot: ticket?.slot ?? null, chain: toHex(chain) },
    receipt: `receipt.${toBase64url(new TextEncoder().encode(JSON.stringify(claims)))}`,
  };
}

/** GET calendar: the event that a lobby waits for; else, of somebody who waits, the earliest likely turn. */
export async function getCalendar(c: AppContext): Promise<Response> {
  const room = roomOf(c);
  if (room === null) return notFound();
  const visit = visitTo(c, room);
  const { client, life, url, nowMs } = visit;
  const title = client.settings.title || url.host;
  const lobby = (await client.manifest(life, MANIFEST_STALE_MS))?.manifest.lobby;
  const entry = lobby ? { what: { ...lobby, id: lobby.event }, title } : await turnOf(visit, title);
  if (entry === null) return notFound();
  const file = calendarFile({ ...entry, room, host: url.host, url: await targetOf(c), now: nowMs });
  const reply = textReply(file, "text/calendar; charset=utf-8");
  reply.headers.set("Content-Disposition", 'attachment; filename="event.ics"');
  return reply;
}

/** null = nobody waits here, or nothing is known of when. */
async function turnOf(visit: Visit, title: string): Promise<Pick<CalendarEntry, "what" | "title"> | null> {
  const place = placeOf((await factsOf(visit, await identify(visit))).identity);
  if (place === null) return null;
  const { state, eta, now } = waiting(visit, place);
  if (state !== "waiting" || eta === null) return null;
  const { words } = await wordsFor(visit);
  const id = `turn-${place.generation}-${place.slot}`;
  const what = { id, startsAt: now + eta.minSeconds * 1_000, endsAt: now + eta.maxSeconds * 1_000 };
  return { what, title: fill(words.calendarTurn, { title }) ?? title };
}
