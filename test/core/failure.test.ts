/** `failure_policy = "open"`: when an isolate lets people in without the Room, how many, and what an outage is. On a clock of its own. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Reply } from "../../src/core/exchange";
import { EVENT_CALM_MS, type LastWord, type Openness, opennessOf, type Silence } from "../../src/core/failure";
import type { Manifest } from "../../src/core/manifest";
import type { RoomRpc } from "../../src/core/room-rpc";
import { parseRoom } from "../../src/core/settings";
import type { RoomEvent, RoomSettings } from "../../src/core/settings-types";
import type { OpenClaims } from "../../src/core/token-types";
import { type Asked, decide, type Facts, type Identity, type PlainStep } from "../../src/gate/decide";
import type { FailureKind } from "../../src/room/call";
import { OpenDoor } from "../../src/room/open-door";
import { Outage } from "../../src/room/outage";
import { RoomClient } from "../../src/room-client";
import { manifestWith } from "../support/manifest";

const NOW = 1_790_000_000_000;
const MINUTE = 60_000;

function settingsOf(raw: Readonly<Record<string, unknown>> = {}): RoomSettings {
  const shop = { host: "shop.example.com", total_active_users: 100, new_users_per_minute: 600 };
  const parsed = parseRoom("r", { ...shop, failure_policy: "open", open_after_seconds: 60, ...raw });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}
const open = settingsOf();

const busy = manifestWith({ generation: 5, at: NOW - 2 * MINUTE, ratePerMinute: 600 });
const long: Silence = { sinceMs: NOW - 65_000, lastMs: NOW - 2_000 };
const word = (manifest: Partial<Manifest> = {}, over: Partial<LastWord> = {}): LastWord => ({
  ...{ manifest: { ...busy, ...manifest }, heardAtMs: NOW - 70_000, isSettled: true, ...over },
});
const opennessIf = (own: RoomSettings, silence: Silence | null = long, last: LastWord | null = word(), now = NOW): Openness =>
  opennessOf(own, silence, last, now);

describe("an isolate that cannot reach the Room", () => {
  test("[FAIL-1] runs open once the connection has failed for open_after_seconds, and only if the room says so", () => {
    const lasting = (ms: number) => opennessIf(open, { sinceMs: NOW - ms - 1_000, lastMs: NOW - 1_000 });
    expect([lasting(0), lasting(59_999), lasting(60_000), lasting(3_600_000)]).toEqual(["going-on", "going-on", "open", "shut"]);
    expect(opennessIf(open, { sinceMs: NOW - 3_600_000, lastMs: NOW }, word({}, { heardAtMs: NOW - 3_600_001 }))).toBe("open");
    expect(opennessIf(open, null)).toBe("shut");
    expect(opennessIf(settingsOf({ failure_policy: "closed" }))).toBe("shut");
    // A failure long ago says nothing of now.
    expect(opennessIf(open, { sinceMs: NOW - 200_000, lastMs: NOW - 30_001 }, word({}, { heardAtMs: NOW - 201_000 }))).toBe("shut");
  });

  test("[FAIL-2] lets nobody in if it has never heard of the Room, had not for ten minutes, or others have since", () => {
    expect(opennessIf(open, long, null)).toBe("going-on");
    expect(opennessIf(open, long, word({}, { heardAtMs: long.sinceMs - 10 * MINUTE }))).toBe("open");
    expect(opennessIf(open, long, word({}, { heardAtMs: long.sinceMs - 10 * MINUTE - 1 }))).toBe("going-on");
    expect(opennessIf(open, long, word({}, { heardAtMs: long.sinceMs + 1 }))).toBe("shut");
    expect(opennessIf(open, long, word({}, { isSettled: false }))).toBe("shut");
  });

  test("[FAIL-2] lets nobody in where the Room's last word was that nobody enters", () => {
    const lobby = { ...({ event: "drop", draw: 7, entries: 9, opensAt: 0, startsAt: 0, endsAt: 0, plannedAt: 0 } as const) };
    const shut: Partial<Manifest>[] = [
      ...(["paused", "ended", "off", "closed", "lobby", "drawing"] as const).map((phase) => ({ phase })),
      { phase: "later" as Manifest["phase"] },
      { lobby: { ...lobby, utcOffsetMinutes: 0, commitment: null, beacon: "none" } },
    ];
    for (const over of shut) expect([over.phase, opennessIf(open, long, word(over))]).toEqual([over.phase, "shut"]);
  });

  test("[FAIL-2] nor by its settings", () => {
    for (const raw of [
      { queue_all: true },
      { new_users_per_minute: 0 },
      { queueing_method: "reject" },
      { queueing_method: "passthrough" },
      { suspended: true },
      { mode: "shadow" },
      { closed_outside_events: true },
    ])
      expect([raw, opennessIf(settingsOf(raw))]).toEqual([raw, "shut"]);
  });

  describe("around an event", () => {
    const startMs = NOW + 5 * MINUTE;
    const event: RoomEvent = {
      ...{ name: "drop", prequeueStartMs: NOW, startMs, endMs: startMs + 60 * MINUTE, shuffle: true, keepSessions: false },
      ...{ cancelled: null, utcOffsetMinutes: 0, overrides: {} },
    };
    /** At `at`, after a long silence; `manifest` was made a moment before it. */
    const at = (now: number, own: Partial<RoomSettings> = {}, manifest: Partial<Manifest> = { at: now - 70_000 }) => {
      const silence = { sinceMs: now - 65_000, lastMs: now - 1_000 };
      return opennessOf({ ...open, events: [event], ...own }, silence, word(manifest, { heardAtMs: now - 70_000 }), now);
    };
    const calm = startMs + EVENT_CALM_MS;

    test("[FAIL-2] never in its lobby nor in its first ten minutes, by a clock that may be ten seconds off", () => {
      expect([at(NOW - 10_001), at(NOW - 10_000), at(NOW), at(startMs)]).toEqual(["open", "shut", "shut", "shut"]);
      expect([at(calm - 1), at(calm + 9_999), at(calm + 10_000)]).toEqual(["shut", "shut", "open"]);
    });

    test("[FAIL-2] never in one whose doors the Room never spoke of: its draw may be owed", () => {
      expect(at(calm + MINUTE, {}, { at: startMs - 1 })).toBe("shut");
      expect(at(calm + MINUTE, {}, { at: startMs })).toBe("open");
      expect(at(event.endMs + MINUTE, {}, { at: startMs - 1 }), "when it is over that no longer matters").toBe("open");
    });

    test("[FAIL-2] its own settings count while it lasts", () => {
      const closed = { events: [{ ...event, overrides: { failurePolicy: "closed" as const } }] };
      expect([at(calm + MINUTE, closed), at(event.endMs + MINUTE, closed)]).toEqual(["shut", "open"]);
    });

    test("[FAIL-2] one that was called off keeps a closed room closed", () => {
      const off = { events: [{ ...event, cancelled: "no" }] };
      expect([at(startMs, off), at(startMs, { ...off, closedOutsideEvents: true })]).toEqual(["open", "shut"]);
    });
  });
});

describe("an outage", () => {
  const silenceAfter = (...ended: readonly ("answered" | FailureKind)[]) => {
    const outage = new Outage();
    for (const [i, each] of ended.entries()) outage.note(each, 1_000 * i);
    return outage.silence;
  };

  test("[FAIL-1] O5 is an unbroken run of failed connections: one answer, refusal, error of the Room's code or full store ends it", () => {
    expect(silenceAfter("transport", "transport", "transport")).toEqual({ sinceMs: 0, lastMs: 2_000 });
    for (const alive of ["answered", "overloaded", "remote", "full"] as const) {
      expect([alive, silenceAfter("transport", "transport", alive)]).toEqual([alive, null]);
      expect([alive, silenceAfter("transport", alive, "transport")]).toEqual([alive, { sinceMs: 2_000, lastMs: 2_000 }]);
    }
  });

  test("[FAIL-1] is not made of failures with half a minute between them in which nobody called", () => {
    const outage = new Outage();
    for (const at of [0, 30_000, 60_000]) outage.note("transport", at);
    expect(outage.silence).toEqual({ sinceMs: 0, lastMs: 60_000 });
    outage.note("transport", 90_001);
    expect(outage.silence).toEqual({ sinceMs: 90_001, lastMs: 90_001 });
  });

  test("[FAIL-1] is neither made nor ended by silence or by errors that the runtime does not mark", () => {
    for (const unknown of ["late", "other"] as const) {
      expect([unknown, silenceAfter(unknown, unknown)]).toEqual([unknown, null]);
      expect([unknown, silenceAfter("transport", unknown, unknown)]).toEqual([unknown, { sinceMs: 0, lastMs: 0 }]);
    }
  });
});

describe("the people let in", () => {
  test("[FAIL-3] in any stretch of time at most a fiftieth of the rate, and one", () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 50, maxLength: 400 });
    fc.assert(
      fc.property(arrivals, fc.constantFrom(0.5, 1, 60, 600, 6_000), (gaps, perMinute) => {
        const door = new OpenDoor();
        const entered: number[] = [];
        let now = NOW;
        for (const gap of gaps) {
          now += gap;
          if (door.admit(perMinute, now)) entered.push(now);
        }
        const everyMs = (50 * MINUTE) / perMinute;
        expect(entered[0]).toBe(NOW + (gaps[0] ?? 0));
        for (const [i, from] of entered.entries())
          for (const [k, to] of entered.slice(i).entries()) expect(k).toBeLessThanOrEqual((to - from) / everyMs + 1e-9);
      }),
    );
    const door = new OpenDoor();
    expect([NOW, NOW + 4_999, NOW + 5_000, NOW + 5_001].map((at) => door.admit(600, at))).toEqual([true, false, true, false]);
    expect(new OpenDoor().admit(0, NOW)).toBe(false);
  });

  test("[FAIL-3] each of them may load pages, and a cookie that is passed round does not open the site to a crowd", () => {
    const door = new OpenDoor();
    const asked = (person: string, times: number, at: number) => Array.from({ length: times }, () => door.pass(person, at)).filter(Boolean);
    expect(asked("a", 1_000, NOW)).toHaveLength(300);
    expect(asked("b", 100, NOW)).toHaveLength(100);
    expect(asked("a", 100, NOW + 1_000)).toHaveLength(10);
    for (let i = 0; i < 5_000; i++) door.pass(String(i), NOW + 1_000);
    expect(door.take()).toMatchObject({ people: 0, requests: 300 + 100 + 10 + 5_000 });
  });

  test("[FAIL-5] are counted until the Room has been told, once", () => {
    const door = new OpenDoor();
    expect(door.take()).toBeNull();
    door.admit(600, NOW);
    door.pass("a", NOW + 10);
    const counted = door.take();
    expect(counted).toEqual({ people: 1, requests: 1, sinceMs: NOW });
    door.pass("a", NOW + 2_000);
    door.giveBack(counted);
    expect([door.take(), door.take()]).toEqual([{ people: 1, requests: 2, sinceMs: NOW }, null]);
  });
});

describe("what a request meets", () => {
  const NOW_S = NOW / 1_000;
  const nobody: Identity = { pass: null, ticket: null, entry: null, visitor: null };
  const times = { iat: NOW_S - 300, exp: NOW_S + 80_000 };
  const ticket = (slot: number): Identity => ({ ...nobody, ticket: { kind: "ticket", room: "r", generation: 5, slot, ...times } });
  const visitor: Identity = { ...nobody, visitor: { kind: "visitor", room: "r", key: "A".repeat(22), ...times } };
  const entry: Identity = {
    ...nobody,
    entry: { kind: "entry", room: "r", generation: 5, draw: 3, entry: 1, chain: "A".repeat(43), ...times },
  };
  const passed = (over: object = {}, expired = false): Identity => ({
    ...nobody,
    pass: { claims: { kind: "pass", room: "r", generation: 5, slot: 50, serial: 3, ...times, end: NOW_S + 90_000, ...over }, expired },
  });
  const openPass: OpenClaims = { kind: "open", room: "r", key: "A".repeat(22), iat: NOW_S, exp: NOW_S + 120, end: NOW_S + 600 };
  const page: Asked = { method: "read", navigation: true, form: false, prefetch: false, crawler: false };
  const data: Asked = { ...page, navigation: false };
  const write: Asked = { ...data, method: "write" };
  const ask = (identity: Identity, more: Partial<Facts> = {}, asked: Asked = page) =>
    decide({
      ...{ identity, asked, manifest: busy, open: "open", nowS: NOW_S },
      settings: { suspended: false, queueingMethod: "fifo", revokeBoundMs: 5_000, passRefreshMs: 30_000 },
      ...more,
    });

  test("[FAIL-3] newcomers who keep our cookie and people in line may be let in, alike, by a page load or a plain read", () => {
    for (const who of [visitor, ticket(200), ticket(50), entry, passed({}, true), passed({ generation: 4 })]) {
      for (const asked of [page, data]) {
        const step = ask(who, {}, asked);
        expect(step).toEqual({ do: "enter-open", otherwise: ask(who, { open: "shut" }, asked) });
      }
    }
  });

  test("[FAIL-4] T1 the cookie check stays, and nobody who does not look enters, nor anybody by a body", () => {
    expect(ask(nobody).do).toBe("cookie-check");
    expect(ask(nobody, {}, data).do).toBe("cookie-needed");
    expect(ask(nobody, { manifest: { ...busy, quiet: true }, unprovenUsedUp: true }).do).toBe("cookie-check");
    for (const who of [nobody, visitor, ticket(200), ticket(50), entry]) {
      for (const asked of [{ ...data, method: "head" as const }, { ...page, prefetch: true }, write, { ...write, form: true }])
        expect([asked, ask(who, {}, asked)]).toEqual([asked, ask(who, { open: "shut" }, asked)]);
    }
    expect(ask(nobody, {}, { ...page, crawler: true })).toEqual({ do: "turn-away", status: 503 });
  });

  test("[FAIL-2] an isolate that only goes on lets nobody in", () => {
    for (const who of [nobody, visitor, ticket(200), ticket(50), entry, passed({}, true)])
      expect(ask(who, { open: "going-on" })).toEqual(ask(who, { open: "shut" }));
  });

  test("[FAIL-4] the door's question stays, and what the operator ended stays ended", () => {
    expect(ask(visitor, { door: { as: "shut", why: "invitation-needed" } }).do).toBe("tell-door");
    expect(ask(visitor, { manifest: { ...busy, joins: "stopped" } }).do).toBe("tell-closed");
    expect(ask(passed(), { manifest: { ...busy, revoked: [[50, 50]] } }).do).toBe("tell-ended");
    expect(ask(entry, { draw: "dropped", manifest: { ...busy, cancelled: { event: "drop", message: "" } } }).do).toBe("tell-cancelled");
    expect(ask(visitor, { manifest: null, open: "going-on" }).do).toBe("tell-unreachable");
  });

  test("[FAIL-4] people inside go on by their pass as before, and a room that is off stays so", () => {
    expect(ask(passed(), { openPass }).do).toBe("forward-inside");
    expect(ask(visitor, { manifest: { ...busy, phase: "off" } }).do).toBe("forward-untouched");
  });

  test("[FAIL-4] whoever was let in goes on with any method, at isolates that let nobody in, and nowhere once the Room answers", () => {
    for (const who of [nobody, visitor, ticket(200), entry]) {
      for (const asked of [page, data, write, { ...data, method: "head" as const }]) {
        for (const openness of ["open", "going-on"] as const) {
          expect(ask(who, { openPass, open: openness }, asked)).toEqual({ do: "forward-open", pass: openPass });
          expect(ask(who, { openPass, open: openness, manifest: null }, asked)).toEqual({ do: "forward-open", pass: openPass });
        }
        expect(ask(who, { openPass, open: "shut" }, asked)).toEqual(ask(who, { open: "shut" }, asked));
      }
    }
  });

  test("[FAIL-4][P11] whatever comes, open changes nothing but who waits for the Room", () => {
    const waits: PlainStep["do"][] = ["claim", "wait", "hold", "join", "rejoin"];
    const whos = fc.constantFrom(nobody, visitor, ticket(200), ticket(50), entry, passed(), passed({}, true), passed({ generation: 4 }));
    const phases = fc.constantFrom<Manifest["phase"]>("open", "paused", "ended", "off", "closed", "lobby", "drawing");
    const manifests = fc.option(fc.record({ phase: phases, quiet: fc.boolean() }).map((over): Manifest => ({ ...busy, ...over })));
    fc.assert(
      fc.property(whos, manifests, fc.constantFrom(page, data, write), fc.boolean(), (who, manifest, asked, unprovenUsedUp) => {
        const facts = { manifest, unprovenUsedUp };
        const closed = ask(who, { ...facts, open: "shut" }, asked);
        const step = ask(who, facts, asked);
        expect(step.do === "enter-open" ? step.otherwise : step).toEqual(closed);
        if (step.do === "enter-open") expect(waits).toContain(closed.do);
      }),
    );
  });
});

describe("one isolate's client", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  type Fail = { readonly [flag in "retryable" | "overloaded" | "remote"]?: true } | "hang" | null;

  function rig() {
    const told: unknown[] = [];
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const state: { fail: Fail } = { fail: null };
    const exchange = async (batch: { failedOpen: unknown }): Promise<Reply> => {
      const { fail } = state;
      if (fail === "hang") return new Promise(() => undefined);
      if (fail !== null) throw Object.assign(new Error("told to fail"), fail);
      told.push(batch.failedOpen);
      const verdicts = { joins: [], claims: [], renewals: [], leaves: [], reissues: [], lease: null, share: null };
      return { v: 1, manifest: { ...busy, config: -1, at: Date.now() }, ...verdicts, config: null };
    };
    const none = { get: async () => null, put: async () => undefined };
    const client = new RoomClient({
      ...{ room: "r", file: open, stubOf: () => ({ exchange }) as unknown as RoomRpc, colo: none, turns: none },
      ...{ lists: () => none, random: () => 0.5 },
    });
    /** Somebody comes every second for so long. */
    const pass = async (seconds: number) => {
      for (let i = 0; i < seconds; i++) {
        void client.manifest({ waitUntil: (work) => void work }, 2_000);
        await vi.advanceTimersByTimeAsync(1_000);
      }
      return client.openness;
    };
    return { client, pass, state, told, errors };
  }

  test("[FAIL-1][P11] opens after a minute of failed connections, shuts with the first answer, and says so once", async () => {
    const { client, pass, state, told, errors } = rig();
    expect(await pass(3)).toBe("shut");
    state.fail = { retryable: true };
    expect([await pass(10), await pass(40)]).toEqual(["going-on", "going-on"]);
    expect(await pass(25)).toBe("open");
    expect([client.letIn(), client.letIn(), client.passOpen("a")]).toEqual([true, false, true]);
    await pass(10);
    expect(client.letIn()).toBe(true);
    const alerts = errors.mock.calls.map(([line]) => JSON.parse(String(line)) as { event: string });
    expect(alerts.filter(({ event }) => event === "failing-open")).toHaveLength(1);
    state.fail = null;
    expect(await pass(6)).toBe("shut");
    expect(told.filter((each) => each !== null)).toEqual([{ people: 2, requests: 1, sinceMs: expect.any(Number) }]);
  });

  test.each<[string, Fail]>([
    ["turned away", { overloaded: true }],
    ["turned away, though it may be retried", { overloaded: true, retryable: true }],
    ["answered by errors of the Room's code", { remote: true }],
    ["failing in a way that has no mark", {}],
    ["not answered at all", "hang"],
  ])("[FAIL-1] O5 never opens because calls are %s", async (_, fail) => {
    const { pass, state } = rig();
    await pass(3);
    state.fail = fail;
    for (let i = 0; i < 12; i++) expect(await pass(10)).toBe("shut");
  });
});
