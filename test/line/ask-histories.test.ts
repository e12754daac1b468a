/**
 * Random histories of joins under limits, ladder, proofs and attack, with evictions and crashes: every answer is the one that a second,
 * plain model gives. Seeds are printed by fast-check on failure.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setCalm, setUnderAttack } from "../../durable/line/attack";
import type { JoinRequest, JoinVerdict } from "../../src/core/exchange";
import { AskModel } from "../support/ask-model";
import type { Crash } from "../support/line-world";
import { LobbyWorld } from "../support/lobby-world";

const RUNS = Number(process.env.LINE_RUNS ?? 400);

interface Join {
  readonly from: number;
  readonly proof: number;
  /** Instead of a newcomer, somebody who asked before, with another proof perhaps. */
  readonly again: number | null;
  readonly exempt: boolean;
}
type Step =
  | { kind: "tick"; ms: number }
  | { kind: "joins"; joins: readonly Join[]; asked: number; crash: Crash }
  | { kind: "restart" | "attack" | "calm" };

const join: fc.Arbitrary<Join> = fc.record({
  from: fc.nat(9),
  proof: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }) }),
  again: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(30) }),
  exempt: fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("tick" as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 0, max: 70_000 }), fc.integer({ min: 0, max: 400_000 })),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("joins" as const),
      joins: fc.array(join, { minLength: 1, maxLength: 12 }),
      asked: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(9) }),
      crash: fc.oneof(
        { weight: 8, arbitrary: fc.constant<Crash>("none") },
        { weight: 1, arbitrary: fc.constant<Crash>("before") },
        { weight: 1, arbitrary: fc.constant<Crash>("after") },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("restart" as const, "attack" as const, "calm" as const) }) },
);
const settings = fc.record({
  challenge: fc.constantFrom("pow" as const, "pow" as const, "off" as const),
  overLimit: fc.constantFrom("challenge" as const, "challenge" as const, "refuse" as const),
  challengeEveryone: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  joinLimitPerMinute: fc.nat(6),
  joinLimitAddressPerMinute: fc.nat(3),
  joinLimitWidePerMinute: fc.nat(8),
  freeEntries: fc.nat(2),
  underAttackJoinsPerMinute: fc.constantFrom(0, 10, 40),
});

/** Ten places to come from: networks with several addresses, /64s of one /48, an unknown one. */
function fromOf(n: number): Pick<JoinRequest, "network" | "address" | "wide"> {
  if (n === 0) return { network: 0 };
  return n < 6 ? { network: 100 + (n >> 1), address: 200 + n } : { network: 300 + (n >> 1), wide: 400 };
}

class History {
  readonly world: LobbyWorld;
  readonly model = new AskModel();
  readonly #requests: JoinRequest[] = [];
  /** What a key was given, as far as its holder heard. */
  readonly #places = new Map<string, JoinVerdict | "lost">();
  asked = 0;

  /** @param minute from when on; the lobby is open from minute 10 to 20 */
  constructor(changes: Partial<LobbyWorld["settings"]>, minute: number) {
    this.world = new LobbyWorld({}, changes);
    this.world.goTo(minute);
  }

  run(step: Step): void {
    const { world, model } = this;
    if (step.kind === "tick") world.tick(step.ms);
    model.at(world.now, world.settings);
    if (step.kind === "restart") world.restart();
    if (step.kind === "attack" || step.kind === "calm") this.#switch(step.kind);
    if (step.kind === "joins") this.#joins(step);
    expect(world.line.counters.attack.by).toBe(model.by);
  }

  #switch(name: "attack" | "calm"): void {
    const { world, model } = this;
    world.tick(0);
    if (name === "attack") setUnderAttack(world.line);
    else setCalm(world.line);
    world.commit();
    model.by = name === "attack" ? "operator" : null;
    model.calmUntil = name === "attack" ? 0 : world.now + 15 * 60_000;
  }

  #joins({ joins, asked, crash }: Extract<Step, { kind: "joins" }>): void {
    const { world, model } = this;
    world.tick(0);
    const inLobby = world.phase === "lobby";
    const requests = joins.map((join) => this.#request(join));
    const reply = world.exchange({ joins: requests, ...(asked > 0 && { asked }) }, crash);
    if (crash === "before") return;
    let attempts = asked;
    for (const [i, request] of requests.entries()) {
      const verdict = reply?.joins[i] ?? null;
      const held = this.#places.get(request.key);
      if (held !== undefined) {
        // A holder: the same place, whatever is asked of newcomers. Of a lost reply nothing but that it is a place.
        if (verdict === null) continue;
        if (held === "lost") expect(["placed", "entry"]).toContain(verdict.as);
        else expect(verdict).toEqual(held);
        this.#places.set(request.key, verdict);
        continue;
      }
      if (!request.proof && !request.exempt) attempts += 1;
      const expected = model.expected(request, world.settings, world.now, inLobby);
      if (verdict !== null) this.#compare(verdict, expected, inLobby);
      if (expected !== "place") continue;
      this.#places.set(request.key, verdict ?? "lost");
      model.placed(request, world.settings, world.now, inLobby);
    }
    model.attempted(attempts, world.settings, world.now);
  }

  #compare(verdict: JoinVerdict, expected: ReturnType<AskModel["expected"]>, inLobby: boolean): void {
    if (expected === "place") expect(verdict.as).toBe(inLobby ? "entry" : "placed");
    else if (expected === "refused") expect(verdict).toMatchObject({ as: "refused", why: "network" });
    else expect(verdict).toEqual({ as: "challenge", cost: expected });
    if (expected !== "place") this.asked += 1;
  }

  #request({ from, proof, again, exempt }: Join): JoinRequest {
    const known = again === null ? undefined : this.#requests[again % Math.max(1, this.#requests.length)];
    if (known !== undefined) return { ...known, proof };
    const key = `visitor-${String(this.#requests.length).padStart(8, "0")}-of-a-history`.slice(8);
    const request: JoinRequest = { key, enter: false, tag: 1, proof, ...fromOf(from), ...(exempt && { exempt }) };
    this.#requests.push(request);
    return request;
  }
}

describe("histories of who is asked", () => {
  it("[ASK-1][ASK-2][ASK-3][ASK-4][ASK-5][P7] S2 S3 S6 limits, ladder and attack are exact, no holder is asked, no place without the proof that was due", () => {
    let asked = 0;
    fc.assert(
      fc.property(settings, fc.nat(20), fc.array(step, { minLength: 5, maxLength: 60 }), (changes, minute, steps) => {
        const history = new History(changes, minute);
        for (const each of steps) history.run(each);
        asked += history.asked;
      }),
      { numRuns: RUNS / 2 },
    );
    // Else the histories would show nothing.
    expect(asked).toBeGreaterThan(RUNS);
  });
});
