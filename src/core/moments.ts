/**
 * Instants as people read them: in the visitor's own zone where it is known, and where the event takes place. Pure: the zone is an argument.
 * The event's zone is an offset that the operator wrote, so nothing here depends on daylight saving rules.
 */

/** How the visitor writes dates, and where they are. Known in a browser only. */
export interface OwnTime {
  /** BCP 47. */
  readonly locale: string;
  /** IANA name. */
  readonly zone: string;
}

const DAY_TIME = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An instant in the visitor's zone, with the zone's name. */
export function instantHere(at: number, { locale, zone }: OwnTime): string {
  return new Intl.DateTimeFormat(locale, { ...DAY_TIME, timeZone: zone, timeZoneName: "short" }).format(at);
}

/** An instant in the zone `offsetMinutes` east of UTC, with that offset. */
export function instantThere(at: number, locale: string, offsetMinutes: number): string {
  return `${shifted(at, locale, offsetMinutes)} (${offsetName(offsetMinutes)})`;
}

/** Do the visitor's clock and the event's show the same at that instant? */
export function isSameClock(at: number, { locale, zone }: OwnTime, offsetMinutes: number): boolean {
  return new Intl.DateTimeFormat(locale, { ...DAY_TIME, timeZone: zone }).format(at) === shifted(at, locale, offsetMinutes);
}

/** What the clock shows between two instants, "10:31 – 10:36": each rounded outwards to `stepMs`. */
export function clockRange(from: number, to: number, { locale, zone }: OwnTime, stepMs: number): string {
  const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", timeZone: zone });
  return clock.formatRange(Math.floor(from / stepMs) * stepMs, Math.ceil(to / stepMs) * stepMs);
}

/** Time left, in two units: "2 days, 3 hours", "12 minutes, 5 seconds". Rounded up, so that it is never over too early. */
export function timeLeft(ms: number, lang: string): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const parts = (
    ms >= DAY_MS
      ? [part(seconds / 86_400, "day", lang), part((seconds / 3_600) % 24, "hour", lang)]
      : ms >= HOUR_MS
        ? [part(seconds / 3_600, "hour", lang), part((seconds / 60) % 60, "minute", lang)]
        : [part(seconds / 60, "minute", lang), part(seconds % 60, "second", lang)]
  ).filter((text) => text !== null);
  const list = parts.length === 0 ? [unit("second", lang).format(0)] : parts;
  return new Intl.ListFormat(lang, { type: "unit", style: "long" }).format(list);
}

function shifted(at: number, locale: string, offsetMinutes: number): string {
  return new Intl.DateTimeFormat(locale, { ...DAY_TIME, timeZone: "UTC" }).format(at + offsetMinutes * MINUTE_MS);
}

function offsetName(minutes: number): string {
  if (minutes === 0) return "UTC";
  const pad = (n: number) => String(n).padStart(2, "0");
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? "−" : "+"}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

function part(n: number, name: "day" | "hour" | "minute" | "second", lang: string): string | null {
  const whole = Math.floor(n);
  return whole === 0 ? null : unit(name, lang).format(whole);
}

function unit(name: string, lang: string): Intl.NumberFormat {
  return new Intl.NumberFormat(lang, { style: "unit", unit: name, unitDisplay: "long" });
}
