/** A Room with somebody in every state of P6, made the way visitors make it. Only for the tests in `test/durable`. */
import type { OperatorSettings } from "../../src/core/admin";
import type { Batch, ClaimRequest, Guest, Reply } from "../../src/core/exchange";
import { encodeSightings } from "../../src/core/exchange";
import { joinOf, RoomUnderTest } from "./room";

export const POPULATED: OperatorSettings = {
  total_active_users: 6,
  new_users_per_minute: 600,
  session_duration: 1,
  session_max_minutes: 30,
  reserve_seconds: 5,
  claim_window_seconds: 150,
  poll_near_seconds: 1,
  poll_far_seconds: 1,
  absent_after_seconds: 72,
};

/** Who waits was invited, to one place. */
export const INVITED: Guest = { invitation: { id: "invitation-for-one-pla", uses: 1 } };

/** Slots by what has become of their holders. */
export interface Populated {
  readonly room: RoomUnderTest;
  readonly lapsed: number;
  readonly missed: number;
  readonly returning: number;
  readonly passedOver: number;
  readonly called: number;
  readonly waiting: number;
  readonly gone: number;
  readonly leaving: number;
  /** Slot → newest serial. */
  readonly inside: ReadonlyMap<number, number>;
  readonly total: number;
}

/** A claim by the ticket's holder, or with a pass of theirs. */
export function claimOf(slot: number, wall: number, more: Partial<ClaimRequest> = {}): ClaimRequest {
  return { slot, serial: 0, tag: 1, ageMs: 0, joinedAtS: Math.floor(wall / 1_000), intent: "enter", ...more };
}

export async function populate(seed = 1): Promise<Populated> {
  const room = new RoomUnderTest(POPULATED, seed);
  const inside = new Map<number, number>();
  let total = 0;
  const exchange = async (afterMs: number, items: Partial<Batch>): Promise<Reply> => {
    room.wall += afterMs;
    const reply = await room.exchange(items);
    for (const pass of [...reply.joins, ...reply.claims, ...reply.renewals].flatMap((verdict) =>
      "pass" in verdict ? [verdict.pass] : [],
    )) {
      inside.set(pass.slot, pass.serial);
    }
    return reply;
  };
  const join = async (key: string, enter: boolean, guest?: Guest): Promise<number> => {
    await exchange(100, { joins: [{ ...joinOf(key, enter), ...(guest === undefined ? {} : { guest }) }] });
    total += 1;
    return total - 1;
  };
  const renewAll = (sightings: readonly number[] = []) => {
    const renewals = [...inside].map(([slot, serial]) => ({ slot, serial, tag: 1, ageMs: 0 }));
    return exchange(15_000, { renewals, sightings: encodeSightings(sightings) });
  };

  await exchange(0, {});
  room.wall += 2_000;
  // Inside, and then idle for too long.
  const lapsed = await join("lapses", true);
  inside.delete(lapsed);
  // Called at once, and silent.
  const missed = await join("misses", false);
  const back = await join("comes-back", false);
  for (let i = 0; i < 11; i++) await exchange(15_000, {});
  for (let i = 0; i < 6; i++) await join(`inside-${i}`, true);
  await exchange(1_000, { claims: [claimOf(total - 1, room.wall)] });
  // No place is free now.
  const passedOver = await join("sleeps", false);
  const called = await join("is-called", false);
  const gone = await join("goes-away", false);
  const waiting = await join("waits", false, INVITED);
  await exchange(1_000, { leaves: [{ slot: gone, serial: 0 }] });
  for (let i = 0; i < 6; i++) await renewAll([called, waiting]);
  const leave = async () => {
    const [slot, serial] = [...inside][0] ?? [0, 0];
    await exchange(100, { leaves: [{ slot, serial }] });
    inside.delete(slot);
    return slot;
  };
  await leave();
  await exchange(6_000, { sightings: encodeSightings([waiting]) });
  await exchange(100, { claims: [claimOf(back, room.wall)] });
  const leaving = await leave();
  return { room, lapsed, missed, returning: back, passedOver, called, waiting, gone, leaving, inside, total };
}
