/**
 * When to ask the beacon for the round that a draw waits for: not before it is published, one question at a time, less often while it fails.
 * Memory only; touches nothing but the function it is given. A Room that forgets it asks at once again.
 */
import { type DrandRound, publishedAtMs } from "../src/core/drand";
import type { BeaconAnswer } from "./beacon";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 8_000;

export class RoundSeeker {
  #round = 0;
  #asking = false;
  #pauseMs = FIRST_PAUSE_MS;
  #nextAt = 0;

  /**
   * Ask now, or null if it is not the time for it.
   * @param now Room time, ms
   * @returns the round, or null if it could not be had this time; never rejects
   */
  seek(round: number, now: number, ask: (round: number) => Promise<BeaconAnswer>): Promise<DrandRound | null> | null {
    if (round !== this.#round) {
      this.#round = round;
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#nextAt = publishedAtMs(round);
    }
    if (this.#asking || now < this.#nextAt) return null;
    this.#asking = true;
    this.#nextAt = now + this.#pauseMs;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * this.#pauseMs);
    return this.#ask(round, ask);
  }

  async #ask(round: number, ask: (round: number) => Promise<BeaconAnswer>): Promise<DrandRound | null> {
    try {
      const answer = await ask(round);
      if (answer.found) return answer.round;
      console.error(JSON.stringify({ event: "round-not-found", round, tried: answer.tried }));
    } catch (error) {
      console.error(JSON.stringify({ event: "round-not-found", round, error: String(error) }));
    } finally {
      this.#asking = false;
    }
    return null;
  }
}
