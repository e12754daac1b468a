/** `npm run doctor` against the built Worker: as it is, and behind a proxy with one fault at a time. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withRoutes } from "../../scripts/lib/deploy-toml.mjs";
import { examine } from "../../scripts/lib/doctor-run.mjs";
import { canonicalUrl } from "../../src/core/canonical-url";
import { buildRoomTable, lookUp } from "../../src/core/room-table";
import { parseRooms } from "../../src/core/settings";
import { warningsOf } from "../../src/core/settings-warnings";
import * as env from "../../src/env";
import { importKeyRing } from "../../src/keys";
import { type BadProxy, type Fault, startBadProxy } from "../support/bad-proxy";
import { root } from "../support/bundle";
import { send } from "../support/http";
import { type Origin, startOrigin } from "../support/origin";
import { shared } from "../support/second-try";
import { startWorker, TEST_ADMIN_TOKEN, TEST_KEYS, type TestWorker } from "../support/worker";

const URL_ASKED = "https://shop.test/checkout";
const OTHER_KEY = "t2:q7J1y0mB8sWkXc3RfVhN5pLdZ2tGuE9aT6oKiHxSvQY";
const readers = { ...env, parseRooms, warningsOf, importKeyRing, canonicalUrl, buildRoomTable, lookUp };
const NUMBERS = { total_active_users: 5, new_users_per_minute: 60 };
const room = { host: "shop.test", path: "/checkout", ...NUMBERS };
/** Rooms that answer a page load in their own ways, none of them a fault. */
const others = {
  quick: { ...NUMBERS, new_users_per_minute: 6_000 },
  busy: { total_active_users: 5, new_users_per_minute: 0, queueing_status_code: 429 },
  door: { ...NUMBERS, entry: "invited" },
  off: { ...NUMBERS, suspended: true },
  shadow: { ...NUMBERS, mode: "shadow" },
  wide: { ...NUMBERS, cookie_domain: "test.example" },
  frame: { ...NUMBERS, partitioned_cookies: true },
};
const hostOf = (name: string) => (name === "wide" ? "wide.test.example" : `${name}.test`);
const rooms = {
  shop: room,
  ...Object.fromEntries(Object.entries(others).map(([name, settings]) => [name, { ...settings, host: hostOf(name) }])),
};

let site: Origin;
let worker: TestWorker;
let proxy: BadProxy;
let dir: string;
shared(
  async () => {
    site = await startOrigin();
    worker = await startWorker({ origin: site.url, rooms });
    proxy = await startBadProxy(worker.fetch);
    dir = mkdtempSync(join(tmpdir(), "vestibule-doctor-"));
    const [head = ""] = readFileSync(join(root, "wrangler.toml"), "utf8").split("# The room that `npm start` runs");
    const tables = Object.entries(rooms).map(([name, settings]) => {
      const lines = Object.entries(settings).map(([setting, value]) => `${setting} = ${JSON.stringify(value)}`);
      return `[vars.ROOMS.${name}]\n${lines.join("\n")}\n`;
    });
    const whole = Object.keys(others).map((name) => `${hostOf(name)}/*`);
    const siblings = ["shop", ...Object.keys(others)].map((name) => `www.${hostOf(name)}`);
    const passHosts = head.replace('# PASS_HOSTS = ["static.example.com"]', `PASS_HOSTS = ${JSON.stringify(siblings)}`);
    const routes = ["shop.test/checkout*", "shop.test/__vestibule/*", ...whole];
    writeFileSync(join(dir, "wrangler.toml"), `${withRoutes(passHosts, routes)}\n${tables.join("\n")}`);
    writeFileSync(join(dir, "secrets.env"), `VESTIBULE_KEYS="${TEST_KEYS}"\nADMIN_TOKEN="${TEST_ADMIN_TOKEN}"\n`);
    writeFileSync(join(dir, "other.env"), `VESTIBULE_KEYS="${OTHER_KEY}"\nADMIN_TOKEN="${TEST_ADMIN_TOKEN}"\n`);
  },
  async () => {
    await Promise.all([proxy?.stop(), worker?.stop(), site?.stop()]);
    if (dir) rmSync(dir, { recursive: true, force: true });
  },
  60_000,
);

/** Asks as the command does; the zone's DNS is played by the proxy. */
async function found(fault: Fault, more: { secretsFile?: string; aheadMs?: number; url?: string } = {}) {
  proxy.fault = fault;
  const fetch = (url: string, { headers }: { headers: Record<string, string> }) => {
    const { protocol, host, pathname, search } = new URL(url);
    if (protocol === "http:") return Promise.resolve(new Response(null, { status: 301, headers: { Location: `https://${host}/` } }));
    return send(new URL(pathname + search, proxy.url), { headers: { ...headers, Host: host } });
  };
  const { secretsFile, aheadMs = 0, url = URL_ASKED } = more;
  const world = { root: dir, readers, fetch, now: () => Date.now() + aheadMs, listSecrets: async () => [] };
  const findings = await examine({ url, ...(secretsFile ? { secretsFile: join(dir, secretsFile) } : {}) }, world);
  // What the file says of the rooms that are off is the other test's.
  return findings.filter(({ severity, id }) => severity !== "note" && id !== "room-off" && id !== "settings");
}
const ids = (findings: readonly { severity: string; id: string }[]) => [
  ...new Set(findings.map(({ severity, id }) => `${severity} ${id}`)),
];
/** Said of every run here: the routes of the file name paths. */
const ALWAYS = "warning routes-in-part";

test("[DOCTOR-3] [DOCTOR-4] a Worker that is all right gets no problem, and no place is taken", async () => {
  expect(ids(await found("none", { secretsFile: "secrets.env" }))).toEqual([ALWAYS]);
  expect(proxy.asked.length).toBeLessThanOrEqual(12);
  const stats = await worker.fetch("https://shop.test/__vestibule/admin/api/rooms/shop/stats", {
    headers: { Authorization: `Bearer ${worker.adminToken}` },
  });
  expect(await stats.json()).toMatchObject({ issued: 0, waiting: 0, inside: 0 });
});

test.each(Object.keys(others))("[DOCTOR-4] a room that is %s gets no problem", async (name) => {
  const problems = (await found("none", { secretsFile: "secrets.env", url: `https://${hostOf(name)}/` })).filter(
    ({ severity }) => severity === "problem",
  );
  expect(problems).toEqual([]);
});

test.each<[Fault, readonly string[]]>([
  ["caches-everything", ["problem cached"]],
  ["rewrites-cache-control", ["problem cache-control"]],
  ["strips-set-cookie", ["problem cookies-stripped"]],
  ["strips-cookie", ["problem cookies-lost"]],
  ["adds-domain", ["problem cookie-refused"]],
  ["redirects-to-www", ["problem redirected"]],
  ["date-behind", ["problem clock-differs"]],
  ["limits-rate", ["problem rate-limited"]],
  ["challenges", ["problem challenged"]],
  ["injects-script", ["problem html-injected"]],
  ["strips-policy", ["problem policy-stripped"]],
  ["passes-by", ["problem not-ours"]],
  ["passes-by-every-second", ["problem flickers", "problem page-passes"]],
  ["passes-by-other-case", ["problem spelling-passes"]],
])("[DOCTOR-4] behind a proxy that %s it says so", async (fault, expected) => {
  const all = ids(await found(fault));
  expect(all).toEqual(expect.arrayContaining([...expected]));
  // What it says besides is nothing worse than what follows from the fault.
  expect(all.filter((id) => id.startsWith("problem") && !expected.includes(id))).toEqual([]);
});

test("[DOCTOR-4] a clock that is off, a ring that is not the deployed one, and live values are told", async () => {
  expect(ids(await found("none", { aheadMs: 120_000 }))).toEqual([ALWAYS, "warning clock"]);
  expect(ids(await found("none", { secretsFile: "other.env" }))).toEqual(["problem key-unknown", ALWAYS]);
  const headers = { Authorization: `Bearer ${worker.adminToken}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ total_active_users: 7 });
  const length = { "Content-Length": String(body.length) };
  await worker.fetch("https://shop.test/__vestibule/admin/api/rooms/shop", { method: "PATCH", headers: { ...headers, ...length }, body });
  const findings = await found("none", { secretsFile: "secrets.env" });
  expect(findings.find(({ id }) => id === "live-differs")?.what).toBe("total_active_users is 7 live and 5 in wrangler.toml.");
});
