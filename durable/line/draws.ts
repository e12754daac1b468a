/**
 * The life of a draw (DESIGN §7): it opens with a commitment, counts entries, closes, and turns them into slots, once for ever. Pure; the
 * secret randomness is an argument. A lobby's draw and a window of `queueing_method = "random"` differ only in when they close.
 */
import { fromHex, toHex } from "../../src/core/bytes";
import { type DrandRound, publishedAtMs, roundAfter } from "../../src/core/drand";
import type { DrawCutoff, DrawOpening, DroppedDraw, DroppedWhy } from "../../src/core/draw";
import type { BeaconResult } from "../../src/core/draw-rules";
import { chainStart, chainStep, commitmentOf, digestOfKeys, recordOf } from "../../src/core/draw-sync";
import type { RoomSettings } from "../../src/core/settings-types";
import { horizonOf } from "./advance";
import type { AwaitingDraw, CollectingDraw } from "./draw-state";
import type { JoinFrom } from "./recent-joins";
import type { LineState } from "./state";

/** So many draws are in the manifest: an edge asks for older ones. */
const DRAWN_KEPT = 4;

/** One step of a Room that slept may open the lobby of each of 32 events, and a window. */
const SALTS_KEPT = 34;

/**
 * The shell calls it before anything else happens, so that every draw of the step finds its salt.
 * @param salt makes 32 secret random bytes; `after` = how many draws before this one
 */
export function supplySalts(line: LineState, salt: (after: number) => Uint8Array): void {
  const { counters, salts } = line;
  counters.nextSalt ??= toHex(salt(0));
  counters.nextWindowSalt ??= toHex(salt(1));
  while (salts.length < SALTS_KEPT) salts.push(toHex(salt(2 + salts.length)));
}

/** Open the next draw. @param closesAtMs when a window closes; null = a lobby */
export function openDraw(line: LineState, event: string, beacon: "drand" | "none", closesAtMs: number | null): CollectingDraw {
  const { counters } = line;
  const which = closesAtMs === null ? "nextSalt" : "nextWindowSalt";
  const salt = counters[which];
  if (salt === null) throw new Error("the next draw has no salt");
  const opening: DrawOpening = {
    room: line.room,
    generation: counters.generation,
    id: counters.nextDraw,
    event,
    commitment: commitmentOf(fromHex(salt)),
    beacon,
    openedAtMs: counters.now,
  };
  counters.nextDraw += 1;
  counters[which] = line.salts.shift() ?? null;
  counters.collecting = { ...opening, salt, closesAtMs, count: 0, chain: toHex(chainStart(opening)) };
  return counters.collecting;
}

/** Count an entry; its number. The chain follows once the whole batch is there. */
export function countEntry(line: LineState, draw: CollectingDraw, key: string, from: JoinFrom): number {
  line.draws.entering.push({ key, from });
  line.entryCounts.count(draw.id, from);
  draw.count += 1;
  return draw.count - 1;
}

/** Extend the chain by the entries counted since the last time. Returns the chain after them, or null if there were none. */
export function sealBatch(line: LineState): Uint8Array | null {
  const { entering, batches } = line.draws;
  const draw = line.counters.collecting;
  if (draw === null || entering.length === 0) return null;
  const first = draw.count - entering.length;
  const digest = digestOfKeys(entering.map(({ key }) => key));
  const chain = chainStep(fromHex(draw.chain), first, digest);
  draw.chain = toHex(chain);
  batches.push({
    draw: draw.id,
    first,
    digest,
    networks: entering.map(({ from }) => from.network),
    wides: entering.map(({ from }) => from.wide),
  });
  entering.length = 0;
  return chain;
}

/**
 * The cut-off at the line's own time: entries and chain are fixed, and the next slots are theirs. Without a beacon they are drawn at once.
 * @param heardAtMs when the Room really got to it: from then on it waits `beaconWaitMs` for the round
 */
export function closeDraw(line: LineState, settings: RoomSettings, heardAtMs: number): void {
  const { counters } = line;
  const draw = counters.collecting;
  if (draw === null) return;
  const { closesAtMs: _, salt, ...opened } = draw;
  const beaconWaitMs = draw.beacon === "none" ? 0 : settings.beaconWaitMs;
  const cutoff: DrawCutoff = { ...opened, base: counters.tail, closedAtMs: counters.now, beaconWaitMs };
  counters.collecting = null;
  counters.tail += draw.count;
  if (draw.beacon === "none") {
    finish(line, settings, cutoff, salt, null, heardAtMs);
    return;
  }
  const round = roundAfter(cutoff.closedAtMs);
  const fallbackAtMs = Math.max(publishedAtMs(round), heardAtMs) + settings.beaconWaitMs;
  const awaiting = { ...cutoff, salt, round, fallbackAtMs };
  if (counters.drawing === null) counters.drawing = awaiting;
  else counters.awaiting.push(awaiting);
}

/** A round has come at `now`. One that is not awaited, or not any longer, changes nothing. Before the step's time: a round in hand is not too late. */
export function takeRound(line: LineState, settings: RoomSettings, { round, randomness, signature }: DrandRound, now: number): void {
  if (line.counters.drawing?.round === round) finishDraw(line, settings, { randomness, signature }, now);
}

/** The round was asked for and could not be had. */
export function noteSilence(line: LineState, round: number): void {
  line.silentRound = round;
}

/** The wait is over, and it was not for want of asking. */
export function fallBack(line: LineState, settings: RoomSettings): void {
  const { drawing, now } = line.counters;
  if (drawing !== null && drawing.fallbackAtMs <= now && drawing.round === line.silentRound) finishDraw(line, settings, "fallback", now);
}

function finishDraw(line: LineState, settings: RoomSettings, result: Exclude<BeaconResult, null>, now: number): void {
  const { drawing } = line.counters;
  if (drawing === null) return;
  const { salt, round: _, fallbackAtMs: __, ...cutoff } = drawing;
  line.counters.drawing = line.counters.awaiting.shift() ?? null;
  finish(line, settings, cutoff, salt, result, now);
}

/** @param now when it really takes place; the line's own time may still be that of the cut-off */
function finish(line: LineState, settings: RoomSettings, cutoff: DrawCutoff, salt: string, result: BeaconResult, now: number): void {
  const { counters } = line;
  const { id, event, base, count } = cutoff;
  const drawnAtMs = Math.max(counters.now, now);
  const record = recordOf(cutoff, fromHex(salt), result, drawnAtMs);
  line.draws.records.push(record);
  counters.drawn = [{ id, base, count, seed: record.seed }, ...counters.drawn].slice(0, DRAWN_KEPT);
  if (event !== "") {
    counters.settling = { base, below: base + count, drawnAtMs };
    // Until now these slots were nobody's: that they were not seen says nothing.
    line.sightings.forgetMarks();
  } else {
    // Joining was being seen, a window ago.
    for (let slot = base; slot < Math.min(base + count, horizonOf(line, settings)); slot++) line.sightings.see(slot, counters.now);
  }
}

/** The draw that counts entries will never take place. */
export function dropCollecting(line: LineState, why: DroppedWhy): void {
  const { collecting, now } = line.counters;
  if (collecting === null) return;
  line.draws.dropped.push(droppedDraw(collecting, why, now));
  line.draws.entering.length = 0;
  line.counters.collecting = null;
}

/** What stays of a draw that never takes place. */
export function droppedDraw(draw: CollectingDraw | AwaitingDraw, dropped: DroppedWhy, now: number): DroppedDraw {
  const { id, room, generation, event, commitment, openedAtMs, count, chain } = draw;
  const times = { openedAt: new Date(openedAtMs).toISOString(), at: new Date(now).toISOString() };
  return { id, room, generation, event, commitment, count, chain, dropped, ...times };
}
