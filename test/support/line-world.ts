/**
 * A room's line under test: the pure state machine, an emulated store, and visitors with cookie jars, on virtual time.
 * What a visitor holds is judged as an edge would judge it; the promises are checked from outside, not from the line's own counts.
 */

import type { NewBatch } from "../../durable/line/draw-state";
import { noteSilence, supplySalts } from "../../durable/line/draws";
import { exchange } from "../../durable/line/exchange";
import type { GuestPlace } from "../../durable/line/guests";
import { type ReissueRow, reissuesIn } from "../../durable/line/reissues";
import { proceed } from "../../durable/line/schedule";
import { type LineState, newLine } from "../../durable/line/state";
import { type LineChanges, loadLine, type StoredLine, takeChanges } from "../../durable/line/stored";
import type { Keep } from "../../durable/line/unsaved";
import { manifestOf } from "../../durable/line/view";
import type { DrawRecord, DroppedDraw } from "../../src/core/draw";
import {
  type Batch,
  type ClaimIntent,
  type ClaimVerdict,
  EMPTY_BATCH,
  EXCHANGE_VERSION,
  encodeSightings,
  type JoinVerdict,
  type LeaveVerdict,
  type PassGrant,
  type RenewVerdict,
  type Reply,
} from "../../src/core/exchange";
import { isRevoked, type Manifest } from "../../src/core/manifest";
import { parseRoom } from "../../src/core/settings";
import type { RoomSettings } from "../../src/core/settings-types";

export const START = Date.UTC(2026, 10, 29, 10, 0, 0);

const OWN = parseRoom("line", {
  host: "*",
  total_active_users: 20,
  new_users_per_minute: 60,
  session_duration: 1,
  session_max_minutes: 10,
  reentry_window_minutes: 1,
  pass_refresh_seconds: 20,
  over_limit: "refuse",
  beacon: "none",
  public_totals: "exact",
});

/** The defaults, but for a small room whose visits are short. */
export function settingsOf(changes: Partial<RoomSettings> = {}): RoomSettings {
  if (!OWN.ok) throw new Error(JSON.stringify(OWN.problems));
  return { ...OWN.settings, ...changes };
}

/** Small seeded generator (mulberry32), so that a failing history can be run again. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A secret salt by seed, apart from what else is random. */
export function saltOf(seed: number): Uint8Array {
  const random = seeded(seed + 0x5a17);
  return Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256));
}

/** So that records go round, and overflow, within a test. */
export const KEEP_LITTLE: Keep = { steps: 5, recordBytes: 600, joinBytes: 300, stepsForRow: 2 };

/** Rows as a store would hold them: copies, never the line's own bytes. */
export class FakeStore {
  counters: string | null = null;
  readonly blocks = new Map<number, Uint8Array>();
  readonly gone = new Map<number, Uint8Array>();
  readonly joins = new Map<number, Uint8Array>();
  /** By position. */
  readonly steps = new Map<number, readonly [step: number, record: Uint8Array]>();
  /** Draws that took place, the batches of their entries, and draws that never will; in order. */
  readonly records: DrawRecord[] = [];
  readonly batches: NewBatch[] = [];
  readonly dropped: DroppedDraw[] = [];
  readonly guests = new Map<string, GuestPlace>();
  readonly uses = new Map<string, number>();
  readonly reissues = new Map<string, ReissueRow>();

  write(changes: LineChanges): void {
    if (changes.cleared)
      for (const table of [this.steps, this.blocks, this.gone, this.joins, this.guests, this.uses, this.reissues]) table.clear();
    this.counters = changes.counters;
    this.steps.set(changes.position, [changes.step, changes.record]);
    put(this.blocks, changes.blocks);
    put(this.gone, changes.gone);
    for (const [key, place] of changes.guests.places) this.guests.set(key, place);
    for (const [place, row] of changes.reissues) this.reissues.set(place, row);
    for (const [id, places] of changes.guests.uses) this.uses.set(id, places);
    for (const [firstJoin, data] of changes.joins) this.joins.set(firstJoin, data.slice());
    this.records.push(...changes.draws.records);
    this.batches.push(...changes.draws.batches);
    this.dropped.push(...changes.draws.dropped);
    if (changes.joins.length === 0) return;
    // In order, as they were added. The row that the oldest join to be remembered stands in is kept.
    let begun = 0;
    for (const join of this.joins.keys()) {
      if (join > changes.forgetJoinsBelow) break;
      begun = join;
    }
    for (const join of this.joins.keys()) {
      if (join >= begun) break;
      this.joins.delete(join);
    }
  }

  read(): StoredLine {
    if (this.counters === null) throw new Error("nothing stored yet");
    const joins = [...this.joins].sort(([a], [b]) => a - b);
    const entries = (draw: number) =>
      this.batches
        .filter((batch) => batch.draw === draw)
        .flatMap(({ networks, wides }) => networks.map((network, i) => [network, wides[i] ?? 0] as const));
    const records = [...this.steps.values()].sort(([a], [b]) => b - a);
    return { counters: this.counters, records, blocks: this.blocks, gone: this.gone, joins, entries };
  }
}

function put(table: Map<number, Uint8Array>, changes: ReadonlyMap<number, Uint8Array | null>): void {
  for (const [key, bytes] of changes) {
    if (bytes === null) table.delete(key);
    else table.set(key, bytes.slice());
  }
}

export interface Pass extends PassGrant {
  readonly generation: number;
}

/** One cookie jar. Copies of it are further visitors that start with the same contents. */
export interface Visitor {
  readonly id: number;
  key: string;
  tag: number;
  network: number;
  ticket: { generation: number; slot: number; joinedAtS: number } | null;
  pass: Pass | null;
  last: string;
}

export type Crash = "none" | "before" | "after";

export class World {
  now = START;
  settings: RoomSettings;
  line: LineState;
  manifest: Manifest;
  readonly store = new FakeStore();
  readonly random: () => number;
  readonly visitors: Visitor[] = [];
  /** Times (ms) of entries, as granted by the Room. */
  readonly entries: { at: number; slot: number; generation: number }[] = [];
  /** Every pass ever granted and committed. */
  readonly passes: Pass[] = [];
  readonly issued = new Map<string, string>();
  /** The public beacon is asked before every step, and does not answer. */
  asksInVain = true;
  #isolate = 1;
  readonly #seed: number;

  constructor(settings: Partial<RoomSettings> = {}, seed = 1) {
    this.settings = settingsOf(settings);
    this.random = seeded(seed);
    this.#seed = seed;
    this.line = newLine(this.now, "test");
    this.store.write(takeChanges(this.line, "early", KEEP_LITTLE));
    this.manifest = manifestOf(this.line, this.settings, "test", 1);
  }

  visitor(changes: Partial<Visitor> = {}): Visitor {
    const id = this.visitors.length;
    const visitor: Visitor = {
      id,
      key: `${String(id).padStart(8, "0")}-visitor-key1`,
      tag: (id * 7_919 + 1) & 0xffff,
      network: 0,
      ticket: null,
      pass: null,
      last: "new",
      ...changes,
    };
    this.visitors.push(visitor);
    return visitor;
  }

  copyOf(visitor: Visitor, tag: number): Visitor {
    return this.visitor({ key: visitor.key, tag, ticket: visitor.ticket, pass: visitor.pass });
  }

  /** Drop memory and come back from what was stored, as after an eviction or a crash. */
  restart(): void {
    this.line = loadLine(this.store.read(), this.now, "test");
  }

  commit(): void {
    this.store.write(takeChanges(this.line, "early", KEEP_LITTLE));
    this.manifest = manifestOf(this.line, this.settings, "test", 1);
  }

  tick(ms: number): void {
    this.now += ms;
    this.prepare();
    proceed(this.line, this.settings, this.now);
    this.commit();
  }

  /** What the shell does before every step. */
  prepare(): void {
    const { drawing } = this.line.counters;
    if (this.asksInVain && drawing !== null) noteSilence(this.line, drawing.round);
    supplySalts(this.line, (after) => saltOf(this.#seed + this.line.counters.nextDraw + after));
  }

  /** One exchange. `before`: the Room dies before the transaction; `after`: it dies after it, and the reply is lost. */
  exchange(items: Partial<Batch>, crash: Crash = "none"): Omit<Reply, "manifest" | "v" | "config"> | null {
    const batch: Batch = {
      v: EXCHANGE_VERSION,
      isolate: this.#isolate,
      generation: this.manifest.generation,
      ...EMPTY_BATCH,
      ...items,
    };
    this.prepare();
    const known = [...reissuesIn(batch.reissues)].flatMap((place) => {
      const row = this.store.reissues.get(place);
      return row === undefined ? [] : [[place, row] as const];
    });
    this.line.reissues.load(known);
    const reply = exchange(this.line, this.settings, batch, this.now, this.random);
    if (crash === "before") {
      this.restart();
      return null;
    }
    for (const [i, join] of batch.joins.entries()) {
      const verdict = reply.joins[i];
      if (verdict?.as === "placed") this.#issued(join.key, verdict.slot);
      if (verdict?.as === "entered") this.#issued(join.key, verdict.pass.slot);
      if (verdict?.as === "entered") this.#granted(verdict.pass);
    }
    for (const verdict of reply.claims) if (verdict.as === "entered") this.#granted(verdict.pass);
    for (const verdict of reply.renewals) if (verdict.as === "renewed") this.#granted(verdict.pass);
    this.commit();
    if (crash === "after") {
      this.restart();
      return null;
    }
    return reply;
  }

  #issued(key: string, slot: number): void {
    const place = `${this.line.counters.generation}:${slot}`;
    const owner = this.issued.get(place);
    if (owner !== undefined && owner !== key) throw new Error(`P5: slot ${place} issued to two keys`);
    this.issued.set(place, key);
  }

  #granted(pass: PassGrant): void {
    if (pass.issuedAtS >= pass.expiresAtS || pass.expiresAtS > pass.endsAtS) throw new Error(`no token can carry ${JSON.stringify(pass)}`);
    this.passes.push({ ...pass, generation: this.line.counters.generation });
  }

  /** Note entries by the Room's own total, so that a crashed reply counts too. */
  noteEntries(before: number): number {
    const count = this.line.counters.totals.entered - before;
    for (let i = 0; i < count; i++) this.entries.push({ at: this.now, slot: -1, generation: this.line.counters.generation });
    return count;
  }

  join(visitor: Visitor, enter: boolean, crash: Crash = "none"): JoinVerdict | null {
    const verdict =
      this.exchange({ joins: [{ key: visitor.key, network: visitor.network, enter, tag: visitor.tag }] }, crash)?.joins[0] ?? null;
    if (verdict !== null) this.took(visitor, verdict);
    return verdict;
  }

  took(visitor: Visitor, verdict: JoinVerdict): void {
    visitor.last = verdict.as;
    if (verdict.as === "refused" || verdict.as === "challenge" || verdict.as === "entry") return;
    const slot = verdict.as === "placed" ? verdict.slot : verdict.pass.slot;
    visitor.ticket = { generation: this.line.counters.generation, slot, joinedAtS: verdict.joinedAtS };
    visitor.pass = verdict.as === "entered" ? { ...verdict.pass, generation: this.line.counters.generation } : null;
  }

  claim(visitor: Visitor, intent: ClaimIntent | "extend", crash: Crash = "none", ageMs = 0): ClaimVerdict | null {
    const { ticket } = visitor;
    if (ticket === null) return null;
    if (ticket.generation !== this.manifest.generation) return { as: "restarted" };
    const serial = visitor.pass?.generation === ticket.generation && visitor.pass.slot === ticket.slot ? visitor.pass.serial : 0;
    const request = { slot: ticket.slot, serial, tag: visitor.tag, ageMs, joinedAtS: ticket.joinedAtS };
    const wish = intent === "extend" ? ({ intent: "look", extend: true } as const) : { intent };
    const verdict = this.exchange({ claims: [{ ...request, ...wish }] }, crash)?.claims[0] ?? null;
    if (verdict !== null) visitor.last = verdict.as;
    if (verdict?.as === "entered") visitor.pass = { ...verdict.pass, generation: ticket.generation };
    return verdict;
  }

  renew(visitor: Visitor, crash: Crash = "none", ageMs = 0): RenewVerdict | null {
    const { pass } = visitor;
    if (pass === null) return null;
    if (pass.generation !== this.manifest.generation) return { as: "restarted" };
    const verdict =
      this.exchange({ renewals: [{ slot: pass.slot, serial: pass.serial, tag: visitor.tag, ageMs }] }, crash)?.renewals[0] ?? null;
    if (verdict !== null) visitor.last = verdict.as;
    if (verdict?.as === "renewed") visitor.pass = { ...verdict.pass, generation: pass.generation };
    return verdict;
  }

  leave(visitor: Visitor, crash: Crash = "none"): LeaveVerdict | null {
    const { ticket, pass } = visitor;
    if (ticket === null) return null;
    if (ticket.generation !== this.manifest.generation) return { as: "restarted" };
    const serial = pass?.generation === ticket.generation && pass.slot === ticket.slot ? pass.serial : 0;
    this.left.add(`${ticket.generation}:${ticket.slot}`);
    return this.exchange({ leaves: [{ slot: ticket.slot, serial }] }, crash)?.leaves[0] ?? null;
  }

  see(visitors: readonly Visitor[]): void {
    const slots = visitors.flatMap((visitor) => (visitor.ticket?.generation === this.manifest.generation ? [visitor.ticket.slot] : []));
    this.exchange({ sightings: encodeSightings(new Set(slots)) });
  }

  /** Slots whose holders were told, or may have been told, that they are no longer inside. */
  readonly left = new Set<string>();

  /**
   * Would an edge with this manifest forward on this pass right now, without asking the Room first? A pass older than
   * twice the refresh interval must ask; for one that was never given up, that answer is yes until it ends.
   */
  accepts(pass: Pass, manifest: Manifest, settings = this.settings): boolean {
    const asks = this.now - pass.issuedAtS * 1_000 >= 2 * settings.passRefreshMs + 1_000 || pass.issuedAtS < (manifest.renewBefore ?? 0);
    if (asks && this.left.has(`${pass.generation}:${pass.slot}`)) return false;
    if (pass.issuedAtS < manifest.endSessionsBefore || isRevoked(manifest, pass.slot)) return false;
    return pass.generation === manifest.generation && this.now < pass.expiresAtS * 1_000;
  }
}
