/**
 * Room time from the host's wall clock. Pure: no clock in here, readings are arguments. May not import anything.
 *
 * Room time never goes back. It follows the wall clock except for a jump that cannot be time that really passed: a
 * watchdog alarm comes every few seconds while people wait, and an object nobody calls leaves memory within 140 s. Such a
 * jump counts for one minute at once; the rest counts when the wall clock has stood by it for another minute. A host
 * whose clock is wrong for some seconds thus costs the Room a minute, not an hour of standing still until real time has
 * caught up. After a load from storage there is nothing to compare with and time has really passed: it is taken whole.
 */

/** Longest believable silence while an alarm is armed, and the most that a doubtful jump counts for at once, ms. */
export const STEP_MS = 60_000;
/** Longest believable silence in one memory without an alarm: idle objects leave memory after 70 to 140 s, ms. */
export const IDLE_MEMORY_MS = 150_000;

export interface Clock {
  /** Room time, ms since the Unix epoch. */
  readonly now: number;
  /** Wall reading that `now` was made from; null after a load from storage. */
  readonly wall: number | null;
  /** Wall reading since which a jump is in doubt; null = none. */
  readonly doubtSince: number | null;
}

/** The clock of a Room that was just loaded; `now` is the stored Room time, ms. */
export function loadedClock(now: number): Clock {
  return { now, wall: null, doubtSince: null };
}

/**
 * Room time at the wall reading `wall` (ms).
 * @param watched an alarm was armed since the last reading, so a silence of more than a minute is not real
 */
export function tick(clock: Clock, wall: number, watched: boolean): Clock {
  const at = (now: number, doubtSince: number | null = null): Clock => ({
    now: Math.max(clock.now, Math.min(now, wall)),
    wall,
    doubtSince,
  });
  if (clock.wall === null) return at(wall);
  const elapsed = Math.max(0, wall - clock.wall);
  const ahead = wall - clock.now;
  if (clock.doubtSince === null) {
    const believed = elapsed <= (watched ? STEP_MS : IDLE_MEMORY_MS) || ahead <= STEP_MS;
    return believed ? at(wall) : at(clock.now + STEP_MS, wall);
  }
  if (ahead <= STEP_MS || wall - clock.doubtSince >= STEP_MS) return at(wall);
  // The host's clock was set again meanwhile: the new reading has its own minute to stand.
  if (wall < clock.doubtSince) return at(clock.now, wall);
  return at(clock.now + elapsed, clock.doubtSince);
}
