/** Sixteen edges before one Room, for real: the pace that the Room sets, and what newcomers are told meanwhile. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TARGET_CALLS_PER_SECOND } from "../../durable/line/pacing";
import { now } from "../../scripts/lib/crowd-http.mjs";
import type { Manifest } from "../../src/core/manifest";
import type { Status } from "../../src/core/status";
import { importKeyRing, newVisitorKey, signToken } from "../../src/keys";
import { bundle } from "../support/bundle";
import { History } from "../support/history";
import { checkHistory } from "../support/history-check";
import { CROWD_ROOM, factsOf, statsOf } from "../support/history-site";
import { send } from "../support/http";
import { type Origin, startOrigin } from "../support/origin";
import { fullestWindow } from "../support/rate-check";
import { buildVariant } from "../support/variants";
import { startWorker, TEST_KEYS, type TestWorker } from "../support/worker";

const ISOLATES = 16;
const NEWCOMERS = 800;
/** People who ask for a place at any one time. */
const AT_ONCE = 32;
const MOST_CALLS_PER_SECOND = 300;

let dir: string;
let origin: Origin;
let worker: TestWorker;

// A second try needs a Room of its own, in which nobody has a place.
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "vestibule-isolates-"));
  const built = join(await bundle(), "index.js");
  const scripts = [await buildVariant(dir, "watched"), ...Array<string>(ISOLATES - 1).fill(built)];
  origin = await startOrigin();
  worker = await startWorker({ rooms: { demo: CROWD_ROOM }, origin: origin.url, isolates: ISOLATES, scripts });
});
afterEach(async () => {
  await worker.stop();
  await origin.stop();
  await rm(dir, { recursive: true, force: true });
});

test("[P12][P4][P5][GATE-33] O2 C49 sixteen isolates that all have something to ask stay under 300 calls a second; newcomers get their place or are told that it is on its way", async () => {
  const history = new History(now);
  const answers = { placed: 0, joining: 0 };
  let next = 0;
  const { ring } = await importKeyRing(TEST_KEYS).then((imported) =>
    imported.ok ? imported : Promise.reject(new Error(imported.problem)),
  );
  const lane = async () => {
    for (let id = next++; id < NEWCOMERS; id = next++) {
      const iat = Math.floor(now() / 1_000);
      const token = await signToken(ring, { kind: "visitor", room: "demo", key: newVisitorKey(), iat, exp: iat + 3_600 });
      const headers = { "Sec-Fetch-Site": "same-origin", Cookie: `vestibule.demo=${token}` };
      const url = new URL("/__vestibule/rooms/demo/join", worker.urls[id % ISOLATES]);
      const ask = async () => (await (await send(url, { method: "POST", headers })).json()) as Status;
      for (let isPlaced = false; !isPlaced; ) {
        const operation = history.invoke({ visitor: id, holder: 0, kind: "join", presented: null });
        const { state, slot, ahead, reason } = await ask();
        // A slow computer may take longer over a call than a call may: then it is said, and the place comes all the same.
        isPlaced = slot !== null;
        if (isPlaced) operation.ok({ slot, state, ahead, reason, forwarded: false, pass: null });
        else expect({ state, reason }).toEqual({ state: "joining", reason: reason && "room-unreachable" });
        answers[isPlaced ? "placed" : "joining"] += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));

  const calls = (await (await send(new URL("/__test/calls?room=demo", worker.url))).json()) as number[];
  expect(fullestWindow(calls, 1_000)).toBeLessThan(MOST_CALLS_PER_SECOND);
  // All of them asked, and were told to share.
  const manifest = (await (await send(new URL("/__vestibule/rooms/demo/manifest", worker.url))).json()) as Manifest;
  expect(manifest.flushAfterMs).toBe(Math.ceil((ISOLATES * 1_000) / TARGET_CALLS_PER_SECOND));
  const stats = await statsOf(worker);
  expect(stats.isolates).toBe(ISOLATES);

  expect(answers.placed).toBe(NEWCOMERS);
  expect(stats.issued).toBe(NEWCOMERS);
  expect(checkHistory(history.operations, factsOf(stats.issued))).toEqual([]);
});
