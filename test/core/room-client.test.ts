/** The edge's side of a room: gathering, pacing, failing and remembering, on a clock of its own. What needs real requests is in test/worker. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type Batch,
  type ClaimVerdict,
  decodeSightings,
  type JoinVerdict,
  type Lease,
  type Reply,
  type Share,
} from "../../src/core/exchange";
import type { Manifest } from "../../src/core/manifest";
import type { RoomConfig, RoomRpc } from "../../src/core/room-rpc";
import { parseRoom } from "../../src/core/settings";
import type { RoomEvent, RoomSettings } from "../../src/core/settings-types";
import { Breaker } from "../../src/room/breaker";
import type { ColoStore } from "../../src/room/colo-store";
import { type Carried, ExchangeQueue, type Exchanger } from "../../src/room/exchange-queue";
import { RoomClient } from "../../src/room-client";
import { manifestWith } from "../support/manifest";

const NOW = 1_790_000_000_000;
const parsed = parseRoom("r", { host: "shop.example.com", total_active_users: 100, new_users_per_minute: 60 });
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
const file = parsed.settings;

const base = manifestWith({ at: NOW });

type Fail = { retryable?: true; overloaded?: true; remote?: true } | "hang";

/** A Room in Node that answers after `delayMs`, or fails as told. */
class FakeRoom {
  delayMs = 50;
  manifest: Partial<Manifest> = {};
  fails: Fail[] = [];
  lease: Lease | null = null;
  share: Share | null = null;
  /** Sent along with replies, if the edge has an older one. */
  config: RoomConfig | null = null;
  title = "first";
  failConfig = false;
  settings: Partial<RoomSettings> = {};
  readonly batches: Batch[] = [];
  readonly sentAt: number[] = [];
  attempts = 0;
  stubs = 0;
  configs = 0;

  readonly stubOf = (): RoomRpc => {
    this.stubs += 1;
    return { exchange: (batch: Batch) => this.#exchange(batch), config: () => this.#config() } as unknown as RoomRpc;
  };

  async #exchange(batch: Batch): Promise<Reply> {
    this.attempts += 1;
    const fail = this.fails.shift();
    if (fail === "hang") return new Promise<Reply>(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    if (fail !== undefined) throw Object.assign(new Error("told to fail"), fail);
    this.batches.push(batch);
    this.sentAt.push(Date.now() - this.delayMs);
    return {
      v: 1,
      manifest: { ...base, at: Date.now(), ...this.manifest },
      joins: batch.joins.map(({ key }): JoinVerdict => ({ as: "placed", slot: Number(key), joinedAtS: 1 })),
      claims: batch.claims.map(({ slot }): ClaimVerdict => ({ as: "moment", dueInMs: slot })),
      renewals: batch.renewals.map(() => ({ as: "current" as const })),
      leaves: batch.leaves.map(() => ({ as: "left" as const })),
      reissues: batch.reissues.map(() => ({ as: "reissued" as const })),
      lease: this.lease,
      share: this.share,
      config: this.config !== null && batch.config !== null && batch.config < this.config.revision ? this.config : null,
    };
  }

  async #config() {
    this.configs += 1;
    if (this.failConfig) throw new Error("told to fail");
    return { revision: this.manifest.config ?? base.config, settings: { ...file, title: this.title, ...this.settings } };
  }
}

const life = { waitUntil: (work: Promise<unknown>) => void work };
const emptyColo: ColoStore = { get: async () => null, put: async () => undefined };

function rig(options: { colo?: ColoStore; turns?: ColoStore; random?: () => number } = {}) {
  const room = new FakeRoom();
  const client = new RoomClient({
    room: "r",
    file,
    stubOf: room.stubOf,
    colo: emptyColo,
    turns: emptyColo,
    lists: () => emptyColo,
    random: () => 0.5,
    ...options,
  });
  const join = (key: number, waitMs = 2_000) =>
    client.join({ key: String(key), network: 0, tag: 0, enter: true }, life, { navigation: true, waitMs });
  const claim = (slot: number, generation = 1, waitMs = 3_500) =>
    client.claim({ slot, serial: 0, tag: 0, joinedAtS: 1, intent: "enter" }, generation, life, waitMs);
  return { room, client, join, claim };
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  // Before the real timers: a spy on a faked one would put the fake back, and the next file's real waits would never end.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Runs virtual time until `promise` is settled. */
async function run<T>(value: Promise<T> | T): Promise<T> {
  const promise = Promise.resolve(value);
  let settled = false;
  const done = promise.finally(() => {
    settled = true;
  });
  while (!settled) await vi.advanceTimersByTimeAsync(10);
  return done;
}

describe("gathering", () => {
  test("[GATE-30] the first goes at once, the rest gather while it is in flight, each verdict at its own request", async () => {
    const { room, join } = rig();
    const first = join(0);
    await vi.advanceTimersByTimeAsync(10);
    const others = Array.from({ length: 200 }, (_, i) => join(i + 1));
    const outcomes = await run(Promise.all([first, ...others]));
    expect(room.batches.map((batch) => batch.joins.length)).toEqual([1, 200]);
    expect(outcomes).toEqual(outcomes.map((_, slot) => ({ as: "answered", generation: 1, verdict: { as: "placed", slot, joinedAtS: 1 } })));
  });

  test("[GATE-38] who asks for a place again waits with the first question, unless it is another by its proof", async () => {
    const { room, client, join } = rig();
    room.manifest = { flushAfterMs: 10_000 };
    await run(client.newManifest(life));
    const first = join(1, 1_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await first).toEqual({ as: "late" });
    const again = join(1, 15_000);
    const other = client.join({ key: "1", network: 0, tag: 0, enter: true, proof: 3 }, life, { navigation: true, waitMs: 15_000 });
    expect(await run(again)).toMatchObject({ as: "answered", verdict: { slot: 1 } });
    await run(other);
    expect(room.batches.flatMap(({ joins }) => joins.map(({ key, proof }) => [key, proof]))).toEqual([
      ["1", undefined],
      ["1", 3],
    ]);
  });

  test("[GATE-38] a question that is asked again lives on, longer than the request that asked first", async () => {
    const { room, client, join } = rig();
    room.manifest = { flushAfterMs: 30_000 };
    await run(client.newManifest(life));
    void join(1, 1_000);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await run(join(1, 15_000))).toMatchObject({ as: "answered", verdict: { slot: 1 } });
  });

  test("[GATE-38] a request that was told to come back ends once the same is asked again, and the question lives on", async () => {
    const { room, client } = rig();
    room.manifest = { flushAfterMs: 30_000 };
    await run(client.newManifest(life));
    let running = 0;
    const counted = {
      waitUntil: (work: Promise<unknown>) => {
        running += 1;
        void work.finally(() => {
          running -= 1;
        });
      },
    };
    const join = (waitMs: number) => client.join({ key: "1", network: 0, tag: 0, enter: true }, counted, { navigation: true, waitMs });
    for (let asked = 0; asked < 5; asked++) {
      expect(await run(join(1_000))).toEqual({ as: "late" });
      await vi.advanceTimersByTimeAsync(2_000);
      expect(running).toBe(1);
    }
    expect(await run(join(20_000))).toMatchObject({ as: "answered", verdict: { slot: 1 } });
  });

  test("[GATE-38] a look is asked once for all who wait for it, a claim each time", async () => {
    const { room, client, claim } = rig();
    room.manifest = { flushAfterMs: 5_000 };
    await run(client.newManifest(life));
    const look = () => client.claim({ slot: 7, serial: 0, tag: 0, joinedAtS: 1, intent: "look" }, 1, life, 10_000);
    await run(Promise.all([look(), look(), claim(7, 1, 10_000), claim(7, 1, 10_000)]));
    expect(room.batches.flatMap(({ claims }) => claims.map(({ intent }) => intent)).sort()).toEqual(["enter", "enter", "look"]);
  });

  test("[GATE-30] parallel requests of a cold isolate travel together", async () => {
    const { room, join } = rig();
    await run(Promise.all(Array.from({ length: 200 }, (_, i) => join(i))));
    expect(room.batches.map((batch) => batch.joins.length)).toEqual([200]);
  });

  test("[GATE-30] claims are judged by when they reached the edge, not by when they were sent", async () => {
    const { room, client, join, claim } = rig();
    await run(client.newManifest(life));
    void join(0);
    await vi.advanceTimersByTimeAsync(20);
    await run(claim(7));
    expect(room.batches.at(-1)?.claims).toMatchObject([{ slot: 7, ageMs: 30 }]);
  });

  test("[GATE-30] more than one batch can hold: claims and page loads go first", async () => {
    const { room, client, join, claim } = rig();
    await run(client.newManifest(life));
    void join(0);
    await vi.advanceTimersByTimeAsync(10);
    const quiet = { network: 0, tag: 0, enter: false };
    for (let i = 1; i <= 240; i++) void client.join({ key: String(i), ...quiet }, life, { navigation: false, waitMs: 2_000 });
    for (let i = 1; i <= 60; i++) void join(i);
    for (let i = 1; i <= 20; i++) void claim(i);
    await vi.advanceTimersByTimeAsync(200);
    const [, , full, rest] = room.batches;
    expect([full?.claims.length, full?.joins.length, rest?.joins.length]).toEqual([20, 180, 120]);
    expect(full?.joins.filter(({ enter }) => enter).length).toBe(60);
  });

  test("[GATE-12] a join that got no answer in time is told so, and still gets its place", async () => {
    const { room, join } = rig();
    room.delayMs = 1_900;
    void join(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(await run(join(2, 1_000))).toEqual({ as: "late" });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(room.batches.flatMap((batch) => batch.joins.map(({ key }) => key))).toEqual(["1", "2"]);
  });

  test("[GATE-9] a place of a generation that this isolate has not heard of is put once it has", async () => {
    const { room, client, claim } = rig();
    room.manifest = { generation: 7 };
    room.fails = [{ remote: true }];
    expect(await run(client.manifest(life, 2_000)), "cold, and the Room fails").toBeNull();
    const renew = (generation: number) => run(client.renew({ slot: 6, serial: 3, tag: 1 }, generation, life, 2_000));
    const asked = () => room.batches.flatMap(({ generation, claims, renewals }) => [...claims, ...renewals].map(() => generation));
    const parallel = claim(5, 7);
    expect(await renew(7)).toMatchObject({ as: "answered", verdict: { as: "current" } });
    expect(await run(parallel)).toMatchObject({ as: "answered", verdict: { as: "moment" } });
    expect(asked()).toEqual([7, 7]);
    room.manifest = { generation: 8 };
    expect(await renew(8), "reset meanwhile").toMatchObject({ as: "answered", verdict: { as: "current" } });
    expect(asked()).toEqual([7, 7, 8]);
    expect(await renew(9), "none of this Room's").toMatchObject({ as: "answered", verdict: { as: "restarted" }, generation: 8 });
    expect(asked()).toEqual([7, 7, 8]);
  });

  test("[GATE-9] what belongs to a former generation is answered without asking", async () => {
    const { room, client, claim } = rig();
    room.manifest = { generation: 2 };
    await run(client.newManifest(life));
    expect(await run(claim(7, 1))).toMatchObject({ as: "answered", verdict: { as: "restarted" } });
    expect(room.batches.flatMap((batch) => batch.claims)).toEqual([]);
  });
});

describe("a leader that dies", () => {
  const carried: Carried = { sightings: [], entriesSeen: null, leaseWanted: 0, origin: { ok: 0, failed: 0, slow: 0 }, failedOpen: null };

  /** A queue whose first flight is lost with its leader: neither an answer nor an error ever comes. */
  function lossy(lost: number) {
    const sends: number[] = [];
    const exchanger: Exchanger = {
      generation: () => 1,
      collect: () => carried,
      giveBack: () => undefined,
      send: async (batch) => {
        sends.push(batch.joins.length);
        if (sends.length <= lost) return new Promise<Reply>(() => undefined);
        const joins = batch.joins.map(({ key }): JoinVerdict => ({ as: "placed", slot: Number(key), joinedAtS: 1 }));
        return { v: 1, manifest: base, joins, claims: [], renewals: [], leaves: [], reissues: [], lease: null, share: null, config: null };
      },
      late: () => undefined,
      settled: async () => undefined,
    };
    const queue = new ExchangeQueue(exchanger, new Breaker(), { notBefore: 0, mayCall: () => true, called: () => undefined }, () => 0.5);
    const join = (key: number) =>
      queue.ask({ kind: "join", request: { key: String(key), network: 0, tag: 0, enter: true }, navigation: true }, life, 20_000);
    return { sends, join };
  }

  test("[GATE-31] O3 C37 what it carried is sent again by somebody else after 3 s, and nobody is left behind", async () => {
    const { sends, join } = lossy(1);
    const asked = [join(0), join(1)];
    await vi.advanceTimersByTimeAsync(500);
    asked.push(join(2));
    const outcomes = await run(Promise.all(asked));
    expect(outcomes.map((outcome) => outcome.as)).toEqual(["answered", "answered", "answered"]);
    expect(sends[0]).toBeLessThanOrEqual(2);
    expect(sends.slice(1).reduce((total, count) => total + count, 0)).toBe(3);
    expect(Date.now() - NOW).toBeLessThan(3_600);
  });

  test("[GATE-31] while one who leads looks for its turn the others hardly do, least of all whoever was told to come back", async () => {
    const exchanger = { generation: () => 1, collect: () => carried } as unknown as Exchanger;
    // The turn does not come, and is looked for every half second.
    const pace = {
      get notBefore() {
        return 500 * Math.ceil((Date.now() + 1) / 500);
      },
      mayCall: () => false,
      called: () => undefined,
    };
    const queue = new ExchangeQueue(exchanger, new Breaker(), pace, () => 0.5);
    for (let key = 0; key < 100; key++) {
      const request = { key: String(key), network: 0, tag: 0, enter: true };
      void queue.ask({ kind: "join", request, navigation: true }, life, 2_000);
    }
    await vi.advanceTimersByTimeAsync(2_100);
    const timers = vi.spyOn(globalThis, "setTimeout");
    await vi.advanceTimersByTimeAsync(20_000);
    // Beside the long ones that only keep a request alive.
    const looks = timers.mock.calls.filter(([, ms]) => Number(ms) < 5_000).length / 100;
    expect(looks).toBeGreaterThan(20 / 5);
    expect(looks).toBeLessThan(20 / 3);
  });

  test("[GATE-31] nothing is sent more than twice: then it counts as not reached", async () => {
    const { sends, join } = lossy(99);
    const asked = [join(0)];
    for (let i = 1; i <= 2; i++) {
      await vi.advanceTimersByTimeAsync(100);
      asked.push(join(i));
    }
    expect((await run(asked[0] ?? join(9))).as).toBe("unreachable");
    // The three travel together the second time; the third leader sends without the first.
    expect(sends).toEqual([1, 3, 2]);
  });
});

describe("a crowd", () => {
  const joined = (batches: readonly Batch[]) => batches.map(({ joins }) => joins.length);

  test("[GATE-30] that keeps coming travels by fifties and more, though the Room answers within a few milliseconds", async () => {
    const { room, join } = rig();
    room.delayMs = 3;
    const asked: Promise<unknown>[] = [];
    for (let ms = 0; ms < 300; ms++) {
      for (let i = 0; i < 4; i++) asked.push(join(4 * ms + i));
      await vi.advanceTimersByTimeAsync(1);
    }
    await run(Promise.all(asked));
    const sizes = joined(room.batches);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_200);
    expect(1_200 / sizes.length).toBeGreaterThan(50);
  });

  test("[GATE-30] that is all there is not waited for, nor is anybody who comes alone or some time later", async () => {
    const { room, join } = rig();
    room.delayMs = 3;
    const cameAt: number[] = [];
    const come = async (keys: number[]) => {
      cameAt.push(Date.now());
      await run(Promise.all(keys.map((key) => join(key))));
    };
    for (let key = 0; key < 5; key++) await come([key]);
    await come(Array.from({ length: 40 }, (_, i) => 100 + i));
    await come(Array.from({ length: 10 }, (_, i) => 200 + i));
    // A busy isolate takes its time to answer so many: who comes next is of the crowd, though it comes a little later.
    await vi.advanceTimersByTimeAsync(100);
    await come(Array.from({ length: 10 }, (_, i) => 300 + i));
    await vi.advanceTimersByTimeAsync(300);
    await come([999]);
    // Of forty at once the first alone, all the others with the next call; the tens after a crowd wait twice 4 ms, and nobody more comes.
    expect(joined(room.batches)).toEqual([1, 1, 1, 1, 1, 1, 39, 10, 10, 1]);
    const [fortyAt = 0, tenAt = 0, nextAt = 0, lastAt] = cameAt.slice(5);
    expect(room.sentAt).toEqual([...cameAt.slice(0, 5), fortyAt, fortyAt + 3, tenAt + 8, nextAt + 8, lastAt]);
  });
});

describe("a Room that fails", () => {
  test.each<[string, Fail[], number, string]>([
    ["retryable once", [{ retryable: true }], 2, "answered"],
    ["retryable twice", [{ retryable: true }, { retryable: true }], 3, "answered"],
    ["retryable for ever", Array.from({ length: 9 }, () => ({ retryable: true as const })), 3, "unreachable"],
    ["overloaded", [{ overloaded: true }], 1, "unreachable"],
    ["overloaded and retryable", [{ overloaded: true, retryable: true }], 1, "unreachable"],
    ["its own error", [{ remote: true }], 1, "unreachable"],
    ["some error", [{}], 1, "unreachable"],
    ["no answer", ["hang"], 1, "unreachable"],
  ])("[GATE-32] C51 %s", async (_, fails, attempts, as) => {
    const { room, join } = rig();
    room.fails = fails;
    expect((await run(join(1, 2_500))).as).toBe(as);
    expect([room.attempts, room.stubs]).toEqual([attempts, as === "answered" ? attempts + 1 : attempts]);
  });

  test("[GATE-32] O2 after a failure to reach it nobody tries for 3 s, and everybody hears so at once", async () => {
    const { room, join, client } = rig();
    room.fails = [{}];
    await run(join(1));
    for (let i = 0; i < 50; i++) expect(await join(i)).toMatchObject({ as: "unreachable" });
    expect(await client.newManifest(life)).toBeNull();
    expect(room.attempts).toBe(1);
    await vi.advanceTimersByTimeAsync(2_900);
    expect(await join(2)).toMatchObject({ as: "unreachable" });
    await vi.advanceTimersByTimeAsync(1_100);
    expect(await run(join(3))).toMatchObject({ as: "answered" });
  });

  test("[GATE-32] an error of the Room's own is about that batch: the next one is tried at once", async () => {
    const { room, join } = rig();
    room.fails = [{ remote: true }];
    await run(join(1));
    expect(await run(join(2))).toMatchObject({ as: "answered" });
  });

  test("[GATE-32] but a Room that only ever throws is left alone as well", async () => {
    const { room, join } = rig();
    room.fails = Array.from({ length: 99 }, () => ({ remote: true as const }));
    for (let i = 0; i < 20; i++) await run(join(i));
    expect(room.attempts).toBe(2);
  });

  test("[GATE-32] those who waited behind a failed call hear so too, instead of waiting for nothing", async () => {
    const { room, join } = rig();
    room.fails = ["hang"];
    const asked = [join(1, 9_000), join(2, 9_000)];
    await vi.advanceTimersByTimeAsync(100);
    asked.push(join(3, 9_000));
    expect((await run(Promise.all(asked))).map((outcome) => outcome.as)).toEqual(["unreachable", "unreachable", "unreachable"]);
    expect(Date.now() - NOW).toBeLessThan(2_500);
  });
});

describe("the Room's pace", () => {
  test("[GATE-33] an isolate waits as long between calls as the Room asks for, give or take a quarter", async () => {
    const draws = [0.5, 0, 1, 0.3, 0.7];
    let at = 0;
    const { room, client, join } = rig({ random: () => draws[at++ % draws.length] ?? 0.5 });
    room.manifest = { flushAfterMs: 1_000 };
    await run(client.newManifest(life));
    for (let i = 0; i < 400; i++) {
      void join(i);
      await vi.advanceTimersByTimeAsync(25);
    }
    await vi.advanceTimersByTimeAsync(2_000);
    const gaps = room.sentAt.slice(1).map((time, i) => time - (room.sentAt[i] ?? 0));
    expect(gaps.length).toBeGreaterThan(6);
    // The first call was made before the pace was known.
    for (const gap of gaps.slice(1)) {
      expect(gap).toBeGreaterThanOrEqual(750);
      expect(gap).toBeLessThanOrEqual(1_300);
    }
    expect(new Set(room.batches.flatMap((batch) => batch.joins.map(({ key }) => key))).size).toBe(400);
  });

  test("[GATE-33] a cold isolate learns the pace from the colo before its first call, and spreads it", async () => {
    for (const share of [0.3, 0.9]) {
      vi.setSystemTime(NOW);
      const kept = JSON.stringify({ v: 1, asOf: NOW - 1_000, manifest: { ...base, flushAfterMs: 10_000 }, config: null });
      const { room, client, join } = rig({ colo: { ...emptyColo, get: async () => kept }, random: () => share });
      expect((await run(client.manifest(life, 2_000)))?.manifest.flushAfterMs).toBe(10_000);
      expect(await run(join(1))).toEqual({ as: "late" });
      await vi.advanceTimersByTimeAsync(12_000);
      expect(room.batches.flatMap((batch) => batch.joins)).toHaveLength(1);
      expect(room.sentAt[0]).toBeGreaterThanOrEqual(NOW + share * 10_000);
      expect(room.sentAt[0]).toBeLessThan(NOW + share * 10_000 + 100);
    }
  });

  test("[GATE-33] nobody waits for a manifest that the pace forbids to fetch", async () => {
    const { room, client } = rig();
    room.manifest = { flushAfterMs: 20_000 };
    await run(client.newManifest(life));
    await vi.advanceTimersByTimeAsync(3_000);
    await run(client.newManifest(life));
    await vi.advanceTimersByTimeAsync(3_000);
    const before = Date.now();
    expect((await client.manifest(life, 2_000))?.ageMs).toBeGreaterThan(2_000);
    expect(Date.now()).toBe(before);
  });
});

describe("the manifest", () => {
  test("[GATE-10] O2 is asked for once a second or two, however many people ask", async () => {
    const { room, client } = rig({ random: Math.random });
    for (let i = 0; i < 1_000; i++) {
      void client.manifest(life, 2_000);
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(room.batches.length).toBeGreaterThanOrEqual(5);
    expect(room.batches.length).toBeLessThanOrEqual(11);
  });

  test("[GATE-34] W8 never goes back to an older state, and a new one is never taken for older", async () => {
    const { room, client } = rig();
    const ask = async (manifest: Partial<Manifest>) => {
      room.manifest = manifest;
      return (await run(client.newManifest(life)))?.manifest;
    };
    await ask({ generation: 2, config: 3, admittedEpoch: 200 });
    expect(await ask({ generation: 1, config: 9, admittedEpoch: 900 })).toMatchObject({ generation: 2, admittedEpoch: 200 });
    expect(await ask({ generation: 2, config: 2, admittedEpoch: 900 })).toMatchObject({ config: 3, admittedEpoch: 200 });
    expect(await ask({ generation: 2, config: 3, admittedEpoch: 150 })).toMatchObject({ admittedEpoch: 200 });
    expect(await ask({ generation: 2, config: 3, admittedEpoch: 201 })).toMatchObject({ admittedEpoch: 201 });
    expect(await ask({ generation: 3, config: 3, admittedEpoch: 0 })).toMatchObject({ generation: 3, admittedEpoch: 0 });
  });

  test("[GATE-34] W8 nor by what the colo's cache says, which nobody has to believe", async () => {
    const texts = [
      "not json",
      "null",
      "[]",
      '{"v":1}',
      JSON.stringify({ v: 1, asOf: NOW, manifest: { ...base, admittedEpoch: 5 }, config: null }),
    ];
    for (const text of texts) {
      const { room, client } = rig({ colo: { ...emptyColo, get: async () => text } });
      room.manifest = { admittedEpoch: 200 };
      await run(client.newManifest(life));
      await vi.advanceTimersByTimeAsync(5_000);
      expect((await run(client.manifest(life, 2_000)))?.manifest.admittedEpoch).toBe(200);
    }
  });

  test("[GATE-34] C40 one isolate's manifest serves the others of its colo without a call", async () => {
    let kept: string | null = null;
    const colo: ColoStore = {
      get: async () => kept,
      put: async (text) => {
        kept = text;
      },
    };
    const one = rig({ colo });
    await run(one.client.manifest(life, 2_000));
    await vi.advanceTimersByTimeAsync(100);
    const other = rig({ colo });
    expect((await run(other.client.manifest(life, 2_000)))?.manifest.admittedEpoch).toBe(100);
    expect(other.room.attempts).toBe(0);
    expect(other.client.settings.title).toBe("first");
  });

  test("[GATE-33] what another isolate put there is used however slow the Room's pace is, and many requests share one look", async () => {
    let kept = "";
    let reads = 0;
    const { room, client } = rig({
      colo: {
        ...emptyColo,
        get: async () => {
          reads += 1;
          return kept;
        },
      },
    });
    room.manifest = { flushAfterMs: 20_000 };
    await run(client.newManifest(life));
    await vi.advanceTimersByTimeAsync(6_000);
    kept = JSON.stringify({
      v: 1,
      asOf: Date.now() - 100,
      manifest: { ...base, at: Date.now(), flushAfterMs: 20_000, admittedEpoch: 180 },
      config: null,
    });
    const seen = await run(Promise.all(Array.from({ length: 50 }, () => client.manifest(life, 5_000))));
    expect(seen.map((each) => each?.manifest.admittedEpoch)).toEqual(seen.map(() => 180));
    expect([reads, room.attempts]).toEqual([1, 1]);
  });

  test("[GATE-34] a cache that hangs or throws is no cache", async () => {
    for (const get of [() => new Promise<null>(() => undefined), () => Promise.reject(new Error("no cache"))]) {
      const { client } = rig({ colo: { ...emptyColo, get } });
      expect((await run(client.manifest(life, 2_000)))?.manifest.admittedEpoch).toBe(100);
    }
  });
});

describe("settings", () => {
  test("[EVENT-3] an event's own hold here for its duration: its title, its bounds, whom it trusts", async () => {
    const { room, client, join } = rig();
    const event: RoomEvent = {
      ...{ name: "sale", prequeueStartMs: NOW + 60_000, startMs: NOW + 90_000, endMs: NOW + 120_000, shuffle: false },
      ...{ keepSessions: false, cancelled: null, utcOffsetMinutes: 0 },
      overrides: { title: "Sale", revokeBoundMs: 3_000, trustedNetworks: ["192.0.2.0/24"], pollNearMs: 9_000 },
    };
    room.settings = { events: [event] };
    await run(join(1));
    const seen = () => {
      const { title, revokeBoundMs, pollNearMs } = client.settings;
      return { title, revokeBoundMs, pollNearMs, trusted: client.isIn("trustedNetworks", "192.0.2.7") };
    };
    const { pollNearMs } = file;
    expect(seen()).toEqual({ title: "first", revokeBoundMs: 5_000, pollNearMs, trusted: false });
    vi.setSystemTime(NOW + 60_000);
    expect(seen()).toEqual({ title: "Sale", revokeBoundMs: 3_000, pollNearMs: 9_000, trusted: true });
    vi.setSystemTime(NOW + 120_000);
    expect(seen()).toEqual({ title: "first", revokeBoundMs: 3_000, pollNearMs, trusted: false });
  });

  test("[GATE-35] are fetched once per revision, and before anybody acts on its manifest", async () => {
    const { room, client } = rig();
    expect(client.settings.title).toBe(file.title);
    await run(client.newManifest(life));
    expect(client.settings.title).toBe("first");
    await run(client.newManifest(life));
    expect(room.configs).toBe(1);
    room.manifest = { config: 2 };
    room.title = "second";
    await run(client.newManifest(life));
    expect([client.settings.title, room.configs]).toEqual(["second", 2]);
  });

  test("[GATE-35] that cannot be fetched leave the former ones in force, and are asked for again", async () => {
    const { room, client } = rig();
    room.failConfig = true;
    expect(await run(client.newManifest(life))).not.toBeNull();
    expect(client.settings.title).toBe(file.title);
    room.failConfig = false;
    await run(client.newManifest(life));
    expect(client.settings.title).toBe("first");
  });
});

describe("sightings", () => {
  const seen = (room: FakeRoom) => room.batches.map((batch) => decodeSightings(batch.sightings)).filter((slots) => slots.length > 0);
  const sight = (client: RoomClient, slot: number, generation = 1) => client.sight({ generation, slot }, life);

  test("[GATE-36] of people near the front are told within 2 s, each once, together", async () => {
    const { room, client } = rig();
    await run(client.newManifest(life));
    for (const slot of [300, 120, 300, 120, 499]) sight(client, slot);
    await vi.advanceTimersByTimeAsync(2_100);
    expect(seen(room)).toEqual([[120, 300, 499]]);
  });

  test("[GATE-36] of others are not: called already, far back, or of another generation", async () => {
    const { room, client } = rig();
    await run(client.newManifest(life));
    for (const slot of [99, 500, 900]) sight(client, slot);
    sight(client, 200, 2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([seen(room), room.batches.length]).toEqual([[], 1]);
  });

  test("[GATE-36] and the site's outcomes are told again when the exchange failed", async () => {
    const { room, client, join } = rig();
    await run(client.newManifest(life));
    sight(client, 200);
    client.report.answered("ok", 10);
    client.report.answered("failed", 9_000);
    room.fails = [{ remote: true }];
    await run(join(1));
    sight(client, 201);
    client.report.answered("ok", 10);
    await run(join(2));
    expect(seen(room)).toEqual([[200, 201]]);
    const times = Array.from({ length: 21 }, (_, i) => (i === 0 ? 2 : i === 20 ? 1 : 0));
    expect(room.batches.at(-1)?.origin).toEqual({ ok: 2, failed: 1, slow: 1, times, ms: 9_020 });
    await run(join(3));
    expect(room.batches.at(-1)).toMatchObject({ sightings: [], origin: { ok: 0, failed: 0, slow: 0 } });
  });

  test("[LOBBY-11] entries of the draw under way are told with the next exchange, again if it failed, and cause none", async () => {
    const { room, client, join } = rig();
    const times = { opensAt: NOW - 1_000, startsAt: NOW + 600_000, endsAt: NOW + 900_000, plannedAt: NOW + 600_000, utcOffsetMinutes: 0 };
    const lobby = { event: "sale", draw: 3, entries: 50, commitment: "ab".repeat(32), beacon: "drand", ...times } as const;
    room.manifest = { phase: "lobby", lobby };
    await run(client.newManifest(life));
    for (const entry of [41, 7, 41]) client.sightEntry({ draw: 3, entry });
    client.sightEntry({ draw: 2, entry: 5 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(room.batches).toHaveLength(1);
    room.fails = [{ remote: true }];
    await run(join(1));
    client.sightEntry({ draw: 3, entry: 8 });
    await run(join(2));
    expect(room.batches.at(-1)?.entriesSeen).toEqual({ draw: 3, entries: [7, 1, 33] });
    await run(join(3));
    expect(room.batches.at(-1)?.entriesSeen).toBeNull();
  });
});

describe("requests without cookies", () => {
  test("[GATE-13] S1 O2 cost one call per lease, not per request", async () => {
    const { room, client } = rig();
    room.lease = { units: 5, untilMs: NOW + 60_000 };
    const first = await run(Promise.all(Array.from({ length: 200 }, (_, i) => client.unproven(`10.0.${i}.0/24`, life))));
    expect(first.filter(Boolean)).toHaveLength(5);
    expect(room.batches.map((batch) => batch.leaseWanted)).toEqual([64]);
  });

  test("[GATE-13] without units nobody asks again for 2 s", async () => {
    const { room, client } = rig();
    for (let i = 0; i < 150; i++) {
      expect(await run(client.unproven(null, life))).toBe(false);
    }
    expect(room.attempts).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    await run(client.unproven(null, life));
    expect(room.attempts).toBe(2);
  });

  test("[GATE-13] a unit not used within the lease is gone", async () => {
    const { room, client } = rig();
    room.lease = { units: 5, untilMs: NOW + 2_000 };
    expect(await run(client.unproven(null, life))).toBe(true);
    room.lease = null;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await run(client.unproven(null, life))).toBe(false);
  });

  test("[GATE-13] one network gets three at a time, a trusted one as many as there are", async () => {
    const { room, client } = rig();
    room.lease = { units: 60, untilMs: NOW + 60_000 };
    const of = async (network: string | null, count: number) => {
      const results = [];
      for (let i = 0; i < count; i++) results.push(await run(client.unproven(network, life)));
      return results.filter(Boolean).length;
    };
    expect([await of("192.0.2.0/24", 9), await of("198.51.100.0/24", 9), await of(null, 20)]).toEqual([3, 3, 20]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await of("192.0.2.0/24", 9)).toBe(3);
  });
});
