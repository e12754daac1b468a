/** Guards of the example of a shop (CHECKOUT). They run against a real PostgreSQL, and two of them against the built Worker. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const checkout = "test/worker/checkout.test.ts";

export const guards = [
  ...guardsOf("examples/checkout/shop.mjs", checkout, [
    [
      "checkout: requests that did not come through the room",
      "CHECKOUT-4",
      "if (publicHosts.some((host) => cameThroughTheRoom(incoming, host))) {",
      "if (publicHosts.length > 0) {",
      "[CHECKOUT-4] G6 C57 nothing reached the shop past the room",
    ],
    [
      "checkout: a pass opens one address only",
      "CHECKOUT-4",
      'c.req.path === "/api/hold" ? await',
      'c.req.path !== "" ? await',
      "[CHECKOUT-4] G6 C57 nothing reached the shop past the room",
    ],
    [
      "checkout: forms of other sites",
      "CHECKOUT-4",
      "shop.use(csrf());",
      "",
      "[CHECKOUT-5] one command starts it, a visitor buys, and at the end nothing is left",
    ],
  ]),
  ...guardsOf("examples/checkout/seats.mjs", checkout, [
    [
      "checkout: a seat that somebody else is just taking",
      "CHECKOUT-1",
      " ORDER BY seat LIMIT $1 FOR UPDATE SKIP LOCKED",
      " ORDER BY seat LIMIT $1",
      "[CHECKOUT-1] people who reach for the last seats at once get different ones",
    ],
    [
      "checkout: one hold at a time for a visit",
      "CHECKOUT-1",
      'await query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [visit]);',
      "",
      "[CHECKOUT-1] ten clicks of one visit hold once",
    ],
    [
      "checkout: a hold that has run out is anybody's",
      "CHECKOUT-2",
      " AND (held_until IS NULL OR held_until <= clock_timestamp())",
      " AND held_until IS NULL",
      "[CHECKOUT-2] a hold that ran out is anybody's",
    ],
    ["checkout: payment looks at the hold again", "CHECKOUT-2", " || over.length > 0", "", "[CHECKOUT-2] a hold that ran out is anybody's"],
    [
      "checkout: payment for somebody else's hold",
      "CHECKOUT-2",
      "WHERE hold = $1 AND visit = $2 AND NOT sold ORDER BY seat FOR UPDATE",
      "WHERE hold = $1 AND $2::text IS NOT NULL AND NOT sold ORDER BY seat FOR UPDATE",
      "[CHECKOUT-2] paying twice at once is one order; for somebody else's hold it is none",
    ],
    [
      "checkout: paying again",
      "CHECKOUT-2",
      'if (before.length > 0) return { as: "sold", order: before[0] };',
      "",
      "[CHECKOUT-2] paying twice at once is one order; for somebody else's hold it is none",
    ],
    [
      "checkout: the database's own refusal",
      "CHECKOUT-3",
      "seat text PRIMARY KEY REFERENCES seats",
      "seat text NOT NULL REFERENCES seats",
      "[CHECKOUT-3] the database itself refuses to sell a seat twice",
    ],
  ]),
];
