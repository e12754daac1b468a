/** Who did what, what happened by itself, and every revision of the settings with the way back to it. */
import type { Forecast, Revision } from "../../src/core/admin";
import type { AuditEntry, LogEntry } from "../../src/core/audit";
import { act, effects } from "./acts-words";
import { roomPath } from "./api";
import { choose } from "./dialogs";
import { button, card, fill, h, table } from "./dom";
import { effectLines, warningLines } from "./effect";
import type { Bridge } from "./operator";
import { saveButton } from "./saving";
import { may } from "./session";
import type { View } from "./watch";
import { count, value, when } from "./words";

export function history(bridge: Bridge): { readonly node: HTMLElement; show(view: View): void } {
  const { api, name, me, operator, toasts, watch } = bridge;
  const revisionsBox = h("div");
  const auditBox = h("div");
  const logBox = h("div");
  let seen = "";
  let filter = "";

  /** Nothing here may change for hours: what could not be read is read with the next look. */
  function tryAgain(box: HTMLElement, detail: string): void {
    seen = "";
    fill(box, h("p", { class: "bad" }, detail));
  }

  async function restore(revision: number): Promise<void> {
    const base = watch.room?.revision;
    if (base === undefined) return;
    const path = roomPath(name, `/revisions/${revision}/restore`);
    const told = await api.send<Forecast>("POST", path, { ifRevision: base, dryRun: true });
    if (told.as === "refused") return toasts.tell(`Not restored. ${told.detail}`, "bad");
    if (!told.value.would_change) return toasts.tell("Nothing would change: that is what holds.");
    const lines = [effects(told.value), ...effectLines(told.value), ...warningLines(told.value.warnings)];
    if ((await choose(`Restore revision ${revision}?`, lines, "Back", "Restore it")) === "safe") return;
    await operator.restore(revision, base);
  }

  async function readRevisions(): Promise<void> {
    const answer = await api.get<{ revisions: Revision[] }>(roomPath(name, "/revisions?limit=200"));
    if (answer.as === "refused") return tryAgain(revisionsBox, answer.detail);
    const current = answer.value.revisions[0]?.revision;
    const rows = answer.value.revisions.map(({ revision, at, actor, reason, overrides }) => [
      String(revision),
      when(at, Date.now()),
      actor,
      reason,
      Object.entries(overrides)
        .map(([setting, held]) => `${setting} = ${value(held)}`)
        .join(", ") || "as in the file",
      revision === current
        ? "holds now"
        : may(me, "operator") &&
          button("Restore…", () => void restore(revision), { class: "plain small", "aria-label": `Restore revision ${revision}` }),
    ]);
    fill(revisionsBox, table("Revisions", ["Revision", "When", "Who", "Why", "Live values", "Action"], rows));
  }

  async function readAudit(): Promise<void> {
    const answer = await api.get<{ audit: AuditEntry[] }>(roomPath(name, "/audit?limit=100"));
    if (answer.as === "refused") return tryAgain(auditBox, answer.detail);
    const rows = answer.value.audit
      .filter((entry) => filter === "" || JSON.stringify(entry).toLowerCase().includes(filter))
      .map((entry) => [
        when(entry.at, Date.now()),
        h("span", { class: "told" }, act(entry)),
        entry.actor,
        entry.role,
        entry.reason,
        String(entry.revision),
      ]);
    fill(auditBox, table("Who did what", ["When", "What", "Who", "Role", "Why", "Revision"], rows));
  }

  async function readLog(): Promise<void> {
    const answer = await api.get<{ log: LogEntry[] }>(roomPath(name, "/log?limit=100"));
    if (answer.as === "refused") return tryAgain(logBox, answer.detail);
    const rows = answer.value.log.map(({ at, event, count: times, places, dropped, detail }) => [
      when(at, Date.now()),
      event,
      detail ?? count(times),
      places.length === 0 ? "" : `${places.join(", ")}${dropped > 0 ? ` and ${count(dropped)} more` : ""}`,
    ]);
    fill(logBox, table("What happened by itself", ["When", "What", "How many", "Places"], rows));
  }

  const search = h("input", { type: "search", placeholder: "Filter", "aria-label": "Filter who did what" });
  search.addEventListener("input", () => {
    filter = search.value.toLowerCase();
    void readAudit();
  });
  const save = (label: string, what: string) =>
    saveButton(label, api, toasts, roomPath(name, `/${what}?limit=500&format=csv`), `${name}-${what}.csv`);
  return {
    node: h(
      "div",
      { class: "stack" },
      card("Who did what", h("div", { class: "acts" }, search, save("Save as CSV", "audit")), auditBox),
      card("Revisions of the settings", revisionsBox),
      card("What happened by itself", h("div", { class: "acts" }, save("Save as CSV", "log")), logBox),
    ),
    show({ stats }) {
      const now = `${stats.revision} ${stats.recent.audit[0]?.id} ${stats.recent.log[0]?.id}`;
      if (now === seen) return;
      const [revision, audit] = seen.split(" ");
      seen = now;
      if (revision !== String(stats.revision)) void readRevisions();
      if (audit !== String(stats.recent.audit[0]?.id)) void readAudit();
      void readLog();
    },
  };
}
