/** The words of the page on which anybody checks a draw, in English. Pure data. `{name}` is a placeholder. Sentences claim what was computed, no more. */
import type { DrawProblem } from "./draw-check";

export interface VerifyWords {
  readonly title: string;
  readonly how: readonly string[];
  readonly pending: string;
  readonly unknown: string;
  readonly noScript: string;
  readonly noCrypto: string;
  readonly noAnswer: string;
  readonly working: string;
  /** While the list comes, page by page. */
  readonly reading: string;
  readonly entryLabel: string;
  readonly check: string;
  readonly checkList: string;
  readonly own: string;
  readonly ownPending: string;
  readonly receipt: string;
  readonly record: string;
  readonly list: string;
  /** The record holds, and so does the slot. */
  readonly follows: string;
  readonly followsOther: string;
  readonly otherSlot: string;
  /** … where no entry was asked about, or one that is not among them. */
  readonly holds: string;
  readonly broken: string;
  readonly beacon: Readonly<Record<"drand" | "fallback" | "none", string>>;
  readonly listHolds: string;
  readonly receiptHolds: string;
  readonly problems: Readonly<Record<DrawProblem, string>>;
  readonly limits: string;
}

export const englishVerify: VerifyWords = {
  title: "How the draw works",
  how: [
    "Before the first entry a secret number was drawn and sealed: its SHA-256, the commitment, was shown in the lobby, and the list of entries begins with it.",
    "Everyone who entered got a number, and every batch of entries extended a chain of hashes. At the start the count and the chain were fixed.",
    "The seed is computed from the secret number, the count, the chain and, where the room uses it, a public random number of drand that came into being after the start.",
    "A fixed shuffle turns the seed and an entry’s number into a place. Anybody can compute it again; this page does it on your own device.",
  ],
  pending: "This draw has not taken place yet. What is fixed so far: the commitment {commitment}.",
  unknown: "There is no such draw.",
  noScript:
    "This page needs JavaScript to compute. The record can be checked without it by the program of the project, npm run verify-draw.",
  noCrypto: "This browser offers no SHA-256 to pages without https, so nothing could be computed.",
  noAnswer: "The record could not be read just now. Please try again.",
  working: "Computing…",
  reading: "Reading the list of entries: {entries} so far…",
  entryLabel: "Number of an entry, counted from 0",
  check: "Check this entry",
  checkList: "Check the list of entries too",
  own: "Your entry is number {entry}; your place in line is {slot}, counted from 0.",
  ownPending: "Your entry is number {entry}, counted from 0.",
  receipt:
    "Your receipt, to keep. It opens nothing: it tells how far the list of entries had come, with your number in it, when you got it. It has no signature: to show it to others later, give it to them before the start.",
  record: "The record as data",
  list: "The list of entries",
  follows: "It follows. Your entry {entry} of {count} is drawn to place {place} of this draw, and that is the place in line you have.",
  followsOther: "Entry {entry} of {count} is drawn to place {place} of this draw, which is place {slot} in line, counted from 0.",
  otherSlot: "It does not follow: by this record entry {entry} has place {computed} in line, but you were given {slot}.",
  holds: "The record of {count} entries holds: its seed follows from the rest of it.",
  broken: "This record does not hold:",
  beacon: {
    drand:
      "It uses the random number of a drand round that follows from the time of the start. That this is really the number drand published, drand’s own servers can tell you.",
    fallback:
      "drand was promised, but the seed was made without it: no answer came in time, or none was taken. Whoever runs the room could have known the order.",
    none: "It uses no public random number: whoever runs the room could have known the order.",
  },
  listHolds: "The published list of entries leads to the chain in the record.",
  receiptHolds: "Your receipt stands in it, at your entry. Nothing up to there was changed since you got it.",
  problems: {
    form: "The record lacks something, or something in it cannot be read.",
    algorithm: "It names another algorithm.",
    commitment: "The secret number is not the one that was sealed.",
    "entries-hash": "What was fixed at the start is not what the record says.",
    round: "It uses another drand round than the rule says.",
    randomness: "The random number does not belong to its signature.",
    seed: "The seed does not follow from the rest.",
    times: "Its times cannot be.",
    entry: "It has no such entry.",
    chain: "The published list of entries leads to another chain.",
    receipt: "Your receipt does not stand in the list at your entry.",
  },
  limits: "A draw says nothing of how often somebody entered.",
};
