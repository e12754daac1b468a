/**
 * A seeded crowd on the pure line, on virtual time, behind an edge whose manifest is up to a second old. One seed, one run.
 * Visitors behave as the waiting page does: they look, and go in after the notice that the page gives; or, with `page: false`, as a page
 * without scripts does, which goes in with the question itself.
 */

import { type Clock, loadedClock, tick } from "../../durable/clock";
import { advance } from "../../durable/line/advance";
import { exchange } from "../../durable/line/exchange";
import { type LineState, newLine, placesInUse } from "../../durable/line/state";
import { loadLine, takeChanges } from "../../durable/line/stored";
import { manifestOf } from "../../durable/line/view";
import { type Batch, type ClaimVerdict, EMPTY_BATCH, EXCHANGE_VERSION, encodeSightings, type Reply } from "../../src/core/exchange";
import type { Manifest } from "../../src/core/manifest";
import type { RoomSettings } from "../../src/core/settings-types";
import { waitingStatus } from "../../src/core/status-of";
import { Agenda, drawKind, type Kind, newPerson, nextAsk, type Person, type Shares } from "./crowd-people";
import { FakeStore, KEEP_LITTLE, START, seeded, settingsOf } from "./line-world";

export type { Kind, Shares } from "./crowd-people";

export interface Scenario extends Shares {
  readonly settings: Partial<RoomSettings>;
  readonly minutes: number;
  readonly seed: number;
  /** Waiting from the start. */
  readonly crowd: number;
  /** Further arrivals per minute; may depend on the minute since the start. */
  readonly arrivalsPerMinute?: number | ((minute: number) => number);
  /** So many silent holders in front of everybody else. */
  readonly silentFirst?: number;
  /** Seconds an entered visitor stays; then they leave with the button, or fall silent. */
  readonly visitS: number;
  readonly leaves?: boolean;
  /** Visitors behave as the waiting page's script does; default false. */
  readonly page?: boolean;
  /** Share of the replies to claims that never arrive: the visitor asks again. */
  readonly lostReplies?: number;
  /** Changes of settings by the operator. */
  readonly changes?: readonly { readonly minute: number; readonly settings: Partial<RoomSettings> }[];
  /** Edges call the Room only when a visitor asks, not all the time. */
  readonly sparse?: boolean;
  /** How often the Room's alarm comes at `at` (ms since the start); default never. */
  readonly alarms?: (at: number) => number;
  /** What the Room's host shows for its clock at `at`, in ms since the start; default `at` itself. */
  readonly wall?: (at: number) => number;
  /** Every so often the Room loses its memory, ms. */
  readonly restartEveryMs?: number;
  /** Length of a step of virtual time; default 250 ms. */
  readonly stepMs?: number;
  /** Share of waiting visitors who leave with the button when they ask. */
  readonly givesUp?: number;
  /** Called once a second of virtual time, with what is stored. */
  /** The network that a visitor joins from; default none that counts. */
  readonly networkOf?: (who: number) => number;
  /** Others who want something of the Room in every step, before the crowd. */
  readonly intruders?: Intruders;
  readonly onSecond?: (line: LineState, second: number, store: FakeStore) => void;
}

export interface Intruders {
  /** `call`: an exchange of an edge of their own. */
  act(at: number, manifest: Manifest, call: (batch: Partial<Batch>) => Omit<Reply, "v" | "manifest" | "config">): void;
}

export interface KindOutcome {
  joined: number;
  entered: number;
  /** Told that the turn is over for good. */
  ended: number;
}

export interface Outcome {
  /** Times of entry by the Room's own count, and of each pass's first request at the site; ms since the start, in order. */
  readonly entries: readonly number[];
  readonly received: readonly number[];
  readonly entriesBySecond: Uint32Array;
  /** Most places in use in each second. */
  readonly inUseBySecond: Uint32Array;
  readonly peakInUse: number;
  readonly line: LineState;
  readonly asks: number;
  readonly kinds: Readonly<Record<Kind, KindOutcome>>;
  /** Everybody who entered, in the order of entering. */
  readonly entered: readonly Entered[];
  /** How many visitors wanted a place. */
  readonly came: number;
}

export interface Entered {
  readonly who: number;
  readonly slot: number;
  readonly kind: Kind;
  readonly at: number;
  readonly waitedMs: number;
}

const STEP_MS = 250;
const MANIFEST_MS = 1_000;
/** The waiting page's notice before it goes in: see static/wait.ts. */
const NOTICE_MS = 5_000;
const LEAST_NOTICE_MS = 1_000;
/** Somebody with a hidden tab sees the title within this long, ms. */
const NOTICED_MS = 90_000;

const KINDS: readonly Kind[] = ["honest", "hidden", "asleep", "greedy", "gone", "vanishing", "silent"];

export function runCrowd(scenario: Scenario): Outcome {
  return new CrowdRun(scenario).run();
}

class CrowdRun {
  readonly #scenario: Scenario;
  readonly #random: () => number;
  readonly #stepMs: number;
  readonly #agenda: Agenda;
  readonly #people: Person[] = [];
  readonly #entries: number[] = [];
  readonly #received: number[] = [];
  readonly #entered: Entered[] = [];
  readonly #entriesBySecond: Uint32Array;
  readonly #inUseBySecond: Uint32Array;
  readonly #kinds = Object.fromEntries(KINDS.map((kind) => [kind, { joined: 0, entered: 0, ended: 0 }])) as Record<Kind, KindOutcome>;
  readonly #store = new FakeStore();
  #settings: RoomSettings;
  #line: LineState;
  #manifest: Manifest;
  #manifestAt = 0;
  #clock: Clock = tick(loadedClock(START), START, false);
  /** Room time of this step. */
  #now = START;
  #asks = 0;
  #arrivalsDue: number;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#stepMs = scenario.stepMs ?? STEP_MS;
    this.#agenda = new Agenda(this.#stepMs);
    this.#random = seeded(scenario.seed);
    this.#settings = settingsOf(scenario.settings);
    this.#line = newLine(START);
    this.#manifest = manifestOf(this.#line, this.#settings, "sim", 1);
    this.#entriesBySecond = new Uint32Array(scenario.minutes * 60 + 1);
    this.#inUseBySecond = new Uint32Array(scenario.minutes * 60 + 1);
    this.#arrivalsDue = scenario.crowd;
  }

  run(): Outcome {
    const { minutes, wall, alarms, changes, restartEveryMs, onSecond, arrivalsPerMinute: arrivals = 0 } = this.#scenario;
    for (let at = this.#stepMs; at <= minutes * 60_000; at += this.#stepMs) {
      this.#clock = tick(this.#clock, START + (wall?.(at) ?? at), true);
      this.#now = this.#clock.now;
      if (restartEveryMs !== undefined && at % restartEveryMs === 0) this.#line = loadLine(this.#store.read(), this.#now);
      for (const change of changes ?? []) {
        if (change.minute * 60_000 !== at) continue;
        this.#advance();
        this.#settings = { ...this.#settings, ...change.settings };
        this.#advance();
      }
      for (let times = alarms?.(at) ?? 0; times > 0; times--) this.#advance();
      this.#step(at);
      this.#arrivalsDue += ((typeof arrivals === "number" ? arrivals : arrivals(at / 60_000)) * this.#stepMs) / 60_000;
      const second = Math.floor(at / 1_000);
      this.#inUseBySecond[second] = Math.max(this.#inUseBySecond[second] as number, placesInUse(this.#line, this.#settings));
      if (at % 1_000 === 0) onSecond?.(this.#line, second, this.#store);
    }
    return {
      entries: this.#entries,
      received: this.#received.sort((a, b) => a - b),
      entriesBySecond: this.#entriesBySecond,
      inUseBySecond: this.#inUseBySecond,
      peakInUse: this.#inUseBySecond.reduce((most, each) => Math.max(most, each), 0),
      line: this.#line,
      asks: this.#asks,
      kinds: this.#kinds,
      entered: this.#entered,
      came: this.#people.length,
    };
  }

  #advance(): void {
    advance(this.#line, this.#settings, this.#now);
    this.#commit();
  }

  #commit(): void {
    if (this.#scenario.restartEveryMs !== undefined) this.#store.write(takeChanges(this.#line, "early", KEEP_LITTLE));
    // Where nothing is ever read back, often enough that changes do not pile up: writing them out is a quarter of the whole run.
    else if (this.#now % 1_000 === 0) takeChanges(this.#line, "early", KEEP_LITTLE);
  }

  /** One exchange with everything that visitors want in this step. */
  #step(at: number): void {
    this.#scenario.intruders?.act(at, this.#manifest, (batch) => this.#call(at, { isolate: 2, ...batch }));
    const asking = this.#agenda.take(at / this.#stepMs);
    const newcomers: Person[] = [];
    for (; this.#arrivalsDue >= 1; this.#arrivalsDue--) newcomers.push(this.#newcomer());
    if (this.#scenario.sparse === true) {
      if (asking.length + newcomers.length === 0) return;
      // A visitor asks: the edge's manifest is a second old at most, or it asks for a new one first.
      if (at - this.#manifestAt >= MANIFEST_MS) this.#exchange(at, {});
    }
    const wants = new Wants(this.#scenario.page === true);
    for (const who of asking) {
      const person = this.#people[who] as Person;
      if (person.done) continue;
      this.#asks += 1;
      if (person.insideUntil > 0) this.#goOn(person, at, wants);
      else if (person.slot >= this.#manifest.admittedEpoch) this.#wait(person, at, wants);
      else if (person.kind === "vanishing") person.done = true;
      else wants.claim(person);
    }
    this.#exchange(at, { wants, newcomers });
  }

  #newcomer(): Person {
    const { silentFirst = 0 } = this.#scenario;
    const who = this.#people.length;
    const kind = who < silentFirst ? "silent" : drawKind(this.#scenario, this.#random);
    const person = newPerson(kind, who);
    this.#people.push(person);
    return person;
  }

  #wait(person: Person, at: number, wants: Wants): void {
    if (this.#random() < (this.#scenario.givesUp ?? 0)) {
      wants.leaves.push({ slot: person.slot, serial: 0 });
      person.done = true;
      return;
    }
    if (person.slot < this.#manifest.horizon) wants.sightings.add(person.slot);
    const told = waitingStatus({ room: "sim", manifest: this.#manifest, settings: this.#settings, now: this.#now }, person.slot);
    this.#askAgain(person, at, told.pollAfterMs);
  }

  #goOn(person: Person, at: number, wants: Wants): void {
    if (at < person.insideUntil) {
      wants.renew(person);
      return;
    }
    person.done = true;
    if (this.#scenario.leaves === true) wants.leaves.push({ slot: person.slot, serial: person.serial });
  }

  #askAgain(person: Person, at: number, gapMs: number): void {
    this.#agenda.add(nextAsk(person, at, gapMs, this.#random), person.who);
  }

  #exchange(at: number, { wants = new Wants(false), newcomers = [] }: { wants?: Wants; newcomers?: readonly Person[] }): void {
    const { networkOf = () => 0 } = this.#scenario;
    const reply = this.#call(at, {
      joins: newcomers.map((person) => ({ key: keyOf(person.who), network: networkOf(person.who), enter: false, tag: person.tag })),
      claims: wants.claims,
      renewals: wants.renewals,
      leaves: wants.leaves,
      sightings: encodeSightings(wants.sightings),
    });
    for (const [i, person] of newcomers.entries()) {
      const verdict = reply.joins[i];
      if (verdict?.as === "placed") this.#joined(person, at, verdict.slot, verdict.joinedAtS);
    }
    for (const [i, person] of wants.claimants.entries()) {
      const verdict = reply.claims[i];
      const isLost = this.#random() < (this.#scenario.lostReplies ?? 0);
      if (verdict === undefined || isLost) this.#askAgain(person, at, this.#settings.pollNearMs);
      else this.#answered(person, at, verdict);
    }
    for (const [i, person] of wants.renewers.entries()) {
      const verdict = reply.renewals[i];
      if (verdict?.as === "renewed") person.serial = verdict.pass.serial;
      this.#renewLater(person, at);
    }
    if (at - this.#manifestAt >= MANIFEST_MS) {
      this.#manifest = manifestOf(this.#line, this.#settings, "sim", 1);
      this.#manifestAt = at;
    }
  }

  /** One exchange, with the entries that it made. */
  #call(at: number, batch: Partial<Batch>): Omit<Reply, "v" | "manifest" | "config"> {
    const entered = this.#line.counters.totals.entered;
    const whole = { v: EXCHANGE_VERSION, isolate: 1, generation: 1, ...EMPTY_BATCH, ...batch };
    const reply = exchange(this.#line, this.#settings, whole, this.#now, this.#random);
    this.#commit();
    for (let i = entered; i < this.#line.counters.totals.entered; i++) {
      this.#entries.push(at);
      this.#entriesBySecond[Math.floor(at / 1_000)] = (this.#entriesBySecond[Math.floor(at / 1_000)] as number) + 1;
    }
    return reply;
  }

  #joined(person: Person, at: number, slot: number, joinedAtS: number): void {
    person.slot = slot;
    person.joinedAt = at;
    person.joinedAtS = joinedAtS;
    this.#kinds[person.kind].joined += 1;
    if (person.kind === "gone") return;
    // A hidden tab wakes on its browser's minute, whenever it joined.
    if (person.kind === "hidden") this.#agenda.add(at + this.#random() * 60_000, person.who);
    else this.#askAgain(person, at, this.#settings.pollNearMs);
  }

  #answered(person: Person, at: number, verdict: ClaimVerdict): void {
    const kind = this.#kinds[person.kind];
    person.goesIn = false;
    switch (verdict.as) {
      case "entered":
        person.serial = verdict.pass.serial;
        if (person.receivedAt < 0) {
          // From the Room's decision to the site: the reply's way, now and then a slow one.
          person.receivedAt = at + (this.#random() < 0.01 ? 2_000 : 80) * this.#random();
          this.#received.push(person.receivedAt);
          kind.entered += 1;
          const { who, slot } = person;
          this.#entered.push({ who, slot, kind: person.kind, at, waitedMs: at - person.joinedAt });
        }
        person.insideUntil = at + this.#scenario.visitS * 1_000;
        this.#renewLater(person, at);
        return;
      case "moment":
        this.#goInAfter(person, at, verdict.dueInMs);
        return;
      case "called":
        if (person.kind === "silent") this.#askAgain(person, at, this.#settings.pollNearMs);
        else this.#goInAfter(person, at, this.#noticeMs(person, verdict.holdForMs));
        return;
      case "ended":
      case "void":
        person.done = true;
        kind.ended += 1;
        return;
      default:
        this.#askAgain(person, at, this.#settings.pollNearMs);
    }
  }

  /** How long after the page has heard of the turn it goes in. */
  #noticeMs(person: Person, holdForMs: number): number {
    const notice = Math.max(LEAST_NOTICE_MS, Math.min(NOTICE_MS, holdForMs / 2));
    return person.kind === "hidden" ? this.#random() * NOTICED_MS + notice : notice;
  }

  #goInAfter(person: Person, at: number, ms: number): void {
    person.goesIn = true;
    this.#agenda.add(at + Math.max(this.#scenario.page === true ? LEAST_NOTICE_MS : this.#stepMs, ms), person.who);
  }

  #renewLater(person: Person, at: number): void {
    const dueAt = at + this.#settings.passRefreshMs + 500;
    this.#agenda.add(Math.min(dueAt, person.insideUntil), person.who);
  }
}

/** What visitors want of the Room in one step. */
class Wants {
  readonly #page: boolean;
  readonly sightings = new Set<number>();
  readonly claims: { slot: number; serial: number; tag: number; ageMs: number; joinedAtS: number; intent: "enter" | "look" }[] = [];
  readonly claimants: Person[] = [];
  readonly renewals: { slot: number; serial: number; tag: number; ageMs: number }[] = [];
  readonly renewers: Person[] = [];
  readonly leaves: { slot: number; serial: number }[] = [];

  constructor(page: boolean) {
    this.#page = page;
  }

  claim(person: Person): void {
    const { slot, serial, tag, joinedAtS, kind, goesIn } = person;
    const looks = kind === "silent" || (this.#page && !goesIn);
    this.claims.push({ slot, serial, tag, ageMs: 0, joinedAtS, intent: looks ? "look" : "enter" });
    this.claimants.push(person);
  }

  renew(person: Person): void {
    const { slot, serial, tag } = person;
    this.renewals.push({ slot, serial, tag, ageMs: 0 });
    this.renewers.push(person);
  }
}

function keyOf(who: number): string {
  return String(who).padStart(16, "0");
}

/** Entries from second `from` to `to`. */
export function entriesBetween(outcome: Outcome, from: number, to: number): number {
  let total = 0;
  for (let second = from; second < to; second++) total += outcome.entriesBySecond[second] ?? 0;
  return total;
}
