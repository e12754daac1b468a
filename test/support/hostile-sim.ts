/**
 * Nine requests in ten are hostile, in virtual time: intruders beside the crowd of crowd-sim.ts, at the pure line and through the real
 * damper. What honest visitors get is compared with the same crowd alone. Cookieless requests end at the edge: here they only ask for
 * leases; test/worker/hostile.test.ts and `npm run survive -- --hostile` throw them at the built Worker.
 */
import { type ClaimRequest, encodeSightings, type JoinRequest, type LeaveRequest, type RenewRequest } from "../../src/core/exchange";
import { PollDamper } from "../../src/room/poll-damper";
import { type Intruders, type Outcome, runCrowd, type Scenario } from "./crowd-sim";
import { seeded } from "./line-world";
import { atLeast, atMost, type Check, noted, type Proof } from "./proof";
import { SEED } from "./proof-throughput";
import { worstExcess } from "./rate-check";

/** Networks that a farm of browsers has, each with as many jars as it likes. */
const FARM_NETWORKS = 3;
/** Places that the farm holds are remembered up to this many. */
const HOLDINGS_MAX = 2_000;

interface Holding {
  readonly slot: number;
  readonly joinedAtS: number;
  serial: number;
  inside: boolean;
}

/** What intruders did, by kind, and what they got. */
export interface Deeds {
  requests: number;
  readonly byKind: Record<"flood" | "farm" | "aborted" | "poll" | "storm" | "copy" | "leave", number>;
  placed: number;
  refused: number;
  damped: number;
  entered: number;
}

/** `perStep`: requests in each step of virtual time. */
export function intruders(perStep: number, seed: number): Intruders & { readonly deeds: Deeds } {
  const random = seeded(seed);
  const damper = new PollDamper();
  const holdings: Holding[] = [];
  const gone: Holding[] = [];
  const keys: string[] = [];
  const deeds: Deeds = {
    requests: 0,
    byKind: { flood: 0, farm: 0, aborted: 0, poll: 0, storm: 0, copy: 0, leave: 0 },
    placed: 0,
    refused: 0,
    damped: 0,
    entered: 0,
  };
  let made = 0;
  const anyOf = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const joinOf = (key: string): JoinRequest => ({
    key,
    network: 0xfa000000 + Math.floor(random() * FARM_NETWORKS),
    enter: true,
    tag: made & 0xffff,
  });

  return {
    deeds,
    act(at, manifest, call) {
      const joins: JoinRequest[] = [];
      const claims: ClaimRequest[] = [];
      const claimants: Holding[] = [];
      const renewals: RenewRequest[] = [];
      const leaves: LeaveRequest[] = [];
      const seen = new Set<number>();
      const storm = (holding: Holding, times: number, intent: ClaimRequest["intent"]) => {
        const { slot, serial, joinedAtS } = holding;
        for (let i = 0; i < times; i++) {
          claims.push({ slot, serial: holding.inside ? serial : 0, tag: Math.floor(random() * 0x10000), ageMs: 0, joinedAtS, intent });
          claimants.push(holding);
        }
      };
      for (let left = perStep; left > 0; left--) {
        deeds.requests++;
        const roll = random();
        const holding = anyOf(holdings);
        if (roll < 0.4) {
          deeds.byKind.flood++;
        } else if (roll < 0.6 || holding === undefined) {
          const key = String(++made).padStart(16, "f");
          keys.push(key);
          joins.push(joinOf(key));
          deeds.byKind.farm++;
        } else if (roll < 0.65) {
          // Hangs up before the answer and asks again, with the same key.
          joins.push(joinOf(anyOf(keys) ?? ""));
          deeds.byKind.aborted++;
        } else if (roll < 0.85) {
          deeds.byKind.poll++;
          if (damper.take(String(holding.slot), at) > 0) deeds.damped++;
          else if (holding.slot >= manifest.admittedEpoch) seen.add(holding.slot);
          else storm(holding, 1, "look");
        } else if (roll < 0.92) {
          deeds.byKind.storm++;
          if (holding.slot < manifest.admittedEpoch) storm(holding, 10, "enter");
        } else if (roll < 0.97) {
          deeds.byKind.copy++;
          const { slot, serial } = holding;
          if (holding.inside)
            renewals.push({ slot, serial: Math.max(0, serial - Math.floor(random() * 3)), tag: Math.floor(random() * 0x10000), ageMs: 0 });
        } else {
          deeds.byKind.leave++;
          // Most of them leave a place that they have left.
          if (gone.length === 0 || random() < 0.005) gone.push(...holdings.splice(holdings.indexOf(holding), 1));
          const { slot, serial } = anyOf(gone) ?? holding;
          leaves.push({ slot, serial });
        }
      }
      const reply = call({ joins, claims, renewals, leaves, sightings: encodeSightings(seen), leaseWanted: 64 });
      for (const verdict of reply.joins) {
        if (verdict.as === "refused") deeds.refused++;
        if (verdict.as !== "placed" || holdings.some(({ slot }) => slot === verdict.slot) || holdings.length >= HOLDINGS_MAX) continue;
        deeds.placed++;
        holdings.push({ slot: verdict.slot, joinedAtS: verdict.joinedAtS, serial: 0, inside: false });
      }
      for (const [i, verdict] of reply.claims.entries()) {
        const holding = claimants[i];
        if (holding === undefined || verdict.as !== "entered") continue;
        if (!holding.inside) deeds.entered++;
        Object.assign(holding, { inside: true, serial: verdict.pass.serial });
      }
    },
  };
}

export interface HostileScale {
  /** Entries a minute, and honest arrivals. */
  readonly rate: number;
  readonly minutes: number;
  /** Hostile requests in a quarter of a second. */
  readonly perStep: number;
  /** `join_limit_per_minute`; 0 = none. */
  readonly limit: number;
}

const FULL: HostileScale = { rate: 300, minutes: 12, perStep: 400, limit: 5 };

/** As many honest visitors as go in, after a rush, each from a network of their own; in a room that asks nobody for proof. */
function crowdOf({ rate, limit, minutes }: HostileScale): Omit<Scenario, "seed"> {
  return {
    settings: {
      totalActiveUsers: 1_000_000,
      newUsersPerMinute: rate,
      sessionDurationMs: 600_000,
      passRefreshMs: 30_000,
      sessionMaxMs: 3_600_000,
      joinLimitPerMinute: limit,
      overLimit: "refuse",
      challenge: "off",
    },
    minutes,
    crowd: 3 * rate,
    arrivalsPerMinute: rate,
    visitS: 120,
    leaves: true,
    page: true,
    gone: 0.1,
    vanishing: 0.02,
    networkOf: (who) => who + 1,
  };
}

/** Honest waits of both crowds, by visitor, of those who came in both early enough to get in. */
function waitsOf(calm: Outcome, hostile: Outcome, untilMs: number): { readonly calm: number[]; readonly hostile: number[] } {
  const early = ({ at, waitedMs, kind }: Outcome["entered"][number]) => kind === "honest" && at - waitedMs < untilMs;
  const inCalm = new Map(calm.entered.filter(early).map(({ who, waitedMs }) => [who, waitedMs]));
  const both = hostile.entered.filter((entry) => early(entry) && inCalm.has(entry.who));
  return { calm: both.map(({ who }) => inCalm.get(who) ?? 0), hostile: both.map(({ waitedMs }) => waitedMs) };
}

const mean = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0) / Math.max(1, list.length);
const quantile = (list: readonly number[], q: number) => [...list].sort((a, b) => a - b)[Math.floor(q * (list.length - 1))] ?? 0;

export function hostileProof(scale: Partial<HostileScale> = {}): Proof {
  const whole = { ...FULL, ...scale };
  const { rate, minutes, perStep, limit } = whole;
  const crowd = { ...crowdOf(whole), seed: SEED };
  const calm = runCrowd(crowd);
  const others = intruders(perStep, SEED + 1);
  const hostile = runCrowd({ ...crowd, intruders: others });
  const { deeds } = others;
  const honestRequests = hostile.asks + hostile.came;
  const share = (100 * deeds.requests) / (deeds.requests + honestRequests);
  const joined = (outcome: Outcome) => (100 * Object.values(outcome.kinds).reduce((sum, kind) => sum + kind.joined, 0)) / outcome.came;
  // The last to come have no time to get in.
  const waits = waitsOf(calm, hostile, (minutes - 6) * 60_000);
  const more = (what: (list: readonly number[]) => number) => 100 * (what(waits.hostile) / what(waits.calm) - 1);
  const rates = [{ at: 0, perMinute: rate }];
  const checks: Check[] = [
    atLeast("share of the requests that are hostile", share, 90, "%"),
    atLeast("visitors compared, of both crowds", waits.calm.length, rate),
    atLeast("honest visitors who got a place", joined(hostile), 0.9 * joined(calm), "%"),
    atMost("longer wait of honest visitors, on average", more(mean), 10, "%"),
    atMost(
      "the same, half of them",
      more((list) => quantile(list, 0.5)),
      10,
      "%",
    ),
    atMost(
      "the same, all but one in twenty",
      more((list) => quantile(list, 0.95)),
      10,
      "%",
    ),
    atMost("entries beyond rate · w + burst in the worst of all windows", worstExcess(hostile.entries, rates), 1e-6, "", 2),
    atLeast("status requests of pollers that the damper kept away", (100 * deeds.damped) / Math.max(1, deeds.byKind.poll), 1, "%"),
    noted("places that the hostile got, of their joins", `${deeds.placed} of ${deeds.byKind.farm}, ${deeds.refused} refused`),
    noted("entries of the hostile", deeds.entered),
    noted(
      "wait of honest visitors, calm and hostile, on average",
      `${(mean(waits.calm) / 1_000).toFixed(1)} s, ${(mean(waits.hostile) / 1_000).toFixed(1)} s`,
    ),
  ];
  const steps = Array.from({ length: 101 }, (_, i) => i / 100);
  const line = (name: string, list: readonly number[]) => ({
    name,
    points: steps.map((q) => [100 * q, quantile(list, q) / 1_000] as const),
  });
  return {
    title: "Nine requests in ten are hostile",
    rules: ["P2", "P3", "P4", "P12"],
    about: `${rate} entries a minute, as many honest arrivals after a rush, ${minutes} minutes of virtual time, with and without intruders: requests without cookies, three networks of jars, pollers, claims ten at a time, copied passes, joins that hang up, leavers who come again. The room has join_limit_per_minute = ${limit} and asks nobody for proof.`,
    checks,
    charts: [
      {
        file: "hostile-waits",
        title: "How long honest visitors wait, with and without nine hostile requests in ten",
        x: "% of the visitors wait no longer",
        y: "seconds",
        series: [line("alone", waits.calm), line("among the hostile", waits.hostile)],
      },
    ],
  };
}
