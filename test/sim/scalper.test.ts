/** What many addresses get in a draw; 100,000 people in `npm run proof -- --only scalper`. */
import { expect, test } from "vitest";
import { broken } from "../support/proof";
import { SMALL_SCALPER, scalperProof } from "../support/proof-scalper";

test(`[ASK-3][ASK-4] S6 a draw of 1,000 people and one with 500 addresses (seed ${SMALL_SCALPER.seed})`, () => {
  expect(broken(scalperProof(SMALL_SCALPER))).toEqual([]);
});
