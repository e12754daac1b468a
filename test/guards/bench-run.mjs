/** Guards of `npm run bench` (BENCH-2, 3): what makes a number a figure. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const tests = "test/worker/bench.test.ts";

export const guards = [
  ...guardsOf("bench/lib/figures.mjs", tests, [
    [
      "bench: the best round meets no bar",
      "BENCH-2",
      "value <= bar.atMost : value >= bar.atLeast",
      "value <= bar.atMost : figure.high >= bar.atLeast",
      "[BENCH-2] a bar is judged by the median",
    ],
    [
      "bench: the first turn does not count",
      "BENCH-2",
      "  if (warm) for (const run of Object.values(sides)) await run();\n",
      "",
      "[BENCH-2] sides take turns",
    ],
  ]),
  ...guardsOf("bench/lib/load.mjs", tests, [
    ["bench: load stays here", "BENCH-3", 'if (hostname !== "127.0.0.1")', 'if (hostname === "")', "[BENCH-3] goes to this computer only"],
  ]),
  ...guardsOf("bench/lib/load-process.mjs", tests, [
    [
      "bench: no figure of wrong answers",
      "BENCH-3",
      "count === 0 || other > 0 || result.errors > 0",
      "count === 0",
      "[BENCH-3] counts the expected answer",
    ],
  ]),
];
