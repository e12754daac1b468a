/** `?wall` in the address: one room as large numbers, to be read across a hall. Nothing can be pressed there, whoever is signed in. */
import type { Api } from "./api";
import { h, setText } from "./dom";
import { numbers, statusLine } from "./numbers";
import { Watch } from "./watch";

export function isWall(search = location.search): boolean {
  return new URLSearchParams(search).has("wall");
}

/** Of a room's wall, or back from it. */
export function wallHref(room: string, wall: boolean): string {
  return `${location.pathname}${wall ? "?wall" : ""}#/room/${encodeURIComponent(room)}`;
}

export class WallScreen {
  readonly node: HTMLElement;
  readonly #watch: Watch;

  constructor(name: string, api: Api) {
    const [line, tiles] = [statusLine(), numbers()];
    const failed = h("p", { class: "trouble", role: "alert", hidden: true });
    this.#watch = new Watch(api, name, {
      show: (view) => {
        failed.hidden = true;
        for (const part of [line, tiles]) part.show(view);
      },
      fail: (detail) => {
        failed.hidden = false;
        setText(failed, detail);
      },
      news: () => undefined,
    });
    this.node = h(
      "div",
      { class: "wall-screen" },
      h(
        "div",
        { class: "head" },
        h("div", {}, h("h1", { tabindex: -1 }, name), line.node),
        h("a", { href: wallHref(name, false) }, "To the console"),
      ),
      failed,
      tiles.node,
    );
    this.#watch.start();
  }

  stop(): void {
    this.#watch.stop();
  }
}
