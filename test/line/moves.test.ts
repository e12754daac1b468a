/** Places that change networks (`bind_network`): what the Room takes as it comes, when it asks, and that no place is lost by it. */
import { describe, expect, test } from "vitest";
import type { ClaimIntent } from "../../src/core/exchange";
import { type Visitor, World } from "../support/line-world";

function inside(): { world: World; visitor: Visitor } {
  const world = new World();
  world.tick(10_000);
  const visitor = world.visitor();
  world.join(visitor, true);
  return { world, visitor };
}

/** A renewal from a network that the pass is not bound to; the client's tag follows from the network. */
function renewFrom(world: World, visitor: Visitor, tag: number) {
  const { pass } = visitor;
  const request = { slot: pass?.slot ?? 0, serial: pass?.serial ?? 0, tag, ageMs: 0, moved: true as const };
  const verdict = world.exchange({ renewals: [request] })?.renewals[0];
  if (verdict?.as === "renewed") visitor.pass = { ...verdict.pass, generation: pass?.generation ?? 1 };
  return verdict;
}

function claimFrom(world: World, visitor: Visitor, tag: number, intent: ClaimIntent = "enter") {
  const { ticket, pass } = visitor;
  const request = {
    slot: ticket?.slot ?? 0,
    serial: pass?.serial ?? 0,
    tag,
    ageMs: 0,
    joinedAtS: ticket?.joinedAtS ?? 0,
    intent,
    moved: true as const,
  };
  const verdict = world.exchange({ claims: [request] })?.claims[0];
  if (verdict?.as === "entered") visitor.pass = { ...verdict.pass, generation: 1 };
  return verdict;
}

describe("a visit that changes networks", () => {
  test("[BIND-2] K13 goes on: three times as it comes, then the visitor is asked, and answers by a button as often as need be", () => {
    const { world, visitor } = inside();
    let tag = 100;
    for (let round = 0; round < 5; round++) {
      // After a question the answer itself is a move.
      for (let i = 0; i < (round === 0 ? 3 : 2); i++) {
        world.tick(25_000);
        tag += 1;
        expect(renewFrom(world, visitor, tag), `${round}/${i}`).toMatchObject({ as: "renewed" });
      }
      world.tick(25_000);
      tag += 1;
      expect(renewFrom(world, visitor, tag)).toMatchObject({ as: "void", moved: true });
      expect(claimFrom(world, visitor, tag)).toMatchObject({ as: "void", moved: true });
      expect(claimFrom(world, visitor, tag, "look")).toMatchObject({ as: "inside" });
      expect(claimFrom(world, visitor, tag, "continue")).toMatchObject({ as: "entered" });
    }
    const { totals } = world.line.counters;
    expect(totals).toMatchObject({ entered: 1, takeovers: 0, voided: 0, moved: 16, movedOften: 1 });
  });

  test("[BIND-2] K13 one change is counted once, however many requests of it come and however late the new pass reaches the browser", () => {
    const { world, visitor } = inside();
    const old = visitor.pass;
    for (let i = 0; i < 6; i++) {
      world.tick(10_000);
      visitor.pass = old;
      expect(["renewed", "current"]).toContain(renewFrom(world, visitor, 500)?.as);
    }
    expect(world.line.counters.totals.moved).toBe(1);
  });

  test("[BIND-2] [P7] K13 what was counted is known after a restart, and the question is the same for a called place", () => {
    const world = new World();
    const visitor = world.visitor();
    world.join(visitor, false);
    for (let i = 0; i < 20 && world.line.counters.epoch === 0; i++) world.tick(1_000);
    expect(claimFrom(world, visitor, 1)).toMatchObject({ as: "entered" });
    for (const tag of [2, 3]) {
      world.tick(25_000);
      expect(renewFrom(world, visitor, tag)?.as).toBe("renewed");
      world.restart();
    }
    world.tick(25_000);
    expect(renewFrom(world, visitor, 4)).toMatchObject({ as: "void", moved: true });
    world.restart();
    expect(renewFrom(world, visitor, 4)).toMatchObject({ as: "void", moved: true });
    expect(world.line.counters.totals.movedOften).toBe(1);
    expect(claimFrom(world, visitor, 4, "continue")?.as).toBe("entered");
  });

  test("[BIND-2] [P5] K13 a copy on another network is a second holder: one of the two is void by its second renewal", () => {
    const { world, visitor } = inside();
    world.tick(25_000);
    world.renew(visitor);
    const copy = world.copyOf(visitor, 900);
    world.tick(2_000);
    expect(renewFrom(world, copy, 900)?.as).toBe("renewed");
    const fates: string[] = [];
    for (let i = 0; i < 2; i++) {
      world.tick(25_000);
      fates.push(world.renew(visitor)?.as ?? "", world.renew(copy)?.as ?? "");
    }
    expect(fates).toContain("void");
    // Having been asked about networks gives back nothing that another window holds.
    for (const tag of [901, 902, 903, 904]) renewFrom(world, copy, tag);
    const loser = fates.indexOf("void") % 2 === 0 ? visitor : copy;
    expect(claimFrom(world, loser, 77, "enter")?.as).toBe("void");
  });
});
