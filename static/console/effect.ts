/** What a change would do, in words, from the API's own forecast. Pure. */
import type { Forecast } from "../../src/core/admin";
import type { Outlook } from "../../src/core/outlook";
import { amount, count, wait } from "./words";

const LIMITS: Readonly<Record<Outlook["limited_by"], string>> = {
  stopped: "nobody is let in",
  rate: "the rate is the limit",
  capacity: "the capacity is the limit: a higher rate changes nothing",
  "nobody-waits": "nobody has to wait",
};

function move(name: string, before: string, after: string): string {
  return before === after ? `${name}: ${after}, as now` : `${name}: ${before} → ${after}`;
}

export function effectLines(forecast: Forecast): string[] {
  if (!forecast.would_change) return ["Nothing would change."];
  const { before, after } = forecast.outlook;
  const places = forecast.after["total_active_users"];
  const of = typeof places === "number" ? ` of ${count(places)}` : "";
  const visit = `visits of ${amount(forecast.visit_minutes)} min, ${forecast.visit_minutes_measured ? "measured" : "assumed"}`;
  return [
    move("Wait of somebody joining now", wait(before.newcomer_wait_minutes), wait(after.newcomer_wait_minutes)),
    move("Let in per minute", amount(before.entering_per_minute), amount(after.entering_per_minute)),
    `Expected inside: ${count(after.expected_inside)}${of} (${visit}); ${LIMITS[after.limited_by]}`,
  ];
}

export function warningLines(warnings: Forecast["warnings"]): string[] {
  return warnings.map(({ setting, warning }) => `${setting} ${warning}.`);
}
