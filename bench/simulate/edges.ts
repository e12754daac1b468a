/**
 * The isolates: real clients of the room (src/room-client.ts), each in a colo with a cache, at a distance from the Room, by a clock that may be
 * wrong. They crash with all that they hold. Virtual time.
 */
import type { RoomRpc } from "../../src/core/room-rpc";
import type { RoomSettings } from "../../src/core/settings-types";
import type { Ask } from "../../src/room/asks";
import type { ColoStore } from "../../src/room/colo-store";
import { RoomClient } from "../../src/room-client";
import type { VirtualTime } from "../../test/support/virtual-time";
import type { Plan } from "./plan";

/** A look into the colo's cache, ms. */
const CACHE_MS = { least: 2, more: 6 };
/** How long a cache keeps the manifest, and the book of turns, ms (src/room/colo-store.ts). */
const KEEP_MS = { manifest: 30_000, turns: 60_000 };
/** Colos are of very different sizes: the largest has a dozen times as many isolates as a small one. */
const LARGEST = 12;

/** Here no request ends before its work does. */
export const LIFE = { waitUntil: (work: Promise<unknown>) => void work };

export interface Colo {
  readonly number: number;
  /** To the Room, one way, ms. */
  readonly wayMs: number;
}

export interface Edge {
  readonly number: number;
  readonly colo: Colo;
  readonly client: RoomClient;
  isDead: boolean;
  /** So many pages hold their question open here. */
  streams: number;
}

/** Where isolates and colos are; the same for all rooms of a run. */
export class Map300 {
  readonly colos: readonly Colo[];
  /** By isolate. */
  readonly coloOf: readonly Colo[];
  readonly offsetMs: readonly number[];
  /** By colo, its isolates. */
  readonly isolatesIn: readonly (readonly number[])[];

  constructor(plan: Plan, random: () => number) {
    // Most are near a Room in the middle of things, some across an ocean or two.
    this.colos = Array.from({ length: plan.colos }, (_, number) => ({ number, wayMs: 3 + 140 * random() ** 2 }));
    const weights = this.colos.map(() => 1 + (LARGEST - 1) * random() ** 4);
    const whole = weights.reduce((sum, each) => sum + each, 0);
    const coloOf: Colo[] = [];
    let sum = 0;
    for (const [i, colo] of this.colos.entries()) {
      sum += weights[i] as number;
      while (coloOf.length < Math.round((plan.isolates * sum) / whole)) coloOf.push(colo);
    }
    this.coloOf = coloOf;
    this.offsetMs = coloOf.map(() => (random() < plan.clocksOff ? (2 * random() - 1) * plan.clockOffMs : 0));
    const isolatesIn = this.colos.map((): number[] => []);
    for (const [isolate, colo] of coloOf.entries()) isolatesIn[colo.number]?.push(isolate);
    this.isolatesIn = isolatesIn;
  }
}

interface ColoCaches {
  readonly manifest: Cache;
  readonly turns: Cache;
}

interface EdgeOptions {
  readonly room: string;
  readonly settings: RoomSettings;
  readonly sizeOf: (ask: Ask) => number;
  readonly map: Map300;
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly roomFor: (colo: Colo) => RoomRpc;
}

export class Edges {
  readonly #of: EdgeOptions;
  readonly #edges: Edge[];
  readonly #caches: readonly ColoCaches[];

  constructor(options: EdgeOptions) {
    this.#of = options;
    this.#caches = options.map.colos.map(() => ({ manifest: new Cache(KEEP_MS.manifest), turns: new Cache(KEEP_MS.turns) }));
    this.#edges = options.map.coloOf.map((_, i) => this.#start(i));
  }

  at(isolate: number): Edge {
    return this.#edges[isolate] as Edge;
  }

  get count(): number {
    return this.#edges.length;
  }

  /** Another of the same colo. */
  beside(isolate: number): number {
    const all = this.#of.map.isolatesIn[this.at(isolate).colo.number] as readonly number[];
    return all[Math.floor(this.#of.random() * all.length)] as number;
  }

  /** Its requests are cut off, what it held is gone; the next request finds a new one. */
  crash(isolate: number): void {
    this.at(isolate).isDead = true;
    this.#edges[isolate] = this.#start(isolate);
  }

  #start(number: number): Edge {
    const { room, settings, sizeOf, map, random, roomFor } = this.#of;
    const colo = map.coloOf[number] as Colo;
    const offsetMs = map.offsetMs[number] as number;
    const caches = this.#caches[colo.number] as ColoCaches;
    const never = new Promise<never>(() => undefined);
    const live = roomFor(colo);
    // Of a dead isolate nothing is heard any more. The client calls these two only.
    const stub = {
      exchange: (batch: Parameters<RoomRpc["exchange"]>[0]) => (edge.isDead ? never : live.exchange(batch)),
      config: (revision: number) => (edge.isDead ? never : live.config(revision)),
    } as RoomRpc;
    const edge: Edge = {
      number,
      colo,
      isDead: false,
      streams: 0,
      client: new RoomClient({
        room,
        file: settings,
        stubOf: () => stub,
        colo: this.#store(caches.manifest, offsetMs, shiftKept),
        turns: this.#store(caches.turns, offsetMs, shiftTurns),
        lists: () => this.#store(new Cache(0), 0, (text) => text),
        random,
        sizeOf,
      }),
    };
    return edge;
  }

  /** What others wrote by their clocks, as it looks by one that is wrong, and back. */
  #store(cache: Cache, offsetMs: number, shift: (text: string, ms: number) => string): ColoStore {
    const { time } = this.#of;
    return {
      get: () =>
        this.#later(() => {
          const text = cache.read(time.now);
          return text === null || offsetMs === 0 ? text : shift(text, -offsetMs);
        }),
      put: (text) => this.#later(() => cache.write(offsetMs === 0 ? text : shift(text, offsetMs), time.now)),
    };
  }

  #later<T>(work: () => T): Promise<T> {
    const { time, random } = this.#of;
    return new Promise((resolve) => time.at(time.now + CACHE_MS.least + random() * CACHE_MS.more, () => resolve(work())));
  }
}

class Cache {
  readonly #keepMs: number;
  #text: string | null = null;
  #until = 0;

  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  read(now: number): string | null {
    return now < this.#until ? this.#text : null;
  }

  write(text: string, now: number): void {
    this.#text = text;
    this.#until = now + this.#keepMs;
  }
}

function shiftKept(text: string, ms: number): string {
  const kept = JSON.parse(text) as { asOf: number };
  return JSON.stringify({ ...kept, asOf: kept.asOf + ms });
}

function shiftTurns(text: string, ms: number): string {
  const book = JSON.parse(text) as { asOf: number; turns: [number, number][] };
  return JSON.stringify({ ...book, asOf: book.asOf && book.asOf + ms, turns: book.turns.map(([who, at]) => [who, at + ms]) });
}
