/** Who is asked for proof: limits relative to the crowd, single use, attack and calm, what older edges hear. Virtual time. */
import { describe, expect, it } from "vitest";
import { CALM_HOLDS_MS, QUIET_FOR_MS, setCalm, setUnderAttack } from "../../durable/line/attack";
import { difficultyOf } from "../../durable/line/proof-due";
import { reset } from "../../durable/line/switches";
import { PROOF_SPAN_MS, UsedProofs } from "../../durable/line/used-proofs";
import type { JoinRequest, JoinVerdict } from "../../src/core/exchange";
import type { RoomSettings } from "../../src/core/settings-types";
import { ONE_A_SECOND } from "../support/line-steps";
import { seeded, World } from "../support/line-world";

const MINUTE = 60_000;
const POW = { ...ONE_A_SECOND, challenge: "pow", overLimit: "challenge" } as const;

/** A world whose newcomers are numbered, and come from where the caller says. */
class Crowd extends World {
  #made = 0;

  request(from: Partial<JoinRequest> = {}): JoinRequest {
    this.#made += 1;
    return { key: `${String(this.#made).padStart(16, "0")}-key`, network: 0, enter: false, tag: 1, proof: 0, ...from };
  }

  /** `count` newcomers in one exchange: how many were given a place. */
  places(count: number, from: Partial<JoinRequest>): number {
    return this.ask(Array.from({ length: count }, () => this.request(from))).filter(({ as }) => as === "placed").length;
  }

  ask(joins: readonly JoinRequest[]): readonly JoinVerdict[] {
    this.tick(0);
    return this.exchange({ joins })?.joins ?? [];
  }

  one(request: JoinRequest): JoinVerdict {
    return this.ask([request])[0] as JoinVerdict;
  }
}

function room(settings: Partial<RoomSettings> = {}): Crowd {
  return new Crowd({ ...POW, ...settings });
}

describe("[ASK-1] limits", () => {
  it("S2 a thousand joins from one /24 at a limit of 120: 120 without proof, also over an eviction; with proof all get in, and a proof is not counted", () => {
    const world = room({ joinLimitPerMinute: 120 });
    expect(world.places(60, { network: 7 })).toBe(60);
    world.restart();
    expect(world.places(940, { network: 7 })).toBe(60);
    world.restart();
    expect(world.places(500, { network: 7, proof: 1 })).toBe(500);
    expect(world.places(1, { network: 7 })).toBe(0);
    expect(world.places(1, { network: 8 })).toBe(1);
    expect(world.line.counters.totals).toMatchObject({ challenged: 881, proven: 500, joined: 621 });
  });

  it("S3 one IPv4 address, one IPv6 /64 and one /48 each have a limit of their own; unknown and exempt ones are never counted", () => {
    const world = room({ joinLimitPerMinute: 50, joinLimitAddressPerMinute: 5, joinLimitWidePerMinute: 90 });
    expect(world.places(20, { network: 7, address: 71 })).toBe(5);
    world.restart();
    expect(world.places(20, { network: 7, address: 71 })).toBe(0);
    expect(world.places(99, { network: 7, address: 72 })).toBe(5);
    const rotating = Array.from({ length: 300 }, (_, i) => world.request({ network: 1_000 + i, wide: 9 }));
    expect(world.ask(rotating).filter(({ as }) => as === "placed")).toHaveLength(90);
    world.restart();
    expect(world.places(1, { network: 5_000, wide: 9 })).toBe(0);
    expect(world.places(500, {})).toBe(500);
    expect(world.places(500, { network: 7, address: 71, exempt: true })).toBe(500);
  });

  it("what is asked says the cost, and the same key joins again with the proof", () => {
    const world = room({ joinLimitPerMinute: 1 });
    const [first, second] = [world.request({ network: 7 }), world.request({ network: 7 })];
    expect(world.ask([first, second, first]).map(({ as }) => as)).toEqual(["placed", "challenge", "placed"]);
    expect(world.one(second)).toEqual({ as: "challenge", cost: 1 });
    expect(world.one({ ...second, proof: 1 }).as).toBe("placed");
    expect(world.one(second).as).toBe("placed");
  });

  it("over_limit = refuse counts everybody and lets no proof by", () => {
    const world = room({ joinLimitPerMinute: 2, overLimit: "refuse" });
    expect(world.places(1, { network: 7, proof: 3 })).toBe(1);
    expect(world.places(5, { network: 7 })).toBe(1);
    expect(world.one(world.request({ network: 7, proof: 8 }))).toMatchObject({ as: "refused", why: "network" });
  });

  it("[ROOM-13] an edge that knows of no proofs hears of a refusal, never a word it does not know", () => {
    const world = room({ joinLimitPerMinute: 1 });
    const { proof: _, ...old } = world.request({ network: 7 });
    expect(world.one(old).as).toBe("placed");
    expect(world.one({ ...old, key: "another-key-1234" })).toMatchObject({ as: "refused", why: "network" });
  });
});

describe("[ASK-2] limits relative to the crowd", () => {
  /** Joins without proof of `prefix` in each minute, when `wanted(minute)` came from it, and from `others` as many as that says. */
  function minutes(wanted: readonly number[], others: readonly number[], limit = 100, restartAt = -1): number[] {
    const world = room({ joinLimitPerMinute: limit });
    world.tick(1_000);
    return wanted.map((count, minute) => {
      let placed = 0;
      for (let second = 0; second < 60; second++) {
        const share = (total: number) => Math.floor((total * (second + 1)) / 60) - Math.floor((total * second) / 60);
        // Everybody else comes one by one, each from a network of their own.
        const crowd = Array.from({ length: share(others[minute] ?? 0) }, (_, i) =>
          world.request({ network: 1_000_000 + 100_000 * minute + 1_000 * second + i }),
        );
        world.ask(crowd);
        placed += world.places(share(count), { network: 7 });
        world.tick(1_000);
        if (minute === restartAt && second === 30) world.restart();
      }
      return placed;
    });
  }

  it("S4 a carrier's NAT that always made a tenth of the crowd is not asked because the whole crowd grew three times over", () => {
    expect(minutes([100, 300, 900], [900, 2_700, 8_100])).toEqual([100, 300, 900]);
  });

  it("S4 nor is it in a crowd that comes unevenly, minute after minute", () => {
    const random = seeded(5);
    const uneven = (mean: number) => Array.from({ length: 12 }, () => Math.round(mean * (0.9 + 0.2 * random())));
    const wanted = [100, ...uneven(300)];
    const free = minutes(wanted, [900, ...uneven(2_700)]);
    const share = (of: readonly number[]) => of.reduce((sum, count) => sum + count, 0);
    expect(share(free) / share(wanted)).toBeGreaterThan(0.97);
  });

  it("[P7] the same over an eviction in the middle of a minute", () => {
    expect(minutes([100, 400, 400], [900, 3_600, 3_600], 100, 1)).toEqual([100, 400, 400]);
  });

  it("nobody raises it alone: more than the share is asked for, and a quiet minute before is no lever", () => {
    // The others stay the same: the limit and the quarter, whatever it tries, however long.
    const [, ...tries] = minutes(
      [100, ...Array.from({ length: 8 }, () => 1_000)],
      Array.from({ length: 9 }, () => 900),
    );
    expect(Math.max(...tries)).toBeLessThanOrEqual(125);
    // Half of a quiet minute, then a sale that is a hundred times as large: four times the minute before.
    const [, flash = 0] = minutes([100, 3_000], [100, 9_000]);
    expect(flash).toBeGreaterThanOrEqual(400);
    expect(flash).toBeLessThanOrEqual(500);
    // Alone in the room.
    expect(minutes([100, 500, 500], [0, 0, 0])).toEqual([100, 100, 100]);
  });

  it("nor does a farm of many prefixes together, beside a crowd or alone: it grows as the honest crowd does, not as it does itself", () => {
    for (const crowd of [10, 0]) {
      const world = room({ joinLimitPerMinute: 10 });
      world.tick(1_000);
      const free: number[] = [];
      for (let minute = 0; minute < 8; minute++) {
        let placed = 0;
        for (let second = 0; second < 60; second++) {
          // 50 prefixes, each as fast as it can, their minutes begun one after the other; the crowd is twice as large in the last one.
          const farm = Array.from({ length: 100 }, (_, i) => world.request({ network: 1 + (i % 50) }));
          const honest = Array.from({ length: minute < 7 ? crowd : 2 * crowd }, (_, i) =>
            world.request({ network: 1_000_000 + 10_000 * minute + 100 * second + i }),
          );
          world.ask(honest);
          const begun = farm.filter(({ network }) => minute > 0 || network <= second);
          placed += world.ask(begun).filter(({ as }) => as === "placed").length;
          world.tick(1_000);
          if (second === 30) world.restart();
        }
        free.push(placed);
      }
      expect(free[0]).toBeLessThanOrEqual(500);
      for (const placed of free.slice(1, 7)) expect(placed, `${free}`).toBeLessThanOrEqual(625);
      expect(free[7], `${free}`).toBeLessThanOrEqual(crowd === 0 ? 625 : 1_250);
    }
  });
});

describe("[ASK-3] one place per proof", () => {
  it("S5 a proof that gave a place gives no second one when its key is forgotten: a dearer one is asked for, and that works", () => {
    const world = room({ challengeEveryone: true });
    const reused = world.request({ network: 7, proof: 2 });
    expect(world.one(reused)).toMatchObject({ as: "placed", slot: 0 });
    world.tick(2 * MINUTE);
    for (let i = 0; i < 17; i++) expect(world.places(1_000, { proof: 1 })).toBe(1_000);
    expect(world.line.recent.find(reused.key)).toBeNull();
    for (const _ of ["before", "after an eviction"]) {
      expect(world.one(reused)).toEqual({ as: "challenge", cost: 3 });
      expect(world.one({ ...reused, proof: 0 })).toEqual({ as: "challenge", cost: 1 });
      world.restart();
    }
    // Minutes later its row is the only thing that knows of it.
    world.tick(7 * MINUTE);
    world.places(1, { proof: 1 });
    world.restart();
    expect(world.one(reused)).toEqual({ as: "challenge", cost: 3 });
    expect(world.one({ ...reused, proof: 3 }).as).toBe("placed");
  });

  it("the dearest one twice is refused, until it counts no longer", () => {
    const world = room({ challengeEveryone: true });
    const reused = world.request({ proof: 8 });
    expect(world.one(reused).as).toBe("placed");
    world.tick(2 * MINUTE);
    for (let i = 0; i < 17; i++) world.places(1_000, { proof: 1 });
    expect(world.one(reused)).toMatchObject({ as: "refused", why: "network" });
  });

  it("[P12] what is used is remembered for eleven minutes at least, in 2 MB at most, however many there are; few are taken for used", () => {
    const used = new UsedProofs();
    const key = (i: number) => `${i.toString(36).padStart(10, "0")}-${(i * 7_919).toString(36)}`;
    expect(used.has(key(0), 1, 0)).toBe(false);
    const base = 1_000 * PROOF_SPAN_MS;
    for (let i = 0; i < 300_000; i++) used.add(key(i), 1, base + i);
    for (let i = 0; i < 300_000; i += 97) expect(used.has(key(i), 1, base + 2 * PROOF_SPAN_MS - 1)).toBe(true);
    let mistaken = 0;
    for (let i = 300_000; i < 350_000; i++) mistaken += used.has(key(i), 1, base + PROOF_SPAN_MS) ? 1 : 0;
    expect(mistaken).toBeLessThan(50);
    expect(used.has(key(1), 2, base + PROOF_SPAN_MS), "a dearer proof is another").toBe(false);
    used.add("x", 1, base + PROOF_SPAN_MS);
    expect(used.bytes).toBe(2 * 1_048_576);
    expect(used.has(key(1), 1, base + 3 * PROOF_SPAN_MS)).toBe(false);
  });

  it("nothing is asked, whatever else is set, while challenge is off", () => {
    const world = room({ challenge: "off", challengeEveryone: true, joinLimitPerMinute: 1, freeEntries: 1 });
    expect(world.places(9, { network: 7 })).toBe(9);
    expect(world.manifest.challenge).toBeNull();
  });
});

describe("[ASK-5] under attack", () => {
  const asked = (world: Crowd) => world.one(world.request());

  it("by the operator: everybody is asked, one step more than otherwise, until the operator says calm; it survives eviction and a new line", () => {
    const world = room({ joinLimitPerMinute: 1 });
    expect(world.manifest.challenge).toEqual({ kind: "pow", everyone: false, cost: 1, difficulty: 1 });
    world.places(1, { network: 7 });
    expect([setUnderAttack(world.line), setUnderAttack(world.line)]).toEqual([true, false]);
    world.commit();
    expect(world.manifest.challenge).toMatchObject({ everyone: true, cost: 1 });
    expect(asked(world)).toEqual({ as: "challenge", cost: 1 });
    expect(world.one(world.request({ network: 7, proof: 1 }))).toEqual({ as: "challenge", cost: 2 });
    world.settings = { ...world.settings, challengeEveryone: true };
    expect(asked(world)).toEqual({ as: "challenge", cost: 2 });
    world.tick(10 * CALM_HOLDS_MS);
    world.restart();
    world.line = reset(world.line, world.settings);
    world.commit();
    expect(world.manifest.challenge).toMatchObject({ everyone: true, cost: 2 });
    expect([setCalm(world.line), setCalm(world.line)]).toEqual([true, false]);
    world.settings = { ...world.settings, challengeEveryone: false };
    expect(asked(world).as).toBe("placed");
  });

  it("exempt newcomers are no attempts: a line that is started anew, or a trusted network, is no attack", () => {
    const world = room({ underAttackJoinsPerMinute: 100 });
    world.tick(10_000);
    expect(world.places(1_000, { exempt: true })).toBe(1_000);
    expect(world.manifest.challenge).toEqual({ kind: "pow", everyone: false, cost: 1, difficulty: 1 });
  });

  it("by itself above the threshold, attempts that are asked included; comes down five minutes after they fell below half, no sooner", () => {
    const world = room({ underAttackJoinsPerMinute: 100 });
    world.tick(10_000);
    world.places(100, {});
    expect(world.manifest.challenge?.everyone).toBe(false);
    world.places(1, {});
    expect(world.manifest.challenge).toMatchObject({ everyone: true, cost: 1 });
    const raised = world.now;
    // Edges ask without a call, and say so: the attack is not over because nobody gets as far as the Room.
    for (let i = 0; i < 60; i++) {
      world.tick(10_000);
      world.exchange({ asked: 9 });
    }
    expect(world.line.counters.attack).toMatchObject({ by: "threshold", sinceMs: raised });
    const busyUntil = world.now;
    for (let i = 0; i < 20; i++) {
      world.tick(10_000);
      world.exchange({ asked: 3 });
    }
    world.restart();
    expect(world.line.counters.attack.busyAtMs - busyUntil).toBeLessThanOrEqual(60_000);
    const due = world.line.counters.attack.busyAtMs + QUIET_FOR_MS;
    world.tick(due - 1 - world.now);
    expect(world.line.counters.attack.by).toBe("threshold");
    // However late the Room looks.
    world.tick(3_600_000);
    expect(world.line.counters.attack).toMatchObject({ by: null, sinceMs: due });
    expect(asked(world).as).toBe("placed");
  });

  it("the operator's calm holds against the threshold for a quarter of an hour; a threshold that is taken away raises nothing any more", () => {
    const world = room({ underAttackJoinsPerMinute: 10 });
    world.places(11, {});
    expect(world.line.counters.attack.by).toBe("threshold");
    setCalm(world.line);
    const calm = world.now;
    while (world.now < calm + CALM_HOLDS_MS - 10_000) {
      world.tick(10_000);
      world.places(11, {});
      expect(world.line.counters.attack.by).toBeNull();
    }
    world.tick(10_000);
    world.places(11, {});
    expect(world.line.counters.attack.by).toBe("threshold");
    world.settings = { ...world.settings, underAttackJoinsPerMinute: 0 };
    world.tick(0);
    expect(world.line.counters.attack.by).toBeNull();
    world.places(99, {});
    expect(world.line.counters.attack.by).toBeNull();
  });
});

describe("[ASK-6] difficulty", () => {
  it("is 1 at rest and doubles as attempts double beyond what the room lets in, up to 8", () => {
    const of = [0, 119, 120, 239, 240, 480, 1e9].map((attempts) => difficultyOf(attempts, 60));
    expect(of).toEqual([1, 1, 2, 2, 4, 8, 8]);
    expect([difficultyOf(1_000, 600), difficultyOf(1_200, 600), difficultyOf(0, 0), difficultyOf(120, 0)]).toEqual([1, 2, 1, 2]);
  });

  it("is in the manifest, and falls with the attempts", () => {
    const world = room({ challengeEveryone: true });
    world.places(240, {});
    expect(world.manifest.challenge).toEqual({ kind: "pow", everyone: true, cost: 1, difficulty: 4 });
    world.tick(2 * MINUTE);
    expect(world.manifest.challenge?.difficulty).toBe(1);
  });
});
