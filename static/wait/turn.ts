/**
 * Goes in at the visitor's turn: tells of it, gives notice, and opens the site; or keeps the turn while nobody looks, or somebody wants to
 * stay. Decides by what it is told and by the monotonic clock alone.
 */
import { span } from "../../src/core/durations";
import type { PageData } from "../../src/core/page-data";
import type { Status } from "../../src/core/status";
import type { Poller } from "./poller";
import { byId, write } from "./show";

/** Notice before the page goes in by itself (WCAG 3.2), never more than half of the time that the place is held, ms. */
const NOTICE_MS = 5_000;
/** Two loads of the site are never closer than this, whatever is due, ms. */
const LEAST_NOTICE_MS = 1_000;
/** If we are still here so long after going in (a download, say), look again, ms. */
const STILL_HERE_MS = 30_000;
/** The site may take so long to answer somebody who is let in (src/origin.ts gives it 100 s): asked again before, it would begin anew. */
const SITE_MS = 110_000;

export class Turn {
  readonly #data: PageData;
  readonly #poller: Poller;
  /** `performance.now()` at which we go in; null while nothing is due or nobody looks. */
  #enterAt: number | null = null;
  /** The turn was announced to somebody who looks. */
  #alerted = false;
  #leaving = false;
  /** `performance.now()` when we went in last. */
  #wentAt = Number.NEGATIVE_INFINITY;
  /** The visitor wants to stay: nothing goes in by itself until the turn is over. */
  stays = false;

  constructor(data: PageData, poller: Poller) {
    this.#data = data;
    this.#poller = poller;
  }

  /** Decide when to go in. A later answer never puts off what was announced. @param enters it is the visitor's turn */
  told(enters: boolean, { state, reason, dueInMs, holdForMs }: Status): void {
    if (!enters) write("alert", null);
    // Nobody looks: hold the turn, the title calls. Going in now would use up the visit.
    if (!enters || document.visibilityState !== "visible") {
      this.putOff();
      return;
    }
    if (!this.#alerted) this.#alert();
    const isOnItsWay = (state === "inside" || reason === "room-off") && performance.now() - this.#wentAt < SITE_MS;
    if (this.#data.holdsForm || this.stays || isOnItsWay) return;
    const noticeMs = dueInMs ?? Math.min(NOTICE_MS, (holdForMs ?? NOTICE_MS * 2) / 2);
    const at = performance.now() + Math.max(LEAST_NOTICE_MS, noticeMs);
    const ticking = this.#enterAt !== null;
    this.#enterAt = Math.min(this.#enterAt ?? at, at);
    if (ticking) return;
    // Going in asks better than any question.
    this.#poller.rest(noticeMs + LEAST_NOTICE_MS);
    this.#tick();
  }

  putOff(): void {
    this.#enterAt = null;
    this.#alerted = false;
    write("soon", null);
  }

  /** The call is kept to its end, whatever the visitor does with it. */
  stay(): void {
    this.stays = true;
    this.#enterAt = null;
    write("soon", null);
  }

  goIn(): void {
    const { returnTo, reloadable, words } = this.#data;
    this.#leaving = true;
    this.#wentAt = performance.now();
    this.#poller.stop();
    write("soon", words.entering);
    // A fragment is never sent to us; a reload keeps it. After a form a reload would send the form again.
    const here = location.pathname + location.search === returnTo;
    if (here && location.hash !== "" && reloadable) location.reload();
    else location.replace(returnTo);
    setTimeout(() => {
      this.#leaving = false;
      this.#enterAt = null;
      this.#poller.start();
      this.#poller.now();
    }, STILL_HERE_MS);
  }

  #alert(): void {
    const { holdsForm, words } = this.#data;
    this.#alerted = true;
    // Revealed first: a live region speaks only of what changes while it is there.
    byId("alert").hidden = false;
    write("alert", holdsForm ? words.yourTurnForm : this.stays ? words.staying : words.yourTurn);
    (holdsForm ? byId("again").querySelector("button") : byId("enter"))?.focus();
    if (holdsForm) this.#poller.now();
  }

  #tick(): void {
    if (this.#enterAt === null || this.#leaving) return;
    const leftMs = this.#enterAt - performance.now();
    if (leftMs <= 0) {
      this.goIn();
      return;
    }
    const { words, lang } = this.#data;
    write("soon", words.enteringIn.replaceAll("{time}", span(leftMs, lang, true)));
    setTimeout(() => this.#tick(), Math.min(leftMs, 1000));
  }
}
