/**
 * Strict shared caches on both sides of the built Worker: between visitors and it, and between it and the site. Both keep whatever they
 * may and guess where nothing is said; nobody may get by them what was for somebody else. And the cache headers of every endpoint.
 */
import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { app } from "../../src/app";
import { assets } from "../../src/assets";
import { ADMIN_ROUTES } from "../../src/core/admin-routes";
import type { Manifest } from "../../src/core/manifest";
import type { Status } from "../../src/core/status";
import { decodeToken } from "../../src/core/token";
import { type SendInit, send } from "../support/http";
import { NAVIGATION, Visitor } from "../support/jar";
import { type Origin, startOrigin } from "../support/origin";
import { shared } from "../support/second-try";
import { type SharedCache, startSharedCache } from "../support/shared-cache";
import { startWorker, type TestWorker } from "../support/worker";

const ROOM = { total_active_users: 1, new_users_per_minute: 6_000, pass_refresh_seconds: 1, session_duration: 1, public_totals: "exact" };
const rooms = {
  pages: { ...ROOM, host: "pages.test" },
  sheets: { ...ROOM, host: "sheets.test" },
  behind: { ...ROOM, host: "behind.test" },
  reset: { ...ROOM, host: "reset.test" },
  deal: { ...ROOM, host: "deal.test", queueing_method: "random", shuffle_window_seconds: 3, beacon: "none", aws_event_id: "Sale" },
  door: { ...ROOM, host: "door.test", entry: "invited" },
};
type RoomName = keyof typeof rooms;

let site: Origin;
/** Between the Worker and the site. */
let behind: SharedCache;
let worker: TestWorker;
/** Between visitors and the Worker. */
let before: SharedCache;
shared(
  async () => {
    site = await startOrigin();
    behind = await startSharedCache(site.url);
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const vars = { AWS_TOKEN_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
    worker = await startWorker({ origin: behind.url.origin, rooms, vars });
    before = await startSharedCache(worker.url);
  },
  async () => {
    await Promise.all([before?.stop(), worker?.stop(), behind?.stop(), site?.stop()]);
  },
  60_000,
);
beforeEach(() => {
  before.forget();
  behind.forget();
});

const api = (room: RoomName) => `/__vestibule/rooms/${room}`;
const through = (url: URL, init: SendInit) =>
  send(new URL(url.pathname + url.search, before.url), { ...init, headers: { Host: url.host, ...init.headers } });
const visitorOf = (room: RoomName) => new Visitor(`http://${rooms[room].host}/`, { transport: through });
async function admin(path: string, init: SendInit = {}): Promise<unknown> {
  const headers = { Host: "reset.test", Authorization: `Bearer ${worker.adminToken}`, "Content-Type": "application/json" };
  return (await send(new URL(`/__vestibule/admin/api/rooms/${path}`, worker.url), { ...init, headers })).json();
}

/** A visitor inside, and one in line behind them. */
async function pair(room: RoomName): Promise<readonly [Visitor, Visitor]> {
  const [inside, waiting] = [visitorOf(room), visitorOf(room)];
  const enter = async () => {
    await (await inside.navigate("/in")).text();
    return inside.cookies.has(`vestibule-pass.${room}`);
  };
  await expect.poll(enter).toBe(true);
  await (await waiting.navigate("/in")).text();
  expect([...waiting.cookies.keys()]).toEqual([`vestibule.${room}`]);
  return [inside, waiting];
}

/** Names to tell replies of the site apart: whoever is served one of somebody else's requests is seen. */
let served = 0;
const GATED = "for people inside";
/** Cookies of ours that replies brought, each to whom first. */
const owners = new Map<string, Visitor>();
/** What a request brought; fails if a cookie of ours was another visitor's. */
async function get(visitor: Visitor, path: string, headers: Readonly<Record<string, string>> = NAVIGATION, method = "GET") {
  const reply = await visitor.fetch(path, { method, headers });
  const text = await reply.text();
  for (const line of reply.headers.getSetCookie().filter((each) => /^(?:__\w+-)?vestibule/.test(each) && !/Max-Age=0/i.test(each))) {
    const owner = owners.get(line) ?? visitor;
    owners.set(line, owner);
    expect(owner === visitor, `${path}: ${line}`).toBe(true);
  }
  return { status: reply.status, text, isSite: text.includes(GATED), headers: reply.headers };
}

const ETAG = '"v1"';
const TODAY = new Date().toUTCString();
const LONG_AGO = new Date(Date.now() - 30 * 86_400_000).toUTCString();
/** What sites say of a page, with what a shared cache alone does with it: keep it, or keep it and ask each time. */
const SAYS: readonly (readonly [Readonly<Record<string, string>>, "kept" | "asks" | "not"])[] = [
  [{}, "kept"],
  [{ "Last-Modified": LONG_AGO }, "kept"],
  [{ "Cache-Control": "public" }, "kept"],
  [{ "Cache-Control": "public, max-age=600" }, "kept"],
  [{ "Cache-Control": "s-maxage=600, max-age=0", ETag: ETAG }, "kept"],
  [{ "Cache-Control": "no-store", "CDN-Cache-Control": "public, max-age=600" }, "kept"],
  [{ "Cache-Control": 'private="x-none", max-age=600' }, "kept"],
  [{ Expires: new Date(Date.now() + 600_000).toUTCString() }, "kept"],
  [{ "Cache-Control": "max-age=600", Vary: "Accept-Language" }, "kept"],
  [{ "Cache-Control": "no-cache", ETag: ETAG }, "asks"],
  [{ "Cache-Control": "max-age=0, must-revalidate", "Last-Modified": LONG_AGO }, "asks"],
  [{ "Cache-Control": "private, max-age=600", ETag: ETAG }, "not"],
  [{ "Cache-Control": "no-store" }, "not"],
];

function say(headers: Readonly<Record<string, string>>): void {
  site.handle((asked, out) => {
    for (const [name, value] of Object.entries(headers)) out.setHeader(name, value);
    const [tag, date] = [asked.headers["if-none-match"], asked.headers["if-modified-since"]];
    const isSame = tag === undefined ? date !== undefined && date === headers["Last-Modified"] : tag === headers["ETag"];
    if (isSame) return out.writeHead(304).end();
    out.setHeader("Content-Type", "text/html");
    out.setHeader("Date", TODAY);
    return out.end(`<p>${GATED}, ${++served}</p>`);
  });
}

describe("a page of the site behind a busy room", () => {
  test.each(SAYS)("the caches keep what they may: %j is %s", async (headers, how) => {
    say(headers);
    const first = await (await send(new URL("/x", behind.url))).text();
    const [hits, seen] = [behind.hits, served];
    const second = await (await send(new URL("/x", behind.url))).text();
    expect([second === first, behind.hits - hits, served - seen]).toEqual(how === "not" ? [false, 0, 1] : [true, 1, 0]);
  });

  test("[P10][PROXY-9][GATE-4] W6 C46 C47 C96 goes to nobody without a pass by way of a cache, and ours hide it from nobody with one", async () => {
    const [inside, waiting] = await pair("pages");
    for (const [i, [headers]] of SAYS.entries()) {
      say(headers);
      const nobody = () => new Visitor("http://pages.test/", { transport: through, keepsCookies: false });
      for (const [order, others] of [
        ["first", [waiting, nobody()]],
        ["last", [nobody(), waiting]],
      ] as const) {
        const path = `/${order}/${i}`;
        const label = `${path} ${JSON.stringify(headers)}`;
        const look = async () => expect((await get(inside, path)).isSite, label).toBe(true);
        if (order === "first") await look();
        for (const other of others) {
          const asks = [
            {},
            { "If-None-Match": ETAG },
            { "If-Modified-Since": TODAY },
            { Range: "bytes=0-9" },
            { "Cache-Control": "only-if-cached" },
          ];
          for (const ask of asks) {
            const { status, isSite } = await get(other, path, { ...NAVIGATION, ...ask });
            expect([label, ask, [200, 303].includes(status), isSite]).toEqual([label, ask, true, false]);
          }
          expect([429, 428]).toContain((await get(other, path, { Accept: "application/json" })).status);
          expect((await get(other, path, {}, "HEAD")).status).toBe(503);
          expect((await get(other, `${path}?cb=${i}`)).isSite).toBe(false);
        }
        await look();
        // A day later as well, when what was kept has to be asked for again.
        before.pass(86_400);
        expect((await get(others[0], path)).isSite, label).toBe(false);
        await look();
      }
    }
    expect(before.kept()).toEqual([]);
  });

  test("[PROXY-9][GATE-6] W6 T4 what all may keep is left alone, and carries no cookie of ours", async () => {
    const [inside, waiting] = await pair("sheets");
    site.handle((_, out) => {
      out.setHeader("Content-Type", "text/css");
      out.setHeader("Cache-Control", "public, max-age=600");
      out.end("p { color: red }");
    });
    // Older than its refresh: the pass would be renewed with this reply, if it could be.
    const ageMs = () => Date.now() - 1_000 * (decodeToken(inside.cookies.get("vestibule-pass.sheets")?.value ?? "")?.claims.iat ?? 0);
    await expect.poll(ageMs, { timeout: 5_000 }).toBeGreaterThan(1_100);
    const sheet = await get(inside, "/style.css", { "Sec-Fetch-Dest": "style" });
    expect([sheet.status, sheet.headers.get("Cache-Control"), sheet.headers.getSetCookie()]).toEqual([200, "public, max-age=600", []]);
    expect(before.kept()).toEqual(["sheets.test /style.css"]);
    const again = await get(waiting, "/style.css", { "Sec-Fetch-Dest": "style" });
    expect([again.status, again.headers.getSetCookie()]).toEqual([200, []]);
  });

  test("[P10] W6 a cache behind the room never sees a cookie of ours, and hands none on", async () => {
    const [inside] = await pair("behind");
    say({ "Cache-Control": "public, max-age=600" });
    await get(inside, "/kept");
    site.received.length = 0;
    await get(inside, "/kept?other");
    expect(site.received.map((received) => received.header("Cookie"))).toEqual([null]);
    expect(behind.kept().some((key) => key.endsWith(" /kept"))).toBe(true);
    const reply = await send(new URL("/kept", behind.url));
    expect([reply.headers.getSetCookie(), (await reply.text()).includes(GATED)]).toEqual([[], true]);
  });
});

describe("what we say ourselves", () => {
  test("[P10][GATE-40] O10 C4 before and after a reset everybody hears of their own place, through the cache too", async () => {
    const [, waiting] = await pair("reset");
    const manifest = async () => JSON.parse((await get(waiting, `${api("reset")}/manifest`)).text) as Manifest;
    const status = async (visitor: Visitor) => JSON.parse((await get(visitor, `${api("reset")}/status`, {})).text) as Status;
    const [old, told] = [await manifest(), await status(waiting)];
    expect(told).toMatchObject({ state: "waiting", slot: expect.any(Number) });
    expect(before.kept()).toEqual([`reset.test ${api("reset")}/manifest`]);
    await admin("reset/reset", { method: "POST", body: JSON.stringify({ confirm: "reset" }) });
    // The manifest may be a second old, and no older.
    before.pass(1);
    await expect.poll(async () => (await manifest()).generation, { timeout: 10_000 }).toBe(old.generation + 1);
    await expect.poll(async () => (await status(waiting)).slot, { interval: 1_000 }).not.toBe(told.slot);
    const stranger = await status(visitorOf("reset"));
    expect([stranger.slot, stranger.reason]).toEqual([null, "cookies-needed"]);
  });

  test("[GATE-50] W6 a record is kept once it is drawn, never before, and neither is the page that checks it", async () => {
    const [, waiting] = await pair("deal").catch(async () => [null, visitorOf("deal")] as const);
    await (await waiting.navigate("/")).text();
    const record = `${api("deal")}/draws/1`;
    await expect.poll(async () => (await get(waiting, record, {})).status).toBe(200);
    const isDrawn = async () => "seed" in (JSON.parse((await get(waiting, record, {})).text) as object);
    const seen = await isDrawn();
    await expect.poll(isDrawn, { interval: 300 }).toBe(true);
    expect(seen).toBe(false);
    expect((await get(waiting, record, {})).headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect((await get(waiting, `${record}/batches`, {})).headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    const own = await get(waiting, `${record}/verify`);
    const other = await get(visitorOf("deal"), `${record}/verify`);
    expect([own.text.includes("receipt."), other.text.includes("receipt.")]).toEqual([true, false]);
    expect(before.kept().sort()).toEqual([`deal.test ${record}`, `deal.test ${record}/batches`]);
  });
});

/** The replies of an endpoint that are not `private, no-store`, by status: all others are. */
type Public = Readonly<Record<number, string>>;
const FOR_EVER = "public, max-age=31536000, immutable";
const ROUTES: Readonly<Record<string, Public>> = {
  "GET /__vestibule/health": {},
  "GET /__vestibule/check": {},
  "GET /__vestibule/rehearsal": {},
  "GET /__vestibule/rooms/:room/manifest": { 200: "public, max-age=1" },
  "GET /__vestibule/rooms/:room/status": {},
  "GET /__vestibule/rooms/:room/wait": {},
  "GET /__vestibule/rooms/:room/language": {},
  "GET /__vestibule/rooms/:room/look": {},
  "GET /__vestibule/rooms/:room/preview": {},
  "GET /__vestibule/rooms/:room/files/:name": { 200: FOR_EVER },
  "GET /__vestibule/rooms/:room/calendar.ics": {},
  "GET /__vestibule/rooms/:room/draws/:id": { 200: FOR_EVER },
  "GET /__vestibule/rooms/:room/draws/:id/batches": { 200: FOR_EVER },
  "GET /__vestibule/rooms/:room/draws/:id/verify": {},
  "GET /__vestibule/rooms/:room/door": {},
  "POST /__vestibule/rooms/:room/door": {},
  "GET /__vestibule/rooms/:room/staff": {},
  "POST /__vestibule/rooms/:room/staff": {},
  "POST /__vestibule/rooms/:room/join": {},
  "POST /__vestibule/rooms/:room/claim": {},
  "POST /__vestibule/rooms/:room/leave": {},
  "POST /__vestibule/rooms/:room/extend": {},
  "POST /__vestibule/rooms/:room/continue": {},
  "POST /__vestibule/rooms/:room/aws/assign_queue_num": {},
  "GET /__vestibule/rooms/:room/aws/queue_num": {},
  "GET /__vestibule/rooms/:room/aws/serving_num": {},
  "GET /__vestibule/rooms/:room/aws/waiting_num": {},
  "GET /__vestibule/rooms/:room/aws/queue_pos_expiry": {},
  "POST /__vestibule/rooms/:room/aws/generate_token": {},
  "GET /__vestibule/rooms/:room/aws/public_key": {},
  "GET /__vestibule/rooms/:room/aws/.well-known/jwks.json": { 200: "public, max-age=60" },
  "GET /__vestibule/assets/*": { 200: FOR_EVER },
  "GET /__vestibule/admin": {},
  "GET /__vestibule/admin/": {},
  ...Object.fromEntries(Object.keys(ADMIN_ROUTES).map((id) => [id.replace(" ", " /__vestibule/admin/api"), {}])),
};

describe("the cache headers of every endpoint", () => {
  const routes = [...new Set(app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`))];

  test("[PROXY-10] W6 C46 each endpoint that there is has its row here", () => {
    expect(routes.toSorted()).toEqual(Object.keys(ROUTES).toSorted());
  });

  test.each(routes)("[PROXY-10][P10][ADMIN-6] W6 C28 C46 %s", async (route) => {
    const [method = "", path = ""] = route.split(" ");
    const waiting = visitorOf("deal");
    await (await waiting.navigate("/")).text();
    const cookie = waiting.cookieHeader();
    const filled = (room: string) =>
      path.replace(":room", room).replace(":id", "1").replace("*", assets.wait.slice("/__vestibule/assets/".length)).replace(/:\w+/g, "x");
    const places = ["deal", "door", "none"].map(filled);
    const sent: Readonly<Record<string, string>>[] = [
      {},
      { ...NAVIGATION, Cookie: cookie, "Sec-Fetch-Site": "same-origin" },
      { Cookie: cookie, "Sec-Fetch-Site": "same-origin" },
      { Authorization: `Bearer ${worker.adminToken}`, "Content-Type": "application/json" },
      { Authorization: "Bearer x" },
    ];
    const wrong: unknown[] = [];
    const statuses = new Set<number>();
    for (const place of new Set(places)) {
      const host = place.includes("/door") && !place.includes("/deal") ? "door.test" : "deal.test";
      for (const headers of sent) {
        const [body, length] = method === "GET" ? [{}, {}] : [{ body: "{}" }, { "Content-Length": "2" }];
        const reply = await send(new URL(place, worker.url), { method, ...body, headers: { Host: host, ...length, ...headers } });
        await reply.arrayBuffer();
        statuses.add(reply.status);
        const open = ROUTES[route]?.[reply.status];
        const expected = open === undefined ? ["private, no-store", "Accept, Accept-Language, Cookie, Sec-Fetch-Dest"] : [open, null];
        const got = [reply.headers.get("Cache-Control"), reply.headers.get("Vary")];
        if (got.join() !== expected.join()) wrong.push([place, headers, reply.status, got]);
        if (open !== undefined && reply.headers.getSetCookie().length > 0) wrong.push([place, "a cookie on what all may keep"]);
      }
    }
    expect(wrong).toEqual([]);
    expect(statuses.size).toBeGreaterThan(0);
  });
});
