/** A list that no entry of the audit log tells of: read now and then, and drawn anew only where it says something new. */
import type { Answer } from "./api";
import { fill, h } from "./dom";

const EVERY_MS = 5_000;

interface Reread {
  now(): Promise<void>;
  ifOld(): void;
}

export function reread<T>(list: HTMLElement, ask: () => Promise<Answer<T>>, draw: (value: T) => (HTMLElement | string)[]): Reread {
  let readAt = Number.NEGATIVE_INFINITY;
  let shown = "";
  async function now(): Promise<void> {
    readAt = performance.now();
    const answer = await ask();
    const said = JSON.stringify(answer);
    // Where nothing is new the buttons stay, and the focus with them.
    if (said === shown) return;
    shown = said;
    fill(list, ...(answer.as === "ok" ? draw(answer.value) : [h("p", { class: "bad" }, answer.detail)]));
  }
  return { now, ifOld: () => void (performance.now() - readAt > EVERY_MS && now()) };
}
