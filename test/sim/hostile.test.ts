/** Nine requests in ten are hostile: what honest visitors get, small and in virtual time; in full, with a chart, in `npm run proof`. */
import { expect, it } from "vitest";
import { hostileProof } from "../support/hostile-sim";
import { broken } from "../support/proof";
import { SEED } from "../support/proof-throughput";

const SMALL = { rate: 60, minutes: 11, perStep: 80, limit: 2 };

it(`[P2] [P4] [P12] S2 honest visitors get their place, and wait no more than a tenth longer than without intruders (seed ${SEED})`, () => {
  expect(broken(hostileProof(SMALL))).toEqual([]);
});

it(`[P12] S2 without a limit for each network they would wait far longer: the measure is not blind (seed ${SEED})`, () => {
  expect(broken(hostileProof({ ...SMALL, limit: 0 })).join()).toMatch(/longer wait of honest visitors, on average/);
});
