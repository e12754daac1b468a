/** Deployments on a live line: edges and a Room of neighbouring versions, half of the traffic through each version of the edge. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EXCHANGE_VERSION } from "../../src/core/exchange";
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

const ANSWERS_PER_STAGE = 400;
const STAGE_MOST_MS = 30_000;

let dir: string;
let origin: Origin;
let worker: TestWorker;
/** What runs on the edges, the Room's own version first. */
let stages: readonly (readonly [name: string, scripts: readonly string[]])[];

// A second try begins with a Room of the version before, and with nobody in it.
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "vestibule-versions-"));
  const today = join(await bundle(), "index.js");
  const previous = await buildVariant(dir, "previous", EXCHANGE_VERSION - 1);
  const next = await buildVariant(dir, "next", EXCHANGE_VERSION + 1);
  stages = [
    ["a Room one version behind", [previous, today]],
    ["edges one version behind", [today, previous]],
    ["edges one version ahead", [today, next]],
    ["a Room one version ahead", [next, today]],
  ];
  origin = await startCrowdSite();
  worker = await startWorker({ rooms: { demo: CROWD_ROOM }, origin: origin.url, isolates: 2, scripts: stages[0]?.[1] ?? [] });
});
afterEach(async () => {
  await worker.stop();
  await origin.stop();
  await rm(dir, { recursive: true, force: true });
});

test("[ROOM-13][P1][P4][P5][P7] O9 C32 two deployments under a crowd: every pair of neighbours goes on with the line, no place lost, no exception", async () => {
  const seed = Date.now() % 1_000_000;
  let up = true;
  const options = { room: "demo", size: 40, paceMs: 100, hangUps: 0.03, copies: 0.1, random: seeded(seed) };
  const crowd = new HistoryCrowd({ ...options, edges: () => (up ? worker.urls : []) });
  // On a quiet room, requests without cookies ask for a lease, which an older Room does not know of.
  for (const url of worker.urls) {
    await expect.poll(async () => (await send(new URL("/__vestibule/rooms/demo/manifest", url))).json()).toMatchObject({ quiet: true });
    expect((await send(new URL("/shop", url))).status).toBeLessThan(500);
  }
  crowd.start();
  let before = { entered: 0, issued: 0 };
  for (const [i, [name, scripts]] of stages.entries()) {
    if (i > 0) {
      up = false;
      await worker.restart(scripts);
      up = true;
    }
    await crowd.answers(ANSWERS_PER_STAGE, STAGE_MOST_MS);
    // People join and go in through either version; on a slow computer later than after so many answers.
    await expect.poll(async () => (await statsOf(worker)).issued, { message: name }).toBeGreaterThan(before.issued);
    await expect.poll(async () => (await statsOf(worker)).entered_total, { message: name }).toBeGreaterThan(before.entered);
    const stats = await statsOf(worker);
    expect(isConserved(stats), name).toBe(true);
    before = { entered: stats.entered_total, issued: stats.issued };
  }
  await crowd.stop();
  for (const browser of crowd.staying) expect(await browser.look(), `seed ${seed}`).not.toBeNull();
  expect(crowd.errors).toEqual([]);
  const { issued } = await statsOf(worker);
  expect(checkHistory(crowd.history.operations, factsOf(issued)), `seed ${seed}`).toEqual([]);
  // Lines of a stack name the folder of this test.
  const said = worker.logs.filter(({ message }) => !/^\s+at /.test(message));
  expect(said.filter(({ message }) => /failed|not known|version/.test(message))).toEqual([]);
});
