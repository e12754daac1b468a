/**
 * Replies to visitors: a status as a page or as JSON, with the status code and headers of DESIGN §5. Decides nothing about the visitor.
 */
import { cfWaitingRoom } from "../core/cf-waiting-room";
import { english } from "../core/languages/en";
import { originOf } from "../core/safe-target";
import type { Status, Trouble } from "../core/status";
import { tell } from "../core/telling";
import { jsonReply, ownPageReply, type PageInit, pageReply, problem } from "../http/replies";
import { newNonce, referenceOf } from "../keys";
import { renderPage } from "../routes/page";
import { formOf } from "./form";
import { type OwnPage, ownPage } from "./own-page";
import { langLines, wordsFor } from "./speak";
import { isApp, ringOf, type Visit } from "./visit";

export interface AnswerInit {
  readonly setCookies?: readonly string[];
  /** Instead of the status code that follows from the request and the room's settings. */
  readonly code?: number;
  /** Where a page leads back to, an absolute URL of this origin; the request's own URL unless told otherwise. */
  readonly returnTo?: string;
  /** false = the page reloads and polls nothing. */
  readonly auto?: boolean;
}

/** Tells one visitor where they stand: a page to whoever asked for one, JSON to everybody else. */
export function answer(visit: Visit, status: Status, init: AnswerInit = {}): Promise<Response> | Response {
  if (visit.shadow !== undefined) visit.shadow.told = status;
  if (isApp(visit)) return appAnswer(visit, status, init);
  return visit.asked.navigation || visit.asked.form ? pageAnswer(visit, status, init) : jsonAnswer(status, init);
}

/** With the code that support finds the place by. */
export function withReference(visit: Visit, status: Status): Promise<Status> | Status {
  const generation = visit.client.newest?.generation;
  if (status.slot === null || generation === undefined) return status;
  const reference = referenceOf(ringOf(visit), visit.room, { generation, slot: status.slot });
  const referred = (code: string | null) => (code === null ? status : { ...status, reference: code });
  return reference instanceof Promise ? reference.then(referred) : referred(reference);
}

/** The waiting page. A form's fields come along if it may be offered again. */
export async function pageAnswer(visit: Visit, status: Status, init: AnswerInit = {}): Promise<Response> {
  const { settings } = visit.client;
  const nonce = newNonce();
  const { request } = visit;
  const challenge = neededFor(visit, status);
  const fields = init.returnTo === undefined ? await formOf(request, originOf(visit.url)) : null;
  const spoken = await wordsFor(visit);
  const reply = {
    status: init.code ?? pageCode(visit, status.reason),
    retryAfterS: status.pollAfterMs / 1_000,
    setCookies: [...(init.setCookies ?? []), ...langLines(visit, spoken.lang)],
    noindex: init.returnTo !== undefined,
    frameAncestors: settings.frameAncestors,
  };
  const told = await withReference(visit, status);
  const own = fields === null && init.auto !== false ? await ownPage(visit, told, spoken) : null;
  if (own !== null) return ownPageReply(own.html, { ...reply, origins: settings.look.templateOrigins, reload: reloadOf(visit, own, init) });
  const html = renderPage({
    status: told,
    title: settings.title || visit.url.host,
    spoken,
    position: settings.positionDisplay,
    look: settings.look,
    nonce,
    returnTo: pathOf(visit, init.returnTo ?? visit.url.href),
    method: init.returnTo === undefined ? request.method : "GET",
    streams: true,
    loginUrl: settings.identity.loginUrl,
    turnstile: challenge !== undefined && challenge !== "worker",
    ...(init.auto === undefined ? {} : { auto: init.auto }),
    ...(fields === null ? {} : { resubmit: { ...fields, action: pathOf(visit, visit.url.href) } }),
  });
  return pageReply(html, nonce, { ...reply, ...(challenge && { challenge }) });
}

/** Where, and how soon, a page of the operator's own is loaded again; after a body that went nowhere it is opened. */
function reloadOf(visit: Visit, { refreshS }: OwnPage, { returnTo }: AnswerInit): { readonly afterS: number; readonly to: string } | null {
  return refreshS === 0 ? null : { afterS: refreshS, to: pathOf(visit, returnTo ?? visit.url.href) };
}

/** Newcomers may be asked later on, so a page that joins may load the widget from the first. */
function neededFor({ client, config }: Visit, { state, challenge }: Status): PageInit["challenge"] {
  if (challenge?.kind === "pow") return "worker";
  return state === "joining" && client.settings.challenge === "turnstile" ? { origin: config.turnstile.origin } : undefined;
}

function pageCode({ client, asked }: Visit, reason: Status["reason"]): number {
  const door = doorCode(reason);
  if (door !== null) return door;
  if (isTrouble(reason) || asked.crawler) return 503;
  const wanted = client.settings.queueingStatusCode;
  // A body that went nowhere must not look as if it had arrived.
  return asked.form && wanted < 400 ? 429 : wanted;
}

/** As Cloudflare Waiting Room tells an app, always with the room's status code: it knows by the body alone that it waits. */
function appAnswer({ client }: Visit, status: Status, { setCookies = [] }: AnswerInit): Response {
  const { settings } = client;
  const body = cfWaitingRoom(status, settings);
  return jsonReply(body, {
    status: refusalCode(status.reason) ?? settings.queueingStatusCode,
    retryAfterS: status.pollAfterMs / 1_000,
    setCookies,
  });
}

/** The same as a problem, with the status among its members, and the tokens of an app that keeps its own. */
export function jsonAnswer(status: Status, init: AnswerInit & { readonly tokens?: Readonly<Record<string, string>> } = {}): Response {
  const { sentence } = tell(status, english, { title: "", lang: "en", auto: false });
  const { reason } = status;
  const code = init.code ?? refusalCode(reason) ?? (isTrouble(reason) ? 503 : reason === "cookies-needed" ? 428 : 429);
  return problem(code, codeOf(status), sentence, {
    ...(reason === "challenge" ? {} : { retryAfterS: status.pollAfterMs / 1_000 }),
    setCookies: init.setCookies ?? [],
    members: { ...status, ...init.tokens },
  });
}

/** It is no matter of waiting: nobody gets any further just now. */
export function isTrouble(reason: Status["reason"]): reason is Trouble {
  return reason === "room-unreachable" || reason === "storage-full";
}

/** Without an invitation or a log-in, or from a network that is refused, it is no matter of waiting; null = another reason. */
function doorCode(reason: Status["reason"]): 403 | 503 | null {
  if (reason === "identity-unchecked") return 503;
  const isShut = reason === "network-refused" || reason?.startsWith("invitation-") || reason?.startsWith("identity-");
  return isShut ? 403 : null;
}

/** The same for programs, to whom a challenge is something to answer, not a page to look at. */
export function refusalCode(reason: Status["reason"]): 403 | 503 | null {
  return reason === "challenge" ? 403 : doorCode(reason);
}

/** A stable word for programs. */
function codeOf({ state, reason }: Status): string {
  return isTrouble(reason) || reason === "cookies-needed" || (reason !== null && refusalCode(reason) !== null) ? reason : state;
}

/** Nothing but "not now": for requests that no place depends on. */
export function turnAway(visit: Visit, status: 429 | 503): Response {
  const retryAfterS = visit.client.settings.pollNearMs / 1_000;
  return problem(status, "busy", "The waiting room is busy. Please come back by a page load.", { retryAfterS });
}

/** The path of an absolute URL of this origin. */
function pathOf(visit: Visit, href: string): string {
  return href.slice(originOf(visit.url).length);
}
