/** Invitations: what counts, what does not and why; the orders that make them; how a link is taken out of an address. */
import { execFileSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import { type Invitation, judgeInvitation, subjectOf, takeFromQuery } from "../../src/core/door";
import type { DoorReason } from "../../src/core/status";
import { checkInvitation, signInvitation } from "../../src/door/invitations";
import { mint, ORDER_MAX, type Order, readOrder } from "../../src/door/minting";
import { importKeyRing, invitationKey, type KeyRing, signToken, subjectKey } from "../../src/keys";

const NOW = 1_796_000_000;
const freshKey = (kid: string) => `${kid}:${randomBytes(32).toString("base64url")}`;
const [k1, k2, k3] = [freshKey("k1"), freshKey("k2"), freshKey("k3")];

async function ringOf(secret: string): Promise<KeyRing> {
  const imported = await importKeyRing(secret);
  if (!imported.ok) throw new Error(imported.problem);
  return imported.ring;
}
const ring = await ringOf(k1);

const order = { room: "shop", uses: 2, subject: null, iat: NOW, exp: NOW + 3_600 };
const check = (token: string, more: { ring?: KeyRing; room?: string; nowS?: number } = {}) =>
  checkInvitation(more.ring ?? ring, token, more.room ?? "shop", more.nowS ?? NOW + 60);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token with any header and claims, signed with the right key or the one given. */
function forged(header: Record<string, unknown>, claims: Record<string, unknown>, key?: CryptoKey | Uint8Array): Promise<string> {
  const good = { aud: "shop", jti: "AAECAwQFBgcICQoLDA0ODw", uses: 1, iat: NOW, exp: NOW + 3_600 };
  return new SignJWT({ ...good, ...claims })
    .setProtectedHeader({ alg: "HS256", kid: "k1", typ: "vst+invitation", ...header })
    .sign(key ?? (invitationKey(ring, "k1") as CryptoKey));
}

describe("invitations", () => {
  test("[DOOR-2] one that we made counts until its end, for its room, with its uses", async () => {
    const { id, token } = await signInvitation(ring, order);
    expect(await check(token)).toEqual({ room: "shop", id, uses: 2, subject: null, iat: NOW, exp: NOW + 3_600 } satisfies Invitation);
    expect(await check(token, { nowS: NOW + 3_599 })).toMatchObject({ id });
    expect(await check(token, { nowS: NOW + 3_600 })).toBe("invitation-expired");
    expect(await check(token, { room: "vip" })).toBe("invitation-other-room");
    expect(new Set([id, (await signInvitation(ring, order)).id]).size).toBe(2);
  });

  test("[DOOR-2] K5 S11 every kind of bad token is refused, and says why in one word", async () => {
    const { token } = await signInvitation(ring, order);
    const [head = "", body = "", tail = ""] = token.split(".");
    const raw = randomBytes(32);
    const table: readonly (readonly [string, string | Promise<string>, DoorReason])[] = [
      ["nothing", "", "invitation-bad"],
      ["no token", "hello", "invitation-bad"],
      ["cut off", token.slice(0, -1), "invitation-bad"],
      ["longer", `${token}A`, "invitation-bad"],
      ["far too long", `${token}${"A".repeat(2_000)}`, "invitation-bad"],
      [
        "another use count",
        `${head}.${base64url({ ...JSON.parse(Buffer.from(body, "base64url").toString()), uses: 99 })}.${tail}`,
        "invitation-bad",
      ],
      [
        "alg none",
        new UnsecuredJWT({ aud: "shop", jti: "AAECAwQFBgcICQoLDA0ODw", uses: 1 })
          .setIssuedAt(NOW)
          .setExpirationTime(NOW + 60)
          .encode(),
        "invitation-bad",
      ],
      ["alg none, signed", `${base64url({ alg: "none", kid: "k1", typ: "vst+invitation" })}.${body}.${tail}`, "invitation-bad"],
      ["HS512", forged({ alg: "HS512" }, {}, raw), "invitation-bad"],
      ["another key", forged({}, {}, raw), "invitation-bad"],
      ["unknown kid", forged({ kid: "k9" }, {}), "invitation-bad"],
      ["no kid", forged({ kid: undefined }, {}), "invitation-bad"],
      ["typ of a door cookie", forged({ typ: "vst+door" }, {}), "invitation-bad"],
      ["typ JWT", forged({ typ: "JWT" }, {}), "invitation-bad"],
      ["other room", forged({}, { aud: "vip" }), "invitation-other-room"],
      ["several rooms", forged({}, { aud: ["shop", "vip"] }), "invitation-bad"],
      ["no room", forged({}, { aud: undefined }), "invitation-bad"],
      ["expired", forged({}, { iat: NOW - 100, exp: NOW }), "invitation-expired"],
      ["no end", forged({}, { exp: undefined }), "invitation-bad"],
      ["made tomorrow", forged({}, { iat: NOW + 86_400, exp: NOW + 90_000 }), "invitation-bad"],
      ["ends in ten years", forged({}, { exp: NOW + 10 * 365 * 86_400 }), "invitation-bad"],
      ["no uses", forged({}, { uses: 0 }), "invitation-bad"],
      ["half a use", forged({}, { uses: 1.5 }), "invitation-bad"],
      ["uses as text", forged({}, { uses: "5" }), "invitation-bad"],
      ["an id of another shape", forged({}, { jti: "1" }), "invitation-bad"],
      ["a name for a subject", forged({}, { sub: "ada@example.com" }), "invitation-bad"],
      [
        "a visitor token",
        signToken(ring, { kind: "visitor", room: "shop", key: "AAECAwQFBgcICQoLDA0ODw", iat: NOW, exp: NOW + 60 }),
        "invitation-bad",
      ],
    ];
    for (const [what, made, why] of table) expect([what, await check(await made)]).toEqual([what, why]);
    expect(await check(await forged({}, {}))).toMatchObject({ uses: 1 });
  });

  test("[DOOR-2] the sub-key of another use signs none, and keys are found by their kid, after a rotation too", async () => {
    const { token } = await signInvitation(ring, order);
    expect(await check(token, { ring: await ringOf(`${k2},${k1}`) })).toMatchObject({ uses: 2 });
    expect(await check(token, { ring: await ringOf(k2) })).toBe("invitation-bad");
    const [head, body] = token.split(".");
    const root = Buffer.from(k1.split(":")[1] ?? "", "base64url");
    const mac = createHmac("sha256", root).update(`${head}.${body}`).digest("base64url");
    expect(await check(`${head}.${body}.${mac}`)).toBe("invitation-bad");
  });

  test("[DOOR-2] whatever the claims are, judging them never throws and lets through nothing out of range", () => {
    const claims = fc.record(
      { aud: fc.anything(), jti: fc.anything(), uses: fc.anything(), sub: fc.anything(), iat: fc.anything(), exp: fc.anything() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(claims, (raw) => {
        const judged = judgeInvitation(raw as Record<string, unknown>, "shop", NOW);
        if (typeof judged !== "string") expect(judged).toMatchObject({ room: "shop", uses: expect.any(Number) });
      }),
    );
  });

  test("[DOOR-7] for a person: the name is in neither the token nor the key, and the key is the same for one room only", async () => {
    const { token } = await signInvitation(ring, { ...order, subject: "ada@example.com" });
    const key = await subjectKey(ring, "shop", "invitation", "ada@example.com");
    expect(await check(token)).toMatchObject({ subject: key });
    expect(key).toMatch(/^[\w-]{22}$/);
    const text = token.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
    expect(text.join(" ")).not.toContain("ada");
    const others = [
      await subjectKey(ring, "vip", "invitation", "ada@example.com"),
      await subjectKey(ring, "shop", "identity", "ada@example.com"),
      await subjectKey(ring, "shop", "invitation", "alan@example.com"),
    ];
    expect(new Set([key, ...others]).size).toBe(4);
    // No step of a change of keys moves anybody, until the oldest key goes.
    const keyBy = async (secret: string) => subjectKey(await ringOf(secret), "shop", "invitation", "ada@example.com");
    for (const secret of [`${k2},${k1}:revoked`, `${k1},${k2}:next`, `${k2},${k1}`, `${k2},${k1},${k3}:next`, `${k3},${k2},${k1}`])
      expect(await keyBy(secret)).toBe(key);
    expect(await keyBy(k2)).not.toBe(key);
  });
});

describe("orders", () => {
  const read = (fields: Record<string, unknown>) => readOrder({ expires: "2027-01-01T00:00:00Z", ...fields }, NOW);
  const problems = (fields: Record<string, unknown>) => {
    const read_ = read(fields);
    return Array.isArray(read_) ? read_.map(({ setting }) => setting) : [];
  };

  test("[DOOR-7] what makes no sense is refused by its field, all at once", () => {
    expect(read({})).toEqual({ subjects: [null], uses: 1, exp: Date.UTC(2027, 0, 1) / 1_000, url: null } satisfies Order);
    expect(problems({ count: 0, uses: "2", expires: "2027-01-01", url: "shop", cuont: 3 }).toSorted()).toEqual(
      ["count", "cuont", "expires", "uses", "url"].toSorted(),
    );
    for (const count of [0, -1, 1.5, ORDER_MAX + 1, "3", Number.NaN]) expect(problems({ count })).toEqual(["count"]);
    for (const uses of [0, 1_000_001, 0.5, null]) expect(problems({ uses })).toEqual(["uses"]);
    for (const expires of [undefined, "tomorrow", "2020-01-01T00:00:00Z", "2027-01-01T00:00:00", "2030-01-01T00:00:00Z", 7])
      expect(problems({ expires })).toEqual(["expires"]);
    // Days and hours that there are not; and what is one, however it is written.
    for (const expires of ["2027-02-30T00:00:00Z", "2026-12-31T24:00:00Z", "2027-04-31T10:00+02:00", "2027-01-01T00:00:00+24:00"])
      expect(problems({ expires }), expires).toEqual(["expires"]);
    for (const expires of ["2027-01-01T01:00+01:00", "2027-01-01T00:00:00.123456Z", "2026-12-31t20:30:00-03:30"])
      expect(read({ expires }), expires).toMatchObject({ exp: Date.UTC(2027, 0, 1) / 1_000 });
    for (const subjects of [[], [""], ["x".repeat(600)], "ada", [7]]) expect(problems({ subjects })).toEqual(["subjects"]);
    expect(problems({ subjects: ["ada"], count: 2 })).toEqual(["count"]);
    for (const url of ["/drop", "javascript:alert(1)", 7]) expect(problems({ url })).toEqual(["url"]);
  });

  test("[DOOR-7] links keep the rest of their address, and the token comes back out of them", async () => {
    const url = "https://shop.example.com/drop?a=1&b=%C3%A4#top";
    const made = await mint(ring, "shop", { subjects: [null, "ada"], uses: 1, exp: NOW + 60, url: new URL(url) }, NOW);
    expect(made.map(({ subject }) => subject)).toEqual([undefined, "ada"]);
    for (const { link = "", token } of made) {
      const { search, hash } = new URL(link);
      expect([takeFromQuery(search), hash]).toEqual([{ search: "?a=1&b=%C3%A4", token }, "#top"]);
    }
  });

  test("[DOOR-7] npm run invite prints as many as asked for, and refuses by name", async () => {
    const script = fileURLToPath(new URL("../../scripts/invite.mjs", import.meta.url));
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [script, "--room", "shop", ...args], {
        env: { ...process.env, VESTIBULE_KEYS: k1 },
        encoding: "utf8",
        stdio: "pipe",
      });
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const lines = run("--count", "2", "--uses", "3", "--expires", inAnHour).trim().split("\n");
    expect(lines).toHaveLength(2);
    for (const token of lines)
      expect(await check(token, { nowS: Math.floor(Date.now() / 1_000) })).toMatchObject({ uses: 3, subject: null });
    const [who, link = ""] = run("--subject", "ada", "--expires", inAnHour, "--url", "https://shop.example.com/").trim().split("\t");
    expect([who, new URL(link).host]).toEqual(["ada", "shop.example.com"]);
    expect(() => run("--count", "two", "--expires", "soon")).toThrow(/--count must be a whole number[\s\S]*--expires must be a time/);
  });
});

test("[STAFF-1] npm run staff-link gives the admin token to https or this computer only", () => {
  const script = fileURLToPath(new URL("../../scripts/staff-link.mjs", import.meta.url));
  const run = (url: string) =>
    execFileSync(process.execPath, [script, "--room", "shop", "--list", "--url", url], {
      env: { ...process.env, ADMIN_TOKEN: "t".repeat(43) },
      encoding: "utf8",
      stdio: "pipe",
    });
  for (const url of ["http://shop.invalid/", "ftp://127.0.0.1/", "shop.invalid", "http://127.0.0.1.shop.invalid/"])
    expect(() => run(url), url).toThrow(/--url must be an address with https:\/\/, or of this computer/);
  // Nobody listens there.
  for (const url of ["https://shop.invalid/", "http://127.0.0.1:9/"]) expect(() => run(url), url).toThrow(/does not answer/);
});

describe("links and log-ins", () => {
  test("[DOOR-3] the parameter comes out of a query, everything else stays byte for byte", () => {
    const taken = (search: string) => {
      const { search: rest, token } = takeFromQuery(search);
      return [rest, token];
    };
    expect(taken("?vestibule-invitation=a.b.c")).toEqual(["", "a.b.c"]);
    expect(taken("?a=%2f&vestibule-invitation=a.b.c&&b")).toEqual(["?a=%2f&&b", "a.b.c"]);
    expect(taken("?Vestibule-Invitation=a&vestibule%2Dinvitation=b&x='\"<")).toEqual(["?x='\"<", "a"]);
    expect(taken("?%76estibule-invitation=a.b.c&x=1")).toEqual(["?x=1", "a.b.c"]);
    expect(taken("?vestibule-invitation")).toEqual(["", ""]);
    for (const search of ["", "?", "?a=1&b", "?invitation=x", "?q=vestibule-invitation", "?a=%"])
      expect(taken(search)).toEqual([search, null]);
  });

  test("[DOOR-4] a person is a text or a whole number, and nothing else", () => {
    expect(subjectOf({ sub: "ada" }, "sub")).toBe("ada");
    expect(subjectOf({ uid: 7 }, "uid")).toBe("7");
    for (const sub of [undefined, null, "", 1.5, {}, ["ada"], true, "x".repeat(600)]) expect(subjectOf({ sub }, "sub")).toBeNull();
    expect(subjectOf({}, "constructor")).toBeNull();
  });
});
