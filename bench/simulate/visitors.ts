/**
 * What people do, party by party and near the front one by one, as the waiting page and the gate make them: join, ask again when told, look when
 * the turn may have come, go in after the notice. Every gap is that of the real functions (src/core/status-of.ts, static/wait/pace.ts).
 */
import { shuffleList } from "@chainsafe/swap-or-not-shuffle";
import type { DrawnPlaces } from "../../src/core/draw";
import type { ClaimIntent, ClaimVerdict, JoinVerdict } from "../../src/core/exchange";
import { MANIFEST_STALE_MS } from "../../src/core/manifest";
import type { Status } from "../../src/core/status";
import { joiningStatus, waitingStatus } from "../../src/core/status-of";
import { entryStatus } from "../../src/core/status-of-event";
import { slowPoll, type Told } from "../../src/core/status-parts";
import { CLAIM_WAIT_MS } from "../../src/gate/enter";
import { JOIN_WAIT_MS } from "../../src/gate/joining";
import type { Outcome } from "../../src/room-client";
import { afterAnswer, afterFailure } from "../../static/wait/pace";
import type { VirtualTime } from "../../test/support/virtual-time";
import { type Edge, type Edges, LIFE } from "./edges";
import { At, Kind, type People } from "./people";
import type { Plan, RoomPlan } from "./plan";
import type { Carried, RoomHost, Together } from "./room-host";
import { type Followers, Streams } from "./streams";
import { Visits } from "./visits";

/** The waiting page's notice before it goes in (static/wait.ts). */
const NOTICE_MS = 5_000;
const LEAST_NOTICE_MS = 1_000;
/** Whoever asks again sooner than so many of the shortest gaps is near the front. */
const NEAR_GAPS = 2;

export class Visitors implements Carried, Followers {
  readonly #plan: Plan;
  readonly #room: RoomPlan;
  readonly #time: VirtualTime;
  readonly #startMs: number;
  readonly #random: () => number;
  readonly #people: People;
  /** Given after the fact: host and edges need the visitors first. */
  host!: RoomHost;
  edges!: Edges;
  /** By party; behind the parties by person, for those who ask alone. */
  readonly #goesIn: Uint8Array;
  readonly #failures: Uint8Array;
  readonly #knownEpoch: Int32Array;
  readonly #heard: Uint8Array;
  readonly #isDissolved: Uint8Array;
  /** Nobody is there any more, and nobody asks. */
  readonly #isOver: Uint8Array;
  readonly #visits: Visits;
  readonly #streams: Streams;
  /** Honest people who are neither in nor lost yet. */
  open = 0;
  #drawnAt = 0;
  /** One past the last place of the draw. */
  #drawnEnd = 0;
  onAllDone: () => void = () => undefined;

  constructor(of: { plan: Plan; room: RoomPlan; time: VirtualTime; startMs: number; random: () => number; people: People }) {
    this.#plan = of.plan;
    this.#room = of.room;
    this.#time = of.time;
    this.#startMs = of.startMs;
    this.#random = of.random;
    this.#people = of.people;
    const askers = of.people.parties + of.people.count;
    this.#goesIn = new Uint8Array(askers);
    this.#failures = new Uint8Array(askers);
    this.#knownEpoch = new Int32Array(askers);
    this.#heard = new Uint8Array(of.people.parties);
    this.#isDissolved = new Uint8Array(of.people.parties);
    this.#isOver = new Uint8Array(askers);
    const { time, random, room, people } = of;
    this.#visits = new Visits({ room, time, random, people, host: () => this.host, edges: () => this.edges });
    this.#streams = new Streams({ room: room.room, time, random, followers: this, books: () => this.host.books });
  }

  /** Everybody has a kind, an isolate and a time to come. */
  begin(): void {
    const { arriveFromMs, arriveOverMs, bots, gone, vanishing, silent } = this.#room;
    const people = this.#people;
    const firstBot = people.count - (bots?.bots ?? 0);
    for (let person = 0; person < people.count; person++) {
      const roll = this.#random();
      people.kind[person] =
        person >= firstBot
          ? Kind.BOT
          : roll < gone
            ? Kind.GONE
            : roll < gone + vanishing
              ? Kind.VANISHING
              : roll < gone + vanishing + silent
                ? Kind.SILENT
                : Kind.HONEST;
      if (people.kind[person] === Kind.HONEST) this.open += 1;
    }
    for (let party = 0; party < people.parties; party++) {
      people.isolate[party] = Math.floor(this.#random() * this.edges.count);
      const at = this.#startMs + arriveFromMs + this.#random() * arriveOverMs;
      people.arrivedAt[party] = at;
      this.#time.at(at, () => void this.#ask(party));
    }
  }

  joiners(key: string): readonly number[] {
    const party = Number(key);
    return key === this.#keyOf(party % this.#people.parties) ? this.#newcomers(party % this.#people.parties) : [];
  }

  #newcomers(party: number): readonly number[] {
    return this.#those(party, (person) => this.#people.at[person] === At.NEW);
  }

  /** A question from before the draw is no question of the party that has the number since. */
  #keyOf(party: number): string {
    return String(party + (this.#drawnAt > 0 ? this.#people.parties : 0)).padStart(16, "0");
  }

  seenWith(person: number): readonly number[] {
    const party = this.#people.partyOf(person);
    return this.#isDissolved[party] === 1 ? [person] : this.present(party);
  }

  company(person: number): number {
    if (person < 0) return 0;
    return this.#isDissolved[this.#people.partyOf(person)] === 1 ? 1 : this.#people.partySize;
  }

  present(party: number): readonly number[] {
    return this.#those(party, (person) => this.#people.at[person] === At.WAITING);
  }

  askers(party: number, intent: ClaimIntent): readonly number[] {
    const { at, slot, kind } = this.#people;
    const known = this.#knownEpoch[party] as number;
    const goes = (person: number) => intent === "look" || kind[person] === Kind.HONEST;
    return this.#those(party, (person) => at[person] === At.WAITING && (slot[person] as number) < known && goes(person));
  }

  inside(visit: number): readonly number[] {
    return this.#visits.inside(visit);
  }

  /** Honest people come from a network each, bots from few. */
  network(person: number): number {
    const { bots } = this.#room;
    const who = this.#people.kind[person] === Kind.BOT ? person % (bots?.networks ?? 1) : person + 1_000_000;
    return Math.imul(who + 1, 0x9e3779b1) >>> 0 || 1;
  }

  #those(party: number, are: (person: number) => boolean): number[] {
    const { parties } = this.#people;
    if (party >= parties) return are(party - parties) ? [party - parties] : [];
    const found: number[] = [];
    for (let person = this.#people.first(party); person < this.#people.end(party); person++) if (are(person)) found.push(person);
    return found;
  }

  /** The party that somebody is, or was, of. */
  #homeOf(party: number): number {
    const { parties } = this.#people;
    return party < parties ? party : this.#people.partyOf(party - parties);
  }

  #later(party: number, ms: number): void {
    this.#time.at(this.#time.now + ms, () => void this.#ask(party));
  }

  #again(party: number, told: { readonly pollAfterMs: number; readonly pollExactly?: true }): void {
    this.#failures[party] = 0;
    this.#later(party, afterAnswer(told, this.#random()));
  }

  #failed(party: number): void {
    const failures = Math.min(16, (this.#failures[party] as number) + 1);
    this.#failures[party] = failures;
    this.#later(party, afterFailure(failures, this.host.settings().pollNearMs, this.#random()));
  }

  /** @param isRequest false = the Worker asks, in a stream */
  async #ask(party: number, isRequest = true): Promise<void> {
    const people = this.#people;
    const newcomers = this.#newcomers(party);
    const waiting = newcomers.length > 0 ? [] : this.present(party);
    if (newcomers.length + waiting.length === 0) {
      this.#isOver[party] = 1;
      return;
    }
    const home = this.#homeOf(party);
    if (this.#random() < this.#plan.moves) people.isolate[home] = this.edges.beside(people.isolate[home] as number);
    const edge = this.edges.at(people.isolate[home] as number);
    if (isRequest) this.host.books.requests += newcomers.length + waiting.length;
    const seen = await edge.client.manifest(LIFE, MANIFEST_STALE_MS);
    if (edge.isDead) return this.#failed(party);
    if (seen === null) return this.#again(party, { pollAfterMs: slowPoll(edge.client.settings) });
    const told = { room: this.#room.room, manifest: seen.manifest, settings: edge.client.settings, now: this.#time.now };
    if (newcomers.length > 0) return this.#join(party, edge, told);
    return this.#wait(party, edge, told, waiting);
  }

  async #join(party: number, edge: Edge, told: Told): Promise<void> {
    const people = this.#people;
    const request = { key: this.#keyOf(party), network: 0, enter: false, tag: party & 0xffff };
    const outcome = (await edge.client.join(request, LIFE, { navigation: true, waitMs: JOIN_WAIT_MS })) as Outcome<Together<JoinVerdict>>;
    if (edge.isDead || request.key !== this.#keyOf(party)) return this.#failed(party);
    if (outcome.as === "late") return this.#again(party, joiningStatus(told, null, edge.client.joinDelayMs));
    if (outcome.as !== "answered") return this.#again(party, joiningStatus(told, "room-unreachable"));
    const { verdict } = outcome;
    if (verdict.as === "refused" || verdict.as === "challenge") return this.#refused(party);
    people.joinedAtS[party] = verdict.as === "entered" ? 0 : verdict.joinedAtS;
    people.answeredAt[party] = this.#time.now;
    const wait = this.#time.now - (people.arrivedAt[party] as number);
    for (const person of this.#newcomers(party)) {
      // When somebody came who has been numbered anew is not known.
      if (this.#drawnAt === 0) this.host.books.joinWaits.add(wait);
      people.at[person] = people.slot[person] === -1 ? At.LOST : people.kind[person] === Kind.GONE ? At.OUT : At.WAITING;
    }
    this.#again(party, { pollAfterMs: told.settings.pollNearMs });
  }

  /** Bots of a network over its limit: not one of the party got a place. */
  #refused(party: number): void {
    for (const person of this.#newcomers(party)) this.#end(person, At.LOST);
  }

  async #wait(party: number, edge: Edge, told: Told, waiting: readonly number[]): Promise<void> {
    const people = this.#people;
    const manifest = told.manifest as NonNullable<Told["manifest"]>;
    const first = waiting[0] as number;
    const slot = people.slot[first] as number;
    if (this.#room.drawAtMs !== undefined && manifest.draws[0] === undefined) {
      this.told(party, edge);
      const status = this.status(party, told);
      if (!this.#streams.begin(party, edge, status, told)) this.#again(party, status);
      return;
    }
    if (party < people.parties && this.#heard[party] === 0) {
      this.#heard[party] = 1;
      if (this.#drawnAt > 0 && slot < this.#drawnEnd) this.host.books.drawWaits.add(this.#time.now - this.#drawnAt, waiting.length);
    }
    this.#knownEpoch[party] = manifest.admittedEpoch;
    if (slot >= manifest.admittedEpoch) {
      this.sight(party, edge);
      return this.#stay(party, edge, told);
    }
    return party < people.parties ? this.#each(party, { pollAfterMs: told.settings.pollNearMs }) : this.#claim(party, edge, told);
  }

  /** Their turn has not come: the answer goes on, or they ask again when told. */
  #stay(party: number, edge: Edge, told: Told): void {
    const status = this.status(party, told);
    for (const one of this.apart(party, status) ?? [party]) {
      if (!this.#streams.begin(one, edge, status, told)) this.#again(one, status);
    }
  }

  waiting(party: number): number {
    return this.present(party).length;
  }

  status(party: number, told: Told): Status {
    const slot = this.#people.slot[this.present(party)[0] as number] as number;
    const lobby = this.#room.drawAtMs !== undefined && told.manifest?.draws[0] === undefined;
    return lobby ? entryStatus(told, { draw: told.manifest?.lobby?.draw ?? 1, entry: slot }) : waitingStatus(told, slot);
  }

  sight(party: number, edge: Edge): void {
    const generation = edge.client.known()?.manifest.generation ?? 1;
    edge.client.sight({ generation, slot: this.#people.slot[this.present(party)[0] as number] as number }, LIFE);
  }

  /** In a lobby that counts as seen. */
  told(party: number, edge: Edge): void {
    const { draws, lobby } = edge.client.known()?.manifest ?? { draws: [] };
    const entry = this.#people.slot[this.present(party)[0] as number] as number;
    if (this.#room.drawAtMs !== undefined && draws[0] === undefined) edge.client.sightEntry({ draw: lobby?.draw ?? 1, entry });
  }

  apart(party: number, status: Status): readonly number[] | null {
    const { parties } = this.#people;
    const isNear = status.state === "waiting" && status.pollAfterMs < NEAR_GAPS * this.host.settings().pollNearMs;
    if (party >= parties || !isNear) return null;
    this.#isDissolved[party] = 1;
    return this.present(party).map((person) => parties + person);
  }

  ended(party: number, status: Status): void {
    this.#again(party, status);
  }

  called(party: number): void {
    void this.#ask(party, false);
  }

  cut(party: number): void {
    this.#failed(party);
  }

  /** From here on everybody asks at their own time: how evenly they answer their calls counts. */
  #each(party: number, told: { readonly pollAfterMs: number; readonly pollExactly?: true }): void {
    const { parties } = this.#people;
    if (party >= parties) {
      this.#again(party, told);
      return;
    }
    this.#isDissolved[party] = 1;
    for (const person of this.present(party)) this.#again(parties + person, told);
  }

  async #claim(party: number, edge: Edge, told: Told): Promise<void> {
    const people = this.#people;
    for (const person of this.askers(party, "look")) if (people.kind[person] === Kind.VANISHING) people.at[person] = At.OUT;
    const intent = this.#goesIn[party] === 1 ? "enter" : "look";
    const asking = this.askers(party, intent);
    if (asking.length === 0) {
      this.#goesIn[party] = 0;
      return this.#again(party, { pollAfterMs: told.settings.pollNearMs });
    }
    const request = {
      slot: party,
      serial: 0,
      tag: party & 0xffff,
      joinedAtS: people.joinedAtS[this.#homeOf(party)] as number,
      intent,
    } as const;
    const outcome = (await edge.client.claim(request, told.manifest?.generation ?? 1, LIFE, CLAIM_WAIT_MS)) as Outcome<
      Together<ClaimVerdict>
    >;
    if (edge.isDead) return this.#failed(party);
    this.#goesIn[party] = 0;
    // As the gate: the page with the place, which asks again soon.
    if (outcome.as === "late") return this.#again(party, waitingStatus(told, people.slot[asking[0] as number] as number));
    if (outcome.as !== "answered") return this.#again(party, { pollAfterMs: slowPoll(told.settings) });
    this.#hear(party, asking, outcome.verdict.each ?? [], told);
  }

  #hear(party: number, asking: readonly number[], verdicts: readonly (ClaimVerdict | null)[], told: Told): void {
    const people = this.#people;
    const entered: number[] = [];
    let goesInAfter = Number.POSITIVE_INFINITY;
    for (const [i, person] of asking.entries()) {
      const verdict = verdicts[i];
      if (verdict === undefined || verdict === null || people.at[person] !== At.WAITING) continue;
      if (verdict.as === "entered") {
        people.serial[person] = verdict.pass.serial;
        entered.push(person);
      } else if (verdict.as === "moment") goesInAfter = Math.min(goesInAfter, Math.max(LEAST_NOTICE_MS, verdict.dueInMs));
      else if (verdict.as === "called" && people.kind[person] === Kind.HONEST)
        goesInAfter = Math.min(goesInAfter, Math.max(LEAST_NOTICE_MS, Math.min(NOTICE_MS, verdict.holdForMs / 2)));
      else if (verdict.as === "inside") goesInAfter = Math.min(goesInAfter, LEAST_NOTICE_MS);
      else if (verdict.as === "ended" || verdict.as === "void") this.#end(person, At.LOST);
    }
    if (entered.length > 0) this.#goIn(party, entered);
    if (Number.isFinite(goesInAfter)) {
      this.#goesIn[party] = 1;
      this.#later(party, goesInAfter);
      return;
    }
    const [next] = this.present(party);
    if (next === undefined) return;
    const manifest = told.manifest as NonNullable<Told["manifest"]>;
    const slot = people.slot[next] as number;
    this.#again(party, slot >= manifest.admittedEpoch ? waitingStatus(told, slot) : { pollAfterMs: told.settings.pollNearMs });
  }

  #goIn(party: number, entered: number[]): void {
    const people = this.#people;
    const now = this.#time.now;
    for (const person of entered) {
      this.host.books.turnWaits.add(now - this.#startMs - (people.calledAt[person] as number));
      this.#end(person, At.INSIDE);
    }
    this.#visits.begin(this.#homeOf(party), entered);
  }

  #end(person: number, at: At): void {
    const people = this.#people;
    people.at[person] = at;
    if (people.kind[person] !== Kind.HONEST) return;
    this.open -= 1;
    if (this.open === 0) this.onAllDone();
  }

  drawn({ base, count, seed }: DrawnPlaces): void {
    const entries = Uint32Array.from({ length: count }, (_, i) => i);
    this.#people.placeDrawn(base, shuffleList(entries, Uint8Array.from(Buffer.from(seed, "hex")), 90));
    this.#drawnAt = this.#time.now;
    this.#drawnEnd = base + count;
    // Other people are in a party whose people had all left: their pages ask as pages do.
    for (let party = 0; party < this.#people.parties; party++) {
      if (this.#isOver[party] === 0) continue;
      this.#isOver[party] = 0;
      this.#later(party, this.#random() * slowPoll(this.host.settings()));
    }
  }
}
