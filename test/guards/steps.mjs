/** Guards of what a step writes, and for whom (ROOM-18, ROOM-19). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const unsaved = "durable/line/unsaved.ts";
const replay = "durable/line/replay.ts";
const stored = "durable/line/stored.ts";
const test = "test/line/unsaved.test.ts";
const loading = [test, "loading gives what was there after the last step"];
const rows = [test, "a step writes its own row"];
const anew = [test, "records begin anew where"];
const woken = ["test/durable/storage-counts.test.ts", "a Room that is woken for each of its calls"];
const full = ["test/durable/full-store.test.ts", "O5 that takes no new row"];

const together = guardsOf("durable/exchanges.ts", "test/durable/gathering.test.ts", [
  ["together: one step for several", "ROOM-19", "if (calls.length < 2 ||", "if (calls.length < 1_000 ||", "write a row for the first"],
  ["together: one isolate waits for nobody", "ROOM-19", " && steps.isolates > 1", "", "wait for nobody"],
  [
    "together: each is tried alone",
    "ROOM-19",
    "calls: calls.length, error: String(error) }));\n      return;",
    "calls: calls.length, error: String(error) }));\n      throw error;",
    "are tried one by one",
  ],
]);
const gathering = guardsOf("durable/gathering.ts", "test/durable/gathering.test.ts", [
  ["together: so much at most", "ROOM-19", "if (this.#questions >= GATHER_MOST) return 0;", "", "are enough for a step"],
  [
    "together: a clock that was set back",
    "ROOM-19",
    "Math.min(GATHER_MS, this.#steppedAt + GATHER_MS - now)",
    "this.#steppedAt + GATHER_MS - now",
    "are enough for a step",
  ],
]);
const sealed = guardsOf("durable/line/recent-joins.ts", "test/durable/gathering.test.ts", [
  [
    "together: a chain for each call's entries",
    "ROOM-19",
    "batch.draw === got.draw && !isSealed(batch)",
    "batch.draw === got.draw",
    "into the draw's chain",
  ],
]);

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
  ["records before those that begin anew are over", replay, "if (allBefore) break;", "", loading],
  ["the newest record counts", replay, "if (this.#seen.has(slot)) return;", "", loading],
  ["a place that was left stays left", replay, "gone.set(number, page.slice());", "gone.get(number);", loading],
  ["a step that was loaded counts on", replay, "resume(noted[0]?.[0] ?? 0,", "resume(0,", loading],
  [
    "what was loaded from records is still only there",
    replay,
    "unsaved.note(step, what);",
    "if (step < 0) unsaved.note(step, what);",
    loading,
  ],
  ["records begin anew where that costs little", unsaved, 'newRows === "early" &&', "false &&", anew],
  ["… and only there", unsaved, "this.#rowsHeld() * keep.stepsForRow <= ", "0 <= ", anew],
  ["a Room that is woken reads what it needs", "durable/stored-steps.ts", "LIMIT ?", "LIMIT 32 * ?", woken],
  ["… from the newest step on", "durable/stored-steps.ts", ">= lowest) first", "< lowest) first", woken],
  [
    "a storage that was full is asked for no row before its time",
    "durable/full-store.ts",
    '? "due" : "early"',
    '? "early" : "early"',
    full,
  ],
]
  .map(([name, file, find, replace, test]) => ({ name: `steps: ${name}`, rule: "ROOM-18", file, find, replace, test }))
  .concat(together, gathering, sealed);
