/** One guard each of the edge: what would go wrong if a single check were missing (`test/guards/`). */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { canonicalUrl } from "../../src/core/canonical-url";
import type { Reply } from "../../src/core/exchange";
import { safeTarget } from "../../src/core/safe-target";
import { parseRoom } from "../../src/core/settings";
import { type Asked, decide, type Identity } from "../../src/gate/decide";
import { pageReply } from "../../src/http/replies";
import { Breaker } from "../../src/room/breaker";
import type { ColoStore } from "../../src/room/colo-store";
import { ExchangeQueue } from "../../src/room/exchange-queue";
import { ManifestCache } from "../../src/room/manifest-cache";
import { UnprovenLease } from "../../src/room/unproven-lease";
import { manifestWith } from "../support/manifest";

const NOW = 1_790_000_000_000;
const parsed = parseRoom("r", { host: "shop.example.com", total_active_users: 100, new_users_per_minute: 60 });
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
const file = parsed.settings;

const base = manifestWith({ at: NOW });

/** A colo that holds `kept`, and counts what is put there. */
function coloOf(kept: unknown): ColoStore & { puts: number } {
  return {
    puts: 0,
    get: async () => JSON.stringify(kept),
    async put() {
      this.puts += 1;
    },
  };
}

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

describe("what another isolate put into the colo's cache", () => {
  test("[GATE-34] W7 W8 another room's manifest is not taken, whatever the key it lay under", async () => {
    const cache = new ManifestCache("r", file, coloOf({ v: 1, asOf: NOW, manifest: { ...base, room: "other" }, config: null }));
    await cache.readColo(NOW);
    expect(cache.seen(NOW)).toBeNull();
  });

  test("[GATE-34] a colo whose clock is ahead makes no manifest younger than now", async () => {
    const cache = new ManifestCache("r", file, coloOf({ v: 1, asOf: NOW + 60_000, manifest: base, config: null }));
    await cache.readColo(NOW);
    expect(cache.seen(NOW + 5_000)?.ageMs).toBe(Number.POSITIVE_INFINITY);
    const near = new ManifestCache("r", file, coloOf({ v: 1, asOf: NOW + 2_000, manifest: base, config: null }));
    await near.readColo(NOW);
    expect(near.seen(NOW + 5_000)?.ageMs).toBe(5_000);
  });

  test("[GATE-35] settings never go back to an older revision", async () => {
    const older = { revision: 1, settings: { ...file, title: "older" } };
    const cache = new ManifestCache("r", file, coloOf({ v: 1, asOf: NOW, manifest: { ...base, admittedEpoch: 200 }, config: older }));
    cache.adopt({ ...base, config: 2 }, NOW, null, null);
    cache.adoptConfig({ revision: 2, settings: { ...file, title: "newer" } });
    await cache.readColo(NOW);
    expect(cache.settings.title).toBe("newer");
    expect(cache.missingRevision).toBeNull();
  });

  test("[GATE-34] the colo is written now and then, not with every exchange", async () => {
    const colo = coloOf(null);
    const cache = new ManifestCache("r", file, colo);
    for (let ms = 0; ms < 1_000; ms += 10) {
      cache.adopt({ ...base, at: NOW + ms, admittedEpoch: 100 + ms }, NOW + ms, null, null);
      await cache.writeColo(NOW + ms);
    }
    expect(colo.puts).toBe(2);
  });
});

describe("a clock that is put back", () => {
  const HOUR = 3_600_000;

  test("[P8] [GATE-34] makes no manifest look young: it is asked for anew, and the colo's is taken, and given", async () => {
    const colo = coloOf({ v: 1, asOf: NOW - HOUR - 500, manifest: { ...base, admittedEpoch: 200 }, config: null });
    const cache = new ManifestCache("r", file, colo);
    cache.adopt(base, NOW, null, null);
    await cache.writeColo(NOW);
    const before = cache.readColo(NOW);
    await before;
    // Each request sees the time of its own last I/O.
    expect(cache.seen(NOW - 1_000)?.ageMs).toBe(0);
    expect(cache.seen(NOW - HOUR)?.ageMs).toBe(Number.POSITIVE_INFINITY);
    expect(cache.seen(NOW - HOUR)?.manifest.admittedEpoch).toBe(200);
    await cache.readColo(NOW - HOUR);
    expect(cache.seen(NOW - HOUR)?.ageMs).toBe(500);
    await cache.writeColo(NOW - HOUR);
    expect(colo.puts).toBe(2);
  });

  test("[P8] [GATE-34] nor does what this isolate gave the colo before, which is neither given again nor replaced by what nobody can read", async () => {
    let kept: string | null = null;
    const colo: ColoStore = {
      get: async () => kept,
      put: async (text) => {
        kept = text;
      },
    };
    const cache = new ManifestCache("r", file, colo);
    cache.adopt(base, NOW, null, null);
    await cache.writeColo(NOW);
    const before = kept;
    for (let ms = 0; ms < 3_000; ms += 1_000) {
      expect(cache.seen(NOW - HOUR + ms)?.ageMs).toBe(Number.POSITIVE_INFINITY);
      await cache.readColo(NOW - HOUR + ms);
      await cache.writeColo(NOW - HOUR + ms);
    }
    expect(kept).toBe(before);
    cache.adopt({ ...base, at: NOW + 3_000 }, NOW - HOUR + 3_000, null, null);
    await cache.writeColo(NOW - HOUR + 3_000);
    expect(kept).not.toBe(before);
    expect(cache.seen(NOW - HOUR + 3_000)?.ageMs).toBe(0);
  });

  test("[P1] [GATE-13] prolongs no lease, and no refusal of one", () => {
    const lease = new UnprovenLease();
    lease.granted({ units: 5, untilMs: NOW + 2_000 }, NOW, 2_000, NOW);
    expect([lease.take(null, NOW - 1_000), lease.take(null, NOW - HOUR)]).toEqual(["taken", "ask"]);
    lease.granted(null, NOW, 0, NOW);
    expect([lease.take(null, NOW), lease.take(null, NOW - HOUR)]).toEqual(["none", "ask"]);
  });

  test("[GATE-32] keeps nobody from calling the Room for longer than a failure does", () => {
    const breaker = new Breaker();
    breaker.trip(NOW, 0.5);
    expect(breaker.remainingMs(NOW - 1_000)).toBe(4_500);
    expect(breaker.remainingMs(NOW - HOUR)).toBe(0);
  });
});

describe("the table", () => {
  const read = { method: "read", navigation: true, form: false, prefetch: false, crawler: false } as const;
  const nobody: Identity = { pass: null, ticket: null, entry: null, visitor: null };
  const times = { iat: NOW / 1_000 - 60, exp: NOW / 1_000 + 3_600 };
  const stepOf = (identity: Identity, asked: Asked) =>
    decide({
      identity,
      asked,
      manifest: base,
      settings: { suspended: false, queueingMethod: "fifo" as const, revokeBoundMs: 5_000, passRefreshMs: 30_000 },
      nowS: NOW / 1_000,
    });

  test("[GATE-15] T10 a HEAD or a prefetch takes no place and uses up no turn", () => {
    const called: Identity = { ...nobody, ticket: { kind: "ticket", room: "r", generation: 1, slot: 7, ...times } };
    const newcomer: Identity = { ...nobody, visitor: { kind: "visitor", room: "r", key: "AAAAAAAAAAAAAAAAAAAAAA", ...times } };
    expect([stepOf(called, read).do, stepOf(newcomer, read).do]).toEqual(["claim", "join"]);
    for (const identity of [called, newcomer, nobody]) {
      for (const asked of [{ ...read, method: "head", navigation: false } as const, { ...read, prefetch: true }]) {
        expect(stepOf(identity, asked)).toEqual({ do: "turn-away", status: 503 });
      }
    }
  });

  test("[GATE-16] a body without any cookie is refused, never led through the cookie check", () => {
    const write = { ...read, method: "write", navigation: false } as const;
    expect(stepOf(nobody, write)).toEqual({ do: "turn-away", status: 429 });
    expect(stepOf(nobody, { ...write, form: true })).toEqual({ do: "tell-form" });
  });
});

describe("where people are sent, and what they see", () => {
  const here = canonicalUrl("https://shop.example.com/x");
  if (here === null) throw new Error("no URL");

  test.each([`/${"a".repeat(5_000)}`, "/\u202eevil", "/x\r\nSet-Cookie: a=b", "/\u2028", "/\u0000"])(
    "[GATE-24] %j is no target: it leads to the front page",
    (raw) => {
      expect(safeTarget(raw, here)).toBe("https://shop.example.com/");
    },
  );

  test("[URL-1] no line break hides a slash, a scheme or a query", () => {
    const read = (raw: string) => canonicalUrl(raw)?.href;
    expect(read("https://shop.example.com/\n/checkout")).toBe("https://shop.example.com/checkout");
    expect(read("ht\ttps://shop.example.com/a\r?b\n=c")).toBe("https://shop.example.com/a?b=c");
  });

  test("[PROXY-10] W12 a page of ours is framed by nobody but whom its room names", () => {
    const policy = (frameAncestors: readonly string[]) =>
      pageReply("<p>", "n", { status: 200, frameAncestors })
        .headers.get("Content-Security-Policy")
        ?.match(/frame-ancestors [^;]*/)?.[0];
    expect([policy([]), policy(["https://a.example"])]).toEqual(["frame-ancestors 'none'", "frame-ancestors https://a.example"]);
  });
});

describe("the queue", () => {
  test("[GATE-32] when far too many wait, more are turned away at once", async () => {
    const exchanger = {
      generation: () => 1,
      collect: () => ({ sightings: [], entriesSeen: null, leaseWanted: 0, origin: { ok: 0, failed: 0, slow: 0 }, failedOpen: null }),
      giveBack: () => undefined,
      send: () => new Promise<Reply>(() => undefined),
      late: () => undefined,
      settled: async () => undefined,
    };
    // Faked timers are slow by the thousand; the waits are short.
    vi.useRealTimers();
    const queue = new ExchangeQueue(exchanger, new Breaker(), { notBefore: 0, mayCall: () => true, called: () => undefined }, () => 0.5);
    const asks = Array.from({ length: 20_010 }, () => queue.ask({ kind: "look", patienceMs: 20_000 }, { waitUntil: () => undefined }, 1));
    const outcomes = await Promise.all(asks);
    expect(outcomes.filter(({ as }) => as === "unreachable").length).toBe(10);
  });
});
