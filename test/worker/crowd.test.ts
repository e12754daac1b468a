/** `npm run crowd`: 300 visitors before the built Worker, judged by what they met and by the site's own log. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { now } from "../../scripts/lib/crowd-http.mjs";
import { fullestWindow, mostAtOnce } from "../../scripts/lib/crowd-judge.mjs";
import { OWN_PAGES, OWN_ROOM, OWN_SETTINGS } from "../../scripts/lib/crowd-own.mjs";
import { runCrowd } from "../../scripts/lib/crowd-run.mjs";
import { type Origin, startOrigin } from "../support/origin";
import { startWorker, type TestWorker } from "../support/worker";

const VISITORS = 300;
const CAPACITY = 40;
const RATE = 240;
const SEED = 20_261_129;

describe("300 visitors, 40 places, 240 entries a minute, sessions of seconds", () => {
  interface Session {
    readonly first: number;
    last: number;
  }
  const sessions = new Map<string, Session>();
  const statuses = new Map<string, number>();
  let origin: Origin;
  let worker: TestWorker;
  let met: Awaited<ReturnType<typeof runCrowd>>;

  beforeAll(async () => {
    origin = await startOrigin((_, response, received) => {
      const at = now();
      const status = received.header("Vestibule-Status") ?? "none";
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const id = received.header("Vestibule-Session");
      const known = id === null ? undefined : sessions.get(id);
      if (known) known.last = at;
      else if (id !== null) sessions.set(id, { first: at, last: at });
      response.setHeader("Content-Type", "text/html");
      response.end("<!doctype html><title>Shop</title>");
    });
    worker = await startWorker({ rooms: { [OWN_ROOM]: OWN_SETTINGS }, origin: origin.url });
    met = await runCrowd({
      target: worker.url,
      room: OWN_ROOM,
      adminToken: worker.adminToken,
      visitors: VISITORS,
      seconds: 240, // 75 at the rate: a slow computer takes longer.
      seed: SEED,
      pages: OWN_PAGES,
      say: () => undefined,
    });
  });

  afterAll(async () => {
    await worker.stop();
    await origin.stop();
  });

  test("[CROWD-5] [CROWD-2] all of them got in, one entry each, and ended by their own will", () => {
    expect(OWN_SETTINGS).toMatchObject({ total_active_users: CAPACITY, new_users_per_minute: RATE });
    expect(met.diaries.map(({ entries }) => entries.filter(({ again }) => !again).length)).toEqual(Array(VISITORS).fill(1));
    const outcomes = new Set(met.diaries.map(({ outcome }) => outcome));
    expect(outcomes).toContain("left");
    expect(outcomes).toContain("fell silent");
    expect(outcomes).not.toContain("waiting");
  });

  test("[CROWD-5] [CROWD-4] [P1] [P2] [P4] [P5] [P6] [P9] every promise was kept, by what they met and by the room's numbers", () => {
    expect(met.checks.filter(({ kept }) => !kept)).toEqual([]);
    expect(new Set(met.checks.map(({ promise }) => promise))).toEqual(new Set(["P1", "P2", "P4", "P5", "P6", "P9"]));
    // The crowd was large enough for both limits to matter.
    const most = Math.max(...met.samples.map(({ stats }) => stats.inside + stats.leaving + stats.places_held + stats.places_leased));
    expect(most).toBeGreaterThan(CAPACITY * 0.8);
    expect(Math.max(...met.samples.map(({ stats }) => stats.waiting))).toBeGreaterThan(VISITORS / 2);
  });

  test("[P9] C19 who looked away while waiting still got in", () => {
    expect(met.diaries.filter(({ naps }) => naps > 0).length).toBeGreaterThan(VISITORS / 20);
    const places = met.diaries.flatMap(({ places: all }) => all);
    expect(places).toHaveLength(VISITORS);
    expect(met.diaries.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test("[P1] the site never saw more sessions at one moment than there are places", () => {
    const spans = [...sessions.values()].map(({ first, last }) => ({ from: first, to: last }));
    // On a slow computer a visit of seconds may be over before its page load is there.
    expect(spans.length).toBeGreaterThan(0.9 * VISITORS);
    expect(mostAtOnce(spans)).toBeLessThanOrEqual(CAPACITY);
  });

  test("[P2] the site never saw new sessions come faster than they may enter", () => {
    const entries = met.diaries.flatMap(({ entries: all }) => all).filter(({ again }) => !again);
    const spans = entries.flatMap(({ generation, slot, from }) => {
      const seen = sessions.get(`${generation}.${slot}`);
      return seen === undefined ? [] : [{ from, to: seen.first }];
    });
    expect(spans).toHaveLength(sessions.size);
    // The entry was granted after the visitor asked and before the site saw the visitor.
    expect(spans.every(({ from, to }) => from <= to)).toBe(true);
    const { entries: found, allowed } = fullestWindow(spans, RATE);
    expect(found).toBeLessThanOrEqual(allowed);
  });

  test("[P1] nothing reached the site but by a pass or a leased unit", () => {
    expect([...statuses.keys()].filter((status) => status !== "admitted" && status !== "unproven")).toEqual([]);
    expect(statuses.get("admitted")).toBeGreaterThanOrEqual(2 * VISITORS);
    const unproven = met.diaries.reduce((sum, diary) => sum + diary.unproven, 0);
    expect(statuses.get("unproven") ?? 0).toBe(unproven);
  });
});
