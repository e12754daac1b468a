/** One visitor in each state that an operator should have seen before a sale. Numbers are made up; words, message and title are the room's. Pure. */
import type { Status } from "../../src/core/status";

const nobody = { slot: null, ahead: null, waiting: null, eta: null } as const;
const placed = { ahead: null, eta: null } as const;
const ended = { ...placed, state: "ended" } as const;

/** What an operator calls it, and what differs from somebody far back in line. @param now ms since 1970 */
export function samples(now: number): Readonly<Record<string, Partial<Status>>> {
  const event = {
    ...{ name: "sale", opensAt: now - 1_080_000, startsAt: now + 720_000, plannedAt: now + 720_000, endsAt: now + 7_920_000 },
    ...{ utcOffsetMinutes: -new Date(now).getTimezoneOffset(), entries: 18_312, commitment: "5e88…", beacon: "none" as const },
  };
  const lobby = { ...nobody, state: "lobby", phase: "lobby", event, draw: { id: 7, entry: 4_711 } } as const;
  return {
    Waiting: {},
    "Nearly there": { ahead: 12, eta: { minSeconds: 40, maxSeconds: 90 } },
    Slow: { reason: "slow", eta: { minSeconds: 5_400, maxSeconds: 9_000 } },
    Paused: { state: "paused", phase: "paused", reason: "paused", eta: null },
    "Nobody is let in": { reason: "rate-zero", eta: null },
    "It is their turn": { ...placed, state: "called", ahead: 0, holdForMs: 18_000, validForMs: 178_000 },
    "One moment": { ...placed, state: "called", ahead: 0, reason: "moment", dueInMs: 2_400 },
    "Missed the turn": { ...placed, state: "returning", ahead: 0, reason: "missed-away", validForMs: 900_000 },
    "Went in elsewhere": { ...placed, state: "void", reason: "taken-over", takeoversLeft: 2 },
    "Visit is over": { ...ended, reason: "session-over" },
    "Line was emptied": { ...ended, reason: "flushed" },
    "New line": { reason: "restarted", eta: null },
    "Sold out": { ...ended, phase: "ended", reason: "sold-out" },
    "Line is full": { ...nobody, state: "full" },
    "Joins are stopped": { ...nobody, state: "closed", reason: "joins-stopped" },
    "Too many from one network": { ...nobody, state: "refused", reason: "network-limit" },
    "Cookies are off": { ...nobody, state: "refused", reason: "cookies-needed" },
    Lobby: lobby,
    "Starts later": { ...lobby, reason: "delayed", event: { ...event, plannedAt: now + 120_000 } },
    "Places are drawn": { ...lobby, state: "drawing", phase: "drawing" },
    "Called off": { ...nobody, state: "ended", reason: "cancelled", draw: { id: 7, entry: 4 } },
    "Before the next event": { ...nobody, state: "closed", phase: "closed", reason: "outside-events", opensAt: now + 86_400_000 },
    "Room does not answer": { reason: "room-unreachable" },
    "Asked for an invitation": { ...nobody, state: "refused", reason: "invitation-needed" },
  };
}

export function sampleStatus(room: string, message: string, now: number, change: Partial<Status>): Status {
  return {
    ...{
      state: "waiting",
      room,
      slot: 2_493,
      ahead: 1_204,
      waiting: 2_300,
      eta: { minSeconds: 620, maxSeconds: 840 },
      phase: "open",
      message,
    },
    ...{ now, pollAfterMs: 20_000, reason: null, reference: "7F3K-92AB" },
    ...change,
  };
}
