/** The schedule and the draws as the world sees them: their part of the manifest, of the operator's numbers, and records to come. Pure. */

import { fromHex } from "../../src/core/bytes";
import type { PendingDraw } from "../../src/core/draw";
import { ALGORITHM } from "../../src/core/draw-rules";
import { commitmentOf, entriesHashOf } from "../../src/core/draw-sync";
import type { Lobby, Manifest, NOTHING_PLANNED } from "../../src/core/manifest";
import { opensAtMs, stageAt } from "../../src/core/schedule";
import type { PublicTotals, RoomSettings } from "../../src/core/settings-types";
import { openDraw } from "../../src/core/settings-warnings";
import type { Stats } from "../../src/core/stats";
import { isClosed, type LineState, waitingCount } from "./state";

/** `rounded`: two figures. */
export function shown(value: number, as: PublicTotals): number | null {
  if (as === "hidden") return null;
  if (as === "exact" || value < 100) return value;
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.round(value / unit) * unit;
}

/** @param settings those in force */
export function plannedOf(line: LineState, settings: RoomSettings): Pick<Manifest, keyof typeof NOTHING_PLANNED> {
  const { collecting, drawn, nextWindowSalt, now } = line.counters;
  const stage = stageAt(settings, now);
  const window = collecting !== null && collecting.closesAtMs !== null ? collecting : null;
  return {
    lobby: lobbyOf(line, settings),
    window: window && { draw: window.id, closesAt: window.closesAtMs ?? now, commitment: window.commitment },
    next: nextLobby(line, settings),
    nextWindow: settings.queueingMethod === "random" && nextWindowSalt !== null ? commitmentOf(fromHex(nextWindowSalt)) : null,
    draws: drawn,
    opensAt: isClosed(line, settings) ? nextOpening(settings, now) : null,
    cancelled: stage.in === "cancelled" ? { event: stage.event.name, message: stage.event.cancelled ?? "" } : null,
  };
}

function nextOpening({ events }: RoomSettings, now: number): number | null {
  const next = events.find((event) => event.cancelled === null && opensAtMs(event) > now);
  return next === undefined ? null : opensAtMs(next);
}

/** The shuffled lobby that opens next: its commitment is there from when the event is planned on. */
function nextLobby({ counters: { now, nextSalt } }: LineState, { events }: RoomSettings): Manifest["next"] {
  const next = events.find(({ shuffle, cancelled, prequeueStartMs }) => shuffle && cancelled === null && (prequeueStartMs ?? 0) > now);
  if (next === undefined || nextSalt === null) return null;
  return { event: next.name, opensAt: opensAtMs(next), commitment: commitmentOf(fromHex(nextSalt)) };
}

/** The lobby that is open, or whose draw has not taken place yet. */
function lobbyOf(line: LineState, settings: RoomSettings): Lobby | null {
  const { counters } = line;
  const stage = stageAt(settings, counters.now);
  const draw = stage.in === "lobby" ? counters.collecting : counters.drawing;
  const event = stage.in === "lobby" ? stage.event : settings.events.find(({ name }) => name === counters.drawing?.event);
  if (draw === null && stage.in !== "lobby") return null;
  const startsAt = event?.startMs ?? counters.drawing?.closedAtMs ?? counters.now;
  return {
    event: event?.name ?? draw?.event ?? "",
    draw: draw?.id ?? null,
    entries: shown(draw === null ? waitingCount(line) : draw.count, settings.publicTotals),
    opensAt: event ? opensAtMs(event) : startsAt,
    startsAt,
    endsAt: event?.endMs ?? startsAt,
    plannedAt: counters.lobby?.plannedAtMs ?? startsAt,
    utcOffsetMinutes: event?.utcOffsetMinutes ?? 0,
    commitment: draw?.commitment ?? null,
    beacon: draw?.beacon ?? "none",
  };
}

/** @param settings those in force */
export function plannedStatsOf({ counters, entrySightings }: LineState, settings: RoomSettings): Pick<Stats, "event" | "draw"> {
  const { collecting, drawing, now } = counters;
  const stage = stageAt(settings, now);
  const event = "event" in stage ? stage.event : null;
  const draw = collecting ?? drawing;
  return {
    event: event && {
      name: event.name,
      stage: stage.in as "lobby" | "event" | "cancelled",
      starts_at: new Date(event.startMs).toISOString(),
      ends_at: new Date(event.endMs).toISOString(),
    },
    draw: draw && {
      id: draw.id,
      event: draw.event,
      state: draw === drawing ? "drawing" : "collecting",
      entries: draw.count,
      unseen_entries: entrySightings.unseen(draw, now, settings.pollFarMs),
      commitment: draw.commitment,
      round: draw === drawing ? drawing.round : null,
      warnings: draw.event !== "" && settings.entry === "open" ? [openDraw(draw.event)] : [],
      networks: null,
      busiest_networks_share: null,
      ladder: null,
    },
  };
}

/** The record of the draw `id` as far as it is fixed, or null if no such draw is under way. Salt and seed are in none. */
export function pendingDraw({ counters }: LineState, settings: RoomSettings, id: number): PendingDraw | null {
  const { collecting, drawing, awaiting } = counters;
  const closed = [drawing, ...awaiting].find((each) => each?.id === id) ?? null;
  const draw = closed ?? (collecting?.id === id ? collecting : null);
  if (draw === null) return null;
  const { room, generation, event, commitment, count } = draw;
  return {
    id,
    algorithm: ALGORITHM,
    room,
    generation,
    event,
    commitment,
    openedAt: new Date(draw.openedAtMs).toISOString(),
    // What is still counted follows `public_totals`; what is fixed is public.
    count: closed === null ? shown(count, settings.publicTotals) : count,
    pending: closed === null ? "collecting" : "drawing",
    beaconRule: draw.beacon,
    closedAt: closed && new Date(closed.closedAtMs).toISOString(),
    base: closed?.base ?? null,
    entriesHash: closed && entriesHashOf(closed),
    chain: closed?.chain ?? null,
    beaconWaitMs: closed?.beaconWaitMs ?? null,
    round: closed?.round ?? null,
  };
}
