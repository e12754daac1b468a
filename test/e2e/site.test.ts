/**
 * Chromium before a site with members, served by a real server: every visitor's scenarios, a log-in with a cookie, forms and
 * redirects that name the site's own address, and a form that was sent without a pass.
 */
import type { Page } from "playwright-core";
import { afterAll, expect } from "vitest";
import { assets } from "../../src/assets";
import { english } from "../../src/core/languages/en";
import { type Handler, type Origin, startOrigin } from "../support/origin";
import { startTurnstile } from "../support/turnstile";
import { type Entrance, entrances } from "./entrance";
import { visits } from "./visits";

let origin: Origin;
const posts = (entrance: Entrance) => origin.received.filter((received) => received.method === "POST" && entrance.sent(received));

let turnstile: Awaited<ReturnType<typeof startTurnstile>>;
afterAll(() => turnstile.stop());

const test = entrances({
  start: async () => {
    origin = await startOrigin(members);
    turnstile = await startTurnstile();
    return { url: origin.url, stop: () => origin.stop() };
  },
  /** Read once the site has started. */
  get vars() {
    return { TURNSTILE_URL: turnstile.url, TURNSTILE_SECRET: turnstile.secret };
  },
  path: "/club?from=mail",
  heading: "The members' club",
});

visits(test);

/** The site: it knows nothing of the room, and writes its own address into redirects. */
const members: Handler = async (request, response, received) => {
  const { pathname } = new URL(request.url ?? "/", origin.url);
  const member = /(?:^|; )member=([^;]*)/.exec(received.header("Cookie") ?? "")?.[1];
  const html = (title: string, body: string) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`);
  };
  if (pathname === "/club") return html("The members' club", '<a href="/old-log-in">Log in</a>');
  if (pathname === "/old-log-in") return response.writeHead(301, { Location: `${origin.url}/log-in` }).end();
  if (pathname === "/log-in" && request.method === "GET")
    return html("Log in", '<form method="post"><label>Name <input name="name"></label><button>Go on</button></form>');
  if (pathname === "/log-in") {
    const name = new URLSearchParams((await received.body()).toString()).get("name") ?? "";
    const cookies = [`member=${encodeURIComponent(name)}; Path=/; HttpOnly`, "theme=dark; Path=/"];
    return response.writeHead(303, { Location: `${origin.url}/account`, "Set-Cookie": cookies }).end();
  }
  if (pathname === "/account" && member) return html("Your account", `<p id="who">${decodeURIComponent(member)}</p>`);
  return response.writeHead(302, { Location: "/log-in" }).end();
};

test("[PROXY-3] [PROXY-5] [PROXY-7] a member logs in: redirects stay before the room, the site's cookies arrive, each visitor has their own", async ({
  entrance,
}) => {
  const visited: string[] = [];
  const page = await entrance.inside();
  page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).origin));
  await page.getByRole("link", { name: "Log in" }).click();
  await page.getByLabel("Name").fill("Zoë & Ida");
  await page.getByRole("button").click();
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  expect(page.url()).toBe(`${entrance.url}/account`);
  expect(await page.locator("#who").textContent()).toBe("Zoë & Ida");
  expect(new Set(visited)).toEqual(new Set([entrance.url]));
  const names = (await page.context().cookies()).map(({ name }) => name).sort();
  expect(names).toEqual(["member", "theme", `vestibule-pass.${entrance.room}`, `vestibule.${entrance.room}`]);
  expect(origin.received.map((received) => received.header("Cookie") ?? "").join()).not.toContain("vestibule");

  const other = await entrance.visitor();
  await entrance.open(other);
  await entrance.grow();
  await entrance.seesSite(other);
  await other.goto(`${entrance.url}/account`);
  await other.getByRole("heading", { name: "Log in" }).waitFor();
});

test("[GATE-16] [PAGE-7] a form sent without a pass does not reach the site, and its button sends it once the turn has come", async ({
  entrance,
  expect,
}) => {
  const page = await entrance.inside();
  await page.goto(`${entrance.url}/log-in`);
  await page.getByLabel("Name").fill("Zoë & Ida");
  await page.context().clearCookies();
  const before = posts(entrance).length;
  await page.getByRole("button").click();
  const again = page.getByRole("button", { name: english.formSend });
  await again.waitFor();
  await expect.poll(async () => (await entrance.stats()).waiting).toBe(1);
  expect(posts(entrance).length).toBe(before);

  await entrance.grow();
  await page.getByRole("heading", { name: english.kinds.inside.heading }).waitFor();
  expect(posts(entrance).length).toBe(before);
  await again.click();
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  expect(await page.locator("#who").textContent()).toBe("Zoë & Ida");
  expect(posts(entrance).length).toBe(before + 1);
});

const ASKED = english.kinds.challenge.heading;

/** Scripts that a page loaded, and what its policy stopped. */
function watch(page: Page): { readonly scripts: string[]; readonly faults: string[] } {
  const [scripts, faults]: string[][] = [[], []];
  page.on("request", (request) => request.resourceType() === "script" && scripts?.push(new URL(request.url()).pathname));
  page.on("pageerror", (error) => faults?.push(String(error)));
  page.on("console", (message) => /content security|refused to/i.test(message.text()) && faults?.push(message.text()));
  return { scripts: scripts ?? [], faults: faults ?? [] };
}

test("[PAGE-19] [PROOF-4] S2 where everybody is asked the page works it out by itself and gets in; on other days it loads nothing for it", async ({
  entrance,
  expect,
}) => {
  await entrance.set({ challenge: "pow" });
  await entrance.inside();
  const calm = await entrance.visitor();
  const calmPage = watch(calm);
  await entrance.open(calm);
  await calm.locator("#place").waitFor();
  expect(calmPage.scripts).toEqual([assets.wait]);

  await entrance.set({ challenge_everyone: true });
  await expect.poll(async () => (await entrance.stats()).waiting).toBe(1);
  const page = await entrance.visitor();
  const { scripts, faults } = watch(page);
  await expect.poll(async () => (await page.goto(entrance.url)) && page.getByRole("heading", { name: ASKED }).isVisible()).toBe(true);
  await page.locator("#place").waitFor();
  expect(scripts.filter((path) => path === assets.prove || path === assets.solver).length).toBeGreaterThan(1);
  expect(faults).toEqual([]);
  expect((await entrance.stats()).waiting).toBe(2);
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual([`vestibule.${entrance.room}`]);
  await entrance.grow();
  await entrance.grow();
  await page
    .getByRole("heading", { name: "Log in" })
    .or(page.getByRole("heading", { name: "The members' club" }))
    .waitFor();
});

test("[PAGE-19] [PROOF-3] S5 where Turnstile is asked the page shows its widget, and its token gets a place once", async ({
  entrance,
  expect,
}) => {
  turnstile.verified.length = 0;
  await entrance.inside();
  await entrance.set({ challenge: "turnstile", turnstile_sitekey: "0x4AAAAAAAkey", challenge_everyone: true });
  const page = await entrance.visitor();
  const { faults } = watch(page);
  await expect.poll(async () => (await page.goto(entrance.url)) && page.getByRole("heading", { name: ASKED }).isVisible()).toBe(true);
  await page.frameLocator("iframe").getByRole("checkbox").check();
  await page.locator("#place").waitFor();
  expect(faults).toEqual([]);
  expect(turnstile.verified.map(({ action, sitekey }) => [action, sitekey])).toEqual([["vestibule", "0x4AAAAAAAkey"]]);
  expect((await entrance.stats()).waiting).toBe(1);
});
