/** The waiting page as it lies before somebody, in a real browser: nothing breaks where it must not, nothing moves by itself, nothing touches. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { english } from "../../src/core/languages/en";
import type { PositionDisplay } from "../../src/core/settings-types";
import { launchChromium } from "../support/chromium";
import { openSite, PATH, SITE } from "../support/page-site";
import { NOW, STATES, status } from "../support/page-states";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
});

/** Upper edges of what is shown, by selector. */
const topsOf = (page: Page, selectors: readonly string[]) =>
  page.evaluate((all) => all.map((each) => Math.round(document.querySelector(each)?.getBoundingClientRect().top ?? Number.NaN)), selectors);

/** Space between the end of one element and the beginning of the next, px. */
async function gap(page: Page, above: string, below: string): Promise<number> {
  const [a, b] = await Promise.all([page.locator(above).boundingBox(), page.locator(below).boundingBox()]);
  return (b?.y ?? Number.NaN) - (a === null ? Number.NaN : a.y + a.height);
}

describe("the number", () => {
  const ROWS: readonly (readonly [ahead: number, position: PositionDisplay])[] = [
    [7, "exact"],
    [1_204, "exact"],
    [123_456, "exact"],
    [1_234_567, "exact"],
    [12_345_678, "exact"],
    [12_345_678, "rounded"],
    [12_345_678, "capped"],
  ];
  const SCREENS = [
    [320, "100%"],
    [375, "100%"],
    [1_280, "100%"],
    [320, "200%"],
  ] as const;

  test("[PAGE-37] [PAGE-35] stands whole in one line, however large it is and however small the screen, at first and after an answer", async () => {
    for (const [width, text] of SCREENS) {
      const site = await openSite(browser, { status: status() }, { viewport: { width, height: 640 } });
      await site.open();
      for (const [i, [ahead, position]] of ROWS.entries()) {
        // A place of its own: no number ever goes up.
        const slot = 20_000_000 + i;
        site.serve({ status: status({ slot, ahead }), position });
        await site.page.goto(SITE + PATH);
        site.answer(status({ slot, ahead: ahead - 1, now: NOW + 20_000 }));
        for (const when of ["at first", "after an answer"]) {
          const fits = await site.page.evaluate((size) => {
            document.documentElement.style.fontSize = `calc(1.0625 * 16px * ${Number.parseInt(size, 10) / 100})`;
            const number = document.getElementById("number");
            if (number === null) return null;
            const range = document.createRange();
            range.selectNodeContents(number);
            const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
            return [lines, range.getBoundingClientRect().width <= number.getBoundingClientRect().width + 1];
          }, text);
          expect(fits, `${ahead} ${position}, ${width} px, ${text}, ${when}`).toEqual([1, true]);
          if (position === "exact") expect(await site.text("number")).toBe((when === "at first" ? ahead : ahead - 1).toLocaleString("en"));
          await site.pass(20_000);
        }
      }
      await site.context.close();
    }
  });
});

describe("nothing moves by itself", () => {
  const PLACES = ["#heading", "#body", "#check", "footer"];

  test("[PAGE-37] when the script begins, late as it may be, it finds the room for all that it shows", async () => {
    for (const kind of ["waiting", "lobby", "in-app", "left", "joining", "sold-out"] as const) {
      for (const width of [320, 1_280]) {
        const site = await openSite(
          browser,
          { status: STATES[kind] },
          { viewport: { width, height: 640 }, timezoneId: "UTC", locale: "en-US" },
        );
        let arrives: () => void = () => undefined;
        const arrival = new Promise<void>((resolve) => {
          arrives = resolve;
        });
        await site.context.route("**/assets/wait*", async (route) => {
          await arrival;
          await route.fallback();
        });
        await site.page.clock.install({ time: NOW });
        await site.page.goto(SITE + PATH, { waitUntil: "commit" });
        await site.page.locator("footer").waitFor();
        // Times of day are told once the visitor's zone is known: a longer line, which is not the script's room.
        const clockless = () =>
          site.page.evaluate(() => {
            const line = document.getElementById("estimate");
            if (line !== null) line.textContent = "Estimated wait";
            const starts = document.getElementById("body");
            if (starts !== null) starts.textContent = "It starts.";
          });
        await clockless();
        const before = await topsOf(site.page, PLACES);
        expect(await site.page.locator("#updates").isVisible()).toBe(false);
        arrives();
        await site.page.waitForFunction(() => document.documentElement.dataset["live"] === "1");
        await clockless();
        expect(await topsOf(site.page, PLACES), `${kind}, ${width} px`).toEqual(before);
        await site.context.close();
      }
    }
  });

  test("[PAGE-37] [PAGE-13] the seconds of the notice run in a line of their own", async () => {
    const site = await openSite(browser, { status: { ...STATES.called, extendable: true } }, { viewport: { width: 768, height: 640 } });
    await site.open();
    const buttons = ["#enter", "#stay", "#extend"];
    const before = await topsOf(site.page, buttons);
    const lefts = () => site.page.evaluate(() => document.getElementById("stay")?.getBoundingClientRect().left);
    const left = await lefts();
    await site.page.evaluate(() => {
      const soon = document.getElementById("soon");
      if (soon !== null) soon.textContent = "0";
    });
    expect([await topsOf(site.page, buttons), await lefts()]).toEqual([before, left]);
    await site.context.close();
  });
});

describe("what is there to do", () => {
  /** The one filled button. */
  const filled = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll("button, .button")]
        .filter((each) => each.checkVisibility() && each.matches(".acts *") && !each.classList.contains("plain"))
        .map((each) => each.textContent),
    );

  test("[PAGE-37] [PAGE-6] [GATE-61] of several buttons one stands out: what the words advise", async () => {
    const rows = [
      ["in-app", english.copyLink],
      ["invitation-needed", english.useInvitation],
      ["invitation-bad", english.useInvitation],
      ["identity-needed", english.logIn],
      ["rejected", english.tryAgain],
      ["called", english.enter],
      ["left", english.join],
    ] as const;
    const site = await openSite(browser, { status: status() });
    await site.open();
    for (const [kind, name] of rows) {
      site.serve({ status: STATES[kind], loginUrl: "/login" });
      await site.page.goto(SITE + PATH);
      expect(await filled(site.page), kind).toEqual([name]);
    }
    await site.context.close();
  });

  test("[PAGE-37] [PAGE-34] that the connection is lost is said above the line that tells how old the page is, within a small phone's first screen", async () => {
    const site = await openSite(browser, { status: status() }, { viewport: { width: 375, height: 700 } });
    await site.open();
    await site.context.setOffline(true);
    await expect.poll(() => site.page.locator("#trouble").isVisible()).toBe(true);
    const box = await site.page.locator("#trouble").boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? Number.NaN)).toBeLessThan(700);
    expect(await gap(site.page, "#trouble", ".fresh")).toBeGreaterThan(8);
    await site.context.close();
  });

  test("[PAGE-5] [PAGE-19] [PAGE-20] nothing touches its neighbour: reloading without scripts, a check that works, the menu of languages", async () => {
    const viewport = { width: 375, height: 640 };
    const still = await openSite(browser, { status: status() }, { javaScriptEnabled: false, viewport });
    await still.page.goto(SITE + PATH);
    expect(await gap(still.page, "#place", "footer noscript p")).toBeGreaterThan(8);
    await still.context.close();

    const site = await openSite(browser, { status: { ...STATES.challenge, pollAfterMs: 900_000 } }, { viewport });
    await site.open("live");
    await site.page.locator("#proof button").waitFor();
    for (const [above, below] of [
      ["#body", "#proof progress"],
      ["#proof progress", "#proof p"],
      ["#proof p", "#proof button"],
    ] as const)
      expect(await gap(site.page, above, below), below).toBeGreaterThan(8);

    // The button that pauses updates is large enough for a finger, and its line is no higher than the others.
    await site.page.locator("#pause").click();
    expect((await site.page.locator("#pause").boundingBox())?.height).toBeGreaterThanOrEqual(40);
    const lines = await site.page
      .locator("#updates")
      .evaluate((words) => words.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(words).lineHeight));
    expect(lines).toBeGreaterThan(1.9);
    expect(Math.abs(lines - Math.round(lines))).toBeLessThan(0.05);

    await site.page.locator("#languages summary").click();
    const [box, first] = [
      await site.page.locator("#languages").boundingBox(),
      await site.page.locator("#languages a").first().boundingBox(),
    ];
    expect((first?.x ?? 0) - (box?.x ?? Number.NaN)).toBeGreaterThan(8);
    expect(
      await site.page
        .locator("#languages li")
        .first()
        .evaluate((item) => getComputedStyle(item).listStyleType),
    ).toBe("none");
    await site.context.close();
  });
});
