/** The site's own log-in: which JWT counts, and the keys it is checked with: kept, rotated, out of reach. The clock is the test's. */
import { createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { IdentitySettings } from "../../src/core/settings-types";
import type { DoorReason } from "../../src/core/status";
import { checkIdentity } from "../../src/door/identity";

const START = Date.UTC(2026, 10, 30);
let made = 0;
let settings: IdentitySettings;
/** What is fetched, by its address; an Error = out of reach. */
let published: unknown = null;
const fetched: { url: string; init: RequestInit }[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  fetched.length = 0;
  settings = {
    cookie: "session",
    header: null,
    issuer: "https://login.example",
    audience: "shop",
    claim: "sub",
    jwksUrl: `https://login.example/jwks-${made++}.json`,
    jwksRefetchMs: 30_000,
    loginUrl: null,
  };
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    fetched.push({ url, init });
    if (published instanceof Error) throw published;
    return typeof published === "function" ? published() : Response.json(published);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const beside: Promise<unknown>[] = [];
const life = { waitUntil: (work: Promise<unknown>) => void beside.push(work) };
const nowS = () => Math.floor(Date.now() / 1_000);

async function check(token: string, shared: readonly Uint8Array[] = []): Promise<string> {
  const checked = await checkIdentity(token, { settings, sharedKeys: shared, nowS: nowS(), life });
  return typeof checked === "string" ? checked : checked.subject;
}

interface Pair {
  readonly sign: CryptoKey;
  readonly jwk: JWK;
}
async function pairOf(kid: string, alg = "ES256"): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { sign: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}
const [first, second] = [await pairOf("first"), await pairOf("second")];

function tokenOf(
  sign: CryptoKey | Uint8Array,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const good = { iss: "https://login.example", aud: "shop", sub: "ada", iat: nowS() - 5, exp: nowS() + 600 };
  return new SignJWT({ ...good, ...claims }).setProtectedHeader({ alg: "ES256", kid: "first", ...header }).sign(sign);
}

describe("what counts", () => {
  test("[DOOR-4] a JWT of the log-in, whichever algorithm of public keys it uses", async () => {
    for (const alg of ["ES256", "ES384", "RS256", "PS256", "EdDSA"]) {
      const { sign, jwk } = await pairOf("first", alg);
      published = { keys: [jwk] };
      settings = { ...settings, jwksUrl: `https://login.example/${alg}` };
      expect([alg, await check(await tokenOf(sign, {}, { alg }))]).toEqual([alg, "ada"]);
    }
  });

  test("[DOOR-4] K5 every kind of bad token is refused, as bad or as expired", async () => {
    published = { keys: [first.jwk] };
    const pem = createPublicKey({ key: first.jwk as never, format: "jwk" })
      .export({ type: "spki", format: "pem" })
      .toString();
    const good = await tokenOf(first.sign);
    const [head, body = "", tail] = good.split(".");
    const changed = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(body, "base64url").toString()), sub: "eve" })).toString(
      "base64url",
    );
    const table: readonly (readonly [string, string | Promise<string>, DoorReason | "ada"])[] = [
      ["good", good, "ada"],
      ["audience in a list", tokenOf(first.sign, { aud: ["other", "shop"] }), "ada"],
      ["expires next second", tokenOf(first.sign, { exp: nowS() + 1 }), "ada"],
      ["not before, within the tolerance", tokenOf(first.sign, { nbf: nowS() + 20 }), "ada"],
      ["no JWT", "hello", "identity-bad"],
      ["cut off", good.slice(0, -2), "identity-bad"],
      ["someone else", `${head}.${changed}.${tail}`, "identity-bad"],
      ["too long", `${good}${"A".repeat(9_000)}`, "identity-bad"],
      [
        "alg none",
        new UnsecuredJWT({ sub: "ada" }).setIssuer("https://login.example").setAudience("shop").setExpirationTime("1h").encode(),
        "identity-bad",
      ],
      ["public key as HMAC secret", tokenOf(new TextEncoder().encode(pem), {}, { alg: "HS256" }), "identity-bad"],
      ["another key under its kid", tokenOf(second.sign), "identity-bad"],
      ["other issuer", tokenOf(first.sign, { iss: "https://login.example.evil" }), "identity-bad"],
      ["no issuer", tokenOf(first.sign, { iss: undefined }), "identity-bad"],
      ["other audience", tokenOf(first.sign, { aud: "bank" }), "identity-bad"],
      ["no audience", tokenOf(first.sign, { aud: undefined }), "identity-bad"],
      ["expired now", tokenOf(first.sign, { exp: nowS() }), "identity-expired"],
      ["expired within the tolerance", tokenOf(first.sign, { exp: nowS() - 10 }), "identity-expired"],
      ["long expired", tokenOf(first.sign, { exp: nowS() - 3_600 }), "identity-expired"],
      ["no end", tokenOf(first.sign, { exp: undefined }), "identity-bad"],
      ["not yet", tokenOf(first.sign, { nbf: nowS() + 60 }), "identity-bad"],
      ["nobody", tokenOf(first.sign, { sub: undefined }), "identity-bad"],
    ];
    for (const [what, token, expected] of table) expect([what, await check(await token)]).toEqual([what, expected]);
  });

  test("[DOOR-4] a shared key takes HMACs and nothing else, the old one too while both are set", async () => {
    settings = { ...settings, jwksUrl: null };
    const [now, before, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const hs = { alg: "HS256", kid: undefined };
    expect(await check(await tokenOf(now, {}, hs), [now, before])).toBe("ada");
    expect(await check(await tokenOf(before, {}, hs), [now, before])).toBe("ada");
    expect(await check(await tokenOf(before, { exp: nowS() - 60 }, hs), [now, before])).toBe("identity-expired");
    expect(await check(await tokenOf(other, {}, hs), [now, before])).toBe("identity-bad");
    expect(await check(await tokenOf(first.sign), [now])).toBe("identity-bad");
    expect(await check(await tokenOf(now, {}, hs), [])).toBe("identity-unchecked");
    expect(fetched).toEqual([]);
  });

  test("[DOOR-4] a short RSA key of the log-in opens nothing", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 1_024 });
    published = { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "first", alg: "RS256" }] };
    const body = (await tokenOf(first.sign)).split(".")[1];
    const head = Buffer.from(JSON.stringify({ alg: "RS256", kid: "first" })).toString("base64url");
    const { createSign } = await import("node:crypto");
    const signed = `${head}.${body}.${createSign("RSA-SHA256").update(`${head}.${body}`).sign(privateKey).toString("base64url")}`;
    expect(["identity-bad", "identity-unchecked"]).toContain(await check(signed));
  });
});

describe("the log-in's keys", () => {
  test("[DOOR-5] W14 are fetched once, by a bounded request that follows no redirect", async () => {
    published = { keys: [first.jwk] };
    const token = await tokenOf(first.sign);
    expect(await Promise.all([check(token), check(token), check(token)])).toEqual(["ada", "ada", "ada"]);
    expect(fetched).toMatchObject([{ url: settings.jwksUrl, init: { redirect: "manual", signal: expect.any(AbortSignal) } }]);
  });

  test("[DOOR-5] a key that is not known is looked for, at most once in the set time", async () => {
    published = { keys: [first.jwk] };
    expect(await check(await tokenOf(first.sign))).toBe("ada");
    published = { keys: [first.jwk, second.jwk] };
    vi.setSystemTime(START + 29_000);
    for (let i = 0; i < 5; i++) expect(await check(await tokenOf(second.sign, {}, { kid: "second" }))).toBe("identity-unchecked");
    expect(fetched).toHaveLength(1);
    vi.setSystemTime(START + 30_000);
    expect(await check(await tokenOf(second.sign, {}, { kid: "second" }))).toBe("ada");
    expect(await check(await tokenOf(first.sign))).toBe("ada");
    expect(fetched).toHaveLength(2);
    // Just fetched, and still not among them: nothing is fetched for it again for a while.
    for (let i = 0; i < 5; i++) expect(await check(await tokenOf(second.sign, {}, { kid: `made-up-${i}` }))).toBe("identity-unchecked");
    expect(fetched).toHaveLength(2);
    vi.setSystemTime(START + 61_000);
    expect(await check(await tokenOf(second.sign, {}, { kid: "made-up" }))).toBe("identity-bad");
  });

  test("[DOOR-5] a key that was taken back counts no more once they were looked for again, after ten minutes", async () => {
    published = { keys: [first.jwk] };
    expect(await check(await tokenOf(first.sign))).toBe("ada");
    published = { keys: [second.jwk] };
    vi.setSystemTime(START + 601_000);
    expect(await check(await tokenOf(first.sign))).toBe("ada");
    await Promise.all(beside);
    expect(await check(await tokenOf(first.sign))).toBe("identity-unchecked");
    expect(await check(await tokenOf(second.sign, {}, { kid: "second" }))).toBe("ada");
  });

  test("[DOOR-5] a clock that is put back keeps nobody from looking for them again", async () => {
    published = { keys: [first.jwk] };
    expect(await check(await tokenOf(first.sign))).toBe("ada");
    published = { keys: [second.jwk] };
    vi.setSystemTime(START - 3_600_000);
    expect(await check(await tokenOf(first.sign))).toBe("ada");
    await Promise.all(beside);
    expect(await check(await tokenOf(first.sign))).toBe("identity-unchecked");
    expect(await check(await tokenOf(second.sign, {}, { kid: "second" }))).toBe("ada");
  });

  test("[DOOR-5] out of reach: known keys go on, unknown ones wait, and nobody hammers the log-in", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    published = { keys: [first.jwk] };
    expect(await check(await tokenOf(first.sign))).toBe("ada");
    published = new Error("no route");
    vi.setSystemTime(START + 3_600_000);
    for (let i = 0; i < 10; i++) {
      expect(await check(await tokenOf(first.sign))).toBe("ada");
      expect(await check(await tokenOf(second.sign, {}, { kid: "second" }))).toBe("identity-unchecked");
    }
    expect(fetched).toHaveLength(2);
    settings = { ...settings, jwksUrl: `${settings.jwksUrl}?cold` };
    for (let i = 0; i < 10; i++) expect(await check(await tokenOf(first.sign))).toBe("identity-unchecked");
    expect(fetched).toHaveLength(3);
    published = { keys: [first.jwk] };
    vi.setSystemTime(START + 3_631_000);
    expect(await check(await tokenOf(first.sign))).toBe("ada");
    warned.mockRestore();
  });

  test("[DOOR-5] an answer that is no set of keys, too large, or leads elsewhere is none", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const failed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const answers: readonly (() => Response)[] = [
      () => new Response("<html>", { status: 200 }),
      () => new Response(null, { status: 302, headers: { Location: "https://elsewhere.example/" } }),
      () => new Response("no", { status: 500 }),
      () => Response.json({ keys: "none" }),
      () => Response.json({ keys: [first.jwk], padding: "x".repeat(70_000) }),
      () => Response.json({ keys: Array.from({ length: 101 }, () => first.jwk) }),
      () => Response.json([]),
      () => Response.json({ keys: [{ ...first.jwk, x: "AA" }] }),
    ];
    for (const [i, answer] of answers.entries()) {
      published = answer;
      settings = { ...settings, jwksUrl: `https://login.example/odd-${i}` };
      expect([i, await check(await tokenOf(first.sign))]).toEqual([i, "identity-unchecked"]);
    }
    warned.mockRestore();
    failed.mockRestore();
  });
});
