/** A change of the rate in steps over some minutes. Pure: the console asks what holds now, so that a slept tab catches up at once. */

export interface Ramp {
  readonly from: number;
  readonly to: number;
  readonly startMs: number;
  readonly lengthMs: number;
}

/** Each step is a revision: not more of them than one can read. */
const STEP_MS = 15_000;
const STEPS_MAX = 20;

export function stepMs({ lengthMs }: Ramp): number {
  return Math.max(STEP_MS, lengthMs / STEPS_MAX);
}

/** The rate that should hold; whole numbers where the ends are. The first step is taken at once. */
export function rateAt(ramp: Ramp, nowMs: number): number {
  const steps = Math.max(1, Math.ceil(ramp.lengthMs / stepMs(ramp)));
  const done = Math.min(steps, Math.floor((nowMs - ramp.startMs) / stepMs(ramp)) + 1);
  if (done >= steps) return ramp.to;
  const value = ramp.from + ((ramp.to - ramp.from) * done) / steps;
  return Number.isInteger(ramp.from) && Number.isInteger(ramp.to) ? Math.round(value) : Math.round(100 * value) / 100;
}

export function isOver(ramp: Ramp, nowMs: number): boolean {
  return rateAt(ramp, nowMs) === ramp.to;
}
