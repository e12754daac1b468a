/**
 * Every word a visitor reads, in English, as one typed catalogue. Pure data: it is sent to the page as JSON, so that
 * one script serves every language. A further language is another value of type `Words`; a missing key does not compile.
 *
 * `{name}` is a placeholder. A sentence with a placeholder whose value is not known is left out (see telling.ts).
 * Sentences promise nothing that the Room does not keep, and never that something is still for sale.
 */

import { doorKinds } from "./door-words";
import { englishProof, type ProofWords, proofKinds } from "./proof-words";
import { DOOR_REASONS } from "./status";

/** A text that depends on a number: the form is chosen by `Intl.PluralRules`; `{n}` is the formatted number. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** What a visitor can meet; telling.ts chooses one from state and reason. */
export const KINDS = [
  "joining",
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
  readonly wait: string;
  readonly waitUnknown: string;
  readonly about: string;
  readonly lessThan: string;
  readonly moreThan: string;
  readonly range: string;
  readonly takeovers: Plural;
  readonly way: string;
  readonly message: string;
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
  readonly howDrawn: string;
  readonly checkDraw: string;
  readonly placeTitle: string;
  readonly placeNotes: readonly string[];
  readonly rejoin: string;
  readonly rejoinLobby: string;
  readonly leave: string;
  readonly leaveConsequence: string;
  readonly leaveLobby: string;
  readonly leaveConfirm: string;
  readonly enter: string;
  readonly join: string;
  readonly continueHere: string;
  readonly tryAgain: string;
  readonly logIn: string;
  /** Of the field for an invitation, and its button. */
  readonly invitation: string;
  readonly useInvitation: string;
  readonly check: string;
  readonly updated: string;
  readonly updatesItself: string;
  readonly reloadsItself: string;
  readonly reloadsStop: string;
  readonly reloadsOff: string;
  readonly reloadsStart: string;
  readonly enteringIn: string;
  readonly entering: string;
  readonly yourTurn: string;
  readonly yourTurnForm: string;
  readonly offline: string;
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
}

/** What joining again means: another thing before a start than in a line. */
const rejoin = "{rejoin}";

export const english: Words = {
  kinds: {
    joining: { heading: "Finding your place", body: ["This takes a few seconds. Please keep this page open."] },
    "joining-unreachable": {
      heading: "We can’t reach the line right now",
      body: ["Nobody can join at the moment. This page keeps trying and gives you a place as soon as it can."],
    },
    "storage-full": {
      heading: "The line can’t take anyone in",
      body: ["If you have a place, you keep it. Please come back later; this page keeps trying too."],
    },
    waiting: { heading: "You are in line", body: [] },
    next: { heading: "You are next", body: ["You go in as soon as there is room. Please stay on this page."] },
    nearly: { heading: "Nearly there", body: ["Please stay on this page and have your details ready."] },
    slow: { heading: "You are in line", body: ["The line is moving more slowly than expected."] },
    "not-moving": { heading: "The line is not moving", body: ["Nobody is being let in at the moment. You keep your place."] },
    restarted: { heading: "The room was restarted", body: ["The line began again, and you have a new place in it."] },
    unreachable: {
      heading: "We can’t reach the line right now",
      body: ["You keep your place. This page keeps trying; there is nothing you need to do."],
    },
    paused: { heading: "The line is paused", body: ["Nobody is being let in for the moment. You keep your place."] },
    called: {
      heading: "It’s your turn",
      tab: "● Your turn",
      body: ["You can go in now.", "Your turn lasts {valid}. After that the next person is called."],
    },
    moment: { heading: "It’s your turn", tab: "● Your turn", body: ["The site opens for you in {due}. Please stay on this page."] },
    missed: {
      heading: "You missed your turn while away",
      tab: "You are next",
      body: ["You are next: you go in as soon as there is room. Please stay on this page.", "This second chance lasts {valid}."],
    },
    "missed-others": {
      heading: "You missed your turn while away",
      tab: "You are among the next",
      body: ["You go in among the next, after others who also came back. Please stay on this page.", "This second chance lasts {valid}."],
    },
    "welcome-back": {
      heading: "Welcome back",
      body: [
        "You were away for a while, and there is no free place just now. You go in among the next.",
        "This second chance lasts {valid}.",
      ],
    },
    inside: { heading: "You are in", body: ["You have been let in. You can go on to the site."] },
    "room-off": { heading: "You can go in", body: ["There is no line any more. The site opens for you in {due}."] },
    void: {
      heading: "You went in from another window",
      body: ["Your visit goes on there. If you continue here, the other window stops.", "You can continue here {takeovers}."],
    },
    "void-final": {
      heading: "You went in from another window",
      body: ["Your visit goes on there. It has moved between windows too often to be continued here.", rejoin],
    },
    left: { heading: "You left the line", body: [`Your place has gone to the next person. ${rejoin}`] },
    removed: { heading: "Your place was ended", body: [`The people who run this site have ended it. ${rejoin}`] },
    flushed: { heading: "The line was emptied", body: ["The people who run this site have ended all places. You can join again."] },
    "turn-over": { heading: "Your turn has passed", body: [`You were called, and the time to come back is over. ${rejoin}`] },
    "visit-over": { heading: "Your visit has ended", body: [`This visit is over. ${rejoin}`] },
    "network-changed": {
      heading: "Is it still you?",
      body: ["Your connection has changed several times. Your place is kept: continue here, and nothing else changes."],
    },
    "place-void": {
      heading: "Your place is taken",
      body: [`This site had to change its keys, and another browser showed this place first. ${rejoin}`],
    },
    ended: { heading: "Your place has ended", body: [`This place is no longer in the line. ${rejoin}`] },
    "sold-out": { heading: "Sold out", body: ["Nobody else is being let in. You don’t need to wait any longer."] },
    full: {
      heading: "The line is full",
      body: ["There is no room for more people just now. This page keeps trying and gives you a place as soon as there is one."],
    },
    closed: {
      heading: "The line is closed to newcomers",
      body: ["Nobody can join at the moment. People in line keep their places. This page keeps trying."],
    },
    "network-limit": {
      heading: "Too many people from your network",
      body: [
        "Many people joined from your network just now. Schools, offices and mobile networks often share one address.",
        "This page keeps trying. Another network, such as mobile data instead of wi-fi, may be quicker.",
      ],
    },
    ...proofKinds,
    "cookies-needed": {
      heading: "Please allow cookies",
      body: [
        "We keep your place in a cookie. Without it we can’t know when it is your turn.",
        "Allow cookies for this site in your browser’s settings, then try again.",
      ],
    },
    lobby: {
      heading: "You are in the lobby",
      body: ["It starts on {starts}.", "Where it takes place, that is {startsThere}.", "{entered}", "{random}", "{sealed}"],
    },
    "lobby-line": {
      heading: "You are in line, and it hasn’t started yet",
      body: ["It starts on {starts}.", "Where it takes place, that is {startsThere}.", "You keep your place."],
    },
    delayed: {
      heading: "It starts later than planned",
      body: [
        "It was planned for {planned}. It now starts on {starts}.",
        "Where it takes place, that is {startsThere}.",
        "You are counted already; there is nothing you need to do.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    drawing: {
      heading: "Drawing places…",
      body: [
        "{entered}",
        "The order follows from a public random number that nobody knows yet. We are waiting for it.",
        "It mostly comes within half a minute. If it stays away for too long, places are drawn without it, and the record of the draw says so.",
        "Please keep this page open.",
      ],
    },
    dealing: {
      heading: "Dealing places…",
      body: [
        "Everyone who came within the same short while gets a random place among them. Being a little faster gains nothing.",
        "Please keep this page open.",
      ],
    },
    cancelled: { heading: "This has been called off", body: ["The people who run this site have cancelled it."] },
    "cancelled-line": {
      heading: "This has been called off",
      body: ["The people who run this site have cancelled it. You keep your place in the ordinary line."],
    },
    "outside-events": { heading: "This is not open now", body: ["It opens on {opens}.", "Nobody is let in until it opens."] },
    rejected: { heading: "Nobody is let in at the moment", body: ["There is no line to join either. Please come back later."] },
    "left-lobby": {
      heading: "You left the lobby",
      body: ["Your entry stays counted, and its place goes unused. If you enter again before it starts, you get another entry."],
    },
    ...doorKinds,
  },
  ahead: { one: "person ahead of you", other: "people ahead of you" },
  aheadReturning: { one: "other person who came back is ahead of you", other: "others who came back are ahead of you" },
  aheadTab: { other: "{n} ahead" },
  aheadSentence: { one: "{n} person is ahead of you.", other: "{n} people are ahead of you." },
  takesIn: "When it is your turn, this page takes you in.",
  wait: "Estimated wait: {wait}",
  waitUnknown: "We can’t estimate the wait yet.",
  about: "about {time}",
  lessThan: "less than {time}",
  moreThan: "more than {time}",
  range: "{from} to {to}",
  takeovers: { one: "{n} more time", other: "{n} more times" },
  way: "Your way through the line",
  message: "Message from the site",
  startsIn: "Starts in {time}",
  startsNow: "Starting now. Your place follows in a moment.",
  entered: { one: "{n} person has entered.", other: "{n} people have entered." },
  randomPlace: "Everyone who has entered by then gets a random place. Once the lobby is open, coming earlier gains nothing.",
  sealed: "The draw was sealed before anyone entered ({commitment}).",
  beaconRule: "It also needs a public random number that comes into being after the start, so nobody can know the order before.",
  beaconNone: "It uses no public random number: whoever runs this room could have known the order before.",
  calendar: "Add to calendar",
  howDrawn: "How the draw works",
  checkDraw: "How your place was drawn",
  placeTitle: "Your place",
  placeNotes: [
    "Your place is kept in this browser; it is lost if you clear cookies or close a private window.",
    "If you close this page, you keep your place. If you are away when your turn comes, you have at least 10 minutes to come back and go in among the next.",
    "Being let in does not mean that what you want is still available.",
  ],
  rejoin: "If you join again, you start at the end of the line.",
  rejoinLobby: "It hasn’t started yet: if you join again, you are in like anybody who comes now.",
  leave: "Leave the line",
  leaveConsequence: "Your place goes to the next person. If you come back later, you start at the end of the line.",
  leaveLobby: "Your entry stays counted, but nobody uses its place. If you come back before it starts, you get another entry.",
  leaveConfirm: "Yes, give up my place",
  enter: "Go in now",
  join: "Join again",
  continueHere: "Continue here",
  tryAgain: "Try again",
  logIn: "Log in",
  invitation: "Your invitation: its link, or the long code in it",
  useInvitation: "Use this invitation",
  check: "Check now",
  updated: "Last update {time}",
  updatesItself: "This page updates itself.",
  reloadsItself: "This page reloads itself every {time}.",
  reloadsStop: "Stop reloading",
  reloadsOff: "This page does not update itself.",
  reloadsStart: "Update by itself",
  enteringIn: "The site opens in {time}",
  entering: "Opening the site…",
  yourTurn: "It’s your turn. The site opens in a few seconds, or press “Go in now”.",
  yourTurnForm: "It’s your turn. You can send your form now.",
  offline: "You are offline. This page goes on when you are connected again.",
  noAnswer: "No answer just now. This page keeps trying.",
  placeKept: "You keep your place.",
  backAgain: "You are connected again.",
  proof: englishProof,
  formLost: "What you sent did not reach the site. When you are in, this page opens without it; please send it again from there.",
  formKept: "What you sent did not reach the site. Please keep this page open: once you are in, you can send it again from here.",
  formSend: "Send it again",
  formFirst: "To go in, open this page in a new tab. When the site is open there, come back here and send it again.",
  formOpen: "Open this page in a new tab",
};
