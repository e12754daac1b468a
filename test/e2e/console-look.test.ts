/** The console as it lies before an operator under stress: what a control will do, what was refused and where, what stands, what is to be seen. */
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { shared } from "../support/second-try";
import type { TestWorker } from "../support/worker";
import { beginConsole, type Operators, press, says, signIn, tab } from "./operators";

const ROOM = { total_active_users: 30, new_users_per_minute: 600, beacon: "none", settle_seconds: 0, staff_places: 3 };
const NAMES = ["plan", "switch", "room-with-a-long-name"];

let worker: TestWorker;
let operators: Operators;
let end: () => Promise<void>;
shared(
  async () => {
    const large = { ...ROOM, total_active_users: 120_000 };
    ({ worker, operators, end } = await beginConsole(Object.fromEntries(NAMES.map((name) => [name, name.length > 10 ? large : ROOM]))));
  },
  () => end(),
);

const boxOf = async (what: Locator) => (await what.boundingBox()) ?? { x: Number.NaN, y: Number.NaN, width: 0, height: 0 };
const marked = (page: Page) =>
  page.locator("[aria-invalid=true]").evaluateAll((all) => all.map((each) => (each as HTMLInputElement).labels?.[0]?.textContent));

describe("a refusal", () => {
  test("[CONSOLE-21] stands in the form, in the words of its labels, with the fields marked and the first of them in focus", async () => {
    const page = await operators.at("plan");
    await tab(page, "Events");
    const local = (ms: number) =>
      page.evaluate((at) => new Date(at - 60_000 * new Date(at).getTimezoneOffset()).toISOString().slice(0, 16), ms);
    await page.getByLabel("Name").fill("spring");
    await page.getByLabel("Lobby opens").fill(await local(Date.now() + 1_200_000));
    await page.getByLabel("Doors open").fill(await local(Date.now() + 600_000));
    await page.getByLabel("Ends").fill(await local(Date.now() + 3_600_000));
    // Date and time are seen whole.
    expect((await boxOf(page.getByLabel("Lobby opens"))).width).toBeGreaterThan(210);
    await press(page, "Plan it");
    const said = page.getByRole("alert").filter({ hasText: "must be before Doors open" });
    await said.waitFor();
    expect(await said.textContent()).toMatch(/^Lobby opens is /);
    expect(await marked(page)).toEqual(["Lobby opens", "Doors open"]);
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent)).toBe("Lobby opens");
    expect(await page.locator(".toast").count()).toBe(0);

    await page.getByLabel("Lobby opens").fill(await local(Date.now() + 300_000));
    await press(page, "Plan it");
    await says(page, "spring is planned.");
    expect([await marked(page), await page.locator("form .bad:not(:empty)").count()]).toEqual([[], 0]);
    // The way back and the way to close it stand beside each other, on one line with the words where there is room.
    const toast = page.locator(".toast");
    const [words, undo, close] = [
      toast.locator("p"),
      toast.getByRole("button", { name: "Undo" }),
      toast.getByRole("button", { name: /^Close/ }),
    ];
    const middle = async (what: Locator) => (({ y, height }) => y + height / 2)(await boxOf(what));
    for (const button of [undo, close]) expect(Math.abs((await middle(button)) - (await middle(words)))).toBeLessThan(4);
    await page.setViewportSize({ width: 375, height: 800 });
    expect(Math.abs((await middle(undo)) - (await middle(close)))).toBeLessThan(4);
    await page.context().close();
  });

  test("[CONSOLE-21] [CONSOLE-4] a rate that cannot be is told by its label while it is typed, and no more once it can", async () => {
    const page = await operators.at("plan");
    const rate = page.getByLabel("Rate", { exact: true });
    await rate.fill("-5");
    await page.getByText(/^Rate must be 0, or a number/).waitFor();
    expect(await marked(page)).toEqual(["Rate"]);
    await rate.fill("700");
    await page.locator(".effect li").first().waitFor();
    expect([await marked(page), await page.getByText(/^Rate must be/).count()]).toEqual([[], 0]);
    await page.context().close();
  });

  test("[CONSOLE-21] a notice of what was not done stays as long as the way back of what was", async () => {
    const page = await operators.open("plan");
    await page.clock.install();
    await signIn(page, worker.adminToken);
    await page.getByRole("link", { name: /^plan/ }).click();
    await page.locator(".head .badge").filter({ hasText: /./ }).first().waitFor();
    await page.route("**/pause", (route) =>
      route.fulfill({ status: 503, json: { code: "room-unreachable", detail: "The room does not answer just now." } }),
    );
    await press(page, "Pause");
    await says(page, "Not done. The room does not answer just now.");
    await page.clock.runFor(20_000);
    expect(await page.locator(".toast.bad").count()).toBe(1);
    await page.clock.runFor(11_000);
    await expect.poll(() => page.locator(".toast.bad").count()).toBe(0);
    await page.context().close();
  });
});

describe("what stands, and what a press will do", () => {
  test("[CONSOLE-21] each switch says what it does, by how it stands; what is switched is told in the head of every tab, and on the wall in large letters", async () => {
    const page = await operators.at("switch");
    const does = (name: string) =>
      page
        .getByRole("button", { name, exact: true })
        .evaluate((at) => document.getElementById(at.getAttribute("aria-describedby") ?? "")?.textContent);
    expect(await does("Stop new joins")).toMatch(/^Nobody new gets a place/);
    expect(await does("Sold out")).toMatch(/told that it is over/);
    await press(page, "Stop new joins");
    await page.getByRole("button", { name: "Allow joins" }).waitFor();
    expect(await does("Allow joins")).toMatch(/get places again/);
    await tab(page, "Report");
    await page.locator(".head .badge").filter({ hasText: "Joins stopped" }).waitFor();
    // Where another tab is in front, the name of this one tells.
    await expect.poll(() => page.title()).toBe("Open · switch – console");

    await page.goto(`${operators.siteOf("switch")}/__vestibule/admin/?wall#/room/switch`);
    await page.reload();
    const badge = page.locator(".wall-screen .badge").first();
    await badge.filter({ hasText: "Open" }).waitFor();
    expect(await badge.evaluate((at) => Number.parseFloat(getComputedStyle(at).fontSize))).toBeGreaterThan(24);
    await page.locator(".badge").filter({ hasText: "Joins stopped" }).waitFor();
    await page.context().close();
  });

  test("[CONSOLE-21] [CONSOLE-3] on a large screen Pause stays in sight, whatever is read, and what has the focus is not under it", async () => {
    const page = await operators.at("switch", worker.adminToken, { viewport: { width: 1_280, height: 800 } });
    await tab(page, "Tools");
    const last = page.getByRole("button", { name: "New line…" });
    await last.scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const pause = await boxOf(page.getByRole("button", { name: "Pause" }));
    expect(pause.y).toBeGreaterThanOrEqual(0);
    expect(pause.y).toBeLessThan(200);
    const state = page.getByLabel("State");
    await state.focus();
    const head = await boxOf(page.locator(".head"));
    expect((await boxOf(state)).y).toBeGreaterThanOrEqual(head.y + head.height);
    await page.context().close();
  });

  test("[CONSOLE-21] there is a link to the last draw where there was one, and none that leads nowhere", async () => {
    const page = await operators.at("switch");
    const looked = page.waitForResponse((reply) => reply.url().endsWith("/draws/latest/verify"));
    await tab(page, "Events");
    await page.getByText("No draw is under way.").waitFor();
    expect((await looked).status()).toBe(404);
    expect(await page.getByRole("link", { name: "The last one can be checked here" }).count()).toBe(0);
    await page.route("**/draws/latest/verify", (route) => route.fulfill({ status: 200 }));
    await tab(page, "Now");
    await tab(page, "Events");
    await page.getByRole("link", { name: "The last one can be checked here" }).waitFor();
    await page.context().close();
  });

  test("[CONSOLE-21] in forced colours too it is seen which tab is open and which span of time the charts show", async () => {
    const page = await operators.at("switch", worker.adminToken, { forcedColors: "active" });
    const edge = (name: string) => page.getByRole("link", { name, exact: true }).evaluate((at) => getComputedStyle(at).borderBlockEndColor);
    const ground = (name: string) => page.getByRole("button", { name, exact: true }).evaluate((at) => getComputedStyle(at).backgroundColor);
    const [canvas, highlight] = await page.evaluate(() =>
      ["Canvas", "Highlight"].map((name) => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.cssText = `background:${name};forced-color-adjust:none`;
        return getComputedStyle(probe).backgroundColor;
      }),
    );
    expect([await edge("Events"), await ground("1 h")]).toEqual([canvas, highlight]);
    expect(await edge("Now")).not.toBe(canvas);
    expect(await ground("15 min")).not.toBe(highlight);
    await page.context().close();
  });

  test("[CONSOLE-21] a report that is printed from a dark screen is dark on white, and nothing of it is to be pressed", async () => {
    const page = await operators.at("switch", worker.adminToken, { colorScheme: "dark" });
    await tab(page, "Report");
    await page.getByText("Most let in within a minute").waitFor();
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const [ink, card] = await page.evaluate(() => [
      getComputedStyle(document.querySelector(".small-numbers dd") as Element).color,
      getComputedStyle(document.querySelector(".card") as Element).backgroundColor,
    ]);
    expect([ink, card]).toEqual(["rgb(28, 33, 31)", "rgb(255, 254, 251)"]);
    expect(await page.locator("button, input").filter({ visible: true }).count()).toBe(0);
    await page.context().close();
  });

  test("[CONSOLE-21] in the list of rooms the same numbers stand under each other", async () => {
    const page = await operators.open("plan", { viewport: { width: 1_280, height: 800 } });
    await signIn(page, worker.adminToken);
    await page.locator(".ns").nth(2).waitFor();
    const columns = await page
      .locator(".ns")
      .evaluateAll((all) => all.map((each) => [...each.children].map((child) => Math.round(child.getBoundingClientRect().left))));
    expect(columns).toEqual(columns.map(() => columns[0]));
    await page.context().close();
  });
});
