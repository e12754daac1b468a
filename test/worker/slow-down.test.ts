/** A real site that fails when more people are inside than it stands, behind the built Worker with the brake on. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Stats } from "../../src/core/stats";
import { Visitor } from "../support/jar";
import { type Origin, startOrigin } from "../support/origin";
import { startWorker, type TestWorker } from "../support/worker";

/** It stands so many people at once, counted over three seconds; beyond that it fails, and the more there are, the longer everything takes. */
const STANDS = 26;
const PEOPLE = 50;
const RATE = 400;

let origin: Origin;
let worker: TestWorker;
/** Visits by when the site last heard of them, ms. */
const visits = new Map<string, number>();

beforeAll(async () => {
  origin = await startOrigin(async (_request, response, received) => {
    visits.set(received.header("Vestibule-Session") ?? "", Date.now());
    const people = [...visits.values()].filter((at) => Date.now() - at < 3_000).length;
    const isTooMuch = people > STANDS;
    await new Promise((resolve) => setTimeout(resolve, 2 * people));
    response.statusCode = isTooMuch ? 503 : 200;
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end("<!doctype html><p>shop</p>");
  });
  const shop = {
    host: "shop.test",
    total_active_users: 500,
    new_users_per_minute: RATE,
    session_duration: 0.05,
    session_max_minutes: 0.05,
    pass_refresh_seconds: 1,
    reentry_window_minutes: 0,
    slow_down: { max_error_percent: 5, max_p95_ms: 60_000, floor_per_minute: 1 },
  };
  worker = await startWorker({ origin: origin.url, rooms: { shop } });
});
afterAll(async () => {
  await worker.stop();
  await origin.stop();
});

async function admin<T>(path: string, method = "GET"): Promise<T> {
  const headers = { Authorization: `Bearer ${worker.adminToken}` };
  return (await (await worker.fetch(`http://shop.test/__vestibule/admin/api/rooms/shop${path}`, { method, headers })).json()) as T;
}

/** Goes in as soon as it may, looks at pages without a pause, and is gone when the visit ends. */
async function visit(statuses: number[], isOver: () => boolean): Promise<void> {
  const visitor = new Visitor("http://shop.test", { transport: worker.fetch });
  for (let wasInside = false; !isOver(); ) {
    const reply = await visitor.navigate("/");
    const isSite = (await reply.text()).includes("<p>shop</p>");
    if (isSite) statuses.push(reply.status);
    else if (wasInside) return;
    else await new Promise((resolve) => setTimeout(resolve, 200));
    wasInside = isSite;
  }
}

test("[SLOW-2][SLOW-7] fails at the operator's rate, stays up at the one that the brake leaves, and one press gives the rate back", async () => {
  let isOver = false;
  const statuses: number[] = [];
  const live = async () => {
    while (!isOver) await visit(statuses, () => isOver);
  };
  const crowd = Array.from({ length: PEOPLE }, live);
  try {
    await expect.poll(async () => (await admin<Stats>("/stats")).slowed_down?.why).toBe("errors");
    // The Room may hear of failures before those who met them have read the reply.
    await expect.poll(() => statuses.filter((status) => status === 503).length).toBeGreaterThan(2);
    const isUp = () => statuses.slice(-40).every((status) => status === 200);
    await expect.poll(isUp).toBe(true);
    expect((await admin<Stats>("/stats")).rate_per_minute).toBeLessThanOrEqual(RATE / 2);
    expect(await admin("/full-rate", "POST")).toMatchObject({ done: "full-rate", changed: true });
    expect(await admin<Stats>("/stats")).toMatchObject({ rate_per_minute: RATE, new_users_per_minute: RATE });
  } finally {
    isOver = true;
    await Promise.all(crowd);
  }
});
