/**
 * Who may not join: the keys of banned places, in memory. Pure; the shell stores bans as rows. Bounded: an operator bans by hand.
 */
import type { Ban } from "../../src/core/places";
import { KEY_CHARS } from "./key-ring";

/** Bans that stand at a time. */
export const BANS_MAX = 1_000;

export class Bans {
  /** By place. */
  readonly #bans = new Map<string, Ban>();
  readonly #keys = new Set<string>();

  load(bans: Iterable<Ban>): void {
    for (const ban of bans) this.add(ban);
  }

  get size(): number {
    return this.#bans.size;
  }

  all(): readonly Ban[] {
    return [...this.#bans.values()];
  }

  /** Of a place that somebody had. */
  of(generation: number, slot: number): Ban | null {
    return this.#bans.get(`${generation}.${slot}`) ?? null;
  }

  has(key: string): boolean {
    return this.#keys.size > 0 && this.#keys.has(key.slice(0, KEY_CHARS));
  }

  add(ban: Ban): void {
    this.#bans.set(`${ban.generation}.${ban.slot}`, ban);
    for (const key of ban.keys) this.#keys.add(key.slice(0, KEY_CHARS));
  }

  lift(generation: number, slot: number): void {
    this.#bans.delete(`${generation}.${slot}`);
    // Of another ban of the same person there may be the same keys.
    this.#keys.clear();
    this.load(this.all());
  }
}
