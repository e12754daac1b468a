/** Whether the account's plan carries the visitors who are expected (SET-11). */
import { expect, test } from "vitest";
import { NOW } from "../../bench/lib/cost-model";
import { FREE_DAY } from "../../bench/lib/prices.mjs";
import { waysToWait } from "../../bench/lib/waiting";
import { FREE_REQUESTS_A_DAY, REQUESTS_A_VISITOR } from "../../src/core/plan-needs";
import { parseRoom } from "../../src/core/settings";
import { warningsOf } from "../../src/core/settings-warnings";

const base = { host: "shop.example.com", total_active_users: 100, new_users_per_minute: 60 };
const START = Date.UTC(2027, 4, 1, 8);
const END = Date.UTC(2027, 4, 1, 10);
const sale = { name: "sale", event_start_time: "2027-05-01T08:00:00Z", event_end_time: "2027-05-01T10:00:00Z" };
/** The last that Workers Free carries. */
const MOST = 14_285;

function warned(more: object, now = START - 1): { setting: string; warning: string }[] {
  const parsed = parseRoom("shop", { ...base, ...more });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return warningsOf(parsed, now);
}

test("[SET-11] the numbers are those of docs/cost.md", () => {
  const waiting = waysToWait({ waitS: 3_600, perMinute: 1e6 / 60 })[NOW]?.requests ?? 0;
  // Three to come, one to go in, one that is cut.
  expect(REQUESTS_A_VISITOR).toBe(Math.ceil(5 + waiting));
  expect(FREE_REQUESTS_A_DAY).toBe(FREE_DAY.requests);
});

test("[SET-11] what Workers Free does not carry is warned of, until the account is said to be on Workers Paid", () => {
  expect(warned({ expected_visitors: MOST })).toEqual([]);
  const [unknown] = warned({ expected_visitors: MOST + 1 });
  expect(unknown).toMatchObject({ setting: "expected_visitors", warning: expect.stringContaining("is 14,286: some 100,002 requests") });
  expect(unknown?.warning).toContain('say so with workers_plan = "paid"');
  const [free] = warned({ expected_visitors: MOST + 1, workers_plan: "free" });
  expect(free?.warning).toContain("take Workers Paid");
  expect(warned({ expected_visitors: 1_000_000, workers_plan: "paid" })).toEqual([]);
});

test("[SET-11] an event's own number counts for it, as long as it is to come or on", () => {
  const events = [{ ...sale, expected_visitors: 50_000 }];
  const named = { setting: "events.sale.expected_visitors", warning: expect.stringContaining("is 50,000") };
  expect(warned({ events })).toMatchObject([named]);
  expect(warned({ events }, END - 1)[0]).toMatchObject(named);
  expect(warned({ events }, END)).toEqual([]);
  expect(warned({ events: [{ ...events[0], cancelled: "off" }] })).toEqual([]);
  expect(warned({ events: [sale], expected_visitors: 50_000 }).map(({ setting }) => setting)).toEqual(["expected_visitors"]);
});
