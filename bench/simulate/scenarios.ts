/** The scenarios of `npm run simulate`. `scale` makes crowds, rates and isolates smaller together: for a quick look, not for figures. */
import type { RoomEvent, RoomSettings } from "../../src/core/settings-types";
import { START } from "../../test/support/line-world";
import type { Plan, RoomPlan } from "./plan";

const SEED = 20_261_130;
const MINUTE_MS = 60_000;
const DOORS_MS = 1_000;
const LOBBY_MS = 2.5 * MINUTE_MS;

/** Everything that goes a little wrong on every day. */
const EVERY_DAY = { crashesPerMinute: 0.002, lost: 0.001, moves: 0.01, clocksOff: 0.1, clockOffMs: 2_000 };

type PlanName = "doors" | "lottery" | "no-shows" | "botnet" | "restart" | "partition" | "halved" | "two-rooms" | "unbatched";

export interface Scenario extends Plan {
  readonly name: PlanName;
  /** Of the full size. */
  readonly scale: number;
  /** Everybody is expected to be in at the end; else so many minutes of a longer sale are looked at. */
  readonly drains: boolean;
  /** P3: so much of the rate at least, from the second minute on, %. */
  readonly leastShare: number;
}

/** A minute at the site, and more places than the rate fills: what limits is the rate. */
function room(people: number, ratePerMinute: number, more: Partial<RoomPlan> & { settings?: Partial<RoomSettings> } = {}): RoomPlan {
  const { settings, ...rest } = more;
  return {
    room: "shop",
    people,
    partySize: 20,
    settings: {
      totalActiveUsers: 4 * ratePerMinute,
      newUsersPerMinute: ratePerMinute,
      sessionDurationMs: 5 * MINUTE_MS,
      passRefreshMs: 30_000,
      ...settings,
    },
    arriveFromMs: DOORS_MS,
    arriveOverMs: 200,
    gone: 0,
    vanishing: 0,
    silent: 0,
    visitS: 45,
    ...rest,
  };
}

const shown = (count: number) => count.toLocaleString("en-US");

export function scenarios(scale = 1, seed = SEED): Scenario[] {
  const some = (count: number, least = 1) => Math.max(least, Math.round(count * scale));
  const party = (size: number) => Math.max(1, Math.min(size, Math.round(size * scale * 10)));
  const edges = (isolates: number, colos: number) => ({ isolates: some(isolates, 16), colos: some(colos, 4) });
  const usual = { scale, ...EVERY_DAY, ...edges(200, 40), seed, drains: true, leastShare: 95 };
  const rate = some(6_000, 600);
  const crowd = some(24_000, 600);
  const small = { partySize: party(20) };
  const lobby: RoomEvent = {
    name: "sale",
    prequeueStartMs: START,
    startMs: START + LOBBY_MS,
    endMs: START + 24 * 60 * MINUTE_MS,
    shuffle: true,
    keepSessions: false,
    cancelled: null,
    utcOffsetMinutes: 60,
    overrides: {},
  };
  return [
    {
      ...usual,
      ...edges(5_000, 300),
      name: "doors",
      title: `${shown(some(10_000_000, 600))} at the doors`,
      about: "Everybody asks for a place within 200 ms, at isolates that know nothing of the room yet. The first four minutes.",
      // A party travels as a whole: one of 200 would leave no room for a claim beside it.
      rooms: [room(some(10_000_000, 600), some(60_000, 600), { partySize: party(180) })],
      seconds: 240,
      drains: false,
    },
    {
      ...usual,
      ...edges(1_000, 200),
      name: "lottery",
      title: `A lottery of ${shown(some(5_000_000, 600))}`,
      about:
        "Everybody enters a lobby within two minutes; its doors open half a minute later, the public random number comes after 13 s more. A fifth close the tab. The first minutes after that.",
      rooms: [
        room(some(5_000_000, 600), some(60_000, 600), {
          partySize: party(50),
          gone: 0.2,
          arriveOverMs: 2 * MINUTE_MS,
          drawAtMs: LOBBY_MS,
          settings: { beacon: "drand", closedOutsideEvents: true, events: [lobby] },
        }),
      ],
      seconds: 330,
      drains: false,
    },
    {
      ...usual,
      name: "no-shows",
      title: "Three in ten do not come",
      about: "Three in ten close the tab once they have a place, one in twenty falls silent when called.",
      rooms: [room(crowd, rate, { ...small, gone: 0.3, vanishing: 0.05 })],
      seconds: 900,
    },
    {
      ...usual,
      name: "botnet",
      title: "A botnet",
      about:
        "As many bots as people, from 1,000 networks; the room lets ten join from a network in a minute, and those never go in. Beside them thousands of requests a second without cookies.",
      rooms: [
        room(2 * crowd, rate, {
          ...small,
          bots: { bots: crowd, networks: some(1_000, 4), cookielessPerSecond: some(20_000) },
          settings: { joinLimitPerMinute: 10, overLimit: "refuse" },
        }),
      ],
      seconds: 900,
      leastShare: 90,
    },
    {
      ...usual,
      crashesPerMinute: 0.2,
      name: "restart",
      title: "The Room restarts mid-drop, and isolates crash",
      about:
        "Three times the Room loses its memory and all that is on its way, and is away for 3, 10 and 1 s; every minute a fifth of the isolates crash.",
      rooms: [
        room(crowd, rate, {
          ...small,
          restarts: [
            { atMs: 20_000, downMs: 3_000 },
            { atMs: 90_000, downMs: 10_000 },
            { atMs: 150_000, downMs: 1_000 },
          ],
        }),
      ],
      seconds: 900,
      leastShare: 90,
    },
    {
      ...usual,
      name: "partition",
      title: "A fifth of the colos is cut off",
      about: "From the second to the fourth minute a fifth of the colos cannot reach the Room.",
      rooms: [room(crowd, rate, { ...small, cuts: [{ fromMs: 60_000, toMs: 180_000, share: 0.2 }] })],
      seconds: 1_200,
      leastShare: 80,
    },
    {
      ...usual,
      name: "halved",
      title: "The operator halves the rate",
      about: "After two minutes new_users_per_minute is halved.",
      rooms: [room(crowd, rate, { ...small, changes: [{ atMs: 120_000, settings: { newUsersPerMinute: Math.round(rate / 2) } }] })],
      seconds: 1_200,
    },
    {
      ...usual,
      name: "two-rooms",
      title: "Two rooms at once",
      about: "Two shops on the same isolates open at the same moment, the second for a quarter as many people at a fifth of the rate.",
      rooms: [
        room(some(16_000, 400), rate, { ...small, room: "first" }),
        room(some(4_000, 200), some(1_200, 300), { ...small, room: "second" }),
      ],
      seconds: 1_200,
    },
  ];
}

/** To show that the simulation can fail: the same doors, every question a call of its own. */
export function unbatched(scale = 1, seed = SEED): Scenario {
  const [doors] = scenarios(scale, seed);
  return { ...(doors as Scenario), name: "unbatched", title: "No batching", batching: false, seconds: 30 };
}
