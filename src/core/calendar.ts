/**
 * An event, or somebody's likely turn, as an iCalendar file (RFC 5545) with an alarm ten minutes before. Pure: the time is an argument. Times
 * are in UTC, so no time zone has to be described. The same thing keeps its UID when it is moved, so that a calendar replaces it.
 */

export interface CalendarEntry {
  /** `id`: what tells it from others of the room. Times are ms since the Unix epoch. */
  readonly what: { readonly id: string; readonly startsAt: number; readonly endsAt: number };
  readonly room: string;
  readonly host: string;
  readonly title: string;
  /** Absolute URL that leads back into the room. */
  readonly url: string;
  /** ms since the Unix epoch. */
  readonly now: number;
}

export function calendarFile({ what, room, host, title, url, now }: CalendarEntry): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Vestibule//Waiting room//EN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:${text(`${what.id}.${room}@${host}`)}`,
    `DTSTAMP:${utc(now)}`,
    `SEQUENCE:${Math.floor(now / 1_000)}`,
    `DTSTART:${utc(what.startsAt)}`,
    `DTEND:${utc(what.endsAt)}`,
    `SUMMARY:${text(title)}`,
    `URL:${url}`,
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${text(title)}`,
    "TRIGGER:-PT10M",
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function utc(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

/** Value type TEXT: backslash, semicolon, comma and line breaks are escaped, other control characters left out. */
function text(value: string): string {
  return value
    .replace(/[\\;,]/g, "\\$&")
    .replace(/\r\n|\r|\n/g, "\\n")
    .replace(/\p{Cc}/gu, "");
}

/** Lines of at most 75 octets; what follows begins with a blank. Never within a character. */
function folded(line: string): string {
  const octets = new TextEncoder();
  let out = "";
  let used = 0;
  for (const character of line) {
    const size = octets.encode(character).length;
    if (used + size > 75) {
      out += "\r\n ";
      used = 1;
    }
    out += character;
    used += size;
  }
  return out;
}
