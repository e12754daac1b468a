/** What it costs: the prices, and that docs/cost.md says what the model says. */
import { expect, test } from "vitest";
import { dollars, dollarsByItem } from "../../bench/lib/prices.mjs";

test("prices are for a million, storage for a gigabyte's month, and an item without a price is a mistake", () => {
  expect(dollars({ requests: 1e6, cpuMs: 1e6, roomCalls: 1e6, rowsWritten: 1e6 })).toBeCloseTo(1.47);
  expect(dollars({ storedBytes: 1e9, roomGbSeconds: 1e6 })).toBeCloseTo(12.7);
  expect(dollarsByItem({ logEvents: 2e6 })).toEqual({ logEvents: 1.2 });
  expect(() => dollars({ rows: 1 } as never)).toThrow("no price for rows");
});
