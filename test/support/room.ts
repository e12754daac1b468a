/**
 * A Room under test, inside workerd: its own name, its own clock, real storage. Only for the tests in `test/durable`.
 * Time is the year 2100, so that no alarm fires unless a test fires it.
 */
/// <reference types="@cloudflare/vitest-plugin/types" />
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { BeaconAnswer } from "../../durable/beacon";
import type { PostOffice } from "../../durable/post-office";
import type { Room } from "../../durable/room";
import type {
  Actor,
  AdminResult,
  Caller,
  Change,
  Changed,
  OperatorSettings,
  RoomDescription,
  SwitchName,
  SwitchResult,
} from "../../src/core/admin";
import { type Batch, type ClaimIntent, EMPTY_BATCH, EXCHANGE_VERSION, type JoinRequest, type Reply } from "../../src/core/exchange";
import type { Delivery, Letter } from "../../src/core/news";
import type { RoomStats } from "../../src/core/stats";
import { saltOf, seeded } from "./line-world";

export const T = Date.UTC(2100, 0, 1);

export const OPERATOR = callerOf("operator", "test");
/** The same as it is written down. */
export const AUTHOR: Actor = { name: OPERATOR.name, reason: OPERATOR.reason };

/** The variable ROOMS is one object that every Durable Object of the test file is given. */
const bindings = env as unknown as { readonly ROOM: DurableObjectNamespace<Room>; readonly ROOMS: Record<string, OperatorSettings> };

/** What tests replace in a Room. */
interface Sources {
  wall: () => number;
  random: () => number;
  salt: () => Uint8Array;
  beacon: (round: number) => Promise<BeaconAnswer>;
  post: (letter: Letter, atS: number) => Promise<Delivery>;
}

type SqlExec = (query: string, ...values: unknown[]) => unknown;
/** The methods of the platform's storage that tests stand in for. */
interface Shadows {
  exec?: SqlExec;
  transactionSync?: <T>(work: () => T) => T;
  setAlarm?: (at: number) => Promise<void>;
}

export const BASE: OperatorSettings = {
  host: "*",
  total_active_users: 5,
  new_users_per_minute: 60,
  session_duration: 2,
  pass_refresh_seconds: 15,
  session_max_minutes: 10,
  public_totals: "exact",
};

let made = 0;

export function callerOf(name: string, reason = "", more: Partial<Caller> = {}): Caller {
  return { name, reason, role: "operator", once: null, ...more };
}

export class RoomUnderTest {
  readonly name: string;
  readonly stub: DurableObjectStub<Room>;
  /** Wall clock, ms. */
  wall = T;
  random: () => number;
  readonly salt: Uint8Array;
  /** drand as the Room finds it; nothing to be had until a test says so. */
  beacon: (round: number) => Promise<BeaconAnswer> = () => Promise.resolve({ found: false, tried: [] });

  /** Where webhooks go; nobody is reached until a test says so. */
  post: (letter: Letter, atS: number) => Promise<Delivery> = () => Promise.resolve({ as: "unreachable" });

  /** @param file what wrangler.toml says about the room, besides `BASE` */
  constructor(file: OperatorSettings = {}, seed = 1) {
    made += 1;
    this.name = `t${made}`;
    this.deploy(file);
    this.stub = bindings.ROOM.getByName(this.name);
    this.random = seeded(seed);
    this.salt = saltOf(seed);
  }

  /** Change wrangler.toml; a running Room sees it after `evict`. */
  deploy(file: OperatorSettings | null): void {
    if (file === null) delete bindings.ROOMS[this.name];
    else bindings.ROOMS[this.name] = { ...BASE, ...file };
  }

  /** Run inside the Room's own context, with its clock and randomness set. */
  run<R>(work: (room: Room, state: DurableObjectState) => R | Promise<R>): Promise<R> {
    return runInDurableObject<Room, R>(this.stub, (room, state) => {
      const sources = room as unknown as Sources;
      sources.wall = () => this.wall;
      sources.random = () => this.random();
      sources.salt = () => this.salt;
      sources.beacon = (round) => this.beacon(round);
      sources.post = (letter, atS) => this.post(letter, atS);
      return work(room, state);
    });
  }

  /** Forget the Room's memory. */
  evict(): Promise<void> {
    return evictDurableObject(this.stub);
  }

  /** Wait for what was begun beside the calls: nothing is being sent. */
  async settled(): Promise<void> {
    await this.run((room) => (room as unknown as { readonly office: PostOffice }).office.idle());
  }

  /** Deliver the alarm, if one is set. */
  async fireAlarm(): Promise<boolean> {
    await this.run(() => undefined);
    return runDurableObjectAlarm(this.stub);
  }

  alarmAt(): Promise<number | null> {
    return this.run((_, state) => state.storage.getAlarm());
  }

  exchange(items: Partial<Batch> = {}): Promise<Reply> {
    return this.run((room) => room.exchange(batchOf(items)));
  }

  join(...keys: string[]): Promise<Reply> {
    return this.exchange({ joins: keys.map((key) => joinOf(key, false)) });
  }

  claim(slot: number, intent: ClaimIntent = "enter", serial = 0, generation = 1): Promise<Reply> {
    return this.exchange({ generation, claims: [{ slot, serial, tag: 1, ageMs: 0, joinedAtS: this.wall / 1_000, intent }] });
  }

  async stats(): Promise<RoomStats> {
    return okOf(await this.run((room) => room.stats()));
  }

  async describe(): Promise<RoomDescription> {
    return okOf(await this.run((room) => room.describe()));
  }

  change(changes: OperatorSettings, more: Partial<Change> = {}): Promise<AdminResult<Changed>> {
    return this.run((room) => room.change({ changes, ifRevision: null, replace: false, actor: OPERATOR, ...more }));
  }

  async turn(name: SwitchName, confirm: string | null = null): Promise<SwitchResult> {
    return okOf(await this.run((room) => room.turn(name, OPERATOR, confirm)));
  }

  /** Everything stored, as text. */
  dump(): Promise<string> {
    return this.run((_, { storage }) => JSON.stringify(dumpOf(storage.sql)));
  }

  /** Stand in for methods of the platform's storage while `work` runs. */
  shadowed<R>(make: (state: DurableObjectState) => Shadows, work: (room: Room) => Promise<R>): Promise<R> {
    return this.run(async (room, state) => {
      const { exec, ...rest } = make(state);
      if (exec !== undefined) Object.assign(state.storage.sql, { exec });
      Object.assign(state.storage, rest);
      try {
        return await work(room);
      } finally {
        Reflect.deleteProperty(state.storage.sql, "exec");
        for (const name of Object.keys(rest)) Reflect.deleteProperty(state.storage, name);
      }
    });
  }
}

export function batchOf(items: Partial<Batch>): Batch {
  return {
    v: EXCHANGE_VERSION,
    isolate: 1,
    generation: 1,
    ...EMPTY_BATCH,
    ...items,
  };
}

/** A visitor key is 22 characters long; the first 16 count. */
export function joinOf(key: string, enter: boolean, network = 0): JoinRequest {
  return { key: key.padStart(16, "-").padEnd(22, "0"), network, enter, tag: 1 };
}

export function okOf<V>(result: AdminResult<V>): V {
  if (result.as !== "ok") throw new Error(`refused: ${JSON.stringify(result)}`);
  return result.value;
}

export interface TableDump {
  readonly table: string;
  readonly create: string;
  readonly rows: readonly Record<string, unknown>[];
}

/** All tables with their rows; blobs as `{ hex }`. */
export function dumpOf(sql: SqlStorage): TableDump[] {
  const tables = sql
    .exec<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' ORDER BY name",
    )
    .toArray();
  return tables.map((table) => ({
    table: table.name,
    create: table.sql,
    rows: sql.exec(`SELECT * FROM ${table.name} ORDER BY 1`).toArray().map(hexed),
  }));
}

function hexed(row: Record<string, SqlStorageValue>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      value instanceof ArrayBuffer ? { hex: Buffer.from(value).toString("hex") } : value,
    ]),
  );
}
