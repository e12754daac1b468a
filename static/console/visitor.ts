/** One visitor by the reference code of their page: where they stand, taking the place away, banning. */
import type { PlaceShown } from "../../src/core/places";
import { roomPath } from "./api";
import { confirmLoss } from "./dialogs";
import { button, card, field, fill, h } from "./dom";
import type { Bridge } from "./operator";
import { may } from "./session";
import { count, when } from "./words";

export function visitor({ api, name, me, operator }: Bridge): { readonly node: HTMLElement } {
  const code = h("input", { type: "text", required: true, autocomplete: "off", spellcheck: "false", placeholder: "7F3K-92AB" });
  const result = h("div", { role: "status" });
  let asked = 0;
  const form = h(
    "form",
    {},
    field("Reference code", code, "at the foot of the visitor's page"),
    h("div", { class: "acts" }, h("button", { type: "submit" }, "Look")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void look(code.value.trim());
  });

  async function look(of: string): Promise<void> {
    // Whose place is shown is whose place is acted on, whatever stands in the field by then.
    const path = `/places/${encodeURIComponent(of)}`;
    const mine = ++asked;
    const answer = await api.get<PlaceShown>(roomPath(name, path));
    if (mine !== asked) return;
    if (answer.as === "refused") return fill(result, h("p", { class: "bad" }, answer.detail));
    const place = answer.value;
    const now = Date.now();
    const facts: (readonly [string, string])[] = [
      ["State", place.state],
      ["Place", count(place.slot)],
      ...(place.ahead === null ? [] : ([["In front", count(place.ahead)]] as const)),
      ["Last seen", place.last_seen_at === null ? "not known" : when(place.last_seen_at, now)],
      ...(place.until === null ? [] : ([["Until", when(place.until, now)]] as const)),
      ...(place.banned === null ? [] : ([["Banned", `by ${place.banned.by.name}, ${when(place.banned.at, now)}`]] as const)),
    ];
    const isThere = place.state !== "ended" && place.state !== "restarted" && place.state !== "unknown";
    const act = (what: "remove" | "ban" | "unban", said: string) =>
      operator.run("POST", `${path}/${what}`, said).then(() => (mine === asked ? look(of) : undefined));
    const lose = (what: "remove" | "ban", title: string, said: string, consequence: string) =>
      button(
        `${title}…`,
        () => {
          void confirmLoss({ title, consequence, verb: title, typed: null }).then((sure) => {
            if (sure) void act(what, said);
          });
        },
        { class: "danger small" },
      );
    fill(
      result,
      h("dl", { class: "facts" }, ...facts.flatMap(([term, text]) => [h("dt", {}, term), h("dd", {}, text)])),
      may(me, "operator") &&
        h(
          "div",
          { class: "acts" },
          isThere &&
            lose(
              "remove",
              "Take the place away",
              "The place was taken away.",
              `Place ${place.slot} of ${name} ends. Its holder may join again, at the end. This cannot be undone.`,
            ),
          place.banned === null
            ? lose(
                "ban",
                "Ban",
                "Banned.",
                `Place ${place.slot} of ${name} ends, and whoever had it cannot join again until the ban is lifted.`,
              )
            : button("Lift the ban", () => void act("unban", "The ban was lifted."), { class: "small" }),
        ),
    );
  }
  return { node: card("Find a visitor", form, result) };
}
