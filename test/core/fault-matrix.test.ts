/**
 * Every way in which a call to the Room can fail × every call that is made: how often it is tried, what its caller hears, what the log says,
 * whether the Room is left alone, and whether it counts towards `failure_policy = "open"`. On a clock of its own.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PendingDraw } from "../../src/core/draw";
import type { Batch, Reply } from "../../src/core/exchange";
import type { Manifest } from "../../src/core/manifest";
import type { RoomRpc } from "../../src/core/room-rpc";
import { parseRoom } from "../../src/core/settings";
import { type FailureKind, RoomFailure } from "../../src/room/call";
import { RoomClient } from "../../src/room-client";
import { manifestWith } from "../support/manifest";

const NOW = 1_790_000_000_000;
const parsed = parseRoom("r", {
  ...{ host: "shop.example.com", total_active_users: 100, new_users_per_minute: 60 },
  ...{ failure_policy: "open", open_after_seconds: 5 },
});
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
const file = parsed.settings;

const manifest = manifestWith({ config: -1, at: NOW });

type Fault = "retryable" | "overloaded" | "remote" | "plain" | "full" | "hang";
const FAULTS: readonly Fault[] = ["retryable", "overloaded", "remote", "plain", "full", "hang"];

/** As workerd raises them: a Room whose disk is full is reset, without any other mark than its message. */
function raise(fault: Exclude<Fault, "hang">): Error {
  if (fault === "full") return Object.assign(new Error("database or disk is full: SQLITE_FULL"), { durableObjectReset: true });
  return Object.assign(new Error("told to fail"), fault === "plain" ? {} : { [fault]: true });
}

const life = { waitUntil: (work: Promise<unknown>) => void work };

function rig() {
  const counts = { attempts: 0, stubs: 0 };
  const state: { fault: Fault | null; of: string; manifest: Partial<Manifest> } = { fault: null, of: "", manifest: {} };
  const answers: Readonly<Record<string, (batch: Batch) => unknown>> = {
    exchange: (batch): Reply => ({
      ...{ v: 1, manifest: { ...manifest, at: Date.now(), ...state.manifest }, lease: null, share: null, config: null },
      joins: batch.joins.map(() => ({ as: "placed", slot: 7, joinedAtS: 1 })),
      claims: batch.claims.map(() => ({ as: "waiting" })),
      renewals: batch.renewals.map(() => ({ as: "current" })),
      leaves: batch.leaves.map(() => ({ as: "left" })),
      reissues: [],
    }),
    draw: () => null,
    drawBatches: () => [],
  };
  const room = new Proxy({} as RoomRpc, {
    get: (_, name: string) => async (batch: Batch) => {
      const { fault, of } = state;
      if (of !== name) return answers[name]?.(batch);
      counts.attempts += 1;
      if (fault === "hang") return new Promise(() => undefined);
      if (fault !== null) throw raise(fault);
      return answers[name]?.(batch);
    },
  });
  const none = { get: async () => null, put: async () => undefined };
  const stubOf = () => {
    counts.stubs += 1;
    return room;
  };
  const client = new RoomClient({ room: "r", file, stubOf, colo: none, turns: none, lists: () => none, random: () => 0.5 });
  return { client, counts, state, none };
}
type Rig = ReturnType<typeof rig>;

/** The kind of failure that a call throws. */
const thrown = (call: Promise<unknown>) =>
  call.then(
    () => "answered",
    (error: unknown) => (error instanceof RoomFailure ? error.kind : String(error)),
  );

const CLAIM = { slot: 50, serial: 0, tag: 0, joinedAtS: 1, intent: "enter" } as const;
const WHO = { name: "x", reason: "", role: "operator", once: null } as const;

/** What is asked, of which method of the Room, and what its caller hears. */
const CALLS: Readonly<Record<string, readonly [method: string, ask: (rig: Rig) => Promise<string>]>> = {
  join: [
    "exchange",
    async ({ client }) => (await client.join({ key: "k", network: 0, tag: 0, enter: true }, life, { navigation: true, waitMs: 2_500 })).as,
  ],
  claim: ["exchange", async ({ client }) => (await client.claim(CLAIM, 1, life, 3_500)).as],
  renew: ["exchange", async ({ client }) => (await client.renew({ slot: 50, serial: 1, tag: 0 }, 1, life, 2_500)).as],
  leave: ["exchange", async ({ client }) => (await client.leave({ slot: 50, serial: 0 }, 1, life, 2_500)).as],
  look: ["exchange", async ({ client }) => ((await client.newManifest(life))?.ageMs === 0 ? "a new notice" : "the last notice")],
  config: [
    "config",
    async ({ client, state }) => {
      state.manifest = { config: 7 };
      return (await client.claim(CLAIM, 1, life, 3_500)).as;
    },
  ],
  draw: ["draw", async ({ client }) => String(await client.draws.find(3, Date.now(), "token"))],
  "draw's list": ["drawBatches", async ({ client }) => String(await client.draws.list({ id: 3 } as PendingDraw, 0, Date.now(), life))],
  "admin read": ["stats", ({ client }) => thrown(client.call((room) => room.stats(), { deadlineMs: 5_000, retry: true }))],
  "admin change": [
    "turn",
    ({ client }) => thrown(client.call((room) => room.turn("pause", WHO, null), { deadlineMs: 5_000, retry: false })),
  ],
};

interface Cell {
  readonly attempts: number;
  readonly hears: string;
  /** Kinds of failures in the log. */
  readonly log: readonly string[];
  /** What somebody who comes next hears at once, without a call; null = a call is made. */
  readonly next: string | null;
  readonly openness: string;
}

async function cellOf(call: string, fault: Fault): Promise<Cell> {
  const [method, ask] = CALLS[call] ?? ["", async () => ""];
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const own = rig();
  await settle(own.client.newManifest(life));
  await vi.advanceTimersByTimeAsync(1_000);
  warned.mockClear();
  own.state.fault = fault;
  own.state.of = method;
  const hears = await settle(ask(own));
  // Who only looks hears something before the call is given up.
  await vi.advanceTimersByTimeAsync(1_100);
  const log = warned.mock.calls.map(([line]) => {
    const { event, kind } = JSON.parse(String(line)) as { event: string; kind?: string };
    return kind ?? event;
  });
  const { attempts } = own.counts;
  const openness = own.client.openness;
  // Somebody else comes, for something that would be an exchange.
  own.state.of = "";
  const stubs = own.counts.stubs;
  const next = await settle(own.client.claim(CLAIM, 1, life, 3_500));
  return { attempts, hears, log, next: own.counts.stubs === stubs ? next.as : null, openness };
}

/** Runs virtual time until `promise` is settled. */
async function settle<T>(promise: Promise<T>): Promise<T> {
  let settled = false;
  const done = promise.finally(() => {
    settled = true;
  });
  while (!settled) await vi.advanceTimersByTimeAsync(10);
  return done;
}

const KINDS: Readonly<Record<Fault, FailureKind>> = {
  ...{ retryable: "transport", overloaded: "overloaded", remote: "remote", plain: "other", full: "full", hang: "late" },
};

/** The rules of the matrix: nothing else is expected of any cell. */
function expected(call: string, fault: Fault): Cell {
  const isExchange = CALLS[call]?.[0] === "exchange";
  const isRetried = call !== "config" && call !== "admin change";
  const attempts = fault === "retryable" && isRetried ? 3 : 1;
  const openness = fault === "retryable" && call !== "config" ? "going-on" : "shut";
  if (!isExchange) {
    const hears: Record<string, string> = { config: "answered", draw: "unknown", "draw's list": "null" };
    return { attempts, hears: hears[call] ?? KINDS[fault], log: call === "config" ? ["room-config-failed"] : [], next: null, openness };
  }
  const tried = fault === "full" ? "full" : "unreachable";
  const hears = call === "look" ? "the last notice" : tried;
  // One error of the Room's own, and a join that could not be stored, say nothing about what the next one asks.
  const isAboutThis = fault === "remote" || (fault === "full" && call === "join");
  return { attempts, hears, log: [KINDS[fault]], next: isAboutThis ? null : tried, openness };
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe.each(Object.keys(CALLS))("a call that fails: %s", (call) => {
  test.each(FAULTS)("[GATE-32][FAIL-1][P11] C51 O5 %s", async (fault) => {
    expect(await cellOf(call, fault)).toEqual(expected(call, fault));
  });
});

describe("a storage that is full", () => {
  test("[FAIL-6] O5 keeps joins back for five seconds, so that what needs no new rows may be stored; then they are tried again", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const own = rig();
    await settle(own.client.newManifest(life));
    const join = () => CALLS["join"]?.[1](own) ?? Promise.resolve("");
    own.state.of = "exchange";
    own.state.fault = "full";
    expect(await settle(join())).toBe("full");
    const { attempts } = own.counts;
    own.state.fault = null;
    expect([await settle(join()), own.counts.attempts]).toEqual(["full", attempts]);
    expect(await settle(own.client.renew({ slot: 50, serial: 1, tag: 0 }, 1, life, 2_500))).toMatchObject({ as: "answered" });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await settle(join())).toBe("answered");
  });

  test("[FAIL-6] O5 as the Room itself tells it: what has a verdict has it, the rest hears why", async () => {
    const own = rig();
    const reply = { v: 1, manifest, joins: [], claims: [{ as: "waiting" }], renewals: [], leaves: [], storage: "full" };
    const client = new RoomClient({
      ...{ room: "r", file, stubOf: () => ({ exchange: async () => reply }) as unknown as RoomRpc, lists: () => own.none },
      ...{ colo: own.none, turns: own.none, random: () => 0.5 },
    });
    await settle(client.newManifest(life));
    const asked = [client.claim(CLAIM, 1, life, 3_500), client.renew({ slot: 50, serial: 1, tag: 0 }, 1, life, 2_500)];
    expect((await settle(Promise.all(asked))).map(({ as }) => as)).toEqual(["answered", "full"]);
  });
});
