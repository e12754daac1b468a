/** Days, wrong clocks, late alarms and numbers at their limits, on virtual time. Weeks of it in `npm run proof`. */
import { expect, it } from "vitest";
import { broken } from "../support/proof";
import { alarmProof, clockProof, limitsProof, soakProof } from "../support/proof-soak";

it("[P2] [P12] half a busy day: rows, bytes and memory stay bounded", () => {
  expect(broken(soakProof(0.5))).toEqual([]);
});

it("[P1] [P2] [ROOM-5] O6 the alarm once, twice, three times, 70 s late, never: the same people enter, or nearly", () => {
  const proof = alarmProof();
  expect(broken(proof)).toEqual([]);
  const entries = proof.charts[0]?.series.map(({ points }) => points.at(-1)?.[1] ?? 0) ?? [];
  expect(entries).toHaveLength(5);
  expect(Math.min(...entries)).toBeGreaterThan(0.95 * Math.max(...entries));
});

it("[P2] [P9] [ROOM-4] O7 a clock that is an hour wrong, for 30 s or for good", () => {
  expect(broken(clockProof())).toEqual([]);
});

it("[P5] [P12] O11 C6 serials run out, twelve years pass, 200,000 people wait", () => {
  expect(broken(limitsProof(200))).toEqual([]);
});
