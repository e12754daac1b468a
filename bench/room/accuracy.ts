/**
 * A crowd at a real Room, on the Room's clock: pages that ask as they are told, look, and go in after their notice; some have gone, some
 * vanish when called. What the Room let in is judged from outside. Knows nothing of storage; one seed, one run.
 */
import { type Batch, type ClaimRequest, encodeSightings, type Reply } from "../../src/core/exchange";
import type { Manifest } from "../../src/core/manifest";
import type { RoomSettings } from "../../src/core/settings-types";
import { waitingStatus } from "../../src/core/status-of";
import { Agenda, drawKind, newPerson, nextAsk, type Person, type Shares } from "../../test/support/crowd-people";
import { worstExcess } from "../../test/support/rate-check";
import { joinsOf } from "./batches";

export interface AccuracyOrder extends Shares {
  readonly people: number;
  readonly seconds: number;
  readonly perMinute: number;
  readonly seed: number;
}

export interface Accuracy {
  readonly entered: number;
  readonly inLastMinute: number;
  /** Entries beyond rate · w + burst in the worst of all windows; at most 0 keeps P2. */
  readonly excess: number;
  readonly calls: number;
}

const STEP_MS = 250;
const JOINS_IN_A_CALL = 5_000;
/** Edges look at the manifest again after this long, ms. */
const MANIFEST_MS = 1_000;
/** The waiting page's, static/wait.ts. */
const NOTICE_MS = 5_000;
const LEAST_NOTICE_MS = 1_000;

export type Call = (stepMs: number, items: Partial<Batch>) => Promise<Reply>;

export async function runAccuracy(order: AccuracyOrder, settings: RoomSettings, random: () => number, call: Call): Promise<Accuracy> {
  return new Crowd(order, settings, random, call).run();
}

class Crowd {
  readonly #order: AccuracyOrder;
  readonly #settings: RoomSettings;
  readonly #random: () => number;
  readonly #call: Call;
  readonly #agenda = new Agenda(STEP_MS);
  readonly #people: Person[] = [];
  /** When somebody went in, ms since the start. */
  readonly #entries: number[] = [];
  #calls = 0;

  constructor(order: AccuracyOrder, settings: RoomSettings, random: () => number, call: Call) {
    this.#order = order;
    this.#settings = settings;
    this.#random = random;
    this.#call = call;
  }

  async run(): Promise<Accuracy> {
    const { seconds, people } = this.#order;
    let manifest = await this.#joinAll(people);
    for (let at = STEP_MS, seenAt = 0; at <= seconds * 1_000; at += STEP_MS) {
      const reply = await this.#step(at, manifest);
      if (at - seenAt < MANIFEST_MS) continue;
      manifest = reply.manifest;
      seenAt = at;
    }
    return this.#judged();
  }

  /** Everybody waits before the first second. */
  async #joinAll(people: number): Promise<Manifest> {
    let last: Reply | null = null;
    for (let first = 0; first < people; first += JOINS_IN_A_CALL) {
      last = await this.#call(0, { joins: joinsOf(first, Math.min(JOINS_IN_A_CALL, people - first), false) });
      for (const verdict of last.joins) {
        if (verdict.as !== "placed") throw new Error(`somebody who joined was ${verdict.as}`);
        const person = newPerson(drawKind(this.#order, this.#random), this.#people.length);
        person.slot = verdict.slot;
        person.joinedAtS = verdict.joinedAtS;
        this.#people.push(person);
        if (person.kind !== "gone") this.#askAgain(person, 0, this.#settings.pollNearMs);
      }
    }
    if (last === null) throw new Error("nobody came");
    return last.manifest;
  }

  async #step(at: number, manifest: Manifest): Promise<Reply> {
    const claimants: Person[] = [];
    const renewers: Person[] = [];
    const seen = new Set<number>();
    for (const who of this.#agenda.take(at / STEP_MS)) {
      const person = this.#people[who] as Person;
      if (person.serial > 0) renewers.push(person);
      else if (person.slot < manifest.admittedEpoch) {
        if (person.kind !== "vanishing") claimants.push(person);
      } else {
        if (person.slot < manifest.horizon) seen.add(person.slot);
        const told = { room: manifest.room, manifest, settings: this.#settings, now: manifest.at };
        this.#askAgain(person, at, waitingStatus(told, person.slot).pollAfterMs);
      }
    }
    const reply = await this.#call(STEP_MS, {
      claims: claimants.map(claimOf),
      renewals: renewers.map(({ slot, serial, tag }) => ({ slot, serial, tag, ageMs: 0 })),
      sightings: encodeSightings(seen),
    });
    this.#calls += 1;
    for (const [i, person] of claimants.entries()) this.#answered(person, at, reply.claims[i]);
    for (const [i, person] of renewers.entries()) {
      const verdict = reply.renewals[i];
      if (verdict?.as !== "renewed") throw new Error(`somebody inside who renewed was ${verdict?.as}`);
      person.serial = verdict.pass.serial;
      this.#agenda.add(at + this.#settings.passRefreshMs, person.who);
    }
    return reply;
  }

  #answered(person: Person, at: number, verdict: Reply["claims"][number] | undefined): void {
    if (verdict === undefined) throw new Error("a claim without a verdict");
    switch (verdict.as) {
      case "entered":
        person.serial = verdict.pass.serial;
        this.#entries.push(at);
        this.#agenda.add(at + this.#settings.passRefreshMs, person.who);
        return;
      case "called": {
        person.goesIn = true;
        this.#agenda.add(at + Math.max(LEAST_NOTICE_MS, Math.min(NOTICE_MS, verdict.holdForMs / 2)), person.who);
        return;
      }
      case "moment":
        this.#agenda.add(at + Math.max(LEAST_NOTICE_MS, verdict.dueInMs), person.who);
        return;
      default:
        this.#askAgain(person, at, this.#settings.pollNearMs);
    }
  }

  #askAgain(person: Person, at: number, gapMs: number): void {
    this.#agenda.add(nextAsk(person, at, gapMs, this.#random), person.who);
  }

  #judged(): Accuracy {
    const { perMinute, seconds } = this.#order;
    return {
      entered: this.#entries.length,
      inLastMinute: this.#entries.filter((at) => at > (seconds - 60) * 1_000).length,
      excess: worstExcess(this.#entries, [{ at: 0, perMinute }]),
      calls: this.#calls,
    };
  }
}

function claimOf({ slot, tag, joinedAtS, goesIn }: Person): ClaimRequest {
  return { slot, serial: 0, tag, ageMs: 0, joinedAtS, intent: goesIn ? "enter" : "look" };
}
