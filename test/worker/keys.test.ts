/**
 * A signing key leaks while people wait, are inside and have entered a draw: the built Worker with its real Room, two isolates, one of which
 * has not heard of the new ring yet. What counts is what reaches the site, and who has which place afterwards.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { decodeToken } from "../../src/core/token";
import type { Claims } from "../../src/core/token-types";
import { importKeyRing, signToken } from "../../src/keys";
import { NAVIGATION, told } from "../support/gate-rig";
import { send } from "../support/http";
import { Visitor } from "../support/jar";
import { type Origin, startOrigin } from "../support/origin";
import { copyProject, type ProjectCopy } from "../support/project-copy";
import { startWorker, type TestWorker } from "../support/worker";

const key = (kid: string) => `${kid}:${createHash("sha256").update(`a ring of tests: ${kid}`).digest("base64url")}`;
const [k1, k2] = [key("k1"), key("k2")];
const BEFORE = `${k1},${k2}:next`;
const AFTER = `${k2},${k1}:revoked`;

let origin: Origin;
let worker: TestWorker;
let project: ProjectCopy;

// A second try needs rooms that know of no revocation, and a ring that has not been changed.
beforeEach(async () => {
  origin = await startOrigin();
  project = await copyProject();
  const room = {
    total_active_users: 1,
    new_users_per_minute: 6_000,
    session_duration: 5,
    pass_refresh_seconds: 60,
    join_limit_per_minute: 0,
  };
  const inHours = (hours: number) => `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`;
  const event = {
    name: "sale",
    prequeue_start_time: inHours(-1),
    event_start_time: inHours(1),
    event_end_time: inHours(2),
    shuffle_at_event_start: true,
  };
  worker = await startWorker({
    origin: origin.url,
    isolates: 2,
    rings: [BEFORE, BEFORE],
    rooms: {
      shop: { ...room, host: "shop.test" },
      lot: { ...room, host: "lot.test", events: [event] },
      // The command asks at the address of the Worker itself.
      other: { ...room, host: "*" },
    },
  });
});
afterEach(async () => {
  await project.remove();
  await worker.stop();
  await origin.stop();
});

/** Through isolate 0 or 1. */
const through =
  (isolate: number) =>
  (url: URL, init: Parameters<typeof send>[1] = {}) =>
    send(new URL(url.pathname + url.search, worker.urls[isolate]), { ...init, headers: { Host: url.host, ...init.headers } });
const api = (room: string) => `/__vestibule/rooms/${room}`;
const OWN = { "Sec-Fetch-Site": "same-origin", Accept: "application/json" };

function ask(
  isolate: number,
  room: string,
  path: string,
  cookies: Record<string, string>,
  init: Parameters<typeof send>[1] = {},
): Promise<Response> {
  const names = { place: `vestibule.${room}`, pass: `vestibule-pass.${room}` };
  const Cookie = Object.entries(cookies)
    .map(([kind, token]) => `${names[kind as "place" | "pass"]}=${token}`)
    .join("; ");
  return through(isolate)(new URL(`http://${room}.test${path}`), { ...init, headers: { ...NAVIGATION, Cookie, ...init.headers } });
}
const token = (visitor: Visitor, kind: "vestibule" | "vestibule-pass", room = "shop") =>
  visitor.cookies.get(`${kind}.${room}`)?.value ?? "";
const setBy = (reply: Response, name: string) =>
  reply.headers
    .getSetCookie()
    .map((line) => /^([^=]+)=([^;]*)/.exec(line))
    .find((found) => found?.[1] === name)?.[2] ?? null;

async function forged(claims: Claims): Promise<string> {
  const imported = await importKeyRing(k1);
  if (!imported.ok) throw new Error(imported.problem);
  return signToken(imported.ring, claims);
}

async function revokeKey(isolate: number, room: string, body: object): Promise<Response> {
  return through(isolate)(new URL(`http://${room}.test/__vestibule/admin/api/rooms/${room}/revoke-key`), {
    method: "POST",
    headers: { Authorization: `Bearer ${worker.adminToken}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

test("[KEYS-4] [KEYS-5] [KEYS-7] K8 a leaked key is revoked: its passes die, honest places stay, forged ones add nothing", async () => {
  const visitorOf = (room: string) => new Visitor(`http://${room}.test`, { transport: through(0) });
  const [inside, first, second, entered] = [visitorOf("shop"), visitorOf("shop"), visitorOf("shop"), visitorOf("lot")];
  await expect.poll(async () => (await (await inside.navigate("/shop")).text()).includes("origin GET")).toBe(true);
  expect(await told(await first.navigate("/shop"))).toMatchObject({ state: "waiting", slot: 1 });
  expect(await told(await second.navigate("/shop"))).toMatchObject({ state: "waiting", slot: 2 });
  expect(await told(await entered.navigate("/shop"))).toMatchObject({ state: "lobby" });
  const nowS = Math.floor(Date.now() / 1_000);
  const of = { room: "shop", generation: 1 };
  const badPass = await forged({ kind: "pass", ...of, slot: 0, serial: 1, iat: nowS, exp: nowS + 3_000, end: nowS + 3_600 });
  const badTicket = (slot: number, salt = 0) => forged({ kind: "ticket", ...of, slot, iat: nowS - 100, exp: nowS + 80_000 + salt });
  const session = origin.received.at(-1)?.header("Vestibule-Session");
  const old = {
    first: { place: token(first, "vestibule") },
    inside: { place: token(inside, "vestibule"), pass: token(inside, "vestibule-pass") },
  };
  expect(decodeToken(old.first.place)).toMatchObject({ kid: "k1", claims: { slot: 1 } });
  expect((await ask(0, "shop", "/stolen", { pass: badPass })).status).toBe(200);

  // The ring has reached one isolate; the Room knows nothing yet.
  await worker.restart(undefined, [AFTER, BEFORE]);
  const hits = origin.received.length;
  const early = await ask(0, "shop", "/shop", old.first);
  expect(early.headers.getSetCookie()).toEqual([]);
  expect(await told(early)).toMatchObject({ state: "waiting", slot: 1 });
  expect(await told(await ask(0, "shop", "/shop", old.inside))).toMatchObject({ state: "waiting", slot: 0 });
  expect((await ask(0, "shop", "/stolen", { pass: badPass })).headers.get("Location")).toContain("/check");
  expect(origin.received.length).toBe(hits);
  expect((await revokeKey(1, "shop", { kid: "k1", line: "keep" })).status).toBe(422);
  expect((await revokeKey(0, "shop", { kid: "k2", line: "keep" })).status).toBe(422);

  // Noted: within the bound the other isolate goes by it too, though its own ring says otherwise, and signs with the key to come.
  expect((await ask(1, "shop", "/stolen", { pass: badPass })).status).toBe(200);
  const noted = await revokeKey(0, "shop", { kid: "k1", line: "keep", reason: "it got out" });
  expect(await noted.json()).toMatchObject({ done: "revoke-key", changed: true, issued: 3, effective_within_seconds: 5 });
  // The other rooms, by the command of the runbook.
  writeFileSync(join(project.dir, ".dev.vars"), `VESTIBULE_KEYS="${BEFORE}"\nADMIN_TOKEN="${worker.adminToken}"\n`);
  const url = worker.url.origin;
  const command = await project.run("rotate-keys.mjs", ["--revoke", "k1", "--line", "keep", "--url", url]).finished;
  expect(command.output).toContain("Room lot: k1 revoked, keep the line; 0 places had been given out");
  expect(command.code).toBe(0);
  expect(readFileSync(join(project.dir, ".dev.vars"), "utf8")).toContain(AFTER);
  await expect
    .poll(async () => (await ask(1, "shop", "/stolen", { pass: badPass })).status, { timeout: 7_000, interval: 300 })
    .not.toBe(200);
  const refusedAt = origin.received.length;
  const stale = await ask(1, "shop", "/shop", old.first);
  expect(decodeToken(setBy(stale, "vestibule.shop") ?? "")).toMatchObject({ kid: "k2", claims: { slot: 1 } });
  expect(await told(stale)).toMatchObject({ state: "waiting", slot: 1 });
  const newcomer = await ask(1, "shop", "/shop", {});
  expect(newcomer.headers.get("Location")).toContain("/check");
  expect(decodeToken(setBy(newcomer, "vestibule.shop") ?? "")?.kid).toBe("k2");

  // Honest people: each as before, however often and from however many tabs.
  const anew = await Promise.all(Array.from({ length: 8 }, () => ask(0, "shop", "/shop", old.first)));
  for (const reply of anew) {
    expect(decodeToken(setBy(reply, "vestibule.shop") ?? "")).toMatchObject({ kid: "k2", claims: { slot: 1 } });
    expect(await told(reply)).toMatchObject({ state: "waiting", slot: 1 });
  }
  const back = await ask(0, "shop", "/back", old.inside);
  expect(await back.text()).toContain("origin GET /back");
  expect(origin.received.at(-1)?.header("Vestibule-Session")).toBe(session);
  expect(decodeToken(setBy(back, "vestibule-pass.shop") ?? "")).toMatchObject({ kid: "k2", claims: { slot: 0 } });

  // The site may know the leaked key no longer: no Worker signs requests with it.
  const pass = setBy(back, "vestibule-pass.shop") ?? "";
  expect((await ask(1, "shop", "/late", { pass })).status).toBe(200);
  expect(origin.received.at(-1)?.header("Vestibule-Signature")).toContain("kid=k2,");

  // Forged ones: nothing for a place that was shown, or never given out; one for a place whose holder comes later.
  for (const slot of [0, 1, 3, 99]) {
    const page = await ask(0, "shop", "/shop", { place: await badTicket(slot) });
    expect(page.headers.getSetCookie(), String(slot)).toEqual([]);
    expect(await told(page), String(slot)).toMatchObject({ state: "ended", reason: "place-void" });
  }
  expect(await told(await ask(0, "shop", "/shop", { place: await badTicket(2) }))).toMatchObject({ state: "waiting", slot: 2 });
  expect(await told(await ask(0, "shop", "/shop", { place: await badTicket(2, 1) }))).toMatchObject({ reason: "place-void" });
  // The honest holder of that one is told so, and offered a new place.
  expect(await told(await second.navigate("/shop"))).toMatchObject({ reason: "place-void" });
  const offered = await second.fetch(`${api("shop")}/join`, { method: "POST", headers: OWN });
  expect(await told(offered)).toMatchObject({ state: "waiting", slot: 3 });
  expect(await told(await second.navigate("/shop"))).toMatchObject({ state: "waiting", slot: 3 });
  expect(origin.received.slice(refusedAt).map(({ url }) => url)).toEqual(["/back", "/late"]);

  // An entry: made out anew as an entry with the same receipt, and a forged one past the last is none.
  const lot = { place: token(entered, "vestibule", "lot") };
  const entry = decodeToken(lot.place)?.claims;
  expect(entry).toMatchObject({ kind: "entry", entry: 0 });
  const lobby = await ask(0, "lot", "/shop", lot);
  expect(await told(lobby.clone())).toMatchObject({ state: "lobby" });
  expect(decodeToken(setBy(lobby, "vestibule.lot") ?? "")).toMatchObject({
    kid: "k2",
    claims: { entry: 0, chain: (entry as { chain: string }).chain },
  });
  for (const number of [0, 1]) {
    const place = await forged({ ...(entry as Extract<Claims, { kind: "entry" }>), entry: number, exp: nowS + 70_000 });
    expect(await told(await ask(0, "lot", "/shop", { place })), String(number)).toMatchObject({ reason: "place-void" });
  }

  // A crash in between, and the ring everywhere: the same answers.
  await worker.kill9();
  await worker.restart(undefined, [AFTER, AFTER]);
  expect(await told(await ask(1, "shop", "/shop", old.first))).toMatchObject({ state: "waiting", slot: 1 });
  expect(await told(await ask(1, "shop", "/shop", { place: await badTicket(1) }))).toMatchObject({ reason: "place-void" });
  expect(worker.logs.filter(({ message }) => /gate-failed|exchange-failed/.test(message))).toEqual([]);
});
