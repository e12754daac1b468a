/** Applications nobody here wrote, used in Chromium with and without a room before them: people see and can do the same. */
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../support/chromium";
import { Visitor } from "../support/jar";
import { type App, type AppName, appNames, startApp } from "./apps";
import { httpCredentials, visits } from "./browse";
import { ROOM, startFront } from "./front";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

interface Seen {
  readonly facts: readonly string[];
  /** Errors of scripts, and what the browser complained about, without addresses. */
  readonly faults: ReadonlySet<string>;
  /** Of the room, at the end. */
  readonly ownCookies: readonly string[];
}

async function visit(name: AppName, base: string): Promise<Seen> {
  const context: BrowserContext = await browser.newContext({ ignoreHTTPSErrors: true, httpCredentials });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const faults = new Set<string>();
    const plain = (message: string) => message.replaceAll(base, "");
    page.on("pageerror", (error) => faults.add(plain(String(error))));
    page.on("console", (message) => {
      if (message.type() === "error") faults.add(plain(message.text()));
    });
    const facts = await visits[name](page, base);
    const cookies = await context.cookies();
    return {
      facts,
      faults,
      ownCookies: cookies
        .map((cookie) => cookie.name)
        .filter((cookie) => /vestibule/.test(cookie))
        .sort(),
    };
  } finally {
    await context.close();
  }
}

async function withApp<T>(name: AppName, use: (app: App) => Promise<T>): Promise<T> {
  const app = await startApp(name);
  try {
    return await use(app);
  } finally {
    await app.stop();
  }
}

describe.each(appNames)("%s", (name) => {
  let alone: Seen;
  beforeAll(async () => {
    alone = await withApp(name, (app) => visit(name, app.url));
  });

  test("[PROXY-3][PROXY-7] behind a room with ORIGIN, over https: the same", async () => {
    const seen = await withApp(name, async (app) => {
      const front = await startFront(app, "ORIGIN", {}, true);
      return visit(name, front.httpsUrl.origin).finally(() => front.stop());
    });
    expect(seen.facts).toEqual(alone.facts);
    expect(seen.faults).toEqual(alone.faults);
    expect(seen.ownCookies).toEqual([`__Host-vestibule-pass.${ROOM}`, `__Host-vestibule.${ROOM}`]);
  });

  test("[PROXY-3][PROXY-6] behind a room on a zone route, over http: the same", async () => {
    const seen = await withApp(name, async (app) => {
      const front = await startFront(app, "zone route");
      return visit(name, front.url.origin).finally(() => front.stop());
    });
    expect(seen.facts).toEqual(alone.facts);
    expect(seen.faults).toEqual(alone.faults);
    expect(seen.ownCookies).toEqual([`vestibule-pass.${ROOM}`, `vestibule.${ROOM}`]);
  });
});

test("[GATE-10][GATE-11] somebody who waited before a busy site finds the page they asked for, and goes on from there", async () => {
  await withApp("hads", async (app) => {
    const front = await startFront(app, "zone route", { total_active_users: 1, new_users_per_minute: 6_000, revoke_bound_seconds: 5 });
    const context = await browser.newContext();
    try {
      const first = new Visitor(front.url);
      for (let tries = 0; tries < 100 && !first.cookies.has(`vestibule-pass.${ROOM}`); tries++) {
        await (await first.navigate("/")).arrayBuffer();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const page = await context.newPage();
      await page.goto(`${front.url.origin}/roses`);
      expect(await page.locator("table").count()).toBe(0);
      const left = await first.fetch(`/__vestibule/rooms/${ROOM}/leave`, { method: "POST", headers: { "Sec-Fetch-Site": "same-origin" } });
      expect(left.status).toBe(200);
      await page.locator("table").waitFor();
      expect(page.url()).toBe(`${front.url.origin}/roses`);
      await page.getByRole("link", { name: "Edit" }).click();
      await page.locator(".ace_content").waitFor();
    } finally {
      await context.close();
      await front.stop();
    }
  });
});
