/** The page in the operator's look, in a real browser: put on while it is open, without a reload. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { english } from "../../src/core/languages/en";
import { lookSheet } from "../../src/core/look";
import type { PageLook } from "../../src/core/page-data";
import type { LookSettings } from "../../src/core/settings-types";
import { wordsForScript } from "../../src/routes/page";
import { launchChromium } from "../support/chromium";
import { type Call, openSite, type Reply } from "../support/page-site";
import { status } from "../support/page-states";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
});

const OURS: LookSettings = {
  accentColor: null,
  accentColorDark: null,
  backgroundColor: null,
  backgroundColorDark: null,
  colorScheme: "auto",
};

describe("a look that changes", () => {
  const look: PageLook = {
    look: "22222222",
    title: "The new name",
    position: "rounded",
    sheet: lookSheet({ ...OURS, accentColor: "#7a1f5c", backgroundColor: "#ffffff" }),
    words: wordsForScript({ ...english, kinds: { ...english.kinds, waiting: { ...english.kinds.waiting, heading: "Please wait here" } } }),
  };
  const isLook = ({ path }: Call) => path.includes("/look?");

  test("[LOOK-2] title, colours, words and numbers of an open page follow, once, without a reload", async () => {
    const site = await openSite(browser, { status: status({ look: "11111111" }), title: "The old name" });
    await site.open();
    const colourOf = (id: string) => site.page.evaluate((each) => getComputedStyle(document.getElementById(each) as Element).color, id);
    const before = await colourOf("number");
    site.answer(async (call): Promise<Reply> => (isLook(call) ? { json: look } : { json: status({ look: "22222222", message: "New" }) }));
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
    site.answer(async (call): Promise<Reply> => (isLook(call) ? { json: look } : { json: status({ look: "22222222", ahead: 8 }) }));
    await site.pass(20_000);
    await site.page.waitForFunction(() => document.getElementById("title")?.textContent === "The new name");
    expect(site.calls.filter(isLook)).toHaveLength(2);
    await site.context.close();
  });
});
