/**
 * SIGKILL to the whole Worker, again and again, while a crowd joins, claims, browses and leaves; what the crowd met is judged at the
 * end. `test/worker/kill.test.ts` is the short run, `npm run survive` the long one. Node 22 only.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { now } from "../../scripts/lib/crowd-http.mjs";
import type { Stats } from "../../src/core/stats";
import { isConserved } from "./conserved";
import { checkHistory } from "./history-check";
import { HistoryCrowd } from "./history-crowd";
import { CROWD_ROOM, factsOf, startCrowdSite, statsOf } from "./history-site";
import { seeded } from "./line-world";
import { type BareWorkerd, startWorkerd } from "./workerd";

export interface SurvivalOptions {
  readonly kills: number;
  /** Visitors at any one time. */
  readonly visitors: number;
  readonly seed: number;
  /** Ends after so long, with fewer kills. */
  readonly mostMs?: number;
  readonly signal?: AbortSignal;
  readonly onKill?: (progress: Progress) => void;
}

export interface Progress {
  readonly kills: number;
  readonly visitors: number;
  readonly issued: number;
  readonly requests: number;
}

export interface Survival extends Progress {
  /** Requests that ended without an answer, or with one that does not tell whether the Room acted. */
  readonly unknown: number;
  readonly entered: number;
  readonly renewals: number;
  readonly left: number;
  /** Visitors with a place at the end, whose place was looked for after the last kill. */
  readonly staying: number;
  readonly seconds: number;
  /** Empty = every promise was kept. */
  readonly breaches: readonly string[];
}

/** The edges live and die with the Room: they know nothing older than a manifest and a request that waited for it. */
const STALE_MS = 5_000;
/** The Worker is killed after at most so many answers, or so many ms. */
const MOST_ANSWERS = 250;
const MOST_UP_MS = 5_000;

const CAPACITY = CROWD_ROOM.total_active_users;

/** Rejects only if the Worker does not come up again, or by a mistake of the tests. */
export async function survive(options: SurvivalOptions): Promise<Survival> {
  const origin = await startCrowdSite();
  const workerd = await startWorkerd({ rooms: { demo: CROWD_ROOM }, origin: origin.url });
  try {
    return await killing(workerd, options);
  } finally {
    await workerd.stop();
    await origin.stop();
  }
}

async function killing(workerd: BareWorkerd, options: SurvivalOptions): Promise<Survival> {
  const { kills: wanted, visitors, seed, mostMs = Number.POSITIVE_INFINITY, signal, onKill } = options;
  const random = seeded(seed);
  let up = true;
  const crowd = new HistoryCrowd({
    room: "demo",
    edges: () => (up ? [workerd.url] : []),
    size: visitors,
    paceMs: 100,
    hangUps: 0.05,
    copies: 0.1,
    // The visitors' own numbers: how many they draw depends on timing, when the kills come must not.
    random: seeded(seed + 1),
  });
  const startedAt = now();
  const outages: { from: number; to: number }[] = [];
  const breaches: string[] = [];
  let kills = 0;
  const kill = async () => {
    // By answers, not by time: on a slow machine the crowd gets as far. One in five comes while the Worker has hardly begun.
    if (random() >= 0.2) await crowd.answers(Math.ceil(random() * MOST_ANSWERS), MOST_UP_MS);
    await sleep(random() * 30);
    const from = now();
    await workerd.kill9();
    up = false;
    const told = crowd.history.operations.reduce((highest, each) => Math.max(highest, each.told?.slot ?? -1), -1);
    await workerd.start();
    up = true;
    const stats = await statsOf(workerd);
    outages.push({ from, to: now() });
    kills += 1;
    breaches.push(...judge(stats, told).map((what) => `after kill ${kills}: ${what}: ${JSON.stringify(stats)}`));
    onKill?.({ kills, visitors: crowd.visitors, issued: stats.issued, requests: crowd.history.operations.length });
  };
  crowd.start();
  try {
    while (kills < wanted && now() - startedAt < mostMs && signal?.aborted !== true && !crowd.stopped) await kill();
  } catch (error) {
    // A terminal's Ctrl-C goes to the Worker as well.
    if (signal?.aborted !== true) throw error;
  } finally {
    await crowd.stop();
  }
  if (signal?.aborted === true) {
    await workerd.kill9();
    await workerd.start();
  }
  for (const browser of crowd.staying) if ((await browser.look()) === null) breaches.push(`visitor ${browser.id} got no answer at the end`);
  const stats = await statsOf(workerd);
  const operations = crowd.history.operations;
  breaches.push(...checkHistory(operations, factsOf(stats.issued, outages, STALE_MS)).map(({ rule, what }) => `${rule}: ${what}`));
  breaches.push(
    ...crowd.errors.map((error) => `a visitor failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  );
  const granted = operations.filter(({ told }) => told?.pass != null);
  return {
    kills,
    visitors: crowd.visitors,
    issued: stats.issued,
    requests: operations.length,
    unknown: operations.filter(({ outcome }) => outcome === "unknown").length,
    entered: new Set(granted.map(({ visitor }) => visitor)).size,
    renewals: granted.filter(({ kind }) => kind === "view").length,
    left: new Set(operations.filter(({ kind, told }) => kind === "leave" && told?.state === "ended").map(({ visitor }) => visitor)).size,
    staying: crowd.staying.length,
    seconds: (now() - startedAt) / 1_000,
    breaches,
  };
}

/** The Room's own numbers just after a crash; `told` = the highest slot that anybody had been told of. */
function judge(stats: Stats, told: number): string[] {
  const used = stats.inside + stats.leaving + stats.places_held + stats.places_leased;
  return [
    ...(stats.issued > told ? [] : [`slot ${told} had been given, ${stats.issued} are issued`]),
    ...(used <= CAPACITY ? [] : [`${used} places are in use`]),
    ...(isConserved(stats) ? [] : ["the people do not add up"]),
  ];
}
