/** Guards of the brake for a site that struggles (SLOW). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const test = "test/line/slow-down.test.ts";

export const guards = [
  ...guardsOf("durable/line/slow-down.ts", test, [
    [
      "brake: a sample",
      "SLOW-2",
      "requestsIn(seen) >= LEAST_REQUESTS",
      "requestsIn(seen) >= 1",
      "[SLOW-2] is left alone by too few requests",
    ],
    ["brake: halves", "SLOW-2", "const FACTOR = 0.5;", "const FACTOR = 0.9;", "[SLOW-2] is halved by the first exchange"],
    [
      "brake: what was let in before a step",
      "SLOW-2",
      "    counters.siteJudgedFromMs = now + SETTLE_MS;\n",
      "",
      "[SLOW-2] falls again while what came after the last step is bad",
    ],
    [
      "brake: given back with a clean sheet",
      "SLOW-3",
      "  if (isSlowed) counters.siteJudgedFromMs = counters.now;\n",
      "",
      "[SLOW-3] stays down without recover",
    ],
    [
      "brake: by hand",
      "SLOW-3",
      "counters.slowed !== null && slowDown.recover && isTime",
      "counters.slowed !== null && isTime",
      "[SLOW-3]",
    ],
    [
      "brake: recovers only while the site is calm",
      "SLOW-4",
      "    if (struggleOf(seen, slowDown, CALM_SHARE) !== null) return;\n",
      "",
      "[SLOW-4] comes back by a twentieth",
    ],
    [
      "brake: never above the operator's rate",
      "SLOW-6",
      "  return perMinute < newUsersPerMinute ? { ...settings, newUsersPerMinute: perMinute } : settings;",
      "  return { ...settings, newUsersPerMinute: perMinute };",
      "[SLOW-5][P7] is remembered by the Room",
    ],
    [
      "brake: never below the floor",
      "SLOW-6",
      "  const perMinute = Math.max(slowDown.floorPerMinute, slowed.perMinute);",
      "  const perMinute = slowed.perMinute;",
      "[SLOW-2] falls again while what came after the last step is bad",
    ],
  ]),
  ...guardsOf("durable/line/switches.ts", test, [
    [
      "brake: kept through a reset",
      "SLOW-5",
      "const { attack, slowed, siteJudgedFromMs, revokedKeys } = line.counters;\n  Object.assign(fresh.counters, { nextDraw, nextSalt, nextWindowSalt, lobby, attack, slowed, siteJudgedFromMs,",
      "const { attack, revokedKeys } = line.counters;\n  Object.assign(fresh.counters, { nextDraw, nextSalt, nextWindowSalt, lobby, attack,",
      "[SLOW-5][P7]",
    ],
  ]),
  ...guardsOf("durable/line/schedule.ts", test, [
    ["brake: at work", "SLOW-2", "  watchOrigin(line, settings);\n", "", "[SLOW-2] is halved by the first exchange"],
  ]),
  ...guardsOf("src/core/origin-outcomes.ts", "test/core/origin-outcomes.test.ts", [
    ["outcomes: 95 in 100", "SLOW-1", "TIME_ENDS_MS, 0.95);", "TIME_ENDS_MS, 0.5);", "[SLOW-1] the time of 95 in 100"],
  ]),
];
