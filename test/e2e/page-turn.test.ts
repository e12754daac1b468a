/** The waiting page in a real browser at the turn: staying, more time, being called; and updates that are paused, and other tabs. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assets } from "../../src/assets";
import { english } from "../../src/core/languages/en";
import { launchChromium } from "../support/chromium";
import { openSite, PATH, SITE, type Site } from "../support/page-site";
import { NOW, STATES, status } from "../support/page-states";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
});

const called = { ...STATES.called, validForMs: 100_000, pollAfterMs: 3_000 };
const button = (site: Site, name: string) => site.page.getByRole("button", { name, exact: true });
const focused = (site: Site) => site.page.evaluate(() => document.activeElement?.id);

/** Answers as a room does whose clock goes on with the page's: `validForMs` is what is left. */
async function callIt(site: Site): Promise<void> {
  const began = await site.page.evaluate(() => performance.now());
  site.answer(async () => {
    const passedMs = (await site.page.evaluate(() => performance.now())) - began;
    // One answer, just past the last minute, is a little off.
    const offMs = passedMs > 40_000 && passedMs < 44_000 ? 4_000 : 0;
    const validForMs = Math.max(0, called.validForMs - passedMs + offMs);
    return { json: { ...called, validForMs, now: NOW + passedMs } };
  });
}

/** Everything that the polite line says from here on. */
async function listen(site: Site): Promise<() => Promise<string[]>> {
  await site.page.evaluate(() => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    new MutationObserver(() => said.push(document.querySelector("#live")?.textContent ?? "")).observe(
      document.querySelector("#live") as Element,
      { childList: true },
    );
  });
  return () => site.page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
}

describe("staying, and more time", () => {
  test("[PAGE-30] [PAGE-37] whoever stays is not taken in: the time runs silently, its last minute is said, and the button enters", async () => {
    const site = await openSite(browser, { status: status({ ahead: 1, pollAfterMs: 3_000 }) });
    await site.open();
    await callIt(site);
    await site.pass(3_000);
    expect(await site.text("soon")).toBe("The site opens in 5 seconds");
    expect(await site.page.locator("#left").isVisible()).toBe(false);
    expect(await site.text("body")).toMatch(/Your turn lasts/);
    const said = await listen(site);
    await button(site, english.stayOn).click();
    await site.pass(0);
    expect(await site.text("soon")).toBe("");
    expect(await button(site, english.pauseUpdates).isVisible()).toBe(false);
    expect(await site.text("left")).toBe("Time left to go in: 1 minute, 37 seconds");
    // Told once: rounded otherwise it would be another number beside it.
    expect(await site.text("body")).toBe("You can go in now.");
    expect([await focused(site), await button(site, english.stayOn).isVisible()]).toEqual(["enter", false]);
    for (let second = 0; second < 80; second++) await site.pass(1_000);
    expect(site.loads).toEqual([PATH]);
    expect(await site.text("left")).toBe("Time left to go in: 17 seconds");
    expect(await said()).toEqual([
      `${english.staying} Time left to go in: 1 minute, 37 seconds`,
      "Time left to go in: 1 minute",
      "Time left to go in: 30 seconds",
    ]);
    // Away and back: told again, and still not taken in.
    await site.look(false);
    await site.look(true);
    await site.pass(9_000);
    expect(await site.page.getByRole("alert").textContent()).toBe(english.staying);
    expect(site.loads).toEqual([PATH]);
    site.serve("site");
    await site.page.getByRole("link", { name: english.enter }).click();
    await site.page.waitForFunction(() => document.title === "The site");
    expect(site.faults).toEqual([]);
    await site.context.close();
  });

  test("[PAGE-30] it holds for one turn: called again after a missed one, the page goes in by itself", async () => {
    const site = await openSite(browser, { status: called });
    await site.open();
    await button(site, english.stayOn).click();
    site.answer({ ...STATES.missed, pollAfterMs: 3_000 });
    await site.pass(3_000);
    expect(await site.text("heading")).toBe(english.kinds.missed.heading);
    expect(await site.page.locator("#left").isVisible()).toBe(false);
    site.answer(called);
    await site.pass(3_000);
    expect(await site.text("soon")).toBe("The site opens in 5 seconds");
    site.serve("site");
    await site.page.clock.runFor(5_000);
    await site.page.waitForFunction(() => document.title === "The site");
    await site.context.close();
  });

  test("[PAGE-30] a turn that stands still is not over: after an outage, or a lobby, whoever stayed is still not taken in", async () => {
    const site = await openSite(browser, { status: called });
    await site.open();
    await button(site, english.stayOn).click();
    for (const kind of ["unreachable", "paused", "lobby-line"] as const) {
      site.answer({ ...STATES[kind], slot: called.slot, pollAfterMs: 3_000 });
      await site.pass(4_000);
      expect(await site.text("heading")).toBe(english.kinds[kind].heading);
      site.answer(called);
      await site.pass(4_000);
      await site.pass(6_000);
      expect([await site.text("soon"), site.loads]).toEqual(["", [PATH]]);
    }
    await site.context.close();
  });

  test("[PAGE-31] [PAGE-12] pressed too late: what became of the turn is said", async () => {
    const site = await openSite(browser, { status: { ...called, extendable: true } });
    await site.open();
    const said = await listen(site);
    site.answer({ ...STATES.missed, pollAfterMs: 60_000 });
    await button(site, english.moreTime).click();
    await expect.poll(() => site.text("heading")).toBe(english.kinds.missed.heading);
    await site.pass(0);
    expect((await said()).at(-1)).toContain(english.kinds.missed.heading);
    await site.context.close();
  });

  test("[PAGE-31] more time is one press: asked once, told and said; where the Room gives none it is not offered", async () => {
    const site = await openSite(browser, { status: { ...called, extendable: true } });
    await site.open();
    const said = await listen(site);
    site.answer({ ...called, validForMs: 280_000 });
    await button(site, english.moreTime).click();
    await expect.poll(() => site.text("left")).toBe("Time left to go in: 4 minutes, 40 seconds");
    expect(site.calls.filter(({ method }) => method === "POST")).toEqual([
      { method: "POST", path: "/__vestibule/rooms/demo/extend", body: null },
    ]);
    expect((await said()).at(-1)).toBe("Time left to go in: 4 minutes, 40 seconds");
    expect([await button(site, english.moreTime).isVisible(), await focused(site)]).toEqual([false, "enter"]);
    await site.pass(60_000);
    expect(site.loads).toEqual([PATH]);
    site.serve({ status: called });
    await site.page.reload();
    expect(await button(site, english.moreTime).isVisible()).toBe(false);
    await site.context.close();
  });

  test("[PAGE-31] [PAGE-6] without scripts it is a form of the page that nothing enters by", async () => {
    const site = await openSite(browser, { status: { ...called, extendable: true }, auto: false }, { javaScriptEnabled: false });
    await site.page.goto(SITE + PATH);
    site.serve({ status: called, auto: false });
    await button(site, english.moreTime).click();
    await expect.poll(() => site.loads.at(-1)).toBe(`POST /__vestibule/rooms/demo/extend to=${encodeURIComponent(PATH)}`);
    await site.context.close();
  });
});

test("[PAGE-13] [PAGE-34] C12 a connection that is lost in the last seconds: the page stays, and goes in when it is back", async () => {
  const site = await openSite(browser, { status: called });
  await site.open();
  expect(await site.text("soon")).toBe("The site opens in 5 seconds");
  const tell = (event: string) => site.page.evaluate((name) => dispatchEvent(new Event(name)), event);
  site.answer("lost");
  await tell("offline");
  await site.pass(8_000);
  expect([await site.text("soon"), site.loads]).toEqual(["", [PATH]]);
  site.answer(called);
  await tell("online");
  await site.pass(0);
  expect(await site.text("soon")).toBe("The site opens in 5 seconds");
  site.serve("site");
  await site.page.clock.runFor(5_000);
  await site.page.waitForFunction(() => document.title === "The site");
  await site.context.close();
});

describe("a site that takes its time", () => {
  test.each([
    ["inside", STATES.inside, 1],
    ["called still", { ...called, holdForMs: undefined }, 2],
  ] as const)("[PAGE-13] [PAGE-34] is not asked again while it may still answer whoever is let in: %s", async (_, next, loads) => {
    const site = await openSite(browser, { status: called });
    await site.open();
    let asked = 0;
    // Nothing to show: the page stays, as while there is no answer yet.
    await site.page.route(SITE + PATH, (route) => {
      asked++;
      return route.fulfill({ status: 204 });
    });
    site.answer({ ...next, pollAfterMs: 3_000 } as never);
    await site.page.clock.runFor(6_000);
    await expect.poll(() => asked).toBe(1);
    for (let i = 0; i < 5; i++) await site.pass(10_000);
    expect([asked, await site.text("soon")]).toEqual([loads, english.entering]);
    await site.context.close();
  });
});

/** Runs in the page: notes what would be heard, shown and held, where this computer has nothing to do it with. */
function noteAlerts(refuses: boolean): void {
  const done: string[] = [];
  Object.assign(globalThis, { done });
  const begin = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function note() {
    done.push("note");
    return begin.call(this);
  };
  const quiet = AudioNode.prototype.disconnect;
  Object.assign(AudioNode.prototype, {
    disconnect(this: AudioNode) {
      done.push("silence");
      Reflect.apply(quiet, this, []);
    },
  });
  class Shown {
    constructor(text: string) {
      done.push(`shown ${text}`);
    }
    close(): void {
      done.push("closed");
    }
    static async requestPermission(): Promise<string> {
      return refuses ? "denied" : "granted";
    }
  }
  Object.assign(globalThis, { Notification: Shown });
  Object.defineProperty(navigator, "wakeLock", {
    value: { request: async () => ({ release: async () => done.push("dark"), at: done.push("lit") }) },
  });
  navigator.vibrate = (pattern) => {
    done.push(`shaken ${pattern}`);
    return true;
  };
  document.hasFocus = () => false;
}

describe("being called", () => {
  const done = (site: Site) => site.page.evaluate(() => (globalThis as unknown as { done: string[] }).done);
  const count = async (site: Site, what: string) => (await done(site)).filter((each) => each === what).length;
  const open = async (site: Site) => {
    await site.page.getByText(english.alerts.me).click();
    await site.page.getByLabel(english.alerts.sound).waitFor();
  };

  test("[PAGE-32] [PAGE-9] what was ticked calls at the turn and is quiet when looked at; the icon changes; nothing is loaded before it is wanted", async () => {
    const site = await openSite(browser, { status: status({ ahead: 1, pollAfterMs: 3_000 }) });
    await site.page.addInitScript(noteAlerts, false);
    const modules: string[] = [];
    site.page.on("request", (request) => modules.push(new URL(request.url()).pathname));
    await site.open();
    expect(modules).not.toContain(assets.alerts);
    const icon = () => site.page.locator("link[rel=icon]").getAttribute("href");
    const usual = await icon();
    await open(site);
    // A computer with a mouse has nothing that vibrates.
    expect(await site.page.getByLabel(english.alerts.vibrate).count()).toBe(0);
    for (const way of ["sound", "notification", "screen"] as const) await site.page.getByLabel(english.alerts[way]).check();
    await expect.poll(() => done(site)).toEqual(["note", "note", "note", "lit"]);
    await site.look(false);
    site.answer({ ...STATES.called, pollAfterMs: 3_000 });
    await site.pass(3_000);
    expect(await done(site)).toContain("shown ● Your turn – Demo shop");
    expect(await count(site, "note")).toBe(3 + 18);
    const calling = await icon();
    expect(calling).not.toBe(usual);
    for (let i = 0; i < 5; i++) await site.pass(3_000);
    expect([await count(site, "note"), await icon(), site.loads]).toEqual([21, calling, [PATH]]);
    await site.look(true);
    expect([await count(site, "closed"), await count(site, "lit")]).toEqual([1, 2]);
    expect(await count(site, "silence")).toBeGreaterThanOrEqual(18);
    site.answer({ ...STATES.missed, pollAfterMs: 3_000 });
    await button(site, english.stayOn).click();
    await site.pass(0);
    await expect.poll(icon).toBe(usual);
    await site.page.getByLabel(english.alerts.screen).uncheck();
    expect((await done(site)).at(-1)).toBe("dark");
    expect(site.faults).toEqual([]);
    await site.context.close();
  });

  test("[PAGE-32] a page that was in sight when it called, and stays for its form, is quiet once somebody moves", async () => {
    const resubmit = { action: PATH, enctype: "application/x-www-form-urlencoded", fields: [["name", "Ida"]] } as const;
    const site = await openSite(browser, { status: status({ ahead: 1, pollAfterMs: 3_000 }), method: "POST", resubmit });
    await site.page.addInitScript(noteAlerts, false);
    await site.open();
    await open(site);
    await site.page.getByLabel(english.alerts.sound).check();
    await expect.poll(() => count(site, "note")).toBe(3);
    site.answer({ ...STATES.called, pollAfterMs: 3_000 });
    await site.pass(3_000);
    expect(await count(site, "note")).toBe(3 + 18);
    await site.pass(3_000);
    expect(await count(site, "silence")).toBe(3);
    await site.page.mouse.move(40, 40);
    await site.pass(0);
    expect([await count(site, "silence"), site.loads]).toEqual([3 + 18, [PATH]]);
    await site.context.close();
  });

  test("[PAGE-32] what the browser refuses is unticked again, and said; and calls nobody", async () => {
    const site = await openSite(browser, { status: status({ ahead: 1, pollAfterMs: 3_000 }) });
    await site.page.addInitScript(noteAlerts, true);
    await site.open();
    await open(site);
    await site.page.getByLabel(english.alerts.notification).click();
    await expect.poll(() => site.text("live")).toBe(english.alerts.refused);
    expect(await site.page.getByLabel(english.alerts.notification).isChecked()).toBe(false);
    expect(await site.page.locator("#alerts").textContent()).toContain(english.alerts.refused);
    await site.look(false);
    site.answer({ ...STATES.called, pollAfterMs: 3_000 });
    await site.pass(3_000);
    expect(await done(site)).toEqual([]);
    await site.context.close();
  });

  test("[PAGE-32] a phone is offered to vibrate, and no notification, which its browser would want a service worker for", async () => {
    const site = await openSite(
      browser,
      { status: status({ ahead: 1, pollAfterMs: 3_000 }) },
      { hasTouch: true, isMobile: true, viewport: { width: 360, height: 700 } },
    );
    await site.page.addInitScript(noteAlerts, false);
    await site.open();
    await open(site);
    expect(await site.page.getByLabel(english.alerts.notification).count()).toBe(0);
    await site.page.getByLabel(english.alerts.vibrate).check();
    await site.look(false);
    site.answer({ ...STATES.called, pollAfterMs: 3_000 });
    await site.pass(3_000);
    expect(await done(site)).toEqual(["shaken 200", "shaken 300,150,300,150,600"]);
    await site.context.close();
  });
});

describe("updates that are paused", () => {
  test("[PAGE-33] nothing shown changes and nothing is said, the page goes on asking, and one press shows what is", async () => {
    const site = await openSite(browser, { status: status({ ahead: 400, pollAfterMs: 4_000 }) }, { reducedMotion: "no-preference" });
    await site.open();
    const said = await listen(site);
    await button(site, english.pauseUpdates).click();
    expect(await site.text("itself")).toBe(english.updatesPaused);
    const shown = () => site.page.evaluate(() => document.title + document.querySelector("main")?.textContent);
    const before = await shown();
    const news = { ...STATES.paused, ahead: 300, message: "Back at noon.", look: "22222222", pollAfterMs: 4_000 };
    site.answer(news);
    for (let second = 0; second < 20; second++) await site.pass(1_000);
    expect(site.calls.length).toBe(5);
    expect([await shown(), await said()]).toEqual([before, [english.updatesPaused]]);
    // That nobody answers is no update: the place may hang on it.
    site.answer("lost");
    await site.pass(4_000);
    expect((await said()).at(-1)).toContain(english.noAnswer);
    site.answer(news);
    await site.pass(20_000);
    expect([await shown(), (await said()).at(-1)]).toEqual([before, english.backAgain]);
    await button(site, english.showUpdates).click();
    expect([await site.text("heading"), await site.text("said")]).toEqual([english.kinds.paused.heading, "Back at noon."]);
    expect((await said()).at(-1)).toContain(english.kinds.paused.heading);
    expect(await site.text("itself")).toBe(english.updatesItself);
    await site.context.close();
  });

  test("[PAGE-33] a countdown stands still too, and goes on by the server's clock", async () => {
    const site = await openSite(browser, { status: { ...STATES.lobby, pollAfterMs: 60_000 } });
    await site.open();
    await site.pass(1_000);
    const before = await site.text("starts");
    await button(site, english.pauseUpdates).click();
    await site.pass(30_000);
    expect(await site.text("starts")).toBe(before);
    await button(site, english.showUpdates).click();
    expect([before, await site.text("starts")]).toEqual(["Starts in 11 minutes, 59 seconds", "Starts in 11 minutes, 29 seconds"]);
    await site.context.close();
  });

  test("[PAGE-33] [PAGE-13] the turn ends the pause, and so does the end of the place", async () => {
    for (const [end, kind] of [
      [STATES.called, "called"],
      [STATES.flushed, "flushed"],
    ] as const) {
      const site = await openSite(browser, { status: status({ ahead: 4, pollAfterMs: 4_000 }) });
      await site.open();
      await button(site, english.pauseUpdates).click();
      site.answer(end);
      await site.pass(4_000);
      expect(await site.text("heading")).toBe(english.kinds[kind].heading);
      await site.context.close();
    }
  });
});

describe("other tabs", () => {
  test("[PAGE-10] what one tab is told, another shows without asking; of another place, or of before, it hears nothing", async () => {
    const site = await openSite(browser, { status: status({ ahead: 400, pollAfterMs: 60_000 }) });
    await site.open();
    const other = await site.context.newPage();
    site.serve({ status: status({ ahead: 400, pollAfterMs: 900_000 }) });
    await other.goto(SITE + PATH);
    await other.waitForFunction(() => document.documentElement.dataset["live"] === "1");
    /** The other tab asks, and is told this. */
    const tell = async (told: ReturnType<typeof status>, shows: string) => {
      site.answer({ ...told, pollAfterMs: 900_000 });
      await other.locator("#check").click();
      // Tabs of one browser have one clock here.
      await site.pass(0);
      await expect.poll(() => other.locator("#number").textContent()).toBe(shows);
    };
    await tell(status({ ahead: 300, now: NOW + 2_000 }), "300");
    await expect.poll(() => site.text("number")).toBe("300");
    await tell(status({ ahead: 250, now: NOW + 1_000 }), "250");
    await tell(status({ slot: 7, ahead: 5, now: NOW + 3_000 }), "5");
    await tell(status({ ahead: 200, now: NOW + 4_000 }), "200");
    await expect.poll(() => site.text("number")).toBe("200");
    // Its own question, due in a minute, is put off by what it is told.
    await site.pass(120_000);
    expect(site.calls).toHaveLength(4);
    // Told that the turn has come, a tab that is seen goes in by itself.
    site.serve("site");
    site.answer({ ...STATES.called, now: NOW + 5_000 });
    await other.locator("#check").click();
    await site.pass(0);
    await expect.poll(() => site.text("soon")).toBe("The site opens in 5 seconds");
    expect(site.calls).toHaveLength(5);
    expect(site.faults).toEqual([]);
    await site.context.close();
  });

  test("[PAGE-13] [PAGE-10] a hidden tab that follows hears of the turn from another: looked at, it asks and goes in, however lately it was told", async () => {
    const site = await openSite(browser, { status: status({ ahead: 1, pollAfterMs: 60_000 }), streams: true });
    const { page } = site;
    const { slot } = called;
    await page.addInitScript(
      (told) => {
        const real = globalThis.fetch;
        globalThis.fetch = async (_, init) => {
          globalThis.fetch = real;
          const first = new TextEncoder().encode(`event: status\ndata: ${JSON.stringify(told)}\n\n`);
          const body = new ReadableStream({
            start(stream) {
              stream.enqueue(first);
              init?.signal?.addEventListener("abort", () => stream.error(init.signal?.reason));
            },
          });
          return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
        };
      },
      status({ slot, ahead: 0, pollAfterMs: 60_000 }),
    );
    await page.goto(SITE + PATH);
    await page.locator("#check").click();
    await expect.poll(() => site.text("heading")).toBe(english.kinds.next.heading);
    const look = (state: string) =>
      page.evaluate((each) => {
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => each });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await look("hidden");
    const told = { lang: "en", status: { ...called, now: NOW + 1_000 } };
    await page.evaluate((told) => new BroadcastChannel("vestibule.demo").postMessage(told), told);
    await expect.poll(() => site.text("heading")).toBe(english.kinds.called.heading);
    expect(site.calls).toEqual([]);
    site.answer({ ...called, now: NOW + 2_000 });
    await look("visible");
    await expect.poll(() => page.locator("#soon").isVisible()).toBe(true);
    expect(site.calls).toHaveLength(1);
    await site.context.close();
  });
});

describe("between two answers", () => {
  test("[PAGE-36] [PAGE-9] a page that waits loads its module and nothing else, and then nothing runs until it asks", async () => {
    const site = await openSite(browser, { status: status({ pollAfterMs: 60_000 }) });
    await site.open();
    const loaded: string[] = [];
    site.page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await site.page.addInitScript(() => {
      const ran: string[] = [];
      Object.assign(globalThis, { ran });
      for (const name of ["setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback"] as const) {
        const real = globalThis[name] as (run: (...args: unknown[]) => void, ...rest: unknown[]) => number;
        Object.assign(globalThis, {
          [name]: (run: (...args: unknown[]) => void, ...rest: unknown[]) =>
            real(
              (...args) => {
                ran.push(name);
                run(...args);
              },
              ...rest,
            ),
        });
      }
    });
    // After the clock of the test, whose functions these are.
    await site.page.reload();
    const ran = () => site.page.evaluate(() => (globalThis as unknown as { ran: string[] }).ran);
    await site.pass(39_000);
    expect([loaded, await ran()]).toEqual([["/tickets", assets.wait], []]);
    // The watchdog of a module that never starts, once, and the question.
    await site.pass(21_000);
    expect([site.calls.length, await ran()]).toEqual([1, ["setTimeout", "setTimeout"]]);
    await site.context.close();
  });
});
