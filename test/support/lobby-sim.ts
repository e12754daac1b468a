/**
 * A scheduled sale with a draw, on the pure line and virtual time: people enter a lobby over minutes, the doors open, a public random number
 * comes, everybody hears of it by asking again as told, and latecomers line up behind. Edges act on manifests that are up to two seconds old.
 * One seed, one run.
 */
import { unshuffleList } from "@chainsafe/swap-or-not-shuffle";
import { supplySalts, takeRound } from "../../durable/line/draws";
import { exchange } from "../../durable/line/exchange";
import { newLine, placesInUse } from "../../durable/line/state";
import { loadLine, takeChanges } from "../../durable/line/stored";
import { manifestOf } from "../../durable/line/view";
import type { DrawnPlaces } from "../../src/core/draw";
import { slotOf } from "../../src/core/draw-sync";
import { type Batch, EMPTY_BATCH, EXCHANGE_VERSION, encodeSightings } from "../../src/core/exchange";
import type { Manifest } from "../../src/core/manifest";
import { settingsAt } from "../../src/core/schedule";
import type { RoomEvent, RoomSettings } from "../../src/core/settings-types";
import { waitingStatus } from "../../src/core/status-of";
import { entryStatus } from "../../src/core/status-of-event";
import { heapOf } from "./heap";
import { FakeStore, START, saltOf, seeded, settingsOf } from "./line-world";

export interface LobbyRun {
  readonly entrants: number;
  /** Come evenly over this long after the doors, s. */
  readonly latecomers: number;
  readonly lateS: number;
  readonly lobbyS: number;
  /** Virtual time from the cut-off on, s. */
  readonly saleS: number;
  readonly ratePerMinute: number;
  readonly places: number;
  readonly visitS: number;
  /** Share of the entrants who close the tab soon after entering. */
  readonly absent: number;
  readonly seed: number;
}

export interface LobbyOutcome {
  readonly draw: DrawnPlaces;
  /** The entry of each entrant, the slot they acted on, and whether they were gone. */
  readonly entries: Int32Array;
  readonly slots: Int32Array;
  readonly gone: Uint8Array;
  /** Slots of latecomers who joined, in the order of joining. */
  readonly lateSlots: readonly number[];
  /** Entries into the room, ms since the cut-off, in order, and the slots that went in. */
  readonly entered: readonly number[];
  readonly enteredSlots: readonly number[];
  /** Requests of waiting people by second since the cut-off. */
  readonly requestsBySecond: Uint32Array;
  /** Exchanges by second since the lobby opened: one a step and edge that has something to say. */
  readonly exchanges: number;
  /** When somebody present first heard of their slot, ms since the cut-off; −1 = never. */
  readonly heardAt: Int32Array;
  readonly drawnAtMs: number;
  /** Entries that the operator was told are unseen, just before the cut-off, and those that were made too late to have asked. */
  readonly unseenAtCutoff: number | null;
  readonly lateEntries: number;
  readonly peakInUse: number;
  /** The epoch never went back, and never past a slot that was not drawn. */
  readonly epochFaults: number;
  readonly storedBytes: number;
  /** What a Room takes that is loaded at the cut-off, heap and typed arrays. */
  readonly memoryBytes: number;
  readonly issued: number;
  readonly conserved: boolean;
}

const STEP_MS = 250;
/** Each edge has its own manifest, renewed every two seconds at its own time. */
const EDGES = 16;
const MANIFEST_MS = 2_000;
/** The waiting page's notice before it goes in. */
const NOTICE_MS = 5_000;
/** From the cut-off until the round is there. */
const ROUND_AFTER_MS = 13_000;

const WAITS = 0;
const GOES_IN = 1;
const DONE = 2;

export function runLobby(run: LobbyRun): LobbyOutcome {
  return new LobbySim(run).run();
}

class LobbySim {
  readonly #run: LobbyRun;
  readonly #random: () => number;
  readonly #settings: RoomSettings;
  readonly #event: RoomEvent;
  readonly #line;
  readonly #store = new FakeStore();
  readonly #manifests: Manifest[] = [];
  readonly #agenda = new Map<number, number[]>();
  readonly #entries: Int32Array;
  readonly #slots: Int32Array;
  readonly #joinedS: Int32Array;
  readonly #state: Uint8Array;
  readonly #gone: Uint8Array;
  readonly #heardAt: Int32Array;
  readonly #requests: Uint32Array;
  readonly #late: number[] = [];
  readonly #entered: number[] = [];
  readonly #enteredSlots: number[] = [];
  #leaving = new Map<number, { slot: number; serial: number }[]>();
  /** Slots of all entries, by a library of others, once the draw is known. */
  #slotsByEntry: Uint32Array | null = null;
  #drawn: DrawnPlaces | null = null;
  #drawnAtMs = -1;
  #step = 0;
  #seen = new Set<number>();
  #seenDraw = 0;
  #unseenAtCutoff: number | null = null;
  #exchanges = 0;
  #peakInUse = 0;
  #epochFaults = 0;
  #lastEpoch = 0;
  #memoryBytes = 0;

  constructor(run: LobbyRun) {
    this.#run = run;
    this.#random = seeded(run.seed);
    const people = run.entrants + run.latecomers;
    this.#event = {
      name: "sale",
      prequeueStartMs: START,
      startMs: START + run.lobbyS * 1_000,
      endMs: START + 86_400_000,
      shuffle: true,
      keepSessions: false,
      cancelled: null,
      utcOffsetMinutes: 60,
      overrides: {},
    };
    this.#settings = settingsOf({
      totalActiveUsers: run.places,
      newUsersPerMinute: run.ratePerMinute,
      sessionDurationMs: 600_000,
      passRefreshMs: 30_000,
      beacon: "drand",
      closedOutsideEvents: true,
      events: [this.#event],
    });
    this.#line = newLine(START - 60_000);
    this.#entries = new Int32Array(people).fill(-1);
    this.#slots = new Int32Array(people).fill(-1);
    this.#joinedS = new Int32Array(people);
    this.#state = new Uint8Array(people);
    this.#gone = new Uint8Array(people);
    this.#heardAt = new Int32Array(people).fill(-1);
    this.#requests = new Uint32Array(run.saleS + 1);
  }

  run(): LobbyOutcome {
    const { entrants, latecomers, lobbyS, lateS, saleS, seed } = this.#run;
    supplySalts(this.#line, (after) => saltOf(seed + after));
    let due = 0;
    let arrived = 0;
    const lobbySteps = (lobbyS * 1_000) / STEP_MS;
    const lateSteps = (lateS * 1_000) / STEP_MS;
    const steps = lobbySteps + (saleS * 1_000) / STEP_MS;
    for (let step = 1; step <= steps; step++) {
      this.#step = step;
      due += step < lobbySteps ? entrants / (lobbySteps - 1) : step - lobbySteps < lateSteps ? latecomers / lateSteps : 0;
      const newcomers: number[] = [];
      // A millionth for the rounding of a sum of many parts.
      for (; due >= 1 - 1e-6 && arrived < (step < lobbySteps ? entrants : entrants + latecomers); due--) newcomers.push(arrived++);
      this.#doStep(newcomers);
      if (step === lobbySteps) this.#memoryBytes = heapOf(() => loadLine(this.#store.read(), this.#now)).bytes;
    }
    return this.#outcome();
  }

  get #now(): number {
    return START + this.#step * STEP_MS;
  }

  get #sinceCutoff(): number {
    return this.#now - this.#event.startMs;
  }

  #doStep(newcomers: readonly number[]): void {
    supplySalts(this.#line, (after) => saltOf(this.#run.seed + this.#step + after));
    if (this.#sinceCutoff >= ROUND_AFTER_MS && this.#line.counters.drawing !== null) {
      const { round } = this.#line.counters.drawing;
      takeRound(this.#line, this.#settings, { round, randomness: "5a".repeat(32), signature: "c3".repeat(48) }, this.#now);
      this.#drawnAtMs = this.#sinceCutoff;
    }
    const edge = this.#step % (MANIFEST_MS / STEP_MS);
    for (let i = edge; i < EDGES; i += MANIFEST_MS / STEP_MS) this.#renewManifest(i);
    const claims: { who: number; slot: number; intent: "enter" | "look" }[] = [];
    const sightings = new Set<number>();
    for (const who of this.#agenda.get(this.#step) ?? []) this.#ask(who, claims, sightings);
    this.#agenda.delete(this.#step);
    const { collecting } = this.#line.counters;
    if (collecting !== null) this.#unseenAtCutoff = this.#line.entrySightings.unseen(collecting, this.#now, this.#settings.pollFarMs);
    this.#exchange(newcomers, claims, sightings);
  }

  #renewManifest(edge: number): void {
    const inForce = settingsAt(this.#settings, this.#line.counters.now);
    const manifest = manifestOf(this.#line, inForce, "sim", 1);
    this.#manifests[edge] = manifest;
    if (this.#slotsByEntry === null && manifest.draws[0] !== undefined) this.#deal(manifest.draws[0]);
  }

  /** All slots at once, by the library that the draw is checked against; a sample of them by our own code, as an edge computes them. */
  #deal(drawn: DrawnPlaces): void {
    this.#drawn = drawn;
    const list = Uint32Array.from({ length: drawn.count }, (_, i) => i);
    this.#slotsByEntry = unshuffleList(list, Uint8Array.from(Buffer.from(drawn.seed, "hex")), 90);
    for (let i = 0; i < 50; i++) {
      const entry = Math.floor(this.#random() * drawn.count);
      if (slotOf(drawn, entry) !== drawn.base + (this.#slotsByEntry[entry] as number)) throw new Error(`entry ${entry} has two slots`);
    }
  }

  #ask(who: number, claims: { who: number; slot: number; intent: "enter" | "look" }[], sightings: Set<number>): void {
    if (this.#state[who] === DONE) return;
    const since = this.#sinceCutoff;
    if (since >= 0) {
      const second = Math.floor(since / 1_000);
      this.#requests[second] = (this.#requests[second] as number) + 1;
    }
    const manifest = this.#manifests[who % EDGES] as Manifest;
    const settings = settingsAt(this.#settings, manifest.at);
    const told = { room: "sim", manifest, settings, now: this.#now };
    let slot = this.#slots[who] as number;
    if (slot < 0) {
      const entry = this.#entries[who] as number;
      const drawn = manifest.draws[0];
      if (drawn === undefined) {
        if (manifest.lobby?.draw !== null && manifest.lobby !== null) {
          this.#seenDraw = manifest.lobby.draw;
          this.#seen.add(entry);
        }
        this.#again(who, entryStatus(told, { draw: manifest.lobby?.draw ?? 1, entry }));
        return;
      }
      slot = drawn.base + ((this.#slotsByEntry as Uint32Array)[entry] as number);
      this.#slots[who] = slot;
      this.#heardAt[who] = since;
    }
    if (slot < manifest.admittedEpoch) {
      claims.push({ who, slot, intent: this.#state[who] === GOES_IN ? "enter" : "look" });
      return;
    }
    if (slot < manifest.horizon) sightings.add(slot);
    this.#again(who, waitingStatus(told, slot));
  }

  /** As the waiting page: jittered, unless it was told an exact time. */
  #again(who: number, { pollAfterMs, pollExactly }: { readonly pollAfterMs: number; readonly pollExactly?: boolean }): void {
    this.#at(who, pollExactly === true ? pollAfterMs : pollAfterMs * (0.75 + 0.5 * this.#random()));
  }

  #at(who: number, ms: number): void {
    const step = this.#step + Math.max(1, Math.ceil(ms / STEP_MS));
    const list = this.#agenda.get(step);
    if (list === undefined) this.#agenda.set(step, [who]);
    else list.push(who);
  }

  #exchange(
    newcomers: readonly number[],
    claims: readonly { readonly who: number; readonly slot: number; readonly intent: "enter" | "look" }[],
    sightings: Set<number>,
  ): void {
    const { counters } = this.#line;
    const entered = counters.totals.entered;
    const leaves = this.#leaving.get(this.#step) ?? [];
    this.#leaving.delete(this.#step);
    const batch: Batch = {
      v: EXCHANGE_VERSION,
      isolate: 1,
      generation: 1,
      ...EMPTY_BATCH,
      joins: newcomers.map((who) => ({ key: String(who).padStart(16, "0").padEnd(22, "A"), network: 0, enter: false, tag: 0 })),
      claims: claims.map(({ who, slot, intent }) => ({
        slot,
        serial: 0,
        tag: who & 0xffff,
        ageMs: 0,
        joinedAtS: this.#joinedS[who] as number,
        intent,
      })),
      leaves,
      sightings: encodeSightings(sightings),
      entriesSeen: this.#seen.size === 0 ? null : { draw: this.#seenDraw, entries: encodeSightings(this.#seen) },
    };
    this.#seen = new Set();
    const verdicts = exchange(this.#line, this.#settings, batch, this.#now, this.#random);
    this.#exchanges += 1;
    this.#store.write(takeChanges(this.#line));
    for (let i = entered; i < counters.totals.entered; i++) this.#entered.push(this.#sinceCutoff);
    this.#peakInUse = Math.max(this.#peakInUse, placesInUse(this.#line, settingsAt(this.#settings, counters.now)));
    const drawing = counters.drawing;
    if (counters.epoch < this.#lastEpoch || (drawing !== null && counters.epoch > drawing.base)) this.#epochFaults += 1;
    this.#lastEpoch = counters.epoch;

    for (const [i, who] of newcomers.entries()) {
      const verdict = verdicts.joins[i];
      if (verdict?.as === "entry") this.#entries[who] = verdict.entry;
      else if (verdict?.as === "placed") {
        this.#slots[who] = verdict.slot;
        this.#late.push(verdict.slot);
      } else throw new Error(`a join in the sale is ${verdict?.as}`);
      this.#joinedS[who] = verdict.joinedAtS;
      if (who < this.#run.entrants && this.#random() < this.#run.absent) {
        this.#gone[who] = 1;
        this.#state[who] = DONE;
      } else this.#at(who, this.#settings.pollNearMs);
    }
    for (const [i, { who, slot }] of claims.entries()) {
      const verdict = verdicts.claims[i];
      switch (verdict?.as) {
        case "entered":
          this.#state[who] = DONE;
          this.#enteredSlots.push(slot);
          this.#leaveLater(slot, verdict.pass.serial);
          break;
        case "called":
          this.#state[who] = GOES_IN;
          this.#at(who, Math.max(1_000, Math.min(NOTICE_MS, verdict.holdForMs / 2)));
          break;
        case "moment":
          this.#state[who] = GOES_IN;
          this.#at(who, Math.max(STEP_MS, verdict.dueInMs));
          break;
        case "ended":
        case "void":
          this.#state[who] = DONE;
          break;
        default:
          this.#state[who] = WAITS;
          this.#at(who, this.#settings.pollNearMs);
      }
    }
  }

  #leaveLater(slot: number, serial: number): void {
    const step = this.#step + Math.ceil((this.#run.visitS * 1_000) / STEP_MS);
    const list = this.#leaving.get(step);
    if (list === undefined) this.#leaving.set(step, [{ slot, serial }]);
    else list.push({ slot, serial });
  }

  #outcome(): LobbyOutcome {
    if (this.#drawn === null) throw new Error("no draw took place");
    const { counters, table, gone } = this.#line;
    const stored = [this.#store.blocks, this.#store.gone, this.#store.joins].flatMap((rows) => [...rows.values()]);
    const waiting = counters.tail - counters.epoch - gone.count;
    const inTable = table.counts.reduce((sum, each) => sum + each, 0);
    return {
      draw: this.#drawn,
      entries: this.#entries,
      slots: this.#slots,
      gone: this.#gone,
      lateSlots: this.#late,
      entered: this.#entered,
      enteredSlots: this.#enteredSlots,
      requestsBySecond: this.#requests,
      exchanges: this.#exchanges,
      heardAt: this.#heardAt,
      drawnAtMs: this.#drawnAtMs,
      unseenAtCutoff: this.#unseenAtCutoff,
      lateEntries: Math.ceil((this.#run.entrants * (this.#settings.pollNearMs * 1.25 + 2_000)) / (this.#run.lobbyS * 1_000)),
      peakInUse: this.#peakInUse,
      epochFaults: this.#epochFaults,
      memoryBytes: this.#memoryBytes,
      storedBytes: stored.reduce((sum, bytes) => sum + bytes.length, (this.#store.counters ?? "").length),
      issued: counters.tail,
      conserved: waiting >= 0 && inTable + waiting <= counters.tail,
    };
  }
}

/** Is this list each slot from `base` on once? */
export function isPermutation(slots: readonly number[], base: number): boolean {
  const seen = new Uint8Array(slots.length);
  for (const slot of slots) {
    if (slot < base || slot >= base + slots.length || seen[slot - base] === 1) return false;
    seen[slot - base] = 1;
  }
  return true;
}
