/** A little of `npm run simulate`: the same seed gives the same results, promises hold, and one that is broken is seen. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { RoomPlan } from "../../bench/simulate/plan";
import { type Scenario, scenarios } from "../../bench/simulate/scenarios";
import { simulate } from "../../bench/simulate/simulate";
import { scaleReport } from "../../scripts/lib/scale-report.mjs";
import { broken } from "../support/proof";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Some people at a dozen isolates: as little as can show anything. */
function little(changes: Partial<Scenario> = {}, room: Partial<RoomPlan> = {}): Scenario {
  const [doors] = scenarios(0.001);
  const [shop] = (doors as Scenario).rooms;
  const people = { ...(shop as RoomPlan), people: 60, partySize: 2, ...room };
  const all = { isolates: 12, colos: 4, seconds: 40, rooms: [people], leastShare: 0, drains: true };
  return { ...(doors as Scenario), ...all, ...changes };
}

test("[SIM-1] the same seed gives the same results, and every promise holds", async () => {
  const results = [await simulate(little()), await simulate(little())];
  expect(JSON.stringify(results[1])).toBe(JSON.stringify(results[0]));
  const [room] = results[0]?.rooms ?? [];
  expect(broken(room as never)).toEqual([]);
  expect(room?.checks.find(({ what }) => what.startsWith("people who were there"))).toMatchObject({ measured: "0" });
  const other = await simulate(little({ seed: 2 }));
  expect(JSON.stringify(other)).not.toBe(JSON.stringify(results[0]));
});

test("[SIM-2] without batching the Room is called too often, and that is said", async () => {
  const { rooms } = await simulate(
    little({ batching: false, drains: false, isolates: 12, colos: 12, seconds: 4 }, { people: 800, partySize: 1 }),
  );
  expect(broken(rooms[0] as never).filter((line) => line.startsWith("P12"))).toHaveLength(1);
});

test("[SIM-4] pages keep their question open while they wait, and ask again when it ends", async () => {
  const { rooms } = await simulate(little({ drains: false, seconds: 60 }, { people: 2_400, partySize: 20 }));
  const [room] = rooms;
  expect(broken(room as never)).toEqual([]);
  // One for the place, one that goes on; where the turn is near a few more. Asking again and again takes 8.
  expect(room?.figures.requestsPerVisitor).toBeLessThan(4);
});

test.each([2, 6])("[SIM-5] who comes too late for a draw stands behind it, and everybody goes in: parties of %i", async (partySize) => {
  const lottery = scenarios(0.001).find(({ name }) => name === "lottery") as Scenario;
  const [shop] = lottery.rooms as [RoomPlan];
  // From the doors until the random number is there, and after it.
  const room = { ...shop, people: 600, partySize, arriveOverMs: (shop.drawAtMs as number) + 25_000 };
  const { rooms } = await simulate({ ...lottery, isolates: 12, colos: 4, rooms: [room], seconds: 900, drains: true, leastShare: 0 });
  expect(broken(rooms[0] as never)).toEqual([]);
  expect(rooms[0]?.checks.find(({ what }) => what.startsWith("people who were there and are not in"))?.measured).toBe("0");
});

test("[SIM-3] docs/scale.md says what the results say, and every chart is there", () => {
  const report = JSON.parse(readFileSync(join(root, "bench/results/simulate.json"), "utf8"));
  const text = readFileSync(join(root, "docs/scale.md"), "utf8");
  expect(text).toBe(scaleReport(report));
  const charts = [...text.matchAll(/\]\((scale\/[^)]+\.svg)\)/g)].map(([, file]) => join(root, "docs", file ?? ""));
  expect(charts.length).toBeGreaterThan(0);
  expect(charts.filter((file) => !existsSync(file))).toEqual([]);
  const names = scenarios().map(({ name }) => name as string);
  expect(report.scenarios.filter(({ name }: { name: string }) => !names.includes(name))).toEqual([]);
});
