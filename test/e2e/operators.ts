/** Operators in front of the console, in a real browser, and what they do there by name. Only for the tests in `test/e2e`. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { AdminToken } from "../../src/core/admin-tokens";
import { launchChromium } from "../support/chromium";
import { type SendInit, send } from "../support/http";
import { startOrigin } from "../support/origin";
import { startWorker, type TestWorker } from "../support/worker";

/** The built Worker with these rooms, `<name>.localhost` each, a site behind it and a browser before it. The first room is the operators' home. */
export async function beginConsole(rooms: Readonly<Record<string, object>>) {
  const hosted = Object.fromEntries(Object.entries(rooms).map(([name, room]) => [name, { host: `${name}.localhost`, ...room }]));
  const [home = ""] = Object.keys(rooms);
  const origin = await startOrigin();
  const worker = await startWorker({ rooms: hosted, origin: origin.url });
  const browser = await launchChromium();
  const end = async () => {
    await browser.close();
    await worker.stop();
    await origin.stop();
  };
  return { worker, browser, operators: new Operators(worker, browser, home), end };
}

export class Operators {
  readonly #worker: TestWorker;
  readonly #browser: Browser;
  readonly #home: string;
  /** Everything that their pages asked for, by host. */
  readonly hosts = new Set<string>();

  /** @param home a room of the Worker's: any host of it has the whole API */
  constructor(worker: TestWorker, browser: Browser, home: string) {
    this.#worker = worker;
    this.#browser = browser;
    this.#home = home;
  }

  /** `<room>.localhost` is the room's host. */
  siteOf(room: string): string {
    return `http://${room}.localhost:${this.#worker.url.port}`;
  }

  readonly transport = (url: URL, init: SendInit) =>
    send(new URL(url.pathname + url.search, this.#worker.url), { ...init, headers: { Host: url.host, ...init.headers } });

  async api<T>(path: string, token = this.#worker.adminToken, init: SendInit = {}): Promise<T> {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const reply = await this.transport(new URL(`/__vestibule/admin/api${path}`, this.siteOf(this.#home)), { ...init, headers });
    return { status: reply.status, ...((await reply.json()) as object) } as T;
  }

  async tokenFor(label: string, role: string): Promise<string> {
    const body = JSON.stringify({ label, role, expires: new Date(Date.now() + 3_600_000).toISOString() });
    return (await this.api<AdminToken & { token: string }>("/tokens", this.#worker.adminToken, { method: "POST", body })).token;
  }

  /** At the console, of the host of this room; nobody has signed in. The browser has no language of its own. */
  async open(room: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ locale: "en-GB", ...options });
    const page = await context.newPage();
    page.on("request", (request) => this.hosts.add(new URL(request.url()).host));
    await page.goto(`${this.siteOf(room)}/__vestibule/admin/`);
    return page;
  }

  /** Signed in, at one room. */
  async at(room: string, token = this.#worker.adminToken, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.open(room, options);
    await signIn(page, token);
    await enter(page, room);
    return page;
  }
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await press(page, "Sign in");
}

/** From the list of rooms. */
export async function enter(page: Page, room: string): Promise<void> {
  await page.getByRole("link", { name: new RegExp(`^${room}`) }).click();
  await page.getByRole("heading", { name: room, exact: true }).waitFor();
  await page.locator(".badge").first().filter({ hasText: /./ }).waitFor();
}

export const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" }).click();
export const tab = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click();
export const says = (page: Page, text: string | RegExp) => page.locator(".toast").filter({ hasText: text }).first().waitFor();
export const tile = (page: Page, label: string) => page.locator(".tile").filter({ hasText: label }).locator(".value");
export const badge = (page: Page, word: string) => page.locator(".head .badge").filter({ hasText: word }).waitFor();
/** The row of a table that has this text. */
export const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
