/** Steps that several tests of the line share: a crowd that joined, time until something happens. Virtual time only. */

import type { State } from "../../durable/line/slot-table";
import type { JoinRequest } from "../../src/core/exchange";
import { type Visitor, World } from "./line-world";

export const ONE_A_SECOND = { totalActiveUsers: 100, newUsersPerMinute: 60 };

export function joinOf(visitor: Visitor, enter = false): JoinRequest {
  return { key: visitor.key, network: visitor.network, enter, tag: visitor.tag };
}

/** `count` visitors who joined in this order, in one exchange. */
export function crowd(world: World, count: number): Visitor[] {
  const visitors = Array.from({ length: count }, () => world.visitor());
  const reply = world.exchange({ joins: visitors.map((visitor) => joinOf(visitor)) });
  for (const [i, verdict] of (reply?.joins ?? []).entries()) world.took(visitors[i] as Visitor, verdict);
  return visitors;
}

export function slotOf(visitor: Visitor): number {
  if (visitor.ticket === null) throw new Error("has no ticket");
  return visitor.ticket.slot;
}

export function stateOf(world: World, visitor: Visitor): State {
  return world.line.table.stateOf(slotOf(visitor));
}

/** Tick in small steps until `done`, at most `limitMs`. */
export function until(world: World, done: () => boolean, limitMs = 600_000): void {
  for (let waited = 0; !done(); waited += 250) {
    if (waited > limitMs) throw new Error("never happened");
    world.tick(250);
  }
}

/** A room of one place a second with somebody inside. */
export function insideWorld(settings: ConstructorParameters<typeof World>[0] = {}): { world: World; visitor: Visitor } {
  const world = new World({ ...ONE_A_SECOND, ...settings });
  world.tick(2_000);
  const visitor = world.visitor();
  if (world.join(visitor, true)?.as !== "entered") throw new Error("the first visitor of a quiet room did not get in");
  return { world, visitor };
}

/** Change settings as the operator does: what held before holds up to now. */
export function set(world: World, changes: Partial<World["settings"]>): void {
  world.tick(0);
  world.settings = { ...world.settings, ...changes };
  world.tick(0);
}
