/**
 * Guards of the admin API's table of routes and of what hangs on it (ADMIN-9 and further).
 */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const api = "test/worker/admin.test.ts";

export const guards = [
  ...guardsOf("src/routes/admin.ts", api, [
    [
      "admin: unknown parameters are refused",
      "ADMIN-9",
      "if (strange.length > 0) return invalid(",
      "if (strange.length > 99) return invalid(",
      "[ADMIN-9] parameters that a route does not take are refused by name",
    ],
  ]),
  ...guardsOf("src/routes/admin-access.ts", api, [
    [
      "admin: fields that the route does not take are refused",
      "ADMIN-9",
      "!known.includes(name) && (fields",
      'name === "" && (fields',
      "[ADMIN-5] unknown switches and fields do nothing",
    ],
  ]),
];
