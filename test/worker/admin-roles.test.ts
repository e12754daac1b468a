/** Every route of the admin API on a real Room: who may use it, and that it answers as its schema says. Table-driven: a new route is in here. */
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { ADMIN_ROUTES, type AdminRouteId, partsOf, ROLES, type Role } from "../../src/core/admin-routes";
import { problem } from "../../src/core/admin-shapes";
import { ADMIN_WORDS } from "../../src/core/admin-words";
import type { RoomStats } from "../../src/core/stats";
import { importKeyRing, referenceOf } from "../../src/keys";
import { shared } from "../support/second-try";
import { startWorker, TEST_KEYS, type TestWorker } from "../support/worker";

const HOST = "http://shop.test";
const API = `${HOST}/__vestibule/admin/api`;
const ROOM = { host: "shop.test", total_active_users: 5, new_users_per_minute: 6_000, staff_places: 1, challenge: "pow" };
const SALE = { name: "sale", event_start_time: "2100-05-01T10:00:00Z", event_end_time: "2100-05-01T12:00:00Z" };
const ids = Object.keys(ADMIN_ROUTES) as AdminRouteId[];

let worker: TestWorker;
const tokens = new Map<Role, string>();
shared(
  async () => {
    worker = await startWorker({ rooms: { shop: ROOM, big: { ...ROOM, host: "big.test" } } });
    for (const role of ROLES) {
      const made = await ask("POST /tokens", { body: { label: `a ${role}`, role, expires: "2099-01-01T00:00:00Z" }, now: true });
      tokens.set(role, made.json["token"] as string);
    }
  },
  () => worker.stop(),
);

const PAUSE = () => ({ method: "POST", headers: { Authorization: `Bearer ${worker.adminToken}` } });

interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In place of a body of JSON. */
  readonly file?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly query?: string;
  /** Tokens that expire in the far future are no use: `expires` becomes an hour from now. */
  readonly now?: boolean;
}

async function ask(id: AdminRouteId, { params = {}, body, file, headers = {}, token, query = "", now }: Asked = {}) {
  const { method, path } = partsOf(id);
  const filled = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? (name === "room" ? "shop" : "nothing"));
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const sent = now ? { ...(body as object), expires } : body;
  const text = file ?? (sent === undefined ? undefined : JSON.stringify(sent));
  const content = text === undefined ? {} : { body: text };
  const type = file === undefined ? { "Content-Type": "application/json" } : {};
  const length = text === undefined ? {} : { ...type, "Content-Length": String(text.length) };
  const reply = await worker.fetch(`${API}${filled}${query}`, {
    method,
    headers: { Authorization: `Bearer ${token ?? worker.adminToken}`, ...length, ...headers },
    ...content,
  });
  const answered = await reply.text();
  const json = /json/.test(reply.headers.get("Content-Type") ?? "") ? (JSON.parse(answered) as Record<string, unknown>) : {};
  return { status: reply.status, json, text: answered, headers: reply.headers };
}

describe("who may use it", () => {
  test.each(ids)("[ADMIN-10] %s: each role up to its own is refused by its role, and none above it", async (id) => {
    const wanted = ROLES.indexOf(ADMIN_ROUTES[id].role);
    for (const [rank, role] of ROLES.entries()) {
      // A parameter that no route takes: whoever may use the route hears of that, and nothing is changed.
      const { status, json } = await ask(id, { token: tokens.get(role) ?? "", query: "?x=1" });
      expect([role, status, json["code"]]).toEqual([role, ...(rank < wanted ? [403, "role-too-low"] : [422, "invalid"])]);
      expect(v.is(problem, json)).toBe(true);
    }
  });
});

/** What to send so that the route does its work, in the order of the table. Each of them must succeed. */
const SENT: Partial<Record<AdminRouteId, () => Promise<Asked> | Asked>> = {
  "POST /tokens": () => ({ body: { label: "one more", role: "viewer" }, now: true }),
  "DELETE /tokens/:token": () => ({ params: { token: "4" } }),
  "PATCH /rooms/:room": () => ({ body: { message: "Soon", reason: "a test" } }),
  "PUT /rooms/:room": async () => ({ body: (await ask("GET /rooms/:room")).json, headers: { "If-Match": "*" } }),
  "PUT /rooms/:room/logo": () => ({ file: '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="10"></svg>' }),
  "PUT /rooms/:room/template": () => ({ file: "<!doctype html><p>{{waitTimeFormatted}}" }),
  "POST /rooms/:room/preview": () => ({ body: { title: "Not saved" } }),
  "POST /rooms/:room/revisions/:revision/restore": () => ({ params: { revision: "1" }, headers: { "If-Match": "*" } }),
  "POST /rooms/:room/reset": () => ({ body: { confirm: "shop" } }),
  "POST /rooms/:room/events": () => ({ body: SALE }),
  "PUT /rooms/:room/events/:event": () => ({ body: SALE, headers: { "If-Match": "*" } }),
  "PATCH /rooms/:room/events/:event": () => ({ body: { message: "Today" } }),
  "DELETE /rooms/:room/events/:event": () => ({ headers: { "If-Match": "*" } }),
  "POST /rooms/:room/events/:event/move": () => ({ body: { minutes: 5 } }),
  // The one before was called off.
  "POST /rooms/:room/events/:event/start-now": async () => {
    await ask("POST /rooms/:room/events", { body: { ...SALE, name: "flash" } });
    return { params: { event: "flash" } };
  },
  "POST /rooms/:room/events/:event/cancel": () => ({ body: { message: "Sorry" } }),
  "POST /rooms/:room/invitations": () => ({ body: { count: 2 }, now: true }),
  "POST /rooms/:room/staff-links": () => ({ body: { label: "press", hours: 1 } }),
  "DELETE /rooms/:room/staff-links/:link": () => ({ params: { link: "1" } }),
};
const LAST: readonly AdminRouteId[] = [
  "DELETE /rooms/:room/events/:event",
  "POST /rooms/:room/events/:event/start-now",
  "POST /rooms/:room/reset",
];
/** What this room has no key and no receiver for; they are tested with the keys and the webhooks. */
const ELSEWHERE: readonly AdminRouteId[] = ["POST /rooms/:room/revoke-key", "POST /rooms/:room/webhooks/:webhook/test"];

test("[ADMIN-15] a forecast warns of the secrets that are missing, as the change does", async () => {
  const body = { webhooks: [{ name: "deaf" }] };
  const told = await ask("PATCH /rooms/:room", { body, query: "?dry_run=1" });
  const warning = { setting: "webhooks.deaf", warning: expect.stringContaining("WEBHOOK_URLS") };
  expect(told.json).toMatchObject({ dry_run: true, warnings: expect.arrayContaining([warning]) });
  expect((await ask("PATCH /rooms/:room", { body })).json["warnings"]).toEqual(told.json["warnings"]);
  await ask("PATCH /rooms/:room", { body: { webhooks: null } });
});

test("[ADMIN-9] every route answers as its schema says, on a room with a line; ?dry_run=1 tells what it would do and changes nothing", async () => {
  for (let i = 0; i < 7; i++) {
    const check = await worker.fetch(`${HOST}/__vestibule/check`, { headers: { Accept: "application/json" } });
    const cookie = check.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const bearer = { Authorization: `Bearer ${cookie.slice(cookie.indexOf("=") + 1)}` };
    expect([200, 202]).toContain((await worker.fetch(`${HOST}/__vestibule/rooms/shop/join`, { method: "POST", headers: bearer })).status);
  }
  const ring = await importKeyRing(TEST_KEYS);
  const reference = (ring.ok && (await referenceOf(ring.ring, "shop", { generation: 1, slot: 6 }))) || "";
  const ordered = [...ids.filter((id) => !LAST.includes(id) && !ELSEWHERE.includes(id)), ...LAST];
  for (const id of ordered) {
    const given = (await SENT[id]?.()) ?? {};
    const asked = { ...given, params: { event: "sale", reference, ...given.params } };
    const { answer, query = {} } = ADMIN_WORDS[id];
    if ("dry_run" in query) {
      const before = (await ask("GET /rooms/:room/audit")).json["audit"] as unknown[];
      const foreseen = await ask(id, { ...asked, query: "?dry_run=1" });
      expect([id, foreseen.status, foreseen.json["dry_run"], foreseen.json["code"]]).toEqual([id, 200, true, undefined]);
      expect((await ask("GET /rooms/:room/audit")).json["audit"]).toEqual(before);
    }
    const reply = await ask(id, asked);
    expect([id, reply.status, reply.json["detail"]]).toMatchObject([id, 200, undefined]);
    const read = v.safeParse(answer, ADMIN_WORDS[id].type === undefined ? reply.json : reply.text);
    expect([id, read.issues?.map((issue) => [v.getDotPath(issue), issue.message])]).toEqual([id, undefined]);
    expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
  }
});

test("[ADMIN-17][P12] with a million places, twenty reads of the numbers beside joins all tell the same line", async () => {
  expect((await worker.fetch(`${HOST.replace("shop", "big")}/__vestibule/admin/api/rooms/big/pause`, PAUSE())).status).toBe(200);
  await worker.sql("big", "UPDATE steps SET counters = json_set(counters, '$.tail', 1000000)");
  await worker.evict("big");
  const read = async () => (await (await worker.fetch(`${API}/rooms/big/stats`, { headers: PAUSE().headers })).json()) as RoomStats;
  const join = async () => {
    const check = await worker.fetch("http://big.test/__vestibule/check", { headers: { Accept: "application/json" } });
    const token = check.headers.getSetCookie()[0]?.split(/[=;]/)[1] ?? "";
    const headers = { Authorization: `Bearer ${token}` };
    const reply = await worker.fetch("http://big.test/__vestibule/rooms/big/join", { method: "POST", headers });
    return ((await reply.json()) as { slot: number }).slot;
  };
  const [slots, stats] = await Promise.all([Promise.all(Array.from({ length: 10 }, join)), Promise.all(Array.from({ length: 20 }, read))]);
  expect(new Set(slots).size).toBe(10);
  expect(Math.min(...slots)).toBe(1_000_000);
  for (const { issued, waiting, series } of stats.map((each) => ({ ...each, series: each.recent })))
    expect([issued >= 1_000_000, waiting, Array.isArray(series.log)]).toEqual([true, issued, true]);
  expect((await read()).waiting).toBe(1_000_010);
});

describe("tokens", () => {
  test("[ADMIN-11] one that was ended counts no more from the next request on; one that nobody made costs no call", async () => {
    const made = await ask("POST /tokens", { body: { label: "=cmd|' /C calc'!A0", role: "operator" }, now: true });
    const token = made.json["token"] as string;
    const id = String(made.json["id"]);
    expect((await ask("GET /me", { token })).json).toMatchObject({ role: "operator", via: "token", name: expect.stringContaining(id) });
    expect((await ask("DELETE /tokens/:token", { params: { token: id } })).json).toMatchObject({ state: "revoked" });
    expect((await ask("GET /me", { token })).status).toBe(401);
    for (const wrong of [token.replace(`.${id}.`, ".1."), `${token}x`, token.slice(0, -1), token.toUpperCase()])
      expect((await ask("GET /me", { token: wrong })).status).toBe(401);
    // The list does not show it again, and the object has only its hash.
    expect((await ask("GET /tokens")).text).not.toContain(token.split(".")[2]);
    expect(JSON.stringify(await worker.sql("*admin", "SELECT * FROM tokens"))).not.toContain(token.split(".")[2]);
    const csv = await ask("GET /audit", { query: "?format=csv" });
    expect(csv.headers.get("Content-Type")).toContain("text/csv");
    expect(csv.text).toContain("token revoked");
  });

  test("[ADMIN-11] one that has expired is refused", async () => {
    const made = await ask("POST /tokens", { body: { label: "short", role: "viewer" }, now: true });
    const id = made.json["id"] as number;
    await worker.sql("*admin", `UPDATE tokens SET token = json_set(token, '$.expiresAtMs', 1) WHERE id = ${id}`);
    expect((await ask("GET /me", { token: made.json["token"] as string })).status).toBe(401);
  });

  test("[ADMIN-11] one that counts is kept however many are made after it; those that have ended are forgotten some time", async () => {
    const made = await ask("POST /tokens", { body: { label: "stays", role: "viewer" }, now: true });
    const id = made.json["id"] as number;
    const copies = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) INSERT INTO tokens (id, token)
      SELECT id + i, json_set(token, '$.id', id + i, '$.expiresAtMs', 1) FROM tokens, n WHERE id = ${id}`;
    await worker.sql("*admin", copies);
    await ask("POST /tokens", { body: { label: "one more", role: "viewer" }, now: true });
    expect((await ask("GET /me", { token: made.json["token"] as string })).status).toBe(200);
    const listed = (await ask("GET /tokens")).json["tokens"] as { state: string }[];
    expect(listed.filter(({ state }) => state === "expired").length).toBeLessThan(1_000);
  });

  test("[ADMIN-3][ADMIN-11] orders are refused by name", async () => {
    const wrong: [object, string][] = [
      [{ role: "viewer" }, "label"],
      [{ label: "x", role: "root" }, "role"],
      [{ label: "x", role: "viewer", scope: "all" }, "scope"],
    ];
    for (const [body, setting] of wrong)
      expect((await ask("POST /tokens", { body, now: true })).json).toMatchObject({ code: "invalid", problems: [{ setting }] });
    const late = { label: "x", role: "viewer", expires: "2020-01-01T00:00:00Z" };
    expect((await ask("POST /tokens", { body: late })).json).toMatchObject({ problems: [{ setting: "expires" }] });
  });
});

describe("Idempotency-Key", () => {
  const key = (name: string) => ({ "Idempotency-Key": name });

  test("[ADMIN-12] a change repeated under it is made once, and hears the same; another request under it is refused", async () => {
    const first = await ask("POST /rooms/:room/staff-links", { body: { label: "a", hours: 1 }, headers: key("k1") });
    const again = await ask("POST /rooms/:room/staff-links", { body: { label: "a", hours: 1 }, headers: key("k1") });
    expect([again.status, again.json["id"], again.headers.get("Idempotency-Replayed")]).toEqual([200, first.json["id"], "true"]);
    const other = await ask("POST /rooms/:room/staff-links", { body: { label: "b", hours: 1 }, headers: key("k1") });
    expect([other.status, other.json["code"]]).toEqual([422, "idempotency-key-reused"]);
    const token = tokens.get("operator") ?? "";
    const theirs = await ask("POST /rooms/:room/staff-links", { body: { label: "a", hours: 1 }, headers: key("k1"), token });
    expect(theirs.json["id"]).not.toBe(first.json["id"]);
    expect((await ask("POST /rooms/:room/pause", { headers: key(" ") })).status).toBe(422);
  });

  test("[ADMIN-12] invitations asked for again under it are the same ones", async () => {
    const body = { count: 2, expires: new Date(Date.now() + 3_600_000).toISOString() };
    const asked = (name: string) => ask("POST /rooms/:room/invitations", { body, headers: key(name) });
    const [first, again, other] = [await asked("k3"), await asked("k3"), await asked("k4")];
    expect([again.json, again.headers.get("Idempotency-Replayed")]).toEqual([first.json, "true"]);
    const ids = [first, other].flatMap(({ json }) => (json["invitations"] as { id: string }[]).map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
  });

  test("[ADMIN-12] a token asked for again under it is the same one, and counts; under another key it is another", async () => {
    const asked = { body: { label: "twice", role: "viewer", expires: new Date(Date.now() + 3_600_000).toISOString() }, headers: key("k2") };
    const first = await ask("POST /tokens", asked);
    const again = await ask("POST /tokens", asked);
    expect([again.json, again.headers.get("Idempotency-Replayed")]).toEqual([first.json, "true"]);
    expect((await ask("GET /me", { token: String(again.json["token"]) })).json["name"]).toBe(`token ${first.json["id"]}: twice`);
    const other = await ask("POST /tokens", { ...asked, headers: key("k5") });
    const secrets = [first, other].map(({ json }) => String(json["token"]).split(".")[2]);
    expect(new Set(secrets).size).toBe(2);
  });
});
