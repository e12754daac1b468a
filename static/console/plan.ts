/** Which plan the account is on, asked once of whoever may answer; and what does not fit the visitors who are expected. */
import { button, card, fill, h } from "./dom";
import type { Bridge } from "./operator";
import { may } from "./session";
import type { View } from "./watch";

export function plan(bridge: Bridge): { readonly node: HTMLElement; show(view: View): void } {
  const { me, operator } = bridge;
  const node = h("div", { class: "stack plan", hidden: true });
  let shown = "";

  function question(base: number): HTMLElement {
    const answer = (plan: "paid" | "free", said: string) => () => void operator.change({ workers_plan: plan }, base, said);
    return card(
      "Which plan is this account on?",
      h(
        "p",
        {},
        "The console cannot see it. Workers Free ends at 100,000 requests a day, in the middle of any larger sale. The answer is kept as workers_plan.",
      ),
      h(
        "div",
        { class: "acts" },
        button("Workers Paid", answer("paid", "The account is on Workers Paid.")),
        button("Workers Free", answer("free", "The account is on Workers Free."), { class: "plain" }),
      ),
    );
  }

  return {
    node,
    show({ room }) {
      if (room === null || String(room.revision) === shown) return;
      shown = String(room.revision);
      const isAsked = room.settings["workers_plan"] === "unknown" && may(me, "operator");
      const short = room.warnings.filter(({ setting }) => /\bexpected_visitors$/.test(setting));
      node.hidden = !isAsked && short.length === 0;
      fill(
        node,
        ...short.map(({ setting, warning }) => h("p", { class: "warn" }, `${setting} ${warning}.`)),
        isAsked && question(room.revision),
      );
    },
  };
}
