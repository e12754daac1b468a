/**
 * docs/integrate.md: its samples are taken from the page and tried on what the built Worker forwarded and signed, and on what it did not.
 * A language that this machine lacks is skipped, and said to be.
 */
import { createHmac, hkdfSync } from "node:crypto";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Claims } from "../../src/core/token-types";
import { importKeyRing, signToken } from "../../src/keys";
import { root } from "../support/bundle";
import { send } from "../support/http";
import { Visitor } from "../support/jar";
import { type Origin, type Received, startOrigin } from "../support/origin";
import { PATIENCE } from "../support/patience";
import { printedKeys, type Sample, type Shown, samples } from "../support/samples";
import { startWorker, TEST_KEYS, type TestWorker } from "../support/worker";

const ROOM = "shop";
const OTHER_KEYS = `t2:${Buffer.alloc(32, "0123456789abcdef").toString("base64url")},${TEST_KEYS}`;

let dir: string;
let origin: Origin;
let worker: TestWorker;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "vestibule-integrate-"));
  await symlink(join(root, "node_modules"), join(dir, "node_modules"));
  origin = await startOrigin();
  const rooms = { [ROOM]: { host: "*", total_active_users: 50, new_users_per_minute: 6_000 } };
  worker = await startWorker({ rooms, origin: origin.url });
});

/** Reaches the site without a visit, once the room is quiet. */
async function unproven(path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  await vi.waitFor(async () => expect((await send(new URL(path, worker.url), { headers })).status).toBe(200), PATIENCE);
}

/** What the Worker forwards to the site: unproven, admitted, and a POST with a query that must stay as it is. */
async function forward(): Promise<{ readonly visitor: Visitor; readonly forwarded: readonly Shown[] }> {
  origin.received.length = 0;
  await unproven("/a");
  const visitor = new Visitor(worker.url);
  await visitor.navigate("/first");
  await vi.waitFor(async () => {
    await visitor.navigate("/shop/caf%C3%A9?q=a%20b+c");
    expect(origin.received.at(-1)?.header("Vestibule-Status")).toBe("admitted");
  }, PATIENCE);
  await visitor.fetch("/buy?x=%27&y=;?", {
    method: "POST",
    body: "n=1",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  return { visitor, forwarded: origin.received.map((received) => shownOf(received, worker.url.host)) };
}

afterAll(async () => {
  await worker.stop();
  await origin.stop();
  await rm(dir, { recursive: true, force: true });
});

function shownOf({ method, url, headers }: Received, host: string): Shown {
  return { method, host, target: url, headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])) };
}

/** The sub-key of a use, by its published derivation. */
const subKey = (use: "pass" | "request") =>
  Buffer.from(hkdfSync("sha256", Buffer.from(TEST_KEYS.split(":")[1] ?? "", "base64url"), new Uint8Array(), `vestibule-1 ${use}`, 32));

/** The same request, signed at another time. */
function signedAt(shown: Shown, t: number): Shown {
  const { method, host, target, headers } = shown;
  const text = ["vestibule-request-1", t, method, host, target, headers["vestibule-status"], headers["vestibule-session"]].join("\n");
  const mac = createHmac("sha256", subKey("request")).update(text).digest("base64url");
  return { ...shown, headers: { ...headers, "vestibule-signature": `t=${t}, kid=t1, mac=${mac}` } };
}

const nowS = () => Math.floor(Date.now() / 1_000);

describe.each<[string, Sample]>(samples.map((sample) => [sample.language, sample]))("the %s sample", (_, sample) => {
  if (sample.lacks !== null) console.warn(`SKIPPED, the ${sample.language} sample of docs/integrate.md: ${sample.lacks}`);
  const title = sample.lacks === null ? "" : ` (skipped: ${sample.lacks})`;

  test.skipIf(sample.lacks !== null)(`[PROXY-12] G6 knows every request that the Worker forwarded${title}`, async () => {
    // Compiled before anything is signed: a signature lasts a minute.
    await sample.ask(dir, { keys: printedKeys(TEST_KEYS) });
    const { forwarded } = await forward();
    expect(forwarded.length).toBeGreaterThanOrEqual(4);
    expect(new Set(forwarded.map(({ headers }) => headers["vestibule-status"]))).toEqual(new Set(["unproven", "admitted"]));
    const late = signedAt(forwarded.at(-1) as Shown, nowS() - 40);
    const { came } = await sample.ask(dir, { shown: [...forwarded, late], keys: printedKeys(TEST_KEYS) });
    expect(came).toEqual([...forwarded, late].map(() => true));
    // While keys change, the site has both.
    expect((await sample.ask(dir, { shown: forwarded, keys: printedKeys(OTHER_KEYS) })).came).toEqual(forwarded.map(() => true));
  });

  test.skipIf(sample.lacks !== null)(
    `[PROXY-12] G6 C57 refuses anything else: unsigned, changed, for another request, or older than a minute${title}`,
    async () => {
      const { visitor, forwarded } = await forward();
      const good = forwarded.at(-1) as Shown;
      const signature = good.headers["vestibule-signature"] ?? "";
      const withHeader = (name: string, value: string) => ({ ...good, headers: { ...good.headers, [name]: value } });
      const bad = [
        { ...good, headers: {} },
        { ...good, method: "GET" },
        { ...good, host: "evil.example.com" },
        { ...good, target: "/admin" },
        { ...good, target: `${good.target}&z=1` },
        withHeader("vestibule-status", "unproven"),
        withHeader("vestibule-session", "1.7777"),
        withHeader(
          "vestibule-signature",
          signature.replace(/t=\d+/, (t) => `t=${Number(t.slice(2)) + 1}`),
        ),
        withHeader(
          "vestibule-signature",
          signature.replace(/mac=./, (start) => (start.endsWith("A") ? "mac=B" : "mac=A")),
        ),
        withHeader("vestibule-signature", signature.replace(/kid=[^,]+/, "kid=k9")),
        withHeader("vestibule-signature", signature.replace(/kid=[^,]+/, "kid=__proto__")),
        withHeader("vestibule-signature", `${signature}, t=1`),
        withHeader("vestibule-signature", ""),
        signedAt(good, nowS() - 75),
        signedAt(good, nowS() + 75),
      ];
      expect((await sample.ask(dir, { shown: bad, keys: printedKeys(TEST_KEYS) })).came).toEqual(bad.map(() => false));
      // Without keys, nobody: not even who signs with none.
      const none = await sample.ask(dir, { shown: [good], passes: [[passOf(visitor), ROOM]], keys: { requests: "", passes: "" } });
      expect(none).toEqual({ came: [false], visits: [null] });
    },
  );

  test.skipIf(sample.lacks !== null)(`[PROXY-13] [TOKEN-1] K4 K5 knows whose pass it is, and no other token for one${title}`, async () => {
    const { visitor, forwarded } = await forward();
    const pass = passOf(visitor);
    const session = forwarded.at(-1)?.headers["vestibule-session"] as string;
    const passes: readonly (readonly [pass: string, room: string])[] = [[pass, ROOM], ...(await notPasses(visitor))];
    const { visits } = await sample.ask(dir, { passes, keys: printedKeys(TEST_KEYS) });
    expect(session).toMatch(/^\d+\.\d+$/);
    expect(visits).toEqual([session, ...passes.slice(1).map(() => null)]);
  });
});

function passOf(of: Visitor): string {
  return of.cookies.get(`vestibule-pass.${ROOM}`)?.value ?? "";
}

/** Everything that must not open a door, with the room that is asked for. */
async function notPasses(of: Visitor): Promise<(readonly [string, string])[]> {
  const pass = passOf(of);
  const [head = "", body = "", mac = ""] = pass.split(".");
  const imported = await importKeyRing(TEST_KEYS);
  if (!imported.ok) throw new Error(imported.problem);
  const iat = nowS() - 100;
  const claims: Claims = { kind: "pass", room: ROOM, generation: 0, slot: 7, serial: 1, iat, exp: iat + 1_000, end: iat + 2_000 };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const short = { r: ROOM, g: 0, s: 7, n: 1, iat, exp: iat + 1_000, end: iat + 2_000 };
  const jwt = (header: { alg: string; kid?: string; typ?: string }, key = subKey("pass"), payload: Record<string, unknown> = short) =>
    new SignJWT(payload).setProtectedHeader(header).sign(key);
  const good = { alg: "HS256", kid: "t1", typ: "vst+pass" };
  const signed = (first: string, second: string) =>
    `${first}.${second}.${createHmac("sha256", subKey("pass")).update(`${first}.${second}`).digest("base64url")}`;
  return [
    [pass, "museum"],
    // Correctly signed by the Worker, but over, or of another kind.
    [await signToken(imported.ring, { ...claims, exp: iat + 50 }), ROOM],
    [of.cookies.get(`vestibule.${ROOM}`)?.value ?? "", ROOM],
    // With the very key of passes.
    [await jwt({ ...good, typ: "vst+ticket" }), ROOM],
    [await jwt({ ...good, typ: "JWT" }), ROOM],
    [await jwt({ alg: "HS256", kid: "t1" }), ROOM],
    [await jwt({ ...good, alg: "HS512" }), ROOM],
    [await jwt({ ...good, kid: "t9" }), ROOM],
    [await jwt({ alg: "HS256", typ: "vst+pass" }), ROOM],
    // With another one.
    [await jwt(good, subKey("request")), ROOM],
    [`${part({ ...good, alg: "none" })}.${body}.`, ROOM],
    // Signed by HS256, and said to be otherwise.
    [signed(part({ ...good, alg: "HS512" }), part(short)), ROOM],
    [`${part(good)}.${part({ ...short, s: 1 })}.${mac}`, ROOM],
    [`${head}.${body}.${mac.startsWith("A") ? "B" : "A"}${mac.slice(1)}`, ROOM],
    [`${head}.${body}.`, ROOM],
    [`${head}.${body}`, ROOM],
    [`${pass}.x`, ROOM],
    ["", ROOM],
    ["a.b.c", ROOM],
  ];
}

test("[PROXY-12] visitors can send no signature of their own", async () => {
  origin.received.length = 0;
  await unproven("/x", { "Vestibule-Signature": "t=1, kid=k1, mac=x", Vestibule_Signature: "t=1" });
  const seen = origin.received.at(-1);
  const names = seen?.headers.filter(([name]) => /signature/i.test(name)).map(([name]) => name.toLowerCase());
  expect(names).toEqual(["vestibule-signature"]);
  expect(seen?.header("Vestibule-Signature")).toMatch(/^t=\d{10}, kid=t1, mac=[\w-]{43}$/);
});
