/**
 * What only a browser decides, over TLS, so that cookies are as in production: history and its cache, prerendering, tabs, frames of
 * other sites, and the way back from a bank. The built Worker and its Room before a real site.
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { english } from "../../src/core/languages/en";
import { type Handler, type Origin, startOrigin } from "../support/origin";
import { type Entrance, entrances } from "./entrance";

let origin: Origin;
const heading = (kind: keyof typeof english.kinds) => english.kinds[kind].heading;
const shows = (page: Page | ReturnType<Page["frameLocator"]>, name: string) => page.getByRole("heading", { name, exact: true }).waitFor();

const test = entrances({
  start: async () => {
    origin = await startOrigin(shop);
    return { url: origin.url, stop: () => origin.stop() };
  },
  path: "/shop",
  heading: "The shop",
  https: true,
  // Pages of the same server by its number are another site's.
  settings: { path: "/shop", partitioned_cookies: true, json_response_enabled: true },
  launch: [[], ["--disable-back-forward-cache"]],
});

/** A page made for Cloudflare Waiting Room's API text and nothing else. */
const CF_PAGE = `
  const line = document.querySelector("[role=status]");
  const ask = async () => {
    const answer = await (await fetch("/shop/api", { headers: { Accept: "application/json" } })).json();
    const room = answer.cfWaitingRoom;
    if (room?.inWaitingRoom !== true) return void (line.textContent = answer.tickets + " tickets");
    line.textContent = "Waiting" + (room.waitTimeKnown ? ", about " + room.waitTimeFormatted : "");
    setTimeout(ask, room.refreshIntervalSeconds * 1000);
  };
  ask();
`;

/** What the room does not protect links to what it does. */
const shop: Handler = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://site");
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  const html = (title: string, body: string) =>
    response.end(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}`);
  if (pathname === "/shop/other") return html("Another page", "");
  if (pathname === "/shop/pay/return") return html("Paid", `<p>${request.method}</p>`);
  if (pathname === "/shop/api") return response.setHeader("Content-Type", "application/json").end('{"tickets":12}');
  if (pathname.startsWith("/shop")) return html("The shop", '<a href="/shop/other">other</a>');
  if (pathname === "/app") return html("The app", `<p role="status"></p><script type="module">${CF_PAGE}</script>`);
  const to = searchParams.get("to") ?? "";
  if (pathname === "/ahead") {
    const rules = { [searchParams.get("how") ?? "prefetch"]: [{ urls: [to], eagerness: "immediate" }] };
    return html(
      "Outside",
      `<script type="speculationrules">${JSON.stringify(rules)}</script><link rel="prefetch" href="${to}"><a href="${to}">go</a>`,
    );
  }
  if (pathname === "/frame") return html("Another site", `<iframe src="${to}"></iframe>`);
  if (pathname === "/bank")
    return html("The bank", `<form method="post" action="${to}"><input name="paid" value="12"><button>Back to the shop</button></form>`);
  return response.writeHead(404).end();
};
/** A page of another site: the same server, by its number. */
const elsewhere = (path: string, to: string) => `${origin.url}${path}?to=${encodeURIComponent(to)}`;

/** What reached the site by this room, `from` a moment on. */
const reached = (entrance: Entrance, path: string, from = 0) =>
  origin.received
    .slice(from)
    .filter((received) => entrance.sent(received) && received.url.startsWith(path))
    .map(({ method }) => method);

/** Somebody inside, and somebody in line. */
async function busy(entrance: Entrance): Promise<readonly [Page, Page]> {
  const inside = await entrance.inside();
  const waiting = await entrance.visitor();
  await entrance.open(waiting);
  await shows(waiting, heading("next"));
  return [inside, waiting];
}

test("[PAGE-13][PAGE-14] T8 the back button never shows an old waiting page: inside it leads to the site, in line to the line as it is now", async ({
  entrance,
  expect,
}) => {
  const [, waiting] = await busy(entrance);
  const { slot } = await entrance.told(waiting);
  await waiting.goto(`${entrance.url}/ahead`);
  await waiting.goBack();
  await shows(waiting, heading("next"));
  expect((await entrance.told(waiting)).slot).toBe(slot);
  await waiting.goto(`${entrance.url}/ahead`);
  await entrance.grow();
  await expect.poll(async () => (await entrance.stats()).called).toBe(1);
  await waiting.goBack();
  await entrance.seesSite(waiting);
  await waiting.getByRole("link", { name: "other" }).click();
  await shows(waiting, "Another page");
  await waiting.goBack();
  await entrance.seesSite(waiting);
  await waiting.goBack();
  await waiting.goForward();
  await entrance.seesSite(waiting);
  expect(await entrance.stats()).toMatchObject({ issued: 2, inside: 2 });
});

test("[CF-1][CF-2] a page that knows Cloudflare's cfWaitingRoom alone waits by it, and is in when it is gone", async ({
  entrance,
  expect,
}) => {
  await busy(entrance);
  const app = await entrance.visitor();
  await app.goto(`${entrance.url}/app`);
  await app.getByText(/^Waiting/).waitFor();
  await expect.poll(async () => (await entrance.stats()).issued).toBe(3);
  expect(reached(entrance, "/shop/api")).toEqual([]);
  await entrance.grow();
  await entrance.grow();
  await app.getByText("12 tickets").waitFor();
  expect(reached(entrance, "/shop/api")).toEqual(["GET"]);
  expect((await entrance.stats()).issued).toBe(3);
});

test("[GATE-15] T10 C92 what a browser loads ahead takes no place and no turn; the visit after it does", async ({ entrance, expect }) => {
  await entrance.inside();
  const from = origin.received.length;
  const purposes: string[] = [];
  const visitor = await entrance.visitor();
  visitor.context().on("request", async (request) => {
    const { "sec-purpose": purpose, purpose: old } = await request.allHeaders().catch((): Record<string, string> => ({}));
    if (new URL(request.url()).pathname.startsWith("/shop")) purposes.push(purpose ?? old ?? "none");
  });
  for (const [how, purpose] of [
    ["prefetch", "prefetch"],
    ["prerender", "prefetch;prerender"],
  ]) {
    await visitor.goto(`${entrance.url}/ahead?how=${how}&to=/shop`);
    // A browser loads ahead when it finds the time, which may be after the page has long been idle.
    await expect.poll(() => purposes).toContain(purpose);
    await visitor.waitForLoadState("networkidle");
  }
  expect(reached(entrance, "/shop", from)).toEqual([]);
  expect(await entrance.stats()).toMatchObject({ issued: 1, waiting: 0 });
  expect(new Set(purposes)).toEqual(new Set(["prefetch", "prefetch;prerender"]));
  await visitor.getByRole("link", { name: "go" }).click();
  await shows(visitor, heading("next"));
  expect(await entrance.stats()).toMatchObject({ issued: 2, waiting: 1 });
});

test("[P5][GATE-60] T11 ten tabs opened at once end up with one place, say nothing of each other, and get in", async ({
  entrance,
  expect,
}) => {
  await entrance.inside();
  const first = await entrance.visitor();
  // Where tabs hear nothing of each other, each asks for itself.
  await first.context().addInitScript(() => Reflect.deleteProperty(globalThis, "BroadcastChannel"));
  const answers: number[] = [];
  first.context().on("response", (response) => {
    if (response.url().endsWith("/status")) answers.push(response.status());
  });
  const tabs = [first, ...(await Promise.all(Array.from({ length: 9 }, () => first.context().newPage())))];
  await Promise.all(tabs.map((tab) => entrance.open(tab)));
  // Who came before the first cookie was there keeps another place until the page is loaded anew; it lapses unseen. A join that was answered
  // late may bring its cookie after that.
  const slots = async () => {
    await Promise.all(tabs.map((tab) => entrance.open(tab)));
    return [...new Set(await Promise.all(tabs.map(async (tab) => (await entrance.told(tab)).slot)))];
  };
  await expect.poll(slots).toEqual([expect.any(Number)]);
  // Together they ask ten times a second.
  await expect.poll(() => answers.filter((status) => status === 429).length).toBeGreaterThan(10);
  expect(await Promise.all(tabs.map((tab) => tab.locator("#trouble").isVisible()))).toEqual(tabs.map(() => false));
  // Room for the places that nobody came back for as well: they would be called first, and hold theirs for five seconds each.
  const { issued } = await entrance.stats();
  for (let i = 1; i < issued; i++) await entrance.grow();
  // Each goes in on its own: one that is navigated meanwhile would give up its way in.
  for (const tab of tabs) await entrance.seesSite(tab);
  expect((await entrance.stats()).inside).toBe(2);
});

test("[TOKEN-10][GATE-12] T5 C45 back from a bank by a POST of another site: once with a pass, never without, and nobody loses the place", async ({
  entrance,
}) => {
  const [inside, waiting] = await busy(entrance);
  const { slot } = await entrance.told(waiting);
  const from = origin.received.length;
  const back = async (page: Page) => {
    await page.goto(elsewhere("/bank", `${entrance.url}/shop/pay/return`));
    await page.getByRole("button", { name: "Back to the shop" }).click();
  };
  await back(inside);
  await shows(inside, "Paid");
  expect(reached(entrance, "/shop", from)).toEqual(["POST"]);
  await back(waiting);
  await waiting.locator("main").waitFor();
  expect(reached(entrance, "/shop", from)).toEqual(["POST"]);
  await waiting.goto(`${entrance.url}/shop`);
  await shows(waiting, heading("next"));
  expect((await entrance.told(waiting)).slot).toBe(slot);
  expect(await entrance.stats()).toMatchObject({ issued: 2 });
});

test("[TOKEN-10][PROXY-10] W12 in a frame of another site: in line and in, with cookies of that frame's own, where the room names the site", async ({
  entrance,
  expect,
}) => {
  await entrance.inside();
  const page = await entrance.visitor();
  const violations: string[] = [];
  page.on("console", (message) => violations.push(message.text()));
  const shown = page.frameLocator("iframe");
  await page.goto(elsewhere("/frame", `${entrance.url}/shop`));
  await expect.poll(() => violations.join()).toMatch(/frame-ancestors 'none'/);
  await entrance.set({ frame_ancestors: [origin.url] });
  const isShown = async () => {
    await page.goto(elsewhere("/frame", `${entrance.url}/shop`));
    return (await shown.locator("#heading").count()) > 0;
  };
  await expect.poll(isShown).toBe(true);
  await shows(shown, heading("next"));
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name, sameSite, secure, partitionKey }) => [name, sameSite, secure, partitionKey !== undefined])).toEqual([
    [`__Host-vestibule.${entrance.room}`, "None", true, true],
  ]);
  await entrance.grow();
  await shown.getByRole("heading", { name: "The shop" }).waitFor();
  // By itself, outside of the frame, the same browser is somebody else.
  const alone = await page.context().newPage();
  await entrance.open(alone);
  await shows(alone, heading("next"));
});

test("[STREAM-2][STREAM-3][STREAM-7] an open page hears of a pause with its message, of the line going on and of its turn by one answer", async ({
  entrance,
  expect,
}) => {
  const inside = await entrance.inside();
  const waiting = await entrance.visitor();
  const asked: boolean[] = [];
  waiting.on("request", (request) => {
    if (request.url().endsWith("/status")) asked.push(request.headers()["accept"]?.includes("text/event-stream") === true);
  });
  await entrance.open(waiting);
  await expect.poll(() => asked).toEqual([true]);
  await entrance.set({ queue_all: true, message: "Back at noon." });
  await shows(waiting, heading("paused"));
  await expect.poll(() => waiting.locator("#said").textContent()).toBe("Back at noon.");
  await entrance.set({ queue_all: false, message: "" });
  await shows(waiting, heading("next"));
  expect(asked).toEqual([true]);
  await entrance.leave(inside);
  await entrance.seesSite(waiting);
  // Told that it is their turn, they ask where they stand, and go in.
  expect(asked.length).toBeLessThanOrEqual(3);
});
