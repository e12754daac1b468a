/** Lobbies, draws and closed rooms at the gate and its endpoints, against a Room that answers as told. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readReceipt } from "../../scripts/lib/verify-draw.mjs";
import { slotOf } from "../../src/core/draw-sync";
import type { Batch } from "../../src/core/exchange";
import type { Lobby } from "../../src/core/manifest";
import type { Status } from "../../src/core/status";
import { decodeToken } from "../../src/core/token";
import type { VerifyData } from "../../src/core/verify-data";
import { drawn } from "../support/drawn";
import { NAVIGATION, type Rig, type RigRoom, startRig, told } from "../support/gate-rig";
import { parseSetCookie } from "../support/jar";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const nowS = () => Math.floor(Date.now() / 1_000);
const HOUR_MS = 3_600_000;

function setBy(response: Response): Map<string, string> {
  const cookies = response.headers.getSetCookie().map(parseSetCookie);
  return new Map(cookies.map(({ name, value }) => [name.split(".")[0] ?? "", value]));
}
const claimsIn = (token: string | undefined) => decodeToken(token ?? "")?.claims;

async function askedOf<K extends "joins" | "claims" | "leaves">(room: RigRoom, kind: K): Promise<Batch[K][number][]> {
  return (await room.seen()).batches.flatMap((batch): readonly Batch[K][number][] => batch[kind]);
}
const status = (room: RigRoom, cookies = {}, headers = {}) => room.fetch(`${room.api}/status`, { cookies, headers });

function lobbyOf(over: Partial<Lobby> = {}): Lobby {
  const startsAt = Date.now() + HOUR_MS;
  return {
    ...{ event: "drop", draw: 7, entries: 1_200, opensAt: startsAt - 2 * HOUR_MS, startsAt, endsAt: startsAt + HOUR_MS },
    ...{ plannedAt: startsAt, utcOffsetMinutes: 60, commitment: "ab".repeat(32), beacon: "drand" },
    ...over,
  };
}
const entered = { as: "entry", draw: 7, entry: 4, chain: `${"B".repeat(42)}A`, joinedAtS: nowS() - 5 } as const;

describe("an event's own settings at the gate", () => {
  test("[EVENT-3] its status code, title and pace of asking hold while it is on, and only then", async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString().replace(/\.\d+Z/, "Z");
    const own = { name: "sale", title: "The great sale", queueing_status_code: 503, poll_far_seconds: 40 };
    const answers = async (from: number, to: number) => {
      const room = rig.room();
      const events = [{ ...own, event_start_time: at(from), event_end_time: at(to) }];
      await room.script({ manifest: { config: 2, admittedEpoch: 1 }, settings: { events } });
      const reply = await room.browser().navigate("/");
      return [reply.status, reply.headers.get("Retry-After"), (await reply.text()).includes("The great sale")];
    };
    expect(await answers(-HOUR_MS, HOUR_MS)).toEqual([503, "40", true]);
    expect(await answers(HOUR_MS, 2 * HOUR_MS)).toEqual([200, "60", false]);
  });
});

describe("a lobby", () => {
  test("[GATE-48] newcomers prove their cookie, join, and hold an entry; nothing reaches the site", async () => {
    const room = rig.room();
    await room.script({ manifest: { phase: "lobby", lobby: lobbyOf() }, join: entered });
    const browser = room.browser();
    const reply = await browser.navigate("/shop?a=1");
    const page = await told(reply);
    expect(page).toMatchObject({
      state: "lobby",
      slot: null,
      ahead: null,
      draw: { id: 7, entry: 4 },
      event: { entries: 1_200, name: "drop" },
    });
    expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
    const held = [...browser.cookies.values()].map(({ value }) => claimsIn(value));
    expect(held).toMatchObject([{ kind: "entry", draw: 7, entry: 4, chain: entered.chain, iat: entered.joinedAtS, generation: 1 }]);
    expect((await askedOf(room, "joins")).length).toBe(1);
    expect((await told(await browser.navigate("/shop?a=1")))?.state).toBe("lobby");
    expect((await askedOf(room, "joins")).length).toBe(1);
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-48] who holds an entry is answered from the manifest: pages, data, forms; not who only looks ahead", async () => {
    const room = rig.room();
    await room.script({ manifest: { phase: "lobby", lobby: lobbyOf() } });
    const cookies = { place: await room.entry() };
    for (const reply of [await room.navigate("/shop", cookies), await room.fetch("/shop", { cookies }), await status(room, cookies)]) {
      expect(reply.headers.getSetCookie()).toEqual([]);
      expect(await told(reply)).toMatchObject({ state: "lobby", draw: { id: 7, entry: 4 } });
    }
    const form = await room.fetch("/shop", { method: "POST", cookies, headers: NAVIGATION, body: "a=1" });
    expect(await told(form)).toMatchObject({ state: "lobby" });
    expect((await room.fetch("/shop", { method: "HEAD", cookies })).status).toBe(503);
    expect((await room.navigate("/shop", cookies, { "Sec-Purpose": "prefetch" })).status).toBe(503);
    expect(await askedOf(room, "joins")).toEqual([]);
    expect(await askedOf(room, "claims")).toEqual([]);
    expect((await room.seen()).drawCalls).toBe(0);
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-48] an entry past half of its life is set again, with its time of entering", async () => {
    const room = rig.room();
    await room.script({ manifest: { phase: "lobby", lobby: lobbyOf() } });
    const iat = nowS() - 50_000;
    const reply = await status(room, { place: await room.entry({ iat, exp: nowS() + 9_000 }) });
    expect(claimsIn(setBy(reply).get("vestibule"))).toMatchObject({ kind: "entry", entry: 4, iat });
  });

  test("[GATE-48] without a shuffle the place is shown, and a place from before keeps its slot in any lobby", async () => {
    const room = rig.room();
    await room.script({ manifest: { phase: "lobby", lobby: lobbyOf({ draw: null, commitment: null, beacon: "none" }) } });
    expect(await told(await status(room, { place: await room.ticket() }))).toMatchObject({ state: "lobby", slot: 200, ahead: 100 });
    await room.script({ claim: { as: "paused" } });
    expect(await told(await status(room, { place: await room.ticket({ slot: 50 }) }))).toMatchObject({
      state: "lobby",
      slot: 50,
      ahead: 0,
    });
  });

  test("[GATE-49] leaving clears the cookie and says that the entry stays counted; the Room is told nothing", async () => {
    const room = rig.room();
    await room.script({ manifest: { phase: "lobby", lobby: lobbyOf() } });
    const reply = await room.post(`${room.api}/leave`, { place: await room.entry() });
    expect(await told(reply)).toMatchObject({ state: "ended", reason: "left", draw: { id: 7, entry: 4 } });
    expect([...setBy(reply)]).toEqual([
      ["vestibule", ""],
      ["vestibule-pass", ""],
    ]);
    expect(await askedOf(room, "leaves")).toEqual([]);
  });

  test("[GATE-43] [GATE-48] apps get the entry in the JSON, and later the ticket it became", async () => {
    const room = rig.room();
    const made = drawn(room.name);
    await room.script({ manifest: { phase: "lobby", lobby: lobbyOf() }, join: { ...entered, chain: made.chainAfter(4) } });
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
    const joined = await room.fetch(`${room.api}/join`, { method: "POST", headers: bearer(await room.visitor()) });
    const { entry, state } = (await joined.json()) as { entry: string; state: string };
    expect([state, claimsIn(entry)]).toMatchObject(["lobby", { kind: "entry", entry: 4 }]);
    for (const path of ["join", "claim"]) {
      const again = await room.fetch(`${room.api}/${path}`, { method: "POST", headers: bearer(entry) });
      expect(await again.json()).toMatchObject({ state: "lobby", draw: { id: 7, entry: 4 } });
    }
    await room.script({ manifest: { phase: "open", draws: [made.places], config: 1 } });
    const tell = async () => (await (await status(room, {}, bearer(entry))).json()) as { state: string; ticket: string; slot: number };
    // A manifest lives for a second or two.
    let after = await tell();
    const told = async () => {
      after = await tell();
      return after.state;
    };
    await expect.poll(told).toBe("waiting");
    expect(after).toMatchObject({ slot: slotOf(made.places, 4), draw: { id: 7, entry: 4 } });
    expect(claimsIn(after.ticket)).toMatchObject({ kind: "ticket", slot: after.slot, receipt: { draw: 7, entry: 4 } });
    const left = await room.fetch(`${room.api}/leave`, { method: "POST", headers: bearer(entry) });
    expect(await left.json()).toMatchObject({ state: "ended", reason: "left", slot: after.slot });
    expect(await askedOf(room, "leaves")).toMatchObject([{ slot: after.slot }]);
  });
});

describe("a draw", () => {
  test("[GATE-48] turns an entry into the ticket of its slot, with its time and receipt", async () => {
    const room = rig.room();
    const { places, chainAfter } = drawn(room.name);
    await room.script({ manifest: { draws: [places] } });
    for (let entry = 0; entry < places.count; entry++) {
      const reply = await room.navigate("/shop", { place: await room.entry({ entry, chain: chainAfter(entry) }) });
      const slot = slotOf(places, entry);
      expect(await told(reply)).toMatchObject({ state: "waiting", slot, ahead: slot - 100, draw: { id: 7, entry } });
      const ticket = claimsIn(setBy(reply).get("vestibule"));
      expect(ticket).toMatchObject({ kind: "ticket", slot, iat: expect.closeTo(nowS() - 60, -1) });
      expect(ticket).toMatchObject({ receipt: { draw: 7, entry, chain: chainAfter(entry) } });
    }
    expect((await room.seen()).drawCalls).toBe(0);
  });

  test("[GATE-48] the receipt stays when the ticket is renewed and used", async () => {
    const room = rig.room();
    const receipt = { draw: 7, entry: 4, chain: drawn(room.name).chainAfter(4) };
    const exp = nowS() + 9_000;
    const reply = await status(room, { place: await room.ticket({ receipt, exp }) });
    expect(claimsIn(setBy(reply).get("vestibule"))).toMatchObject({ kind: "ticket", slot: 200, receipt });
    const inside = await room.navigate("/shop", { place: await room.ticket({ slot: 50, receipt, exp }) });
    expect(await inside.text()).toContain("origin GET /shop");
    expect(claimsIn(setBy(inside).get("vestibule"))).toMatchObject({ kind: "ticket", slot: 50, receipt });
  });

  test("[GATE-48] a slot below the admitted epoch goes in at once", async () => {
    const room = rig.room();
    const { places } = drawn(room.name, { base: 0, count: 50 });
    await room.script({ manifest: { draws: [places] } });
    const reply = await room.navigate("/shop", { place: await room.entry() });
    expect(await reply.text()).toContain("origin GET /shop");
    expect(claimsIn(setBy(reply).get("vestibule"))).toMatchObject({ kind: "ticket", slot: slotOf(places, 4), receipt: { entry: 4 } });
    expect(claimsIn(setBy(reply).get("vestibule-pass"))).toMatchObject({ kind: "pass", slot: slotOf(places, 4) });
  });

  test("[GATE-48] older than the manifest tells is asked for once, not per visitor", async () => {
    const room = rig.room();
    const { record, places } = drawn(room.name);
    await room.script({ draws: [record] });
    for (let entry = 0; entry < 10; entry++) {
      expect(await told(await status(room, { place: await room.entry({ entry }) }))).toMatchObject({ slot: slotOf(places, entry) });
    }
    expect((await room.seen()).drawCalls).toBe(1);
  });

  test("[GATE-48] that the Room still collects for, or cannot be asked for, keeps the visitor where they are", async () => {
    const room = rig.room();
    await room.script({ draws: [drawn(room.name).pending] });
    const cookies = { place: await room.entry() };
    expect(await told(await status(room, cookies))).toMatchObject({ state: "joining", reason: null, draw: { id: 7, entry: 4 } });
    const other = rig.room();
    await status(other, { place: await other.ticket() });
    await other.fail("plain");
    expect(await told(await status(other, { place: await other.entry() }))).toMatchObject({ state: "joining", draw: { id: 7, entry: 4 } });
    expect(await askedOf(other, "joins")).toEqual([]);
  });

  test("[GATE-48] that somebody else asked for before it was opened is not taken for dropped", async () => {
    const room = rig.room();
    await status(room, { place: await room.ticket() });
    expect((await room.fetch(`${room.api}/draws/7`)).status).toBe(404);
    await room.script({ draws: [drawn(room.name).pending] });
    expect(await told(await status(room, { place: await room.entry() }))).toMatchObject({ state: "joining", draw: { id: 7, entry: 4 } });
    expect(await askedOf(room, "joins")).toEqual([]);
  });

  test("[GATE-48] of a small window shows when it will be dealt, and the same key after it has the slot at once", async () => {
    const room = rig.room();
    const { places, chainAfter } = drawn(room.name);
    const window = { draw: 7, closesAt: Date.now() + 2_000, commitment: "ab".repeat(32) };
    await room.script({ manifest: { window }, join: { ...entered, chain: chainAfter(4) } });
    const page = await told(await room.navigate("/shop", { place: await room.visitor() }));
    expect(page).toMatchObject({ state: "drawing", draw: { id: 7, entry: 4 }, pollExactly: true });
    expect(page?.pollAfterMs).toBeLessThan(6_000);
    const other = rig.room();
    await other.script({ manifest: { draws: [places] }, join: entered });
    const reply = await other.navigate("/shop", { place: await other.visitor() });
    expect(await told(reply)).toMatchObject({ state: "waiting", slot: slotOf(places, 4) });
    expect(claimsIn(setBy(reply).get("vestibule"))).toMatchObject({ kind: "ticket", slot: slotOf(places, 4) });
  });

  test("[GATE-9] an entry of a former generation gets one fresh place, the same in parallel", async () => {
    const room = rig.room();
    await room.script({ manifest: { generation: 2, phase: "lobby", lobby: lobbyOf({ draw: 8 }) }, join: { ...entered, draw: 8 } });
    const cookies = { place: await room.entry() };
    const replies = await Promise.all([room.navigate("/shop", cookies), room.navigate("/shop", cookies), status(room, cookies)]);
    for (const reply of replies) {
      expect(claimsIn(setBy(reply).get("vestibule"))).toMatchObject({ kind: "entry", draw: 8, generation: 2 });
      expect(await told(reply)).toMatchObject({ state: "lobby", reason: "restarted" });
    }
    expect(new Set((await askedOf(room, "joins")).map(({ key }) => key)).size).toBe(1);
  });
});

describe("called off, closed, rejected", () => {
  test("[GATE-49] an entry of an event that was called off hears so; the button gives a new place", async () => {
    const room = rig.room();
    await room.script({ manifest: { cancelled: { event: "drop", message: "The hall is closed." } } });
    const cookies = { place: await room.entry() };
    expect(await told(await room.navigate("/shop", cookies))).toMatchObject({
      ...{ state: "ended", reason: "cancelled", message: "The hall is closed." },
    });
    expect(await askedOf(room, "joins")).toEqual([]);
    expect(await told(await room.post(`${room.api}/join`, cookies))).toMatchObject({ state: "waiting", slot: 1_000 });
    await room.script({ manifest: { cancelled: null } });
    const later = rig.room();
    expect(await told(await later.navigate("/shop", { place: await later.entry() }))).toMatchObject({ state: "waiting", slot: 1_000 });
  });

  test("[GATE-49] whoever joined its lobby without a shuffle keeps the place, and hears first that it was called off", async () => {
    const room = rig.room();
    const at = (ms: number) => new Date(Date.now() + ms).toISOString().replace(/\.\d+Z/, "Z");
    const times = { prequeue_start_time: at(-HOUR_MS), event_start_time: at(HOUR_MS), event_end_time: at(2 * HOUR_MS) };
    const message = "The hall is closed.";
    await room.script({
      manifest: { config: 2, cancelled: { event: "drop", message } },
      settings: { events: [{ name: "drop", ...times, cancelled: message }] },
    });
    const before = { place: await room.ticket({ iat: nowS() - 4_000 }) };
    const within = { place: await room.ticket({ iat: nowS() - 2_000 }) };
    expect(await told(await room.navigate("/shop", before))).toMatchObject({ state: "waiting", slot: 200, reason: null, message });
    const page = await room.navigate("/shop", within);
    expect(await told(page.clone())).toMatchObject({ state: "waiting", slot: 200, ahead: 100, reason: "cancelled", message });
    expect(await page.text()).toContain("This has been called off");
    expect(await told(await status(room, within))).toMatchObject({ state: "waiting", reason: "cancelled" });
  });

  test("[GATE-18] a closed room says when it opens, without a call per request and without a place", async () => {
    const room = rig.room();
    const opensAt = Date.now() + HOUR_MS;
    await room.script({ manifest: { phase: "closed", joins: "closed", opensAt } });
    for (const reply of [await room.navigate("/shop"), await room.navigate("/shop", { place: await room.visitor() })]) {
      expect(reply.headers.getSetCookie()).toEqual([]);
      expect(await told(reply)).toMatchObject({ state: "closed", reason: "outside-events", opensAt, slot: null });
    }
    expect(await told(await room.navigate("/shop", { place: await room.ticket() }))).toMatchObject({ state: "closed", slot: 200 });
    expect((await room.navigate("/shop", { pass: await room.pass() })).status).toBe(200);
    expect(await askedOf(room, "joins")).toEqual([]);
    const rejecting = rig.room();
    await rejecting.script({ manifest: { joins: "reject" } });
    expect(await told(await rejecting.navigate("/shop"))).toMatchObject({ state: "refused", reason: "rejected" });
  });
});

describe("what anybody may read", () => {
  test("[GATE-50] a record is kept for ever once drawn, and asked of the Room once; before, it is not kept", async () => {
    const room = rig.room();
    const { record, pending } = drawn(room.name);
    await room.script({ draws: [record, { ...pending, id: 8 }] });
    const get = (id: string) => room.fetch(`${room.api}/draws/${id}`);
    for (let i = 0; i < 3; i++) {
      const reply = await get("7");
      expect(reply.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(await reply.json()).toEqual(record);
    }
    expect((await room.seen()).drawCalls).toBe(1);
    const open = await get("8");
    expect(open.headers.get("Cache-Control")).toBe("private, no-store");
    expect(await open.text()).not.toMatch(/salt|seed/);
    expect(await (await get("latest")).json()).toMatchObject({ id: 8, pending: "collecting" });
    for (const id of ["9", "0", "07", "-1", "1e3", "x"]) expect((await get(id)).status, id).toBe(404);
  });

  test("[GATE-50] however often and whatever is asked, calls to the Room keep to a budget that visitors with entries do not share", async () => {
    const room = rig.room();
    const { record, places } = drawn(room.name);
    await room.script({ draws: [record] });
    const replies = await Promise.all(Array.from({ length: 100 }, (_, i) => room.fetch(`${room.api}/draws/${i + 1_000}`)));
    expect(new Set(replies.map(({ status: code }) => code))).toEqual(new Set([404, 503]));
    expect((await room.seen()).drawCalls).toBeLessThan(40);
    expect(await told(await status(room, { place: await room.entry() }))).toMatchObject({ slot: slotOf(places, 4) });
  });

  test("[GATE-50] the list of entries comes in pages that lead on, the last one empty", async () => {
    const room = rig.room();
    const { record, batches } = drawn(room.name);
    await room.script({ draws: [record], batches });
    let path = `${room.api}/draws/7/batches`;
    const lines: string[] = [];
    for (let page = 0; page < 10; page++) {
      const reply = await room.fetch(path);
      expect(reply.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
      const text = await reply.text();
      lines.push(...text.split("\n").filter((line) => line !== ""));
      const next = /^<(\?from=\d+)>; rel="next"$/.exec(reply.headers.get("Link") ?? "")?.[1];
      if (next === undefined) break;
      path = `${room.api}/draws/7/batches${next}`;
    }
    expect(lines).toEqual(batches.map(({ first, digest }) => `${first} ${digest}`));
    expect((await room.fetch(`${room.api}/draws/7/batches?from=x`)).status).toBe(404);
  });

  test("[GATE-50] the page that checks it knows the visitor's own entry by cookie, be it an entry or the ticket it became", async () => {
    const room = rig.room();
    const made = drawn(room.name);
    const { record, places } = made;
    await room.script({ draws: [record], manifest: { draws: [places] } });
    const chain = made.chainAfter(4);
    const ownIn = async (cookies: { place?: string }) => {
      const reply = await room.navigate(`${room.api}/draws/7/verify`, cookies);
      expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
      expect(reply.headers.get("X-Robots-Tag")).toBe("noindex");
      const data = /id="data">(.*?)<\/script>/s.exec(await reply.text())?.[1] ?? "";
      return (JSON.parse(data) as VerifyData).own;
    };
    const slot = slotOf(places, 4);
    const own = { entry: 4, slot, chain: Buffer.from(chain, "base64url").toString("hex") };
    expect(await ownIn({ place: await room.entry({ chain }) })).toEqual(own);
    expect(await ownIn({ place: await room.ticket({ slot, receipt: { draw: 7, entry: 4, chain } }) })).toEqual(own);
    expect(await ownIn({ place: await room.ticket() })).toBeNull();
    expect(await ownIn({ place: await room.ticket({ slot, receipt: { draw: 6, entry: 4, chain } }) })).toBeNull();
    expect(await ownIn({})).toBeNull();
  });

  test("[GATE-50] [LOOK-1] that page has the room's colours, as the waiting page has", async () => {
    const room = rig.room();
    await room.script({ draws: [drawn(room.name).record], manifest: { config: 2 }, settings: { accent_color: "#7a1fa2" } });
    const text = await (await room.navigate(`${room.api}/draws/7/verify`)).text();
    expect(text).toMatch(/<style id="look"[^>]*>[^<]*--accent:#7a1fa2/);
    expect(text).toContain("fill='%237a1fa2'");
  });

  test("[GATE-50] before the draw that page says how it works and what was sealed", async () => {
    const room = rig.room();
    const { pending } = drawn(room.name);
    await room.script({ draws: [pending], manifest: { phase: "lobby", lobby: lobbyOf() } });
    const text = await (await room.navigate(`${room.api}/draws/7/verify`, { place: await room.entry() })).text();
    expect(text).toContain(pending.commitment);
    expect(text).toContain("has not taken place yet");
    const receipt = /<code id="receipt">(receipt\.[\w-]+)<\/code>/.exec(text)?.[1] ?? "";
    expect(readReceipt(receipt)).toEqual({ r: room.name, g: 1, d: 7, e: 4, c: "A".repeat(43) });
    expect(text).not.toContain("<script");
  });

  test("[GATE-51] the calendar file of a lobby; none without one", async () => {
    const room = rig.room();
    expect((await room.fetch(`${room.api}/calendar.ics`)).status).toBe(404);
    const other = rig.room();
    await other.script({
      manifest: { phase: "lobby", lobby: lobbyOf({ startsAt: Date.UTC(2026, 11, 4, 9), endsAt: Date.UTC(2026, 11, 4, 11) }) },
    });
    const reply = await other.fetch(`${other.api}/calendar.ics?to=%2Ftickets`);
    expect(reply.headers.get("Content-Type")).toBe("text/calendar; charset=utf-8");
    const text = await reply.text();
    expect(text).toContain("DTSTART:20261204T090000Z\r\nDTEND:20261204T110000Z\r\n");
    expect(text).toContain(`URL:http://${other.host}/tickets\r\n`);
    const foreign = await other.fetch(`${other.api}/calendar.ics?to=https%3A%2F%2Fevil.example%2F`);
    expect(await foreign.text()).toContain(`URL:http://${other.host}/\r\n`);
  });

  test("[GATE-51] the calendar file of somebody in line is the earliest likely turn, as the status estimates it", async () => {
    const room = rig.room();
    const cookies = { place: await room.ticket({ slot: 9_000 }) };
    const { eta } = (await (await status(room, cookies)).json()) as Status;
    const before = Date.now();
    const text = await (await room.fetch(`${room.api}/calendar.ics?to=%2Ftickets`, { cookies })).text();
    const [starts = "", ends = ""] = [...text.matchAll(/^DT(?:START|END):(.*)$/gm)].map((match) => match[1] ?? "");
    const at = (utc: string) => Date.parse(utc.trim().replace(/(....)(..)(..T..)(..)(.*)/, "$1-$2-$3:$4:$5"));
    const tookMs = Date.now() - before + 2_000;
    expect(eta?.minSeconds).toBeGreaterThan(1_800);
    expect(Math.abs(at(starts) - before - (eta?.minSeconds ?? 0) * 1_000)).toBeLessThan(tookMs);
    expect(Math.abs(at(ends) - before - (eta?.maxSeconds ?? 0) * 1_000)).toBeLessThan(tookMs);
    expect(text).toContain(`UID:turn-1-9000.${room.name}@${room.host}`);
    expect(text).toContain(`SUMMARY:${room.host}: your turn\\, at the earliest`);
    expect((await room.fetch(`${room.api}/calendar.ics`, { cookies: { place: await room.visitor() } })).status).toBe(404);
  });
});
