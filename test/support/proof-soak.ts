/** Days, clocks, alarms and the limits of numbers, as proofs: what is stored stays bounded, and nothing breaks at the edges. */

import { State } from "../../durable/line/slot-table";
import type { LineState } from "../../durable/line/state";
import { loadLine, takeChanges } from "../../durable/line/stored";
import { entriesBetween, type Outcome, runCrowd, type Scenario } from "./crowd-sim";
import { type FakeStore, START, World } from "./line-world";
import { atLeast, atMost, type Check, noted, type Proof } from "./proof";
import { worstExcess } from "./rate-check";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const EXACT = 1e-6;
const SEED = 3;

interface Sample {
  readonly hour: number;
  readonly joined: number;
  readonly waiting: number;
  readonly occupied: number;
  readonly rows: number;
  readonly bytes: number;
  readonly memory: number;
}

function bytesOf(table: ReadonlyMap<number, Uint8Array>): number {
  let bytes = 0;
  for (const data of table.values()) bytes += data.length;
  return bytes;
}

function sampleOf(hour: number, line: LineState, store: FakeStore): Sample {
  const { counters, table } = line;
  return {
    hour,
    joined: counters.tail,
    waiting: counters.tail - counters.epoch,
    occupied: table.counts.reduce((sum, count) => sum + count, 0),
    rows: store.blocks.size + store.gone.size + store.joins.size,
    bytes: bytesOf(store.blocks) + bytesOf(store.gone) + bytesOf(store.joins) + (store.counters?.length ?? 0),
    memory: table.blockCount * 2_048 + line.sightings.bytes + line.recent.bytes,
  };
}

/** Points of each line of the chart at most: more are not seen. */
const DRAWN = 240;

/** A shop's days: quiet nights, evenings with twice as many people as may enter, alarms, evictions every six hours. */
export function soakProof(days: number): Proof {
  const samples: Sample[] = [];
  const outcome = runCrowd({
    settings: { totalActiveUsers: 100, newUsersPerMinute: 12, sessionDurationMs: 300_000, passRefreshMs: 30_000, sessionMaxMs: HOUR },
    minutes: days * 1_440,
    seed: SEED,
    crowd: 0,
    stepMs: 1_000,
    arrivalsPerMinute: (minute) => Math.max(0.2, 12 * (1 + Math.sin((minute / 1_440 - 0.25) * 2 * Math.PI))),
    gone: 0.2,
    vanishing: 0.05,
    hidden: 0.3,
    asleep: 0.1,
    visitS: 240,
    leaves: true,
    givesUp: 0.003,
    sparse: true,
    restartEveryMs: 6 * HOUR,
    alarms: (at) => (at % 2_000 === 0 ? 1 : 0),
    onSecond: (line, second, store) => {
      if (second % 600 === 0) samples.push(sampleOf(second / 3_600, line, store));
    },
  });
  const last = samples.at(-1);
  // From the second day on nothing may grow any more; a young room still fills its list of recent joins.
  const settled = samples.filter(({ hour }) => hour >= 24);
  const later = settled.length > 0 ? settled : samples;
  const most = (of: (sample: Sample) => number, among: readonly Sample[]): number => Math.max(...among.map(of));
  const drawn = samples.filter((_, i) => i % Math.ceil(samples.length / DRAWN) === 0);
  return {
    title: `${days} days of a busy shop`,
    rules: ["P2", "P12"],
    about:
      "12 a minute may enter, between none and 24 a minute come; 20 % gone, 5 % vanish, 30 % hidden, 10 % asleep for minutes, some leave; the " +
      "Room loses its memory every six hours and its alarm comes every two seconds.",
    checks: [
      noted("people who joined", last?.joined ?? 0),
      noted("entries", outcome.entries.length),
      noted(
        "most people waiting at once",
        most(({ waiting }) => waiting, samples),
      ),
      atMost(
        "rows stored: recent joins, and blocks of people in or near",
        most(({ rows, occupied }) => rows - occupied, later),
        ROWS_MAX,
      ),
      atMost("bytes stored", most(({ bytes }) => bytes, later) / 1_024, BYTES_MAX / 1_024, "KB", 0),
      atMost("bytes of the line in memory", most(({ memory }) => memory, later) / 1_024, MEMORY_MAX / 1_024, "KB", 0),
      atMost(
        "entries beyond rate · w + burst in the worst of all windows",
        worstExcess(outcome.entries, [{ at: 0, perMinute: 12 }]),
        EXACT,
        "",
        2,
      ),
      atMost("places in use at most", outcome.peakInUse, 100),
    ],
    charts: [
      {
        file: "soak",
        title: "Stored over the days",
        x: "days",
        y: "KB stored; people waiting",
        series: [
          { name: "KB stored", points: drawn.map(({ hour, bytes }) => [hour / 24, bytes / 1_024]) },
          { name: "people waiting", points: drawn.map(({ hour, waiting }) => [hour / 24, waiting]) },
          { name: "thousands of people who have joined", points: drawn.map(({ hour, joined }) => [hour / 24, joined / 1_000]) },
        ],
      },
    ],
  };
}

/** The newest 16,384 joins, one row each at worst, and a few pages of leavers. */
const ROWS_MAX = 16_384 + 64;
/**
 * Those rows of 66 bytes (20 of them say where one call's joins end, since a step answers several calls, and 20 when, from which number on and in
 * which draw), blocks of 2 KB for some hundred people, one row of counters.
 */
const BYTES_MAX = 1_152 * 1_024;
const MEMORY_MAX = 6 * 1_024 * 1_024;

/** A crowd that asks seldom, so that the alarm matters. */
function seldom(rest: Partial<Scenario>): Outcome {
  return runCrowd({
    settings: { totalActiveUsers: 100, newUsersPerMinute: 12, sessionDurationMs: 120_000, passRefreshMs: 40_000, sessionMaxMs: HOUR },
    minutes: 40,
    seed: SEED,
    crowd: 20,
    arrivalsPerMinute: 16,
    visitS: 60,
    leaves: true,
    hidden: 1,
    gone: 0.2,
    sparse: true,
    ...rest,
  });
}

const EVERY_2_S = (times: number) => (at: number) => (at % 2_000 === 0 ? times : 0);

export function alarmProof(): Proof {
  const runs: Readonly<Record<string, (at: number) => number>> = {
    "every two seconds": EVERY_2_S(1),
    "twice each time": EVERY_2_S(2),
    "three times each time": EVERY_2_S(3),
    "70 s late": (at) => (at % 72_000 === 0 ? 1 : 0),
    never: () => 0,
  };
  const once = seldom({ alarms: EVERY_2_S(1) });
  const checks: Check[] = [];
  const series = [];
  for (const [name, alarms] of Object.entries(runs)) {
    const outcome = seldom({ alarms, restartEveryMs: 10 * MINUTE });
    const twin = seldom({ alarms });
    if (name.endsWith("each time")) {
      const same = JSON.stringify(twin.entries) === JSON.stringify(once.entries);
      checks.push({
        what: `alarm ${name}: every entry at the same time as with one alarm`,
        measured: same ? "yes" : "no",
        limit: "yes",
        holds: same,
      });
    }
    checks.push(
      atMost(`alarm ${name}: entries beyond rate · w + burst`, worstExcess(outcome.entries, [{ at: 0, perMinute: 12 }]), EXACT, "", 2),
      atMost(`alarm ${name}: places in use at most`, outcome.peakInUse, 100),
      atMost(`alarm ${name}: people told that their turn is over`, outcome.kinds.honest.ended + outcome.kinds.hidden.ended, 0),
      noted(`alarm ${name}: entries in 40 minutes`, twin.entries.length),
    );
    series.push({
      name,
      points: [...Array(40).keys()].map((i): [number, number] => [i + 1, twin.entries.filter((at) => at < (i + 1) * MINUTE).length]),
    });
  }
  return {
    title: "The alarm once, twice, three times, late, never",
    rules: ["P1", "P2", "P3"],
    about: "16 a minute come, 12 may enter; all tabs are hidden, so that the Room is seldom called; with and without evictions.",
    checks,
    charts: [{ file: "alarm", title: "Entries by how the alarm comes", x: "minutes", y: "entries so far", series }],
  };
}

interface Wrong {
  readonly wall: (at: number) => number;
  /** Longest standstill of entries that follows from it, s. */
  readonly standstillS: number;
}

const AT = 10 * MINUTE;
/** How the clock of the Room's host goes wrong ten minutes after the start (durable/clock.ts, SPEC ROOM-4). */
const CLOCKS: Readonly<Record<string, Wrong>> = {
  "an hour ahead for 30 s": { wall: (at) => (at >= AT && at < AT + 30_000 ? at + HOUR : at), standstillS: 66 },
  "an hour ahead for good": { wall: (at) => (at >= AT ? at + HOUR : at), standstillS: 10 },
  "an hour behind for 30 s": { wall: (at) => (at >= AT && at < AT + 30_000 ? at - HOUR : at), standstillS: 36 },
  "an hour behind for good": { wall: (at) => (at >= AT ? at - HOUR : at), standstillS: 3_606 },
  "two seconds ahead and two behind, minute by minute": {
    wall: (at) => at + (Math.floor(at / MINUTE) % 2 === 0 ? 2_000 : -2_000),
    standstillS: 8,
  },
};

export function clockProof(): Proof {
  const checks: Check[] = [];
  const series = [];
  for (const [name, { wall, standstillS }] of Object.entries(CLOCKS)) {
    const minutes = 90;
    const outcome = runCrowd({
      settings: { totalActiveUsers: 100_000, newUsersPerMinute: 30, sessionDurationMs: 600_000, passRefreshMs: 30_000, sessionMaxMs: HOUR },
      minutes,
      seed: SEED,
      crowd: 6_000,
      visitS: 1e6,
      gone: 0.3,
      vanishing: 0.05,
      wall,
    });
    const gaps = outcome.entries.map((at, i) => (at - (outcome.entries[i - 1] ?? 0)) / 1_000);
    const end = minutes * 60;
    const lateness = entriesBetween(outcome, end - 900, end) / 450;
    checks.push(
      atMost(`${name}: longest time without an entry`, Math.max(...gaps), standstillS, "s", 0),
      // A jump is taken for time that passed: the bucket, which holds a burst at most, is full once more after each.
      atMost(
        `${name}: entries beyond rate · w + burst, in real time`,
        worstExcess(outcome.entries, [{ at: 0, perMinute: 30 }]),
        BURST,
        "",
        2,
      ),
      atLeast(`${name}: entries in the last quarter of an hour`, 100 * lateness, 95, "% of the rate"),
      atMost(`${name}: people told that their turn is over`, outcome.kinds.honest.ended, 0),
    );
    series.push({
      name,
      points: [...Array(minutes).keys()].map((i): [number, number] => [i + 1, entriesBetween(outcome, 0, (i + 1) * 60)]),
    });
  }
  return {
    title: "A wrong clock",
    rules: ["P1", "P2", "P9"],
    about:
      "The clock of the Room's host jumps after ten minutes; 30 a minute may enter, 30 % gone, 5 % vanishing. Time that never goes back stands still instead.",
    checks,
    charts: [{ file: "clocks", title: "Entries while the host's clock is wrong", x: "minutes (real time)", y: "entries so far", series }],
  };
}

const BURST = 2;

/** Numbers at and past their widths: serials of 16 bits, ticks of 32 bits. */
/** @param waiting people who join and wait, in thousands */
export function limitsProof(waiting: number): Proof {
  return {
    title: "Numbers at their limits",
    rules: ["P5", "P6", "P12"],
    about: "A session renewed until its serials run out; a line of twelve years; hundreds of thousands of people waiting.",
    checks: [...serialChecks(), ...yearsChecks(), ...waitingChecks(waiting)],
    charts: [],
  };
}

function serialChecks(): Check[] {
  const world = new World({ newUsersPerMinute: 6_000, sessionDurationMs: MINUTE, sessionMaxMs: 7 * 24 * HOUR, passRefreshMs: 1_000 });
  world.tick(1_000);
  const visitor = world.visitor();
  world.join(visitor, true);
  let renewals = 0;
  let last = "renewed";
  for (; last === "renewed"; renewals++) {
    world.now += 1_000;
    last = world.renew(visitor)?.as ?? "none";
  }
  const stored = loadLine(world.store.read(), world.now);
  const kept = stored.table.peek(0).hi;
  return [
    atLeast("renewals of one session before its serials run out", renewals - 1, 65_534),
    noted("after that the visitor is told", last),
    { what: "serial kept by the stored row", measured: String(kept), limit: "= 65,535", holds: kept === 65_535 },
  ];
}

/** Twelve years into a generation: deadlines, the chain's tenths of a second, and what is stored, still hold. */
function yearsChecks(): Check[] {
  const world = new World({
    totalActiveUsers: 10,
    newUsersPerMinute: 60,
    sessionDurationMs: 600_000,
    passRefreshMs: 30_000,
    sessionMaxMs: HOUR,
  });
  world.now = START + 12 * 365.25 * 24 * HOUR;
  world.tick(2_000);
  const visitor = world.visitor();
  const entered = world.join(visitor, true)?.as ?? "none";
  const copy = world.copyOf(visitor, visitor.tag);
  const told: string[] = [];
  for (let round = 0; round < 4; round++) {
    world.tick(31_000);
    world.restart();
    told.push(world.renew(visitor)?.as ?? "none");
    world.tick(3_000);
    told.push(world.renew(copy)?.as ?? "none");
  }
  world.tick(13 * MINUTE);
  const state = world.line.table.stateOf(0);
  const asBefore = told.join(" ") === "renewed current renewed void renewed void renewed void";
  return [
    { what: "after twelve years: a visitor enters", measured: entered, limit: "entered", holds: entered === "entered" },
    { what: "… and a copy is refused as on the first day", measured: asBefore ? "yes" : told.join(" "), limit: "yes", holds: asBefore },
    {
      what: "… and the session lapses when idle",
      measured: state === State.LAPSED ? "yes" : String(state),
      limit: "yes",
      holds: state === State.LAPSED,
    },
  ];
}

function waitingChecks(thousands: number): Check[] {
  const world = new World({ totalActiveUsers: 10, newUsersPerMinute: 60 });
  world.tick(1_000);
  let joined = 0;
  const join = (count: number): void => {
    world.exchange({
      joins: Array.from({ length: count }, () => ({ key: String(joined++).padStart(16, "0"), network: 0, enter: false, tag: 1 })),
    });
  };
  for (let batch = 0; batch < thousands; batch++) {
    join(1_000);
    // A thousand a second; people who wait ask rarely, and none of them is near the front.
    world.now += 1_000;
  }
  const { line } = world;
  takeChanges(line);
  return [
    noted("people who wait", line.counters.tail - line.counters.epoch),
    atMost("… sightings kept in memory", line.sightings.bytes / 1_024, 64, "KB", 0),
    atMost("… blocks of people in or near", line.table.blockCount, 64),
    atMost("… recent joins remembered, of a thousand a second", line.recent.size, 130_000),
  ];
}

/** Where somebody left, one bit per slot is kept until the line has passed it. */
export function leaversProof(): Proof {
  const world = new World({
    totalActiveUsers: 1_000_000,
    newUsersPerMinute: 1_000_000,
    sessionDurationMs: 10_000,
    sessionMaxMs: 10_000,
    reentryWindowMs: 0,
    passRefreshMs: 3_000,
  });
  world.tick(1_000);
  let joined = 0;
  for (let page = 0; page < 20; page++) {
    world.settings = { ...world.settings, queueAll: true };
    const first = world.line.counters.tail;
    world.exchange({
      joins: Array.from({ length: 1_024 }, () => ({ key: String(joined++).padStart(16, "0"), network: 0, enter: false, tag: 1 })),
    });
    world.exchange({ leaves: [{ slot: first, serial: 0 }] });
    world.settings = { ...world.settings, queueAll: false };
    for (let i = 0; i < 400 && world.line.counters.epoch < world.line.counters.tail; i++) world.tick(1_000);
  }
  return {
    title: "People who leave while they wait",
    rules: ["P12"],
    about: "One in 1,024 people leaves before the turn comes, twenty times; then the line passes all of them.",
    checks: [atMost("pages of leavers still stored", world.store.gone.size, 1)],
    charts: [],
  };
}
