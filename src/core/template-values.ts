/**
 * What a template of the operator's own can say of a visitor: Cloudflare's variables under its names and with its meanings, and ours beside
 * them. Pure. Numbers and booleans are always numbers and booleans, so that a script of the template may be written around them
 * (`var minutes = {{waitTime}};`): what is not known is 0 or false.
 * Source of Cloudflare's: the descriptions of `custom_page_html` and `json_response_enabled` in its API.
 */
import { type CfWaitingRoom, cfWaitingRoom } from "./cf-waiting-room";
import { reloadAfterS } from "./reload";
import type { RoomSettings } from "./settings-types";
import type { Status } from "./status";
import type { Telling } from "./telling";
import type { Kind } from "./words";

export type TemplateValues = CfWaitingRoom & CfTimes & OwnValues;

interface CfTimes {
  /** Whole hours of the wait, and the minutes beyond them. */
  readonly waitTimeHours: number;
  readonly waitTimeHourMinutes: number;
}

/** In the visitor's language where they are words. */
interface OwnValues {
  readonly room: string;
  readonly title: string;
  /** The operator's; "" = none. */
  readonly message: string;
  readonly language: string;
  readonly direction: "ltr" | "rtl";
  /** Which page it would be of ours (docs/states.md). */
  readonly state: Kind;
  readonly heading: string;
  readonly text: string;
  readonly estimate: string;
  readonly aheadKnown: boolean;
  readonly ahead: number;
  readonly reference: string;
  readonly isYourTurn: boolean;
  readonly isPaused: boolean;
  readonly isOver: boolean;
  /** A path, or "". */
  readonly logo: string;
}

/** Every name, with what it means, for docs/own-page.md. */
export const CF_VARIABLES = {
  inWaitingRoom: "always true",
  waitTimeKnown: "there is an estimate",
  waitTime: "estimated wait, whole minutes",
  waitTimeHours: "whole hours of it",
  waitTimeHourMinutes: "minutes beyond those hours",
  waitTime25Percentile: "of a random queue, minutes; else 0",
  waitTime50Percentile: "of a random queue, minutes; else 0",
  waitTime75Percentile: "of a random queue, minutes; else 0",
  waitTimeFormatted: "in English words, `unavailable` if unknown",
  queueIsFull: "no newcomer is accepted now",
  queueAll: "nobody is let in now",
  lastUpdated: "ISO 8601, UTC",
  refreshIntervalSeconds: "when the page loads again; 0: it does not",
  queueingMethod: "`fifo`, `random`, `passthrough` or `reject`",
  isFIFOQueue: "the method as a switch",
  isRandomQueue: "the method as a switch",
  isPassthroughQueue: "the method as a switch",
  isRejectQueue: "the method as a switch",
  isEventActive: "from the lobby to the end of an event",
  isEventPrequeueing: "its lobby is open",
  timeUntilEventStart: "minutes",
  timeUntilEventStartFormatted: "in English words, else `unavailable`",
  timeUntilEventEnd: "minutes",
  timeUntilEventEndFormatted: "in English words, else `unavailable`",
  shuffleAtEventStart: "its places are drawn",
  turnstile: "always empty: newcomers are checked on our page, before they wait",
  infiniteQueue: "always false",
} as const satisfies Record<keyof (CfWaitingRoom & CfTimes), string>;

export const OWN_VARIABLES = {
  room: "its name",
  title: "the setting",
  message: "the setting, in the visitor's language; empty if there is none",
  language: "of the visitor, as in `<html lang>`",
  direction: "`ltr` or `rtl`",
  state: "the name of the state in [states.md](states.md)",
  heading: "what our page has as its heading, in the visitor's language",
  text: "what our page says below it",
  estimate: "the wait as our page tells it; empty where it tells none",
  aheadKnown: "there is a number of people ahead",
  ahead: "that number, exact; 0 where there is none, or `position_display` hides it",
  reference: "the visitor's reference code, for support; empty if there is none",
  isYourTurn: "the page goes in when it loads again",
  isPaused: "entry is paused",
  isOver: "there is nothing to wait for any more",
  logo: "the path of the logo; empty if there is none",
} as const satisfies Record<keyof OwnValues, string>;

export interface TemplateView {
  readonly status: Status;
  readonly settings: Pick<RoomSettings, "queueingMethod" | "events" | "closedOutsideEvents" | "positionDisplay">;
  readonly telling: Telling;
  readonly title: string;
  readonly language: string;
  readonly direction: "ltr" | "rtl";
  /** A path, or "". */
  readonly logo: string;
}

export function templateValues({ status, settings, telling, title, language, direction, logo }: TemplateView): TemplateValues {
  const cf = cfWaitingRoom(status, settings).cfWaitingRoom;
  const ahead = telling.count === null ? null : status.ahead;
  return {
    ...cf,
    refreshIntervalSeconds: telling.ask === null ? 0 : reloadAfterS(status),
    waitTimeHours: Math.floor(cf.waitTime / 60),
    waitTimeHourMinutes: cf.waitTime % 60,
    room: status.room,
    title,
    message: status.message,
    language,
    direction,
    state: telling.kind,
    heading: telling.heading,
    text: telling.body.join(" "),
    estimate: telling.estimate ?? "",
    aheadKnown: ahead !== null,
    ahead: ahead ?? 0,
    reference: status.reference ?? "",
    isYourTurn: telling.enters,
    isPaused: telling.kind === "paused",
    isOver: telling.ask === null,
    logo,
  };
}
