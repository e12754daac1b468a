/**
 * A room of its own for each browser test, with one place, on a host of its own: the real Worker and its Room before a real site,
 * and the visitors who come to it in a real browser.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Manifest } from "../../src/core/manifest";
import type { Stats } from "../../src/core/stats";
import type { Status } from "../../src/core/status";
import { launchChromium } from "../support/chromium";
import { type SendInit, send } from "../support/http";
import { type Received, startOrigin } from "../support/origin";
import { PATIENCE } from "../support/patience";
import { startWorker, type TestWorker } from "../support/worker";

export interface ProtectedSite {
  /** Starts the real server of the site. */
  start(): Promise<{ readonly url: string; stop(): Promise<unknown> }>;
  /** A page of it, and the heading that only this page shows. */
  readonly path: string;
  readonly heading: string;
  /** The browser comes by TLS, so that cookies have their names and attributes of production. */
  readonly https?: boolean;
  /** Over the settings of every room. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly vars?: Readonly<Record<string, unknown>>;
  /** Of the browser that does it all. */
  readonly launch?: Parameters<typeof launchChromium>;
}

/**
 * One place; whoever leaves makes room after three seconds, and who is called goes in after half of the time it is held. Whoever is inside
 * and does nothing stays for longer than any test takes.
 */
const ROOM = {
  total_active_users: 1,
  new_users_per_minute: 6_000,
  session_duration: 10,
  session_max_minutes: 20,
  pass_refresh_seconds: 1,
  poll_near_seconds: 1,
  reserve_seconds: 5,
  revoke_bound_seconds: 3,
};
/** As many as there are tests of a site, and for second tries. */
const ROOMS = 24;

/** One room, its site, and the browsers before it. */
export class Entrance {
  readonly room: string;
  readonly url: string;
  readonly #site: ProtectedSite;
  readonly #worker: TestWorker;
  readonly #browser: Browser;
  readonly #closers: (() => Promise<unknown>)[];

  constructor(room: string, site: ProtectedSite, worker: TestWorker, browser: Browser, closers: (() => Promise<unknown>)[]) {
    this.room = room;
    // Browsers take any name below localhost for this computer, and for as trustworthy as https.
    const { protocol, port } = site.https === true ? worker.httpsUrl : worker.url;
    this.url = `${protocol}//${room}.localhost:${port}`;
    this.#site = site;
    this.#worker = worker;
    this.#browser = browser;
    this.#closers = closers;
  }

  /** A visitor: a browser profile of their own, with a first, empty tab. */
  async visitor(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ ignoreHTTPSErrors: true, ...options });
    this.#closers.push(() => context.close());
    return context.newPage();
  }

  /** Opens the site's page. */
  async open(page: Page): Promise<void> {
    await page.goto(this.url + this.#site.path);
  }

  async seesSite(page: Page): Promise<void> {
    await page.getByRole("heading", { name: this.#site.heading }).waitFor();
    expect(page.url()).toBe(this.url + this.#site.path);
  }

  /** The one that takes the place. */
  async inside(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.visitor(options);
    await this.open(page);
    await this.seesSite(page);
    return page;
  }

  /** Whether a request at the site came by this room: other tests are at it at the same time. */
  sent(received: Received): boolean {
    return received.header("X-Forwarded-Host") === new URL(this.url).host;
  }

  /**
   * What the waiting page started from, with a place; fails on a page of the site. Where a slow computer has not answered the join within two
   * seconds the page begins without one, and is loaded anew.
   */
  async told(page: Page): Promise<Status> {
    const until = Date.now() + PATIENCE.timeout;
    for (;;) {
      const data = await page.locator("#data").textContent();
      const { status } = JSON.parse(data ?? "") as { status: Status };
      if (status.state !== "joining" || Date.now() > until) return status;
      await page.reload();
    }
  }

  /** Gives the visitor's place up, as an app of the site would. */
  async leave(page: Page): Promise<void> {
    const state = await page.evaluate(async (path) => {
      const reply = await fetch(path, { method: "POST" });
      return ((await reply.json()) as { state: string }).state;
    }, `/__vestibule/rooms/${this.room}/leave`);
    expect(state).toBe("ended");
  }

  /** A proxy for a visitor who refuses cookies. */
  async refuseCookies(): ReturnType<typeof cookieRefuser> {
    const refuser = await cookieRefuser(this.#worker);
    this.#closers.push(refuser.stop);
    return refuser;
  }

  /** The operator makes room for one more. */
  async grow(): Promise<void> {
    const { total_active_users: places } = await this.stats();
    await this.set({ total_active_users: places + 1 });
  }

  /** The operator changes settings. */
  async set(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const path = `/__vestibule/admin/api/rooms/${this.room}`;
    const body = JSON.stringify(settings);
    const reply = await this.#send(path, { method: "PATCH", headers: { ...this.#asOperator, "Content-Type": "application/json" }, body });
    expect(reply.status).toBe(200);
  }

  async stats(): Promise<Stats> {
    const reply = await this.#send(`/__vestibule/admin/api/rooms/${this.room}/stats`, { headers: this.#asOperator });
    return (await reply.json()) as Stats;
  }

  /** A room begins without an entry token. */
  async ready(): Promise<void> {
    const isQuiet = async () => ((await (await this.#send(`/__vestibule/rooms/${this.room}/manifest`)).json()) as Manifest).quiet;
    await vi.waitFor(async () => expect(await isQuiet()).toBe(true), PATIENCE);
  }

  get #asOperator(): Readonly<Record<string, string>> {
    return { Authorization: `Bearer ${this.#worker.adminToken}` };
  }

  #send(path: string, init: SendInit = {}): Promise<Response> {
    return send(new URL(path, this.#worker.url), { ...init, headers: { ...init.headers, Host: new URL(this.url).host } });
  }
}

/**
 * The way to the Worker of a browser that refuses cookies, until `allow()`: a proxy that takes them off every reply, redirects
 * included. The browser we have cannot be told to refuse them.
 */
async function cookieRefuser(worker: TestWorker): Promise<{ readonly server: string; allow(): void; stop(): Promise<unknown> }> {
  let refuses = true;
  const proxy = await startOrigin(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? "");
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value ?? ""]));
    const reply = await send(new URL(pathname + search, worker.url), { headers, method: request.method ?? "GET" });
    const kept = [...reply.headers].filter(([name]) => name !== "set-cookie" || !refuses);
    response.writeHead(reply.status, kept.flat()).end(Buffer.from(await reply.arrayBuffer()));
  });
  return {
    server: proxy.url,
    allow: () => {
      refuses = false;
    },
    stop: proxy.stop,
  };
}

/** Starts site, Worker and browser for a test file. Its tests get a room that nobody has used, which lets several wait at the same time. */
export function entrances(site: ProtectedSite) {
  let running: { url: string; stop(): Promise<unknown> };
  let worker: TestWorker;
  let browser: Browser;
  let used = 0;
  beforeAll(async () => {
    running = await site.start();
    const rooms = Array.from({ length: ROOMS }, (_, i) => [`r${i}`, { ...ROOM, host: `r${i}.localhost`, ...site.settings }] as const);
    const { https = false, vars = {} } = site;
    worker = await startWorker({ origin: running.url, rooms: Object.fromEntries(rooms), https, vars });
    browser = await launchChromium(...(site.launch ?? []));
    // All begin now: each begins without an entry token.
    await Promise.all(
      rooms.map(([name]) => send(new URL(`/__vestibule/rooms/${name}/manifest`, worker.url), { headers: { Host: `${name}.localhost` } })),
    );
  });
  afterAll(async () => {
    await browser.close();
    await worker.stop();
    await running.stop();
  });
  return test.extend<{ entrance: Entrance }>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of what a fixture needs from its first parameter.
    entrance: async ({}, use) => {
      if (used >= ROOMS) throw new Error("no room is left");
      const closers: (() => Promise<unknown>)[] = [];
      const entrance = new Entrance(`r${used++}`, site, worker, browser, closers);
      await entrance.ready();
      await use(entrance);
      for (const close of closers) await close();
    },
  }).concurrent;
}
