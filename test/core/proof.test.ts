/** Proof that newcomers are asked for: what an answer is bound to, what is still missing, how much work is asked. Real hashing, real keys. */
import { pbkdf2Sync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PROOF_SPAN_MS } from "../../durable/line/used-proofs";
import { checkPow, holderOf, makePow } from "../../src/challenge/pow";
import { checkTurnstile, isTestSecret } from "../../src/challenge/turnstile";
import { needTurnstileSecret } from "../../src/core/challenge-needs";
import { type Altcha, costShown, type PowAnswer, PROOF_LIFE_S, readAnswer, stepsOf, stillAsked } from "../../src/core/proof";
import { readDamper, readTurnstile } from "../../src/env";
import { importKeyRing, type KeyRing, newVisitorKey } from "../../src/keys";
import { solve } from "../support/proofs";

const K1 = "k1:4oDCci9S3E7mrSzdtdI8RCD98dE7nXdmneOqlBJ5f4E";
const K2 = "k2:5HE3WjIL4wjSHNx6QT903hVLbnmNe0GWO5hUK_PMZ6Q";
const nowS = () => Math.floor(Date.now() / 1_000);

async function ringOf(secret: string): Promise<KeyRing> {
  const imported = await importKeyRing(secret);
  if (!imported.ok) throw new Error(imported.problem);
  return imported.ring;
}

const header = (value: unknown) => `pow ${Buffer.from(JSON.stringify(value)).toString("base64")}`;

describe("work", () => {
  const holder = { room: "shop", key: newVisitorKey() };
  let ring: KeyRing;
  let altcha: Altcha;
  let answer: PowAnswer;
  beforeAll(async () => {
    ring = await ringOf(K1);
    altcha = await makePow(ring, holder, { cost: 1, difficulty: 1, instead: false, nowS: nowS() });
    answer = { challenge: altcha, solution: solve(altcha) };
  });

  test("[PROOF-1] S5 an answer counts for its holder, with the cost that was asked, for as long as its challenge lives", async () => {
    const { expiresAt } = altcha.parameters;
    expect(expiresAt - nowS()).toBeLessThanOrEqual(PROOF_LIFE_S);
    const worth = { work: 1, instead: false, expiresAtS: expiresAt };
    expect(await checkPow(ring, holder, answer, nowS())).toEqual(worth);
    expect(await checkPow(ring, holder, answer, expiresAt - 1)).toEqual(worth);
    expect(await checkPow(ring, holder, answer, expiresAt)).toBe("expired");
    // The challenge tells neither room nor key.
    expect(JSON.stringify(altcha)).not.toContain(holder.key);
    expect(readAnswer(header(answer))).toEqual({ as: "pow", answer });
    expect(readAnswer(header({ ...answer, solution: { ...answer.solution, time: 12.5 } }))).toEqual({ as: "pow", answer });
  });

  test("[PROOF-1] S5 of another room, another key or other keys of ours it counts for nobody", async () => {
    expect(await checkPow(ring, { ...holder, room: "shop2" }, answer, nowS())).toBe("wrong");
    expect(await checkPow(ring, { ...holder, key: newVisitorKey() }, answer, nowS())).toBe("wrong");
    expect(await checkPow(await ringOf(K2), holder, answer, nowS())).toBe("wrong");
    // The same name for another key.
    expect(await checkPow(await ringOf(K2.replace("k2", "k1")), holder, answer, nowS())).toBe("wrong");
    // A key that got out may have signed anything.
    expect(await checkPow(await ringOf(`${K2},${K1}:revoked`), holder, answer, nowS())).toBe("wrong");
    // A key that only verifies still counts: the ring was turned meanwhile.
    expect(await checkPow(await ringOf(`${K2},${K1}`), holder, answer, nowS())).toMatchObject({ work: 1 });
  });

  test("[PROOF-1] S5 whatever is changed in a challenge or its answer is found", async () => {
    const { parameters, signature } = altcha;
    const flip = (hex: string) => (hex.startsWith("0") ? "1" : "0") + hex.slice(1);
    const other = await holderOf({ ...holder, key: newVisitorKey() });
    const changed: readonly Altcha[] = [
      { parameters, signature: flip(signature) },
      ...(["nonce", "salt", "keyPrefix", "keySignature"] as const).map((name) => ({
        parameters: { ...parameters, [name]: flip(parameters[name]) },
        signature,
      })),
      { parameters: { ...parameters, expiresAt: parameters.expiresAt + 1 }, signature },
      { parameters: { ...parameters, data: { ...parameters.data, cost: 2 } }, signature },
      { parameters: { ...parameters, data: { ...parameters.data, steps: 1 } }, signature },
      { parameters: { ...parameters, data: { ...parameters.data, instead: true } }, signature },
      { parameters: { ...parameters, data: { ...parameters.data, holder: other } }, signature },
      { parameters: { ...parameters, data: { ...parameters.data, kid: "k2" } }, signature },
    ];
    const both = await ringOf(`${K1},${K2}`);
    for (const challenge of changed) expect(await checkPow(both, holder, { ...answer, challenge }, nowS())).toBe("wrong");
    const { derivedKey } = answer.solution;
    const guesses = [flip(derivedKey), "0".repeat(64), derivedKey.slice(0, 32) + "0".repeat(32)];
    for (const guess of guesses)
      expect(await checkPow(ring, holder, { ...answer, solution: { ...answer.solution, derivedKey: guess } }, nowS())).toBe("wrong");
  });

  test("[PROOF-1] S5 what is too long or no answer at all is read as none, before any work", () => {
    const parameters = altcha.parameters;
    const senseless = [
      "",
      "pow",
      "pow !",
      "pow e30=",
      "pow bnVsbA==",
      "work abc",
      "turnstile",
      "turnstile a b",
      `turnstile ${"x".repeat(2_049)}`,
      `kept ${"x".repeat(5_000)}`,
      header([answer]),
      header({ ...answer, more: 1 }),
      header({ ...answer, solution: { counter: -1, derivedKey: answer.solution.derivedKey } }),
      header({ ...answer, solution: { counter: 1.5, derivedKey: answer.solution.derivedKey } }),
      header({ ...answer, solution: { counter: 1, derivedKey: "A".repeat(64) } }),
      ...[
        { algorithm: "SHA-1" },
        { cost: 1 },
        { cost: 1e9 },
        { keyLength: 64 },
        { nonce: "zz" },
        { keySignature: undefined },
        { expiresAt: 1e12 },
        { memoryCost: 1e9 },
      ].map((change) => header({ ...answer, challenge: { ...altcha, parameters: { ...parameters, ...change } } })),
    ];
    for (const text of senseless) expect(readAnswer(text), text.slice(0, 60)).toBeNull();
    expect(readAnswer(`turnstile ${"x".repeat(2_048)}`)).toEqual({ as: "turnstile", token: "x".repeat(2_048) });
    expect(readAnswer("Kept a.b-c_d")).toEqual({ as: "kept", token: "a.b-c_d" });
  });

  test("[PROOF-2] a step of the cost doubles the work, difficulty multiplies it, and it has an end", () => {
    expect([1, 2, 3, 8].map((cost) => stepsOf(cost, 1))).toEqual([4_000, 8_000, 16_000, 512_000]);
    expect([stepsOf(1, 2), stepsOf(2, 4), stepsOf(8, 8)]).toEqual([8_000, 32_000, 1_000_000]);
    for (const odd of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 0.2]) expect(stepsOf(1, odd)).toBe(4_000);
    expect([stepsOf(0, 1), stepsOf(99, 1), stepsOf(Number.NaN, 1)]).toEqual([4_000, 512_000, 4_000]);
  });

  test("[PROOF-2] the counter to be found is spread over all of the steps", async () => {
    const cheap = { cost: 1, difficulty: 1, instead: false, nowS: nowS() };
    const challenges = await Promise.all(Array.from({ length: 3 }, () => makePow(ring, holder, cheap)));
    const found = challenges.map((challenge) => solve(challenge).counter);
    expect(new Set(found).size).toBeGreaterThan(1);
    for (const counter of found) expect(counter).toBeLessThan(4_000);
    // What the answer must be is what PBKDF2 makes of it, by another program.
    const { nonce, salt, keyPrefix, cost } = (challenges[0] as Altcha).parameters;
    const password = Buffer.concat([Buffer.from(nonce, "hex"), Buffer.from([0, 0, (found[0] ?? 0) >> 8, (found[0] ?? 0) & 255])]);
    expect(pbkdf2Sync(password, Buffer.from(salt, "hex"), cost, 32, "sha256").toString("hex").slice(0, 32)).toBe(keyPrefix);
  });

  test("[PROOF-2] work alone is nothing where Turnstile is asked; beyond cost 1 both are asked, one after the other", () => {
    const nothing = { work: 0, human: false };
    expect([stillAsked("pow", 0, nothing), stillAsked("turnstile", 0, nothing)]).toEqual([null, null]);
    expect([
      stillAsked("pow", 1, nothing),
      stillAsked("pow", 2, { work: 1, human: true }),
      stillAsked("pow", 2, { work: 2, human: false }),
    ]).toEqual(["pow", "pow", null]);
    expect(stillAsked("turnstile", 1, { work: 8, human: false })).toBe("turnstile");
    expect(stillAsked("turnstile", 1, { work: 0, human: true })).toBeNull();
    expect(stillAsked("turnstile", 3, { work: 0, human: true })).toBe("pow");
    expect(stillAsked("turnstile", 3, { work: 3, human: true })).toBeNull();
    expect([costShown("pow", { work: 2, human: false }), costShown("turnstile", { work: 2, human: false })]).toEqual([2, 0]);
    expect([costShown("turnstile", { work: 0, human: true }), costShown("turnstile", { work: 2, human: true })]).toEqual([1, 2]);
  });
});

describe("siteverify", () => {
  const SECRET = "0x4AAAAAAAsecretOfAWidget";
  const expected = { action: "vestibule", hostname: "shop.test", cdata: "holder" };
  const good = { success: true, "error-codes": [], hostname: "shop.test", action: "vestibule", cdata: "holder" };
  /** What was asked, and what is answered, one each; the last one again and again. */
  const asked: Record<string, unknown>[] = [];
  let answers: { status?: number; body?: string; json?: unknown; location?: string; silent?: true }[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    asked.push({ ...(JSON.parse(text) as object), path: request.url });
    const { status = 200, json, body, location, silent } = (answers.length > 1 ? answers.shift() : answers[0]) ?? {};
    if (silent) return;
    if (location !== undefined) response.setHeader("Location", location);
    response.writeHead(status).end(body ?? JSON.stringify(json));
  });
  let origin = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked.length = 0;
  });
  let tokens = 0;
  const newToken = () => `token${tokens++}`;
  const check = (token: string, secret = SECRET, cdata = "holder", laterMs = 0) =>
    checkTurnstile({ secret, origin }, token, { ...expected, cdata }, { remoteIp: "192.0.2.7", now: Date.now() + laterMs });

  test("[PROOF-3] S5 a token counts with host, action and holder as they must be, and with nothing less", async () => {
    answers = [{ json: good }];
    const token = newToken();
    expect(await check(token)).toBe("passed");
    expect(asked).toMatchObject([{ secret: SECRET, response: token, remoteip: "192.0.2.7", path: "/turnstile/v0/siteverify" }]);
    expect(asked[0]?.["idempotency_key"]).toMatch(/^[0-9a-f-]{36}$/);
    const lacking = [
      { hostname: "shop.test.evil.test" },
      { hostname: undefined },
      { action: "login" },
      { action: undefined },
      { cdata: "somebody else" },
      { cdata: undefined },
      { success: "true" },
      { success: false },
      { success: false, "error-codes": ["invalid-input-response"] },
      { success: 1 },
    ];
    for (const change of lacking) {
      answers = [{ json: { ...good, ...change } }];
      expect(await check(newToken()), JSON.stringify(change)).toBe("wrong");
    }
  });

  test("[PROOF-3] S5 a token that was shown is good for its holder and used for anybody else, without another question", async () => {
    answers = [{ json: good }];
    const token = newToken();
    expect(await check(token)).toBe("passed");
    expect(await check(token)).toBe("passed");
    expect(await check(token, SECRET, "another")).toBe("used");
    expect(asked).toHaveLength(1);
    answers = [{ json: { success: false, "error-codes": ["timeout-or-duplicate"] } }];
    expect(await check(newToken())).toBe("used");
    // What it was worth must not live longer than the Room remembers that it was used, by being shown again and again.
    const spareMs = PROOF_SPAN_MS - 1_000 * PROOF_LIFE_S;
    expect(await check(token, SECRET, "holder", spareMs)).toBe("used");
  });

  test("[PROOF-3] an answer that is lost is asked for once more with the same idempotency key, and then it is an outage", async () => {
    answers = [{ status: 503, body: "busy" }, { json: good }];
    expect(await check(newToken())).toBe("passed");
    expect(asked).toHaveLength(2);
    expect(asked[1]?.["idempotency_key"]).toBe(asked[0]?.["idempotency_key"]);
    const outages = [
      { status: 500, json: good },
      { body: "no JSON" },
      { body: "null" },
      { body: JSON.stringify({ ...good, padding: "x".repeat(20_000) }) },
      { json: { success: false, "error-codes": ["internal-error"] } },
      { status: 307, body: "", location: `${origin}/elsewhere` },
    ];
    for (const outage of outages) {
      answers = [outage];
      asked.length = 0;
      expect(await check(newToken()), JSON.stringify(outage).slice(0, 60)).toBe("unreachable");
      expect(asked).toHaveLength(2);
    }
    expect(
      await checkTurnstile({ secret: SECRET, origin: "http://127.0.0.1:1" }, newToken(), expected, { remoteIp: null, now: Date.now() }),
    ).toBe("unreachable");
  });

  test("[PROOF-3] a secret that Turnstile does not accept is no fault of the visitor's", async () => {
    answers = [{ json: { success: false, "error-codes": ["invalid-input-secret"] } }];
    expect(await check(newToken())).toBe("unreachable");
  });

  test("[PROOF-3] Cloudflare's secrets for tests answer whatever the host, as siteverify does with them", async () => {
    const test = "1x0000000000000000000000000000000AA";
    answers = [{ json: { success: true, hostname: "example.com", action: "test" } }];
    expect([await check(newToken(), test), await check(newToken())]).toEqual(["passed", "wrong"]);
    expect([isTestSecret(test), isTestSecret(SECRET), isTestSecret("0x4AAAAAAA")]).toEqual([true, false, false]);
  });
});

describe("the deployment", () => {
  const room = (challenge: "pow" | "turnstile", events: unknown[] = []) => ({ settings: { challenge, events } }) as never;

  test("[PROOF-3] a room that asks for Turnstile needs its secret, which no problem shows", () => {
    const needing = new Map([["shop", room("turnstile")]]);
    expect(readTurnstile("", "", needing)).toMatchObject({ ok: false, problems: [{ setting: "TURNSTILE_SECRET" }] });
    expect(readTurnstile(undefined, undefined, new Map([["shop", room("pow")]]))).toMatchObject({ ok: true, value: { secret: null } });
    expect(readTurnstile("0x4AAAAAAAsecretOfAWidget", undefined, needing)).toEqual({
      ok: true,
      value: { secret: "0x4AAAAAAAsecretOfAWidget", origin: "https://challenges.cloudflare.com" },
    });
    for (const bad of ["short", "has a blank in the middle", 7, "é".repeat(30)]) {
      const read = readTurnstile(bad, undefined, needing);
      expect(read).toMatchObject({ ok: false, problems: [{ setting: "TURNSTILE_SECRET" }] });
      expect(JSON.stringify(read)).not.toContain(String(bad));
    }
    for (const bad of ["http://x.test/path", "ftp://x.test", "x", 7])
      expect(readTurnstile(undefined, bad, new Map())).toMatchObject({ ok: false, problems: [{ setting: "TURNSTILE_URL" }] });
    const event = { name: "sale", cancelled: null, overrides: { challenge: "turnstile" } };
    expect(needTurnstileSecret({ challenge: "pow", events: [event] as never })).toEqual(["events.sale.challenge"]);
    expect(needTurnstileSecret({ challenge: "pow", events: [{ ...event, cancelled: "no" }] as never })).toEqual([]);
  });

  test("[PROOF-7] the damper is a rate limit binding or nothing", () => {
    expect(readDamper(undefined)).toEqual({ ok: true, value: null });
    const binding = { limit: () => Promise.resolve({ success: true }) };
    expect(readDamper(binding)).toEqual({ ok: true, value: binding });
    for (const bad of ["JOIN_DAMPER", 3, {}]) expect(readDamper(bad)).toMatchObject({ ok: false, problems: [{ setting: "JOIN_DAMPER" }] });
  });
});
