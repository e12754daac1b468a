/**
 * Puts a telling into the elements that src/routes/page.ts wrote. Text only, never markup.
 * Touches an element only when its text changes, so that selections and focus stay where they are.
 */
import type { PageData } from "../../src/core/page-data";
import { isLong } from "../../src/core/position";
import type { Telling } from "../../src/core/telling";

/** The page and its script are made together: a missing element is a fault of ours and stops the script. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`no element ${id}`);
  return element;
}

export function write(id: string, text: string | null): void {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === null || text === "";
}

export function reveal(id: string, shown: boolean): void {
  byId(id).hidden = !shown;
}

export function writeCount(count: Telling["count"]): void {
  write("number", count?.number ?? null);
  write("label", count?.label ?? null);
  byId("number").classList.toggle("long", isLong(count?.number ?? ""));
}

/** Show `telling`. `holdsForm`: entering is the form's own button; `api`: prefix of the room's endpoints. */
export function show(
  telling: Telling,
  progress: number | null,
  { holdsForm, api, words }: Pick<PageData, "holdsForm" | "api" | "words">,
): void {
  const focused = document.activeElement;
  write("heading", telling.heading);
  if (telling.count !== null) writeCount(telling.count);
  reveal("count", telling.count !== null);
  const way = byId("way") as HTMLProgressElement;
  if (progress !== null) way.value = progress;
  way.hidden = progress === null || !telling.way;
  write("estimate", telling.estimate);
  write("leaving", telling.leaving);
  reveal("calendar", telling.calendar);
  write("reference", telling.reference);
  if (telling.draw !== null) {
    write("draw", telling.draw.text);
    (byId("draw") as HTMLAnchorElement).href = `${api}/draws/${telling.draw.id}/verify`;
  }
  reveal("draw", telling.draw !== null);
  const body = byId("body");
  if ([...body.children].map((line) => line.textContent).join("\n") !== telling.body.join("\n")) {
    body.replaceChildren(...telling.body.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
  }
  write("said", telling.message);
  write("said-at", telling.messageAt);
  reveal("message", telling.message !== "");
  reveal("enter", telling.enters && !holdsForm);
  reveal("extend", telling.extendable);
  reveal("join", telling.act === "join" || telling.act === "stay");
  const join = byId("join").querySelector("button");
  if (join !== null) {
    join.textContent = telling.act === "stay" ? words.stay : words.join;
    join.className = telling.act === "stay" ? "plain" : "";
  }
  reveal("copy", telling.act === "stay");
  reveal("continue", telling.act === "continue");
  reveal("retry", telling.act === "retry");
  reveal("check", telling.act !== "retry");
  reveal("place", telling.place);
  if (focused instanceof HTMLElement && focused !== document.body && focused.closest("[hidden]")) byId("heading").focus();
}
