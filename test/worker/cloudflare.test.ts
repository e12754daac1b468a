/** What apps and sites made for other waiting rooms meet, Cloudflare's and AWS's, against a Room that answers as told. What counts is what reached the site. */
import { generateKeyPairSync } from "node:crypto";
import { createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CfWaitingRoom } from "../../src/core/cf-waiting-room";
import { decodeSightings } from "../../src/core/exchange";
import { decodeToken } from "../../src/core/token";
import { type Rig, type RigRoom, startRig, told } from "../support/gate-rig";
import { parseSetCookie } from "../support/jar";
import { answerTo } from "../support/proofs";
import { TEST_ADMIN_TOKEN } from "../support/worker";

let rig: Rig;
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
beforeAll(async () => {
  rig = await startRig({
    settings: {
      json_response_enabled: true,
      queueing_status_code: 202,
      enabled_origin_commands: ["revoke", "release", "extend", "done"],
      bypass_rules: [{ path: "/hooks" }],
    },
    vars: { PASS_HOSTS: "static.test", AWS_TOKEN_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString() },
  });
  rig.origin.handle((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://origin.test");
    for (const [name, value] of searchParams) if (/command/i.test(name)) response.setHeader(name, value);
    if (pathname === "/public") response.setHeader("Cache-Control", "public, max-age=60");
    response.setHeader("Content-Type", "text/html");
    response.end(`origin ${request.method}`);
  });
});
afterAll(() => rig.stop());

const nowS = () => Math.floor(Date.now() / 1_000);
const APP = { Accept: "application/json" };

/** Cookies that a reply sets, by their name without the room. */
function setBy(response: Response): Map<string, string> {
  const cookies = response.headers.getSetCookie().map(parseSetCookie);
  return new Map(cookies.map(({ name, value }) => [name.split(".")[0] ?? "", value]));
}
const claimsIn = (token: string | undefined) => decodeToken(token ?? "")?.claims;
const hitsOf = (room: RigRoom) => room.hits().map(({ method, url }) => `${method} ${url}`);

/** `cfWaitingRoom` of a reply that must be Cloudflare's in status, type and caching. */
async function waits(reply: Response, code = 202): Promise<CfWaitingRoom> {
  const body = (await reply.json()) as { cfWaitingRoom: CfWaitingRoom };
  expect([reply.status, reply.headers.get("Content-Type"), reply.headers.get("Cache-Control"), Object.keys(body)]).toEqual([
    code,
    "application/json",
    "private, no-store",
    ["cfWaitingRoom"],
  ]);
  expect(Object.keys(body.cfWaitingRoom)).toHaveLength(25);
  return body.cfWaitingRoom;
}

describe("cfWaitingRoom", () => {
  test.each<[string, Record<string, string>, "app" | "page" | "problem"]>([
    ["JSON alone", { Accept: "application/json" }, "app"],
    ["JSON before anything", { Accept: "application/json, text/plain, */*" }, "app"],
    [
      "JSON with parameters, by a browser's script",
      { Accept: "text/plain;q=0.1, application/json;q=0.9", "Sec-Fetch-Dest": "empty" },
      "app",
    ],
    ["JSON or a page", { Accept: "application/json, text/html" }, "page"],
    ["JSON or a page, by a script", { Accept: "application/json, text/html", "Sec-Fetch-Dest": "empty" }, "problem"],
    ["a page load", { Accept: "application/json", "Sec-Fetch-Dest": "document" }, "page"],
    ["another kind of JSON", { Accept: "application/json-seq, application/problem+json" }, "problem"],
    ["anything", { Accept: "*/*" }, "problem"],
    ["nothing said", {}, "problem"],
  ])("[CF-1] is what they get who ask for it: %s", async (_, headers, gets) => {
    const room = rig.room();
    const reply = await room.fetch("/api", { cookies: { place: await room.ticket() }, headers });
    const type = reply.headers.get("Content-Type")?.split(";")[0];
    const seen = type === "text/html" ? "page" : type === "application/problem+json" ? "problem" : "app";
    expect(seen).toBe(gets);
    if (gets === "app") await waits(reply);
    if (gets === "problem") expect(reply.status).toBe(429);
    expect(hitsOf(room)).toEqual([]);
  });

  test("[CF-1] nobody gets it unless the room says so; our own endpoints stay as they are", async () => {
    const room = rig.room();
    await room.script({ settings: { json_response_enabled: false }, manifest: { config: 2 } });
    const cookies = { place: await room.ticket() };
    const reply = await room.fetch("/api", { cookies, headers: APP });
    expect([reply.status, reply.headers.get("Content-Type")]).toEqual([429, "application/problem+json"]);
    const other = rig.room();
    const status = await other.fetch(`${other.api}/status`, { cookies: { place: await other.ticket() }, headers: APP });
    expect(await status.json()).toMatchObject({ state: "waiting", slot: 200 });
  });

  test("[CF-1] who waits is told by the line's own numbers, paused, full, sold out and out of reach too", async () => {
    const ask = async (script: Parameters<RigRoom["script"]>[0], place: "ticket" | "visitor") => {
      const room = rig.room();
      await room.script(script);
      return waits(await room.fetch("/api", { cookies: { place: await room[place]() }, headers: APP }));
    };
    expect(await ask({}, "ticket")).toMatchObject({ waitTimeKnown: true, waitTime: 2, refreshIntervalSeconds: 13, queueingMethod: "fifo" });
    expect(await ask({ manifest: { phase: "paused" } }, "ticket")).toMatchObject({ waitTimeKnown: false, queueAll: true });
    expect(await ask({ manifest: { joins: "full" } }, "visitor")).toMatchObject({ queueIsFull: true, isRejectQueue: false });
    expect(await ask({ manifest: { phase: "ended" } }, "ticket")).toMatchObject({ isRejectQueue: true, refreshIntervalSeconds: 0 });
    expect(await ask({ manifest: { joins: "reject" } }, "visitor")).toMatchObject({ isRejectQueue: true, refreshIntervalSeconds: 0 });
    const lost = rig.room();
    await lost.fail("plain", "plain", "plain");
    expect(await waits(await lost.fetch("/api", { cookies: { place: await lost.ticket() }, headers: APP }))).toMatchObject({
      waitTimeKnown: false,
      refreshIntervalSeconds: 10,
    });
  });

  test("[CF-1] DOOR-1 a door that is shut keeps its own status code: no waiting helps", async () => {
    const room = rig.room();
    await room.script({ settings: { entry: "invited" }, manifest: { config: 2 } });
    await room.fetch("/api", { headers: APP });
    expect(await waits(await room.fetch("/api", { headers: APP }), 403)).toMatchObject({ isRejectQueue: true, refreshIntervalSeconds: 0 });
  });

  test("[CF-2] two answers to a place: a token, then the place; no redirect, and any method will do", async () => {
    const goesIn = async (method: "GET" | "POST") => {
      const room = rig.room();
      const browser = room.browser(APP);
      const init = method === "POST" ? { method, body: "query=1" } : {};
      const first = await browser.fetch("/api", init);
      expect(await waits(first)).toMatchObject({ inWaitingRoom: true, waitTimeKnown: false, refreshIntervalSeconds: 2 });
      expect(claimsIn(setBy(first).get("vestibule"))).toMatchObject({ kind: "visitor" });
      const second = await browser.fetch("/api", init);
      await waits(second);
      expect(claimsIn(setBy(second).get("vestibule"))).toMatchObject({ kind: "ticket", slot: 1_000 });
      expect(hitsOf(room)).toEqual([]);
      await room.script({ manifest: { admittedEpoch: 2_000 } });
      await expect.poll(async () => (await browser.fetch("/api", init)).headers.get("Content-Type")).toContain("text/html");
      expect(hitsOf(room)).toEqual([`${method} /api`]);
      if (method === "POST") expect(String(await room.hits()[0]?.body())).toBe("query=1");
    };
    await Promise.all([goesIn("GET"), goesIn("POST")]);
  });

  test("[CF-2] on a quiet room the first request goes through and brings the token, so that the next is inside", async () => {
    const room = rig.room();
    await room.script({ manifest: { quiet: true }, leaseUnits: 2, join: { as: "next-inside" } });
    const browser = room.browser(APP);
    expect(claimsIn(setBy(await browser.fetch("/api", { method: "POST", body: "a" })).get("vestibule"))).toMatchObject({ kind: "visitor" });
    expect([...setBy(await browser.fetch("/api")).keys()].sort()).toEqual(["vestibule", "vestibule-pass"]);
    expect(room.hits().map((hit) => hit.header("Vestibule-Status"))).toEqual(["unproven", "admitted"]);
  });

  test("[CF-2] a place or a visit that has ended, or went on elsewhere, is followed by a new place, the same for every request", async () => {
    const ends = [
      { claim: { as: "ended", why: "return-time-over" }, by: "ticket" },
      { claim: { as: "void", takeoversLeft: 3 }, by: "pass" },
      { renew: { as: "ended", why: "left" }, by: "old pass" },
      { renew: { as: "void", takeoversLeft: 2 }, by: "old pass" },
    ] as const;
    for (const { by, ...script } of ends) {
      const room = rig.room();
      await room.script(script);
      const iat = nowS() - 100;
      const pass = by === "pass" ? await room.pass({ iat: nowS() - 700, exp: nowS() - 100 }) : await room.pass({ iat });
      const cookies = { place: await room.ticket({ slot: 50 }), ...(by === "ticket" ? {} : { pass }) };
      const replies = await Promise.all([room.fetch("/a", { cookies, headers: APP }), room.fetch("/b", { cookies, headers: APP })]);
      for (const reply of replies) {
        await waits(reply);
        expect(claimsIn(setBy(reply).get("vestibule")), by).toMatchObject({ kind: "ticket", slot: 1_000 });
      }
      expect(hitsOf(room)).toEqual([]);
    }
  });

  test("[CF-2] [BIND-2] who is only asked whether it is still the same visitor says so by coming again: no place is lost by a network", async () => {
    const asked = { as: "void", takeoversLeft: 3, moved: true } as const;
    const claimsOf = async (room: RigRoom) => (await room.seen()).batches.flatMap(({ claims }) => claims.map(({ intent }) => intent));
    const renewed = rig.room();
    await renewed.script({ renew: asked });
    const pass = await renewed.pass({ iat: nowS() - 100 });
    const on = await renewed.fetch("/api", { cookies: { place: await renewed.ticket({ slot: 50 }), pass }, headers: APP });
    expect([on.status, [...setBy(on).keys()], await claimsOf(renewed)]).toEqual([200, ["vestibule-pass"], ["enter"]]);
    const called = rig.room();
    await called.script({ claim: asked });
    const told = await called.fetch("/api", { cookies: { place: await called.ticket({ slot: 50 }) }, headers: APP });
    expect(setBy(told).has("vestibule")).toBe(false);
    expect(await claimsOf(called)).toEqual(["enter", "continue"]);
    for (const room of [renewed, called]) expect((await room.seen()).batches.flatMap(({ joins }) => joins)).toEqual([]);
  });

  test("[CF-2] [GATE-15] nobody looks at the answer to a HEAD or a prefetch: no place, no turn", async () => {
    const room = rig.room();
    const cookies = { place: await room.ticket({ slot: 50 }) };
    expect((await room.fetch("/api", { method: "HEAD", cookies, headers: APP })).status).toBe(503);
    expect((await room.fetch("/api", { cookies, headers: { ...APP, "Sec-Purpose": "prefetch" } })).status).toBe(503);
    expect((await room.seen()).batches.flatMap(({ claims, joins }) => [...claims, ...joins])).toEqual([]);
  });
});

describe("commands of the site", () => {
  const REVOKE = "/pay?Cf-Waiting-Room-Command=revoke";
  const leavesOf = async (room: RigRoom) => (await room.seen()).batches.flatMap(({ leaves }) => leaves);
  const renewalsOf = async (room: RigRoom) => (await room.seen()).batches.flatMap(({ renewals }) => renewals);
  const commandOf = (reply: Response) => [reply.headers.get("Cf-Waiting-Room-Command"), reply.headers.get("Vestibule-Command")];

  test.each([REVOKE, "/public?Vestibule-Command=release", "/pay?Vestibule-Command=Release"])(
    "[CF-3] %s gives the place up: the visitor is a newcomer with the key of the place to come",
    async (path) => {
      const room = rig.room();
      const cookies = { place: await room.ticket({ slot: 50 }), pass: await room.pass({ serial: 7 }) };
      const [reply, again] = await Promise.all([room.fetch(path, { cookies, method: "POST" }), room.fetch(path, { cookies })]);
      expect([reply.status, await reply.text(), ...commandOf(reply)]).toEqual([200, "origin POST", null, null]);
      expect(reply.headers.get("Cache-Control")).toMatch(/^private/);
      expect(setBy(reply).get("vestibule-pass")).toBe("");
      const key = claimsIn(setBy(reply).get("vestibule"));
      expect(key).toMatchObject({ kind: "visitor" });
      expect(claimsIn(setBy(again).get("vestibule"))).toMatchObject({ key: (key as { key: string }).key });
      await expect.poll(() => leavesOf(room)).toContainEqual({ slot: 50, serial: 7 });
      const browser = room.browser();
      for (const line of reply.headers.getSetCookie()) browser.cookies.set(parseSetCookie(line).name, parseSetCookie(line));
      expect(await told(await browser.navigate("/shop"))).toMatchObject({ state: "waiting", slot: 1_000 });
    },
  );

  test("[CF-3] C5 done ends the visit: told to be over, by whatever is asked next, until the visitor wants a new place", async () => {
    const room = rig.room();
    const cookies = { place: await room.ticket({ slot: 50 }), pass: await room.pass({ serial: 7, iat: nowS() - 5 }) };
    const reply = await room.navigate("/thanks?Vestibule-Command=done", cookies);
    expect([await reply.text(), ...commandOf(reply)]).toEqual(["origin GET", null, null]);
    await expect.poll(() => leavesOf(room)).toEqual([{ slot: 50, serial: 7 }]);
    const pass = setBy(reply).get("vestibule-pass") ?? "";
    expect(claimsIn(pass)).toMatchObject({ slot: 50, serial: 7 });
    const after = { ...cookies, pass };
    expect(await told(await room.navigate("/shop", after))).toMatchObject({ state: "ended", reason: "session-over" });
    expect(await told(await room.fetch("/shop", { cookies: after, method: "POST" }))).toMatchObject({ state: "ended" });
    expect(await told(await room.post(`${room.api}/join`, after))).toMatchObject({ state: "waiting", slot: 1_000 });
    expect(room.hits()).toHaveLength(1);
  });

  test.each([0, 5])("[CF-3] done ends a visit that has just begun as well, %d s ahead by the Room's clock", async (aheadS) => {
    const room = rig.room();
    const cookies = { place: await room.ticket({ slot: 50 }), pass: await room.pass({ iat: nowS() + aheadS }) };
    const pass = setBy(await room.navigate("/thanks?Vestibule-Command=done", cookies)).get("vestibule-pass") ?? "";
    expect(await told(await room.navigate("/shop", { ...cookies, pass }))).toMatchObject({ state: "ended", reason: "session-over" });
    expect(room.hits()).toHaveLength(1);
  });

  test("[CF-3] extend renews at once, beside a pass that is young; where the request renews anyway, not twice", async () => {
    const room = rig.room();
    const ask = async (ageS: number) =>
      room.fetch("/shop?Vestibule-Command=extend", {
        method: "POST",
        cookies: { pass: await room.pass({ serial: 3, iat: nowS() - ageS }) },
      });
    // POSTs are kept by no shared cache.
    expect(claimsIn(setBy(await ask(1)).get("vestibule-pass"))).toMatchObject({ kind: "pass", slot: 50, serial: 4 });
    expect(await renewalsOf(room)).toHaveLength(1);
    expect(claimsIn(setBy(await ask(40)).get("vestibule-pass"))).toMatchObject({ serial: 4 });
    expect(claimsIn(setBy(await ask(100)).get("vestibule-pass"))).toMatchObject({ serial: 4 });
    expect(await renewalsOf(room)).toHaveLength(3);
    expect(await leavesOf(room)).toEqual([]);
  });

  test("[CF-3] what renews or goes in ends the visit that it has just been given, and hands out nothing of it", async () => {
    const room = rig.room();
    const older = await room.fetch(REVOKE, { cookies: { pass: await room.pass({ serial: 3, iat: nowS() - 40 }) } });
    expect(older.headers.getSetCookie()).toHaveLength(2);
    const entering = await room.fetch(REVOKE, { cookies: { place: await room.ticket({ slot: 60 }) } });
    expect([entering.headers.getSetCookie().length, claimsIn(setBy(entering).get("vestibule"))?.kind]).toEqual([2, "visitor"]);
    await expect
      .poll(() => leavesOf(room))
      .toEqual([
        { slot: 50, serial: 4 },
        { slot: 60, serial: 1 },
      ]);
  });

  test("[CF-3] whose visit it is not ends none: unproven, bypassed, a room that is off, a pass found void beside", async () => {
    const room = rig.room();
    expect(commandOf(await room.fetch(`/hooks${REVOKE.slice(4)}`, { cookies: { pass: await room.pass() } }))).toEqual([null, null]);
    await room.script({ renew: { as: "void", takeoversLeft: 2 } });
    const cookies = { pass: await room.pass({ iat: nowS() - 40 }) };
    const voided = await room.fetch(REVOKE, { method: "POST", cookies });
    expect([await voided.text(), voided.headers.getSetCookie(), ...commandOf(voided)]).toEqual(["origin POST", [], null, null]);
    const quiet = rig.room();
    await quiet.script({ manifest: { quiet: true }, leaseUnits: 2 });
    expect(commandOf(await quiet.fetch(REVOKE, { method: "POST" }))).toEqual([null, null]);
    const off = rig.room();
    await off.script({ manifest: { phase: "off", config: 2 }, settings: { suspended: true } });
    // It may be for a room of Cloudflare's own in front of us.
    expect(commandOf(await off.fetch(REVOKE, { cookies: { pass: await off.pass() } }))).toEqual(["revoke", null]);
    const hits = [room, quiet, off].flatMap((each) => each.hits());
    expect(hits.map((hit) => hit.header("Vestibule-Status"))).toEqual(["bypass", "admitted", "unproven", null]);
    expect((await Promise.all([room, quiet, off].map(leavesOf))).flat()).toEqual([]);
  });

  test("[CF-3] what is not enabled is taken off the reply and not obeyed; hosts that no room names keep Cloudflare's word", async () => {
    const room = rig.room();
    await room.script({ settings: { enabled_origin_commands: ["revoke"] }, manifest: { config: 2 } });
    await room.fetch("/first");
    const reply = await room.fetch("/pay?Vestibule-Command=done,release", { cookies: { pass: await room.pass() } });
    expect([reply.headers.getSetCookie(), ...commandOf(reply), await leavesOf(room)]).toEqual([[], null, null, []]);
    expect(commandOf(await rig.send("static.test", REVOKE))).toEqual(["revoke", null]);
  });

  test("[CF-3] [P7] a command that the Room did not hear is said again, and one that it heard twice changes nothing", async () => {
    const room = rig.room();
    await room.fetch("/first");
    await room.fail("remote", "lost");
    const reply = await room.fetch(REVOKE, { cookies: { pass: await room.pass({ serial: 7 }) } });
    expect(setBy(reply).get("vestibule-pass")).toBe("");
    await expect.poll(async () => (await leavesOf(room)).length).toBeGreaterThan(1);
    expect(new Set((await leavesOf(room)).map((each) => JSON.stringify(each)))).toEqual(new Set(['{"slot":50,"serial":7}']));
  });
});

test.each(["release", "done", "extend"])(
  "[CF-3] [KEYS-4] K8 a word of the site by which the isolate hears that its key is revoked costs nobody the site's reply: %s",
  async (command) => {
    let hits = 0;
    for (let i = 0; i < 8 && hits === 0; i++) {
      const room = rig.room();
      await expect.poll(async () => (await room.fetch(`${room.api}/manifest`)).status).toBe(200);
      await room.script({ manifest: { revokedKeys: ["t1"] } });
      const cookies = { place: await room.ticket({ slot: 50 }), pass: await room.pass({ iat: nowS() - 5 }) };
      const reply = await room.fetch(`/thanks?Vestibule-Command=${command}`, { method: "POST", cookies });
      hits = room.hits().length;
      if (hits === 0) continue;
      expect([reply.status, await reply.text()]).toEqual([200, "origin POST"]);
      expect([...setBy(reply)]).toEqual(
        command === "release"
          ? [
              ["vestibule", ""],
              ["vestibule-pass", ""],
            ]
          : [],
      );
    }
    expect(hits).toBe(1);
    expect(rig.logs.filter((line) => line.includes("gate-failed"))).toEqual([]);
  },
);

test("[CF-4] a room that was switched off live is suspended to an isolate that has heard nothing of it, too", async () => {
  const quiet = {
    waiting: 0,
    called: 0,
    returning: 0,
    inside: 0,
    entered_last_minute: 0,
    new_users_per_minute: 60,
    draw: null,
    event: null,
  };
  const room = rig.room();
  for (const suspended of [true, false]) {
    await room.script({ admin: { as: "ok", value: { ...quiet, phase: "off", settings: { suspended } } } });
    const reply = await room.fetch(`/__vestibule/admin/api/rooms/${room.name}/status`, {
      headers: { Authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });
    expect(await reply.json()).toMatchObject({ result: { status: suspended ? "suspended" : "not_queueing" } });
  }
});

describe("clients made for AWS Virtual Waiting Room", () => {
  const OWN = { "Sec-Fetch-Site": "same-origin" };
  /** Settings that a live change brought: the room has an event, and whatever else is said. */
  async function awsRoom(script: Parameters<RigRoom["script"]>[0] = {}): Promise<RigRoom> {
    const room = rig.room();
    const { settings, manifest, ...rest } = script;
    await room.script({ ...rest, settings: { aws_event_id: "Sale", ...settings }, manifest: { config: 2, ...manifest } });
    return room;
  }
  async function ask(room: RigRoom, call: string, requestId: string | null, init: Parameters<RigRoom["fetch"]>[1] = {}, event = "Sale") {
    const isPost = call === "assign_queue_num" || call === "generate_token";
    const fields = { event_id: event, ...(requestId !== null && { request_id: requestId }) };
    const path = `${room.api}/aws/${call}`;
    const reply = isPost
      ? await room.fetch(path, { method: "POST", body: JSON.stringify(fields), ...init })
      : await room.fetch(`${path}?${new URLSearchParams(fields)}`, init);
    const body = (await reply.json()) as Record<string, unknown>;
    return { code: reply.status, body, reply, cookies: setBy(reply) };
  }
  const idOf = async (room: RigRoom, init = {}) => String((await ask(room, "assign_queue_num", null, init)).body["api_request_id"]);
  const joinsOf = async (room: RigRoom) => (await room.seen()).batches.flatMap(({ joins }) => joins);
  const claimsOf = async (room: RigRoom) => (await room.seen()).batches.flatMap(({ claims }) => claims);

  test("[AWS-1] are answered where the room has an event of theirs, and by its id alone: a wrong one makes no place", async () => {
    const room = await awsRoom();
    const off = rig.room();
    const calls = ["assign_queue_num", "queue_num", "serving_num", "waiting_num", "queue_pos_expiry", "generate_token", "public_key"];
    for (const call of calls) {
      expect((await ask(off, call, "x")).code, call).toBe(404);
      const wrong = await ask(room, call, await room.ticket({ slot: 50 }), {}, "Other");
      expect([call, wrong.code, Object.keys(wrong.body)]).toEqual([call, call === "public_key" ? 404 : 400, ["error"]]);
      expect(wrong.reply.headers.get("Cache-Control")).toBe("private, no-store");
    }
    for (const body of ["", "[]", "null", "{", JSON.stringify({ event_id: "Sale", more: "x".repeat(5_000) })]) {
      expect((await ask(room, "assign_queue_num", null, { body })).code).toBe(400);
    }
    expect([await joinsOf(room), await claimsOf(room), await joinsOf(off)]).toEqual([[], [], []]);
    expect((await off.fetch(`${off.api}/aws/.well-known/jwks.json`)).status).toBe(404);
  });

  test("[AWS-2] assign_queue_num, queue_num, serving_num, waiting_num in the recorded shapes", async () => {
    const room = await awsRoom();
    const assigned = await ask(room, "assign_queue_num", null);
    expect([assigned.code, assigned.body]).toEqual([200, { api_request_id: expect.any(String) }]);
    const id = String(assigned.body["api_request_id"]);
    expect(claimsIn(id)).toMatchObject({ kind: "ticket", slot: 1_000 });
    const number = await ask(room, "queue_num", id);
    const shape = { queue_number: 1_001, entry_time: (claimsIn(id) as { iat: number }).iat, event_id: "Sale", status: 1 };
    expect([number.code, number.body]).toEqual([200, shape]);
    expect((await ask(room, "queue_num", await room.ticket({ slot: 50 }))).body).toMatchObject({ queue_number: 51 });
    expect((await ask(room, "serving_num", null)).body).toEqual({ serving_counter: 100 });
    expect((await ask(room, "waiting_num", null)).body).toEqual({ waiting_num: 900 });
    expect((await ask(room, "queue_pos_expiry", id)).code).toBe(202);
    expect(await joinsOf(room)).toHaveLength(1);
  });

  test("[AWS-2] [P5] each call without a place is a place of its own; with its cookie or token it is the one there is", async () => {
    const room = await awsRoom();
    const [first, second] = [await idOf(room), await idOf(room)];
    expect([claimsIn(first), claimsIn(second)]).toMatchObject([{ slot: 1_000 }, { slot: 1_001 }]);
    const place = await room.ticket();
    const byCookie = await ask(room, "assign_queue_num", null, { cookies: { place }, headers: OWN });
    expect(claimsIn(String(byCookie.body["api_request_id"]))).toMatchObject({ kind: "ticket", slot: 200 });
    expect(claimsIn(byCookie.cookies.get("vestibule"))).toMatchObject({ slot: 200 });
    expect(claimsIn(await idOf(room, { headers: { Authorization: `Bearer ${first}` } }))).toMatchObject({ kind: "ticket", slot: 1_000 });
    // A program's cookies are neither read nor written over, and another site's page does nothing in its visitors' names.
    const program = await ask(room, "assign_queue_num", null, { cookies: { place } });
    expect([claimsIn(String(program.body["api_request_id"])), program.cookies.size]).toEqual([expect.objectContaining({ slot: 1_002 }), 0]);
    const before = (await joinsOf(room)).length;
    for (const headers of [
      { Origin: "https://evil.test" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
    ]) {
      for (const call of ["assign_queue_num", "generate_token"]) {
        const foreign = await ask(room, call, await room.ticket({ slot: 50 }), { cookies: { place }, headers });
        expect([foreign.code, Object.keys(foreign.body), foreign.cookies.size], JSON.stringify(headers)).toEqual([403, ["error"], 0]);
      }
    }
    expect([(await joinsOf(room)).length, await claimsOf(room)]).toEqual([before, []]);
  });

  test("[AWS-2] who asks for the counter with a place, by cookie or request_id, counts as seen", async () => {
    const room = await awsRoom();
    await ask(room, "serving_num", await room.ticket({ slot: 210 }));
    await ask(room, "serving_num", null, { cookies: { place: await room.ticket({ slot: 220 }) }, headers: OWN });
    await ask(room, "queue_num", await room.ticket({ slot: 230 }));
    const seen = async () => (await room.seen()).batches.flatMap(({ sightings }) => decodeSightings(sightings)).toSorted();
    await expect.poll(seen).toEqual([210, 220, 230]);
  });

  test("[AWS-3] a request id that is not ours, or of a line that is no more, is nobody's; nothing is asked of the Room for it", async () => {
    const room = await awsRoom({ manifest: { generation: 2 } });
    const good = await room.ticket({ generation: 2, slot: 50 });
    const pass = await room.pass({ generation: 2 });
    const bad = [
      `${good.slice(0, -6)}AAAAAA`,
      "7f0c1c3e-6f0b-4f0c-9d3b-0d8f6f9c2f11",
      await rig.room().ticket(),
      await room.visitor(),
      pass,
    ];
    for (const id of [...bad, await room.ticket({ slot: 50 })]) {
      for (const call of ["queue_num", "queue_pos_expiry", "generate_token"]) expect((await ask(room, call, id)).code, id).toBe(404);
    }
    expect((await ask(room, "generate_token", null)).code).toBe(400);
    expect([await claimsOf(room), await joinsOf(room)]).toEqual([[], []]);
  });

  test.each<[string, Parameters<RigRoom["script"]>[0], number]>([
    ["one moment", { claim: { as: "moment", dueInMs: 2_000 } }, 202],
    ["paused", { claim: { as: "paused" } }, 202],
    ["returning", { claim: { as: "returning", ahead: 2, untilMs: Date.now() + 600_000 } }, 202],
    ["run out", { claim: { as: "ended", why: "return-time-over" } }, 410],
    ["over", { claim: { as: "ended", why: "session-over" } }, 410],
    ["gone on elsewhere", { claim: { as: "void", takeoversLeft: 3 } }, 410],
    ["of an old line", { claim: { as: "restarted" } }, 404],
    ["of a room that is off", { manifest: { phase: "off" }, settings: { suspended: true } }, 503],
  ])("[AWS-3] [P1] generate_token gives nothing to a place that is %s", async (_, script, code) => {
    const room = await awsRoom(script);
    const { body, ...told } = await ask(room, "generate_token", await room.ticket({ slot: 50 }), { headers: OWN });
    expect([told.code, Object.keys(body), told.cookies.size]).toEqual([code, ["error"], 0]);
    expect(told.reply.headers.has("Retry-After")).toBe(code === 202 || code === 503);
  });

  test("[AWS-4] [BIND-2] who is only asked whether it is still the same visitor says so by coming again: no number is lost by a network", async () => {
    const room = await awsRoom({ claim: { as: "void", takeoversLeft: 3, moved: true } });
    await ask(room, "generate_token", await room.ticket({ slot: 50 }));
    expect((await claimsOf(room)).map(({ intent }) => intent)).toEqual(["enter", "continue"]);
  });

  test("[AWS-3] queue_pos_expiry by a look that enters nobody", async () => {
    const room = await awsRoom({ claimBy: { look: { as: "called", holdForMs: 20_000, validForMs: 180_000 } } });
    const told = await ask(room, "queue_pos_expiry", await room.ticket({ slot: 50 }));
    expect([told.code, told.body]).toEqual([200, { expires_in: 180 }]);
    expect((await claimsOf(room)).map(({ intent }) => intent)).toEqual(["look"]);
    expect((await ask(room, "generate_token", await room.ticket())).code).toBe(202);
    expect(await claimsOf(room)).toHaveLength(1);
  });

  test("[AWS-3] [GATE-60] asked more than once a second, a place is told so", async () => {
    const room = await awsRoom();
    const id = await room.ticket();
    const codes = [];
    for (let i = 0; i < 12; i++) codes.push((await ask(room, i % 2 === 0 ? "queue_num" : "queue_pos_expiry", id)).code);
    expect(codes).toContain(429);
  });

  test("[AWS-4] generate_token claims: three tokens that the published key verifies, and what the gate wants to see", async () => {
    const room = await awsRoom();
    const id = await room.ticket({ slot: 50 });
    const own = await ask(room, "generate_token", id, { headers: OWN });
    expect([own.code, Object.keys(own.body).sort()]).toEqual([
      200,
      ["access_token", "expires_in", "id_token", "refresh_token", "token_type"],
    ]);
    expect(own.body).toMatchObject({ token_type: "Bearer", expires_in: expect.any(Number) });
    const pass = claimsIn(own.cookies.get("vestibule-pass")) as { slot: number; exp: number; iat: number };
    expect([pass.slot, claimsIn(own.cookies.get("vestibule"))]).toEqual([50, expect.objectContaining({ kind: "ticket", slot: 50 })]);
    const { body: jwk, reply: published } = await ask(room, "public_key", null);
    expect(["Cache-Control", "Access-Control-Allow-Origin"].map((name) => published.headers.get(name))).toEqual([
      "public, max-age=60",
      "*",
    ]);
    expect(jwk).toEqual({ kty: "RSA", alg: "RS256", use: "sig", kid: expect.any(String), n: expect.any(String), e: "AQAB" });
    const set = (await (await room.fetch(`${room.api}/aws/.well-known/jwks.json`)).json()) as { keys: [] };
    expect(set).toEqual({ keys: [jwk] });
    const issuer = `${room.publicOrigin}${room.api}/aws`;
    const { payload } = await jwtVerify(String(own.body["access_token"]), createLocalJWKSet(set), { audience: "Sale", issuer });
    expect(payload).toMatchObject({ sub: "1.50", queue_position: 51, token_use: "access", exp: pass.exp, iat: pass.iat });
    expect(JSON.stringify(payload)).not.toContain(id);
    // Anybody else keeps the pass themselves.
    const app = await ask(room, "generate_token", id);
    expect([app.cookies.size, claimsIn(String(app.body["pass"]))]).toEqual([0, expect.objectContaining({ kind: "pass", slot: 50 })]);
    const inside = await room.fetch("/shop", { cookies: { place: id, pass: String(app.body["pass"]) } });
    expect([await inside.text(), room.hits()[0]?.header("Vestibule-Status")]).toEqual(["origin GET", "admitted"]);
    // The token is the site's to look at: our gate knows nothing of it.
    const bare = await room.fetch("/shop", { headers: { Authorization: `Bearer ${own.body["access_token"]}` } });
    expect([bare.status, room.hits().length]).toEqual([428, 1]);
  });

  test("[AWS-4] [P5] repeated with a young pass it is the same answer without a call; a pass of another place counts for nothing", async () => {
    const room = await awsRoom();
    const id = await room.ticket({ slot: 50 });
    const pass = await room.pass({ serial: 3 });
    const replies = [];
    for (const headers of [OWN, OWN]) replies.push((await ask(room, "generate_token", id, { cookies: { pass }, headers })).body);
    expect(replies[0]).toMatchObject({ access_token: replies[1]?.["access_token"], token_type: "Bearer" });
    expect(await claimsOf(room)).toEqual([]);
    await ask(room, "generate_token", id, { headers: { Authorization: `Bearer ${await room.pass({ serial: 3, iat: nowS() - 100 })}` } });
    await ask(room, "generate_token", id, { cookies: { pass: await room.pass({ slot: 60, serial: 9 }) }, headers: OWN });
    expect((await claimsOf(room)).map(({ slot, serial }) => [slot, serial])).toEqual([
      [50, 3],
      [50, 0],
    ]);
  });

  test("[AWS-5] the same challenge, limits and doors as everybody, with the visitor token to come again with", async () => {
    const room = await awsRoom({ settings: { challenge: "pow" }, join: { as: "proven", cost: 1 } });
    const asked = await ask(room, "assign_queue_num", null);
    expect([asked.code, asked.body["reason"], claimsIn(String(asked.body["visitor"]))?.kind]).toEqual([403, "challenge", "visitor"]);
    const { altcha } = asked.body["challenge"] as { altcha: Parameters<typeof answerTo>[0] };
    const headers = { Authorization: `Bearer ${asked.body["visitor"]}`, "Vestibule-Proof": await answerTo(altcha) };
    expect(claimsIn(await idOf(room, { headers }))).toMatchObject({ kind: "ticket", slot: 1_000 });
    const full = await awsRoom({ join: { as: "refused", why: "full", retryAfterMs: 9_000 } });
    const told = await ask(full, "assign_queue_num", null, { headers: OWN });
    expect([told.code, told.body["state"], told.reply.headers.get("Retry-After")]).toEqual([429, "full", "9"]);
    expect(claimsIn(told.cookies.get("vestibule"))).toEqual(claimsIn(String(told.body["visitor"])));
    for (const [manifest, code] of [
      [{ phase: "ended" }, 410],
      [{ joins: "stopped" }, 429],
      [{ phase: "off" }, 503],
    ] as const) {
      const closed = await awsRoom({ manifest, settings: { suspended: manifest.phase === "off" } });
      const { reply } = await ask(closed, "assign_queue_num", null);
      expect([reply.status, reply.headers.has("Retry-After")], JSON.stringify(manifest)).toEqual([code, code !== 410]);
      expect(await joinsOf(closed)).toEqual([]);
    }
    const shut = await awsRoom({ settings: { entry: "invited" } });
    expect([(await ask(shut, "assign_queue_num", null)).code, await joinsOf(shut)]).toEqual([403, []]);
  });

  test("[AWS-5] [P11] while the Room cannot be reached nobody gets a number or a token", async () => {
    const room = await awsRoom();
    await ask(room, "serving_num", null);
    await room.fail("plain", "plain", "plain", "plain");
    expect((await ask(room, "generate_token", await room.ticket({ slot: 50 }))).code).toBe(503);
    const assigned = await ask(room, "assign_queue_num", null);
    expect([assigned.code, claimsIn(String(assigned.body["visitor"]))?.kind]).toEqual([503, "visitor"]);
  });

  test("[AWS-3] [KEYS-5] a request id of a revoked key is worth what the Room says of it", async () => {
    for (const [reissue, codes] of [
      [{ as: "reissued" }, [200, 200]],
      [{ as: "void" }, [410, 410]],
      [{ as: "later" }, [202, 202]],
    ] as const) {
      const room = await awsRoom({ manifest: { revokedKeys: ["t0"] }, reissue });
      const id = await room.byOldKey().ticket({ slot: 50 });
      const asked = [await ask(room, "queue_num", id), await ask(room, "generate_token", id)];
      expect([reissue.as, asked.map(({ code }) => code)]).toEqual([reissue.as, codes]);
    }
    // A Worker that has nothing but the revoked key to sign with gives nothing out.
    const late = await awsRoom({ manifest: { revokedKeys: ["t1"] } });
    const cookies = { place: await late.ticket({ slot: 50 }), pass: await late.pass() };
    for (const call of ["assign_queue_num", "generate_token"]) {
      expect((await ask(late, call, cookies.place, { cookies, headers: OWN })).body).toEqual({
        error: "The room does not answer just now",
      });
    }
    expect([await joinsOf(late), await claimsOf(late), rig.logs.filter((line) => line.includes("gate-failed"))]).toEqual([[], [], []]);
  });

  test("[AWS-5] an entry into a draw is numbered once it is drawn: 202 until then", async () => {
    const lobby = { event: "drop", draw: 7, entries: 5, opensAt: 1, startsAt: Date.now() + 60_000, endsAt: Date.now() + 99_000 };
    const more = { plannedAt: lobby.startsAt, utcOffsetMinutes: 0, commitment: "0".repeat(64), beacon: "none" } as const;
    const room = await awsRoom({
      manifest: { phase: "lobby", lobby: { ...lobby, ...more } },
      join: { as: "entry", draw: 7, entry: 4, chain: "A".repeat(43), joinedAtS: nowS() },
    });
    const id = await idOf(room);
    expect(claimsIn(id)).toMatchObject({ kind: "entry", entry: 4 });
    expect([(await ask(room, "queue_num", id)).code, (await ask(room, "generate_token", id)).code]).toEqual([202, 202]);
  });

  test("[AWS-5] [CORS-2] scripts of listed origins may ask, with cookies, and read the answer", async () => {
    const room = await awsRoom({ settings: { cors_origins: ["https://wait.test"] } });
    const headers = { Origin: "https://wait.test", "Sec-Fetch-Site": "cross-site" };
    const preflight = await room.fetch(`${room.api}/aws/generate_token`, {
      method: "OPTIONS",
      headers: { ...headers, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type" },
    });
    expect([preflight.status, preflight.headers.get("Access-Control-Allow-Origin")]).toEqual([204, "https://wait.test"]);
    const told = await ask(room, "generate_token", await room.ticket({ slot: 50 }), { headers });
    expect([told.code, told.reply.headers.get("Access-Control-Allow-Origin"), told.cookies.has("vestibule-pass")]).toEqual([
      200,
      "https://wait.test",
      true,
    ]);
  });
});
