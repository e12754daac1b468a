/**
 * What a change of rate or capacity will do, by arithmetic: how long a newcomer waits and how many are inside (Little's law). Pure.
 */

/** A tenth of the places is on its way to people who have been called. */
const USABLE_SHARE = 0.9;

export interface Room {
  /** Nobody enters: paused, off, ended, closed, in the lobby. */
  readonly isFrozen: boolean;
  readonly ratePerMinute: number;
  readonly places: number;
  /** In front of somebody who joins now. */
  readonly waiting: number;
  readonly inside: number;
  readonly joinsPerMinute: number;
  /** Slots that the line moves on for each person who enters: some of those who wait have gone. At least 1. */
  readonly slotsPerEntry: number;
  /** How long a visit lasts. */
  readonly visitMinutes: number;
}

export interface Outlook {
  /** null = nobody enters. */
  readonly newcomer_wait_minutes: number | null;
  readonly entering_per_minute: number;
  readonly expected_inside: number;
  /** What keeps more people from entering; `nobody-waits` = nothing does. */
  readonly limited_by: "stopped" | "rate" | "capacity" | "nobody-waits";
}

export function outlook(room: Room): Outlook {
  const byPlaces = (USABLE_SHARE * room.places) / Math.max(room.visitMinutes, 1 / 60);
  const most = room.isFrozen ? 0 : Math.min(room.ratePerMinute, byPlaces);
  if (most === 0) return { newcomer_wait_minutes: null, entering_per_minute: 0, expected_inside: 0, limited_by: "stopped" };
  const isIdle = room.waiting === 0 && room.joinsPerMinute <= most;
  const entering = isIdle ? room.joinsPerMinute : most;
  return {
    newcomer_wait_minutes: rounded(room.waiting / (most * Math.max(1, room.slotsPerEntry))),
    entering_per_minute: rounded(entering),
    expected_inside: Math.min(room.places, Math.round(entering * room.visitMinutes)),
    limited_by: isIdle ? "nobody-waits" : byPlaces < room.ratePerMinute ? "capacity" : "rate",
  };
}

function rounded(value: number): number {
  return Math.round(10 * value) / 10;
}
