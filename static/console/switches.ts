/** Pause, the largest button of the screen, and the other switches that have a way back. Those that have none ask first. */
import type { SwitchName } from "../../src/core/admin";
import { confirmLoss } from "./dialogs";
import { button, card, h, setText } from "./dom";
import type { Bridge } from "./operator";
import { may } from "./session";
import type { View } from "./watch";
import { count, inLine } from "./words";

interface Part {
  readonly node: HTMLElement | null;
  show(view: View): void;
}

/** Nothing for viewers: they could not press it. */
export function pauseButton({ me, operator }: Bridge): Part {
  if (!may(me, "operator")) return { node: null, show: () => undefined };
  let isPaused = false;
  const press = button("Pause", () => void operator.turn(isPaused ? "resume" : "pause"), { class: "pause" });
  const show = ({ room }: View) => {
    press.disabled = room === null;
    isPaused = room?.settings["queue_all"] === true;
    setText(press, isPaused ? "Resume" : "Pause");
    press.classList.toggle("is-paused", isPaused);
  };
  return { node: press, show };
}

/** A switch and what it says of itself, by how it stands. */
interface Toggle {
  readonly on: SwitchName;
  readonly off: SwitchName;
  readonly labels: readonly [string, string];
  /** What a press does. */
  readonly does: readonly [string, string];
  isOn(view: View): boolean;
  /** Absent = always shown. */
  isShown?(view: View): boolean;
}

const TOGGLES: readonly Toggle[] = [
  {
    on: "stop-joins",
    off: "allow-joins",
    labels: ["Stop new joins", "Allow joins"],
    does: [
      "Nobody new gets a place. Everybody in line keeps theirs and goes in by turn.",
      "Newcomers, who are told that the line is closed, get places again.",
    ],
    isOn: ({ room }) => room?.switches.joins_stopped === true,
  },
  {
    on: "sold-out",
    off: "reopen",
    labels: ["Sold out", "Reopen the sale"],
    does: [
      "Everybody in line and all newcomers are told that it is over. People inside stay.",
      "People who were in line still have their places, and go on when they load the page again.",
    ],
    isOn: ({ room }) => room?.switches.ended === true,
  },
  {
    on: "under-attack",
    off: "calm",
    labels: ["Ask newcomers for proof", "Stop asking for proof"],
    does: [
      "Browsers work something out before they get a place. People in line notice nothing.",
      "Newcomers get their place without it, except where the limits ask for it.",
    ],
    isOn: ({ room }) => room?.switches.under_attack === true,
    isShown: ({ room }) => room !== null && room.settings["challenge"] !== "off",
  },
];

export function switches({ me, operator }: Bridge): Part {
  if (!may(me, "operator")) return { node: null, show: () => undefined };
  let last: View | null = null;
  const toggles = TOGGLES.map((toggle) => {
    const id = `does-${toggle.on}`;
    const press = button(toggle.labels[0], () => void (last !== null && operator.turn(toggle.isOn(last) ? toggle.off : toggle.on)), {
      class: "plain",
      "aria-describedby": id,
    });
    const does = h("p", { class: "hint", id }, toggle.does[0]);
    return { toggle, press, does, node: h("div", { class: "switch" }, press, does) };
  });
  const brake = h("p", { class: "notice", hidden: true });
  const why = h("span");
  brake.append(
    why,
    " ",
    button("Give the full rate back", () => void operator.turn("full-rate")),
  );
  return {
    node: card("Switches", brake, ...toggles.map(({ node }) => node)),
    show(view) {
      last = view;
      for (const { toggle, press, does, node } of toggles) {
        node.hidden = toggle.isShown?.(view) === false;
        const isOn = toggle.isOn(view);
        setText(press, toggle.labels[isOn ? 1 : 0]);
        setText(does, toggle.does[isOn ? 1 : 0]);
        press.classList.toggle("is-on", isOn);
      }
      const { slowed_down: slowed, rate_per_minute: rate } = view.stats;
      brake.hidden = slowed === null;
      if (slowed !== null) setText(why, `The site ${slowed.why === "slow" ? "is slow" : "fails"}: the rate is held at ${rate} a minute.`);
    },
  };
}

/** What nobody can take back. */
export function losses({ name, me, operator }: Bridge): Part {
  if (!may(me, "operator")) return { node: null, show: () => undefined };
  let last: View | null = null;
  const ask = (title: string, verb: string, turn: SwitchName, consequence: (view: View) => string) =>
    button(
      `${title}…`,
      () => {
        if (last === null) return;
        void confirmLoss({ title, consequence: consequence(last), verb, typed: name }).then((sure) => {
          if (sure) void operator.turn(turn, turn === "reset" ? name : null);
        });
      },
      { class: "danger" },
    );
  const empty = ask(
    "Empty the line",
    "Empty the line",
    "flush",
    ({ stats }) =>
      `The ${count(inLine(stats))} people who wait in ${name} lose their places. They are told, and may join again at the end. This cannot be undone.`,
  );
  const end = ask(
    "End all visits",
    "End all visits",
    "end-sessions",
    ({ stats: { inside } }) =>
      `The ${count(inside)} people inside ${name} are sent back to the line, in the middle of what they do. This cannot be undone.`,
  );
  const reset = ask(
    "New line",
    "Begin a new line",
    "reset",
    ({ stats }) =>
      `All places and passes of ${name} become void: ${count(inLine(stats))} waiting and ${count(stats.inside)} inside begin again. This cannot be undone.`,
  );
  return {
    node: card("Without a way back", h("div", { class: "acts" }, empty, end, may(me, "admin") && reset)),
    show: (view) => {
      last = view;
    },
  };
}
