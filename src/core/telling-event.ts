/**
 * The parts of a telling that depend on an event or a draw: times, how many have entered, what decides the order. Pure.
 * A value that is not known is left out, and with it the sentence that needs it.
 */
import { plural } from "./durations";
import { instantHere, instantThere, isSameClock, type OwnTime } from "./moments";
import type { Status } from "./status";
import type { PageWords } from "./words";

type Values = Readonly<Record<string, string | undefined>>;

/** Values for the placeholders of a kind's sentences. */
export function eventValues(status: Status, words: PageWords, lang: string, own: OwnTime | undefined): Values {
  return { ...momentsOf(status, lang, own), ...drawOf(status, words, lang) };
}

/** An entry without a slot. */
export function inLobby({ draw, slot }: Status): boolean {
  return draw !== undefined && slot === null;
}

function momentsOf({ event, opensAt }: Status, lang: string, own: OwnTime | undefined): Values {
  const offset = event?.utcOffsetMinutes ?? 0;
  const say = (at: number | undefined) => {
    if (at === undefined) return undefined;
    return own === undefined ? instantThere(at, lang, offset) : instantHere(at, own);
  };
  const differs = event !== undefined && own !== undefined && !isSameClock(event.startsAt, own, offset);
  return {
    starts: say(event?.startsAt),
    planned: say(event?.plannedAt),
    opens: say(opensAt),
    startsThere: differs ? instantThere(event.startsAt, own.locale, offset) : undefined,
  };
}

function drawOf(status: Status, words: PageWords, lang: string): Values {
  const { event } = status;
  if (event === undefined) return {};
  const entered = event.entries === null || event.commitment === null ? undefined : plural(words.entered, event.entries, lang);
  if (event.commitment === null || !inLobby(status)) return { entered };
  const seal = words.sealed.replaceAll("{commitment}", `${event.commitment.slice(0, 16)}…`);
  return { entered, random: words.randomPlace, sealed: `${seal} ${event.beacon === "drand" ? words.beaconRule : words.beaconNone}` };
}

/** The draw that somebody can read up on; null = theirs is not from one. */
export function drawLink({ draw, slot, state }: Status, words: PageWords): { readonly id: number; readonly text: string } | null {
  if (draw === undefined || state === "inside") return null;
  return { id: draw.id, text: slot === null ? words.howDrawn : words.checkDraw };
}
