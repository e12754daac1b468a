/** The words of the check that a newcomer may be asked for, in English; part of the catalogue in words.ts. Pure data. */

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

export const englishProof: ProofWords = {
  progress: "Progress of the check",
  working: "Your device is working something out. This takes a few seconds, rarely a minute or two; there is nothing you need to do.",
  done: "{percent} of the check done.",
  shown: "The check is done.",
  again: "What your browser showed does not count any more, so it is asked once again.",
  unchecked: "We can’t make the check right now. This page keeps trying; there is nothing you need to do.",
  stop: "Stop the check",
  start: "Start the check",
  stopped: "The check is stopped. This page still tries now and then whether you get a place without it.",
  failed: "This browser can’t make the check. This page still tries now and then whether you get a place without it.",
  widget: "This check is made by Cloudflare Turnstile.",
  widgetFailed:
    "The check could not be loaded from challenges.cloudflare.com. If something blocks that address, allow it, then start again.",
  noScripts:
    "The check needs JavaScript. Allow it for this site, or leave this page open: it tries now and then whether you get a place without.",
};

/** What the page says of it, and to those whom nothing helps. */
export const proofKinds = {
  "network-refused": {
    heading: "Nobody can join from this network",
    body: ["The people who run this site let nobody join from the network that you use. Another network may work, such as mobile data."],
  },
  challenge: {
    heading: "A short check first",
    body: [
      "Many newcomers are arriving just now. Before you get a place, your browser shows that it is not one of thousands run by a robot.",
    ],
  },
} as const;
