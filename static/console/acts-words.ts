/** What somebody did, as one sentence; and whose act it was. Pure. */
import type { AuditEntry } from "../../src/core/audit";
import { value } from "./words";

const DONE: Readonly<Record<string, string>> = {
  change: "changed",
  replace: "replaced the settings",
  restore: "restored an earlier revision",
  "apply-file": "applied the file",
  "stop-joins": "stopped new joins",
  "allow-joins": "allowed joins again",
  "under-attack": "asks newcomers for proof",
  calm: "stopped asking newcomers for proof",
  flush: "emptied the line",
  "end-sessions": "ended all visits",
  reset: "began a new line",
  "sold-out": "marked it as sold out",
  reopen: "reopened the sale",
  "full-rate": "gave the full rate back",
  "stop-ramp": "stopped the steps",
};

type Effects = Pick<AuditEntry, "before" | "after">;

/** More than these are not read, but counted. */
const NAMED = 8;

/** `new_users_per_minute 30 → 60, message nothing → “Soon”`. */
export function effects({ before, after }: Effects): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const moved = names.slice(0, NAMED).map((name) => `${name} ${name in before ? `${value(before[name])} → ` : ""}${value(after[name])}`);
  return [...moved, ...(names.length > NAMED ? [`and ${names.length - NAMED} more`] : [])].join(", ");
}

/** Without who: "paused", "changed new_users_per_minute 30 → 60". */
export function act(entry: Pick<AuditEntry, "action" | "before" | "after">): string {
  const { action, before, after } = entry;
  const isPause = Object.keys(after).join() === "queue_all" && typeof after["queue_all"] === "boolean";
  if (isPause) return after["queue_all"] ? "paused" : "resumed";
  const verb = DONE[action] ?? action;
  const what =
    action in DONE && !["change", "replace", "restore", "apply-file", "stop-ramp"].includes(action) ? "" : effects({ before, after });
  return what === "" ? verb : action === "change" ? `changed ${what}` : `${verb}: ${what}`;
}

export function sentence(entry: AuditEntry): string {
  const why = entry.reason === "" ? "" : ` (${entry.reason})`;
  return `${entry.actor} ${act(entry)}${why}`;
}

/** What came since, oldest first. @param seen the last id that was known */
export function since(entries: readonly AuditEntry[], seen: number): AuditEntry[] {
  return entries.filter(({ id }) => id > seen).toReversed();
}
