/** The judge of `npm run crowd`: every check can fail, and none fails where the promise may have been kept. */
import { describe, expect, test } from "vitest";
import { Diarist, newDiary } from "../../scripts/lib/crowd-diary.mjs";
import { compareCrowds } from "../../scripts/lib/crowd-hostile.mjs";
import { readTarget } from "../../scripts/lib/crowd-http.mjs";
import {
  type Diary,
  type EntryFact,
  fullestWindow,
  judge,
  mostAtOnce,
  outOfOrder,
  type PlaceFact,
} from "../../scripts/lib/crowd-judge.mjs";
import { seeded } from "../../scripts/lib/crowd-run.mjs";
import type { Stats } from "../../src/core/stats";

const T = 1_800_000_000_000;

function stats(parts: Partial<Stats> = {}): Stats {
  return {
    room: "crowd",
    generation: 1,
    revision: 1,
    now: new Date(T).toISOString(),
    phase: "open",
    issued: 0,
    admitted_epoch: 0,
    waiting: 0,
    called: 0,
    inside: 0,
    lapsed: 0,
    passed_over: 0,
    missed: 0,
    returning: 0,
    leaving: 0,
    ended: 0,
    places_held: 0,
    places_leased: 0,
    places_free: 0,
    total_active_users: 2,
    capacity: 2,
    ramp: null,
    new_users_per_minute: 60,
    rate_per_minute: 60,
    challenged_total: 0,
    proven_total: 0,
    attempts_last_minute: 0,
    under_attack: null,
    entered_last_minute: 0,
    joined_last_minute: 0,
    newcomer_wait_minutes: 0,
    wait_p50_seconds: null,
    wait_p95_seconds: null,
    wait_max_seconds: null,
    called_total: 0,
    left_total: 0,
    lapsed_total: 0,
    over_total: 0,
    missed_total: 0,
    passed_over_total: 0,
    joined_total: 0,
    entered_total: 0,
    refused_total: 0,
    takeovers_total: 0,
    void_total: 0,
    event: null,
    draw: null,
    shadow: { entered: 0, waited: 0, refused: 0 },
    callbacks: [],
    isolates: 1,
    moved_total: 0,
    moved_often_total: 0,
    revoked_keys: [],
    origin: { ok: 0, failed: 0, slow: 0 },
    origin_times: { counts: [], sum_ms: 0 },
    origin_last_minute: { requests: 0, error_percent: 0, p95_ms: null },
    slowed_down: null,
    failed_open: null,
    blocked_by: { code: "nothing", sentence: "" },
    ...parts,
  };
}

/** A visitor who joined at once and got place `slot`; went in at `enteredMs`, if ever, with a pass for five seconds. */
function visitor(slot: number, enteredMs?: number, more: Partial<EntryFact> = {}, place: Partial<PlaceFact> = {}): Diary {
  const at = T + (enteredMs ?? 0);
  const entry = { generation: 1, slot, from: at, to: at, passMade: at, passEnds: at + 5_000, left: null, again: false, ...more };
  return {
    id: slot,
    outcome: "",
    places: [{ generation: 1, slot, from: T - 1_000 + slot * 10, to: T - 995 + slot * 10, toldToWaitAt: null, ...place }],
    entries: enteredMs === undefined ? [] : [entry],
    faults: [],
    failures: 0,
    pages: 0,
    naps: 0,
    unproven: 0,
  };
}

interface Met {
  readonly samples?: Partial<Stats>[];
  readonly revokeBoundMs?: number;
  readonly endedBefore?: number;
}

/** Ids of the promises that the judge calls broken. */
function broken(diaries: Diary[], { samples = [{}], revokeBoundMs = 3_000, endedBefore = 0 }: Met = {}): string[] {
  const looks = samples.map((parts, second) => ({ at: T + second * 1_000, stats: stats(parts) }));
  return judge({ diaries, samples: looks, revokeBoundMs, endedBefore })
    .filter(({ kept }) => !kept)
    .map(({ promise }) => promise);
}

describe("P1", () => {
  test("[CROWD-4] a third visitor while two places are taken", () => {
    expect(broken([visitor(0, 0), visitor(1, 1_000), visitor(2, 2_000)])).toEqual(["P1"]);
    expect(broken([visitor(0, 0), visitor(1, 1_000), visitor(2, 2_000)], { samples: [{ total_active_users: 3 }] })).toEqual([]);
  });

  test("[CROWD-4] a place is free ten seconds after its last pass, not before", () => {
    expect(broken([visitor(0, 0), visitor(1, 1_000), visitor(2, 14_999)])).toEqual(["P1"]);
    expect(broken([visitor(0, 0), visitor(1, 1_000), visitor(2, 15_000)])).toEqual([]);
  });

  test("[CROWD-4] a place that was given up is free after the bound, not before", () => {
    const left = visitor(0, 0, { left: T + 2_000 });
    expect(broken([left, visitor(1, 1_000), visitor(2, 4_999)])).toEqual(["P1"]);
    expect(broken([left, visitor(1, 1_000), visitor(2, 5_000)])).toEqual([]);
  });

  test("[CROWD-4] nobody counts as inside before a reply said so", () => {
    expect(broken([visitor(0, 0), visitor(1, 1_000), visitor(2, 14_000, { to: T + 15_500 })])).toEqual([]);
  });

  test("[CROWD-4] sessions that the operator ended, and those of an older line, free their places", () => {
    const crowd = [visitor(0, 0), visitor(1, 1_000), visitor(2, 6_000)];
    expect(broken(crowd, { endedBefore: T + 5_000 })).toEqual([]);
    const inNewLine = [visitor(0, 0), visitor(1, 1_000), visitor(0, 6_000, { generation: 2 }, { generation: 2 })];
    expect(broken(inNewLine, { samples: [{}, {}, {}, {}, { generation: 2 }] })).toEqual([]);
    expect(broken(inNewLine)).toEqual(["P1"]);
  });

  test.each(["inside", "leaving", "places_held", "places_leased"] as const)("[CROWD-4] by the room's own numbers, %s included", (part) => {
    const sums = { inside: 2, issued: 2 };
    expect(broken([], { samples: [sums, { ...sums, total_active_users: 3 }] })).toEqual([]);
    const more = part === "inside" ? { inside: 3, issued: 3 } : { ...sums, [part]: 1, issued: part === "leaving" ? 3 : 2 };
    expect(broken([], { samples: [sums, more] })).toEqual(["P1"]);
  });

  test("[CROWD-4] who goes makes room for who comes in the same instant", () => {
    const spans = [
      { from: 0, to: 10 },
      { from: 10, to: 20 },
      { from: 5, to: 10 },
      { from: 30, to: 30 },
    ];
    expect(mostAtOnce(spans)).toBe(2);
  });
});

describe("P2", () => {
  const entry = (from: number, to = from) => ({ from, to });

  test("[CROWD-4] a burst over the limit, anywhere in the run", () => {
    const steady = Array.from({ length: 30 }, (_, i) => visitor(i, i * 1_000));
    const roomy = [{ total_active_users: 100 }];
    expect(broken(steady, { samples: roomy })).toEqual([]);
    // Two may always come at once; the third within the same second is one too many.
    expect(broken([...steady, visitor(30, 20_100)], { samples: roomy })).toEqual([]);
    expect(broken([...steady, visitor(30, 20_100), visitor(31, 20_200)], { samples: roomy })).toEqual(["P2"]);
  });

  test("[CROWD-4] a rate that is a little too high for long", () => {
    const every = (ms: number) => Array.from({ length: 60 }, (_, i) => entry(i * ms));
    const over = (ms: number) => {
      const { entries, allowed } = fullestWindow(every(ms), 60);
      return entries > allowed;
    };
    expect(over(1_000)).toBe(false);
    expect(over(970)).toBe(true);
  });

  test("[CROWD-4] entries count where they certainly were: spans that may lie apart do not", () => {
    const together = Array.from({ length: 5 }, (_, i) => entry(0, i * 1_000));
    const { entries, allowed } = fullestWindow(together, 60);
    expect(entries).toBeLessThanOrEqual(allowed);
  });

  test("[CROWD-4] the same as counting every window, on random runs", () => {
    const random = seeded(7);
    for (let run = 0; run < 50; run++) {
      const spans = Array.from({ length: 20 }, () => {
        const from = random() * 10_000;
        return { from, to: from + random() * 500 };
      });
      const excess = (ms: number, count: number) => count - (2 + ((ms + 2) * 90) / 60_000);
      const all = spans.flatMap(({ from }) =>
        spans
          .filter(({ to }) => to >= from)
          .map(({ to }) => excess(to - from, spans.filter((one) => one.from >= from && one.to <= to).length)),
      );
      const { entries, allowed } = fullestWindow(spans, 90);
      expect(entries - allowed).toBeCloseTo(Math.max(-2, ...all), 9);
    }
  });
});

describe("P4", () => {
  test("[CROWD-4] a join that began after another's return stands behind it", () => {
    const place = (slot: number, from: number, to: number, generation = 1) => ({ slot, from, to, generation });
    expect(outOfOrder([place(0, 0, 10), place(1, 11, 20)])).toBe(0);
    expect(outOfOrder([place(1, 0, 10), place(0, 11, 20)])).toBe(1);
    // They overlap: either may be first.
    expect(outOfOrder([place(1, 0, 10), place(0, 9, 20)])).toBe(0);
    // A new line begins with 0 again.
    expect(outOfOrder([place(5, 0, 10), place(0, 11, 20, 2)])).toBe(0);
    expect(broken([visitor(1), { ...visitor(0, undefined, {}, { from: T + 500, to: T + 510 }), id: 9 }])).toEqual(["P4"]);
  });

  test("[CROWD-4] nobody is kept waiting while later ones have long gone in", () => {
    const early = (toldToWaitAt: number) => visitor(0, undefined, {}, { toldToWaitAt });
    expect(broken([early(T + 11_000), visitor(1, 500)])).toEqual(["P4"]);
    expect(broken([early(T + 10_000), visitor(1, 500)])).toEqual([]);
    expect(broken([visitor(2, undefined, {}, { toldToWaitAt: T + 60_000 }), visitor(1, 500)])).toEqual([]);
  });
});

test("[CROWD-4] P5, P6 and P9: a place given twice, people who do not add up, a place that changed", () => {
  expect(broken([visitor(0), { ...visitor(0), id: 1 }])).toEqual(["P5"]);
  expect(broken([visitor(0)], { samples: [{ issued: 3, waiting: 2 }] })).toEqual(["P6"]);
  expect(broken([visitor(0)], { samples: [{ issued: 1, waiting: 2, ended: -1 }] })).toEqual(["P6"]);
  expect(broken([{ ...visitor(0), faults: ["place 0 became 7"] }])).toEqual(["P9"]);
});

test.each([
  "https://shop.example.com/",
  "http://shop.example.com",
  "http://10.0.0.1:8787",
  "http://192.168.1.2",
  "http://0.0.0.0:8787",
  "http://[::]:8787",
  "http://[fe80::1]:8787",
  "http://127.0.0.1.example.com",
  "http://localhost.example.com",
  "http://127.0.0.1@example.com",
  "http://example.com#@127.0.0.1",
  "http://[::ffff:10.0.0.1]",
  "https://127.0.0.1:8787",
  "http://me@127.0.0.1:8787",
  "http://127.0.0.1:8787/shop",
  "127.0.0.1:8787",
  "",
])("[CROWD-1] no crowd is sent to %j", (text) => {
  expect(() => readTarget(text)).toThrow(`"${text}"`);
});

test("[CROWD-1] the names of this computer are taken", () => {
  for (const host of ["127.0.0.1:8787", "127.8.9.10", "localhost:3000", "shop.localhost:3000", "[::1]:8787"])
    expect(readTarget(`http://${host}/`).host).toBe(host);
});

describe("beside the hostile", () => {
  /** So many who got in after so many seconds, and so many who did not. */
  const crowd = (waits: readonly number[], without = 0) => ({
    requests: 100,
    diaries: [
      ...waits.map((wait) => ({ places: [{ from: 1_000 }], entries: [{ to: 1_000 + wait * 1_000 }] })),
      ...Array.from({ length: without }, () => ({ places: [], entries: [] })),
    ],
  });

  test("[CROWD-6] a tenth fewer who get in, or a tenth longer to wait, holds; more does not, and neither does too little hostility", () => {
    const alone = crowd([10, 10, 20, 20]);
    expect(compareCrowds(alone, crowd([11, 11, 22, 22]), 900)).toMatchObject({ share: 0.9, waits: [15, 16.5], isShown: true, holds: true });
    expect(compareCrowds(alone, crowd([11, 11, 22, 22.1]), 900).holds).toBe(false);
    expect(compareCrowds(alone, crowd([10, 10, 20], 1), 900)).toMatchObject({ gotIn: [1, 0.75], holds: false });
    expect(compareCrowds(crowd(Array(10).fill(9)), crowd(Array(9).fill(9), 1), 900).holds).toBe(true);
    expect(compareCrowds(alone, alone, 899).isShown).toBe(false);
    // Nobody in: no wait to compare.
    expect(compareCrowds(alone, crowd([], 4), 900).holds).toBe(false);
  });
});

test.each(["", "__Host-", "__Secure-"])("[CROWD-8] a host whose clock is ahead: passes end by ours, in cookies called %s…", (prefix) => {
  const diary = newDiary(1);
  const diarist = new Diarist(diary, { room: "shop", statusPath: "/status", aheadMs: 30_000 });
  const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
  const time = { iat: (T + 30_000) / 1_000, exp: (T + 35_000) / 1_000 };
  const lines = [
    `${prefix}vestibule.shop=${token({ g: 1, s: 4, ...time })}; Path=/`,
    `${prefix}vestibule-pass.shop=${token({ g: 1, s: 4, n: 1, ...time })}; Path=/`,
  ];
  diarist.read({ path: "/", status: 200, from: T - 5, to: T + 5, headers: { "set-cookie": lines } }, new Map());
  expect(diary.places).toMatchObject([{ slot: 4 }]);
  expect(diary.entries).toMatchObject([{ slot: 4, passMade: T, passEnds: T + 5_000 }]);
});
