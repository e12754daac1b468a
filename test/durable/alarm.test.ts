/** The alarm is a watchdog: once, twice, late or never, nothing but the time of day changes. */
import { describe, expect, it, vi } from "vitest";
import { ALARM_EVERY_MS } from "../../durable/watchdog";
import { encodeSightings } from "../../src/core/exchange";
import { claimOf } from "../support/populated";
import { RoomUnderTest, T } from "../support/room";

const HOUR = 3_600_000;

/** A room where everybody has to wait: one place, taken. */
async function crowded(): Promise<RoomUnderTest> {
  const room = new RoomUnderTest({ total_active_users: 1, new_users_per_minute: 600 });
  await room.join("first");
  room.wall += 1_000;
  await room.join("second");
  room.wall += 1_000;
  await room.join("third");
  return room;
}

describe("the alarm", () => {
  it("[ROOM-5] is set while somebody waits, and rests when nobody does", async () => {
    const room = new RoomUnderTest();
    await room.exchange();
    expect(await room.alarmAt()).toBeNull();
    const busy = await crowded();
    expect(await busy.alarmAt()).toBe(T + ALARM_EVERY_MS);
    await busy.turn("flush");
    expect(await busy.fireAlarm()).toBe(true);
    expect(await busy.alarmAt()).toBeNull();
  });

  it("[ROOM-5] re-arms itself while somebody waits", async () => {
    const room = await crowded();
    for (let i = 0; i < 4; i++) {
      room.wall += ALARM_EVERY_MS;
      expect(await room.fireAlarm()).toBe(true);
      expect(await room.alarmAt()).toBe(room.wall + ALARM_EVERY_MS);
    }
  });

  it("[ROOM-5] rests while nobody may enter, and comes back when they may", async () => {
    const room = await crowded();
    await room.turn("pause");
    await room.fireAlarm();
    expect(await room.alarmAt()).toBeNull();
    await room.turn("resume");
    expect(await room.alarmAt()).toBe(room.wall + ALARM_EVERY_MS);
  });

  it("[ROOM-5] calls nobody once the edges have been silent for a while: nobody would hear of it", async () => {
    const room = await crowded();
    const alarms = [];
    for (let i = 0; i < 12; i++) {
      room.wall += ALARM_EVERY_MS;
      alarms.push(await room.fireAlarm());
    }
    expect(alarms).toEqual([true, true, true, true, true, true, false, false, false, false, false, false]);
    await room.exchange();
    expect(await room.alarmAt()).toBe(room.wall + ALARM_EVERY_MS);
  });

  it("[ROOM-5] C91 costs calls nothing while it is on time, and is repaired by any call when it is lost", async () => {
    const room = await crowded();
    const set = vi.fn();
    const call = () =>
      room.shadowed(
        ({ storage }) => {
          const setAlarm = storage.setAlarm.bind(storage);
          return {
            setAlarm: (at) => {
              set(at);
              return setAlarm(at);
            },
          };
        },
        (inside) => inside.stats(),
      );
    await call();
    await room.run((_, { storage }) => storage.deleteAlarm());
    room.wall += 2 * ALARM_EVERY_MS - 1;
    await call();
    expect(set).not.toHaveBeenCalled();
    room.wall += ALARM_EVERY_MS;
    await call();
    expect(set).toHaveBeenCalledExactlyOnceWith(room.wall + ALARM_EVERY_MS);
    expect(await room.alarmAt()).toBe(room.wall + ALARM_EVERY_MS);
  });

  it.each([
    ["lost", null],
    ["stuck in the past", T - HOUR],
    ["put far off by a wrong clock", T + HOUR],
  ])("[ROOM-5] C30 C31 that is %s is repaired by the first call after a restart", async (_, at) => {
    const room = await crowded();
    await room.run((_room, { storage }) => (at === null ? storage.deleteAlarm() : storage.setAlarm(at)));
    await room.evict();
    await room.exchange();
    expect(await room.alarmAt()).toBe(room.wall + ALARM_EVERY_MS);
  });

  it("[ROOM-5] that is on time is found after a restart, not set again", async () => {
    const room = await crowded();
    const before = await room.alarmAt();
    await room.evict();
    await room.exchange();
    expect(await room.alarmAt()).toBe(before);
  });

  it("[ROOM-5] that fails re-arms all the same, and a call is not lost because the alarm cannot be set", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const room = await crowded();
    room.wall += ALARM_EVERY_MS;
    const failing = () => {
      throw new Error("injected");
    };
    await room.shadowed(
      () => ({ exec: failing }),
      (inside) => inside.alarm(),
    );
    expect(await room.alarmAt()).toBe(room.wall + ALARM_EVERY_MS);
    await room.evict();
    await room.run((_, { storage }) => storage.deleteAlarm());
    await room.shadowed(
      () => ({ setAlarm: failing }),
      (inside) => inside.stats(),
    );
    expect(log).toHaveBeenCalledTimes(2);
    log.mockRestore();
  });

  it("[ROOM-5] of a room that is no longer configured does nothing", async () => {
    const room = await crowded();
    room.deploy(null);
    await room.evict();
    expect(await room.fireAlarm()).toBe(true);
    expect(await room.alarmAt()).toBeNull();
  });
});

/** How often the alarm comes in a step of one second. */
const PATTERNS: readonly [string, (second: number) => number][] = [
  ["never", () => 0],
  ["once", (second) => (second % 2 === 0 ? 1 : 0)],
  ["twice", (second) => (second % 2 === 0 ? 2 : 0)],
  ["three times", (second) => (second % 2 === 0 ? 3 : 0)],
  ["70 s late", (second) => (second % 70 === 0 ? 1 : 0)],
];

describe("entries in four minutes", () => {
  it.each(PATTERNS)("[ROOM-5][P2][P3] O6 do not depend on whether the alarm comes: %s", async (_, alarms) => {
    const rate = 30;
    const room = new RoomUnderTest({ total_active_users: 1_000, new_users_per_minute: rate });
    const slots = Array.from({ length: 200 }, (_, i) => i);
    await room.exchange();
    for (const first of [0, 100]) await room.join(...slots.slice(first, first + 100).map((slot) => `v${slot}`));
    const seconds = 240;
    const entered = new Set<number>();
    for (let second = 1; second <= seconds; second++) {
      room.wall += 1_000;
      for (let i = alarms(second); i > 0; i--) await room.run((inside) => inside.alarm());
      // Those whose turn has come ask every third second, as their page would.
      if (second % 3 !== 0) continue;
      const { manifest } = await room.exchange({ sightings: encodeSightings(slots) });
      const asking = slots.filter((slot) => slot < manifest.admittedEpoch && !entered.has(slot));
      const { claims } = await room.exchange({ claims: asking.map((slot) => claimOf(slot, T)) });
      for (const verdict of claims) if (verdict.as === "entered") entered.add(verdict.pass.slot);
    }
    const expected = (rate * seconds) / 60;
    expect(entered.size).toBeLessThanOrEqual(expected + 2);
    expect(entered.size).toBeGreaterThanOrEqual(0.95 * expected - 2);
  });
});
