/** P5 as proofs: copies of a pass or a ticket are refused in time, honest browsers never are, take-overs are bounded. */
import type { RoomSettings } from "../../src/core/settings-types";
import { type BrowserOutcome, CALM, runBrowsers, type Weather } from "./browser-sim";
import { type CopyCase, copiesProblem, type HolderOutcome, runCopies } from "./copies-sim";
import { seeded, World } from "./line-world";
import { atMost, type Check, noted, type Proof } from "./proof";

const S = 1_000;

/** Settings by what an operator might choose: how old a pass may get, and how long someone may be idle, s. */
function visits(refreshS: number, idleS: number): Partial<RoomSettings> {
  return { passRefreshMs: refreshS * S, sessionDurationMs: idleS * S, sessionMaxMs: 7_200 * S, reentryWindowMs: 600 * S };
}

export const USUAL = visits(30, 600);
export const ROOMS: Readonly<Record<string, Partial<RoomSettings>>> = {
  "renewed after 30 s, idle for 10 minutes": USUAL,
  "renewed after 20 s, idle for 1 minute": visits(20, 60),
  "renewed after 5 s, idle for 15 s": visits(5, 15),
};

/** Settings shorter than the default, with a site that answers within half of the renewal interval. */
const SHORT = {
  "renewed after 20 s, idle for 1 minute": { settings: visits(20, 60), siteS: 9 },
  "renewed after 5 s, idle for 15 s": { settings: visits(5, 15), siteS: 2 },
};

const LAGS_S = [1, 2, 5, 14, 19, 29, 31, 59, 61, 119, 300, 600];
const CADENCES_S = [1, 2, 5, 10, 19, 21, 22, 25, 30, 31, 45, 60, 90, 120, 300, 600];

export interface Grid {
  readonly rooms: Readonly<Record<string, Partial<RoomSettings>>>;
  readonly of: readonly ("pass" | "ticket")[];
  readonly holders: readonly number[];
  readonly sameNetwork: readonly boolean[];
  readonly lagsS: readonly number[];
  readonly cadencesS: readonly number[];
}

export const WHOLE_GRID: Grid = {
  rooms: ROOMS,
  of: ["pass", "ticket"],
  holders: [2, 3, 10],
  sameNetwork: [true, false],
  lagsS: LAGS_S,
  cadencesS: CADENCES_S,
};

function tagOf(sameNetwork: boolean, who: number): number {
  return sameNetwork ? 7 : 7 + who;
}

/** Every combination of the grid: each holder comes `lag` after the one before, and asks at the same cadence. */
export function* casesOf(grid: Grid): Generator<{ readonly name: string; readonly room: string; readonly one: CopyCase }> {
  for (const [room, settings] of Object.entries(grid.rooms)) {
    for (const of of grid.of) {
      for (const count of grid.holders) {
        for (const same of grid.sameNetwork) {
          for (const lag of grid.lagsS) {
            for (const cadence of grid.cadencesS) {
              const holders = Array.from({ length: count }, (_, i) => ({ lagMs: i * lag * S, everyMs: cadence * S, tag: tagOf(same, i) }));
              const forMs = Math.max(600, 8 * cadence, (count + 2) * lag) * S;
              const name = `${room}: ${count} holders of one ${of}, ${same ? "one network" : "other networks"}, ${lag} s apart, every ${cadence} s`;
              yield { name, room, one: { settings, of, holders, forMs } };
            }
          }
        }
      }
    }
  }
}

/** `count` cases with holders that each have a lag, a cadence and perhaps a network of their own. */
export function* randomCases(
  grid: Grid,
  count: number,
  seed: number,
): Generator<{ readonly name: string; readonly room: string; readonly one: CopyCase }> {
  const random = seeded(seed);
  const among = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  // Evenly on a logarithmic scale: as many between 1 and 10 s as between 1 and 10 minutes.
  const upToTenMinutes = (): number => Math.round(S * 600 ** random());
  for (let i = 0; i < count; i++) {
    const [room, settings] = among(Object.entries(grid.rooms));
    const of = among(grid.of);
    const same = among(grid.sameNetwork);
    const longest = Math.max(...grid.cadencesS) * S;
    const holders = Array.from({ length: among(grid.holders) }, (_, who) => {
      return { lagMs: who === 0 ? 0 : upToTenMinutes(), everyMs: Math.min(longest, upToTenMinutes()), tag: tagOf(same, who) };
    });
    yield { name: `${room}: ${of}, ${JSON.stringify(holders)}`, room, one: { settings, of, holders, forMs: 5_000 * S } };
  }
}

export interface Judged {
  readonly cases: number;
  readonly problems: readonly string[];
  /** Most renewals that any holder but one got through. */
  readonly most: number;
}

export function judge(cases: Iterable<{ readonly name: string; readonly one: CopyCase }>): Judged {
  let count = 0;
  let most = 0;
  const problems: string[] = [];
  for (const { name, one } of cases) {
    count += 1;
    const outcomes = runCopies(one);
    const problem = copiesProblem(outcomes, one.of === "ticket");
    if (problem !== null) problems.push(`${name}: ${problem}`);
    most = Math.max(most, secondMost(outcomes, one.of === "ticket"));
  }
  return { cases: count, problems, most };
}

function secondMost(outcomes: readonly HolderOutcome[], firstPassIsShared: boolean): number {
  const renewals = outcomes.map(({ given }) => given - (firstPassIsShared ? 1 : 0)).sort((a, b) => b - a);
  return Math.max(0, renewals[1] ?? 0);
}

export function copiesProof(randomCount: number): Proof {
  const checks: Check[] = [];
  for (const [room, settings] of Object.entries(ROOMS)) {
    for (const same of [true, false]) {
      const grid: Grid = { ...WHOLE_GRID, rooms: { [room]: settings }, sameNetwork: [same] };
      const where = same ? "same network and browser" : "different networks";
      const whole = judge(casesOf(grid));
      checks.push(atMost(`${room}, ${where}: cases of ${whole.cases} in which two holders both renewed twice`, whole.problems.length, 0));
      const mixed = judge(randomCases(grid, randomCount, 11));
      checks.push(atMost(`${room}, ${where}: the same of ${mixed.cases} with cadences of their own`, mixed.problems.length, 0));
    }
  }
  const series = [1, 5, 30, 60, 120, 300].map((cadence) => ({
    name: `every ${cadence} s`,
    points: LAGS_S.map((lag): [number, number] => {
      const holders = [0, 1].map((who) => ({ lagMs: who * lag * S, everyMs: cadence * S, tag: 7 }));
      const refused = runCopies({ settings: USUAL, of: "pass", holders, forMs: 4_000 * S }).map(
        ({ voidAt }) => voidAt ?? Number.POSITIVE_INFINITY,
      );
      return [lag, Math.min(4_000 * S, ...refused) / S];
    }),
  }));
  return {
    title: "Copies of a pass or a ticket",
    rules: ["P5"],
    about:
      "Two, three and ten holders, 1 s to 10 minutes apart, who ask every 1 s to 10 minutes, each as a browser that keeps its newest cookie. " +
      "A renewal is counted when it brings a new pass. All holders but one must be refused no later than with their second renewal.",
    checks,
    charts: [
      {
        file: "copies",
        title: "When one of two holders of a pass is refused (same network; renewed after 30 s)",
        x: "seconds between the two",
        y: "seconds after the copy",
        series,
        logX: true,
      },
    ],
  };
}

/** Two holders who take the visit over from each other whenever they can. */
export function takeOverProof(): Proof {
  const world = new World({ totalActiveUsers: 100, newUsersPerMinute: 6_000, ...USUAL });
  world.tick(1_000);
  const one = world.visitor();
  world.join(one, true);
  const other = world.copyOf(one, one.tag ^ 1);
  const holders = [one, other];
  let taken = 0;
  let inside = 0;
  for (let round = 0; round < 100; round++) {
    world.tick(31 * S);
    for (const holder of holders) {
      if (world.renew(holder)?.as === "void" && world.claim(holder, "continue")?.as === "entered") taken += 1;
    }
    inside = holders.filter((holder) => world.renew(holder)?.as !== "void").length;
  }
  const { takeovers } = world.line.counters.totals;
  return {
    title: "Take-overs",
    rules: ["P5"],
    about: "Two holders of one visit press “Continue here” as often as they are refused, for 50 minutes.",
    checks: [
      atMost("take-overs that succeeded", taken, 3),
      { what: "of these counted for the operator", measured: String(takeovers), limit: `= ${taken}`, holds: takeovers === taken },
      { what: "holders who can go on afterwards", measured: String(inside), limit: "= 1", holds: inside === 1 },
    ],
    charts: [],
  };
}

const BURSTS = "bursts, a site that takes up to 20 s";
const TWO = "lost replies, two networks in turn, a site that takes up to 20 s";

/** What must never look like a copy. */
export const WEATHERS: Readonly<Record<string, Weather>> = {
  [BURSTS]: CALM,
  "a tenth of the replies lost": { ...CALM, lostReplies: 0.1 },
  "lost replies, restarts of the Room": { ...CALM, lostReplies: 0.1, restarts: 0.02 },
  "lost replies, two networks in turn, a site that takes up to 10 s": { ...CALM, lostReplies: 0.1, networks: 2, slowSiteMs: 10_000 },
  "requests up to 8 s late, out of order": { ...CALM, slowRequests: 0.05, slowRequestMs: 8_000 },
  "replies up to 20 s late beside the site's 20 s, out of order": { ...CALM, lostReplies: 0.1, slowReplies: 0.05, slowReplyMs: 20_000 },
  "standstills of up to 25 s": { ...CALM, standstillMs: 25_000, standstillEveryMs: 60_000 },
  "idle for longer than a pass lives": { ...CALM, lostReplies: 0.05, naps: 0.02 },
};

/** The whole network of the browser stands still for minutes, and then everything arrives at once. */
export const STANDSTILLS: Readonly<Record<string, Weather>> = {
  "standstills of up to a minute": { ...CALM, standstillMs: 60_000, standstillEveryMs: 120_000 },
  "standstills of up to five minutes": { ...CALM, standstillMs: 300_000, standstillEveryMs: 180_000 },
};

/** Two networks in turn, and twice in a row a reply that the site held back for as long as a cookie may still ride on it. */
const SLOW_AND_TWO: Weather = { ...CALM, lostReplies: 0.1, networks: 2 };

const BROWSERS = 50;

export function honest(weather: Weather, halfHours: number, settings: Partial<RoomSettings> = USUAL, seed = 1): BrowserOutcome {
  const runs = Array.from({ length: Math.ceil(halfHours / BROWSERS) }, (_, i) =>
    runBrowsers({ browsers: BROWSERS, minutes: 30, settings, weather, seed: seed * 10_000 + i }),
  );
  return {
    halfHours: runs.reduce((sum, run) => sum + run.halfHours, 0),
    presented: runs.reduce((sum, run) => sum + run.presented, 0),
    alarms: runs.flatMap(({ alarms }) => alarms),
    passing: runs.flatMap(({ passing }) => passing),
  };
}

/** @param halfHours of each kind of weather */
export function browsersProof(halfHours: number): Proof {
  const checks: Check[] = [];
  let total = 0;
  for (const [name, weather] of Object.entries({ ...WEATHERS, ...STANDSTILLS, [TWO]: SLOW_AND_TWO })) {
    const outcome = honest(weather, halfHours);
    total += outcome.halfHours;
    checks.push(atMost(`${name}: false alarms in ${outcome.halfHours.toLocaleString("en-US")} half-hours`, outcome.alarms.length, 0));
    if (outcome.passing.length > 0) checks.push(noted(`${name}: single requests refused`, outcome.passing.length));
  }
  for (const [room, { settings, siteS }] of Object.entries(SHORT)) {
    for (const slowSiteMs of [siteS * S, CALM.slowSiteMs]) {
      for (const [name, weather] of [
        ["bursts", CALM],
        ["lost replies, two networks in turn", SLOW_AND_TWO],
      ] as const) {
        const outcome = honest({ ...weather, slowSiteMs }, halfHours / 2, settings);
        total += outcome.halfHours;
        const what = `${room}, ${name}, a site that takes up to ${slowSiteMs / S} s: false alarms in ${outcome.halfHours} half-hours`;
        const isTooSlow = slowSiteMs > siteS * S;
        checks.push(
          isTooSlow ? noted(`${what} (too slow for these settings)`, outcome.alarms.length) : atMost(what, outcome.alarms.length, 0),
        );
      }
    }
  }
  checks.push(noted("half-hours of one honest browser in all", total));
  return {
    title: "One honest browser",
    rules: ["P5", "P7"],
    about:
      "Bursts of up to eight parallel requests, each with the cookie that the jar held when it was sent. A false alarm is a browser that is told " +
      "it went in from another window and cannot go on without a click. Where a reply is so late that the same browser has gone on with a later " +
      "one for a whole renewal interval, no server can tell it from a copy: what it sees is the same. The chart shows where that begins. " +
      "So it is with a site that takes longer than half of the renewal interval, where passes are very short: copies are refused all the same, " +
      "and the honest browser needs a click (docs/decisions/0004).",
    checks,
    charts: [lateRepliesChart(Math.max(100, halfHours / 5))],
  };
}

/** One reply in twenty is up to so late, by itself. */
function lateRepliesChart(halfHours: number) {
  const delays = [10, 20, 30, 40, 50, 60, 80, 100, 120, 150, 180];
  const series = [30, 20, 10].map((refresh) => ({
    name: `renewed after ${refresh} s`,
    points: delays.map((delay): [number, number] => {
      const weather: Weather = { ...CALM, slowSite: 0, slowReplies: 0.05, slowReplyMs: delay * S };
      const { alarms, halfHours: hours } = honest(weather, halfHours, visits(refresh, 600));
      return [delay, (100 * alarms.length) / hours];
    }),
  }));
  return {
    file: "late-replies",
    title: "False alarms where one reply in twenty is late while others overtake it",
    x: "up to so many seconds late",
    y: "% of half-hours",
    series,
  };
}
