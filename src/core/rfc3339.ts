/**
 * Times as operators write them: RFC 3339 with an offset, to the millisecond. Pure: no clock, no time zone database.
 * The offset says which instant is meant, so neither the zone of a computer nor daylight saving can move it (C76, C77).
 */

export interface Time {
  /** Since the Unix epoch. */
  readonly ms: number;
  /** East of UTC, as written. */
  readonly offsetMinutes: number;
}

export type ReadTime = ({ readonly ok: true } & Time) | { readonly ok: false; readonly problem: string };

export const TIME_SHAPE = 'a time with its offset in quotes, such as "2027-05-01T10:00:00+02:00" (RFC 3339)';

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/i;
const MINUTE_MS = 60_000;

/** The problem completes "must be". */
export function readTime(text: string): ReadTime {
  const refuse = (why: string): ReadTime => ({ ok: false, problem: `${TIME_SHAPE}; ${why}` });
  const [, year, month, day, hour, minute, second, fraction = "", offset] = DATE_TIME.exec(text) ?? [];
  if (year === undefined) return { ok: false, problem: TIME_SHAPE };
  if (offset === undefined) return refuse("without the offset nobody knows which hour is meant");
  if (second === undefined) return refuse("write the seconds too");
  if (second === "60") return refuse("leap seconds cannot be told apart from the next minute");
  if (hour === "24") return refuse("24:00 is 00:00 of the next day");
  const [offsetHours = 0, offsetRest = 0] = offset.slice(1).split(":").map(Number);
  if (offsetHours > 23 || offsetRest > 59) return refuse(`there is no offset ${offset}`);
  const offsetMinutes = (offset.startsWith("-") ? -1 : 1) * (offsetHours * 60 + offsetRest) + 0;
  const parts = [year, month, day, hour, minute, second].map(Number) as [number, number, number, number, number, number];
  const [y, m, ...rest] = parts;
  const wall = Date.UTC(y, m - 1, ...rest);
  const again = new Date(wall);
  const same = [again.getUTCFullYear(), again.getUTCMonth() + 1, again.getUTCDate(), again.getUTCHours(), again.getUTCMinutes()];
  if (same.some((part, i) => part !== parts[i]) || parts[5] > 59) return refuse("there is no such day or hour");
  return { ok: true, ms: wall + Math.round(Number(`0${fraction}`) * 1_000) - offsetMinutes * MINUTE_MS, offsetMinutes };
}

/** In its one spelling: capital letters, milliseconds only where there are some, UTC as `Z`. */
export function writeTime({ ms, offsetMinutes }: Time): string {
  const wall = new Date(ms + offsetMinutes * MINUTE_MS).toISOString().replace(/(?:\.000)?Z$/, "");
  const distance = Math.abs(offsetMinutes);
  const two = (n: number) => String(n).padStart(2, "0");
  const offset = `${offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(distance / 60))}:${two(distance % 60)}`;
  return wall + (offsetMinutes === 0 ? "Z" : offset);
}
