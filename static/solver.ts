/**
 * A worker that searches one share of a challenge's counters: every `step`th from `start` on. Says how far it is, then what it found.
 * Loaded by static/prove.ts only; uses nothing of the page.
 */
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import type { Altcha, PowAnswer } from "../src/core/proof";

/** A search, and how it goes. */
export interface Search {
  readonly altcha: Altcha;
  readonly start: number;
  readonly step: number;
}
export type Found = { readonly tried: number } | { readonly solution: PowAnswer["solution"] };

/** Between two news of how far it is. */
const NEWS_EVERY = 100;

addEventListener("message", async ({ data: { altcha, start, step } }: MessageEvent<Search>) => {
  let tried = 0;
  const counted: typeof deriveKey = (...given) => {
    tried++;
    if (tried % NEWS_EVERY === 0) tell({ tried });
    return deriveKey(...given);
  };
  const challenge = altcha as unknown as Parameters<typeof solveChallenge>[0]["challenge"];
  // No timeout: the page ends it.
  const solution = await solveChallenge({ challenge, counterStart: start, counterStep: step, deriveKey: counted, timeout: 0 });
  if (solution !== null) tell({ solution });
});

function tell(found: Found): void {
  postMessage(found);
}
