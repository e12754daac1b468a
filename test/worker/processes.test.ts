/** Sixteen edges in processes of their own, each with the real client, before one Room in workerd, over loopback. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { root } from "../support/bundle";
import type { EdgeOutcome } from "../support/edge-process";
import { CROWD_ROOM, statsOf } from "../support/history-site";
import { send } from "../support/http";
import { fullestWindow } from "../support/rate-check";
import { shared } from "../support/second-try";
import { buildVariant } from "../support/variants";
import { startWorker, type TestWorker } from "../support/worker";

const PROCESSES = 16;
const NEWCOMERS = 60;
const AT_ONCE = 8;
const MOST_CALLS_PER_SECOND = 300;

let dir: string;
let edge: string;
let worker: TestWorker;

shared(
  async () => {
    dir = await mkdtemp(join(tmpdir(), "vestibule-processes-"));
    edge = join(dir, "edge.mjs");
    const entryPoints = [join(root, "test/support/edge-process.ts")];
    await build({ entryPoints, outfile: edge, bundle: true, format: "esm", platform: "node", logLevel: "error" });
    worker = await startWorker({ rooms: { demo: CROWD_ROOM }, scripts: [await buildVariant(dir, "watched")] });
  },
  async () => {
    await worker.stop();
    await rm(dir, { recursive: true, force: true });
  },
  120_000,
);

function runEdge(number: number): Promise<EdgeOutcome> {
  const args = [edge, worker.url.href, String(number), String(NEWCOMERS), String(AT_ONCE)];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { timeout: 100_000 }, (error, output, errors) =>
      error ? reject(new Error(`edge ${number}: ${error.message} ${errors}`)) : resolve(JSON.parse(output) as EdgeOutcome),
    );
  });
}

test("[P12][P4][P5][GATE-33] sixteen processes that all have something to ask stay under 300 calls a second; each newcomer gets one place, or is told that it is on its way", async () => {
  const outcomes = await Promise.all(Array.from({ length: PROCESSES }, (_, number) => runEdge(number)));
  const calls = (await (await send(new URL("/__test/calls?room=demo", worker.url))).json()) as number[];
  expect(fullestWindow(calls, 1_000)).toBeLessThan(MOST_CALLS_PER_SECOND);
  expect(calls.length).toBeGreaterThan(PROCESSES);
  const slots = outcomes.flatMap((outcome) => outcome.slots).sort((a, b) => a - b);
  expect(slots).toEqual(Array.from({ length: PROCESSES * NEWCOMERS }, (_, slot) => slot));
  const stats = await statsOf(worker);
  expect([stats.issued, stats.isolates]).toEqual([PROCESSES * NEWCOMERS, PROCESSES]);
});
