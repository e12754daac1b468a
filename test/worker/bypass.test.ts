/** What the room's rules let past the line, what scripts of other origins meet, and what a room in shadow does, against a Room that answers as told. What counts is what reached the site. */
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Manifest } from "../../src/core/manifest";
import type { Script } from "../support/fake-room";
import { NAVIGATION, type Rig, type RigRoom, startRig, told } from "../support/gate-rig";
import { rawGet } from "../support/raw";
import { shared } from "../support/second-try";
import { TEST_ADMIN_TOKEN } from "../support/worker";

const KEY = "partner-q8Zk3vXw9LmN2pRt5yBc7dFg4hJ6";
const TOKEN = "monitor-q8Zk3vXw9LmN2pRt5yBc7dFg4hJ6";
const RULES = [
  { path: "/robots.txt", exact: true, methods: ["GET", "HEAD"] },
  { path: "/hooks/pay", methods: ["POST"] },
  { path: "/partner", signed_by: "partner" },
  { path: "/feed", token_of: "monitor" },
  { path: "/office", networks: ["198.51.100.0/24"] },
  { path: "/staff", cookie: "staff", cookie_value: "let-me" },
  { path: "/bots", verified_bot: true },
  { path: "/live" },
];

let rig: Rig;
shared(
  async () => {
    rig = await startRig({
      vars: { BYPASS_KEYS: `partner:${KEY},monitor:${TOKEN}` },
      settings: { bypass_rules: RULES },
      named: { dim: { mode: "shadow" }, dark: { mode: "shadow" } },
    });
  },
  () => rig.stop(),
);

const hitsOf = (room: RigRoom) => room.hits().map(({ method, url }) => `${method} ${url}`);

describe("bypass rules", () => {
  test("[BYPASS-1] [PROXY-2] [PROXY-12] C94 go to the site past a busy room: no cookie, no place, no join, and a status that says so", async () => {
    const room = rig.room();
    const pass = await room.pass();
    const reply = await room.fetch("/hooks/pay/42?id=1", {
      method: "POST",
      body: "paid=1",
      headers: { "Vestibule-Status": "admitted", "Vestibule-Session": "1.1", Cookie: `${room.cookieHeader({ pass })}; own=1` },
    });
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([200, []]);
    expect(hitsOf(room)).toEqual(["POST /hooks/pay/42?id=1"]);
    const hit = room.hits()[0];
    const named = (name: string) => hit?.header(name) ?? null;
    expect(["Vestibule-Status", "Vestibule-Session", "Vestibule-Room", "Cookie"].map(named)).toEqual(["bypass", null, null, "own=1"]);
    expect(named("Vestibule-Signature")).toMatch(/^t=\d+, kid=t1, mac=/);
    expect((await hit?.body())?.toString()).toBe("paid=1");
    const { batches } = await room.seen();
    expect(batches.flatMap((batch) => [...batch.joins, ...batch.claims, ...batch.renewals, batch.leaseWanted].filter(Boolean))).toEqual([]);
  });

  test("[BYPASS-1] T5 a server's callback by POST arrives once, while a person's POST to the page beside it does not", async () => {
    const room = rig.room();
    const cross = { Origin: "https://bank.test", "Sec-Fetch-Site": "cross-site" };
    expect((await room.fetch("/hooks/pay", { method: "POST", body: "a=1", headers: cross })).status).toBe(200);
    expect((await room.fetch("/pay/return", { method: "POST", body: "a=1", headers: cross })).status).toBe(429);
    expect((await room.navigate("/hooks/pay")).status).toBe(303);
    expect(hitsOf(room)).toEqual(["POST /hooks/pay"]);
  });

  test("[BYPASS-1] G8 no detour by an open name, no user agent and no cookie of ours leads to a page that is gated", async () => {
    const room = rig.room();
    const detours = [
      "/robots.txt/../checkout",
      "/robots.txt/..;/checkout",
      "/robots.txt/..%2fcheckout",
      "/robots.txt/%2e%2e/checkout",
      "/robots.txt/..%5ccheckout",
      "/robots.txt\\..\\checkout",
      "/robots.txt%00/checkout",
      "/robots.txt/..%c0%afcheckout",
      "/robots.txt%252f..%252fcheckout",
      "/robots.txt/..%20/checkout",
      "/checkout/robots.txt",
      "/checkout;/robots.txt",
      "/checkout?x=/robots.txt",
      "/checkout%3f/robots.txt",
      "/robots.txt;x=/checkout",
      "/ROBOTS.TXT",
      "/robots.txt/checkout",
      "/live/../checkout",
      "/live/..%2fcheckout",
      "/live/..;/checkout",
    ];
    for (const path of detours) await rawGet(rig.url, path, [`Host: ${room.host}`]);
    for (const agent of ["Googlebot/2.1 (+http://www.google.com/bot.html)", "Stripe/1.0 (+https://stripe.com/docs/webhooks)"])
      for (const path of ["/bots/x", "/checkout"]) await room.fetch(path, { headers: { "User-Agent": agent } });
    await room.fetch("/staff/x", {
      headers: { Cookie: `vestibule.${room.name}=let-me; vestibule-pass.${room.name}=let-me; staff=let-him` },
    });
    expect(hitsOf(room)).toEqual([]);
    expect((await room.fetch("/robots.txt?x=/checkout")).status).toBe(200);
    expect(hitsOf(room)).toEqual(["GET /robots.txt?x=/checkout"]);
  });

  test("[BYPASS-3] K6 a signature opens its own request: not another time, method, host, path, query or key", async () => {
    const room = rig.room();
    const now = Math.floor(Date.now() / 1_000);
    const sign = (t: number, method: string, host: string, target: string, key = KEY) =>
      createHmac("sha256", key).update(["vestibule-bypass-1", t, method, host, target].join("\n")).digest("base64url");
    const ask = async (mac: string, { t = now, method = "PUT", target = "/partner/a?b=1", name = "partner" } = {}) =>
      (await room.fetch(target, { method, headers: { "Vestibule-Bypass": `t=${t}, key=${name}, mac=${mac}` } })).status;
    const good = sign(now, "PUT", room.host, "/partner/a?b=1");
    expect(await ask(good)).toBe(200);
    const refused = [
      await ask(good, { t: now - 1 }),
      await ask(good, { method: "POST" }),
      await ask(good, { target: "/partner/a?b=2" }),
      await ask(good, { target: "/partner/b?b=1" }),
      await ask(good, { name: "monitor" }),
      await ask(sign(now, "PUT", room.host, "/partner/a?b=1", TOKEN), { name: "monitor" }),
      await ask(sign(now, "PUT", "other.test", "/partner/a?b=1")),
      await ask(sign(now - 90, "PUT", room.host, "/partner/a?b=1"), { t: now - 90 }),
      await ask(`${good.slice(0, -1)}${good.endsWith("A") ? "E" : "A"}`),
      (await room.fetch("/partner/a", { headers: { "Vestibule-Bypass": "" } })).status,
    ];
    expect(refused.filter((status) => status < 400)).toEqual([]);
    expect(hitsOf(room)).toEqual(["PUT /partner/a?b=1"]);
    expect(room.hits()[0]?.header("Vestibule-Bypass")).toBeNull();
  });

  test("[BYPASS-3] K6 a token opens by its whole value, and does not reach the site; nor does a secret of another rule", async () => {
    const room = rig.room();
    const ask = async (token: string) => (await room.fetch("/feed", { headers: { "Vestibule-Bypass-Token": token } })).status;
    expect(await ask(TOKEN)).toBe(200);
    const refused = [TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.toUpperCase(), KEY, "", "monitor"];
    expect((await Promise.all(refused.map(ask))).filter((status) => status < 400)).toEqual([]);
    expect(hitsOf(room)).toEqual(["GET /feed"]);
    expect(room.hits()[0]?.header("Vestibule-Bypass-Token")).toBeNull();
  });

  test("[BYPASS-1] networks and cookies of the site", async () => {
    const room = rig.room();
    const from = async (path: string, headers: Record<string, string>) => (await room.fetch(path, { headers })).status;
    expect(await from("/office", { "CF-Connecting-IP": "198.51.100.9" })).toBe(200);
    expect(await from("/office", { "CF-Connecting-IP": "198.51.101.9" })).toBe(428);
    expect(await from("/office", {})).toBe(428);
    expect(await from("/staff", { Cookie: "a=1; staff=let-me" })).toBe(200);
    expect(await from("/staff", { Cookie: "staff=let-mee" })).toBe(428);
    expect(hitsOf(room)).toEqual(["GET /office", "GET /staff"]);
  });

  test("[BYPASS-6] rules that are changed live hold from the first request of an isolate on, and one taken back opens nothing within the bound", async () => {
    const added = rig.room();
    await added.script({ settings: { bypass_rules: [{ path: "/new", methods: ["POST"] }] } });
    expect((await added.fetch("/new", { method: "POST", body: "1" })).status).toBe(200);
    expect((await added.fetch("/live", { method: "POST", body: "1" })).status).toBe(429);
    const taken = rig.room();
    await taken.script({ settings: { bypass_rules: [] } });
    expect((await taken.fetch("/live")).status).toBe(428);
    expect([hitsOf(added), hitsOf(taken)]).toEqual([["POST /new"], []]);
  });

  test("[BYPASS-6] calls to the Room do not grow with what rules let through; without the Room the last rules known hold", async () => {
    const room = rig.room();
    await room.fetch("/live");
    await Promise.all(Array.from({ length: 200 }, () => room.fetch("/live")));
    expect((await room.seen()).attempts).toBeLessThan(10);
    const dark = rig.room();
    await dark.fail("plain", "plain", "plain", "plain");
    expect((await dark.fetch("/live")).status).toBe(200);
    expect((await dark.fetch("/live2")).status).toBe(503);
    expect(hitsOf(dark)).toEqual(["GET /live"]);
  });

  test("[BYPASS-3] a live rule whose key is missing is warned of, and opens nothing", async () => {
    const room = rig.room();
    const bypass_rules = [
      { path: "/new", token_of: "nobody" },
      { path: "/feed", token_of: "monitor" },
    ];
    const settings = { host: room.host, total_active_users: 1, new_users_per_minute: 1, bypass_rules };
    await room.script({ settings: { bypass_rules }, admin: { as: "ok", value: { revision: 1, settings, warnings: [] } } });
    const reply = await room.fetch(`/__vestibule/admin/api/rooms/${room.name}`, {
      headers: { Authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });
    const { warnings } = (await reply.json()) as { warnings: unknown };
    expect(warnings).toEqual([{ setting: "bypass_rules", warning: expect.stringContaining("ask for the key nobody") }]);
    expect((await room.fetch("/new", { headers: { "Vestibule-Bypass-Token": "nobody" } })).status).toBe(428);
  });

  test("[BYPASS-4] [DOOR-1] a log-in within an identified room is reached by a rule, and nothing else of the room is", async () => {
    const room = rig.room();
    const identity = {
      identity_cookie: "session",
      identity_issuer: "https://a.test",
      identity_audience: "a",
      identity_jwks_url: "https://a.test/k",
    };
    const bypass_rules = [{ path: "/account/login", methods: ["GET", "POST"] }];
    await room.script({ settings: { entry: "identified", ...identity, identity_login_url: "/account/login?next=%2F", bypass_rules } });
    const door = await room.navigate("/shop", { place: await room.visitor() });
    expect([door.status, await door.text()]).toMatchObject([403, expect.stringContaining('href="/account/login?next=%2F"')]);
    expect((await room.navigate("/account/login?next=%2F")).status).toBe(200);
    expect((await room.fetch("/account/login", { method: "POST", body: "name=ada" })).status).toBe(200);
    expect((await room.navigate("/account")).status).toBe(403);
    expect(hitsOf(room)).toEqual(["GET /account/login?next=%2F", "POST /account/login"]);
  });

  test("[BYPASS-1] [GATE-19] a room that is off asks for no rule: everything goes untouched", async () => {
    const room = rig.room();
    await room.script({ manifest: { phase: "off" } });
    await room.fetch("/live", { headers: NAVIGATION });
    expect(room.hits()[0]?.header("Vestibule-Status")).toBeNull();
  });
});

describe("scripts of other origins", () => {
  const APP = "https://app.example.com";
  const OTHER = "https://app.example.com.evil.test";
  const ASKS = { "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "content-type, x-cart" };

  async function roomFor(origins: readonly string[], manifest: Partial<Manifest> = {}): Promise<RigRoom> {
    const room = rig.room();
    await room.script({ settings: { cors_origins: origins }, manifest });
    return room;
  }
  const corsOf = ({ status, headers }: Response) => ({
    status,
    origin: headers.get("Access-Control-Allow-Origin"),
    credentials: headers.get("Access-Control-Allow-Credentials"),
    vary: /\bOrigin\b/.test(headers.get("Vary") ?? ""),
  });
  const NOTHING = { origin: null, credentials: null };

  test("[CORS-1] G7 a preflight of a listed origin is answered 204 by us, on a busy and a quiet room and with a pass, and never reaches the site", async () => {
    for (const manifest of [{}, { quiet: true }]) {
      const room = await roomFor([APP], manifest);
      await room.script({ leaseUnits: 5 });
      const cookies = { pass: await room.pass() };
      for (const init of [{}, { cookies }]) {
        for (const path of ["/api/cart", `${room.api}/join`]) {
          const reply = await room.fetch(path, { ...init, method: "OPTIONS", headers: { Origin: APP, ...ASKS } });
          expect([path, corsOf(reply)]).toEqual([path, { status: 204, origin: APP, credentials: "true", vary: true }]);
          const named = (name: string) => reply.headers.get(`Access-Control-${name}`);
          expect(["Allow-Methods", "Allow-Headers", "Max-Age"].map(named)).toEqual(["PUT", "content-type, x-cart", "60"]);
          expect(reply.headers.getSetCookie()).toEqual([]);
        }
      }
      expect(room.hits()).toEqual([]);
    }
  });

  test("[CORS-1] G7 any other OPTIONS meets the gate like every method: unlisted origins, none, no question, and rooms that list nobody", async () => {
    const room = await roomFor([APP]);
    const closed = await roomFor([]);
    const asked: [RigRoom, Record<string, string>][] = [
      [room, { Origin: OTHER, ...ASKS }],
      [room, { Origin: "null", ...ASKS }],
      [room, { Origin: APP.toUpperCase(), ...ASKS }],
      [room, { Origin: `${APP}:444`, ...ASKS }],
      [room, ASKS],
      [room, { Origin: APP }],
      [closed, { Origin: APP, ...ASKS }],
    ];
    for (const [at, headers] of asked) {
      const reply = await at.fetch("/api/cart", { method: "OPTIONS", headers });
      expect([headers, reply.status]).toEqual([headers, 429]);
    }
    expect([...room.hits(), ...closed.hits()]).toEqual([]);
    const quiet = await roomFor([], { quiet: true });
    await quiet.script({ leaseUnits: 5 });
    expect((await quiet.fetch("/api/cart", { method: "OPTIONS", headers: { Origin: APP, ...ASKS } })).status).toBe(200);
    await closed.fetch("/api/cart", { method: "OPTIONS", headers: { Origin: APP, ...ASKS }, cookies: { pass: await closed.pass() } });
    expect([...quiet.hits(), ...closed.hits()].map((hit) => hit.header("Vestibule-Status"))).toEqual(["unproven", "admitted"]);
    expect((await room.fetch(`${room.api}/join`, { method: "OPTIONS", headers: { Origin: OTHER, ...ASKS } })).status).toBe(404);
  });

  test("[CORS-2] C27 our replies can be read by listed origins, with credentials and Retry-After; by no other", async () => {
    const room = await roomFor([APP]);
    const place = await room.ticket({ slot: 200 });
    const paths = ["/api/cart", `${room.api}/status`];
    for (const path of paths) {
      const reply = await room.fetch(path, { cookies: { place }, headers: { Origin: APP, "Sec-Fetch-Dest": "empty" } });
      expect([path, corsOf(reply)]).toEqual([
        path,
        { status: path === paths[0] ? 429 : 200, origin: APP, credentials: "true", vary: true },
      ]);
      expect(reply.headers.get("Access-Control-Expose-Headers")).toContain("Retry-After");
      expect(await told(reply)).toMatchObject({ state: "waiting", slot: 200 });
      for (const headers of [{ Origin: OTHER }, {}]) {
        expect(corsOf(await room.fetch(path, { cookies: { place }, headers }))).toMatchObject({ ...NOTHING, vary: true });
      }
    }
    expect(corsOf(await room.fetch(`${room.api}/manifest`, { headers: { Origin: APP } }))).toMatchObject({ origin: "*", vary: false });
    const closed = await roomFor([]);
    expect(corsOf(await closed.fetch("/api/cart", { headers: { Origin: APP } }))).toMatchObject({ ...NOTHING, vary: false });
  });

  test("[CORS-2] W4 a listed origin's script joins and leaves by cookie; another's may not", async () => {
    const room = await roomFor([APP]);
    const place = await room.visitor();
    const ask = (origin: string, site: string) =>
      room.fetch(`${room.api}/join`, {
        method: "POST",
        cookies: { place },
        headers: { Origin: origin, "Sec-Fetch-Site": site, Accept: "application/json" },
      });
    const joined = await ask(APP, "same-site");
    expect([corsOf(joined), await told(joined)]).toMatchObject([{ status: 200, origin: APP }, { state: "waiting" }]);
    expect((await ask(OTHER, "cross-site")).status).toBe(403);
    expect((await ask("null", "cross-site")).status).toBe(403);
  });

  test("[CORS-2] [P8] W4 an origin that was taken off the list acts for nobody and reads nothing after the bound, though nobody has asked since", async () => {
    const room = rig.room();
    const settings = { revoke_bound_seconds: 3 };
    await room.script({ settings: { ...settings, cors_origins: [APP] } });
    // Beyond the horizon: nobody is told of who was seen there, which would bring the news.
    const cookies = { place: await room.ticket({ slot: 900 }) };
    const headers = { Origin: APP, "Sec-Fetch-Site": "cross-site", Accept: "application/json" };
    const ask = () => room.fetch(`${room.api}/status`, { cookies, headers });
    expect(corsOf(await ask())).toMatchObject({ status: 200, origin: APP });
    await room.script({ settings: { ...settings, cors_origins: [] }, manifest: { config: 2 } });
    await new Promise((resolve) => setTimeout(resolve, 3_200));
    expect(corsOf(await room.fetch(`${room.api}/leave`, { method: "POST", cookies, headers }))).toMatchObject({ status: 403, ...NOTHING });
    expect((await room.seen()).batches.flatMap(({ leaves }) => leaves)).toEqual([]);
    await room.script({ settings: { ...settings, cors_origins: [APP] }, manifest: { config: 3 } });
    await new Promise((resolve) => setTimeout(resolve, 3_200));
    expect(corsOf(await ask())).toMatchObject({ status: 200, origin: APP });
  });

  test("[CORS-2] [APP-1] a listed origin's script without cookies begins with Idempotency-Key and joins by bearer; another's does not begin", async () => {
    const room = await roomFor([APP]);
    const join = (origin: string, own: Record<string, string>) => {
      const headers = { Origin: origin, "Sec-Fetch-Site": "cross-site", Accept: "application/json", ...own };
      return room.fetch(`${room.api}/join`, { method: "POST", headers });
    };
    expect((await join(OTHER, { "Idempotency-Key": "1" })).status).toBe(403);
    const begun = await join(APP, { "Idempotency-Key": "1" });
    const { visitor } = (await begun.json()) as { visitor?: string };
    expect(corsOf(begun)).toMatchObject({ status: 428, origin: APP });
    const joined = await join(APP, { "Idempotency-Key": "1", Authorization: `Bearer ${visitor}` });
    expect([corsOf(joined), joined.headers.getSetCookie(), await told(joined)]).toMatchObject([
      { status: 200, origin: APP },
      [],
      { state: "waiting", ticket: expect.any(String) },
    ]);
  });

  test("[CORS-3] what the site answers is its own, and a room that is off leaves the site its preflights", async () => {
    const room = await roomFor([APP]);
    const reply = await room.fetch("/api/cart", { cookies: { pass: await room.pass() }, headers: { Origin: APP } });
    expect(corsOf(reply)).toEqual({ status: 200, ...NOTHING, vary: false });
    const off = await roomFor([APP], { phase: "off" });
    const preflight = await off.fetch("/api/cart", { method: "OPTIONS", headers: { Origin: APP, ...ASKS } });
    expect([preflight.status, off.hits().length]).toEqual([200, 1]);
  });
});

describe("in shadow", () => {
  async function shadowRoom(script: Script = {}): Promise<RigRoom> {
    const room = rig.room();
    await room.script({ ...script, settings: { mode: "shadow", ...script.settings } });
    return room;
  }
  const would = (reply: Response) => reply.headers.get("Vestibule-Shadow");
  const setBy = (reply: Response) => reply.headers.getSetCookie().map((line) => line.split(".")[0]);
  /** Asks until it was known in time what would have been done; on a busy computer it may not be. */
  async function known(ask: () => Promise<Response>): Promise<Response> {
    let reply = await ask();
    for (let i = 0; i < 50 && would(reply) === "unknown"; i++) reply = await ask();
    return reply;
  }
  const ours = ["Vestibule-Status", "Vestibule-Room", "Vestibule-Session", "Vestibule-Signature", "Cookie"];
  const notesOf = async (room: RigRoom) => (await room.seen()).batches.flatMap((batch) => batch.notes ?? []);

  test("[SHADOW-1] [SHADOW-2] everybody is on the site at once, and hears in a header what the room would have done", async () => {
    const room = await shadowRoom({ claim: { as: "waiting" } });
    const first = await known(async () => room.navigate("/shop?a=1"));
    expect([first.status, would(first), setBy(first)]).toEqual([200, "would-ask-for-cookie", ["vestibule"]]);
    const second = await known(async () => room.navigate("/shop", { place: await room.visitor() }));
    expect([second.status, would(second), setBy(second)]).toEqual([200, "would-wait; state=waiting; ahead=900", ["vestibule"]]);
    const waiting = await known(async () => room.navigate("/shop", { place: await room.ticket({ slot: 200 }) }));
    expect([waiting.status, would(waiting)]).toEqual([200, "would-wait; state=waiting; ahead=100"]);
    await room.script({
      claim: { as: "entered", pass: { slot: 50, serial: 1, issuedAtS: 1, expiresAtS: 2_000_000_000, endsAtS: 2_000_000_000 } },
    });
    const called = await known(async () => room.navigate("/shop", { place: await room.ticket({ slot: 50 }) }));
    expect([called.status, would(called), setBy(called).toSorted()]).toEqual([200, "would-enter; status=admitted", ["vestibule-pass"]]);
    const inside = await known(async () => room.navigate("/shop", { pass: await room.pass() }));
    expect(would(inside)).toBe("would-enter; status=admitted");
    const hooked = await room.fetch("/hooks/pay", { method: "POST", body: "1" });
    expect([hooked.status, room.hits().at(-1)?.url]).toEqual([200, "/hooks/pay"]);
    const refused = await shadowRoom({ manifest: { joins: "full" } });
    expect(would(await known(async () => refused.navigate("/shop", { place: await refused.visitor() })))).toBe("would-refuse; state=full");
    for (const hit of [...room.hits(), ...refused.hits()])
      expect(ours.map((name) => hit.header(name))).toEqual([null, null, null, null, null]);
  });

  test("[SHADOW-1] a body arrives once and whole, by whatever method, whoever sends it", async () => {
    const room = await shadowRoom();
    const body = "x".repeat(100_000);
    // A site that answers before it has read may be told no more.
    rig.origin.handle(async (_, response, received) => {
      await received.body();
      response.end("read");
    });
    for (const method of ["POST", "PUT", "PATCH"]) expect((await room.fetch("/api", { method, body })).status).toBe(200);
    const form = { ...NAVIGATION, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded" };
    expect(
      (await room.fetch("/form", { method: "POST", body: "a=1&b=2", headers: form, cookies: { place: await room.ticket({ slot: 200 }) } }))
        .status,
    ).toBe(200);
    for (const method of ["HEAD", "OPTIONS"]) expect((await room.fetch("/api", { method })).status).toBe(200);
    const bodies = await Promise.all(room.hits().map(async (hit) => (await hit.body()).toString()));
    expect(bodies).toEqual([body, body, body, "a=1&b=2", "", ""]);
  });

  test("[SHADOW-3] P11 a Room that fails, hangs or answers nonsense, and a fault of our own, hold nobody", async () => {
    for (const fault of ["plain", "overloaded", "remote", "hang"] as const) {
      const room = await shadowRoom();
      await room.navigate("/warm");
      await room.fail(fault, fault, fault);
      const reply = await room.navigate("/shop", { place: await room.visitor() });
      expect([fault, reply.status, room.hits().at(-1)?.url]).toEqual([fault, 200, "/shop"]);
      if (fault === "hang") expect(would(reply)).toBe("unknown");
    }
    const senseless = await shadowRoom();
    await senseless.navigate("/warm");
    await senseless.script({ claim: { as: "entered" } as never });
    const reply = await senseless.navigate("/shop", { place: await senseless.ticket({ slot: 50 }) });
    expect([reply.status, would(reply)]).toEqual([200, "unknown"]);
    await expect.poll(() => rig.logs.some((line) => line.includes("shadow-failed"))).toBe(true);
  });

  test("[SHADOW-2] W6 nothing is told on replies that a shared cache could keep; pages are private, as they will be", async () => {
    const room = await shadowRoom();
    rig.origin.handle((request, response) => {
      response.setHeader("Cache-Control", "public, max-age=600");
      response.setHeader("Content-Type", request.url === "/page" ? "text/html" : "image/png");
      response.end("x");
    });
    const image = await room.fetch("/logo.png", { cookies: { place: await room.visitor() } });
    expect([would(image), setBy(image), image.headers.get("Cache-Control")]).toEqual([null, [], "public, max-age=600"]);
    const page = await known(async () => room.navigate("/page", { place: await room.visitor() }));
    expect([would(page)?.split(";")[0], page.headers.get("Cache-Control")]).toEqual(["would-wait", "private, max-age=600"]);
    rig.origin.handle((_, response) => response.end("back"));
  });

  test("[SHADOW-4] what page loads would have met is reported with the next exchange; switched back, the room holds people within the bound", async () => {
    const room = await shadowRoom();
    for (let i = 0; i < 3; i++) await room.navigate("/shop", { place: await room.visitor() });
    await room.fetch("/api", { cookies: { place: await room.visitor() } });
    await room.navigate("/shop", { pass: await room.pass() });
    await expect
      .poll(async () => {
        await room.navigate("/x", { place: await room.visitor() });
        const shadows = (await notesOf(room)).map(({ shadow }) => shadow);
        return [
          shadows.some(({ waited }) => waited > 0),
          shadows.some(({ entered }) => entered === 1),
          shadows.every(({ refused }) => refused === 0),
        ];
      })
      .toEqual([true, true, true]);
    await room.script({ settings: { mode: "active" }, manifest: { config: 2 } });
    await expect
      .poll(async () => (await told(await room.navigate("/shop", { place: await room.ticket({ slot: 200 }) })))?.state)
      .toBe("waiting");
    const restarted = rig.room();
    await restarted.script({ settings: { mode: "shadow" } });
    const reply = await restarted.navigate("/first", { place: await restarted.visitor() });
    expect([reply.status, restarted.hits().length]).toEqual([200, 1]);
  });
});

describe("in shadow and active", () => {
  test("[SHADOW-4] a room that is active again holds from the first request of an isolate on; where it was never reached the file holds", async () => {
    const dim = rig.named("dim");
    await dim.script({ settings: { mode: "active" } });
    expect(await told(await dim.navigate("/shop", { place: await dim.ticket({ slot: 200 }) }))).toMatchObject({ state: "waiting" });
    expect(dim.hits()).toEqual([]);
    const dark = rig.named("dark");
    await dark.fail("plain", "plain", "plain", "plain");
    expect((await dark.navigate("/shop")).status).toBe(200);
    expect(dark.hits()).toHaveLength(1);
  });

  test("[SHADOW-4] the Room is asked for the same by the same requests", async () => {
    const asked = async (mode: string) => {
      const room = rig.room();
      await room.script({ settings: { mode }, claim: { as: "waiting" } });
      const place = await room.visitor();
      for (const cookies of [{}, { place }, { place: await room.ticket({ slot: 50 }) }, { place: await room.ticket() }])
        await room.navigate("/shop", cookies);
      await room.navigate("/shop", { pass: await room.pass({ iat: Math.floor(Date.now() / 1_000) - 70 }) });
      await room.fetch("/api", { method: "POST", body: "1", cookies: { place } });
      const { batches } = await room.seen();
      const count = (of: "joins" | "claims" | "renewals") => batches.reduce((sum, batch) => sum + batch[of].length, 0);
      return { joins: count("joins"), claims: count("claims"), renewals: count("renewals") };
    };
    const active = await asked("active");
    expect(active).toEqual({ joins: 1, claims: 1, renewals: 1 });
    expect(await asked("shadow")).toEqual(active);
  });
});

describe("what looks like a webhook", () => {
  test("[NOTES-1] is counted by path where a body came without cookies and no browser made it; not what rules let through", async () => {
    const room = rig.room();
    for (const id of ["1", "22"]) await room.fetch(`/orders/${id}/paid?secret=1`, { method: "POST", body: "1" });
    await room.fetch("/hooks/pay", { method: "POST", body: "1" });
    await room.fetch("/browser", { method: "POST", body: "1", headers: { "Sec-Fetch-Site": "same-origin" } });
    await room.fetch("/insider", { method: "POST", body: "1", cookies: { pass: await room.pass() } });
    await room.fetch("/read");
    await room.fetch("/ask", { method: "OPTIONS" });
    await expect
      .poll(async () => {
        await room.navigate("/", { place: await room.visitor() });
        return (await room.seen()).batches.flatMap((batch) => batch.notes?.callbacks ?? []);
      })
      .toEqual([{ method: "POST", path: "/orders/*/paid", count: 2 }]);
  });
});
