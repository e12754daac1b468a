/**
 * The Room's alarm: a watchdog that keeps the line moving when no call comes, or the next change of the schedule. Touches the alarm only.
 * Correctness never depends on it: every call does what the alarm would have done. It may be late, double or lost.
 */

/**
 * Between two alarms while somebody waits, ms. The buckets hold at least two entries: with a longer gap a crowd that
 * rarely asks would get less than its rate.
 */
export const ALARM_EVERY_MS = 2_000;

export class Watchdog {
  readonly #storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm" | "deleteAlarm">;
  /** When the next alarm is due as far as this memory knows, wall ms; null = none. */
  #dueAt: number | null = null;
  #watching = false;

  constructor(storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm" | "deleteAlarm">) {
    this.#storage = storage;
  }

  /** This memory knows of an alarm every few seconds: a long silence is then not normal. */
  get armed(): boolean {
    return this.#watching;
  }

  async arm(wall: number): Promise<void> {
    await this.#storage.setAlarm(wall + ALARM_EVERY_MS);
    this.#dueAt = wall + ALARM_EVERY_MS;
    this.#watching = true;
  }

  /** Nothing to watch: sleep, until `at` (wall ms) if it is not null. */
  async rest(at: number | null): Promise<void> {
    if (at === null) await this.#storage.deleteAlarm();
    else await this.#storage.setAlarm(at);
    this.#dueAt = at;
    this.#watching = false;
  }

  /** See to it that an alarm is due at `at` or before (wall ms). Costs nothing while a known one is. */
  async wake(wall: number, at: number): Promise<void> {
    const isEnough = (dueAt: number | null) => dueAt !== null && dueAt <= at && dueAt >= wall - 2 * ALARM_EVERY_MS;
    if (isEnough(this.#dueAt)) return;
    const stored = await this.#storage.getAlarm();
    if (isEnough(stored)) this.#dueAt = stored;
    else await this.rest(at);
  }

  /** See to it that an alarm is due. Costs nothing while the known one is on time, a read to find one, a write to repair. */
  async repair(wall: number): Promise<void> {
    if (onTime(this.#dueAt, wall)) return;
    const stored = await this.#storage.getAlarm();
    if (!onTime(stored, wall)) return this.arm(wall);
    this.#dueAt = stored;
    this.#watching = true;
  }
}

/** Not lost (overdue by two gaps) and not put far off by a clock that was wrong. */
function onTime(dueAt: number | null, wall: number): boolean {
  return dueAt !== null && Math.abs(dueAt - wall) <= 2 * ALARM_EVERY_MS;
}
