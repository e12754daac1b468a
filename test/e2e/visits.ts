/** What every visitor of every site may expect, in a real browser: the scenarios that `demo.test.ts` and `site.test.ts` both run. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { english } from "../../src/core/languages/en";
import type { entrances } from "./entrance";

const heading = (kind: keyof typeof english.kinds) => english.kinds[kind].heading;
const shows = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor();

/** Registers the scenarios. */
export function visits(test: ReturnType<typeof entrances>): void {
  describe.concurrent("every visitor", () => {
    test("[GATE-12] the first sees the site with no page in between", async ({ entrance }) => {
      const page = await entrance.visitor();
      const documents: number[] = [];
      page.on("response", (response) => {
        if (response.request().resourceType() === "document") documents.push(response.status());
      });
      await entrance.open(page);
      await entrance.seesSite(page);
      expect(documents.filter((status) => status !== 303)).toEqual([200]);
      expect(await entrance.stats()).toMatchObject({ inside: 1, waiting: 0 });
    });

    test("[GATE-10] [GATE-11] [PAGE-2] [PAGE-13] the next see the line and their number, wait, and get in by themselves, in turn", async ({
      entrance,
    }) => {
      // Whoever is slower than the hold is overtaken by the next in line.
      await entrance.set({ reserve_seconds: 60 });
      const first = await entrance.inside();
      const second = await entrance.visitor();
      await entrance.open(second);
      await shows(second, heading("next"));
      const third = await entrance.visitor();
      await entrance.open(third);
      await third.locator("#number").filter({ hasText: /^1$/ }).waitFor();

      await entrance.leave(first);
      await entrance.seesSite(second);
      await shows(third, heading("next"));
      expect(await entrance.stats()).toMatchObject({ inside: 1, waiting: 1 });
      await entrance.leave(second);
      await entrance.seesSite(third);
    });

    test("[P5] a second tab shares the place, in line and inside", async ({ entrance }) => {
      await entrance.inside();
      const tab = await entrance.visitor();
      await entrance.open(tab);
      const other = await tab.context().newPage();
      await entrance.open(other);
      expect((await entrance.told(other)).slot).toBe((await entrance.told(tab)).slot);
      expect(await entrance.stats()).toMatchObject({ issued: 2, waiting: 1 });

      await entrance.grow();
      await entrance.seesSite(tab);
      await entrance.seesSite(other);
      expect(await entrance.stats()).toMatchObject({ issued: 2, inside: 2 });
    });

    test("[PAGE-5] with scripts off the page is whole, and gets in by itself all the same", async ({ entrance }) => {
      await entrance.inside();
      const page = await entrance.visitor({ javaScriptEnabled: false });
      await entrance.open(page);
      await shows(page, heading("next"));
      await page.getByRole("link", { name: english.reloadsStop }).waitFor();
      await entrance.grow();
      await entrance.seesSite(page);
    });

    test("[GATE-14] [GATE-45] cookies off is explained, without a loop and without a place; once allowed, the button joins", async ({
      entrance,
    }) => {
      await entrance.inside();
      const cookies = await entrance.refuseCookies();
      const page = await entrance.visitor({ proxy: { server: cookies.server } });
      let documents = 0;
      page.on("request", (request) => {
        if (request.resourceType() === "document") documents++;
      });
      await entrance.open(page);
      await shows(page, heading("cookies-needed"));
      expect(documents).toBe(2);
      expect(await page.context().cookies()).toEqual([]);
      expect((await entrance.stats()).issued).toBe(1);

      cookies.allow();
      await page.getByRole("link", { name: english.tryAgain }).click();
      await shows(page, heading("next"));
      expect((await entrance.stats()).issued).toBe(2);
    });

    test("[P9] a tab that is closed keeps the place: opened again before the turn, and after it", async ({ entrance, expect }) => {
      await entrance.inside();
      const tab = await entrance.visitor();
      await entrance.open(tab);
      const { slot } = await entrance.told(tab);
      await tab.close();
      const again = await tab.context().newPage();
      await entrance.open(again);
      expect((await entrance.told(again)).slot).toBe(slot);
      await again.close();

      await entrance.grow();
      await expect.poll(async () => (await entrance.stats()).called).toBe(1);
      const last = await tab.context().newPage();
      await entrance.open(last);
      await entrance.seesSite(last);
      expect(await entrance.stats()).toMatchObject({ issued: 2, inside: 2 });
    });

    test("[P5] [GATE-8] of two browsers with the same cookies one ends up void, and can take over", async ({ entrance, expect }) => {
      const owner = await entrance.inside({ userAgent: "Mozilla/5.0 (the owner's browser)" });
      const storageState = await owner.context().storageState();
      const copy = await entrance.visitor({ storageState, userAgent: "Mozilla/5.0 (another browser)" });

      const isVoid = async (page: Page) => {
        await entrance.open(page);
        return page.getByRole("heading", { name: heading("void"), exact: true }).isVisible();
      };
      // Passes are renewed once a second: neither browser gets past its second renewal unless it is the one that goes on.
      const out = async () => ((await isVoid(owner)) ? owner : (await isVoid(copy)) ? copy : null);
      let loser: Page | null = null;
      await expect
        .poll(
          async () => {
            loser = await out();
            return loser !== null;
          },
          { interval: 1_100 },
        )
        .toBe(true);
      const voided = loser === copy ? copy : owner;
      const winner = loser === copy ? owner : copy;
      expect(await entrance.stats()).toMatchObject({ inside: 1 });

      await voided.getByRole("button", { name: english.continueHere }).click();
      await entrance.seesSite(voided);
      await expect.poll(() => isVoid(winner), { interval: 1_100 }).toBe(true);
      await entrance.open(voided);
      await entrance.seesSite(voided);
      expect(await entrance.stats()).toMatchObject({ inside: 1, takeovers_total: 1 });
    });
  });
}
