/** A room with an event, on virtual time: entrants, what they hold after the draw, and the draw recomputed. */

import type { CollectingDraw } from "../../durable/line/draw-state";
import { takeRound } from "../../durable/line/draws";
import { proceed } from "../../durable/line/schedule";
import { State } from "../../durable/line/slot-table";
import type { DrandRound } from "../../src/core/drand";
import { checkRecord, slotOf } from "../../src/core/draw-sync";
import type { JoinVerdict } from "../../src/core/exchange";
import type { RoomEvent, RoomSettings } from "../../src/core/settings-types";
import { joinOf } from "./line-steps";
import { START, type Visitor, World } from "./line-world";

export const MINUTE = 60_000;

/** A sale at START + 20 min with a lobby from START + 10 min, until START + 80 min. */
export function saleOf(changes: Partial<RoomEvent> = {}): RoomEvent {
  return {
    name: "sale",
    prequeueStartMs: START + 10 * MINUTE,
    startMs: START + 20 * MINUTE,
    endMs: START + 80 * MINUTE,
    shuffle: true,
    keepSessions: false,
    cancelled: null,
    utcOffsetMinutes: 60,
    overrides: {},
    ...changes,
  };
}

export type EntryVerdict = Extract<JoinVerdict, { as: "entry" }>;

/** A world with a sale. `at`: minutes after START. */
export class LobbyWorld extends World {
  readonly entered = new Map<Visitor, EntryVerdict>();
  readonly #dealt = new Map<Visitor, number>();

  constructor(event: Partial<RoomEvent> = {}, settings: Partial<RoomSettings> = {}, seed = 1) {
    super({ totalActiveUsers: 100, newUsersPerMinute: 60, events: [saleOf(event)], ...settings }, seed);
  }

  /** Let time pass until `at` minutes after START, in one step. */
  goTo(minutes: number): void {
    this.tick(START + minutes * MINUTE - this.now);
  }

  /** Change the event as the operator does. */
  plan(changes: Partial<RoomEvent>): void {
    this.tick(0);
    this.settings = { ...this.settings, events: this.settings.events.map((event) => ({ ...event, ...changes })) };
    this.tick(0);
  }

  /** `count` newcomers in one exchange; who gets an entry is noted. */
  arrive(count: number): Visitor[] {
    const visitors = Array.from({ length: count }, () => this.visitor());
    this.joinAll(visitors);
    return visitors;
  }

  joinAll(visitors: readonly Visitor[]): readonly JoinVerdict[] {
    const verdicts = this.exchange({ joins: visitors.map((visitor) => joinOf(visitor)) })?.joins ?? [];
    for (const [i, verdict] of verdicts.entries()) {
      const visitor = visitors[i] as Visitor;
      this.took(visitor, verdict);
      if (verdict.as === "entry") this.entered.set(visitor, verdict);
    }
    return verdicts;
  }

  /** As the edge does for everybody whose draw has taken place: the entry becomes a ticket. */
  dealTickets(): void {
    for (const [visitor, { draw, entry, joinedAtS }] of this.entered) {
      const record = this.store.records.find(({ id }) => id === draw);
      if (record === undefined || this.#dealt.get(visitor) === draw) continue;
      this.#dealt.set(visitor, draw);
      visitor.ticket = { generation: record.generation, slot: slotOf(record, entry), joinedAtS };
    }
  }

  /** The one draw of this world, checked. */
  get record() {
    const { records } = this.store;
    if (records.length !== 1) throw new Error(`${records.length} draws took place`);
    const record = records[0] as (typeof records)[number];
    const problems = checkRecord(record);
    if (problems.length > 0) throw new Error(`the record does not hold: ${problems.join(", ")}`);
    return record;
  }

  /** The public beacon's answer comes in as a step of its own. */
  beacon(round: DrandRound): void {
    this.take(round);
    this.commit();
  }

  /** The same, not stored yet. */
  take(round: DrandRound): void {
    this.prepare();
    takeRound(this.line, this.settings, round, this.now);
    proceed(this.line, this.settings, this.now);
  }

  /** The draw that counts entries. */
  get collecting(): CollectingDraw {
    const { collecting } = this.line.counters;
    if (collecting === null) throw new Error("nothing collects");
    return collecting;
  }

  get phase() {
    return this.manifest.phase;
  }

  count(state: State): number {
    return this.line.table.count(state);
  }

  inside(): number {
    return this.count(State.INSIDE);
  }
}
