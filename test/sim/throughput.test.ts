/**
 * P1, P2 and P3 by the crowd simulator: entries keep up with the rate although people are gone, vanish, sleep or have hidden tabs, and never
 * exceed it. More of it, with charts, in `npm run proof`.
 */
import { describe, expect, it } from "vitest";
import { broken } from "../support/proof";
import {
  CROWDS,
  capacityHalvedProof,
  fullRoomProof,
  MORE_CROWDS,
  pausedProof,
  rateChangedProof,
  rateProof,
  SEED,
} from "../support/proof-throughput";
import { fullestWindow, worstExcess } from "../support/rate-check";

describe("[P2] [P3] C9 T9 entries reach 95 % of the rate from the second minute on; neither they nor what the site receives ever exceed it", () => {
  const CALM = "everybody honest";
  const WORST = "30 % gone, 5 % vanishing, half hidden";
  const shares = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, CROWDS[name] ?? {}]));

  it.each([6, 30, 60, 90, 1_200])(`%i a minute, ${WORST} (seed ${SEED})`, (rate) => {
    expect(broken(rateProof(rate, shares([WORST])))).toEqual([]);
  });

  it.each([15, 120])(`%i a minute, each of the crowds (seed ${SEED})`, (rate) => {
    expect(broken(rateProof(rate, CROWDS))).toEqual([]);
  });

  it(`12,000 a minute, ${WORST} (seed ${SEED})`, () => {
    expect(broken(rateProof(12_000, shares([WORST]), { minutes: 3 }))).toEqual([]);
  });

  it.each([
    [15, [WORST]],
    [120, [CALM, WORST]],
    [1_200, [CALM]],
  ] as const)(`%i a minute, by the waiting page, which goes in five seconds after it has told (seed ${SEED})`, (rate, names) => {
    expect(broken(rateProof(rate, shares(names), { page: true }))).toEqual([]);
  });

  for (const [name, kinds] of Object.entries(MORE_CROWDS)) {
    it(`120 a minute, ${name}, replies lost (seed ${SEED})`, () => {
      expect(broken(rateProof(120, { [name]: kinds }, { lostReplies: 0.02 }))).toEqual([]);
    });
  }

  it(`the rate changed while people wait (seed ${SEED})`, () => {
    expect(broken(rateChangedProof())).toEqual([]);
  });

  it(`[P8] paused and resumed (seed ${SEED})`, () => {
    expect(broken(pausedProof())).toEqual([]);
  });
});

describe("[P1] [P3] C1 where the places run short, ghosts and silent holders cost the others little", () => {
  const ghosts = "30 % gone, 5 % vanishing";
  const ghostsHidden = "30 % gone, 5 % vanishing, half hidden";
  it.each([
    { places: 10, visitS: 9, crowds: [ghosts], silent: [1] },
    { places: 60, visitS: 60, crowds: [ghostsHidden], silent: [6] },
  ])(`$places places, visits of $visitS s (seed ${SEED})`, ({ silent, crowds, ...room }) => {
    const kinds = Object.fromEntries(crowds.map((name) => [name, CROWDS[name] ?? {}]));
    expect(broken(fullRoomProof(room, kinds, silent))).toEqual([]);
  });

  it(`capacity halved while the room is full (seed ${SEED})`, () => {
    expect(broken(capacityHalvedProof())).toEqual([]);
  });
});

describe("the judge of windows", () => {
  it("finds one entry too many, in whatever window, and knows changes of the rate", () => {
    const steady = Array.from({ length: 50 }, (_, i) => (i + 1) * 1_000);
    const rates = [{ at: 0, perMinute: 60 }];
    expect(worstExcess(steady, rates)).toBeCloseTo(-1, 6);
    expect(worstExcess([...steady.slice(0, 20), 20_001, 20_002, ...steady.slice(20)], rates)).toBeCloseTo(1, 2);
    expect(worstExcess(steady, [...rates, { at: 25_000, perMinute: 30 }])).toBeGreaterThan(10);
    expect(fullestWindow([0, 500, 999, 1_000, 5_000], 1_000)).toBe(3);
  });
});
