/** Room time from wall readings: pure, so readings are just numbers. */
import { describe, expect, it } from "vitest";
import { type Clock, IDLE_MEMORY_MS, loadedClock, STEP_MS, tick } from "../../durable/clock";

const T = 4_102_444_800_000;
const HOUR = 3_600_000;

/** Feed readings one after the other; returns Room time after each, relative to T. */
function run(readings: readonly number[], watched = true, from: Clock = tick(loadedClock(T), T, false)): number[] {
  let clock = from;
  return readings.map((reading) => {
    clock = tick(clock, T + reading, watched);
    return clock.now - T;
  });
}

describe("Room time", () => {
  it("[ROOM-4] follows the wall clock", () => {
    expect(run([0, 1, 1_000, 61_000, 121_000])).toEqual([0, 1, 1_000, 61_000, 121_000]);
  });

  it("[ROOM-4] O7 never goes back, and goes on when the wall clock has caught up", () => {
    expect(run([5_000, -HOUR, -HOUR + 1_000, 4_999, 5_001])).toEqual([5_000, 5_000, 5_000, 5_000, 5_001]);
  });

  it("[ROOM-4] takes all the time that passed while the object was out of memory", () => {
    expect(tick(loadedClock(T), T + HOUR, true).now).toBe(T + HOUR);
    expect(tick(loadedClock(T), T - HOUR, true).now).toBe(T);
  });

  it("[ROOM-4] believes a silence that an idle object in memory can really have had", () => {
    expect(run([IDLE_MEMORY_MS], false)).toEqual([IDLE_MEMORY_MS]);
    expect(run([IDLE_MEMORY_MS + 1], false)).toEqual([STEP_MS]);
    expect(run([STEP_MS + 1], true)).toEqual([STEP_MS]);
  });

  it("[ROOM-4] O7 a jump that is taken back costs a minute of standing still, not an hour", () => {
    // A wrong clock for 30 s: one minute too far, then level again a minute later.
    expect(run([1_000, HOUR, HOUR + 29_000, 31_000, 89_999, 91_000])).toEqual([1_000, 61_000, 90_000, 90_000, 90_000, 91_000]);
  });

  it("[ROOM-4] O7 a jump that stands for a minute is taken whole", () => {
    const s = 1_000;
    expect(run([0, HOUR, HOUR + 20 * s, HOUR + 59_999, HOUR + 60 * s, HOUR + 61 * s])).toEqual([
      0,
      60 * s,
      80 * s,
      119_999,
      HOUR + 60 * s,
      HOUR + 61 * s,
    ]);
  });

  it("[ROOM-4] a clock that is set again while in doubt starts a new minute", () => {
    const s = 1_000;
    expect(run([HOUR, HOUR + 50 * s, HOUR / 2, HOUR / 2 + 30 * s, HOUR / 2 + 60 * s])).toEqual([
      60 * s,
      110 * s,
      110 * s,
      140 * s,
      HOUR / 2 + 60 * s,
    ]);
  });

  it("[ROOM-4] is monotone and never ahead of every reading, whatever the readings", () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let history = 0; history < 500; history++) {
      let clock = tick(loadedClock(T), T, false);
      let wall = T;
      let highest = T;
      for (let i = 0; i < 40; i++) {
        const kind = random();
        wall += kind < 0.1 ? (random() - 0.5) * 2 * HOUR : kind < 0.3 ? random() * 150_000 : random() * 5_000;
        wall = Math.round(wall);
        highest = Math.max(highest, wall);
        const next = tick(clock, wall, random() < 0.7);
        expect(next.now).toBeGreaterThanOrEqual(clock.now);
        expect(next.now).toBeLessThanOrEqual(highest);
        clock = next;
      }
    }
  });
});
