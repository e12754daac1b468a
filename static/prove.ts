/**
 * Answers what a newcomer is asked before a place is given: work in workers, or Turnstile's widget. Loaded by static/wait.ts when something
 * is asked, never before. Shows how far it is, can be stopped, and asks nothing of people but, at most, Turnstile's box.
 */
import type { PageData } from "../src/core/page-data";
import type { Challenge } from "../src/core/proof";
import type { Status } from "../src/core/status";
import { Panel } from "./prove/panel";
import { Turnstile } from "./prove/turnstile";
import { Work } from "./prove/work";

export interface Hooks {
  /** One sentence for people who listen. */
  readonly say: (sentence: string) => void;
  /** Value of the header `Vestibule-Proof`, to be sent with the next join. */
  readonly answer: (header: string) => void;
}

/** @returns what is to be told each new status */
export function prover(data: PageData, { say, answer }: Hooks): (status: Status) => void {
  const words = data.words.proof;
  const panel = new Panel(words, data.lang, say, (start) => (start ? begin() : stop(words.stopped)));
  const work = new Work(data.solver, data.status.room);
  const turnstile = new Turnstile(panel, answer);
  let asked: Challenge | undefined;
  /** By the button, or because it could not be done: only the button starts it again. */
  let stopped = false;

  function begin(): void {
    stopped = false;
    if (asked?.kind === "turnstile") widget(asked);
    if (asked?.kind !== "pow") return;
    panel.work();
    work.start(asked.altcha, {
      tried: (share) => panel.progress(share),
      found: (header) => {
        panel.done();
        answer(header);
      },
      failed: () => stop(words.failed),
    });
  }

  function widget(challenge: Extract<Challenge, { kind: "turnstile" }>): void {
    if (data.turnstile) turnstile.show(challenge, () => stop(words.widgetFailed));
    // This page was not allowed to load the widget; one that is loaded anew is.
    else if (data.holdsForm) stop(words.widgetFailed);
    else location.replace(data.returnTo);
  }

  function stop(why: string): void {
    stopped = true;
    work.stop();
    turnstile.remove();
    panel.stopped(why);
  }

  return ({ challenge, now }) => {
    if (challenge !== undefined && work.covers(challenge)) return;
    work.stop();
    if (challenge?.kind !== "turnstile") turnstile.remove();
    asked = challenge?.kind === "pow" ? { ...challenge, altcha: work.recalled(challenge.altcha, now) } : challenge;
    if (asked === undefined) panel.remove();
    else if (!stopped) begin();
    if (asked?.again === "unchecked") panel.note(words.unchecked);
    else if (asked?.again !== undefined) panel.note(words.again);
  };
}
