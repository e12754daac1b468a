/** A room with two events and whoever may do something to it, one random step at a time. For lobby-histories.test.ts. */
import fc from "fast-check";
import { endSessions, flush, reset, setEnded } from "../../durable/line/switches";
import { toHex } from "../../src/core/bytes";
import { roundAfter } from "../../src/core/drand";
import type { DrawRecord } from "../../src/core/draw";
import { sha256 } from "../../src/core/sha256";
import { joinOf } from "./line-steps";
import { type Crash, saltOf, type Visitor } from "./line-world";
import { LobbyWorld } from "./lobby-world";

const crash = fc.constantFrom<Crash>("none", "none", "none", "none", "before", "after");
const who = fc.nat(200);
export const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant("tick" as const), ms: fc.oneof(fc.nat(3_000), fc.nat(20_000), fc.nat(90_000)), crash }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("join" as const),
      count: fc.integer({ min: 1, max: 6 }),
      again: who,
      enter: fc.boolean(),
      crash,
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("claim" as const), who, crash }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("see" as const), share: fc.nat(100) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("leave" as const), who, crash }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("beacon" as const), off: fc.constantFrom(0, 0, 0, -1, 1), crash }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("move" as const), ms: fc.integer({ min: -60_000, max: 120_000 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("restart", "start-now", "cancel", "resume", "pause", "random", "fifo", "ended", "reopen", "end-sessions"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("flush", "reset") }) },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

export class Lobbies extends LobbyWorld {
  readonly keys = new Map<string, string>();
  readonly taken = new Map<number, DrawRecord>();
  /** Draws that may have been dropped: emptied, called off, or of an older line. */
  readonly endable = new Set<number>();
  level = 0;
  levelAt = this.now;

  wakeUp(died: Crash): void {
    this.prepare();
    this.tick(0);
    if (died !== "none") this.restart();
  }

  apply(each: Step): void {
    const pick = (index: number): Visitor | undefined => this.visitors[index % Math.max(1, this.visitors.length)];
    const { collecting, drawing, awaiting } = this.line.counters;
    const draws = [collecting, drawing, ...awaiting].map((draw) => draw?.id).flatMap((id) => id ?? []);
    switch (each.kind) {
      case "tick":
        this.now += each.ms;
        this.wakeUp(each.crash);
        return;
      case "join": {
        const again = pick(each.again);
        const visitors = [...Array.from({ length: each.count }, () => this.visitor()), ...(again === undefined ? [] : [again])];
        const reply = this.exchange({ joins: visitors.map((visitor) => joinOf(visitor, each.enter)) }, each.crash);
        for (const [i, verdict] of (reply?.joins ?? []).entries()) {
          const visitor = visitors[i] as Visitor;
          this.took(visitor, verdict);
          if (verdict.as === "entry") this.entered.set(visitor, verdict);
        }
        return;
      }
      case "claim": {
        const visitor = pick(each.who);
        if (visitor !== undefined) this.claim(visitor, "enter", each.crash);
        return;
      }
      case "see":
        this.see(this.visitors.filter((_, i) => (i * 37) % 100 < each.share));
        return;
      case "leave": {
        const visitor = pick(each.who);
        if (visitor !== undefined) this.leave(visitor, each.crash);
        return;
      }
      case "beacon": {
        const signature = new Uint8Array([...saltOf(1), ...saltOf(2).subarray(0, 16)]);
        const round = (this.line.counters.drawing?.round ?? roundAfter(this.now)) + each.off;
        this.take({ round, signature: toHex(signature), randomness: toHex(sha256(signature)) });
        if (each.crash !== "before") this.commit();
        if (each.crash !== "none") this.restart();
        return;
      }
      case "move":
        this.replan((startMs) => startMs + each.ms);
        return;
      case "start-now":
        this.replan(() => this.now - 200);
        return;
      case "cancel":
        for (const id of draws) this.endable.add(id);
        this.settings = {
          ...this.settings,
          events: this.settings.events.map((event, i) => (i === 0 ? { ...event, cancelled: "no" } : event)),
        };
        this.tick(0);
        return;
      case "restart":
        this.restart();
        return;
      case "pause":
      case "resume":
        this.settings = { ...this.settings, queueAll: each.kind === "pause" };
        this.tick(0);
        return;
      case "random":
      case "fifo":
        this.settings = { ...this.settings, queueingMethod: each.kind };
        this.tick(0);
        return;
      case "ended":
      case "reopen":
        setEnded(this.line, each.kind === "ended");
        this.tick(0);
        return;
      case "end-sessions":
        endSessions(this.line, this.settings);
        this.tick(0);
        return;
      case "flush":
        for (const id of draws) this.endable.add(id);
        this.tick(0);
        this.endable.add(this.line.counters.collecting?.id ?? 0);
        flush(this.line);
        this.tick(0);
        return;
      case "reset":
        this.tick(0);
        for (const draw of [this.line.counters.collecting, this.line.counters.drawing, ...this.line.counters.awaiting])
          this.endable.add(draw?.id ?? 0);
        this.line = reset(this.line, this.settings);
        this.tick(0);
        return;
    }
  }

  /** Move the first event that has not started, as far as the second leaves room. */
  replan(start: (startMs: number) => number): void {
    this.tick(0);
    const [first, second] = this.settings.events;
    if (first === undefined || second === undefined || first.startMs <= this.now) return;
    const startMs = Math.min(Math.max((first.prequeueStartMs ?? 0) + 1, start(first.startMs)), first.endMs - 1);
    this.settings = { ...this.settings, events: [{ ...first, startMs }, second] };
    this.tick(0);
  }
}
