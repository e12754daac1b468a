/**
 * What a catalogue of words has to say: every word a visitor reads. Pure types; the catalogues are in languages/, one value of type `Words`
 * each, so that a missing key does not compile. A catalogue is data: the page gets its language as JSON, and one script serves them all.
 *
 * `{name}` is a placeholder. A sentence with a placeholder whose value is not known is left out (see telling.ts).
 * Sentences promise nothing that the Room does not keep, and never that something is still for sale.
 */
import { DOOR_REASONS } from "./status";

/** A text that depends on a number: the form is chosen by `Intl.PluralRules`; `{n}` is the formatted number. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** What a visitor can meet; telling.ts chooses one from state and reason. */
export const KINDS = [
  "joining",
  "in-app",
  "joining-unreachable",
  "storage-full",
  "waiting",
  "next",
  "nearly",
  "slow",
  "not-moving",
  "restarted",
  "unreachable",
  "paused",
  "called",
  "moment",
  "missed",
  "missed-others",
  "welcome-back",
  "inside",
  "room-off",
  "void",
  "void-final",
  "left",
  "removed",
  "flushed",
  "turn-over",
  "visit-over",
  "place-void",
  "network-changed",
  "ended",
  "sold-out",
  "full",
  "closed",
  "network-limit",
  "network-refused",
  "challenge",
  "cookies-needed",
  "lobby",
  "lobby-line",
  "delayed",
  "drawing",
  "awaiting-number",
  "dealing",
  "cancelled",
  "cancelled-line",
  "outside-events",
  "rejected",
  "left-lobby",
  ...DOOR_REASONS,
] as const;
export type Kind = (typeof KINDS)[number];

export interface KindWords {
  readonly heading: string;
  /** Short form for the browser tab; the heading if absent. */
  readonly tab?: string;
  /** One paragraph each. */
  readonly body: readonly string[];
}

export interface Words {
  readonly kinds: Readonly<Record<Kind, KindWords>>;
  /** Under the big number. */
  readonly ahead: Plural;
  readonly aheadReturning: Plural;
  /** The same in one sentence, for the tab and for screen readers. */
  readonly aheadTab: Plural;
  readonly aheadSentence: Plural;
  /** Said where people wait and the page enters by itself. */
  readonly takesIn: string;
  /** Above people in line: others go in between. */
  readonly returners: Plural;
  readonly wait: string;
  /** The same with the times of day that it leads to. */
  readonly waitAt: string;
  /** Said once when an estimate gets longer. */
  readonly rose: string;
  readonly waitUnknown: string;
  readonly about: string;
  readonly lessThan: string;
  readonly moreThan: string;
  readonly range: string;
  readonly takeovers: Plural;
  readonly way: string;
  readonly message: string;
  /** Beside the operator's message: since when it stands. */
  readonly messageAt: string;
  /** Under the heading of a lobby; counts down. */
  readonly startsIn: string;
  readonly startsNow: string;
  readonly entered: Plural;
  /** A lobby with a draw: what decides the order, … */
  readonly randomPlace: string;
  readonly sealed: string;
  /** … and what that is worth. */
  readonly beaconRule: string;
  readonly beaconNone: string;
  readonly calendar: string;
  /** Of the entry in a calendar for the earliest likely turn; `{title}` is the room's. */
  readonly calendarTurn: string;
  readonly howDrawn: string;
  readonly checkDraw: string;
  readonly placeTitle: string;
  readonly placeNotes: readonly string[];
  /** For support. */
  readonly reference: string;
  readonly rejoin: string;
  readonly rejoinLobby: string;
  readonly leave: string;
  readonly leaveConsequence: string;
  readonly leaveLobby: string;
  readonly leaveConfirm: string;
  readonly enter: string;
  readonly join: string;
  /** In the browser of another app: go on in it, or take the address elsewhere. */
  readonly stay: string;
  readonly copyLink: string;
  readonly copied: string;
  readonly continueHere: string;
  readonly tryAgain: string;
  readonly logIn: string;
  /** Of the field for an invitation, and its button. */
  readonly invitation: string;
  readonly useInvitation: string;
  readonly check: string;
  /** Of the menu of languages. */
  readonly language: string;
  readonly updated: string;
  readonly updatesItself: string;
  /** The button beside it, what it says then, and what stands there meanwhile. */
  readonly pauseUpdates: string;
  readonly showUpdates: string;
  readonly updatesPaused: string;
  readonly reloadsItself: string;
  readonly reloadsStop: string;
  readonly reloadsOff: string;
  readonly reloadsStart: string;
  readonly enteringIn: string;
  readonly entering: string;
  readonly yourTurn: string;
  readonly yourTurnForm: string;
  /** The button by which the page does not go in by itself, and what is said then. */
  readonly stayOn: string;
  readonly staying: string;
  /** Counts down while nothing goes in by itself. */
  readonly turnEnds: string;
  readonly moreTime: string;
  /** What calls for attention at the turn; the script fills it. */
  readonly alerts: AlertWords;
  readonly offline: string;
  /** In front of the title meanwhile. */
  readonly offlineTab: string;
  readonly noAnswer: string;
  readonly placeKept: string;
  readonly backAgain: string;
  /** What stands where a proof is asked for; the script fills it. */
  readonly proof: ProofWords;
  readonly formLost: string;
  readonly formKept: string;
  readonly formSend: string;
  /** Without scripts: a form is never what claims a turn. */
  readonly formFirst: string;
  readonly formOpen: string;
  /** Makes a sentence of a heading: "{text}." */
  readonly sentence: string;
}

/** What the server alone writes into the page. */
export const SERVER_ONLY = [
  "calendar",
  "calendarTurn",
  "placeTitle",
  "placeNotes",
  "way",
  "message",
  "leave",
  "leaveConfirm",
  "enter",
  "copyLink",
  "continueHere",
  "tryAgain",
  "logIn",
  "invitation",
  "useInvitation",
  "check",
  "language",
  "stayOn",
  "moreTime",
  "reloadsItself",
  "reloadsStop",
  "reloadsOff",
  "reloadsStart",
  "formLost",
  "formKept",
  "formSend",
  "formFirst",
  "formOpen",
] as const satisfies readonly (keyof Words)[];

/** What the page's script needs. */
export type PageWords = Omit<Words, (typeof SERVER_ONLY)[number]>;

/** Ways to be called, each of the visitor's choice. */
export interface AlertWords {
  /** Heading of the others. */
  readonly me: string;
  readonly sound: string;
  readonly vibrate: string;
  readonly notification: string;
  /** Keeps the screen from going dark. */
  readonly screen: string;
  /** The browser allows none of that kind. */
  readonly refused: string;
}

/** Said where a newcomer is asked for proof. Nobody has to do anything but wait, or to tick Turnstile's box. */
export interface ProofWords {
  /** Label of the bar. */
  readonly progress: string;
  readonly working: string;
  /** Said now and then to people who listen; `{percent}` is formatted. */
  readonly done: string;
  readonly shown: string;
  /** What was shown does not count any more; another check begins. */
  readonly again: string;
  /** Turnstile cannot be asked just now. */
  readonly unchecked: string;
  readonly stop: string;
  readonly start: string;
  readonly stopped: string;
  /** The device cannot, or the check could not be loaded. */
  readonly failed: string;
  readonly widget: string;
  readonly widgetFailed: string;
  readonly noScripts: string;
}
