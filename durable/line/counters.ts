/**
 * The numbers of a room's line that are stored with every step, as one text. Pure data: what they mean is in state.ts and the parts named
 * here. A field that is added is filled in for what an earlier version stored (stored.ts).
 */
import { HAPPENINGS, type Happening } from "../../src/core/audit";
import { type CallbackCount, NO_SHADOW, type ShadowCounts } from "../../src/core/edge-notes";
import { newWaits, type Waits } from "../../src/core/waits";
import type { Bucket } from "./buckets";
import { type Answers, newAnswers } from "./call-loop";
import { type DrawCounters, newDrawCounters } from "./draw-state";
import type { Ramp } from "./ramp";
import type { RevokedKey } from "./reissues";
import type { Slowed } from "./slow-down";
import { NO_WATCH, type Watch } from "./watch-state";

/** Places that stay taken until a time although nobody's row holds them. */
export interface BusyPlaces {
  readonly places: number;
  readonly untilMs: number;
}

/** Slots first…last are refused until a time. */
export interface RevokedRange {
  first: number;
  last: number;
  untilMs: number;
}

export interface Sample {
  /** Start of the 10 s, ms. */
  readonly at: number;
  entered: number;
  joined: number;
  /** Slots passed by the epoch. */
  epoch: number;
  /** Places given back by people who were inside. */
  released: number;
  /** Attempts to join without proof. */
  attempts: number;
}

export interface Totals extends Record<Happening, number> {
  takeovers: number;
  moved: number;
  movedOften: number;
  voided: number;
  /** Joins that were asked for proof, and places given for a proof. */
  challenged: number;
  proven: number;
}

/** Whether every newcomer is asked for proof because of an attack (attack.ts). */
export interface Attack {
  /** null = calm. */
  readonly by: "operator" | "threshold" | null;
  /** Since when it is so, ms since the Unix epoch. */
  readonly sinceMs: number;
  /** When attempts to join last were at least half of the threshold, ms. */
  readonly busyAtMs: number;
  /** Until then the threshold raises nothing: the operator has said that all is calm, ms. */
  readonly calmUntilMs: number;
}

export const CALM: Attack = { by: null, sinceMs: 0, busyAtMs: 0, calmUntilMs: 0 };

export function newTotals(): Totals {
  const happened = Object.fromEntries(HAPPENINGS.map((what) => [what, 0])) as Record<Happening, number>;
  return { ...happened, takeovers: 0, voided: 0, challenged: 0, proven: 0, moved: 0, movedOften: 0 };
}

/** Times are Room time, ms. */
export interface SeenCallback extends CallbackCount {
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Everything scalar that is persisted as one row. */
export interface Counters extends DrawCounters {
  generation: number;
  startedAtMs: number;
  /** Room time of the last step. */
  now: number;
  frozenTotalMs: number;
  frozenSinceMs: number | null;
  tail: number;
  epoch: number;
  nextOrder: number;
  lastCallWasReturner: boolean;
  entry: Bucket;
  call: Bucket;
  answers: Answers;
  joinsStopped: boolean;
  ended: boolean;
  endSessionsBefore: number;
  /** Of slots from here on gone.ts knows whose visit the operator ended; an earlier version, which gave out those below, did not note it. */
  visitsMarkedFrom: number;
  /** Passes issued before this Unix second are renewed before they let anybody in; 0 = none. */
  renewBefore: number;
  /** `pass_refresh` in force at the last step; null = not known. */
  passRefreshMs: number | null;
  /** Until then an edge may go by former settings, and by what it heard while they held, ms. */
  trustedUntilMs: number;
  /** Flushes that found somebody waiting emptied [from, below), the last one last. Of the others that they ended gone.ts knows. */
  flushed: (readonly [from: number, below: number])[];
  leases: BusyPlaces[];
  carried: BusyPlaces[];
  /** Slots whose pass the edges refuse, sorted. */
  revoked: RevokedRange[];
  /** Staff links whose passes the edges refuse until they would have ended, ms. */
  staffRevoked: { readonly id: number; readonly until: number }[];
  /** Signing keys that were revoked, oldest revocation first. */
  revokedKeys: RevokedKey[];
  totals: Totals;
  /** Of everybody who went in for the first time. */
  waits: Waits;
  attack: Attack;
  /** What webhooks have been told, and are about to be. */
  watch: Watch;
  /** Rate or capacity on its way to what the settings say; null = it is there. */
  ramp: Ramp | null;
  /** null = the rate is the operator's. */
  slowed: Slowed | null;
  /** What the site answered before counts neither for nor against it any more, ms. */
  siteJudgedFromMs: number;
  /** `mode = "shadow"`: page loads by what would have become of them. Of this generation. */
  shadow: ShadowCounts;
  /** Paths that look like webhooks. */
  callbacks: SeenCallback[];
  /** What happened, by 10 s of Room time, newest last. */
  series: Sample[];
}

export function newCounters(now: number, generation: number): Counters {
  return {
    generation,
    startedAtMs: now,
    now,
    frozenTotalMs: 0,
    frozenSinceMs: null,
    tail: 0,
    epoch: 0,
    nextOrder: 1,
    lastCallWasReturner: false,
    entry: { tokens: 0, at: now },
    call: { tokens: 0, at: now },
    answers: newAnswers(),
    joinsStopped: false,
    ended: false,
    endSessionsBefore: 0,
    visitsMarkedFrom: 0,
    renewBefore: 0,
    passRefreshMs: null,
    trustedUntilMs: 0,
    flushed: [],
    leases: [],
    carried: [],
    revoked: [],
    staffRevoked: [],
    revokedKeys: [],
    totals: newTotals(),
    waits: newWaits(),
    attack: CALM,
    watch: NO_WATCH,
    ramp: null,
    slowed: null,
    siteJudgedFromMs: 0,
    shadow: NO_SHADOW,
    callbacks: [],
    series: [],
    ...newDrawCounters(),
  };
}
