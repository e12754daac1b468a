/** What a visitor is told, from a manifest and a verdict. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ClaimVerdict, EndedWhy, JoinVerdict } from "../../src/core/exchange";
import type { Manifest } from "../../src/core/manifest";
import {
  claimStatus,
  closedToNewcomers,
  joiningStatus,
  ROOM_OFF_SPREAD_MS,
  refusedStatus,
  roomOffStatus,
  type Told,
  waitingStatus,
} from "../../src/core/status-of";
import { manifestWith } from "../support/manifest";

const NOW = 1_790_000_000_000;
const settings = { pollNearMs: 3_000, pollFarMs: 60_000 };

const manifest = (over: Partial<Manifest> = {}) => manifestWith({ at: NOW - 500, ...over });
const told = (over: Partial<Manifest> = {}): Told => ({ room: "r", manifest: manifest(over), settings, now: NOW });
const unknown: Told = { room: "r", manifest: null, settings, now: NOW };

describe("the operator's words", () => {
  test("[GATE-49] that something was called off comes first, before what the room says anyway", () => {
    const cancelled = { event: "drop", message: "The hall is closed." };
    const said = (over: Partial<Manifest>) => waitingStatus(told(over), 150).message;
    expect(said({ cancelled, message: "Have your card ready." })).toBe("The hall is closed.\nHave your card ready.");
    expect([said({ cancelled }), said({ message: "Ready?" }), said({})]).toEqual(["The hall is closed.", "Ready?", ""]);
    expect(said({ cancelled: { event: "drop", message: "" }, message: "Ready?" })).toBe("Ready?");
  });
});

test("[PAGE-25] a message comes with its time; where nothing is said there is none", () => {
  const at = (over: Partial<Manifest>, own = {}) => waitingStatus({ ...told({ messageAt: 5, ...over }), ...own }, 150).messageAt;
  expect([at({ message: "Hello" }), at({}, { message: "Hallo" }), at({}), at({ message: "Hello" }, { message: "" })]).toEqual([
    5,
    5,
    undefined,
    undefined,
  ]);
});

describe("status of someone who waits", () => {
  test("[GATE-49] who came for an event that was called off hears so first, paused or not, with the place and the wait", () => {
    const line = { ...told({ cancelled: { event: "drop", message: "" } }), isCalledOff: true };
    expect(waitingStatus(line, 150)).toMatchObject({
      state: "waiting",
      reason: "cancelled",
      slot: 150,
      ahead: 50,
      eta: { minSeconds: 50 },
    });
    const paused = { ...told({ phase: "paused" }), isCalledOff: true };
    expect(waitingStatus(paused, 150)).toMatchObject({ state: "paused", reason: "cancelled", ahead: 50 });
    expect(waitingStatus(line, 150, "room-unreachable").reason).toBe("room-unreachable");
  });

  test("[GATE-10] ahead counts the slots in front, and waiting includes the visitor", () => {
    expect(waitingStatus(told(), 150)).toMatchObject({ state: "waiting", slot: 150, ahead: 50, waiting: 900, reason: null });
    expect(waitingStatus(told({ tail: 120 }), 150)).toMatchObject({ ahead: 50, waiting: 51 });
    expect(waitingStatus(told({ tail: null }), 150)).toMatchObject({ ahead: 50, waiting: null });
  });

  test("[GATE-10] the estimate rests on what the line really did, never on the setting alone", () => {
    expect(waitingStatus(told(), 159).eta).toEqual({ minSeconds: 59, maxSeconds: 60 });
    expect(waitingStatus(told({ epochPerMinute: 30 }), 159).eta).toEqual({ minSeconds: 78, maxSeconds: 120 });
    expect(waitingStatus(told({ epochPerMinute: 120 }), 219).eta).toEqual({ minSeconds: 59, maxSeconds: 60 });
    expect(waitingStatus(told({ epochPerMinute: 0 }), 159).eta).toBeNull();
    expect(waitingStatus(told({ ratePerMinute: 0 }), 159).eta).toBeNull();
  });

  test("[GATE-10] why it is slow, or stands", () => {
    expect(waitingStatus(told({ epochPerMinute: 20 }), 150).reason).toBe("slow");
    expect(waitingStatus(told({ ratePerMinute: 0, epochPerMinute: 0 }), 150).reason).toBe("rate-zero");
    expect(waitingStatus(told({ phase: "paused" }), 150)).toMatchObject({ state: "paused", reason: "paused", ahead: 50, eta: null });
    expect(waitingStatus(told({ phase: "ended" }), 150)).toMatchObject({ state: "ended", reason: "sold-out" });
    expect(waitingStatus(told(), 150, "restarted").reason).toBe("restarted");
  });

  test("[GATE-22] an unreachable Room takes nobody's number away", () => {
    expect(waitingStatus(told(), 150, "room-unreachable")).toMatchObject({
      state: "waiting",
      reason: "room-unreachable",
      slot: 150,
      ahead: 50,
    });
    expect(waitingStatus(unknown, 150)).toMatchObject({ state: "waiting", reason: "room-unreachable", slot: 150, ahead: null });
    expect([0, 9_000, 90_000].map((delayMs) => joiningStatus(unknown, null, delayMs).pollAfterMs)).toEqual([2_000, 9_000, 15_000]);
    expect(joiningStatus(unknown, "room-unreachable")).toMatchObject({ state: "joining", reason: "room-unreachable", slot: null });
  });

  test("[GATE-10] numbers are whole and never negative, polls stay within the room's settings, nearer people poll more often", () => {
    const rate = fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 1e6, noNaN: true }));
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), fc.nat(1e6), rate, rate, (slot, epoch, tail, ratePerMinute, epochPerMinute) => {
        const now = told({ admittedEpoch: epoch, tail, ratePerMinute, epochPerMinute });
        const status = waitingStatus(now, slot);
        expect(status.ahead).toBe(Math.max(0, slot - epoch));
        expect(status.waiting).toBeGreaterThan(status.ahead ?? Number.NaN);
        expect(status.pollAfterMs).toBeGreaterThanOrEqual(settings.pollNearMs);
        expect(status.pollAfterMs).toBeLessThanOrEqual(settings.pollFarMs);
        expect(Number.isInteger(status.pollAfterMs)).toBe(true);
        expect(waitingStatus(now, slot + 10).pollAfterMs).toBeGreaterThanOrEqual(status.pollAfterMs);
        if (status.eta !== null) {
          expect(Number.isInteger(status.eta.minSeconds) && status.eta.minSeconds >= 0).toBe(true);
          expect(status.eta.maxSeconds).toBeGreaterThanOrEqual(status.eta.minSeconds);
        }
      }),
    );
  });
});

describe("status after a claim", () => {
  const cases: [ClaimVerdict, object][] = [
    [{ as: "inside" }, { state: "inside" }],
    [
      { as: "moment", dueInMs: 1_500 },
      { state: "called", reason: "moment", dueInMs: 1_500, pollAfterMs: 1_500 },
    ],
    [
      { as: "called", holdForMs: 20_000, validForMs: 180_000 },
      { state: "called", reason: null, holdForMs: 20_000, validForMs: 180_000 },
    ],
    [{ as: "waiting" }, { state: "waiting", ahead: 0 }],
    [{ as: "paused" }, { state: "paused", reason: "paused" }],
    [
      { as: "void", takeoversLeft: 2 },
      { state: "void", reason: "taken-over", takeoversLeft: 2 },
    ],
    [
      { as: "void", takeoversLeft: 0 },
      { state: "void", reason: "no-takeovers-left", takeoversLeft: 0 },
    ],
    [{ as: "restarted" }, { state: "waiting", reason: "restarted" }],
    [
      { as: "returning", ahead: 3, untilMs: NOW - 500 + 60_000 },
      { state: "returning", ahead: 3, validForMs: 60_000, reason: "missed-away" },
    ],
  ];
  test.each(cases)("[GATE-11] %j", (verdict, expected) => {
    expect(claimStatus(told(), 50, verdict, false)).toMatchObject({ slot: 50, ...expected });
  });

  test("[GATE-11] someone who had been inside is welcomed back, not told of a missed turn", () => {
    expect(claimStatus(told(), 50, { as: "returning", ahead: 0, untilMs: NOW }, true)).toMatchObject({ state: "returning", reason: null });
  });

  test.each<EndedWhy>(["left", "removed", "flushed", "return-time-over", "session-over", "unknown"])("[GATE-11] ended: %s", (why) => {
    expect(claimStatus(told(), 50, { as: "ended", why }, false)).toMatchObject({ state: "ended", reason: why });
  });

  test("[GATE-11] nobody enters after the sale has ended, and it is called so", () => {
    expect(claimStatus(told({ phase: "ended" }), 50, { as: "paused" }, false)).toMatchObject({ state: "ended", reason: "sold-out" });
  });

  const turns: ClaimVerdict[] = [
    { as: "called", holdForMs: 20_000, validForMs: 180_000 },
    { as: "returning", ahead: 0, untilMs: NOW + 60_000 },
  ];
  test.each(turns)("[GATE-11] [PAGE-13] nobody is invited in while nobody may enter: %j", (verdict) => {
    expect(claimStatus(told({ phase: "paused" }), 50, verdict, false)).toMatchObject({ state: "paused", reason: "paused" });
    expect(claimStatus(told({ phase: "ended" }), 50, verdict, false)).toMatchObject({ state: "ended", reason: "sold-out" });
  });
});

describe("status of newcomers", () => {
  const refusals: [Extract<JoinVerdict, { as: "refused" }>["why"], string, string | null][] = [
    ["full", "full", null],
    ["stopped", "closed", "joins-stopped"],
    ["ended", "ended", "sold-out"],
    ["network", "refused", "network-limit"],
  ];
  test.each(refusals)("[GATE-18] refused: %s", (why, state, reason) => {
    expect(refusedStatus(told(), { as: "refused", why, retryAfterMs: 30_000 })).toMatchObject({ state, reason, slot: null });
  });

  test("[GATE-18] the manifest alone says that nobody can join", () => {
    expect(closedToNewcomers(told())).toBeNull();
    expect(closedToNewcomers(unknown)).toBeNull();
    expect(closedToNewcomers(told({ joins: "stopped" }))).toMatchObject({ state: "closed" });
    expect(closedToNewcomers(told({ joins: "full" }))).toMatchObject({ state: "full" });
    expect(closedToNewcomers(told({ phase: "ended" }))).toMatchObject({ state: "ended", reason: "sold-out" });
    expect(closedToNewcomers(told({ phase: "paused" }))).toBeNull();
  });

  test("[GATE-19] when the room is switched off, waiting people go in one by one over the spread, always at the same time", () => {
    const due = Array.from({ length: 3_000 }, (_, slot) => roomOffStatus(told(), slot).dueInMs ?? Number.NaN);
    expect(Math.min(...due)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...due)).toBeLessThanOrEqual(ROOM_OFF_SPREAD_MS);
    const perThird = [0, 1, 2].map((third) => due.filter((ms) => Math.floor((ms * 3) / ROOM_OFF_SPREAD_MS) === third).length);
    expect(Math.min(...perThird)).toBeGreaterThan(900);
    expect(waitingStatus(told({ phase: "off" }), 150)).toEqual(roomOffStatus(told({ phase: "off" }), 150));
    expect(roomOffStatus(told(), null)).toMatchObject({ state: "called", reason: "room-off", dueInMs: 0 });
  });
});
