/** Our own endpoints about visitors, against a Room that answers as told. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Batch } from "../../src/core/exchange";
import { decodeToken } from "../../src/core/token";
import { NAVIGATION, type Rig, type RigRoom, startRig, told } from "../support/gate-rig";
import { parseSetCookie } from "../support/jar";
import { TEST_ADMIN_TOKEN } from "../support/worker";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const nowS = () => Math.floor(Date.now() / 1_000);
const SAME_SITE = { "Sec-Fetch-Site": "same-origin" };
const FORM = { ...NAVIGATION, ...SAME_SITE, "Content-Type": "application/x-www-form-urlencoded" };

function setBy(response: Response): Map<string, string> {
  return new Map(
    response.headers
      .getSetCookie()
      .map(parseSetCookie)
      .map(({ name, value }) => [name.split(".")[0] ?? "", value]),
  );
}
const claimsIn = (token: string | undefined) => decodeToken(token ?? "")?.claims;

async function askedOf<K extends "joins" | "claims" | "leaves">(room: RigRoom, kind: K): Promise<Batch[K][number][]> {
  return (await room.seen()).batches.flatMap((batch): readonly Batch[K][number][] => batch[kind]);
}
const status = (room: RigRoom, cookies = {}, headers = {}) => room.fetch(`${room.api}/status`, { cookies, headers });

describe("GET status", () => {
  test("[GATE-40] tells where everybody stands, and enters nobody", async () => {
    const room = rig.room();
    await room.script({ claim: { as: "called", holdForMs: 9_000, validForMs: 90_000 } });
    const standings = [
      [{}, { state: "joining", reason: "cookies-needed" }],
      [{ place: await room.visitor() }, { state: "joining", reason: null }],
      [{ place: await room.ticket() }, { state: "waiting", slot: 200, ahead: 100 }],
      [{ place: await room.ticket({ slot: 99 }) }, { state: "called", slot: 99, holdForMs: 9_000 }],
      [{ pass: await room.pass() }, { state: "inside", slot: 50 }],
    ] as const;
    for (const [cookies, expected] of standings) {
      const reply = await status(room, cookies);
      expect([reply.status, reply.headers.get("Cache-Control"), await reply.json()]).toMatchObject([
        200,
        "private, no-store",
        { room: room.name, ...expected },
      ]);
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
    expect(await askedOf(room, "claims")).toMatchObject([{ intent: "look" }]);
    expect(await askedOf(room, "joins")).toEqual([]);
  });

  test("[GATE-40] C74 is seen by the Room, and keeps the ticket's cookie alive", async () => {
    const room = rig.room();
    const iat = nowS() - 50_000;
    const reply = await status(room, { place: await room.ticket({ iat, exp: nowS() + 9_000 }) });
    expect(claimsIn(setBy(reply).get("vestibule"))).toMatchObject({ slot: 200, iat });
    await expect.poll(async () => (await room.seen()).batches.flatMap((batch) => batch.sightings)).toEqual([200]);
  });

  test("[GATE-40] O10 C4 after a reset gives the one fresh place, in the cookie; to an app by bearer in the JSON", async () => {
    const room = rig.room();
    await room.script({ manifest: { generation: 2, admittedEpoch: 0, tail: 0 } });
    const old = await room.ticket();
    const byCookie = await status(room, { place: old });
    expect(byCookie.headers.get("Cache-Control")).toBe("private, no-store");
    expect(claimsIn(setBy(byCookie).get("vestibule"))).toMatchObject({ generation: 2, slot: 1_000 });
    expect(await byCookie.json()).toMatchObject({ state: "waiting", reason: "restarted", slot: 1_000 });
    const byBearer = await status(room, {}, { Authorization: `Bearer ${old}` });
    const body = (await byBearer.json()) as { ticket?: string };
    expect([byBearer.headers.getSetCookie(), claimsIn(body.ticket)]).toMatchObject([[], { generation: 2, slot: 1_000 }]);
  });

  test("[GATE-19] on a room that is off lets people go in by themselves, spread", async () => {
    const room = rig.room();
    await room.script({ manifest: { phase: "off" } });
    const body = await (await status(room, { place: await room.ticket() })).json();
    expect(body).toMatchObject({ state: "called", reason: "room-off", dueInMs: expect.any(Number) });
  });

  test("[GATE-22] says so when the Room does not answer", async () => {
    const room = rig.room();
    await room.fail("plain");
    const reply = await status(room, { place: await room.ticket() });
    expect([reply.status, await reply.json()]).toMatchObject([503, { state: "waiting", reason: "room-unreachable", slot: 200 }]);
  });

  test("[GATE-40] S12 nobody learns of another's place: a foreign, forged or other room's token is no token", async () => {
    const room = rig.room();
    const other = rig.room();
    for (const token of [await other.ticket(), "x", "a.b.c"]) {
      expect(await (await status(room, { place: token })).json()).toMatchObject({ reason: "cookies-needed" });
      const bearer = await status(room, {}, { Authorization: `Bearer ${token}` });
      expect([bearer.status, bearer.headers.get("WWW-Authenticate")]).toMatchObject([401, expect.stringContaining("Bearer")]);
    }
  });
});

describe("GET status too often", () => {
  /** So many at once; and how many may be answered: five, and one for each second that it took. */
  async function atOnce(count: number, ask: () => Promise<Response>) {
    const startedAt = Date.now();
    const replies = await Promise.all(Array.from({ length: count }, ask));
    const most = 5 + (Date.now() - startedAt) / 1_000;
    const [answered, refused] = [200, 429].map((code) => replies.filter(({ status }) => status === code));
    if (answered === undefined || refused === undefined || answered.length + refused.length !== count) throw new Error("another answer");
    return { answered, refused, most };
  }

  test("[GATE-60] C12 O2 is 429 with Retry-After, without a cookie and without a call; the place stays, and the Room hears of it", async () => {
    const room = rig.room();
    await room.script({ claim: { as: "called", holdForMs: 9_000, validForMs: 90_000 } });
    await status(room);
    const iat = nowS() - 50_000;
    const waits = { place: await room.ticket({ iat, exp: nowS() + 9_000 }) };
    const called = { place: await room.ticket({ slot: 99, iat, exp: nowS() + 9_000 }) };
    for (const cookies of [waits, called]) {
      const { answered, refused, most } = await atOnce(60, () => status(room, cookies));
      expect(answered.length).toBeGreaterThanOrEqual(5);
      expect(answered.length).toBeLessThanOrEqual(most);
      expect(answered.filter((reply) => reply.headers.getSetCookie().length === 0)).toEqual([]);
      for (const reply of refused) {
        expect([reply.headers.getSetCookie(), reply.headers.get("Cache-Control")]).toEqual([[], "private, no-store"]);
        expect(Number(reply.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
        const { code, slot } = (await reply.json()) as { code: string; slot?: number };
        expect([code, slot]).toEqual(["too-often", undefined]);
      }
      if (cookies === called) expect((await askedOf(room, "claims")).length).toBeLessThanOrEqual(answered.length);
    }
    await expect.poll(async () => (await room.seen()).batches.flatMap((batch) => batch.sightings)).toEqual([200]);
    expect(await told(await room.navigate("/", waits))).toMatchObject({ state: "waiting", slot: 200 });
    await expect.poll(async () => told(await status(room, waits))).toMatchObject({ state: "waiting", slot: 200 });
  });

  test("[GATE-60] S4 it counts by the place: not by the address, by cookie or by bearer; nobody else is meant", async () => {
    const room = rig.room();
    const [place, other] = [await room.ticket(), await room.ticket({ slot: 201 })];
    let i = 0;
    const { refused, answered, most } = await atOnce(40, () => {
      const address = { "CF-Connecting-IP": `203.0.113.${i++}` };
      return i % 2 ? status(room, { place }, address) : status(room, {}, { ...address, Authorization: `Bearer ${place}` });
    });
    expect([answered.length <= most, refused.length > 0]).toEqual([true, true]);
    expect(await told(await status(room, { place: other }))).toMatchObject({ slot: 201 });
    expect(await told(await room.post(`${room.api}/join`, { place }))).toMatchObject({ slot: 200 });
    const { refused: nobody } = await atOnce(20, () => status(room));
    expect(nobody).toEqual([]);
  });
});

describe("POST join", () => {
  test("[GATE-41] C75 20 at once with one visitor token: one place, twenty equal replies", async () => {
    const room = rig.room();
    const place = await room.visitor();
    const replies = await Promise.all(Array.from({ length: 20 }, () => room.post(`${room.api}/join`, { place })));
    for (const reply of replies) {
      expect([reply.status, claimsIn(setBy(reply).get("vestibule"))]).toMatchObject([200, { kind: "ticket", slot: 1_000 }]);
      expect(await reply.json()).toMatchObject({ state: "waiting", slot: 1_000 });
    }
    const joins = await askedOf(room, "joins");
    expect([new Set(joins.map(({ key }) => key)).size, joins.some(({ enter }) => enter)]).toEqual([1, false]);
  });

  test("[GATE-41] with a place keeps it", async () => {
    const room = rig.room();
    const reply = await room.post(`${room.api}/join`, { place: await room.ticket() });
    expect([await reply.json(), await askedOf(room, "joins")]).toMatchObject([{ state: "waiting", slot: 200 }, []]);
  });

  test("[GATE-41] after the place ended gives one new place, however often it is asked", async () => {
    const room = rig.room();
    await room.script({ claim: { as: "ended", why: "flushed" } });
    const place = await room.ticket({ slot: 99 });
    for (let i = 0; i < 3; i++) {
      const reply = await room.post(`${room.api}/join`, { place });
      expect([claimsIn(setBy(reply).get("vestibule")), await reply.json()]).toMatchObject([
        { slot: 1_000 },
        { state: "waiting", slot: 1_000 },
      ]);
    }
    const other = await room.post(`${room.api}/join`, { place: await room.ticket({ slot: 98 }) });
    expect(await other.json()).toMatchObject({ slot: 1_001 });
  });

  test("[GATE-41] after the session was taken over too often gives a new place; before that it stays void", async () => {
    const room = rig.room();
    const asked = { place: await room.ticket({ slot: 99 }) };
    await room.script({ claimBy: { look: { as: "inside" }, enter: { as: "void", takeoversLeft: 1 } } });
    expect(await (await room.post(`${room.api}/join`, asked)).json()).toMatchObject({ state: "void", takeoversLeft: 1 });
    expect(await askedOf(room, "joins")).toEqual([]);
    await room.script({ claimBy: { look: { as: "inside" }, enter: { as: "void", takeoversLeft: 0 } } });
    expect(await (await room.post(`${room.api}/join`, asked)).json()).toMatchObject({ state: "waiting", slot: 1_000 });
  });

  test("[GATE-41] without a token: 428 and a token, no place; a form is led through the cookie check", async () => {
    const room = rig.room();
    const reply = await room.post(`${room.api}/join`);
    expect([reply.status, claimsIn(setBy(reply).get("vestibule")), await reply.json()]).toMatchObject([
      428,
      { kind: "visitor" },
      { code: "cookies-needed", state: "joining" },
    ]);
    const form = await room.fetch(`${room.api}/join`, { method: "POST", body: "to=%2Fshop", headers: FORM });
    const check = `${room.publicOrigin}/__vestibule/check?to=${encodeURIComponent(`${room.publicOrigin}/shop`)}`;
    expect([form.status, form.headers.get("Location")]).toEqual([303, check]);
    expect(await askedOf(room, "joins")).toEqual([]);
  });

  test("[APP-1] C19 W4 an app without cookies gets its token in the JSON; the token repeats a join, the key nothing: two with one key have two places", async () => {
    const room = rig.room();
    const key = { "Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324" };
    const begin = async (headers: Record<string, string> = {}) => {
      const reply = await room.fetch(`${room.api}/join`, { method: "POST", headers: { ...key, ...headers } });
      expect([reply.status, reply.headers.get("Content-Type"), Number(reply.headers.get("Retry-After")) > 0]).toEqual([
        428,
        "application/problem+json",
        true,
      ]);
      return { reply, visitor: ((await reply.json()) as { visitor?: string }).visitor ?? "" };
    };
    const [one, other] = [await begin(), await begin()];
    expect([one.reply.headers.getSetCookie(), claimsIn(one.visitor)]).toMatchObject([[], { kind: "visitor" }]);
    expect(await askedOf(room, "joins")).toEqual([]);
    const slots: number[] = [];
    for (const { visitor } of [one, one, other, one]) {
      const headers = { ...key, Authorization: `Bearer ${visitor}` };
      const reply = await room.fetch(`${room.api}/join`, { method: "POST", headers });
      const { slot, ticket } = (await reply.json()) as { slot: number; ticket: string };
      expect([reply.status, reply.headers.getSetCookie(), claimsIn(ticket)]).toMatchObject([200, [], { kind: "ticket", slot }]);
      slots.push(slot);
    }
    expect(slots).toEqual([1_000, 1_000, 1_001, 1_000]);
    const byKey = await room.fetch(`${room.api}/join`, { method: "POST", headers: key });
    expect((await byKey.json()) as object).not.toHaveProperty("ticket");

    // The site's own script: the cookie's token is another one than the script may read.
    const script = await begin({ "Sec-Fetch-Site": "same-origin" });
    const [cookie, shown] = [claimsIn(setBy(script.reply).get("vestibule")), claimsIn(script.visitor)];
    if (cookie?.kind !== "visitor" || shown?.kind !== "visitor") throw new Error("no visitor tokens");
    expect(cookie.key).not.toBe(shown.key);
    const plain = await room.post(`${room.api}/join`);
    expect((await plain.json()) as object).not.toHaveProperty("visitor");
  });

  test("[APP-1] [GATE-43] W4 S13 the key opens nothing to browsers, to cookies or beyond joining", async () => {
    const room = rig.room();
    const key = { "Idempotency-Key": "1" };
    const cookies = { place: await room.ticket({ slot: 99 }) };
    const refused: [string, { cookies?: object; headers: Record<string, string> }][] = [
      ["join", { cookies, headers: key }],
      ["join", { cookies: {}, headers: { ...key, Cookie: "a=b" } }],
      ["join", { headers: { ...key, Origin: "https://evil.example" } }],
      ["join", { headers: { ...key, "Sec-Fetch-Site": "cross-site" } }],
      ["join", { headers: { ...key, "Sec-Fetch-Site": "none" } }],
      ["join", { headers: { ...key, Accept: "text/html" } }],
      ["claim", { headers: key }],
      ["leave", { headers: key }],
      ["continue", { headers: key }],
      ["extend", { headers: key }],
    ];
    for (const [action, init] of refused) {
      const reply = await room.fetch(`${room.api}/${action}`, { method: "POST", ...init });
      expect([action, init, reply.status, reply.headers.getSetCookie()]).toEqual([action, init, 403, []]);
      expect((await reply.json()) as object).toMatchObject({ code: "cross-site" });
    }
    const seen = await room.seen();
    expect(seen.batches.flatMap((batch) => [...batch.joins, ...batch.claims, ...batch.leaves])).toEqual([]);
  });

  test("[APP-3] a refusal is a problem with a code; whoever still waits hears in a header, too, when to ask again", async () => {
    const room = rig.room();
    const standings = [
      [await room.ticket(), "status", true],
      [await room.ticket({ slot: 99 }), "claim", false],
    ] as const;
    for (const [place, action, waits] of standings) {
      const method = action === "status" ? "GET" : "POST";
      const headers = { Authorization: `Bearer ${place}` };
      const reply = await room.fetch(`${room.api}/${action}`, { method, headers });
      const { pollAfterMs } = (await reply.json()) as { pollAfterMs: number };
      expect([action, reply.status, reply.headers.get("Retry-After")]).toEqual([
        action,
        200,
        waits ? String(Math.ceil(pollAfterMs / 1_000)) : null,
      ]);
    }
    await room.script({ join: { as: "refused", why: "network", retryAfterMs: 60_000 } });
    const reply = await room.post(`${room.api}/join`, { place: await room.visitor() });
    expect([reply.status, reply.headers.get("Content-Type"), await reply.json()]).toMatchObject([
      429,
      "application/problem+json",
      { code: "refused", status: 429, reason: "network-limit" },
    ]);
  });

  test("[GATE-18] refused is told with its reason", async () => {
    const room = rig.room();
    await room.script({ join: { as: "refused", why: "network", retryAfterMs: 60_000 } });
    const reply = await room.post(`${room.api}/join`, { place: await room.visitor() });
    expect([reply.status, reply.headers.get("Retry-After"), await reply.json()]).toMatchObject([
      429,
      "60",
      { state: "refused", reason: "network-limit" },
    ]);
  });
});

describe("POST claim, continue, leave", () => {
  test("[GATE-42] claim sets the pass; an app by bearer gets it in the JSON and no cookie", async () => {
    const room = rig.room();
    const place = await room.ticket({ slot: 99 });
    const reply = await room.post(`${room.api}/claim`, { place });
    expect(claimsIn(setBy(reply).get("vestibule-pass"))).toMatchObject({ slot: 99 });
    const body = await reply.json();
    expect(body).toMatchObject({ state: "inside", slot: 99 });
    expect(Object.keys(body as object)).not.toContain("pass");
    const bearer = await room.fetch(`${room.api}/claim`, { method: "POST", headers: { Authorization: `Bearer ${place}` } });
    const tokens = (await bearer.json()) as { pass?: string };
    expect([bearer.status, bearer.headers.getSetCookie(), claimsIn(tokens.pass)]).toMatchObject([200, [], { kind: "pass", slot: 99 }]);
  });

  test("[GATE-42] claim before the turn enters nobody", async () => {
    const room = rig.room();
    const reply = await room.post(`${room.api}/claim`, { place: await room.ticket() });
    expect([await reply.json(), setBy(reply).get("vestibule-pass")]).toMatchObject([{ state: "waiting" }, undefined]);
    expect(await askedOf(room, "claims")).toEqual([]);
  });

  test("[GATE-42] more time is the Room's to give: nobody enters by it, and a form leads to the page where nobody does", async () => {
    const room = rig.room();
    const place = await room.ticket({ slot: 50 });
    await room.script({ claim: { as: "called", holdForMs: 0, validForMs: 200_000 } });
    const reply = await room.post(`${room.api}/extend`, { place });
    expect([reply.status, await reply.json()]).toMatchObject([200, { state: "called", validForMs: 200_000 }]);
    const form = await room.fetch(`${room.api}/extend`, { method: "POST", cookies: { place }, body: "to=%2Fshop%3Fa%3D1", headers: FORM });
    expect([form.status, form.headers.get("Location")]).toEqual([
      303,
      `${room.publicOrigin}${room.api}/wait?to=${encodeURIComponent(`${room.publicOrigin}/shop?a=1`)}&auto=off`,
    ]);
    expect(await askedOf(room, "claims")).toMatchObject([1, 2].map(() => ({ slot: 50, intent: "look", extend: true })));
    for (const answer of [reply, form]) expect(setBy(answer).get("vestibule-pass")).toBeUndefined();
    const early = await room.post(`${room.api}/extend`, { place: await room.ticket() });
    expect(await early.json()).toMatchObject({ state: "waiting" });
    expect(await askedOf(room, "claims")).toHaveLength(2);
  });

  test("[GATE-42] continue takes the session over with the last serial of this window, and leads back", async () => {
    const room = rig.room();
    const cookies = { place: await room.ticket({ slot: 50 }), pass: await room.pass({ serial: 7 }) };
    const reply = await room.fetch(`${room.api}/continue`, { method: "POST", cookies, body: "to=%2Fshop%3Fa%3D1", headers: FORM });
    expect([reply.status, reply.headers.get("Location")]).toEqual([303, `${room.publicOrigin}/shop?a=1`]);
    expect(claimsIn(setBy(reply).get("vestibule-pass"))).toMatchObject({ slot: 50 });
    expect(await askedOf(room, "claims")).toMatchObject([{ slot: 50, serial: 7, intent: "continue" }]);
  });

  test("[GATE-42] leave gives up the place of the pass, or of the ticket, and clears both cookies; repeating it is harmless", async () => {
    const room = rig.room();
    const place = await room.ticket({ slot: 50 });
    const inside = await room.post(`${room.api}/leave`, { place, pass: await room.pass({ serial: 3 }) });
    expect(await inside.json()).toMatchObject({ state: "ended", reason: "left", slot: 50 });
    const waiting = await room.post(`${room.api}/leave`, { place: await room.ticket() });
    const nobody = await room.post(`${room.api}/leave`);
    for (const reply of [inside, waiting, nobody]) {
      expect([reply.status, setBy(reply).get("vestibule"), setBy(reply).get("vestibule-pass")]).toEqual([200, "", ""]);
    }
    expect(await askedOf(room, "leaves")).toEqual([
      { slot: 50, serial: 3 },
      { slot: 200, serial: 0 },
    ]);
  });

  test("[GATE-42] leave by the page's form says so on a page that leads nowhere by itself", async () => {
    const room = rig.room();
    const reply = await room.fetch(`${room.api}/leave`, {
      method: "POST",
      cookies: { place: await room.ticket() },
      body: "to=%2Fshop",
      headers: FORM,
    });
    expect([reply.status, reply.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await told(reply)).toMatchObject({ state: "ended", reason: "left" });
  });

  test("[GATE-42] a leave that the Room refuses or never hears of keeps the cookies", async () => {
    const room = rig.room();
    await room.script({ leave: { as: "void" } });
    const refused = await room.post(`${room.api}/leave`, { place: await room.ticket({ slot: 50 }) });
    expect([refused.headers.getSetCookie(), await refused.json()]).toMatchObject([[], { state: "void" }]);
    await room.fail("overloaded");
    const unheard = await room.post(`${room.api}/leave`, { place: await room.ticket() });
    expect([unheard.status, unheard.headers.getSetCookie()]).toEqual([503, []]);
  });

  test("[GATE-24] [GATE-45] a long address is led back to whole: by the cookie check, and by a form", async () => {
    const room = rig.room();
    const to = `/back?state=${"/=".repeat(2_400)}`;
    const check = await room.navigate(to);
    const next = new URL(check.headers.get("Location") ?? "");
    const back = await room.navigate(next.pathname + next.search, { place: await room.visitor() });
    const body = `to=${encodeURIComponent(to)}`;
    const claimed = await room.fetch(`${room.api}/claim`, { method: "POST", cookies: { place: await room.ticket() }, body, headers: FORM });
    for (const reply of [back, claimed]) expect([reply.status, reply.headers.get("Location")]).toEqual([303, room.publicOrigin + to]);
  });

  test("[GATE-42][GATE-24] W1 W5 C62 a form never leads away from the site", async () => {
    const room = rig.room();
    for (const to of ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", "/x%0d%0aSet-Cookie:a=b", ""]) {
      const body = `to=${encodeURIComponent(to)}`;
      const reply = await room.fetch(`${room.api}/claim`, { method: "POST", cookies: { place: await room.ticket() }, body, headers: FORM });
      expect([to, reply.status, new URL(reply.headers.get("Location") ?? "").origin]).toEqual([to, 303, room.publicOrigin]);
      expect(reply.headers.has("a")).toBe(false);
    }
  });
});

describe("who may ask", () => {
  const ACTIONS = ["join", "claim", "leave", "continue", "extend"];

  test("[GATE-43] W4 S13 another site may cause nothing: 403, nothing asked of the Room, the ticket alive", async () => {
    const room = rig.room();
    const cookies = { place: await room.ticket({ slot: 99 }) };
    const foreign: Record<string, string>[] = [
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "none" },
      { "Sec-Fetch-Site": "cross-site", Origin: room.publicOrigin },
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: `${room.publicOrigin}.evil.example` },
      {},
      { ...NAVIGATION, "Sec-Fetch-Site": "cross-site", "Content-Type": "application/x-www-form-urlencoded" },
      { "Sec-Fetch-Site": "cross-site", "Content-Type": "application/json" },
    ];
    for (const action of ACTIONS) {
      for (const headers of foreign) {
        const reply = await room.fetch(`${room.api}/${action}`, { method: "POST", cookies, headers });
        expect([action, headers, reply.status, reply.headers.getSetCookie()]).toEqual([action, headers, 403, []]);
      }
    }
    const seen = await room.seen();
    expect(seen.batches.flatMap((batch) => [...batch.joins, ...batch.claims, ...batch.leaves])).toEqual([]);
  });

  test("[GATE-43] W4 nothing is done by GET", async () => {
    const room = rig.room();
    for (const action of ACTIONS) {
      expect((await room.fetch(`${room.api}/${action}`, { cookies: { place: await room.ticket({ slot: 99 }) } })).status).toBe(404);
    }
    expect((await room.seen()).attempts).toBe(0);
  });

  test("[GATE-43] the site's own pages may, told by Origin where the browser sends nothing better", async () => {
    const room = rig.room();
    const reply = await room.fetch(`${room.api}/claim`, {
      method: "POST",
      cookies: { place: await room.ticket({ slot: 99 }) },
      headers: { Origin: room.publicOrigin },
    });
    expect(reply.status).toBe(200);
  });

  test("[GATE-43] with a bearer token cookies do not count, and a pass or ticket of another kind opens nothing", async () => {
    const room = rig.room();
    const headers = { Authorization: `Bearer ${await room.visitor()}` };
    const cookies = { place: await room.ticket({ slot: 99 }), pass: await room.pass() };
    const reply = await room.fetch(`${room.api}/status`, { cookies, headers });
    expect(await reply.json()).toMatchObject({ state: "joining", slot: null });
    for (const bad of ["Bearer", `Bearer ${await room.pass({ iat: 1, exp: 2, end: 3 })}x`]) {
      expect((await room.fetch(`${room.api}/leave`, { method: "POST", cookies, headers: { Authorization: bad } })).status).toBe(401);
    }
    expect(await askedOf(room, "leaves")).toEqual([]);
  });

  test("[GATE-43] [GATE-2] K4 each kind of token opens its own doors only, as a cookie of any name and as a bearer token", async () => {
    const room = rig.room();
    const other = rig.room();
    await room.script({ claim: { as: "waiting" } });
    const tokens: Record<string, string> = {
      visitor: await room.visitor(),
      ticket: await room.ticket(),
      pass: await room.pass(),
      "other pass": await other.pass(),
      "old pass": await room.pass({ generation: 0, slot: 7 }),
      admin: TEST_ADMIN_TOKEN,
    };
    const opened: string[] = [];
    for (const [kind, token] of Object.entries(tokens)) {
      const note = (door: string, isOpen: boolean) => void (isOpen && opened.push(`${kind}: ${door}`));
      const bearer = { Authorization: `Bearer ${token}` };
      const asked = (path: string, method = "GET") => room.fetch(path, { method, headers: bearer });
      note("site by pass cookie", (await room.navigate("/shop", { pass: token })).status === 200 && room.hits().length > 0);
      rig.origin.received.length = 0;
      await room.navigate("/shop", { place: token });
      await room.navigate("/shop", {}, bearer);
      note("site by another way", room.hits().length > 0);
      note("status", (await asked(`${room.api}/status`)).status === 200);
      note("claim", ((await (await asked(`${room.api}/claim`, "POST")).json()) as { pass?: string }).pass !== undefined);
      note("continue", ((await (await asked(`${room.api}/continue`, "POST")).json()) as { pass?: string }).pass !== undefined);
      const leaves = (await askedOf(room, "leaves")).length;
      await asked(`${room.api}/leave`, "POST");
      note("leave", (await askedOf(room, "leaves")).length > leaves);
      note("admin", (await asked("/__vestibule/admin/api/rooms")).status === 200);
    }
    expect(opened).toEqual([
      "visitor: status",
      "ticket: status",
      "ticket: leave",
      "pass: site by pass cookie",
      "pass: status",
      "pass: leave",
      // It leads to the one fresh place of the new line, and nowhere else.
      "old pass: status",
      "admin: admin",
    ]);
  });

  test("[GATE-43] the password of a site behind HTTP Basic is neither a token nor a proof: cookies count, as without it", async () => {
    const room = rig.room();
    const cookies = { place: await room.ticket({ slot: 150 }) };
    const ask = (path: string, init: Parameters<typeof room.fetch>[1]) =>
      room.fetch(`${room.api}/${path}`, { cookies, ...init, headers: { Authorization: "Basic bWU6c2VjcmV0", ...init?.headers } });
    expect(await (await ask("status", {})).json()).toMatchObject({ state: "waiting", slot: 150 });
    expect((await ask("leave", { method: "POST" })).status).toBe(403);
    expect(await askedOf(room, "leaves")).toEqual([]);
    expect((await ask("leave", { method: "POST", headers: SAME_SITE })).status).toBe(200);
  });

  test("[GATE-44] W7 a room answers under its own hosts only", async () => {
    const room = rig.room();
    const other = rig.room();
    for (const path of ["status", "manifest", "wait"]) {
      expect((await rig.send(other.host, `${room.api}/${path}`)).status).toBe(404);
      for (const name of ["nothing", "__proto__", "constructor", "..", "%2e%2e", room.name.toUpperCase()]) {
        expect([name, (await rig.send(room.host, `/__vestibule/rooms/${name}/${path}`)).status]).toEqual([name, 404]);
      }
    }
    expect((await rig.send(other.host, `${room.api}/join`, { method: "POST", headers: SAME_SITE })).status).toBe(404);
  });

  test("[GATE-3] what is not there is 404, never the site's", async () => {
    const room = rig.room();
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/"],
      ["GET", "/rooms"],
      ["GET", `/rooms/${room.name}`],
      ["DELETE", `/rooms/${room.name}/status`],
      ["OPTIONS", `/rooms/${room.name}/join`],
      ["GET", "/assets/none.js"],
      ["GET", "/console"],
    ] as const) {
      const reply = await room.fetch(`/__vestibule${path}`, { method });
      expect([path, reply.status, reply.headers.get("Cache-Control")]).toEqual([path, 404, "private, no-store"]);
    }
    expect(room.hits()).toEqual([]);
  });
});

describe("check and wait", () => {
  test("[GATE-45] W1 T1 with any cookie of ours back to the target; without one a page, whatever the target", async () => {
    const room = rig.room();
    for (const cookies of [{ place: await room.visitor() }, { place: await room.ticket() }, { pass: await room.pass() }]) {
      const reply = await room.navigate("/__vestibule/check?to=%2Fshop%3Fa%3D1", cookies);
      expect([reply.status, reply.headers.get("Location")]).toEqual([303, `${room.publicOrigin}/shop?a=1`]);
    }
    for (const to of ["/shop", "//evil.example", "/__vestibule/check?to=/x", "x".repeat(10_000), "%00"]) {
      const page = await room.navigate(`/__vestibule/check?to=${encodeURIComponent(to)}`);
      expect([page.status, page.headers.get("Location")]).toEqual([200, null]);
      expect(claimsIn(setBy(page).get("vestibule"))).toMatchObject({ kind: "visitor" });
      expect(await page.text()).not.toContain("evil.example");
    }
    for (const query of ["", "?to", "?to[]=x", "?to=/a&to=//evil.example"])
      expect((await room.navigate(`/__vestibule/check${query}`)).status).toBe(200);
    const away = await room.navigate("/__vestibule/check?to=https%3A%2F%2Fevil.example%2F", { place: await room.visitor() });
    expect(away.headers.get("Location")).toBe(`${room.publicOrigin}/`);
  });

  test("[GATE-45] [LOOK-2] its page is as the room is now, in an isolate that has heard nothing of it, too", async () => {
    const room = rig.room();
    await room.script({ settings: { title: "Live title" } });
    expect(await (await room.navigate("/__vestibule/check?to=%2Fshop")).text()).toContain("Live title");
  });

  test("[GATE-46] wait shows the place without entering, and stops reloading when asked to", async () => {
    const room = rig.room();
    await room.script({ claim: { as: "called", holdForMs: 9_000, validForMs: 90_000 } });
    const place = await room.ticket({ slot: 99 });
    const page = await room.navigate(`${room.api}/wait?to=%2Fshop`, { place });
    expect([page.headers.get("X-Robots-Tag"), await told(page)]).toMatchObject(["noindex", { state: "called", slot: 99 }]);
    const still = await room.navigate(`${room.api}/wait?to=%2Fshop&auto=off`, { place });
    expect([still.status, await still.text()]).toMatchObject([200, expect.not.stringContaining("http-equiv")]);
    expect(await askedOf(room, "claims")).toMatchObject([{ intent: "look" }, { intent: "look" }]);
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-46] without a place it leads back to the gate, which gives one", async () => {
    const room = rig.room();
    for (const cookies of [{}, { place: await room.visitor() }]) {
      const reply = await room.navigate(`${room.api}/wait?to=%2Fshop`, cookies);
      expect([reply.status, reply.headers.get("Location")]).toEqual([303, `${room.publicOrigin}/shop`]);
    }
  });
});

describe("manifest and health", () => {
  test("[GATE-47] W6 the manifest is the same for everybody and cacheable for a second", async () => {
    const room = rig.room();
    const [nobody, holder] = await Promise.all([
      room.fetch(`${room.api}/manifest`),
      room.fetch(`${room.api}/manifest`, { cookies: { place: await room.ticket() } }),
    ]);
    for (const reply of [nobody, holder]) {
      expect([reply.status, reply.headers.get("Cache-Control"), reply.headers.get("Vary"), reply.headers.getSetCookie()]).toEqual([
        200,
        "public, max-age=1",
        null,
        [],
      ]);
    }
    const body = await nobody.json();
    expect(body).toEqual(await holder.json());
    expect(body).toMatchObject({ v: 1, room: room.name, admittedEpoch: 100 });
    expect(JSON.stringify(body).length).toBeLessThan(1_024);
  });

  test("[GATE-47] without a Room there is none", async () => {
    const room = rig.room();
    await room.fail("plain");
    expect((await room.fetch(`${room.api}/manifest`)).status).toBe(503);
  });

  test("[GATE-47] health says that this Worker runs, and nothing of rooms", async () => {
    const room = rig.room();
    const reply = await room.fetch("/__vestibule/health");
    expect([reply.status, await reply.json()]).toEqual([200, { status: "ok" }]);
    expect((await room.seen()).attempts).toBe(0);
  });
});
