/**
 * The gate in front of a Room that does as it is told: a Worker for tests of what the edge does with each verdict, and with a Room
 * that fails. Bundled by gate-rig.ts; runs in workerd. Everything the edge asked is written down.
 */
import { DurableObject } from "cloudflare:workers";
import type { DrawRecord, ListedBatch, PendingDraw } from "../../src/core/draw";
import type {
  Batch,
  ClaimIntent,
  ClaimVerdict,
  JoinRequest,
  JoinVerdict,
  LeaveVerdict,
  ReissueVerdict,
  RenewVerdict,
  Reply,
} from "../../src/core/exchange";
import type { Manifest } from "../../src/core/manifest";
import type { RoomNamespace, RoomRpc } from "../../src/core/room-rpc";
import { parseRoom } from "../../src/core/settings";
import type { StaffVerdict } from "../../src/core/staff";
import type { Env } from "../../src/env";
import { handle } from "../../src/gate";
import { manifestWith } from "./manifest";

/** What the Room answers until told otherwise. Verdicts hold for every request of their kind. */
export interface Script {
  readonly manifest?: Partial<Manifest>;
  /** Settings as the operator writes them, over those of the Worker's configuration; belongs to `manifest.config`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** `slot` counts up by itself; the same key gets the same slot. */
  readonly join?: JoinVerdict | { readonly as: "next" } | { readonly as: "next-inside" } | Proven;
  readonly claim?: ClaimVerdict;
  /** Instead of `claim`, where a claim of that intent is to be answered otherwise. */
  readonly claimBy?: Partial<Record<ClaimIntent, ClaimVerdict>>;
  readonly renew?: RenewVerdict;
  readonly leave?: LeaveVerdict;
  readonly reissue?: ReissueVerdict;
  readonly leaseUnits?: number;
  /** By id; `latest` is the last of them. */
  readonly draws?: readonly (DrawRecord | PendingDraw)[];
  readonly batches?: readonly ListedBatch[];
  /** Over the whole reply, whatever it is. */
  readonly reply?: unknown;
  readonly staff?: StaffVerdict;
  /** The answer to every admin call; "throw" = an error of the Room's own. */
  readonly admin?: unknown;
}

/** A place for who has shown a proof of this cost, or is exempt; a challenge for everybody else. */
export interface Proven {
  readonly as: "proven";
  readonly cost: number;
}

/**
 * How the next exchanges and admin calls fail, one each, before the Room hears of them (`lost`: after it has).
 * `hang`: no answer, ever. `slow`: answers after so many ms. `full`: as workerd says it when a Room's disk is full.
 */
export type Fault =
  | "retryable"
  | "overloaded"
  | "overloaded-retryable"
  | "remote"
  | "plain"
  | "full"
  | "hang"
  | "lost"
  | { readonly slow: number };

export interface Seen {
  readonly batches: readonly Batch[];
  /** Exchanges tried, those that failed on the way included. */
  readonly attempts: number;
  readonly stubs: number;
  readonly configCalls: number;
  readonly drawCalls: number;
  readonly adminCalls: readonly unknown[];
}

/** All answered as scripted. */
const ADMIN_METHODS = [
  "describe",
  "change",
  "changeEvent",
  "restore",
  "foresee",
  "turn",
  "revokeKey",
  "stats",
  "audit",
  "log",
  "series",
  "place",
  "actOnPlace",
  "bans",
  "noteAct",
  "revisions",
  "makeStaffLink",
  "staffLinks",
  "revokeStaffLink",
  "webhooks",
  "testWebhook",
] as const satisfies readonly (keyof RoomRpc)[];

export class Room extends DurableObject {
  #script: Script = {};
  #batches: Batch[] = [];
  #configCalls = 0;
  #drawCalls = 0;
  #adminCalls: unknown[] = [];
  #slots = new Map<string, number>();

  script(script: Script): void {
    this.#script = { ...this.#script, ...script };
  }

  seen(): Omit<Seen, "attempts" | "stubs"> {
    return { batches: this.#batches, configCalls: this.#configCalls, drawCalls: this.#drawCalls, adminCalls: this.#adminCalls };
  }

  forget(): void {
    this.#batches = [];
    this.#configCalls = 0;
    this.#drawCalls = 0;
  }

  exchange(batch: Batch): Reply {
    this.#batches.push(batch);
    const { claim, claimBy, renew, leave, reissue, leaseUnits = 0, reply } = this.#script;
    const manifest = this.#manifest();
    return {
      v: 1,
      manifest,
      joins: batch.joins.map((request) => this.#join(request)),
      claims: batch.claims.map(({ slot, intent }) => claimBy?.[intent] ?? claim ?? { as: "entered", pass: grant(slot, 1) }),
      renewals: batch.renewals.map(({ slot, serial }) => renew ?? { as: "renewed", pass: grant(slot, serial + 1) }),
      leaves: batch.leaves.map(() => leave ?? { as: "left" }),
      reissues: batch.reissues.map(() => reissue ?? { as: "reissued" }),
      lease: batch.leaseWanted > 0 && leaseUnits > 0 ? { units: leaseUnits, untilMs: manifest.at + 2_000 } : null,
      share: null,
      config: null,
      ...(reply as Partial<Reply>),
    };
  }

  config(_revision: number) {
    this.#configCalls += 1;
    const raw = (this.env as { ROOMS: Record<string, Record<string, unknown>> }).ROOMS[this.ctx.id.name ?? ""];
    const parsed = parseRoom("r", { ...raw, ...this.#script.settings });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    return { revision: this.#manifest().config, settings: parsed.settings };
  }

  draw(id: number | "latest"): DrawRecord | PendingDraw | null {
    this.#drawCalls += 1;
    const { draws = [] } = this.#script;
    return (id === "latest" ? draws.at(-1) : draws.find((draw) => draw.id === id)) ?? null;
  }

  drawBatches(_id: number, from: number): readonly ListedBatch[] {
    this.#drawCalls += 1;
    return (this.#script.batches ?? []).filter(({ first }) => first >= from).slice(0, 2);
  }

  static {
    for (const name of ADMIN_METHODS) {
      const value = function (this: Room, ...args: unknown[]): unknown {
        return this.#admin(name, ...args);
      };
      Object.defineProperty(Room.prototype, name, { value });
    }
  }

  useStaffLink(...args: unknown[]): StaffVerdict {
    this.#adminCalls.push(["useStaffLink", ...args]);
    return this.#script.staff ?? { as: "entered" };
  }

  #admin(...call: unknown[]): unknown {
    this.#adminCalls.push(call);
    if (this.#script.admin === "throw") throw new Error("told to throw");
    return this.#script.admin ?? { as: "ok", value: {} };
  }

  #join({ key, proof = 0, exempt }: JoinRequest): JoinVerdict {
    const { join: script = { as: "next" } } = this.#script;
    if (script.as === "proven" && proof < script.cost && exempt !== true) return { as: "challenge", cost: script.cost };
    const join = script.as === "proven" ? ({ as: "next" } as const) : script;
    if (join.as !== "next" && join.as !== "next-inside") return join;
    const slot = this.#slots.get(key) ?? 1_000 + this.#slots.size;
    this.#slots.set(key, slot);
    const joinedAtS = Math.floor(Date.now() / 1_000);
    return join.as === "next" ? { as: "placed", slot, joinedAtS } : { as: "entered", joinedAtS, pass: grant(slot, 1) };
  }

  #manifest(): Manifest {
    return manifestWith({ room: this.ctx.id.name ?? "", at: Date.now(), ...this.#script.manifest });
  }
}

function grant(slot: number, serial: number) {
  const issuedAtS = Math.floor(Date.now() / 1_000);
  return { slot, serial, issuedAtS, expiresAtS: issuedAtS + 600, endsAtS: issuedAtS + 3_600 };
}

type Stub = RoomRpc & Pick<Room, "script" | "forget"> & { seen(): Promise<Omit<Seen, "attempts" | "stubs">> };
interface Namespace {
  getByName(name: string): Stub;
}

/** Per room, in this isolate. */
const faults = new Map<string, Fault[]>();
const counts = new Map<string, { attempts: number; stubs: number }>();

function countOf(room: string): { attempts: number; stubs: number } {
  const count = counts.get(room) ?? { attempts: 0, stubs: 0 };
  counts.set(room, count);
  return count;
}

/** A namespace whose stubs fail as told, and stay broken once they threw, as real ones do. */
function faulty(rooms: Namespace): RoomNamespace {
  return {
    getByName(name) {
      countOf(name).stubs += 1;
      const real = rooms.getByName(name);
      let broken: Error | null = null;
      const call = async <T>(work: () => Promise<T>): Promise<T> => {
        if (broken !== null) throw broken;
        const fault = faults.get(name)?.shift();
        if (fault === "hang") return new Promise<T>(() => undefined);
        if (typeof fault === "object") await new Promise((resolve) => setTimeout(resolve, fault.slow));
        else if (fault !== undefined) {
          if (fault === "lost") await work();
          const flags =
            fault === "overloaded-retryable" ? { overloaded: true, retryable: true } : { [fault === "lost" ? "retryable" : fault]: true };
          const message = fault === "full" ? "database or disk is full: SQLITE_FULL" : `told to fail: ${fault}`;
          broken = Object.assign(new Error(message), fault === "full" ? { durableObjectReset: true } : flags);
          throw broken;
        }
        return work();
      };
      const own: Partial<RoomRpc> = {
        exchange: (batch) => {
          countOf(name).attempts += 1;
          return call(() => real.exchange(batch));
        },
        config: (revision) => real.config(revision),
      };
      const through = (method: keyof RoomRpc) => {
        return (...args: unknown[]) => call(() => (real[method] as (...given: unknown[]) => Promise<unknown>)(...args));
      };
      return new Proxy(own as RoomRpc, { get: (_, method: keyof RoomRpc) => own[method] ?? through(method) });
    },
  };
}

export type Order =
  | { readonly order: "script"; readonly room: string; readonly script: Script }
  | { readonly order: "faults"; readonly room: string; readonly faults: readonly Fault[] }
  | { readonly order: "forget"; readonly room: string }
  | { readonly order: "seen"; readonly room: string };

const environments = new WeakMap<object, Env>();

export default {
  async fetch(request: Request, env: Omit<Env, "ROOM"> & { readonly ROOM: Namespace }, ctx: ExecutionContext): Promise<Response> {
    if (request.headers.get("Host") === "control.test") {
      const order = (await request.json()) as Order;
      const room = env.ROOM.getByName(order.room);
      if (order.order === "script") await room.script(order.script);
      if (order.order === "faults") faults.set(order.room, [...order.faults]);
      if (order.order === "forget") {
        await room.forget();
        counts.delete(order.room);
      }
      return Response.json(order.order === "seen" ? { ...(await room.seen()), ...countOf(order.room) } : {});
    }
    const used = environments.get(env) ?? { ...env, ROOM: faulty(env.ROOM) };
    environments.set(env, used);
    return handle(request, used, ctx);
  },
};
