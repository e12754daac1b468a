/** The list of rooms, looked at every two seconds, and the way to pause them all. */
import type { SwitchName, SwitchResult } from "../../src/core/admin";
import type { Minute } from "../../src/core/audit";
import type { RoomStats } from "../../src/core/stats";
import { type Api, roomPath } from "./api";
import { button, fill, h } from "./dom";
import { type Me, may } from "./session";
import { sparkline } from "./sparkline";
import type { Toasts, Undo } from "./toasts";
import { age, amount, badge, capacityOf, count, wait } from "./words";

const EVERY_MS = 2_000;
/** What the small lines show, and how often they are read. */
const LINE_MINUTES = 30;
const LINE_EVERY_MS = 60_000;
type Listed = (RoomStats & { readonly age_seconds: number }) | { readonly room: string; readonly error: string };

export function rooms(api: Api, me: Me, toasts: Toasts): { readonly node: HTMLElement; stop(): void } {
  const list = h("ul", { class: "rooms" });
  const trouble = h("p", { class: "trouble", role: "alert" });
  let names: readonly string[] = [];
  /** People waiting, by minutes, of each room. */
  const lines = new Map<string, readonly number[]>();
  let linesAt = Number.NEGATIVE_INFINITY;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    const answer = await api.get<{ rooms: Listed[] }>("/rooms");
    if (isOver) return;
    trouble.hidden = answer.as === "ok";
    if (answer.as === "refused") fill(trouble, answer.detail);
    else show(answer.value.rooms);
    timer = setTimeout(() => void look(), EVERY_MS);
  }

  /** Links stay where they are, so that the focus does. */
  function show(listed: readonly Listed[]): void {
    const found = listed.map(({ room }) => room);
    if (found.join() !== names.join()) {
      names = found;
      fill(list, ...names.map((room) => h("li", {}, h("a", { href: `#/room/${encodeURIComponent(room)}`, class: "room" }))));
    }
    listed.forEach((room, i) => {
      const link = list.children[i]?.firstElementChild;
      if (link) fill(link, ...row(room, lines.get(room.room) ?? []));
    });
    if (performance.now() - linesAt > LINE_EVERY_MS) void readLines();
  }

  async function readLines(): Promise<void> {
    linesAt = performance.now();
    for (const room of names) {
      const series = await api.get<{ minutes: Minute[] }>(roomPath(room, `/series?minutes=${LINE_MINUTES}`));
      if (isOver) return;
      if (series.as === "ok")
        lines.set(
          room,
          series.value.minutes.map(({ waiting }) => waiting),
        );
    }
  }

  function turn(list: readonly string[], name: SwitchName) {
    return Promise.all(list.map((room) => api.send<SwitchResult>("POST", roomPath(room, `/${name}`))));
  }

  function tellOf(done: readonly string[], all: readonly string[], word: string, undo: Undo | null = null): void {
    const rooms = all.length === 1 ? "room is" : "rooms are";
    toasts.tell(`${done.length} of ${all.length} ${rooms} ${word}.`, done.length === all.length ? "good" : "bad", undo);
  }

  async function resume(list: readonly string[]): Promise<void> {
    const answers = await turn(list, "resume");
    tellOf(
      list.filter((_, i) => answers[i]?.as === "ok"),
      list,
      "resumed",
    );
  }

  async function pauseAll(): Promise<void> {
    const all = names;
    const answers = await turn(all, "pause");
    const done = all.filter((_, i) => answers[i]?.as === "ok");
    // What was paused before stays so.
    const paused = all.filter((_, i) => answers[i]?.as === "ok" && answers[i].value.changed);
    const undo = paused.length === 0 ? null : { label: "Undo", run: () => void resume(paused) };
    tellOf(done, all, "paused", undo);
  }

  void look();
  return {
    node: h(
      "div",
      { class: "stack" },
      trouble,
      list,
      may(me, "operator") &&
        h(
          "div",
          { class: "acts" },
          button("Pause all rooms", () => void pauseAll(), { class: "danger" }),
        ),
    ),
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

function row(listed: Listed, line: readonly number[]): Element[] {
  const name = h("span", { class: "name" }, listed.room);
  if ("error" in listed) return [name, h("span", { class: "badge bad" }, listed.error)];
  const { word, tone } = badge(listed);
  const { text, isStale } = age(listed.age_seconds);
  const number = (label: string, shown: string) => h("span", { class: "n" }, h("b", {}, shown), ` ${label}`);
  return [
    name,
    h("span", { class: `badge ${tone}` }, word),
    h(
      "span",
      { class: "ns" },
      sparkline([...line, listed.waiting]),
      number("waiting", count(listed.waiting)),
      number(`in/min of ${amount(listed.rate_per_minute)}`, count(listed.entered_last_minute)),
      number(`inside of ${count(capacityOf(listed))}`, count(listed.inside)),
      number("wait", wait(listed.newcomer_wait_minutes)),
    ),
    h("span", { class: `fresh${isStale ? " stale" : ""}` }, text),
  ];
}
