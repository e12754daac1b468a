/** Pairs of rate and capacity by name: one press puts them into the dials. They are a setting of the room, so every operator has them. */
import type { Preset } from "../../src/core/presets-schema";
import { button, fill, h } from "./dom";
import type { Bridge } from "./operator";
import type { View } from "./watch";
import { presetLine } from "./words";

const NAME_MAX = 40;

interface Dials {
  pick(preset: Preset): void;
  /** What is in them now; null = they are empty. */
  numbers(): Omit<Preset, "name"> | null;
}

export function presets({ operator }: Bridge, dials: Dials): { readonly node: HTMLElement; show(view: View): void } {
  const chips = h("div", { class: "presets" });
  const kept = h("ul");
  const label = h("input", { type: "text", maxlength: NAME_MAX, placeholder: "Soft start", "aria-label": "Name of the preset" });
  let last: View | null = null;
  let shown = "";

  const known = () => (last?.room?.settings["presets"] ?? []) as Preset[];
  async function keep(list: readonly Preset[], said: string): Promise<void> {
    const base = last?.room?.revision;
    if (base === undefined) return;
    await operator.run("PATCH", "", said, { body: { presets: list }, ifRevision: base });
  }

  const keepForm = h("form", { class: "acts" }, label, h("button", { type: "submit", class: "plain small" }, "Keep these numbers"));
  keepForm.addEventListener("submit", (event) => {
    event.preventDefault();
    const [name, now] = [label.value.trim(), dials.numbers()];
    if (name === "" || now === null) return label.focus();
    label.value = "";
    void keep([...known().filter((one) => one.name !== name), { name, ...now }], `“${name}” is kept.`);
  });
  return {
    node: h("div", {}, chips, h("details", {}, h("summary", {}, "Presets"), keepForm, kept)),
    show(view: View): void {
      last = view;
      const list = known();
      const now = JSON.stringify(list);
      if (view.room === null || now === shown) return;
      shown = now;
      fill(chips, ...list.map((one) => button(one.name, () => dials.pick(one), { class: "plain small", title: presetLine(one) })));
      const forget = (one: Preset) =>
        button(
          "Forget",
          () =>
            void keep(
              known().filter(({ name }) => name !== one.name),
              `“${one.name}” is forgotten.`,
            ),
          {
            class: "plain small",
            "aria-label": `Forget ${one.name}`,
          },
        );
      fill(kept, ...list.map((one) => h("li", {}, `${one.name}: ${presetLine(one)} `, forget(one))));
    },
  };
}
