/** Who asks for a status too often: what the damper lets through, and what it costs. The endpoint itself is in test/worker/routes.test.ts. */
import { describe, expect, test } from "vitest";
import { claimStatus } from "../../src/core/status-of";
import { PollDamper } from "../../src/room/poll-damper";
import { askerOf } from "../../src/routes/visitor";
import { afterAnswer, afterTooOften, retryAfter } from "../../static/wait/pace";
import { seeded } from "../support/line-world";

/** Questions of one asker every `gapMs` for `forMs`: how many were answered, and the longest pause between two answers. */
function ask(damper: PollDamper, key: string, gapMs: number, forMs: number) {
  let answered = 0;
  let last = 0;
  let pauseMs = 0;
  for (let now = 0; now < forMs; now += gapMs) {
    if (damper.take(key, now) > 0) continue;
    answered++;
    pauseMs = Math.max(pauseMs, now - last);
    last = now;
  }
  return { answered, pauseMs };
}

describe("the damper of status requests", () => {
  test("[GATE-60] one question a second is always answered, five at once are, and the sixth hears when to come", () => {
    const damper = new PollDamper();
    expect(ask(damper, "a", 1_000, 600_000).answered).toBe(600);
    expect(Array.from({ length: 7 }, () => damper.take("b", 5_000))).toEqual([0, 0, 0, 0, 0, 1_000, 1_000]);
    expect([damper.take("b", 5_999), damper.take("b", 6_000), damper.take("b", 6_000)]).toEqual([1, 0, 1_000]);
    expect(damper.take("c", 6_000)).toBe(0);
  });

  test("[GATE-60] ten a second: one in a second is answered all the time, so that the Room hears of it as of any other", () => {
    const { answered, pauseMs } = ask(new PollDamper(), "a", 100, 60_000);
    expect(answered).toBe(60 + 4);
    expect(pauseMs).toBe(1_000);
  });

  test("[GATE-60] a clock that is put back makes nobody wait until it has come round again", () => {
    const damper = new PollDamper();
    for (let i = 0; i < 5; i++) damper.take("a", 3_600_000);
    expect(damper.take("a", 3_599_000)).toBe(2_000);
    expect(Array.from({ length: 6 }, () => damper.take("a", 1_000))).toEqual([0, 0, 0, 0, 0, 1_000]);
  });

  test("[GATE-60] it remembers those of the last seconds, and 16,384 of them at most: the oldest may ask", () => {
    const damper = new PollDamper();
    for (let i = 0; i < 50_000; i++) expect(damper.take(`key ${i}`, i)).toBe(0);
    expect(damper.size).toBeLessThanOrEqual(1_000);
    for (let i = 0; i < 20_000; i++) for (let n = 0; n < 5; n++) damper.take(`flood ${i}`, 100_000);
    expect(damper.size).toBe(16_384);
    expect(damper.take("flood 0", 100_000)).toBe(0);
    expect(damper.take("flood 19999", 100_000)).toBe(1_000);
  });

  test("[GATE-60] what counts is the place, the entry or the visitor's token, not the cookie it comes in", () => {
    const ticket = { kind: "ticket", room: "r", generation: 2, slot: 7, iat: 1, exp: 9 } as const;
    const pass = { kind: "pass", room: "r", generation: 2, slot: 7, serial: 3, iat: 1, exp: 9, end: 9 } as const;
    const entry = { kind: "entry", room: "r", generation: 2, draw: 1, entry: 7, chain: "", iat: 1, exp: 9 } as const;
    const visitor = { kind: "visitor", room: "r", key: "k", iat: 1, exp: 9 } as const;
    const none = { pass: null, ticket: null, entry: null, visitor: null };
    expect(askerOf({ ...none, pass: { claims: pass, expired: false } })).toBe(askerOf({ ...none, ticket, visitor }));
    const askers = [
      { ...none, ticket },
      { ...none, ticket: { ...ticket, slot: 8 } },
      { ...none, entry },
      { ...none, visitor },
    ].map(askerOf);
    expect(new Set(askers).size).toBe(4);
    expect(askerOf(none)).toBeNull();
  });

  /** Pages of one jar that ask as theirs do, for ten minutes: how often one was refused, and the longest that any went without an answer. */
  function tabs(count: number, pollAfterMs: number) {
    const [random, damper] = [seeded(count), new PollDamper()];
    const open = Array.from({ length: count }, () => ({ at: random() * pollAfterMs, answeredAt: 0 }));
    let refused = 0;
    let pauseMs = 0;
    for (;;) {
      const tab = open.reduce((first, other) => (other.at < first.at ? other : first));
      if (tab.at > 600_000) return { refused, pauseMs };
      const waitMs = damper.take("a", tab.at);
      pauseMs = Math.max(pauseMs, tab.at - tab.answeredAt);
      if (waitMs > 0) refused++;
      else tab.answeredAt = tab.at;
      const heldMs = retryAfter(waitMs === 0 ? null : String(Math.ceil(waitMs / 1_000)), random());
      tab.at += Math.max(heldMs, waitMs === 0 ? afterAnswer({ pollAfterMs }, random()) : afterTooOften(pollAfterMs, random()));
    }
  }

  test("[GATE-60][PAGE-10] a page by itself never meets it, and neither do two tabs", () => {
    const told = { manifest: null, settings: { pollNearMs: 1_000, pollFarMs: 60_000 }, room: "r", now: 0 };
    // The shortest gap that anybody is ever told.
    const { pollAfterMs } = claimStatus(told, 1, { as: "moment", dueInMs: 0 }, false);
    expect([pollAfterMs, tabs(1, pollAfterMs).refused, tabs(2, 3_000).refused]).toEqual([1_000, 0, 0]);
  });

  test("[GATE-60][PAGE-10] T11 ten tabs in one jar share what there is, and none of them goes without for long", () => {
    const { refused, pauseMs } = tabs(10, 3_000);
    expect(refused).toBeGreaterThan(100);
    // A call is valid for 150 s at least, and any one of them may answer it.
    expect(pauseMs).toBeLessThan(75_000);
  });
});
