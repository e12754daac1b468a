/**
 * Honest browsers inside, on virtual time: bursts of parallel requests, replies lost, late or out of order, standstills of the network,
 * restarts of the Room. Each request carries the cookie that the jar holds when it is sent; the edge treats it as the gate does. Whoever
 * is told "void" although nobody copied anything is a false alarm.
 */
import type { RoomSettings } from "../../src/core/settings-types";
import { mayCarryCookie } from "../../src/origin";
import { type Pass, type Visitor, World } from "./line-world";

/** What the way between browser, edge, Room and site does to messages. Shares are of requests; times ms. */
export interface Weather {
  /** Usual way of a request or reply: up to this long, in any order. */
  readonly wayMs: number;
  /** Share of requests whose way up takes up to `slowRequestMs` more. */
  readonly slowRequests: number;
  readonly slowRequestMs: number;
  /** Share of replies whose way down takes up to `slowReplyMs` more, each by itself: later ones overtake them. */
  readonly slowReplies: number;
  readonly slowReplyMs: number;
  readonly lostReplies: number;
  /** Share of requests for which the site takes up to `slowSiteMs` to its first header; else under a second. */
  readonly slowSite: number;
  readonly slowSiteMs: number;
  /** Standstills of the browser's whole network: so long, about so often. 0 = none. */
  readonly standstillMs: number;
  readonly standstillEveryMs: number;
  /** The browser's requests come from so many networks in turn (carriers, two address families). */
  readonly networks: number;
  /** Share of steps before which the Room loses its memory, or its reply is lost after the transaction. */
  readonly restarts: number;
  /** Share of pauses between bursts that are longer than a pass lives. */
  readonly naps: number;
}

export const CALM: Weather = {
  wayMs: 300,
  slowRequests: 0,
  slowRequestMs: 0,
  slowReplies: 0,
  slowReplyMs: 0,
  lostReplies: 0,
  slowSite: 0.1,
  slowSiteMs: 20_000,
  standstillMs: 0,
  standstillEveryMs: 0,
  networks: 1,
  restarts: 0,
  naps: 0,
};

/** The gate holds a reply back for a renewal beside it at most this long (src/gate/inside.ts). */
const RENEW_GRACE_MS = 250;
const RENEW_WAIT_MS = 2_000;

export interface BrowserRun {
  readonly browsers: number;
  readonly minutes: number;
  readonly settings: Partial<RoomSettings>;
  readonly weather: Weather;
  readonly seed: number;
}

/** One false alarm, with what led to it. */
export interface Alarm {
  readonly browser: number;
  /** ms since the start. */
  readonly at: number;
  readonly serial: number;
  /** The jar already holds another pass: this request is refused, the next is not. */
  readonly passing: boolean;
  /** How long after its own issue the refused pass had reached the browser, ms. */
  readonly deliveredAfterMs: number;
}

export interface BrowserOutcome {
  readonly halfHours: number;
  /** Passes presented to the Room. */
  readonly presented: number;
  /** Lasting: the browser cannot go on without "Continue here". At most one per browser: it stops there. */
  readonly alarms: readonly Alarm[];
  /** Refused requests of browsers that went on. */
  readonly passing: readonly Alarm[];
}

interface Browser {
  readonly who: number;
  readonly visitor: Visitor;
  jar: Pass;
  readonly standstills: readonly (readonly [from: number, until: number])[];
  readonly deliveredAt: Map<number, number>;
  readonly issuedAt: Map<number, number>;
  stopped: boolean;
}

export function runBrowsers(run: BrowserRun): BrowserOutcome {
  return new BrowserSim(run).run();
}

class BrowserSim {
  readonly #run: BrowserRun;
  readonly #world: World;
  readonly #events = new Events();
  readonly #alarms: Alarm[] = [];
  readonly #passing: Alarm[] = [];
  readonly #start: number;
  readonly #end: number;
  #presented = 0;

  constructor(run: BrowserRun) {
    this.#run = run;
    this.#world = new World({ totalActiveUsers: 10_000, newUsersPerMinute: 600_000, ...run.settings }, run.seed);
    this.#world.tick(1_000);
    this.#start = this.#world.now;
    this.#end = this.#start + run.minutes * 60_000;
    for (let who = 0; who < run.browsers; who++) this.#burst(this.#newBrowser(who), this.#start + this.#upTo(10_000));
  }

  run(): BrowserOutcome {
    for (let event = this.#events.next(); event !== null && event.at <= this.#end; event = this.#events.next()) {
      this.#world.now = Math.max(this.#world.now, event.at);
      event.run();
    }
    const halfHours = (this.#run.browsers * this.#run.minutes) / 30;
    return { halfHours, presented: this.#presented, alarms: this.#alarms, passing: this.#passing };
  }

  #newBrowser(who: number): Browser {
    const visitor = this.#world.visitor();
    if (this.#world.join(visitor, true)?.as !== "entered" || visitor.pass === null)
      throw new Error("a visitor of a quiet room did not enter");
    const { standstillMs, standstillEveryMs } = this.#run.weather;
    const standstills: [number, number][] = [];
    for (let at = this.#start; standstillEveryMs > 0 && at < this.#end; ) {
      const from = at + this.#upTo(2 * standstillEveryMs);
      at = from + this.#upTo(standstillMs);
      standstills.push([from, at]);
    }
    return { who, visitor, jar: visitor.pass, standstills, deliveredAt: new Map(), issuedAt: new Map(), stopped: false };
  }

  #upTo(ms: number): number {
    return this.#world.random() * ms;
  }

  #chance(share: number): boolean {
    return share > 0 && this.#world.random() < share;
  }

  /** Parallel requests with the cookie of this moment, and the next burst. */
  #burst(browser: Browser, at: number): void {
    this.#events.add(at, () => {
      if (browser.stopped) return;
      const requests = this.#chance(0.3) ? 1 + Math.floor(this.#upTo(8)) : 1;
      for (let i = 0; i < requests; i++) this.#send(browser, browser.jar, at + i * this.#upTo(100));
      const pause = this.#chance(this.#run.weather.naps)
        ? this.#world.settings.sessionDurationMs + this.#upTo(120_000)
        : this.#chance(0.2)
          ? this.#upTo(50_000)
          : this.#upTo(8_000);
      this.#burst(browser, at + pause);
    });
  }

  /** When something sent at `at` arrives, with standstills of the network in between. */
  #arrival(browser: Browser, at: number, slow: number, slowMs: number): number {
    const { wayMs } = this.#run.weather;
    const due = at + this.#upTo(wayMs) + (this.#chance(slow) ? this.#upTo(slowMs) : 0);
    const still = browser.standstills.find(([from, until]) => from < due && at < until);
    return still === undefined ? due : Math.max(due, still[1] + this.#upTo(wayMs));
  }

  #send(browser: Browser, pass: Pass, at: number): void {
    const { slowRequests, slowRequestMs, networks } = this.#run.weather;
    const tag = browser.visitor.tag + Math.floor(this.#upTo(networks));
    const reachesEdgeAt = this.#arrival(browser, at, slowRequests, slowRequestMs);
    this.#events.add(reachesEdgeAt, () => this.#atEdge(browser, pass, tag, reachesEdgeAt));
  }

  /** The gate: no question with a young pass; else ask the Room, whose batch may be some way behind. */
  #atEdge(browser: Browser, pass: Pass, tag: number, at: number): void {
    const { settings } = this.#world;
    const ageMs = at - pass.issuedAtS * 1_000;
    if (browser.stopped || ageMs < settings.passRefreshMs) return;
    const isExpired = at >= pass.expiresAtS * 1_000;
    const inQueueMs = this.#upTo(100) + (this.#chance(0.01) ? this.#upTo(2_000) : 0);
    const asksFirst = isExpired || ageMs >= 2 * settings.passRefreshMs;
    this.#events.add(at + inQueueMs, () => this.#atRoom(browser, pass, tag, at, isExpired, asksFirst));
  }

  #atRoom(browser: Browser, pass: Pass, tag: number, arrivedAt: number, isExpired: boolean, asksFirst: boolean): void {
    const world = this.#world;
    const { weather } = this.#run;
    if (browser.stopped) return;
    if (this.#chance(weather.restarts)) world.restart();
    const asker: Visitor = { ...browser.visitor, tag, pass };
    const ageMs = Math.round(world.now - arrivedAt);
    const crash = this.#chance(weather.restarts) ? "after" : "none";
    this.#presented += 1;
    let verdict: { readonly as: string } | null = isExpired ? null : world.renew(asker, crash, ageMs);
    const claims = isExpired || verdict?.as === "lapsed";
    if (claims) verdict = world.claim(asker, "enter", crash, ageMs);
    if (verdict?.as === "void") this.#void(browser, pass);
    if (verdict?.as === "ended") browser.stopped = true;
    if ((verdict?.as === "renewed" || verdict?.as === "entered") && asker.pass !== null) {
      browser.issuedAt.set(asker.pass.serial, world.now);
      this.#reply(browser, asker.pass, { arrivedAt, claims, asksFirst });
    }
  }

  /** The way of the new cookie back to the jar. */
  #reply(browser: Browser, pass: Pass, { arrivedAt, claims, asksFirst }: { arrivedAt: number; claims: boolean; asksFirst: boolean }): void {
    const { weather } = this.#run;
    const { now } = this.#world;
    const siteMs = this.#chance(weather.slowSite) ? this.#upTo(weather.slowSiteMs) : this.#upTo(800);
    const answeredAt = (asksFirst ? now : arrivedAt) + siteMs;
    const isLate = asksFirst ? now > arrivedAt + RENEW_WAIT_MS : now > answeredAt + RENEW_GRACE_MS;
    // A first pass must reach the visitor, a renewed one only where it comes in time.
    if (this.#chance(weather.lostReplies) || (!claims && (isLate || !mayCarry(siteMs, this.#world.settings.passRefreshMs)))) return;
    const at = this.#arrival(browser, Math.max(now, answeredAt), weather.slowReplies, weather.slowReplyMs);
    this.#events.add(at, () => {
      browser.jar = pass;
      browser.deliveredAt.set(pass.serial, at);
    });
  }

  #void(browser: Browser, pass: Pass): void {
    const deliveredAt = browser.deliveredAt.get(pass.serial) ?? this.#start;
    const alarm: Alarm = {
      browser: browser.who,
      at: this.#world.now - this.#start,
      serial: pass.serial,
      passing: browser.jar.serial !== pass.serial,
      deliveredAfterMs: deliveredAt - (browser.issuedAt.get(pass.serial) ?? this.#start),
    };
    (alarm.passing ? this.#passing : this.#alarms).push(alarm);
    if (!alarm.passing) browser.stopped = true;
  }
}

/** The gate's own judgement of a reply that no shared cache may keep. */
function mayCarry(headersAfterMs: number, passRefreshMs: number): boolean {
  return mayCarryCookie("GET", { response: PRIVATE, headersAfterMs }, passRefreshMs);
}

const PRIVATE = new Response(null, { headers: { "Cache-Control": "private" } });

/** A queue of things to do by time: a binary heap; those of the same time in the order of adding. */
class Events {
  readonly #heap: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  #order = 0;

  add(at: number, run: () => void): void {
    const heap = this.#heap;
    heap.push({ at, order: this.#order++, run });
    for (let i = heap.length - 1; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!this.#before(i, parent)) break;
      this.#swap(i, parent);
      i = parent;
    }
  }

  next(): { readonly at: number; readonly run: () => void } | null {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) return null;
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let i = 0; ; ) {
      const left = 2 * i + 1;
      if (left >= heap.length) break;
      const least = left + 1 < heap.length && this.#before(left + 1, left) ? left + 1 : left;
      if (!this.#before(least, i)) break;
      this.#swap(i, least);
      i = least;
    }
    return first;
  }

  #before(a: number, b: number): boolean {
    const one = this.#heap[a];
    const other = this.#heap[b];
    if (one === undefined || other === undefined) return false;
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    const one = heap[a];
    const other = heap[b];
    if (one === undefined || other === undefined) return;
    heap[a] = other;
    heap[b] = one;
  }
}
