/**
 * The console in a real browser, on the built Worker and its Room: a drop run by clicking, two operators at once, a viewer, and whether everybody
 * can use it.
 */
import type { Browser } from "playwright-core";
import { describe, expect, test } from "vitest";
import { words as german } from "../../src/core/languages/de";
import { english } from "../../src/core/languages/en";
import { problems } from "../support/axe";
import { Visitor } from "../support/jar";
import { shared } from "../support/second-try";
import type { TestWorker } from "../support/worker";
import { badge, beginConsole, type Operators, press, says, tab, tile } from "./operators";

const ROOM = {
  total_active_users: 30,
  new_users_per_minute: 600,
  beacon: "none",
  settle_seconds: 0,
  staff_places: 3,
  poll_near_seconds: 1,
};
const NAMES = ["drop", "two", "mine", "own", "undo", "news", "seen", "axe"];

let worker: TestWorker;
let browser: Browser;
let operators: Operators;
let end: () => Promise<void>;
shared(
  async () => {
    ({ worker, browser, operators, end } = await beginConsole(Object.fromEntries(NAMES.map((name) => [name, ROOM]))));
  },
  () => end(),
);

/** Two operators who look at the same room. */
function anaAndBen(room: string) {
  const at = async (name: string) => operators.at(room, await operators.tokenFor(name, "operator"));
  return Promise.all([at("Ana"), at("Ben")]);
}

describe("the console", () => {
  test("[CONSOLE-1] a wrong token is refused, the right one stays in its tab, signing out forgets it; nothing comes from elsewhere", async () => {
    const shell = await operators.transport(new URL("/__vestibule/admin/", operators.siteOf("seen")), {});
    const html = await shell.text();
    expect(html).not.toContain("seen");
    expect(shell.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(shell.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    const short = await operators.transport(new URL("/__vestibule/admin", operators.siteOf("seen")), {});
    expect([short.status, short.headers.get("Location")]).toEqual([303, `${operators.siteOf("seen")}/__vestibule/admin/`]);

    const context = await browser.newContext({ locale: "en-GB" });
    const page = await context.newPage();
    await page.goto(`${operators.siteOf("seen")}/__vestibule/admin/`);
    await page.getByLabel("Token").fill("wrong");
    await press(page, "Sign in");
    await page.getByText("This token does not count").waitFor();
    await page.getByLabel("Token").fill(worker.adminToken);
    await press(page, "Sign in");
    await page.getByRole("heading", { name: "Rooms" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Rooms" }).waitFor();
    expect(await page.evaluate(() => JSON.stringify([Object.keys(localStorage), document.cookie]))).toBe('[[],""]');
    await press(page, "Sign out");
    await page.reload();
    await page.getByLabel("Token").waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await context.close();
  });

  test("[CONSOLE-8] [CONSOLE-20] a drop from lobby to report by clicking only", async () => {
    const page = await operators.at("drop");
    await tab(page, "Events");
    const local = (ms: number) =>
      page.evaluate((at) => new Date(at - 60_000 * new Date(at).getTimezoneOffset()).toISOString().slice(0, 16), ms);
    await page.getByLabel("Name").fill("spring");
    await page.getByLabel("Lobby opens").fill(await local(Date.now() - 60_000));
    await page.getByLabel("Doors open").fill(await local(Date.now() + 3_600_000));
    await page.getByLabel("Ends").fill(await local(Date.now() + 7_200_000));
    await page.getByLabel(/Deal the places/).check();
    await page.getByLabel("Expected visitors").fill("50000");
    await press(page, "Plan it");
    await badge(page, "Lobby");
    const plan = page.locator(".plan");
    await plan.getByText("events.spring.expected_visitors is 50,000").waitFor();
    await press(page, "Workers Paid");
    await plan.waitFor({ state: "hidden" });
    expect((await operators.api<{ settings: object }>("/rooms/drop")).settings).toMatchObject({ workers_plan: "paid" });

    const visitors = Array.from({ length: 6 }, () => new Visitor(operators.siteOf("drop"), { transport: operators.transport }));
    for (const visitor of visitors) await visitor.navigate("/tickets");
    await page
      .locator(".facts")
      .first()
      .filter({ hasText: /Entries\s*6/ })
      .waitFor();
    await press(page, "Start now…");
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("button", { name: "Cancel" }).evaluate((cancel) => cancel === document.activeElement)).toBe(true);
    expect(await dialog.getByRole("button", { name: "Open the doors" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Type drop to go on").fill("drop");
    await press(page, "Open the doors");
    await says(page, "spring has started.");
    const enter = async () => Promise.all(visitors.map(async (visitor) => (await visitor.navigate("/tickets")).text()));
    await expect.poll(async () => (await enter()).filter((text) => !text.includes("<main")).length).toBe(6);
    await expect.poll(() => tile(page, "Inside").textContent()).toBe("6");

    await tab(page, "Now");
    await press(page, "Rate +25 %");
    await page.locator(".effect").filter({ hasText: "Let in per minute" }).waitFor();
    await press(page, "Apply");
    await says(page, "Rate 750.");
    await page.getByLabel("Why, for the audit log").fill("the till is down");
    await press(page, "Pause");
    await badge(page, "Paused");
    await page.locator(".blocked").filter({ hasText: "paused" }).waitFor();
    await press(page, "Undo");
    await badge(page, "Open");
    await press(page, "Few left");
    await press(page, "Tell everybody");
    await says(page, "Everybody in line reads the message");
    await press(page, "Sold out");
    await badge(page, "Sold out");
    await page.locator(".marks li").filter({ hasText: "admin token: paused" }).waitFor();

    await tab(page, "Report");
    await page
      .locator(".facts.wide")
      .filter({ hasText: /Let in\s*6/ })
      .waitFor();
    await page.getByRole("region", { name: "What was done, table" }).filter({ hasText: "marked it as sold out" }).waitFor();
    await page.getByText("admin token paused (the till is down)").waitFor();
    await page.getByText("admin token resumed", { exact: true }).waitFor();
    const saved = page.waitForEvent("download");
    await press(page, "Every minute as CSV");
    expect((await saved).suggestedFilename()).toBe("drop-minutes.csv");
    expect([...operators.hosts]).toEqual(expect.arrayContaining([new URL(operators.siteOf("drop")).host]));
    expect([...operators.hosts].filter((host) => !host.endsWith(`.localhost:${worker.url.port}`))).toEqual([]);
    await page.context().close();
  });

  test("[CONSOLE-2] [CONSOLE-4] two operators at once: each hears of the other's change, and the slower one decides again", async () => {
    const [ana, ben] = await anaAndBen("two");
    await ana.getByLabel("Rate", { exact: true }).fill("90");
    await ben.getByLabel("Rate", { exact: true }).fill("120");
    await press(ben, "Apply");
    await says(ben, "Rate 120.");
    await says(ana, /Ben changed new_users_per_minute 600 → 120/);
    expect(await ana.getByLabel("Rate", { exact: true }).inputValue()).toBe("90");
    await press(ana, "Apply");
    const dialog = ana.getByRole("dialog");
    await expect.poll(() => dialog.count()).toBe(1);
    await dialog.getByText(/Ben changed new_users_per_minute 600 → 120/).waitFor();
    expect((await operators.api<{ settings: object }>("/rooms/two")).settings).toMatchObject({ new_users_per_minute: 120 });
    await dialog.getByRole("button", { name: "Keep theirs" }).click();
    await expect.poll(() => ana.getByLabel("Rate", { exact: true }).inputValue()).toBe("120");
    // Now with what holds in sight: it is applied, and Ben hears of it.
    await ana.getByLabel("Capacity", { exact: true }).fill("40");
    await press(ana, "Apply");
    await says(ben, /Ana changed total_active_users 30 → 40/);
    await Promise.all([ana.context().close(), ben.context().close()]);
  });

  test("[CONSOLE-4] mine as well as theirs: what the other one has set, and I have not touched, stays as it is", async () => {
    const limits = async () => (await operators.api<{ settings: object }>("/rooms/mine")).settings;
    const [ana, ben] = await anaAndBen("mine");
    await ana.getByLabel("Rate", { exact: true }).fill("90");
    await ben.getByLabel("Capacity", { exact: true }).fill("20");
    await press(ben, "Apply");
    await says(ana, /Ben changed total_active_users 30 → 20/);
    await press(ana, "Apply");
    await ana.getByRole("dialog").getByRole("button", { name: "Apply mine as well" }).click();
    await says(ana, /^Rate 90/);
    expect(await limits()).toMatchObject({ new_users_per_minute: 90, total_active_users: 20 });
    await expect.poll(() => ana.getByLabel("Capacity", { exact: true }).inputValue()).toBe("20");
    await Promise.all([ana.context().close(), ben.context().close()]);
  });

  test("[CONSOLE-4] what this screen does while a form of its own is open is nobody else's change", async () => {
    const held = async () => (await operators.api<{ settings: Record<string, unknown> }>("/rooms/own")).settings;
    const [ana, ben] = await anaAndBen("own");
    await ana.getByLabel("Rate", { exact: true }).fill("90");
    await ana.getByLabel("What they read").fill("Back soon.");
    await press(ana, "Pause");
    await badge(ana, "Paused");
    await press(ana, "Apply");
    await expect.poll(held).toMatchObject({ queue_all: true, new_users_per_minute: 90 });
    await press(ana, "Tell everybody");
    await says(ana, "Everybody in line reads the message");
    expect(await held()).toMatchObject({ queue_all: true, message: "Back soon." });
    await expect.poll(() => ben.getByLabel("Rate", { exact: true }).inputValue()).toBe("90");
    // The newest of all: what Ben does then is based on it.
    await expect.poll(() => ben.getByLabel("What they read").inputValue()).toBe("Back soon.");

    // Somebody else's is, whatever this screen has done after it.
    await ana.getByLabel("Rate", { exact: true }).fill("120");
    await press(ben, "Rate −50 %");
    await press(ben, "Apply");
    await says(ana, /Ben changed new_users_per_minute 90 → 45/);
    await press(ana, "Stop new joins");
    await says(ana, "New joins are stopped.");
    await press(ana, "Resume");
    await badge(ana, "Open");
    await press(ana, "Apply");
    const others = ana.getByRole("dialog").getByRole("listitem");
    await others.first().waitFor();
    expect(await others.allTextContents()).toEqual([expect.stringMatching(/Ben changed new_users_per_minute 90 → 45$/)]);
    await ana.getByRole("dialog").getByRole("button", { name: "Keep theirs" }).click();
    expect(await held()).toMatchObject({ queue_all: false, new_users_per_minute: 45 });
    await Promise.all([ana.context().close(), ben.context().close()]);
  });

  test("[CONSOLE-3] [CONSOLE-21] news of others pushes no way back out of sight, nor what was not done", async () => {
    const page = await operators.at("news", await operators.tokenFor("Ana", "operator"));
    await press(page, "Sold out");
    await says(page, "Marked as sold out");
    await page.route("**/rooms/news/stop-joins", (route) => route.fulfill({ status: 503, json: { detail: "Busy." } }));
    await press(page, "Stop new joins");
    await says(page, "Not done. Busy.");
    for (const message of ["One.", "Two.", "Three.", "Four."]) {
      await operators.api("/rooms/news", worker.adminToken, { method: "PATCH", body: JSON.stringify({ message }) });
      await says(page, `→ “${message}”`);
    }
    expect(await page.locator(".toast").count()).toBeLessThanOrEqual(4);
    expect(
      await page
        .locator(".toast")
        .filter({ hasText: /Marked as sold out|Not done. Busy./ })
        .count(),
    ).toBe(2);
    await press(page, "Undo");
    await says(page, "The sale goes on.");
    await page.context().close();
  });

  test("[CONSOLE-3] [CONSOLE-6] a change is undone by one press, and any revision is restored after its effect was shown", async () => {
    const page = await operators.at("undo");
    const rate = async () =>
      (await operators.api<{ settings: { new_users_per_minute: number } }>("/rooms/undo")).settings.new_users_per_minute;
    await press(page, "Rate −50 %");
    await press(page, "Apply");
    await says(page, "Rate 300.");
    expect(await rate()).toBe(300);
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(1);
    await press(page, "Undo");
    await says(page, "Undone.");
    expect(await rate()).toBe(600);
    await tab(page, "History");
    await press(page, "Restore revision 2");
    await page.getByRole("dialog").getByText("new_users_per_minute 600 → 300").waitFor();
    expect(await rate()).toBe(600);
    await press(page, "Restore it");
    await says(page, "Revision 2 holds again.");
    expect(await rate()).toBe(300);
    await page.context().close();
  });

  test("[CONSOLE-5] a viewer sees everything and has no control, and the API would refuse them", async () => {
    const token = await operators.tokenFor("Wall", "viewer");
    const page = await operators.at("seen", token);
    await page.getByText("You are signed in as a viewer").waitFor();
    await page.locator(".plot canvas").first().waitFor();
    const found: string[] = [];
    for (const name of ["Now", "Events", "Staff links", "History", "Report", "Tools"]) {
      await tab(page, name);
      await page.locator(`.tabs a[aria-current]`).filter({ hasText: name }).waitFor();
      found.push(...(await page.locator("main button").allTextContents()));
    }
    const harmless = [
      "15 min",
      "1 h",
      "All",
      "As a table",
      "Save as CSV",
      "Every minute as CSV",
      "Print",
      "Look",
      "Open the page in every state",
    ];
    expect(found.filter((label) => !harmless.includes(label))).toEqual([]);
    for (const path of ["/pause", "/flush", "/staff-links"]) {
      expect(await operators.api(`/rooms/seen${path}`, token, { method: "POST", body: "{}" })).toMatchObject({
        status: 403,
        code: "role-too-low",
      });
    }
    await page.context().close();
  });

  test("[CONSOLE-12] what visitors read, in their language and with the room's words", async () => {
    await operators.api("/rooms/seen", worker.adminToken, { method: "PATCH", body: JSON.stringify({ message: "Back at ten." }) });
    const page = await operators.at("seen");
    await tab(page, "Tools");
    const shown = page.locator(".page-preview");
    await shown.getByRole("heading", { name: english.kinds.waiting.heading }).waitFor();
    await shown.getByText("Back at ten.").waitFor();
    await page.getByLabel("State").selectOption("Paused");
    await page.getByLabel("Language").selectOption("de");
    await shown.getByRole("heading", { name: german.kinds.paused.heading }).waitFor();
    await page.context().close();
  });

  test("[CONSOLE-12] the language that was chosen last is shown, however late another one's words come", async () => {
    const page = await operators.at("seen");
    await page.route("**/assets/*.json", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    await tab(page, "Tools");
    const shown = page.locator(".page-preview");
    const came = page.waitForResponse("**/assets/*.json");
    await page.getByLabel("Language").selectOption("de");
    await page.getByLabel("Language").selectOption("en");
    await came;
    await page.waitForTimeout(500);
    expect(await shown.getAttribute("lang")).toBe("en");
    expect(await shown.textContent()).toContain(english.kinds.waiting.heading);
    await page.context().close();
  });

  test("[CONSOLE-2] [CONSOLE-6] what History could not read is read again, without anybody doing anything", async () => {
    const page = await operators.at("seen");
    await page.route(/\/(?:revisions|audit|log)\?/, (route) => route.abort());
    await tab(page, "History");
    await page.locator("p.bad").nth(2).waitFor();
    await page.unrouteAll();
    await page.getByRole("cell", { name: "holds now" }).waitFor();
    expect(await page.locator("p.bad").count()).toBe(0);
    await page.context().close();
  });

  test("[CONSOLE-12][LOOK-4] the page itself opens in every state, in a tab of its own", async () => {
    const page = await operators.at("seen");
    await tab(page, "Tools");
    const opened = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Open the page in every state" }).click();
    const shown = await opened;
    await shown.getByRole("link", { name: "sold-out" }).click();
    await shown.getByRole("heading", { name: english.kinds["sold-out"].heading }).waitFor();
    await page.context().close();
  });

  test("[CONSOLE-2] numbers that stop coming are said to be old, in red past ten seconds", async () => {
    const page = await operators.at("seen");
    await page.clock.install();
    await page.locator(".fresh").filter({ hasText: "live" }).waitFor();
    await page.route("**/stats", (route) => route.abort());
    await page.clock.runFor(30_000);
    await page.locator(".fresh.stale").waitFor();
    await page.getByText("No answer: is this device online").waitFor();
    await page.unroute("**/stats");
    await page.clock.runFor(5_000);
    await page.locator(".fresh:not(.stale)").filter({ hasText: "live" }).waitFor();
    await page.context().close();
  });

  const TABS = ["Now", "Events", "Staff links", "History", "Report", "Tools"];
  test.each([
    ["light, 1280 px", { viewport: { width: 1280, height: 900 } }, ["Now", "Events", "History"]],
    ["dark, 360 px", { viewport: { width: 360, height: 740 }, colorScheme: "dark" as const }, ["Now", "Staff links", "Report", "Tools"]],
  ])("[CONSOLE-7] axe finds nothing, no tab is wider than the screen, and Pause answers the keyboard: %s", async (_, options, looked) => {
    const page = await operators.at("axe", worker.adminToken, options);
    await page.getByLabel("Rate", { exact: true }).fill("300");
    await page.locator(".effect li").first().waitFor();
    await page.getByRole("button", { name: "Pause", exact: true }).focus();
    await page.keyboard.press("Enter");
    await badge(page, "Paused");
    await page.getByRole("button", { name: "Resume", exact: true }).focus();
    await page.keyboard.press("Enter");
    await badge(page, "Open");
    for (const name of TABS) {
      await tab(page, name);
      await page.locator(".panel .card").first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBeLessThanOrEqual(0);
      if (looked.includes(name)) expect([name, await problems(page)]).toEqual([name, []]);
    }
    await press(page, "New line…");
    expect(await problems(page)).toEqual([]);
    await page.context().close();
  });
});
