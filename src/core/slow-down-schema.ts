/** The setting `slow_down`: when the site counts as struggling, and how far the rate may fall. What is allowed. Pure. */
import * as v from "valibot";
import { amount, flag, type Kind, whole } from "./settings-kinds";

export interface SlowDownTable {
  max_error_percent: number;
  max_p95_ms: number;
  floor_per_minute: number;
  recover: boolean;
}

export function slowDown(): Kind<"off" | SlowDownTable> {
  const allowed =
    '"off", or a table { max_error_percent, max_p95_ms, floor_per_minute, recover } with any of 0.1 to 100 (5), 50 to 60,000 (3,000), 0.01 to 1,000,000 (6) and true or false (false)';
  const table = v.strictObject(
    {
      max_error_percent: v.optional(amount(0.1, 100, "percent of requests").schema, 5),
      max_p95_ms: v.optional(whole(50, 60_000, "milliseconds to the first byte").schema, 3_000),
      floor_per_minute: v.optional(amount(0.01, 1_000_000, "people per minute").schema, 6),
      recover: v.optional(flag().schema, false),
    },
    allowed,
  );
  return { allowed, schema: v.union([v.literal("off"), table], allowed) };
}
