/** The admin API as a translation between HTTP and the Room's admin methods. What the methods do is tested with the Room itself. */
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newLine } from "../../durable/line/state";
import { statsOf } from "../../durable/line/view";
import { NAVIGATION, type Rig, type RigRoom, startRig } from "../support/gate-rig";
import type { SendInit } from "../support/http";
import { settingsOf } from "../support/line-world";
import { readMetrics } from "../support/prometheus";
import { TEST_ADMIN_TOKEN } from "../support/worker";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const BEARER = { Authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
const JSON_BODY = { "Content-Type": "application/json" };
const API = "/__vestibule/admin/api";

function admin(room: RigRoom, method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const content = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
  const type = body === undefined ? {} : JSON_BODY;
  return room.fetch(API + path, { method, headers: { ...BEARER, ...type, ...headers }, ...content });
}
const STATS = statsOf(newLine(1_800_000_000_000), settingsOf(), "shop", 1);
const callsOf = async (room: RigRoom) => (await room.seen()).adminCalls;
const description = {
  room: "r",
  generation: 1,
  revision: 7,
  settings: { total_active_users: 5 },
  overrides: {},
  switches: { joins_stopped: false, ended: false },
};

describe("who may use it", () => {
  test("[ADMIN-1] W13 C67 nobody without the token: 401 before anything is read or changed, whatever the path", async () => {
    const room = rig.room();
    const wrong = [
      {},
      { Authorization: TEST_ADMIN_TOKEN },
      { Authorization: `Basic ${btoa(`admin:${TEST_ADMIN_TOKEN}`)}` },
      { Authorization: "Bearer" },
      { Authorization: `Bearer ${TEST_ADMIN_TOKEN.slice(0, -1)}` },
      { Authorization: `Bearer ${TEST_ADMIN_TOKEN}x` },
      { Authorization: `Bearer ${TEST_ADMIN_TOKEN.toLowerCase()}` },
      { Authorization: `Bearer \u00e0${TEST_ADMIN_TOKEN.slice(1)}` },
      { Authorization: `Bearer ${"a".repeat(8_000)}` },
      { Authorization: `Bearer ${await room.pass()}` },
      { Cookie: `ADMIN_TOKEN=${TEST_ADMIN_TOKEN}` },
    ];
    const asked: [string, string][] = [
      ["GET", "/rooms"],
      ["PATCH", `/rooms/${room.name}`],
      ["POST", `/rooms/${room.name}/reset`],
      ["GET", "/nothing"],
      ["GET", "/rooms/none"],
    ];
    for (const headers of wrong) {
      for (const [method, path] of asked) {
        const reply = await room.fetch(API + path, { method, headers });
        expect([method, path, reply.status, reply.headers.get("WWW-Authenticate")]).toMatchObject([
          method,
          path,
          401,
          expect.stringContaining("Bearer"),
        ]);
        expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
      }
    }
    expect((await room.fetch(`${API}/rooms?token=${TEST_ADMIN_TOKEN}`)).status).toBe(401);
    expect(await callsOf(room)).toEqual([]);
  });

  test("[ADMIN-1] K4 the token opens nothing else, and a visitor's tokens open nothing here", async () => {
    const room = rig.room();
    expect((await room.fetch(`${room.api}/status`, { headers: BEARER })).status).toBe(401);
    expect((await room.fetch("/shop", { headers: BEARER })).status).toBe(428);
  });

  test("[ADMIN-1] W13 failures slow nobody down and lock nobody out", async () => {
    const room = rig.room();
    await Promise.all(Array.from({ length: 200 }, () => room.fetch(`${API}/rooms`, { headers: { Authorization: "Bearer x" } })));
    expect((await admin(room, "GET", `/rooms/${room.name}/stats`)).status).toBe(200);
  });

  test("[ADMIN-2] W4 pages of other sites may not, even with the token", async () => {
    const room = rig.room();
    for (const headers of [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
    ]) {
      for (const method of ["GET", "PATCH"]) {
        expect([headers, (await admin(room, method, `/rooms/${room.name}`, method === "GET" ? undefined : {}, headers)).status]).toEqual([
          headers,
          403,
        ]);
      }
    }
    expect(await callsOf(room)).toEqual([]);
    for (const headers of [{ Origin: room.publicOrigin, "Sec-Fetch-Site": "same-origin" }, { "Sec-Fetch-Site": "none" }]) {
      expect((await admin(room, "GET", `/rooms/${room.name}`, undefined, headers)).status).toBe(200);
    }
  });

  test("[ADMIN-1] W13 the token is in no log", () => {
    expect(rig.logs.filter((line) => line.includes(TEST_ADMIN_TOKEN.slice(0, 12)))).toEqual([]);
  });
});

describe("reading", () => {
  test("[ADMIN-4] a room's description carries its revision as ETag", async () => {
    const room = rig.room();
    await room.script({ admin: { as: "ok", value: { ...description, room: room.name } } });
    const reply = await admin(room, "GET", `/rooms/${room.name}`);
    expect([reply.status, reply.headers.get("ETag"), await reply.json()]).toEqual([200, '"7"', { ...description, room: room.name }]);
  });

  test("[ADMIN-30] twenty who ask for the numbers at once share two calls, and whoever asks afterwards is told by another", async () => {
    const room = rig.room();
    await room.script({ admin: { as: "ok", value: { waiting: 3, now: new Date().toISOString() } } });
    await room.fail({ slow: 1_500 }, { slow: 100 });
    const look = async () => (await (await admin(room, "GET", `/rooms/${room.name}/stats`)).json()) as { waiting: number };
    const told = await Promise.all(Array.from({ length: 20 }, look));
    expect(told.map(({ waiting }) => waiting)).toEqual(Array(20).fill(3));
    expect((await callsOf(room)).length).toBeLessThanOrEqual(3);
    await room.script({ admin: { as: "ok", value: { waiting: 4, now: new Date().toISOString() } } });
    expect((await look()).waiting).toBe(4);
  });

  test("[ADMIN-8] the list has every room, and says which one does not answer", async () => {
    const other = await startRig({
      vars: {
        ROOMS: {
          a: { host: "a.test", total_active_users: 1, new_users_per_minute: 1 },
          b: { host: "b.test", total_active_users: 1, new_users_per_minute: 1 },
        },
      },
    });
    try {
      const control = (order: unknown) => other.send("control.test", "/", { method: "POST", body: JSON.stringify(order) });
      await control({ order: "script", room: "a", script: { admin: { as: "ok", value: { room: "a", waiting: 3 } } } });
      await control({ order: "script", room: "b", script: { admin: "throw" } });
      const reply = await other.send("a.test", `${API}/rooms`, { headers: BEARER });
      expect(await reply.json()).toMatchObject({
        rooms: [
          { room: "a", waiting: 3 },
          { room: "b", error: "room-unreachable" },
        ],
      });
    } finally {
      await other.stop();
    }
  });

  test("[ADMIN-6] stats and revisions come as JSON; unknown rooms and paths are 404 problems", async () => {
    const room = rig.room();
    await room.script({ admin: { as: "ok", value: [{ revision: 1 }] } });
    expect(await (await admin(room, "GET", `/rooms/${room.name}/revisions`)).json()).toEqual({
      revisions: [{ revision: 1 }],
      before: null,
    });
    await room.script({ admin: { as: "ok", value: { waiting: 3, now: new Date(Date.now() - 60_000).toISOString() } } });
    const stats = (await (await admin(room, "GET", `/rooms/${room.name}/stats`)).json()) as { age_seconds: number };
    expect(stats).toMatchObject({ waiting: 3 });
    expect(stats.age_seconds).toBeGreaterThanOrEqual(60);
    for (const path of ["/rooms/none", "/rooms/__proto__", "/rooms/none/stats", `/rooms/${room.name}/nothing`, "/", "/nothing"]) {
      const reply = await admin(room, "GET", path);
      expect([path, reply.status, reply.headers.get("Content-Type"), reply.headers.get("Cache-Control")]).toEqual([
        path,
        404,
        "application/problem+json",
        "private, no-store",
      ]);
    }
  });
});

describe("changing settings", () => {
  test("[DOOR-4] switching a log-in on whose key is missing is warned of, and the log says so once when somebody comes", async () => {
    const room = rig.room();
    const login = { entry: "identified", identity_cookie: "sid", identity_issuer: "i", identity_audience: "a" };
    const asked = { host: room.host, total_active_users: 5, new_users_per_minute: 5, ...login };
    const warning = { setting: "entry", warning: expect.stringContaining("IDENTITY_KEYS has no key") };
    await room.script({ admin: { as: "ok", value: { ...description, settings: asked, warnings: [] } } });
    const reply = await admin(room, "PATCH", `/rooms/${room.name}`, login);
    expect(await reply.json()).toMatchObject({ warnings: [warning] });
    expect(await (await admin(room, "GET", `/rooms/${room.name}/events`)).json()).toMatchObject({ warnings: [warning] });
    const open = {
      ...asked,
      entry: "open",
      events: [{ name: "drop", event_start_time: "2026-11-29T10:00:00Z", event_end_time: "2099-01-01T00:00:00Z", entry: "identified" }],
    };
    await room.script({ admin: { as: "ok", value: { ...description, settings: open, warnings: [] } } });
    const described = await (await admin(room, "GET", `/rooms/${room.name}`)).json();
    expect(described).toMatchObject({ warnings: [{ setting: "events.drop.entry" }] });

    const other = rig.room();
    await other.script({ manifest: { config: 2 }, settings: login });
    const said = () => rig.logs.filter((line) => line.includes("identity-key-missing") && line.includes(other.name)).length;
    for (let i = 0; i < 3; i++) await other.fetch("/", { headers: { ...NAVIGATION, Cookie: "sid=a.b.c" } });
    await expect.poll(said).toBe(1);
  });

  test("[ADMIN-4] PATCH changes what is named, with and without a condition", async () => {
    const room = rig.room();
    await room.script({ admin: { as: "ok", value: { ...description, room: room.name } } });
    const reply = await admin(room, "PATCH", `/rooms/${room.name}`, { new_users_per_minute: 30, reason: " slower " });
    expect([reply.status, reply.headers.get("ETag"), await reply.json()]).toMatchObject([
      200,
      '"7"',
      { revision: 7, effective_within_seconds: 5 },
    ]);
    await admin(
      room,
      "PATCH",
      `/rooms/${room.name}`,
      { message: null, force: true },
      { "If-Match": '"6"', "Vestibule-Reason": "by header" },
    );
    await admin(room, "PATCH", `/rooms/${room.name}`, {}, { "If-Match": "*" });
    const of = (change: object) => [
      "change",
      { replace: false, ifRevision: null, actor: { name: "admin token", role: "admin", reason: "", once: null }, ...change },
    ];
    expect(await callsOf(room)).toEqual([
      of({ changes: { new_users_per_minute: 30 }, actor: { name: "admin token", role: "admin", reason: "slower", once: null } }),
      of({
        changes: { message: null },
        ifRevision: 6,
        force: true,
        actor: { name: "admin token", role: "admin", reason: "by header", once: null },
      }),
      of({ changes: {} }),
    ]);
  });

  test("[ROOM-7] how soon a change counts everywhere is the Room's word: this isolate, that serves no visitor, knows only the file", async () => {
    const room = rig.room();
    await room.script({ admin: { as: "ok", value: { ...description, room: room.name, effective_within_seconds: 60 } } });
    const reply = await admin(room, "PATCH", `/rooms/${room.name}`, { message: null });
    expect(await reply.json()).toMatchObject({ effective_within_seconds: 60 });
    const event = { name: "sale", event_start_time: "2099-01-01T00:00:00Z", event_end_time: "2099-01-02T00:00:00Z" };
    const settings = { ...description.settings, events: [event] };
    await room.script({ admin: { as: "ok", value: { ...description, settings, room: room.name, effective_within_seconds: 60 } } });
    const added = await admin(room, "POST", `/rooms/${room.name}/events`, event);
    expect(await added.json()).toMatchObject({ event: { name: "sale" }, effective_within_seconds: 60 });
  });

  test("[ADMIN-23] ramp_minutes is the time that rate and capacity take, and refused where there is nothing to take it", async () => {
    const room = rig.room();
    await room.script({ admin: { as: "ok", value: { ...description, room: room.name } } });
    const patch = (body: object) => admin(room, "PATCH", `/rooms/${room.name}`, body);
    expect((await patch({ new_users_per_minute: 30, ramp_minutes: 5 })).status).toBe(200);
    expect((await patch({ total_active_users: 30, ramp_minutes: 0 })).status).toBe(200);
    expect(await callsOf(room)).toMatchObject([
      ["change", { changes: { new_users_per_minute: 30 }, rampMs: 300_000 }],
      ["change", { changes: { total_active_users: 30 } }],
    ]);
    for (const body of [
      { new_users_per_minute: 30, ramp_minutes: -1 },
      { new_users_per_minute: 30, ramp_minutes: 1_441 },
      { new_users_per_minute: 30, ramp_minutes: "5" },
      { message: "Soon", ramp_minutes: 5 },
    ])
      expect([body, await (await patch(body)).json()]).toMatchObject([body, { code: "invalid", problems: [{ setting: "ramp_minutes" }] }]);
    const put = await admin(room, "PUT", `/rooms/${room.name}`, { total_active_users: 5, ramp_minutes: 5 }, { "If-Match": "*" });
    expect(await put.json()).toMatchObject({ problems: [{ setting: "ramp_minutes" }] });
    expect(await callsOf(room)).toHaveLength(2);
  });

  test("[ADMIN-4] PUT needs a condition, and replaces", async () => {
    const room = rig.room();
    const without = await admin(room, "PUT", `/rooms/${room.name}`, { total_active_users: 5 });
    expect([without.status, await without.json()]).toMatchObject([428, { code: "if-match-needed" }]);
    expect(await callsOf(room)).toEqual([]);
    await room.script({ admin: { as: "ok", value: { ...description, room: room.name } } });
    expect((await admin(room, "PUT", `/rooms/${room.name}`, { total_active_users: 5 }, { "If-Match": '"7"' })).status).toBe(200);
    expect(await callsOf(room)).toMatchObject([["change", { replace: true, ifRevision: 7, changes: { total_active_users: 5 } }]]);
  });

  test("[ADMIN-4] W15 a conflict is 412 and tells the revision; a condition that is none of ours never holds", async () => {
    const room = rig.room();
    await room.script({ admin: { as: "conflict", revision: 9 } });
    const reply = await admin(room, "PATCH", `/rooms/${room.name}`, {}, { "If-Match": '"7"' });
    expect([reply.status, reply.headers.get("ETag"), await reply.json()]).toMatchObject([412, '"9"', { code: "conflict", revision: 9 }]);
    const before = (await callsOf(room)).length;
    for (const condition of ['W/"7"', '"abc"', '"7", "8"', '"-1"', '""']) {
      expect([condition, (await admin(room, "PATCH", `/rooms/${room.name}`, {}, { "If-Match": condition })).status]).toEqual([
        condition,
        412,
      ]);
    }
    expect((await callsOf(room)).length).toBe(before);
  });

  test("[ADMIN-3] what the Room refuses is 422, by name", async () => {
    const room = rig.room();
    const problems = [{ setting: "total_active_users", problem: "must be at least 1" }];
    await room.script({ admin: { as: "invalid", problems } });
    const reply = await admin(room, "PATCH", `/rooms/${room.name}`, { total_active_users: 0 });
    expect([reply.status, await reply.json()]).toMatchObject([
      422,
      { code: "invalid", problems, detail: "total_active_users must be at least 1." },
    ]);
  });

  const bodies: [string, string, Record<string, string>, number][] = [
    ["no JSON", "{", JSON_BODY, 400],
    ["a list", "[]", JSON_BODY, 400],
    ["a number", "1", JSON_BODY, 400],
    ["null", "null", JSON_BODY, 400],
    ["17 levels", `${'{"a":'.repeat(17)}1${"}".repeat(17)}`, JSON_BODY, 400],
    ["a form", "total_active_users=1", { "Content-Type": "application/x-www-form-urlencoded" }, 415],
    ["text that is JSON", "{}", { "Content-Type": "text/plain" }, 415],
    ["no type", "{}", { "Content-Type": "" }, 415],
    ["64 KB and one", `{"message":"${"a".repeat(65_536)}"}`, JSON_BODY, 413],
    ["a reason that is a number", '{"reason":7}', JSON_BODY, 422],
    ["a reason too long", `{"reason":"${"a".repeat(501)}"}`, JSON_BODY, 422],
    ["force that is text", '{"force":"yes"}', JSON_BODY, 422],
    ["a prototype", '{"__proto__":{"total_active_users":1}}', JSON_BODY, 422],
    ["confirm, which is no setting", '{"confirm":"x"}', JSON_BODY, 422],
  ];
  test.each(bodies)("[ADMIN-3] W9 W11 refuses %s", async (_, body, headers, code) => {
    const room = rig.room();
    const reply = await room.fetch(`${API}/rooms/${room.name}`, { method: "PATCH", body, headers: { ...BEARER, ...headers } });
    expect([reply.status, reply.headers.get("Content-Type")]).toEqual([code, "application/problem+json"]);
    expect(await callsOf(room)).toEqual([]);
  });

  test("[ADMIN-3] W11 C43 a chunked body is cut off after 64 KB, however long it would be", async () => {
    const room = rig.room();
    let sent = 0;
    const endless = Readable.from(
      (function* () {
        for (; sent < 50_000_000; sent += 16_384) yield Buffer.alloc(16_384, 0x20);
      })(),
    );
    const asked: SendInit = { method: "PATCH", body: endless, headers: { ...BEARER, ...JSON_BODY } };
    // The server may close the connection while the client still sends.
    const reply = await room.fetch(`${API}/rooms/${room.name}`, asked).catch(() => null);
    endless.destroy();
    if (reply !== null) expect(reply.status).toBe(413);
    expect(sent).toBeLessThan(40_000_000);
    expect(await callsOf(room)).toEqual([]);
  });
});

describe("switches", () => {
  test("[ADMIN-5] one POST each, with an optional reason", async () => {
    const room = rig.room();
    const names = ["pause", "resume", "stop-joins", "allow-joins", "under-attack", "calm", "flush", "end-sessions", "sold-out", "reopen"];
    for (const name of names) expect((await admin(room, "POST", `/rooms/${room.name}/${name}`)).status).toBe(200);
    await admin(room, "POST", `/rooms/${room.name}/reset`, { confirm: room.name, reason: "new sale" });
    const actor = { name: "admin token", role: "admin", reason: "", once: null };
    expect(await callsOf(room)).toEqual([
      ...names.map((name) => ["turn", name, actor, null]),
      ["turn", "reset", { ...actor, reason: "new sale" }, room.name],
    ]);
  });

  test("[ADMIN-5] what the Room wants confirmed is asked for by name", async () => {
    const room = rig.room();
    await room.script({ admin: { as: "needs-confirmation", confirm: room.name } });
    const reply = await admin(room, "POST", `/rooms/${room.name}/reset`);
    expect([reply.status, await reply.json()]).toMatchObject([
      422,
      { code: "needs-confirmation", detail: expect.stringContaining(`"${room.name}"`) },
    ]);
  });

  test("[ADMIN-5] unknown switches and fields do nothing", async () => {
    const room = rig.room();
    for (const name of ["explode", "constructor", "describe"])
      expect((await admin(room, "POST", `/rooms/${room.name}/${name}`)).status).toBe(404);
    for (const body of [{ seconds: 5 }, { force: true }]) {
      const reply = await admin(room, "POST", `/rooms/${room.name}/pause`, body);
      expect([reply.status, await reply.json()]).toMatchObject([422, { problems: [{ setting: Object.keys(body)[0] }] }]);
    }
    expect((await admin(room, "GET", `/rooms/${room.name}/pause`)).status).toBe(404);
    expect(await callsOf(room)).toEqual([]);
  });

  test("[ADMIN-5] this isolate acts on it at once", async () => {
    const room = rig.room();
    const place = await room.ticket();
    await room.navigate("/shop", { place });
    await room.script({ manifest: { phase: "paused" } });
    await admin(room, "POST", `/rooms/${room.name}/pause`);
    await expect.poll(async () => (await room.seen()).attempts).toBe(2);
  });
});

test("[ADMIN-9] parameters that a route does not take are refused by name, before anything is done", async () => {
  const room = rig.room();
  for (const [method, path] of [
    ["POST", "/pause?dry_runs=1"],
    ["GET", "/stats?since=1"],
  ] as const) {
    const reply = await admin(room, method, `/rooms/${room.name}${path}`);
    expect([reply.status, await reply.json()]).toMatchObject([422, { problems: [{ setting: expect.stringMatching(/^\?/) }] }]);
  }
  expect(await callsOf(room)).toEqual([]);
});

describe("a room that does not answer", () => {
  test("[ADMIN-7] reads and changes are 503; a change says that its fate is not known", async () => {
    const room = rig.room();
    await room.script({ admin: "throw" });
    const read = await admin(room, "GET", `/rooms/${room.name}/stats`);
    expect([read.status, read.headers.get("Retry-After"), await read.json()]).toMatchObject([503, "3", { code: "room-unreachable" }]);
    const before = (await callsOf(room)).length;
    const change = await admin(room, "POST", `/rooms/${room.name}/flush`);
    expect([change.status, await change.json()]).toMatchObject([503, { detail: expect.stringContaining("not known") }]);
    expect((await callsOf(room)).length - before).toBe(1);
  });

  test("[ADMIN-7] what may be repeated is: a lost read is asked again, a lost change is not", async () => {
    const room = rig.room();
    await room.script({ admin: { as: "ok", value: {} } });
    await room.fail("retryable");
    expect((await admin(room, "GET", `/rooms/${room.name}/stats`)).status).toBe(200);
    await room.fail("retryable");
    expect((await admin(room, "POST", `/rooms/${room.name}/flush`)).status).toBe(503);
  });

  test("[ADMIN-6] a page load gets no page here", async () => {
    const room = rig.room();
    const reply = await room.fetch(`${API}/rooms`, { headers: NAVIGATION });
    expect([reply.status, reply.headers.get("Content-Type")]).toEqual([401, "application/problem+json"]);
  });
});

describe("metrics", () => {
  test("[METRIC-1] [METRIC-2] are those of every room; of a Room that fails the last known, marked; never without the token", async () => {
    const room = rig.room();
    expect((await room.fetch(`${API}/metrics`)).status).toBe(401);
    await room.script({ admin: { as: "ok", value: STATS } });
    const first = await admin(room, "GET", "/metrics");
    expect([first.status, first.headers.get("Content-Type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    const samples = async (reply: Response, name: string) => {
      const all = readMetrics(await reply.text()).get(`vestibule_${name}`)?.samples;
      return [...(all ?? [])].find(([key]) => key.includes(`room="${room.name}"`))?.[1];
    };
    expect(await samples(first, "room_up")).toBe(1);
    await room.fail("remote");
    const second = await admin(room, "GET", "/metrics");
    expect(second.status).toBe(200);
    const text = await second.text();
    expect(text).toContain(`vestibule_room_up{room="${room.name}"} 0`);
    expect(text).toContain(`vestibule_capacity{room="${room.name}"} ${STATS.total_active_users}`);
  });
});
