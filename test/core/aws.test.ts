/** What clients made for AWS Virtual Waiting Room are told, state by state: shapes and codes from its guide and sources. */
import { generateKeyPairSync } from "node:crypto";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { awsTokens, importAwsKey } from "../../src/aws/tokens";
import { type AwsAnswer, noToken, queueNum, queuePosExpiry, servingNum, waitingNum, wrongEvent } from "../../src/core/aws";
import type { Manifest } from "../../src/core/manifest";
import type { Status } from "../../src/core/status";

const manifestOf = (over: Partial<Manifest>) => ({ admittedEpoch: 100, tail: 250, returning: 3, ...over }) as Manifest;
const statusOf = (over: Partial<Status>) => ({ state: "waiting", slot: 200, reason: null, pollAfterMs: 4_000, ...over }) as Status;
const told = ({ code, body, retryAfterMs }: AwsAnswer) => [code, "error" in body ? "error" : body, retryAfterMs];

describe("numbers", () => {
  test("[AWS-2] a number is served once the counter has come to it: slot + 1 and the admitted epoch, both as numbers", () => {
    expect(servingNum(manifestOf({}))).toEqual({ code: 200, body: { serving_counter: 100 } });
    const { body } = queueNum(99, 1_700_000_000, "Sale");
    expect(body).toEqual({ queue_number: 100, entry_time: 1_700_000_000, event_id: "Sale", status: 1 });
    expect(queueNum(0, 1, "Sale").body["queue_number"]).toBe(1);
  });

  test("[AWS-2] waiting_num is who waits or returns, never less than nobody, and not told where totals are hidden", () => {
    expect(waitingNum(manifestOf({})).body).toEqual({ waiting_num: 153 });
    expect(waitingNum(manifestOf({ tail: 90, returning: null })).body).toEqual({ waiting_num: 0 });
    expect(waitingNum(manifestOf({ tail: null })).code).toBe(404);
  });

  test("[AWS-1] another event is refused, whatever was sent as its id", () => {
    expect(wrongEvent("Sale", "Sale")).toBeNull();
    for (const given of ["sale", "", undefined, null, 1, ["Sale"]]) expect(wrongEvent(given, "Sale")?.code).toBe(400);
  });
});

describe("a place", () => {
  const WAITS = [202, "error", 4_000];
  const OVER = [410, "error", undefined];
  const LATER = [503, "error", 4_000];
  test.each<[string, Partial<Status>, unknown[], unknown[]]>([
    ["waits", {}, WAITS, WAITS],
    ["waits in a lobby", { state: "lobby", slot: null }, WAITS, WAITS],
    ["is paused", { state: "paused", reason: "paused" }, WAITS, WAITS],
    ["is called", { state: "called", holdForMs: 9_000, validForMs: 90_500 }, [200, { expires_in: 90 }, undefined], WAITS],
    ["is told one moment", { state: "called", reason: "moment", dueInMs: 2_900 }, WAITS, WAITS],
    ["returns", { state: "returning", validForMs: 600_000 }, [200, { expires_in: 600 }, undefined], WAITS],
    ["is inside", { state: "inside" }, [202, "error", undefined], WAITS],
    ["ran out", { state: "ended", reason: "return-time-over" }, OVER, OVER],
    ["has had its session", { state: "ended", reason: "session-over" }, OVER, OVER],
    ["is sold out", { state: "ended", reason: "sold-out" }, OVER, OVER],
    ["went on elsewhere", { state: "void", reason: "taken-over" }, OVER, OVER],
    ["cannot be looked at", { reason: "room-unreachable" }, LATER, LATER],
    ["meets a full storage", { reason: "storage-full" }, LATER, LATER],
    ["is in a room that is off", { state: "called", reason: "room-off", dueInMs: 9_000 }, LATER, LATER],
  ])("[AWS-3] that %s", (_, status, expiry, token) => {
    expect([told(queuePosExpiry(statusOf(status))), told(noToken(statusOf(status)))]).toEqual([expiry, token]);
  });
});

describe("the key and its tokens", () => {
  const pemOf = (bits: number) =>
    generateKeyPairSync("rsa", { modulusLength: bits }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const pem = pemOf(2_048);
  const session = { eventId: "Sale", generation: 3, slot: 41, issuedAtS: 1_700_000_000, expiresAtS: 1_700_000_600 };

  test("[AWS-4] is read as PEM, on one line and as bare base64; nothing else, and none that is too small", async () => {
    const key = await importAwsKey(pem);
    expect(key?.jwk).toMatchObject({ kty: "RSA", alg: "RS256", use: "sig", kid: key?.kid });
    expect(JSON.stringify(key?.jwk)).not.toMatch(/"[dpq]"/);
    const bare = pem.replace(/-----.*-----|\n/g, "");
    for (const same of [pem.replaceAll("\n", "\\n"), bare]) expect((await importAwsKey(same))?.jwk).toEqual(key?.jwk);
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    for (const bad of [pemOf(1_024), ec, "nonsense", bare.slice(4), "-----BEGIN PRIVATE KEY-----"])
      expect(await importAwsKey(bad)).toBeNull();
  });

  test("[AWS-4] three RS256 tokens that any JWT library verifies, none of which outlives the pass; the same ones for the same pass", async () => {
    const key = await importAwsKey(pem);
    if (key === null) throw new Error("no key");
    const body = await awsTokens(key, session, "https://shop.test/iss", 1_700_000_100);
    expect(body).toMatchObject({ token_type: "Bearer", expires_in: 500 });
    const keys = createLocalJWKSet({ keys: [key.jwk] });
    for (const use of ["access", "id", "refresh"] as const) {
      const options = { audience: "Sale", issuer: "https://shop.test/iss", currentDate: new Date(1_700_000_599_000) };
      const { payload } = await jwtVerify(body[`${use}_token`], keys, options);
      expect(payload).toEqual({
        aud: "Sale",
        sub: "3.41",
        queue_position: 42,
        token_use: use,
        iss: "https://shop.test/iss",
        iat: session.issuedAtS,
        nbf: session.issuedAtS,
        exp: session.expiresAtS,
      });
      expect(decodeProtectedHeader(body[`${use}_token`])).toEqual({ alg: "RS256", kid: key.kid, typ: "JWT" });
    }
    expect(await awsTokens(key, session, "https://shop.test/iss", 1_700_000_100)).toEqual(body);
  });
});
