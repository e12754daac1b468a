/** A button that opens the page itself in every state, in a tab of its own: a link that the admin API makes, good for an hour. */
import { roomPath } from "./api";
import { button, h } from "./dom";
import type { Bridge } from "./operator";

export function pageLink({ name, api }: Pick<Bridge, "name" | "api">): HTMLElement {
  const said = h("span", { class: "hint", role: "status" });
  const open = async (): Promise<void> => {
    said.textContent = "";
    // Opened by the press itself: later it would be a pop-up.
    const tab = window.open("about:blank", "_blank");
    const answer = await api.get<{ readonly url: string }>(roomPath(name, "/preview"));
    if (answer.as === "ok" && tab !== null) {
      tab.opener = null;
      tab.location.replace(answer.value.url);
      return;
    }
    tab?.close();
    said.textContent = answer.as === "ok" ? "The browser opens no tab for it." : answer.detail;
  };
  return h(
    "div",
    { class: "acts" },
    button("Open the page in every state", () => void open()),
    said,
  );
}
