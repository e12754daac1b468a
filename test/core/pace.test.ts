/** Isolates of one colo that share a cache: who calls the Room when, and what each still knows of an answer that came too late. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type Batch,
  type ClaimVerdict,
  COLO_WAKE_MS,
  type PassGrant,
  type RenewVerdict,
  type Reply,
  type Share,
} from "../../src/core/exchange";
import type { Manifest } from "../../src/core/manifest";
import type { RoomRpc } from "../../src/core/room-rpc";
import { parseRoom } from "../../src/core/settings";
import { type ColoStore, noColoStore } from "../../src/room/colo-store";
import { LateVerdicts } from "../../src/room/late-verdicts";
import { atPace, lookMs, readBook, reserve, type TurnBook, turnOf } from "../../src/room/turn-book";
import { RoomClient } from "../../src/room-client";
import { seeded } from "../support/line-world";

const NOW = 1_790_000_000_000;
const parsed = parseRoom("r", { host: "shop.example.com", total_active_users: 100, new_users_per_minute: 60 });
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
const file = parsed.settings;
const life = { waitUntil: (work: Promise<unknown>) => void work };

/** A cache that takes its time, as a real one. */
function slowStore(ms = 3): ColoStore {
  let kept: string | null = null;
  const later = () => new Promise((resolve) => setTimeout(resolve, ms));
  return {
    get: () => later().then(() => kept),
    put: (text) =>
      later().then(() => {
        kept = text;
      }),
  };
}

/** A colo of isolates before one Room that grants `share` and says when it was called. */
function coloOf(count: number, share: Share, stores = { colo: slowStore(), turns: slowStore() }) {
  const calls: { at: number; batch: Batch }[] = [];
  const say: { share: Share; renew: RenewVerdict; claim: ClaimVerdict; manifest: Partial<Manifest> } = {
    ...{ share, renew: { as: "current" }, claim: { as: "waiting" }, manifest: { endSessionsBefore: 0, revoked: [] } },
  };
  const room = {
    config: async () => ({ revision: 1, settings: file }),
    async exchange(batch: Batch): Promise<Reply> {
      calls.push({ at: Date.now() - NOW, batch });
      await new Promise((resolve) => setTimeout(resolve, 50));
      const flushAfterMs = say.share.paceMs * say.share.isolates;
      return {
        v: 1,
        manifest: {
          generation: 1,
          config: 1,
          at: Date.now(),
          admittedEpoch: 0,
          v: 1,
          room: "r",
          flushAfterMs,
          ...say.manifest,
        } as Manifest,
        joins: batch.joins.map((_, slot) => ({ as: "placed", slot, joinedAtS: 1 })),
        claims: batch.claims.map(() => say.claim),
        renewals: batch.renewals.map(() => say.renew),
        leaves: [],
        reissues: [],
        lease: null,
        share: say.share,
        config: batch.config === -1 ? { revision: 1, settings: file } : null,
      };
    },
  } as unknown as RoomRpc;
  const random = seeded(7);
  const clients = Array.from(
    { length: count },
    () => new RoomClient({ room: "r", file, stubOf: () => room, random, lists: () => noColoStore, ...stores }),
  );
  let key = 0;
  const join = (client: RoomClient | undefined, waitMs = 20_000) =>
    (client as RoomClient).join({ key: String(key++), network: 0, tag: 0, enter: true }, life, { navigation: true, waitMs });
  return { calls, say, clients, join };
}

/** Outcomes that are there by now; a promise that is not settled would be waited for without end on this clock. */
async function settledOf<T>(asked: readonly Promise<T>[], ms: number): Promise<T[]> {
  const settled: T[] = [];
  for (const each of asked) void each.then((value) => settled.push(value));
  await vi.advanceTimersByTimeAsync(ms);
  return settled;
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What lies between the calls, ms. */
const gapsOf = (calls: readonly { at: number }[]) => calls.slice(1).map(({ at }, i) => at - (calls[i]?.at ?? 0));

describe("the isolates of a colo", () => {
  test("[GATE-33] that wake together make one call at first, and then about one a pace, each in its turn", async () => {
    const { calls, clients, join } = coloOf(20, { paceMs: 1_000, isolates: 20 });
    for (const client of clients) {
      void join(client);
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(30_000);
    expect(calls[0]?.at).toBeLessThan(50);
    expect(new Set(calls.map(({ batch }) => batch.isolate)).size).toBe(20);
    for (const gap of gapsOf(calls)) expect(gap).toBeGreaterThanOrEqual(400);
    expect(calls.length).toBe(20);
    // The Room hears how many they are, and sends the settings with the first answer.
    expect(calls.at(-1)?.batch.colo?.isolates).toBe(20);
    expect(calls.map(({ batch }) => batch.config)).toEqual([-1, ...Array(19).fill(1)]);
  });

  test("[GATE-33] do not go round in step with other colos: their turns lie about a pace apart, not exactly", async () => {
    const { calls, clients, join } = coloOf(4, { paceMs: 1_000, isolates: 4 });
    for (let round = 0; round < 20; round++) {
      for (const client of clients) void join(client);
      await vi.advanceTimersByTimeAsync(2_000);
    }
    const gaps = gapsOf(calls.slice(4));
    expect(gaps.length).toBeGreaterThan(20);
    expect(gaps.filter((gap) => Math.abs(gap - 1_000) > 200).length).toBeGreaterThan(gaps.length / 4);
    expect(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).toBeGreaterThan(900);
  });

  test("[GATE-33] do not call at once in a rush: those of other colos would in the same moment", async () => {
    const firstAt = async (questions: number) => {
      const { calls, clients, join } = coloOf(1, { paceMs: 0, isolates: 1 });
      for (let i = 0; i < questions; i++) void join(clients[0]);
      await vi.advanceTimersByTimeAsync(2_000);
      const at = (calls[0]?.at ?? Number.POSITIVE_INFINITY) - (Date.now() - NOW - 2_000);
      return at;
    };
    expect(await firstAt(1)).toBeLessThan(50);
    const rush = await firstAt(5);
    expect(rush).toBeGreaterThan(50);
    expect(rush).toBeLessThan(COLO_WAKE_MS + 50);
  });

  test("[GATE-33] do not call at once in a rush after a long silence either: a lobby's draw wakes all colos", async () => {
    const { calls, clients, join } = coloOf(1, { paceMs: 20_000, isolates: 1 });
    const [client] = clients;
    const nextAt = async (questions: number) => {
      await vi.advanceTimersByTimeAsync(40_000);
      const [askedAt, before] = [Date.now(), calls.length];
      for (let i = 0; i < questions; i++) void join(client);
      await vi.advanceTimersByTimeAsync(3_000);
      return (calls[before]?.at ?? Number.POSITIVE_INFINITY) + NOW - askedAt;
    };
    await nextAt(1);
    expect(await nextAt(1)).toBeLessThan(50);
    const rush = await nextAt(5);
    expect(rush).toBeGreaterThan(50);
    expect(rush).toBeLessThan(COLO_WAKE_MS + 50);
  });

  test("[GATE-33] that know an older pace than the book put themselves down by the book's", async () => {
    const stores = { colo: noColoStore, turns: slowStore() };
    const { say, clients, join } = coloOf(12, { paceMs: 2_000, isolates: 12 }, stores);
    const [old, ...others] = clients;
    void join(old);
    await vi.advanceTimersByTimeAsync(500);
    say.share = { paceMs: 300, isolates: 12 };
    for (const client of others) void join(client);
    await vi.advanceTimersByTimeAsync(8_000);
    for (const client of others) void join(client);
    await vi.advanceTimersByTimeAsync(100);
    void join(old);
    await vi.advanceTimersByTimeAsync(60);
    const book = stores.turns.get();
    await vi.advanceTimersByTimeAsync(10);
    expect(readBook(await book)).toMatchObject({ paceMs: 300 });
    expect(readBook(await book)?.turns).toHaveLength(12);
  });

  test("[GATE-33] that are only a few wait for the first to hear so, and no longer", async () => {
    const { calls, clients, join } = coloOf(3, { paceMs: 0, isolates: 1 });
    const first = await settledOf(
      clients.map((client) => join(client)),
      700,
    );
    expect(first.map(({ as }) => as)).toEqual(["answered", "answered", "answered"]);
    // From then on nobody waits for anybody.
    const before = calls.length;
    const again = clients.map((client) => join(client));
    expect(await settledOf(again, 60)).toHaveLength(3);
    expect(calls.length - before).toBe(3);
  });

  test("[GATE-33] that were silent for long take turns as new ones do: a crowd may have come", async () => {
    const { calls, clients, join } = coloOf(12, { paceMs: 0, isolates: 1 });
    for (const client of clients) {
      void join(client);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await vi.advanceTimersByTimeAsync(60_000);
    const before = calls.length;
    for (const client of clients) void join(client);
    await vi.advanceTimersByTimeAsync(40);
    expect(calls.length - before).toBe(1);
  });

  test("[GATE-33] move up when the Room lets them, and back when it does not", async () => {
    const { calls, say, clients, join } = coloOf(20, { paceMs: 1_000, isolates: 20 });
    for (const client of clients) void join(client);
    await vi.advanceTimersByTimeAsync(3_000);
    const first = calls.length;
    say.share = { paceMs: 300, isolates: 20 };
    await vi.advanceTimersByTimeAsync(6_000);
    expect(calls.length - first).toBeGreaterThan(10);
    say.share = { paceMs: 5_000, isolates: 20 };
    for (const client of clients) void join(client);
    await vi.advanceTimersByTimeAsync(1_000);
    const then = calls.length;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(calls.length - then).toBeLessThanOrEqual(5);
  });

  test.each<[string, ColoStore]>([
    ["hangs", { get: () => new Promise<null>(() => undefined), put: () => new Promise<undefined>(() => undefined) }],
    ["throws", { get: () => Promise.reject(new Error("no cache")), put: () => Promise.reject(new Error("no cache")) }],
    ["keeps nothing", noColoStore],
    ["lies", { get: async () => JSON.stringify({ v: 1, colo: 1, paceMs: 1, turns: [[3, "soon"]] }), put: async () => undefined }],
  ])("[GATE-34] whose cache %s: each keeps the pace for itself", async (_, turns) => {
    const { calls, clients, join } = coloOf(2, { paceMs: 2_000, isolates: 1 }, { colo: noColoStore, turns });
    const asked = clients.map((client) => join(client));
    expect(await settledOf(asked, 700)).toHaveLength(2);
    expect(calls.map(({ batch }) => batch.colo)).toEqual([null, null]);
    for (const client of clients) void join(client);
    await vi.advanceTimersByTimeAsync(10_000);
    for (const { batch } of calls) {
      const own = calls.filter((call) => call.batch.isolate === batch.isolate);
      for (const gap of gapsOf(own)) expect(gap).toBeGreaterThanOrEqual(1_500 - 700);
    }
  });
});

describe("the book of turns", () => {
  const who = (isolate: number) => ({ isolate, colo: 99 });
  const every = (paceMs: number) => ({ paceMs, asOf: NOW });

  test("[GATE-33] gives the first turn at once and each other one a pace after the last", () => {
    const one = reserve(null, who(1), NOW, every(500));
    const two = reserve(one.book, who(2), NOW + 10, every(500));
    const again = reserve(two.book, who(1), NOW + 20, every(500));
    expect([one.at, two.at, again.at].map((at) => at - NOW)).toEqual([0, 500, 1_000]);
    expect([again.book.colo, again.book.turns.length]).toEqual([99, 2]);
    expect(reserve(again.book, who(3), NOW + 60_000, every(500)).book.turns.length).toBe(1);
    expect(reserve(again.book, who(3), NOW + 30, every(500), { afterMs: 620 }).at - NOW).toBe(1_620);
  });

  test("[GATE-33] at another pace what is to come moves, what has been does not", () => {
    const down = (isolates: number) =>
      Array.from({ length: isolates }, (_, isolate) => isolate).reduce<TurnBook | null>(
        (so, isolate) => reserve(so, who(isolate), NOW, every(1_000)).book,
        null,
      ) as TurnBook;
    const book = down(4);
    const slower = atPace(book, NOW + 500, every(2_000));
    expect(slower.turns.map(([, at]) => at - NOW)).toEqual([0, 1_500, 3_500, 5_500]);
    expect(turnOf(slower, 9)).toBeNull();
    // Whoever looks that often has looked before a turn that has been moved up, however often that happens; and no two turns are one.
    const crowd = down(200);
    const quicker = [100, 200, 300].reduce((so, ms) => atPace(so, NOW + ms, every(1_000 / (ms / 4))), crowd);
    for (const [i, [, at]] of quicker.turns.entries()) expect(at).toBeGreaterThanOrEqual(Math.min(NOW + i * 1_000, NOW + lookMs(crowd)));
    expect(new Set(quicker.turns.map(([, at]) => at)).size).toBe(200);
    expect((quicker.turns.at(-1)?.[1] ?? 0) - NOW).toBeLessThan(10_000);
  });

  test("[GATE-34] what is no book, or lies far ahead, holds nobody back", () => {
    for (const text of [
      "",
      "null",
      "[]",
      '{"v":1}',
      '{"v":1,"colo":1,"paceMs":-1,"turns":[]}',
      '{"v":1,"colo":1,"paceMs":1,"turns":[[1]]}',
    ])
      expect(readBook(text), text).toBeNull();
    const ahead = readBook(JSON.stringify({ v: 1, colo: 1, paceMs: 500, turns: [[1, NOW + 9e9]] }));
    expect(reserve(ahead, who(2), NOW, every(500)).at - NOW).toBeLessThanOrEqual(32_000);
  });
});

describe("answers that came too late", () => {
  const pass = { slot: 5, serial: 2, issuedAtS: NOW / 1_000, expiresAtS: NOW / 1_000 + 600, endsAtS: NOW / 1_000 + 3_600 };
  const request = { slot: 5, serial: 1, tag: 4 };
  const slow = async () => {
    const colo = coloOf(1, { paceMs: 3_000, isolates: 1 }, { colo: noColoStore, turns: noColoStore });
    const [client] = colo.clients as [RoomClient];
    await Promise.all([client.newManifest(life), vi.advanceTimersByTimeAsync(500)]);
    return { ...colo, client };
  };

  test("[GATE-37] a renewal: the next request with that pass has the new one at once, and the Room is asked once", async () => {
    const { client, say, calls } = await slow();
    say.renew = { as: "renewed", pass };
    const asked = client.renew(request, 1, life, 1_000);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await asked).toEqual({ as: "late" });
    const before = calls.length;
    expect(client.lateRenewal({ ...request, tag: 5 }, 1), "another browser").toBeNull();
    expect(client.lateRenewal(request, 1)).toMatchObject({ as: "answered", verdict: { as: "renewed", pass: { serial: 2 } } });
    expect(client.lateRenewal(request, 1), "handed out once").toBeNull();
    expect(calls.length).toBe(before);
  });

  test("[GATE-37] a refusal: every further request with that pass is refused at once", async () => {
    const { client, say } = await slow();
    say.renew = { as: "void", takeoversLeft: 2 };
    void client.renew(request, 1, life, 1_000);
    await vi.advanceTimersByTimeAsync(6_000);
    for (let i = 0; i < 3; i++) expect(client.lateRenewal(request, 1)).toMatchObject({ verdict: { as: "void" } });
    expect(client.lateRenewal({ ...request, serial: 2 }, 1)).toBeNull();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(client.lateRenewal(request, 1), "after a minute the Room is asked again").toBeNull();
  });

  test("[GATE-37] a join: whoever asks again has the place without a call", async () => {
    const { client, calls } = await slow();
    const ask = () => client.join({ key: "k", network: 0, tag: 0, enter: true }, life, { navigation: true, waitMs: 1_000 });
    const first = ask();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await first).toEqual({ as: "late" });
    const before = calls.length;
    expect(await ask()).toMatchObject({ as: "answered", verdict: { as: "placed", slot: 0 } });
    expect(calls.length).toBe(before);
  });

  test("[GATE-37][DOOR-6] a guest's join: once, since the place that follows one that has ended has the same key", async () => {
    const { client, calls } = await slow();
    const guest = { invitation: { id: "i", uses: 1 } };
    const ask = () => client.join({ key: "k", network: 0, tag: 0, enter: true, guest }, life, { navigation: true, waitMs: 5_000 });
    void client.join({ key: "k", network: 0, tag: 0, enter: true, guest }, life, { navigation: true, waitMs: 1_000 });
    await vi.advanceTimersByTimeAsync(6_000);
    const before = calls.length;
    expect(await ask()).toMatchObject({ as: "answered", verdict: { as: "placed", slot: 0 } });
    expect(calls.length).toBe(before);
    await settledOf([ask()], 6_000);
    expect(calls.length).toBe(before + 1);
  });

  test("[GATE-37] a claim: who looks next hears of the turn, who goes in next has the pass, once", () => {
    const late = new LateVerdicts();
    const counts = ({ expiresAtS }: PassGrant) => expiresAtS * 1_000 > NOW;
    const wish = { slot: 7, serial: 0, tag: 3, joinedAtS: 1, intent: "enter" } as const;
    const claim = { kind: "claim", request: wish, generation: 1 } as const;
    const look = { ...claim, request: { ...wish, intent: "look" } } as const;
    const answered = (verdict: ClaimVerdict) => ({ as: "answered", generation: 1, verdict }) as const;
    const pass = { slot: 7, serial: 1, issuedAtS: NOW / 1_000, expiresAtS: NOW / 1_000 + 60, endsAtS: NOW / 1_000 + 600 };
    late.keep(claim, answered({ as: "entered", pass }), NOW);
    // Another browser, another link of the chain, another generation, and whoever wants to take the visit over ask the Room.
    for (const other of [{ tag: 4 }, { serial: 1 }, { intent: "continue" as const }]) {
      const fresh = new LateVerdicts();
      fresh.keep(claim, answered({ as: "entered", pass }), NOW);
      expect(fresh.claim({ ...claim, request: { ...wish, ...other } }, NOW, counts)).toBeNull();
    }
    expect(late.claim({ ...claim, generation: 2 }, NOW, counts)).toBeNull();
    expect([late.claim(look, NOW, counts)?.verdict, late.claim(look, NOW, counts)?.verdict]).toEqual([{ as: "inside" }, { as: "inside" }]);
    expect([late.claim(claim, NOW, counts)?.verdict, late.claim(claim, NOW, counts)]).toEqual([{ as: "entered", pass }, null]);
    late.keep(claim, answered({ as: "entered", pass: { ...pass, expiresAtS: NOW / 1_000 - 1 } }), NOW);
    expect(late.claim(claim, NOW, counts)).toBeNull();
    late.keep(look, answered({ as: "called", holdForMs: 5_000, validForMs: 9_000 }), NOW);
    expect(late.claim(look, NOW + 6_000, counts)?.verdict).toEqual({ as: "called", holdForMs: 0, validForMs: 3_000 });
    expect(late.claim(look, NOW + 6_000, counts)).toBeNull();
    // Whether the call may be made longer is told with it; more time is the Room's to give, and makes what was said untrue.
    const called = { as: "called", holdForMs: 0, validForMs: 9_000, extendable: true } as const;
    late.keep(look, answered(called), NOW);
    expect(late.claim(look, NOW, counts)?.verdict).toEqual(called);
    late.keep(look, answered(called), NOW);
    expect(late.claim({ ...look, request: { ...look.request, extend: true } }, NOW, counts)).toBeNull();
    expect(late.claim(look, NOW, counts)).toBeNull();
    late.keep(look, answered({ as: "called", holdForMs: 5_000, validForMs: 9_000 }), NOW);
    expect(late.claim(look, NOW + 9_000, counts)).toBeNull();
    late.keep(claim, answered({ as: "moment", dueInMs: 2_000 }), NOW);
    expect(late.claim(look, NOW + 500, counts)?.verdict).toEqual({ as: "moment", dueInMs: 1_500 });
    late.keep(claim, answered({ as: "moment", dueInMs: 2_000 }), NOW);
    expect(late.claim(claim, NOW + 500, counts)).toBeNull();
    late.keep(look, answered({ as: "waiting" }), NOW);
    expect(late.claim(look, NOW, counts)).toBeNull();
  });

  test.each<[string, Partial<Manifest>, number, boolean]>([
    ["opens what it would have opened", {}, 0, true],
    ["is not handed out once its visit was given up", { revoked: [[3, 7]] }, 0, false],
    ["is not handed out once sessions were ended", { endSessionsBefore: NOW / 1_000 + 60 }, 0, false],
    ["is not handed out once passes count for longer", { renewBefore: NOW / 1_000 + 60 }, 0, false],
    ["is not handed out when it is so old that it would have to ask", {}, 60_000 - 12_000, false],
  ])("[GATE-37][GATE-9] the pass of a claim %s", async (_, manifest, laterMs, isHandedOut) => {
    const { client, say, calls } = await slow();
    const ask = () => client.claim({ slot: 5, serial: 0, tag: 4, joinedAtS: 1, intent: "enter" }, 1, life, 1_000);
    say.claim = { as: "entered", pass: { ...pass, serial: 1 } };
    const first = ask();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await first).toEqual({ as: "late" });
    say.manifest = { ...say.manifest, ...manifest };
    void client.newManifest(life);
    await vi.advanceTimersByTimeAsync(6_000 + laterMs);
    say.claim = { as: "ended", why: "left" };
    const before = calls.length;
    const again = ask();
    await vi.advanceTimersByTimeAsync(6_000);
    const outcome = await again;
    expect([outcome.as === "answered" && outcome.verdict.as === "entered", calls.length - before]).toEqual([
      isHandedOut,
      isHandedOut ? 0 : 1,
    ]);
  });

  test("[GATE-37] what is kept is bounded, ends with its generation, and says nothing of who went in or of passes that are over", () => {
    const late = new LateVerdicts();
    const join = (key: string) => ({ kind: "join", request: { key, network: 0, tag: 0, enter: true }, navigation: true }) as const;
    const placed = { as: "answered", generation: 1, verdict: { as: "placed", slot: 1, joinedAtS: 1 } } as const;
    for (let i = 0; i < 5_000; i++) late.keep(join(String(i)), placed, NOW);
    expect([late.join("0", 1, NOW), late.join("4999", 1, NOW)]).toEqual([null, placed]);
    expect(late.join("4999", 2, NOW)).toBeNull();
    // Of a lobby too: five million people who ask once more would be in the draw twice.
    const entered = { as: "answered", generation: 1, verdict: { as: "entry", draw: 1, entry: 7, chain: "c", joinedAtS: 1 } } as const;
    late.keep(join("lobby"), entered, NOW);
    expect(late.join("lobby", 1, NOW)).toEqual(entered);
    late.keep(join("in"), { as: "answered", generation: 1, verdict: { as: "entered", joinedAtS: 1, pass } }, NOW);
    late.keep(join("off"), { as: "unreachable", retryAfterMs: 1 }, NOW);
    expect([late.join("in", 1, NOW), late.join("off", 1, NOW)]).toEqual([null, null]);
    const renew = { kind: "renew", request, generation: 1 } as const;
    late.keep(renew, { as: "answered", generation: 1, verdict: { as: "current" } }, NOW);
    expect(late.renewal(renew, NOW)).toBeNull();
    const over = { ...pass, expiresAtS: NOW / 1_000 - 1 };
    late.keep(renew, { as: "answered", generation: 1, verdict: { as: "renewed", pass: over } }, NOW);
    expect(late.renewal(renew, NOW)).toBeNull();
  });
});
