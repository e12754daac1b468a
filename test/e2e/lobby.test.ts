/**
 * A sale with a lobby from end to end: the real Room, forty visitors of whom some are real browsers, the draw, and anybody who checks it.
 * Times are the operator's doing, by the admin API: nothing waits for a clock to reach an hour.
 */
import { unshuffleList } from "@chainsafe/swap-or-not-shuffle";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { readList, readReceipt, verifyDraw } from "../../scripts/lib/verify-draw.mjs";
import type { DrawRecord } from "../../src/core/draw";
import { english } from "../../src/core/languages/en";
import type { Status } from "../../src/core/status";
import { decodeToken } from "../../src/core/token";
import type { TicketClaims } from "../../src/core/token-types";
import { launchChromium } from "../support/chromium";
import { type SendInit, send } from "../support/http";
import { Visitor } from "../support/jar";
import { type Origin, startOrigin } from "../support/origin";
import { roomOfTry, roomsOfTries } from "../support/second-try";
import { startWorker, type TestWorker } from "../support/worker";

/** Whoever asks more often is put off. */
const POLL = { interval: 1_000 };
const ROOM = {
  ...{ total_active_users: 3, new_users_per_minute: 600, beacon: "none", public_totals: "exact" },
  ...{ poll_near_seconds: 1, poll_far_seconds: 4, reserve_seconds: 10 },
};

let origin: Origin;
let worker: TestWorker;
let browser: Browser;
beforeAll(async () => {
  origin = await startOrigin();
  const dealt = { total_active_users: 1, queueing_method: "random", shuffle_window_seconds: 2 };
  const rooms = roomsOfTries(["drawn", "moved", "called-off", "dealt"], (name, named) => ({
    ...{ host: `${name}.localhost`, ...ROOM },
    ...(named === "dealt" && dealt),
  }));
  worker = await startWorker({ rooms, origin: origin.url });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await worker.stop();
  await origin.stop();
});

const heading = (kind: keyof typeof english.kinds) => english.kinds[kind].heading;
const shows = (page: Page, text: string) => page.getByRole("heading", { name: text, exact: true }).waitFor();
const siteOf = (room: string) => `http://${room}.localhost:${worker.url.port}`;

const transport = (url: URL, init: SendInit) =>
  send(new URL(url.pathname + url.search, worker.url), { ...init, headers: { Host: url.host, ...init.headers } });
const visitorOf = (room: string) => new Visitor(siteOf(room), { transport });
const statusOf = async (visitor: Visitor, room: string) =>
  (await (await visitor.fetch(`/__vestibule/rooms/${room}/status`)).json()) as Status;

async function pageOf(room: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${siteOf(room)}/tickets`);
  return page;
}

async function admin(room: string, path: string, body: unknown): Promise<void> {
  const headers = { Authorization: `Bearer ${worker.adminToken}`, "Content-Type": "application/json" };
  const url = new URL(`/__vestibule/admin/api/rooms/${room}/events${path}`, siteOf(room));
  const reply = await transport(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
}

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** A shuffled sale whose lobby is open and which starts in `startMs`. */
const plan = (room: string, startMs: number) =>
  admin(room, "", {
    ...{ name: "drop", prequeue_start_time: inMs(-1_000), shuffle_at_event_start: true },
    ...{ event_start_time: inMs(startMs), event_end_time: inMs(startMs + 3_600_000) },
  });

function ticketIn(value: string | undefined): TicketClaims | null {
  const claims = decodeToken(value ?? "")?.claims;
  return claims?.kind === "ticket" ? claims : null;
}
const ticketOf = (visitor: Visitor, room: string) => ticketIn(visitor.cookies.get(`vestibule.${room}`)?.value);
async function ticketOfPage(page: Page, room: string): Promise<TicketClaims | null> {
  const cookies = await page.context().cookies();
  return ticketIn(cookies.find(({ name }) => name === `vestibule.${room}`)?.value);
}

describe.concurrent("a lobby with a draw", () => {
  test("[P13] [GATE-48] [PAGE-16] [PAGE-18] forty enter, the doors open, and every place is the one that the record gives; latecomers are behind", async ({
    expect,
    task,
  }) => {
    const room = roomOfTry(task, "drawn");
    await plan(room, 600_000);
    const visitors: Visitor[] = [];
    const pages: Page[] = [];
    for (let i = 0; i < 40; i++) {
      // Every tenth is a browser. They come one after another, as the network lets them.
      if (i % 10 === 9) {
        const page = await pageOf(room);
        await shows(page, heading("lobby"));
        pages.push(page);
      } else {
        const visitor = visitorOf(room);
        await visitor.navigate("/tickets");
        visitors.push(visitor);
      }
    }
    const [first] = visitors;
    if (first === undefined) throw new Error("nobody came");
    const inLobby = await statusOf(first, room);
    expect(inLobby).toMatchObject({ state: "lobby", slot: null, ahead: null, draw: { id: 1, entry: 0 }, event: { name: "drop" } });
    await expect.poll(() => pages[0]?.locator("#body").textContent()).toContain("40 people have entered.");
    expect(origin.received.filter((received) => received.header("X-Forwarded-Host") === new URL(siteOf(room)).host)).toEqual([]);
    // A second tab and a second visit are the same entry.
    const tab = await (pages[0] as Page).context().newPage();
    await tab.goto(`${siteOf(room)}/tickets`);
    await shows(tab, heading("lobby"));
    expect((await statusOf(first, room)).event?.entries).toBe(40);
    await tab.close();

    const loads = pages.map((page) => {
      const seen: string[] = [];
      page.on("framenavigated", () => seen.push(page.url()));
      return seen;
    });
    await admin(room, "/drop/move", { event_start_time: inMs(2_500) });
    for (const visitor of visitors) {
      await expect.poll(async () => (await statusOf(visitor, room)).slot, POLL).not.toBeNull();
    }
    for (const page of pages) await expect.poll(async () => await ticketOfPage(page, room)).not.toBeNull();
    const tickets = [
      ...visitors.map((visitor) => ticketOf(visitor, room)),
      ...(await Promise.all(pages.map((page) => ticketOfPage(page, room)))),
    ];

    const record = (await (await transport(new URL(`${siteOf(room)}/__vestibule/rooms/${room}/draws/latest`), {})).json()) as DrawRecord;
    expect(record).toMatchObject({ id: 1, event: "drop", base: 0, count: 40, beacon: { source: "none" } });
    // Another program's shuffle: Ethereum's, in Rust.
    const order = unshuffleList(
      Uint32Array.from({ length: record.count }, (_, i) => i),
      Buffer.from(record.seed, "hex"),
      record.rounds,
    );
    for (const ticket of tickets) {
      const receipt = ticket?.receipt;
      if (receipt === undefined) throw new Error("a ticket without its receipt");
      expect(ticket?.slot).toBe(record.base + (order[receipt.entry] ?? -1));
    }
    expect(new Set(tickets.map((ticket) => ticket?.slot)).size).toBe(40);
    expect(new Set(tickets.map((ticket) => ticket?.receipt?.entry)).size).toBe(40);

    // Nobody's page was loaded again but by going in.
    for (const [i, seen] of loads.entries()) {
      const inside = (await pages[i]?.getByText("origin GET /tickets").count()) ?? 0;
      expect(seen.length).toBe(inside > 0 ? 1 : 0);
    }

    const late = visitorOf(room);
    await late.navigate("/tickets");
    expect((await statusOf(late, room)).slot).toBeGreaterThanOrEqual(40);
    expect((await statusOf(late, room)).draw).toBeUndefined();

    // The program that shares no code, with list and receipts.
    const list: string[] = [];
    for (let from = 0; ; ) {
      const reply = await transport(new URL(`${siteOf(room)}/__vestibule/rooms/${room}/draws/1/batches?from=${from}`), {});
      const text = await reply.text();
      if (text === "") break;
      list.push(text);
      from = Number(text.trim().split("\n").at(-1)?.split(" ")[0]) + 1;
    }
    const page = pages[0] as Page;
    const check = await page.context().newPage();
    await check.goto(`${siteOf(room)}/__vestibule/rooms/${room}/draws/1/verify`);
    const said = async () => (await check.locator("#result").textContent()) ?? "";
    await expect.poll(said).toMatch(/^It follows\./);
    await check.locator("#list").click();
    await expect.poll(said).toContain("Your receipt stands in it, at your entry.");
    const receipt = readReceipt((await check.locator("#receipt").textContent()) ?? "");
    const { findings, slot } = await verifyDraw(record, { receipt, batches: readList(list.join("")) });
    expect(findings.filter(({ ok }: { ok: boolean | null }) => ok === false)).toEqual([]);
    expect(slot).toBe((await ticketOfPage(page, room))?.slot);

    await check.route("**/draws/1", (route) => route.fulfill({ json: { ...record, salt: "00".repeat(32) } }));
    await check.reload();
    await expect.poll(said).toMatch(/does not hold.*not the one that was sealed/);
    for (const each of pages) await each.context().close();
  });
});

describe.concurrent("a start that is moved", () => {
  test("[PAGE-16] [EVENT-6] every lobby shows it, twice, and the doors open now when the operator says so", async ({ expect, task }) => {
    const room = roomOfTry(task, "moved");
    await plan(room, 600_000);
    const page = await pageOf(room);
    await shows(page, heading("lobby"));
    const sealed = await page.locator("#body").textContent();
    const commitment = /\(([0-9a-f]{16})…\)/.exec(sealed ?? "")?.[1];
    expect(commitment).toBeDefined();
    await admin(room, "/drop/move", { minutes: 15 });
    await shows(page, heading("delayed"));
    const starts = await page.locator("#starts").textContent();
    expect(starts).toMatch(/^Starts in 2[45] minutes/);
    await admin(room, "/drop/move", { minutes: 60 });
    await expect.poll(() => page.locator("#starts").textContent()).toMatch(/^Starts in 1 hour, 2[45] minutes/);
    expect(await page.locator("#body").textContent()).toContain(`(${commitment}…)`);
    await admin(room, "/drop/start-now", {});
    // Alone in the draw, and there is room.
    await page.getByText("origin GET /tickets").waitFor();
    expect((await ticketOfPage(page, room))?.receipt).toMatchObject({ draw: 1, entry: 0 });
    await page.context().close();
  });
});

describe.concurrent("a sale that is called off", () => {
  test("[GATE-49] [PAGE-16] those who had entered read the operator's words, and may join the ordinary line", async ({ expect, task }) => {
    const room = roomOfTry(task, "called-off");
    await plan(room, 600_000);
    const page = await pageOf(room);
    await shows(page, heading("lobby"));
    await admin(room, "/drop/cancel", { message: "The hall is closed." });
    await shows(page, heading("cancelled"));
    expect(await page.locator("#said").textContent()).toBe("The hall is closed.");
    await page.getByRole("button", { name: english.join }).click();
    await page.getByText("origin GET /tickets").waitFor();
    await page.context().close();
  });
});

describe.concurrent("queueing_method random", () => {
  test("[P13] [GATE-48] those who come within one window are dealt as a small draw of their own, which is checked in the same way", async ({
    expect,
    task,
  }) => {
    const room = roomOfTry(task, "dealt");
    // The only place is taken.
    await visitorOf(room).navigate("/tickets");
    await visitorOf(room).navigate("/tickets");
    const visitors = Array.from({ length: 5 }, () => visitorOf(room));
    for (const visitor of visitors) await visitor.navigate("/tickets");
    const statuses = await Promise.all(visitors.map((visitor) => statusOf(visitor, room)));
    for (const { state, event } of statuses) expect([state, event]).toEqual([expect.stringMatching(/^(drawing|waiting)$/), undefined]);
    const page = await pageOf(room);
    await page.locator("#draw", { hasText: english.checkDraw }).waitFor();
    for (const visitor of visitors) await expect.poll(async () => (await statusOf(visitor, room)).slot, POLL).not.toBeNull();
    const tickets = [...visitors.map((visitor) => ticketOf(visitor, room)), await ticketOfPage(page, room)];
    expect(new Set(tickets.map((ticket) => ticket?.slot)).size).toBe(6);
    for (const { slot, receipt } of tickets.filter((ticket) => ticket !== null)) {
      const record = (await (
        await transport(new URL(`${siteOf(room)}/__vestibule/rooms/${room}/draws/${receipt?.draw}`), {})
      ).json()) as DrawRecord;
      expect(record.event).toBe("");
      const found = await verifyDraw(record, { entry: receipt?.entry ?? null });
      expect(found.findings.filter(({ ok }: { ok: boolean | null }) => ok === false)).toEqual([]);
      expect(found.slot).toBe(slot);
    }
    await page.context().close();
  });
});
