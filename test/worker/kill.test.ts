/** SIGKILL to the whole Worker, again and again, while visitors join, claim, browse and leave: the short run of `npm run survive`. */
import { expect, test } from "vitest";
import { survive } from "../support/survival";

test("[ROOM-15][P1][P4][P5][P7] C31 dozens of kills under load: no slot twice, never too many inside, no place lost, no visit cut short", async () => {
  const seed = Date.now() % 1_000_000;
  const met = await survive({ kills: 20, visitors: 60, seed });
  expect(met.breaches, `seed ${seed}`).toEqual([]);
  expect(met.kills).toBe(20);
  // The crashes did not simply keep everybody out.
  for (const what of ["entered", "renewals", "left", "staying", "unknown"] as const) expect(met[what], what).toBeGreaterThan(10);
});
