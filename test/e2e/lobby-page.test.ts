/** The pages around a draw in a real browser: the lobby's phases as data, and the page that checks a draw. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assets } from "../../src/assets";
import { toHex } from "../../src/core/bytes";
import type { DrawRecord, ListedBatch } from "../../src/core/draw";
import { slotOf } from "../../src/core/draw-sync";
import type { VerifyData } from "../../src/core/verify-data";
import { pageReply } from "../../src/http/replies";
import { renderVerifyPage } from "../../src/routes/verify-page";
import { problems } from "../support/axe";
import { launchChromium } from "../support/chromium";
import { drawn } from "../support/drawn";
import { openSite, SITE } from "../support/page-site";
import { EVENT, NOW, STATES, status } from "../support/page-states";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
});

const lobby = (leftMs: number, over: Partial<typeof STATES.lobby> = {}) => ({
  ...STATES.lobby,
  now: EVENT.startsAt - leftMs,
  pollAfterMs: 20_000,
  ...over,
});

describe("the lobby", () => {
  test("[PAGE-16] C76 C77 counts down on the server's time in the visitor's zone, and every phase comes without a reload", async () => {
    // The visitor's own date is a day wrong.
    const options = { timezoneId: "Asia/Tokyo", locale: "en-GB", clock: NOW - 86_400_000 };
    const site = await openSite(browser, { status: lobby(90_000) }, options);
    await site.open();
    expect(await site.text("starts")).toBe("Starts in 1 minute, 30 seconds");
    expect(await site.page.locator("#body").textContent()).toMatch(/18:33 GMT\+9.*10:33 \(UTC\+01:00\).*18,312 people have entered/);
    expect(await site.page.locator("#calendar").getAttribute("href")).toContain("/rooms/demo/calendar.ics?to=%2Ftickets");
    expect(await site.page.locator("#draw").getAttribute("href")).toBe("/__vestibule/rooms/demo/draws/7/verify");
    site.answer(lobby(70_000));
    await site.pass(9_500);
    expect(await site.text("starts")).toBe("Starts in 1 minute, 21 seconds");
    await site.pass(10_500);
    expect(await site.text("starts")).toBe("Starts in 1 minute, 10 seconds");
    site.answer(lobby(0));
    await site.pass(20_000);
    expect(await site.text("starts")).toBe("Starting now. Your place follows in a moment.");
    site.answer({ ...STATES.drawing, pollAfterMs: 5_000 });
    await site.pass(20_000);
    expect(await site.text("heading")).toBe("Drawing places…");
    expect(await site.page.locator("#starts").isVisible()).toBe(false);
    site.answer(status({ ahead: 4_000, draw: { id: 7, entry: 4_711 } }));
    await site.pass(5_000);
    expect(await site.text("number")).toBe("4,000");
    expect(await site.text("draw")).toBe("How your place was drawn");
    expect(site.loads).toHaveLength(1);
    expect(site.faults).toEqual([]);
    await site.context.close();
  });

  test("[PAGE-17] says the last minutes and a start that was moved; each second is silent", async () => {
    const site = await openSite(browser, { status: lobby(302_000, { pollAfterMs: 400_000 }) });
    await site.open();
    const said: string[] = [];
    await site.page.exposeFunction("heard", (text: string) => said.push(text));
    await site.page.evaluate(() => {
      const live = document.getElementById("live");
      const { heard } = globalThis as unknown as { heard: (text: string) => void };
      if (live !== null) new MutationObserver(() => heard(live.textContent ?? "")).observe(live, { childList: true });
    });
    await site.pass(275_000);
    await expect.poll(() => said).toEqual(["Starts in 5 minutes", "Starts in 1 minute", "Starts in 30 seconds"]);
    const moved = { ...EVENT, startsAt: EVENT.startsAt + 900_000, plannedAt: EVENT.startsAt };
    site.answer(lobby(27_000, { event: moved, reason: "delayed", pollAfterMs: 400_000 }));
    await site.page.locator("#check").click();
    await site.pass(0);
    await expect.poll(() => said.at(-1)).toMatch(/^It starts later than planned\. .*It now starts on/);
    site.answer(lobby(20_000, { event: { ...moved, startsAt: moved.startsAt + 60_000 }, reason: "delayed", pollAfterMs: 400_000 }));
    await site.page.locator("#check").click();
    await site.pass(0);
    await expect.poll(() => said.length).toBe(5);
    await site.context.close();
  });

  test("[PAGE-16] called off: the operator's words, and asking stops; the lobby can be left, with its own consequence", async () => {
    const site = await openSite(browser, { status: lobby(900_000) });
    await site.open();
    expect(await site.text("leaving")).toContain("Your entry stays counted");
    site.answer(STATES.cancelled);
    await site.pass(20_000);
    expect(await site.text("heading")).toBe("This has been called off");
    expect(await site.text("said")).toBe("The hall is closed. Tickets stay valid.");
    expect(await site.page.locator("#join").isVisible()).toBe(true);
    const asked = site.calls.length;
    await site.pass(600_000);
    expect(site.calls).toHaveLength(asked);
    await site.context.close();
  });

  test("[PAGE-5] [PAGE-16] without scripts the lobby is complete in the event's time, and reloads as told", async () => {
    const site = await openSite(browser, { status: lobby(725_000) }, { javaScriptEnabled: false });
    await site.page.goto(SITE);
    expect(await site.text("starts")).toBe("Starts in 12 minutes, 5 seconds");
    expect(await site.page.locator("#body").textContent()).toMatch(
      /It starts on Sun,? Nov 29,? 10:33\sAM \(UTC\+01:00\)|10:33 \(UTC\+01:00\)/,
    );
    expect(await site.page.locator("#calendar").isVisible()).toBe(true);
    expect(await site.page.content()).toContain('http-equiv="refresh" content="20;');
    await site.context.close();
  });
});

interface Shown {
  readonly record?: (record: DrawRecord) => unknown;
  readonly batches?: (batches: readonly ListedBatch[]) => readonly ListedBatch[];
  /** How often the list is refused before it is shown. */
  readonly refusals?: number;
  readonly own?: (own: NonNullable<VerifyData["own"]>) => VerifyData["own"];
}

/** The verify page over an honest draw of 20, changed as `shown` says. */
async function openVerify(shown: Shown = {}): Promise<{ page: Page; close: () => Promise<void>; said: () => Promise<string> }> {
  const made = drawn("demo", { count: 20 });
  const module = await readFile(fileURLToPath(new URL(`../../dist/static${assets.verify}`, import.meta.url)), "utf8");
  const own = { entry: 4, slot: slotOf(made.places, 4), chain: toHex(Buffer.from(made.chainAfter(4), "base64url")) };
  const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  const api = "/__vestibule/rooms/demo/draws/7";
  let { refusals = 0 } = shown;
  await context.route("**/*", async (route) => {
    const url = new URL(route.request().url());
    if (url.pathname === assets.verify) return route.fulfill({ body: module, contentType: "text/javascript" });
    if (url.pathname === api) return route.fulfill({ json: shown.record?.(made.record) ?? made.record });
    if (url.pathname === `${api}/batches` && refusals > 0) {
      refusals -= 1;
      return route.fulfill({ status: 503, headers: { "Retry-After": "1" } });
    }
    if (url.pathname === `${api}/batches`) {
      const all = shown.batches?.(made.batches) ?? made.batches;
      const some = all.filter(({ first }) => first >= Number(url.searchParams.get("from"))).slice(0, 2);
      return route.fulfill({ contentType: "text/plain", body: some.map(({ first, digest }) => `${first} ${digest}\n`).join("") });
    }
    const view = {
      id: 7,
      room: "demo",
      title: "Demo shop",
      nonce: "n1",
      pending: null,
      own: shown.own === undefined ? own : shown.own(own),
      receipt: "receipt.e30",
    };
    const reply = pageReply(renderVerifyPage(view), "n1", { status: 200 });
    return route.fulfill({ status: 200, headers: Object.fromEntries(reply.headers), body: await reply.text() });
  });
  await page.goto(`${SITE}${api}/verify`);
  const said = async () => (await page.locator("#result").textContent()) ?? "";
  return { page, said, close: () => context.close() };
}

describe("the verify page", () => {
  test("[PAGE-18] computes the visitor's own place again and says that it follows, with list and receipt on request", async () => {
    const { page, said, close } = await openVerify({ refusals: 1 });
    await expect.poll(said).toMatch(/^It follows\. Your entry 4 of 20 is drawn to place \d+ of this draw.*no public random number/);
    await page.locator("#list").click();
    await expect.poll(said).toMatch(/It follows.*leads to the chain in the record\.Your receipt stands in it/);
    expect(await problems(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    // What became of the visitor's own entry is on the first screen; how it works comes after it.
    const [verdict, how] = [await page.locator("#result").boundingBox(), await page.locator("ol").boundingBox()];
    expect(verdict?.y).toBeLessThan(320);
    expect(how?.y).toBeGreaterThan((verdict?.y ?? 0) + (verdict?.height ?? 0));
    await close();
  });

  test("[PAGE-18] a place that does not follow from the record is said so, and does not look as if it did", async () => {
    const { page, said, close } = await openVerify({ own: (own) => ({ ...own, slot: (own.slot ?? 0) + 1 }) });
    await expect.poll(said).toMatch(/^It does not follow: by this record entry 4 has place \d+ in line, but you were given \d+\./);
    expect(await page.locator("#result").getAttribute("class")).toBe("box bad");
    await page.locator("#entry").fill("5");
    await page.locator("#ask button").first().click();
    await expect.poll(said).toMatch(/^Entry 5 of 20 is drawn/);
    expect(await page.locator("#result").getAttribute("class")).toBe("box");
    await close();
  });

  test("[PAGE-18] without an entry of one's own any number can be asked; one that is not in the draw is refused", async () => {
    const { page, said, close } = await openVerify({ own: () => null });
    expect([await said(), (await page.locator("#result").boundingBox())?.height]).toEqual(["", 0]);
    expect((await page.locator("ol").boundingBox())?.y).toBeLessThan((await page.locator("#entry").boundingBox())?.y ?? 0);
    await page.locator("#entry").fill("19");
    await page.locator("#ask button").first().click();
    await expect.poll(said).toMatch(/^Entry 19 of 20 is drawn to place \d+ of this draw, which is place \d+ in line/);
    await page.locator("#entry").fill("20");
    await page.locator("#ask button").first().click();
    await expect.poll(said).toMatch(/^The record of 20 entries holds.*It has no such entry\./);
    expect(await page.locator("#result").getAttribute("class")).toBe("box");
    // The list alone, and somebody who asks for something else while it comes.
    await page.locator("#entry").fill("");
    await page.locator("#list").click();
    await expect.poll(said).toMatch(/^The record of 20 entries holds.*entries leads to the chain in the record\./);
    expect(await said()).not.toContain("no such entry");
    await close();
  });

  test("[PAGE-18] what was asked last is what is told, and an own entry that the record does not have is a fault of the record", async () => {
    const slow = await openVerify({ own: () => null, refusals: 2 });
    await slow.page.locator("#list").click();
    await slow.page.locator("#entry").fill("3");
    await slow.page.locator("#ask button").first().click();
    await expect.poll(slow.said).toMatch(/^Entry 3 of 20/);
    await slow.page.waitForTimeout(3_500);
    expect(await slow.said()).toMatch(/^Entry 3 of 20/);
    await slow.close();
    const { page, said, close } = await openVerify({ own: (own) => ({ ...own, entry: 20 }) });
    await expect.poll(said).toMatch(/^This record does not hold:It has no such entry\./);
    expect(await page.locator("#result").getAttribute("class")).toBe("box bad");
    await close();
  });

  const other = "00".repeat(32);
  test.each<[string, Shown, RegExp]>([
    ["count", { record: (record) => ({ ...record, count: 21 }) }, /does not hold/],
    ["base", { record: (record) => ({ ...record, base: 0 }) }, /does not hold/],
    ["salt", { record: (record) => ({ ...record, salt: other }) }, /not the one that was sealed/],
    ["seed", { record: (record) => ({ ...record, seed: other }) }, /seed does not follow/],
    ["chain", { record: (record) => ({ ...record, chain: other }) }, /does not hold/],
    ["a missing field", { record: ({ closedAt: _, ...rest }) => rest }, /lacks something/],
    ["no record", { record: () => "gone" }, /lacks something/],
  ])("[PAGE-18] a record with another %s is found", async (_, shown, words) => {
    const { said, close } = await openVerify(shown);
    await expect.poll(said).toMatch(words);
    expect(await said()).not.toContain("It follows");
    await close();
  });

  test("[PAGE-18] a list that lacks a batch, and a receipt that is not in it, are found", async () => {
    const short = await openVerify({ batches: (batches) => batches.slice(0, -1) });
    await short.page.locator("#list").click();
    await expect.poll(short.said).toContain("leads to another chain");
    await short.close();
    const forged = await openVerify({ own: (own) => ({ ...own, chain: other }) });
    await forged.page.locator("#list").click();
    await expect.poll(forged.said).toContain("Your receipt does not stand in the list");
    await forged.close();
  });
});
