/** Signing and verifying against node:crypto and jose, the key ring's refusals, and choosing among several tokens. */
import { execFileSync } from "node:child_process";
import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { jwtVerify, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import type { Claims, TokenKind } from "../../src/core/token-types";
import {
  importKeyRing,
  invitationKey,
  type KeyRing,
  newVisitorKey,
  sameSecret,
  signsInVain,
  signToken,
  subjectKey,
  withRevoked,
} from "../../src/keys";
import { ShownTokens } from "../../src/shown-tokens";
import { verifyAny, verifyRevoked, verifyToken } from "../../src/token-checks";
import { webhookSecret } from "../support/webhook";

const root = fileURLToPath(new URL("../../", import.meta.url));
const vectors = JSON.parse(readFileSync(`${root}test/vectors/tokens.json`, "utf8")) as {
  secret: string;
  subKeys: Record<string, Record<string, string>>;
  tokens: Record<TokenKind, string>;
};
const NOW = 1_764_400_100;
const KINDS: readonly TokenKind[] = ["visitor", "entry", "ticket", "pass", "door", "staff", "open", "proof"];
const claims: Record<TokenKind, Claims> = {
  visitor: { kind: "visitor", room: "demo", key: "AAECAwQFBgcICQoLDA0ODw", iat: NOW - 100, exp: NOW - 100 + 86_400 },
  entry: {
    kind: "entry",
    room: "demo",
    generation: 3,
    draw: 2,
    entry: 41,
    chain: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
    iat: NOW - 100,
    exp: NOW - 100 + 86_400,
  },
  ticket: { kind: "ticket", room: "demo", generation: 3, slot: 1342, iat: NOW - 100, exp: NOW - 100 + 86_400 },
  door: {
    kind: "door",
    room: "demo",
    key: "AAECAwQFBgcICQoLDA0ODw",
    invitation: "EBESExQVFhcYGRobHB0eHw",
    uses: 2,
    iat: NOW - 100,
    exp: NOW - 100 + 86_400,
  },
  staff: { kind: "staff", room: "demo", link: 7, key: "AAECAwQFBgcICQoLDA0ODw", iat: NOW - 100, exp: NOW + 500 },
  open: { kind: "open", room: "demo", key: "AAECAwQFBgcICQoLDA0ODw", iat: NOW - 100, exp: NOW + 20, end: NOW + 500 },
  proof: { kind: "proof", room: "demo", key: "AAECAwQFBgcICQoLDA0ODw", work: 2, human: true, iat: NOW - 100, exp: NOW + 500 },
  pass: { kind: "pass", room: "demo", generation: 3, slot: 1342, serial: 7, iat: NOW - 100, exp: NOW + 500, end: NOW + 3_500 },
};
const freshKey = (kid: string) => `${kid}:${randomBytes(32).toString("base64url")}`;

async function ringOf(secret: string): Promise<KeyRing> {
  const imported = await importKeyRing(secret);
  if (!imported.ok) throw new Error(imported.problem);
  return imported.ring;
}
const ring = await ringOf(vectors.secret);

describe("known answers", () => {
  test("[TOKEN-6] K16 the vectors are HKDF-SHA256 of the roots, all different", () => {
    const seen = new Set<string>();
    for (const entry of vectors.secret.split(",")) {
      const [kid = "", key = ""] = entry.split(":");
      for (const [use, expected] of Object.entries(vectors.subKeys[kid] ?? {})) {
        const derived = hkdfSync("sha256", Buffer.from(key, "base64url"), "", `vestibule-1 ${use}`, 32);
        expect(Buffer.from(derived).toString("hex")).toBe(expected);
        seen.add(expected);
      }
    }
    expect(seen.size).toBe(26);
  });

  test.each(KINDS)("[TOKEN-6] a signed %s is the vector's, and the vector verifies", async (kind) => {
    expect(await signToken(ring, claims[kind])).toBe(vectors.tokens[kind]);
    expect(await verifyToken(ring, kind, vectors.tokens[kind], NOW)).toEqual({ as: "valid", claims: claims[kind] });
  });

  test("[TOKEN-1] jose verifies our pass with the pass sub-key, and we verify jose's", async () => {
    const key = Buffer.from(vectors.subKeys["k2"]?.["pass"] ?? "", "hex");
    const { payload, protectedHeader } = await jwtVerify(vectors.tokens.pass, key, { typ: "vst+pass", currentDate: new Date(NOW * 1_000) });
    expect(protectedHeader).toEqual({ alg: "HS256", kid: "k2", typ: "vst+pass" });
    expect(payload).toMatchObject({ r: "demo", g: 3, s: 1342, n: 7, iat: NOW - 100, exp: NOW + 500, end: NOW + 3_500 });
    const theirs = await new SignJWT({ r: "demo", g: 3, s: 1342, n: 7, iat: NOW - 100, exp: NOW + 500, end: NOW + 3_500 })
      .setProtectedHeader({ alg: "HS256", kid: "k2", typ: "vst+pass" })
      .sign(key);
    expect(theirs).toBe(vectors.tokens.pass);
  });

  test.each(["pass", "request"])("[TOKEN-8] the origin-key script prints the %s sub-keys", (use) => {
    const env = { ...process.env, VESTIBULE_KEYS: vectors.secret };
    const script = ["scripts/origin-key.mjs", ...(use === "request" ? ["--requests"] : [])];
    const printed = execFileSync(process.execPath, script, { cwd: root, env, encoding: "utf8" });
    const expected = ["k2", "k1"].map((kid) => `${kid}:${Buffer.from(vectors.subKeys[kid]?.[use] ?? "", "hex").toString("base64url")}\n`);
    expect(printed).toBe(expected.join(""));
    const revoked = { ...env, VESTIBULE_KEYS: `${vectors.secret}:revoked` };
    expect(execFileSync(process.execPath, script, { cwd: root, env: revoked, encoding: "utf8" })).toBe(expected[0]);
    expect(() =>
      execFileSync(process.execPath, script, { cwd: root, env: { ...env, VESTIBULE_KEYS: "k1:short" }, stdio: "pipe" }),
    ).toThrow();
    expect(() => execFileSync(process.execPath, [...script, "--all"], { cwd: root, env, stdio: "pipe" })).toThrow();
  });
});

test("[TELL-2] [TOKEN-8] the origin-key script prints the secrets of webhooks", () => {
  const env = { ...process.env, VESTIBULE_KEYS: vectors.secret };
  const print = (...of: string[]) =>
    execFileSync(process.execPath, ["scripts/origin-key.mjs", "--webhooks", ...of], { cwd: root, env, encoding: "utf8", stdio: "pipe" });
  const roots = vectors.secret.split(",").map((entry) => entry.split(":") as [string, string]);
  expect(print("shop/ops")).toBe(roots.map(([kid, key]) => `${kid}:${webhookSecret(key, "shop/ops")}\n`).join(""));
  expect(print("shop/ops/12")).toBe(roots.map(([kid, key]) => `${kid}:${webhookSecret(key, "shop/ops", 12)}\n`).join(""));
  for (const bad of ["", "shop", "shop/ops/0", "shop/ops/2/3", "Shop/ops"]) expect(() => print(bad), bad).toThrow();
});

describe("forgeries", () => {
  test("[TOKEN-2] K1 every single-bit change of a pass is refused", async () => {
    const token = vectors.tokens.pass;
    for (let at = 0; at < token.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = token.slice(0, at) + String.fromCharCode(token.charCodeAt(at) ^ (1 << bit)) + token.slice(at + 1);
        expect(await verifyToken(ring, "pass", changed, NOW), `${at}/${bit}`).toEqual({ as: "none" });
      }
    }
  });

  test("[TOKEN-15] K1 a forgery is one however often it is shown", async () => {
    const own = await ringOf(freshKey("k1"));
    const token = await signToken(own, claims.pass);
    const forged = `${token.slice(0, -43)}${"A".repeat(43)}`;
    for (let time = 0; time < 3; time += 1) {
      expect(await verifyToken(own, "pass", forged, NOW)).toEqual({ as: "none" });
      expect(await verifyToken(own, "pass", token, NOW)).toEqual({ as: "valid", claims: claims.pass });
      expect(await verifyToken(own, "ticket", token, NOW)).toEqual({ as: "none" });
    }
    expect((await verifyToken(own, "pass", token, NOW + 500)).as).toBe("expired");
    expect(await verifyToken(withRevoked(own, ["k1"]), "pass", token, NOW)).toEqual({ as: "none" });
    expect(await verifyAny(own, "pass", "other", [token], NOW)).toEqual({ as: "none" });
  });

  test("[TOKEN-15] so many are remembered and no more", () => {
    const shown = new ShownTokens();
    const of = (i: number) => shown.of(`token ${i}`).proven;
    for (let i = 0; i < 10_000; i += 1) {
      shown.prove(shown.of(`token ${i}`), { kid: "k1", kind: "pass", claims: claims.pass });
      expect(of(0)?.claims, "who keeps coming").toBe(claims.pass);
    }
    expect(of(9_999)).not.toBeNull();
    const count = Array.from({ length: 10_000 }, (_, i) => of(i)).filter((known) => known !== null).length;
    expect(count).toBeGreaterThan(1_000);
    expect(count).toBeLessThanOrEqual(2_048);
  });

  test("[TOKEN-15] of Cookie headers as well, those that are not too long, and only by the name that was looked for", () => {
    const shown = new ShownTokens();
    const cookies = { place: [], pass: [shown.of("a token")] };
    const known = (header: string, name = "vestibule.demo") => shown.cookiesIn(header, name);
    const keep = (header: string) => shown.keepCookies(header, "vestibule.demo", cookies);
    keep("a=b");
    expect(known("a=b")).toBe(cookies);
    expect(known("a=b", "__Host-vestibule.demo")).toBeNull();
    expect(known("a=c")).toBeNull();
    for (const length of [3_072, 3_073]) keep("x".repeat(length));
    expect(known("x".repeat(3_072))).toBe(cookies);
    expect(known("x".repeat(3_073))).toBeNull();
    for (let i = 0; i < 5_000; i += 1) keep(`header ${i}`);
    const count = Array.from({ length: 5_000 }, (_, i) => known(`header ${i}`)).filter((each) => each !== null).length;
    expect(count).toBeGreaterThan(500);
    expect(count).toBeLessThanOrEqual(1_024);
  });

  test("[TOKEN-3] K4 a token counts only as its own kind, in its own room", async () => {
    for (const presented of KINDS) {
      for (const expected of KINDS) {
        const token = vectors.tokens[presented];
        expect((await verifyToken(ring, expected, token, NOW)).as, `${presented} as ${expected}`).toBe(
          presented === expected ? "valid" : "none",
        );
        expect(await verifyAny(ring, expected, "other", [token], NOW)).toEqual({ as: "none" });
      }
    }
  });

  test("[TOKEN-3] K4 the header's kind is under the MAC, with a key of its own: relabelling a ticket never verifies", async () => {
    const [, body = "", tail = ""] = vectors.tokens.visitor.split(".");
    const head = Buffer.from('{"alg":"HS256","kid":"k2","typ":"vst+ticket"}').toString("base64url");
    expect(await verifyToken(ring, "ticket", `${head}.${body}.${tail}`, NOW)).toEqual({ as: "none" });
    // A pass's text under the ticket sub-key: the MAC is right for a ticket, the kind is not.
    const passText = vectors.tokens.pass.split(".").slice(0, 2).join(".");
    const ticketMac = createHmac("sha256", Buffer.from(vectors.subKeys["k2"]?.["ticket"] ?? "", "hex"))
      .update(passText)
      .digest("base64url");
    expect(await verifyToken(ring, "ticket", `${passText}.${ticketMac}`, NOW)).toEqual({ as: "none" });
    // Well-formed ticket text, signed with another use's sub-key.
    const signed = vectors.tokens.ticket.split(".").slice(0, 2).join(".");
    for (const [use, hex] of Object.entries(vectors.subKeys["k2"] ?? {})) {
      const mac = createHmac("sha256", Buffer.from(hex, "hex")).update(signed).digest("base64url");
      expect((await verifyToken(ring, "ticket", `${signed}.${mac}`, NOW)).as, use).toBe(use === "ticket" ? "valid" : "none");
    }
  });

  test("[TOKEN-3] K5 an unknown or famous kid has no fallback to another key", async () => {
    const key = Buffer.from(vectors.subKeys["k2"]?.["pass"] ?? "", "hex");
    for (const kid of ["k3", "0", "__proto__", "constructor", "toString", "K2"]) {
      const head = Buffer.from(`{"alg":"HS256","kid":"${kid}","typ":"vst+pass"}`).toString("base64url");
      const signed = `${head}.${vectors.tokens.pass.split(".")[1]}`;
      const token = `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
      expect(await verifyToken(ring, "pass", token, NOW), kid).toEqual({ as: "none" });
    }
    const other = await ringOf(freshKey("k2"));
    expect(await verifyToken(other, "pass", vectors.tokens.pass, NOW)).toEqual({ as: "none" });
  });

  test("[TOKEN-4] a correct token past its exp is expired, a forged one is none", async () => {
    expect(await verifyToken(ring, "pass", vectors.tokens.pass, NOW + 499)).toMatchObject({ as: "valid" });
    expect(await verifyToken(ring, "pass", vectors.tokens.pass, NOW + 500)).toEqual({ as: "expired", claims: claims.pass });
    expect(await verifyToken(ring, "pass", `${vectors.tokens.pass.slice(0, -1)}A`, NOW + 500)).toEqual({ as: "none" });
    expect(await verifyToken(ring, "pass", vectors.tokens.pass, NOW - 131)).toEqual({ as: "none" });
  });
});

describe("the ring", () => {
  test("[TOKEN-7] K8 K9 the first key signs, all verify: rotation keeps old tokens", async () => {
    const [k1, k2] = [freshKey("k1"), freshKey("k2")];
    const [before, during, after] = [await ringOf(k1), await ringOf(`${k2}, ${k1}`), await ringOf(k2)];
    const old = await signToken(before, claims.pass);
    const young = await signToken(during, claims.pass);
    const verdict = async (of: KeyRing, token: string) => (await verifyToken(of, "pass", token, NOW)).as;
    expect([await verdict(during, old), await verdict(during, young), await verdict(after, young)]).toEqual(["valid", "valid", "valid"]);
    expect([await verdict(after, old), await verdict(before, young)]).toEqual(["none", "none"]);
  });

  test("[TOKEN-7] K7 weak or malformed rings are refused, by a sentence without the key", async () => {
    const bytes = (make: (i: number) => number) => Buffer.from(Array.from({ length: 32 }, (_, i) => make(i) & 255)).toString("base64url");
    const good = randomBytes(32).toString("base64url");
    const refused = [
      "",
      "   ",
      "secret",
      "k1",
      "k1:",
      ":",
      `:${good}`,
      good,
      `k 1:${good}`,
      `${"k".repeat(17)}:${good}`,
      `k1:${good},`,
      `k1:${good}:x`,
      `k1:${good}:next`,
      `k1:${good}:revoked`,
      `k1:${good},k2:${randomBytes(32).toString("base64url")}:Revoked`,
      `k1:${good},k2:${randomBytes(32).toString("base64url")}:later`,
      `k1:${good},k2:${randomBytes(32).toString("base64url")}:next:next`,
      `k1:${good}=`,
      `k1:${randomBytes(31).toString("base64url")}`,
      `k1:${randomBytes(33).toString("base64url")}`,
      `k1:${randomBytes(32).toString("hex")}`,
      `k1:${bytes(() => 0)}`,
      `k1:${bytes((i) => i)}`,
      `k1:${bytes((i) => 255 - i)}`,
      `k1:${bytes((i) => 7 * i)}`,
      `k1:${bytes((i) => [1, 200, 50, 77][i % 4] ?? 0)}`,
      `k1:${Buffer.from("change-me-change-me-change-me-32").toString("base64url")}`,
      `k1:${good},k1:${randomBytes(32).toString("base64url")}`,
      `k1:${good},k2:${good}`,
      Array.from({ length: 9 }, (_, i) => freshKey(`k${i}`)).join(","),
    ];
    for (const secret of refused) {
      const imported = await importKeyRing(secret);
      expect(imported.ok, secret).toBe(false);
      if (!imported.ok) {
        expect(imported.problem.length).toBeGreaterThan(10);
        expect(imported.problem).not.toContain(good);
      }
    }
    expect((await importKeyRing(Array.from({ length: 8 }, (_, i) => freshKey(`k${i}`)).join(","))).ok).toBe(true);
  });

  test("[TOKEN-7] K9 a key that all workers know before any signs with it loses nobody's token, however unevenly they change over", async () => {
    const [k1, k2] = [freshKey("k1"), freshKey("k2")];
    // The steps of docs/keys.md; the last one only once every token of the old key has run out.
    const steps = await Promise.all([k1, `${k1},${k2}:next`, `${k2},${k1}`, k2].map(ringOf));
    const refused: string[] = [];
    for (const [signer, signing] of steps.entries()) {
      const token = await signToken(signing, claims.ticket);
      for (const [reader, reading] of steps.entries()) {
        // A browser may bring an old token to any later step, and a new one to a worker that is a step behind.
        const mayMeet = reader >= signer - 1 && !(signing.signingKid === "k1" && reader === 3);
        if (mayMeet && (await verifyToken(reading, "ticket", token, NOW)).as !== "valid") refused.push(`${signer} to ${reader}`);
      }
    }
    expect(refused).toEqual([]);
    // In one step it does not go: a worker that has not heard of the new key takes its tokens for forgeries.
    const early = await signToken(await ringOf(`${k2},${k1}`), claims.ticket);
    expect(await verifyToken(await ringOf(k1), "ticket", early, NOW)).toEqual({ as: "none" });
  });

  test("[KEYS-4] K8 what a revoked key signed is no token of any kind; a ticket or an entry can be recognised, and nothing else", async () => {
    const [k1, k2] = [freshKey("k1"), freshKey("k2")];
    const [before, after] = [await ringOf(k1), await ringOf(`${k2},${k1}:revoked`)];
    for (const kind of KINDS) {
      const token = await signToken(before, claims[kind]);
      expect(await verifyToken(after, kind, token, NOW), kind).toEqual({ as: "none" });
      expect(await verifyAny(after, kind, "demo", [token], NOW), kind).toEqual({ as: "none" });
      const known = kind === "ticket" || kind === "entry" ? { claims: claims[kind], kid: "k1", token } : null;
      expect(await verifyRevoked(after, "demo", [token], NOW), kind).toEqual(known);
      expect(await verifyRevoked(after, "other", [token], NOW), kind).toBeNull();
      expect(await verifyRevoked(after, "demo", [token], NOW + 2 * 86_400), kind).toBeNull();
      expect(
        await verifyRevoked(after, "demo", [`${token.slice(0, -6)}AAAAAA`, await signToken(after, claims[kind])], NOW),
        kind,
      ).toBeNull();
      // As soon as the Room says so, whatever the own ring says.
      const told = withRevoked(await ringOf(`${k2},${k1}`), ["k1"]);
      expect(await verifyToken(told, kind, token, NOW), kind).toEqual({ as: "none" });
    }
    expect(withRevoked(after, ["k1"])).toBe(after);
    expect(invitationKey(after, "k1")).toBeNull();
    expect(invitationKey(after, "k2")).not.toBeNull();
    await expect(signToken(withRevoked(before, ["k1"]), claims.visitor)).rejects.toThrow("by a revoked key");
  });

  test("[KEYS-4] K8 a Worker that has not heard of the new ring yet signs with the key that was published, once the Room has revoked its own", async () => {
    const [k1, k2, k3] = [freshKey("k1"), freshKey("k2"), freshKey("k3")];
    const told = withRevoked(await ringOf(`${k1},${k2}:next`), ["k1"]);
    const token = await signToken(told, claims.ticket);
    expect(await verifyToken(await ringOf(`${k2},${k1}:revoked`), "ticket", token, NOW)).toMatchObject({ as: "valid" });
    expect(await subjectKey(told, "demo", "x")).toBe(await subjectKey(await ringOf(k1), "demo", "x"));
    expect(withRevoked(await ringOf(`${k1},${k2}:next,${k3}:next`), ["k1", "k2"]).signingKid).toBe("k3");
    // The new ring may be without one of two.
    expect(signsInVain(withRevoked(await ringOf(`${k1},${k2}:next,${k3}:next`), ["k1"]))).toBe(true);
    // Never an older one, whose tokens may be about to run out; and the signer stays while it is good.
    expect(withRevoked(await ringOf(`${k2},${k1}`), ["k2"]).signingKid).toBe("k2");
    expect(withRevoked(await ringOf(`${k1},${k2}:next`), ["k0"]).signingKid).toBe("k1");
  });

  test("[KEYS-4] K8 of several the newest line's counts, a ticket before an entry", async () => {
    const k1 = freshKey("k1");
    const [before, after] = [await ringOf(k1), await ringOf(`${freshKey("k2")},${k1}:revoked`)];
    const sign = (one: Claims) => signToken(before, one);
    const tokens = await Promise.all([claims.entry, claims.ticket, { ...claims.ticket, generation: 2 } as Claims].map(sign));
    for (const order of [tokens, tokens.toReversed()])
      expect((await verifyRevoked(after, "demo", order, NOW))?.claims).toEqual(claims.ticket);
  });

  test("[TOKEN-7] sub-keys cannot be read out", async () => {
    for (const subKeys of ring.keys.values()) {
      for (const key of subKeys.values()) await expect(crypto.subtle.exportKey("raw", key)).rejects.toThrow();
    }
  });
});

describe("several values", () => {
  test("[TOKEN-9] T3 good, bad and expired in any order: the good one wins, else the expired one is told", async () => {
    const good = vectors.tokens.pass;
    const expired = await signToken(ring, { ...claims.pass, serial: 6, exp: NOW - 1 } as Claims);
    const bad = `${good.slice(0, -2)}AA`;
    const orders = [
      [good, bad, expired],
      [good, expired, bad],
      [bad, good, expired],
      [bad, expired, good],
      [expired, good, bad],
      [expired, bad, good],
    ];
    for (const tokens of orders) expect(await verifyAny(ring, "pass", "demo", tokens, NOW)).toEqual({ as: "valid", claims: claims.pass });
    expect(await verifyAny(ring, "pass", "demo", [bad, expired], NOW)).toMatchObject({ as: "expired", claims: { serial: 6 } });
    expect(await verifyAny(ring, "pass", "demo", [], NOW)).toEqual({ as: "none" });
  });

  test("[TOKEN-9] among valid ones the newest generation wins", async () => {
    const old = await signToken(ring, { ...claims.ticket, generation: 2 } as Claims);
    for (const tokens of [
      [old, vectors.tokens.ticket],
      [vectors.tokens.ticket, old],
    ]) {
      expect(await verifyAny(ring, "ticket", "demo", tokens, NOW)).toMatchObject({ claims: { generation: 3 } });
    }
  });
});

test("[TOKEN-14] K6 C67 secrets of any lengths and characters compare without throwing", async () => {
  const secret = "à secret of some length";
  expect(await sameSecret(secret, secret)).toBe(true);
  for (const other of ["", "a", "a secret of some length", `${secret} `, secret.toUpperCase(), "x".repeat(10_000), "\ud800"]) {
    expect(await sameSecret(secret, other), other.slice(0, 30)).toBe(false);
  }
  // No comparison of secrets by the language's own operators.
  const sources = readdirSync(`${root}src`, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const code = new Map(sources.map((name) => [name, readFileSync(`${root}src/${name}`, "utf8")]));
  expect(code.get("keys.ts")).not.toMatch(/(given|expected)\s*[!=]==?|[!=]==?\s*(given|expected)/);
  const names = "(?:adminToken|signature|ADMIN_TOKEN)";
  const compared = new RegExp(`[!=]==? [\\w.]*${names}\\b|\\b${names} [!=]==? (?!undefined\\b|null\\b)`);
  expect([...code].filter(([, text]) => compared.test(text)).map(([name]) => name)).toEqual([]);
});

test("[TOKEN-2] visitor keys are 128 fresh bits in canonical base64url", async () => {
  const keys = new Set(Array.from({ length: 100 }, newVisitorKey));
  expect(keys.size).toBe(100);
  for (const key of keys) {
    const token = await signToken(ring, { ...claims.visitor, key } as Claims);
    expect(await verifyToken(ring, "visitor", token, NOW)).toMatchObject({ as: "valid", claims: { key } });
  }
});
