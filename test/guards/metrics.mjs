/** Guards of the metrics (METRIC). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const core = "test/core/metrics.test.ts";

export const guards = [
  ...guardsOf("src/core/metrics.ts", core, [
    ["metrics: labels are escaped", "METRIC-1", '="${escaped(text)}"`', '="${text}"`', "[METRIC-1] are what a strict reader"],
    [
      "metrics: buckets add up",
      "METRIC-1",
      "      below += times.counts[i] ?? 0;\n",
      "      below = times.counts[i] ?? 0;\n",
      "[METRIC-1] are what a strict reader",
    ],
    ["metrics: a Room that is away is marked", "METRIC-2", "isUp ? 1 : 0] as const", "1] as const", "[METRIC-2] of a Room that is away"],
  ]),
  ...guardsOf("src/routes/admin-metrics.ts", "test/worker/admin.test.ts", [
    [
      "metrics: the last known",
      "METRIC-2",
      "      last.set(room, { stats: result.value, atMs: Date.now() });\n",
      "",
      "[METRIC-1] [METRIC-2] are those of every room",
    ],
  ]),
];
