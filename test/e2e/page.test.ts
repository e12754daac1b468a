/** The waiting page in a real browser, alone: what it shows, asks, announces and does when the turn comes. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assets } from "../../src/assets";
import { makePow } from "../../src/challenge/pow";
import { english } from "../../src/core/languages/en";
import type { Altcha } from "../../src/core/proof";
import type { Status } from "../../src/core/status";
import { pageReply } from "../../src/http/replies";
import { importKeyRing, newVisitorKey } from "../../src/keys";
import { renderPage } from "../../src/routes/page";
import { problems, WCAG } from "../support/axe";
import { launchChromium } from "../support/chromium";
import { type Call, openSite, PATH, SITE } from "../support/page-site";
import { NOW, STATES, status } from "../support/page-states";
import { TEST_KEYS } from "../support/worker";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
});

async function listen(handler: RequestListener): Promise<{ url: string; close: () => Promise<unknown> }> {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
    return once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}/`, close };
}

describe("texts from outside", () => {
  test("[PAGE-8] W2 hostile texts make no element, run nothing and break no policy, at first and after an update", async () => {
    const text =
      "</script></title><img src=x onerror=globalThis.owned=1><svg onload=globalThis.owned=1>\"'><script>globalThis.owned=1</script>";
    const hostile = status({ message: text });
    const quiet = await openSite(browser, { status: status({ message: "m" }) });
    const site = await openSite(browser, { status: hostile, title: text, returnTo: `/x${text}` });
    await quiet.open();
    await site.open();
    const elements = () => [...document.querySelectorAll("*")].map((element) => element.localName);
    const before = await quiet.page.evaluate(elements);
    expect(await site.page.evaluate(elements)).toEqual(before);
    expect(await site.text("said")).toBe(text);
    site.answer(status({ message: `${text}!`, ahead: 9 }));
    await site.pass(20_000);
    expect(await site.text("said")).toBe(`${text}!`);
    expect(await site.page.evaluate(elements)).toEqual(before);
    expect(await site.page.evaluate(() => "owned" in globalThis)).toBe(false);
    expect(site.faults).toEqual([]);
    await quiet.context.close();
    await site.context.close();
  });
});

describe("in the browser of another app", () => {
  test("[GATE-61] the page offers its link and to stay, and joins by itself when the hint is over", async () => {
    const site = await openSite(browser, { status: STATES["in-app"] });
    await site.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await site.open();
    expect(await site.page.locator("#join button").textContent()).toBe("Stay here");
    await site.page.locator("#copy").click();
    await expect.poll(() => site.text("copy")).toBe("Copied");
    expect(await site.page.evaluate(() => navigator.clipboard.readText())).toBe("https://shop.test/tickets?day=2");
    site.answer(status());
    await site.pass(14_999);
    expect(site.calls).toEqual([]);
    await site.pass(1);
    expect(site.calls[0]).toMatchObject({ method: "POST", path: "/__vestibule/rooms/demo/join" });
    expect(await site.text("heading")).toBe("You are in line");
    expect(await site.page.locator("#copy").isVisible()).toBe(false);
    site.answer(STATES["turn-over"]);
    await site.page.locator("#check").click();
    await site.pass(0);
    expect(await site.page.locator("#join button").textContent()).toBe("Join again");
    expect(site.faults).toEqual([]);
    await site.context.close();
  });

  test("[GATE-61] where the clipboard is shut the link can be copied by hand", async () => {
    const site = await openSite(browser, { status: STATES["in-app"] });
    await site.open();
    await site.page.evaluate(() =>
      Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("not allowed")) } }),
    );
    await site.page.locator("#copy").click();
    await expect.poll(() => site.page.locator("input#copy").inputValue()).toBe("https://shop.test/tickets?day=2");
    expect(await site.page.locator("input#copy").getAttribute("aria-label")).toBe("Copy link");
    expect(await site.page.evaluate(() => getSelection()?.toString())).toBe("https://shop.test/tickets?day=2");
    await site.context.close();
  });
});

describe("while waiting", () => {
  test("[PAGE-10] [PAGE-11] T6 asks as told, lowers the number, never raises it, and shows the time of the server", async () => {
    // The visitor's own date is a day wrong: nothing shown or done may follow it.
    const site = await openSite(
      browser,
      { status: status({ ahead: 400 }) },
      { timezoneId: "Europe/Berlin", locale: "en-GB", clock: NOW - 86_400_000 },
    );
    await site.open();
    expect(await site.text("updated")).toBe("Last update 10:21:07");
    expect(await site.page.locator("#way").getAttribute("value")).toBe("0");
    site.answer(status({ ahead: 300, pollAfterMs: 8_000, now: NOW + 20_000 }));
    await site.pass(19_999);
    expect(site.calls).toHaveLength(0);
    await site.pass(1);
    expect(site.calls).toEqual([{ method: "GET", path: "/__vestibule/rooms/demo/status", body: null }]);
    expect(await site.text("number")).toBe("300");
    expect(await site.page.title()).toBe("300 ahead · You are in line – Demo shop");
    expect(await site.text("updated")).toBe("Last update 10:21:27");
    site.answer(status({ ahead: 350, pollAfterMs: 8_000 }));
    await site.pass(8_000);
    expect(site.calls).toHaveLength(2);
    expect(await site.text("number")).toBe("300");
    expect(await site.page.locator("#way").getAttribute("value")).toBe("25");
    await site.page.reload();
    expect(await site.text("number")).toBe("300");
    site.answer(status({ slot: 9_000, ahead: 800, reason: "restarted" }));
    await site.page.locator("#check").click();
    await site.pass(0);
    expect(await site.text("number")).toBe("800");
    expect(await site.text("heading")).toBe("The waiting room was restarted");
    await site.context.close();
  });

  test("[PAGE-23] [PAGE-24] the number walks to what was told, not for another place or unseen; a longer estimate is explained", async () => {
    const site = await openSite(browser, { status: status({ ahead: 400 }) }, { reducedMotion: "no-preference" });
    await site.open();
    site.answer(status({ ahead: 300, eta: { minSeconds: 1_500, maxSeconds: 1_900 } }));
    await site.pass(20_000);
    expect(await site.text("number")).toBe("400");
    expect(await site.page.title()).toMatch(/^300 ahead/);
    expect(await site.text("body")).toContain("The line has slowed down");
    await site.pass(10_000);
    expect(await site.text("number")).toBe("350");
    // Another answer on the way: from where it is.
    site.answer(status({ ahead: 100 }));
    await site.page.locator("#check").click();
    await site.pass(0);
    expect(await site.text("number")).toBe("350");
    await site.pass(19_000);
    expect(Number(await site.text("number"))).toBeLessThan(120);
    site.answer(status({ ahead: 90, slot: 3_000 }));
    await site.page.locator("#check").click();
    await site.pass(0);
    expect(await site.text("number")).toBe("90");
    await site.look(false);
    site.answer(status({ ahead: 50, slot: 3_000 }));
    await site.pass(20_000);
    expect(await site.text("number")).toBe("50");
    expect(site.faults).toEqual([]);
    await site.context.close();
  });

  test("[PAGE-10] one question at a time, however often the page is looked at", async () => {
    const site = await openSite(browser, { status: status() });
    await site.open();
    let release: () => void = () => undefined;
    site.answer(
      () =>
        new Promise((resolve) => {
          release = () => resolve({ json: status({ ahead: 5 }) });
        }),
    );
    await site.page.clock.runFor(20_000);
    await expect.poll(() => site.calls.length).toBe(1);
    for (let i = 0; i < 3; i++) {
      await site.page.evaluate(() => {
        document.dispatchEvent(new Event("visibilitychange"));
        dispatchEvent(new Event("online"));
        dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
      });
      await site.page.clock.runFor(1_000);
    }
    expect(site.calls).toHaveLength(1);
    release();
    await expect.poll(() => site.text("number")).toBe("5");
    for (const event of ["visibilitychange", "resume", "focus", "online", "pageshow"]) {
      const before = site.calls.length;
      site.answer(status({ ahead: 4 }));
      await site.page.evaluate((name) => {
        if (name === "visibilitychange" || name === "resume") document.dispatchEvent(new Event(name));
        else dispatchEvent(name !== "pageshow" ? new Event(name) : new PageTransitionEvent(name, { persisted: true }));
      }, event);
      await site.pass(0);
      expect(site.calls.length, event).toBe(before + 1);
    }
    await site.context.close();
  });

  test("[PAGE-10] [PAGE-12] C12 backs off without an answer, says so once, honours Retry-After even when looked at, and recovers", async () => {
    const site = await openSite(browser, { status: status({ pollAfterMs: 4_000 }) });
    await site.open();
    site.answer("lost");
    const times: number[] = [];
    for (let second = 1; second <= 120; second++) {
      const before = site.calls.length;
      await site.pass(1_000);
      if (site.calls.length > before) times.push(second);
    }
    // 4 s as told, then 8, 16, 32, 60 s, of each three quarters with the middle of the jitter.
    expect(times).toEqual([4, 10, 22, 46, 91]);
    expect(await site.text("trouble")).toBe("No answer just now. This page keeps trying. You keep your place.");
    expect(await site.text("live")).toBe("No answer just now. This page keeps trying. You keep your place.");
    expect(await site.text("number")).toBe("1,204");

    site.answer({ status: 503, json: { code: "busy" }, retryAfter: "100" });
    await site.look(true);
    await site.pass(0);
    const asked = site.calls.length;
    site.answer(status({ ahead: 1_000 }));
    await site.look(true);
    await site.pass(100_000);
    expect(site.calls).toHaveLength(asked);
    await site.pass(13_000);
    expect(site.calls).toHaveLength(asked + 1);
    expect(await site.text("number")).toBe("1,000");
    expect(await site.page.locator("#trouble").isVisible()).toBe(false);
    expect(await site.text("live")).toBe("You are connected again.");
    await site.context.close();
  });

  test("[PAGE-10] [GATE-60] C12 T11 told that it asks too often, it asks less and says nothing: other tabs ask as well", async () => {
    const site = await openSite(browser, { status: status({ pollAfterMs: 4_000 }) });
    await site.open();
    site.answer({ status: 429, json: { code: "too-often", detail: "…" }, retryAfter: "2" });
    const times: number[] = [];
    for (let second = 1; second <= 30; second++) {
      const before = site.calls.length;
      await site.pass(1_000);
      if (site.calls.length > before) times.push(second);
    }
    // 4 s as told, then half as much again with the middle of the jitter, and no more each time.
    expect(times).toEqual([4, 10, 16, 22, 28]);
    expect([await site.text("trouble"), await site.text("live"), await site.text("number")]).toEqual(["", "", "1,204"]);
    // Pressed again and again it keeps the two seconds.
    const asked = site.calls.length;
    for (let i = 0; i < 5; i++) await site.page.locator("#check").click({ force: true });
    await site.pass(0);
    expect(site.calls).toHaveLength(asked);
    site.answer(status({ ahead: 7 }));
    await site.pass(2_500);
    expect([await site.text("number"), site.calls.length]).toEqual(["7", asked + 1]);
    await site.context.close();
  });

  test("[PAGE-12] the status line is the only polite live region; numbers are not live", async () => {
    const site = await openSite(browser, { status: status() });
    await site.open();
    expect(
      await site.page
        .locator("[aria-live], [role=status], [role=alert], [role=timer], output")
        .evaluateAll((all) => all.map((one) => one.id)),
    ).toEqual(["starts", "alert", "left", "live"]);
    // A timer is silent by its role.
    for (const timer of ["#starts", "#left"]) expect(await site.page.locator(timer).getAttribute("aria-live")).toBeNull();
    site.answer(status({ ahead: 1_000 }));
    await site.pass(20_000);
    expect(await site.text("live")).toBe("");
    site.answer(STATES.paused);
    await site.pass(20_000);
    expect(await site.text("live")).toMatch(/^The line is paused\. Nobody is being let in/);
    await site.context.close();
  });

  test("[PAGE-6] leaving takes two presses, tells what it costs, and sends one form", async () => {
    const site = await openSite(browser, { status: status() });
    await site.open();
    expect(await site.page.getByRole("button", { name: "Yes, give up my place" }).isVisible()).toBe(false);
    await site.page.getByText("Leave the line").click();
    expect(await site.page.getByText("you start at the end of the line").isVisible()).toBe(true);
    site.serve({ status: STATES.left });
    await site.page.getByRole("button", { name: "Yes, give up my place" }).click();
    await expect.poll(() => site.text("heading")).toBe("You left the line");
    expect(site.loads.at(-1)).toBe(`POST /__vestibule/rooms/demo/leave to=${encodeURIComponent(PATH)}`);
    await site.context.close();
  });

  test("[PAGE-13] what is over stops asking; joining asks by joining until there is a place", async () => {
    const site = await openSite(browser, { status: STATES.full });
    await site.open();
    await site.pass(20_000);
    expect(site.calls.map((call) => `${call.method} ${call.path}`)).toEqual(["POST /__vestibule/rooms/demo/join"]);
    site.answer(status());
    await site.pass(20_000);
    await site.pass(20_000);
    expect(site.calls.map((call) => call.method)).toEqual(["POST", "POST", "GET"]);
    expect(await site.text("number")).toBe("1,204");
    site.answer(STATES.flushed);
    await site.pass(20_000);
    expect(await site.text("heading")).toBe("The line was emptied");
    expect(await site.page.getByRole("button", { name: "Join again" }).isVisible()).toBe(true);
    expect(await site.page.locator("#place").isVisible()).toBe(false);
    await site.pass(600_000);
    expect(site.calls).toHaveLength(4);
    await site.context.close();
  });
});

describe("joining without a cookie", () => {
  const needed = { status: 428, json: { ...STATES["cookies-needed"], state: "joining", code: "cookies-needed" }, retryAfter: "60" };

  test("[PAGE-13] the first answer brings the cookie, the next join has it", async () => {
    const site = await openSite(browser, { status: { ...STATES.joining, pollAfterMs: 2_000 }, method: "POST" });
    await site.open();
    site.answer(() => Promise.resolve(site.calls.length === 1 ? needed : { json: status() }));
    await site.pass(2_000);
    expect(await site.text("heading")).toBe("Finding your place");
    await site.pass(0);
    expect(site.calls.map((call) => call.method)).toEqual(["POST", "POST"]);
    expect(await site.text("number")).toBe("1,204");
    await site.context.close();
  });

  test("[PAGE-13] where no cookie is kept, the page says so after the second try and stops", async () => {
    const site = await openSite(browser, { status: { ...STATES.joining, pollAfterMs: 2_000 } });
    await site.open();
    site.answer(needed);
    await site.pass(2_000);
    await site.pass(0);
    expect(await site.text("heading")).toBe("Please allow cookies");
    // Not /__vestibule/check, which would ask for a cookie that it only now sets.
    expect(await site.page.getByRole("link", { name: "Try again" }).getAttribute("href")).toBe(PATH);
    await site.pass(600_000);
    expect(site.calls).toHaveLength(2);
    await site.context.close();
  });
});

describe("the turn", () => {
  test("[PAGE-13] T8 seen: alert, focus on the button, notice, then in, leaving no page of ours in the history", async () => {
    const site = await openSite(browser, { status: status({ ahead: 1 }) });
    await site.open();
    site.answer(STATES.called);
    await site.pass(20_000);
    expect(await site.page.getByRole("alert").textContent()).toContain("It’s your turn");
    expect(await site.page.evaluate(() => document.activeElement?.id)).toBe("enter");
    expect(await site.page.title()).toBe("● Your turn – Demo shop");
    expect(await site.text("soon")).toBe("The site opens in 5 seconds");
    site.serve("site");
    await site.pass(4_000);
    expect(await site.text("soon")).toBe("The site opens in 1 second");
    expect(site.loads).toEqual([PATH]);
    await site.page.clock.runFor(1_000);
    await site.page.waitForFunction(() => document.title === "The site");
    expect(site.loads).toEqual([PATH, PATH]);
    expect(await site.page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
    await site.context.close();
  });

  test("[PAGE-13] the button enters at once; a turn taken back is not entered", async () => {
    const site = await openSite(browser, { status: status({ ahead: 1, pollAfterMs: 3_000 }) });
    await site.open();
    site.answer(STATES.called);
    await site.pass(3_000);
    site.answer(STATES.paused);
    await site.look(true);
    await site.pass(0);
    expect(await site.text("heading")).toBe("The line is paused");
    await site.pass(10_000);
    expect(site.loads).toHaveLength(1);
    // The focused button went away; focus is not lost with it.
    expect(await site.page.evaluate(() => document.activeElement?.id)).toBe("heading");
    site.answer(STATES.called);
    await site.look(true);
    await site.pass(0);
    site.serve("site");
    await site.page.getByRole("link", { name: "Go in now" }).click();
    await site.page.waitForFunction(() => document.title === "The site");
    await site.context.close();
  });

  test("[PAGE-13] T9 C19 hidden: holds the turn, calls by its title, goes on asking; seen again, it asks before it goes in", async () => {
    const site = await openSite(browser, { status: status({ ahead: 1 }) });
    await site.open();
    await site.look(false);
    site.answer({ ...STATES.called, pollAfterMs: 3_000 });
    await site.pass(20_000);
    const asked = site.calls.length;
    for (let i = 0; i < 20; i++) await site.pass(3_000);
    expect(await site.page.title()).toBe("● Your turn – Demo shop");
    expect(site.calls.length).toBe(asked + 20);
    expect(site.loads).toHaveLength(1);
    await site.look(true);
    await site.pass(0);
    expect(site.loads).toHaveLength(1);
    expect(await site.page.evaluate(() => document.activeElement?.id)).toBe("enter");
    site.serve("site");
    await site.page.clock.runFor(5_000);
    await site.page.waitForFunction(() => document.title === "The site");
    await site.context.close();
  });

  test("[PAGE-13] [PAGE-10] T9 in a hidden tab whose timers run once a minute it asks twice within a call, and goes in when looked at", async () => {
    const site = await openSite(browser, { status: status({ pollAfterMs: 3_000 }) });
    await site.open();
    await site.look(false);
    site.answer({ ...STATES.called, holdForMs: 20_000, validForMs: 150_000 });
    const before = site.calls.length;
    // Whatever was due in a minute comes at its end, once.
    for (let minute = 0; minute < 2; minute++) {
      await site.page.clock.fastForward(60_000);
      await site.pass(0);
    }
    expect(site.calls.length - before).toBe(2);
    expect(await site.page.title()).toMatch(/turn/i);
    site.serve("site");
    await site.look(true);
    await site.pass(0);
    await site.page.clock.runFor(5_000);
    await site.page.waitForFunction(() => document.title === "The site");
    await site.context.close();
  });

  test("[PAGE-13] one moment: in when due, again and again, never twice within a second", async () => {
    const site = await openSite(browser, { status: STATES.moment });
    await site.open();
    await site.pass(2_399);
    expect(site.loads).toHaveLength(1);
    site.serve({ status: { ...STATES.moment, dueInMs: 10 } });
    await site.page.clock.runFor(1);
    await expect.poll(() => site.loads.length).toBe(2);
    await site.page.waitForFunction(() => document.documentElement.dataset["live"] === "1");
    await site.pass(999);
    expect(site.loads).toHaveLength(2);
    site.serve("site");
    await site.page.clock.runFor(1);
    await site.page.waitForFunction(() => document.title === "The site");
    await site.context.close();
  });

  test("[PAGE-13] room off: in after the spread that was announced first, whatever later answers say", async () => {
    const site = await openSite(browser, { status: status({ pollAfterMs: 4_000 }) });
    await site.open();
    site.answer({ ...STATES["room-off"], pollAfterMs: 4_000 });
    await site.pass(4_000);
    await site.pass(11_000);
    expect(site.loads).toHaveLength(1);
    site.serve("site");
    await site.page.clock.runFor(1_000);
    await site.page.waitForFunction(() => document.title === "The site");
    await site.context.close();
  });

  test("[PAGE-6] taken over: continue here is a form that comes back to the same page", async () => {
    const site = await openSite(browser, { status: STATES.void });
    await site.open();
    await site.pass(120_000);
    expect(site.calls).toEqual([]);
    site.serve("site");
    await site.page.getByRole("button", { name: "Continue here" }).click();
    await site.page.waitForFunction(() => document.title === "The site");
    expect(site.loads.at(-1)).toBe(`POST /__vestibule/rooms/demo/continue to=${encodeURIComponent(PATH)}`);
    await site.context.close();
  });

  test("[PAGE-7] with a form kept: the turn is claimed in place, nothing navigates, the button sends the fields", async () => {
    const resubmit = {
      action: "/order",
      enctype: "application/x-www-form-urlencoded",
      fields: [
        ["size", "M"],
        ["note", "a\r\nb&c"],
      ],
    } as const;
    const site = await openSite(browser, { status: status({ ahead: 1, pollAfterMs: 3_000 }), method: "POST", resubmit });
    await site.open();
    site.answer((call: Call) => Promise.resolve({ json: call.path.endsWith("/claim") ? STATES.inside : STATES.called }));
    await site.pass(3_000);
    await site.pass(0);
    expect(site.calls.map((call) => `${call.method} ${call.path.split("/").at(-1)}`)).toEqual(["GET status", "POST claim"]);
    expect(await site.text("heading")).toBe("You are in");
    expect(await site.page.evaluate(() => document.activeElement?.textContent)).toBe("Send it again");
    await site.pass(120_000);
    expect(site.loads).toEqual([PATH]);
    site.serve("site");
    await site.page.getByRole("button", { name: "Send it again" }).click();
    await site.page.waitForFunction(() => document.title === "The site");
    expect(site.loads.at(-1)).toBe("POST /order size=M&note=a%0D%0Ab%26c");
    await site.context.close();
  });
});

describe("forms and the sites behind", () => {
  test("[PAGE-7] a site may send people on to another site after our form, as banks and sign-in pages need", async () => {
    const bank = await listen((_, response) => response.end("<!doctype html><title>The bank</title>"));
    const resubmit = { action: "/order", enctype: "application/x-www-form-urlencoded", fields: [["size", "M"]] } as const;
    const shop = await listen(async (request, response) => {
      if (request.method === "POST") {
        response.writeHead(303, { Location: bank.url }).end();
        return;
      }
      const page = pageReply(
        renderPage({ status: STATES.inside, title: "Demo shop", nonce: "n", returnTo: "/", method: "POST", resubmit }),
        "n",
        { status: 200 },
      );
      response.writeHead(200, Object.fromEntries(page.headers)).end(await page.text());
    });
    const page = await browser.newPage();
    await page.goto(shop.url);
    await page.getByRole("button", { name: "Send it again" }).click();
    await page.waitForFunction(() => document.title === "The bank");
    await page.close();
    await Promise.all([bank.close(), shop.close()]);
  });
});

describe("when things go wrong", () => {
  test("[PAGE-5] [PAGE-13] scripts off: the number is there, the page reloads itself and gets in", async () => {
    const site = await openSite(browser, { status: status({ ahead: 0, dueInMs: 4_000 }) }, { javaScriptEnabled: false });
    await site.page.goto(SITE + PATH);
    expect(await site.text("heading")).toBe("You are next");
    expect(await site.page.locator("noscript p").isVisible()).toBe(true);
    site.serve("site");
    await expect.poll(() => site.page.title()).toBe("The site");
    expect(site.loads).toEqual([PATH, PATH]);
    await site.context.close();
  });

  test("[PAGE-1] [PAGE-33] offline, the tab says so too, and is called as before when the connection is back, also while updates are paused", async () => {
    const site = await openSite(browser, { status: status({ pollAfterMs: 3_000 }) });
    await site.open();
    const title = await site.page.title();
    const offline = (is: boolean) => site.context.setOffline(is);
    await offline(true);
    await expect.poll(() => site.page.title()).toBe(`Offline · ${title}`);
    await offline(false);
    await site.pass(0);
    expect(await site.page.title()).toBe(title);
    await site.page.locator("#pause").click();
    site.answer(STATES.paused);
    await site.pass(3_000);
    await offline(true);
    await expect.poll(() => site.page.title()).toBe(`Offline · ${title}`);
    await offline(false);
    await site.pass(0);
    await expect.poll(() => site.page.title()).toBe(title);
    await site.page.locator("#pause").click();
    expect(await site.page.title()).toContain("The line is paused");
    await site.context.close();
  });

  test("[PAGE-1] a page that asks nothing, or not for long, says that it is offline no longer than it is", async () => {
    const sites = [
      await openSite(browser, { status: { ...STATES["sold-out"] } }),
      await openSite(browser, { status: status({ pollAfterMs: 3_000 }) }),
    ];
    for (const [i, site] of sites.entries()) {
      await site.open();
      // Whoever is told to come back later is not asked about before.
      site.answer({ status: 503, retryAfter: "600" });
      await site.pass(3_000);
      const title = await site.page.title();
      await site.context.setOffline(true);
      await expect.poll(() => site.page.title()).toBe(`Offline · ${title}`);
      await site.context.setOffline(false);
      await expect.poll(() => site.page.title()).toBe(title);
      expect([await site.page.locator("#trouble").isVisible(), site.calls.length]).toEqual([false, i]);
      expect(await site.text("live")).toBe(english.backAgain);
      await site.context.close();
    }
  });

  test("[PAGE-14] the module is lost on the way: the page loads itself anew", async () => {
    const site = await openSite(browser, { status: status() }, { lostModule: true });
    await site.open();
    site.serve("site");
    await site.pass(49_999);
    expect(site.loads).toHaveLength(1);
    await site.page.clock.runFor(1);
    await site.page.waitForFunction(() => document.title === "The site");
    await site.context.close();
  });

  test("[PAGE-14] the room was removed: after three answers of somebody else the site is opened", async () => {
    const site = await openSite(browser, { status: status({ pollAfterMs: 3_000 }) });
    await site.open();
    site.answer({ status: 404, html: "<h1>No such page</h1>" });
    site.serve("site");
    await site.pass(3_000);
    await site.pass(4_500);
    expect(site.loads).toHaveLength(1);
    await site.page.clock.runFor(9_000);
    await site.page.waitForFunction(() => document.title === "The site");
    expect(site.calls).toHaveLength(3);
    await site.context.close();
  });

  test("[PAGE-14] T8 C65 a page that comes back by the back button asks at once", async () => {
    const site = await openSite(browser, { status: status() });
    await site.open("live");
    await site.page.goto(`${SITE}/other`);
    expect(site.calls).toEqual([]);
    site.answer(STATES.called);
    await site.page.goBack();
    await expect.poll(() => site.text("heading")).toBe("It’s your turn");
    expect(site.calls.length).toBe(1);
    await site.context.close();
  });

  test("[PAGE-14] C65 a page that a service worker may have kept asks at once, before its usual time", async () => {
    const site = await openSite(browser, { status: status() });
    await site.page.addInitScript(() => {
      Object.defineProperty(navigator.serviceWorker, "controller", { get: () => ({}) });
    });
    site.answer(status({ ahead: 3 }));
    await site.open();
    await site.pass(0);
    expect([site.calls.length, await site.text("number")]).toEqual([1, "3"]);
    await site.context.close();
  });

  test("[PAGE-14] storage that is blocked changes nothing", async () => {
    const site = await openSite(browser, { status: status({ ahead: 50 }) });
    await site.page.addInitScript(() => {
      Object.defineProperty(globalThis, "sessionStorage", {
        get() {
          throw new DOMException("blocked", "SecurityError");
        },
      });
    });
    await site.open();
    site.answer(status({ ahead: 40 }));
    await site.pass(20_000);
    expect(await site.text("number")).toBe("40");
    expect(await site.page.locator("#way").getAttribute("value")).toBe("20");
    expect(site.faults).toEqual([]);
    await site.context.close();
  });

  test("[PAGE-14] a fragment of the address survives going in", async () => {
    const site = await openSite(browser, { status: STATES.moment });
    await site.open();
    await site.page.evaluate(() => {
      location.hash = "seats";
    });
    site.serve("site");
    await site.page.clock.runFor(3_000);
    await site.page.waitForFunction(() => document.title === "The site");
    expect(site.page.url()).toBe(`${SITE}${PATH}#seats`);
    await site.context.close();
  });
});

describe("a check that newcomers are asked for", () => {
  const key = newVisitorKey();
  /** Asked of one visitor, at a cost; asks again by itself only after a quarter of an hour. */
  async function asked(
    cost: number,
    change: Partial<Status["challenge"] & object> = {},
    instead = false,
  ): Promise<Status & { challenge: { altcha: Altcha } }> {
    const imported = await importKeyRing(TEST_KEYS);
    if (!imported.ok) throw new Error(imported.problem);
    const nowS = Math.floor(Date.now() / 1_000);
    const altcha = await makePow(imported.ring, { room: "demo", key }, { cost, difficulty: 1, instead, nowS });
    return { ...STATES.challenge, now: Date.now(), pollAfterMs: 900_000, challenge: { kind: "pow", cost, altcha, ...change } } as never;
  }
  type Site = Awaited<ReturnType<typeof openSite>>;
  const said = (site: Site) => () => site.text("live");
  /** Nothing is worked out before the function that this resolves with is called. */
  async function holdSolver(site: Site): Promise<() => void> {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    await site.context.route(`**${assets.solver}`, async (route) => {
      await begun;
      await route.fallback();
    });
    return begin;
  }
  const bar = "#proof progress";

  test("[PAGE-19] is worked out and answered by the page itself; people who listen hear that it is done, and it goes", async () => {
    const first = await asked(1);
    const site = await openSite(browser, { status: first });
    site.answer(status({ ahead: 7 }));
    await site.open("live");
    await site.page.locator("#place").waitFor();
    const joins = site.calls.filter(({ path }) => path.endsWith("/join"));
    expect(joins).toHaveLength(1);
    const payload = JSON.parse(atob(joins[0]?.proof?.replace("pow ", "") ?? "")) as { challenge: Altcha };
    expect(payload.challenge).toEqual(first.challenge.altcha);
    expect([await site.page.locator("#proof").count(), site.faults]).toEqual([0, []]);
    expect(await site.text("live")).toContain("You are in line");
    await site.context.close();
  });

  test("[PAGE-19] can be stopped and started, keeps the focus, passes axe, and goes on after a reload where it was", async () => {
    const dear = await asked(8);
    const site = await openSite(browser, { status: dear });
    await site.open("live");
    const value = () => site.page.locator(bar).evaluate((element) => (element as HTMLProgressElement).value);
    await expect.poll(value).toBeGreaterThan(0);
    expect(await problems(site.page, WCAG)).toEqual([]);
    const stop = site.page.getByRole("button", { name: english.proof.stop });
    await stop.focus();
    await stop.press("Enter");
    await expect.poll(said(site)).toBe(english.proof.stopped);
    expect(await site.page.locator(bar).count()).toBe(0);
    expect(await site.page.evaluate(() => document.activeElement?.textContent)).toBe(english.proof.start);
    // Nothing works behind its back, whatever the room says meanwhile.
    expect(site.page.workers()).toEqual([]);
    await site.page.keyboard.press("Enter");
    await expect.poll(() => site.page.workers().length).toBeGreaterThan(0);
    const kept = () =>
      site.page.evaluate(() => JSON.parse(sessionStorage.getItem("vestibule-proof.demo") ?? "null") as { from: number } | null);
    await expect.poll(async () => (await kept())?.from ?? 0).toBeGreaterThan(1_000);
    const from = (await kept())?.from ?? 0;
    // The room makes a new challenge for each page; the tab goes on with the one that it was at.
    site.serve({ status: await asked(8) });
    await site.page.reload();
    await expect.poll(value).toBeGreaterThan(from / dear.challenge.altcha.parameters.data.steps);
    expect(site.faults).toEqual([]);
    await site.context.close();
  });

  test("[PAGE-19] an answer that is found while a place came without it is of no use: the page asks no more often than it is told", async () => {
    const site = await openSite(browser, { status: await asked(1) });
    const begin = await holdSolver(site);
    site.answer(async () => {
      begin();
      if (site.calls.length === 1)
        await site.page.locator("#proof p").filter({ hasText: english.proof.shown }).waitFor({ state: "attached" });
      return { json: status({ ahead: 7, pollAfterMs: 20_000 }) };
    });
    await site.open();
    await site.look(true);
    await site.pass(10);
    await site.page.locator("#place").waitFor();
    for (let i = 0; i < 5; i++) await site.pass(100);
    expect(site.calls.map(({ path, proof }) => [path.split("/").at(-1), proof])).toEqual([["join", undefined]]);
    await site.context.close();
  });

  test("[PROOF-5] [PROOF-7] an answer that came while its network was slowed is shown again when it may be, and not made anew", async () => {
    const site = await openSite(browser, { status: await asked(1) });
    site.answer(async () => {
      const isFirst = site.calls.length === 1;
      return isFirst ? { status: 429, retryAfter: "10", json: STATES["network-limit"] } : { json: status({ ahead: 3 }) };
    });
    await site.open();
    await site.page.locator("#proof p").filter({ hasText: english.proof.shown }).waitFor({ state: "attached" });
    await site.pass(10);
    expect(site.calls.map(({ proof }) => proof?.startsWith("pow "))).toEqual([true]);
    await site.pass(5_000);
    expect(site.calls).toHaveLength(1);
    await site.pass(15_000);
    await site.page.locator("#place").waitFor();
    expect(site.calls[1]?.proof).toBe(site.calls[0]?.proof);
    await site.context.close();
  });

  test("[PAGE-19] [PAGE-34] an answer that was lost on its way is shown again within seconds, although the page asks seldom", async () => {
    const site = await openSite(browser, { status: await asked(1) });
    site.answer("lost");
    await site.open();
    await site.page.locator("#proof p").filter({ hasText: english.proof.shown }).waitFor({ state: "attached" });
    await site.pass(10);
    expect(site.calls).toHaveLength(1);
    site.answer(status({ ahead: 3 }));
    await site.pass(5_000);
    expect(site.calls.map(({ proof }) => proof)).toEqual([expect.stringMatching(/^pow /), site.calls[0]?.proof]);
    await site.page.locator("#place").waitFor();
    await site.context.close();
  });

  test("[PAGE-19] [PROOF-3] work that stands in for Turnstile goes on where an answer asks for Turnstile again", async () => {
    const first = await asked(1, {}, true);
    const site = await openSite(browser, { status: first });
    const begin = await holdSolver(site);
    const cdata = first.challenge.altcha.parameters.data.holder;
    const challenge = { kind: "turnstile", cost: 1, sitekey: "k", action: "vestibule", cdata, script: "https://turnstile.test/api.js" };
    site.answer({ status: 403, json: { ...first, challenge } });
    await site.open();
    await expect.poll(() => site.page.locator(bar).count()).toBe(1);
    await site.look(true);
    await site.pass(10);
    expect([site.calls.length, await site.page.locator(bar).count(), site.loads]).toEqual([1, 1, [PATH]]);
    site.answer(status({ ahead: 3 }));
    begin();
    await site.page.locator("#proof p").filter({ hasText: english.proof.shown }).waitFor({ state: "attached" });
    await site.pass(10);
    await site.page.locator("#place").waitFor();
    expect(site.calls.at(-1)?.proof).toMatch(/^pow /);
    await site.context.close();
  });

  test("[PAGE-19] asked again, it begins anew with the new challenge, and never sends an answer twice", async () => {
    const site = await openSite(browser, { status: await asked(1) });
    let answers = 0;
    site.answer(async () => {
      answers += 1;
      return { status: 403, json: answers === 1 ? await asked(1, { again: "used" }) : status({ ahead: 3 }) };
    });
    await site.open("live");
    await site.page.locator("#place").waitFor();
    const proofs = site.calls.filter(({ path }) => path.endsWith("/join")).map(({ proof }) => proof);
    expect([proofs.length, new Set(proofs).size, proofs.includes(undefined)]).toEqual([2, 2, false]);
    await site.context.close();
  });

  test("[PAGE-19] [PAGE-33] who has paused the updates is asked all the same, and asked again", async () => {
    const full = await openSite(browser, { status: { ...STATES.full, pollAfterMs: 3_000 } });
    await full.open();
    await full.page.getByRole("button", { name: english.pauseUpdates }).click();
    full.answer({ status: 403, json: await asked(8) });
    await full.pass(4_000);
    await expect.poll(() => full.text("heading")).toBe(english.kinds.challenge.heading);
    await expect.poll(() => full.page.workers().length).toBeGreaterThan(0);
    expect(await full.text("itself")).toBe(english.updatesItself);
    await full.context.close();

    const site = await openSite(browser, { status: await asked(1) });
    const begin = await holdSolver(site);
    let answers = 0;
    site.answer(async () => {
      answers += 1;
      return { status: 403, json: answers === 1 ? await asked(1, { again: "used" }) : status({ ahead: 3 }) };
    });
    await site.open("live");
    await site.page.getByRole("button", { name: english.pauseUpdates }).click();
    begin();
    const proofs = () => site.calls.filter(({ path }) => path.endsWith("/join")).map(({ proof }) => proof);
    await expect.poll(() => proofs().length).toBe(2);
    expect([new Set(proofs()).size, proofs().includes(undefined)]).toEqual([2, false]);
    expect(await site.text("heading")).toBe(english.kinds.challenge.heading);
    await site.context.close();
  });

  test("[PAGE-19] [PAGE-14] where it cannot be done the page says so once, offers to start, and goes on asking without", async () => {
    const site = await openSite(browser, { status: { ...(await asked(1)), pollAfterMs: 1_000 } });
    await site.page.addInitScript(() => {
      Object.defineProperty(globalThis, "Worker", {
        value: class {
          constructor() {
            throw new Error("no workers");
          }
        },
      });
    });
    site.answer({ status: 403, json: { ...(await asked(1)), pollAfterMs: 1_000 } });
    await site.open("live");
    await expect.poll(said(site)).toBe(english.proof.failed);
    await expect.poll(() => site.calls.filter(({ path }) => path.endsWith("/join")).length).toBeGreaterThan(1);
    expect(site.calls.some(({ proof }) => proof !== undefined)).toBe(false);
    expect(await site.page.getByRole("button", { name: english.proof.start }).isVisible()).toBe(true);
    await site.context.close();
  });

  test("[PAGE-19] [PAGE-5] without scripts the page says what the check needs, and tries by itself", async () => {
    const site = await openSite(browser, { status: await asked(1) }, { javaScriptEnabled: false });
    await site.page.goto(SITE + PATH);
    expect(await site.page.locator("main").textContent()).toContain(english.proof.noScripts);
    expect(await site.page.locator('meta[http-equiv="refresh"]').count()).toBe(1);
    await site.context.close();
  });
});

describe("an answer that goes on", () => {
  const STATUS = "/__vestibule/rooms/demo/status";

  test("[STREAM-7] that something on the way keeps back is given up after 15 s, and the page asks as ever", async () => {
    const site = await openSite(browser, { status: status({ ahead: 400 }), streams: true });
    site.answer(async ({ follows }) => (follows ? new Promise(() => undefined) : { json: status({ ahead: 300, pollAfterMs: 8_000 }) }));
    await site.open();
    await site.page.clock.runFor(4_000);
    await expect.poll(() => site.calls).toEqual([{ method: "GET", path: STATUS, body: null, follows: true }]);
    await site.pass(15_000);
    const asked = async () => {
      await site.pass(10_000);
      return site.calls.length;
    };
    await expect.poll(asked).toBeGreaterThan(2);
    expect(site.calls.slice(1, 3)).toEqual([1, 2].map(() => ({ method: "GET", path: STATUS, body: null })));
    expect(await site.text("number")).toBe("300");
    await site.context.close();
  });

  test("[STREAM-7] [PAGE-10] is shown as it comes, and asked for again when it is cut; looked at meanwhile, the page asks nothing", async () => {
    const streams: ServerResponse[] = [];
    const asked: (string | undefined)[] = [];
    const modulePath = fileURLToPath(new URL(`../../dist/static${assets.wait}`, import.meta.url));
    const server = await listen(async ({ url, headers }, response) => {
      if (url === STATUS) {
        asked.push(headers.accept);
        response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
        streams.push(response);
        return;
      }
      if (url === assets.wait) return void response.writeHead(200, { "Content-Type": "text/javascript" }).end(await readFile(modulePath));
      const view = { status: status({ ahead: 400, pollAfterMs: 1_000 }), title: "Demo shop", nonce: "n", returnTo: PATH, method: "GET" };
      response.writeHead(200, { "Content-Type": "text/html" }).end(renderPage({ ...view, streams: true }));
    });
    const context = await browser.newContext();
    const page = await context.newPage();
    // Browsers that have all the rest may lack it.
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, "TextDecoderStream"));
    const shown = () => page.locator("#number").textContent();
    const tell = (stream: number, name: string, ahead: number) =>
      streams[stream]?.write(`event: ${name}\ndata: ${JSON.stringify(status({ ahead, pollAfterMs: 1_000 }))}\n\n`);
    await page.goto(server.url);
    await expect.poll(() => streams.length).toBe(1);
    tell(0, "status", 390);
    await expect.poll(shown).toBe("390");
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    tell(0, "status", 380);
    await expect.poll(shown).toBe("380");
    expect(streams).toHaveLength(1);
    // In two pieces, the first of which ends within a letter.
    const event = Buffer.from(`event: status\ndata: ${JSON.stringify(status({ ahead: 375, message: "Grüße", pollAfterMs: 1_000 }))}\n\n`);
    const within = event.indexOf("ü") + 1;
    streams[0]?.write(event.subarray(0, within));
    await page.evaluate(() => new Promise(requestAnimationFrame));
    streams[0]?.write(event.subarray(within));
    await expect.poll(() => page.locator("#said").textContent()).toBe("Grüße");
    streams[0]?.destroy();
    await expect.poll(() => streams.length).toBe(2);
    tell(1, "status", 370);
    tell(1, "last", 360);
    streams[1]?.end();
    await expect.poll(shown).toBe("360");
    await expect.poll(() => streams.length).toBe(3);
    // Another tab of the room asks for no stream of its own.
    const other = await context.newPage();
    await other.goto(server.url);
    await expect.poll(() => asked.slice(0, 4)).toEqual([...Array(3).fill("text/event-stream, application/json"), "application/json"]);
    await context.close();
    await server.close();
  });

  test("[STREAM-7] says nothing of a place that was given up in another tab: that tab does", async () => {
    const site = await openSite(browser, { status: status({ ahead: 400 }), streams: true });
    site.answer(async () => new Promise(() => undefined));
    await site.open();
    await site.page.clock.runFor(4_000);
    await expect.poll(() => site.calls.length).toBe(1);
    site.serve({ status: status({ state: "ended", reason: "left", ahead: null, eta: null }) });
    const other = await site.context.newPage();
    await other.goto(SITE + PATH);
    await expect.poll(() => site.text("heading")).toBe(english.kinds.left.heading);
    await site.pass(70_000);
    expect(site.calls).toHaveLength(1);
    expect(site.faults).toEqual([]);
    await site.context.close();
  });
});
