/**
 * The waiting page's script (SPEC section PAGE): keeps the page true, with its parts in wait/; goes in by wait/turn.ts.
 * The page works without it. Uses the server's time and the monotonic clock only, never the visitor's date.
 */
import type { PageData } from "../src/core/page-data";
import type { Status } from "../src/core/status";
import { countOf, type Telling, tell } from "../src/core/telling";
import { Announcer } from "./wait/announcer";
import { type Answer, ask, type Following, follow } from "./wait/ask";
import { Attention } from "./wait/attention";
import { copyLink } from "./wait/copy-link";
import { Countdown } from "./wait/countdown";
import { Glide } from "./wait/glide";
import { newLook, putOn } from "./wait/look";
import { isFromStore, recall, remember } from "./wait/memory";
import { goOn, keepReference, progress } from "./wait/own-way";
import { Poller } from "./wait/poller";
import { Rise } from "./wait/rise";
import { byId, reveal, show, write, writeCount } from "./wait/show";
import { isNews, otherTabs } from "./wait/tabs";
import { Turn } from "./wait/turn";

/** An answer that goes on is asked for so soon, ±50 %, ms. */
const SOON_MS = 4_000;
/** So many foreign answers in a row, and the page is loaded anew: the room may have been removed. */
const FOREIGN_MAX = 3;

const data = JSON.parse(byId("data").textContent ?? "") as PageData;
const { words, lang, holdsForm } = data;
/** The visitor's own way to write the time, if their language is the page's: "en" alone would mean the American one. */
const { locale: theirs, timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
const locale = theirs.split("-")[0] === lang ? theirs : lang;
const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
const visible = () => document.visibilityState === "visible";

/** That the page updates itself, and the button that stops it; there is none where nothing does. */
const updates = document.getElementById("updates");

const still = matchMedia("(prefers-reduced-motion: reduce)");
const rise = new Rise();
let way = recall(data.status.room);
let last: Status | null = null;
const poller = new Poller(data.status, question, answered);
const turn = new Turn(data, poller);
let telling: Telling = take(data.status);
let foreign = 0;
/** A join was answered with the cookie that the next one needs. */
let offered = false;
/** The look of the page as it is. */
let { look } = data.status;
let looking = false;
/** The visitor wants to read in peace (WCAG 2.2.2): the page asks and says nothing, until it is their turn. */
let isPaused = false;
/** What a challenge asked for, to be shown with the next join. */
let proof = "";
let shown = "";
/** The browser has no connection. */
let isOffline = false;
/** What the tab was called last. */
let tab = "";
/** Answers challenges; loaded when the first one comes. */
let prover: Promise<(status: Status) => void> | undefined;
let current = data.status;
/** `performance.now()` when that was told. */
let currentAt = performance.now();

const announcer = new Announcer(telling, performance.now());
const glide = new Glide(count);
const countdown = new Countdown("starts", () => ({ left: words.startsIn, over: words.startsNow }), lang, say);
const turnLeft = new Countdown("left", () => ({ left: words.turnEnds, over: null }), lang, say);
const attention = new Attention(data, say);
const tabs = otherTabs(data.status.room, lang, heard);

function take(status: Status): Telling {
  last = keepReference(last, status);
  const next = goOn(way, last);
  way = next.way;
  remember(status.room, way);
  const rose = rise.seen(next.status, performance.now());
  const { title, position } = data;
  return tell(next.status, words, { title, lang, position, auto: !holdsForm, rose, timed: isTimed(), own: { locale, zone } });
}

/** The turn is kept to its end, and how long that is stands there. */
function isTimed(): boolean {
  return turn.stays || holdsForm;
}

function question(following: Following): Promise<Answer> {
  if (telling.ask === "join") {
    shown = proof;
    return ask(`${data.api}/join`, "POST", shown);
  }
  // The form's button needs a pass, and people need time to press it: take the turn without leaving the page.
  const claims = holdsForm && visible() && (telling.kind === "called" || telling.kind === "moment");
  if (claims) return ask(`${data.api}/claim`, "POST");
  return data.streams ? follow(`${data.api}/status`, data.status.room, following) : ask(`${data.api}/status`, "GET");
}

function answered(answer: Answer): void {
  if (answer.as === "too-often") return;
  if (answer.as === "status") {
    foreign = 0;
    trouble(null);
    // Slowed, before anybody has looked at the answer: it is shown again.
    if (proof === shown && answer.status.reason !== "network-limit") proof = "";
    if (telling.ask === "join" && answer.status.reason === "cookies-needed" && !offered) {
      offered = true;
      poller.now();
      return;
    }
    update(answer.status);
    if (telling.place || telling.enters) tabs.tell(answer.status);
    return;
  }
  foreign = answer.as === "foreign" ? foreign + 1 : 0;
  if (foreign >= FOREIGN_MAX && visible() && !holdsForm) turn.goIn();
  else trouble(navigator.onLine ? words.noAnswer : words.offline);
}

/** The room's page has another look or other words than this one by now: put them on, and say all of it again. */
async function lookAgain(status: Status): Promise<void> {
  if (status.look === look || looking || isPaused) return;
  looking = true;
  const found = await newLook(data);
  looking = false;
  if (found === null || isPaused) return;
  look = found.look;
  // Another page than this one: the gate has it, or ours again. At the turn it would let in whoever is away, or stays.
  if (found.own && data.reloadable && !holdsForm && telling.act === null && !telling.enters) return turn.goIn();
  putOn(found, data);
  telling = take({ ...current });
  render();
}

/** What another tab was told. A form of this one has to claim for itself. */
function heard(status: Status): void {
  if (telling.ask === null || !isNews(status, current)) return;
  if (!holdsForm) poller.spare(status);
  trouble(null);
  update(status);
}

function update(status: Status): void {
  const isAsked = status.challenge !== undefined && current.challenge === undefined;
  current = status;
  currentAt = performance.now();
  void lookAgain(status);
  const entered = telling.enters;
  telling = take(status);
  if (telling.enters || telling.ask === null || isAsked) setPaused(false);
  // An outage, a pause or a lobby ends no turn.
  if (telling.ask === null || status.state === "returning" || telling.kind === "restarted") turn.stays = false;
  // Without it there is no place, whatever stands still.
  askProof(status);
  // The turn has an alert of its own.
  if (!isPaused) renderAndSay(!(telling.enters && !entered && visible()));
  attention.turn(telling.enters, telling.title);
  if (telling.ask === null) {
    poller.stop();
    updates?.setAttribute("hidden", "");
  }
  turn.told(telling.enters, status);
  // Found while a question was on its way; of no use once there is a place, and no reason to ask on and on.
  if (telling.ask !== "join") proof = "";
  if (proof) poller.now();
}

function renderAndSay(aloud = true): void {
  render();
  const sentence = announcer.next(telling, performance.now());
  if (sentence !== null && aloud) say(sentence);
}

function render(): void {
  const status = current;
  const now = status.now + performance.now() - currentAt;
  show(telling, progress(way), data);
  tab = telling.title;
  entitle();
  const ahead = telling.count === null || way === null ? null : way.least;
  reveal("stay", telling.enters && !holdsForm && !turn.stays);
  // The turn goes on, whatever is shown.
  if (updates) reveal("pause", !telling.enters);
  reveal("alerts", telling.place && !telling.enters);
  turnLeft.to(telling.enters && isTimed() && status.validForMs ? status.now + status.validForMs : null, now);
  glide.to(ahead, `${way?.slot} ${way?.returning}`, status.pollAfterMs, visible() && !still.matches);
  countdown.to(telling.startsAt, now);
  write("updated", words.updated.replaceAll("{time}", clock.format(status.now)));
}

function askProof(status: Status): void {
  if (status.challenge)
    prover ??= (import(data.prove) as Promise<typeof import("./prove")>).then((module) => module.prover(data, { say, answer: found }));
  // Lost on the way: the next answer loads it again.
  prover?.then(
    (tell) => tell(status),
    () => {
      prover = undefined;
    },
  );
}

function count(ahead: number): void {
  writeCount(countOf(ahead, way?.returning === true, words, { lang, position: data.position }));
}

/** Everything stands still, and says so; what was told meanwhile is shown when it goes on. */
function setPaused(paused: boolean): void {
  if (paused === isPaused) return;
  isPaused = paused;
  byId("itself").textContent = paused ? words.updatesPaused : words.updatesItself;
  byId("pause").textContent = paused ? words.showUpdates : words.pauseUpdates;
  if (!paused) return;
  countdown.stop();
  glide.to(null, "", 0, false);
}

function found(header: string): void {
  proof = header;
  poller.now();
}

function say(sentence: string): void {
  byId("live").textContent = sentence;
}

/** The tab says it too: whoever is offline may have another one in sight. */
function entitle(): void {
  document.title = isOffline ? `${words.offlineTab} · ${tab}` : tab;
}

/** Said once when it begins and once when it is over. */
function trouble(text: string | null): void {
  isOffline = text === words.offline;
  entitle();
  const line = byId("trouble");
  const whole = text === null ? null : telling.place ? `${text} ${words.placeKept}` : text;
  if (line.textContent === (whole ?? "")) return;
  say(whole ?? words.backAgain);
  write("trouble", whole);
}

/** The call is kept to its end, whatever the visitor does with it. */
function stay(): void {
  turn.stay();
  telling = take({ ...current });
  render();
  attention.rest();
  say(`${words.staying} ${turnLeft.text}`);
  byId("enter").focus();
  poller.now();
}

document.documentElement.dataset["live"] = "1";
askProof(current);
render();
attention.turn(telling.enters, telling.title);
// An answer that goes on does not say so in another tab: it speaks of the line, not of this browser's cookie.
if (data.status.reason === "left") tabs.tell(data.status);
updates?.removeAttribute("hidden");
document.addEventListener("visibilitychange", () => {
  if (!visible()) return turn.putOff();
  // What it follows may not have heard yet what another tab has told.
  if (telling.enters) poller.now();
  else poller.look();
  attention.rest();
});
// A page that was frozen, and a computer that slept while the page was in sight.
document.addEventListener("resume", () => poller.now());
addEventListener("focus", () => {
  poller.look();
  attention.rest();
});
addEventListener("online", () => {
  // Nothing may be asked any more, or not for long.
  trouble(null);
  poller.now();
});
addEventListener("offline", () => {
  trouble(words.offline);
  // Going in would leave for the browser's own error: the next answer leads in.
  turn.putOff();
});
addEventListener("pageshow", (event) => {
  if (event.persisted) poller.now();
});
byId("enter").addEventListener("click", (event) => {
  event.preventDefault();
  turn.goIn();
});
byId("stay").addEventListener("click", stay);
byId("extend").addEventListener("submit", async (event) => {
  event.preventDefault();
  stay();
  const answer = await ask(`${data.api}/extend`, "POST");
  answered(answer);
  // Too late: what became of the turn has been said.
  if (answer.as === "status" && telling.enters) say(turnLeft.text);
});
updates?.querySelector("button")?.addEventListener("click", () => {
  setPaused(!isPaused);
  if (isPaused) say(words.updatesPaused);
  else renderAndSay();
});
byId("copy").addEventListener("click", () => copyLink(data.returnTo, words));
byId("check").addEventListener("click", (event) => {
  if (holdsForm || telling.ask === null) return;
  event.preventDefault();
  poller.now();
});

if (telling.ask !== null) {
  const goesOn = data.streams && telling.place && !telling.enters && !data.status.pollExactly;
  poller.start(goesOn ? SOON_MS * (0.5 + Math.random()) : undefined);
  turn.told(telling.enters, data.status);
  if (isFromStore()) poller.now();
}
