/**
 * A site for browser tests of the waiting page alone: pages are rendered as the Worker renders them, answers of the room are
 * scripted, and time is the browser's fake clock. No server: Playwright answers every request of the browser.
 */
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { assets } from "../../src/assets";
import type { Status } from "../../src/core/status";
import { pageReply } from "../../src/http/replies";
import { type PageView, renderPage } from "../../src/routes/page";
import { NOW } from "./page-states";

export const SITE = "https://shop.test";
export const PATH = "/tickets?day=2";

/** One call of the page to the room. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  /** Asks for an answer that goes on. */
  readonly follows?: true;
  /** Of the header Vestibule-Proof. */
  readonly proof?: string;
}

export interface Reply {
  readonly status?: number;
  readonly json?: unknown;
  readonly html?: string;
  readonly retryAfter?: string;
}

export interface Site {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Calls of the page to the room's endpoints, in order. */
  readonly calls: Call[];
  /** Documents loaded, by path. */
  readonly loads: string[];
  /** Errors of scripts and violations of the content security policy. */
  readonly faults: string[];
  /** The room's answer from now on; "lost" = no connection. */
  answer(next: Status | Reply | "lost" | ((call: Call) => Promise<Reply>)): void;
  /** What a load of the site shows from now on: a page of ours, or the site itself. */
  serve(next: (Partial<PageView> & Pick<PageView, "status">) | "site"): void;
  /** With the page's clock standing still, unless `live`. */
  open(how?: "live"): Promise<void>;
  /** Let the page's clock run, and the answers that became due arrive. */
  pass(ms: number): Promise<void>;
  look(visible: boolean): Promise<void>;
  text(id: string): Promise<string | null>;
}

const BUILT = fileURLToPath(new URL("../../dist/static/__vestibule/assets/", import.meta.url));
const nameOf = (path: string) => path.split("/").at(-1)?.split(".")[0];

/** A module by its name, as it is built now: where guards are tried, that is after this file and its list of names were read. */
async function moduleAt(path: string): Promise<string> {
  const file = (await readdir(BUILT)).find((each) => nameOf(each) === nameOf(path));
  if (file === undefined) throw new Error(`${path} is not built`);
  return readFile(BUILT + file, "utf8");
}
const MODULES: readonly string[] = [assets.wait, assets.alerts, assets.prove, assets.solver];

/** Runs in the page: no chance in the jitter (always its middle), and a count of unanswered questions. */
function countFetches(): void {
  Math.random = () => 0.5;
  const open = globalThis as unknown as { openFetches: number };
  open.openFetches = 0;
  const real = globalThis.fetch;
  globalThis.fetch = async (...args) => {
    open.openFetches++;
    try {
      const response = await real(...args);
      await response.clone().text();
      return response;
    } finally {
      // After the page's own code has seen the answer.
      const later = new MessageChannel();
      later.port1.onmessage = () => open.openFetches--;
      later.port2.postMessage(null);
    }
  };
}

async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => (globalThis as unknown as { openFetches: number }).openFetches === 0);
}

function isStatus(value: object): value is Status {
  return "state" in value;
}

export async function openSite(
  browser: Browser,
  first: Partial<PageView> & Pick<PageView, "status">,
  options: BrowserContextOptions & { readonly lostModule?: boolean; readonly clock?: number } = {},
): Promise<Site> {
  const { lostModule, clock = NOW, ...contextOptions } = options;
  // The number is what was told last, at once, unless a test is about how it moves.
  const context = await browser.newContext({ reducedMotion: "reduce", ...contextOptions });
  const page = await context.newPage();
  const calls: Call[] = [];
  const loads: string[] = [];
  const faults: string[] = [];
  let view: (Partial<PageView> & Pick<PageView, "status">) | null = first;
  let answerWith: Parameters<Site["answer"]>[0] = first.status;

  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (/content security|refused to/i.test(message.text())) faults.push(message.text());
  });

  await context.route("**/*", async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    const path = url.pathname + url.search;
    if (MODULES.includes(url.pathname)) {
      if (lostModule) return route.abort();
      return route.fulfill({ body: await moduleAt(url.pathname), contentType: "text/javascript" });
    }
    if (request.resourceType() !== "document") {
      const proof = request.headers()["vestibule-proof"];
      const follows = request.headers()["accept"]?.includes("text/event-stream") === true;
      const call = {
        method: request.method(),
        path,
        body: request.postData(),
        ...(follows && { follows: true as const }),
        ...(proof !== undefined && { proof }),
      };
      calls.push(call);
      if (answerWith === "lost") return route.abort("connectionfailed");
      const reply = typeof answerWith === "function" ? await answerWith(call) : isStatus(answerWith) ? { json: answerWith } : answerWith;
      const headers: Record<string, string> = {
        "content-type": reply.html === undefined ? "application/json" : "text/html",
        ...(reply.retryAfter === undefined ? {} : { "retry-after": reply.retryAfter }),
      };
      return route.fulfill({ status: reply.status ?? 200, headers, body: reply.html ?? JSON.stringify(reply.json ?? {}) });
    }
    loads.push(request.method() === "GET" ? path : `${request.method()} ${path} ${request.postData() ?? ""}`);
    if (view === null) return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>The site</title><h1>Inside</h1>" });
    const nonce = `n${loads.length}`;
    const page = pageReply(renderPage({ title: "Demo shop", nonce, returnTo: PATH, method: "GET", ...view }), nonce, {
      status: 200,
      challenge: "worker",
    });
    return route.fulfill({ status: page.status, headers: Object.fromEntries(page.headers), body: await page.text() });
  });

  return {
    page,
    context,
    calls,
    loads,
    faults,
    answer(next) {
      answerWith = next;
    },
    serve(next) {
      view = next === "site" ? null : next;
    },
    async open(how) {
      await page.addInitScript(countFetches);
      if (how !== "live") {
        // The fake clock runs until it is paused, and cannot be paused in its past: a slow computer gets a minute.
        await page.clock.install({ time: clock - 60_000 });
        await page.clock.pauseAt(clock);
      }
      await page.goto(SITE + PATH);
      await settle(page);
    },
    async pass(ms) {
      await page.clock.runFor(ms);
      await settle(page);
    },
    async look(visible) {
      await page.evaluate(
        (state) => {
          Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
          document.dispatchEvent(new Event("visibilitychange"));
        },
        visible ? "visible" : "hidden",
      );
      await settle(page);
    },
    text: (id) => page.locator(`#${id}`).textContent(),
  };
}
