/** The page in the operator's look, in a real browser: put on while it is open, without a reload. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { english } from "../../src/core/languages/en";
import { type Colours, lookSheet } from "../../src/core/look";
import type { PageLook } from "../../src/core/page-data";
import { tell } from "../../src/core/telling";
import { templateValues } from "../../src/core/template-values";
import { ownPageReply } from "../../src/http/replies";
import { wordsForScript } from "../../src/routes/page";
import { renderTemplate } from "../../src/template/render";
import { launchChromium } from "../support/chromium";
import { type Call, openSite, type Reply, SITE } from "../support/page-site";
import { STATES, status } from "../support/page-states";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
});

const OURS: Colours = {
  accentColor: null,
  accentColorDark: null,
  backgroundColor: null,
  backgroundColorDark: null,
  colorScheme: "auto",
};

const LOOK: PageLook = {
  look: "22222222",
  title: "The new name",
  position: "rounded",
  logo: null,
  sheet: lookSheet({ ...OURS, accentColor: "#7a1f5c", backgroundColor: "#ffffff" }),
  words: wordsForScript({ ...english, kinds: { ...english.kinds, waiting: { ...english.kinds.waiting, heading: "Please wait here" } } }),
};
describe("a look that changes", () => {
  const isLook = ({ path }: Call) => path.includes("/look?");

  test("[LOOK-2] title, colours, words and numbers of an open page follow, once, without a reload", async () => {
    const site = await openSite(browser, { status: status({ look: "11111111" }), title: "The old name" });
    await site.open();
    const colourOf = (id: string) => site.page.evaluate((each) => getComputedStyle(document.getElementById(each) as Element).color, id);
    const before = await colourOf("number");
    site.answer(async (call): Promise<Reply> => (isLook(call) ? { json: LOOK } : { json: status({ look: "22222222", message: "New" }) }));
    await site.pass(20_000);
    await site.page.waitForFunction(() => document.getElementById("title")?.textContent === "The new name");
    expect(await site.page.title()).toBe("≈ 1,300 ahead · Please wait here – The new name");
    expect(await site.text("heading")).toBe("Please wait here");
    expect(await site.text("said")).toBe("New");
    expect(await colourOf("number")).not.toBe(before);
    expect(await colourOf("number")).toBe("rgb(122, 31, 92)");
    expect(await site.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe("rgb(255, 255, 255)");
    await site.pass(20_000);
    expect(site.calls.filter(isLook).map(({ path }) => path)).toEqual(["/__vestibule/rooms/demo/look?lang=en"]);
    expect(site.loads).toHaveLength(1);
    expect(site.faults).toEqual([]);
    await site.context.close();
  });

  test("[LOOK-2] a look that cannot be had is asked for again with the next answer; nothing else suffers", async () => {
    const site = await openSite(browser, { status: status() });
    await site.open();
    site.answer(
      async (call): Promise<Reply> => (isLook(call) ? { status: 503, json: {} } : { json: status({ look: "22222222", ahead: 9 }) }),
    );
    await site.pass(20_000);
    expect(await site.text("number")).toBe("9");
    site.answer(async (call): Promise<Reply> => (isLook(call) ? { json: LOOK } : { json: status({ look: "22222222", ahead: 8 }) }));
    await site.pass(20_000);
    await site.page.waitForFunction(() => document.getElementById("title")?.textContent === "The new name");
    expect(site.calls.filter(isLook)).toHaveLength(2);
    await site.context.close();
  });

  test("[LOOK-2] [PAGE-13] [PAGE-30] a page of the operator's own loads nothing anew while it is the turn of somebody who is away, or stays", async () => {
    const site = await openSite(browser, { status: status({ look: "11111111", pollAfterMs: 3_000 }) });
    await site.open();
    await site.look(false);
    const called = { ...STATES.called, validForMs: 100_000, look: "22222222", pollAfterMs: 3_000 };
    site.answer(async (call): Promise<Reply> => ({ json: isLook(call) ? { ...LOOK, own: true } : called }));
    for (let i = 0; i < 3; i++) await site.pass(3_000);
    expect(await site.page.title()).toContain("The new name");
    expect(site.loads).toHaveLength(1);
    await site.context.close();
  });
});

describe("a page of one's own", () => {
  const MESSAGE = "</title></script><img src=x onerror=globalThis.owned=1>";
  const template = `<!doctype html><title>{{title}}</title><style>p{color:rgb(1,2,3)}</style>
    <p id="said" style="font-weight:700">{{message}}</p><script>globalThis.minutes = {{waitTime}}</script>
    <script src="https://cdn.test/own.js"></script><script src="https://other.test/strange.js"></script>
    <button onclick="globalThis.pressed = 1">Press</button>`;

  test("[OWN-5] W3 its own code runs and that of origins that are named; nothing of elsewhere does, and no text of people", async () => {
    const of = status({ message: MESSAGE });
    const telling = tell(of, english, { title: MESSAGE, lang: "en", auto: true });
    const settings = { queueingMethod: "fifo", events: [], closedOutsideEvents: false, positionDisplay: "exact" } as const;
    const values = templateValues({ status: of, settings, telling, title: MESSAGE, language: "en", direction: "ltr", logo: "" });
    const context = await browser.newContext();
    const page = await context.newPage();
    const asked: string[] = [];
    await context.route("**/*", async (route) => {
      const { hostname, pathname } = new URL(route.request().url());
      asked.push(hostname + pathname);
      if (pathname.endsWith(".js")) return route.fulfill({ contentType: "text/javascript", body: `globalThis.from = "${hostname}"` });
      const reply = ownPageReply(renderTemplate(template, values), {
        status: 200,
        origins: ["https://cdn.test"],
        reload: { afterS: 5, to: "/inside" },
      });
      if (pathname !== "/") return route.fulfill({ contentType: "text/html", body: "<h1>Inside</h1>" });
      return route.fulfill({ status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() });
    });
    await page.goto(`${SITE}/`);
    await page.getByRole("button").click();
    const seen = await page.evaluate(async () => {
      const { minutes, pressed, from, owned } = globalThis as unknown as Record<string, unknown>;
      const said = document.getElementById("said") as HTMLElement;
      const connected = await fetch("https://other.test/data").then(
        () => true,
        () => false,
      );
      return {
        minutes,
        pressed,
        from,
        owned,
        connected,
        text: said.textContent,
        colour: getComputedStyle(said).color,
        title: document.title,
      };
    });
    expect(seen).toEqual({
      minutes: 14,
      pressed: 1,
      from: "cdn.test",
      owned: undefined,
      connected: false,
      text: MESSAGE,
      colour: "rgb(1, 2, 3)",
      title: MESSAGE,
    });
    expect(asked.filter((path) => path.startsWith("other.test"))).toEqual([]);
    // It loads again by itself, without any script of ours.
    await page.waitForURL("**/inside");
    await context.close();
  });

  test("[LOOK-2][OWN-1] a page that is open goes to it once it is there", async () => {
    const site = await openSite(browser, { status: status() });
    await site.open();
    site.serve("site");
    site.answer(
      async ({ path }): Promise<Reply> =>
        path.includes("/look?") ? { json: { ...LOOK, own: true } } : { json: status({ look: "22222222" }) },
    );
    await site.pass(20_000);
    await expect.poll(() => site.loads.length).toBe(2);
    await site.context.close();
  });
});
