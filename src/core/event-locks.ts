/**
 * What may no longer change about an event that is on. Pure.
 * Those in its lobby were told a start, a way to enter and a commitment: the start may move until the cut-off, the rest stands.
 */
import { opensAtMs } from "./schedule";
import type { Problem } from "./settings";
import type { RoomEvent, RoomSettings } from "./settings-types";

/** Changes of events that are on at `now` (ms since the Unix epoch) for which it is too late. */
export function lockedProblems(before: RoomSettings, after: RoomSettings, now: number): Problem[] {
  return before.events.filter((event) => isOn(event, now)).flatMap((event) => lockedIn(event, before, after, now));
}

/** Events whose lobby would be over before it began. */
export function missedLobbies(before: RoomSettings, after: RoomSettings, now: number): Problem[] {
  const on = new Set(before.events.filter((event) => isOn(event, now)).map(({ name }) => name));
  return after.events
    .filter(
      (event) =>
        event.prequeueStartMs !== null && event.cancelled === null && event.startMs < now && now < event.endMs && !on.has(event.name),
    )
    .map(({ name, startMs }) => ({
      setting: `events.${name}.event_start_time`,
      problem: `is over (${iso(startMs)}): nobody could have been in the lobby. Leave prequeue_start_time out to begin at once`,
    }));
}

export function isOn(event: RoomEvent, now: number): boolean {
  return opensAtMs(event) <= now && now < event.endMs;
}

function lockedIn(event: RoomEvent, before: RoomSettings, after: RoomSettings, now: number): Problem[] {
  const problems: Problem[] = [];
  const refuse = (setting: string, problem: string) => problems.push({ setting: `events.${event.name}${setting}`, problem });
  const next = after.events.find(({ name }) => name === event.name);
  const begun = event.startMs <= now;
  if (event.cancelled !== null) {
    // Those who had entered are being told; without the event nobody would tell them, but nothing depends on it.
    if (next?.cancelled === null)
      refuse(".cancelled", "cannot be taken back: the event was called off. Plan another one under another name");
    return problems;
  }
  if (next === undefined) {
    if (event.prequeueStartMs === null) return [];
    const instead = begun ? "to end it, set its event_end_time" : "cancel it instead, so that everybody in it is told";
    refuse("", `has opened its lobby, and can be neither removed, renamed nor suspended any more: ${instead}`);
    return problems;
  }
  if (next.startMs !== event.startMs) {
    if (begun) refuse(".event_start_time", `was ${iso(event.startMs)}: the cut-off is past, the start cannot be moved any more`);
    else if (next.startMs < now) refuse(".event_start_time", `is past (${iso(next.startMs)}): start it now instead`);
  }
  if (begun && next.cancelled !== null) refuse(".cancelled", "comes too late: the event has begun. To end it, set its event_end_time");
  if (next.prequeueStartMs !== event.prequeueStartMs) refuse(".prequeue_start_time", "cannot change any more: that time has come");
  if (next.shuffle !== event.shuffle) refuse(".shuffle_at_event_start", "cannot change any more: the lobby has opened");
  if (next.keepSessions !== event.keepSessions) refuse(".keep_sessions", "cannot change any more: the lobby has opened");
  if (!event.shuffle) return problems;
  const [was, is] = [
    { ...before, ...event.overrides },
    { ...after, ...next.overrides },
  ];
  const stands = "cannot change until the event is over: the draw was announced with it";
  if (was.beacon !== is.beacon) refuse(".beacon", stands);
  if (was.beaconWaitMs !== is.beaconWaitMs) refuse(".beacon_wait_seconds", stands);
  return problems;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
