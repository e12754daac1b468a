/** Guards of staff links (STAFF). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

export const guards = [
  ...guardsOf("scripts/staff-link.mjs", "test/core/door.test.ts", [
    [
      "staff: the admin token goes nowhere in the clear",
      "STAFF-1",
      "if (!maySendSecret(url)) fail(",
      "if (!URL.canParse(url)) fail(",
      "[STAFF-1] npm run staff-link gives the admin token",
    ],
  ]),
  ...guardsOf("durable/line/staff.ts", "test/line/staff.test.ts", [
    [
      "staff: no more than staff_places",
      "STAFF-2",
      "staffPlacesTaken(links, now) >= staffPlaces",
      "staffPlaces < 0",
      "[STAFF-2] P1 whatever",
    ],
    ["staff: no more than a link's uses", "STAFF-2", "link.passes.length >= link.uses", "link.uses < 0", "[STAFF-2] a link gives"],
    ["staff: the same browser once", "STAFF-2", "link.passes.some((pass) => pass.key === key)", "key === null", "[STAFF-2] a link gives"],
    ["staff: none by a revoked link", "STAFF-2", "link.revoked !== null || now", "now", "[STAFF-2] a link gives"],
    ["staff: none by an ended link", "STAFF-2", " || now >= link.expiresAt) return", ") return", "[STAFF-2] a link gives"],
    [
      "staff: places are kept until every edge knows",
      "STAFF-2",
      "Math.min(end, revoked.until)",
      "revoked.at",
      "[STAFF-2] places of a link",
    ],
    [
      "staff: places are kept for late clocks",
      "STAFF-2",
      "expiresAt + CLOCKS_MS;\n  return",
      "expiresAt;\n  return",
      "[STAFF-2] places of a link",
    ],
  ]),
  ...guardsOf("src/core/staff.ts", "test/line/staff.test.ts", [
    ["staff: a link is no pass", "STAFF-3", "key === null || manifest === null", "manifest === null", "[STAFF-3] at the edge"],
    ["staff: not in silence for ever", "STAFF-3", " || ageMs > sessionDurationMs", "", "[STAFF-3] at the edge"],
    ["staff: none without staff places", "STAFF-3", " || staffPlaces === 0", "", "[STAFF-3] at the edge"],
    ["staff: a revoked link's passes", "STAFF-3", "!(manifest.staffRevoked ?? []).includes(link)", "true", "[STAFF-3] at the edge"],
  ]),
  ...guardsOf("durable/stored-staff.ts", "test/durable/guests.test.ts", [
    [
      "staff: no link is forgotten whose passes count",
      "STAFF-2",
      'WHERE id <= ? AND over_at <= ?", link.id - KEPT, link.madeAt);',
      'WHERE id <= ?", link.id - KEPT);',
      "[STAFF-1] [STAFF-2] a link whose passes count is kept",
    ],
  ]),
  ...guardsOf("durable/staff.ts", "test/durable/guests.test.ts", [
    ["staff: edges hear of what is revoked", "STAFF-3", "  noteRevoked(line, link);\n", "", "[STAFF-2] [P7] are counted"],
    [
      "staff: needs staff_places",
      "STAFF-1",
      "memory.config.settings.staffPlaces === 0",
      "memory.config.settings.staffPlaces < 0",
      "[STAFF-1] need staff_places",
    ],
  ]),
  ...guardsOf("durable/line/switches.ts", "test/durable/guests.test.ts", [
    [
      "staff: a new line forgets nothing",
      "STAFF-2",
      "  fresh.counters.staffRevoked = line.counters.staffRevoked;\n",
      "",
      "[STAFF-2] [P7] are counted",
    ],
  ]),
  ...guardsOf("src/routes/staff.ts", "test/worker/door.test.ts", [
    [
      "staff: a pass is no link, and only in its room",
      "STAFF-3",
      " && checked.claims.room === visit.room && checked.claims.key === null",
      "",
      "[STAFF-3] K4 nothing else",
    ],
  ]),
];
