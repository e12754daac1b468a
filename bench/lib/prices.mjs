/**
 * What Cloudflare charges for what a room uses: list prices of Workers Paid in US dollars, looked up on 2026-11-30. Pure arithmetic.
 * Beyond what the plan includes each month, so that figures of one sale can be added to any bill. Sources: developers.cloudflare.com,
 * workers/platform/pricing, durable-objects/platform/pricing, workers/observability/logs/workers-logs.
 */

/** Dollars for a million of each; `storedBytes` for a month of one gigabyte (10⁹ bytes). */
export const PRICES = {
  requests: 0.3,
  cpuMs: 0.02,
  roomCalls: 0.15,
  roomGbSeconds: 12.5,
  rowsRead: 0.001,
  rowsWritten: 1,
  storedBytes: 0.2,
  logEvents: 0.6,
};

/** What Workers Paid ($5 a month) includes each month, in the same units. */
export const INCLUDED = {
  requests: 10e6,
  cpuMs: 30e6,
  roomCalls: 1e6,
  roomGbSeconds: 400e3,
  rowsRead: 25e9,
  rowsWritten: 50e6,
  storedBytes: 5e9,
  logEvents: 20e6,
};

/** What Workers Free allows in a day; CPU time in a request, ms. Static files are free and without limit on every plan. */
export const FREE_DAY = { requests: 100e3, cpuMsPerRequest: 10, roomCalls: 100e3, rowsWritten: 100e3, roomGbSeconds: 13e3 };

/**
 * Dollars for this use, item by item; left out = none. `storedBytes` counts as kept for a whole month.
 * @throws RangeError for an item without a price
 */
export function dollarsByItem(use) {
  return Object.fromEntries(
    Object.entries(use).map(([item, amount]) => {
      const price = PRICES[item];
      if (price === undefined) throw new RangeError(`no price for ${item}`);
      return [item, (amount * price) / (item === "storedBytes" ? 1e9 : 1e6)];
    }),
  );
}

/** Dollars for this use in all. */
export function dollars(use) {
  return Object.values(dollarsByItem(use)).reduce((sum, each) => sum + each, 0);
}
