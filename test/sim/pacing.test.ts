/** P12 and P4 with hundreds of isolates, each with the real client, against one modelled Room on virtual time. Thousands in `npm run proof`. */
import { describe, expect, it } from "vitest";
import { type IsolateRun, runIsolates } from "../support/isolates-sim";
import { quietly } from "../support/proof-pacing";

const BASE: IsolateRun = {
  isolates: 600,
  colos: 60,
  warm: 600,
  rampMs: 1_000,
  seconds: 5,
  joinsPerSecond: 300,
  asksPerSecond: 200,
  cache: true,
  seed: 5,
};

describe("[P12] isolates share the Room", () => {
  it.each<[string, Partial<IsolateRun>]>([
    ["that all have served before", {}],
    ["that come within ten seconds", { warm: 60, rampMs: 10_000, seconds: 11 }],
    ["that come within half a minute, without a cache between them", { warm: 60, rampMs: 30_000, seconds: 31, cache: false }],
    ["that all wake within a second, of 250 colos", { isolates: 2_500, colos: 250, warm: 0, seconds: 3 }],
    ["that all wake within a second, of three colos", { colos: 3, warm: 0, seconds: 6, joinsPerSecond: 900, asksPerSecond: 600 }],
    ["that are joined within a second by ten times as many", { isolates: 660, warm: 60, seconds: 4 }],
  ])("%s: fewer than 300 calls in every second, an answer in time for everybody; [P4] nobody answered is overtaken", async (_, changes) => {
    const outcome = await quietly(() => runIsolates({ ...BASE, ...changes }));
    expect(Math.max(...outcome.callsBySecond)).toBeLessThan(300);
    expect(outcome.longestWaitMs).toBeLessThanOrEqual(2_000);
    expect(outcome.unreachable).toBe(0);
    expect(outcome.overtakenAfterAnswer).toBe(0);
    expect(outcome.placed).toBeGreaterThan(100);
    // Joins overtake each other only while both are on their way: at most as long as the slowest took.
    expect(outcome.worstOvertakingMs).toBeLessThanOrEqual(outcome.slowestPlaceMs);
  });
});
