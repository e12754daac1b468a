/**
 * What a check looks like: a bar, a sentence, and a button to stop and start it. Made when something is asked, gone when it is answered.
 * The bar is silent; people who listen hear how far it is every half minute, and its end.
 */
import type { ProofWords } from "../../src/core/words";
import { byId } from "../wait/show";

const SAID_EVERY_MS = 30_000;

export class Panel {
  readonly #words: ProofWords;
  readonly #percent: Intl.NumberFormat;
  readonly #say: (sentence: string) => void;
  readonly #bar = document.createElement("progress");
  readonly #text = document.createElement("p");
  readonly #button = document.createElement("button");
  readonly #box = document.createElement("section");
  #saidAt = 0;
  #runs = false;

  /** `press`: the button was pressed; true = start. */
  constructor(words: ProofWords, lang: string, say: (sentence: string) => void, press: (start: boolean) => void) {
    this.#words = words;
    this.#percent = new Intl.NumberFormat(lang, { style: "percent" });
    this.#say = say;
    this.#box.id = "proof";
    this.#bar.setAttribute("aria-label", words.progress);
    this.#button.type = "button";
    this.#button.className = "plain";
    this.#button.addEventListener("click", () => press(!this.#runs));
  }

  /** Work goes on from here. */
  work(): void {
    this.#saidAt = performance.now();
    this.#show(this.#words.working, [this.#bar, this.#text, this.#button], true);
  }

  /** @param share 0 … 1 of the longest that it may take */
  progress(share: number): void {
    this.#bar.value = share;
    const now = performance.now();
    if (now - this.#saidAt < SAID_EVERY_MS) return;
    this.#saidAt = now;
    this.#say(this.#words.done.replaceAll("{percent}", this.#percent.format(share)));
  }

  done(): void {
    this.#bar.value = 1;
    this.#show(this.#words.shown, [this.#bar, this.#text], false);
    this.#say(this.#words.shown);
  }

  /** Nothing goes on; the button starts it again. */
  stopped(why: string): void {
    this.#show(why, [this.#text, this.#button], false);
    this.#say(why);
  }

  /** Somebody else's widget, with a line about it. */
  hold(widget: HTMLElement): void {
    this.#show(this.#words.widget, [this.#text, widget], false);
  }

  /** Something to know about what goes on. */
  note(text: string): void {
    this.#text.textContent = text;
    this.#say(text);
  }

  remove(): void {
    this.#box.remove();
  }

  #show(text: string, parts: readonly HTMLElement[], runs: boolean): void {
    this.#runs = runs;
    this.#text.textContent = text;
    this.#button.textContent = runs ? this.#words.stop : this.#words.start;
    const focused = this.#box.contains(document.activeElement);
    this.#box.replaceChildren(...parts);
    if (!this.#box.isConnected) byId("body").after(this.#box);
    // A button that is gone must not take the focus with it; one that stays keeps it.
    if (focused) (parts.includes(this.#button) ? this.#button : byId("heading")).focus();
  }
}
