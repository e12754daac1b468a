/**
 * The Room as isolates reach it (room-way.ts), with a time per call, and restarts. What it decides is the real line (durable/line). A question of a party becomes a question of each of its people here, and their answers one answer.
 */
import { supplySalts, takeRound } from "../../durable/line/draws";
import { exchange } from "../../durable/line/exchange";
import { proceed } from "../../durable/line/schedule";
import { type LineState, newLine, placesInUse, waitingCount } from "../../durable/line/state";
import { type LineChanges, loadLine, takeChanges } from "../../durable/line/stored";
import { manifestOf } from "../../durable/line/view";
import type { DrawnPlaces } from "../../src/core/draw";
import {
  type Batch,
  type ClaimRequest,
  type ClaimVerdict,
  decodeSightings,
  encodeSightings,
  type JoinRequest,
  type JoinVerdict,
  type LeaveRequest,
  type RenewRequest,
  type RenewVerdict,
  type Reply,
} from "../../src/core/exchange";
import type { RoomConfig, RoomRpc } from "../../src/core/room-rpc";
import { settingsAt } from "../../src/core/schedule";
import type { RoomSettings } from "../../src/core/settings-types";
import { FakeStore, saltOf } from "../../test/support/line-world";
import type { VirtualTime } from "../../test/support/virtual-time";
import { Books } from "./books";
import type { Colo } from "./edges";
import { Kind, type People } from "./people";
import type { Plan, RoomPlan } from "./plan";
import { RoomWay } from "./room-way";

/**
 * One call's time at the Room, ms, of each thing asked in it, and of each place reported as seen. Twice what a call of 0, 100 and 1,000 joins
 * takes in workerd on one core of a small cloud computer, storage included: that runs here, but Cloudflare's computers are not ours.
 */
const CALL_MS = 1.5;
const ITEM_MS = 0.01;
const SEEN_MS = 0.001;
/** From the cut-off of a lobby until the public random number is there, ms. */
const ROUND_AFTER_MS = 13_000;

/** An answer to a party. */
export type Together<V> = V & { readonly each: readonly (V | null)[] };

/** What stands behind the numbers that the client carries for parties and visits. */
export interface Carried {
  /** Who of the party that asks with this key has not heard of a place. */
  joiners(key: string): readonly number[];
  /** Who was there when this one was. */
  seenWith(person: number): readonly number[];
  /** How many those are at most; 0 where the place is nobody's (−1). */
  company(person: number): number;
  /** Who of it is there, has been called, as far as the party knows, and asks this. */
  askers(party: number, intent: ClaimRequest["intent"]): readonly number[];
  /** Who of a visit is still inside. */
  inside(visit: number): readonly number[];
  network(person: number): number;
  /** The entries of the lobby have places. */
  drawn(places: DrawnPlaces): void;
}

export class RoomHost {
  readonly books = new Books();
  readonly settings: () => RoomSettings;
  readonly #plan: Plan;
  readonly #room: RoomPlan;
  readonly #time: VirtualTime;
  readonly #startMs: number;
  readonly #random: () => number;
  readonly #people: People;
  readonly #carried: Carried;
  readonly #store: FakeStore | null;
  readonly #way: RoomWay;
  #line: LineState;
  #config: RoomConfig;
  #lowered = false;
  #lastEpoch = 0;
  #storedJoins = 0;

  constructor(of: {
    plan: Plan;
    room: RoomPlan;
    settings: RoomSettings;
    time: VirtualTime;
    startMs: number;
    random: () => number;
    people: People;
    carried: Carried;
  }) {
    this.#plan = of.plan;
    this.#room = of.room;
    this.#time = of.time;
    this.#startMs = of.startMs;
    this.#random = of.random;
    this.#people = of.people;
    this.#carried = of.carried;
    this.#line = newLine(of.startMs, of.room.room);
    this.#config = { revision: 1, settings: of.settings };
    const { plan, room, time, startMs, random } = of;
    this.#way = new RoomWay({
      ...{ plan, room, time, startMs, random, books: this.books },
      isolates: () => this.#line.pacing.isolates,
      step: (decide) => this.#step(decide),
    });
    this.settings = () => this.#config.settings;
    this.#store = (of.room.restarts ?? []).length > 0 ? new FakeStore() : null;
    for (const { atMs, downMs } of of.room.restarts ?? []) of.time.at(of.startMs + atMs, () => this.#restart(downMs));
    for (const change of of.room.changes ?? []) of.time.at(of.startMs + change.atMs, () => this.#change(change.settings));
    if (of.room.drawAtMs === undefined) return;
    // The alarm, which the schedule sets.
    of.time.at(of.startMs + of.room.drawAtMs, () => this.#step((line) => proceed(line, this.#config.settings, of.time.now)));
    of.time.at(of.startMs + of.room.drawAtMs + ROUND_AFTER_MS, () => this.#round());
  }

  get line(): LineState {
    return this.#line;
  }

  /** What an isolate of this colo calls. */
  stub(colo: Colo): RoomRpc {
    const calls = {
      exchange: (batch: Batch) =>
        this.#plan.batching === false
          ? this.#oneByOne(colo, batch)
          : this.#way.call(colo, {
              takesMs: timeOf(questionsOf(batch, this.#room.partySize), this.#told(batch)),
              questions: questionsOf(batch, this.#room.partySize),
              decide: () => this.#decide(batch),
            }),
      config: () => this.#way.call(colo, { takesMs: CALL_MS, questions: null, decide: () => this.#config }),
    };
    return calls as unknown as RoomRpc;
  }

  /** As if nothing travelled together. */
  async #oneByOne(colo: Colo, batch: Batch): Promise<Reply> {
    const alone = (part: Partial<Batch>) =>
      this.#way.call(colo, {
        takesMs: CALL_MS,
        questions: null,
        decide: () => this.#decide({ ...batch, joins: [], claims: [], renewals: [], ...part }),
      });
    const joins = await Promise.all(batch.joins.map((join) => alone({ joins: [join] })));
    const claims = await Promise.all(batch.claims.map((claim) => alone({ claims: [claim] })));
    const renewals = await Promise.all(batch.renewals.map((renewal) => alone({ renewals: [renewal] })));
    const last = await alone({});
    const all = { joins: joins.flatMap((reply) => reply.joins), claims: claims.flatMap((reply) => reply.claims) };
    return { ...last, ...all, renewals: renewals.flatMap((reply) => reply.renewals) };
  }

  #since(now: number): number {
    return now - this.#startMs;
  }

  #restart(downMs: number): void {
    if (this.#store === null) throw new Error("a Room that restarts needs its storage");
    this.#way.restart(downMs);
    this.#line = loadLine(this.#store.read(), this.#time.now, this.#room.room);
  }

  #change(settings: Partial<RoomSettings>): void {
    // As operate.ts: the time before the change counts by the old settings.
    this.#step((line) => proceed(line, this.#config.settings, this.#time.now));
    const before = this.#config.settings;
    this.#config = { revision: this.#config.revision + 1, settings: { ...before, ...settings } };
    this.#lowered ||= this.#config.settings.totalActiveUsers < before.totalActiveUsers;
    this.#step((line) => proceed(line, this.#config.settings, this.#time.now));
  }

  #round(): void {
    const { drawing } = this.#line.counters;
    if (drawing === null) throw new Error("nothing to draw");
    const round = { round: drawing.round, randomness: "5a".repeat(32), signature: "c3".repeat(48) };
    this.#step((line) => takeRound(line, settingsAt(this.settings(), line.counters.now), round, this.#time.now));
    const [places] = this.#line.counters.drawn;
    if (places !== undefined) this.#carried.drawn(places);
  }

  #step<T>(work: (line: LineState) => T): T {
    supplySalts(this.#line, (after) => saltOf(this.#plan.seed + this.#line.counters.nextDraw + after));
    const entered = this.#line.counters.totals.entered;
    const done = work(this.#line);
    this.#note(entered, takeChanges(this.#line));
    return done;
  }

  #decide(batch: Batch): Reply {
    const { books } = this;
    const joins = batch.joins.map(({ key }) => ({ of: this.#carried.joiners(key) }));
    const claims = batch.claims.map((claim) => ({ claim, of: this.#carried.askers(claim.slot, claim.intent) }));
    const renewals = batch.renewals.map((renewal) => ({ renewal, of: this.#carried.inside(renewal.slot) }));
    const leaves = batch.leaves.map(({ slot }) => this.#carried.inside(slot));
    const whole: Batch = {
      ...batch,
      joins: joins.flatMap(({ of }) => of.map((person) => this.#joinOf(person))),
      claims: claims.flatMap(({ claim, of }) => of.map((person) => this.#claimOf(person, claim))),
      renewals: renewals.flatMap(({ renewal, of }) => of.map((person) => this.#renewalOf(person, renewal))),
      leaves: leaves.flatMap((of) =>
        of.map((person): LeaveRequest => ({ slot: this.#slot(person), serial: this.#people.serial[person] as number })),
      ),
      sightings: this.#seen(batch.sightings),
      entriesSeen: batch.entriesSeen && { draw: batch.entriesSeen.draw, entries: this.#seen(batch.entriesSeen.entries) },
    };
    const size = whole.joins.length + whole.claims.length + whole.renewals.length + whole.leaves.length;
    books.largestBatch = Math.max(books.largestBatch, size);
    const verdicts = exchange(this.#line, this.#config.settings, whole, this.#time.now, this.#random);
    this.#placed(
      joins.flatMap(({ of }) => of),
      verdicts.joins,
    );
    const { revision, settings } = this.#config;
    return {
      v: batch.v,
      ...verdicts,
      joins: shared(joins, verdicts.joins).map((verdict) => verdict ?? NO_JOIN),
      claims: shared(claims, verdicts.claims).map((verdict) => verdict ?? NO_CLAIM),
      renewals: shared(renewals, verdicts.renewals).map((verdict) => verdict ?? NO_RENEWAL),
      leaves: batch.leaves.map(() => ({ as: "left" as const })),
      manifest: manifestOf(this.#line, settings, this.#room.room, revision),
      config: batch.config !== null && batch.config < revision ? this.#config : null,
    };
  }

  #slot(person: number): number {
    return this.#people.slot[person] as number;
  }

  #joinOf(person: number): JoinRequest {
    const network = this.#carried.network(person);
    return { key: String(this.#people.key[person]).padStart(16, "0"), network, enter: false, tag: person & 0xffff };
  }

  #claimOf(person: number, claim: ClaimRequest): ClaimRequest {
    return { ...claim, slot: this.#slot(person), serial: this.#people.serial[person] as number, tag: person & 0xffff };
  }

  #renewalOf(person: number, renewal: RenewRequest): RenewRequest {
    return { ...renewal, slot: this.#slot(person), serial: this.#people.serial[person] as number, tag: person & 0xffff };
  }

  /** So many people a batch says were there: of a party that waits together all, of whoever waits alone one. */
  #told({ sightings, entriesSeen }: Batch): number {
    const people = (coded: readonly number[]) =>
      decodeSightings(coded).reduce((sum, slot) => sum + this.#carried.company(this.#people.ownerOf(slot)), 0);
    return people(sightings) + people(entriesSeen?.entries ?? []);
  }

  /** The client reports one place for each party that was there: all who wait in it were. */
  #seen(coded: readonly number[]): number[] {
    const people = this.#people;
    const slots = new Set<number>();
    for (const slot of decodeSightings(coded)) {
      const owner = people.ownerOf(slot);
      if (owner < 0) continue;
      for (const person of this.#carried.seenWith(owner)) slots.add(people.slot[person] as number);
    }
    return encodeSightings(slots);
  }

  #placed(newcomers: readonly number[], verdicts: readonly JoinVerdict[]): void {
    const { books } = this;
    const people = this.#people;
    for (const [i, verdict] of verdicts.entries()) {
      const person = newcomers[i] as number;
      const number = verdict.as === "placed" ? verdict.slot : verdict.as === "entry" ? verdict.entry : null;
      if (number === null) {
        books.refused += 1;
        continue;
      }
      const former = people.slot[person] as number;
      if (former >= 0 && former !== number) books.secondPlaces += 1;
      if (former < 0 && people.kind[person] === Kind.BOT) books.botsPlaced += 1;
      const before = people.give(number, person);
      if (before >= 0 && before !== person) books.doublyGiven += 1;
    }
  }

  #note(entered: number, changes: LineChanges): void {
    const { books } = this;
    const line = this.#line;
    const now = this.#since(this.#time.now);
    const second = Math.max(0, Math.floor(now / 1_000));
    const settings = settingsAt(this.#config.settings, line.counters.now);
    const inUse = placesInUse(line, settings);
    const fresh = line.counters.totals.entered - entered;
    if (inUse > settings.totalActiveUsers && (!this.#lowered || fresh > 0))
      books.overshoot = Math.max(books.overshoot, inUse - settings.totalActiveUsers);
    for (let i = 0; i < fresh; i++) books.entriesAt.push(now);
    if (fresh > 0) {
      Books.bump(books.entriesBySecond, second, fresh);
      books.lastEntryAt = now;
    }
    if (line.counters.epoch < this.#lastEpoch) books.epochBack += 1;
    for (let slot = this.#lastEpoch; slot < line.counters.epoch; slot++) this.#people.noteCalled(slot, now);
    this.#lastEpoch = line.counters.epoch;
    const inTable = line.table.counts.reduce((sum, each) => sum + each, 0);
    if (waitingCount(line) < 0 || inTable + waitingCount(line) > line.counters.tail) books.notConserved += 1;
    books.roomMemory.sightingsBytes = Math.max(books.roomMemory.sightingsBytes, line.sightings.bytes);
    books.roomMemory.keysBytes = Math.max(books.roomMemory.keysBytes, line.recent.bytes);
    this.#stored(changes);
  }

  /** Rows written, and deleted, which count alike. */
  #stored(changes: LineChanges): void {
    const { books } = this;
    const { draws } = changes;
    books.rowsWritten +=
      1 + changes.blocks.size + changes.gone.size + 2 * changes.joins.length + draws.batches.length + draws.records.length;
    this.#storedJoins += changes.joins.reduce((sum, [, data]) => sum + data.length, 0);
    books.storedBytes = this.#storedJoins;
    this.#store?.write(changes);
  }
}

const NO_JOIN: JoinVerdict = { as: "refused", why: "network", retryAfterMs: 60_000 };
const NO_CLAIM: ClaimVerdict = { as: "waiting" };
const NO_RENEWAL: RenewVerdict = { as: "current" };

function questionsOf(batch: Batch, partySize: number): number {
  return batch.joins.length * partySize + batch.claims.length + batch.renewals.length + batch.leaves.length;
}

/** As if everybody of each party asked. */
function timeOf(questions: number, told: number): number {
  return CALL_MS + questions * ITEM_MS + told * SEEN_MS;
}

/** One answer for each party, the first one's, with those of all. */
function shared<V extends { readonly as: string }>(
  parties: readonly { readonly of: readonly number[] }[],
  verdicts: readonly V[],
): (Together<V> | null)[] {
  let at = 0;
  return parties.map(({ of }) => {
    const each = verdicts.slice(at, at + of.length);
    at += of.length;
    return each[0] === undefined ? null : { ...each[0], each };
  });
}
