/** One room's screen: head, numbers and pause on every tab; below, one tab at a time. */
import type { Api } from "./api";
import { calculator } from "./calculator";
import { charts } from "./charts";
import { fill, h, setText } from "./dom";
import { events } from "./events";
import { history } from "./history";
import { limits } from "./limits";
import { message } from "./message";
import { numbers, statusLine } from "./numbers";
import { type Bridge, Operator } from "./operator";
import { plan } from "./plan";
import { preview } from "./preview";
import { report } from "./report-view";
import { type Me, may } from "./session";
import { staff } from "./staff";
import { losses, pauseButton, switches } from "./switches";
import type { Toasts } from "./toasts";
import { visitor } from "./visitor";
import { wallHref } from "./wall";
import { type View, Watch } from "./watch";
import { webhooks } from "./webhooks";
import { badge } from "./words";

interface Part {
  readonly node: HTMLElement | null;
  show?(view: View): void;
  stop?(): void;
}

export const TABS = ["now", "events", "staff", "history", "report", "tools"] as const;
export type Tab = (typeof TABS)[number];
const NAMES: Readonly<Record<Tab, string>> = {
  now: "Now",
  events: "Events",
  staff: "Staff links",
  history: "History",
  report: "Report",
  tools: "Tools",
};

const PARTS: Readonly<Record<Tab, (bridge: Bridge) => Part[]>> = {
  now: (bridge) => [limits(bridge), message(bridge), switches(bridge), charts(bridge)],
  events: (bridge) => [plan(bridge), events(bridge)],
  staff: (bridge) => [staff(bridge)],
  history: (bridge) => [history(bridge)],
  report: (bridge) => [report(bridge)],
  tools: (bridge) => [preview(bridge), calculator(), visitor(bridge), webhooks(bridge), losses(bridge)],
};

export class RoomScreen {
  readonly node: HTMLElement;
  readonly #bridge: Bridge;
  readonly #fixed: readonly Part[];
  readonly #panel = h("div", { class: "panel" });
  readonly #links: ReadonlyMap<Tab, HTMLElement>;
  #parts: readonly Part[] = [];
  #last: View | null = null;

  constructor(name: string, api: Api, me: Me, toasts: Toasts) {
    const line = statusLine();
    const failed = h("p", { class: "trouble", role: "alert", hidden: true });
    const watch: Watch = new Watch(api, name, {
      show: (view) => {
        failed.hidden = true;
        this.#last = view;
        document.title = `${badge(view.stats).word} · ${name} – console`;
        for (const part of [...this.#fixed, ...this.#parts]) part.show?.(view);
      },
      fail: (detail) => {
        failed.hidden = false;
        setText(failed, detail);
      },
      news: (entries) => operator.news(entries, me),
    });
    const operator = new Operator(name, api, toasts, () => watch.now(), line.reach);
    this.#bridge = { name, api, me, toasts, operator, watch };
    const [pause, tiles] = [pauseButton(this.#bridge), numbers()];
    this.#fixed = [line, pause, tiles];
    this.#links = new Map(TABS.map((tab) => [tab, h("a", { href: `#/room/${encodeURIComponent(name)}/${tab}` }, NAMES[tab])]));
    const readOnly = h("p", { class: "notice" }, "You are signed in as a viewer: you see everything and change nothing.");
    this.node = h(
      "div",
      {},
      h(
        "div",
        { class: "head" },
        h("div", {}, h("h1", { tabindex: -1 }, name), line.node),
        may(me, "operator") && h("div", { class: "acting" }, operator.why, pause.node),
      ),
      failed,
      !may(me, "operator") && readOnly,
      tiles.node,
      h(
        "nav",
        { class: "tabs", "aria-label": `Parts of ${name}` },
        ...this.#links.values(),
        h("a", { href: wallHref(name, true) }, "Wall screen"),
      ),
      this.#panel,
    );
    watch.start();
  }

  open(tab: Tab): void {
    for (const part of this.#parts) part.stop?.();
    for (const [name, link] of this.#links) {
      if (name === tab) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    this.#parts = PARTS[tab](this.#bridge);
    this.#panel.className = `panel ${tab}`;
    fill(this.#panel, ...this.#parts.map(({ node }) => node));
    if (this.#last !== null) for (const part of this.#parts) part.show?.(this.#last);
  }

  stop(): void {
    this.#bridge.watch.stop();
    for (const part of this.#parts) part.stop?.();
  }
}
