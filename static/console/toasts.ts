/** Short notices at the foot of the page, some with a button that undoes what they tell of. */
import { button, fill, h, setText } from "./dom";

/** Of what can be undone, and of what went wrong. */
const UNDO_MS = 30_000;
const TELL_MS = 8_000;
const MOST = 4;

export interface Undo {
  readonly label: string;
  run(): void;
}

export class Toasts {
  readonly node = h("section", { class: "toasts", "aria-label": "Notices" });
  /** Read out by itself: the notices are not, or their buttons would be read with them. */
  readonly #spoken = h("p", { class: "sr", role: "status" });

  constructor() {
    fill(this.node, this.#spoken);
  }

  tell(text: string, tone: "good" | "bad" | "other" = "good", undo: Undo | null = null): void {
    setText(this.#spoken, text);
    const close = () => toast.remove();
    // One way back at a time, that of the last act: an older one would undo what came after it, too.
    if (undo !== null) this.#first(".has-undo")?.remove();
    // Full, it gives up what would go soonest, and never the way back.
    if (this.node.querySelectorAll(".toast").length >= MOST)
      (this.#first(":not(.has-undo, .bad)") ?? this.#first(":not(.has-undo)"))?.remove();
    const toast = h(
      "div",
      { class: `toast ${tone}${undo === null ? "" : " has-undo"}` },
      h("p", {}, text),
      h(
        "div",
        { class: "ways" },
        undo !== null &&
          button(undo.label, () => {
            close();
            undo.run();
          }),
        button("Close", close, { class: "plain small", "aria-label": `Close: ${text}` }),
      ),
    );
    this.node.append(toast);
    setTimeout(close, undo === null && tone !== "bad" ? TELL_MS : UNDO_MS);
  }

  #first(which: string): Element | null {
    return this.node.querySelector(`.toast${which}`);
  }
}
