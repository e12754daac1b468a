/**
 * From a visitor's status to what the page shows and says. Pure; the server and the browser call the same function,
 * so the first view and every update use the same words. No clock, no I/O, no HTML.
 */
import { estimate, fill, plural, span } from "./durations";
import { clockRange, instantHere, instantThere, type OwnTime } from "./moments";
import { positionOf } from "./position";
import type { PositionDisplay } from "./settings-types";
import { DOOR_REASONS, type Eta, type Status, type StatusReason } from "./status";
import { drawLink, eventValues, inLobby } from "./telling-event";
import type { Kind, PageWords, Plural } from "./words";

/** `place` = holds a place in the line (may leave, place notes). `ask` = how the page goes on: look, or try to join. */
interface Traits {
  readonly place?: true;
  readonly estimate?: true;
  readonly ask?: "status" | "join";
  /** Goes in by itself where the page is seen. */
  readonly enters?: true;
  readonly act?: Act;
}

/** The button that helps. `stay`: join here and now. */
type Act = "join" | "continue" | "retry" | "stay";

const waits: Traits = { place: true, estimate: true, ask: "status" };
const stands: Traits = { place: true, ask: "status" };
const joins: Traits = { ask: "join" };
const over: Traits = { act: "join" };
const retry: Traits = { act: "retry" };

const TRAITS: Readonly<Record<Kind, Traits>> = {
  joining: joins,
  "in-app": { ask: "join", act: "stay" },
  "joining-unreachable": joins,
  "storage-full": joins,
  waiting: waits,
  next: stands,
  nearly: waits,
  slow: waits,
  "not-moving": stands,
  restarted: waits,
  unreachable: stands,
  paused: stands,
  called: { ...stands, enters: true },
  moment: { ...stands, enters: true },
  missed: stands,
  "missed-others": stands,
  "welcome-back": stands,
  inside: { ask: "status", enters: true },
  "room-off": { ask: "status", enters: true },
  void: { act: "continue" },
  "void-final": over,
  left: over,
  removed: over,
  flushed: over,
  "turn-over": over,
  "visit-over": over,
  "network-changed": { act: "continue" },
  "place-void": over,
  ended: over,
  "sold-out": {},
  full: joins,
  closed: joins,
  "network-limit": joins,
  "network-refused": {},
  challenge: joins,
  lobby: stands,
  "lobby-line": stands,
  delayed: stands,
  drawing: stands,
  "awaiting-number": stands,
  dealing: stands,
  cancelled: over,
  "cancelled-line": waits,
  "outside-events": joins,
  rejected: retry,
  "left-lobby": over,
  "cookies-needed": retry,
  "invitation-needed": retry,
  "invitation-bad": retry,
  "invitation-expired": {},
  "invitation-other-room": {},
  "invitation-used": {},
  "identity-needed": retry,
  "identity-bad": retry,
  "identity-expired": retry,
  "identity-unchecked": joins,
};

/** Reasons that decide alone, whatever the state, and are kinds of their own name … */
const ALONE = [
  "cookies-needed",
  "room-off",
  "sold-out",
  "network-limit",
  "network-refused",
  "challenge",
  "storage-full",
  "cancelled",
  "rejected",
  "moment",
  "removed",
  "flushed",
  "place-void",
  "network-changed",
  ...DOOR_REASONS,
] as const satisfies readonly (StatusReason & Kind)[];

/** … or of another. */
const BY_REASON: Partial<Record<StatusReason, Kind>> = {
  "joins-stopped": "closed",
  "no-takeovers-left": "void-final",
  "in-app-browser": "in-app",
  "return-time-over": "turn-over",
  "session-over": "visit-over",
};

/** Times of day are told of waits up to this long … */
const CLOCK_MAX_S = 12 * 3_600;
/** … and longer than this, in steps of this, ms. */
const CLOCK_STEP_MS = 300_000;
/** From this wait on it is worth a calendar, seconds. */
const CALENDAR_MIN_S = 1_800;

/** Below this the page says "nearly there" (page notes §3.2), seconds. */
const NEARLY_S = 120;

export function kindOf(status: Status): Kind {
  const { state, reason, slot, ahead, eta, draw } = status;
  if (reason === "room-unreachable") return slot === null && draw === undefined ? "joining-unreachable" : "unreachable";
  if (reason === "left") return slot === null && draw !== undefined ? "left-lobby" : "left";
  if (reason === "cancelled" && (state === "waiting" || state === "paused")) return "cancelled-line";
  const alone = reason === null ? undefined : (BY_REASON[reason] ?? ALONE.find((each) => each === reason));
  if (alone !== undefined) return alone;
  switch (state) {
    case "waiting":
      if (status.phase === "paused" || reason === "paused") return "paused";
      if (reason === "restarted") return "restarted";
      if (reason === "rate-zero") return "not-moving";
      if (ahead === 0) return "next";
      if (eta !== null && eta.maxSeconds <= NEARLY_S) return "nearly";
      return reason === "slow" ? "slow" : "waiting";
    case "returning":
      if (reason !== "missed-away") return "welcome-back";
      return ahead === null || ahead === 0 ? "missed" : "missed-others";
    case "void":
      return status.takeoversLeft === 0 ? "void-final" : "void";
    case "refused":
      return "network-limit";
    case "lobby":
      if (reason === "restarted" || reason === "delayed") return reason;
      return slot === null ? "lobby" : "lobby-line";
    case "drawing":
      if (reason === "restarted") return reason;
      if (status.event === undefined) return "dealing";
      return status.event.beacon === "none" ? "drawing" : "awaiting-number";
    case "closed":
      return reason === "outside-events" ? reason : state;
    case "joining":
    case "called":
    case "inside":
    case "paused":
    case "ended":
    case "full":
      return state;
  }
}

export interface Telling {
  readonly kind: Kind;
  /** Title of the document. */
  readonly title: string;
  readonly heading: string;
  readonly body: readonly string[];
  /** The big number and the words under it; null where there is none, or nobody is ahead. */
  readonly count: { readonly number: string; readonly label: string } | null;
  readonly estimate: string | null;
  /** A way through the line can be shown. */
  readonly way: boolean;
  readonly message: string;
  /** Since when it stands, or null. */
  readonly messageAt: string | null;
  readonly place: boolean;
  readonly ask: "status" | "join" | null;
  readonly enters: boolean;
  readonly act: Act | null;
  /** The call can still be made longer. */
  readonly extendable: boolean;
  /** Counts down to this server time, ms since the Unix epoch; null = nothing does. */
  readonly startsAt: number | null;
  /** There is something to write into a calendar. */
  readonly calendar: boolean;
  /** A line for support, or null. */
  readonly reference: string | null;
  /** The draw that can be read up on, and the words of the link; null = there is none. */
  readonly draw: { readonly id: number; readonly text: string } | null;
  /** What leaving means. */
  readonly leaving: string;
  /** All of it as whole sentences, for the one polite status line. */
  readonly sentence: string;
}

export interface TellingContext {
  /** Title of the room. */
  readonly title: string;
  /** BCP 47. */
  readonly lang: string;
  /** The page takes people in by itself. */
  readonly auto: boolean;
  readonly position?: PositionDisplay;
  /** The estimate has just become longer. */
  readonly rose?: boolean;
  /** How long the turn lasts is counted down beside it: told a second time it would be another number. */
  readonly timed?: boolean;
  /** The visitor's own time; absent where it is not known: then everything is told in the event's. */
  readonly own?: OwnTime;
}

/** Everything the page says about `status`. Total: any status has its words. */
export function tell(status: Status, words: PageWords, context: TellingContext): Telling {
  const { title, lang, auto, own, position = "exact" } = context;
  const kind = kindOf(status);
  const traits = TRAITS[kind];
  const say = words.kinds[kind];
  const values = {
    due: status.dueInMs === undefined ? undefined : span(status.dueInMs, lang, true),
    valid: status.validForMs === undefined || (context.timed && traits.enters) ? undefined : span(status.validForMs, lang, false),
    takeovers: status.takeoversLeft === undefined ? undefined : plural(words.takeovers, status.takeoversLeft, lang),
    rejoin: status.phase === "lobby" ? words.rejoinLobby : words.rejoin,
    ...eventValues(status, words, lang, own),
  };
  const body = say.body.map((text) => fill(text, values)).filter((text) => text !== null);
  const moves = traits.estimate === true && status.event === undefined;
  if (moves && status.returners) body.push(plural(words.returners, status.returners, lang));
  if (moves && context.rose) body.push(words.rose);
  if (auto && traits.estimate && status.state !== "lobby" && status.state !== "drawing") body.push(words.takesIn);

  const returning = status.state === "returning";
  const ahead = traits.place && kind !== "called" && kind !== "moment" && status.ahead ? status.ahead : null;
  const shown = ahead === null ? null : positionOf(ahead, position, lang);
  const inForm = (forms: Plural) => (shown === null ? null : plural(forms, shown.n, lang, shown.text));
  const eta = moves ? etaLine(status, words, lang, own) : null;
  const tab = say.tab ?? say.heading;
  const aheadTab = returning ? null : inForm(words.aheadTab);
  const aheadSentence = returning ? null : inForm(words.aheadSentence);
  const asSentence = (text: string) =>
    /[\p{Sentence_Terminal}\u2026]$/u.test(text) ? text : words.sentence.replaceAll("{text}", () => text);

  return {
    kind,
    title: `${aheadTab === null ? tab : `${aheadTab} · ${tab}`} – ${title}`,
    heading: say.heading,
    body,
    count: ahead === null ? null : countOf(ahead, returning, words, context),
    estimate: eta,
    way: ahead !== null && !returning,
    message: status.message,
    messageAt: status.messageAt === undefined ? null : fill(words.messageAt, { time: instant(status.messageAt, lang, own) }),
    place: traits.place === true,
    // Whoever has a slot in a closed room keeps it, and needs no other.
    ask: traits.ask === "join" && status.slot !== null ? "status" : (traits.ask ?? null),
    enters: traits.enters === true,
    act: kind === "cancelled" && status.phase === "closed" ? "retry" : (traits.act ?? null),
    extendable: kind === "called" && status.extendable === true,
    startsAt: status.state === "lobby" ? (status.event?.startsAt ?? null) : null,
    calendar: status.state === "lobby" ? status.event !== undefined : moves && (status.eta?.minSeconds ?? 0) >= CALENDAR_MIN_S,
    reference: traits.place && status.reference !== undefined ? fill(words.reference, { code: status.reference }) : null,
    draw: drawLink(status, words),
    leaving: inLobby(status) ? words.leaveLobby : words.leaveConsequence,
    sentence: [asSentence(say.heading), ...body, aheadSentence, eta && asSentence(eta), status.message].filter(Boolean).join(" "),
  };
}

/** The number and the words under it; null = numbers are not shown. `returning`: others who came back. */
export function countOf(
  ahead: number,
  returning: boolean,
  words: PageWords,
  { lang, position = "exact" }: Pick<TellingContext, "lang" | "position">,
): Telling["count"] {
  const shown = positionOf(ahead, position, lang);
  if (shown === null) return null;
  return { number: shown.text, label: plural(returning ? words.aheadReturning : words.ahead, shown.n, lang, shown.text) };
}

/** In UTC where the visitor's zone is not known. */
function instant(at: number, lang: string, own: OwnTime | undefined): string {
  return own === undefined ? instantThere(at, lang, 0) : instantHere(at, own);
}

/** The estimate, with the times of day that it leads to where the visitor's zone is known. */
function etaLine({ eta, now }: Status, words: PageWords, lang: string, own: OwnTime | undefined): string {
  if (eta === null) return words.waitUnknown;
  const wait = estimate(eta, words, lang);
  const clock = own === undefined ? null : clockOf(eta, now, own);
  return (clock === null ? null : fill(words.waitAt, { wait, clock })) ?? words.wait.replaceAll("{wait}", wait);
}

function clockOf({ minSeconds, maxSeconds }: Eta, now: number, own: OwnTime): string | null {
  const isFar = maxSeconds > CLOCK_MAX_S || maxSeconds * 1_000 < CLOCK_STEP_MS;
  return isFar ? null : clockRange(now + minSeconds * 1_000, now + maxSeconds * 1_000, own, CLOCK_STEP_MS);
}
