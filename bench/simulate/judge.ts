/** What a simulated scenario came to: its numbers, each promise held or not, and lines to draw. Pure. */

import { atLeast, atMost, type Chart, type Check, noted } from "../../test/support/proof";
import { worstExcess } from "../../test/support/rate-check";
import { CPU_MS } from "../lib/cost-model";
import { dollarsByItem } from "../lib/prices.mjs";
import { At, Kind, type People } from "./people";
import type { RoomOutcome } from "./run";
import type { Scenario } from "./scenarios";

/** P12: fewer than 300 in any second. */
const CALLS_MOST = 299;
/** A Durable Object counts as 128 MB for as long as it is awake. */
const ROOM_GB = 0.128;

export interface Judged {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Of the full size. */
  readonly scale: number;
  readonly isolates: number;
  readonly colos: number;
  readonly virtualS: number;
  readonly rooms: readonly JudgedRoom[];
}

export interface JudgedRoom {
  readonly room: string;
  readonly people: number;
  readonly checks: readonly Check[];
  readonly charts: readonly Chart[];
  readonly figures: Figures;
}

export interface Figures {
  readonly callsPerSecondMost: number;
  readonly callsPerSecondMean: number;
  readonly joinP50S: number;
  readonly joinP99S: number;
  readonly turnP50S: number;
  readonly turnP99S: number;
  readonly overshoot: number;
  readonly inversionsShare: number;
  readonly rateShare: number;
  /** Until the last one was in, and if nobody had lost any time, s; of a longer sale, what it comes to at the pace seen. */
  readonly drainS: number;
  readonly idealS: number;
  readonly isProjected: boolean;
  readonly requestsPerVisitor: number;
  readonly dollars: number;
}

export function judge(scenario: Scenario, outcomes: readonly RoomOutcome[]): Judged {
  const { name, title, about, scale, isolates, colos } = scenario;
  const virtualS = Math.round(Math.max(...outcomes.map(({ endedAtMs }) => endedAtMs)) / 1_000);
  return { name, title, about, scale, isolates, colos, virtualS, rooms: outcomes.map((outcome) => judgeRoom(scenario, outcome)) };
}

function judgeRoom(scenario: Scenario, outcome: RoomOutcome): JudgedRoom {
  const { room, books, people, host, endedAtMs } = outcome;
  const order = orderOf(people, host.line.counters.tail);
  const drain = drainOf(scenario, outcome);
  const calls = fullestSecond(books.callsAt);
  const seconds = endedAtMs / 1_000;
  const use = {
    requests: books.requests + Math.round((room.bots?.cookielessPerSecond ?? 0) * seconds),
    cpuMs:
      (books.requests - books.streams) * CPU_MS.question +
      books.streams * CPU_MS.stream +
      books.looks * CPU_MS.look +
      books.tells * CPU_MS.tell,
    roomCalls: books.callsAt.length,
    roomGbSeconds: seconds * ROOM_GB,
    rowsRead: books.callsAt.length * 2,
    rowsWritten: books.rowsWritten,
    // Kept for minutes: as if for an hour.
    storedBytes: books.storedBytes / (30 * 24),
  };
  const dollars = Object.values(dollarsByItem(use)).reduce((sum, each) => sum + each, 0);
  const lost = people.tally(Kind.HONEST, At.LOST);
  const placeless = people.tally(Kind.HONEST, At.NEW);
  const left = people.tally(Kind.HONEST, At.WAITING) + placeless;
  const figures: Figures = {
    callsPerSecondMost: calls,
    callsPerSecondMean: round(books.callsAt.length / seconds, 1),
    joinP50S: books.joinWaits.quantile(0.5) / 1_000,
    joinP99S: books.joinWaits.quantile(0.99) / 1_000,
    turnP50S: books.turnWaits.quantile(0.5) / 1_000,
    turnP99S: books.turnWaits.quantile(0.99) / 1_000,
    overshoot: books.overshoot,
    inversionsShare: round((100 * order.inversions) / Math.max(1, order.placed), 2),
    rateShare: round(drain.share, 1),
    drainS: round(drain.drainS, 1),
    idealS: round(drain.idealS, 1),
    isProjected: !scenario.drains,
    requestsPerVisitor: round(books.requests / room.people, 1),
    dollars: round(dollars, 2),
  };
  const isDrawn = room.drawAtMs !== undefined;
  const checks: Check[] = [
    atMost("P12: calls of the Room in the busiest second, wherever it begins", calls, CALLS_MOST),
    atMost("P1: places in use beyond total_active_users", books.overshoot, 0),
    atMost("P2: entries beyond rate · w + burst in the worst of all windows", worstExcess(books.entriesAt, ratesOf(outcome)), 1e-6, "", 2),
    atLeast("P3: entries from the second minute on, while people wait", drain.share, scenario.leastShare, "% of the rate"),
    ...(isDrawn ? [] : [atMost("P4: people behind somebody whose join began after theirs was answered", order.overtakenAfterAnswer, 0)]),
    atMost("P4: times the admitted epoch went back", books.epochBack, 0),
    atMost("P5: places given to two people", books.doublyGiven, 0),
    atMost("P6: steps after which the books did not add up", books.notConserved, 0),
    atMost("P7, P9: people who were there and lost their place", lost, 0),
    ...(scenario.drains
      ? [atMost("people who were there and are not in at the end", left, 0)]
      : [noted("people who wait at the end", left), noted("people who have no place yet at the end", placeless)]),
    ...(books.joinWaits.count > 0
      ? [noted("from the first request to a place: half, and all but one in a hundred", `${figures.joinP50S} s, ${figures.joinP99S} s`)]
      : []),
    ...(isDrawn
      ? [
          noted(
            "from the draw until the place is heard of: half, and all but one in a hundred",
            `${books.drawWaits.quantile(0.5) / 1_000} s, ${books.drawWaits.quantile(0.99) / 1_000} s`,
          ),
        ]
      : [noted("people behind somebody who came later, while both joins were on their way", figures.inversionsShare, "%", 2)]),
    noted(
      "from the call of a turn until inside, the page's 5 s of notice included: half, all but one in a hundred",
      `${figures.turnP50S} s, ${figures.turnP99S} s`,
    ),
    noted(
      scenario.drains ? "everybody in after; ideal" : "everybody in after, at the pace seen; ideal",
      `${figures.drainS} s, ${figures.idealS} s`,
    ),
    noted("people given a second place after the Room forgot their key; the first is nobody's", books.secondPlaces),
    noted("longest that a call waited at the Room", books.longestBacklogMs, "ms", 0),
    noted("largest batch", books.largestBatch),
    noted("calls that failed", books.failedCalls),
    noted("requests of a visitor", figures.requestsPerVisitor),
    noted(
      "memory of the Room for sightings and keys of joins",
      (books.roomMemory.sightingsBytes + books.roomMemory.keysBytes) / 1_048_576,
      "MB",
    ),
    ...(room.bots === undefined ? [] : [noted("bots that got a place", books.botsPlaced), noted("joins refused", books.refused)]),
    noted("list price, everything counted", dollars, "$", 2),
  ];
  return { room: room.room, people: room.people, checks, charts: chartsOf(scenario, outcome), figures };
}

function ratesOf({ room }: RoomOutcome): { at: number; perMinute: number }[] {
  const rates = [{ at: 0, perMinute: room.settings.newUsersPerMinute ?? 0 }];
  for (const { atMs, settings } of room.changes ?? [])
    if (settings.newUsersPerMinute !== undefined) rates.push({ at: atMs, perMinute: settings.newUsersPerMinute });
  return rates;
}

/** What the rate alone would have let in between two times, ms. */
function allowed(outcome: RoomOutcome, from: number, to: number): number {
  const rates = ratesOf(outcome);
  return rates.reduce((sum, { at, perMinute }, i) => {
    const until = Math.min(to, rates[i + 1]?.at ?? Number.POSITIVE_INFINITY);
    return sum + (Math.max(0, until - Math.max(from, at)) * perMinute) / MINUTE;
  }, 0);
}
const MINUTE = 60_000;

/** From the second minute after the doors until nine in ten of those who came in are in. */
function drainOf(scenario: Scenario, outcome: RoomOutcome): { share: number; drainS: number; idealS: number } {
  const { room, books, endedAtMs } = outcome;
  const doorsMs = room.drawAtMs === undefined ? room.arriveFromMs : room.drawAtMs + 13_000;
  const fromMs = doorsMs + MINUTE;
  const last = books.entriesAt[Math.floor(books.entriesAt.length * 0.9) - 1] ?? 0;
  const toMs = Math.floor((scenario.drains ? last : endedAtMs) / 1_000) * 1_000;
  const during = books.entriesAt.filter((at) => at >= fromMs && at < toMs).length;
  const share = (100 * during) / Math.max(1e-9, allowed(outcome, fromMs, toMs));
  if (scenario.drains) {
    const entered = books.entriesAt.length;
    let idealMs = doorsMs;
    for (; allowed(outcome, doorsMs, idealMs) < entered && idealMs < endedAtMs; idealMs += 100);
    return { share, drainS: (books.lastEntryAt - doorsMs) / 1_000, idealS: (idealMs - doorsMs) / 1_000 };
  }
  const coming = room.people * (1 - room.gone - room.vanishing - room.silent);
  const rate = room.settings.newUsersPerMinute ?? 1;
  return { share, drainS: (60 * coming) / (rate * Math.max(0.01, share / 100)), idealS: (60 * coming) / rate };
}

/** The most calls within a second, wherever it begins. */
function fullestSecond(times: readonly number[]): number {
  let most = 0;
  let from = 0;
  for (const [i, at] of times.entries()) {
    while ((times[from] as number) <= at - 1_000) from += 1;
    most = Math.max(most, i - from + 1);
  }
  return most;
}

/** P4 by slot: who is behind somebody that came later, and who although the other came after they had their place. */
function orderOf(people: People, tail: number): { placed: number; inversions: number; overtakenAfterAnswer: number } {
  const sums = { placed: 0, inversions: 0, overtakenAfterAnswer: 0 };
  const holder = (slot: number) => {
    const person = people.ownerOf(slot);
    return person >= 0 && people.slot[person] === slot ? people.partyOf(person) : -1;
  };
  let latest = Number.NEGATIVE_INFINITY;
  for (let slot = 0; slot < tail; slot++) {
    const party = holder(slot);
    if (party < 0) continue;
    const arrived = people.arrivedAt[party] as number;
    sums.placed += 1;
    if (arrived < latest) sums.inversions += 1;
    latest = Math.max(latest, arrived);
  }
  let earliestAnswer = Number.POSITIVE_INFINITY;
  for (let slot = tail - 1; slot >= 0; slot--) {
    const party = holder(slot);
    if (party < 0) continue;
    if ((people.arrivedAt[party] as number) > earliestAnswer) sums.overtakenAfterAnswer += 1;
    const answered = people.answeredAt[party] as number;
    if (!Number.isNaN(answered)) earliestAnswer = Math.min(earliestAnswer, answered);
  }
  return sums;
}

function chartsOf({ name, rooms }: Scenario, { room, books }: RoomOutcome): Chart[] {
  const file = rooms.length > 1 ? `${name}-${room.room}` : name;
  const title = rooms.length > 1 ? ` (${room.room})` : "";
  const points = (values: readonly number[]) => thinned(values).map(([at, value]): [number, number] => [at, value]);
  const ends = books.callsBySecond.length;
  const rates = ratesOf({ room } as RoomOutcome).flatMap(({ at, perMinute }, i, all): [number, number][] => [
    [at / 1_000, perMinute / 60],
    [(all[i + 1]?.at ?? ends * 1_000) / 1_000, perMinute / 60],
  ]);
  return [
    {
      file: `${file}-calls`,
      title: `Calls of the Room${title}`,
      x: "seconds",
      y: "calls per second",
      series: [
        {
          name: "300 a second",
          points: [
            [0, 300],
            [ends, 300],
          ],
          dashed: true,
        },
        { name: "calls", points: points(books.callsBySecond) },
      ],
    },
    {
      file: `${file}-entries`,
      title: `Entries${title}`,
      x: "seconds",
      y: "entries per second",
      series: [
        { name: "the rate", points: rates, dashed: true },
        { name: "entries, mean of ten seconds", points: points(meanOf(books.entriesBySecond, 10)) },
      ],
    },
  ];
}

/** Of the seconds before each. */
function meanOf(values: readonly number[], seconds: number): number[] {
  return values.map((_, i) => {
    const part = values.slice(Math.max(0, i - seconds + 1), i + 1);
    return part.reduce((sum, each) => sum + each, 0) / part.length;
  });
}

/** At most some hundreds of points, the largest value of each stretch. */
function thinned(values: readonly number[]): [number, number][] {
  const step = Math.ceil(values.length / 400);
  const points: [number, number][] = [];
  for (let i = 0; i < values.length; i += step) points.push([i, round(Math.max(...values.slice(i, i + step)), 1)]);
  return points;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
