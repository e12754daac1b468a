/** What it costs: the prices, and that docs/cost.md says what the model says. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allDollars, NOW, VISITORS, waitingUse, withCostTables } from "../../bench/lib/cost-model";
import { dollars, dollarsByItem } from "../../bench/lib/prices.mjs";
import { type Asked, waysToWait } from "../../bench/lib/waiting";
import { root } from "../support/bundle";

test("prices are for a million, storage for a gigabyte's month, and an item without a price is a mistake", () => {
  expect(dollars({ requests: 1e6, cpuMs: 1e6, roomCalls: 1e6, rowsWritten: 1e6 })).toBeCloseTo(1.47);
  expect(dollars({ storedBytes: 1e9, roomGbSeconds: 1e6 })).toBeCloseTo(12.7);
  expect(dollarsByItem({ logEvents: 2e6 })).toEqual({ logEvents: 1.2 });
  expect(() => dollars({ rows: 1 } as never)).toThrow("no price for rows");
});

test("[COST-1] docs/cost.md says what the model says, and a million hours of waiting with all that they need stay within three dollars", () => {
  const file = join(root, "docs/cost.md");
  const document = readFileSync(file, "utf8");
  expect(withCostTables(document), "npm run cost-doc").toBe(document);
  const now = waysToWait({ waitS: 3_600, perMinute: 1e6 / 60 })[NOW];
  const waiting = dollars(waitingUse(now as Asked)) * VISITORS;
  expect(now?.requests).toBeLessThanOrEqual(3);
  expect(allDollars(now as Asked)).toBeLessThan(3);
  const inAll = /in all \*\*(\$[\d.]+)\*\*/.exec(document)?.[1];
  expect(readFileSync(join(root, "README.md"), "utf8")).toContain(`cost $${waiting.toFixed(2)} for waiting and ${inAll} in all`);
});
