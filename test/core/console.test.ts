/** The console's pure parts: words, forecasts as sentences, points of charts, steps of the rate, the calculator, the report. */
import { describe, expect, test } from "vitest";
import type { Forecast } from "../../src/core/admin";
import type { AuditEntry, Minute } from "../../src/core/audit";
import type { RoomStats } from "../../src/core/stats";
import { kindOf } from "../../src/core/telling";
import { act, sentence, since } from "../../static/console/acts-words";
import { effectLines } from "../../static/console/effect";
import { countdown, type Sale, stageOf, withOffset } from "../../static/console/event-words";
import { minutesFor, placesFor, rateFor } from "../../static/console/little";
import { marksOf, pathOf, pointsOf, summary } from "../../static/console/points";
import { reportRows } from "../../static/console/report";
import { sampleStatus, samples } from "../../static/console/samples";
import { age, badge, capacityOf, inLine, rampLine, span, value, wait } from "../../static/console/words";

const entry = (change: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ id: 1, at: "2026-12-04T10:00:30Z", actor: "Ana", role: "operator", action: "change", reason: "", revision: 2 },
  ...{ before: { new_users_per_minute: 30 }, after: { new_users_per_minute: 60 } },
  ...change,
});

const minute = (at: string, change: Partial<Minute> = {}): Minute => ({
  ...{ at, joined: 0, called: 0, entered: 0, left: 0, lapsed: 0, over: 0, missed: 0, passed_over: 0, refused: 0 },
  ...{ waiting: 0, inside: 0, new_users_per_minute: 60, rate_per_minute: 60, total_active_users: 100 },
  ...{ origin_ok: 0, origin_failed: 0, origin_slow: 0, origin_error_percent: null, origin_p95_ms: null },
  ...{ wait_p50_seconds: null, wait_p95_seconds: null, wait_max_seconds: null },
  ...change,
});

const stats = (change: Partial<RoomStats> = {}) =>
  ({
    ...{ now: "2026-12-04T10:05:10Z", waiting: 7, inside: 3, joined_last_minute: 9, entered_last_minute: 5, rate_per_minute: 50 },
    ...{ origin_last_minute: { requests: 4, error_percent: 25, p95_ms: 80 }, phase: "open", slowed_down: null, total_active_users: 100 },
    ...{ ramp: null, capacity: 100 },
    ...change,
  }) as RoomStats;

describe("words", () => {
  test("[CONSOLE-2] numbers are stale past ten seconds, and say how old they are", () => {
    expect(age(0.4)).toEqual({ text: "live", isStale: false });
    expect(age(10)).toEqual({ text: "10 s old", isStale: false });
    expect(age(10.1).isStale).toBe(true);
    expect(age(95).text).toBe("1 min 35 s old");
  });

  test("[CONSOLE-3] whoever has entered a lobby is told among those who would lose their places, and once its draw is closed not twice", () => {
    const draw = (state: "collecting" | "drawing") => stats({ draw: { state, entries: 5_000 } as RoomStats["draw"] });
    expect([stats({ draw: null }), draw("collecting"), draw("drawing"), stats()].map(inLine)).toEqual([7, 5_007, 7, 7]);
  });

  test("[CONSOLE-2] waits, spans, states and values", () => {
    expect([null, 0, 0.4, 1, 89.2, 125, 4_000].map(wait)).toEqual([
      "not moving",
      "none",
      "< 1 min",
      "1 min",
      "1 h 30 min",
      "2 h 5 min",
      "2.8 days",
    ]);
    expect([3, 61, 700, 7_300, 400_000].map(span)).toEqual(["3 s", "1 min 1 s", "11 min", "2 h 1 min", "4 days"]);
    expect(badge(stats({ phase: "paused" }))).toEqual({ word: "Paused", tone: "bad" });
    expect(badge(stats({ slowed_down: { why: "slow", since: "" } })).word).toBe("Slowed down");
    expect([true, null, "", 1_234.56, "a".repeat(100)].map(value)).toEqual(["on", "none", "nothing", "1,234.6", `“${"a".repeat(87)}…`]);
  });

  test("[CONSOLE-2] an act of somebody's is one sentence, and pausing is called that", () => {
    expect(sentence(entry())).toBe("Ana changed new_users_per_minute 30 → 60");
    expect(sentence(entry({ before: { queue_all: false }, after: { queue_all: true }, reason: "checkout down" }))).toBe(
      "Ana paused (checkout down)",
    );
    expect(act(entry({ action: "stop-joins", before: { joins_stopped: false }, after: { joins_stopped: true } }))).toBe(
      "stopped new joins",
    );
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`s${i}`, i]));
    expect(act(entry({ action: "deploy", before: {}, after: many }))).toMatch(/^deploy: s0 0, .*s7 7, and 4 more$/);
    expect(since([entry({ id: 9 }), entry({ id: 8 }), entry({ id: 7 })], 7).map(({ id }) => id)).toEqual([8, 9]);
  });
});

test("[CONSOLE-4] a forecast in words: the wait, the pace, what is the limit, and nothing where nothing would change", () => {
  const outlook = { newcomer_wait_minutes: 42, entering_per_minute: 300, expected_inside: 1_900, limited_by: "rate" } as const;
  const forecast = {
    ...{ would_change: true, after: { total_active_users: 2_000 }, visit_minutes: 6.3, visit_minutes_measured: true },
    outlook: { before: outlook, after: { ...outlook, newcomer_wait_minutes: 28, entering_per_minute: 450 } },
  } as unknown as Forecast;
  expect(effectLines(forecast)).toEqual([
    "Wait of somebody joining now: 42 min → 28 min",
    "Let in per minute: 300 → 450",
    "Expected inside: 1,900 of 2,000 (visits of 6.3 min, measured); the rate is the limit",
  ]);
  expect(effectLines({ ...forecast, would_change: false })).toEqual(["Nothing would change."]);
});

describe("charts", () => {
  const minutes = [
    minute("2026-12-04T10:00:00Z", { waiting: 4, entered: 2, origin_error_percent: 10, wait_p50_seconds: 90 }),
    minute("2026-12-04T10:03:00Z", { waiting: 6 }),
    minute("2026-12-04T10:05:00Z", { waiting: 999 }),
  ];
  const at = (time: string) => Date.parse(`2026-12-04T${time}Z`) / 1_000;

  test("[CONSOLE-9] a minute stands at its end, a gap is a gap, and now stands in for the minute that runs", () => {
    const points = pointsOf(minutes, stats(), { minutes: null });
    expect(points.map((point) => [point.at, point.waiting, point.errorPercent, point.waitHalf])).toEqual([
      [at("10:01:00"), 4, 10, 1.5],
      [at("10:02:00"), null, null, null],
      [at("10:04:00"), 6, null, null],
      [at("10:05:10"), 7, 25, null],
    ]);
    expect(points.at(-1)).toMatchObject({ entered: 5, target: 50, p95: 80 });
    expect(pointsOf(minutes, stats(), { minutes: 2 }).map((point) => point.waiting)).toEqual([6, 7]);
    expect(summary(points, ({ waiting }) => waiting, "")).toBe("now 7, at most 7");
    expect(summary([], ({ waiting }) => waiting, "")).toBe("nothing was measured");
  });

  test("[CONSOLE-9] a mark is where somebody acted, within what is shown, oldest first", () => {
    const points = pointsOf(minutes, stats(), { minutes: null });
    const acts = [entry({ at: "2026-12-04T10:04:00Z" }), entry({ at: "2026-12-04T10:02:00Z" }), entry({ at: "2026-12-04T09:00:00Z" })];
    expect(marksOf(acts, points)).toEqual([
      { at: at("10:02:00"), label: "Ana: changed new_users_per_minute 30 → 60" },
      { at: at("10:04:00"), label: "Ana: changed new_users_per_minute 30 → 60" },
    ]);
    // A sale that has just begun is shown within two minutes.
    const begun = pointsOf([], stats(), { minutes: null });
    expect(begun.map((point) => [point.at, point.waiting])).toEqual([
      [at("10:03:10"), null],
      [at("10:05:10"), 7],
    ]);
    expect(marksOf([entry({ at: "2026-12-04T10:04:00Z" }), entry({ at: "2026-12-04T10:02:00Z" })], begun)).toHaveLength(1);
  });
});

test("[CONSOLE-11] rate and capacity on their way are told with where they are and how long it takes", () => {
  const ramp = { since: "2026-12-04T10:00:00Z", until: "2026-12-04T10:10:00Z", new_users_per_minute: { from: 60, to: 120 } };
  const now = { capacity: 1_500, rate_per_minute: 90 };
  expect(rampLine(stats({ ...now, ramp: { ...ramp, total_active_users: null } }))).toBe(
    "In steps: rate 60 → 120, now 90; 4 min 50 s to go.",
  );
  const both = { ...ramp, total_active_users: { from: 1_000, to: 2_000 } };
  expect(rampLine(stats({ ...now, ramp: both }))).toContain("; capacity 1,000 → 2,000, now 1,500; ");
  expect(rampLine(stats({ ...now, ramp: null }))).toBe("");
  // During a deployment the Room may be of the version before, which says neither.
  const { ramp: _, capacity: __, ...former } = stats();
  expect([rampLine(former as RoomStats), capacityOf(former), capacityOf(stats(now))]).toEqual(["", 100, 1_500]);
});

test("[CONSOLE-17] a small line goes from the left to the right, from nothing to the most", () => {
  expect(pathOf([0, 5, 10], 100, 20)).toBe("M0 19L50 10L100 1");
  expect(pathOf([0, 0], 100, 20)).toBe("M0 19L100 19");
  expect([pathOf([], 100, 20), pathOf([3], 100, 20)]).toEqual(["", ""]);
});

test("[CONSOLE-10] the calculator: Little's law with a tenth of the places kept for calls", () => {
  expect(rateFor(1_000, 10)).toBe(90);
  expect(placesFor(90, 10)).toBe(1_000);
  expect(rateFor(1_000, 0)).toBe(0);
  expect([minutesFor(900, 90), minutesFor(900, 0)]).toEqual([10, null]);
});

test("[CONSOLE-8] what becomes of a sale is said at every moment, and times of a form carry their offset", () => {
  const sale: Sale = {
    ...{ name: "drop", prequeue_start_time: "2026-12-04T09:30:00Z", event_start_time: "2026-12-04T10:00:00Z" },
    ...{ event_end_time: "2026-12-04T12:00:00Z", shuffle_at_event_start: true, cancelled: null, suspended: false },
  };
  const told = ["09:00", "09:30", "10:00", "12:00"].map((time) => countdown(sale, Date.parse(`2026-12-04T${time}:00Z`)));
  expect(told).toEqual(["lobby opens in 30 min", "lobby is open; doors open in 30 min", "on; ends in 2 h 0 min", "over"]);
  expect(stageOf({ ...sale, cancelled: "sorry" }, 0)).toBe("cancelled");
  const at = Date.UTC(2026, 11, 4, 10);
  expect([60, -210, 0].map((minutes) => withOffset(at, minutes))).toEqual([
    "2026-12-04T11:00:00+01:00",
    "2026-12-04T06:30:00-03:30",
    "2026-12-04T10:00:00+00:00",
  ]);
});

test("[CONSOLE-8] the report has the totals, the peaks, the waits and the share of errors", () => {
  const minutes = [
    minute("a", { entered: 10, waiting: 40, inside: 9, origin_ok: 18, origin_failed: 2 }),
    minute("b", { entered: 0, waiting: 90 }),
    minute("c", { entered: 20, waiting: 0, inside: 12 }),
  ];
  const totals = { joined_total: 1_200, entered_total: 30, left_total: 1, missed_total: 2, passed_over_total: 3, lapsed_total: 4 };
  const waits = { wait_p50_seconds: 700, wait_p95_seconds: 3_000, wait_max_seconds: 3_661 };
  const rows = Object.fromEntries(reportRows(stats({ ...totals, ...waits, over_total: 5, refused_total: 6 }), minutes));
  expect(rows).toMatchObject({
    Joined: "1,200",
    "Most waiting at the end of a minute": "90",
    "Most inside at the end of a minute": "12 of 100",
    "Most let in within a minute": "20",
    "Let in per minute, while anybody was": "15",
    "Half of them waited at most": "11 min",
    "95 in 100 waited at most": "50 min",
    "The longest wait": "61 min",
    "Errors of the site": "10 %",
  });
});

test("[CONSOLE-12] every sample of the preview is another thing that the page can say", () => {
  const now = Date.UTC(2026, 11, 4, 9);
  const kinds = Object.entries(samples(now)).map(([name, change]) => [name, kindOf(sampleStatus("drop", "", now, change))] as const);
  expect(new Set(kinds.map(([, kind]) => kind)).size).toBe(kinds.length);
  expect(Object.fromEntries(kinds)).toMatchObject({
    Waiting: "waiting",
    "It is their turn": "called",
    Lobby: "lobby",
    "Sold out": "sold-out",
  });
});
