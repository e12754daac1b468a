/** The parts of the page's script that are arithmetic: pauses, the own way, what is announced. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { english } from "../../src/core/languages/en";
import type { Status } from "../../src/core/status";
import { tell } from "../../src/core/telling";
import { Announcer } from "../../static/wait/announcer";
import { between } from "../../static/wait/glide";
import { goOn, keepReference, progress, type Way } from "../../static/wait/own-way";
import { afterAnswer, afterFailure, retryAfter } from "../../static/wait/pace";
import { Rise } from "../../static/wait/rise";
import { STATES, status } from "../support/page-states";

describe("pauses", () => {
  const random = fc.double({ min: 0, max: 1, noNaN: true });

  test("[PAGE-10] after an answer: as told, at most 25 % less or more, never below a second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_000, max: 120_000 }), random, (pollAfterMs, r) => {
        const wait = afterAnswer({ pollAfterMs }, r);
        expect(wait).toBeGreaterThanOrEqual(pollAfterMs * 0.75);
        expect(wait).toBeLessThanOrEqual(pollAfterMs * 1.25);
      }),
    );
    expect(afterAnswer({ pollAfterMs: 10 }, 0)).toBe(1_000);
    for (const random of [0, 1]) expect(afterAnswer({ pollAfterMs: 20_000, pollExactly: true }, random)).toBe(20_000);
    expect([0, 0.5, 1].map((r) => afterAnswer({ pollAfterMs: 20_000 }, r))).toEqual([15_000, 20_000, 25_000]);
  });

  test("[PAGE-10] O1 after failures: doubling, at most 60 s, with jitter in proportion to the pause", () => {
    expect([1, 2, 3, 4, 5, 50].map((n) => afterFailure(n, 3_000, 1))).toEqual([6_000, 12_000, 24_000, 48_000, 60_000, 60_000]);
    expect([1, 50].map((n) => afterFailure(n, 3_000, 0))).toEqual([3_000, 30_000]);
    expect(afterFailure(1, 0, 0)).toBe(1_000);
  });

  test("[PAGE-10] O1 C89 after a long outage the busiest second has at most twice the mean", () => {
    const seconds = new Map<number, number>();
    const clients = 10_000;
    for (let i = 0; i < clients; i++) {
      // Evenly spread "randomness": the distribution itself, without luck.
      const at = Math.floor(afterFailure(9, 3_000, i / clients) / 1000);
      seconds.set(at, (seconds.get(at) ?? 0) + 1);
    }
    expect(Math.max(...seconds.values())).toBeLessThanOrEqual((2 * clients) / seconds.size);
    expect(seconds.size).toBeGreaterThanOrEqual(30);
  });

  test("[PAGE-10] Retry-After is never undercut; nonsense is no wait, and a day is taken for a mistake", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 600 }), random, (s, r) => retryAfter(String(s), r) >= s * 1000));
    for (const bad of [null, "", "soon", "-3", "1e9", "Wed, 21 Oct 2026 07:28:00 GMT"]) expect(retryAfter(bad, 1)).toBe(0);
    expect(retryAfter("86400", 0)).toBe(600_000);
  });
});

describe("the own way", () => {
  const walk = (statuses: Status[]) => {
    let way: Way | null = null;
    return statuses.map((next) => {
      const step = goOn(way, next);
      way = step.way;
      return { ahead: step.status.ahead, done: progress(way) };
    });
  };

  test("[PAGE-11] the number never goes up and progress never goes back, whatever the server says", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(2_000)), { minLength: 2 }), (numbers) => {
        const steps = walk(numbers.map((ahead) => status({ ahead: ahead ?? 7 })));
        for (const [i, step] of steps.entries()) {
          if (i === 0) continue;
          expect(step.ahead).toBeLessThanOrEqual(steps[i - 1]?.ahead ?? 0);
          expect(step.done ?? 100).toBeGreaterThanOrEqual(steps[i - 1]?.done ?? 0);
        }
      }),
    );
  });

  test("[PAGE-27] the reference code stays as long as the place does, and goes with it", () => {
    const first = status({ slot: 90, reference: "7K3M-9QXT" });
    expect(keepReference(null, first).reference).toBe("7K3M-9QXT");
    const kept = keepReference(first, status({ slot: 90, ahead: 3 }));
    expect(kept.reference).toBe("7K3M-9QXT");
    expect(keepReference(kept, status({ slot: 91 })).reference).toBeUndefined();
    expect(keepReference(kept, status({ slot: 90, reason: "restarted" })).reference).toBeUndefined();
    expect(keepReference(kept, status({ slot: 90, reference: "AAAA-BBBB" })).reference).toBe("AAAA-BBBB");
  });

  test("[PAGE-11] another slot, a restarted room or a second chance begins a new way", () => {
    const rows = walk([
      status({ slot: 90, ahead: 40 }),
      status({ slot: 90, ahead: 10 }),
      status({ slot: 90, ahead: null, reason: "room-unreachable" }),
      status({ slot: 90, ahead: 30 }),
      status({ slot: 200, ahead: 150 }),
      status({ slot: 200, ahead: 160, reason: "restarted" }),
      status({ slot: 200, ahead: 170, reason: "restarted" }),
      status({ slot: 200, ahead: 170 }),
      status({ slot: 200, ahead: 3, state: "returning", reason: "missed-away" }),
      status({ slot: 200, ahead: 5, state: "returning", reason: "missed-away" }),
    ]);
    expect(rows.map((row) => row.ahead)).toEqual([40, 10, null, 10, 150, 160, 160, 160, 3, 3]);
    expect(rows.map((row) => row.done)).toEqual([0, 75, 75, 75, 0, 0, 0, 0, null, null]);
  });
});

describe("the number between two answers", () => {
  test("[PAGE-23] it begins where it was and ends at what was told, never less and never up", () => {
    const number = fc.nat(100_000);
    fc.assert(
      fc.property(number, number, fc.array(fc.double({ min: 0, max: 2, noNaN: true })), (a, b, shares) => {
        const [to, from] = [Math.min(a, b), Math.max(a, b)];
        const walk = [0, ...shares.sort((x, y) => x - y), 1].map((share) => between(from, to, share));
        expect([walk[0], walk.at(-1)]).toEqual([from, to]);
        for (const now of walk) expect(now).toBeGreaterThanOrEqual(to);
        for (const [i, now] of walk.slice(0, -1).entries()) expect(now).toBeLessThanOrEqual(walk[i - 1] ?? from);
      }),
    );
    expect([0, 0.25, 0.5, 0.9, 1].map((share) => between(400, 300, share))).toEqual([400, 375, 350, 310, 300]);
  });
});

describe("an estimate that becomes longer", () => {
  const at = (minutes: number | null, slot = 7) => ({
    slot,
    eta: minutes === null ? null : { minSeconds: minutes * 50, maxSeconds: minutes * 60 },
  });
  const MINUTE_MS = 60_000;

  test("[PAGE-24] is explained for a minute, and not again within ten", () => {
    const rise = new Rise();
    const seen = (minutes: number | null, minute: number, slot?: number) => rise.seen(at(minutes, slot), minute * MINUTE_MS);
    expect([seen(10, 0), seen(9, 1), seen(14, 2), seen(14, 2.9), seen(14, 3)]).toEqual([false, false, true, true, false]);
    expect([seen(10, 4), seen(15, 5), seen(10, 11), seen(15, 12.5)]).toEqual([false, false, false, true]);
    // Longer than before a pause is longer; another place, or the first estimate of all, is not.
    expect([seen(null, 30), seen(30, 31), seen(60, 60, 8), seen(60, 61, 8)]).toEqual([false, true, false, false]);
    expect(new Rise().seen(at(60), 0)).toBe(false);
    expect(tell({ ...status(), ...at(14) }, english, { title: "", lang: "en", auto: true, rose: true }).body.join()).toContain(
      "slowed down",
    );
  });
});

describe("announcements", () => {
  const told = (next: Status) => tell(next, english, { title: "Demo shop", lang: "en", auto: true });
  const eta = (minutes: number) => ({ minSeconds: minutes * 60, maxSeconds: minutes * 60 });

  test("[PAGE-12] numbers alone are not announced; an estimate is, at most once a minute", () => {
    const announcer = new Announcer(told(status({ eta: eta(30) })), 0);
    expect(announcer.next(told(status({ ahead: 1100, eta: eta(30) })), 61_000)).toBeNull();
    expect(announcer.next(told(status({ ahead: 900, eta: eta(20) })), 70_000)).toMatch(/900 people are ahead of you.*about 20 minutes/);
    expect(announcer.next(told(status({ ahead: 800, eta: eta(15) })), 90_000)).toBeNull();
    expect(announcer.next(told(status({ ahead: 790, eta: eta(15) })), 131_000)).toMatch(/about 15 minutes/);
    expect(announcer.next(told(status({ ahead: 780, eta: eta(15) })), 300_000)).toBeNull();
  });

  test("[PAGE-12] an estimate that wavers around two minutes does not chatter", () => {
    const announcer = new Announcer(told(status({ eta: eta(5) })), 0);
    const near = told(STATES.nearly);
    const far = told(status({ ahead: 12, eta: eta(5) }));
    const said = Array.from({ length: 40 }, (_, i) => announcer.next(i % 2 ? far : near, i * 3_000)).filter((text) => text !== null);
    expect(said.length).toBeLessThanOrEqual(2);
  });

  test("[PAGE-12] what happens is announced at once: paused, message, next, restarted, unreachable", () => {
    const announcer = new Announcer(told(status()), 0);
    expect(announcer.next(told(STATES.paused), 100)).toMatch(/paused.*keep your place.*mending the checkout/s);
    expect(announcer.next(told({ ...STATES.paused, message: "Back soon." }), 200)).toContain("Back soon.");
    expect(announcer.next(told({ ...STATES.paused, message: "Back soon." }), 300)).toBeNull();
    expect(announcer.next(told(status()), 400)).toMatch(/^You are in line\./);
    expect(announcer.next(told(STATES.unreachable), 500)).toMatch(/^We can’t reach the line/);
    expect(announcer.next(told(STATES.restarted), 600)).toMatch(/restarted/);
    expect(announcer.next(told(STATES.next), 700)).toMatch(/^You are next\./);
  });
});
