/**
 * What docs/accessibility.md says was checked: axe in every state, the keyboard, zoom, text spacing, forced colours and motion, on the waiting
 * page in a real browser. Axe finds about half of what people meet; the rest of the statement says what nobody has tried yet.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { words as arabic } from "../../src/core/languages/ar";
import { english } from "../../src/core/languages/en";
import { KINDS } from "../../src/core/words";
import { problems, WCAG } from "../support/axe";
import { launchChromium } from "../support/chromium";
import { openSite, SITE } from "../support/page-site";
import { NOW, STATES, status } from "../support/page-states";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
});

/** A scheme changes nothing else. */
const CONTRAST = { type: "rule" as const, values: ["color-contrast"] };
/** Nor does the direction, but for where things lie and the language that they are in. Axe finds no fault with the colour of Arabic whatever it is. */
const DIRECTION = { type: "rule" as const, values: ["target-size", "html-has-lang", "html-lang-valid", "valid-lang"] };
const PHONE = { width: 320, height: 640 };
/** No place to break it at. */
const LONG = "Rhabarberbarbarabarbarbarenbartbarbierbierbarbaerbel";
const RIGHT_TO_LEFT = { spoken: { lang: "ar", dir: "rtl", words: arabic } } as const;
/** Nothing is due while somebody looks: axe needs the browser's own clock. */
const still = (kind: (typeof KINDS)[number]) => ({ ...STATES[kind], dueInMs: 900_000, pollAfterMs: 900_000, extendable: true as const });
const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
const openAll = (page: Page) =>
  page.locator("summary").evaluateAll((all) => {
    for (const summary of all) if (summary.checkVisibility()) (summary as HTMLElement).click();
  });

/** The document without its words: two of one shape, shown alike, are the same to axe. Of a text or a value for people only whether there is one. */
function shapeOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const told = ["alt", "aria-label", "content", "datetime", "href", "nonce", "placeholder", "src", "title", "value"];
    const shape = document.documentElement.cloneNode(true) as HTMLElement;
    const texts = document.createTreeWalker(shape, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.nodeValue = texts.currentNode.nodeValue?.trim() ? "x" : "";
    for (const each of shape.querySelectorAll("*"))
      for (const { name, value } of each.attributes) if (told.includes(name) && value !== "") each.setAttribute(name, "x");
    return shape.outerHTML;
  });
}

describe("every state", () => {
  for (const dir of ["ltr", "rtl"] as const) {
    test(`[PAGE-15] axe finds nothing, light or dark, and 320 px are enough: ${dir}`, async () => {
      const view = dir === "rtl" ? RIGHT_TO_LEFT : {};
      const site = await openSite(browser, { status: STATES.waiting, ...view }, { viewport: PHONE });
      await site.open("live");
      // Axe takes most of the time, and says the same of states that differ in nothing but words.
      const seen = new Set<string>();
      for (const kind of KINDS) {
        site.serve({ status: { ...still(kind), messageAt: NOW }, title: LONG, ...view });
        site.answer(still(kind));
        await site.page.goto(`${SITE}/${kind}`);
        await openAll(site.page);
        const shape = await shapeOf(site.page);
        if (!seen.has(shape)) {
          seen.add(shape);
          await site.page.emulateMedia({ colorScheme: "light" });
          expect(await problems(site.page, dir === "ltr" ? WCAG : DIRECTION), kind).toEqual([]);
          await site.page.emulateMedia({ colorScheme: "dark" });
          if (dir === "ltr") expect(await problems(site.page, CONTRAST), `${kind}, dark`).toEqual([]);
        }
        expect(await widthOf(site.page), kind).toBeLessThanOrEqual(320);
        if (dir === "rtl") expect(await site.text("heading"), kind).toMatch(/[\u0600-\u06ff]/);
      }
      if (dir === "rtl") {
        const places = await site.page.evaluate(() => [
          getComputedStyle(document.querySelector("main") as Element).direction,
          (document.querySelector("#heading") as Element).getBoundingClientRect().right > 280,
        ]);
        expect(places).toEqual(["rtl", true]);
      }
      expect([seen.size > 20, site.faults]).toEqual([true, []]);
      await site.context.close();
    });
  }

  test("[PAGE-15] in forced colours and with a form the page passes axe too; motion is not used where it is declined", async () => {
    const resubmit = { action: "/order", enctype: "text/plain", fields: [["a", "b"]] } as const;
    const site = await openSite(
      browser,
      { status: STATES.inside, method: "POST", resubmit },
      { forcedColors: "active", reducedMotion: "reduce" },
    );
    await site.open("live");
    expect(await problems(site.page, WCAG)).toEqual([]);
    const moving = await site.page.evaluate(
      () =>
        [...document.styleSheets]
          .flatMap((sheet) => [...sheet.cssRules])
          .filter((rule) => {
            const still = rule instanceof CSSMediaRule && !matchMedia(rule.conditionText).matches;
            return !still && /transition|animation/.test(rule.cssText);
          }).length,
    );
    expect(moving).toBe(0);
    await site.context.close();
  });

  test("[PAGE-32] [PAGE-30] the ways to be called, and a turn that somebody stays for, pass axe too", async () => {
    const site = await openSite(browser, { status: { ...still("waiting") } }, { viewport: PHONE });
    await site.open("live");
    await site.page.getByText(english.alerts.me).click();
    await site.page.getByLabel(english.alerts.sound).waitFor();
    expect(await problems(site.page, WCAG)).toEqual([]);
    site.answer({ ...still("called"), validForMs: 900_000 });
    await site.page.locator("#check").click();
    await site.page.getByRole("button", { name: english.stayOn }).click();
    await site.page.locator("#left").waitFor();
    expect([await problems(site.page, WCAG), await widthOf(site.page)]).toEqual([[], 320]);
    await site.context.close();
  });
});

/** What Tab reaches, from the top of the page to its end: name, place, and whether its focus is seen. */
async function walk(page: Page): Promise<{ name: string; top: number; left: number; isSeen: boolean }[]> {
  const steps = [];
  // From where people begin, wherever the page had put the focus.
  await page.locator("#heading").focus();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const step = await page.evaluate(() => {
      const at = document.activeElement;
      if (at === null || at === document.body) return null;
      const { top, left, width, height } = at.getBoundingClientRect();
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      const top2 = document.elementFromPoint(left + width / 2, top + height / 2);
      return {
        name: (at.textContent?.trim() || at.parentElement?.textContent?.trim()) ?? "",
        top: top + scrollY,
        left: left + scrollX,
        // Not hidden behind anything (WCAG 2.4.11), and with a mark of its own (2.4.7).
        isSeen:
          outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2 && top2 !== null && (at.contains(top2) || top2.contains(at)),
      };
    });
    if (step === null) break;
    steps.push(step);
  }
  return steps;
}

/** Everything that can be pressed, as somebody with a mouse sees it. */
const pressable = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll("a, button, input, summary")].filter((each) => each.checkVisibility()).length);

describe("by keyboard", () => {
  test("[PAGE-35] everything is reached in the order of reading, with a focus that is seen, and nothing holds it", async () => {
    const site = await openSite(browser, { status: STATES.waiting }, { viewport: { width: 800, height: 600 } });
    await site.open("live");
    for (const kind of ["waiting", "called", "lobby", "left", "void", "invitation-needed", "in-app"] as const) {
      site.serve({ status: still(kind) });
      site.answer(still(kind));
      await site.page.goto(`${SITE}/${kind}`);
      await site.page.waitForFunction(() => document.documentElement.dataset["live"] === "1");
      const steps = await walk(site.page);
      expect(steps.length, kind).toBe(await pressable(site.page));
      expect(
        steps.filter(({ isSeen }) => !isSeen),
        kind,
      ).toEqual([]);
      const order = steps.toSorted((a, b) => (Math.abs(a.top - b.top) < 24 ? a.left - b.left : a.top - b.top));
      expect(
        steps.map(({ name }) => name),
        kind,
      ).toEqual(order.map(({ name }) => name));
    }
    await site.context.close();
  });

  test("[PAGE-35] [PAGE-6] the ways to be called, staying, pausing and leaving are done without a mouse", async () => {
    const site = await openSite(browser, { status: status({ pollAfterMs: 900_000 }) });
    await site.open("live");
    const { page } = site;
    const press = async (name: string, key: string) => {
      await page.getByText(name, { exact: true }).focus();
      await page.keyboard.press(key);
    };
    await press(english.alerts.me, "Enter");
    await page.getByLabel(english.alerts.screen).waitFor();
    await page.getByLabel(english.alerts.sound).focus();
    await page.keyboard.press("Space");
    expect(await page.getByLabel(english.alerts.sound).isChecked()).toBe(true);
    await press(english.pauseUpdates, "Enter");
    await press(english.showUpdates, "Space");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(english.pauseUpdates);
    site.answer({ ...STATES.called, pollAfterMs: 900_000 });
    await press(english.check, "Enter");
    await page.waitForFunction(() => document.activeElement?.id === "enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(english.stayOn);
    await page.keyboard.press("Space");
    await page.locator("#left").waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("enter");
    await press(english.leave, "Enter");
    site.serve({ status: STATES.left });
    await press(english.leaveConfirm, "Enter");
    await page.getByRole("heading", { name: english.kinds.left.heading }).waitFor();
    await site.context.close();
  });
});

describe("larger, wider, nearer", () => {
  const WAYS_TO_READ = [
    ["400 % zoom of 1280 × 1024", { width: 320, height: 256 }, ""],
    ["text at 200 %", { width: 640, height: 512 }, "html{font-size:2.125rem}"],
    [
      "text spacing",
      PHONE,
      "*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-block-end:2em!important}",
    ],
  ] as const;
  for (const [name, viewport, css] of WAYS_TO_READ) {
    test(`[PAGE-35] ${name}: nothing is cut off, nothing scrolls sideways`, async () => {
      const site = await openSite(browser, { status: STATES.waiting }, { viewport });
      await site.open("live");
      for (const kind of ["waiting", "called", "lobby", "delayed", "missed-others", "challenge", "invitation-needed"] as const) {
        site.serve({ status: { ...still(kind), message: "The shop opens late today." }, title: LONG });
        site.answer(still(kind));
        await site.page.goto(`${SITE}/${kind}`);
        await openAll(site.page);
        const cut = await site.page.evaluate((css) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(css);
          document.adoptedStyleSheets = [sheet];
          const shown = [...document.querySelectorAll("body *:not(.sr)")].filter((each) => each.checkVisibility());
          return shown
            .filter(
              (each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 && getComputedStyle(each).overflowX !== "visible",
            )
            .map((each) => each.outerHTML.slice(0, 80));
        }, css);
        expect(cut, kind).toEqual([]);
        expect(await widthOf(site.page), kind).toBeLessThanOrEqual(viewport.width);
      }
      await site.context.close();
    });
  }
});
