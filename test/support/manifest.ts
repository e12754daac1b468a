/** What a Room would tell its edges: busy, nothing planned, a thousand places given and a hundred of them let in. Pure. */
import { type Manifest, NOTHING_PLANNED } from "../../src/core/manifest";

export const manifestWith = (parts: Partial<Manifest>): Manifest => ({
  v: 1,
  room: "r",
  generation: 1,
  config: 1,
  at: 0,
  phase: "open",
  admittedEpoch: 100,
  tail: 1_000,
  returning: 0,
  horizon: 500,
  ratePerMinute: 60,
  admittedPerMinute: 60,
  epochPerMinute: 60,
  flushAfterMs: 0,
  quiet: false,
  joins: "open",
  message: "",
  endSessionsBefore: 0,
  revoked: [],
  revokedKeys: [],
  challenge: null,
  ...NOTHING_PLANNED,
  ...parts,
});
