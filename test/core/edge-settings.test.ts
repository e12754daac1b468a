/** What an edge goes by while the schedule changes a room: the event's own values, and bounds that no difference of clocks can break. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CLOCKS_MS, EdgeSettings, edgeSettingsAt, promisedMs } from "../../src/core/edge-settings";
import { nextChangeMs, settingsAt } from "../../src/core/schedule";
import { parseRoom } from "../../src/core/settings";
import type { EventOverrides, RoomEvent, RoomSettings } from "../../src/core/settings-types";

const NOW = 1_790_000_000_000;
const parsed = parseRoom("r", { host: "shop.example.com", total_active_users: 100, new_users_per_minute: 60 });
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
const room = parsed.settings;

function eventOf(name: string, startMs: number, lengthMs: number, overrides: EventOverrides): RoomEvent {
  return {
    ...{ name, prequeueStartMs: null, startMs, endMs: startMs + lengthMs, shuffle: false, keepSessions: false, cancelled: null },
    ...{ utcOffsetMinutes: 0, overrides },
  };
}

const bounds = fc.record({
  revokeBoundMs: fc.integer({ min: 3_000, max: 60_000 }),
  passRefreshMs: fc.integer({ min: 1_000, max: 600_000 }),
});
const planned = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 900_000 }), length: fc.integer({ min: 1, max: 900_000 }), own: bounds }), {
    maxLength: 4,
  })
  .map((parts) => {
    let at = NOW;
    return parts.map(({ gap, length, own }, i) => {
      const event = eventOf(`e${i}`, at + gap, length, own);
      at = event.endMs;
      return event;
    });
  });
const rooms = fc.tuple(bounds, planned).map(([own, events]): RoomSettings => ({ ...room, ...own, events }));
const instant = fc.integer({ min: NOW - 100_000, max: NOW + 8_000_000 });

describe("settings at the edge", () => {
  test("[P1] whenever a place is given up, no edge goes by a longer bound than the Room counts on before it is used again", () => {
    fc.assert(
      fc.property(
        rooms,
        instant,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1 - CLOCKS_MS, max: CLOCKS_MS - 1 }),
        (own, givenUp, part, ahead) => {
          const counted = settingsAt(own, givenUp);
          const edge = edgeSettingsAt(own, givenUp + Math.floor(part * promisedMs(counted)) + ahead);
          expect(edge.revokeBoundMs).toBeLessThanOrEqual(counted.revokeBoundMs);
          expect(edge.passRefreshMs).toBeLessThanOrEqual(counted.passRefreshMs);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test("[EVENT-3] away from changes an edge goes by exactly what is in force, and everywhere by the values of the event but for those bounds", () => {
    const far = 2 * 600_000 + 10_000 + CLOCKS_MS;
    fc.assert(
      fc.property(rooms, instant, (own, now) => {
        const [edge, inForce] = [edgeSettingsAt(own, now), settingsAt(own, now)];
        const { revokeBoundMs, passRefreshMs } = edge;
        expect({ ...inForce, revokeBoundMs, passRefreshMs }).toEqual(edge);
        const change = nextChangeMs(own, now - far);
        if (change === null || change > now + CLOCKS_MS) expect(edge).toEqual(inForce);
      }),
      { numRuns: 1_000 },
    );
  });

  test("[P1] an event with a shorter revoke_bound: kept from 10 s before it, and by what came before until that is over", () => {
    const event = eventOf("sale", NOW, 600_000, { revokeBoundMs: 3_000 });
    const own: RoomSettings = { ...room, revokeBoundMs: 20_000, events: [event] };
    const at = (ms: number) => edgeSettingsAt(own, NOW + ms).revokeBoundMs;
    expect([-10_000, -9_999, 0, 600_000].map(at)).toEqual([20_000, 3_000, 3_000, 3_000]);
    // 2 × 30 s and 10 s for those who left, and 10 s between the clocks.
    expect([679_999, 680_000].map(at)).toEqual([3_000, 20_000]);
  });

  test("[EVENT-3] what is remembered never outlives a change of the schedule, of the settings, or a clock set back", () => {
    const events = [eventOf("sale", NOW, 5_000, { title: "Sale" })];
    const kept = new EdgeSettings();
    const own: RoomSettings = { ...room, title: "Shop", events };
    for (const [ms, title] of [
      [-1, "Shop"],
      [0, "Sale"],
      [4_999, "Sale"],
      [5_000, "Shop"],
      [4_000, "Sale"],
    ] as const)
      expect([ms, kept.at(own, NOW + ms).title]).toEqual([ms, title]);
    expect(kept.at({ ...own, events: [{ ...(events[0] as RoomEvent), overrides: { title: "Late" } }] }, NOW + 4_000).title).toBe("Late");
    expect(kept.at(own, NOW + 4_100)).toBe(kept.at(own, NOW + 4_200));
  });
});
