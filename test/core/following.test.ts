/** What an open stream tells, when it ends, and who counts as seen by it. Virtual time. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  COARSE,
  canFollow,
  FETCHES_MAX,
  FOLLOW_STALE_MS,
  type Following,
  followed,
  followStep,
  LOOK_MAX_MS,
  type Look,
  lookAfterMs,
  startFollowing,
  TELL_MAX_MS,
} from "../../src/core/following";
import type { Manifest } from "../../src/core/manifest";
import { waitingStatus } from "../../src/core/status-of";
import { entryStatus } from "../../src/core/status-of-event";
import { OpenStreams, STREAMS_MAX } from "../../src/room/open-streams";
import { EventReader } from "../../static/wait/events";
import { manifestWith } from "../support/manifest";

const ABSENT_MS = 200_000;
const SETTINGS = { pollNearMs: 3_000, pollFarMs: 60_000 };
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const manifestOf = (parts: Partial<Manifest> = {}) => manifestWith({ room: "demo", tail: 90_000, horizon: 300, ...parts });

function lookAt(slot: number, manifest: Manifest, nowMs: number, parts: Partial<Look> = {}): Look {
  const status = waitingStatus({ room: "demo", manifest, settings: SETTINGS, now: nowMs }, slot);
  return { nowMs, status, manifest, absentAfterMs: ABSENT_MS, pollFarMs: SETTINGS.pollFarMs, isOpen: false, isReplaced: false, ...parts };
}

function begin(slot: number, manifest: Manifest, share = 0.5): Following {
  const { status } = lookAt(slot, manifest, 0);
  return startFollowing(status, manifest, { nowMs: 0, generation: manifest.generation, random: () => share });
}

const stepOf = (following: Following, look: Look, random = 0.5) => followStep(following, look, random);

describe("what is told", () => {
  const walk = fc.array(
    fc.record({
      calls: fc.nat(400),
      epochPerMinute: fc.integer({ min: 1, max: 600 }),
      phase: fc.constantFrom("open" as const, "open" as const, "open" as const, "paused" as const),
      message: fc.constantFrom("", "", "", "Back soon."),
      r: random,
    }),
    { minLength: 1, maxLength: 60 },
  );

  test("[STREAM-2] after each look whoever follows has been told what is true: state and words exactly, numbers to a sixteenth, all of it within a minute", () => {
    fc.assert(
      fc.property(walk, fc.integer({ min: 50_000, max: 90_000 }), (steps, slot) => {
        let manifest = manifestOf();
        let following = begin(slot, manifest);
        let nowMs = 0;
        for (const { calls, r, ...news } of steps) {
          nowMs += lookAfterMs(following.told, r);
          manifest = { ...manifest, ...news, admittedEpoch: manifest.admittedEpoch + calls, horizon: manifest.horizon + calls };
          const look = lookAt(slot, manifest, nowMs);
          const step = stepOf(following, look);
          if (step.as === "end") throw new Error("nothing ends here");
          following = followed(following, look, step, false);
          const { told } = following;
          const { state, reason, phase, message, ahead } = look.status;
          expect(told).toMatchObject({ state, reason, phase, message });
          expect(Math.abs((told.ahead ?? 0) - (ahead ?? 0))).toBeLessThanOrEqual((told.ahead ?? 0) * COARSE);
          expect((told.eta === null) === (look.status.eta === null)).toBe(true);
          const off = Math.abs((told.eta?.maxSeconds ?? 0) - (look.status.eta?.maxSeconds ?? 0));
          expect(off).toBeLessThanOrEqual(Math.max(20, (told.eta?.maxSeconds ?? 0) / 8));
          expect(nowMs - following.toldAtMs).toBeLessThan(TELL_MAX_MS);
        }
      }),
    );
  });

  test("[STREAM-2] everybody hears of a pause, a message or a raised rate within 20 s, near the front as soon as by asking", () => {
    expect(LOOK_MAX_MS * 1.25 + FOLLOW_STALE_MS).toBeLessThan(20_000);
    const far = lookAt(60_000, manifestOf(), 0).status;
    const near = lookAt(110, manifestOf(), 0).status;
    expect([0, 0.5, 1].map((r) => lookAfterMs(far, r))).toEqual([7_500, 10_000, 12_500]);
    expect(lookAfterMs(near, 1)).toBe(3_750);
    const following = begin(60_000, manifestOf());
    // Nothing has moved faster yet.
    const raised = lookAt(60_000, manifestOf({ ratePerMinute: 90 }), 10_000);
    expect(stepOf(following, raised)).toMatchObject({ as: "go-on", tell: true });
    expect(stepOf(following, lookAt(60_000, manifestOf({ admittedEpoch: 110 }), 10_000))).toMatchObject({ as: "go-on", tell: false });
  });

  test("[STREAM-2] without an estimate: a number that is a sixteenth off, not less; and after 45 s the time of it", () => {
    const moved = (epoch: number, nowMs = 10_000) => {
      const manifest = (admittedEpoch: number) => manifestOf({ admittedEpoch, epochPerMinute: 0, horizon: 0 });
      const step = stepOf(begin(1_100, manifest(100)), lookAt(1_100, manifest(epoch), nowMs));
      return step.as === "go-on" && step.tell;
    };
    expect([162, 163].map((epoch) => moved(epoch))).toEqual([false, true]);
    expect([44_999, 45_000].map((nowMs) => moved(100, nowMs))).toEqual([false, true]);
    // Near the front as soon as by asking: every three seconds.
    const near = manifestOf({ horizon: 0 });
    const step = (nowMs: number, epoch: number) => stepOf(begin(120, near), lookAt(120, { ...near, admittedEpoch: epoch }, nowMs));
    expect([step(2_999, 101), step(3_000, 101), step(3_000, 100)]).toMatchObject([{ tell: false }, { tell: true }, { tell: false }]);
  });

  test("[STREAM-2] the start of an event that is moved is told, how many have entered is not", () => {
    const lobby = {
      event: "Drop",
      draw: 4,
      entries: 10,
      opensAt: 0,
      startsAt: 3_600_000,
      plannedAt: 3_600_000,
      endsAt: 7_200_000,
      utcOffsetMinutes: 0,
      commitment: null,
      beacon: "none",
    } as const;
    const at = (parts: Partial<NonNullable<Manifest["lobby"]>>, nowMs: number): Look => {
      const manifest = manifestOf({ phase: "lobby", lobby: { ...lobby, ...parts } });
      const status = entryStatus({ room: "demo", manifest, settings: SETTINGS, now: nowMs }, { draw: 4, entry: 7 });
      return { ...lookAt(0, manifest, nowMs), status };
    };
    const { status, manifest } = at({}, 0);
    const following = startFollowing(status, manifest as Manifest, { nowMs: 0, generation: 1, random: () => 0 });
    expect(stepOf(following, at({ entries: 11 }, 10_000))).toMatchObject({ as: "go-on", tell: false });
    expect(stepOf(following, at({ startsAt: 5_000_000 }, 10_000))).toMatchObject({ as: "go-on", tell: true });
    // The doors are near: the server has given everybody a time of their own.
    const doors = at({}, 3_570_000);
    expect(stepOf(following, doors)).toEqual({ as: "end", status: doors.status });
    expect(doors.status.pollExactly).toBe(true);
    // The draw is over, and a slot comes with a cookie: the crowd asks spread.
    const drawn = { ...at({}, 20_000), manifest: manifestOf({ phase: "open" }) };
    expect(stepOf(following, drawn, 0.5)).toMatchObject({ as: "end", status: { pollAfterMs: 31_000, pollExactly: true } });
  });
});

describe("the end of a stream", () => {
  test("[STREAM-3] the turn has come: asked at once; a reset or a revoked key: asked spread over the longest gap", () => {
    const following = begin(110, manifestOf());
    expect(stepOf(following, lookAt(110, manifestOf({ admittedEpoch: 111 }), 5_000))).toMatchObject({
      as: "end",
      called: true,
      status: { pollAfterMs: 1_000 },
    });
    for (const news of [{ generation: 2 }, { revokedKeys: ["k1"] }]) {
      const gaps = [0, 0.5, 0.99].map((r) => {
        const step = stepOf(following, lookAt(110, manifestOf(news), 5_000), r);
        return step.as === "end" && step.status.pollExactly === true ? step.status.pollAfterMs : null;
      });
      expect(gaps).toEqual([1_000, 31_000, 60_400]);
    }
  });

  test("[STREAM-3] what is no waiting, and people going in without the Room, end it as told to everybody", () => {
    const following = begin(60_000, manifestOf());
    const off = lookAt(60_000, manifestOf({ phase: "off" }), 5_000);
    expect(stepOf(following, off)).toEqual({ as: "end", status: off.status });
    expect(stepOf(following, lookAt(60_000, manifestOf({ phase: "ended" }), 5_000))).toMatchObject({
      as: "end",
      status: { state: "ended" },
    });
    expect(stepOf(following, lookAt(60_000, manifestOf(), 5_000, { isOpen: true }))).toMatchObject({ as: "end" });
    const replaced = lookAt(60_000, manifestOf(), 5_000, { isReplaced: true });
    expect(stepOf(following, replaced)).toEqual({ as: "end", status: replaced.status });
    expect(stepOf(following, lookAt(60_000, manifestOf(), 5_000, { manifest: null }))).toMatchObject({ as: "go-on" });
  });

  test("[STREAM-3] streams that began together end within the last hour of four, each; and after so many manifests of their own", () => {
    const ends = [0, 0.5, 1].map((share) => {
      const following = { ...begin(60_000, manifestOf(), share), toldAtMs: 0 };
      const isOver = (nowMs: number) => stepOf(following, lookAt(60_000, manifestOf(), nowMs)).as === "end";
      return [10_800_000, 12_600_000, 14_400_000].map((at) => [isOver(at - 1), isOver(at)]);
    });
    expect(ends.map((each) => each.flat().indexOf(true))).toEqual([1, 3, 5]);
    // From an isolate that hears nothing of the Room sooner, each at a time of their own.
    const unheard = (nowMs: number) => {
      const look = lookAt(60_000, manifestOf(), nowMs);
      return stepOf(
        { ...begin(60_000, manifestOf(), 0), toldAtMs: 0 },
        { ...look, status: { ...look.status, reason: "room-unreachable" } },
      );
    };
    expect(unheard(2_699_999).as).toBe("go-on");
    expect(unheard(2_700_000)).toMatchObject({ as: "end", status: { pollAfterMs: 31_000, pollExactly: true } });
    let following = begin(60_000, manifestOf());
    const look = lookAt(60_000, manifestOf(), 5_000);
    for (let i = 0; i < FETCHES_MAX; i++) {
      const step = stepOf(following, look);
      if (step.as === "end") throw new Error(`ended after ${i}`);
      following = followed(following, look, step, true);
    }
    expect(stepOf(following, look).as).toBe("end");
    // Being seen asks the Room as well.
    const seen = followed(begin(60_000, manifestOf()), look, { as: "go-on", tell: false, seen: true }, true);
    expect(seen.fetches).toBe(2);
  });
});

describe("who is seen", () => {
  test("[STREAM-4] near the front nobody counts as seen by an open stream; whoever answers does, always in time, a hidden tab included", () => {
    const HIDDEN_MS = 62_000;
    fc.assert(
      fc.property(random, fc.array(random, { minLength: 140, maxLength: 140 }), (share, chances) => {
        const slot = 320;
        let nowMs = 0;
        let epoch = 0;
        // 0.4 a second while the slot is beyond the horizon of 200, then as the estimate says.
        const now = () =>
          manifestOf({ admittedEpoch: Math.floor(epoch), horizon: Math.floor(epoch) + 250, ratePerMinute: 24, epochPerMinute: 24 });
        let following = begin(slot, now(), share);
        let seenAt = Number.NEGATIVE_INFINITY;
        let within = Number.POSITIVE_INFINITY;
        for (const r of chances) {
          const gap = lookAfterMs(lookAt(slot, now(), nowMs).status, r);
          nowMs += gap;
          epoch += gap * 0.0004;
          const manifest = now();
          if (manifest.admittedEpoch > slot) return;
          if (slot < manifest.horizon) within = Math.min(within, nowMs);
          const look = lookAt(slot, manifest, nowMs);
          const step = stepOf(following, look, r);
          if (nowMs - within > ABSENT_MS) expect(nowMs - seenAt).toBeLessThan(ABSENT_MS);
          if (step.as === "end") {
            // The tab is hidden: its timer runs a minute late.
            nowMs += HIDDEN_MS;
            epoch += HIDDEN_MS * 0.0004;
            if (nowMs - within > ABSENT_MS) expect(nowMs - seenAt).toBeLessThan(ABSENT_MS);
            seenAt = nowMs;
            following = { ...begin(slot, now(), share), openedAtMs: nowMs, toldAtMs: nowMs, seenAtMs: nowMs };
            continue;
          }
          if (step.seen) {
            expect((look.status.eta?.minSeconds ?? 0) * 1_000).toBeGreaterThan(ABSENT_MS);
            seenAt = nowMs;
          }
          following = followed(following, look, step, false);
        }
      }),
    );
  });

  /** A line of 60 a minute as the slot `ahead` of the front meets it, `perMinute` from `slowAtMs` on: when it was seen, by what, and its turn. */
  function walk(ahead: number, chances: readonly number[], { slowAtMs = Number.POSITIVE_INFINITY, perMinute = 60, share = 0.5 } = {}) {
    const slot = 100 + ahead;
    const seen: { readonly atMs: number; readonly by: "stream" | "question" }[] = [];
    let [nowMs, epoch] = [0, 100];
    const pass = (ms: number) => {
      const slowMs = Math.max(0, nowMs + ms - Math.max(slowAtMs, nowMs));
      epoch += (ms - slowMs) / 1_000 + (slowMs * perMinute) / 60_000;
      nowMs += ms;
    };
    // The estimate has not heard yet that the line has slowed down.
    const now = () => {
      const admittedEpoch = Math.floor(epoch);
      return manifestOf({ admittedEpoch, horizon: admittedEpoch + 900, epochPerMinute: 60 });
    };
    let following = { ...begin(slot, now(), share), lifeShare: 0.5 };
    for (let i = 0; ; i++) {
      const chance = chances[i % chances.length] as number;
      pass(lookAfterMs(lookAt(slot, now(), nowMs).status, chance));
      const look = lookAt(slot, now(), nowMs);
      const step = stepOf(following, look, chance);
      if (step.as === "end" && step.called) return { seen, turnAtMs: nowMs };
      if (step.as === "go-on") {
        if (step.seen) seen.push({ atMs: nowMs, by: "stream" });
        following = followed(following, look, step, false);
        continue;
      }
      // It is looked at, and asks at once.
      pass(1_250);
      if (Math.floor(epoch) > slot) return { seen, turnAtMs: nowMs };
      seen.push({ atMs: nowMs, by: "question" });
      following = { ...begin(slot, now(), share), lifeShare: 0.5, openedAtMs: nowMs, toldAtMs: nowMs, seenAtMs: nowMs };
    }
  }

  const chances = fc.array(random, { minLength: 40, maxLength: 40 });

  test("[STREAM-4] in an even line one sign of life is enough, 80 to 160 s before the turn, and the stream stood last when it still counted", () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 900 }), random, chances, (ahead, share, each) => {
        const { seen, turnAtMs } = walk(ahead, each, { share });
        const signs = seen.filter(({ by }) => by === "question").map(({ atMs }) => turnAtMs - atMs);
        expect(signs).toHaveLength(1);
        expect(signs[0]).toBeGreaterThan(80_000);
        expect(signs[0]).toBeLessThan(160_000);
        const stood = seen.filter(({ by }) => by === "stream").map(({ atMs }) => turnAtMs - atMs);
        // Whoever is not there is found out before the turn, and whoever is has time for the sign.
        expect(Math.min(...stood)).toBeGreaterThan(ABSENT_MS + 35_000);
        expect(Math.min(...stood)).toBeLessThan(ABSENT_MS + 60_000);
      }),
    );
  });

  test("[STREAM-4] whoever is there is seen in time though the line slows down to a tenth, whenever it does", () => {
    fc.assert(
      fc.property(fc.integer({ min: 260, max: 500 }), random, chances, random, (ahead, share, each, when) => {
        const { seen, turnAtMs } = walk(ahead, each, { slowAtMs: when * ahead * 1_000, perMinute: 6, share });
        const times = [0, ...seen.map(({ atMs }) => atMs), turnAtMs];
        for (const [i, atMs] of times.entries()) expect(atMs - (times[i - 1] ?? 0)).toBeLessThan(ABSENT_MS);
      }),
    );
  });

  test("[STREAM-4] without an estimate the front is near, and where an absence shows soon there are no streams near it", () => {
    const still = manifestOf({ epochPerMinute: 0 });
    const following = begin(200, still, 0);
    expect(stepOf(following, lookAt(200, still, 95_999)).as).toBe("go-on");
    expect(stepOf(following, lookAt(200, still, 96_000)).as).toBe("end");
    const near = lookAt(200, still, 0).status;
    expect([95_000, 94_999].map((ms) => canFollow(near, still, ms))).toEqual([true, false]);
    expect(canFollow(lookAt(60_000, still, 0).status, still, 72_000)).toBe(true);
    expect(canFollow({ ...near, state: "called" }, still, ABSENT_MS)).toBe(false);
    expect(canFollow({ ...near, pollExactly: true }, still, ABSENT_MS)).toBe(false);
  });
});

test("[STREAM-6] an isolate holds so many streams at most, and one for each place; who has gone without a word is forgotten", () => {
  const open = new OpenStreams();
  const places = Array.from({ length: STREAMS_MAX }, (_, i) => `place ${i}`);
  const streams = new Map(places.map((place) => [place, {}]));
  const streamOf = (place: string) => streams.get(place) ?? {};
  for (const [i, place] of places.entries()) expect(open.begin(place, streamOf(place), i)).toBe(true);
  expect(open.begin("another", {}, 2_500)).toBe(false);
  // Whoever has one gets another instead, and the old one hears so.
  const [first = "", second = ""] = places;
  const newer = {};
  expect(open.begin(first, newer, 2_500)).toBe(true);
  expect(open.look(first, streamOf(first), 2_600)).toBe(false);
  open.end(first, streamOf(first));
  expect(open.look(first, newer, 2_700)).toBe(true);
  expect(open.size).toBe(STREAMS_MAX);
  open.end(second, streamOf(second));
  expect(open.begin("another", {}, 2_800)).toBe(true);
  for (const place of places.slice(2, 12)) expect(open.look(place, streamOf(place), 29_000)).toBe(true);
  expect(open.begin("one more", {}, 33_000)).toBe(true);
  expect(open.size).toBe(11);
});

test("[STREAM-1] events are read whole, however the network cuts them", () => {
  const text = 'event: status\ndata: {"a":"x: y"}\n\nevent: last\ndata: {"b":2}\n\n';
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (cuts) => {
      const reader = new EventReader();
      const places = [0, ...cuts.sort((a, b) => a - b), text.length];
      const events = places.slice(1).flatMap((end, i) => reader.take(text.slice(places[i], end)));
      expect(events).toEqual([
        { name: "status", data: '{"a":"x: y"}' },
        { name: "last", data: '{"b":2}' },
      ]);
    }),
  );
});
