/** The report of a sale: totals, peaks and what was done, to print, with every minute as CSV. */
import type { AuditEntry, Minute } from "../../src/core/audit";
import { sentence } from "./acts-words";
import { roomPath } from "./api";
import { button, card, fill, h, table } from "./dom";
import type { Bridge } from "./operator";
import { reportRows } from "./report";
import { saveButton } from "./saving";
import type { View } from "./watch";
import { when } from "./words";

const MOST_MINUTES = 2_880;
const READ_EVERY_MS = 15_000;

export function report({ api, name, toasts }: Bridge): { readonly node: HTMLElement; show(view: View): void } {
  const rows = h("dl", { class: "facts wide" });
  const acts = h("div");
  let minutes: readonly Minute[] = [];
  let readAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<void> {
    readAt = performance.now();
    const [series, audit] = await Promise.all([
      api.get<{ minutes: Minute[] }>(roomPath(name, `/series?minutes=${MOST_MINUTES}`)),
      api.get<{ audit: AuditEntry[] }>(roomPath(name, "/audit?limit=200")),
    ]);
    if (series.as === "ok") minutes = series.value.minutes;
    if (audit.as !== "ok") return;
    const lines = audit.value.audit.filter(({ role }) => role !== "deploy").map((entry) => [when(entry.at, Date.now()), sentence(entry)]);
    fill(acts, lines.length === 0 ? h("p", { class: "hint" }, "Nobody did anything.") : table("What was done", ["When", "What"], lines));
  }

  return {
    node: h(
      "div",
      { class: "stack" },
      card(
        "The sale in numbers",
        h("p", { class: "hint" }, "Totals since the line began; minutes of the last two days."),
        rows,
        h(
          "div",
          { class: "acts" },
          saveButton(
            "Every minute as CSV",
            api,
            toasts,
            roomPath(name, `/series?minutes=${MOST_MINUTES}&format=csv`),
            `${name}-minutes.csv`,
          ),
          button("Print", () => print(), { class: "plain small" }),
        ),
      ),
      card("What was done", acts),
    ),
    show({ stats }) {
      if (performance.now() - readAt > READ_EVERY_MS) void read();
      fill(rows, ...reportRows(stats, minutes).flatMap(([term, text]) => [h("dt", {}, term), h("dd", {}, text)]));
    },
  };
}
