/** `npm run crowd -- --rehearsal-token`: where it may go, how fast, what it sends, and how it is judged. On this computer only. */
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAdminToken, readOptions } from "../../scripts/lib/crowd-options.mjs";
import { OWN_ROOM, OWN_SETTINGS } from "../../scripts/lib/crowd-own.mjs";
import { NotProven, pacer, prove, readRehearsalTarget, watchProof } from "../../scripts/lib/rehearsal.mjs";
import { root } from "../support/bundle";
import { answersOf } from "../support/fake-numbers";
import { type Origin, startOrigin } from "../support/origin";
import { startWorker, type TestWorker } from "../support/worker";

const TOKEN = "Rk7dQz0pXw3hTn5yRb1cLs8mGf2jAe6uHvP4";
const OTHER = "Zk7dQz0pXw3hTn5yRb1cLs8mGf2jAe6uHvP4";
const NONCE = "A".repeat(43);

async function crowd(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  // The certificate of the test's own listener is signed by nobody.
  const env = { ...process.env, ADMIN_TOKEN: "none", NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1", ...environment };
  const child = spawn(process.execPath, ["scripts/crowd.mjs", ...args], { cwd: root, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

/** The proof of `host` for the nonce of this address. */
function proofFor(url: string, host: string, token = TOKEN): string {
  const nonce = new URL(url, "http://any").searchParams.get("nonce") ?? "";
  return createHmac("sha256", token).update(`vestibule-rehearsal-1\n${nonce}\n${host}`).digest("base64url");
}

/** A host that proves as it is told, with a room that lets nobody in. */
async function fakeHost(prove: (url: string, own: string) => unknown): Promise<Origin> {
  const host = await startOrigin();
  const answers = answersOf("fake");
  host.handle((request, response) => {
    const url = request.url ?? "";
    const body = url.startsWith("/__vestibule/rehearsal?") ? prove(url, `127.0.0.1:${host.port}`) : answers[url];
    response.setHeader("Content-Type", body === undefined ? "text/html" : "application/json");
    response.end(body === undefined ? "<!doctype html><title>Shop</title>" : JSON.stringify(body));
  });
  return host;
}

describe("the Worker's part", () => {
  let origin: Origin;
  let willing: TestWorker;
  let unwilling: TestWorker;
  beforeAll(async () => {
    origin = await startOrigin();
    willing = await startWorker({
      rooms: { [OWN_ROOM]: OWN_SETTINGS },
      origin: origin.url,
      secrets: { REHEARSAL_TOKEN: TOKEN },
      https: true,
    });
    unwilling = await startWorker({ rooms: { [OWN_ROOM]: OWN_SETTINGS }, origin: origin.url });
  });
  afterAll(async () => {
    await willing.stop();
    await unwilling.stop();
    await origin.stop();
  });

  test("[CROWD-9] it proves for the host that was asked, and for a nonce only; without the secret there is nothing", async () => {
    const at = (worker: TestWorker, query: string) => fetch(new URL(`/__vestibule/rehearsal${query}`, worker.url));
    const reply = await at(willing, `?nonce=${NONCE}`);
    const body = (await reply.json()) as { host: string; proof: string; now: number };
    expect(body).toMatchObject({ host: willing.url.host, proof: proofFor(`/?nonce=${NONCE}`, willing.url.host) });
    expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
    for (const query of ["", "?nonce=", "?nonce=short", `?nonce=${NONCE}A`, `?nonce=${"=".repeat(43)}`])
      expect([query, (await at(willing, query)).status]).toEqual([query, 400]);
    expect((await at(unwilling, `?nonce=${NONCE}`)).status).toBe(404);
    const elsewhere = await willing.fetch(`https://Shop.Example.com/__vestibule/rehearsal?nonce=${NONCE}`);
    expect(await elsewhere.json()).toMatchObject({ proof: proofFor(`/?nonce=${NONCE}`, "shop.example.com") });
    expect(origin.received).toEqual([]);
  });

  test("[CROWD-7] a Worker without the secret, and one with another, is refused before anything else is sent", async () => {
    const without = await crowd(["--target", unwilling.url.href, "--rehearsal-token", TOKEN]);
    expect([without.code, without.output]).toEqual([
      1,
      expect.stringContaining("does not prove that it wants a rehearsal (it answered 404)"),
    ]);
    const wrong = await crowd(["--target", willing.url.href, "--rehearsal-token", OTHER]);
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining("(it answered 200)")]);
    expect(origin.received).toEqual([]);
    expect(wrong.output).not.toContain(OTHER);
  });

  test("[CROWD-8] over https, a third of it hostile: the crowd gets in, within the pace, and is judged as on this computer", async () => {
    const args = ["--target", willing.httpsUrl.href, "--rehearsal-token", TOKEN, "--visitors", "12", "--seed", "5"];
    const viewer = { ADMIN_TOKEN: willing.adminToken };
    const { code, output } = await crowd([...args, "--per-second", "40", "--hostile", "30%", "--seconds", "60"], viewer);
    expect(output).toContain("has proved that it wants a rehearsal. At most 40 requests a second, 2400 in all.");
    expect(output).toMatch(/^P1 .* kept$/m);
    expect(output).toContain("All promises kept.");
    expect(code).toBe(0);
    expect(Number(/^(\d+) entries/m.exec(output)?.[1])).toBeGreaterThanOrEqual(12);
    const [, hostile, kinds] = /^(\d+) hostile requests: (.*); answered/m.exec(output) ?? [];
    expect(Number(hostile)).toBeGreaterThan(0);
    expect(kinds).toContain("flood");
  });
});

describe("the crowd's part", () => {
  const url = ({ port }: Origin) => new URL(`http://127.0.0.1:${port}`);

  test.each<[string, (url: string, own: string) => unknown]>([
    ["another host's proof, passed on", (asked) => ({ proof: proofFor(asked, "staging.example.com"), now: 0 })],
    ["an old proof", (_, own) => ({ proof: proofFor(`/?nonce=${NONCE}`, own), now: 0 })],
    ["another token's", (asked, own) => ({ proof: proofFor(asked, own, OTHER), now: 0 })],
    ["an empty one", () => ({ proof: "" })],
    ["a number", () => ({ proof: 7 })],
    ["something else", () => ["proof"]],
    ["a page", () => undefined],
  ])("[CROWD-7] %s proves nothing, and this one question is all that was sent", async (_, answer) => {
    const host = await fakeHost(answer);
    try {
      await expect(prove({ target: url(host), token: TOKEN })).rejects.toThrow(NotProven);
      expect(host.received.map(({ method, url: asked }) => `${method} ${asked.replace(/nonce=.*/, "nonce=")}`)).toEqual([
        "GET /__vestibule/rehearsal?nonce=",
      ]);
    } finally {
      await host.stop();
    }
  });

  test("[CROWD-7] [CROWD-8] the token is in nothing that is sent, the admin token comes after the proof, and the pace is kept", async () => {
    const host = await fakeHost((asked, own) => ({ proof: proofFor(asked, own), now: Date.now() }));
    try {
      const args = ["--target", url(host).href, "--rehearsal-token", TOKEN, "--visitors", "80", "--seconds", "4"];
      const { output } = await crowd([...args, "--per-second", "2", "--hostile", "50%"], { ADMIN_TOKEN: "admin-token-of-the-test" });
      expect(output).toContain("Nobody went in");
      const sent = await Promise.all(
        host.received.map(async (one) => JSON.stringify([one.method, one.url, one.headers, (await one.body().catch(() => "")).toString()])),
      );
      expect(sent.length).toBeGreaterThan(5);
      // Of 80 visitors most would have come by then: one a second may, and it takes no more time than four seconds and a computer's slowness.
      const loads = host.received.filter((one) => one.header("Sec-Fetch-Mode") === "navigate").length;
      expect(loads).toBeGreaterThan(0);
      expect(loads).toBeLessThan(20);
      expect(sent.filter((one) => one.includes(TOKEN))).toEqual([]);
      const first = sent.findIndex((one) => one.includes("admin-token-of-the-test"));
      expect([first, sent[0]]).toEqual([1, expect.stringContaining("/__vestibule/rehearsal?nonce=")]);
    } finally {
      await host.stop();
    }
  });

  test("[CROWD-7] a host that does not prove any more ends it, one that is silent too, but not one silence", async () => {
    let answers = 0;
    const host = await fakeHost((asked, own) => ({ proof: answers++ < 2 ? proofFor(asked, own) : "", now: Date.now() }));
    const signal = new AbortController().signal;
    expect(await watchProof({ target: url(host), token: TOKEN, signal, againMs: 1 })).toContain("does not prove any more");
    expect(answers).toBe(3);
    const resting = url(host);
    await host.stop();
    const silent = watchProof({ target: resting, token: TOKEN, signal, againMs: 1 });
    expect(await silent).toContain("has stopped answering");
    const over = new AbortController();
    over.abort();
    expect(await watchProof({ target: resting, token: TOKEN, signal: over.signal })).toBeNull();
  });

  test.each([
    ["ahead", 31_000, 30_000.25],
    ["the same, as a Worker tells it, in whole milliseconds", 1_000, 0.25],
    ["behind", 0, 0],
    ["not told", undefined, 0],
  ])("[CROWD-7] the host's clock is %s: by how much it may be ahead, and never less than nothing", async (_, theirs, aheadMs) => {
    const host = await fakeHost((asked, own) => ({ proof: proofFor(asked, own), now: theirs }));
    try {
      expect(await prove({ target: url(host), token: TOKEN, clock: () => 1_000.75 })).toEqual({ aheadMs });
    } finally {
      await host.stop();
    }
  });

  test("[CROWD-8] requests are a pace apart, however many ask at once; what was not used is not saved; who waits gives up when it is over", async () => {
    let clock = 1_000;
    const waits: number[] = [];
    const world = { now: () => clock, sleep: async (ms: number) => void waits.push(ms) };
    const paced = pacer(50, world);
    const { signal } = new AbortController();
    for (let i = 0; i < 4; i++) await paced.pace(signal);
    expect([waits, paced.longestMs]).toEqual([[20, 40, 60], 60]);
    clock += 10_000;
    for (let i = 0; i < 3; i++) await paced.pace(signal);
    expect(waits.slice(3)).toEqual([20, 40]);
    const slow = pacer(0.001);
    const over = new AbortController();
    await slow.pace(over.signal);
    const waiting = slow.pace(over.signal);
    over.abort();
    await expect(waiting).rejects.toThrow("aborted");
  });

  const HOST = "https://staging.example.com";
  test.each([
    ["http://staging.example.com", '"http://staging.example.com"'],
    ["https://staging.example.com/shop", '"https://staging.example.com/shop"'],
    ["https://user@staging.example.com", '"https://user@staging.example.com"'],
    ["ftp://127.0.0.1", '"ftp://127.0.0.1"'],
    ["staging.example.com", '"staging.example.com"'],
  ])("[CROWD-7] --target %s is refused by name", (target, named) => {
    expect(() => readRehearsalTarget(target)).toThrow(named);
    expect(() => readOptions(["--target", target, "--rehearsal-token", TOKEN], {})).toThrow(named);
  });

  test.each([
    ["a host elsewhere without a token", ["--target", HOST], "must be this computer"],
    ["an empty token", ["--target", HOST, "--rehearsal-token", ""], "must be this computer"],
    ["a token without a host", ["--rehearsal-token", TOKEN], "--rehearsal-token goes with --target"],
    ["a short token", ["--target", HOST, "--rehearsal-token", "hunter2"], "--rehearsal-token must be"],
    ["a pace without a token", ["--target", "http://127.0.0.1:1", "--per-second", "5"], "--per-second goes with"],
    ["too fast a pace", ["--target", HOST, "--rehearsal-token", TOKEN, "--per-second", "501"], '"501"'],
    ["a pace of nothing", ["--target", HOST, "--rehearsal-token", TOKEN, "--per-second", "0"], '"0"'],
    ["more than a quarter of an hour", ["--target", HOST, "--rehearsal-token", TOKEN, "--seconds", "901"], '"901"'],
    ["hostile requests by number", ["--target", HOST, "--rehearsal-token", TOKEN, "--hostile", "30"], '"30"'],
    ["nothing but hostility", ["--target", HOST, "--rehearsal-token", TOKEN, "--hostile", "91%"], '"91%"'],
  ])("[CROWD-8] refuses %s by name", (_, args, named) => {
    expect(() => readOptions(args, {})).toThrow(named);
  });

  test("[CROWD-7] [CROWD-8] what was asked for is what is done; the environment's tokens are for where they belong", () => {
    const wish = readOptions(["--target", HOST, "--hostile", "30%"], { REHEARSAL_TOKEN: TOKEN });
    expect(wish).toMatchObject({ rehearsal: { token: TOKEN, perSecond: 50, hostileShare: 0.3 }, hostile: null, seconds: 120 });
    expect(readOptions(["--target", "http://127.0.0.1:1"], { REHEARSAL_TOKEN: TOKEN })).toMatchObject({ rehearsal: null });
    expect(readAdminToken(new URL(HOST), { ADMIN_TOKEN: "given" })).toBe("given");
    const dir = mkdtempSync(join(tmpdir(), "vestibule-rehearsal-"));
    writeFileSync(join(dir, ".dev.vars"), "ADMIN_TOKEN=of-this-computer\n");
    expect(readAdminToken(new URL("http://127.0.0.1:1"), {}, dir)).toBe("of-this-computer");
    expect(() => readAdminToken(new URL(HOST), {}, dir)).toThrow("set ADMIN_TOKEN in the environment");
    rmSync(dir, { recursive: true });
  });
});
