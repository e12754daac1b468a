/**
 * The waiting page: one visitor's status as a whole HTML document that works without scripts (SPEC section PAGE).
 * No I/O, no clock, no decision about the visitor. The script static/wait.ts fills the same elements, found by their ids.
 */
import { assets } from "../assets";
import { INVITATION_FIELD } from "../core/door";
import { fill, span } from "../core/durations";
import type { Lang } from "../core/languages";
import { iconColour, lookSheet, OURS } from "../core/look";
import { timeLeft } from "../core/moments";
import type { PageData } from "../core/page-data";
import { logoOf } from "../core/page-files";
import { isLong } from "../core/position";
import { reloadAfterS } from "../core/reload";
import { returnPath } from "../core/return-path";
import type { LookSettings, PositionDisplay } from "../core/settings-types";
import type { Status } from "../core/status";
import { type Telling, tell } from "../core/telling";
import { type PageWords, SERVER_ONLY, type Words } from "../core/words";
import { constant, html, jsonData, type Markup, nothing } from "../http/html";
import { inEnglish, type Spoken } from "../languages";
import { languageMenu } from "./page-menu";
import { pageStyle } from "./page-style";

/** A form whose body never reached the site: of this origin, urlencoded or text, at most 64 KB. */
export interface Resubmit {
  /** Path of this origin. */
  readonly action: string;
  readonly enctype: "application/x-www-form-urlencoded" | "text/plain";
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export interface PageView {
  readonly status: Status;
  /** Title of the room. */
  readonly title: string;
  /** English unless told otherwise. */
  readonly spoken?: Spoken;
  readonly position?: PositionDisplay;
  /** The operator's colours; ours unless told otherwise. */
  readonly look?: LookSettings;
  /** Fresh for each reply; the same as in its Content-Security-Policy. */
  readonly nonce: string;
  /** Path of this origin; a GET of it enters. */
  readonly returnTo: string;
  /** Method of the request that is answered. */
  readonly method: string;
  /** `false` on `…/wait?auto=off`: nothing polls and nothing reloads. */
  readonly auto?: boolean;
  /** A picture of a page: as it is, but it does nothing by itself. */
  readonly still?: true;
  readonly resubmit?: Resubmit;
  /** Where visitors log in, in rooms that ask for it; null = not told. */
  readonly loginUrl?: string | null;
  /** Status requests may go on. */
  readonly streams?: boolean;
  /** The reply lets this page load Turnstile's widget. */
  readonly turnstile?: boolean;
}

/** Everything the parts of the page are made from. */
interface Scene {
  readonly view: PageView;
  readonly words: Words;
  readonly lang: Lang;
  readonly telling: Telling;
  readonly returnTo: string;
  readonly api: string;
  /** This page under an address of our own, where it claims nothing. */
  readonly waitUrl: string;
  readonly auto: boolean;
  /** Updates itself: by script, or by reloading. */
  readonly goesOn: boolean;
  readonly reloadS: number;
}

/** Prefix of a room's endpoints. */
export function apiOf(room: string): string {
  return `/__vestibule/rooms/${encodeURIComponent(room)}`;
}

/** The page as HTML. Send it with `pageReply` and the same nonce. */
export function renderPage(view: PageView): string {
  const { status, title, spoken: { lang, dir, words } = inEnglish, position = "exact", look } = view;
  const auto = view.auto !== false;
  const telling = tell(status, words, { title, lang, position, auto: auto && view.resubmit === undefined });
  const returnTo = returnPath(view.returnTo);
  const api = apiOf(status.room);
  const scene: Scene = {
    view,
    words,
    lang,
    telling,
    returnTo,
    api,
    waitUrl: `${api}/wait?to=${encodeURIComponent(returnTo)}`,
    auto,
    goesOn: auto && telling.ask !== null && view.resubmit === undefined,
    reloadS: reloadAfterS(status),
  };
  return String(html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<title>${telling.title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="format-detection" content="telephone=no">
${iconOf(look)}
${scene.goesOn && !view.still ? html`<noscript><meta http-equiv="refresh" content="${scene.reloadS};url=${returnTo}"></noscript>` : nothing}
${styles(look, view.nonce)}
</head>
<body>
<header>${header(view, api)}</header>
<main>
${standing(scene)}
${actions(scene)}
</main>
<footer>
${place(scene)}
${updatesNote(scene)}
${view.method === "GET" || view.method === "HEAD" ? languageMenu({ lang, label: words.language, api, returnTo }) : nothing}
</footer>
<p id="live" role="status" aria-atomic="true" class="sr"></p>
${auto && !view.still ? scripts(scene) : nothing}
</body>
</html>
`);
}

/** A dot in the room's colour. */
export function iconOf(look: LookSettings | undefined): Markup {
  const colour = (look === undefined ? OURS.light.accent : iconColour(look)).slice(1);
  return html`<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='6' fill='%23${colour}'/%3E%3C/svg%3E">`;
}

/** Ours, and over it the room's own. */
export function styles(look: LookSettings | undefined, nonce: string): Markup {
  return html`<style nonce="${nonce}">${constant(pageStyle)}</style>
<style id="look" nonce="${nonce}">${constant(look === undefined ? "" : lookSheet(look))}</style>`;
}

const mark = (shown: boolean) =>
  html`<svg${shownIf(shown)} viewBox="0 0 44 10" aria-hidden="true" fill="currentColor"><circle cx="5" cy="5" r="4.5"/><circle cx="18" cy="5" r="3" opacity=".65"/><circle cx="29" cy="5" r="3" opacity=".4"/><circle cx="40" cy="5" r="3" opacity=".25"/></svg>`;

/** The logo in a box that is there before it is. */
export function header({ look, title }: Pick<PageView, "look" | "title">, api: string): Markup {
  const logo = look === undefined ? null : logoOf(look, api);
  if (logo === null) return html`${mark(true)}<p id="title">${title}</p>`;
  const { src, width, height, alt } = logo;
  const image = html`<img src="${src}" alt="${alt}" width="${width}" height="${height}">`;
  return html`${mark(false)}${image}<p id="title"${shownIf(alt === "")}>${title}</p>`;
}

function shownIf(shown: boolean): Markup {
  return shown ? nothing : html` hidden`;
}

/** Has its room from the start where the script is going to show it, so that nothing moves then. */
function later({ auto, view }: Scene, comes: boolean): Markup {
  return comes && auto && !view.still ? html` class="later"` : nothing;
}

function standing(scene: Scene): Markup {
  const { telling, words, view, api, returnTo } = scene;
  const { status } = view;
  const { count, estimate, body, message } = telling;
  return html`<h1 id="heading" tabindex="-1">${telling.heading}</h1>
<p id="count"${shownIf(count !== null)}><strong id="number"${isLong(count?.number ?? "") ? html` class="long"` : nothing}>${count?.number ?? ""}</strong> <span id="label">${count?.label ?? ""}</span></p>
<progress id="way" max="100" value="0" aria-label="${words.way}"${later(scene, telling.way)} hidden></progress>
<p id="starts" role="timer"${shownIf(telling.startsAt !== null)}>${startsIn(scene)}</p>
<p id="estimate"${shownIf(estimate !== null)}>${estimate ?? ""}</p>
<div id="body">${body.map((line) => html`<p>${line}</p>`)}</div>
<p id="more"><a id="calendar" href="${api}/calendar.ics?to=${encodeURIComponent(returnTo)}"${shownIf(telling.calendar)}>${words.calendar}</a> <a id="draw" target="_blank" href="${drawPath(scene)}"${shownIf(telling.draw !== null)}>${telling.draw?.text ?? ""}</a></p>
<section id="message" class="box" aria-labelledby="message-title"${shownIf(message !== "")}><h2 id="message-title">${words.message}</h2><p id="said" dir="auto">${message}</p><p id="said-at"${shownIf(telling.messageAt !== null)}>${telling.messageAt ?? ""}</p></section>
${status.challenge === undefined ? nothing : html`<noscript><p class="box">${words.proof.noScripts}</p></noscript>`}${view.method === "GET" || view.method === "HEAD" ? nothing : formNote(scene)}`;
}

/** Without scripts it stands still until the next reload. */
function startsIn({ telling: { startsAt }, view, words, lang }: Scene): string {
  const leftMs = (startsAt ?? 0) - view.status.now;
  return leftMs <= 0 ? words.startsNow : words.startsIn.replaceAll("{time}", timeLeft(leftMs, lang));
}

function drawPath({ api, telling }: Scene): string {
  return `${api}/draws/${telling.draw?.id ?? "latest"}/verify`;
}

/** A body went nowhere: that must not look as if it had arrived. */
function formNote({ view, words }: Scene): Markup {
  const { resubmit } = view;
  return html`<div class="box"><p>${resubmit ? words.formKept : words.formLost}</p>${resubmit ? html`<noscript><p>${words.formFirst}</p></noscript>` : nothing}</div>`;
}

function actions(scene: Scene): Markup {
  const { view, telling, words, returnTo, api, auto, waitUrl } = scene;
  const { resubmit, status } = view;
  const again = resubmit
    ? html`<form id="again" method="post" action="${returnPath(resubmit.action)}" enctype="${resubmit.enctype}" accept-charset="utf-8">${resubmit.fields.map(([name, value]) => hidden(name, value))}<button>${words.formSend}</button></form>`
    : nothing;
  const opener = door(view, words, api, returnTo);
  return html`<p id="alert" role="alert" class="sr" hidden></p>
<div class="acts">
<a id="enter" class="button" href="${returnTo}"${shownIf(telling.enters && !resubmit)}>${words.enter}</a><span id="soon" aria-hidden="true" hidden></span><button id="stay" type="button" class="plain" hidden>${words.stayOn}</button>
<form id="extend" method="post" action="${api}/extend"${shownIf(telling.extendable)}>${hidden("to", returnTo)}<button class="plain">${words.moreTime}</button></form>
${again}
<button id="copy" type="button"${later(scene, telling.act === "stay")} hidden>${words.copyLink}</button>
<form id="join" method="post" action="${api}/join"${shownIf(telling.act === "join" || telling.act === "stay")}>${hidden("to", returnTo)}<button${telling.act === "stay" ? html` class="plain"` : nothing}>${telling.act === "stay" ? words.stay : words.join}</button></form>
<form id="continue" method="post" action="${api}/continue"${shownIf(telling.act === "continue")}>${hidden("to", returnTo)}<button>${words.continueHere}</button></form>
${opener}<a id="retry" class="button${opener === nothing ? "" : " plain"}" href="${returnTo}"${shownIf(telling.act === "retry")}>${words.tryAgain}</a>
</div>
<p id="left" role="timer" hidden></p>
<details id="alerts"${later(scene, telling.place && !telling.enters)} hidden><summary>${words.alerts.me}</summary><div></div></details>
<p id="trouble" class="box" hidden></p>
<div class="fresh"><p>${auto && telling.ask !== null ? html`<span id="updates"${later(scene, true)} hidden><span id="itself">${words.updatesItself}</span> <button id="pause" type="button" class="text">${words.pauseUpdates}</button></span> ` : nothing}<span id="updated">${words.updated.replaceAll("{time}", utcTime(status.now))}</span></p><a id="check" href="${auto ? returnTo : `${waitUrl}&auto=off`}"${resubmit ? html` target="_blank"` : nothing}${shownIf(telling.act !== "retry")}>${resubmit ? words.formOpen : words.check}</a></div>`;
}

/** What opens the door of the room: a field for another invitation, or the way to the log-in. */
function door({ status: { reason }, loginUrl = null }: PageView, words: Words, api: string, returnTo: string): Markup {
  if (reason?.startsWith("invitation-")) {
    return html`<form id="invitation" method="post" action="${api}/door">${hidden("to", returnTo)}<label for="code">${words.invitation}</label><input id="code" name="${INVITATION_FIELD}" required autocomplete="off" spellcheck="false"><button>${words.useInvitation}</button></form>
`;
  }
  const isLogin = reason === "identity-needed" || reason === "identity-bad" || reason === "identity-expired";
  return isLogin && loginUrl !== null
    ? html`<a id="login" class="button" href="${loginUrl}">${words.logIn}</a>
`
    : nothing;
}

function hidden(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** Where the place is kept, what leaving means, and the way out: it names its consequence and needs a second press. */
function place({ telling, words, api, returnTo }: Scene): Markup {
  return html`<section id="place" aria-labelledby="place-title"${shownIf(telling.place)}>
<h2 id="place-title">${words.placeTitle}</h2>
<ul>${words.placeNotes.map((note) => html`<li>${note}</li>`)}</ul>
<p id="reference"${shownIf(telling.reference !== null)}>${telling.reference ?? ""}</p>
<details><summary>${words.leave}</summary><form method="post" action="${api}/leave"><p id="leaving">${telling.leaving}</p>${hidden("to", returnTo)}<button class="plain">${words.leaveConfirm}</button></form></details>
</section>`;
}

/** Without scripts: that the page reloads itself, the way to stop that (WCAG 2.2.2) and to start it again. */
function updatesNote({ goesOn, auto, telling, words, lang, reloadS, waitUrl, returnTo }: Scene): Markup {
  if (goesOn) {
    const every = fill(words.reloadsItself, { time: span(reloadS * 1000, lang, true) }) ?? "";
    return html`<noscript><p>${every} <a href="${waitUrl}&amp;auto=off">${words.reloadsStop}</a></p></noscript>`;
  }
  if (auto || telling.ask === null) return nothing;
  return html`<p>${words.reloadsOff} <a href="${returnTo}">${words.reloadsStart}</a></p>`;
}

/** If the module never starts (blocked, lost on the way), reload now and then: a page must not be why a turn is missed. */
const WATCHDOG = constant(
  `setTimeout(()=>document.documentElement.dataset.live||location.replace(JSON.parse(document.getElementById("data").textContent).returnTo),4e4*(1+Math.random()/2))`,
);

/** What the script may have to write. */
export function wordsForScript(words: Words): PageWords {
  return Object.fromEntries(Object.entries(words).filter(([key]) => !SERVER_ONLY.some((own) => own === key))) as unknown as PageWords;
}

function scripts({ view, words, lang, returnTo, api, goesOn }: Scene): Markup {
  const { status, title, nonce, method, resubmit, position = "exact" } = view;
  const data: PageData = {
    status,
    title,
    lang,
    words: wordsForScript(words),
    position,
    returnTo,
    api,
    reloadable: method === "GET",
    holdsForm: resubmit !== undefined,
    streams: view.streams === true,
    alerts: assets.alerts,
    prove: assets.prove,
    solver: assets.solver,
    turnstile: view.turnstile === true,
  };
  return html`<script type="application/json" id="data">${jsonData(data)}</script>
<script type="module" nonce="${nonce}" src="${assets.wait}"></script>
${goesOn ? html`<script nonce="${nonce}">${WATCHDOG}</script>` : nothing}`;
}

/** Time of day in UTC; the script shows it again in the visitor's own zone. */
function utcTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 19)} UTC`;
}
