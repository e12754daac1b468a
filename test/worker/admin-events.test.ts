/** The events of a room in the admin API, as a translation between HTTP and the Room. What the Room does is tested with the Room itself. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Rig, type RigRoom, startRig } from "../support/gate-rig";
import { TEST_ADMIN_TOKEN } from "../support/worker";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const ACTOR = { name: "admin token", role: "admin", reason: "", once: null };
const sale = { name: "sale", event_start_time: "2100-05-01T10:00:00Z", event_end_time: "2100-05-01T12:00:00Z", message: "Only today" };
const description = {
  revision: 7,
  settings: { total_active_users: 5, message: "", host: "shop.example", events: [sale] },
  warnings: [{ setting: "events.sale.x", warning: "is risky" }],
};

function send(room: RigRoom, method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = JSON.stringify(body);
  const content = body === undefined ? {} : { body: text };
  // Node's client states no length with DELETE by itself.
  const type = body === undefined ? {} : { "Content-Type": "application/json", "Content-Length": String(text.length) };
  return room.fetch(`/__vestibule/admin/api/rooms/${room.name}/events${path}`, {
    method,
    headers: { Authorization: `Bearer ${TEST_ADMIN_TOKEN}`, ...type, ...headers },
    ...content,
  });
}
const callsOf = async (room: RigRoom) => (await room.seen()).adminCalls;

async function roomWith(value: object = {}): Promise<RigRoom> {
  const room = rig.room();
  await room.script({ admin: { as: "ok", value: { ...description, room: room.name, ...value } } });
  return room;
}

describe("reading", () => {
  test("[EVENT-5] all events, one, and one with what it inherits; with the revision as ETag and the warnings", async () => {
    const room = await roomWith();
    const common = { room: room.name, revision: 7, warnings: description.warnings };
    const cases: [string, object][] = [
      ["", { events: [sale] }],
      ["/sale", { event: sale }],
      ["/sale/details", { event: { ...sale, total_active_users: 5 } }],
    ];
    for (const [path, more] of cases) {
      const reply = await send(room, "GET", path);
      expect([path, reply.status, reply.headers.get("ETag"), reply.headers.get("Cache-Control")]).toEqual([
        path,
        200,
        '"7"',
        "private, no-store",
      ]);
      expect(await reply.json()).toEqual({ ...common, ...more });
    }
    expect((await callsOf(room)).every((call) => (call as string[])[0] === "describe")).toBe(true);
  });

  test("[EVENT-5] an event that is not there is 404, and so is one of a Room that knows no events", async () => {
    const room = await roomWith();
    for (const path of ["/other", "/other/details", "/__proto__", "/Sale", "/name"]) {
      const reply = await send(room, "GET", path);
      expect([path, reply.status, await reply.json()]).toMatchObject([path, 404, { code: "unknown-event" }]);
    }
    const older = await roomWith({ settings: {} });
    expect([(await send(older, "GET", "/sale")).status, (await send(older, "GET", "")).status]).toEqual([404, 200]);
  });
});

describe("changing", () => {
  test("[EVENT-5] each is one call to the Room, which decides; the reply shows the event as it is then", async () => {
    const room = await roomWith();
    const condition = { "If-Match": '"7"' };
    const { name: _, ...unnamed } = sale;
    const asked: [string, string, unknown, object, Record<string, string>?][] = [
      ["POST", "", sale, { as: "add", event: sale }],
      ["PUT", "/sale", unnamed, { as: "replace", name: "sale", event: unnamed }, condition],
      ["PATCH", "/sale", { message: null }, { as: "change", name: "sale", changes: { message: null } }],
      ["PATCH", "/old-name", { name: "sale" }, { as: "change", name: "old-name", changes: { name: "sale" } }],
      ["POST", "/sale/move", { minutes: 15 }, { as: "move", name: "sale", fields: { minutes: 15 } }],
      ["POST", "/sale/start-now", undefined, { as: "start-now", name: "sale", fields: {} }],
      ["POST", "/sale/cancel", { message: "Sorry" }, { as: "cancel", name: "sale", fields: { message: "Sorry" } }, condition],
    ];
    for (const [method, path, body, , headers] of asked) {
      const reply = await send(room, method, path, body, headers);
      expect([path, reply.status, reply.headers.get("ETag"), await reply.json()]).toMatchObject([
        path,
        200,
        '"7"',
        { event: sale, effective_within_seconds: 5, warnings: description.warnings },
      ]);
    }
    const removed = await send(room, "DELETE", "/sale", { reason: "over" }, condition);
    expect([removed.status, await removed.json()]).toMatchObject([200, { events: [sale] }]);
    expect(await callsOf(room)).toEqual([
      ...asked.map(([, , , action, headers]) => ["changeEvent", { action, ifRevision: headers === undefined ? null : 7, actor: ACTOR }]),
      ["changeEvent", { action: { as: "remove", name: "sale" }, ifRevision: 7, actor: { ...ACTOR, reason: "over" } }],
    ]);
  });

  test("[EVENT-5] PUT and DELETE need If-Match; a condition that can never hold is 412, and a conflict tells the revision", async () => {
    const room = await roomWith();
    for (const method of ["PUT", "DELETE"]) {
      const reply = await send(room, method, "/sale");
      expect([method, reply.status, await reply.json()]).toMatchObject([method, 428, { code: "if-match-needed" }]);
    }
    for (const [method, path] of [
      ["POST", ""],
      ["PATCH", "/sale"],
      ["POST", "/sale/move"],
      ["DELETE", "/sale"],
    ] as const) {
      expect((await send(room, method, path, {}, { "If-Match": 'W/"7"' })).status).toBe(412);
    }
    expect(await callsOf(room)).toEqual([]);
    await room.script({ admin: { as: "conflict", revision: 9 } });
    const reply = await send(room, "DELETE", "/sale", {}, { "If-Match": "*" });
    expect([reply.status, reply.headers.get("ETag"), await reply.json()]).toMatchObject([412, '"9"', { code: "conflict", revision: 9 }]);
  });

  test("[EVENT-6] what the Room finds too late is 409, with the reason by name", async () => {
    const room = rig.room();
    const problems = [{ setting: "event_start_time", problem: "was 10:00: the event has begun" }];
    await room.script({ admin: { as: "too-late", problems } });
    const reply = await send(room, "POST", "/sale/move", { minutes: 5 });
    expect([reply.status, reply.headers.get("Content-Type"), await reply.json()]).toMatchObject([
      409,
      "application/problem+json",
      { code: "too-late", problems, detail: "event_start_time was 10:00: the event has begun." },
    ]);
    await room.script({ admin: { as: "unknown-event" } });
    expect((await send(room, "POST", "/other/start-now")).status).toBe(404);
    await room.script({ admin: { as: "invalid", problems } });
    expect((await send(room, "POST", "", sale)).status).toBe(422);
  });

  test("[EVENT-5] fields of other requests and unknown verbs do nothing", async () => {
    const room = await roomWith();
    for (const [method, path, body] of [
      ["POST", "", { ...sale, force: true }],
      ["PATCH", "/sale", { confirm: "sale" }],
      ["DELETE", "/sale", { message: "x" }],
      ["POST", "/sale/move", []],
    ] as const) {
      const { status } = await send(room, method, path, body, { "If-Match": "*" });
      expect([method, path, Array.isArray(body) ? 400 : 422]).toEqual([method, path, status]);
    }
    for (const [method, path] of [
      ["POST", "/sale"],
      ["POST", "/sale/explode"],
      ["GET", "/sale/move"],
      ["PUT", ""],
      ["DELETE", ""],
    ] as const) {
      expect([method, path, (await send(room, method, path)).status]).toEqual([method, path, 404]);
    }
    const nobody = await room.fetch(`/__vestibule/admin/api/rooms/${room.name}/events`, { method: "POST" });
    expect(nobody.status).toBe(401);
    expect(await callsOf(room)).toEqual([]);
  });

  test("[EVENT-5] a change that gets no answer is sent once, and its fate told as unknown", async () => {
    const room = await roomWith();
    await room.fail("retryable");
    const reply = await send(room, "POST", "/sale/start-now");
    expect([reply.status, await reply.json()]).toMatchObject([
      503,
      { code: "room-unreachable", detail: expect.stringContaining("not known") },
    ]);
  });
});
