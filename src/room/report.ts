/**
 * What an isolate tells the Room besides its visitors' questions: who was here, what the site answered, what was noted for the operator. It
 * gathers until the next exchange, whatever that is for, and goes back here if the exchange fails. One per room and isolate; no clock, no I/O.
 */
import { NoteBook } from "../core/edge-notes";
import { decodeSightings, encodeSightings } from "../core/exchange";
import { addOutcomes, NO_OUTCOMES, OutcomeTally } from "../core/origin-outcomes";
import type { Carried } from "./exchange-queue";
import { OpenDoor } from "./open-door";

const SIGHTINGS_MAX = 50_000;

export class Report {
  /** For the operator: what would have been done, and what looks like webhooks. */
  readonly notes = new NoteBook();
  /** Who went in without the Room. */
  readonly openDoor = new OpenDoor();
  /** Units of the lease that the next exchange asks for. */
  leaseWanted = 0;
  #slots = new Set<number>();
  #entries = { draw: 0, seen: new Set<number>() };
  readonly #replies = new OutcomeTally();
  /** What a failed exchange carried. */
  #untold = NO_OUTCOMES;
  #asked = 0;

  /** @returns false = so many were seen that this one is not told of */
  see(slot: number): boolean {
    if (this.#slots.size >= SIGHTINGS_MAX) return false;
    this.#slots.add(slot);
    return true;
  }

  /** Of one draw at a time: the newest that was heard of. */
  seeEntry(draw: number, entry: number): void {
    if (this.#entries.draw !== draw) this.#entries = { draw, seen: new Set() };
    if (this.#entries.seen.size < SIGHTINGS_MAX) this.#entries.seen.add(entry);
  }

  answered(outcome: "ok" | "failed", headersAfterMs: number): void {
    this.#replies.note(outcome, headersAfterMs);
  }

  /** A newcomer was asked for proof without a call. */
  asked(): void {
    this.#asked += 1;
  }

  take(): Carried {
    const { draw, seen } = this.#entries;
    const carried = {
      sightings: encodeSightings(this.#slots),
      entriesSeen: seen.size > 0 ? { draw, entries: encodeSightings(seen) } : null,
      leaseWanted: this.leaseWanted,
      origin: addOutcomes(this.#untold, this.#replies.take()),
      failedOpen: this.openDoor.take(),
      notes: this.notes.take(),
      ...(this.#asked > 0 && { asked: this.#asked }),
    };
    this.#slots = new Set();
    this.#entries = { draw, seen: new Set() };
    this.leaseWanted = 0;
    this.#untold = NO_OUTCOMES;
    this.#asked = 0;
    return carried;
  }

  /** The exchange failed: say it again with the next one. A lease is asked for by whoever needs it then. */
  giveBack({ sightings, entriesSeen, origin, failedOpen, notes, asked = 0 }: Carried): void {
    this.openDoor.giveBack(failedOpen);
    this.notes.giveBack(notes ?? null);
    this.#asked += asked;
    this.#untold = addOutcomes(this.#untold, origin);
    for (const slot of decodeSightings(sightings)) this.see(slot);
    if (entriesSeen === null || entriesSeen === undefined || entriesSeen.draw !== this.#entries.draw) return;
    for (const entry of decodeSightings(entriesSeen.entries)) this.seeEntry(entriesSeen.draw, entry);
  }
}
