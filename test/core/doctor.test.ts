/** The judges of `npm run doctor`: facts in, findings out; and what it asks, with a network of our own. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { judgeConfig, judgeSecrets } from "../../scripts/lib/doctor-config.mjs";
import { whyNotKept } from "../../scripts/lib/doctor-cookies.mjs";
import type { Finding, Replies, Reply } from "../../scripts/lib/doctor-findings.mjs";
import { judgeReplies } from "../../scripts/lib/doctor-replies.mjs";
import { examine } from "../../scripts/lib/doctor-run.mjs";
import { canonicalUrl } from "../../src/core/canonical-url";
import { buildRoomTable, lookUp } from "../../src/core/room-table";
import { parseRooms } from "../../src/core/settings";
import { warningsOf } from "../../src/core/settings-warnings";
import * as env from "../../src/env";
import { importKeyRing } from "../../src/keys";

const ids = (findings: readonly Finding[]) => findings.map(({ severity, id }) => `${severity} ${id}`).toSorted();

describe("the file", () => {
  const table = (host: string, more: object = {}) => ({ host, path: "/", total_active_users: 5, new_users_per_minute: 5, ...more });
  function judged(
    rooms: Record<string, ReturnType<typeof table>>,
    routes: string[],
    config: object = { preview_urls: false },
    more: object = {},
  ) {
    const parsed = parseRooms(rooms);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const list = [...parsed.rooms].map(([room, { settings }]) => ({ room, routes: settings.routes }));
    const warnings = [...parsed.rooms].flatMap(([, room]) => warningsOf(room, 0).map(({ setting, warning }) => `${setting} ${warning}.`));
    const deployment = { ok: true, routes, rooms: list, passHosts: [], hasOrigin: false, workersDev: false, warnings, ...more };
    return judgeConfig({ config, deployment, rooms: parsed.rooms, isLocal: false });
  }

  const SHOP = { shop: table("shop.example.com") };
  const ALL = ["shop.example.com/*"];
  test("[DOCTOR-2] C60 a file that is all right leaves what nobody can see from here", () => {
    expect(ids(judged(SHOP, ALL))).toEqual(["note failure-mode"]);
  });

  test.each<[string, Record<string, ReturnType<typeof table>>, string[], object, object, string]>([
    ["no route", SHOP, [], {}, {}, "problem routes"],
    ["no route, workers_dev not said", SHOP, [], {}, {}, "warning workers-dev"],
    [
      "the bare path",
      { shop: table("shop.example.com", { path: "/x" }) },
      ["shop.example.com/x/*", "shop.example.com/__vestibule/*"],
      {},
      {},
      "problem routes",
    ],
    [
      "some paths",
      { shop: table("shop.example.com", { path: "/x" }) },
      ["shop.example.com/x*", "shop.example.com/__vestibule/*"],
      {},
      {},
      "warning routes-in-part",
    ],
    ["workers_dev", SHOP, ALL, {}, { workersDev: true }, "problem routes"],
    ["www without the bare host", { shop: table("www.example.com") }, ["www.example.com/*"], {}, {}, "warning sibling-host"],
    ["the bare host without www", { shop: table("example.com") }, ["example.com/*"], {}, {}, "warning sibling-host"],
    ["previews", SHOP, ALL, { preview_urls: true }, {}, "warning preview-urls"],
    [
      "previews before a catch-all room and a site",
      { ...SHOP, demo: table("*") },
      ALL,
      { preview_urls: true },
      { hasOrigin: true },
      "problem preview-urls",
    ],
    ["previews not said", SHOP, ALL, { preview_urls: undefined }, {}, "note preview-urls"],
    ["a room that is off", { shop: table("shop.example.com", { suspended: true }) }, ALL, {}, {}, "warning room-off"],
    ["a room that fails open", { shop: table("shop.example.com", { failure_policy: "open" }) }, ALL, {}, {}, "note fails-open"],
    [
      "frames without Partitioned",
      { shop: table("shop.example.com", { frame_ancestors: ["https://a.example"] }) },
      ALL,
      {},
      {},
      "warning frames",
    ],
    ["shadow", { shop: table("shop.example.com", { mode: "shadow" }) }, ALL, {}, {}, "warning settings"],
    ["a rule that opens all", { shop: table("shop.example.com", { bypass_rules: [{ path: "/" }] }) }, ALL, {}, {}, "warning settings"],
  ])("[DOCTOR-2] %s", (_, rooms, routes, config, more, expected) => {
    expect(ids(judged(rooms, routes, { preview_urls: false, ...config }, more))).toContain(expected);
  });

  test("[DOCTOR-2] www with a room, a route or in PASS_HOSTS is no hole", () => {
    const both = { shop: table("example.com", { additional_routes: [{ host: "www.example.com", path: "/" }] }) };
    expect(ids(judged(both, ["example.com/*", "www.example.com/*"]))).toEqual(["note failure-mode"]);
    const passed = judged(
      { shop: table("example.com") },
      ["example.com/*", "www.example.com/*"],
      { preview_urls: false },
      { passHosts: ["www.example.com"] },
    );
    expect(ids(passed)).toEqual(["note failure-mode"]);
  });

  test("[DOCTOR-2] settings that are refused, and secrets", () => {
    const refused = judgeConfig({ config: {}, deployment: { ok: false, problems: ["a", "b"] }, rooms: new Map(), isLocal: false });
    expect(ids(refused)).toEqual(["problem settings-refused", "problem settings-refused"]);
    const needed = ["VESTIBULE_KEYS", "ADMIN_TOKEN", "BYPASS_KEYS"];
    expect(ids(judgeSecrets({ where: null, problems: [{ setting: "X", problem: "is not set" }], listed: null, needed }))).toEqual([
      "note secrets-unseen",
    ]);
    expect(ids(judgeSecrets({ where: "f", problems: [{ setting: "X", problem: "is not set" }], listed: null, needed }))).toEqual([
      "problem secret",
    ]);
    const missing = judgeSecrets({ where: null, problems: [], listed: ["ADMIN_TOKEN", "VESTIBULE_KEYS"], needed });
    expect(missing.map(({ what }) => what)).toEqual(["The deployment has no secret BYPASS_KEYS."]);
    const rehearses = { where: "f", problems: [], needed, kept: [] as string[], listed: null as string[] | null };
    expect(judgeSecrets(rehearses)).toEqual([]);
    expect(ids(judgeSecrets({ ...rehearses, kept: ["REHEARSAL_TOKEN"] }))).toEqual(["warning rehearsals"]);
    expect(ids(judgeSecrets({ ...rehearses, listed: [...needed, "REHEARSAL_TOKEN"] }))).toEqual(["warning rehearsals"]);
  });
});

describe("cookies", () => {
  const HTTPS = "https://shop.example.com/x";
  test.each([
    ["__Host-vestibule.shop=x; Path=/; HttpOnly; Secure; SameSite=Lax", HTTPS, null],
    ["__Host-vestibule.shop=x; Path=/; HttpOnly; SameSite=Lax", HTTPS, "is not Secure"],
    ["__Host-vestibule.shop=x; Path=/; Secure; Domain=shop.example.com", HTTPS, "no Domain"],
    ["__Host-vestibule.shop=x; Path=/x; Secure", HTTPS, "Path=/"],
    ["__Secure-vestibule.shop=x; Path=/; Secure; Domain=example.com", HTTPS, null],
    ["__Secure-vestibule.shop=x; Path=/; Secure; Domain=other.example", HTTPS, "is no part of"],
    ["__Secure-vestibule.shop=x; Path=/; Secure; Domain=hop.example.com", HTTPS, "is no part of"],
    ["vestibule.shop=x; Path=/; Secure", "http://shop.example.com/", "this is http"],
    ["vestibule.shop=x; Path=/; Secure", "http://127.0.0.1:8787/", null],
    ["vestibule.shop=x; Path=/", "http://shop.example.com/", null],
    ["__Host-vestibule.shop=x; Path=/; Secure; SameSite=None; Partitioned", HTTPS, null],
    ["vestibule.shop=x; Path=/; SameSite=None", HTTPS, "SameSite=None"],
    ["vestibule.shop=x; Path=/; Partitioned", HTTPS, "Partitioned"],
    [`vestibule.shop=${"x".repeat(4_083)}; Path=/`, HTTPS, "longer than"],
    [`vestibule.shop=${"x".repeat(4_082)}; Path=/`, HTTPS, null],
  ])("[DOCTOR-4] %s at %s", (line, url, words) => {
    const why = whyNotKept(line, url);
    if (words === null) expect(why).toBeNull();
    else expect(why).toContain(words);
  });
});

describe("an address", () => {
  const NOW = 1_800_000_000_000;
  const HOST = "https://shop.example.com";
  const OWN: [string, string][] = [
    ["cache-control", "private, no-store"],
    ["cf-ray", "x"],
  ];
  const CSP: [string, string] = ["content-security-policy", "default-src 'none'; script-src 'nonce-abc'; base-uri 'none'"];
  const token = `${Buffer.from(JSON.stringify({ alg: "HS256", kid: "k1", typ: "vst+visitor" })).toString("base64url")}.e30.x`;
  const SET: [string, string] = ["set-cookie", `__Host-vestibule.shop=${token}; Max-Age=86400; Path=/; HttpOnly; Secure; SameSite=Lax`];
  const reply = (path: string, status: number, body: unknown, headers: readonly (readonly [string, string])[] = OWN) => ({
    url: `${HOST}${path}`,
    status,
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
    atMs: NOW,
  });
  const health = (headers = [...OWN, ["date", new Date(NOW).toUTCString()] as [string, string]]) =>
    reply("/__vestibule/health", 200, { status: "ok" }, headers);
  const status = (now = NOW) => reply("/__vestibule/rooms/shop/status", 200, { state: "unknown", now, pollAfterMs: 3_000 });
  const HTML = '<!doctype html><html lang="en"><script nonce="abc"></script>';
  const good: Replies = {
    health: [health(), health()],
    page: reply("/", 200, "<h1>Shop</h1>", [SET, ["cf-ray", "x"]]),
    blank: reply("/__vestibule/check?to=x", 200, HTML, [...OWN, CSP, SET, ["content-type", "text/html"]]),
    check: reply("/__vestibule/check?to=x", 303, "", [...OWN, ["location", `${HOST}/`]]),
    status: [status(), status()],
    manifest: reply("/__vestibule/rooms/shop/manifest", 200, { admittedEpoch: 0, at: NOW - 1_500 }, [
      ["cache-control", "public, max-age=1"],
    ]),
    plain: { ...reply("/__vestibule/health", 301, "", [["location", `${HOST}/`]]), url: "http://shop.example.com/__vestibule/health" },
    admin: reply("/__vestibule/admin/api/rooms/shop", 200, {
      settings: { total_active_users: 5 },
      overrides: {},
      switches: {},
      warnings: [],
    }),
  };
  const judge = (replies: Replies, more: object = {}) =>
    judgeReplies({
      url: `${HOST}/`,
      room: { name: "shop", isSure: true },
      replies,
      ring: { signingKid: "k1", kids: ["k1", "k0"], where: "f" },
      fileSettings: { total_active_users: 5 },
      namedHosts: ["shop.example.com"],
      ...more,
    });
  const withHeaders = (name: "blank" | "page" | "manifest", headers: [string, string][]) => ({
    ...(good[name] as Extract<Reply, { status: number }>),
    headers,
  });
  const problemBody = (code: string) => reply("/__vestibule/health", 503, { code }, [...OWN, ["content-type", "application/problem+json"]]);
  const html = (body: string) => reply("/__vestibule/check?to=x", 200, body, [...OWN, CSP, SET, ["content-type", "text/html"]]);
  const cached = (...headers: [string, string][]) => [health([...OWN, ...headers]), health()];
  const admin = (body: object) => reply("/__vestibule/admin/api/rooms/shop", 200, { settings: {}, ...body });
  const site = reply("/__vestibule/health", 404, "<h1>Not found</h1>", [["content-type", "text/html"]]);

  test("[DOCTOR-4] one that is all right has no finding", () => {
    expect(judge(good)).toEqual([]);
  });

  test.each<[string, Replies, object, string[]]>([
    ["nothing answers", { health: [{ url: `${HOST}/__vestibule/health`, failed: "ECONNREFUSED" }] }, {}, ["problem not-reached"]],
    ["the site answers", { health: [site, site] }, {}, ["problem not-ours"]],
    ["the site redirects", { health: [reply("/__vestibule/health", 302, "", [["location", "/login"]])] }, {}, ["problem not-ours"]],
    ["to https", { health: [reply("/__vestibule/health", 301, "", [["location", "http://shop.example.com/x"]])] }, {}, ["note redirected"]],
    ["the site answers the second time", { ...good, health: [health(), site] }, {}, ["problem flickers"]],
    [
      "the Worker refuses its settings",
      { health: [problemBody("misconfigured"), problemBody("misconfigured")] },
      {},
      ["problem misconfigured"],
    ],
    ["the Worker knows no such host", { health: [problemBody("unknown-host"), problemBody("unknown-host")] }, {}, ["problem unknown-host"]],
    [
      "the day's requests are used up",
      { health: [reply("/__vestibule/health", 429, "error code: 1027", [])] },
      {},
      ["problem daily-limit"],
    ],
    [
      "a limit before us",
      { ...good, status: [reply("/__vestibule/rooms/shop/status", 429, "slow", []), status()] },
      {},
      ["problem rate-limited"],
    ],
    ["our own limit", { ...good, status: [{ ...problemBody("too-often"), status: 429 }, status()] }, {}, []],
    ["the Room is unreachable", { ...good, manifest: problemBody("room-unreachable") }, {}, ["problem room-unreachable"]],
    ["another file's rooms", { ...good, manifest: { ...problemBody("not-found"), status: 404 } }, {}, ["problem room-unknown"]],
    ["a waiting page with 429", { ...good, page: reply("/", 429, HTML, [...OWN, CSP]) }, {}, []],
    ["a site that answers 429", { ...good, page: reply("/", 429, "slow", [SET]) }, {}, []],
    [
      "a challenge",
      { ...good, status: [reply("/__vestibule/rooms/shop/status", 403, "", [["cf-mitigated", "challenge"]]), status()] },
      {},
      ["problem challenged"],
    ],
    [
      "to a host without a room",
      { health: [reply("/__vestibule/health", 301, "", [["location", "https://www.example.com/"]])] },
      {},
      ["problem redirected"],
    ],
    [
      "to a host with a room",
      { health: [reply("/__vestibule/health", 301, "", [["location", "https://www.example.com/"]])] },
      { namedHosts: ["www.example.com"] },
      ["note redirected"],
    ],
    [
      "the page to www",
      { ...good, page: reply("/", 301, "", [SET, ["location", "https://www.shop.example.com/"]]) },
      {},
      ["problem redirected"],
    ],
    ["the page to a log-in", { ...good, page: reply("/", 302, "", [SET, ["location", "https://login.example/"]]) }, {}, []],
    ["Age", { ...good, health: cached(["age", "1"]) }, {}, ["problem cached"]],
    ["CF-Cache-Status", { ...good, health: cached(["cf-cache-status", "HIT"]) }, {}, ["problem cached"]],
    ["CF-Cache-Status that is no hit", { ...good, health: cached(["cf-cache-status", "DYNAMIC"]) }, {}, []],
    ["Server-Timing", { ...good, health: cached(["server-timing", 'cfCacheStatus;desc="HIT"']) }, {}, ["problem cached"]],
    ["X-Cache", { ...good, health: cached(["x-cache", "Hit from somewhere"]) }, {}, ["problem cached"]],
    ["an old manifest", { ...good, manifest: withHeaders("manifest", [["age", "6"]]) }, {}, ["problem cached"]],
    [
      "a manifest as old as it may be",
      {
        ...good,
        manifest: withHeaders("manifest", [
          ["age", "5"],
          ["cf-cache-status", "HIT"],
        ]),
      },
      {},
      [],
    ],
    [
      "Cache-Control rewritten",
      {
        ...good,
        health: [
          health([
            ["cache-control", "max-age=60"],
            ["cf-ray", "x"],
          ]),
          health(),
        ],
      },
      {},
      ["problem cache-control"],
    ],
    [
      "Cache-Control half kept",
      {
        ...good,
        health: [
          health([
            ["cache-control", "no-store"],
            ["cf-ray", "x"],
          ]),
          health(),
        ],
      },
      {},
      ["problem cache-control"],
    ],
    ["a page without a sign", { ...good, page: withHeaders("page", []) }, {}, ["problem page-passes"]],
    [
      "the same with bypass rules",
      { ...good, page: withHeaders("page", []) },
      { room: { name: "shop", isSure: false } },
      ["warning page-passes"],
    ],
    ["the same, public", { ...good, page: withHeaders("page", [["cache-control", "public, max-age=60"]]) }, {}, ["warning page-passes"]],
    [
      "the way to the cookie check is a sign",
      { ...good, page: reply("/", 303, "", [["location", `${HOST}/__vestibule/check?to=x`]]) },
      {},
      [],
    ],
    ["no room for it", { ...good, page: withHeaders("page", []) }, { room: null }, ["note no-room"]],
    ["another room", good, { room: { name: "gala", isSure: true } }, ["problem other-room"]],
    [
      "Set-Cookie taken out",
      { ...good, blank: withHeaders("blank", [...OWN, CSP]), page: withHeaders("page", []) },
      {},
      ["problem cookies-stripped"],
    ],
    ["Cookie taken out", { ...good, check: html(HTML) }, {}, ["problem cookies-lost"]],
    [
      "a cookie that no browser keeps",
      { ...good, page: withHeaders("page", [["set-cookie", `${SET[1]}; Domain=example.com`]]) },
      {},
      ["problem cookie-refused"],
    ],
    [
      "a policy taken out",
      {
        ...good,
        blank: reply("/__vestibule/check?to=x", 200, `${HTML}<script type="module" src="/__vestibule/assets/wait.js">`, [
          ...OWN,
          SET,
          ["content-type", "text/html"],
        ]),
      },
      {},
      ["problem policy-stripped"],
    ],
    ["a script put in", { ...good, blank: html(`${HTML}<script src="//x">`) }, {}, ["problem html-injected"]],
    ["data of ours", { ...good, blank: html(`${HTML}<script type="application/json">{}`) }, {}, []],
    ["addresses hidden", { ...good, blank: html(`${HTML}<a href="/cdn-cgi/l/email-protection">`) }, {}, ["problem html-injected"]],
    ["minified", { ...good, blank: html("<!doctype html><html lang=en>") }, {}, ["warning html-rewritten"]],
    ["another spelling goes past", { ...good, spellings: [reply("/Checkout", 200, "<h1>Shop</h1>", [])] }, {}, ["problem spelling-passes"]],
    ["another spelling is unknown to the site", { ...good, spellings: [reply("/Checkout", 404, "", [])] }, {}, []],
    ["another spelling is gated", { ...good, spellings: [reply("/Checkout", 200, "", [SET])] }, {}, []],
    ["http answers", { ...good, plain: { ...health(), url: "http://shop.example.com/__vestibule/health" } }, {}, ["warning http-open"]],
    [
      "this computer is slow",
      { ...good, health: [health([...OWN, ["date", new Date(NOW + 40_000).toUTCString()]]), health()], status: [status(NOW + 40_000)] },
      {},
      ["warning clock"],
    ],
    ["within what tokens stand", { ...good, status: [status(NOW + 30_000)] }, {}, []],
    ["clocks that differ", { ...good, status: [status(NOW - 90_000)] }, {}, ["problem clock-differs"]],
    [
      "a Room behind",
      { ...good, manifest: reply("/__vestibule/rooms/shop/manifest", 200, { admittedEpoch: 0, at: NOW - 31_000 }, []) },
      {},
      ["problem manifest-old"],
    ],
    ["a key that the file has not", good, { ring: { signingKid: "k2", kids: ["k2"], where: "f" } }, ["problem key-unknown"]],
    ["a key that no longer signs", good, { ring: { signingKid: "k2", kids: ["k2", "k1"], where: "f" } }, ["warning key-behind"]],
    ["no file", good, { ring: null }, []],
    ["the token is refused", { ...good, admin: reply("/__vestibule/admin/api/rooms/shop", 401, {}) }, {}, ["problem admin"]],
    [
      "live values",
      { ...good, admin: admin({ settings: { total_active_users: 9 }, overrides: { total_active_users: 9 } }) },
      {},
      ["warning live-differs"],
    ],
    ["another file is deployed", { ...good, admin: admin({ settings: { total_active_users: 9 } }) }, {}, ["problem file-not-deployed"]],
    ["a switch", { ...good, admin: admin({ switches: { joins_stopped: true, ended: false } }) }, {}, ["warning switched"]],
    ["what the room warns of", { ...good, admin: admin({ warnings: [{ setting: "x", warning: "is y" }] }) }, {}, ["warning live-settings"]],
    ["no Cloudflare", { health: [health([["cache-control", "private, no-store"]])] }, {}, ["note no-cf-ray"]],
  ])("[DOCTOR-4] %s", (_, replies, more, expected) => {
    expect(ids(judge(replies, more))).toEqual(expected);
  });

  test("[DOCTOR-4] two keys at once", () => {
    const k0 = `${Buffer.from(JSON.stringify({ kid: "k0" })).toString("base64url")}.e30.x`;
    const blank = withHeaders("blank", [...OWN, CSP, ["content-type", "text/html"], [SET[0], SET[1].replace(token, k0)]]);
    expect(ids(judge({ ...good, blank }))).toEqual(["warning key-behind", "warning keys-mixed"]);
  });

  test("[DOCTOR-1] each finding says what, why and what to do, once", () => {
    const site429 = reply("/__vestibule/health", 429, "x", []);
    const findings = judge({ health: [site429, site429] });
    expect(findings).toHaveLength(1);
    for (const { what, why, fix } of findings) expect([what, why, fix].every((text) => text.length > 10)).toBe(true);
  });
});

test("[DOCTOR-2] rehearsals of a deployment are warned of, those of this computer are not", async () => {
  const root = mkdtempSync(join(tmpdir(), "vestibule-doctor-"));
  const readers = { ...env, parseRooms, warningsOf, importKeyRing, canonicalUrl, buildRoomTable, lookUp };
  const world = { root, readers, fetch, now: () => 0, listSecrets: async () => [] };
  writeFileSync(join(root, "wrangler.toml"), 'name = "v"\nmain = "x.ts"\n');
  for (const file of [".dev.vars", "production.secrets"])
    writeFileSync(join(root, file), "REHEARSAL_TOKEN=Vd7kQz0pXw3hTn5yRb1cLs8mGf2jAe6u\n");
  const warned = async (secretsFile: string | null) =>
    (await examine({ url: null, secretsFile }, world)).filter(({ id }) => id === "rehearsals").length;
  expect([await warned(null), await warned(join(root, "production.secrets"))]).toEqual([0, 1]);
  rmSync(root, { recursive: true, force: true });
});

describe("what it asks", () => {
  let root: string;
  let asked: { url: string; headers: Record<string, string> }[];
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "vestibule-doctor-"));
    asked = [];
    const room = 'host = "shop.example.com"\npath = "/checkout"\ntotal_active_users = 5\nnew_users_per_minute = 5\n';
    writeFileSync(join(root, "wrangler.toml"), `name = "v"\nmain = "x.ts"\nroutes = ["shop.example.com/*"]\n[vars.ROOMS.shop]\n${room}`);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const readers = { ...env, parseRooms, warningsOf, importKeyRing, canonicalUrl, buildRoomTable, lookUp };
  const SECRET = "Zk3vQ9xW7pLm2RtY5uHs8DfGj4NbVc1K";
  function ask(url: string) {
    const fetch = async (to: string, { headers }: { headers: Record<string, string> }) => {
      asked.push({ url: to, headers });
      return new Response("{}", { headers: { "Set-Cookie": "__Host-vestibule.shop=e30.e30.x; Path=/; Secure" } });
    };
    return examine({ url, adminToken: SECRET }, { root, readers, fetch, now: () => 0, listSecrets: async () => [] });
  }

  test("[DOCTOR-3] at most 12 requests, to the one host, and it never comes back to the page with a cookie", async () => {
    await ask("https://shop.example.com/checkout");
    expect(asked.length).toBe(12);
    expect(new Set(asked.map(({ url }) => new URL(url).hostname))).toEqual(new Set(["shop.example.com"]));
    const withCookie = asked.filter(({ headers }) => headers["Cookie"] !== undefined).map(({ url }) => new URL(url).pathname);
    expect(withCookie.every((path) => path.startsWith("/__vestibule/"))).toBe(true);
    expect(readdirSync(root)).toEqual(["wrangler.toml"]);
  });

  test("[DOCTOR-3] the admin token goes to https and to this computer only, and no finding shows it", async () => {
    const carries = () => asked.filter(({ headers }) => JSON.stringify(headers).includes(SECRET)).map(({ url }) => url);
    expect(JSON.stringify(await ask("http://shop.example.com/checkout"))).not.toContain(SECRET);
    expect(carries()).toEqual([]);
    expect(JSON.stringify(await ask("https://shop.example.com/checkout"))).not.toContain(SECRET);
    expect(carries()).toEqual(["https://shop.example.com/__vestibule/admin/api/rooms/shop"]);
  });
});
