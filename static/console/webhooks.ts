/** Who is told of what: what became of the last message of every webhook, and sending one to see. */
import type { WebhookReport, WebhookTested } from "../../src/core/news";
import { roomPath } from "./api";
import { button, card, h, table } from "./dom";
import type { Bridge } from "./operator";
import { reread } from "./reread";
import { may } from "./session";
import { count, delivery, when } from "./words";

export function webhooks({ api, name, me, toasts }: Bridge): { readonly node: HTMLElement; show(): void } {
  const list = h("div");
  const ask = () => api.get<{ webhooks: WebhookReport[] }>(roomPath(name, "/webhooks"));
  const read = reread(list, ask, ({ webhooks }) => {
    const rows = webhooks.map((hook) => [
      hook.name,
      hook.tell.join(", "),
      hook.last === null ? "nothing yet" : `${delivery(hook.last)}, ${when(hook.last.at, Date.now())}`,
      count(hook.waiting),
      count(hook.delivered),
      count(hook.given_up + hook.dropped),
      may(me, "operator") &&
        button("Test", () => void test(hook.name), { class: "plain small", "aria-label": `Send a test to ${hook.name}` }),
    ]);
    return [
      rows.length === 0
        ? h("p", { class: "hint" }, "Nobody is told: the setting webhooks is empty.")
        : table("Webhooks", ["Name", "Told of", "Last message", "Waiting", "Arrived", "Lost", "Action"], rows),
    ];
  });

  async function test(webhook: string): Promise<void> {
    const answer = await api.send<WebhookTested>("POST", roomPath(name, `/webhooks/${encodeURIComponent(webhook)}/test`));
    const isGood = answer.as === "ok" && answer.value.result === "delivered";
    toasts.tell(`${webhook}: ${answer.as === "ok" ? delivery(answer.value) : answer.detail}.`, isGood ? "good" : "bad");
    await read.now();
  }

  return { node: card("Who is told", list), show: () => read.ifOld() };
}
