/** The table of what a request meets, row by row, and what may never happen whatever comes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Door } from "../../src/core/door";
import { isInAppBrowser } from "../../src/core/in-app";
import type { Manifest } from "../../src/core/manifest";
import type { EntryClaims, PassClaims, TicketClaims, VisitorClaims } from "../../src/core/token-types";
import { type Asked, decide, type EntryDraw, type Facts, type Identity, type Reissue, type Step } from "../../src/gate/decide";
import { manifestWith } from "../support/manifest";

const NOW_S = 1_790_000_000;
const settings = { suspended: false, queueingMethod: "fifo", revokeBoundMs: 5_000, passRefreshMs: 30_000 } as const;

const busy = manifestWith({ generation: 5, at: NOW_S * 1_000 });
const quiet: Manifest = { ...busy, quiet: true };

const nobody: Identity = { pass: null, ticket: null, entry: null, visitor: null };
const page: Asked = { method: "read", navigation: true, form: false, prefetch: false, crawler: false };
const data: Asked = { ...page, navigation: false };
const head: Asked = { ...data, method: "head" };
const prefetch: Asked = { ...page, prefetch: true };
const write: Asked = { ...data, method: "write" };
const form: Asked = { ...write, form: true };

const passOf = (over: Partial<PassClaims> = {}, expired = false): Identity["pass"] => ({
  claims: { kind: "pass", room: "r", generation: 5, slot: 50, serial: 3, iat: NOW_S - 10, exp: NOW_S + 600, end: NOW_S + 3_600, ...over },
  expired,
});
const ticketOf = (over: Partial<TicketClaims> = {}): TicketClaims => ({
  kind: "ticket",
  room: "r",
  generation: 5,
  slot: 50,
  iat: NOW_S - 300,
  exp: NOW_S + 80_000,
  ...over,
});
const entryOf = (over: Partial<EntryClaims> = {}): EntryClaims => ({
  kind: "entry",
  room: "r",
  generation: 5,
  draw: 3,
  entry: 17,
  chain: "A".repeat(43),
  iat: NOW_S - 300,
  exp: NOW_S + 80_000,
  ...over,
});
const visitor: VisitorClaims = { kind: "visitor", room: "r", key: "AAAAAAAAAAAAAAAAAAAAAA", iat: NOW_S, exp: NOW_S + 80_000 };

const GUEST = { as: "proven", key: "BBBBBBBBBBBBBBBBBBBBBA", guest: { invitation: null } } as const satisfies Door;
const SHUT: Door = { as: "shut", why: "invitation-needed" };

const ask = (identity: Partial<Identity>, asked: Asked = page, manifest: Manifest | null = busy, more: Partial<Facts> = {}): Step =>
  decide({ identity: { ...nobody, ...identity }, asked, manifest, settings, nowS: NOW_S, ...more });

describe("people inside", () => {
  test.each<[number, string]>([
    [0, "no"],
    [29, "no"],
    [30, "beside"],
    [59, "beside"],
    [60, "first"],
    [599, "first"],
  ])("[GATE-5][GATE-6] a pass %i s old is forwarded, renewed: %s", (age, renew) => {
    expect(ask({ pass: passOf({ iat: NOW_S - age }) })).toMatchObject({ do: "forward-inside", renew });
  });

  test("[GATE-5] whatever they ask for, and however busy the room is", () => {
    for (const asked of [page, data, head, prefetch, write, form]) expect(ask({ pass: passOf() }, asked).do).toBe("forward-inside");
  });

  test("[GATE-7] go on while nothing is known of the Room, until their pass ends", () => {
    expect(ask({ pass: passOf() }, page, null).do).toBe("forward-inside");
    expect(ask({ pass: passOf({}, true) }, page, null).do).toBe("tell-unreachable");
  });

  test("[GATE-9] a pass issued before sessions were ended opens nothing, and its holder is back in line", () => {
    const ended = { ...busy, endSessionsBefore: NOW_S - 9 };
    expect(ask({ pass: passOf() }, page, ended)).toMatchObject({ do: "rejoin", why: "sessions-ended", old: { slot: 50, generation: 5 } });
    expect(ask({ pass: passOf(), ticket: ticketOf() }, page, ended)).toMatchObject({ do: "rejoin", why: "sessions-ended" });
    expect(ask({ pass: passOf({}, true), ticket: ticketOf() }, page, ended)).toMatchObject({ do: "rejoin", why: "sessions-ended" });
    expect(ask({ pass: passOf() }, write, ended)).toEqual({ do: "turn-away", status: 429 });
    expect(ask({ pass: passOf({ iat: NOW_S - 9 }) }, page, ended).do).toBe("forward-inside");
  });

  test("[GATE-9] where passes begin to count for longer, one issued before that asks first, whatever its age", () => {
    const raised = { ...busy, renewBefore: NOW_S - 9 };
    expect(ask({ pass: passOf() }, page, raised)).toMatchObject({ do: "forward-inside", renew: "first" });
    expect(ask({ pass: passOf({ iat: NOW_S - 9 }) }, page, raised)).toMatchObject({ do: "forward-inside", renew: "no" });
  });

  test("[GATE-9] with a new place already, the old pass does not matter", () => {
    const ended = { ...busy, endSessionsBefore: NOW_S };
    expect(ask({ pass: passOf(), ticket: ticketOf({ slot: 700 }) }, page, ended)).toMatchObject({
      do: "wait",
      place: { slot: 700, serial: 0 },
    });
    expect(ask({ pass: passOf(), visitor }, page, ended)).toEqual({ do: "join", key: visitor.key });
  });

  test("[GATE-9] a pass of a former generation opens nothing: one fresh place in the new line", () => {
    expect(ask({ pass: passOf({ generation: 4 }) })).toMatchObject({ do: "rejoin", why: "restarted" });
    expect(ask({ ticket: ticketOf({ generation: 4 }) })).toMatchObject({
      do: "rejoin",
      why: "restarted",
      old: { generation: 4, slot: 50 },
    });
    expect(ask({ pass: passOf({ generation: 4 }), ticket: ticketOf({ slot: 700 }) })).toMatchObject({ do: "wait" });
  });

  test("[GATE-9] a revoked slot's pass is refused at once, at either end of its range, and enters nobody", () => {
    const revoked: Manifest = {
      ...busy,
      revoked: [
        [3, 3],
        [50, 60],
      ],
    };
    expect(ask({ pass: passOf({ slot: 50 }) }, page, revoked)).toMatchObject({ do: "tell-ended" });
    expect(ask({ pass: passOf({ slot: 60 }), ticket: ticketOf({ slot: 60 }) }, page, revoked)).toMatchObject({ do: "tell-ended" });
    expect(ask({ pass: passOf({ slot: 49 }) }, page, revoked).do).toBe("forward-inside");
    expect(ask({ pass: passOf({ slot: 61 }) }, page, revoked).do).toBe("forward-inside");
  });

  test("[GATE-8] an expired pass claims again, with its serial and the ticket's time of joining", () => {
    const place = { generation: 5, slot: 50, serial: 3, joinedAtS: NOW_S - 300 };
    expect(ask({ pass: passOf({}, true), ticket: ticketOf() })).toEqual({ do: "claim", place });
    expect(ask({ pass: passOf({}, true) })).toEqual({ do: "claim", place: { ...place, joinedAtS: NOW_S - 10 } });
    expect(ask({ pass: passOf({ slot: 7 }, true), ticket: ticketOf() })).toEqual({ do: "claim", place: { ...place, serial: 0 } });
  });

  test("[GATE-8] after the absolute end of the visit it is told to be over, without a call; who only slept until a moment before it is not", () => {
    const over = passOf({ exp: NOW_S, end: NOW_S }, true);
    const place = { generation: 5, slot: 50, serial: 3, joinedAtS: NOW_S - 300 };
    for (const asked of [page, data, form]) expect(ask({ pass: over, ticket: ticketOf() }, asked)).toEqual({ do: "tell-ended", place });
    expect(ask({ pass: passOf({ exp: NOW_S, end: NOW_S + 1 }, true), ticket: ticketOf() }).do).toBe("claim");
    expect(ask({ pass: over, ticket: ticketOf({ slot: 7 }) }).do, "another place").toBe("claim");
    expect(ask({ pass: over, ticket: ticketOf() }, page, { ...busy, generation: 6 }).do, "reset").toBe("rejoin");
  });
});

describe("people with a ticket", () => {
  test("[GATE-10] wait while their slot is not below the admitted epoch", () => {
    expect(ask({ ticket: ticketOf({ slot: 100 }) }).do).toBe("wait");
    expect(ask({ ticket: ticketOf({ slot: 99 }) }).do).toBe("claim");
    for (const asked of [page, data, write, form]) expect(ask({ ticket: ticketOf({ slot: 100 }) }, asked).do).toBe("wait");
  });

  test("[GATE-16] a request with a body never claims; a form hears where its sender stands", () => {
    expect(ask({ ticket: ticketOf() }, write)).toEqual({ do: "turn-away", status: 429 });
    expect(ask({ ticket: ticketOf() }, form).do).toBe("look");
  });

  test("[GATE-10] of a generation that this isolate has not heard of yet wait, and keep their place", () => {
    expect(ask({ ticket: ticketOf({ generation: 6, slot: 3 }) })).toMatchObject({ do: "wait", place: { generation: 6, slot: 3 } });
    expect(ask({ pass: passOf({ generation: 6 }) }).do).toBe("forward-inside");
  });

  test("[GATE-9] of a generation that the Room itself does not know begin again: its storage is another one", () => {
    const asked = { isNew: true };
    expect(ask({ ticket: ticketOf({ generation: 6 }) }, page, busy, asked)).toMatchObject({ do: "rejoin", why: "restarted" });
    expect(ask({ pass: passOf({ generation: 6 }) }, page, busy, asked)).toMatchObject({ do: "rejoin", why: "restarted" });
  });

  test("[GATE-22] keep it while the Room is unreachable", () => {
    expect(ask({ ticket: ticketOf() }, page, null)).toMatchObject({ do: "tell-unreachable", place: { slot: 50 } });
    expect(ask({ visitor }, page, null)).toEqual({ do: "tell-unreachable", place: null });
    expect(ask({}, page, null)).toEqual({ do: "tell-unreachable", place: null });
  });
});

describe("people with an entry", () => {
  const lobby: Manifest = { ...busy, phase: "lobby" };
  const drawing: Manifest = { ...busy, phase: "drawing" };
  const entry = entryOf();
  const held = (asked: Asked, manifest: Manifest, draw: EntryDraw) => ask({ entry }, asked, manifest, { draw });

  test("[GATE-48] are held until their draw gives them a slot, whatever they ask for, without a call", () => {
    for (const manifest of [lobby, drawing, busy, quiet]) {
      for (const draw of ["pending", "unknown"] as const) {
        for (const asked of [page, data, write, form]) expect(held(asked, manifest, draw)).toEqual({ do: "hold", entry });
        for (const asked of [head, prefetch]) expect(held(asked, manifest, draw)).toEqual({ do: "turn-away", status: 503 });
      }
    }
  });

  test("[GATE-48] count by it, not by a visitor token or an old pass; a good pass goes on", () => {
    expect(ask({ entry, visitor }, page, lobby, { draw: "pending" }).do).toBe("hold");
    expect(ask({ entry, pass: passOf({}, true) }, page, lobby, { draw: "pending" }).do).toBe("hold");
    expect(ask({ entry, pass: passOf() }, page, lobby, { draw: "pending" }).do).toBe("forward-inside");
    expect(ask({ entry, pass: passOf() }, page, { ...lobby, endSessionsBefore: NOW_S }, { draw: "pending" }).do).toBe("hold");
  });

  test("[GATE-9] of a former generation get one fresh place; of one that is not heard of yet they are held", () => {
    const old = entryOf({ generation: 4 });
    expect(ask({ entry: old }, page, lobby)).toEqual({ do: "rejoin", old, why: "restarted" });
    expect(ask({ entry: old }, form, lobby)).toEqual({ do: "tell-form" });
    expect(ask({ entry: old }, page, { ...lobby, joins: "closed" })).toEqual({ do: "tell-closed" });
    expect(ask({ entry: entryOf({ generation: 6 }) }, page, lobby).do).toBe("hold");
    expect(ask({ entry: entryOf({ generation: 6 }) }, page, lobby, { isNew: true }).do).toBe("rejoin");
  });

  test("[GATE-49] of an event that was called off hear so; later they are newcomers who may join again", () => {
    const cancelled: Manifest = { ...busy, cancelled: { event: "drop", message: "The hall is closed." } };
    for (const asked of [page, data, write, form]) expect(held(asked, cancelled, "dropped")).toEqual({ do: "tell-cancelled", entry });
    expect(held(page, busy, "dropped")).toEqual({ do: "rejoin", old: entry, why: "draw-dropped" });
    expect(held(write, busy, "dropped")).toEqual({ do: "turn-away", status: 429 });
    expect(held(page, { ...busy, joins: "closed", phase: "closed" }, "dropped")).toEqual({ do: "tell-closed" });
    expect(held(page, cancelled, "unknown").do, "not known to be dropped").toBe("hold");
  });

  test("[GATE-22] keep it while the Room is unreachable", () => {
    expect(ask({ entry }, page, null)).toEqual({ do: "tell-unreachable", place: null });
    expect(ask({ entry }, head, null)).toEqual({ do: "turn-away", status: 503 });
  });
});

describe("newcomers", () => {
  test("[GATE-48] in a lobby prove their cookie and join, and nobody goes straight in", () => {
    const lobby: Manifest = { ...busy, phase: "lobby" };
    for (const manifest of [lobby, { ...lobby, quiet: true }]) {
      expect(ask({}, page, manifest).do).toBe("cookie-check");
      expect(ask({}, data, manifest).do).toBe("cookie-needed");
      expect(ask({ visitor }, page, manifest)).toEqual({ do: "join", key: visitor.key });
      expect(ask({ visitor }, form, manifest)).toEqual({ do: "tell-form" });
      expect(ask({ visitor }, head, manifest)).toEqual({ do: "turn-away", status: 503 });
    }
  });

  test("[GATE-18] hear that the room is closed outside its events, or lets nobody in, and get no place", () => {
    for (const over of [{ phase: "closed", joins: "closed" }, { phase: "closed" }, { joins: "reject" }] as const) {
      expect(ask({}, page, { ...busy, ...over })).toEqual({ do: "tell-closed" });
      expect(ask({ visitor }, page, { ...quiet, ...over })).toEqual({ do: "tell-closed" });
    }
  });

  test("[GATE-12] with a visitor token join, on a quiet and on a busy room", () => {
    for (const manifest of [quiet, busy]) {
      for (const asked of [page, data]) expect(ask({ visitor }, asked, manifest)).toEqual({ do: "join", key: visitor.key });
    }
  });

  test("[GATE-16] a body goes along only where its sender goes straight in", () => {
    expect(ask({ visitor }, write, quiet)).toEqual({ do: "join", key: visitor.key });
    expect(ask({ visitor }, write)).toEqual({ do: "turn-away", status: 429 });
    expect(ask({ visitor }, form)).toEqual({ do: "tell-form" });
    expect(ask({}, write)).toEqual({ do: "turn-away", status: 429 });
    expect(ask({}, form)).toEqual({ do: "tell-form" });
  });

  test("[GATE-13] without cookies are forwarded unproven on a quiet room, by any method, while units are left", () => {
    for (const asked of [page, data, head, prefetch, write, form]) expect(ask({}, asked, quiet).do).toBe("forward-unproven");
    expect(ask({}, page, quiet, { unprovenUsedUp: true }).do).toBe("cookie-check");
    expect(ask({}, head, quiet, { unprovenUsedUp: true })).toEqual({ do: "turn-away", status: 503 });
  });

  test("[GATE-61] in the browser of another app: a hint before a line, by a page load in the first 15 s, and never before going straight in", () => {
    const inApp = { inApp: true } as const;
    const aged = (s: number) => ({ visitor: { ...visitor, iat: NOW_S - s } });
    const join = { do: "join", key: visitor.key };
    expect(ask({ visitor }, page, busy, inApp)).toEqual({ do: "hint-in-app", leftMs: 15_000 });
    expect(ask(aged(14), page, busy, inApp)).toEqual({ do: "hint-in-app", leftMs: 1_000 });
    expect(ask(aged(15), page, busy, inApp)).toEqual(join);
    expect(ask({ visitor }, page, quiet, inApp)).toEqual(join);
    expect(ask({ visitor }, data, busy, inApp)).toEqual(join);
    expect(ask({ visitor }, page, busy, { inApp: false })).toEqual(join);
    expect(ask({}, page, busy, inApp).do).toBe("cookie-check");
    expect(ask({ ticket: ticketOf({ slot: 200 }) }, page, busy, inApp).do).toBe("wait");
    expect(ask({ visitor }, page, { ...busy, joins: "full" }, inApp).do).toBe("tell-closed");
    // In a lobby that is about to end 15 s could cost the draw.
    const doorsIn = (s: number): Manifest => ({ ...busy, phase: "lobby", lobby: { startsAt: (NOW_S + s) * 1_000 } as Manifest["lobby"] });
    expect(ask({ visitor }, page, doorsIn(60), inApp)).toEqual({ do: "hint-in-app", leftMs: 15_000 });
    expect(ask({ visitor }, page, doorsIn(59), inApp)).toEqual(join);
  });

  test("[GATE-61] which browsers are another app's, and that ordinary ones are not", () => {
    const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
    const apps = [
      `${phone} Mobile/15E148 Instagram 402.0.0.31.90 (iPhone16,2; iOS 26_1; de_DE)`,
      `${phone} Mobile/22A [FBAN/FBIOS;FBAV/480.0.0;FBDV/iPhone16,2]`,
      "Mozilla/5.0 (Linux; Android 16; Pixel 9 Build/AP4A; wv) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/480.0;]",
      "Mozilla/5.0 (Linux; Android 16; wv) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36 musical_ly_2024 BytedanceWebview/d8a21c6",
      `${phone} Safari Line/15.2.0`,
      `${phone} Mobile/15E148 MicroMessenger/8.0.50(0x1800) NetType/WIFI`,
    ];
    for (const agent of apps) expect(isInAppBrowser(agent), agent).toBe(true);
    const others = [
      null,
      "",
      `${phone} Version/26.1 Mobile/15E148 Safari/604.1`,
      "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36",
      "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
      "facebookexternalhit/1.1",
      `${"x".repeat(3_000)} Instagram 4`,
    ];
    for (const agent of others) expect(isInAppBrowser(agent), String(agent)).toBe(false);
  });

  test("[GATE-14] without cookies on a busy room: one check for a page load, a refusal for the rest", () => {
    expect(ask({}, page).do).toBe("cookie-check");
    expect(ask({}, data).do).toBe("cookie-needed");
    expect(ask({}, { ...page, crawler: true })).toEqual({ do: "turn-away", status: 503 });
  });

  test("[GATE-18] hear at once that the line is closed, even if nobody waits", () => {
    for (const joins of ["stopped", "full", "ended"] as const) {
      expect(ask({}, page, { ...quiet, joins }).do).toBe("tell-closed");
      expect(ask({ visitor }, page, { ...quiet, joins }).do).toBe("tell-closed");
      expect(ask({ ticket: ticketOf({ slot: 200 }) }, page, { ...quiet, joins }).do).toBe("wait");
    }
  });
});

describe("the room off", () => {
  test("[GATE-19] everybody goes straight to the site", () => {
    const off: Manifest = { ...busy, phase: "off" };
    for (const identity of [{}, { visitor }, { ticket: ticketOf() }, { pass: passOf({}, true) }]) {
      for (const asked of [page, data, head, write]) expect(ask(identity, asked, off)).toEqual({ do: "forward-untouched" });
    }
  });

  test("[GATE-19] an old notice of it counts only as long as the schedule known here says the same", () => {
    const off: Manifest = { ...busy, phase: "off" };
    const unreachable = { do: "tell-unreachable", place: null };
    for (const isOff of [{ suspended: true }, { queueingMethod: "passthrough" as const }])
      expect(ask({}, page, off, { ageMs: 3_600_000, settings: { ...settings, ...isOff } })).toEqual({ do: "forward-untouched" });
    expect(ask({}, page, off, { ageMs: 5_000 })).toEqual({ do: "forward-untouched" });
    expect(ask({}, page, off, { ageMs: 5_001 })).toEqual(unreachable);
    expect(ask({ visitor }, write, off, { ageMs: 5_001 })).toEqual(unreachable);
    expect(ask({}, head, off, { ageMs: 5_001 })).toEqual({ do: "turn-away", status: 503 });
    expect(ask({ ticket: ticketOf() }, page, off, { ageMs: 5_001 })).toMatchObject({ do: "tell-unreachable", place: { slot: 50 } });
    // People inside go on by their pass, unless it was known to be over.
    expect(ask({ pass: passOf() }, page, off, { ageMs: 5_001 })).toMatchObject({ do: "forward-inside" });
    expect(ask({ pass: passOf() }, page, { ...off, revoked: [[50, 50]] }, { ageMs: 5_001 })).toMatchObject({ do: "tell-unreachable" });
  });

  test("[GATE-19] before the Room was reached the file's word holds; afterwards the Room's", () => {
    expect(ask({}, page, null, { settings: { ...settings, suspended: true } })).toEqual({ do: "forward-untouched" });
    expect(ask({}, page, busy, { settings: { ...settings, suspended: true } }).do).toBe("cookie-check");
  });
});

describe("whatever comes", () => {
  const passes = fc.record({
    generation: fc.integer({ min: 4, max: 6 }),
    slot: fc.integer({ min: 45, max: 105 }),
    iat: fc.integer({ min: NOW_S - 100, max: NOW_S }),
    expired: fc.boolean(),
  });
  const identities: fc.Arbitrary<Identity> = fc.record({
    pass: fc.option(passes.map(({ expired, ...claims }) => passOf(claims, expired))),
    ticket: fc.option(fc.record({ generation: fc.integer({ min: 4, max: 6 }), slot: fc.integer({ min: 45, max: 105 }) }).map(ticketOf)),
    entry: fc.option(fc.record({ generation: fc.integer({ min: 4, max: 6 }) }).map(entryOf)),
    visitor: fc.option(fc.constant(visitor)),
  });
  const manifests: fc.Arbitrary<Manifest | null> = fc.option(
    fc
      .record({
        phase: fc.constantFrom<Manifest["phase"]>("open", "paused", "ended", "off", "closed", "lobby", "drawing"),
        quiet: fc.boolean(),
        joins: fc.constantFrom<Manifest["joins"]>("open", "stopped", "full", "ended", "closed", "reject"),
        cancelled: fc.option(fc.constant({ event: "drop", message: "off" })),
        endSessionsBefore: fc.constantFrom(0, NOW_S - 50, NOW_S),
        revoked: fc.constantFrom<Manifest["revoked"]>([], [[45, 55]]),
      })
      .map((over) => ({ ...busy, ...over })),
  );
  const askeds = fc.constantFrom(page, data, head, prefetch, write, form, { ...page, crawler: true });
  const facts = fc.record({
    identity: identities,
    asked: askeds,
    manifest: manifests,
    draw: fc.constantFrom<EntryDraw>("pending", "dropped", "unknown"),
    unprovenUsedUp: fc.boolean(),
    suspended: fc.boolean(),
    ageMs: fc.constantFrom(0, 5_000, 5_001, 60_000),
  });

  test("[GATE-4] nobody is forwarded but by a good pass, an unproven unit on a quiet room, or a room that is off", () => {
    fc.assert(
      fc.property(facts, ({ suspended, ...rest }) => {
        const step = decide({ ...rest, settings: { ...settings, suspended }, nowS: NOW_S });
        const { manifest, identity } = rest;
        if (step.do === "forward-untouched")
          expect(manifest === null ? suspended : manifest.phase === "off" && (suspended || rest.ageMs <= 5_000)).toBe(true);
        if (step.do === "forward-unproven") {
          expect(manifest).toMatchObject({ quiet: true, phase: "open", joins: "open" });
          expect(rest.unprovenUsedUp).toBe(false);
          expect(identity.ticket).toBeNull();
          expect(identity.entry).toBeNull();
        }
        if (step.do === "forward-inside") {
          expect(identity.pass).toMatchObject({ claims: step.pass, expired: false });
          if (manifest !== null && step.pass.generation <= manifest.generation) {
            expect(step.pass.generation).toBe(manifest.generation);
            expect(step.pass.iat).toBeGreaterThanOrEqual(manifest.endSessionsBefore);
            expect(manifest.revoked.some(([first, last]) => step.pass.slot >= first && step.pass.slot <= last)).toBe(false);
          }
        }
      }),
      { numRuns: 5_000 },
    );
  });

  const reissues: fc.Arbitrary<Reissue> = fc.oneof(
    fc.constantFrom(ticketOf({ slot: 50 }), entryOf({})).map((of) => ({ as: "pending" as const, of })),
    fc.constantFrom(ticketOf({ slot: 50 }), entryOf({})).map((of) => ({ as: "void" as const, of, key: "k" })),
  );

  test("[KEYS-5] K8 whoever shows a place by a revoked key alone is told, and neither let in nor given anything", () => {
    fc.assert(
      fc.property(facts, reissues, ({ suspended, ...rest }, reissue) => {
        const identity = { ...rest.identity, ticket: null, entry: null };
        const step = decide({ ...rest, identity, reissue, settings: { ...settings, suspended }, nowS: NOW_S });
        const allowed = ["forward-untouched", "tell-pending", "tell-void", "turn-away", "tell-form"];
        expect(step.do === "forward-inside" ? identity.pass?.expired : !allowed.includes(step.do)).toBe(false);
        if (step.do === "tell-pending" || step.do === "tell-void") expect(step.of).toBe(reissue.of);
        const app = decide({ identity: nobody, manifest: busy, reissue, asked: { ...data, app: true }, settings, nowS: NOW_S });
        expect(app).toEqual(reissue.as === "pending" ? { do: "tell-pending", of: reissue.of } : { do: "join", key: reissue.key });
      }),
      { numRuns: 3_000 },
    );
  });

  test("[KEYS-4] K8 who has no key to sign with lets in by good passes alone, renews none, and makes no place", () => {
    fc.assert(
      fc.property(facts, ({ suspended, ...rest }) => {
        const step = decide({ ...rest, signsInVain: true, settings: { ...settings, suspended }, nowS: NOW_S });
        expect(["forward-untouched", "forward-inside", "turn-away", "tell-unreachable"]).toContain(step.do);
        if (step.do === "forward-inside") expect(step.renew).toBe("no");
      }),
      { numRuns: 3_000 },
    );
  });

  test("[GATE-15] whoever does not look at the answer takes no place and uses up no turn", () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(head, prefetch), ({ suspended, ...rest }, asked) => {
        const step = decide({ ...rest, asked, settings: { ...settings, suspended }, nowS: NOW_S });
        expect(["forward-untouched", "forward-inside", "forward-unproven", "turn-away"]).toContain(step.do);
        if (step.do === "turn-away") expect(step.status).toBe(503);
      }),
      { numRuns: 3_000 },
    );
  });

  test("[GATE-14] without any cookie nothing is asked of the Room on a busy one", () => {
    fc.assert(
      fc.property(facts, ({ suspended, ...rest }) => {
        const step = decide({ ...rest, identity: nobody, settings: { ...settings, suspended }, nowS: NOW_S, unprovenUsedUp: true });
        expect(["join", "rejoin", "claim", "look", "wait", "forward-inside", "forward-unproven"]).not.toContain(step.do);
      }),
    );
  });

  test("[GATE-16] no body is held back for a place in line", () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(write, form), ({ suspended, ...rest }, asked) => {
        const step = decide({ ...rest, asked, settings: { ...settings, suspended }, nowS: NOW_S });
        expect(["claim", "rejoin", "cookie-check", "cookie-needed"]).not.toContain(step.do);
        if (step.do === "join") expect(rest.manifest?.quiet).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("the door", () => {
  test("[DOOR-1] on a quiet room, as on a busy one, a newcomer without what it asks for joins nothing and is never forwarded", () => {
    for (const manifest of [quiet, busy]) {
      for (const identity of [nobody, { visitor }]) {
        expect(ask(identity, page, manifest, { door: SHUT })).toEqual({ do: "tell-door", why: "invitation-needed" });
        expect(ask(identity, data, manifest, { door: SHUT })).toEqual({ do: "tell-door", why: "invitation-needed" });
        expect(ask(identity, write, manifest, { door: SHUT })).toEqual({ do: "tell-door", why: "invitation-needed" });
        expect(ask(identity, form, manifest, { door: SHUT })).toEqual({ do: "tell-form" });
        for (const idle of [head, prefetch])
          expect(ask(identity, idle, manifest, { door: SHUT })).toEqual({ do: "turn-away", status: 503 });
      }
    }
  });

  test("[DOOR-1] whoever holds a place goes on whatever the door says", () => {
    for (const identity of [{ pass: passOf() }, { ticket: ticketOf() }, { ticket: ticketOf({ slot: 200 }) }]) {
      expect(ask(identity, page, busy, { door: SHUT })).toEqual(ask(identity, page, busy));
    }
  });

  test("[DOOR-1] whoever was let through joins with the key that the door gave, with no cookie needed before", () => {
    for (const manifest of [quiet, busy]) {
      expect(ask({}, page, manifest, { door: GUEST })).toEqual({ do: "join", key: GUEST.key });
      expect(ask({ visitor }, data, manifest, { door: GUEST })).toEqual({ do: "join", key: GUEST.key });
      const nobodys: Door = { ...GUEST, key: null };
      expect(ask({ visitor }, page, manifest, { door: nobodys })).toEqual({ do: "join", key: visitor.key });
      expect(ask({}, page, manifest, { door: nobodys })).toEqual({ do: "cookie-check" });
      expect(ask({}, data, manifest, { door: nobodys })).toEqual({ do: "cookie-needed" });
    }
    expect(ask({}, write, quiet, { door: GUEST })).toEqual({ do: "join", key: GUEST.key });
    expect(ask({}, write, busy, { door: GUEST })).toEqual({ do: "turn-away", status: 429 });
  });

  test("[DOOR-1] a closed line is told before anything is asked for, and a room that is off asks nobody", () => {
    expect(ask({}, page, { ...busy, joins: "stopped" }, { door: SHUT })).toEqual({ do: "tell-closed" });
    expect(ask({}, page, { ...busy, phase: "off" }, { door: SHUT })).toEqual({ do: "forward-untouched" });
  });
});

describe("apps that know nothing but cfWaitingRoom", () => {
  const app: Asked = { ...data, app: true };
  const appWrite: Asked = { ...write, app: true };

  test("[CF-2] wait, join and go in whatever their method: nobody sends it again for them but they themselves", () => {
    for (const asked of [app, appWrite]) {
      expect(ask({}, asked)).toEqual({ do: "cookie-needed" });
      expect(ask({ visitor }, asked)).toEqual({ do: "join", key: visitor.key });
      expect(ask({ ticket: ticketOf({ slot: 200 }) }, asked).do).toBe("wait");
      expect(ask({ ticket: ticketOf() }, asked).do).toBe("claim");
      expect(ask({ ticket: ticketOf({ generation: 4 }) }, asked)).toMatchObject({ do: "rejoin", why: "restarted" });
      expect(ask({}, asked, quiet).do).toBe("forward-unproven");
      expect(ask({}, asked, { ...busy, joins: "reject" })).toEqual({ do: "tell-closed" });
    }
  });

  test("[CF-2] get the place that follows one that has ended: they have no button to ask for it", () => {
    const revoked: Manifest = { ...busy, revoked: [[50, 50]] };
    for (const asked of [app, appWrite]) {
      expect(ask({ pass: passOf() }, asked, revoked)).toMatchObject({ do: "rejoin", why: "over", old: { slot: 50 } });
      expect(ask({ pass: passOf({ end: NOW_S }, true), ticket: ticketOf() }, asked)).toMatchObject({ do: "rejoin", why: "over" });
      const called: Manifest = { ...busy, cancelled: { event: "drop", message: "" } };
      expect(ask({ entry: entryOf() }, asked, called, { draw: "dropped" })).toMatchObject({ do: "rejoin", why: "draw-dropped" });
      expect(ask({ entry: entryOf() }, asked, { ...called, joins: "stopped" }, { draw: "dropped" })).toEqual({ do: "tell-closed" });
    }
    expect(ask({ pass: passOf() }, data, revoked).do).toBe("tell-ended");
  });
});

describe("a room that asks every newcomer for proof, and networks that it refuses", () => {
  const everyone = { asksEveryone: true } as const;

  test("[PROOF-4] on a quiet room newcomers prove their cookie and join, and none goes through unproven or with a body", () => {
    expect(ask({}, page, quiet, everyone).do).toBe("cookie-check");
    expect(ask({}, data, quiet, everyone).do).toBe("cookie-needed");
    expect(ask({ visitor }, page, quiet, everyone)).toEqual({ do: "join", key: visitor.key });
    expect(ask({ visitor }, write, quiet, everyone)).toEqual({ do: "turn-away", status: 429 });
    expect(ask({ visitor }, form, quiet, everyone).do).toBe("tell-form");
    for (const asked of [head, prefetch]) expect(ask({ visitor }, asked, quiet, everyone)).toEqual({ do: "turn-away", status: 503 });
    expect(ask({ pass: passOf() }, page, quiet, everyone).do).toBe("forward-inside");
    expect(ask({ ticket: ticketOf() }, page, quiet, everyone).do).toBe("claim");
  });

  test("[PROOF-6] newcomers of a refused network hear so whatever the room is like; whoever has a place, an entry or a pass goes on", () => {
    const refused = { isRefused: true } as const;
    for (const manifest of [busy, quiet, null])
      for (const asked of [page, data, head, prefetch, write, form])
        for (const identity of [{}, { visitor }]) expect(ask(identity, asked, manifest, refused)).toEqual({ do: "tell-network-refused" });
    const holders = [
      { pass: passOf() },
      { ticket: ticketOf() },
      { entry: entryOf() },
      { pass: passOf({}, true) },
      { visitor, ticket: ticketOf() },
    ];
    for (const identity of holders) expect(ask(identity, page, busy, refused)).toEqual(ask(identity, page, busy));
    expect(ask({}, page, { ...busy, phase: "off" }, { ...refused, settings: { ...settings, suspended: true } }).do).toBe(
      "forward-untouched",
    );
  });
});
