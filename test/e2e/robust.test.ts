/**
 * What must cost nobody their place: the built Worker and its Room before a real site, one waiting page in a real browser, and what phones,
 * laptops and networks do to it meanwhile. Everybody gets in with the place they had.
 */
import type { Page, Request } from "playwright-core";
import { expect, vi } from "vitest";
import { english } from "../../src/core/languages/en";
import { type Origin, startOrigin } from "../support/origin";
import { PATIENCE } from "../support/patience";
import { type Entrance, entrances } from "./entrance";

let origin: Origin;
const test = entrances({
  start: async () => {
    origin = await startOrigin((request, response) => {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(`<!doctype html><html lang="en"><title>The shop</title><h1>The shop</h1><p>${request.url}</p>`);
    });
    return { url: origin.url, stop: () => origin.stop() };
  },
  path: "/shop",
  heading: "The shop",
});

const shows = (page: Page, kind: keyof typeof english.kinds) =>
  page.getByRole("heading", { name: english.kinds[kind].heading, exact: true }).waitFor();

/** Somebody inside, and somebody next in line, who has waited for an answer since the page came. */
async function waiting(entrance: Entrance, prepare: (page: Page) => Promise<unknown> = async () => undefined) {
  await entrance.inside();
  const page = await entrance.visitor();
  await prepare(page);
  await entrance.open(page);
  await shows(page, "next");
  const { slot } = await entrance.told(page);
  return { page, slot };
}

/** Somebody is called, and nobody has answered yet. */
const called = async (entrance: Entrance) => {
  await entrance.grow();
  await vi.waitFor(async () => expect((await entrance.stats()).called).toBe(1), PATIENCE);
};

/** In, and by the place they had: nobody was given another one. */
async function isIn(entrance: Entrance, page: Page): Promise<void> {
  await entrance.seesSite(page);
  expect(await entrance.stats()).toMatchObject({ issued: 2, inside: 2, waiting: 0, called: 0 });
}

/** As a browser tells a page that it is hidden, or seen. */
const look = (page: Page, visible: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
      document.dispatchEvent(new Event("visibilitychange"));
    },
    visible ? "visible" : "hidden",
  );

test("[PAGE-34] [P9] T9 asleep when called: a frozen page wakes up, asks, and goes in", async ({ entrance }) => {
  const { page } = await waiting(entrance);
  const browser = await page.context().newCDPSession(page);
  await look(page, false);
  await browser.send("Page.setWebLifecycleState", { state: "frozen" });
  await called(entrance);
  await browser.send("Page.setWebLifecycleState", { state: "active" });
  await look(page, true);
  await isIn(entrance, page);
});

test("[PAGE-34] [P9] T9 hidden for ten minutes with timers that run once a minute: the turn is held and called out, and taken when looked at", async ({
  entrance,
  expect,
}) => {
  let asking = 0;
  const { page } = await waiting(entrance, (page) => {
    const count = (more: number) => (request: Request) => {
      if (request.url().endsWith("/status")) asking += more;
    };
    page.on("request", count(1)).on("requestfinished", count(-1)).on("requestfailed", count(-1));
    return page.clock.install();
  });
  await look(page, false);
  // From here on whatever is due comes at the end of each minute, once. Far enough ahead that it is not past when a slow browser hears of it.
  await page.clock.pauseAt(Date.now() + 60_000);
  for (let minute = 0; minute < 9; minute++) {
    if (minute === 5) await called(entrance);
    await page.clock.fastForward(60_000);
  }
  const title = async () => {
    // Another minute would end the question that is on its way, which a slow computer has not answered yet.
    if (asking === 0) await page.clock.fastForward(60_000);
    return page.title();
  };
  await expect.poll(title).toContain(english.kinds.called.tab);
  expect(await entrance.stats()).toMatchObject({ inside: 1, called: 1 });
  await look(page, true);
  await page.clock.resume();
  await isIn(entrance, page);
});

test("[PAGE-34] C12 offline and back: the page says so, keeps the place, and goes in when it is connected", async ({
  entrance,
  expect,
}) => {
  const { page } = await waiting(entrance);
  await page.context().setOffline(true);
  // An answer that was on its way takes it back until the next question finds no way, which the page may put off for a minute unless looked at.
  const trouble = async () => {
    await look(page, true);
    return page.locator("#trouble").textContent();
  };
  await expect.poll(trouble).toBe(`${english.offline} ${english.placeKept}`);
  await called(entrance);
  await page.context().setOffline(false);
  await isIn(entrance, page);
});

test("[PAGE-34] [PAGE-10] T11 two tabs: one place, and what one asks both show; both end up inside", async ({ entrance, expect }) => {
  const { page, slot } = await waiting(entrance);
  const other = await page.context().newPage();
  await entrance.open(other);
  await shows(other, "next");
  expect((await entrance.told(other)).slot).toBe(slot);
  await look(page, false);
  // The one that is looked at may be in before anybody has seen that it was called.
  await entrance.grow();
  await isIn(entrance, other);
  // The other one is told by it, or asks; seen, it leads to the site.
  await look(page, true);
  await isIn(entrance, page);
});

test("[PAGE-34] T8 the back button after entering leads to the site again, not to a line", async ({ entrance, expect }) => {
  const { page } = await waiting(entrance);
  await entrance.grow();
  await isIn(entrance, page);
  await page.goto(`${entrance.url}/shop/basket`);
  await page.goBack();
  await isIn(entrance, page);
  await page.goForward();
  await page.getByText("/shop/basket").waitFor();
  expect(await entrance.stats()).toMatchObject({ issued: 2, inside: 2 });
});

test("[PAGE-34] T6 a clock that is wrong by a day: nothing that is done follows it", async ({ entrance, expect }) => {
  const { page } = await waiting(entrance, (page) => page.clock.install({ time: Date.now() + 86_400_000 }));
  expect(await page.evaluate(() => Date.now())).toBeGreaterThan(Date.now() + 86_000_000);
  await entrance.grow();
  await isIn(entrance, page);
});

test("[PAGE-34] storage, locks and channels that are blocked: only the memory of the bar is lost", async ({ entrance, expect }) => {
  const faults: string[] = [];
  const { page } = await waiting(entrance, (page) => {
    page.on("pageerror", (error) => faults.push(String(error)));
    return page.addInitScript(() => {
      const blocked = {
        get: () => {
          throw new DOMException("blocked", "SecurityError");
        },
      };
      for (const name of ["sessionStorage", "localStorage", "indexedDB", "caches"]) Object.defineProperty(globalThis, name, blocked);
      Object.defineProperty(navigator, "locks", { value: { request: () => Promise.reject(new DOMException("blocked", "SecurityError")) } });
      Object.defineProperty(globalThis, "BroadcastChannel", {
        value: class {
          constructor() {
            throw new DOMException("blocked", "SecurityError");
          }
        },
      });
    });
  });
  await entrance.grow();
  await isIn(entrance, page);
  expect(faults).toEqual([]);
});

test("[PAGE-34] [PAGE-9] slow 3G: the page stands after its first load, and the visitor gets in", async ({ entrance }) => {
  const { page } = await waiting(entrance, async (page) => {
    const browser = await page.context().newCDPSession(page);
    await browser.send("Network.enable");
    // As browsers' developer tools have it.
    const bytes = (500 * 1_024 * 0.8) / 8;
    await browser.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 2_000,
      downloadThroughput: bytes,
      uploadThroughput: bytes,
    });
  });
  await entrance.grow();
  await isIn(entrance, page);
});

test("[PAGE-31] [LINE-7] who needs more time has it from the Room, once, and goes in by the button when it is not over", async ({
  entrance,
  expect,
}) => {
  const { page } = await waiting(entrance);
  // Nothing goes in by itself before a slow computer has pressed.
  await look(page, false);
  await entrance.grow();
  await page.getByRole("button", { name: english.moreTime, exact: true }).click();
  await look(page, true);
  // Three minutes, and three more, some of which may be over.
  await expect.poll(() => page.locator("#left").textContent()).toMatch(/: [45] minutes, \d+ seconds?$/);
  expect(await page.getByRole("button", { name: english.moreTime, exact: true }).isVisible()).toBe(false);
  expect(await entrance.stats()).toMatchObject({ inside: 1, called: 1 });
  await page.getByRole("link", { name: english.enter, exact: true }).click();
  await isIn(entrance, page);
});
