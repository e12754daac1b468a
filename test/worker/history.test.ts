/**
 * A run over HTTP, judged as a history: three edges before one Room that is killed, put out of memory, or taken down with everything
 * while visitors join, click twice, hang up, copy cookies, enter, browse and leave.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { now } from "../../scripts/lib/crowd-http.mjs";
import { bundle } from "../support/bundle";
import { isConserved } from "../support/conserved";
import { checkHistory } from "../support/history-check";
import { HistoryCrowd } from "../support/history-crowd";
import { CROWD_ROOM, factsOf, startCrowdSite, statsOf } from "../support/history-site";
import { send } from "../support/http";
import { seeded } from "../support/line-world";
import type { Origin } from "../support/origin";
import { buildVariant } from "../support/variants";
import { startWorker, type TestWorker } from "../support/worker";

const STEPS = ["die", "die", "evict", "die", "crash", "die", "evict", "die", "die", "crash", "die", "evict"] as const;
const MOST_ANSWERS = 150;
const STEP_MOST_MS = 15_000;
const MOST_MORE_MS = 100_000;
/** An edge that failed to reach the Room does not ask again for up to 4 s, and a request may have waited for it 3 s. */
const AFTERMATH_MS = 7_000;
/** So long an edge may go on telling what it knew: it asks again after the 4 s, and says so if it still cannot reach the Room. */
const STALE_MS = 10_000;

let dir: string;
let origin: Origin;
let worker: TestWorker;

// A second try needs a Room of its own: a history is judged from its first slot.
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "vestibule-history-"));
  const built = join(await bundle(), "index.js");
  const scripts = [await buildVariant(dir, "watched"), built, built];
  origin = await startCrowdSite();
  worker = await startWorker({ rooms: { demo: CROWD_ROOM }, origin: origin.url, isolates: scripts.length, scripts });
});
afterEach(async () => {
  await worker.stop();
  await origin.stop();
  await rm(dir, { recursive: true, force: true });
});

test("[P1][P4][P5][P7] a history with a dying Room and lost replies is one that the model can explain", async () => {
  const seed = Date.now() % 1_000_000;
  const random = seeded(seed);
  let up = true;
  const options = { room: "demo", size: 50, paceMs: 100, hangUps: 0.1, copies: 0.3, random: seeded(seed + 1) };
  const crowd = new HistoryCrowd({ ...options, edges: () => (up ? worker.urls : []) });
  const outages: { from: number; to: number }[] = [];
  crowd.start();
  for (const step of STEPS) {
    await crowd.answers(Math.ceil(random() * MOST_ANSWERS), STEP_MOST_MS);
    await sleep(random() * 20);
    const from = now();
    if (step === "die") {
      await send(new URL("/__test/die?room=demo", worker.url));
    } else if (step === "evict") {
      await worker.evict("demo");
    } else {
      await worker.kill9();
      up = false;
      await worker.restart();
      up = true;
    }
    const stats = await statsOf(worker);
    outages.push({ from, to: now() + AFTERMATH_MS });
    expect(isConserved(stats), `seed ${seed}, ${step}`).toBe(true);
  }
  // On a slow machine the steps may be over before much has happened.
  for (const endsAt = now() + MOST_MORE_MS; worth(crowd.history.operations).includes(0) && now() < endsAt; ) {
    await crowd.answers(MOST_ANSWERS, STEP_MOST_MS);
  }
  await crowd.stop();
  for (const browser of crowd.staying) {
    await expect.poll(() => browser.look(), { interval: 100, message: `seed ${seed}` }).not.toBeNull();
  }
  expect(crowd.errors).toEqual([]);
  const { issued } = await statsOf(worker);
  const { operations } = crowd.history;
  expect(checkHistory(operations, factsOf(issued, outages, STALE_MS)), `seed ${seed}`).toEqual([]);
  const places = new Set(operations.flatMap(({ told }) => told?.slot ?? []));
  expect(issued).toBeGreaterThanOrEqual(places.size);
  expect(worth(operations), `seed ${seed}: joins lost, passes, copies found out`).not.toContain(0);
});

/** How many joins whose fate nobody knows, passes, and copies that were found out: without them there is nothing to explain. */
function worth(operations: HistoryCrowd["history"]["operations"]): readonly number[] {
  const lostJoins = operations.filter(({ kind, outcome }) => kind === "join" && outcome === "unknown");
  const passes = operations.filter(({ kind, told }) => kind === "view" && told?.pass != null);
  const voids = operations.filter(({ told }) => told?.state === "void");
  return [lostJoins.length, passes.length, voids.length];
}
