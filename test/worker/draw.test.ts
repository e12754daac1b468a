/**
 * A draw through the built Worker and its real Room, checked from outside by the program that knows none of their code. drand is played by a
 * server on this computer: everything about its answer is right but the network's signature, which the check finds.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifySignature } from "../../scripts/lib/drand-signature.mjs";
import { type Batch, readList, readReceipt, verifyDraw } from "../../scripts/lib/verify-draw.mjs";
import type { DrawRecord, PendingDraw } from "../../src/core/draw";
import type { Status } from "../../src/core/status";
import { type DrandServer, startDrand } from "../support/drand";
import { Visitor } from "../support/jar";
import { type Origin, startOrigin } from "../support/origin";
import { startWorker, type TestWorker } from "../support/worker";

let origin: Origin;
let drand: DrandServer;
let worker: TestWorker;

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

// A second try needs draws that are still to come.
beforeEach(async () => {
  [origin, drand] = await Promise.all([startOrigin(), startDrand()]);
  const sale = {
    name: "sale",
    prequeue_start_time: inMs(-3_600_000),
    event_start_time: inMs(3_600_000),
    event_end_time: inMs(7_200_000),
    shuffle_at_event_start: true,
  };
  const room = { total_active_users: 1, new_users_per_minute: 1, queueing_status_code: 200 };
  const rooms = {
    sale: { ...room, host: "sale.test", events: [sale], beacon: "drand" },
    window: { ...room, host: "window.test", queueing_method: "random", shuffle_window_seconds: 1, queue_all: true },
  };
  worker = await startWorker({ origin: origin.url, rooms, vars: { DRAND_URL: drand.url } });
});
afterEach(async () => {
  await worker?.stop();
  await Promise.all([origin, drand].map((server) => server?.stop()));
});

/** Everything here may be asked twice, and polls meet connections that the other side has just closed. */
const ask: TestWorker["fetch"] = (url, init) => worker.fetch(url, init).catch(() => worker.fetch(url, init));

const api = (room: string) => `http://${room}.test/__vestibule/rooms/${room}`;
const draw = async (room: string) => (await (await ask(`${api(room)}/draws/1`)).json()) as DrawRecord | PendingDraw;
const statusOf = async (visitor: Visitor, room: string) => (await (await visitor.fetch(`${api(room)}/status`)).json()) as Status;

async function enter(room: string): Promise<Visitor> {
  const visitor = new Visitor(`http://${room}.test`, { transport: ask });
  await visitor.navigate("/");
  await expect.poll(async () => (await statusOf(visitor, room)).state, { interval: 1_000 }).not.toBe("joining");
  return visitor;
}

/** The receipts that a visitor's cookies hold. */
const receiptsOf = (visitor: Visitor) => [...visitor.cookies.values()].flatMap(({ value }) => readReceipt(value) ?? []);

async function listOf(room: string): Promise<Batch[] | null> {
  let lines = "";
  for (let from = 0; ; ) {
    const page = await (await ask(`${api(room)}/draws/1/batches?from=${from}`)).text();
    if (page === "") return readList(lines);
    lines += page;
    from = Number(page.trim().split("\n").at(-1)?.split(" ")[0]) + 1;
  }
}

/** What of a record does not hold, with every visitor's receipt and the list of entries; and their slots. */
async function check(room: string, visitors: readonly Visitor[]) {
  const record = await draw(room);
  const batches = await listOf(room);
  const slots: (number | null)[] = [];
  const wrong = new Set<string>();
  for (const visitor of visitors) {
    const [receipt] = receiptsOf(visitor);
    if (!receipt) throw new Error("a visitor has no receipt");
    const { findings, slot } = await verifyDraw(record, { receipt, batches }, { verifySignature });
    for (const { ok, says } of findings) if (ok === false) wrong.add(says);
    slots.push(slot);
  }
  return { wrong: [...wrong], slots };
}

describe("a real draw", () => {
  test("[DRAW-9] [P13] of a lobby: fixed in public before the round is there, then as anybody recomputes it", async () => {
    const visitors: Visitor[] = [];
    for (let i = 0; i < 7; i++) visitors.push(await enter("sale"));
    const before = await draw("sale");
    expect(before).toMatchObject({ pending: "collecting", beaconRule: "drand", entriesHash: null });
    expect(JSON.stringify(before)).not.toMatch(/salt|seed/);
    drand.answer = 404;
    const headers = { Authorization: `Bearer ${worker.adminToken}`, "Content-Type": "application/json" };
    const start = `http://sale.test/__vestibule/admin/api/rooms/sale/events/sale/start-now`;
    const started = await worker.fetch(start, { method: "POST", headers, body: "{}" });
    expect(await started.text(), "start-now").toContain("sale");
    await expect.poll(async () => (await draw("sale")) as PendingDraw).toMatchObject({ pending: "drawing", count: 7 });
    const fixed = (await draw("sale")) as PendingDraw;
    const isDrawn = async () => {
      // The first answer was that the round is not there yet.
      if (drand.asked.length > 0) drand.answer = null;
      for (const visitor of visitors) await statusOf(visitor, "sale");
      return "seed" in (await draw("sale"));
    };
    await expect.poll(isDrawn, { interval: 1000 }).toBe(true);
    const record = (await draw("sale")) as DrawRecord;
    expect(record).toMatchObject({ count: fixed.count, base: fixed.base, entriesHash: fixed.entriesHash, commitment: before.commitment });
    const { wrong, slots } = await check("sale", visitors);
    expect(wrong).toEqual(["drand's network did not sign this: the BLS signature is bad."]);
    expect([...slots].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    // The edge's own notice may be a second or two older than the record.
    const told = async () => (await Promise.all(visitors.map((visitor) => statusOf(visitor, "sale")))).map(({ slot }) => slot);
    await expect.poll(told, { interval: 500 }).toEqual(slots);
    expect(drand.asked.length).toBeGreaterThan(1);
  });

  test("[DRAW-9] [P13] of a window of queueing_method = random: as anybody recomputes it, without a public number", async () => {
    const visitors = await Promise.all(Array.from({ length: 5 }, () => enter("window")));
    await expect.poll(async () => "seed" in (await draw("window")), { interval: 500 }).toBe(true);
    for (const visitor of visitors) await statusOf(visitor, "window");
    const record = (await draw("window")) as DrawRecord;
    const inFirst = visitors.filter((visitor) => receiptsOf(visitor)[0]?.d === 1);
    expect(inFirst.length).toBe(record.count);
    expect(await check("window", inFirst)).toMatchObject({ wrong: [] });
  });
});
