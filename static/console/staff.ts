/** Staff links: who has one, making one, ending one. A new link is shown once. */
import type { StaffLink, StaffLinks } from "../../src/core/staff";
import { roomPath } from "./api";
import { confirmLoss, showSecret } from "./dialogs";
import { button, card, field, h, table } from "./dom";
import type { Bridge } from "./operator";
import { refusal } from "./refusal";
import { reread } from "./reread";
import { may } from "./session";
import type { View } from "./watch";
import { count, when } from "./words";

export function staff({ api, name, me, operator }: Bridge): { readonly node: HTMLElement; show(view: View): void } {
  const list = h("div");
  let seen = -1;
  const ask = () => api.get<StaffLinks>(roomPath(name, "/staff-links"));
  const read = reread(list, ask, ({ staff_places: places, staff_places_taken: taken, links }) => {
    const rows = links.map((link) => [
      link.label,
      link.state,
      `${count(link.used)} of ${count(link.uses)}`,
      when(link.expires_at, Date.now()),
      link.made_by.name,
      may(me, "operator") &&
        link.state === "live" &&
        button("End…", () => void end(link), { class: "plain small", "aria-label": `End ${link.label}` }),
    ]);
    return [
      h("p", {}, `${count(taken)} of ${count(places)} staff places are taken.`),
      links.length === 0
        ? h("p", { class: "hint" }, "No links yet.")
        : table("Staff links", ["For", "State", "Used", "Ends", "Made by", "Action"], rows),
    ];
  });

  async function end({ id, label }: StaffLink): Promise<void> {
    const consequence = `The link “${label}” of ${name} opens nothing any more, and who came in by it is turned away. This cannot be undone.`;
    if (!(await confirmLoss({ title: "End the staff link", consequence, verb: "End it", typed: null }))) return;
    await operator.run("DELETE", `/staff-links/${id}`, `The staff link “${label}” has ended.`);
    await read.now();
  }

  const label = h("input", { type: "text", required: true, maxlength: 80 });
  const hours = h("input", { type: "number", min: 0.1, step: "any", value: 8, required: true });
  const uses = h("input", { type: "number", min: 1, step: 1, value: 1, required: true });
  const url = h("input", { type: "url", value: `${location.origin}/`, required: true });
  const wrong = refusal({ label: ["For whom", label], hours: ["Hours", hours], uses: ["Browsers", uses], url: ["Leads to", url] }, "alert");
  const form = h(
    "form",
    {},
    h(
      "div",
      { class: "row" },
      field("For whom", label),
      field("Hours", hours),
      field("Browsers", uses, "that may use it"),
      field("Leads to", url),
    ),
    wrong.node,
    h("div", { class: "acts" }, h("button", { type: "submit" }, "Make a link")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const body = { label: label.value, hours: hours.valueAsNumber, uses: uses.valueAsNumber, url: url.value };
    void operator
      .run<StaffLink & { link: string }>("POST", "/staff-links", "The staff link is made.", { body, tellsItself: true })
      .then(async (answer) => {
        wrong.show(answer.as === "ok" ? null : answer.detail)?.focus();
        if (answer.as === "refused") return;
        label.value = "";
        await read.now();
        await showSecret("The new staff link", "Copy it now: it is not shown again.", answer.value.link);
      });
  });
  return {
    node: h("div", { class: "stack" }, card("Staff links", list), may(me, "operator") && card("A new staff link", form)),
    show({ stats }) {
      const head = stats.recent.audit[0]?.id ?? 0;
      // Using a link is nobody's act, and so in no audit log.
      if (head === seen) return read.ifOld();
      seen = head;
      void read.now();
    },
  };
}
