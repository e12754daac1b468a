/** Types of seats.mjs, for its test. */
import type { Pool } from "./postgres.mjs";

export const HOLD_SECONDS: number;
export const HOLD_JITTER_SECONDS: number;
export interface Hold {
  hold: string;
  seats: string[];
  cents: number;
  until: Date;
}
export interface Order {
  hold: string;
  name: string;
  cents: number;
  seats: string[];
}
export function createSeats(pool: Pool, options: { seats: number; cents?: number }): Promise<void>;
export class Seats {
  constructor(pool: Pool, options?: { holdSeconds?: number; jitterSeconds?: number });
  hold(visit: string, count: number): Promise<({ as: "held" } & Hold) | { as: "sold-out" } | { as: "too-few"; free: number }>;
  held(visit: string): Promise<Hold | null>;
  pay(visit: string, hold: string, name: string): Promise<{ as: "sold"; order: Order } | { as: "lapsed" }>;
  release(visit: string): Promise<string[]>;
  orders(visit: string): Promise<Order[]>;
  count(): Promise<{ seats: number; free: number; held: number; sold: number }>;
}
