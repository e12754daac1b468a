/** Guards of what a step writes (ROOM-18). Read by scripts/test-guards.mjs. */
const unsaved = "durable/line/unsaved.ts";
const replay = "durable/line/replay.ts";
const stored = "durable/line/stored.ts";
const test = "test/line/unsaved.test.ts";
const loading = [test, "loading gives what was there after the last step"];
const rows = [test, "a step writes its own row"];

export const guards = [
  ["blocks are written before their record goes", unsaved, "step > due) break;", "step >= due) break;", loading],
  ["… and not at every step", unsaved, "allBefore ? step : step - keep.steps;", "step;", rows],
  ["a record is bounded", unsaved, "> keep.recordBytes;", "> 1e9;", rows],
  ["records lie over old ones", stored, "position: placed.step % keep.steps,", "position: placed.step,", rows],
  ["joins get a row before their record goes", unsaved, "this.#joins[0]?.step ?? Number", "Number", rows],
  [
    "joins that cannot have a row move on",
    unsaved,
    "      this.#carry(batch, step);\n    }\n    const first",
    "    }\n    const first",
    loading,
  ],
  ["records begin anew after all blocks were written", replay, "Math.max(0, first)", "0", loading],
  ["a place that was left stays left", replay, "gone.set(number, page);", "gone.get(number);", loading],
  ["a step that was loaded counts on", replay, "records.at(-1)?.[0] ?? 0", "0", loading],
  [
    "what was loaded from records is still only there",
    replay,
    "    unsaved.note(step, {",
    "    if (step < 0) unsaved.note(step, {",
    loading,
  ],
].map(([name, file, find, replace, test]) => ({ name: `steps: ${name}`, rule: "ROOM-18", file, find, replace, test }));
