/**
 * Reading one value or name of a table of settings: the value in its one spelling, or what is wrong with it, for people. Pure.
 */
import * as v from "valibot";
import { describe, nearest } from "./operator-text";
import type { Setting } from "./settings-kinds";
import { NOT_BUILT, VALUES_NOT_BUILT } from "./settings-schema";

export type ReadValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the value of a setting; `undefined` = left out. */
export function readValue(name: string, setting: Setting<unknown>, raw: unknown): ReadValue {
  if (raw === undefined) {
    if (setting.fallback !== undefined) return { ok: true, value: setting.fallback };
    return { ok: false, problems: [`is missing; it must be ${setting.allowed}`] };
  }
  if (VALUES_NOT_BUILT.get(name)?.includes(raw)) {
    return { ok: false, problems: [`= ${JSON.stringify(raw)} is not built yet; it must be ${setting.allowed}`] };
  }
  const result = v.safeParse(setting.schema, raw);
  if (result.success) return { ok: true, value: result.output };
  const number = typeof raw === "string" && raw.trim() !== "" && Number.isFinite(Number(raw)) ? "; write numbers without quotes" : "";
  const problems = result.issues.map((issue) => `${whereOf(issue)}must be ${issue.message}, not ${describe(issue.input)}${number}`);
  return { ok: false, problems: [...new Set(problems)] };
}

/** "entry 2, host: " for an issue inside a list; people count from 1. */
function whereOf(issue: v.BaseIssue<unknown>): string {
  const keys = issue.path?.map(({ key }) => (typeof key === "number" ? `entry ${key + 1}` : String(key)));
  return keys ? `${keys.join(", ")}: ` : "";
}

/** What is wrong with a name that is not among `known`. */
export function nameProblem(name: string, known: ReadonlyMap<string, Setting<unknown>>): string {
  const later = NOT_BUILT.get(name);
  if (later !== undefined) return `is ${later}`;
  const near = nearest(name, known.keys());
  const help = near === null ? `known are ${[...known.keys()].join(", ")}` : `the nearest is ${near}: ${known.get(near)?.allowed}`;
  return `is not a setting; ${help}`;
}
