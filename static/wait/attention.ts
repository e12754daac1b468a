/**
 * Calls for attention at the turn: by the icon of the tab always, and in the ways that the visitor has chosen. What can be chosen, and how it
 * is done, is a module of its own (static/alerts.ts), loaded when somebody looks at the choice.
 */
import type { PageData } from "../../src/core/page-data";
import type { Alerts } from "../alerts";
import { byId } from "./show";

/** A green tick, in place of whatever stands there otherwise. It changes once: nothing flashes. */
const CALLING_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="#0a7d3c"/><path d="m4 8.4 2.7 2.8L12 5.4" fill="none" stroke="#fff" stroke-width="2.2"/></svg>',
)}`;

/** Somebody is there, in front of a page that was in sight already. */
const SIGNS = ["pointermove", "pointerdown", "keydown"] as const;

export class Attention {
  readonly #icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  readonly #usual = this.#icon?.getAttribute("href") ?? "";
  #alerts: Promise<Alerts> | undefined;
  #calls = false;

  constructor({ alerts, words }: Pick<PageData, "alerts" | "words">, say: (sentence: string) => void) {
    const panel = byId("alerts") as HTMLDetailsElement;
    panel.addEventListener("toggle", () => {
      if (!panel.open) return;
      this.#alerts ??= (import(alerts) as Promise<typeof import("../alerts")>).then((module) =>
        module.alerts(panel.querySelector("div") as Element, words.alerts, say),
      );
      // Lost on the way: the next press loads it again.
      this.#alerts.catch(() => {
        this.#alerts = undefined;
        panel.open = false;
      });
    });
  }

  /** @param calls it is the visitor's turn; `text` says so */
  turn(calls: boolean, text: string): void {
    if (calls === this.#calls) return;
    this.#calls = calls;
    if (this.#icon) this.#icon.href = calls ? CALLING_ICON : this.#usual;
    if (calls) {
      this.#alerts?.then((all) => all.call(text));
      for (const sign of SIGNS) addEventListener(sign, () => this.rest(), { once: true });
    } else this.rest();
  }

  /** Seen: nothing calls any more. */
  rest(): void {
    this.#alerts?.then((all) => all.rest());
  }
}
