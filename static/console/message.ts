/** The operator's words to everybody in line: a few to start from, and how they will look on the page. */
import { button, card, field, h, setText } from "./dom";
import type { Bridge } from "./operator";
import { may } from "./session";
import type { View } from "./watch";

const MAX = 280;
const STARTS: readonly (readonly [string, string])[] = [
  ["Short pause", "We have paused entry for a moment. You keep your place; nobody is let in before you."],
  ["Slow", "Entry is slower than planned. Your place is safe."],
  ["Few left", "Few tickets are left. Being let in does not promise one."],
];

export function message(bridge: Bridge): { readonly node: HTMLElement; show(view: View): void } {
  const { me, operator } = bridge;
  const preview = h("p", { class: "said" });
  const about = h("p", { class: "hint" });
  let held: string | null = null;
  let base: number | null = null;
  let last: View | null = null;
  const text = h("textarea", { rows: 3, maxlength: MAX });
  const send = h("button", { type: "submit" }, "Tell everybody");
  const draw = () => {
    setText(about, held === null || text.value === held ? "On the page:" : "Not told yet. On the page it will be:");
    setText(preview, text.value === "" ? "No message." : text.value);
    preview.classList.toggle("nothing", text.value === "");
    send.disabled = text.value === held;
    setText(send, text.value === "" && held !== "" && held !== null ? "Take the message away" : "Tell everybody");
  };
  const edit = () => {
    base ??= last?.room?.revision ?? null;
    draw();
  };
  text.addEventListener("input", edit);
  const starts = STARTS.map(([label, words]) =>
    button(
      label,
      () => {
        text.value = words;
        edit();
      },
      { class: "plain small" },
    ),
  );
  const clear = button(
    "Clear",
    () => {
      text.value = "";
      edit();
    },
    { class: "plain small" },
  );
  const form = h(
    "form",
    {},
    field("What they read", text, `at most ${MAX} characters`),
    h("div", { class: "presets" }, ...starts, clear),
    about,
    preview,
    h("div", { class: "acts" }, send),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (base === null) return;
    const said = text.value === "" ? "The message was taken away." : "Everybody in line reads the message at the next look.";
    void operator.change({ message: text.value }, base, said).then((outcome) => {
      if (outcome !== "failed") base = null;
      if (outcome === "theirs") held = null;
      if (last !== null) show(last);
    });
  });
  const mayWrite = may(me, "operator");
  const show = (view: View) => {
    last = view;
    const now = view.room?.settings["message"];
    if (typeof now !== "string" || base !== null || now === held) return;
    held = now;
    text.value = now;
    draw();
  };
  return { node: mayWrite ? card("Message", form) : card("Message", preview), show };
}
