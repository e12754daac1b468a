/**
 * What one visitor asks while they wait, counted by walking through the wait with the code that the page and the Worker run, in virtual time;
 * and the ways that were weighed against it. Pure: the same seed counts the same.
 */
import { canFollow, followed, followStep, lookAfterMs, startFollowing } from "../../src/core/following";
import type { Manifest } from "../../src/core/manifest";
import type { Status } from "../../src/core/status";
import { waitingStatus } from "../../src/core/status-of";
import { afterAnswer } from "../../static/wait/pace";
import { manifestWith } from "../../test/support/manifest";

export interface Wait {
  readonly waitS: number;
  /** People who go in each minute. */
  readonly perMinute: number;
}

/** Per visitor, from the waiting page to the turn: requests to the Worker, looks that it makes by itself, and what it tells by them. */
export interface Asked {
  readonly requests: number;
  readonly looks: number;
  readonly tells: number;
  /** The longest time after which a raised rate is noticed, s. */
  readonly noticeS: number;
}

const SETTINGS = { pollNearMs: 3_000, pollFarMs: 60_000 };
const ABSENT_MS = 200_000;
const NEWS_S = 2;
/** Notice before the page goes in. */
const NOTICE_MS = 5_000;
const VISITORS = 100;

/** Numbers in [0, 1): mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The line as it is `nowMs` after the visitor came: it moves evenly. */
function manifestAt(nowMs: number, { perMinute }: Wait): Manifest {
  const admittedEpoch = Math.floor((nowMs * perMinute) / 60_000);
  return manifestWith({
    room: "shop",
    at: nowMs,
    admittedEpoch,
    tail: 10_000_000,
    horizon: admittedEpoch + 64 + Math.ceil((2 * perMinute * (ABSENT_MS + SETTINGS.pollFarMs)) / 60_000),
    ratePerMinute: perMinute,
    admittedPerMinute: perMinute,
    epochPerMinute: perMinute,
  });
}

function statusAt(nowMs: number, wait: Wait, slot: number): Status {
  return waitingStatus({ room: "shop", manifest: manifestAt(nowMs, wait), settings: SETTINGS, now: nowMs }, slot);
}

const slotOf = ({ waitS, perMinute }: Wait) => Math.ceil((waitS * perMinute) / 60);

/** A visitor who asks, with a gap made from the status and the time left. The turn is noticed by a question; more may fall into the notice. */
function asking(wait: Wait, gapMs: (status: Status, leftMs: number) => number, random: () => number): Asked {
  const slot = slotOf(wait);
  const turnMs = wait.waitS * 1_000;
  let requests = 0;
  let longestMs = 0;
  let nowMs = 0;
  while (nowMs < turnMs) {
    const pollAfterMs = gapMs(statusAt(nowMs, wait, slot), turnMs - nowMs);
    const gap = afterAnswer({ pollAfterMs }, random());
    longestMs = Math.max(longestMs, pollAfterMs * 1.25);
    nowMs += gap;
    requests += 1;
  }
  for (let leftMs = NOTICE_MS; leftMs > 0; ) {
    leftMs -= afterAnswer({ pollAfterMs: SETTINGS.pollNearMs }, random());
    if (leftMs > 0) requests += 1;
  }
  return { requests, looks: 0, tells: 0, noticeS: longestMs / 1_000 + NEWS_S };
}

/** A visitor whose page follows. The last stream tells of the turn. */
function following(wait: Wait, random: () => number): Asked {
  const slot = slotOf(wait);
  let requests = 0;
  let looks = 0;
  let tells = 0;
  let nowMs = 2_000 + random() * 4_000;
  for (;;) {
    const manifest = manifestAt(nowMs, wait);
    let status = statusAt(nowMs, wait, slot);
    requests += 1;
    // The turn came while nobody followed: that is what this question hears.
    if (manifest.admittedEpoch > slot) return { requests, looks, tells, noticeS: 20 };
    if (!canFollow(status, manifest, ABSENT_MS)) throw new Error("somebody who waits cannot follow");
    let stream = startFollowing(status, manifest, { nowMs, generation: 1, random });
    for (;;) {
      nowMs += lookAfterMs(status, random());
      looks += 1;
      status = statusAt(nowMs, wait, slot);
      const settings = { absentAfterMs: ABSENT_MS, pollFarMs: SETTINGS.pollFarMs, isOpen: false, isReplaced: false };
      const look = { nowMs, status, manifest: manifestAt(nowMs, wait), ...settings };
      const step = followStep(stream, look, random());
      if (step.as === "end" || step.tell) tells += 1;
      if (step.as === "end" && step.called) return { requests, looks, tells, noticeS: 20 };
      if (step.as === "end") {
        nowMs += afterAnswer(step.status, random());
        break;
      }
      stream = followed(stream, look, step, false);
    }
  }
}

function mean(run: (random: () => number) => Asked): Asked {
  const random = seeded(7);
  const all = Array.from({ length: VISITORS }, () => run(random));
  const of = (key: keyof Asked) => all.reduce((sum, each) => sum + each[key], 0) / VISITORS;
  return { requests: of("requests"), looks: of("looks"), tells: of("tells"), noticeS: Math.max(...all.map(({ noticeS }) => noticeS)) };
}

const every = (ms: number) => () => ms;
const share = (part: number, most: number) => (_: Status, leftMs: number) => Math.min(most, Math.max(5_000, leftMs * part));

/** All ways to wait, by the name that docs/cost.md gives them. */
export function waysToWait(wait: Wait): Readonly<Record<string, Asked>> {
  const ask = (gapMs: (status: Status, leftMs: number) => number) => mean((random) => asking(wait, gapMs, random));
  return {
    "a question every 10 s": ask(every(10_000)),
    "a question every 60 s": ask(every(60_000)),
    "an eighth of the wait left, 3 to 60 s (as until now)": ask(({ pollAfterMs }) => pollAfterMs),
    "a quarter of the wait left, 5 to 300 s": ask(share(1 / 4, 300_000)),
    "half of the wait left, 5 to 900 s": ask(share(1 / 2, 900_000)),
    "a status that goes on (what is built)": mean((random) => following(wait, random)),
  };
}
