/** Questions before what cannot be undone, and the news that somebody else was faster. Nothing else asks: what can be undone is done. */
import { button, field, h, put } from "./dom";

export interface Loss {
  readonly title: string;
  /** What is lost, for whom. */
  readonly consequence: string;
  /** On the button: what it does. */
  readonly verb: string;
  /** To be typed first; null = the button is enough. */
  readonly typed: string | null;
}

/** False when it was cancelled; the way out has the focus. */
export function confirmLoss({ title, consequence, verb, typed }: Loss): Promise<boolean> {
  const input = h("input", { type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  const go = h("button", { type: "submit", class: "danger", disabled: typed !== null }, verb);
  input.addEventListener("input", () => {
    go.disabled = input.value !== typed;
  });
  const parts = [h("p", {}, consequence), typed !== null && field(`Type ${typed} to go on`, input)];
  return ask<boolean>(title, parts, false, (done) => ({
    buttons: [button("Cancel", () => done(false), { class: "plain", autofocus: true }), go],
    submit: () => done(true),
  }));
}

/** A choice between two ways; the first is the safe one and has the focus. */
export function choose(title: string, lines: readonly string[], safe: string, other: string): Promise<"safe" | "other"> {
  const list = h("ul", {}, ...lines.map((line) => h("li", {}, line)));
  return ask<"safe" | "other">(title, [list], "safe", (done) => ({
    buttons: [button(safe, () => done("safe"), { autofocus: true }), button(other, () => done("other"), { class: "plain" })],
    submit: () => done("safe"),
  }));
}

/** Words from the operator; null = cancelled. */
export function askWords(loss: Omit<Loss, "typed">, label: string, max: number): Promise<string | null> {
  const input = h("textarea", { maxlength: max, rows: 3, required: true });
  return ask<string | null>(loss.title, [h("p", {}, loss.consequence), field(label, input)], null, (done) => ({
    buttons: [
      button("Back", () => done(null), { class: "plain", autofocus: true }),
      h("button", { type: "submit", class: "danger" }, loss.verb),
    ],
    submit: () => done(input.value),
  }));
}

/** Shown once: a secret that nobody can look up again. */
export function showSecret(title: string, words: string, secret: string): Promise<void> {
  const shown = h("input", { type: "text", readonly: true, value: secret, "aria-label": title });
  const copy = button("Copy", () => {
    shown.select();
    void navigator.clipboard?.writeText(secret).then(() => {
      copy.textContent = "Copied";
    });
  });
  return ask<void>(title, [h("p", {}, words), shown], undefined, (done) => ({
    buttons: [copy, button("Done", () => done(), { class: "plain" })],
    submit: () => done(),
  }));
}

interface Controls {
  readonly buttons: readonly HTMLElement[];
  submit(): void;
}

function ask<T>(title: string, parts: readonly (Node | false)[], closed: T, make: (done: (result: T) => void) => Controls): Promise<T> {
  return new Promise((resolve) => {
    let result = closed;
    const dialog = h("dialog", { "aria-labelledby": "dialog-title" });
    const done = (chosen: T) => {
      result = chosen;
      dialog.close();
    };
    const { buttons, submit } = make(done);
    const form = h("form", { method: "dialog" }, h("h2", { id: "dialog-title" }, title), ...parts, h("div", { class: "acts" }, ...buttons));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(result);
    });
    put(dialog, form);
    document.body.append(dialog);
    dialog.showModal();
  });
}
