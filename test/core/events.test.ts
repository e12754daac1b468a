/** Events: how they are read and refused, and what holds at which instant. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EVENT_OVERRIDES } from "../../src/core/event-schema";
import { readTime, writeTime } from "../../src/core/rfc3339";
import { nextChangeMs, opensAtMs, settingsAt, stageAt } from "../../src/core/schedule";
import { type Problem, parseRoom, parseRooms } from "../../src/core/settings";
import type { RoomSettings } from "../../src/core/settings-types";

const base = { host: "shop.example.com", total_active_users: 100, new_users_per_minute: 60 };
const sale = {
  name: "sale",
  prequeue_start_time: "2027-05-01T09:30:00+02:00",
  event_start_time: "2027-05-01T10:00:00+02:00",
  event_end_time: "2027-05-01T12:00:00+02:00",
};
/** The same without a lobby. */
const plain = { ...sale, prequeue_start_time: undefined };
const LOBBY = Date.UTC(2027, 4, 1, 7, 30);
const START = Date.UTC(2027, 4, 1, 8);
const END = Date.UTC(2027, 4, 1, 10);

function parsed(events: unknown, room: object = {}) {
  return parseRoom("shop", { ...base, ...room, events });
}

function problemsOf(events: unknown, room: object = {}): readonly Problem[] {
  const result = parsed(events, room);
  return result.ok ? [] : result.problems;
}

function settingsOf(events: unknown, room: object = {}): RoomSettings {
  const result = parsed(events, room);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.settings;
}

function operatorOf(events: unknown): unknown {
  const result = parsed(events);
  return result.ok ? result.operator["events"] : result.problems;
}

describe("times", () => {
  test.each([
    ["2027-05-01T10:00:00+02:00", Date.UTC(2027, 4, 1, 8), 120],
    ["2027-05-01T10:00:00Z", Date.UTC(2027, 4, 1, 10), 0],
    ["2027-05-01t10:00:00z", Date.UTC(2027, 4, 1, 10), 0],
    ["2027-05-01T10:00:00-00:00", Date.UTC(2027, 4, 1, 10), 0],
    ["2027-05-01T00:00:00+09:00", Date.UTC(2027, 3, 30, 15), 540],
    ["2027-05-01T10:00:00.25+05:45", Date.UTC(2027, 4, 1, 4, 15, 0, 250), 345],
    ["2028-02-29T23:59:59.999-03:30", Date.UTC(2028, 2, 1, 3, 29, 59, 999), -210],
    // The hour that the clocks of New York go through twice (C76), and the one that those of Berlin leave out.
    ["2026-11-01T01:30:00-04:00", Date.UTC(2026, 10, 1, 5, 30), -240],
    ["2026-11-01T01:30:00-05:00", Date.UTC(2026, 10, 1, 6, 30), -300],
    ["2027-03-28T02:30:00+01:00", Date.UTC(2027, 2, 28, 1, 30), 60],
  ])("[EVENT-1] O8 C76 C77 %s is one instant, whatever the zone of the computer", (text, ms, offsetMinutes) => {
    const zone = process.env["TZ"];
    for (const elsewhere of ["UTC", "Asia/Tokyo", "America/New_York", "Europe/Berlin"]) {
      process.env["TZ"] = elsewhere;
      expect(readTime(text)).toEqual({ ok: true, ms, offsetMinutes });
    }
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  });

  test.each([
    ["2026-11-01T01:30:00", "without the offset"],
    ["2027-05-01T10:00", "without the offset"],
    ["2027-05-01T10:00+02:00", "write the seconds"],
    ["2027-02-30T10:00:00Z", "no such day"],
    ["2027-02-29T10:00:00Z", "no such day"],
    ["2027-13-01T10:00:00Z", "no such day"],
    ["2027-00-01T10:00:00Z", "no such day"],
    ["2027-05-00T10:00:00Z", "no such day"],
    ["2027-05-01T25:00:00Z", "no such day"],
    ["2027-05-01T10:60:00Z", "no such day"],
    ["2027-05-01T10:00:61Z", "no such day"],
    ["0027-05-01T10:00:00Z", "no such day"],
    ["2027-05-01T24:00:00Z", "00:00 of the next day"],
    ["2026-12-31T23:59:60Z", "leap seconds"],
    ["2027-05-01T10:00:00+24:00", "no offset +24:00"],
    ["2027-05-01T10:00:00+02:60", "no offset +02:60"],
    ["2027-05-01T10:00:00+0200", "offset in quotes"],
    ["2027-05-01T10:00:00 Europe/Berlin", "offset in quotes"],
    ["2027-05-01T10:00:00.1234Z", "offset in quotes"],
    ["2027-05-01 10:00:00Z", "offset in quotes"],
    ["1. Mai 2027, 10 Uhr", "offset in quotes"],
    ["1809676800", "offset in quotes"],
    ["2027-05-01T10:00:00Z\n", "offset in quotes"],
    ["", "offset in quotes"],
  ])("[EVENT-1] O8 C76 %j is refused with the reason", (text, reason) => {
    expect(readTime(text)).toMatchObject({ ok: false, problem: expect.stringContaining(reason) });
    expect(problemsOf([{ ...plain, event_start_time: text }])).toEqual([
      { setting: "events.sale.event_start_time", problem: expect.stringContaining(`${reason}`) },
    ]);
  });

  test("[EVENT-1] bare dates and numbers are refused as what they are", () => {
    expect(problemsOf([{ ...plain, event_start_time: new Date(START) }])).toMatchObject([
      { problem: expect.stringContaining("a bare date (quote it)") },
    ]);
    expect(problemsOf([{ ...plain, event_end_time: END }])).toMatchObject([{ problem: expect.stringContaining(`not ${END}`) }]);
  });

  test("[EVENT-1] every time comes back as it was written", () => {
    const minutes = fc.integer({ min: -1439, max: 1439 });
    const ms = fc.integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(9999, 11, 30) });
    fc.assert(
      fc.property(ms, minutes, (at, offsetMinutes) => {
        expect(readTime(writeTime({ ms: at, offsetMinutes }))).toEqual({ ok: true, ms: at, offsetMinutes });
      }),
    );
    expect(writeTime({ ms: START, offsetMinutes: 120 })).toBe("2027-05-01T10:00:00+02:00");
    expect(writeTime({ ms: START + 5, offsetMinutes: 0 })).toBe("2027-05-01T08:00:00.005Z");
    expect(writeTime({ ms: START, offsetMinutes: -210 })).toBe("2027-05-01T04:30:00-03:30");
  });
});

describe("reading events", () => {
  test("[EVENT-2] an event needs a name, a start and an end; everything else is inherited or off", () => {
    expect(settingsOf([plain]).events).toEqual([
      {
        name: "sale",
        prequeueStartMs: null,
        startMs: START,
        endMs: END,
        shuffle: false,
        keepSessions: false,
        cancelled: null,
        utcOffsetMinutes: 120,
        overrides: {},
      },
    ]);
  });

  test("[EVENT-2] it changes what it names, in the room's own units, and may say null for what it does not change", () => {
    const event = {
      ...sale,
      shuffle_at_event_start: true,
      keep_sessions: true,
      new_users_per_minute: 600,
      session_duration: 5,
      queue_capacity: 50,
      message: "Only today",
      total_active_users: null,
    };
    expect(settingsOf([event]).events).toEqual([
      expect.objectContaining({
        prequeueStartMs: LOBBY,
        shuffle: true,
        keepSessions: true,
        overrides: { newUsersPerMinute: 600, sessionDurationMs: 300_000, queueCapacity: 50, message: "Only today" },
      }),
    ]);
  });

  test.each<[string, unknown, string, string]>([
    ["no list", { name: "sale" }, "events", "a list of at most 32 tables, each an event"],
    ["a text", "[]", "events", "a list of at most 32 tables"],
    ["a list of texts", ["sale"], "events", "entry 1: must be a list of at most 32 tables"],
    ["a list of dates", [new Date(0)], "events", "entry 1: must be"],
    ["no name", [{ ...plain, name: undefined }], "events.1.name", "is missing"],
    ["capital letters", [{ ...plain, name: "Sale" }], "events.1.name", "1 to 64 of a–z, 0–9 and -"],
    ["a dot in the name", [plain, { ...plain, name: "a.b" }], "events.2.name", "1 to 64"],
    ["65 characters", [{ ...plain, name: "a".repeat(65) }], "events.1.name", "1 to 64"],
    ["no start", [{ ...plain, event_start_time: undefined }], "events.sale.event_start_time", "is missing; it must be a time"],
    ["no end", [{ ...plain, event_end_time: null }], "events.sale.event_end_time", "is missing"],
    [
      "a lobby after the start",
      [{ ...sale, prequeue_start_time: "2027-05-01T10:00:00.001+02:00" }],
      "events.sale.prequeue_start_time",
      "must be before event_start_time (2027-05-01T10:00:00+02:00)",
    ],
    [
      "a lobby at the start, in another zone",
      [{ ...sale, prequeue_start_time: "2027-05-01T08:00:00Z" }],
      "events.sale.prequeue_start_time",
      "before",
    ],
    ["an end at the start", [{ ...plain, event_end_time: sale.event_start_time }], "events.sale.event_end_time", "must be after"],
    [
      "an end that is later only by its own zone's clock",
      [{ ...plain, event_end_time: "2027-05-01T10:30:00+04:00" }],
      "events.sale.event_end_time",
      "must be after",
    ],
    [
      "a shuffle without a lobby",
      [{ ...plain, shuffle_at_event_start: true }],
      "events.sale.shuffle_at_event_start",
      "needs prequeue_start_time",
    ],
    ["kept visits without a lobby", [{ ...plain, keep_sessions: true }], "events.sale.keep_sessions", "needs prequeue_start_time"],
    ["a shuffle of text", [{ ...sale, shuffle_at_event_start: "yes" }], "events.sale.shuffle_at_event_start", "true or false"],
    ["no words to a cancelled event", [{ ...plain, cancelled: "" }], "events.sale.cancelled", "text of 1 to 280 characters"],
    ["cancelled = true", [{ ...plain, cancelled: true }], "events.sale.cancelled", "text of 1 to 280"],
    ["an absurd value", [{ ...plain, total_active_users: 0 }], "events.sale.total_active_users", "queue_all = true"],
    ["a typo", [{ ...plain, new_users_per_minut: 5 }], "events.sale.new_users_per_minut", "the nearest is new_users_per_minute"],
    ["a typo of its own", [{ ...plain, event_begin_time: "x" }], "events.sale.event_begin_time", "the nearest is event_end_time"],
    ["what is not built", [{ ...plain, rules: [] }], "events.sale.rules", "not built yet"],
    ["a prototype", [JSON.parse(JSON.stringify(plain).replace("{", '{"__proto__":{"a":1},'))], "events.sale.__proto__", "is not a setting"],
    ["another host", [{ ...plain, host: "a.example" }], "events.sale.host", "is the room's alone"],
    ["events of its own", [{ ...plain, events: [] }], "events.sale.events", "is the room's alone"],
    ["a pause of its own", [{ ...plain, queue_all: false }], "events.sale.queue_all", "is the room's alone"],
    ["other cookies", [{ ...plain, cookie_domain: "" }], "events.sale.cookie_domain", "is the room's alone"],
    ["closed_outside_events", [{ ...plain, closed_outside_events: true }], "events.sale.closed_outside_events", "is the room's alone"],
    [
      "a bond broken by its value and the room's",
      [{ ...plain, session_duration: 1 }],
      "events.sale.pass_refresh_seconds",
      "a third of session_duration (60 seconds)",
    ],
    [
      "a lobby where all go in",
      [{ ...sale, queueing_method: "passthrough" }],
      "events.sale.prequeue_start_time",
      "everybody goes straight in",
    ],
    ["a lobby that nobody may join", [{ ...sale, queueing_method: "reject" }], "events.sale.prequeue_start_time", "nobody may join"],
    [
      "a name twice",
      [plain, { ...plain, event_start_time: "2027-06-01T10:00:00Z", event_end_time: "2027-06-01T11:00:00Z" }],
      "events.sale.name",
      "another event",
    ],
    [
      "an overlap with a lobby",
      [
        {
          ...sale,
          name: "second",
          prequeue_start_time: "2027-05-01T11:59:59+02:00",
          event_start_time: "2027-05-01T13:00:00+02:00",
          event_end_time: "2027-05-01T14:00:00+02:00",
        },
        sale,
      ],
      "events.second.prequeue_start_time",
      "before the end of sale (2027-05-01T10:00:00.000Z)",
    ],
    [
      "a lobby while the draw before it may still wait for its number",
      [
        { ...sale, shuffle_at_event_start: true, event_end_time: "2027-05-01T10:01:00+02:00" },
        { ...sale, name: "second", prequeue_start_time: "2027-05-01T10:01:09+02:00", event_start_time: "2027-05-01T11:00:00+02:00" },
      ],
      "events.second.prequeue_start_time",
      "is too soon after the start of sale: its draw may wait for the public random number until 2027-05-01T08:01:12.000Z",
    ],
    [
      "an overlap with a cancelled one",
      [
        { ...plain, cancelled: "Sorry" },
        { ...plain, name: "second", event_start_time: "2027-05-01T11:00:00+02:00", event_end_time: "2027-05-02T00:00:00Z" },
      ],
      "events.second.event_start_time",
      "must not overlap",
    ],
  ])("[EVENT-2] %s: refused by name, with the reason", (_, events, setting, reason) => {
    expect(problemsOf(events)[0]).toEqual({ setting, problem: expect.stringContaining(reason) });
  });

  test("[EVENT-2] an event may begin once the draw before it is made, whatever comes of its random number; one without draw, number or date does not matter", () => {
    const first = { ...sale, shuffle_at_event_start: true, event_end_time: "2027-05-01T10:01:00+02:00" };
    const second = { ...plain, name: "second", event_start_time: "2027-05-01T10:01:12+02:00" };
    const soon = { ...second, event_start_time: "2027-05-01T10:01:00+02:00" };
    const setting = "events.second.event_start_time";
    expect(problemsOf([first, second])).toEqual([]);
    expect(problemsOf([first, soon])).toMatchObject([{ setting }]);
    expect(problemsOf([{ ...first, beacon_wait_seconds: 61 }, second])).toMatchObject([{ setting }]);
    expect(problemsOf([{ ...first, beacon: "none" }, soon])).toEqual([]);
    expect(problemsOf([{ ...first, shuffle_at_event_start: false }, soon])).toEqual([]);
    expect(problemsOf([{ ...first, cancelled: "no" }, soon])).toEqual([]);
    expect(problemsOf([first, { ...soon, suspended: true }])).toEqual([]);
  });

  test("[EVENT-2] a room that is closed outside its events may let everybody straight in while one is on", () => {
    expect(problemsOf([{ ...plain, queueing_method: "passthrough" }], { closed_outside_events: true })).toEqual([]);
    expect(problemsOf([plain], { closed_outside_events: true, queueing_method: "passthrough" })).toMatchObject([
      { setting: "queueing_method" },
    ]);
  });

  test("[EVENT-2] an event may overlap another than the one before it", () => {
    const within = (name: string, day: number) => ({
      name,
      event_start_time: `2027-05-0${day}T00:00:00Z`,
      event_end_time: `2027-05-0${day}T12:00:00Z`,
    });
    const problems = problemsOf([{ ...plain, event_end_time: "2027-05-30T00:00:00Z" }, within("in-it", 2), within("in-it-too", 4)]);
    expect(problems.map(({ setting }) => setting)).toEqual(["events.in-it.event_start_time", "events.in-it-too.event_start_time"]);
  });

  test("[EVENT-2] all problems are told at once, with the room's own, and under the room's name", () => {
    const raw = { shop: { ...base, max_calls: 0, events: [{ ...plain, session_duration: -1, shuffle_at_event_start: 1 }, { name: "x" }] } };
    const result = parseRooms(raw);
    expect(result.ok ? [] : result.problems.map(({ setting }) => setting)).toEqual([
      "ROOMS.shop.max_calls",
      "ROOMS.shop.events.sale.shuffle_at_event_start",
      "ROOMS.shop.events.sale.session_duration",
      "ROOMS.shop.events.x.event_start_time",
      "ROOMS.shop.events.x.event_end_time",
    ]);
  });

  test("[EVENT-2] 32 events are accepted, past ones included; a 33rd is refused", () => {
    const many = (n: number) =>
      Array.from({ length: n }, (_, i) => ({
        name: `e${i}`,
        event_start_time: new Date(Date.UTC(2020, i)).toISOString(),
        event_end_time: new Date(Date.UTC(2020, i + 1)).toISOString(),
      }));
    expect(settingsOf(many(32)).events).toHaveLength(32);
    expect(problemsOf(many(33))).toMatchObject([{ setting: "events", problem: expect.stringContaining("at most 32") }]);
  });

  test("[EVENT-2] times of an event beside the room's settings are told where they belong", () => {
    const result = parseRoom("shop", { ...base, event_start_time: sale.event_start_time });
    expect(result).toMatchObject({
      problems: [{ setting: "event_start_time", problem: expect.stringContaining("[[vars.ROOMS.<room>.events]]") }],
    });
  });

  test("[EVENT-2] a bond that the room breaks is told once, by the room", () => {
    expect(problemsOf([{ ...plain, message: "x" }], { poll_far_seconds: 600, settle_seconds: 750 })).toMatchObject([
      { setting: "absent_after_seconds" },
    ]);
  });

  test("[EVENT-2] an event may mend together what it could not change alone", () => {
    expect(settingsOf([{ ...plain, session_duration: 1, pass_refresh_seconds: 15 }]).events[0]?.overrides).toEqual({
      sessionDurationMs: 60_000,
      passRefreshMs: 15_000,
    });
  });

  test("[EVENT-2] events come out sorted, in one spelling, and can be put back unchanged", () => {
    const later = {
      name: "later",
      event_start_time: "2028-01-01t00:00:00.000z",
      event_end_time: "2028-01-02T00:00:00.500Z",
      message: null,
    };
    const shown = operatorOf([later, { ...sale, total_active_users: 7 }]);
    const off = { prequeue_start_time: null, shuffle_at_event_start: false, keep_sessions: false, cancelled: null, suspended: false };
    expect(shown).toEqual([
      { ...off, ...sale, total_active_users: 7 },
      { ...off, name: "later", event_start_time: "2028-01-01T00:00:00Z", event_end_time: "2028-01-02T00:00:00.500Z" },
    ]);
    expect(operatorOf(shown)).toEqual(shown);
  });

  test("[EVENT-2] no list of events, whatever is in it, is thrown on or accepted in part", () => {
    const time = fc.constantFrom(...Object.values(sale), "2027-05-01T08:00:00Z", "never", 7, null);
    const event = fc.record(
      {
        name: fc.constantFrom("sale", "b", "__proto__", 7, null),
        prequeue_start_time: time,
        event_start_time: time,
        event_end_time: time,
        shuffle_at_event_start: fc.oneof(fc.boolean(), fc.jsonValue()),
        session_duration: fc.oneof(fc.double(), fc.constant(1)),
        constructor: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.array(event, { maxLength: 3 }), fc.jsonValue()), (events) => {
        const result = parsed(events);
        if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
        else expect(parseRoom("shop", result.operator)).toEqual(result);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("what holds at an instant", () => {
  const HOUR = 3_600_000;
  const names = EVENT_OVERRIDES.filter((name) => ["message", "title", "max_calls", "new_users_per_minute"].includes(name));
  const values: Record<string, fc.Arbitrary<unknown>> = {
    message: fc.constantFrom("a", "b"),
    title: fc.constantFrom("t"),
    max_calls: fc.constantFrom(1, 3),
    new_users_per_minute: fc.constantFrom(0, 60, 90),
  };
  /** A room with some events one after another, seconds to days long. */
  const room = fc
    .record({
      closed: fc.boolean(),
      events: fc.array(
        fc.record({
          gap: fc.integer({ min: 0, max: 1_000 }),
          lobby: fc.option(fc.integer({ min: 1, max: 1_000 })),
          length: fc.integer({ min: 1, max: 1_000 }),
          flags: fc.record({ off: fc.boolean(), cancelled: fc.boolean() }),
          overrides: fc.record(Object.fromEntries(names.map((name) => [name, values[name] ?? fc.constant(null)])), { requiredKeys: [] }),
        }),
        { maxLength: 5 },
      ),
    })
    .map(({ closed, events }) => {
      let at = START;
      const iso = () => new Date(at).toISOString();
      const written = events.map(({ gap, lobby, length, flags, overrides }, i) => {
        at += gap;
        const prequeue_start_time = lobby === null ? null : iso();
        at += lobby ?? 0;
        const event_start_time = iso();
        at += length;
        return {
          name: `e${i}`,
          prequeue_start_time,
          event_start_time,
          event_end_time: iso(),
          suspended: flags.off,
          cancelled: flags.cancelled ? "Sorry" : null,
          ...overrides,
        };
      });
      return { written, settings: settingsOf(written, { closed_outside_events: closed }) };
    });

  test("[EVENT-3] at every instant exactly one stage holds; along each event it goes lobby, event, and never back", () => {
    fc.assert(
      fc.property(room, ({ written, settings }) => {
        const edges = settings.events.flatMap((event) => [opensAtMs(event), event.startMs, event.endMs]);
        const order = ["lobby", "event"];
        const seen = new Map<string, number>();
        for (const now of [START, ...edges].flatMap((edge) => [edge - 1, edge, edge + 1]).sort((a, b) => a - b)) {
          const stage = stageAt(settings, now);
          const on = written.filter(({ suspended, prequeue_start_time, event_start_time, event_end_time }) => {
            return !suspended && Date.parse(prequeue_start_time ?? event_start_time) <= now && now < Date.parse(event_end_time);
          });
          expect(on.length).toBeLessThanOrEqual(1);
          const [event] = on;
          if (event === undefined) expect(stage.in).toBe(settings.closedOutsideEvents ? "closed" : "ordinary");
          else if (event.cancelled !== null) expect(stage).toMatchObject({ in: "cancelled", closed: settings.closedOutsideEvents });
          else expect(stage.in).toBe(now < Date.parse(event.event_start_time) ? "lobby" : "event");
          if (stage.in === "closed") {
            const next = settings.events.find((each) => each.cancelled === null && opensAtMs(each) > now);
            expect(stage.next?.name).toBe(next?.name);
          }
          if (stage.in !== "lobby" && stage.in !== "event") continue;
          expect(stage.event.name).toBe(event?.name);
          const at = order.indexOf(stage.in);
          expect(at).toBeGreaterThanOrEqual(seen.get(stage.event.name) ?? 0);
          seen.set(stage.event.name, at);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("[EVENT-3] during an event its own values hold and the rest is inherited; outside it, and when called off, the room's own", () => {
    fc.assert(
      fc.property(room, fc.integer({ min: -2, max: 8_000 }), ({ written, settings }, after) => {
        const now = START + after;
        const stage = stageAt(settings, now);
        const inForce = settingsAt(settings, now);
        if (stage.in !== "lobby" && stage.in !== "event") return void expect(inForce).toBe(settings);
        const { overrides } = stage.event;
        const event = written.find(({ name }) => name === stage.event.name);
        // As if the room itself were set that way.
        const {
          name: _,
          prequeue_start_time: _p,
          event_start_time: _s,
          event_end_time: _e,
          suspended: _o,
          cancelled: _c,
          ...own
        } = event ?? {};
        const whole = settingsOf(written, { closed_outside_events: settings.closedOutsideEvents, ...own });
        expect({ ...inForce, events: [] }).toEqual({ ...whole, events: [] });
        expect({ ...settings, ...overrides }).toEqual(inForce);
      }),
      { numRuns: 300 },
    );
  });

  test("[EVENT-3] nothing changes before the next change that is told", () => {
    fc.assert(
      fc.property(room, fc.integer({ min: -5, max: 8_000 }), ({ settings }, after) => {
        const now = START + after;
        const next = nextChangeMs(settings, now);
        const until = next ?? now + HOUR;
        expect(until).toBeGreaterThan(now);
        for (const at of [until - 1, now + Math.floor((until - now) / 2)]) expect(stageAt(settings, at)).toEqual(stageAt(settings, now));
      }),
      { numRuns: 500 },
    );
  });

  test("[EVENT-3] G16 the edges are exact: the lobby from its opening, the event from its start, the room from the end", () => {
    const settings = settingsOf([{ ...sale, message: "Only today" }], { closed_outside_events: true });
    const stages = [LOBBY - 1, LOBBY, START - 1, START, END - 1, END].map((at) => [
      stageAt(settings, at).in,
      settingsAt(settings, at).message,
    ]);
    expect(stages).toEqual([
      ["closed", ""],
      ["lobby", "Only today"],
      ["lobby", "Only today"],
      ["event", "Only today"],
      ["event", "Only today"],
      ["closed", ""],
    ]);
    expect(stageAt(settings, LOBBY - 1)).toMatchObject({ next: { name: "sale" } });
    expect(stageAt(settings, END)).toMatchObject({ next: null });
  });

  test("[EVENT-4] a suspended event is as if it were not there: it changes nothing and takes no time, but is shown", () => {
    const settings = settingsOf([
      { ...plain, suspended: true },
      { ...sale, name: "instead" },
    ]);
    expect(settings.events.map(({ name }) => name)).toEqual(["instead"]);
    expect(operatorOf([{ ...plain, suspended: true }])).toMatchObject([{ name: "sale", suspended: true }]);
    expect(problemsOf([{ ...plain, suspended: true, event_end_time: sale.event_start_time }])).toHaveLength(1);
  });

  test("[EVENT-4] a cancelled event changes nothing while it would have been on", () => {
    const cancelled = settingsOf([{ ...sale, cancelled: "Sorry", message: "Only today" }]);
    expect(stageAt(cancelled, LOBBY)).toMatchObject({ in: "cancelled", event: { cancelled: "Sorry" }, closed: false });
    expect(settingsAt(cancelled, START)).toBe(cancelled);
    const closed = settingsOf([{ ...sale, cancelled: "Sorry" }], { closed_outside_events: true });
    expect(stageAt(closed, START)).toMatchObject({ in: "cancelled", closed: true });
    expect(stageAt(closed, LOBBY - 1)).toMatchObject({ in: "closed", next: null });
  });
});
