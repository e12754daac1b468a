/**
 * What an operator does at the console beside running the sale, by clicking, on the built Worker and its Room: staff links, tokens, one visitor,
 * events, the brake, every room at once; who may do what; and signing in by Cloudflare Access.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { Browser, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { RoomDescription } from "../../src/core/admin";
import type { AuditEntry } from "../../src/core/audit";
import type { RoomStats } from "../../src/core/stats";
import { problems } from "../support/axe";
import { launchChromium } from "../support/chromium";
import { Visitor } from "../support/jar";
import { type Origin, startOrigin } from "../support/origin";
import { shared } from "../support/second-try";
import { startWorker, type TestWorker } from "../support/worker";
import { badge, enter, Operators, press, row, says, signIn, tab } from "./operators";

const ROOM = { total_active_users: 30, new_users_per_minute: 600, staff_places: 3, poll_near_seconds: 1 };
const SLOW_DOWN = { max_error_percent: 5, max_p95_ms: 60_000, floor_per_minute: 1 };
const AUDIENCE = "a".repeat(64);

let origin: Origin;
let keys: Server;
let worker: TestWorker;
let browser: Browser;
let operators: Operators;
let assertion: string;

shared(
  async () => {
    const { privateKey, publicKey } = await generateKeyPair("RS256");
    const published = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256", use: "sig" }] });
    keys = createServer((_, response) => response.end(published));
    await new Promise<void>((resolve) => keys.listen(0, "127.0.0.1", resolve));
    const issuer = `http://127.0.0.1:${(keys.address() as AddressInfo).port}`;
    assertion = await new SignJWT({ email: "ana@example.com" })
      .setProtectedHeader({ alg: "RS256", kid: "k1" })
      .setExpirationTime("10 minutes")
      .setIssuer(issuer)
      .setAudience([AUDIENCE])
      .sign(privateKey);
    origin = await startOrigin((request, response) => {
      response.statusCode = request.url === "/broken" ? 503 : request.url === "/gone" ? 410 : 200;
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end("<!doctype html><p>shop</p>");
    });
    const rooms = {
      shop: { host: "shop.localhost", ...ROOM, slow_down: SLOW_DOWN },
      fair: { host: "fair.localhost", ...ROOM, webhooks: [{ name: "ops", url: `${origin.url}/gone`, tell: ["queueing"] }] },
      calm: { host: "calm.localhost", ...ROOM },
    };
    const access = { team_domain: issuer, audience: AUDIENCE, roles: { "ana@example.com": "operator" } };
    worker = await startWorker({ rooms, origin: origin.url, vars: { ACCESS: access, LOCAL_WEBHOOKS: "allow" } });
    browser = await launchChromium();
    operators = new Operators(worker, browser, "shop");
  },
  async () => {
    await browser.close();
    await worker.stop();
    await origin.stop();
    keys.close();
  },
);

const shopper = () => new Visitor(operators.siteOf("shop"), { transport: operators.transport });
const confirm = (page: Page, verb: string) => page.getByRole("dialog").getByRole("button", { name: verb, exact: true }).click();
const room = (name = "shop") => operators.api<RoomDescription>(`/rooms/${name}`);
const shown = (page: Page, of: string) => page.getByRole("dialog").getByLabel(of).inputValue();

describe("by clicking", () => {
  test("[CONSOLE-1] [CONSOLE-13] a token is shown once and counts; ended, its holder is signed out at the next look, and nobody who comes after", async () => {
    const page = await operators.open("shop");
    await signIn(page, worker.adminToken);
    await tab(page, "Tokens");
    await page.getByLabel("For whom").fill("Ben");
    await page.getByLabel("Role").selectOption("operator");
    await press(page, "Make a token");
    const token = await shown(page, "The new token");
    await confirm(page, "Done");
    await row(page, "Ben").filter({ hasText: "live" }).waitFor();
    expect(await page.locator("main").innerHTML()).not.toContain(token);

    const ben = await operators.at("shop", token);
    await ben.getByText("Ben · operator").waitFor();
    await press(ben, "Stop new joins");
    await ben.getByRole("button", { name: "Undo" }).waitFor();
    await press(page, "End Ben");
    await page.getByRole("dialog").getByText("This cannot be undone").waitFor();
    await confirm(page, "End it");
    await row(page, "Ben").filter({ hasText: "revoked" }).waitFor();
    await ben.getByText("You were signed out.").waitFor();
    expect(await ben.title()).toBe("Waiting room console");
    // A way back of the token that has ended is still in sight: it does nothing, and ends nobody else's visit.
    await signIn(ben, worker.adminToken);
    await ben.getByText("admin token · admin").waitFor();
    await press(ben, "Undo");
    await says(ben, /^Not done\./);
    expect(await ben.getByText("admin token · admin").isVisible()).toBe(true);
    await operators.api("/rooms/shop/allow-joins", worker.adminToken, { method: "POST", body: "{}" });
    await Promise.all([page.context().close(), ben.context().close()]);
  });

  test("[CONSOLE-13] a staff link is shown once and opens the door; ended, it opens nothing", async () => {
    const page = await operators.at("shop");
    await tab(page, "Staff links");
    await page.getByLabel("For whom").fill("press");
    await press(page, "Make a link");
    const link = await shown(page, "The new staff link");
    await confirm(page, "Done");
    await row(page, "press").filter({ hasText: "0 of 1" }).waitFor();
    expect(await page.locator("main").innerHTML()).not.toContain(link);
    const guest = await (await browser.newContext()).newPage();
    await guest.goto(link);
    await guest.getByRole("button").click();
    await guest.getByText("shop", { exact: true }).waitFor();
    await row(page, "press").filter({ hasText: "1 of 1" }).waitFor();
    await press(page, "End press");
    await confirm(page, "End it");
    await row(page, "press").filter({ hasText: "revoked" }).waitFor();
    expect((await guest.goto(link))?.status()).toBe(200);
    await guest.getByRole("button").click();
    await guest.getByText("This staff link has ended or was revoked.").waitFor();
    await Promise.all([page.context().close(), guest.context().close()]);
  });

  test("[CONSOLE-13][PAGE-27] one visitor is found by the code of their page, banned, let back", async () => {
    await operators.api("/rooms/shop/pause", worker.adminToken, { method: "POST", body: "{}" });
    const newCode = async () => {
      const visitor = shopper();
      // Paused is what an edge hears of a moment later.
      const codeShown = async () =>
        /Reference code for support: ([0-9A-Z]{4}-[0-9A-Z]{4})/.exec(await (await visitor.navigate("/")).text());
      await expect.poll(codeShown).not.toBeNull();
      return (await codeShown())?.[1] ?? "";
    };
    const code = await newCode();
    const page = await operators.at("shop");
    await tab(page, "Tools");
    await page.getByLabel("Reference code").fill(code.toLowerCase());
    await press(page, "Look");
    const facts = page.locator(".facts").filter({ hasText: "Last seen" });
    await facts.filter({ hasText: /State\s*waiting/ }).waitFor();
    await press(page, "Ban…");
    await confirm(page, "Ban");
    await facts.filter({ hasText: /State\s*ended[\s\S]*Banned\s*by admin token/ }).waitFor();
    await press(page, "Lift the ban");
    await says(page, "The ban was lifted.");
    await facts.filter({ hasNotText: "Banned" }).waitFor();

    // Whoever is shown is meant, not whose code stands in the field by then; and who was asked about last is shown.
    const [one, other] = [await newCode(), await newCode()];
    const placeOf = (of: string) => operators.api<{ state: string; banned: unknown }>(`/rooms/shop/places/${of}`);
    await page.getByLabel("Reference code").fill(one);
    await press(page, "Look");
    await facts.filter({ hasText: /State\s*waiting/ }).waitFor();
    await page.route(`**/places/${other}`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    await page.getByLabel("Reference code").fill(other);
    const late = page.waitForResponse(`**/places/${other}`);
    await press(page, "Look");
    await page.getByLabel("Reference code").fill(one);
    await press(page, "Look");
    await page.getByLabel("Reference code").fill(other);
    await late;
    await page.waitForTimeout(300);
    await press(page, "Take the place away…");
    await confirm(page, "Take the place away");
    await says(page, "The place was taken away.");
    expect([(await placeOf(one)).state, (await placeOf(other)).state]).toEqual(["ended", "waiting"]);
    await press(page, "Resume");
    await badge(page, "Open");
    await page.context().close();
  });

  test("[CONSOLE-8] [EVENT-1] an hour that this computer's clocks skip is the one after it, not the one before", async () => {
    const page = await operators.at("calm", worker.adminToken, { timezoneId: "Europe/Berlin" });
    await tab(page, "Events");
    await page.getByLabel("Name", { exact: true }).fill("night");
    await page.getByLabel("Doors open").fill("2099-03-29T02:30");
    await page.getByLabel("Ends").fill("2099-03-29T12:00");
    await press(page, "Plan it");
    await says(page, "night is planned.");
    const [night] = (await room("calm")).settings["events"] as { event_start_time: string; event_end_time: string }[];
    expect(night).toMatchObject({ event_start_time: "2099-03-29T03:30:00+02:00", event_end_time: "2099-03-29T12:00:00+02:00" });
    await page.context().close();
  });

  test("[CONSOLE-8] an event is moved, taken away and put back, and called off with words of the operator's", async () => {
    const sale = { name: "late", event_start_time: "2099-12-04T10:00:00+00:00", event_end_time: "2099-12-04T12:00:00+00:00" };
    await operators.api("/rooms/shop/events", worker.adminToken, { method: "POST", body: JSON.stringify(sale) });
    const events = async () => (await room()).settings["events"] as { event_start_time: string; cancelled: string | null }[];
    const page = await operators.at("shop");
    await tab(page, "Events");
    await press(page, "Start late 15 minutes later");
    await says(page, "late starts 15 minutes later.");
    expect(Date.parse((await events())[0]?.event_start_time ?? "")).toBe(Date.parse("2099-12-04T10:15:00Z"));
    // What is seen is what may be changed.
    await page.locator(".sale .facts").filter({ hasText: ":15:00" }).waitFor();
    await press(page, "Take it away…");
    await confirm(page, "Take it away");
    await page.getByText("No event is planned.").waitFor();
    await press(page, "Undo");
    await page.getByRole("heading", { name: "late planned" }).waitFor();
    await press(page, "Call it off…");
    await page.getByRole("dialog").getByLabel("What they read").fill("The band is ill.");
    await confirm(page, "Call it off");
    await page.getByRole("heading", { name: "late cancelled" }).waitFor();
    expect(await events()).toMatchObject([{ cancelled: "The band is ill." }]);
    await page.context().close();
  });

  test("[SLOW-4] the brake is told with its reason, and one press gives the full rate back", async () => {
    const page = await operators.at("shop");
    const visitor = shopper();
    await visitor.navigate("/");
    await expect
      .poll(async () => {
        await Promise.all(Array.from({ length: 10 }, () => visitor.navigate("/broken")));
        return (await operators.api<RoomStats>("/rooms/shop/stats")).rate_per_minute;
      })
      .toBeLessThan(600);
    await badge(page, "Slowed down");
    await page.getByText(/The site fails: the rate is held at \d+ a minute/).waitFor();
    await press(page, "Give the full rate back");
    await badge(page, "Open");
    expect(await operators.api<RoomStats>("/rooms/shop/stats")).toMatchObject({ rate_per_minute: 600, slowed_down: null });
    await page.context().close();
  });

  test("[CONSOLE-11][CONSOLE-18] a rate in steps, from a preset, goes on when the page is closed, is seen by everybody, and stays where it is by one press", async () => {
    const page = await operators.at("calm");
    await page.getByLabel("Rate", { exact: true }).fill("1200");
    // A pair of numbers by name, kept for every operator; what is being edited is not lost by it.
    await page.getByText("Presets", { exact: true }).click();
    await page.getByLabel("Name of the preset").fill("Peak");
    await press(page, "Keep these numbers");
    await says(page, "“Peak” is kept.");
    await page.getByLabel("Rate", { exact: true }).fill("700");
    await press(page, "Peak");
    expect(await page.getByLabel("Rate", { exact: true }).inputValue()).toBe("1200");
    await page.getByLabel("It changes").selectOption("in steps over 10 min");
    await press(page, "Apply");
    await expect.poll(async () => (await room("calm")).settings["new_users_per_minute"]).toBe(1_200);
    await says(page, "Rate 1,200, in steps over 10 min.");
    await page.getByText(/In steps: rate 600 → 1,200, now 6\d\d/).waitFor();
    await page.context().close();
    const other = await operators.at("calm", await operators.tokenFor("Ben", "operator"));
    await other.getByText(/In steps: rate 600 → 1,200, now 6\d\d/).waitFor();
    await press(other, "Stop here");
    await says(other, "Rate and capacity stay where they are.");
    await other.getByText("In steps:").waitFor({ state: "hidden" });
    const { settings } = await room("calm");
    expect(settings["new_users_per_minute"]).toBeGreaterThan(600);
    expect(settings["new_users_per_minute"]).toBeLessThan(700);
    await other.getByText("Presets", { exact: true }).click();
    await press(other, "Forget Peak");
    await says(other, "“Peak” is forgotten.");
    expect((await room("calm")).settings["presets"]).toEqual([]);
    await other.context().close();
  });

  test("[CONSOLE-16] every webhook shows what became of its last message, and a test sends one at once", async () => {
    const page = await operators.at("fair");
    await tab(page, "Tools");
    await row(page, "ops").filter({ hasText: "nothing yet" }).waitFor();
    await press(page, "Send a test to ops");
    await says(page, "ops: it was refused (410).");
    await row(page, "ops")
      .filter({ hasText: /it was refused \(410\), \d/ })
      .waitFor();
    await page.context().close();
  });

  test("[CONSOLE-17] ?wall shows one room's numbers without anything to press; the list of rooms draws who waited", async () => {
    const page = await operators.open("shop");
    await signIn(page, worker.adminToken);
    await expect.poll(() => page.locator("a.room .spark path").first().getAttribute("d")).toMatch(/^M0 /);
    await enter(page, "shop");
    await tab(page, "Wall screen");
    await page.getByRole("heading", { name: "shop", exact: true }).waitFor();
    await page.locator(".wall-screen .tile .value").filter({ hasText: /\d/ }).first().waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    expect(await page.locator("input, textarea, select").count()).toBe(0);
    expect(
      await page
        .locator(".wall-screen .value")
        .first()
        .evaluate((e) => Number.parseFloat(getComputedStyle(e).fontSize)),
    ).toBeGreaterThan(100);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await problems(page)).toEqual([]);
    await tab(page, "To the console");
    await badge(page, "Open");
    await page.context().close();
  });

  test("[CONSOLE-14] all rooms are paused by one press, and Undo resumes those that it paused and no other", async () => {
    await operators.api("/rooms/fair/pause", worker.adminToken, { method: "POST", body: "{}" });
    const page = await operators.open("shop");
    await signIn(page, worker.adminToken);
    const listed = (name: string, word: string) => page.getByRole("link", { name: new RegExp(`^${name}\\s*${word}`) }).waitFor();
    await listed("shop", "Open");
    await press(page, "Pause all rooms");
    await says(page, "3 of 3 rooms are paused.");
    await listed("shop", "Paused");
    await press(page, "Undo");
    await says(page, "rooms are resumed.");
    expect(await page.locator(".toast").filter({ hasText: "resumed" }).locator("p").textContent()).toBe("2 of 2 rooms are resumed.");
    await listed("shop", "Open");
    expect((await room("fair")).settings["queue_all"]).toBe(true);
    await page.context().close();
  });
});

describe("who may do what", () => {
  /** What is offered on every tab besides what only looks. */
  const HARMLESS = /^(?:15 min|1 h|All|As a table|Save as CSV|Every minute as CSV|Print|Look|Open the page in every state|Sign out|Close)$/;
  async function offered(page: Page): Promise<string[]> {
    const found = new Set<string>();
    for (const name of ["Now", "Events", "Staff links", "History", "Report", "Tools"]) {
      await tab(page, name);
      await page.locator(".tabs a[aria-current]").filter({ hasText: name }).waitFor();
      // What comes a moment later has its buttons, too.
      if (name === "History") await page.getByRole("region", { name: "Revisions, table" }).waitFor();
      for (const text of await page.locator("main").getByRole("button").allTextContents()) found.add(text);
    }
    if ((await page.getByRole("link", { name: "Tokens" }).count()) > 0) found.add("Tokens");
    return [...found].filter((label) => !HARMLESS.test(label));
  }

  test("[CONSOLE-5] each role is offered what it may do: a viewer nothing, an operator all but tokens and a new line", async () => {
    const pages = new Map<string, string[]>();
    for (const role of ["viewer", "operator", "admin"]) {
      const page = await operators.at("calm", await operators.tokenFor(role, role));
      pages.set(role, await offered(page));
      await page.context().close();
    }
    expect(pages.get("viewer")).toEqual([]);
    const [operator = [], admin = []] = [pages.get("operator"), pages.get("admin")];
    expect(operator).toEqual(
      expect.arrayContaining([
        "Pause",
        "Apply",
        "Tell everybody",
        "Stop new joins",
        "Sold out",
        "Plan it",
        "Make a link",
        "Empty the line…",
      ]),
    );
    expect(admin.filter((label) => !operator.includes(label))).toEqual(["New line…", "Tokens"]);
    expect(operator.filter((label) => !admin.includes(label))).toEqual([]);
  });

  test("[CONSOLE-15] where Cloudflare Access says who it is, no token is asked for, and the audit log has the address", async () => {
    const page = await operators.open("shop", { extraHTTPHeaders: { "Cf-Access-Jwt-Assertion": assertion } });
    await page.getByText("ana@example.com · operator").waitFor();
    expect(await page.getByRole("button", { name: "Sign out" }).count()).toBe(0);
    await enter(page, "shop");
    await press(page, "Stop new joins");
    await says(page, "New joins are stopped.");
    await press(page, "Undo");
    await says(page, "People may join again.");
    const { audit } = await operators.api<{ audit: readonly AuditEntry[] }>("/rooms/shop/audit?limit=2");
    expect(audit.map(({ actor, action }) => [actor, action])).toEqual([
      ["ana@example.com", "allow-joins"],
      ["ana@example.com", "stop-joins"],
    ]);
    await page.context().close();
  });
});
