/** Files of the waiting page that settings name: which, and which of them the Room has not. Reads; changes nothing. */
import type { OperatorSettings, Warning } from "../src/core/admin";
import type { PageFileKind } from "../src/core/page-files";
import type { Problem } from "../src/core/settings";
import type { StoredFiles } from "./stored-files";

const KINDS: readonly PageFileKind[] = ["logo", "template"];

/** Every name that a room's settings or one of its events holds, with the setting that holds it. */
export function namesIn(settings: OperatorSettings): { readonly setting: string; readonly kind: PageFileKind; readonly name: string }[] {
  const events = (settings["events"] ?? []) as OperatorSettings[];
  const tables = [["", settings] as const, ...events.map((event) => [`events.${event["name"]}.`, event] as const)];
  return tables.flatMap(([at, table]) =>
    KINDS.flatMap((kind) => {
      const name = table[kind];
      return typeof name === "string" && name !== "" ? [{ setting: `${at}${kind}`, kind, name }] : [];
    }),
  );
}

const MISSING = "names a file that is not kept here (any more): upload it again";

/** What `after` names and `before` did not, and nobody has uploaded. */
export function missingFiles(files: StoredFiles, before: OperatorSettings, after: OperatorSettings): Problem[] {
  const known = new Set(namesIn(before).map(({ name }) => name));
  return namesIn(after).flatMap(({ setting, name }) => (known.has(name) || files.has(name) ? [] : [{ setting, problem: MISSING }]));
}

/** Settings of the file that name what this Room has not: the page does without. */
export function fileWarnings(files: StoredFiles, settings: OperatorSettings): Warning[] {
  return namesIn(settings).flatMap(({ setting, name }) =>
    files.has(name) ? [] : [{ setting, warning: `${MISSING}; the page does without` }],
  );
}

/** What was in force until `now` is the last to make room for others. Inside a transaction. */
export function retireFiles(files: StoredFiles, before: OperatorSettings, after: OperatorSettings, now: number): void {
  const used = new Set(namesIn(after).map(({ name }) => name));
  for (const { name } of namesIn(before)) if (!used.has(name)) files.touch(name, now);
}
