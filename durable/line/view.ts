/** What the line shows the world: the public manifest, and the operator's numbers. Pure; every stat is O(1). */

import type { FailedOpen } from "../../src/core/exchange";
import type { Manifest, Phase } from "../../src/core/manifest";
import { errorPercent, p95Ms, requestsIn } from "../../src/core/origin-outcomes";
import { isOff, settingsAt, stageAt } from "../../src/core/schedule";
import type { RoomSettings } from "../../src/core/settings-types";
import type { BlockedBy, Stats } from "../../src/core/stats";
import { toldOf } from "../../src/core/waits";
import { horizonOf, lastMinute } from "./advance";
import { joinsClosed } from "./joins";
import { recentCallbacks } from "./notes";
import { plannedOf, plannedStatsOf, shown } from "./planned";
import { challengeOf } from "./proof-due";
import { rampOf } from "./ramp";
import { State } from "./slot-table";
import { settingsNow } from "./slow-down";
import { freePlaces, heldPlaces, isClosed, isFrozen, isQuiet, type LineState, leasedPlaces, waitingCount } from "./state";

export function phaseOf(line: LineState, settings: RoomSettings): Phase {
  if (isOff(settings)) return "off";
  if (line.counters.ended) return "ended";
  if (isClosed(line, settings)) return "closed";
  if (stageAt(settings, line.counters.now).in === "lobby") return "lobby";
  if (settings.queueAll || settings.newUsersPerMinute === 0) return "paused";
  return line.counters.drawing === null ? "open" : "drawing";
}

/** The manifest at the line's own time. `configRevision` is the revision of `own`, the room's settings without what an event changes. */
export function manifestOf(line: LineState, own: RoomSettings, room: string, configRevision: number): Manifest {
  const { counters } = line;
  const settings = settingsNow(line, own);
  const minute = lastMinute(line);
  return {
    v: 1,
    room,
    generation: counters.generation,
    config: configRevision,
    at: counters.now,
    phase: phaseOf(line, settings),
    admittedEpoch: counters.epoch,
    tail: shown(counters.tail, settings.publicTotals),
    returning: shown(line.table.count(State.RETURNING), settings.publicTotals),
    horizon: horizonOf(line, settings),
    ratePerMinute: settings.newUsersPerMinute,
    admittedPerMinute: minute.entered,
    epochPerMinute: minute.epoch,
    flushAfterMs: line.pacing.flushAfterMs,
    quiet: isQuiet(line, settings),
    joins: joinsClosed(line, settings) ?? "open",
    message: settings.message,
    endSessionsBefore: counters.endSessionsBefore,
    ...(counters.renewBefore > 0 && { renewBefore: counters.renewBefore }),
    revoked: counters.revoked.map(({ first, last }) => [first, last] as const),
    ...staffRevokedOf(line),
    revokedKeys: counters.revokedKeys.map(({ kid }) => kid),
    challenge: challengeOf(line, settings),
    ...plannedOf(line, settings),
  };
}

/** Absent where there is nothing to say: most rooms have no staff links. */
function staffRevokedOf({ counters: { staffRevoked, now } }: LineState): Pick<Manifest, "staffRevoked"> {
  const ids = staffRevoked.filter(({ until }) => now < until).map(({ id }) => id);
  return ids.length === 0 ? {} : { staffRevoked: ids };
}

/** Ended slots: everything issued that is in no other state (P6 reads it as a sum; the tests count it independently). */
function endedCount(line: LineState): number {
  const { counters, table } = line;
  return counters.tail - waitingCount(line) - table.counts.reduce((total, count) => total + count, 0);
}

const SENTENCES: Record<BlockedBy, string> = {
  nothing: "Nothing blocks the line.",
  paused: "The line is paused (queue_all): nobody enters until it is resumed.",
  "rate-zero": "new_users_per_minute is 0: nobody enters.",
  capacity: "Every place is taken or held: people enter as places become free (total_active_users).",
  rate: "People enter at the set rate (new_users_per_minute); more would come if it were higher.",
  ended: "The sale has been marked as ended: nobody enters until it is reopened.",
  suspended: "The room is off (suspended, or queueing_method passthrough): everybody goes straight to the site.",
  closed: "The room is closed outside its events (closed_outside_events): nobody enters until the next one opens.",
  lobby: "The lobby of an event is open: everybody collects, nobody enters until event_start_time.",
  drawing: "The entries of the lobby wait for the public random number of their draw; people in front of them go on.",
  "slowed-down": "The site struggles: people enter at a lowered rate (slow_down) until it is given back.",
  "storage-full":
    "The Room's storage is full, or the plan's quota for it is used up: nobody can join; people inside go on until their pass ends.",
  "calls-unanswered": "People have been called and have not answered yet; their places are held for reserve_seconds.",
};

/** A code with its sentence. */
export function blocked(code: BlockedBy): Stats["blocked_by"] {
  return { code, sentence: SENTENCES[code] };
}

/** People whose turn has come, or comes before that of anybody who waits. */
function calledCount({ table, moments }: LineState): number {
  return table.count(State.CALLED) + table.count(State.RETURNING) + moments.size;
}

/** What keeps the next person out right now. */
export function blockedBy(line: LineState, settings: RoomSettings): BlockedBy {
  if (isOff(settings)) return "suspended";
  if (line.counters.ended) return "ended";
  const phase = phaseOf(line, settings);
  if (phase === "closed" || phase === "lobby") return phase;
  if (settings.queueAll) return "paused";
  if (settings.newUsersPerMinute === 0) return "rate-zero";
  const { counters } = line;
  const someoneWaits = waitingCount(line) > 0 || line.table.count(State.RETURNING) > 0 || line.moments.size > 0;
  if (!someoneWaits) return "nothing";
  if (phase === "drawing" && counters.epoch === counters.drawing?.base && calledCount(line) === 0) return "drawing";
  if (freePlaces(line, settings) < 1) return line.held > 0 && line.moments.size === 0 ? "calls-unanswered" : "capacity";
  if (counters.entry.tokens >= 1 && line.table.count(State.CALLED) > 0) return "calls-unanswered";
  return counters.slowed === null ? "rate" : "slowed-down";
}

/** At the pace of the last minute, or at the set rate where nobody has gone in lately. */
function newcomerWait(line: LineState, settings: RoomSettings): number | null {
  if (isFrozen(line, settings)) return null;
  const ahead = waitingCount(line) + calledCount(line);
  const perMinute = lastMinute(line).epoch || settings.newUsersPerMinute;
  return Math.round((10 * ahead) / perMinute) / 10;
}

/** @param failedOpen what edges have told since the Room was loaded */
export function statsOf(line: LineState, own: RoomSettings, room: string, revision: number, failedOpen: FailedOpen | null = null): Stats {
  const { counters, table } = line;
  const settings = settingsNow(line, own);
  const set = settingsAt(own, counters.now);
  const { ok, failed, slow, times = [], ms = 0 } = line.origin.totals;
  const siteLately = line.origin.since(counters.now - 60_000);
  const code = blockedBy(line, settings);
  const minute = lastMinute(line);
  return {
    room,
    generation: counters.generation,
    revision,
    now: new Date(counters.now).toISOString(),
    phase: phaseOf(line, settings),
    issued: counters.tail,
    admitted_epoch: counters.epoch,
    waiting: waitingCount(line),
    called: table.count(State.CALLED),
    inside: table.count(State.INSIDE),
    lapsed: table.count(State.LAPSED),
    passed_over: table.count(State.PASSED_OVER),
    missed: table.count(State.MISSED),
    returning: table.count(State.RETURNING),
    leaving: table.count(State.LEAVING),
    ended: endedCount(line),
    places_held: heldPlaces(line, settings),
    places_leased: leasedPlaces(line),
    places_free: freePlaces(line, settings),
    total_active_users: set.totalActiveUsers,
    capacity: settings.totalActiveUsers,
    new_users_per_minute: set.newUsersPerMinute,
    rate_per_minute: settings.newUsersPerMinute,
    ramp: rampOf(line, own),
    entered_last_minute: minute.entered,
    joined_last_minute: minute.joined,
    newcomer_wait_minutes: newcomerWait(line, settings),
    joined_total: counters.totals.joined,
    entered_total: counters.totals.entered,
    refused_total: counters.totals.refused,
    called_total: counters.totals.called,
    left_total: counters.totals.left,
    lapsed_total: counters.totals.lapsed,
    over_total: counters.totals.over,
    missed_total: counters.totals.missed,
    passed_over_total: counters.totals.passed_over,
    takeovers_total: counters.totals.takeovers,
    moved_total: counters.totals.moved,
    moved_often_total: counters.totals.movedOften,
    void_total: counters.totals.voided,
    challenged_total: counters.totals.challenged,
    proven_total: counters.totals.proven,
    ...toldOf(counters.waits),
    attempts_last_minute: minute.attempts,
    under_attack: counters.attack.by === null ? null : { by: counters.attack.by, since: new Date(counters.attack.sinceMs).toISOString() },
    shadow: counters.shadow,
    callbacks: recentCallbacks(line),
    isolates: line.pacing.isolates,
    revoked_keys: counters.revokedKeys.map(({ kid, atMs, line: choice, tail, reissued, refused }) => {
      return { kid, at: new Date(atMs).toISOString(), line: choice, issued: tail, reissued, refused };
    }),
    origin: { ok, failed, slow },
    origin_times: { counts: times, sum_ms: ms },
    origin_last_minute: {
      requests: requestsIn(siteLately),
      error_percent: Math.round(100 * errorPercent(siteLately)) / 100,
      p95_ms: p95Ms(siteLately),
    },
    slowed_down: counters.slowed && { why: counters.slowed.why, since: new Date(counters.slowed.sinceMs).toISOString() },
    failed_open: failedOpen && {
      people: failedOpen.people,
      requests: failedOpen.requests,
      since: new Date(failedOpen.sinceMs).toISOString(),
    },
    ...plannedStatsOf(line, settings),
    blocked_by: blocked(code),
  };
}
