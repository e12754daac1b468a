/** Saves an answer of the API as a file: a plain link could not carry the token. */
import type { Api } from "./api";
import { button, h } from "./dom";
import type { Toasts } from "./toasts";

export function saveButton(label: string, api: Api, toasts: Toasts, path: string, file: string): HTMLButtonElement {
  return button(
    label,
    () => {
      void api.text(path).then((answer) => {
        if (answer.as === "refused") return toasts.tell(answer.detail, "bad");
        const url = URL.createObjectURL(new Blob([answer.value], { type: "text/csv" }));
        h("a", { href: url, download: file }).click();
        setTimeout(() => URL.revokeObjectURL(url), 10_000);
      });
    },
    { class: "plain small" },
  );
}
