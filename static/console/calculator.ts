/** The capacity calculator: rate from places and length of visits, and how long a crowd takes. Sends nothing. */
import { card, field, h, setText } from "./dom";
import { minutesFor, placesFor, rateFor } from "./little";
import type { View } from "./watch";
import { amount, count, wait } from "./words";

export function calculator(): { readonly node: HTMLElement; show(view: View): void } {
  const number = (min: number) => h("input", { type: "number", min, step: "any" });
  const [places, visit, crowd] = [number(1), number(0.1), number(0)];
  const result = h("p", { class: "result", role: "status" });
  let isFilled = false;
  /** The room's rate. */
  let target = 0;
  const tell = () => {
    const [n, m, people] = [places.valueAsNumber, visit.valueAsNumber, crowd.valueAsNumber];
    if (!(n > 0 && m > 0)) return setText(result, "Fill in how many the site stands, and how long a visit lasts.");
    const rate = rateFor(n, m);
    const all = people > 0 ? ` ${count(people)} people are in after ${wait(minutesFor(people, rate))}.` : "";
    const back = target > 0 ? `The room's rate of ${amount(target)} a minute wants ${count(placesFor(target, m))} places.` : "";
    setText(
      result,
      `${amount(rate)} a minute keep ${count(n)} places full; a tenth of them is on its way to people who were called. ${back}${all}`,
    );
  };
  for (const input of [places, visit, crowd]) input.addEventListener("input", tell);
  return {
    node: card(
      "Capacity calculator",
      h(
        "div",
        { class: "row" },
        field("Places", places, "three quarters of what the site stands"),
        field("Minutes per visit", visit),
        field("People who come", crowd, "for how long it takes"),
      ),
      result,
    ),
    show({ room, stats }) {
      if (isFilled || room === null) return;
      isFilled = true;
      target = stats.new_users_per_minute;
      places.value = String(stats.total_active_users);
      visit.value = String(room.settings["session_duration"] ?? 10);
      crowd.value = String(stats.waiting || "");
      tell();
    },
  };
}
