/** Tokens of the admin API, for admins: who has one, making one, ending one. A new one is shown once. */
import type { AdminToken } from "../../src/core/admin-tokens";
import type { Api } from "./api";
import { confirmLoss, showSecret } from "./dialogs";
import { button, card, field, fill, h, table } from "./dom";
import type { Toasts } from "./toasts";
import { when } from "./words";

const DAY_MS = 86_400_000;

export function tokens(api: Api, toasts: Toasts): HTMLElement {
  const list = h("div");

  async function read(): Promise<void> {
    const answer = await api.get<{ tokens: AdminToken[] }>("/tokens");
    if (answer.as === "refused") return fill(list, h("p", { class: "bad" }, answer.detail));
    const rows = answer.value.tokens.map((token) => [
      token.label,
      token.role,
      token.state,
      when(token.expires_at, Date.now()),
      token.made_by.name,
      token.state === "live" && button("End…", () => void end(token), { class: "plain small", "aria-label": `End ${token.label}` }),
    ]);
    fill(
      list,
      rows.length === 0
        ? h("p", { class: "hint" }, "None yet.")
        : table("Tokens", ["For", "Role", "State", "Ends", "Made by", "Action"], rows),
    );
  }

  async function end({ id, label }: AdminToken): Promise<void> {
    const consequence = `Whoever uses the token “${label}” is signed out at the next request. This cannot be undone.`;
    if (!(await confirmLoss({ title: "End the token", consequence, verb: "End it", typed: null }))) return;
    const answer = await api.send("DELETE", `/tokens/${id}`);
    toasts.tell(answer.as === "ok" ? `The token “${label}” has ended.` : answer.detail, answer.as === "ok" ? "good" : "bad");
    await read();
  }

  const label = h("input", { type: "text", required: true, maxlength: 80 });
  const roles = [
    ["viewer", "viewer: looks"],
    ["operator", "operator: runs the sale"],
    ["admin", "admin: also tokens, a new line, keys"],
  ] as const;
  const role = h("select", {}, ...roles.map(([value, text]) => h("option", { value }, text)));
  const days = h("input", { type: "number", min: 0.1, max: 400, step: "any", value: 7, required: true });
  const form = h(
    "form",
    {},
    h("div", { class: "row" }, field("For whom", label), field("Role", role), field("Days", days)),
    h("div", { class: "acts" }, h("button", { type: "submit" }, "Make a token")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const expires = new Date(Date.now() + days.valueAsNumber * DAY_MS).toISOString();
    void api
      .send<AdminToken & { token: string }>("POST", "/tokens", { body: { label: label.value, role: role.value, expires } })
      .then(async (answer) => {
        if (answer.as === "refused") return toasts.tell(`Not made. ${answer.detail}`, "bad");
        label.value = "";
        await read();
        await showSecret("The new token", "Copy it now: it is not shown again.", answer.value.token);
      });
  });
  void read();
  return h("div", { class: "stack" }, card("Tokens", list), card("A new token", form));
}
