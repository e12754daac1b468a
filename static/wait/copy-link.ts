/** Takes the page's address along, for another browser. Where the app around this one forbids it, the address is there to be copied by hand. */
import type { PageWords } from "../../src/core/words";
import { byId } from "./show";

export async function copyLink(path: string, words: Pick<PageWords, "copied">): Promise<void> {
  const button = byId("copy");
  const address = new URL(path, location.href).href;
  try {
    await navigator.clipboard.writeText(address);
    button.textContent = words.copied;
  } catch {
    const field = Object.assign(document.createElement("input"), { id: "copy", readOnly: true, value: address });
    field.setAttribute("aria-label", button.textContent ?? "");
    button.replaceWith(field);
    field.select();
  }
}
