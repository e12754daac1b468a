/** P2 and P3 by the crowd simulator, as proofs: rates, full rooms, silent holders, changes by the operator. */
import { entriesBetween, type Outcome, runCrowd, type Scenario, type Shares } from "./crowd-sim";
import { atLeast, atMost, type Chart, type Check, noted, type Proof, type Series } from "./proof";
import { burstAt, fullestWindow, type RateChange, WINDOWS_MS, worstExcess } from "./rate-check";

export const SEED = Number(process.env["SIM_SEED"] ?? 7);

export const CROWDS: Readonly<Record<string, Shares>> = {
  "everybody honest": {},
  "30 % gone, 5 % vanishing": { gone: 0.3, vanishing: 0.05 },
  "half of the tabs hidden": { hidden: 0.5 },
  "30 % gone, 5 % vanishing, half hidden": { gone: 0.3, vanishing: 0.05, hidden: 0.5 },
};

/** Crowds beyond the promise's own. */
export const MORE_CROWDS: Readonly<Record<string, Shares>> = {
  "40 % phones asleep for minutes, 10 % gone": { asleep: 0.4, gone: 0.1 },
  "30 % greedy (ask ten times as often), 30 % gone, 5 % vanishing": { greedy: 0.3, gone: 0.3, vanishing: 0.05 },
};

/** Crowds for a full room with the page's own behaviour: hidden tabs are people who see their turn late, not ghosts. */
export const PAGE_CROWDS: Readonly<Record<string, Shares>> = { "30 % gone, 5 % vanishing": { gone: 0.3, vanishing: 0.05 } };

const ROOMY = { totalActiveUsers: 1_000_000, sessionDurationMs: 600_000, passRefreshMs: 30_000, sessionMaxMs: 3_600_000 };
/** The reply that carries an entry reaches edge and site within this long, s; a lost one is asked for again a poll later. */
const REPLY_S = 2;

function minutesFor(rate: number): number {
  if (rate <= 30) return 40;
  if (rate <= 120) return 20;
  return rate <= 1_200 ? 6 : 4;
}

export interface RateOptions {
  readonly page?: boolean;
  readonly minutes?: number;
  readonly lostReplies?: number;
}

/** A room with places enough at one rate, with each of the crowds. */
export function rateProof(rate: number, crowds: Readonly<Record<string, Shares>>, options: RateOptions = {}): Proof {
  const minutes = options.minutes ?? minutesFor(rate);
  const rates = [{ at: 0, perMinute: rate }];
  const checks: Check[] = [];
  const perMinute: Series[] = [{ name: "the rate", points: flat(rate, 0, minutes), dashed: true }];
  const windows: Series[] = [
    { name: "allowed: rate · w + burst", points: WINDOWS_MS.map((w) => [w / 1_000, allowed(rate, w)]), dashed: true },
  ];
  for (const [name, shares] of Object.entries(crowds)) {
    const outcome = runCrowd({
      settings: { ...ROOMY, newUsersPerMinute: rate },
      minutes,
      seed: SEED,
      crowd: Math.ceil(rate * minutes * 1.75) + 20,
      visitS: 1e6,
      page: options.page ?? false,
      lostReplies: options.lostReplies ?? 0,
      ...shares,
    });
    const entered = entriesBetween(outcome, 60, minutes * 60);
    checks.push(atLeast(`${name}: entries from the second minute on`, (100 * entered) / (rate * (minutes - 1)), 95, "% of the rate"));
    checks.push(...rateChecks(name, outcome, rates, options.lostReplies === undefined ? REPLY_S : 4 * REPLY_S));
    if (shares.greedy !== undefined) checks.push(...greedyChecks(outcome));
    if (shares.asleep !== undefined) checks.push(...asleepChecks(outcome));
    perMinute.push({ name, points: perMinuteOf(outcome, minutes) });
    windows.push({ name, points: WINDOWS_MS.map((w) => [w / 1_000, fullestWindow(outcome.entries, w)]) });
  }
  const how = options.page === true ? "as the waiting page's script does, five seconds after it has told them" : "with the question itself";
  const suffix = crowds === MORE_CROWDS ? ", asleep and greedy" : options.page === true ? ", by the waiting page" : "";
  const file = `rate-${rate}${options.page === true ? "-page" : ""}${crowds === MORE_CROWDS ? "-more" : ""}`;
  return {
    title: `${rate.toLocaleString("en-US")} a minute${suffix}`,
    rules: ["P2", "P3"],
    about: `Places for all, ${minutes} minutes of virtual time; visitors go in ${how}.`,
    checks,
    charts: [
      {
        file,
        title: `Entries at ${rate.toLocaleString("en-US")} a minute${suffix}`,
        x: "minutes",
        y: "entries per minute",
        series: perMinute,
      },
      {
        file: `${file}-windows`,
        title: `The fullest window of each length, at ${rate.toLocaleString("en-US")} a minute${suffix}`,
        x: "length of the window, s",
        y: "entries in it",
        series: windows,
        logX: true,
      },
    ],
  };
}

/** P2 for the entries, and for what the site receives: the first request of each pass, later than the entry by the reply's way. */
function rateChecks(name: string, outcome: Outcome, rates: readonly RateChange[], replyS: number): Check[] {
  const rate = Math.max(...rates.map(({ perMinute }) => perMinute));
  const late = Math.max(0, (worstExcess(outcome.received, rates) * 60) / rate);
  return [
    atMost(`${name}: entries beyond rate · w + burst in the worst of all windows`, worstExcess(outcome.entries, rates), EXACT, "", 2),
    atMost(`${name}: what the site receives, beyond the same, as seconds of the rate`, late, replyS, "s", 2),
  ];
}

/** Room for rounding in sums of some thousand terms. */
const EXACT = 1e-6;

/** Asking more often gains no more than what lies between two questions. */
function greedyChecks({ entered }: Outcome): Check[] {
  const bySlot = [...entered].sort((a, b) => a.slot - b.slot);
  const gains = bySlot.flatMap(({ kind, at }, i) => {
    const [before, after] = [bySlot[i - 1], bySlot[i + 1]];
    if (kind !== "greedy" || before?.kind !== "honest" || after?.kind !== "honest") return [];
    return [((before.at + after.at) / 2 - at) / 1_000];
  });
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / Math.max(1, gains.length);
  return [atMost("how much sooner the greedy enter than their honest neighbours in line, on average", mean, POLL_S, "s", 2)];
}

/** A page near the front asks every three seconds. */
const POLL_S = 3;

/** Nobody who slept through a turn has lost the place for good while the return time lasts (ten minutes at least; sleeps are shorter). */
function asleepChecks({ kinds }: Outcome): Check[] {
  return [atMost("phones that were told that their turn is over", kinds.asleep.ended, 0, "phones")];
}

const MINUTES = 20;

export interface FullRoom {
  readonly places: number;
  readonly visitS: number;
  readonly page?: boolean;
}

function runFull({ places, visitS, page = false }: FullRoom, rest: Partial<Scenario> = {}): Outcome {
  const settings = { ...ROOMY, totalActiveUsers: places, newUsersPerMinute: 6_000 };
  // Never short of people: everybody who could have entered, twice.
  const crowd = Math.ceil((2 * places * MINUTES * 60) / visitS) + 2 * places + (rest.silentFirst ?? 0);
  return runCrowd({ settings, minutes: MINUTES, seed: SEED, crowd, visitS, leaves: true, page, ...rest });
}

/** A room where the places run short: ghosts and silent holders against the same room without them. */
export function fullRoomProof(
  room: FullRoom,
  crowds: Readonly<Record<string, Shares>> = CROWDS,
  silent: readonly number[] = [1, 2, 6],
): Proof {
  const { places, visitS } = room;
  const calm = runFull(room);
  const checks: Check[] = [noted("everybody honest: entries a minute", entriesBetween(calm, 60, MINUTES * 60) / (MINUTES - 1))];
  const entries: Series[] = [{ name: "everybody honest", points: perMinuteOf(calm, MINUTES) }];
  const inUse: Series[] = [{ name: "total_active_users", points: flat(places, 0, MINUTES), dashed: true }];
  const share = (outcome: Outcome, from: number, to: number): number =>
    (100 * entriesBetween(outcome, from, to)) / Math.max(1, entriesBetween(calm, from, to));
  for (const [name, shares] of Object.entries(crowds).filter(([, each]) => Object.keys(each).length > 0)) {
    const outcome = runFull(room, shares);
    checks.push(atLeast(`${name}: entries`, share(outcome, 60, MINUTES * 60), 95, "% of the calm room's"));
    checks.push(atMost(`${name}: places in use at most`, outcome.peakInUse, places));
    entries.push({ name, points: perMinuteOf(outcome, MINUTES) });
    inUse.push({ name, points: inUseOf(outcome) });
  }
  for (const times of silent) {
    const name = `${times} × ${places} silent holders in front`;
    const outcome = runFull(room, { silentFirst: places * times });
    checks.push(atLeast(`${name}: entries of the others, first ten minutes`, share(outcome, 0, 600), 90, "% of the calm room's"));
    checks.push(atLeast(`${name}: later`, share(outcome, 600, MINUTES * 60), 97, "% of the calm room's"));
    checks.push(atMost(`${name}: places in use at most`, outcome.peakInUse, places));
    entries.push({ name, points: perMinuteOf(outcome, MINUTES) });
    inUse.push({ name, points: inUseOf(outcome) });
  }
  const file = `full-${places}${room.page === true ? "-page" : ""}`;
  const title = `${places} places, visits of ${visitS} s`;
  return {
    title: `${title}${room.page === true ? ", by the waiting page" : ""}`,
    rules: ["P1", "P3"],
    about: `The places run short: ${MINUTES} minutes, each run against the same room with honest visitors only.`,
    checks,
    charts: [
      { file, title: `Entries: ${title}`, x: "minutes", y: "entries per minute", series: entries },
      { file: `${file}-places`, title: `Places in use: ${title}`, x: "minutes", y: "places in use", series: inUse },
    ],
  };
}

const CROWD = CROWDS["30 % gone, 5 % vanishing"] ?? {};

/** The rate is doubled, then quartered while people wait. */
export function rateChangedProof(): Proof {
  const rates = [
    { at: 0, perMinute: 120 },
    { at: 10 * 60_000, perMinute: 240 },
    { at: 20 * 60_000, perMinute: 60 },
  ];
  const changes = rates.slice(1).map(({ at, perMinute }) => ({ minute: at / 60_000, settings: { newUsersPerMinute: perMinute } }));
  const outcome = runCrowd({
    settings: { ...ROOMY, newUsersPerMinute: 120 },
    minutes: 30,
    seed: SEED,
    crowd: 8_000,
    visitS: 1e6,
    changes,
    ...CROWD,
  });
  const checks = rates.map(({ at, perMinute }, i) => {
    const from = at / 1_000 + 60;
    const to = (rates[i + 1]?.at ?? 30 * 60_000) / 1_000;
    const share = (100 * entriesBetween(outcome, from, to)) / ((perMinute * (to - from)) / 60);
    return atLeast(`${perMinute} a minute, from its second minute on`, share, 95, "% of the rate");
  });
  checks.push(...rateChecks("all the time", outcome, rates, REPLY_S * 4));
  return {
    title: "The rate changed while people wait",
    rules: ["P2", "P3"],
    about: "120 a minute, then 240, then 60; 30 % gone, 5 % vanishing.",
    checks,
    charts: [chartOf("rate-changed", "Entries: 120, 240, 60 a minute", outcome, 30, rates)],
  };
}

/** Pause for ten minutes and go on. */
export function pausedProof(): Proof {
  const rates = [{ at: 0, perMinute: 120 }];
  const outcome = runCrowd({
    settings: { ...ROOMY, newUsersPerMinute: 120 },
    minutes: 30,
    seed: SEED,
    crowd: 7_000,
    visitS: 1e6,
    changes: [
      { minute: 10, settings: { queueAll: true } },
      { minute: 20, settings: { queueAll: false } },
    ],
    ...CROWD,
  });
  const share = (from: number, to: number): number => (100 * entriesBetween(outcome, from, to)) / (2 * (to - from));
  return {
    title: "Paused and resumed",
    rules: ["P2", "P3", "P8"],
    about: "120 a minute, paused from the 10th to the 20th minute; 30 % gone, 5 % vanishing.",
    checks: [
      atLeast("before, from the second minute on", share(60, 600), 95, "% of the rate"),
      atMost("entries during the pause", entriesBetween(outcome, 601, 1_200), 0),
      atLeast("after, from the second minute on", share(1_260, 1_800), 95, "% of the rate"),
      ...rateChecks("all the time", outcome, rates, REPLY_S * 4),
    ],
    charts: [chartOf("paused", "Entries: paused from 10 to 20 minutes", outcome, 30, rates)],
  };
}

/** The places halved while all are taken: nobody enters until fewer are inside, then as a room of that size. */
export function capacityHalvedProof(): Proof {
  const room = { places: 200, visitS: 120 };
  const outcome = runFull(room, { changes: [{ minute: 10, settings: { totalActiveUsers: 100 } }], ...CROWD });
  const small = runFull({ places: 100, visitS: 120 });
  const below = outcome.inUseBySecond.findIndex((inUse, second) => second > 600 && inUse <= 100);
  const share = (100 * entriesBetween(outcome, below + 60, 1_200)) / entriesBetween(small, below + 60, 1_200);
  return {
    title: "Capacity halved while the room is full",
    rules: ["P1", "P3"],
    about: "200 places, visits of two minutes, 100 places from the 10th minute on; 30 % gone, 5 % vanishing.",
    checks: [
      atMost("places in use before", Math.max(...outcome.inUseBySecond.slice(0, 600)), 200),
      atMost("entries from then until fewer than 100 are inside", entriesBetween(outcome, 601, below), 0),
      noted("that took", below - 600, "s"),
      atMost("places in use after that", Math.max(...outcome.inUseBySecond.slice(below)), 100),
      atLeast("entries after that, from the second minute on", share, 95, "% of an honest room of 100"),
    ],
    charts: [
      {
        file: "capacity-halved",
        title: "Places in use: 200, then 100",
        x: "minutes",
        y: "places in use",
        series: [
          { name: "total_active_users", points: [...flat(200, 0, 10), ...flat(100, 10, 20)], dashed: true },
          { name: "in use", points: inUseOf(outcome) },
        ],
      },
    ],
  };
}

function chartOf(file: string, title: string, outcome: Outcome, minutes: number, rates: readonly RateChange[]): Chart {
  const rate = rates.flatMap(({ at, perMinute }, i) => flat(perMinute, at / 60_000, (rates[i + 1]?.at ?? minutes * 60_000) / 60_000));
  return {
    file,
    title,
    x: "minutes",
    y: "entries per minute",
    series: [
      { name: "the rate", points: rate, dashed: true },
      { name: "entries", points: perMinuteOf(outcome, minutes) },
    ],
  };
}

function allowed(rate: number, windowMs: number): number {
  return Math.floor((rate * windowMs) / 60_000 + burstAt(rate) + EXACT);
}

function flat(y: number, from: number, to: number): [number, number][] {
  return [
    [from, y],
    [to, y],
  ];
}

/** Entries in each minute, drawn at its end. */
function perMinuteOf(outcome: Outcome, minutes: number): [number, number][] {
  return Array.from({ length: minutes }, (_, i) => [i + 1, entriesBetween(outcome, i * 60, (i + 1) * 60)]);
}

/** Most places in use in each ten seconds. */
function inUseOf({ inUseBySecond }: Outcome): [number, number][] {
  return Array.from({ length: Math.floor((inUseBySecond.length - 1) / 10) }, (_, i) => [
    (i + 1) / 6,
    Math.max(...inUseBySecond.slice(i * 10 + 1, i * 10 + 11)),
  ]);
}
