/** P13, and P1 to P4 around it, in a sale with a lobby, a draw and latecomers; a million people in `npm run proof`. */
import { expect, test } from "vitest";
import { broken } from "../support/proof";
import { lobbyProof, SMALL_SALE } from "../support/proof-lobby";

test(`[P13] [P1] [P2] [P3] [P4] a sale of 20,000 and 2,000 who come late (seed ${SMALL_SALE.seed})`, () => {
  expect(broken(lobbyProof(SMALL_SALE))).toEqual([]);
});
