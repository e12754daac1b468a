/**
 * One exchange with an edge isolate: time passes, then its leaves, renewals, claims, joins, sightings and lease. Pure.
 * Deterministic in (state, settings, batch, now, random); work is O(batch) plus what fell due.
 */
import { type Batch, decodeSightings, type Reply } from "../../src/core/exchange";
import { readOutcomes } from "../../src/core/origin-outcomes";
import type { RoomSettings } from "../../src/core/settings-types";
import { noteAttempt } from "./advance";
import { watchAttempts } from "./attack";
import { claim, renew } from "./claims";
import { joinAll } from "./joins";
import { leaseUnits } from "./leases";
import { leave } from "./leaves";
import { takeNotes } from "./notes";
import { reissueAll } from "./reissues";
import { proceed } from "./schedule";
import { settingsNow } from "./slow-down";
import type { LineState } from "./state";

/** More newcomers than one isolate can ask between two batches. */
const MOST_ASKED = 1_000_000;
/** Most items of one kind in a batch; an edge sends far fewer, a hostile caller cannot reach this interface. */
const MAX_SIGHTINGS = 65_536;

/**
 * @param own the room's settings; an event that is on changes them.
 * @param now Room time, ms since the Unix epoch, monotone.
 * @param random numbers in [0, 1): jitter of session records.
 */
export function exchange(
  line: LineState,
  own: RoomSettings,
  batch: Batch,
  now: number,
  random: () => number,
): Omit<Reply, "manifest" | "v" | "config"> {
  line.sightings.heard(Math.max(now, line.counters.now));
  line.pacing.heard(batch.isolate, now, batch.colo);
  line.origin.note(readOutcomes(batch.origin), Math.max(now, line.counters.now));
  takeNotes(line, batch.notes, Math.max(now, line.counters.now));
  see(line, batch, Math.max(now, line.counters.now));
  proceed(line, own, now);
  const settings = settingsNow(line, own);
  const restarted = batch.generation !== line.counters.generation;
  // First of all: whoever is known anew may be let back in by the next request of the same batch.
  const reissues = restarted ? batch.reissues.map(() => ({ as: "restarted" as const })) : reissueAll(line, batch.reissues);
  const leaves = batch.leaves.map((request) => (restarted ? { as: "restarted" as const } : leave(line, settings, request)));
  const renewals = batch.renewals.map((request) => (restarted ? { as: "restarted" as const } : renew(line, settings, request, random)));
  const claims = batch.claims.map((request) => (restarted ? { as: "restarted" as const } : claim(line, settings, request, random)));
  const joins = joinAll(line, settings, batch.joins, random);
  if (Number(batch.asked) > 0) noteAttempt(line, Math.min(MOST_ASKED, Number(batch.asked)));
  watchAttempts(line, settings);
  // A request that nobody vouches for gets into an open room only.
  const lease = settings.entry === "open" ? leaseUnits(line, settings, batch.leaseWanted) : null;
  // Whoever joined or came back may be called in the same step; the manifest of the reply shows it.
  proceed(line, own, now);
  return { joins, claims, renewals, leaves, reissues, lease, share: line.pacing.share(batch.isolate) };
}

function see(line: LineState, batch: Batch, now: number): void {
  if (batch.generation !== line.counters.generation) return;
  for (const slot of decodeSightings(batch.sightings.slice(0, MAX_SIGHTINGS))) {
    if (slot >= line.counters.epoch && slot < line.counters.tail) line.sightings.see(slot, now);
  }
  const { collecting, drawing } = line.counters;
  const draw = [collecting, drawing].find((each) => each?.id === batch.entriesSeen?.draw);
  if (!draw || batch.entriesSeen === null) return;
  for (const entry of decodeSightings(batch.entriesSeen.entries.slice(0, MAX_SIGHTINGS)))
    line.entrySightings.see(draw.id, entry, draw.count);
}
