/** Whole journeys of visitors through the built Worker and its real Room: what the parts do together. */
import { generateKeyPairSync } from "node:crypto";
import { createLocalJWKSet, type JWK, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CfApp } from "../support/cf-app";
import { told } from "../support/gate-rig";
import { send } from "../support/http";
import { type Transport, Visitor } from "../support/jar";
import { type Origin, startOrigin } from "../support/origin";
import { PATIENCE } from "../support/patience";
import { roomOfTry, roomsOfTries } from "../support/second-try";
import { startWorker, type TestWorker } from "../support/worker";

let origin: Origin;
let worker: TestWorker;

/** One room per host and try: tests share nothing, and wait at the same time. */
const ROOM = {
  new_users_per_minute: 6_000,
  session_duration: 1,
  session_max_minutes: 5,
  pass_refresh_seconds: 2,
  join_limit_per_minute: 0,
};
const CLOUDFLARE = { json_response_enabled: true, enabled_origin_commands: ["revoke"], poll_near_seconds: 1, revoke_bound_seconds: 3 };
const SETTINGS: Readonly<Record<string, object>> = {
  ...{ one: {}, two: {}, three: {}, four: {}, five: { total_active_users: 40 }, six: {}, seven: {}, eight: {} },
  // Without the notice of who has left, a pass would live here for at least 20 s.
  nine: { pass_refresh_seconds: 20 },
  ten: CLOUDFLARE,
  roaming: { total_active_users: 3, pass_refresh_seconds: 20, bind_network: "pass" },
  aws: { revoke_bound_seconds: 3, aws_event_id: "Sale" },
};

beforeAll(async () => {
  origin = await startOrigin();
  const rooms = roomsOfTries(Object.keys(SETTINGS), (name, named) => ({
    ...{ ...ROOM, total_active_users: 1, host: `${name}.test` },
    ...SETTINGS[named],
  }));
  origin.handle((request, response) => {
    if (request.url === "/logout") response.setHeader("Cf-Waiting-Room-Command", "revoke");
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(`<!doctype html><p>origin ${request.method} ${request.url?.replace(/[&<]/g, " ")}</p>`);
  });
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const vars = { AWS_TOKEN_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
  worker = await startWorker({ origin: origin.url, rooms, vars });
});
afterAll(async () => {
  await worker.stop();
  await origin.stop();
});

const visitorOf = (room: string, headers: Record<string, string> = {}) =>
  new Visitor(`http://${room}.test`, { transport: worker.fetch, headers });
const isSite = async (reply: Response) => (await reply.text()).includes("origin GET");
const api = (room: string) => `/__vestibule/rooms/${room}`;
const OWN = { "Sec-Fetch-Site": "same-origin", Accept: "application/json" };

async function admin(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { Authorization: `Bearer ${worker.adminToken}`, ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
  return worker.fetch(`http://one.test/__vestibule/admin/api/rooms/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Lets the buckets of a new room fill: they start empty. */
async function warm(room: string): Promise<void> {
  const manifest = async () => (await worker.fetch(`http://${room}.test${api(room)}/manifest`)).json();
  await vi.waitFor(async () => expect(await manifest()).toMatchObject({ quiet: true }), PATIENCE);
}

async function inside(room: string, headers: Record<string, string> = {}): Promise<Visitor> {
  const visitor = visitorOf(room, headers);
  await warm(room);
  await vi.waitFor(async () => expect(await isSite(await visitor.navigate("/shop"))).toBe(true), { ...PATIENCE, interval: 200 });
  return visitor;
}

describe.concurrent("with a real Room", () => {
  test("[GATE-12][GATE-10] the first visitor sees the site, the second the line, and goes in when the first leaves", async ({
    expect,
    task,
  }) => {
    const room = roomOfTry(task, "one");
    const first = visitorOf(room);
    await warm(room);
    expect(await isSite(await first.navigate("/shop?a=1"))).toBe(true);
    const second = visitorOf(room);
    expect(await told(await second.navigate("/shop"))).toMatchObject({ state: "waiting", ahead: 0 });
    expect(await told(await second.fetch(`${api(room)}/status`))).toMatchObject({ state: "waiting" });
    const left = await first.fetch(`${api(room)}/leave`, { method: "POST", headers: OWN });
    expect(await told(left)).toMatchObject({ state: "ended", reason: "left" });
    await expect.poll(async () => isSite(await second.navigate("/shop")), { interval: 500 }).toBe(true);
    expect(await told(await first.navigate("/shop"))).toMatchObject({ state: "waiting" });
  });

  test("[BIND-1] [BIND-2] K13 a phone that changes networks and addresses goes on in its visit; asked about it, it says so and goes on", async ({
    expect,
    task,
  }) => {
    const room = roomOfTry(task, "roaming");
    let ip = "192.0.2.1";
    // Straight into the Worker's socket: what is in between would write the address itself.
    const transport: Transport = (url, init) =>
      send(new URL(url.pathname + url.search, worker.url), {
        ...init,
        headers: { ...init.headers, Host: url.host, "CF-Connecting-IP": ip },
      });
    const phone = new Visitor(`http://${room}.test`, { transport });
    await warm(room);
    expect(await isSite(await phone.navigate("/shop"))).toBe(true);
    const seen = () => origin.received.findLast((received) => received.header("Vestibule-Room") === room)?.header("Vestibule-Session");
    const session = seen();
    expect(session).toBeTruthy();
    for (const next of ["2001:db8::1", "192.0.2.99", "198.51.100.1", "203.0.113.1", "2001:db8::2", "198.51.100.2"]) {
      ip = next;
      expect(await isSite(await phone.navigate("/shop")), next).toBe(true);
    }
    ip = "192.0.2.1";
    expect(await told(await phone.navigate("/shop"))).toMatchObject({ state: "void", reason: "network-changed" });
    const asked = await phone.fetch(`${api(room)}/continue`, { method: "POST", headers: OWN });
    expect(await told(asked)).toMatchObject({ state: "inside" });
    expect(await isSite(await phone.navigate("/shop"))).toBe(true);
    expect(seen()).toBe(session);
    const stats = await (await admin("GET", `${room}/stats`)).json();
    expect(stats).toMatchObject({ inside: 1, entered_total: 1, takeovers_total: 0, void_total: 0, moved_total: 4, moved_often_total: 1 });
  });

  test("[GATE-8][P5] K13 of two browsers with copied cookies one goes on, the other is void and can take over", async ({
    expect,
    task,
  }) => {
    const room = roomOfTry(task, "two");
    const honest = await inside(room, { "User-Agent": "honest" });
    const copy = honest.copy({ "User-Agent": "copy" });
    const states: Record<string, string[]> = { honest: [], copy: [] };
    const step = async (name: string, visitor: Visitor) => {
      const reply = await visitor.navigate("/shop");
      const text = await reply.clone().text();
      states[name]?.push(text.includes("origin GET") ? "site" : ((await told(reply))?.state ?? "?"));
    };
    await expect
      .poll(
        async () => {
          await step("honest", honest);
          await step("copy", copy);
          return states["honest"]?.includes("void") || states["copy"]?.includes("void");
        },
        { interval: 1_000 },
      )
      .toBe(true);
    const [victim, thief] = states["honest"]?.includes("void") ? [honest, copy] : [copy, honest];
    const back = await victim.navigate(`${api(room)}/continue`, {
      method: "POST",
      body: "to=%2Fshop",
      headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(await isSite(back)).toBe(true);
    await expect.poll(async () => (await told(await thief.navigate("/shop")))?.state, { interval: 500 }).toBe("void");
  });

  test("[GATE-9] [LINE-5] K12 a pass kept from before leaving opens nothing once every edge has heard of it, nor does the ticket", async ({
    expect,
    task,
  }) => {
    const room = roomOfTry(task, "nine");
    const visitor = await inside(room);
    const kept = visitor.copy();
    const left = await visitor.fetch(`${api(room)}/leave`, { method: "POST", headers: OWN });
    expect(await told(left)).toMatchObject({ state: "ended", reason: "left" });
    const replay = () => kept.copy().navigate("/shop");
    await expect.poll(async () => isSite(await replay()), { timeout: 6_000, interval: 200 }).toBe(false);
    expect(await told(await replay())).toMatchObject({ state: "ended" });
    const ticketOnly = kept.copy();
    ticketOnly.cookies.delete(`vestibule-pass.${room}`);
    expect(await told(await ticketOnly.navigate("/shop"))).toMatchObject({ state: "ended" });
  });

  test("[GATE-9] ended sessions: refused within the bound, and back in line with a new place", async ({ expect, task }) => {
    const room = roomOfTry(task, "three");
    const visitor = await inside(room);
    expect((await admin("POST", `${room}/end-sessions`, { reason: "test" })).status).toBe(200);
    await expect.poll(async () => isSite(await visitor.navigate("/shop")), { timeout: 6_000, interval: 200 }).toBe(false);
    await expect.poll(async () => isSite(await visitor.navigate("/shop")), { interval: 500 }).toBe(true);
    const stats = (await (await admin("GET", `${room}/stats`)).json()) as { issued: number; inside: number };
    expect(stats).toMatchObject({ issued: 2, inside: 1 });
  });

  test("[GATE-9] O10 a reset: people inside and in line get one place each in the new line", async ({ expect, task }) => {
    const room = roomOfTry(task, "four");
    const first = await inside(room);
    const second = visitorOf(room);
    expect(await told(await second.navigate("/shop"))).toMatchObject({ state: "waiting" });
    expect((await admin("POST", `${room}/reset`, { confirm: "no" })).status).toBe(422);
    expect((await admin("POST", `${room}/pause`)).status).toBe(200);
    expect((await admin("POST", `${room}/reset`, { confirm: room })).status).toBe(200);
    await expect.poll(async () => (await told(await first.fetch("/shop")))?.state, { timeout: 6_000, interval: 200 }).toBeDefined();
    await second.navigate("/shop");
    for (let i = 0; i < 3; i++) await Promise.all([first.navigate("/shop"), second.navigate("/shop")]);
    expect(await (await admin("GET", `${room}/stats`)).json()).toMatchObject({ generation: expect.any(Number), issued: 2, inside: 0 });
  });

  test("[GATE-12][P1] sixty browsers at once on a room of forty: forty inside, each with one place", async ({ expect, task }) => {
    const room = roomOfTry(task, "five");
    await warm(room);
    const crowd = Array.from({ length: 60 }, () => visitorOf(room));
    await Promise.all(crowd.map((visitor) => visitor.navigate("/shop")));
    await expect
      .poll(
        async () => {
          await Promise.all(crowd.map(async (visitor) => (await visitor.navigate("/shop")).arrayBuffer()));
          return ((await (await admin("GET", `${room}/stats`)).json()) as { inside: number }).inside;
        },
        { interval: 500 },
      )
      .toBe(40);
    const stats = (await (await admin("GET", `${room}/stats`)).json()) as { issued: number; waiting: number };
    expect(stats).toMatchObject({ issued: 60 });
    expect(crowd.filter((visitor) => visitor.cookies.has(`vestibule-pass.${room}`))).toHaveLength(40);
  });

  test("[GATE-12][P5] T11 ten first page loads of one browser at once: one place is left in the jar, and one live place in the end", async ({
    expect,
    task,
  }) => {
    const room = roomOfTry(task, "six");
    await inside(room);
    const browser = visitorOf(room);
    await Promise.all(Array.from({ length: 10 }, async () => (await browser.navigate("/shop")).arrayBuffer()));
    const state = await told(await browser.navigate("/shop"));
    expect(state).toMatchObject({ state: "waiting" });
    const again = await Promise.all(Array.from({ length: 10 }, async () => told(await browser.navigate("/shop"))));
    expect(again.map((status) => status?.slot)).toEqual(again.map(() => state?.slot));
  });

  test("[GATE-19] the room off and on again", async ({ expect, task }) => {
    const room = roomOfTry(task, "seven");
    await inside(room);
    const waiting = visitorOf(room);
    await waiting.navigate("/shop");
    expect((await admin("PATCH", room, { suspended: true })).status).toBe(200);
    await expect.poll(async () => isSite(await waiting.navigate("/shop")), { timeout: 6_000, interval: 200 }).toBe(true);
    expect(await told(await waiting.fetch(`${api(room)}/status`))).toMatchObject({ state: "called", reason: "room-off" });
    expect((await admin("PATCH", room, { suspended: false })).status).toBe(200);
    await expect.poll(async () => isSite(await waiting.navigate("/shop")), { timeout: 6_000, interval: 200 }).toBe(false);
  });

  test("[CF-2] [CF-3] [CF-4] [P1] C5 an app that knows only cfWaitingRoom waits, goes in when the site revokes another's visit, and that one is back in line", async ({
    expect,
    task,
  }) => {
    const room = roomOfTry(task, "ten");
    await warm(room);
    const [first, second] = [0, 1].map(() => new CfApp(`http://${room}.test`, worker.fetch)) as [CfApp, CfApp];
    // No units are lent in so small a room: the token first.
    expect(await first.get("/api")).toContain("origin GET");
    expect(await second.once("/api")).toMatchObject({ waits: { inWaitingRoom: true } });
    const entered = second.get("/api", "POST");
    expect(await first.once("/logout")).toMatchObject({ text: expect.stringContaining("origin GET") });
    expect(await first.once("/api")).toMatchObject({ waits: { inWaitingRoom: true } });
    expect(await entered).toContain("origin POST");
    expect(second.shown.length).toBeGreaterThan(0);
    const result = {
      status: "queueing",
      event_id: "",
      estimated_queued_users: 1,
      estimated_total_active_users: 1,
      max_estimated_time_minutes: 1,
    };
    expect(await (await admin("GET", `${room}/status`)).json()).toEqual({ success: true, errors: [], messages: [], result });
    expect((await worker.fetch("http://one.test/__vestibule/admin/api/rooms/ten/status")).status).toBe(401);
    expect(await first.once("/api")).toMatchObject({ waits: { inWaitingRoom: true } });
  });

  test("[AWS-2] [AWS-4] [P1] clients made for AWS's room: two numbers, one place, tokens for who is inside, and nobody loses a number", async ({
    expect,
    task,
  }) => {
    const room = roomOfTry(task, "aws");
    const call = async (name: string, requestId: string | null = null, headers: Record<string, string> = {}) => {
      const fields = { event_id: "Sale", ...(requestId !== null && { request_id: requestId }) };
      const isPost = name === "assign_queue_num" || name === "generate_token";
      const init = isPost ? { method: "POST", headers, body: JSON.stringify(fields) } : { headers };
      const reply = await worker.fetch(
        `http://${room}.test${api(room)}/aws/${name}${isPost ? "" : `?${new URLSearchParams(fields)}`}`,
        init,
      );
      return { code: reply.status, body: (await reply.json()) as Record<string, never>, reply };
    };
    const idOf = async () => String((await call("assign_queue_num")).body["api_request_id"]);
    const [first, second] = [await idOf(), await idOf()];
    const numbers = await Promise.all([first, second].map((id) => call("queue_num", id)));
    expect(numbers.map(({ body }) => body["queue_number"])).toEqual([1, 2]);
    const goesIn = (id: string) => expect.poll(async () => (await call("generate_token", id)).code, { interval: 300 }).toBe(200);
    await goesIn(first);
    expect((await call("serving_num")).body).toEqual({ serving_counter: expect.any(Number) });
    expect((await call("generate_token", second)).code).toBe(202);
    await worker.evict(room);
    expect((await call("queue_num", second)).body).toMatchObject({ queue_number: 2 });
    const again = await call("generate_token", first);
    expect(again.code).toBe(200);
    const { body: jwk } = await call("public_key");
    const { payload } = await jwtVerify(String(again.body["access_token"]), createLocalJWKSet({ keys: [jwk as JWK] }), {
      audience: "Sale",
    });
    expect(payload).toMatchObject({ queue_position: 1, token_use: "access" });
    const pass = String(again.body["pass"]);
    const site = await worker.fetch(`http://${room}.test/shop`, {
      headers: { Cookie: `vestibule.${room}=${first}; vestibule-pass.${room}=${pass}` },
    });
    expect(await isSite(site)).toBe(true);
    const left = { method: "POST", headers: { Authorization: `Bearer ${pass}` } };
    expect(await told(await worker.fetch(`http://${room}.test${api(room)}/leave`, left))).toMatchObject({ state: "ended" });
    expect((await call("generate_token", first)).code).toBe(410);
    await goesIn(second);
    expect((await admin("POST", `${room}/reset`, { confirm: room })).status).toBe(200);
    await expect.poll(async () => (await call("generate_token", second)).code).toBe(404);
    expect((await call("queue_num", second)).code).toBe(404);
    const anew = await idOf();
    expect((await call("queue_num", anew)).body).toMatchObject({ queue_number: 1 });
  });
});

// Alone: it ends the process that serves all of them.
test("[P11][P7] the Room's memory gone, a crash: nobody loses a place, nobody gets in without one", async ({ task }) => {
  const room = roomOfTry(task, "eight");
  // The first may have ended with nothing running.
  if (room !== "eight") await worker.restart();
  const first = await inside(room);
  const second = visitorOf(room);
  const before = await told(await second.navigate("/shop"));
  await worker.evict(room);
  expect(await told(await second.navigate("/shop"))).toMatchObject({ state: "waiting", slot: before?.slot });
  await worker.kill9();
  await worker.restart();
  expect(await told(await second.navigate("/shop"))).toMatchObject({ state: "waiting", slot: before?.slot });
  expect(await isSite(await first.navigate("/shop"))).toBe(true);
  expect(await isSite(await visitorOf(room).navigate("/shop"))).toBe(false);
});
