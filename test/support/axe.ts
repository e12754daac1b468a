/** axe-core in a page of Playwright: what it finds wrong with the document as it stands. Node only; knows nothing of Vestibule. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";

/** What the page is built to, and what axe calls best practice. */
export const WCAG: axe.RunOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Each violation by its rule and the elements; `only` some rules. The script is loaded once for a document, which takes longer than to run it. */
export async function problems(page: Page, only?: axe.RunOnly): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await source);
  return page.evaluate(async (runOnly) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const { violations } = await run({ resultTypes: ["violations"], ...(runOnly && { runOnly }) });
    return violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join()}`);
  }, only);
}
