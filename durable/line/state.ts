/**
 * The state of one room's line in memory, and the small questions everything asks of it. Pure: no clock, randomness or I/O.
 *
 * Two clocks (DESIGN §6): Room time is `now` as given, monotone; the line clock stands still while nobody may enter
 * (paused, rate 0, suspended, ended, lobby, closed), so a pause costs no one their turn. Calls and absences run on the line clock,
 * sessions on Room time. Deadlines are whole seconds since the generation began, rounded up: never shorter than promised.
 */
import { isOff, stageAt } from "../../src/core/schedule";
import type { RoomSettings } from "../../src/core/settings-types";
import { Bans } from "./bans";
import { burstOf } from "./buckets";
import { type CallLoop, newCallLoop } from "./call-loop";
import { type BusyPlaces, type Counters, newCounters } from "./counters";
import { type DrawChanges, noDrawChanges } from "./draw-state";
import { EntryCounts } from "./entry-counts";
import { EntrySightings } from "./entry-sightings";
import { Gone } from "./gone";
import { Guests } from "./guests";
import type { Named } from "./journal";
import { Moments } from "./moments";
import { OriginWatch } from "./origin-watch";
import { Pacing } from "./pacing";
import { RecentJoins } from "./recent-joins";
import { Reissues } from "./reissues";
import { ReturnQueue } from "./return-queue";
import { Sightings } from "./sightings";
import { SlotTable, State } from "./slot-table";
import { Timers } from "./timers";
import { Unsaved } from "./unsaved";

export interface LineState {
  /** Its name goes into the draws. */
  readonly room: string;
  readonly counters: Counters;
  readonly table: SlotTable;
  readonly gone: Gone;
  /** Of spread.ts. Memory only. */
  readonly seed: number;
  readonly recent: RecentJoins;
  readonly entryCounts: EntryCounts;
  readonly guests: Guests;
  readonly reissues: Reissues;
  readonly returners: ReturnQueue;
  readonly sightings: Sightings;
  readonly entrySightings: EntrySightings;
  /** Places of what happened since they were last taken (journal.ts). Memory only. */
  named: Named;
  /** Who may not join (bans.ts). Stored by the shell. */
  readonly bans: Bans;
  pacing: Pacing;
  /** Memory only. */
  origin: OriginWatch;
  readonly loop: CallLoop;
  /** Deadlines on the line clock and on Room time. */
  readonly lineTimers: Timers;
  readonly roomTimers: Timers;
  readonly moments: Moments;
  /** The round that was asked for in vain since the line was loaded. Memory only. */
  silentRound: number | null;
  /** Salts of draws after the next one, hex. Memory only: nothing of them has been said. */
  readonly salts: string[];
  /** What became of draws and their entries since the last `takeChanges`. */
  draws: DrawChanges;
  /** Calls within their hold. Derived from the rows; kept as a count. The places they hold are `heldPlaces`. */
  held: number;
  /** What only the records of the newest steps hold. */
  readonly unsaved: Unsaved;
  /** Set when the generation changed since the last `takeChanges`. */
  cleared: boolean;
}

/** A new room at `now`, ms since the Unix epoch. Its buckets are empty (P2). @param seed u32, at random; 0 in tests */
export function newLine(now: number, room = "", seed = 0): LineState {
  return lineOf(newCounters(now, 1), room, seed);
}

/** Wrap counters into a state with nothing remembered about any slot. @param now from when on the line knows what happens, ms */
export function lineOf(counters: Counters, room: string, seed: number, now = counters.now): LineState {
  const line = {
    room,
    counters,
    table: new SlotTable(),
    gone: new Gone(),
    seed,
    recent: new RecentJoins(seed),
    entryCounts: new EntryCounts(seed),
    guests: new Guests(),
    reissues: new Reissues(),
    returners: new ReturnQueue(),
    sightings: new Sightings(counters.now),
    entrySightings: new EntrySightings(now),
    named: {},
    bans: new Bans(),
    pacing: new Pacing(),
    origin: new OriginWatch(),
    moments: new Moments(),
    silentRound: null,
    salts: [],
    draws: noDrawChanges(),
    held: 0,
    unsaved: new Unsaved(),
    cleared: false,
  };
  const lineS = Math.floor((lineClock(counters) - counters.startedAtMs) / 1_000);
  return {
    ...line,
    loop: newCallLoop(lineS, counters.answers),
    lineTimers: new Timers(lineS),
    roomTimers: new Timers(Math.floor((counters.now - counters.startedAtMs) / 1_000)),
  };
}

/** Line-clock ms: Room time less all time during which nobody could enter. */
export function lineClock(counters: Counters): number {
  return (counters.frozenSinceMs ?? counters.now) - counters.frozenTotalMs;
}

/** Whole seconds of the line clock that have passed since the generation began. */
export function lineSecond(line: LineState): number {
  return Math.floor((lineClock(line.counters) - line.counters.startedAtMs) / 1_000);
}

/** The line-clock second not before `ms` from now. */
export function lineDeadline(line: LineState, ms: number): number {
  return Math.ceil((lineClock(line.counters) - line.counters.startedAtMs + ms) / 1_000);
}

export function roomSecond(line: LineState): number {
  return Math.floor((line.counters.now - line.counters.startedAtMs) / 1_000);
}

/** Room-time seconds ↔ Unix ms. */
export function roomSecondOf(line: LineState, unixMs: number): number {
  return Math.max(0, Math.ceil((unixMs - line.counters.startedAtMs) / 1_000));
}

export function unixMsOf(line: LineState, second: number): number {
  return line.counters.startedAtMs + second * 1_000;
}

/** Tenths of a second of Room time at `unixMs`, for the chain's 30 s windows. */
export function tenths(line: LineState, unixMs: number): number {
  return Math.max(0, Math.floor((unixMs - line.counters.startedAtMs) / 100));
}

/** Closed outside its events: nobody enters or joins. */
export function isClosed({ counters }: LineState, settings: RoomSettings): boolean {
  const stage = stageAt(settings, counters.now);
  return stage.in === "closed" || (stage.in === "cancelled" && stage.closed);
}

/** Nobody may enter: paused, rate 0, room off, ended, closed, or everybody collects in the lobby. The line clock stands still. */
export function isFrozen(line: LineState, settings: RoomSettings): boolean {
  const stopped = settings.queueAll || isOff(settings) || settings.newUsersPerMinute === 0 || line.counters.ended;
  return stopped || isClosed(line, settings) || stageAt(settings, line.counters.now).in === "lobby";
}

export function waitingCount(line: LineState): number {
  return line.counters.tail - line.counters.epoch - line.gone.count;
}

function sum(busy: readonly BusyPlaces[]): number {
  return busy.reduce((total, each) => total + each.places, 0);
}

export function leasedPlaces(line: LineState): number {
  return sum(line.counters.leases);
}

/** Places that nobody inside, leaving, leased or carried over a reset occupies; negative after the capacity was lowered. */
export function sparePlaces(line: LineState, settings: RoomSettings): number {
  const { table, counters } = line;
  return settings.totalActiveUsers - table.count(State.INSIDE) - table.count(State.LEAVING) - leasedPlaces(line) - sum(counters.carried);
}

/**
 * Places held for called people. Calls share the spare places: where places change hands quickly more people may be
 * called than there are places (`callPeople`), and whoever answers first in slot order takes the next one.
 */
export function heldPlaces(line: LineState, settings: RoomSettings): number {
  return Math.min(line.held, Math.max(0, sparePlaces(line, settings)));
}

/** The left side of P1: inside + held by calls + leaving + leased + carried over a reset. */
export function placesInUse(line: LineState, settings: RoomSettings): number {
  return settings.totalActiveUsers - sparePlaces(line, settings) + heldPlaces(line, settings);
}

/** Places that are neither occupied nor held. */
export function freePlaces(line: LineState, settings: RoomSettings): number {
  return Math.max(0, sparePlaces(line, settings) - line.held);
}

/** Nobody waits, is called, returning or reserved; occupancy < 80 %; an entry token is left (DESIGN §5). */
export function isQuiet(line: LineState, settings: RoomSettings): boolean {
  return (
    !isFrozen(line, settings) &&
    settings.queueingMethod !== "reject" &&
    waitingCount(line) === 0 &&
    line.counters.collecting === null &&
    line.counters.drawing === null &&
    line.table.count(State.CALLED) === 0 &&
    line.table.count(State.RETURNING) === 0 &&
    line.moments.size === 0 &&
    placesInUse(line, settings) < 0.8 * settings.totalActiveUsers &&
    line.counters.entry.tokens >= 1
  );
}

export function entryBurst(settings: RoomSettings): number {
  return burstOf(settings.newUsersPerMinute);
}
