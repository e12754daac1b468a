/** What the API refused of a form, said in the form: in the words of its labels, with the fields that it names marked. Knows no room. */
import { h, setText } from "./dom";

/** By the setting's name: its label in the form, and its control. */
export type Fields = Readonly<Record<string, readonly [label: string, control: HTMLElement]>>;

export interface Refusal {
  readonly node: HTMLElement;
  /** null = nothing is wrong. @returns the first field that is named */
  show(detail: string | null): HTMLElement | null;
}

/** Names that are no ordinary words are told from words anywhere, others at the beginning, where the API puts what is wrong. */
function named(name: string): RegExp {
  return name.includes("_") ? new RegExp(`[\\w.-]*\\b${name}\\b`, "g") : new RegExp(`^(?:[\\w-]+\\.)*${name}\\b`);
}

/** @param role "status" where it is told while somebody types */
export function refusal(fields: Fields, role: "alert" | "status"): Refusal {
  const node = h("p", { class: "bad", role });
  return {
    node,
    show(detail) {
      let text = detail ?? "";
      const found = Object.entries(fields).filter(([name, [label, control]]) => {
        const isNamed = text.search(named(name)) >= 0;
        text = text.replace(named(name), label);
        if (isNamed) control.setAttribute("aria-invalid", "true");
        else control.removeAttribute("aria-invalid");
        return isNamed;
      });
      setText(node, text);
      return found[0]?.[1][1] ?? null;
    },
  };
}
