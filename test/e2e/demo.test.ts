/** Chromium before the demo shop, which `npm start` runs: every visitor's scenarios, and a purchase. */
import { expect } from "vitest";
import { startShop } from "../../scripts/demo-shop.mjs";
import { entrances } from "./entrance";
import { visits } from "./visits";

const test = entrances({ start: () => startShop(), path: "/", heading: "Three good things" });

visits(test);

test("[PROXY-1] [PROXY-5] somebody inside buys a kettle: pictures, a form, a redirect, the shop's own cookie", async ({ entrance }) => {
  const page = await entrance.inside();
  await page.getByRole("link", { name: "Camp kettle" }).click();
  const picture = page.getByRole("img", { name: "Camp kettle" });
  expect(await picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0)).toBe(true);
  await page.getByRole("button", { name: /Put in the basket/ }).click();
  await page.getByRole("heading", { name: "Your basket" }).waitFor();
  expect(page.url()).toBe(`${entrance.url}/basket`);
  await page.getByLabel("Your name").fill("Zoë <b>");
  await page.getByRole("button", { name: "Order" }).click();
  await page.getByText("for Zoë <b> is noted: 28 €").waitFor();
  expect(await page.locator("footer").textContent()).toContain("vestibule-status: admitted");
});
