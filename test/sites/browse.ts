/**
 * What somebody does in each application with a real browser, and what they see while they do it. The same with and without a room:
 * what is returned must be the same too. Scripts that run in the page are text: this project's types know no DOM.
 */
import type { Page } from "playwright-core";
import { type AppName, PASSWORD, PIXEL } from "./apps";

/** Things seen, in order. `base` has no final slash. */
export type Visit = (page: Page, base: string) => Promise<string[]>;

export const visits: Readonly<Record<AppName, Visit>> = { tiddlywiki, hads, droppy };

/** Credentials for sites that ask by HTTP. */
export const httpCredentials = { username: "alice", password: PASSWORD };

async function tiddlywiki(page: Page, base: string): Promise<string[]> {
  const seen: string[] = [];
  await page.goto(`${base}/login-basic`);
  await page.locator(".tc-site-title").waitFor();
  seen.push(`after the log-in at ${path(page, base)}`, await text(page, ".tc-site-title"));
  await page.locator('button[title="Create a new tiddler"]').first().click();
  const saved = page.waitForResponse((response) => response.request().method() === "PUT" && response.url().endsWith("/New%20Tiddler"));
  await page.locator('button[title="Confirm changes to this tiddler"]').first().click();
  seen.push(`saved: ${(await saved).status()}`);
  await page.goto(`${base}/#New%20Tiddler`);
  await page.reload();
  await page.locator('[data-tiddler-title="New Tiddler"]').waitFor();
  seen.push(await text(page, '[data-tiddler-title="New Tiddler"] .tc-subtitle').then((subtitle) => subtitle.replace(/\d.*/s, "…")));
  page.on("dialog", (dialog) => void dialog.accept());
  await page.locator('[data-tiddler-title="New Tiddler"] button[title="Edit this tiddler"]').click();
  const deleted = page.waitForResponse((response) => response.request().method() === "DELETE" && response.url().endsWith("/New%20Tiddler"));
  await page.locator('button[title="Delete this tiddler"]').first().click();
  seen.push(`deleted: ${(await deleted).status()}`);
  return seen;
}

async function hads(page: Page, base: string): Promise<string[]> {
  const seen: string[] = [];
  await page.goto(`${base}/`);
  seen.push(
    await text(page, "h1"),
    `the image is ${await page.evaluate("document.querySelector('.markdown-body img, .readme img').naturalWidth")} px wide`,
  );
  await page.getByRole("link", { name: "the roses" }).click();
  await page.locator("table").waitFor();
  seen.push(`${path(page, base)}: ${await text(page, "td")}`);
  await page.getByRole("link", { name: "Edit" }).click();
  await page.locator(".ace_content").waitFor();
  await page.locator(".dz-hidden-input").setInputFiles({ name: "a.png", mimeType: "image/png", buffer: PIXEL });
  await page.waitForFunction("/!\\[a\\.png\\]\\(\\/images\\/[\\w-]+\\.png\\)/.test(ace.edit('editor').getValue())");
  await page.evaluate("ace.edit('editor').setValue('# Tulips & Ünder\\n\\n' + ace.edit('editor').getValue().match(/!\\[.*\\)/)[0])");
  // A form of the page itself, sent as a page load.
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Tulips & Ünder" }).waitFor();
  await page.waitForFunction("document.querySelector('.readme img').naturalWidth === 1");
  seen.push(`after the form at ${path(page, base)}`);
  await page.locator('input[name="search"]').fill("tulips");
  await page.locator('input[name="search"]').press("Enter");
  await page.getByText("roses.md").first().waitFor();
  seen.push(`found at ${path(page, base)}`);
  await page.goBack();
  await page.goto(`${base}/tulips?create=1`);
  await page.locator(".ace_content").waitFor();
  seen.push(`a new page at ${path(page, base)}`);
  return seen;
}

async function droppy(page: Page, base: string): Promise<string[]> {
  const seen: string[] = [];
  await page.goto(`${base}/`);
  seen.push(await text(page, "#login-info"));
  await logIn(page);
  // The list comes over the WebSocket.
  await page.getByRole("link", { name: "hello.txt", exact: true }).first().waitFor();
  seen.push(`a list of ${await page.locator(".data-row").count()}`, await cookies(page));
  await page
    .locator("input.file")
    .first()
    .setInputFiles({ name: "garden ü.txt", mimeType: "text/plain", buffer: Buffer.from("roses ".repeat(100_000)) });
  await page.getByRole("link", { name: "garden ü.txt" }).first().waitFor();
  const downloading = page.waitForEvent("download");
  await page.locator('.data-row[data-name="garden ü.txt"] a.download').click();
  const download = await downloading;
  seen.push(
    `downloaded ${download.suggestedFilename()}`,
    String(await page.evaluate("fetch('/!/dl/garden ü.txt').then((r) => r.text()).then((t) => t.length)")),
  );
  seen.push(
    String(
      await page.evaluate(`new Promise((resolve, reject) => {
        const audio = new Audio("/!/file/tone.wav");
        audio.onerror = () => reject(new Error(audio.error.message));
        audio.onloadedmetadata = () => { audio.currentTime = 6; };
        audio.onseeked = () => resolve("heard " + audio.duration + " s, now at " + audio.currentTime);
      })`),
    ),
  );
  // The folder opens without a page load, and the address follows.
  await page.locator(".folder-link").first().click();
  await page.getByRole("link", { name: "zwei ü.txt" }).first().waitFor();
  seen.push(`the folder at ${decodeURIComponent(path(page, base))}`);
  await page.goto(`${base}/`);
  await page.getByRole("link", { name: "hello.txt", exact: true }).first().waitFor();
  await page.locator(".logout").first().click();
  await page.locator("#login-info").waitFor();
  seen.push(`logged out: ${await text(page, "#login-info")}`);
  await page.goto(`${base}/!/dl/hello.txt`);
  seen.push(`sent away to ${path(page, base)}`);
  await logIn(page);
  await page.getByRole("link", { name: "garden ü.txt" }).first().waitFor();
  return seen;
}

async function logIn(page: Page): Promise<void> {
  await page.getByLabel("Username").fill("alice");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const path = (page: Page, base: string) => page.url().replace(base, "");
const text = async (page: Page, selector: string) =>
  ((await page.locator(selector).first().textContent()) ?? "").replace(/\s+/g, " ").trim();
/** The site's own, not the room's. */
const cookies = async (page: Page) => {
  const all = (await page.context().cookies()).filter(({ name }) => !/^(?:__Host-)?vestibule/.test(name));
  return all.map(({ name, path: at, httpOnly, sameSite, expires }) => `cookie ${name} ${at} ${httpOnly} ${sameSite} ${expires > 0}`).join();
};
