/**
 * Units that this isolate may spend on requests without any cookie while the room is quiet (DESIGN §5, row "none, quiet").
 * One per room and isolate; no I/O. The Room counts every unit it grants as a busy place (P1), so no more are asked for than were used lately.
 */
import { LEASE_BUSY_MS, type Lease } from "../core/exchange";
import { keepNewest } from "../core/keep-newest";
import { CLOCK_BACK_MS } from "./wait";

/** Units that one network may have busy here at once. */
const PER_NETWORK = 3;
const WANTED_MIN = 2;
const WANTED_MAX = 64;
/** After the Room gave nothing, requests are treated as on a busy room for this long, ms, without asking. */
const REFUSED_PAUSE_MS = 2_000;
/** Requests remembered for the limit per network. */
const NETWORKS_MAX = 4_096;

export type Taken = "taken" | "ask" | "none";

export class UnprovenLease {
  #units = 0;
  #usableUntil = 0;
  #refusedUntil = 0;
  /** When the Room answered last, by this machine's clock, ms. */
  #heardAt = 0;
  /** Uses in this lease period; the next request asks for as many. */
  #demand = 0;
  /** Times of use, oldest first. */
  readonly #uses = new Map<string, number[]>();

  /**
   * Spend a unit on a request of this network (null = trusted, not limited). `ask`: get a lease first.
   */
  take(network: string | null, now: number): Taken {
    if (network !== null && this.#busyOf(network, now).length >= PER_NETWORK) return "none";
    this.#demand += 1;
    // The clock was put back: by it a lease that is over would go on (P1), and a refusal as well.
    if (this.#heardAt - now > CLOCK_BACK_MS) [this.#usableUntil, this.#refusedUntil] = [0, 0];
    if (now >= this.#usableUntil) this.#units = 0;
    if (this.#units < 1) return now < this.#refusedUntil ? "none" : "ask";
    this.#units -= 1;
    if (network !== null) this.#note(network, now);
    return "taken";
  }

  /** How many units to ask for. */
  get wanted(): number {
    return Math.min(WANTED_MAX, Math.max(WANTED_MIN, this.#demand));
  }

  /** The Room's answer to a batch that asked. `usableForMs` counts from when the batch was sent. */
  granted(lease: Lease | null, sentAt: number, usableForMs: number, now: number): void {
    this.#demand = 0;
    this.#heardAt = now;
    const until = sentAt + usableForMs;
    if (lease === null || lease.units < 1) {
      this.#refusedUntil = now + REFUSED_PAUSE_MS;
    } else if (now < this.#usableUntil) {
      // Two leases at once: all units end with the earlier one.
      this.#units += lease.units;
      this.#usableUntil = Math.min(this.#usableUntil, until);
    } else {
      this.#units = lease.units;
      this.#usableUntil = until;
    }
  }

  #busyOf(network: string, now: number): number[] {
    const uses = (this.#uses.get(network) ?? []).filter((at) => now - at < LEASE_BUSY_MS);
    if (uses.length === 0) this.#uses.delete(network);
    return uses;
  }

  #note(network: string, now: number): void {
    const uses = [...this.#busyOf(network, now), now];
    keepNewest(this.#uses, network, uses, NETWORKS_MAX);
  }
}
