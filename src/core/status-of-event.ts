/**
 * What people are told before a room's doors open, while places are drawn, and outside its events. Pure; no clock, no I/O.
 * Everything from the manifest is Room time.
 */
import { gapForEntry, gapForSlot, gapUntilDealt, gapUntilOpen } from "./doors";
import type { Lobby, Manifest } from "./manifest";
import type { Status } from "./status";
import { slowPoll, statusWith, type Told, waitingTotal } from "./status-parts";
import type { Receipt } from "./token-types";

/** Until this isolate has heard of the draw, ms. */
const UNHEARD_POLL_MS = 2_000;

function eventOf({ event, opensAt, startsAt, plannedAt, endsAt, utcOffsetMinutes, entries, commitment, beacon }: Lobby) {
  return { name: event, opensAt, startsAt, plannedAt, endsAt, utcOffsetMinutes, entries, commitment, beacon };
}

const delayOf = ({ startsAt, plannedAt }: Lobby) => (startsAt > plannedAt ? "delayed" : null);

/** Somebody whose entry has no slot yet. The room is neither off nor sold out. */
export function entryStatus(
  told: Told,
  { draw, entry }: Pick<Receipt, "draw" | "entry">,
  why: "restarted" | "room-unreachable" | null = null,
): Status {
  const { manifest, settings, now } = told;
  const held = { draw: { id: draw, entry } };
  if (manifest === null || why === "room-unreachable") {
    return statusWith(told, { ...held, state: "joining", reason: "room-unreachable", pollAfterMs: slowPoll(settings) });
  }
  const { lobby, window } = manifest;
  if (lobby?.draw === draw) {
    const gap = gapForEntry(lobby, now, settings, entry);
    const event = eventOf(lobby);
    if (manifest.phase === "drawing") return statusWith(told, { ...held, ...gap, state: "drawing", event });
    return statusWith(told, { ...held, ...gap, state: "lobby", event, reason: why ?? delayOf(lobby) });
  }
  if (window?.draw === draw) {
    return statusWith(told, { ...held, ...gapUntilDealt(window.closesAt, now, settings, entry), state: "drawing", reason: why });
  }
  return statusWith(told, { ...held, state: "joining", pollAfterMs: UNHEARD_POLL_MS });
}

/** Somebody with a slot, in a lobby: nobody moves, and they go in before those who are drawn. */
export function lobbyStatus(told: Told, manifest: Manifest, slot: number, why: "restarted" | null = null): Status {
  const ahead = Math.max(0, slot - manifest.admittedEpoch);
  const known = { state: "lobby", slot, ahead, waiting: waitingTotal(manifest, ahead) } as const;
  const { lobby } = manifest;
  if (lobby === null) return statusWith(told, { ...known, reason: why, pollAfterMs: told.settings.pollNearMs });
  const gap = gapForSlot(lobby, told.now, told.settings, ahead);
  return statusWith(told, { ...known, ...gap, event: eventOf(lobby), reason: why ?? delayOf(lobby) });
}

/** Outside the room's events. A slot is kept; without one there is none to be had. */
export function closedStatus(told: Told, slot: number | null): Status {
  const opensAt = told.manifest?.opensAt ?? null;
  const reason = told.manifest?.cancelled ? "cancelled" : "outside-events";
  const opens = opensAt === null ? {} : { opensAt };
  return statusWith(told, { state: "closed", slot, reason, ...opens, ...gapUntilOpen(opensAt, told.now, told.settings) });
}

/** The event was called off, and the draw with it. */
export function cancelledStatus(told: Told, { draw, entry }: Pick<Receipt, "draw" | "entry">): Status {
  return statusWith(told, { state: "ended", reason: "cancelled", draw: { id: draw, entry }, pollAfterMs: told.settings.pollFarMs });
}

/** The visitor left the lobby; the entry stays counted, or whoever leaves could change N after others have seen it. */
export function leftLobbyStatus(told: Told, { draw, entry }: Pick<Receipt, "draw" | "entry">): Status {
  return statusWith(told, { state: "ended", reason: "left", draw: { id: draw, entry }, pollAfterMs: told.settings.pollFarMs });
}
