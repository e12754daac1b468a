/** Who is told of what: what became of the last message of every webhook, and sending one to see. */
import type { WebhookReport, WebhookTested } from "../../src/core/news";
import { roomPath } from "./api";
import { button, card, fill, h, table } from "./dom";
import type { Bridge } from "./operator";
import { may } from "./session";
import type { View } from "./watch";
import { count, delivery, when } from "./words";

const READ_EVERY_MS = 5_000;

export function webhooks({ api, name, me, toasts }: Bridge): { readonly node: HTMLElement; show(view: View): void } {
  const list = h("div");
  let readAt = Number.NEGATIVE_INFINITY;
  let shown = "";

  async function read(): Promise<void> {
    readAt = performance.now();
    const answer = await api.get<{ webhooks: WebhookReport[] }>(roomPath(name, "/webhooks"));
    const said = JSON.stringify(answer);
    // Where nothing is new the buttons stay, and the focus with them.
    if (said === shown) return;
    shown = said;
    if (answer.as === "refused") return fill(list, h("p", { class: "bad" }, answer.detail));
    const rows = answer.value.webhooks.map((hook) => [
      hook.name,
      hook.tell.join(", "),
      hook.last === null ? "nothing yet" : `${delivery(hook.last)}, ${when(hook.last.at, Date.now())}`,
      count(hook.waiting),
      count(hook.delivered),
      count(hook.given_up + hook.dropped),
      may(me, "operator") &&
        button("Test", () => void test(hook.name), { class: "plain small", "aria-label": `Send a test to ${hook.name}` }),
    ]);
    fill(
      list,
      rows.length === 0
        ? h("p", { class: "hint" }, "Nobody is told: the setting webhooks is empty.")
        : table("Webhooks", ["Name", "Told of", "Last message", "Waiting", "Arrived", "Lost", "Action"], rows),
    );
  }

  async function test(webhook: string): Promise<void> {
    const answer = await api.send<WebhookTested>("POST", roomPath(name, `/webhooks/${encodeURIComponent(webhook)}/test`));
    const isGood = answer.as === "ok" && answer.value.result === "delivered";
    toasts.tell(`${webhook}: ${answer.as === "ok" ? delivery(answer.value) : answer.detail}.`, isGood ? "good" : "bad");
    await read();
  }

  return {
    node: card("Who is told", list),
    show() {
      if (performance.now() - readAt > READ_EVERY_MS) void read();
    },
  };
}
