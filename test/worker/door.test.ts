/** The door of a room, in the built Worker with its real Room: invitations by link, header and field, the site's own log-in, staff links. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import type { Challenge } from "../../src/core/proof";
import type { Status } from "../../src/core/status";
import { signInvitation } from "../../src/door/invitations";
import type { Minted } from "../../src/door/minting";
import { importKeyRing, newVisitorKey, signToken } from "../../src/keys";
import { root } from "../support/bundle";
import { NAVIGATION, told } from "../support/gate-rig";
import { Visitor } from "../support/jar";
import { type Origin, startOrigin } from "../support/origin";
import { answerTo } from "../support/proofs";
import { shared } from "../support/second-try";
import { startWorker, TEST_KEYS, type TestWorker } from "../support/worker";

const SHARED = "Zq7nB2xkT0vR5mWc8LpY3jHd6sGf1aUeKoNi9r4M";
const ROOM = { new_users_per_minute: 6_000, total_active_users: 100, session_duration: 1, session_max_minutes: 5, pass_refresh_seconds: 2 };
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const SALE = {
  name: "sale",
  prequeue_start_time: inMinutes(-5),
  event_start_time: inMinutes(60),
  event_end_time: inMinutes(120),
  shuffle_at_event_start: true,
};
const INVITED = 16;
const KNOWN = 8;

let origin: Origin;
let worker: TestWorker;
let login: Server;
let loginUrl = "";
/** What the log-in publishes; null = 500. */
let published: readonly JWK[] | null = [];
let fetched = 0;
let used = 0;
let known = 0;

shared(
  async () => {
    [published, fetched, used, known] = [[], 0, 0, 0];
    login = createServer((_, response) => {
      fetched += 1;
      response.statusCode = published === null ? 500 : 200;
      response.end(JSON.stringify({ keys: published ?? [] }));
    });
    await new Promise<void>((resolve) => login.listen(0, "127.0.0.1", resolve));
    loginUrl = `http://127.0.0.1:${(login.address() as AddressInfo).port}`;
    origin = await startOrigin();
    const invited = Array.from({ length: INVITED }, (_, i) => [`r${i}`, { ...ROOM, host: `r${i}.test`, entry: "invited" }] as const);
    const identity = {
      entry: "identified",
      identity_issuer: "https://login.test",
      identity_audience: "shop",
      identity_login_url: "https://login.test/in",
    };
    const identified = Array.from({ length: KNOWN }, (_, i) => {
      const keys = { identity_jwks_url: `${loginUrl}/k${i}`, identity_jwks_refetch_seconds: 1 };
      return [
        `k${i}`,
        { ...ROOM, ...identity, ...keys, host: `k${i}.test`, identity_cookie: "session", identity_header: "X-Identity" },
      ] as const;
    });
    worker = await startWorker({
      origin: origin.url,
      rooms: Object.fromEntries([
        ...invited,
        ...identified,
        ["hmac", { ...ROOM, ...identity, host: "hmac.test", identity_cookie: "session" }],
        ["open", { ...ROOM, host: "open.test" }],
        ["local", { ...ROOM, host: "localhost", challenge: "pow", challenge_everyone: true }],
        ["asks", { ...ROOM, host: "asks.test", challenge: "pow", join_limit_per_minute: 120 }],
        ["here", { ...ROOM, host: "127.0.0.1", staff_places: 3, queue_all: true }],
        ["lobby", { ...ROOM, host: "lobby.test", beacon: "none", events: [{ ...SALE, entry: "invited" }] }],
      ]),
      vars: { IDENTITY_KEYS: `hmac:${SHARED}` },
    });
    // A room begins when it is asked for the first time, without an entry token: all of them now, so that no test waits for its own.
    await Promise.all([...invited, ...identified].map(async ([room]) => (await manifestOf(room)).quiet));
  },
  async () => {
    await worker.stop();
    await origin.stop();
    await new Promise((resolve) => login.close(resolve));
  },
);
beforeEach(() => {
  origin.received.length = 0;
});

const nowS = () => Math.floor(Date.now() / 1_000);
const ring = (async () => {
  const imported = await importKeyRing(TEST_KEYS);
  if (!imported.ok) throw new Error(imported.problem);
  return imported.ring;
})();

async function invitation(room: string, more: { uses?: number; subject?: string; exp?: number; iat?: number } = {}): Promise<string> {
  const order = { room, uses: 1, subject: null, iat: nowS(), exp: nowS() + 600, ...more };
  return (await signInvitation(await ring, order)).token;
}

const visitorOf = (room: string, headers: Record<string, string> = {}) =>
  new Visitor(`http://${room}.test`, { transport: worker.fetch, headers });
const fetchIn = (room: string, path: string, headers: Record<string, string> = {}, method = "GET") =>
  worker.fetch(`http://${room}.test${path}`, { method, headers });
const api = (room: string) => `/__vestibule/rooms/${room}`;
const link = (path: string, token: string) => `${path}${path.includes("?") ? "&" : "?"}vestibule-invitation=${token}`;

async function manifestOf(room: string): Promise<{ quiet: boolean; tail: number; generation: number }> {
  return (await (await fetchIn(room, `${api(room)}/manifest`)).json()) as { quiet: boolean; tail: number; generation: number };
}

/** A room that nobody has used yet, quiet. */
async function fresh(kind: "r" | "k" = "r"): Promise<string> {
  const room = kind === "r" ? `r${used++}` : `k${known++}`;
  await expect.poll(async () => (await manifestOf(room)).quiet).toBe(true);
  return room;
}

async function admin(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { Authorization: `Bearer ${worker.adminToken}`, ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
  return worker.fetch(`http://r0.test/__vestibule/admin/api/rooms/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
const issuedIn = async (room: string) => ((await (await admin("GET", `${room}/stats`)).json()) as { issued: number }).issued;

describe("an invited room", () => {
  test("[DOOR-1] lets nobody in without an invitation, quiet as it is, and makes no place", async () => {
    const room = await fresh();
    const page = await visitorOf(room).navigate("/shop");
    expect([page.status, page.headers.get("Cache-Control")]).toEqual([403, "private, no-store"]);
    expect(await told(page)).toMatchObject({ state: "refused", reason: "invitation-needed" });
    const data = await fetchIn(room, "/shop");
    expect([data.status, await data.json()]).toMatchObject([403, { code: "invitation-needed", reason: "invitation-needed" }]);
    for (const [method, headers, status] of [
      ["HEAD", {}, 503],
      ["GET", { ...NAVIGATION, "Sec-Purpose": "prefetch" }, 503],
      ["POST", {}, 403],
      ["GET", { ...NAVIGATION, "User-Agent": "Googlebot" }, 403],
    ] as const) {
      expect([method, (await fetchIn(room, "/shop", headers, method)).status]).toEqual([method, status]);
    }
    const visitor = `vestibule.${room}=${await signToken(await ring, { kind: "visitor", room, key: newVisitorKey(), iat: nowS(), exp: nowS() + 60 })}`;
    expect(await told(await fetchIn(room, "/shop", { ...NAVIGATION, Cookie: visitor }))).toMatchObject({ reason: "invitation-needed" });
    const join = await fetchIn(room, `${api(room)}/join`, { Cookie: visitor, "Sec-Fetch-Site": "same-origin" }, "POST");
    expect([join.status, await join.json()]).toMatchObject([403, { reason: "invitation-needed" }]);
    expect(origin.received).toEqual([]);
    expect(await issuedIn(room)).toBe(0);
  });

  test("[DOOR-3] a link leads to the same address without the invitation, and then in", async () => {
    const room = await fresh();
    const token = await invitation(room);
    const visitor = visitorOf(room);
    const first = await visitor.fetch(link("/shop?a=%2F&b=c+d", token), { headers: NAVIGATION });
    expect([first.status, first.headers.get("Location"), first.headers.get("Referrer-Policy"), first.headers.get("Cache-Control")]).toEqual(
      [303, `http://${room}.test/shop?a=%2F&b=c+d`, "same-origin", "private, no-store"],
    );
    expect([...visitor.cookies.keys()]).toEqual([`vestibule-door.${room}`]);
    expect(visitor.setCookieLines[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    const page = await visitor.navigate("/shop?a=%2F&b=c+d");
    expect([page.status, await page.text()]).toMatchObject([200, expect.stringContaining("origin GET")]);
    expect(origin.received.map(({ url }) => url)).toEqual(["/shop?a=%2F&b=c+d"]);
    expect(origin.received[0]?.header("Vestibule-Status")).toBe("admitted");
    expect(origin.received[0]?.header("Cookie")).toBeNull();
    expect([...visitor.cookies.keys()].toSorted()).toEqual([`vestibule-door.${room}`, `vestibule-pass.${room}`, `vestibule.${room}`]);
    expect(visitor.cookies.get(`vestibule-door.${room}`)?.value).not.toContain(token);
  });

  test("[DOOR-3] W13 no invitation reaches the site, whatever the request, nor any log or page", async () => {
    const room = await fresh();
    const token = await invitation(room);
    const visitor = visitorOf(room);
    await (await visitor.navigate(link("/", token))).text();
    for (const [method, headers] of [
      ["POST", {}],
      ["GET", { "Vestibule-Invitation": token }],
      ["HEAD", {}],
      ["GET", { "Sec-Purpose": "prefetch", ...NAVIGATION }],
      ["OPTIONS", {}],
    ] as const) {
      const path = "Vestibule-Invitation" in headers ? "/x?q=1" : link("/x?q=1", token);
      const reply = await visitor.fetch(path, { method, headers });
      expect([method, reply.status]).toEqual([method, 200]);
    }
    const again = await visitor.fetch(link("/x?q=1", token), { headers: NAVIGATION });
    expect([again.status, again.headers.get("Location")]).toEqual([303, `http://${room}.test/x?q=1`]);
    const open = await fetchIn("open", link("/y?q=1", token), NAVIGATION);
    expect([open.status, open.headers.get("Location")]).toEqual([303, "http://open.test/y?q=1"]);
    expect(new Set(origin.received.map(({ url }) => url))).toEqual(new Set(["/", "/x?q=1"]));
    for (const received of origin.received) expect(JSON.stringify(received.headers)).not.toContain(token.slice(-20));
    const bad = `${token.slice(0, -6)}AAAAAA`;
    const page = await (await visitorOf(room).navigate(link("/x", bad))).text();
    expect(page).toContain("This invitation can’t be read");
    expect(page).not.toContain(token.slice(0, 40));
    expect(JSON.stringify(worker.logs)).not.toContain(token.slice(0, 40));
  });

  test("[DOOR-2] S11 every bad one leads to a page that says what to do, or to JSON, and to no place", async () => {
    const room = await fresh();
    const good = await invitation(room);
    const [head, body] = good.split(".");
    const none = `${Buffer.from('{"alg":"none","typ":"vst+invitation"}').toString("base64url")}.${body}.`;
    const table: readonly (readonly [string, string, string])[] = [
      [`${head}.${body}.${"A".repeat(43)}`, "invitation-bad", "can’t be read"],
      [none, "invitation-bad", "can’t be read"],
      ["", "invitation-bad", "can’t be read"],
      ["x".repeat(3_000), "invitation-bad", "can’t be read"],
      [await invitation(room, { iat: nowS() - 60, exp: nowS() - 1 }), "invitation-expired", "has expired"],
      [await invitation("open"), "invitation-other-room", "for something else"],
    ];
    for (const [token, why, words] of table) {
      const visitor = visitorOf(room);
      const led = await visitor.fetch(link("/shop?a=1", token), { headers: NAVIGATION });
      expect([why, led.status, led.headers.get("Location")]).toEqual([
        why,
        303,
        `http://${room}.test${api(room)}/door?why=${why}&to=%2Fshop%3Fa%3D1`,
      ]);
      const page = await visitor.navigate(new URL(led.headers.get("Location") ?? ""));
      const html = await page.text();
      expect([page.status, page.headers.get("X-Robots-Tag")]).toEqual([403, "noindex"]);
      expect(html).toContain(words);
      expect(html).toContain('name="invitation"');
      expect(visitor.cookies.size).toBe(0);
      const app = await fetchIn(room, "/api", { "Vestibule-Invitation": token || "x" });
      expect([app.status, await app.json()]).toMatchObject([403, { code: why, state: "refused", reason: why }]);
    }
    expect(await issuedIn(room)).toBe(0);
  });

  test("[DOOR-6] S11 n uses make n places however many come at once, and the next is told that it is used", async () => {
    const room = await fresh();
    const token = await invitation(room, { uses: 3 });
    const visitors = Array.from({ length: 12 }, () => visitorOf(room));
    const pages = await Promise.all(visitors.map((visitor) => visitor.navigate(link("/shop", token))));
    const reasons = await Promise.all(pages.map(async (page) => (page.status === 200 ? "in" : (await told(page))?.reason)));
    expect(reasons.toSorted()).toEqual([...Array.from({ length: 3 }, () => "in"), ...Array.from({ length: 9 }, () => "invitation-used")]);
    expect(await issuedIn(room)).toBe(3);
    // The first ones go on, with the link too, also after the Room forgot what it had in memory.
    await worker.evict(room);
    for (const [i, visitor] of visitors.entries()) {
      const page = await visitor.navigate(link("/shop", token));
      expect(page.status === 200).toBe(reasons[i] === "in");
    }
    expect(await issuedIn(room)).toBe(3);
  });

  test("[DOOR-6] S7 C87 a person's second device shares the place and the visit, and makes no second one", async () => {
    const room = await fresh();
    const token = await invitation(room, { subject: "ada@example.com" });
    const [phone, laptop] = [visitorOf(room, { "User-Agent": "phone" }), visitorOf(room, { "User-Agent": "laptop" })];
    expect((await phone.navigate(link("/", token))).status).toBe(200);
    expect((await laptop.navigate(link("/", token))).status).toBe(200);
    expect(new Set(origin.received.map((received) => received.header("Vestibule-Session"))).size).toBe(1);
    expect(await issuedIn(room)).toBe(1);
    const rows = JSON.stringify(await worker.sql(room, "SELECT * FROM guests"));
    expect(rows).not.toContain("ada");
  });

  test("[DOOR-6] in a line the second device waits at the same place; a new line asks whoever shows nothing any more", async () => {
    const room = await fresh();
    await admin("POST", `${room}/pause`);
    const token = await invitation(room, { subject: "ada" });
    await (await visitorOf(room).navigate(link("/", await invitation(room)))).text();
    const [phone, laptop] = [visitorOf(room), visitorOf(room)];
    for (const device of [phone, laptop, phone])
      expect(await told(await device.navigate(link("/", token)))).toMatchObject({ state: "paused", slot: 1 });
    // The ticket is enough from here on: nobody is asked again.
    laptop.cookies.delete(`vestibule-door.${room}`);
    expect(await told(await laptop.navigate("/"))).toMatchObject({ state: "paused", slot: 1 });
    await admin("POST", `${room}/reset`, { confirm: room });
    expect(await told(await laptop.navigate("/"))).toMatchObject({ reason: "invitation-needed" });
    expect(await told(await phone.navigate("/"))).toMatchObject({ state: "paused", slot: 0 });
    expect(await issuedIn(room)).toBe(1);
  });

  test("[DOOR-6] a crash between two uses forgets neither", async () => {
    const room = await fresh();
    const token = await invitation(room, { uses: 2 });
    const first = visitorOf(room);
    await first.navigate(link("/", token));
    await worker.kill9();
    await worker.restart();
    const [second, third] = [visitorOf(room), visitorOf(room)];
    await expect.poll(async () => (await second.navigate(link("/", token))).status).toBe(200);
    expect(await told(await third.navigate(link("/", token)))).toMatchObject({ reason: "invitation-used" });
    expect((await first.navigate("/")).status).toBe(200);
    expect(await issuedIn(room)).toBe(2);
  });

  test("[DOOR-3] the field of the page takes the code or the whole link, from the site's own pages only", async () => {
    const room = await fresh();
    const token = await invitation(room, { uses: 2 });
    const form = (visitor: Visitor, text: string, site: string) =>
      visitor.fetch(`${api(room)}/door`, {
        method: "POST",
        headers: { ...NAVIGATION, "Sec-Fetch-Site": site, "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ to: "/shop?a=1", invitation: text }).toString(),
      });
    for (const text of [token, `  https://${room}.test${link("/drop?x=1", token)}&y=2#top `]) {
      const visitor = visitorOf(room);
      const led = await form(visitor, text, "same-origin");
      expect([led.status, led.headers.get("Location")]).toEqual([303, `http://${room}.test/shop?a=1`]);
      expect((await visitor.navigate("/shop?a=1")).status).toBe(200);
    }
    const stranger = visitorOf(room);
    expect((await form(stranger, token, "cross-site")).status).toBe(403);
    const led = await form(stranger, "what is this", "same-origin");
    expect(led.headers.get("Location")).toContain("why=invitation-bad");
    expect(stranger.cookies.size).toBe(0);
  });

  test("[DOOR-3] an app sends it as a header, with its visitor token, and uses it up once", async () => {
    const room = await fresh();
    const token = await invitation(room);
    const app = visitorOf(room, { "Vestibule-Invitation": token });
    const asked = await app.fetch("/api");
    expect([asked.status, await asked.json()]).toMatchObject([428, { code: "cookies-needed" }]);
    expect((await app.fetch("/api")).status).toBe(200);
    expect((await app.fetch("/api")).status).toBe(200);
    const other = visitorOf(room, { "Vestibule-Invitation": token });
    await other.fetch("/api");
    expect(await (await other.fetch("/api")).json()).toMatchObject({ reason: "invitation-used" });
    expect(await issuedIn(room)).toBe(1);
  });

  test("[DOOR-7] the admin API makes them; their links lead in", async () => {
    const room = await fresh();
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const made = await admin("POST", `${room}/invitations`, { expires, count: 2, url: `https://${room}.test/drop?a=1`, reason: "press" });
    expect(made.status).toBe(200);
    const { invitations } = (await made.json()) as { invitations: Minted[] };
    expect(invitations).toHaveLength(2);
    for (const { link: href = "" } of invitations) {
      const { pathname, search } = new URL(href);
      expect((await visitorOf(room).navigate(pathname + search)).status).toBe(200);
    }
    const refused = async (fields: unknown) => {
      const reply = await admin("POST", `${room}/invitations`, fields);
      return [reply.status, ((await reply.json()) as { problems: { setting: string }[] }).problems.map(({ setting }) => setting)];
    };
    expect(await refused({ expires, url: "https://elsewhere.test/" })).toEqual([422, ["url"]]);
    expect(await refused({ count: 0, force: true })).toEqual([422, ["force"]]);
    expect(await refused({ count: 0 })).toEqual([422, ["count", "expires"]]);
    expect((await worker.fetch(`http://r0.test/__vestibule/admin/api/rooms/${room}/invitations`, { method: "POST" })).status).toBe(401);
  });

  test("[DOOR-1] [DOOR-6] a lobby that asks for invitations while the room itself does not: one entry for each, shared by devices", async () => {
    expect(await told(await visitorOf("lobby").navigate("/"))).toMatchObject({ reason: "invitation-needed" });
    const token = await invitation("lobby", { subject: "ada" });
    const [phone, laptop] = [visitorOf("lobby"), visitorOf("lobby")];
    for (const device of [phone, laptop, phone]) {
      const status = await told(await device.navigate(link("/", token)));
      expect(status).toMatchObject({ state: "lobby", draw: { entry: 0 } });
    }
    expect(await told(await visitorOf("lobby").navigate(link("/", await invitation("lobby"))))).toMatchObject({ draw: { entry: 1 } });
    laptop.cookies.delete("vestibule-door.lobby");
    expect(await told(await laptop.navigate("/"))).toMatchObject({ state: "lobby", draw: { entry: 0 } });
  });

  test("[DOOR-1] switching a room to invitations leaves those in line where they are, and turns newcomers away within the bound", async () => {
    const waits = visitorOf("open");
    await admin("POST", "open/pause");
    expect(await told(await waits.navigate("/"))).toMatchObject({ state: "paused" });
    await admin("PATCH", "open", { entry: "invited" });
    expect(await told(await visitorOf("open").navigate("/"))).toMatchObject({ reason: "invitation-needed" });
    expect(await told(await waits.navigate("/"))).toMatchObject({ state: "paused" });
    await admin("POST", "open/resume");
    await expect.poll(async () => (await (await waits.navigate("/")).text()).includes("origin GET")).toBe(true);
    await admin("PATCH", "open", { entry: null });
  });
});

describe("an identified room", () => {
  const pairs = (async () => [await pairOf("first"), await pairOf("second")] as const)();
  async function pairOf(kid: string) {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    return { kid, sign: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256" } };
  }
  async function jwt(claims: Record<string, unknown> = {}, which: 0 | 1 = 0, header: Record<string, unknown> = {}): Promise<string> {
    const { kid, sign } = (await pairs)[which];
    const good = { iss: "https://login.test", aud: "shop", sub: "ada", iat: nowS() - 5, exp: nowS() + 600 };
    return new SignJWT({ ...good, ...claims }).setProtectedHeader({ alg: "ES256", kid, ...header }).sign(sign);
  }
  const loggedIn = (visitor: Visitor, token: string) =>
    visitor.cookies.set("session", { name: "session", value: token, attributes: new Map() });
  beforeEach(async () => {
    published = [(await pairs)[0].jwk];
  });

  test("[DOOR-1] lets nobody in who is not logged in, and shows the way to the log-in", async () => {
    const room = await fresh("k");
    const page = await visitorOf(room).navigate("/");
    const html = await page.text();
    expect(page.status).toBe(403);
    expect(html).toContain("Please log in first");
    expect(html).toContain('href="https://login.test/in"');
    expect(await (await fetchIn(room, "/api")).json()).toMatchObject({ code: "identity-needed" });
    expect(origin.received).toEqual([]);
    expect(await issuedIn(room)).toBe(0);
  });

  test("[DOOR-4] [DOOR-6] the log-in's cookie or header lets in, with one place for a person; the site keeps seeing it", async () => {
    const room = await fresh("k");
    const [phone, laptop] = [visitorOf(room, { "User-Agent": "phone" }), visitorOf(room, { "User-Agent": "laptop" })];
    const token = await jwt();
    loggedIn(phone, token);
    expect((await phone.navigate("/shop")).status).toBe(200);
    expect(origin.received[0]?.header("Cookie")).toBe(`session=${token}`);
    loggedIn(laptop, await jwt({ jti: "another" }));
    expect((await laptop.navigate("/shop")).status).toBe(200);
    expect(new Set(origin.received.map((received) => received.header("Vestibule-Session"))).size).toBe(1);
    const app = await fetchIn(room, "/shop", { "X-Identity": `Bearer ${await jwt({ sub: "alan" })}` });
    expect(app.status).toBe(200);
    expect(await issuedIn(room)).toBe(2);
    expect(JSON.stringify(await worker.sql(room, "SELECT * FROM guests"))).not.toMatch(/ada|alan/);
    // Inside, the log-in is not looked at any more.
    phone.cookies.delete("session");
    expect((await phone.navigate("/shop")).status).toBe(200);
  });

  test("[DOOR-4] bad, expired and foreign ones are told apart, and make no place", async () => {
    const room = await fresh("k");
    for (const [token, why] of [
      [await jwt({ exp: nowS() - 1 }), "identity-expired"],
      [await jwt({ nbf: nowS() + 300 }), "identity-bad"],
      [await jwt({ iss: "https://evil.test" }), "identity-bad"],
      [await jwt({ aud: "bank" }), "identity-bad"],
      [`${(await jwt()).slice(0, -4)}AAAA`, "identity-bad"],
      [
        await new SignJWT({ sub: "ada", iss: "https://login.test", aud: "shop", exp: nowS() + 60 })
          .setProtectedHeader({ alg: "HS256", kid: "first" })
          .sign(new TextEncoder().encode(SHARED)),
        "identity-bad",
      ],
    ] as const) {
      const visitor = visitorOf(room);
      loggedIn(visitor, token);
      const page = await visitor.navigate("/");
      expect([why, page.status, (await told(page))?.reason]).toEqual([why, 403, why]);
      const app = await fetchIn(room, "/api", { "X-Identity": token });
      expect([app.status, await app.json()]).toMatchObject([403, { code: why }]);
    }
    expect(origin.received).toEqual([]);
    expect(await issuedIn(room)).toBe(0);
  });

  test("[DOOR-5] new keys are found, old ones go on through an outage, and without any the page keeps trying", async () => {
    const room = await fresh("k");
    published = null;
    const visitor = visitorOf(room);
    loggedIn(visitor, await jwt());
    const page = await visitor.navigate("/");
    expect([page.status, page.headers.has("Retry-After"), (await told(page))?.reason]).toEqual([503, true, "identity-unchecked"]);
    published = [(await pairs)[0].jwk];
    await expect.poll(async () => (await visitor.navigate("/")).status).toBe(200);
    published = [(await pairs)[1].jwk];
    const second = visitorOf(room);
    loggedIn(second, await jwt({ sub: "alan" }, 1));
    await expect.poll(async () => (await second.navigate("/")).status).toBe(200);
    published = null;
    const before = fetched;
    for (let i = 0; i < 20; i++) {
      const app = await fetchIn(room, "/api", { "X-Identity": await jwt({ sub: `p${i}` }, 1) });
      expect(app.status).toBe(200);
    }
    expect(fetched).toBe(before);
  });

  test("[DOOR-4] with a shared key: an HMAC of it lets in, another does not", async () => {
    await expect.poll(async () => (await manifestOf("hmac")).quiet).toBe(true);
    const signed = (key: string) =>
      new SignJWT({ sub: "ada", iss: "https://login.test", aud: "shop", exp: nowS() + 60 })
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode(key));
    const visitor = visitorOf("hmac");
    loggedIn(visitor, await signed(SHARED.toLowerCase()));
    expect(await told(await visitor.navigate("/"))).toMatchObject({ reason: "identity-bad" });
    loggedIn(visitor, await signed(SHARED));
    expect((await visitor.navigate("/")).status).toBe(200);
  });
});

describe("staff links", () => {
  const run = promisify(execFile);
  const cli = (...args: readonly string[]) =>
    run(process.execPath, ["scripts/staff-link.mjs", "--room", "here", "--url", new URL("/backstage?x=1", worker.url).href, ...args], {
      cwd: root,
      env: { ...process.env, ADMIN_TOKEN: worker.adminToken },
    });
  const made = async (uses: number, label = "press") =>
    new URL((await cli("--label", label, "--hours", "2", "--uses", String(uses))).stdout.trim());
  const browser = () => new Visitor(worker.url);
  /** Opens the link and presses the button. */
  async function enter(visitor: Visitor, link: URL, more: Record<string, string> = {}): Promise<Response> {
    const page = await (await visitor.navigate(link)).text();
    const fields = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll("&amp;", "&"),
    ]);
    const body = new URLSearchParams({ ...Object.fromEntries(fields), ...more }).toString();
    const headers = { ...NAVIGATION, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded" };
    return visitor.fetch(`${api("here")}/staff`, { method: "POST", headers, body });
  }
  const statuses = () => origin.received.map((hit) => `${hit.url} ${hit.header("Vestibule-Status")}`);

  test("[STAFF-1] [STAFF-2] [STAFF-3] [NOTES-1] let in past a paused room, as often as they say, outside the count, until they are revoked", async () => {
    const link = await made(2);
    const [ada, alan, eve] = [browser(), browser(), browser()];
    // Programs that open links use nothing up.
    for (let i = 0; i < 3; i++) expect((await browser().navigate(link)).status).toBe(200);
    for (const visitor of [ada, alan]) {
      const entered = await enter(visitor, link);
      expect([entered.status, entered.headers.get("Location")]).toEqual([303, new URL("/backstage?x=1", worker.url).href]);
    }
    expect((await enter(ada, link)).status).toBe(303);
    const third = await enter(eve, link);
    expect([third.status, await third.text()]).toMatchObject([403, expect.stringContaining("used as often as it allows")]);
    expect((await ada.navigate("/backstage?x=1")).status).toBe(200);
    expect((await alan.fetch("/pay", { method: "POST", body: "a=1" })).status).toBe(200);
    expect((await told(await eve.navigate("/backstage")))?.state).toBe("paused");
    expect(statuses()).toEqual(["/backstage?x=1 staff", "/pay staff"]);
    expect(origin.received[0]?.header("Cookie")).toBeNull();
    const stats = (await (await admin("GET", "here/stats")).json()) as Record<string, number>;
    expect([stats["inside"], stats["issued"], stats["places_held"]]).toEqual([0, 1, 0]);

    await browser().fetch("/hooks/17?secret=1", { method: "POST", body: "a=1" });
    // Told with the next exchange, whatever it is for.
    const callbacks = async () => {
      await browser().fetch(`${api("here")}/manifest`);
      return ((await (await admin("GET", "here/stats")).json()) as { callbacks: unknown }).callbacks;
    };
    await expect.poll(callbacks).toMatchObject([{ method: "POST", path: "/hooks/*", count: 1 }]);

    expect((await cli("--list")).stdout).toMatch(/^2 of 3 staff places taken\n1\tlive\t2\/2 used\t.*\tpress\n$/);
    expect((await cli("--revoke", "1", "--reason", "lost")).stdout).toContain("revoked");
    await expect.poll(async () => (await ada.fetch("/backstage")).status, { timeout: 10_000 }).toBe(429);
    expect((await enter(ada, link)).status).toBe(403);
    const { links } = (await (await admin("GET", "here/staff-links")).json()) as { links: { revoked_by: unknown }[] };
    expect(links[0]?.revoked_by).toEqual({ name: "admin token", reason: "lost" });
  });

  test("[STAFF-2] all links together give no more than staff_places", async () => {
    await expect.poll(async () => (await cli("--list")).stdout).toMatch(/^0 of 3/);
    const links = [await made(2), await made(2)];
    const entered = await Promise.all(links.flatMap((link) => [enter(browser(), link), enter(browser(), link)]));
    expect(entered.map(({ status }) => status).toSorted()).toEqual([303, 303, 303, 403]);
  });

  test("[STAFF-3] K4 nothing else is a link or a pass: a link as a cookie, a pass as a link, other rooms, changed and ended ones", async () => {
    const link = await made(1);
    const token = link.searchParams.get("token") ?? "";
    const iat = nowS() - 60;
    const sign = (over: object) =>
      ring.then((keys) => signToken(keys, { kind: "staff", room: "here", link: 99, key: null, iat, exp: iat + 3_600, ...over }));
    const asPass = { headers: { Cookie: `vestibule-staff.here=${token}` } };
    expect((await browser().fetch("/backstage", asPass)).status).toBe(428);
    const bad = [
      `${token.slice(0, -4)}AAAA`,
      await sign({ key: newVisitorKey() }),
      await sign({ room: "open" }),
      await sign({ exp: iat + 1 }),
      "",
    ];
    for (const one of bad) {
      const at = new URL(link);
      at.searchParams.set("token", one);
      expect([one, (await browser().navigate(at)).status]).toEqual([one, 403]);
      expect([one, (await enter(browser(), link, { token: one })).status]).toEqual([one, 403]);
    }
    expect((await enter(browser(), link, { key: "x" })).status).toBe(403);
    expect((await enter(browser(), link, { token: await sign({}) })).status).toBe(403);
    const cross = await browser().fetch(`${api("here")}/staff`, { method: "POST", headers: { "Sec-Fetch-Site": "cross-site" }, body: "" });
    expect(cross.status).toBe(403);
    const away = await enter(browser(), link, { to: "//evil.test/x" });
    expect([403, 303]).toContain(away.status);
    expect(away.headers.get("Location") ?? worker.url.href).toBe(worker.url.href);
    expect(origin.received).toEqual([]);
  });

  test("[STAFF-1] orders that make no sense are refused by name, by the command and the API", async () => {
    const bad: [Record<string, unknown>, string][] = [
      [{ label: "", hours: 1 }, "label"],
      [{ label: "x".repeat(81), hours: 1 }, "label"],
      [{ label: "a", hours: 24.1 }, "hours"],
      [{ label: "a", hours: 0 }, "hours"],
      [{ label: "a", hours: "1" }, "hours"],
      [{ label: "a", hours: 1, uses: 0 }, "uses"],
      [{ label: "a", hours: 1, uses: 101 }, "uses"],
      [{ label: "a", hours: 1, uses: 1.5 }, "uses"],
      [{ label: "a", hours: 1, url: "http://open.test/" }, "url"],
      [{ label: "a", hours: 1, url: 1 }, "url"],
      [{ label: "a", hours: 1, place: 1 }, "place"],
    ];
    for (const [order, field] of bad) {
      const reply = await admin("POST", "here/staff-links", { url: worker.url.href, ...order });
      const { problems } = (await reply.json()) as { problems: { setting: string }[] };
      expect([order, reply.status, problems.map(({ setting }) => setting)]).toEqual([order, 422, [field]]);
    }
    expect((await admin("POST", "open/staff-links", { label: "a", hours: 1, url: "http://open.test/" })).status).toBe(422);
    expect((await admin("DELETE", "here/staff-links/999")).status).toBe(404);
    await expect(cli("--label", "a", "--hours", "48")).rejects.toThrow("hours must be a number");
    await expect(cli("--lable", "a")).rejects.toThrow("npm run staff-link");
  });
});

describe("a room that asks a crowded network for proof", () => {
  let phones = 0;
  const carrier = () => `203.0.113.${phones++ % 256}`;
  type Reply = Status & { readonly code: number; readonly challenge?: Challenge };

  /** Joins, again while the Room takes its time. */
  async function join(key: string, ip: string, proof: { header?: string; cookie?: string } = {}): Promise<Reply> {
    const visitor = await signToken(await ring, { kind: "visitor", room: "asks", key, iat: nowS(), exp: nowS() + 600 });
    const cookies = [`vestibule.asks=${visitor}`, ...(proof.cookie === undefined ? [] : [`vestibule-proof.asks=${proof.cookie}`])];
    const headers = {
      Cookie: cookies.join("; "),
      "Sec-Fetch-Site": "same-origin",
      "CF-Connecting-IP": ip,
      ...(proof.header === undefined ? {} : { "Vestibule-Proof": proof.header }),
    };
    for (;;) {
      const reply = await fetchIn("asks", `${api("asks")}/join`, headers, "POST");
      const told = (await reply.json()) as Status;
      if (told.state !== "joining" || told.reason === "challenge") return { ...told, code: reply.status };
    }
  }
  const shown = async (key: string) =>
    signToken(await ring, { kind: "proof", room: "asks", key, work: 1, human: false, iat: nowS(), exp: nowS() + 600 });

  async function inTurns<T, R>(all: readonly T[], run: (each: T) => Promise<R>): Promise<R[]> {
    const results: R[] = [];
    for (let at = 0; at < all.length; at += 100) results.push(...(await Promise.all(all.slice(at, at + 100).map(run))));
    return results;
  }

  test("[PROOF-4] [ASK-1] S2 of a thousand joins from one /24 the limit gets places without proof, the rest with it, also after the Room was evicted", async () => {
    const keys = Array.from({ length: 1_000 }, () => newVisitorKey());
    const first = await inTurns(keys, (key) => join(key, carrier()));
    expect(new Set(first.map(({ code }) => code))).toEqual(new Set([200, 403]));
    const asked = keys.filter((_, i) => first[i]?.reason === "challenge");
    expect([asked.length, await issuedIn("asks")]).toEqual([880, 120]);

    await worker.evict("asks");
    const later = await inTurns(asked.slice(0, 20), (key) => join(key, carrier()));
    expect(new Set(later.map(({ code, reason }) => `${code} ${reason}`))).toEqual(new Set(["403 challenge"]));
    expect((await join(newVisitorKey(), "198.51.100.7")).code).toBe(200);
    // Who has a place is told where it is, not asked.
    expect(await join(keys.find((key) => !asked.includes(key)) ?? "", carrier())).toMatchObject({ code: 200 });

    // One works it out; of the others we know that they could.
    const [own = "", ...others] = asked;
    const challenge = (await join(own, carrier())).challenge;
    if (challenge?.kind !== "pow") throw new Error("no work");
    const header = answerTo(challenge.altcha);
    const mine = await join(own, carrier(), { header });
    expect(mine).toMatchObject({ code: 200, slot: expect.any(Number) });
    expect((await join(own, carrier(), { header })).slot).toBe(mine.slot);
    expect((await join(newVisitorKey(), carrier(), { header })).challenge?.again).toBe("wrong");
    const proven = await inTurns(others.slice(0, 200), async (key) => join(key, carrier(), { cookie: await shown(key) }));
    expect(new Set(proven.map(({ code }) => code))).toEqual(new Set([200]));
    expect(await issuedIn("asks")).toBe(322);
  });

  test("[DOCS-7] [PROOF-8] the sample client of docs/api.md answers and gets a place, which nobody gets without", async () => {
    const room = `http://localhost:${worker.url.port}${api("local")}`;
    const check = await fetch(new URL("/__vestibule/check", room), { redirect: "manual" });
    const visitor = /=([^;]+)/.exec(check.headers.getSetCookie()[0] ?? "")?.[1];
    expect((await fetch(`${room}/join`, { method: "POST", headers: { Authorization: `Bearer ${visitor}` } })).status).toBe(403);
    const text = await readFile(`${root}docs/api.md`, "utf8");
    const client = /```js\n([\s\S]*?Vestibule-Proof[\s\S]*?)```/.exec(text)?.[1] ?? "";
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", client, "client.mjs", room]);
    expect(stdout).toMatch(/^200 \{.*"ticket":"/);
  });
});
